/* SPDX-License-Identifier: Apache-2.0 */
/* Section 5 of docs/SEMANTICS.md, one test for each cell of its table, each mode and each
 * note. */
#include "comparing_scene.h"

/* One query with two expected chunks. */
#define TWO_CHUNKS           \
    "version: 1\nqueries:\n" \
    "  - {id: q, query: x, relevant: [{chunk: c1, doc: d1}, {chunk: c2, doc: d2}]}\n"

/* A result whose hits are these chunks, in order. */
#define HIT(c)       "{\"chunk_id\":\"" c "\",\"doc_id\":\"" c "-doc\"}"
#define RESULT(q, h) "{\"query_id\":\"" q "\",\"hits\":[" h "]}\n"

static scene compare(const char *golden, const char *a, const char *b)
{
    scene s = scene_of(golden, a, b);

    scene_compare(&s);
    return s;
}

/* ---- the table ---- */

TEST(nothing_then_a_hit_is_a_win_without_a_note)
{
    scene s =
        compare(TWO_CHUNKS, RESULT("q", HIT("x")), RESULT("q", HIT("c1") "," HIT("x")));

    CHECK_QUERY(&s, "q", "win", 0, 1, "");
    scene_done(&s);
}

TEST(a_hit_then_nothing_is_a_regression)
{
    scene s =
        compare(TWO_CHUNKS, RESULT("q", HIT("c1") "," HIT("x")), RESULT("q", HIT("x")));

    CHECK_QUERY(&s, "q", "regression", 1, 0, "hit→miss");
    scene_done(&s);
}

TEST(equal_ranks_are_a_draw_without_a_note)
{
    scene s = compare(TWO_CHUNKS, RESULT("q", HIT("x") "," HIT("c1")),
                      RESULT("q", HIT("x") "," HIT("c1")));

    CHECK_QUERY(&s, "q", "draw", 2, 2, "");
    CHECK_INT(s.c->pair[0].verdict, ASSAY_VERDICT_SAME);
    scene_done(&s);
}

TEST(a_better_rank_is_a_win_with_both_ranks)
{
    scene s = compare(TWO_CHUNKS, RESULT("q", HIT("x") "," HIT("y") "," HIT("c1")),
                      RESULT("q", HIT("c1") "," HIT("x") "," HIT("y")));

    CHECK_QUERY(&s, "q", "win", 3, 1, "rank 3→1");
    scene_done(&s);
}

TEST(a_worse_rank_is_a_loss_with_both_ranks)
{
    scene s = compare(TWO_CHUNKS, RESULT("q", HIT("c1") "," HIT("x")),
                      RESULT("q", HIT("x") "," HIT("c1")));

    CHECK_QUERY(&s, "q", "loss", 1, 2, "rank 1→2");
    scene_done(&s);
}

TEST(two_misses_are_a_draw_and_need_no_note)
{
    scene s =
        compare(TWO_CHUNKS, RESULT("q", HIT("x")), RESULT("q", HIT("x") "," HIT("y")));

    CHECK_QUERY(&s, "q", "draw", 0, 0, "");
    scene_done(&s);
}

/* ---- what a first rank hides ---- */

TEST(a_draw_by_different_judgments_says_what_was_lost_and_found)
{
    scene s = compare(TWO_CHUNKS, RESULT("q", HIT("c1") "," HIT("x")),
                      RESULT("q", HIT("c2") "," HIT("x")));
    const assay_query_change *q = scene_query(&s, "q");

    CHECK_QUERY(&s, "q", "draw", 1, 1, "`c1` lost, `c2` found");
    CHECK_INT(q->n_lost, 1);
    CHECK_INT(q->n_found, 1);
    CHECK(s.c->pair[0].verdict != ASSAY_VERDICT_SAME);
    scene_done(&s);
}

TEST(a_draw_that_lost_its_second_judgment_says_so)
{
    scene s = compare(TWO_CHUNKS, RESULT("q", HIT("c1") "," HIT("c2")),
                      RESULT("q", HIT("c1") "," HIT("x")));

    CHECK_QUERY(&s, "q", "draw", 1, 1, "`c2` lost");
    scene_done(&s);
}

TEST(a_draw_that_only_found_more_says_so)
{
    scene s = compare(TWO_CHUNKS, RESULT("q", HIT("c1") "," HIT("x")),
                      RESULT("q", HIT("c1") "," HIT("c2")));

    CHECK_QUERY(&s, "q", "draw", 1, 1, "`c2` found");
    scene_done(&s);
}

