/* SPDX-License-Identifier: Apache-2.0 */
/* Order, duplicates and grades of a ranking. */
#include "testing.h"

#include "base/mem.h"
#include "base/slice.h"
#include "metric/judge.h"

/* Ids and scores as given; "" ends the list. */
static void fill(assay_judge *judge, const char *const *id, const double *score,
                 uint32_t n)
{
    CHECK(assay_judge_reserve(judge, n));
    judge->n = n;
    judge->has_given = false;
    for (uint32_t i = 0; i < n; i++)
        judge->ranked[i] =
            (assay_ranked){id[i], (uint32_t)strlen(id[i]), i, score ? score[i] : 0};
}

/* The ranking as "a b c". */
static const char *listed(const assay_judge *judge)
{
    static char text[400];
    size_t used = 0;

    text[0] = '\0';
    for (uint32_t i = 0; i < judge->n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s", i ? " " : "",
                                 (int)judge->ranked[i].len, judge->ranked[i].id);
    return text;
}

TEST(equal_scores_are_ordered_by_id_bytes_descending)
{
    static const char *const id[] = {"10", "9", "100", "b", "B"};
    static const double score[] = {1, 1, 1, 1, 2};
    assay_judge judge = {0};

    fill(&judge, id, score, 5);
    CHECK(assay_judge_order(&judge, ASSAY_ORDER_SCORE));
    CHECK_STR(listed(&judge), "B b 9 100 10");
    assay_judge_clear(&judge);
}

TEST(other_policies_order_ties_by_id_ascending_or_as_listed)
{
    static const char *const id[] = {"b", "a", "c", "top"};
    static const double score[] = {1, 1, 1, 2};
    assay_judge judge = {0};

    fill(&judge, id, score, 4);
    CHECK(assay_judge_order(&judge, ASSAY_ORDER_SCORE_UP));
    CHECK_STR(listed(&judge), "top a b c");
    fill(&judge, id, score, 4);
    CHECK(assay_judge_order(&judge, ASSAY_ORDER_STABLE));
    CHECK_STR(listed(&judge), "top b a c");
    fill(&judge, id, score, 4);
    CHECK(assay_judge_order(&judge, ASSAY_ORDER_LISTED));
    CHECK_STR(listed(&judge), "b a c top");
    assay_judge_clear(&judge);
}

TEST(scores_that_differ_only_as_double_tie_in_version_9)
{
    static const char *const id[] = {"a", "b"};
    static const double score[] = {1.00000001, 1.0};
    assay_judge judge = {0};

    fill(&judge, id, score, 2);
    CHECK(assay_judge_order(&judge, ASSAY_ORDER_SCORE));
    CHECK_STR(listed(&judge), "a b");
    fill(&judge, id, score, 2);
    CHECK(assay_judge_order(&judge, ASSAY_ORDER_FLOAT));
    CHECK_STR(listed(&judge), "b a");
    assay_judge_clear(&judge);
}

TEST(minus_zero_equals_zero_and_negative_scores_come_last)
{
    static const char *const id[] = {"n", "a", "b", "p"};
    static const double score[] = {-1.5, 0.0, -0.0, 1e-300};
    assay_judge judge = {0};

    fill(&judge, id, score, 4);
    CHECK(assay_judge_order(&judge, ASSAY_ORDER_SCORE));
    CHECK_STR(listed(&judge), "p b a n");
    assay_judge_clear(&judge);
}

static int by_score_then_id(const void *a, const void *b)
{
    const assay_ranked *x = a;
    const assay_ranked *y = b;

    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return -assay_slice_cmp((assay_slice){x->id, x->len}, (assay_slice){y->id, y->len});
}

TEST(sorting_agrees_with_qsort_on_random_rankings)
{
    enum { MOST = 700 };
    static char id[MOST][8];
    static assay_ranked plain[MOST];
    assay_judge judge = {0};
    uint32_t seed = 12345;

    for (int round = 0; round < 200; round++) {
        uint32_t n = (seed >> 8) % MOST + 1;

        CHECK(assay_judge_reserve(&judge, n));
        judge.n = n;
        judge.has_given = false;
        for (uint32_t i = 0; i < n; i++) {
            seed = seed * 1664525 + 1013904223;
            snprintf(id[i], sizeof id[i], "%u", i * 7919 % 1000);
            judge.ranked[i] = (assay_ranked){id[i], (uint32_t)strlen(id[i]), i,
                                             ((double)(seed >> 20) - 2000) / 3};
            plain[i] = judge.ranked[i];
        }
        qsort(plain, n, sizeof plain[0], by_score_then_id);
        CHECK(assay_judge_order(&judge, ASSAY_ORDER_SCORE));
        for (uint32_t i = 0; i < n; i++)
            CHECK(judge.ranked[i].index == plain[i].index);
    }
    assay_judge_clear(&judge);
}

TEST(the_first_of_duplicates_stays_and_ranks_close_up)
{
    static const char *const id[] = {"a", "b", "a", "c", "b", "a"};
    assay_judge judge = {0};

    fill(&judge, id, NULL, 6);
    CHECK_INT(assay_judge_duplicates(&judge, false), 2);
    fill(&judge, id, NULL, 6);
    CHECK_INT(assay_judge_duplicates(&judge, true), 3);
    CHECK_STR(listed(&judge), "a b c");
    CHECK_INT(assay_judge_duplicates(&judge, true), 0);
    assay_judge_clear(&judge);
}

