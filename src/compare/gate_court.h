/* SPDX-License-Identifier: Apache-2.0 */
/* What gate.c and gate_margin.c share. */
#ifndef ASSAY_COMPARE_GATE_COURT_H
#define ASSAY_COMPARE_GATE_COURT_H

#include "compare/gate.h"
#include "stat/sample.h"

/* What the judges of the rules share. */
typedef struct assay_gate_court {
    const assay_gate_input *input;
    assay_gate_settings settings; /* defaults filled in */
    assay_arena *arena;
    uint32_t n_margins; /* margin rules: the family */
    double *room;       /* values or differences of one column */
} assay_gate_court;

/* A margin rule between its own numbers and the family's. */
typedef struct assay_gate_claim {
    assay_gate_outcome *outcome;
    assay_sample drop; /* above 0 is worse */
    double margin;
    double p_regress;
    double p_improve;
    double p_pass;
} assay_gate_claim;

/* The columns of a rule that compares; its metric must know what is worse. */
assay_status assay_gate_find_pair(const assay_gate_court *t, const assay_gate_rule *rule,
                                  uint32_t *before, uint32_t *after, assay_error *err);

/* Paired drops, where both runs have a score; *n_single counts those that only one has. */
size_t assay_gate_drops(const assay_gate_court *t, uint32_t before, uint32_t after,
                        double *out, uint32_t *n_single);

/* The bootstrap interval of the first n values of t->room. */
assay_status assay_gate_bootstrap(const assay_gate_court *t, assay_gate_outcome *o,
                                  size_t n, assay_error *err);

/* A metric that no query has a score of fails. */
void assay_gate_no_scores(assay_gate_outcome *o);

/* Begin a margin rule: its drops, and the p of its three claims. */
assay_status assay_gate_open_claim(const assay_gate_court *t, assay_gate_claim *c,
                                   assay_error *err);

/* Decide all of them together: t->n_margins. */
assay_status assay_gate_decide(const assay_gate_court *t, assay_gate_claim *list,
                               assay_error *err);

#endif
