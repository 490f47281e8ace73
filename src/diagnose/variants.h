/* SPDX-License-Identifier: Apache-2.0 */
/* Paraphrases of one question, and whether they find the same: groups of a golden set held
 * against one run, as kebab does it.
 *
 * Recall of documents is taken at two cutoffs.  What the narrow one (10) has not and the
 * pool (50) has was found and ranked too low; what the pool has not is missing: other
 * words, other problem. */
#ifndef ASSAY_DIAGNOSE_VARIANTS_H
#define ASSAY_DIAGNOSE_VARIANTS_H

#include "golden/golden.h"
#include "run/run.h"

enum { ASSAY_VARIANTS_NARROW = 10, ASSAY_VARIANTS_POOL = 50 };

typedef enum assay_variant_class {
    ASSAY_VARIANT_OK,         /* all expected documents are in the narrow list */
    ASSAY_VARIANT_MIS_RANKED, /* the pool has more of them */
    ASSAY_VARIANT_MISSING,    /* it has not */
    ASSAY_VARIANT_NO_EXPECTED /* nothing is expected */
} assay_variant_class;

/* kebab's words: "Ok", "MisRanked", "Missing", "NoExpected". */
const char *assay_variant_class_name(assay_variant_class c);

typedef struct assay_variant {
    const assay_query *query;
    double narrow; /* recall of documents; NaN = nothing is expected */
    double pool;
    assay_variant_class kind;
    assay_flag answer; /* grounded; unknown = no answer, or nothing to hold it against */
    bool is_missing;   /* from the run */
    bool is_failed;
} assay_variant;

typedef struct assay_variant_group {
    assay_slice name;
    assay_variant *variant; /* in byte order of their ids */
    uint32_t n;
    double spread; /* of narrow: the most less the least; 0 when nothing is measurable */
    double worst;  /* of narrow; NaN when nothing is measurable */
    uint32_t n_mis_ranked;
    uint32_t n_missing;
    assay_flag answers; /* yes = all right, no = some are not, unknown = none to judge */
} assay_variant_group;

typedef struct assay_variants {
    assay_variant_group *group; /* in byte order of their names */
    uint32_t n;
    uint32_t narrow;
    uint32_t pool;
    double mean_spread;     /* over the groups; NaN without any */
    uint32_t n_consistent;  /* spread 0 and worst 1 */
    uint32_t n_a_dominant;  /* mostly ranked too low */
    uint32_t n_b_dominant;  /* mostly missing */
    bool is_pool_truncated; /* no hit of the run is as deep as the pool */
} assay_variants;

/* `grounded` has for each query of the golden set 1, 0 or NaN.  Cutoffs of 0 are the
 * usual ones.  Everything lives in `arena`. */
ASSAY_MUST_USE assay_status assay_variants_make(const assay_golden *golden,
                                                const assay_run *run,
                                                const double *grounded, uint32_t narrow,
                                                uint32_t pool, assay_arena *arena,
                                                assay_variants *out, assay_error *err);

#endif
