/* SPDX-License-Identifier: Apache-2.0 */
/* Documents that exist twice: who finds the other one is told it was wrong. */
#include <stdio.h>

#include "base/error.h"
#include "base/slice.h"
#include "diagnose/doctor.h"
#include "diagnose/doctor_docs.h"

static bool is_judged(const assay_golden *g, const assay_query *q, assay_slice doc)
{
    for (uint32_t i = 0; i < q->n_judgments; i++)
        if (q->judgment[i].doc != ASSAY_NONE &&
            assay_slice_eq(g->docs.word[q->judgment[i].doc], doc))
            return true;
    return false;
}

/* The first query to which `doc` is relevant and `twin` is not judged. */
static const assay_query *unfair_to(const assay_doctor *d, assay_slice doc,
                                    assay_slice twin, uint32_t *n)
{
    const assay_golden *g = d->golden;
    const assay_query *first = NULL;

    *n = 0;
    for (uint32_t i = 0; i < g->n_queries; i++) {
        const assay_query *q = &g->query[i];
        bool is_relevant = false;

        for (uint32_t j = 0; j < q->n_judgments && !q->is_draft; j++)
            is_relevant |= assay_doctor_counts(&q->judgment[j]) &&
                           q->judgment[j].doc != ASSAY_NONE &&
                           assay_slice_eq(g->docs.word[q->judgment[j].doc], doc);
        if (!is_relevant || is_judged(g, q, twin))
            continue;
        first = first ? first : q;
        (*n)++;
    }
    return first;
}

static assay_status look_twins(assay_doctor *d, assay_error *err)
{
    static const double near = 0.85;
    uint32_t touched = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < d->n_docs && !st; i++) {
        const assay_patient_doc *a = &d->doc[i];

        for (uint32_t k = 0; a->is_relevant && a->n_words && k < d->n_docs && !st; k++) {
            const assay_patient_doc *b = &d->doc[k];
            const assay_query *q;
            double alike = k == i || !b->n_words ? 0 : assay_doctor_alike(a, b);
            uint32_t n;
            char fix[300];

            if (alike < near)
                continue;
            q = unfair_to(d, a->id, b->id, &n);
            if (!q)
                continue;
            touched += n;
            snprintf(fix, sizeof fix, "add '- {doc: %.*s}' to the judgments of '%.*s'%s",
                     ASSAY_QUOTE(b->id), ASSAY_QUOTE(q->id),
                     n > 1 ? " and the others that name it" : "");
            st = assay_doctor_say(d, ASSAY_ILL_WARNING, q, 0, fix, err,
                                  "document '%.*s' is %s as '%.*s', and counts as a miss",
                                  ASSAY_QUOTE(b->id),
                                  alike == 1 ? "the same" : "nearly the same",
                                  ASSAY_QUOTE(a->id));
        }
    }
    assay_doctor_share(d, touched < d->n_queries ? touched : d->n_queries, d->n_queries);
    return st;
}

const assay_ailment assay_ailment_twin = {
    .name = "twin",
    .why = "a system that brings the twin brought the answer, and is counted wrong",
    .fix = "judge both alike, or leave one out of the corpus",
    .part = ASSAY_HEALTH_EVIDENCE,
    .look = look_twins,
};
