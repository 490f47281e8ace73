/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of src/stat against scipy (scipy_values.h says how its numbers were made), and
 * what they say where there is little or nothing to test. */
#include "base/compiler.h"
#include "scipy_values.h"
#include "stat/correction.h"
#include "stat/distributions.h"
#include "stat/effect.h"
#include "stat/permutation.h"
#include "stat/power.h"
#include "stat/sign.h"
#include "stat/stat.h"
#include "stat/student.h"
#include "stat/ttest.h"
#include "stat/wilcoxon.h"
#include "testing.h"

enum { LARGE = 7000 };

static void fill_large(double *d)
{
    for (int i = 0; i < LARGE; i++)
        d[i] = ((i * 7919) % 2003 - 990) / 1024.0;
}

/* Within eps of the value, relative to it. */
static void check_share(double got, double want, double eps)
{
    CHECK_NEAR(got, want, eps * fabs(want));
}

/* ---- distributions ---- */

TEST(normal_agrees_with_scipy)
{
    for (size_t i = 0; i < ASSAY_COUNT(scipy_normal); i += 3) {
        check_share(assay_normal_cdf(scipy_normal[i]), scipy_normal[i + 1], 1e-13);
        check_share(assay_normal_tail(scipy_normal[i]), scipy_normal[i + 2], 1e-13);
    }
    for (size_t i = 0; i < ASSAY_COUNT(scipy_normal_quantile); i += 2)
        CHECK_NEAR(assay_normal_quantile(scipy_normal_quantile[i]),
                   scipy_normal_quantile[i + 1], 1e-13 + 1e-12);
}

/* A long continued fraction loses a digit or two at a million degrees of freedom. */
TEST(student_tail_agrees_with_scipy_to_its_last_digits)
{
    for (size_t i = 0; i < ASSAY_COUNT(scipy_student); i += 3)
        check_share(assay_student_tail(scipy_student[i], scipy_student[i + 1]),
                    scipy_student[i + 2], scipy_student[i + 1] < 1e5 ? 1e-12 : 1e-11);
}

TEST(binomial_agrees_with_scipy)
{
    const double *v = scipy_binomial;

    for (size_t i = 0; i < ASSAY_COUNT(scipy_binomial); i += 5, v += 5) {
        check_share(assay_binomial_share((uint32_t)v[0], (uint32_t)v[1], v[2]), v[3],
                    1e-12);
        check_share(assay_binomial_cdf((uint32_t)v[0], (uint32_t)v[1], v[2]), v[4],
                    1e-12);
    }
}

TEST(binomial_is_sure_of_what_is_sure)
{
    CHECK(assay_binomial_share(0, 5, 0) == 1 && assay_binomial_share(1, 5, 0) == 0);
    CHECK(assay_binomial_share(5, 5, 1) == 1 && assay_binomial_share(6, 5, 0.5) == 0);
    CHECK(assay_binomial_cdf(5, 5, 0.3) == 1);
    CHECK_NEAR(assay_binomial_share(0, 3, 0.25), 0.75 * 0.75 * 0.75, 1e-15);
    CHECK_NEAR(assay_binomial_share(3, 3, 0.25), 0.25 * 0.25 * 0.25, 1e-15);
}

TEST(beta_agrees_with_scipy)
{
    const double *v = scipy_beta;

    for (size_t i = 0; i < ASSAY_COUNT(scipy_beta); i += 4, v += 4)
        check_share(assay_beta_share(v[0], v[1], v[2]), v[3], 1e-12);
}

TEST(noncentral_t_agrees_with_scipy)
{
    const double *v = scipy_noncentral;

    for (size_t i = 0; i < ASSAY_COUNT(scipy_noncentral); i += 4, v += 4)
        CHECK_NEAR(assay_noncentral_tail(v[0], v[1], v[2]), v[3], 1e-9);
}

/* ---- paired tests ---- */

TEST(paired_t_and_its_interval_agree_with_scipy)
{
    for (size_t i = 0; i < ASSAY_COUNT(scipy_paired); i++) {
        const assay_sample s = assay_sample_of(scipy_paired[i].d, scipy_paired[i].n);
        const assay_ttest t = assay_ttest_paired(&s);
        const assay_interval ci = assay_ttest_interval(&s, 0.95);

        CHECK_NEAR(t.t, scipy_paired[i].t, 1e-12);
        CHECK_NEAR(t.p, scipy_paired[i].t_p, 1e-12);
        if (s.n < 2)
            continue;
        CHECK_NEAR(ci.low, scipy_paired[i].low, 1e-12);
        CHECK_NEAR(ci.high, scipy_paired[i].high, 1e-12);
    }
}

