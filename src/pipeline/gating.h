/* SPDX-License-Identifier: Apache-2.0 */
/* A run at the gate: measured, held against its baseline, judged.
 *
 *     run ──> scores over its golden set ───────────────┐ thresholds
 *     baseline run ──> comparison (pipeline/comparing.h) ├──> gate (compare/gate.h)
 *     or baseline file ──> core (compare/baseline.h) ────┘ drops, margins, protection */
#ifndef ASSAY_PIPELINE_GATING_H
#define ASSAY_PIPELINE_GATING_H

#include "compare/baseline.h"
#include "compare/gate.h"
#include "pipeline/comparing.h"

typedef struct assay_gating_settings {
    assay_comparing_settings compare; /* its measures are taken from the rules */
    assay_gate_settings gate;
} assay_gating_settings;

/* What stands at the gate; everything is borrowed. */
typedef struct assay_gating_sides {
    const assay_compare_side *run;
    const assay_compare_side *before; /* null = no run */
    const assay_baseline *file;       /* null = no file; at most one of the two */
} assay_gating_sides;

typedef struct assay_gating {
    assay_arena arena;
    assay_gate gate;
    assay_gate_input input; /* borrows from what follows */
    assay_scores *scores;   /* of the run over its whole golden set */
    assay_comparison *comparison;
    assay_baseline_core core;
    assay_level level;
    const char *conventions;
    const char *match;        /* "exact" and so on; "" where it is not known */
    uint32_t depth;           /* how deep ranks count, 0 = no limit */
    assay_excluded *excluded; /* queries that were left out */
    uint32_t n_excluded;
    assay_notes notes;
} assay_gating;

/* Runs that cannot be compared are no error here: the verdict is incomparable.  On success
 * the caller clears *out. */
ASSAY_MUST_USE assay_status assay_gating_run(const assay_gating_sides *sides,
                                             const assay_gate_rules *rules,
                                             const assay_gating_settings *settings,
                                             assay_gating *out, assay_error *err);
void assay_gating_clear(assay_gating *gating);

/* Measure a run over all that it set out to answer: `measures` as in -m, and where
 * `with_standard` what the conventions measure before them.  On success the caller owns
 * *out. */
ASSAY_MUST_USE assay_status assay_gating_measure(const assay_compare_side *side,
                                                 const char *measures, bool with_standard,
                                                 const assay_eval_settings *settings,
                                                 assay_scores **out, assay_error *err);

/* ---- planning ---- */

typedef struct assay_gating_plan {
    assay_gate_plan plan;
    uint32_t n_pairs; /* pairs of runs that the spread is pooled from */
    bool is_unpaired; /* one run only: two runs that have nothing to do with each other */
    const char *metric; /* short spelling */
} assay_gating_plan;

/* How many queries it takes to see `metric` drop by `drop`, from what the runs did so far:
 * the spread of the paired differences of each run and the next, pooled; pairs without any
 * difference say nothing.  Pairs that cannot be compared are passed over. */
ASSAY_MUST_USE assay_status
assay_gating_plan_for(const assay_compare_side *side, uint32_t n, const char *metric,
                      double drop, const assay_gating_settings *settings,
                      assay_arena *arena, assay_gating_plan *out, assay_error *err);

#endif
