/* SPDX-License-Identifier: Apache-2.0 */
/* Whether anybody judged anything. */
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
    if (n || !d->golden->n_queries)
        return ASSAY_OK;
    assay_doctor_share(d, 1, 1);
    return assay_doctor_say(
        d, ASSAY_ILL_ERROR, NULL, 0, NULL, err,
        "none of %u queries has a judgment that says what is relevant", d->n_queries);
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
    return st;
}

const assay_ailment assay_ailment_unlabelled = {
    .name = "unlabelled",
    .why = "the question is asked and never counted",
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

static assay_status look_few(assay_doctor *d, assay_error *err)
{
    enum { FEW = 25 };

    if (!d->n_labelled || d->n_labelled >= FEW)
        return ASSAY_OK;
    assay_doctor_share(d, FEW - d->n_labelled, 2 * FEW);
    /* One-sided 5 %, power 80 %, standard deviation of differences .25: 2.49 sd / sqrt(n). */
    return assay_doctor_say(
        d, ASSAY_ILL_NOTE, NULL, 0, NULL, err,
        "only %u labelled queries: smaller differences than about 0.1 "
        "will not be seen",
        d->n_labelled);
}

const assay_ailment assay_ailment_few = {
    .name = "few",
    .why = "chance moves the mean of few questions more than most changes do",
    .fix = "add questions; 'assay gate --plan METRIC=DROP' says how many are needed",
    .part = ASSAY_HEALTH_POWER,
    .look = look_few,
};
