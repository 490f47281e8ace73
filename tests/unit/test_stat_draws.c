/* SPDX-License-Identifier: Apache-2.0 */
/* What is random in src/stat: streams, the bootstrap, Tukey's HSD. */
#include "base/compiler.h"
#include "scipy_values.h"
#include "stat/bootstrap.h"
#include "stat/permutation.h"
#include "stat/random.h"
#include "stat/tukey.h"
#include "testing.h"

/* ---- streams ---- */

TEST(a_stream_is_the_same_every_time_and_unlike_its_neighbours)
{
    assay_random a = assay_random_stream(1, 2);
    assay_random again = assay_random_stream(1, 2);
    assay_random swapped = assay_random_stream(2, 1);
    assay_random next = assay_random_stream(1, 3);
    const uint64_t first = assay_random_next(&a);

    CHECK(first == assay_random_next(&again));
    CHECK(first != assay_random_next(&swapped));
    CHECK(first != assay_random_next(&next));
}

/* The generator by its definition: state 1, 2, 3, 4 gives rotl(2 * 5, 7) * 9 = 11520, then
 * 0, then 1509978240, as the authors' program xoshiro256starstar.c prints. */
TEST(xoshiro_is_what_its_authors_say)
{
    assay_random r = {{1, 2, 3, 4}};

    CHECK(assay_random_next(&r) == 11520);
    CHECK(assay_random_next(&r) == 0);
    CHECK(assay_random_next(&r) == 1509978240);
}

/* 60,000 throws of a die: each face 10,000 times, standard deviation 91. */
TEST(a_die_is_fair)
{
    assay_random r = assay_random_stream(5, 0);
    int seen[6] = {0};

    for (int i = 0; i < 60000; i++)
        seen[assay_random_below(&r, 6)]++;
    for (int i = 0; i < 6; i++)
        CHECK_NEAR(seen[i], 10000, 5 * 91);
}

TEST(unit_numbers_are_inside_and_average_a_half)
{
    assay_random r = assay_random_stream(5, 1);
    double sum = 0;

    for (int i = 0; i < 100000; i++) {
        const double u = assay_random_unit(&r);

        CHECK(u > 0 && u < 1);
        sum += u;
    }
    CHECK_NEAR(sum / 100000, 0.5, 5 * sqrt(1 / 12.0 / 100000));
}

/* ---- bootstrap ---- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

TEST(bca_rule_agrees_with_scipy_on_given_means)
{
    double drawn[1000];
    assay_interval ci;

    for (int i = 0; i < 1000; i++)
        drawn[i] = ((i * 911) % 1999) / 2000.0 - 0.43;
    qsort(drawn, 1000, sizeof *drawn, ascending);
    ci = assay_bootstrap_bca(drawn, 1000, 0.3125,
                             assay_bootstrap_acceleration(d_ten_tied, 10), 0.95);
    CHECK_NEAR(ci.low, scipy_bca[0], 1e-12);
    CHECK_NEAR(ci.high, scipy_bca[1], 1e-12);
}

/* The end of a 95 % interval from 10,000 draws has a standard error of about
 * sqrt(.025 x .975 / 10,000) / density there = .0016 / (.058 / se of the mean) = .027 of that
 * standard error; five of them are .14. */
TEST(bca_interval_agrees_with_a_million_draws_of_scipy)
{
    const double se_thirty = 0.0535;
    const double se_sixty = 0.0022;
    assay_interval ci;

    CHECK(assay_bootstrap_interval(d_thirty, 30, 0.95, 1, 0, 1, &ci));
    CHECK_NEAR(ci.low, scipy_bca_thirty[0], 0.14 * se_thirty);
    CHECK_NEAR(ci.high, scipy_bca_thirty[1], 0.14 * se_thirty);
    CHECK(assay_bootstrap_interval(d_sixty_zeros, 60, 0.95, 1, 0, 1, &ci));
    CHECK_NEAR(ci.low, scipy_bca_sixty_zeros[0], 0.14 * se_sixty);
    CHECK_NEAR(ci.high, scipy_bca_sixty_zeros[1], 0.14 * se_sixty);
}

TEST(bootstrap_has_the_same_bits_for_any_number_of_threads)
{
    static const uint32_t threads[] = {1, 2, 5};
    assay_interval ci[3];

    for (size_t i = 0; i < 3; i++)
        CHECK(assay_bootstrap_interval(d_fifty, 50, 0.9, 11, 3000, threads[i], &ci[i]));
    CHECK(ci[0].low == ci[1].low && ci[0].low == ci[2].low);
    CHECK(ci[0].high == ci[1].high && ci[0].high == ci[2].high);
}

