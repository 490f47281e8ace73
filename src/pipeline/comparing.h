/* SPDX-License-Identifier: Apache-2.0 */
/* The comparison: sides go in, a finished comparison comes out.
 *
 *     sides ──> core, matching ──> each run measured over the core, by one criterion
 *           ──> kinds, deltas, statistics, verdicts */
#ifndef ASSAY_PIPELINE_COMPARING_H
#define ASSAY_PIPELINE_COMPARING_H

#include "compare/baseline.h"
#include "compare/comparison.h"
#include "compare/recorded.h"
#include "pipeline/evaluate.h"

/* Zeroed is assay's own way. */
typedef struct assay_comparing_settings {
    assay_eval_settings eval;
    const char *const *measure; /* lists in any spelling */
    uint32_t n_measures;        /* 0 = what the conventions measure */
    uint32_t depth;             /* 0 = the smaller k of the runs */
    bool is_strict;             /* refuse instead of falling back */
    const char *by;             /* slices, or null */
    uint32_t min_n;             /* withhold slices below so many queries */
    const assay_stat_test *test;
    const assay_correction *correction;
    double confidence; /* 0 = 0.95 */
    double alpha;      /* 0 = 0.05 */
    uint64_t seed;
    bool keeps_order; /* rankings stay with what was found: for explanations */
} assay_comparing_settings;

/* Two sides and more, or one: then nothing is compared, but its queries are measured and
 * what was found is there.  What the sides borrow must outlive *out.  Runs that cannot be
 * compared are ASSAY_EINPUT with the reason.  On success the caller owns *out. */
ASSAY_MUST_USE assay_status assay_compare_runs(const assay_compare_side *side, uint32_t n,
                                               const assay_comparing_settings *settings,
                                               assay_comparison **out, assay_error *err);

/* Two runs of which only values are left, by the values; the names are what reports call
 * them.  No metric or no query in common: ASSAY_EINPUT. */
ASSAY_MUST_USE assay_status assay_compare_recorded(
    const assay_recorded_run *const *run, const char *const *name,
    const assay_comparing_settings *settings, assay_comparison **out, assay_error *err);

/* A run held against a baseline that is a file: by its values, and by the ranks that it has
 * of the first relevant hits.  Without a measure asked for, those of the file are taken.
 * No query in common: ASSAY_EINPUT. */
ASSAY_MUST_USE assay_status assay_compare_baseline(
    const assay_baseline *file, const assay_compare_side *run,
    const assay_comparing_settings *settings, assay_comparison **out, assay_error *err);

/* Deltas, statistics and verdict of the one pair of c, whose scores and core are there. */
ASSAY_MUST_USE assay_status assay_comparing_values(
    assay_comparison *c, const assay_comparing_settings *settings, assay_error *err);

/* The names of the tests and the like, which all comparisons have. */
void assay_comparing_head(assay_comparison *comparison,
                          const assay_comparing_settings *settings);

#endif
