/* SPDX-License-Identifier: Apache-2.0 */
/* A finished comparison: all that reports print, and gates read.  Made by
 * pipeline/comparing.h. */
#ifndef ASSAY_COMPARE_COMPARISON_H
#define ASSAY_COMPARE_COMPARISON_H

#include "compare/compare.h"
#include "compare/delta.h"
#include "score/slices.h"

typedef enum assay_verdict {
    ASSAY_VERDICT_SAME,    /* nothing changed at all */
    ASSAY_VERDICT_BETTER,  /* some measure rose beyond chance, none fell */
    ASSAY_VERDICT_WORSE,   /* and the other way round */
    ASSAY_VERDICT_MIXED,   /* some rose, some fell */
    ASSAY_VERDICT_UNPROVED /* things changed, and it may be chance */
} assay_verdict;

/* "same", "better", "worse", "mixed", "unproved". */
const char *assay_verdict_word(assay_verdict verdict);

/* The first side against another one. */
typedef struct assay_run_pair {
    uint32_t side;             /* the other one */
    assay_query_change *query; /* one for each query of the core, or null */
    uint32_t n_kind[ASSAY_N_KINDS];
    assay_delta *delta; /* one for each measure */
    assay_difference *differs;
    uint32_t n_differs;
    bool has_answers;
    assay_answer_counts answers;
    assay_slices slices_a; /* key null = none were asked for */
    assay_slices slices_b;
    assay_verdict verdict;
    const char *sentence; /* the verdict in words, no final stop */
} assay_run_pair;

struct assay_comparison {
    assay_arena arena;
    assay_compare_side *side;
    uint32_t n_sides;
    const assay_conventions *conventions;
    assay_core core;
    assay_matching matching;
    assay_level level;     /* at which hits are recognised */
    uint32_t depth;        /* compare depth; 0 = no limit */
    assay_scores **scores; /* of each side, over the core; owned */
    uint32_t n_measures;   /* columns that were asked for; further ones are judged@k */
    assay_found **found;   /* by side and place in the core */
    assay_run_pair *pair;
    uint32_t n_pairs; /* n_sides - 1 */
    const char *test; /* name */
    bool is_unpaired; /* the test throws away that the queries are the same */
    const char *correction;
    uint32_t n_family; /* tests that were corrected together */
    double confidence;
    double alpha;
    uint64_t seed;
    double **tukey;   /* three sides and more: by measure, n_sides x n_sides; a null row
                       where a measure has no mean; else null */
    bool is_recorded; /* only values are there: no found[]; query[] of a pair is null,
                         unless the ranks are known */
    assay_notes notes;
};
typedef struct assay_comparison assay_comparison;

void assay_comparison_free(assay_comparison *comparison);

/* Decide a pair's verdict and write its sentence.  False: no memory. */
bool assay_verdict_make(assay_comparison *comparison, assay_run_pair *pair);

#endif
