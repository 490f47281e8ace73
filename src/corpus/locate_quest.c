/* SPDX-License-Identifier: Apache-2.0 */
/* Quotes looked for in every document of a corpus. */
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/mem.h"
#include "corpus/locate.h"
#include "corpus/locate_fold.h"
#include "corpus/locate_hunt.h"
#include "corpus/locate_quotes.h"

enum { MOST_SAMPLE = 1 << 20 };

/* The best places that one worker has seen of one quote in this round. */
typedef struct sight {
    uint32_t n;
    uint32_t distance;
    uint32_t doc;
    assay_span span;
} sight;

typedef struct worker {
    assay_catch caught;
    sight *sight; /* by quote */
} worker;

struct assay_quest {
    assay_quotes quotes;
    uint32_t *which; /* by what was asked for: its quote */
    uint8_t *rung;   /* by quote: that found it, or 0 */
    sight *found;    /* by quote */
    worker *worker;
    uint32_t n_workers;
    assay_hunt *hunt; /* of this round; null when it is over */
    assay_rung now;
    uint32_t stage;
};

static const char doing[] = "finding quotes in documents";

/* ---- rounds ---- */

/* What pieces are cut by: the quotes themselves are text like that of the documents. */
static bool make_sample(const assay_quest *q, assay_buffer *sample)
{
    for (uint32_t i = 0; i < q->quotes.n && sample->len < MOST_SAMPLE; i++)
        assay_buffer_slice(sample, q->quotes.quote[i].folded);
    return !sample->has_failed;
}

static bool has_work(const assay_quest *q)
{
    for (uint32_t i = 0; i < q->quotes.n; i++)
        if (!q->rung[i] && (q->now != ASSAY_RUNG_EDITED ||
                            assay_hunt_has_stage(&q->quotes.quote[i], q->stage)))
            return true;
    return false;
}

/* The hunt of the rung and stage at hand. */
static bool make_hunt(assay_quest *q)
{
    assay_buffer sample = ASSAY_BUFFER_EMPTY;
    bool is_ok = q->now != ASSAY_RUNG_FOLDED || assay_quotes_fold(&q->quotes, q->rung);

    if (is_ok && q->now == ASSAY_RUNG_EDITED)
        is_ok = make_sample(q, &sample);
    if (is_ok)
        q->hunt = assay_hunt_new(q->quotes.quote, q->quotes.n, q->rung, q->now, q->stage,
                                 assay_buffer_view(&sample));
    assay_buffer_clear(&sample);
    return is_ok && q->hunt;
}

/* Step to the next rung or stage that has something to do; false: there is none. */
static bool step(assay_quest *q)
{
    while (q->now != ASSAY_RUNG_EDITED || q->stage + 1 < ASSAY_HUNT_STAGES) {
        if (q->now == ASSAY_RUNG_EDITED)
            q->stage++;
        else
            q->now++;
        if (has_work(q))
            return true;
    }
    return false;
}

/* Whether a was seen before b: fewer edits, then the first document, then the first place. */
static bool is_before(const sight *a, const sight *b)
{
    if (a->distance != b->distance)
        return a->distance < b->distance;
    if (a->doc != b->doc)
        return a->doc < b->doc;
    return a->span.start < b->span.start;
}

static void add_sight(sight *into, const sight *s)
{
    uint32_t n = s->n;

    if (s->n == 0)
        return;
    if (into->n > 0 && into->distance == s->distance)
        n += into->n;
    else if (into->n > 0 && into->distance < s->distance)
        return;
    if (into->n == 0 || is_before(s, into))
        *into = *s;
    into->n = n < ASSAY_HUNT_MOST_PLACES ? n : ASSAY_HUNT_MOST_PLACES;
}

/* What the workers saw becomes what was found. */
static void gather(assay_quest *q)
{
    for (uint32_t w = 0; w < q->n_workers; w++)
        for (uint32_t i = 0; i < q->quotes.n; i++) {
            add_sight(&q->found[i], &q->worker[w].sight[i]);
            q->worker[w].sight[i].n = 0;
        }
    for (uint32_t i = 0; i < q->quotes.n; i++)
        if (!q->rung[i] && q->found[i].n > 0)
            q->rung[i] = (uint8_t)q->now;
}

assay_status assay_quest_next(assay_quest *q, bool *is_over, assay_error *err)
{
    gather(q);
    assay_hunt_free(q->hunt);
    q->hunt = NULL;
    *is_over = !step(q);
    return *is_over || make_hunt(q) ? ASSAY_OK : assay_fail_memory(err, doing);
}

/* ---- looking ---- */