TEST(wilcoxon_agrees_with_scipy_exact_and_normal)
{
    for (size_t i = 0; i < ASSAY_COUNT(scipy_paired); i++) {
        assay_wilcoxon w;

        CHECK(assay_wilcoxon_test(scipy_paired[i].d, scipy_paired[i].n, &w));
        CHECK_NEAR(fmin(w.rank_plus, w.rank_minus), scipy_paired[i].w, 0);
        CHECK_NEAR(w.p, scipy_paired[i].w_p, 1e-12);
    }
}

TEST(sign_test_agrees_with_scipy)
{
    for (size_t i = 0; i < ASSAY_COUNT(scipy_paired); i++)
        CHECK_NEAR(assay_sign_test(scipy_paired[i].d, scipy_paired[i].n).p,
                   scipy_paired[i].sign_p, 1e-12);
}

TEST(exact_permutation_agrees_with_scipy)
{
    for (size_t i = 0; i < ASSAY_COUNT(scipy_paired); i++) {
        assay_permutation p;

        if (isnan(scipy_paired[i].exact_p))
            continue;
        CHECK(assay_permutation_test(scipy_paired[i].d, scipy_paired[i].n, 1, 0, 1, &p));
        CHECK(p.is_exact && p.n_draws == 0);
        CHECK_NEAR(p.p, scipy_paired[i].exact_p, 1e-12);
    }
}

TEST(seven_thousand_differences_agree_with_scipy)
{
    static double d[LARGE];
    assay_wilcoxon w;
    assay_sample s;
    assay_ttest t;

    fill_large(d);
    s = assay_sample_of(d, LARGE);
    t = assay_ttest_paired(&s);
    CHECK(assay_wilcoxon_test(d, LARGE, &w));
    CHECK_NEAR(t.t, scipy_large[0], 1e-12);
    CHECK_NEAR(t.p, scipy_large[1], 1e-12);
    CHECK_NEAR(assay_ttest_interval(&s, 0.95).low, scipy_large[2], 1e-12);
    CHECK_NEAR(assay_ttest_interval(&s, 0.95).high, scipy_large[3], 1e-12);
    CHECK_NEAR(fmin(w.rank_plus, w.rank_minus), scipy_large[4], 0);
    CHECK_NEAR(w.p, scipy_large[5], 1e-12);
    CHECK_NEAR(assay_sign_test(d, LARGE).p, scipy_large[6], 1e-12);
}

/* ---- permutations by chance ---- */

/* The standard error of a share of 100,000 draws is at most .0016; five of them. */
TEST(drawn_permutations_are_near_the_t_test_for_many_queries)
{
    static double d[LARGE];
    assay_permutation p;

    fill_large(d);
    CHECK(assay_permutation_test(d, LARGE, 7, 0, 0, &p));
    CHECK(!p.is_exact && p.n_draws == 100000);
    CHECK_NEAR(p.p, scipy_large[1], 5 * 0.0016);
}

/* 21 equal differences: all signs alike, one way or the other: 2 / 2^21.  In 100,000 draws
 * that comes hardly ever, and p is at least 1 / 100,001. */
TEST(drawn_p_is_never_zero)
{
    double d[21];
    assay_permutation p;

    for (int i = 0; i < 21; i++)
        d[i] = 0.1;
    CHECK(assay_permutation_test(d, 21, 1, 0, 1, &p));
    CHECK(!p.is_exact);
    CHECK_NEAR(p.p, 1 / 100001.0, 2.5 / 100001.0);
    CHECK(p.p >= 1 / 100001.0);
}

TEST(permutation_has_the_same_bits_for_any_number_of_threads)
{
    static const uint32_t threads[] = {1, 2, 5};
    static double d[LARGE];
    assay_permutation p[3];

    fill_large(d);
    for (size_t i = 0; i < 3; i++)
        CHECK(assay_permutation_test(d, 1001, 3, 20000, threads[i], &p[i]));
    CHECK(p[0].p == p[1].p && p[0].p == p[2].p);
}

