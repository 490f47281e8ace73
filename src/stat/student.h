/* SPDX-License-Identifier: Apache-2.0 */
/* Student's t distribution, as far as intervals and tests need it. */
#ifndef ASSAY_STAT_STUDENT_H
#define ASSAY_STAT_STUDENT_H

/* The regularised incomplete beta function I_x(a, b), 0 <= x <= 1, a and b > 0. */
double assay_beta_share(double a, double b, double x);

/* (a + b)! / (a! b!) x^a y^b with y = 1 - x, both in (0, 1), a and b >= 0, whole or not: for
 * whole numbers the binomial probability of a in a + b. */
double assay_beta_front(double a, double b, double x, double y);

/* P(T <= t) with `df` degrees of freedom, df > 0; and P(T >= t), without loss where it is
 * small. */
double assay_student_cdf(double t, double df);
double assay_student_tail(double t, double df);

/* The t with P(T <= t) = p, 0 < p < 1. */
double assay_student_quantile(double p, double df);

#endif
