/* SPDX-License-Identifier: Apache-2.0 */
/* Hits that nobody judged: which of them is worth asking about first, and when enough is
 * known.
 *
 * What is not judged may be relevant or not, so a metric has a lowest and a highest value
 * that are still possible; of two runs the same holds for the difference of their means.
 * The metrics here are those for which these bounds can be told exactly:
 *
 *     precision@k, rbp(p)@k   a sum: every relevant hit adds the weight of its rank
 *     hit@k, mrr@k            the first relevant hit counts: its rank has a value
 *
 * A hit is worth by how much the mean (or the difference) would move if it was relevant.
 * With two runs the verdict cannot flip any more once both bounds are on one side of 0. */
#ifndef ASSAY_PIPELINE_UNJUDGED_H
#define ASSAY_PIPELINE_UNJUDGED_H

#include "run/run.h"

enum { ASSAY_UNJUDGED_RUNS = 2 };

typedef struct assay_unjudged_hit {
    uint32_t query;                     /* number in assay_unjudged.query */
    uint32_t rank[ASSAY_UNJUDGED_RUNS]; /* from 1; 0 = not among the first k */
    assay_slice doc;
    assay_slice chunk;
    const assay_span *span;
    uint32_t n_spans;
    bool is_done;   /* it was judged meanwhile */
    bool is_passed; /* it is not asked about again, and stays open */
} assay_unjudged_hit;

typedef struct assay_unjudged_query {
    assay_slice id;
    double sum[ASSAY_UNJUDGED_RUNS]; /* what the relevant hits have added */
    double top[ASSAY_UNJUDGED_RUNS]; /* value of the first relevant one, 0 = none yet */
    uint32_t first;                  /* its hits in assay_unjudged.hit */
    uint32_t n;
} assay_unjudged_query;

typedef struct assay_unjudged {
    assay_arena arena;
    const struct assay_unjudged_metric *metric;
    uint32_t k;
    double p; /* of rbp */
    uint32_t n_runs;
    assay_unjudged_query *query;
    uint32_t n_queries;
    assay_unjudged_hit *hit;
    uint32_t n;
    size_t cap;
} assay_unjudged;

/* What is known of a hit: 1 relevant, 0 not relevant, -1 nobody judged it, -2 its query does
 * not count (a question that should be refused). */
typedef int assay_unjudged_known(void *ctx, assay_slice query, const assay_hit *hit);

/* `metric` is one of those above, "precision@10"; others are ASSAY_EUSAGE.  One run or two,
 * which must outlive *out.  Queries are those that all runs have. */
ASSAY_MUST_USE assay_status assay_unjudged_open(const assay_run *const *run,
                                                uint32_t n_runs, const char *metric,
                                                assay_unjudged_known *known, void *ctx,
                                                assay_unjudged **out, assay_error *err);
void assay_unjudged_close(assay_unjudged *u);

/* The lowest and the highest mean, or difference of means (first run - second). */
void assay_unjudged_bounds(const assay_unjudged *u, double *low, double *high);

/* Nothing that is still open matters: with two runs the sign is decided, with one the
 * bounds are no further apart than `width`. */
bool assay_unjudged_is_decided(const assay_unjudged *u, double width);

/* By how much the mean would move. */
double assay_unjudged_value(const assay_unjudged *u, uint32_t hit);

/* The hit with the highest value, top ranks first; ASSAY_NONE when none is left. */
uint32_t assay_unjudged_next(const assay_unjudged *u);

/* How many hits have a value and are still to be asked about. */
uint32_t assay_unjudged_left(const assay_unjudged *u);

/* It was judged. */
void assay_unjudged_judge(assay_unjudged *u, uint32_t hit, bool is_relevant);

/* It is not to be asked about (its text is gone, nobody knows): it stays open. */
static inline void assay_unjudged_skip(assay_unjudged *u, uint32_t hit)
{
    u->hit[hit].is_passed = true;
}

#endif