TEST(another_seed_gives_another_p_nearby)
{
    static double d[LARGE];
    assay_permutation a;
    assay_permutation b;

    fill_large(d);
    CHECK(assay_permutation_test(d, 1001, 3, 20000, 1, &a));
    CHECK(assay_permutation_test(d, 1001, 4, 20000, 1, &b));
    CHECK(a.p != b.p);
    CHECK_NEAR(a.p, b.p, 0.03);
}

/* Zeros have no sign: 18 of 1,000 that differ leave 2^18 patterns, which are all tried. */
TEST(zeros_do_not_stand_in_the_way_of_an_exact_test)
{
    double d[1000] = {0};
    assay_permutation p;

    for (int i = 0; i < 18; i++)
        d[i * 50] = 0.5;
    CHECK(assay_permutation_test(d, 1000, 1, 0, 1, &p));
    CHECK(p.is_exact && p.n_used == 18);
    CHECK_NEAR(p.p, ldexp(2, -18), 1e-18);
}

/* Sums of tenths that are equal on paper differ in the last bit: 0.1 + 0.2 is not 0.3. */
TEST(sums_that_differ_by_rounding_are_the_same)
{
    static const double d[] = {0.1, 0.2, -0.3};
    assay_permutation p;

    CHECK(assay_permutation_test(d, 3, 1, 0, 1, &p));
    CHECK(p.p == 1);
}

/* ---- little or nothing ---- */

TEST(nothing_has_no_p)
{
    const assay_sample s = assay_sample_of(NULL, 0);
    assay_permutation p;
    assay_wilcoxon w;

    CHECK(assay_permutation_test(NULL, 0, 1, 0, 1, &p) && isnan(p.p));
    CHECK(assay_wilcoxon_test(NULL, 0, &w) && isnan(w.p));
    CHECK(isnan(assay_sign_test(NULL, 0).p));
    CHECK(isnan(assay_ttest_paired(&s).p) && isnan(s.mean));
    CHECK(isnan(assay_ttest_interval(&s, 0.95).low));
    CHECK(isnan(assay_effect_dz(&s)));
}

TEST(one_difference_proves_nothing)
{
    static const double d[] = {0.25};
    const assay_sample s = assay_sample_of(d, 1);
    assay_permutation p;
    assay_wilcoxon w;

    CHECK(assay_permutation_test(d, 1, 1, 0, 1, &p) && p.p == 1);
    CHECK(assay_wilcoxon_test(d, 1, &w) && w.p == 1);
    CHECK(assay_sign_test(d, 1).p == 1);
    CHECK(assay_ttest_paired(&s).p == 1);
    CHECK(isnan(assay_ttest_interval(&s, 0.95).low));
    CHECK(isnan(assay_ttest_high(&s, 0.05)));
    CHECK(assay_ttest_above(&s, 0) == 1 && assay_ttest_below(&s, 1) == 1);
}

TEST(no_difference_at_all_is_p_one_and_an_interval_of_zeros)
{
    static const double d[30] = {0};

    for (size_t n = 1; n <= 30; n += 29) {
        const assay_sample s = assay_sample_of(d, n);
        const assay_interval ci = assay_ttest_interval(&s, 0.95);
        assay_permutation p;
        assay_wilcoxon w;

        CHECK(assay_permutation_test(d, n, 1, 0, 1, &p) && p.p == 1);
        CHECK(assay_wilcoxon_test(d, n, &w) && w.p == 1);
        CHECK(assay_sign_test(d, n).p == 1);
        CHECK(assay_ttest_paired(&s).p == 1);
        CHECK(ci.low == 0 && ci.high == 0);
        CHECK(assay_effect_dz(&s) == 0);
    }
}

TEST(constant_differences_have_an_interval_of_one_point)
{
    static const double d[] = {0.1, 0.1, 0.1, 0.1, 0.1};
    const assay_sample s = assay_sample_of(d, 5);
    const assay_interval ci = assay_ttest_interval(&s, 0.95);

    CHECK(s.mean == 0.1 && s.spread == 0 && s.is_constant);
    CHECK(assay_ttest_paired(&s).p == 0 && isinf(assay_ttest_paired(&s).t));
    CHECK(ci.low == 0.1 && ci.high == 0.1);
    CHECK(isnan(assay_effect_dz(&s)));
    CHECK(assay_ttest_above(&s, 0.05) == 0 && assay_ttest_above(&s, 0.1) == 1);
    CHECK(assay_ttest_below(&s, 0.2) == 0 && assay_ttest_below(&s, 0.1) == 1);
}

