/* SPDX-License-Identifier: Apache-2.0 */
/* Questions asked a little differently: other case, a slip of the fingers, words in another
 * order, blanks lost or gained.  The judgments stay, so that robustness can be measured
 * without a new label. */
#ifndef ASSAY_GOLDEN_PERTURB_H
#define ASSAY_GOLDEN_PERTURB_H

#include "golden/golden.h"

enum { ASSAY_PERTURB_KINDS = 4 };

typedef struct assay_perturb {
    bool kind[ASSAY_PERTURB_KINDS]; /* by assay_perturb_name; all false = all */
    uint32_t n;                     /* variants of each kind and query; 0 = 1 */
    uint64_t seed;
} assay_perturb;

/* "case", "typo", "order", "spacing"; null past the end. */
const char *assay_perturb_name(uint32_t kind);

/* Append variants of every query that is no draft and has a text.  A variant has the id
 * of its query, '~' and its kind and number ("q-1~typo1"), its judgments and what an
 * answer is held against, the query's group (else its id, which the query gets too) and
 * the kind as a tag.  What comes out like the query, or like another variant of it, is
 * left out: Korean has no case.  The same seed gives the same variants. */
ASSAY_MUST_USE assay_status assay_golden_perturb(assay_golden *golden,
                                                 const assay_perturb *how,
                                                 uint32_t *n_made, assay_error *err);

#endif
