/* SPDX-License-Identifier: Apache-2.0 */
/* Whether anybody judged anything. */
#include <math.h>

#include "base/slice.h"
#include "diagnose/doctor.h"

static assay_status look_nothing(assay_doctor *d, assay_error *err)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->golden->n_queries; i++) {
        const assay_query *q = &d->golden->query[i];

        n += !q->is_draft &&
             (q->label == ASSAY_LABEL_LABELLED || q->label == ASSAY_LABEL_STALE);
    }
    assay_doctor_share(d, !n, 1);
    if (n)
        return ASSAY_OK;
    return assay_doctor_say(d, ASSAY_ILL_ERROR, NULL, 0, NULL, err,
                            "none of %u %s has a judgment that says what is relevant",
                            d->n_queries, d->n_queries == 1 ? "query" : "queries");
}

const assay_ailment assay_ailment_nothing_labelled = {
    .name = "nothing-labelled",
    .why = "without judgments every metric is empty, or worse, 0 of 0",
    .fix =
        "judge some hits with 'assay golden create', or add judgments with 'assay golden "
        "add'",
    .part = ASSAY_HEALTH_LABELS,
    .look = look_nothing,
};

static assay_status look_unlabelled(assay_doctor *d, assay_error *err)
{
    uint32_t n = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < d->golden->n_queries && !st; i++) {
        const assay_query *q = &d->golden->query[i];

        if (q->is_draft || q->label != ASSAY_LABEL_UNLABELLED)
            continue;
        n++;
        if (d->n_labelled)
            st = assay_doctor_say(d, ASSAY_ILL_WARNING, q, 0, NULL, err,
                                  "nobody judged this question");
    }
    if (d->n_labelled)
        assay_doctor_share(d, n, d->n_queries);
    if (st || !d->golden->n_left_out)
        return st;
    return assay_doctor_say(d, ASSAY_ILL_NOTE, NULL, 0,
                            "judge them, if they do not belong to another split", err,
                            "%u more queries have no judgment in this split, and are "
                            "never asked",
                            d->golden->n_left_out);
}

const assay_ailment assay_ailment_unlabelled = {
    .name = "unlabelled",
    .why = "what nobody judged is never counted",
    .fix = "judge it, say should_refuse: true, or take it out",
    .part = ASSAY_HEALTH_LABELS,
    .look = look_unlabelled,
};

static assay_status look_draft(assay_doctor *d, assay_error *err)
{
    uint32_t n = d->golden->n_queries - d->n_queries;

    if (!n)
        return ASSAY_OK;
    return assay_doctor_say(d, ASSAY_ILL_NOTE, NULL, 0, NULL, err,
                            "%u of %u queries are drafts and do not count", n,
                            d->golden->n_queries);
}

const assay_ailment assay_ailment_draft = {
    .name = "draft",
    .why = "drafts never count until a person has checked them",
    .fix = "check them with 'assay golden create --from FILE'",
    .part = ASSAY_HEALTH_LABELS,
    .look = look_draft,
};

/* The least difference that n questions show, one-sided 5 %, power 80 %, when differences
 * have a standard deviation of .25: (1.645 + 0.842) sd / sqrt(n). */
static assay_status look_few(assay_doctor *d, assay_error *err)
{
    enum { FEW = 25 };
    uint32_t n = d->n_labelled;

    /* Half of the points are left to a set of one question. */
    assay_doctor_share(d, n < FEW && n ? FEW - n : 0, 2 * FEW);
    if (!n)
        assay_doctor_share(d, 1, 1);
    if (!n || n >= FEW)
        return ASSAY_OK;
    return assay_doctor_say(d, ASSAY_ILL_NOTE, NULL, 0, NULL, err,
                            "only %u labelled %s: differences below about %.2f will not "
                            "be seen",
                            n, n == 1 ? "query" : "queries",
                            2.487 * 0.25 / sqrt((double)n));
}

const assay_ailment assay_ailment_few = {
    .name = "few",
    .why = "chance moves the mean of few questions more than most changes do",
    .fix = "add questions; 'assay gate --plan METRIC=DROP' says how many are needed",
    .part = ASSAY_HEALTH_POWER,
    .look = look_few,
};