static assay_grades grades_of(assay_arena *arena, const char *const *id,
                              const int32_t *grade, uint32_t n)
{
    assay_slice slice[16];
    assay_grades grades;

    for (uint32_t i = 0; i < n; i++)
        slice[i] = assay_slice_of(id[i]);
    CHECK(assay_grades_build(&grades, arena, slice, grade, n, NULL));
    return grades;
}

TEST(grades_are_laid_over_the_ranking)
{
    static const char *const id[] = {"a", "x", "b", "u", "n"};
    static const char *const judged[] = {"n", "b", "a", "u", "unseen"};
    static const int32_t grade[] = {0, 1, 3, -2, 2};
    const assay_look look = {.threshold = 1, .max_grade = 3};
    assay_judge judge = {0};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_grades grades = grades_of(&arena, judged, grade, 5);
    assay_judged q;

    fill(&judge, id, NULL, 5);
    CHECK_INT(assay_judge_duplicates(&judge, false), ASSAY_NONE);
    CHECK(assay_judge_look(&judge, &grades, &look, &q));

    CHECK_INT(q.n_ranked, 5);
    CHECK_INT(q.grade[0], 3);
    CHECK_INT(q.grade[1], ASSAY_UNPOOLED);
    CHECK_INT(q.grade[3], ASSAY_POOLED);
    CHECK_INT(q.n_rel_pos, 2);
    CHECK_INT(q.rel_pos[1], 2);
    CHECK_INT(q.n_pool_pos, 4);
    CHECK_INT(q.n_relevant, 3);
    CHECK_INT(q.n_nonrel, 1);
    CHECK_INT(q.n_pooled, 1);
    CHECK_INT(q.ideal[0], 3);
    CHECK_INT(q.ideal[3], 0);
    CHECK_NEAR(q.log2_rank[2], 2.0, 0); /* log2(4) */
    assay_judge_clear(&judge);
    assay_arena_clear(&arena);
}

TEST(judged_only_drops_what_nobody_judged_and_keeps_the_order)
{
    static const char *const id[] = {"x", "a", "u", "n"};
    static const char *const judged[] = {"n", "a", "u"};
    static const int32_t grade[] = {0, 1, -1};
    const assay_look look = {.threshold = 1, .judged_only = true, .max_grade = 1};
    assay_judge judge = {0};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_grades grades = grades_of(&arena, judged, grade, 3);
    assay_judged q;

    fill(&judge, id, NULL, 4);
    assay_judge_duplicates(&judge, false);
    CHECK(assay_judge_look(&judge, &grades, &look, &q));
    CHECK_INT(q.n_ranked, 2);
    CHECK_INT(q.grade[0], 1);
    CHECK_INT(q.grade[1], 0);
    assay_judge_clear(&judge);
    assay_arena_clear(&arena);
}

TEST(a_second_chunk_of_a_document_keeps_its_rank_and_gains_nothing)
{
    static const char *const doc[] = {"a", "a", "b"};
    static const char *const judged[] = {"a", "b"};
    static const int32_t grade[] = {1, 1};
    const assay_look look = {.threshold = 1, .mark_repeats = true, .max_grade = 1};
    assay_judge judge = {0};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_grades grades = grades_of(&arena, judged, grade, 2);
    assay_judged q;

    fill(&judge, doc, NULL, 3);
    assay_judge_hash(&judge);
    CHECK(assay_judge_look(&judge, &grades, &look, &q));
    CHECK_INT(q.n_ranked, 3);
    CHECK_INT(q.grade[1], ASSAY_REPEATED);
    CHECK_INT(q.n_rel_pos, 2);
    CHECK_INT(q.rel_pos[1], 2);
    assay_judge_clear(&judge);
    assay_arena_clear(&arena);
}

TEST(an_id_judged_twice_keeps_its_highest_grade)
{
    static const assay_slice id[] = {{"a", 1}, {"b", 1}, {"a", 1}};
    static const int32_t grade[] = {1, 0, 2};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_grades grades;
    uint32_t n_repeated;

    CHECK(assay_grades_build(&grades, &arena, id, grade, 3, &n_repeated));
    CHECK_INT(n_repeated, 1);
    CHECK_INT(grades.n, 2);
    CHECK_INT(grades.grade[assay_grades_find(&grades, "a", 1, assay_hash("a", 1))], 2);
    CHECK_INT(assay_grades_find(&grades, "c", 1, assay_hash("c", 1)), ASSAY_NONE);
    assay_arena_clear(&arena);
}

TEST(an_empty_ranking_and_no_judgments_are_fine)
{
    const assay_look look = {.threshold = 1, .max_grade = 1};
    assay_grades none = {0};
    assay_judge judge = {0};
    assay_judged q;

    CHECK(assay_judge_order(&judge, ASSAY_ORDER_SCORE));
    CHECK_INT(assay_judge_duplicates(&judge, true), 0);
    CHECK(assay_judge_look(&judge, &none, &look, &q));
    CHECK_INT(q.n_ranked, 0);
    CHECK_INT(q.n_relevant, 0);
    assay_judge_clear(&judge);
}
