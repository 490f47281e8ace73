/* SPDX-License-Identifier: Apache-2.0 */
#include "retrieve/fusion.h"

#include <math.h>

#include "base/slice.h"
#include "testing.h"

/* Items 7, 5, 3 and 5, 9. */
static const uint32_t item_a[] = {7, 5, 3};
static const double score_a[] = {4, 3, 2};
static const uint32_t item_b[] = {5, 9};
static const double score_b[] = {-1, -2};
static const assay_leg leg[] = {{item_a, score_a, 3}, {item_b, score_b, 2}};

static assay_fusion read_fusion(const char *spelling)
{
    assay_fusion f = {.method = NULL};

    CHECK_INT(assay_fusion_read(assay_slice_of(spelling), &f, NULL), ASSAY_OK);
    return f;
}

/* The score of `item`, NaN when it is not there. */
static double fused_score(const char *spelling, uint32_t item)
{
    assay_fusion f = read_fusion(spelling);
    assay_fuser fuser = {0};
    const assay_retrieved *out;
    double score = NAN;
    uint32_t n;

    CHECK(assay_fuse(&fuser, &f, leg, 2, &out, &n));
    CHECK_INT(n, 4);
    for (uint32_t i = 0; i < n; i++)
        if (out[i].passage == item)
            score = out[i].score;
    assay_fuser_clear(&fuser);
    return score;
}

TEST(rrf_adds_reciprocal_ranks)
{
    CHECK_NEAR(fused_score("rrf", 5), 1.0 / 62 + 1.0 / 61, 0);
    CHECK_NEAR(fused_score("rrf(k=0)", 7), 1.0, 0);
    CHECK_NEAR(fused_score("rrf(k=60,weights=0.4:0.6)", 5), 0.4 / 62 + 0.6 / 61, 0);
}

TEST(evalvault_recorded_fusion_of_three_legs_is_reproduced)
{
    /* graph: 1, 2; bm25: 2, 1; dense: 1, 2, with weights .7 .15 .15 */
    static const uint32_t one_two[] = {1, 2};
    static const uint32_t two_one[] = {2, 1};
    static const double s[] = {1, 0};
    const assay_leg legs[] = {{one_two, s, 2}, {two_one, s, 2}, {one_two, s, 2}};
    assay_fusion f = read_fusion("rrf(weights=0.7:0.15:0.15)");
    assay_fuser fuser = {0};
    const assay_retrieved *out;
    uint32_t n;

    CHECK(assay_fuse(&fuser, &f, legs, 3, &out, &n));
    CHECK_INT(n, 2);
    CHECK_NEAR(out[0].score, 0.016353781068217874, 0);
    CHECK_NEAR(out[1].score, 0.01616869381279746, 0);
    assay_fuser_clear(&fuser);
}

TEST(normalisations_are_as_their_names_say)
{
    double mean = 3;
    double deviation = sqrt(2.0 / 3);

    /* a: 4 3 2 -> 1 .5 0; b: -1 -2 -> 1 0 */
    CHECK_NEAR(fused_score("wsum", 5), 0.5 + 1, 1e-15);
    CHECK_NEAR(fused_score("combsum(norm=max)", 5), 3.0 / 4 - 1.0 / 2, 1e-15);
    CHECK_NEAR(fused_score("combsum(norm=none)", 5), 3 - 1, 1e-15);
    CHECK_NEAR(fused_score("combsum(norm=rank)", 5), 2.0 / 3 + 1, 1e-15);
    CHECK_NEAR(fused_score("combmnz", 5), 2 * 1.5, 1e-15);
    CHECK_NEAR(fused_score("combmnz", 7), 1 * 1.0, 1e-15);
    /* 9 is not in a, where the lowest is 2; in b it is -1 deviation from the mean */
    CHECK_NEAR(fused_score("wsum(norm=zscore)", 9), (2 - mean) / deviation - 1, 1e-15);
    CHECK_NEAR(fused_score("wsum(norm=zscore)", 7), (4 - mean) / deviation - 1, 1e-15);
}