TEST(bootstrap_of_little_or_nothing)
{
    static const double same[] = {0.25, 0.25, 0.25};
    static const double zero[] = {0, 0};
    assay_interval ci;

    CHECK(assay_bootstrap_interval(NULL, 0, 0.95, 1, 0, 1, &ci) && isnan(ci.low));
    CHECK(assay_bootstrap_interval(same, 1, 0.95, 1, 0, 1, &ci) && isnan(ci.high));
    CHECK(assay_bootstrap_interval(zero, 1, 0.95, 1, 0, 1, &ci) && ci.high == 0);
    CHECK(assay_bootstrap_interval(zero, 2, 0.95, 1, 0, 1, &ci) && ci.low == 0);
    CHECK(assay_bootstrap_interval(same, 3, 0.95, 1, 0, 1, &ci));
    CHECK(ci.low == 0.25 && ci.high == 0.25);
}

TEST(one_query_that_differs_among_many_has_an_interval_that_holds_zero)
{
    double d[100] = {0};
    assay_interval ci;

    d[17] = -1;
    CHECK(assay_bootstrap_interval(d, 100, 0.95, 1, 0, 1, &ci));
    CHECK(ci.low < -0.01 && ci.high == 0);
}

/* ---- Tukey ---- */

/* With two runs it is the sign-flip test of their differences. */
TEST(tukey_of_two_runs_is_the_permutation_test)
{
    double value[2 * 20];
    assay_permutation exact;
    double p[4];

    for (size_t i = 0; i < 20; i++) {
        value[2 * i] = 0.5;
        value[2 * i + 1] = 0.5 + d_twenty[i];
    }
    CHECK(assay_permutation_test(d_twenty, 20, 1, 0, 1, &exact));
    CHECK(assay_tukey_test(value, 20, 2, 1, 40000, 1, p));
    CHECK_NEAR(p[1], exact.p, 5 * 0.0025);
    CHECK(p[0] == 1 && p[3] == 1 && p[1] == p[2]);
}

/* All 6^4 ways to shuffle four queries among three runs, one by one. */
static double all_shuffles(const double *value, double distance)
{
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    int reached = 0;

    for (int way = 0; way < 6 * 6 * 6 * 6; way++) {
        double sum[3] = {0};

        for (int q = 0, rest = way; q < 4; q++, rest /= 6)
            for (int r = 0; r < 3; r++)
                sum[r] += value[3 * q + order[rest % 6][r]];
        reached +=
            fmax(sum[0], fmax(sum[1], sum[2])) - fmin(sum[0], fmin(sum[1], sum[2])) >=
            distance - 1e-9;
    }
    return reached / 1296.0;
}

TEST(tukey_of_three_runs_agrees_with_all_shuffles)
{
    static const double value[] = {1.0, 0.5, 0.25, 0.5, 0.5,  0.125,
                                   1.0, 0.0, 0.25, 0.5, 0.25, 0.0};
    double p[9];

    /* Sums 3, 1.25 and 0.625. */
    CHECK(assay_tukey_test(value, 4, 3, 9, 40000, 2, p));
    CHECK_NEAR(p[1], all_shuffles(value, 1.75), 5 * 0.0025);
    CHECK_NEAR(p[2], all_shuffles(value, 2.375), 5 * 0.0025);
    CHECK_NEAR(p[5], all_shuffles(value, 0.625), 5 * 0.0025);
}

TEST(tukey_has_the_same_bits_for_any_number_of_threads)
{
    static const uint32_t threads[] = {1, 2, 5};
    double p[3][9];

    for (size_t i = 0; i < 3; i++)
        CHECK(assay_tukey_test(d_sixty_zeros, 20, 3, 1, 1000, threads[i], p[i]));
    CHECK(memcmp(p[0], p[1], sizeof p[0]) == 0 && memcmp(p[0], p[2], sizeof p[0]) == 0);
}

TEST(tukey_of_nothing_is_one)
{
    static const double same[] = {0.5, 0.5, 1, 1};
    double p[4];

    CHECK(assay_tukey_test(NULL, 0, 2, 1, 0, 1, p) && p[1] == 1);
    CHECK(assay_tukey_test(same, 2, 2, 1, 0, 1, p) && p[1] == 1);
    CHECK(assay_tukey_test(same, 4, 1, 1, 0, 1, p) && p[0] == 1);
}