TEST(a_win_that_lost_a_judgment_says_so_behind_its_ranks)
{
    scene s = compare(TWO_CHUNKS, RESULT("q", HIT("x") "," HIT("c1")),
                      RESULT("q", HIT("c2") "," HIT("x")));

    CHECK_QUERY(&s, "q", "win", 2, 1, "rank 2→1; `c1` lost");
    scene_done(&s);
}

/* ---- depth ---- */

TEST(a_hit_beyond_the_depth_is_a_miss_that_the_note_names)
{
    scene s = scene_of(TWO_CHUNKS, RESULT("q", HIT("c1") "," HIT("x") "," HIT("y")),
                       RESULT("q", HIT("x") "," HIT("y") "," HIT("c1")));

    s.settings.depth = 2;
    scene_compare(&s);
    CHECK_QUERY(&s, "q", "regression", 1, 0,
                "hit→miss; b at rank 3, beyond the depth of 2");
    scene_done(&s);
}

TEST(a_win_from_beyond_the_depth_names_where_it_was)
{
    scene s = scene_of(TWO_CHUNKS, RESULT("q", HIT("x") "," HIT("y") "," HIT("c1")),
                       RESULT("q", HIT("c1") "," HIT("x") "," HIT("y")));

    s.settings.depth = 2;
    scene_compare(&s);
    CHECK_QUERY(&s, "q", "win", 0, 1, "a at rank 3, beyond the depth of 2");
    scene_done(&s);
}

TEST(two_hits_beyond_the_depth_are_a_draw_that_names_both)
{
    scene s = scene_of(TWO_CHUNKS, RESULT("q", HIT("x") "," HIT("y") "," HIT("c1")),
                       RESULT("q", HIT("x") "," HIT("c1") "," HIT("y")));

    s.settings.depth = 1;
    scene_compare(&s);
    CHECK_QUERY(&s, "q", "draw", 0, 0, "a at rank 3, b at rank 2, beyond the depth of 1");
    scene_done(&s);
}

TEST(the_depth_is_the_smaller_k_of_the_runs)
{
    scene s = scene_of(TWO_CHUNKS, RESULT("q", HIT("x") "," HIT("y") "," HIT("c1")),
                       RESULT("q", HIT("x") "," HIT("y") "," HIT("c1")));

    s.snapshot[0].k = 10;
    s.snapshot[1].k = 2;
    scene_compare(&s);
    CHECK_INT(s.c->depth, 2);
    scene_done(&s);

    s = scene_of(TWO_CHUNKS, RESULT("q", HIT("x") "," HIT("y") "," HIT("c1")),
                 RESULT("q", HIT("x") "," HIT("c1")));
    scene_compare(&s); /* nobody says: the shorter of the longest lists */
    CHECK_INT(s.c->depth, 2);
    scene_done(&s);
}

/* ---- reasons ---- */

#define REASONS                                           \
    "version: 1\nqueries:\n"                              \
    "  - {id: bare, query: x}\n"                          \
    "  - {id: good, query: x, relevant: [{chunk: c1}]}\n" \
    "  - {id: none, query: x, relevant: []}\n"            \
    "  - {id: refuse, query: x, should_refuse: true}\n"   \
    "  - {id: zero, query: x, relevant: [{chunk: c9, grade: 0}]}\n"

TEST(a_draw_of_nothing_says_why_where_there_is_a_reason)
{
    scene s = compare(REASONS,
                      RESULT("good", HIT("c1")) RESULT("bare", HIT("c1"))
                          RESULT("none", HIT("c1")) RESULT("refuse", HIT("c1")),
                      RESULT("good", HIT("c1")) RESULT("bare", HIT("c1"))
                          RESULT("none", HIT("c1")) RESULT("refuse", HIT("c1")));

    CHECK_QUERY(&s, "good", "draw", 1, 1, "");
    CHECK_QUERY(&s, "bare", "draw", 0, 0, "not labelled");
    CHECK_QUERY(&s, "none", "draw", 0, 0, "not labelled: nothing relevant exists");
    CHECK_QUERY(&s, "refuse", "draw", 0, 0, "not labelled: should refuse");
    scene_done(&s);
}

