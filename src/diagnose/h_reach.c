/* SPDX-License-Identifier: Apache-2.0 */
/* How far the set reaches: slices that are too small, documents that nobody asks about. */
#include <stdlib.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "diagnose/doctor.h"

/* ---- slices ---- */

/* What reports by a key withhold. */
enum { SMALL = 5, NAMED = 8 };

typedef struct facets {
    assay_facet *item;
    size_t n;
    size_t cap;
} facets;

static bool add_facet(facets *f, assay_slice key, assay_slice value)
{
    assay_facet *grown =
        value.len ? assay_mem_grow(f->item, &f->cap, f->n + 1, sizeof *grown) : f->item;

    if (!value.len)
        return true;
    if (!grown)
        return false;
    f->item = grown;
    grown[f->n++] = (assay_facet){key, value};
    return true;
}

static bool add_query(facets *f, const assay_query *q)
{
    bool is_ok = add_facet(f, ASSAY_LIT("lang"), q->lang) &&
                 add_facet(f, ASSAY_LIT("difficulty"), q->difficulty) &&
                 add_facet(f, ASSAY_LIT("category"), q->category);

    for (uint32_t i = 0; i < q->tags.n && is_ok; i++)
        is_ok = add_facet(f, ASSAY_LIT("tags"), q->tags.item[i]);
    for (uint32_t i = 0; i < q->n_meta && is_ok; i++)
        is_ok = add_facet(f, q->meta[i].key, q->meta[i].value);
    return is_ok;
}

static int by_facet(const void *a, const void *b)
{
    const assay_facet *x = a;
    const assay_facet *y = b;
    int order = assay_slice_cmp(x->key, y->key);

    return order ? order : assay_slice_cmp(x->value, y->value);
}

/* One finding for a key: [from, to) are its values, sorted. */
static assay_status tell_key(assay_doctor *d, const assay_facet *item, size_t from,
                             size_t to, assay_error *err)
{
    assay_buffer names = ASSAY_BUFFER_EMPTY;
    uint32_t n_values = 0;
    uint32_t n_small = 0;
    assay_status st = ASSAY_OK;

    for (size_t i = from, next; i < to; i = next) {
        for (next = i + 1; next < to && assay_slice_eq(item[next].value, item[i].value);
             next++)
            ;
        n_values++;
        if (next - i >= SMALL)
            continue;
        n_small++;
        if (n_small <= NAMED)
            assay_buffer_printf(&names, "%s'%.*s' %zu", n_small > 1 ? ", " : "",
                                ASSAY_QUOTE(item[i].value), next - i);
    }
    if (n_small > NAMED)
        assay_buffer_printf(&names, " and %u more", n_small - NAMED);
    if (names.has_failed)
        st = assay_fail_memory(err, "counting slices");
    else if (n_small)
        st = assay_doctor_say(
            d, ASSAY_ILL_NOTE, NULL, 0, NULL, err,
            "%u of %u values of %.*s have fewer than %d questions: %.*s", n_small,
            n_values, ASSAY_QUOTE(item[from].key), SMALL, (int)names.len, names.ptr);
    assay_buffer_clear(&names);
    return st;
}

static assay_status look_slices(assay_doctor *d, assay_error *err)
{
    const assay_golden *g = d->golden;
    facets f = {NULL, 0, 0};
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < g->n_queries && !st; i++)
        if (!g->query[i].is_draft && !add_query(&f, &g->query[i]))
            st = assay_fail_memory(err, "counting slices");
    if (f.n)
        qsort(f.item, f.n, sizeof *f.item, by_facet);
    for (size_t from = 0, to; from < f.n && !st; from = to) {
        for (to = from + 1; to < f.n && assay_slice_eq(f.item[to].key, f.item[from].key);
             to++)
            ;
        st = tell_key(d, f.item, from, to, err);
    }
    assay_mem_free(f.item);
    return st;
}

const assay_ailment assay_ailment_small_slice = {
    .name = "small-slice",
    .why = "reports by this key withhold slices of fewer than 5",
    .fix = "add questions of this kind, join values, or do not slice by this key",
    .part = ASSAY_HEALTH_POWER,
    .look = look_slices,
};

/* ---- coverage ---- */

/* The first documents that no question is about. */
static void name_uncovered(const assay_doctor *d, assay_buffer *out)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->n_docs && n < NAMED; i++)
        if (!d->doc[i].is_relevant)
            assay_buffer_printf(out, "%s'%.*s'", n++ ? ", " : "",
                                ASSAY_QUOTE(d->doc[i].id));
}

static assay_status look_coverage(assay_doctor *d, assay_error *err)
{
    static const double enough = 0.5;
    assay_buffer names = ASSAY_BUFFER_EMPTY;
    uint32_t n = 0;
    assay_status st;

    if (!d->n_docs || !d->n_labelled)
        return ASSAY_OK;
    for (uint32_t i = 0; i < d->n_docs; i++)
        n += d->doc[i].is_relevant;
    d->covered = (double)n / d->n_docs;
    if (d->covered >= enough)
        return ASSAY_OK;
    name_uncovered(d, &names);
    st = names.has_failed
             ? assay_fail_memory(err, "counting documents")
             : assay_doctor_say(d, ASSAY_ILL_NOTE, NULL, 0, NULL, err,
                                "only %u of %u documents (%.0f %%) are relevant to some "
                                "question; none asks about %.*s%s",
                                n, d->n_docs, 100 * d->covered, (int)names.len, names.ptr,
                                d->n_docs - n > NAMED ? " ..." : "");
    assay_buffer_clear(&names);
    return st;
}

const assay_ailment assay_ailment_coverage = {
    .name = "coverage",
    .why = "what nobody asks about is not measured",
    .fix = "'assay golden draft' makes draft questions from the headings of the corpus",
    .part = ASSAY_HEALTH_POWER,
    .look = look_coverage,
};
