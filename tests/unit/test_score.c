/* SPDX-License-Identifier: Apache-2.0 */
#include "score/score.h"

#include "testing.h"

static assay_scores *table(const double *value, uint32_t n, assay_aggregate how)
{
    assay_scores *s = assay_scores_new(n, 1);

    CHECK(s);
    s->column[0] = (assay_column){.name = "x", .full = "x()", .aggregate = how};
    memcpy(s->value, value, n * sizeof *value);
    CHECK(assay_scores_finish(s));
    return s;
}

static double total(const double *value, uint32_t n, assay_aggregate how)
{
    assay_scores *s = table(value, n, how);
    double got = s->total[0].value;

    assay_scores_free(s);
    return got;
}

TEST(a_new_table_is_absent_everywhere)
{
    assay_scores *s = assay_scores_new(2, 3);

    for (uint32_t r = 0; r < 2; r++)
        for (uint32_t c = 0; c < 3; c++)
            CHECK(isnan(*assay_scores_cell(s, r, c)));
    assay_scores_free(s);
}

TEST(absent_scores_are_not_in_n)
{
    const double v[] = {1, NAN, 0.5};
    assay_scores *s = table(v, 3, ASSAY_AGG_MEAN);

    CHECK_INT(s->total[0].n, 2);
    CHECK_INT(s->total[0].absent, 1);
    CHECK_NEAR(s->total[0].value, (1 + 0.5) / 2, 0);
    assay_scores_free(s);
}

TEST(a_mean_of_nothing_is_absent_not_zero)
{
    const double v[] = {NAN, NAN};
    assay_scores *s = table(v, 2, ASSAY_AGG_MEAN);

    CHECK(isnan(s->total[0].value));
    CHECK(isnan(s->total[0].spread));
    CHECK_INT(s->total[0].n, 0);
    assay_scores_free(s);
}

/* Sample standard deviation of 1, 2, 4: mean 7/3, squares (16 + 1 + 25) / 9, over n - 1. */
TEST(spread_is_the_sample_standard_deviation)
{
    const double v[] = {1, 2, 4};
    const double one[] = {0.25};
    assay_scores *s = table(v, 3, ASSAY_AGG_MEAN);

    CHECK_NEAR(s->total[0].spread, sqrt((16 + 1 + 25) / 9.0 / 2), 1e-15);
    assay_scores_free(s);
    s = table(one, 1, ASSAY_AGG_MEAN);
    CHECK_NEAR(s->total[0].spread, 0, 0);
    assay_scores_free(s);
}

TEST(aggregates_do_what_their_names_say)
{
    const double v[] = {4, 1, 3, 2};
    const double z[] = {0, 1};

    CHECK_NEAR(total(v, 4, ASSAY_AGG_SUM), 10, 0);
    CHECK_NEAR(total(v, 4, ASSAY_AGG_COUNT), 4, 0);
    CHECK_NEAR(total(v, 4, ASSAY_AGG_MAX), 4, 0);
    CHECK_NEAR(total(v, 4, ASSAY_AGG_GEOMETRIC), pow(24, 0.25), 1e-14);
    /* A zero counts as 0.00001: exp((log(0.00001) + 0) / 2) = sqrt(0.00001). */
    CHECK_NEAR(total(z, 2, ASSAY_AGG_GEOMETRIC), sqrt(0.00001), 1e-16);
}

/* Place p (n - 1) of the sorted values, counted from 0: 1.5 of 1 2 3 4; 18.05 and 18.81
 * of 1 to 20. */
TEST(percentiles_lie_between_neighbours)
{
    const double v[] = {4, 1, 3, 2};
    const double one[] = {7};
    double twenty[20];

    for (int i = 0; i < 20; i++)
        twenty[i] = 20 - i;
    CHECK_NEAR(total(v, 4, ASSAY_AGG_P50), 2 + 0.5 * (3 - 2), 0);
    CHECK_NEAR(total(twenty, 20, ASSAY_AGG_P95), 19 + 0.05 * (20 - 19), 1e-14);
    CHECK_NEAR(total(twenty, 20, ASSAY_AGG_P99), 19 + 0.81 * (20 - 19), 1e-14);
    CHECK_NEAR(total(twenty, 20, ASSAY_AGG_MAX), 20, 0);
    CHECK_NEAR(total(one, 1, ASSAY_AGG_P99), 7, 0);
}

TEST(a_part_of_the_rows_can_be_added_up)
{
    const double v[] = {1, 2, NAN, 8};
    const bool keep[] = {true, false, true, true};
    double room[4];
    assay_scores *s = table(v, 4, ASSAY_AGG_MEAN);
    assay_total t = assay_scores_add(s, 0, keep, room);

    CHECK_INT(t.n, 2);
    CHECK_INT(t.absent, 1);
    CHECK_NEAR(t.value, 4.5, 0);
    assay_scores_free(s);
}

/* 1/3 -> 0.3333, 2/3 -> 0.6667, and a half goes away from zero on both sides. */
TEST(rounding_at_four_decimals_is_half_away_from_zero)
{
    CHECK_NEAR(assay_round4(1.0 / 3), 0.3333, 0);
    CHECK_NEAR(assay_round4(2.0 / 3), 0.6667, 0);
    CHECK_NEAR(assay_round4(0.00005), 0.0001, 0);
    CHECK_NEAR(assay_round4(-0.00005), -0.0001, 0);
}
