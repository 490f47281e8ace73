/* SPDX-License-Identifier: Apache-2.0 */
/* Part of a golden set: queries that a run never set out to answer do not count in it. */
#ifndef ASSAY_GOLDEN_PLANNED_H
#define ASSAY_GOLDEN_PLANNED_H

#include "golden/golden.h"

/* Make drafts of all queries but those in plan[0..n), which are in byte order; returns how
 * many that were none. */
uint32_t assay_golden_limit(assay_golden *golden, const assay_slice *plan, uint32_t n);

#endif
