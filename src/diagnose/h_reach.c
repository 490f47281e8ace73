/* SPDX-License-Identifier: Apache-2.0 */
/* How far the set reaches: slices that are too small, documents that nobody asks about. */
#include "base/error.h"
#include "base/slice.h"
#include "diagnose/doctor.h"

/* ---- slices ---- */

enum { SMALL = 5 };

static assay_slice value_of(const assay_query *q, int key)
{
    switch (key) {
    case 0: return q->lang;
    case 1: return q->difficulty;
    case 2: return q->category;
    default: return ASSAY_LIT("");
    }
}

static assay_status look_slices(assay_doctor *d, assay_error *err)
{
    static const char *const keys[] = {"lang", "difficulty", "category"};
    const assay_golden *g = d->golden;
    assay_status st = ASSAY_OK;

    for (int key = 0; key < 3; key++)
        for (uint32_t i = 0; i < g->n_queries && !st; i++) {
            assay_slice value = value_of(&g->query[i], key);
            bool is_first = value.len > 0 && !g->query[i].is_draft;
            uint32_t n = 0;

            for (uint32_t k = 0; k < g->n_queries && is_first; k++) {
                bool is_same = !g->query[k].is_draft &&
                               assay_slice_eq(value_of(&g->query[k], key), value);

                n += is_same;
                is_first = !(is_same && k < i);
            }
            if (!is_first || n >= SMALL)
                continue;
            st = assay_doctor_say(
                d, ASSAY_ILL_NOTE, &g->query[i], 0, NULL, err, "%s '%.*s' has only %u %s",
                keys[key], ASSAY_QUOTE(value), n, n == 1 ? "question" : "questions");
        }
    return st;
}

const assay_ailment assay_ailment_small_slice = {
    .name = "small-slice",
    .why = "reports by this key withhold slices of fewer than 5",
    .fix = "add questions of this kind, or join it with another",
    .part = ASSAY_HEALTH_POWER,
    .look = look_slices,
};

/* ---- coverage ---- */

static assay_status look_coverage(assay_doctor *d, assay_error *err)
{
    uint32_t n = 0;

    if (!d->n_docs || !d->n_labelled)
        return ASSAY_OK;
    for (uint32_t i = 0; i < d->n_docs; i++)
        n += d->doc[i].is_relevant;
    d->covered = (double)n / d->n_docs;
    return assay_doctor_say(d, ASSAY_ILL_NOTE, NULL, 0, NULL, err,
                            "%u of %u documents (%.0f %%) are relevant to some question",
                            n, d->n_docs, 100 * d->covered);
}

const assay_ailment assay_ailment_coverage = {
    .name = "coverage",
    .why = "what nobody asks about is not measured",
    .fix = "'assay golden draft' makes draft questions from the headings of the corpus",
    .part = ASSAY_HEALTH_POWER,
    .look = look_coverage,
};
