/* SPDX-License-Identifier: Apache-2.0 */
#include "stat/sign.h"

#include <math.h>

#include "stat/distributions.h"

assay_sign assay_sign_test(const double *d, size_t n)
{
    assay_sign s = {.p = n ? 1 : NAN};
    size_t fewer;

    for (size_t i = 0; i < n; i++) {
        s.n_plus += d[i] > 0;
        s.n_minus += d[i] < 0;
        s.n_zero += d[i] == 0;
    }
    fewer = s.n_plus < s.n_minus ? s.n_plus : s.n_minus;
    if (s.n_plus + s.n_minus)
        s.p = fmin(1, 2 * assay_binomial_cdf((uint32_t)fewer,
                                             (uint32_t)(s.n_plus + s.n_minus), 0.5));
    return s;
}