TEST(a_query_that_a_run_lacks_stays_in_as_a_miss_and_says_so)
{
    scene s = compare(REASONS, RESULT("good", HIT("c1")), RESULT("bare", HIT("x")));

    CHECK_QUERY(&s, "good", "regression", 1, 0, "hit→miss; not in run b");
    CHECK_QUERY(&s, "bare", "draw", 0, 0, "not labelled; not in run a");
    CHECK_QUERY(&s, "refuse", "draw", 0, 0,
                "not labelled: should refuse; neither in run a nor in run b");
    /* The mean falls with it: 1 of 1 before, 0 of 1 now. */
    CHECK_NEAR(scene_delta(&s, "mrr")->delta, -1.0, 1e-15);
    scene_done(&s);
}

TEST(a_failed_query_is_a_miss_that_names_its_error)
{
    scene s = compare(REASONS, RESULT("good", HIT("c1")),
                      "{\"query_id\":\"good\",\"hits\":[],\"error\":\"timed out\"}\n");

    CHECK_QUERY(&s, "good", "regression", 1, 0, "hit→miss; failed in run b: timed out");
    scene_done(&s);
}

TEST(a_query_that_failed_before_is_a_win_that_says_so)
{
    scene s = compare(REASONS, "{\"query_id\":\"good\",\"hits\":[],\"error\":\"boom\"}\n",
                      RESULT("good", HIT("c1")));

    CHECK_QUERY(&s, "good", "win", 0, 1, "failed in run a: boom");
    scene_done(&s);
}

/* ---- the core ---- */

#define CORE_A                                                           \
    "version: 1\nqueries:\n"                                             \
    "  - {id: changed, query: x, relevant: [{chunk: c1}]}\n"             \
    "  - {id: draft, query: x, relevant: [{chunk: c1}], state: draft}\n" \
    "  - {id: old, query: x, relevant: [{chunk: c1}]}\n"                 \
    "  - {id: same, query: x, relevant: [{chunk: c1}, {chunk: c2}]}\n"

/* `same` has its judgments in another order: they say the same. */
#define CORE_B                                                           \
    "version: 1\nqueries:\n"                                             \
    "  - {id: same, query: x, relevant: [{chunk: c2}, {chunk: c1}]}\n"   \
    "  - {id: new, query: x, relevant: [{chunk: c1}]}\n"                 \
    "  - {id: draft, query: x, relevant: [{chunk: c1}], state: draft}\n" \
    "  - {id: changed, query: x, relevant: [{chunk: c1}, {chunk: c7}]}\n"

TEST(the_core_leaves_out_what_is_judged_differently_or_was_never_asked)
{
    scene s = {.status = ASSAY_OK};

    scene_add(&s, CORE_A,
              RESULT("same", HIT("c1")) RESULT("changed", HIT("c1"))
                  RESULT("old", HIT("c1")) RESULT("stray", HIT("c1")));
    scene_add(&s, CORE_B, RESULT("same", HIT("c1")) RESULT("changed", HIT("x")));
    scene_compare(&s);
    CHECK_INT(s.c->core.n, 1);
    CHECK_QUERY(&s, "same", "draw", 1, 1, "");
    CHECK_INT(s.c->core.n_excluded, 4);
    CHECK_STR(scene_why(&s, "changed"), "judged differently");
    CHECK_STR(scene_why(&s, "new"), "not in the golden set of run a");
    CHECK_STR(scene_why(&s, "old"), "not in the golden set of run b");
    CHECK_STR(scene_why(&s, "stray"), "not in the golden set");
    CHECK(scene_why(&s, "draft") == NULL);
    CHECK_INT(scene_delta(&s, "mrr")->n, 1);
    scene_done(&s);
}

TEST(judgments_in_another_order_are_found_again)
{
    scene s = {.status = ASSAY_OK};

    scene_add(&s, CORE_A, RESULT("same", HIT("c1") "," HIT("x")));
    scene_add(&s, CORE_B, RESULT("same", HIT("c2") "," HIT("c1")));
    scene_compare(&s);
    CHECK_QUERY(&s, "same", "draw", 1, 1, "`c2` found");
    scene_done(&s);
}

TEST(a_query_outside_the_plan_of_a_run_is_left_out)
{
    static assay_slice plan[] = {{"good", 4}};
    scene s = scene_of(REASONS, RESULT("good", HIT("c1")) RESULT("bare", HIT("x")),
                       RESULT("good", HIT("c1")));

    s.snapshot[1].is_part = true;
    s.snapshot[1].plan = plan;
    s.snapshot[1].n_plan = 1;
    scene_compare(&s);
    CHECK_INT(s.c->core.n, 1);
    CHECK_STR(scene_why(&s, "bare"), "not in the plan of run b");
    scene_done(&s);
}

