/* SPDX-License-Identifier: Apache-2.0 */
/* Part of a golden set: queries that a run never set out to answer do not count in it. */
#ifndef ASSAY_GOLDEN_PLANNED_H
#define ASSAY_GOLDEN_PLANNED_H

#include "golden/golden.h"

/* Make drafts of all queries but those in id[0..n); returns how many that were none. */
ASSAY_MUST_USE assay_status assay_golden_plan(assay_golden *golden, const assay_slice *id,
                                              uint32_t n, uint32_t *skipped,
                                              assay_error *err);

#endif