TEST(equal_scores_of_a_leg_are_all_its_best)
{
    static const double same[] = {2, 2, 2};
    const assay_leg one = {item_a, same, 3};
    assay_fusion f = read_fusion("wsum");
    assay_fuser fuser = {0};
    const assay_retrieved *out;
    uint32_t n;

    CHECK(assay_fuse(&fuser, &f, &one, 1, &out, &n));
    CHECK_INT(n, 3);
    /* ties: the higher item first */
    CHECK(out[0].passage == 7 && out[1].passage == 5 && out[2].passage == 3);
    CHECK(out[0].score == 1 && out[2].score == 1);
    assay_fuser_clear(&fuser);
}

TEST(a_fused_hit_keeps_its_rank_and_score_in_each_leg)
{
    assay_fusion f = read_fusion("rrf");
    assay_fuser fuser = {0};
    const assay_retrieved *out;
    uint32_t n;

    CHECK(assay_fuse(&fuser, &f, leg, 2, &out, &n));
    CHECK_INT(out[0].passage, 5);
    CHECK(out[0].leg_rank[0] == 2 && out[0].leg_rank[1] == 1);
    CHECK(out[0].leg_score[0] == 3 && out[0].leg_score[1] == -1);
    CHECK_INT(out[n - 1].passage, 3);
    CHECK(out[n - 1].leg_rank[0] == 3 && out[n - 1].leg_rank[1] == 0);
    assay_fuser_clear(&fuser);
}

TEST(nothing_fuses_to_nothing)
{
    const assay_leg none[] = {{item_a, score_a, 0}, {item_b, score_b, 0}};
    assay_fusion f = read_fusion("wsum(norm=zscore)");
    assay_fuser fuser = {0};
    const assay_retrieved *out;
    uint32_t n;

    CHECK(assay_fuse(&fuser, &f, none, 2, &out, &n));
    CHECK_INT(n, 0);
    CHECK(assay_fuse(&fuser, &f, none, 0, &out, &n));
    CHECK_INT(n, 0);
    assay_fuser_clear(&fuser);
}

TEST(wrong_fusions_are_refused_with_the_reason)
{
    static const struct {
        const char *text;
        const char *want;
    } bad[] = {
        {"borda", "no fusion called 'borda'; there are rrf, wsum, combsum, combmnz"},
        {"rrf(norm=max)", "fusion 'rrf' has no parameter 'norm'"},
        {"rrf(weights=1:x)", "fusion weight 'x' is not a number from 0 to 1000000"},
        {"rrf(weights=1:-1)", "fusion weight '-1' is not a number from 0 to 1000000"},
        {"rrf(weights=1:1:1:1:1:1:1:1:1)", "fusion takes at most 8 weights"},
        {"rrf:x", "fusion 'rrf' takes nothing after a colon"},
    };
    assay_fusion f = read_fusion("rrf(weights=1:2)");
    assay_error err;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assay_fusion none;

        CHECK_INT(assay_fusion_read(assay_slice_of(bad[i].text), &none, &err),
                  ASSAY_EUSAGE);
        CHECK_STR(err.text, bad[i].want);
    }
    CHECK_INT(assay_fusion_check(&f, 3, &err), ASSAY_EUSAGE);
    CHECK_STR(err.text, "fusion has 2 weights for 3 legs");
}

TEST(a_fusion_prints_as_it_reads)
{
    assay_fusion f = read_fusion("rrf(weights=0.4:0.6)");
    assay_buffer out = ASSAY_BUFFER_EMPTY;

    assay_fusion_print(&f, &out);
    assay_buffer_char(&out, '\0');
    CHECK_STR(out.ptr, "rrf(k=60,weights=0.4:0.6)");
    assay_buffer_clear(&out);
}