/* The first place of a quote in a document, as bytes of it. */
static sight first_sight(const assay_catch *c, uint32_t quote, const assay_folded *folded)
{
    sight s = {.n = c->n[quote], .distance = c->distance[quote]};
    uint32_t i = c->head[quote];

    s.span = c->spot[i].span;
    for (; i != ASSAY_NONE; i = c->spot[i].next)
        if (c->spot[i].span.start < s.span.start)
            s.span = c->spot[i].span;
    if (folded)
        s.span = assay_folded_source(folded, (size_t)s.span.start, (size_t)s.span.end);
    return s;
}

static void keep_sights(worker *w, uint32_t number, const assay_folded *folded)
{
    assay_catch *c = &w->caught;

    for (size_t i = 0; i < c->n_spots; i++) {
        uint32_t quote = c->spot[i].quote;
        sight s;

        if (c->head[quote] != i)
            continue; /* not the last of its quote: each is taken once */
        s = first_sight(c, quote, folded);
        s.doc = number;
        add_sight(&w->sight[quote], &s);
    }
    assay_catch_empty(c);
}

assay_status assay_quest_look(assay_quest *q, uint32_t worker_number,
                              const assay_document *doc, uint32_t number,
                              assay_error *err)
{
    worker *w = &q->worker[worker_number];
    bool is_exact = q->now == ASSAY_RUNG_EXACT;
    assay_folded folded = {0};
    assay_slice text = {doc->text.ptr ? doc->text.ptr : "", doc->text.len};
    bool is_ok;

    if (!q->hunt)
        return ASSAY_OK;
    is_ok = is_exact || assay_folded_init(&folded, text);
    if (is_ok)
        is_ok = assay_hunt_run(q->hunt, is_exact ? text : assay_folded_view(&folded),
                               &w->caught);
    if (is_ok)
        keep_sights(w, number, is_exact ? NULL : &folded);
    else
        assay_catch_empty(&w->caught);
    assay_folded_clear(&folded);
    return is_ok ? ASSAY_OK : assay_fail_memory(err, doing);
}

/* ---- from beginning to end ---- */

static bool prepare(assay_quest *q, const assay_slice *quote, size_t n)
{
    q->which = ASSAY_NEW_ARRAY(uint32_t, n);
    if (!q->which)
        return false;
    for (size_t i = 0; i < n; i++) {
        q->which[i] = ASSAY_NONE;
        if (quote[i].len > 0 && !assay_quotes_add(&q->quotes, quote[i], &q->which[i]))
            return false;
    }
    q->rung = ASSAY_NEW_ARRAY(uint8_t, q->quotes.n);
    q->found = ASSAY_NEW_ARRAY(sight, q->quotes.n);
    q->worker = ASSAY_NEW_ARRAY(worker, q->n_workers);
    if (!q->rung || !q->found || !q->worker)
        return false;
    for (uint32_t w = 0; w < q->n_workers; w++) {
        q->worker[w].sight = ASSAY_NEW_ARRAY(sight, q->quotes.n);
        if (!q->worker[w].sight || !assay_catch_init(&q->worker[w].caught, q->quotes.n))
            return false;
    }
    q->now = ASSAY_RUNG_EXACT;
    return make_hunt(q);
}

assay_status assay_quest_new(const assay_slice *quote, size_t n, uint32_t n_workers,
                             assay_quest **out, assay_error *err)
{
    assay_quest *q = ASSAY_NEW(assay_quest);

    if (!q)
        return assay_fail_memory(err, doing);
    q->n_workers = n_workers ? n_workers : 1;
    if (!prepare(q, quote, n)) {
        assay_quest_free(q);
        return assay_fail_memory(err, doing);
    }
    *out = q;
    return ASSAY_OK;
}

void assay_quest_free(assay_quest *q)
{
    if (!q)
        return;
    for (uint32_t w = 0; q->worker && w < q->n_workers; w++) {
        assay_catch_clear(&q->worker[w].caught);
        assay_mem_free(q->worker[w].sight);
    }
    assay_hunt_free(q->hunt);
    assay_mem_free(q->worker);
    assay_mem_free(q->found);
    assay_mem_free(q->rung);
    assay_mem_free(q->which);
    assay_quotes_clear(&q->quotes);
    assay_mem_free(q);
}

assay_sighting assay_quest_get(const assay_quest *q, size_t i)
{
    uint32_t quote = q->which[i];
    const sight *s;

    if (quote == ASSAY_NONE || !q->rung[quote])
        return (assay_sighting){.finding = ASSAY_FOUND_LOST};
    s = &q->found[quote];
    return (assay_sighting){
        .finding = s->n == 1 ? ASSAY_FOUND_RESOLVED : ASSAY_FOUND_AMBIGUOUS,
        .rung = (assay_rung)q->rung[quote],
        .doc = s->doc,
        .span = s->span,
        .n_places = s->n,
        .distance = q->rung[quote] == ASSAY_RUNG_EDITED ? s->distance : 0};
}
