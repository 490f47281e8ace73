/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PIPELINE_SLICING_H
#define ASSAY_PIPELINE_SLICING_H

#include "golden/golden.h"
#include "score/slices.h"

/* Add up `scores` by the values that the queries have for `key`: lang, difficulty,
 * category, group, tag, label, or any key under meta.  A query with several tags counts
 * for each; one without a value counts as "(none)".  Everything lives in `arena`. */
ASSAY_MUST_USE assay_status assay_slices_make(const assay_golden *golden,
                                              const assay_scores *scores, const char *key,
                                              uint32_t min_n, assay_arena *arena,
                                              assay_slices *out, assay_error *err);

#endif
