/* SPDX-License-Identifier: Apache-2.0 */
/* The gate: rules and scores in, a verdict out.  docs/SEMANTICS.md, "Gate", is the contract.
 * Nothing is opened here. */
#ifndef ASSAY_COMPARE_GATE_H
#define ASSAY_COMPARE_GATE_H

#include "compare/gate_rules.h"
#include "score/score.h"

/* In the order of how bad they are. */
typedef enum assay_gate_verdict {
    ASSAY_GATE_IMPROVE,
    ASSAY_GATE_PASS,
    ASSAY_GATE_INCONCLUSIVE,
    ASSAY_GATE_REGRESS,
    ASSAY_GATE_INCOMPARABLE
} assay_gate_verdict;

/* "improve", "pass", "inconclusive", "regress", "incomparable". */
const char *assay_gate_verdict_word(assay_gate_verdict verdict);

/* A query of both runs: what protection looks at. */
typedef struct assay_gate_query {
    assay_slice id;
    uint32_t before; /* rank of the first relevant hit within the depth, 0 = none */
    uint32_t after;
} assay_gate_query;

typedef struct assay_gate_input {
    const assay_scores *run; /* over its whole golden set: what thresholds look at */
    const assay_scores
        *before; /* baseline and run over the comparable core: the same rows */
    const assay_scores *after;     /* in the same order.  Null = there is no baseline */
    const assay_gate_query *query; /* the core, in byte order of ids */
    uint32_t n_queries;
    const char *incomparable; /* why there is no common core; null = there is one */
} assay_gate_input;

typedef struct assay_gate_settings {
    double alpha; /* 0 = ASSAY_GATE_ALPHA */
    double power; /* 0 = 0.8 */
    uint64_t seed;
    uint32_t n_threads;
    uint32_t n_draws; /* of the bootstrap beside it; 0 = the default */
    bool is_lean;     /* the verdict and its bounds alone: no bootstrap, no power */
} assay_gate_settings;

/* What became of one rule.  Numbers that do not exist are NaN. */
typedef struct assay_gate_outcome {
    const assay_gate_rule *rule;
    assay_gate_verdict verdict;
    uint32_t n;    /* queries behind it */
    double before; /* aggregate of the baseline */
    double after;  /* of the run */
    double figure; /* value of a threshold, drop of the others (above 0 is worse),
                        number of queries lost */
    double limit;  /* what the figure is held against, as an absolute number */
    double low;    /* one-sided bounds of the figure, each at its level */
    double high;
    double level_low; /* alpha, or what Holm leaves of it */
    double level_high;
    double boot_low; /* bootstrap interval (BCa) with the confidence 1 - 2 alpha; beside
                        it, never decides */
    double boot_high;
    double p; /* of regress: how likely such a drop is where the true one is the margin */
    double p_corrected; /* Holm */
    double spread;      /* standard deviation of what the figure is the mean of */
    double smallest; /* smallest drop below the limit that this n would have seen with the
                        chance `power` */
    uint32_t needed; /* queries that would decide it if the figure is the truth; 0 = no
                        number would, or it is decided */
    assay_slice *lost; /* protected queries that went from hit to miss */
    uint32_t n_lost;
    assay_slice *absent; /* that could not be compared */
    uint32_t n_absent;
    const char *note; /* "" = none */
} assay_gate_outcome;

typedef struct assay_gate {
    assay_gate_verdict verdict;
    assay_gate_outcome *outcome; /* one for each rule */
    uint32_t n;
    uint32_t n_inferential; /* rules that Holm was taken over */
    double alpha;
    double power;
    uint32_t n_core;
} assay_gate;

/* Judge all rules.  A cutoff deeper than a run, a rule that needs a baseline where there is
 * none, and a metric without direction or mean where one is needed are ASSAY_EUSAGE.
 * Everything in *out lives in `arena` or is borrowed from the rules. */
ASSAY_MUST_USE assay_status assay_gate_judge(const assay_gate_rules *rules,
                                             const assay_gate_input *input,
                                             const assay_gate_settings *settings,
                                             assay_arena *arena, assay_gate *out,
                                             assay_error *err);

/* ---- the gate tested by itself ---- */

enum { ASSAY_GATE_COPIES = 1000 };

typedef struct assay_gate_null {
    uint32_t n_copies;
    uint32_t n_regress; /* copies in which some rule said regress */
    double share;
    double most;    /* alpha and three standard errors of such a share */
    bool is_honest; /* share <= most */
} assay_gate_null;

/* Copies of the paired differences of the margin rules' metrics with random signs, one sign
 * a query for all metrics: by construction there is no drop.  They are judged at margin 0.
 * ASSAY_EUSAGE without margin rules or baseline. */
ASSAY_MUST_USE assay_status assay_gate_try_null(const assay_gate_rules *rules,
                                                const assay_gate_input *input,
                                                const assay_gate_settings *settings,
                                                assay_gate_null *out, assay_error *err);

/* ---- planning ---- */

typedef struct assay_gate_plan {
    double drop;     /* to be seen */
    double spread;   /* of the paired differences that it is planned with */
    uint32_t n_now;  /* queries that there are */
    uint32_t needed; /* that see it with the chance `power`; 0 = no number does */
    double smallest; /* drop that n_now sees */
} assay_gate_plan;

assay_gate_plan assay_gate_plan_for(double drop, double spread, uint32_t n_now,
                                    const assay_gate_settings *settings);

#endif
