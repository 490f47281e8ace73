/* SPDX-License-Identifier: Apache-2.0 */
/* Documents that exist twice: who finds the other one is told it was wrong.
 *
 * Alike documents share a key of their sketches, so sorting by keys brings them together;
 * only what stands together is compared. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/slice.h"
#include "diagnose/doctor.h"

#define NEAR 0.85

/* Of a document that is there hundreds of times no more twins are looked at. */
enum { MOST_TWINS = 50 };

typedef struct keyed {
    uint64_t key;
    uint32_t doc;
} keyed;

/* A query to which `doc` is relevant and that says nothing of `twin`. */
typedef struct unfair {
    uint32_t query;
    uint32_t twin;
    uint32_t doc;
    uint32_t judgment;
} unfair;

typedef struct work {
    assay_doctor *d;
    keyed *key;
    size_t n_keys;
    unfair *found;
    size_t n;
    size_t cap;
} work;

static int by_key(const void *a, const void *b)
{
    const keyed *x = a;
    const keyed *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->doc > y->doc) - (x->doc < y->doc);
}

/* The better likeness is not worth a look: the first document by id stands for all. */
static int by_query(const void *a, const void *b)
{
    const unfair *x = a;
    const unfair *y = b;

    if (x->query != y->query)
        return x->query < y->query ? -1 : 1;
    if (x->twin != y->twin)
        return x->twin < y->twin ? -1 : 1;
    if (x->doc != y->doc)
        return x->doc < y->doc ? -1 : 1;
    return (x->judgment > y->judgment) - (x->judgment < y->judgment);
}

static bool list_keys(work *w)
{
    const assay_doctor *d = w->d;

    w->key = ASSAY_NEW_ARRAY(keyed, (size_t)d->n_docs * ASSAY_SKETCH_KEYS + 1);
    for (uint32_t i = 0; w->key && i < d->n_docs; i++) {
        uint64_t key[ASSAY_SKETCH_KEYS];
        size_t n = assay_sketch_keys(&d->doc[i].sketch, key);

        for (size_t k = 0; k < n; k++)
            w->key[w->n_keys++] = (keyed){key[k], i};
    }
    if (w->key)
        qsort(w->key, w->n_keys, sizeof *w->key, by_key);
    return w->key != NULL;
}

static bool is_judged(const assay_golden *g, const assay_query *q, assay_slice doc)
{
    uint32_t number = assay_dict_find(&g->docs, doc);

    for (uint32_t i = 0; i < q->n_judgments && number != ASSAY_NONE; i++)
        if (q->judgment[i].doc == number)
            return true;
    return false;
}

/* Every query that is unfair to `twin`. */
static bool add_pair(work *w, uint32_t doc, uint32_t twin)
{
    const assay_doctor *d = w->d;
    uint32_t number = assay_dict_find(&d->golden->docs, d->doc[doc].id);

    for (uint32_t m = d->mention_start[number]; m < d->mention_start[number + 1]; m++) {
        const assay_mention *at = &d->mention[m];
        unfair *grown;

        if (is_judged(d->golden, &d->golden->query[at->query], d->doc[twin].id))
            continue;
        grown = assay_mem_grow(w->found, &w->cap, w->n + 1, sizeof *grown);
        if (!grown)
            return false;
        w->found = grown;
        grown[w->n++] = (unfair){at->query, twin, doc, at->judgment};
    }
    return true;
}

/* All pairs of documents with one key, of which the first is relevant to something. */
static bool compare_bucket(work *w, size_t from, size_t to)
{
    const assay_patient_doc *doc = w->d->doc;

    for (size_t i = from; i < to; i++) {
        uint32_t a = w->key[i].doc;
        uint32_t n = 0;

        for (size_t k = from; doc[a].is_relevant && k < to && n < MOST_TWINS; k++) {
            uint32_t b = w->key[k].doc;

            if (a == b)
                continue;
            n++;
            if (assay_sketch_alike(&doc[a].sketch, &doc[b].sketch) >= NEAR &&
                !add_pair(w, a, b))
                return false;
        }
    }
    return true;
}

/* ---- the judgment that is missing ---- */

/* Whether the quote stands in the twin, too, word for word, and only once. */
static assay_status has_quote(assay_doctor *d, assay_slice doc, assay_slice quote,
                              bool *out, assay_error *err)
{
    assay_slice text;
    bool is_there;
    size_t n = 0;
    assay_status st = assay_doctor_text(d, doc, &text, &is_there, err);

    for (size_t i = 0; !st && is_there && quote.len && i + quote.len <= text.len; i++)
        n += memcmp(text.ptr + i, quote.ptr, quote.len) == 0;
    *out = n == 1;
    return st;
}