/* 0.3 - 0.1 and 0.6 - 0.4 are both 0.2 on paper and differ in the last bit.  What differs by
 * less than rounding is not a difference. */
TEST(pairs_that_differ_by_rounding_are_ties)
{
    static const double a[] = {0.1 + 0.2, 1, 0};
    static const double b[] = {0.3, 0.5, 1e-15};
    double d[3];

    assay_sample_pair(a, b, 3, d);
    CHECK(a[0] != b[0] && d[0] == 0);
    CHECK(d[1] == -0.5);
    CHECK(d[2] == 1e-15);
}

/* ---- bounds ---- */

/* With L the low bound at alpha, P(T >= (mean - L) / se) is alpha by definition. */
TEST(bounds_and_p_values_tell_the_same_story)
{
    for (size_t i = 1; i < ASSAY_COUNT(scipy_paired); i++) {
        const assay_sample s = assay_sample_of(scipy_paired[i].d, scipy_paired[i].n);

        CHECK_NEAR(assay_ttest_above(&s, assay_ttest_low(&s, 0.05)), 0.05, 1e-12);
        CHECK_NEAR(assay_ttest_below(&s, assay_ttest_high(&s, 0.05)), 0.05, 1e-12);
        CHECK_NEAR(assay_ttest_low(&s, 0.025), assay_ttest_interval(&s, 0.95).low, 1e-12);
    }
}

/* ---- two samples that are not paired ---- */

TEST(unpaired_tests_agree_with_scipy)
{
    double a[10];
    assay_sample sa;
    assay_sample sb = assay_sample_of(d_six_no_ties, 6);
    assay_ttest t;

    for (int i = 0; i < 10; i++)
        a[i] = d_ten_tied[i] + 0.5;
    sa = assay_sample_of(a, 10);
    t = assay_ttest_student(&sb, &sa);
    CHECK_NEAR(t.t, -scipy_ttest_student[0], 1e-12);
    CHECK_NEAR(t.p, scipy_ttest_student[1], 1e-12);
    CHECK_NEAR(t.df, scipy_ttest_student[2], 1e-12);
    t = assay_ttest_welch(&sa, &sb);
    CHECK_NEAR(t.t, scipy_ttest_welch[0], 1e-12);
    CHECK_NEAR(t.p, scipy_ttest_welch[1], 1e-12);
    CHECK_NEAR(t.df, scipy_ttest_welch[2], 1e-12);
}

/* EvalVault's own fixture, tests/fixtures/e2e/regression_gate: faithfulness .90 .91 .89 .92
 * against .70 .69 .71 .68; it expects p 0.0000004 and d -18.783. */
TEST(evalvault_regression_fixture_is_reproduced)
{
    static const double a[] = {0.90, 0.91, 0.89, 0.92};
    static const double b[] = {0.70, 0.69, 0.71, 0.68};
    const assay_stat_pair pair = {a, b, 4, 4};
    const assay_stat_settings settings = {0};
    const assay_stat_test *test = assay_stat_test_find("student-unpaired");
    assay_stat_result r;

    CHECK(test && !test->is_paired && test->run(&pair, &settings, &r));
    CHECK_NEAR(r.p, 4.4217e-07, 1e-10);
    CHECK_NEAR(r.effect, -18.783, 5e-4);
    CHECK_STR(assay_effect_level(r.effect), "large");
}

TEST(two_samples_without_spread_are_not_told_apart)
{
    static const double a[] = {0.5, 0.5};
    static const double b[] = {0.7, 0.7};
    const assay_sample sa = assay_sample_of(a, 2);
    const assay_sample sb = assay_sample_of(b, 2);
    const assay_sample one = assay_sample_of(b, 1);

    CHECK(assay_ttest_student(&sa, &sb).p == 1 && assay_ttest_welch(&sa, &sb).p == 1);
    CHECK(assay_ttest_student(&sa, &one).p == 1);
    CHECK(assay_effect_d(&sa, &sb) == 0);
}

TEST(effect_levels_are_cohens)
{
    CHECK_STR(assay_effect_level(0.19), "negligible");
    CHECK_STR(assay_effect_level(-0.2), "small");
    CHECK_STR(assay_effect_level(0.5), "medium");
    CHECK_STR(assay_effect_level(-0.8), "large");
    CHECK_STR(assay_effect_level(NAN), "unknown");
}

