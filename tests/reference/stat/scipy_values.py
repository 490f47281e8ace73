#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints tests/unit/scipy_values.h: samples and what scipy and numpy say of them.

    pip install scipy==1.17.1 numpy==2.4.6
    python3 tests/reference/stat/scipy_values.py > tests/unit/scipy_values.h
    clang-format -i tests/unit/scipy_values.h
"""
import math
import sys

import numpy as np
import scipy
from scipy import optimize, special, stats


def number(x):
    return "NAN" if math.isnan(x) else "%.17g" % x


def array(name, values, kind="double"):
    print(f"static const {kind} {name}[] = {{{', '.join(number(v) for v in values)}}};")


def spread_out(n, step, mod, shift):
    """Whole multiples of 1/1024, so that sums are exact in any order."""
    return np.array([((i * step) % mod - shift) / 1024 for i in range(n)])


SAMPLES = {
    "one": np.array([0.25]),
    "two": np.array([0.5, -0.125]),
    "six_no_ties": np.array([0.5, 0.25, -0.125, 0.75, 1.0, 0.0625]),
    "ten_tied": np.array([0.5, 0.5, -0.5, 0.25, 0.25, 1.0, -0.25, 0.75, 0.5, 0.125]),
    "thirteen_zeros": np.array([0, 0.5, 0, -0.25, 0.25, 0, 1, 0.5, -0.5, 0, 0.75, 0, 0.5]),
    "fourteen_tied": np.array([0, 0.5, 0, -0.25, 0.25, 0, 1, 0.5, -0.5, 0, 0.75, 0, 0.5, -1]),
    "twenty": spread_out(20, 379, 1009, 440),
    "thirty": spread_out(30, 379, 1009, 400),
    "fifty": spread_out(50, 379, 1009, 450),
    "fifty_one": spread_out(51, 379, 1009, 450),
    "sixty_zeros": np.array([0 if i % 3 else v for i, v in enumerate(spread_out(60, 379, 97, 40))]),
}


def paired(name, d):
    array(f"d_{name}", d)
    n = len(d)
    t = stats.ttest_1samp(d, 0) if n > 1 else None
    ci = t.confidence_interval(0.95) if t else None
    w = stats.wilcoxon(d, zero_method="pratt", correction=False)
    up, down = int((d > 0).sum()), int((d < 0).sum())
    s = stats.binomtest(up, up + down, 0.5).pvalue
    exact = math.nan
    if n == 1:
        exact = 1  # either sign is as far from 0
    elif n <= 20:
        exact = stats.permutation_test(
            (d,), np.sum, permutation_type="samples", n_resamples=np.inf).pvalue
    return [name, n, t.statistic if t else 0, t.pvalue if t else 1,
            ci.low if ci else math.nan, ci.high if ci else math.nan,
            w.statistic, w.pvalue, s, exact]


print("/* SPDX-License-Identifier: Apache-2.0 */")
print("/* Made by tests/reference/stat/scipy_values.py with scipy %s and numpy %s; see there. */"
      % (scipy.__version__, np.__version__))
print("#ifndef SCIPY_VALUES_H\n#define SCIPY_VALUES_H\n\n#include <math.h>\n#include <stddef.h>\n")

rows = [paired(k, v) for k, v in SAMPLES.items()]
print("\n/* ttest_1samp, its 95 % interval, wilcoxon(zero_method='pratt', correction=False),")
print(" * binomtest, permutation_test(permutation_type='samples', n_resamples=inf). */")
print("static const struct {\n    const char *name;\n    const double *d;\n    size_t n;\n"
      "    double t, t_p, low, high, w, w_p, sign_p, exact_p;\n} scipy_paired[] = {")
for r in rows:
    print(f'    {{"{r[0]}", d_{r[0]}, {r[1]}, {", ".join(number(x) for x in r[2:])}}},')
print("};\n")

big = spread_out(7000, 7919, 2003, 990)
t = stats.ttest_1samp(big, 0)
w = stats.wilcoxon(big, zero_method="pratt", correction=False)
s = stats.binomtest(int((big > 0).sum()), int((big != 0).sum()), 0.5).pvalue
ci = t.confidence_interval(0.95)
print("/* The same for ((i * 7919) % 2003 - 990) / 1024, i < 7000. */")
array("scipy_large", [t.statistic, t.pvalue, ci.low, ci.high, w.statistic, w.pvalue, s])

a, b = SAMPLES["ten_tied"] + 0.5, SAMPLES["six_no_ties"]
for name, equal in (("student", True), ("welch", False)):
    r = stats.ttest_ind(b, a, equal_var=equal)
    array(f"scipy_ttest_{name}", [r.statistic, r.pvalue, r.df])

print("\n/* z, norm.cdf, norm.sf */")
array("scipy_normal", [v for z in (-8, -3.5, -1, -0.1, 0, 0.3, 1.96, 5, 12)
                       for v in (z, stats.norm.cdf(z), stats.norm.sf(z))])
print("/* p, norm.ppf */")
array("scipy_normal_quantile", [v for p in (1e-12, 1e-5, 0.025, 0.3, 0.5, 0.8, 0.95, 0.999999)
                                for v in (p, stats.norm.ppf(p))])
print("/* t, df, t.sf */")
array("scipy_student", [v for x, df in ((0.5, 1), (2, 3), (2.5, 9.7), (-1.3, 29), (4, 99),
                                        (1.7, 6999), (8, 6999), (30, 6999), (5, 1e6))
                        for v in (x, df, stats.t.sf(x, df))])
print("/* k, n, p, binom.pmf, binom.cdf */")
array("scipy_binomial", [v for k, n, p in ((0, 1, .5), (3, 10, .5), (3, 10, .2), (45, 100, .5),
                                           (3400, 7000, .5), (100, 7000, .02), (6990, 7000, .999))
                         for v in (k, n, p, stats.binom.pmf(k, n, p), stats.binom.cdf(k, n, p))])
print("/* a, b, x, betainc */")
array("scipy_beta", [v for a_, b_, x in ((.5, .5, .3), (2.5, 7, .2), (3500, .5, .999), (400, 600, .41))
                     for v in (a_, b_, x, special.betainc(a_, b_, x))])
print("/* t, df, delta, nct.sf */")
array("scipy_noncentral", [v for x, df, nc in ((1.7, 24, 2.5), (2.1, 3, 0.7), (6.3, 1, 4),
                                               (1.66, 99, 3), (1.645, 6999, 2.486))
                           for v in (x, df, nc, stats.nct.sf(x, df, nc))])


def power(drop, sd, n, alpha):
    return stats.nct.sf(stats.t.ppf(1 - alpha, n - 1), n - 1, drop * math.sqrt(n) / sd)


print("/* n, sd, alpha: the drop whose power is .8; then the least n for a drop of .05 */")
rows = []
for n, sd, alpha in ((5, .2, .05), (25, .15, .05), (100, .25, .05), (100, .25, .01), (1000, .15, .05)):
    drop = optimize.brentq(lambda d: power(d, sd, n, alpha) - .8, 1e-9, 50, xtol=1e-14)
    least = next(m for m in range(2, 10000) if power(.05, sd, m, alpha) >= .8)
    rows += [n, sd, alpha, drop, least]
array("scipy_power", rows)

print("\n/* false_discovery_control(method='bh') */")
p = [0.01, 0.04, 0.03, 0.5, 0.9, 0.001, 0.04]
array("scipy_p", p)
array("scipy_bh", stats.false_discovery_control(p, method="bh"))


class Drawn:
    def __init__(self, values):
        self.bootstrap_distribution = values


drawn = np.sort(np.array([((i * 911) % 1999) / 2000 - 0.43 for i in range(1000)]))
d = SAMPLES["ten_tied"]
print("\n/* bootstrap(method='BCa') of ten_tied, given the resampled means")
print(" * ((i * 911) % 1999) / 2000 - 0.43, i < 1000; then by 1,000,000 draws of its own:")
print(" * thirty and sixty_zeros. */")
r = stats.bootstrap((d,), np.mean, n_resamples=0, method="BCa", confidence_level=0.95,
                    bootstrap_result=Drawn(drawn)).confidence_interval
array("scipy_bca", [r.low, r.high])
for name in ("thirty", "sixty_zeros"):
    r = stats.bootstrap((SAMPLES[name],), np.mean, n_resamples=1000000, method="BCa",
                        batch=10000, rng=np.random.default_rng(1)).confidence_interval
    array(f"scipy_bca_{name}", [r.low, r.high])
print("\n#endif")