static assay_status put_addition(work *w, const unfair *u, assay_buffer *out,
                                 assay_error *err)
{
    assay_doctor *d = w->d;
    const assay_query *q = &d->golden->query[u->query];
    const assay_judgment *j = &q->judgment[u->judgment];
    assay_json_writer json = assay_json_writer_of(out, 0);
    bool is_quoted;
    assay_status st;

    assay_arena_reset(&d->scratch);
    st = has_quote(d, d->doc[u->twin].id, j->quote, &is_quoted, err);
    if (st)
        return st;
    assay_json_object(&json);
    assay_json_key(&json, "id");
    assay_json_string(&json, q->id);
    assay_json_key(&json, "doc");
    assay_json_string(&json, d->doc[u->twin].id);
    if (is_quoted) {
        assay_json_key(&json, "quote");
        assay_json_string(&json, j->quote);
    }
    if (j->grade != 1) {
        assay_json_key(&json, "grade");
        assay_json_int(&json, j->grade);
    }
    assay_json_object_end(&json);
    return out->has_failed ? assay_fail_memory(err, "comparing documents") : ASSAY_OK;
}

static assay_status tell(work *w, const unfair *u, assay_error *err)
{
    assay_doctor *d = w->d;
    const assay_query *q = &d->golden->query[u->query];
    const assay_patient_doc *doc = &d->doc[u->doc];
    const assay_patient_doc *twin = &d->doc[u->twin];
    double alike = assay_sketch_alike(&doc->sketch, &twin->sketch);
    assay_buffer line = ASSAY_BUFFER_EMPTY;
    assay_buffer fix = ASSAY_BUFFER_EMPTY;
    assay_status st = put_addition(w, u, &line, err);

    if (!st) {
        assay_buffer_printf(
            &fix, "judge it, too, as by this line for 'assay golden add --from -': %.*s",
            (int)line.len, line.ptr);
        assay_buffer_char(&fix, '\0');
        st = fix.has_failed ? assay_fail_memory(err, "comparing documents") : ASSAY_OK;
    }
    if (!st && alike == 1)
        st = assay_doctor_say(d, ASSAY_ILL_WARNING, q, q->judgment[u->judgment].line,
                              fix.ptr, err,
                              "document '%.*s' has the same words as '%.*s', and counts "
                              "as a miss",
                              ASSAY_QUOTE(twin->id), ASSAY_QUOTE(doc->id));
    else if (!st)
        st = assay_doctor_say(d, ASSAY_ILL_WARNING, q, q->judgment[u->judgment].line,
                              fix.ptr, err,
                              "document '%.*s' is nearly '%.*s' (about %.2f alike), and "
                              "counts as a miss",
                              ASSAY_QUOTE(twin->id), ASSAY_QUOTE(doc->id), alike);
    if (!st)
        st = assay_doctor_mend(d, assay_buffer_view(&line), err);
    assay_buffer_clear(&line);
    assay_buffer_clear(&fix);
    return st;
}

/* ---- all ---- */

static assay_status tell_all(work *w, assay_error *err)
{
    uint32_t touched = 0;
    assay_status st = ASSAY_OK;

    if (w->n)
        qsort(w->found, w->n, sizeof *w->found, by_query);
    for (size_t i = 0; i < w->n && !st; i++) {
        bool is_new = !i || w->found[i].query != w->found[i - 1].query;

        touched += is_new;
        if (is_new || w->found[i].twin != w->found[i - 1].twin)
            st = tell(w, &w->found[i], err);
    }
    if (w->d->n_docs)
        assay_doctor_share(w->d, touched, w->d->n_labelled);
    return st;
}

static assay_status look_twins(assay_doctor *d, assay_error *err)
{
    work w = {.d = d};
    bool is_ok = list_keys(&w);
    assay_status st;

    for (size_t from = 0, to; is_ok && from < w.n_keys; from = to) {
        for (to = from + 1; to < w.n_keys && w.key[to].key == w.key[from].key; to++)
            ;
        is_ok = compare_bucket(&w, from, to);
    }
    st = is_ok ? tell_all(&w, err) : assay_fail_memory(err, "comparing documents");
    assay_mem_free(w.key);
    assay_mem_free(w.found);
    return st;
}

const assay_ailment assay_ailment_twin = {
    .name = "twin",
    .why = "a system that brings the twin brought the answer, and is counted wrong",
    .fix = "judge both alike (--fix does), or leave one out of the corpus",
    .part = ASSAY_HEALTH_EVIDENCE,
    .look = look_twins,
};