/* dz of (1, 2, 3): mean 2, standard deviation 1. */
TEST(dz_is_mean_over_spread)
{
    static const double d[] = {1, 2, 3};
    const assay_sample s = assay_sample_of(d, 3);

    CHECK_NEAR(assay_effect_dz(&s), 2, 1e-15);
}

/* ---- many tests ---- */

TEST(benjamini_hochberg_agrees_with_scipy)
{
    double out[ASSAY_COUNT(scipy_p)];

    CHECK(assay_correction_bh(scipy_p, ASSAY_COUNT(scipy_p), out));
    for (size_t i = 0; i < ASSAY_COUNT(scipy_p); i++)
        CHECK_NEAR(out[i], scipy_bh[i], 1e-15);
}

/* Sorted: .01 x 4, .02 x 3, .03 x 2 (not below the .06 before it), .5 x 1. */
TEST(holm_multiplies_by_what_is_left)
{
    double p[] = {0.5, 0.01, 0.03, 0.02};

    CHECK(assay_correction_holm(p, 4, p));
    CHECK_NEAR(p[0], 0.5, 1e-15);
    CHECK_NEAR(p[1], 0.04, 1e-15);
    CHECK_NEAR(p[2], 0.06, 1e-15);
    CHECK_NEAR(p[3], 0.06, 1e-15);
}

TEST(a_p_that_is_not_there_does_not_count)
{
    static const double p[] = {NAN, 0.02, 0.04};
    double out[3];

    CHECK(assay_correction_find("holm")->apply(p, 3, out));
    CHECK(isnan(out[0]));
    CHECK_NEAR(out[1], 0.04, 1e-15);
    CHECK(assay_correction_find("none")->apply(p, 3, out) && out[1] == 0.02);
    CHECK(assay_correction_find("bonferroni") == NULL);
    CHECK(assay_correction_holm(NULL, 0, NULL));
}

/* ---- power ---- */

TEST(smallest_drop_and_number_of_queries_agree_with_scipy)
{
    const double *v = scipy_power;

    for (size_t i = 0; i < ASSAY_COUNT(scipy_power); i += 5, v += 5) {
        CHECK_NEAR(assay_power_drop(v[1], (uint32_t)v[0], v[2], 0.8), v[3], 1e-8);
        CHECK_INT(assay_power_queries(0.05, v[1], v[2], 0.8), v[4]);
    }
}

TEST(power_at_the_edges)
{
    CHECK(isnan(assay_power_drop(0.2, 1, 0.05, 0.8)));
    CHECK(assay_power_drop(0, 10, 0.05, 0.8) == 0);
    CHECK_INT(assay_power_queries(0, 0.2, 0.05, 0.8), 0);
    CHECK_INT(assay_power_queries(1e-9, 1, 0.05, 0.8), 0);
    CHECK_INT(assay_power_queries(0.1, 0, 0.05, 0.8), 2);
    CHECK(assay_power_of(0.1, 0.2, 1, 0.05) == 0);
    CHECK_NEAR(assay_power_of(0, 0.2, 50, 0.05), 0.05, 1e-9);
}

/* For many queries: ((1.644854 + 0.841621) sd / drop)^2. */
TEST(many_queries_are_counted_by_the_normal_formula)
{
    const double n = pow((1.6448536269514722 + 0.8416212335729143) * 0.4 / 0.002, 2);

    CHECK_NEAR(assay_power_queries(0.002, 0.4, 0.05, 0.8), n, 2);
}

/* ---- by name ---- */

TEST(every_test_has_a_name_and_gives_a_p)
{
    const assay_stat_settings settings = {.seed = 1, .n_threads = 1, .n_draws = 1000};
    double b[30];
    const assay_stat_pair pair = {d_thirty, b, 30, 30};
    const assay_stat_test *t;
    size_t n = 0;

    for (int i = 0; i < 30; i++)
        b[i] = d_thirty[i] + (i % 5 - 2) / 10.0 + 0.05;
    for (; (t = assay_stat_test_at(n)) != NULL; n++) {
        assay_stat_result r;

        CHECK(t->name && t->summary && assay_stat_test_find(t->name) == t);
        CHECK(t->run(&pair, &settings, &r));
        CHECK(r.p > 0 && r.p <= 1 && r.n == 30 && isfinite(r.effect));
    }
    CHECK_INT(n, 6);
    CHECK(assay_stat_test_find("anova") == NULL);
}
