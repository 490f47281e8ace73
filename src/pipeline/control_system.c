/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/control_system.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "pipeline/own_system.h"
#include "stat/random.h"

static const char *const names[ASSAY_CONTROLS] = {
    [ASSAY_CONTROL_RANDOM] = "random",
    [ASSAY_CONTROL_ORACLE] = "oracle",
};

const char *assay_control_name(uint32_t kind)
{
    return kind < ASSAY_CONTROLS ? names[kind] : NULL;
}

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "making a control run");
}

/* ---- passages by document ---- */

typedef struct place {
    const assay_passage *p;
    uint32_t number;
} place;

static int by_place(const void *a, const void *b)
{
    const place *x = a;
    const place *y = b;
    int order = assay_slice_cmp(x->p->doc, y->p->doc);
    uint64_t at = x->p->n_spans ? x->p->span[0].start : 0;
    uint64_t other = y->p->n_spans ? y->p->span[0].start : 0;

    if (order)
        return order;
    return at != other ? (at < other ? -1 : 1) : (x->number < y->number ? -1 : 1);
}

assay_status assay_control_open(assay_control *c, assay_error *err)
{
    uint32_t n = c->passages->n;
    place *list = ASSAY_NEW_ARRAY(place, n + 1u);

    c->by_doc = ASSAY_NEW_ARRAY(uint32_t, n + 1u);
    for (uint32_t i = 0; list && i < n; i++)
        list[i] = (place){&c->passages->item[i], i};
    if (list && n)
        qsort(list, n, sizeof *list, by_place);
    for (uint32_t i = 0; list && c->by_doc && i < n; i++)
        c->by_doc[i] = list[i].number;
    bool has_failed = !list || !c->by_doc;
    assay_mem_free(list);
    if (has_failed)
        assay_control_close(c);
    return has_failed ? no_memory(err) : ASSAY_OK;
}

void assay_control_close(assay_control *c)
{
    assay_mem_free(c->by_doc);
    c->by_doc = NULL;
}

/* The passages of a document: the first in by_doc, and how many. */
static uint32_t passages_of(const assay_control *c, assay_slice doc, uint32_t *first)
{
    const assay_passage *item = c->passages->item;
    uint32_t n = c->passages->n;
    uint32_t low = 0;
    uint32_t high = n;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (assay_slice_cmp(item[c->by_doc[mid]].doc, doc) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    *first = low;
    while (high < n && assay_slice_eq(item[c->by_doc[high]].doc, doc))
        high++;
    return high - low;
}

/* The passage of this id, or ASSAY_NONE. */
static uint32_t passage_of(const assay_control *c, assay_slice id)
{
    for (uint32_t low = 0, high = c->passages->n; low < high;) {
        uint32_t mid = low + (high - low) / 2;
        int order = assay_slice_cmp(c->passages->item[mid].id, id);

        if (order == 0)
            return mid;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return ASSAY_NONE;
}

/* ---- workers ---- */

typedef struct worker {
    const assay_control *c;
    uint32_t *order; /* of random: a permutation of the passages */
    uint32_t *drawn; /* the swaps that made it, to undo them */
    assay_retrieved *hit;
    size_t cap;
    uint32_t n;
} worker;

static void close_worker(void *state)
{
    worker *w = state;

    assay_mem_free(w->order);
    assay_mem_free(w->drawn);
    assay_mem_free(w->hit);
    assay_mem_free(w);
}

static assay_status open_worker(void *state, void **out, assay_error *err)
{
    worker *w = ASSAY_NEW(worker);
    uint32_t n;

    if (!w)
        return no_memory(err);
    w->c = state;
    n = w->c->passages->n;
    w->order = ASSAY_NEW_ARRAY(uint32_t, n + 1u);
    w->drawn = ASSAY_NEW_ARRAY(uint32_t, n + 1u);
    if (!w->order || !w->drawn) {
        close_worker(w);
        return no_memory(err);
    }
    for (uint32_t i = 0; i < n; i++)
        w->order[i] = i;
    *out = w;
    return ASSAY_OK;
}

static bool add(worker *w, uint32_t passage)
{
    assay_retrieved *grown;

    grown = assay_mem_grow(w->hit, &w->cap, w->n + 1u, sizeof *grown);
    if (!grown)
        return false;
    w->hit = grown;
    grown[w->n++] = (assay_retrieved){.passage = passage};
    return true;
}

/* ---- random ---- */

static void swap(uint32_t *order, uint32_t a, uint32_t b)
{
    uint32_t held = order[a];

    order[a] = order[b];
    order[b] = held;
}

/* The first k of a shuffle (Fisher and Yates), a stream for each query. */
static bool draw(worker *w, uint32_t query, uint32_t k)
{
    assay_random random = assay_random_stream(w->c->seed, query);
    uint32_t n = w->c->passages->n;
    bool is_good = true;

    k = k < n ? k : n;
    for (uint32_t i = 0; i < k; i++) {
        w->drawn[i] = i + (uint32_t)(assay_random_next(&random) % (n - i));
        swap(w->order, i, w->drawn[i]);
        is_good = is_good && add(w, w->order[i]);
    }
    for (uint32_t i = k; i-- > 0;)
        swap(w->order, i, w->drawn[i]);
    return is_good;
}

/* ---- oracle ---- */

static bool has(const worker *w, uint32_t passage)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (w->hit[i].passage == passage)
            return true;
    return false;
}

static bool has_doc(const worker *w, assay_slice doc)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (assay_slice_eq(w->c->passages->item[w->hit[i].passage].doc, doc))
            return true;
    return false;
}

/* The passages that hold the evidence, those with most of it first, until half of it is
 * there: that is when it counts as covered. */