TEST(a_golden_set_of_today_measures_only_what_the_run_was_made_for)
{
    scene s = scene_of(REASONS, RESULT("good", HIT("c1")), RESULT("good", HIT("c1")));
    assay_golden *old =
        scene_golden("version: 1\nqueries:\n  - {id: good, query: x, relevant: [{chunk: "
                     "c1}]}\n");

    s.side[0].planned = old;
    scene_compare(&s);
    CHECK_INT(s.c->core.n, 1);
    CHECK_STR(scene_why(&s, "refuse"), "not in the plan of run a");
    scene_done(&s);
    assay_golden_free(old);
}

TEST(runs_without_a_common_core_are_refused_with_the_reason)
{
    scene s = {.status = ASSAY_OK};

    scene_add(&s,
              "version: 1\nqueries:\n  - {id: p, query: x, relevant: [{chunk: c1}]}\n",
              RESULT("p", HIT("c1")));
    scene_add(&s,
              "version: 1\nqueries:\n  - {id: q, query: x, relevant: [{chunk: c1}]}\n",
              RESULT("q", HIT("c1")));
    scene_try(&s);
    CHECK_INT(s.status, ASSAY_EINPUT);
    CHECK(strncmp(s.err.text, "incomparable: ", 14) == 0);
    CHECK(s.c == NULL);
    scene_done(&s);
}

/* ---- what else differs ---- */

static bool differs(const scene *s, const char *what, const char *a, const char *b)
{
    const assay_run_pair *p = &s->c->pair[0];

    for (uint32_t i = 0; i < p->n_differs; i++)
        if (strcmp(p->differs[i].what, what) == 0)
            return assay_slice_is(p->differs[i].a, a) &&
                   assay_slice_is(p->differs[i].b, b);
    return false;
}

TEST(every_difference_of_the_snapshots_is_named)
{
    scene s = scene_of(TWO_CHUNKS, RESULT("q", HIT("c1")), RESULT("q", HIT("c1")));

    s.snapshot[0] = (assay_snapshot){.method = ASSAY_LIT("bm25"),
                                     .chunker = ASSAY_LIT("md-v1"),
                                     .policy_hash = ASSAY_LIT("p1"),
                                     .embedder = ASSAY_LIT("lsa"),
                                     .model = ASSAY_LIT("m1"),
                                     .prompt = ASSAY_LIT("v1"),
                                     .golden_hash = ASSAY_LIT("0123456789abcdef"),
                                     .corpus_hash = ASSAY_LIT("c1"),
                                     .conventions = ASSAY_LIT("assay"),
                                     .k = 10,
                                     .depth = 100};
    s.snapshot[1] = (assay_snapshot){.method = ASSAY_LIT("hybrid"),
                                     .chunker = ASSAY_LIT("md-v1"),
                                     .policy_hash = ASSAY_LIT("p1"),
                                     .model = ASSAY_LIT("m2"),
                                     .prompt = ASSAY_LIT("v2"),
                                     .golden_hash = ASSAY_LIT("f123456789abcdef"),
                                     .corpus_hash = ASSAY_LIT("c2"),
                                     .conventions = ASSAY_LIT("kebab"),
                                     .k = 5,
                                     .depth = 50};
    scene_compare(&s);
    CHECK(differs(&s, "method", "bm25", "hybrid"));
    CHECK(differs(&s, "embedder", "lsa", ""));
    CHECK(differs(&s, "model", "m1", "m2"));
    CHECK(differs(&s, "prompt", "v1", "v2"));
    CHECK(differs(&s, "golden", "0123456789ab", "f123456789ab"));
    CHECK(differs(&s, "corpus", "c1", "c2"));
    CHECK(differs(&s, "k", "10", "5"));
    CHECK(differs(&s, "depth", "100", "50"));
    CHECK(differs(&s, "conventions", "assay", "kebab"));
    CHECK(!differs(&s, "chunker", "md-v1", "md-v1"));
    CHECK_INT(s.c->pair[0].n_differs, 9);
    CHECK_STR(assay_match_word(s.c->matching.match), "exact");
    scene_done(&s);
}

/* ---- deltas ---- */

