/* SPDX-License-Identifier: Apache-2.0 */
/* What runs say of the questions: found by all, found by none, found by one alone. */
#include "base/error.h"
#include "base/slice.h"
#include "diagnose/doctor.h"

/* From fewer runs nothing follows. */
enum { FEWEST_RUNS = 3 };

/* Runs that have the query, and those that found something relevant in the top k. */
static assay_status count_runs(assay_doctor *d, const assay_query *q, uint32_t k,
                               uint32_t *asked, uint32_t *found, assay_error *err)
{
    *asked = 0;
    *found = 0;
    assay_arena_reset(&d->scratch);
    for (uint32_t i = 0; i < d->n_runs; i++) {
        uint32_t number = assay_dict_find(&d->run[i].run->ids, q->id);
        assay_result r;
        assay_status st;

        if (number == ASSAY_NONE)
            continue;
        st = assay_run_result(d->run[i].run, number, &d->scratch, &r, err);
        if (st)
            return st;
        (*asked)++;
        *found += assay_doctor_rank(d->golden, q, r.hit, r.n_hits, k) > 0;
    }
    return ASSAY_OK;
}

/* Whether a question is one that runs can tell something about. */
static bool is_asked(const assay_doctor *d, const assay_query *q)
{
    return d->n_runs >= FEWEST_RUNS && !q->is_draft && q->label == ASSAY_LABEL_LABELLED;
}

static assay_status look_always(assay_doctor *d, assay_error *err)
{
    uint32_t n = 0;
    uint32_t all = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < d->golden->n_queries && !st; i++) {
        const assay_query *q = &d->golden->query[i];
        uint32_t asked;
        uint32_t found;

        if (!is_asked(d, q))
            continue;
        st = count_runs(d, q, 1, &asked, &found, err);
        if (st || asked < FEWEST_RUNS)
            continue;
        all++;
        if (found < asked)
            continue;
        n++;
        st = assay_doctor_say(d, ASSAY_ILL_NOTE, q, 0, NULL, err,
                              "each of %u runs has it at rank 1", asked);
    }
    if (!st && n && n == all)
        st = assay_doctor_say(d, ASSAY_ILL_WARNING, NULL, 0, NULL, err,
                              "every question is won at rank 1 by every run");
    assay_doctor_share(d, n, 2 * all);
    return st;
}

const assay_ailment assay_ailment_always_found = {
    .name = "always-found",
    .why = "a question that everybody wins tells nobody apart",
    .fix = "add harder questions; keep these as a guard against breakage",
    .part = ASSAY_HEALTH_POWER,
    .look = look_always,
};

static assay_status look_never(assay_doctor *d, assay_error *err)
{
    uint32_t n = 0;
    uint32_t all = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < d->golden->n_queries && !st; i++) {
        const assay_query *q = &d->golden->query[i];
        uint32_t asked;
        uint32_t found;

        if (!is_asked(d, q))
            continue;
        st = count_runs(d, q, UINT32_MAX, &asked, &found, err);
        if (st || asked < FEWEST_RUNS)
            continue;
        all++;
        if (found)
            continue;
        n++;
        st = assay_doctor_say(d, ASSAY_ILL_WARNING, q, 0, NULL, err,
                              "none of %u runs ever found it, at any depth", asked);
    }
    assay_doctor_share(d, n, all);
    return st;
}

const assay_ailment assay_ailment_never_found = {
    .name = "never-found",
    .why = "either every system fails here, or the label is wrong",
    .fix =
        "look at its hits with 'assay runs show RUN --query ID'; correct the label if it "
        "is wrong",
    .part = ASSAY_HEALTH_POWER,
    .look = look_never,
};

/* ---- bm25 alone ---- */