static bool add_evidence(worker *w, const assay_judgment *j, uint32_t first, uint32_t n)
{
    uint64_t bytes = assay_span_bytes(j->span, j->n_spans);
    uint64_t held = 0;
    uint32_t begin = w->n;

    while (held * 2 < bytes) {
        uint64_t most = 0;
        uint32_t best = ASSAY_NONE;

        for (uint32_t i = first; i < first + n; i++) {
            const assay_passage *p = &w->c->passages->item[w->c->by_doc[i]];
            uint64_t shared = assay_span_shared(j->span, j->n_spans, p->span, p->n_spans);

            if (shared > most && !has(w, w->c->by_doc[i])) {
                most = shared;
                best = w->c->by_doc[i];
            } else if (w->n == begin && shared * 2 >= bytes && has(w, w->c->by_doc[i])) {
                return true; /* it came with another one's evidence */
            }
        }
        if (best == ASSAY_NONE)
            return true;
        if (!add(w, best))
            return false;
        held += most;
    }
    return true;
}

static bool add_judged(worker *w, const assay_judgment *j)
{
    const assay_control *c = w->c;
    const assay_golden *g = c->golden;
    bool is_doc = c->level == ASSAY_LEVEL_DOC || j->stale == ASSAY_STALE_AMBIGUOUS;
    uint32_t chunk =
        j->chunk == ASSAY_NONE ? ASSAY_NONE : passage_of(c, g->chunks.word[j->chunk]);
    uint32_t first;
    uint32_t n;

    if (chunk != ASSAY_NONE) {
        if (is_doc ? has_doc(w, c->passages->item[chunk].doc) : has(w, chunk))
            return true;
        return add(w, chunk);
    }
    if (j->doc == ASSAY_NONE)
        return true;
    n = passages_of(c, g->docs.word[j->doc], &first);
    if (!n)
        return true;
    if (!is_doc && j->n_spans && c->passages->item[c->by_doc[first]].n_spans)
        return add_evidence(w, j, first, n);
    return has_doc(w, g->docs.word[j->doc]) || add(w, c->by_doc[first]);
}

/* Highest grade first, equal ones in the order of the file. */
static bool reveal(worker *w, const assay_query *q)
{
    int32_t grade = 0;

    for (uint32_t i = 0; i < q->n_judgments; i++)
        grade = q->judgment[i].grade > grade ? q->judgment[i].grade : grade;
    while (grade > 0) {
        int32_t next = 0;

        for (uint32_t i = 0; i < q->n_judgments; i++) {
            const assay_judgment *j = &q->judgment[i];

            if (j->grade < grade && j->grade > next)
                next = j->grade;
            if (j->grade == grade && j->stale != ASSAY_STALE_LOST && !add_judged(w, j))
                return false;
        }
        grade = next;
    }
    return true;
}

/* ---- the socket ---- */

static assay_status ask(void *state, const assay_question *question, assay_arena *arena,
                        assay_result *out, assay_error *err)
{
    static const assay_retriever nobody = {.name = "control"};
    worker *w = state;
    const assay_own_system own = {.retriever = &nobody, .passages = w->c->passages};
    uint32_t query = assay_dict_find(&w->c->golden->ids, question->id);
    bool is_good;

    w->n = 0;
    if (w->c->kind == ASSAY_CONTROL_RANDOM)
        is_good = draw(w, query, question->k);
    else
        is_good = query == ASSAY_NONE || reveal(w, &w->c->golden->query[query]);
    if (!is_good)
        return no_memory(err);
    w->n = w->n < question->k ? w->n : question->k;
    for (uint32_t i = 0; i < w->n; i++)
        w->hit[i].score = w->n - i;
    return assay_retrieved_hits(&own, w->hit, w->n, arena, out) ? ASSAY_OK
                                                                : no_memory(err);
}

static void identity(const void *state, assay_buffer *out)
{
    const assay_control *c = state;

    assay_buffer_printf(out, "control %s", names[c->kind]);
    if (c->kind == ASSAY_CONTROL_RANDOM)
        assay_buffer_printf(out, "(seed=%llu)", (unsigned long long)c->seed);
}

const assay_system assay_control_socket = {
    .name = "control",
    .summary = "a ruler: what chance, or the judgments themselves, would bring",
    .worker = open_worker,
    .ask = ask,
    .identity = identity,
    .worker_close = close_worker,
};

/* ---- without a store ---- */

static assay_status ask_into(worker *w, const assay_query *q, uint32_t depth,
                             assay_run *run, assay_error *err)
{
    const assay_question question = {.id = q->id, .query = q->text, .k = depth};
    assay_result *to;
    assay_result result = {.query_id = q->id, .query = q->text, .elapsed_ms = -1};
    assay_status st = ask(w, &question, &run->arena, &result, err);

    if (!st)
        st = assay_run_add(run, q->id, 0, &to, err);
    if (!st)
        *to = result;
    return st;
}

assay_status assay_control_run(assay_control *c, uint32_t depth, assay_run **out,
                               assay_error *err)
{
    assay_run *run = assay_run_new();
    void *w = NULL;
    assay_status st = run ? open_worker(c, &w, err) : no_memory(err);

    if (run) {
        run->name = assay_slice_of(names[c->kind]);
        run->path = names[c->kind];
    }
    for (uint32_t i = 0; i < c->golden->n_queries && !st; i++)
        if (!c->golden->query[i].is_draft)
            st = ask_into(w, &c->golden->query[i], depth + c->golden->drop_self_hits, run,
                          err);
    if (!st)
        st = assay_run_finish(run, err);
    if (w)
        close_worker(w);
    if (st) {
        assay_run_free(run);
        return st;
    }
    *out = run;
    return ASSAY_OK;
}