TEST(a_rise_of_what_should_be_low_is_worse)
{
    scene s = scene_of(TWO_CHUNKS, RESULT("q", HIT("c1")), RESULT("q", ""));
    static const char *const measure[] = {"empty_result_rate,mrr,num_ret"};

    s.settings.measure = measure;
    s.settings.n_measures = 1;
    scene_compare(&s);
    CHECK_NEAR(scene_delta(&s, "empty_result_rate")->delta, 1.0, 0);
    CHECK_INT(scene_delta(&s, "empty_result_rate")->direction, -1);
    CHECK_INT(scene_delta(&s, "mrr")->direction, -1);
    CHECK_INT(scene_delta(&s, "num_ret")->direction, 0);
    scene_done(&s);
}

TEST(a_delta_without_a_value_is_absent)
{
    scene s = scene_of(TWO_CHUNKS, RESULT("q", HIT("c1")), RESULT("q", HIT("c1")));
    static const char *const measure[] = {"refusal_correctness"};

    s.settings.measure = measure;
    s.settings.n_measures = 1;
    scene_compare(&s);
    CHECK(isnan(scene_delta(&s, "refusal_correctness")->delta));
    CHECK(isnan(scene_delta(&s, "refusal_correctness")->p));
    CHECK_INT(scene_delta(&s, "refusal_correctness")->n, 0);
    scene_done(&s);
}

TEST(judged_shares_of_both_runs_stand_beside_each_measure)
{
    scene s =
        compare("version: 1\nqueries:\n"
                "  - {id: q, query: x, relevant: [{chunk: c1}, {chunk: c2, grade: 0}]}\n",
                RESULT("q", HIT("c1") "," HIT("c2")),
                RESULT("q", HIT("c1") "," HIT("x") "," HIT("y")));

    CHECK_INT(scene_delta(&s, "hit@3")->judged_k, 3);
    CHECK_NEAR(scene_delta(&s, "hit@3")->judged_a, 2.0 / 2, 1e-15);
    CHECK_NEAR(scene_delta(&s, "hit@3")->judged_b, 1.0 / 3, 1e-15);
    CHECK_INT(scene_delta(&s, "mrr")->judged_k, 2); /* the compare depth */
    scene_done(&s);
}

TEST(deltas_and_statistics_are_those_of_the_paired_scores)
{
    /* Reciprocal ranks: a 1, 1/2, 1/3; b 1/2, 1/2, 1: differences -1/2, 0, 2/3. */
    static const char g[] = "version: 1\nqueries:\n"
                            "  - {id: p, query: x, relevant: [{chunk: c1}]}\n"
                            "  - {id: q, query: x, relevant: [{chunk: c1}]}\n"
                            "  - {id: r, query: x, relevant: [{chunk: c1}]}\n";
    scene s =
        compare(g,
                RESULT("p", HIT("c1") "," HIT("x")) RESULT("q", HIT("x") "," HIT("c1"))
                    RESULT("r", HIT("x") "," HIT("y") "," HIT("c1")),
                RESULT("p", HIT("x") "," HIT("c1")) RESULT("q", HIT("x") "," HIT("c1"))
                    RESULT("r", HIT("c1") "," HIT("x")));
    const assay_delta *d = scene_delta(&s, "mrr");

    CHECK_NEAR(d->a, (1 + 1 / 2.0 + 1 / 3.0) / 3, 1e-15);
    CHECK_NEAR(d->b, (1 / 2.0 + 1 / 2.0 + 1) / 3, 1e-15);
    CHECK_NEAR(d->delta, (-1 / 2.0 + 2 / 3.0) / 3, 1e-15);
    CHECK_INT(d->n_up, 1);
    CHECK_INT(d->n_down, 1);
    /* Of the four signs of (1/2, 2/3) the sums are 7/6, 1/6, -1/6, -7/6: all are as far
     * from 0 as 1/6. */
    CHECK_NEAR(d->p, 1.0, 1e-15);
    CHECK(d->is_exact);
    CHECK(d->low <= d->delta && d->delta <= d->high);
    CHECK(d->p_corrected >= d->p);
    scene_done(&s);
}