static assay_status look_saturated(assay_doctor *d, assay_error *err)
{
    enum { FEWEST = 5 };
    uint32_t n = 0;
    uint32_t first = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < d->golden->n_queries && !st && d->worker; i++) {
        const assay_query *q = &d->golden->query[i];
        assay_retrieved found;
        assay_hit hit;
        uint32_t n_hits = 0;

        if (q->is_draft || q->label != ASSAY_LABEL_LABELLED)
            continue;
        n++;
        st = d->bm25->search(d->worker, q->text, 1, &found, &n_hits, err);
        if (st || !n_hits)
            continue;
        hit = (assay_hit){.doc = d->passages->item[found.passage].doc,
                          .chunk = d->passages->item[found.passage].id};
        first += assay_doctor_rank(d->golden, q, &hit, 1, 1) > 0;
    }
    if (st || n < FEWEST || first < n)
        return st;
    assay_doctor_share(d, 1, 2);
    return assay_doctor_say(d, ASSAY_ILL_WARNING, NULL, 0, NULL, err,
                            "bm25 wins all %u questions at rank 1: the set is saturated",
                            n);
}

const assay_ailment assay_ailment_saturated = {
    .name = "saturated",
    .why = "a ruler that reads 1.000 for the simplest system cannot show an improvement",
    .fix = "add questions in other words than the documents', and distractors",
    .part = ASSAY_HEALTH_POWER,
    .look = look_saturated,
};

/* ---- circular labels ---- */

/* Share of the relevant documents that runs of this method have in the top k. */
static assay_status share_of(assay_doctor *d, assay_slice method, uint32_t *found,
                             uint32_t *all, assay_error *err)
{
    const assay_golden *g = d->golden;

    *found = 0;
    *all = 0;
    for (uint32_t i = 0; i < d->n_runs; i++)
        for (uint32_t q = 0; q < g->n_queries; q++) {
            const assay_query *query = &g->query[q];
            uint32_t number = assay_dict_find(&d->run[i].run->ids, query->id);
            assay_result r;
            assay_status st;

            if (!assay_slice_eq(d->run[i].method, method) || number == ASSAY_NONE ||
                query->is_draft)
                continue;
            assay_arena_reset(&d->scratch);
            st = assay_run_result(d->run[i].run, number, &d->scratch, &r, err);
            if (st)
                return st;
            for (uint32_t j = 0; j < query->n_judgments; j++) {
                assay_query one = *query;

                if (!assay_doctor_counts(&query->judgment[j]))
                    continue;
                one.judgment = &query->judgment[j];
                one.n_judgments = 1;
                (*all)++;
                *found += assay_doctor_rank(g, &one, r.hit, r.n_hits, d->k) > 0;
            }
        }
    return ASSAY_OK;
}

static assay_status look_circular(assay_doctor *d, assay_error *err)
{
    enum { FEWEST_LABELS = 10 };
    double best = 0;
    double second = 0;
    assay_slice name = ASSAY_LIT("");
    uint32_t n_methods = 0;

    for (uint32_t i = 0; i < d->n_runs; i++) {
        uint32_t found;
        uint32_t all;
        double share;
        bool is_new = true;
        assay_status st;

        for (uint32_t k = 0; k < i; k++)
            is_new &= !assay_slice_eq(d->run[k].method, d->run[i].method);
        if (!is_new)
            continue;
        st = share_of(d, d->run[i].method, &found, &all, err);
        if (st)
            return st;
        if (all < FEWEST_LABELS)
            continue;
        n_methods++;
        share = (double)found / all;
        second = share > best ? best : share > second ? share : second;
        name = share > best ? d->run[i].method : name;
        best = share > best ? share : best;
    }
    if (n_methods < 2 || best < 0.98 || second > 0.75)
        return ASSAY_OK;
    assay_doctor_share(d, 1, 2);
    return assay_doctor_say(
        d, ASSAY_ILL_WARNING, NULL, 0, NULL, err,
        "%.0f %% of what is relevant stands in the top %u of '%.*s', of "
        "no other method more than %.0f %%: the labels look like its "
        "own hits",
        100 * best, d->k, ASSAY_QUOTE(name), 100 * second);
}

const assay_ailment assay_ailment_circular = {
    .name = "circular",
    .why = "a set that was labelled from one retriever's hits says that this one is best",
    .fix =
        "judge the pooled hits of several: 'assay golden create --from-run RUN --unjudged'",
    .part = ASSAY_HEALTH_POWER,
    .look = look_circular,
};
