/* SPDX-License-Identifier: Apache-2.0 */
/* How large, whatever n: effect sizes. */
#ifndef ASSAY_STAT_EFFECT_H
#define ASSAY_STAT_EFFECT_H

#include "stat/sample.h"

/* Cohen's dz: mean of the differences over their standard deviation.  n = 0: NaN.  No
 * spread: 0 where all are zero, else NaN (it would be infinite). */
double assay_effect_dz(const assay_sample *d);

/* Cohen's d of two samples as EvalVault has it: mean of b minus mean of a, over the root of
 * the mean of both variances (over n, not n - 1).  No spread: 0. */
double assay_effect_d(const assay_sample *a, const assay_sample *b);

/* "negligible" below 0.2, "small" below 0.5, "medium" below 0.8, else "large"; "unknown" for
 * NaN. */
const char *assay_effect_level(double effect);

#endif
