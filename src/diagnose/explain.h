/* SPDX-License-Identifier: Apache-2.0 */
/* What changed a query between two runs: rank by rank, and clues at what was behind it. */
#ifndef ASSAY_DIAGNOSE_EXPLAIN_H
#define ASSAY_DIAGNOSE_EXPLAIN_H

#include "diagnose/waterfall.h"

/* One hit in both rankings: the same chunk, or across chunkers the one that shares most
 * bytes with it. */
typedef struct assay_moved_hit {
    assay_slice id; /* chunk, else document; b's, where b has it */
    assay_slice doc;
    uint32_t rank_a; /* 0 = not there */
    uint32_t rank_b;
    const assay_hit *a; /* null = not there */
    const assay_hit *b;
    bool is_relevant; /* a judgment was found here first, in either run */
} assay_moved_hit;

/* What scores say of a cutoff. */
typedef struct assay_score_edge {
    bool is_known; /* there are scores on both sides of it */
    double last;   /* at rank k */
    double next;   /* at rank k + 1 */
    bool is_tied;
    uint32_t tied_from; /* ranks that have the score of rank k */
    uint32_t tied_to;
} assay_score_edge;

typedef struct assay_explanation {
    const assay_query_change *change;
    assay_moved_hit *hit; /* the first ones of either run and all relevant ones, in b's
                             order, then a's */
    uint32_t n_hits;
    assay_score_edge edge_a;
    assay_score_edge edge_b;
    assay_notes clues; /* clear them */
} assay_explanation;

/* What is known of both runs as a whole; made once. */
typedef struct assay_explainer {
    const assay_comparison *c;
    const assay_run_pair *pair;
    uint32_t k;
    uint32_t shown;                              /* ranks of the table */
    bool (*has_doc)(void *ctx, assay_slice doc); /* null = no corpus is at hand */
    void *ctx;
    assay_dict docs_a; /* documents of all hits */
    assay_dict docs_b;
} assay_explainer;

/* `c` keeps its rankings.  k = 0: the comparison's depth. */
ASSAY_MUST_USE assay_status assay_explainer_open(assay_explainer *explainer,
                                                 const assay_comparison *c,
                                                 const assay_run_pair *pair, uint32_t k,
                                                 assay_error *err);
void assay_explainer_close(assay_explainer *explainer);

/* Explain the query at this place of the core; everything lives in `arena`. */
ASSAY_MUST_USE assay_status assay_explain(const assay_explainer *explainer, uint32_t at,
                                          assay_arena *arena, assay_explanation *out,
                                          assay_error *err);

#endif