TEST(the_same_seed_gives_the_same_bits_on_any_number_of_threads)
{
    char a[4096] = "";
    char b[4096] = "";
    char g[4096] = "version: 1\nqueries:\n";
    double low[2];
    double p[2];

    for (int i = 0; i < 30; i++) {
        char line[200];

        snprintf(line, sizeof line, "  - {id: q%02d, query: x, relevant: [{chunk: c}]}\n",
                 i);
        strncat(g, line, sizeof g - strlen(g) - 1);
        snprintf(line, sizeof line, "{\"query_id\":\"q%02d\",\"hits\":[%s]}\n", i,
                 i % 3 ? HIT("c") "," HIT("x") : HIT("x") "," HIT("c"));
        strncat(a, line, sizeof a - strlen(a) - 1);
        snprintf(line, sizeof line, "{\"query_id\":\"q%02d\",\"hits\":[%s]}\n", i,
                 i % 5 ? HIT("x") "," HIT("c") : HIT("c") "," HIT("x"));
        strncat(b, line, sizeof b - strlen(b) - 1);
    }
    for (uint32_t i = 0; i < 2; i++) {
        scene s = scene_of(g, a, b);

        s.settings.eval.n_threads = i ? 4 : 1;
        s.settings.seed = 7;
        scene_compare(&s);
        low[i] = scene_delta(&s, "mrr")->low;
        p[i] = scene_delta(&s, "mrr")->p;
        scene_done(&s);
    }
    CHECK(memcmp(&low[0], &low[1], sizeof low[0]) == 0);
    CHECK(memcmp(&p[0], &p[1], sizeof p[0]) == 0);
}

/* ---- verdicts ---- */

/* n queries that hit at `rank_a` in a and at `rank_b` in b. */
static scene many(int n, int rank_a, int rank_b)
{
    static char g[20000];
    static char a[40000];
    static char b[40000];
    size_t at_g = (size_t)snprintf(g, sizeof g, "version: 1\nqueries:\n");
    size_t at_a = 0;
    size_t at_b = 0;

    for (int i = 0; i < n; i++) {
        at_g +=
            (size_t)snprintf(g + at_g, sizeof g - at_g,
                             "  - {id: q%03d, query: x, relevant: [{chunk: c}]}\n", i);
        at_a += (size_t)snprintf(
            a + at_a, sizeof a - at_a, "{\"query_id\":\"q%03d\",\"hits\":[%s]}\n", i,
            rank_a == 1 ? HIT("c") "," HIT("x") : HIT("x") "," HIT("c"));
        at_b += (size_t)snprintf(
            b + at_b, sizeof b - at_b, "{\"query_id\":\"q%03d\",\"hits\":[%s]}\n", i,
            rank_b == 1 ? HIT("c") "," HIT("x") : HIT("x") "," HIT("c"));
    }
    return compare(g, a, b);
}

TEST(a_verdict_of_better_needs_proof)
{
    scene s = many(12, 2, 1); /* all signs alike: p = 2 / 2^12 */

    CHECK_STR(assay_verdict_word(s.c->pair[0].verdict), "better");
    CHECK_NEAR(scene_delta(&s, "mrr")->p, 2.0 / 4096, 1e-15);
    CHECK(strstr(s.c->pair[0].sentence, "new is better than old: ") ==
          s.c->pair[0].sentence);
    CHECK(strstr(s.c->pair[0].sentence,
                 "12 wins, 0 losses, 0 regressions, 0 draws over 12 queries"));
    scene_done(&s);

    s = many(3, 2, 1); /* p = 2 / 2^3 */
    CHECK_STR(assay_verdict_word(s.c->pair[0].verdict), "unproved");
    scene_done(&s);
}

TEST(a_verdict_of_worse_names_the_measure)
{
    scene s = many(12, 1, 2);

    CHECK_STR(assay_verdict_word(s.c->pair[0].verdict), "worse");
    CHECK(strstr(s.c->pair[0].sentence, "got worse beyond chance"));
    scene_done(&s);
}

/* ---- three runs ---- */

TEST(three_runs_are_held_against_the_first_and_all_pairs_tested)
{
    scene s = scene_of(TWO_CHUNKS, RESULT("q", HIT("c1")), RESULT("q", HIT("x")));

    scene_add(&s, NULL, RESULT("q", HIT("x") "," HIT("c1")));
    scene_compare(&s);
    CHECK_INT(s.c->n_pairs, 2);
    CHECK_STR(assay_kind_word(s.c->pair[0].query[0].kind), "regression");
    /* At depth 1, the smallest of the three. */
    CHECK_STR(s.c->pair[1].query[0].note, "hit→miss; c at rank 2, beyond the depth of 1");
    CHECK(s.c->tukey != NULL && s.c->tukey[0] != NULL);
    CHECK_NEAR(s.c->tukey[0][0], 1.0, 0); /* a run against itself */
    /* One family: all measures of both comparisons. */
    CHECK_INT(s.c->n_family, 2 * scene_delta(&s, "mrr")->n * s.c->n_measures);
    scene_done(&s);
}
