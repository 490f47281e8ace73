/* SPDX-License-Identifier: Apache-2.0 */
#include "stat/student.h"
#include "testing.h"

/* With one degree of freedom T is Cauchy: P(T <= t) = 1/2 + atan(t) / pi. */
TEST(one_degree_of_freedom_is_cauchy)
{
    for (double t = -20; t <= 20; t += 0.5)
        CHECK_NEAR(assay_student_cdf(t, 1), 0.5 + atan(t) / acos(-1), 1e-14);
}

/* With two: P(T <= t) = 1/2 + t / (2 sqrt(2 + t^2)). */
TEST(two_degrees_of_freedom_have_a_closed_form)
{
    for (double t = -20; t <= 20; t += 0.5)
        CHECK_NEAR(assay_student_cdf(t, 2), 0.5 + t / (2 * sqrt(2 + t * t)), 1e-14);
}

/* Any printed table of t, 97.5 % column: 12.706, 4.303, 2.228, 2.042, 1.980. */
TEST(quantiles_agree_with_printed_tables)
{
    CHECK_NEAR(assay_student_quantile(0.975, 1), 12.706, 5e-4);
    CHECK_NEAR(assay_student_quantile(0.975, 2), 4.303, 5e-4);
    CHECK_NEAR(assay_student_quantile(0.975, 10), 2.228, 5e-4);
    CHECK_NEAR(assay_student_quantile(0.975, 30), 2.042, 5e-4);
    CHECK_NEAR(assay_student_quantile(0.975, 120), 1.980, 5e-4);
    CHECK_NEAR(assay_student_quantile(0.95, 10), 1.812, 5e-4);
}

/* tan(pi * (p - 1/2)) inverts the Cauchy case. */
TEST(quantile_inverts_the_cdf)
{
    CHECK_NEAR(assay_student_quantile(0.975, 1), tan(acos(-1) * 0.475), 1e-12);
    CHECK_NEAR(assay_student_quantile(0.025, 7), -assay_student_quantile(0.975, 7),
               1e-12);
    for (double df = 3; df < 2000; df *= 3)
        CHECK_NEAR(assay_student_cdf(assay_student_quantile(0.9, df), df), 0.9, 1e-12);
}

/* For many degrees of freedom T is normal: 1.959964 is its 97.5 % quantile. */
TEST(many_degrees_of_freedom_are_normal)
{
    CHECK_NEAR(assay_student_quantile(0.975, 1e7), 1.959964, 1e-6);
}

/* I_x(1, 1) = x and I_x(2, 1) = x^2: integrals of 1 and of 2x. */
TEST(beta_share_of_polynomials)
{
    for (double x = 0; x <= 1; x += 0.125) {
        CHECK_NEAR(assay_beta_share(1, 1, x), x, 1e-15);
        CHECK_NEAR(assay_beta_share(2, 1, x), x * x, 1e-15);
    }
}
