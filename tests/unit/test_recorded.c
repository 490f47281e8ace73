/* SPDX-License-Identifier: Apache-2.0 */
/* Values that bob and evalvault recorded. */
#include "compare/recorded.h"

#include "base/slice.h"
#include "pipeline/comparing.h"
#include "testing.h"

static assay_error err;

static assay_recorded_run *parse(const char *text)
{
    assay_recorded_run *run = NULL;

    CHECK(assay_recorded_is(assay_slice_of(text)));
    if (assay_recorded_parse("file", assay_slice_of(text), &run, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return run;
}

static void check_bad(const char *text, const char *words)
{
    assay_recorded_run *run = NULL;

    CHECK_INT(assay_recorded_parse("file", assay_slice_of(text), &run, &err),
              ASSAY_EINPUT);
    CHECK(run == NULL);
    CHECK_STR(err.text, words);
}

TEST(what_is_no_such_file_is_not_taken_for_one)
{
    CHECK(!assay_recorded_is(ASSAY_LIT("{\"query_id\":\"q\",\"hits\":[]}")));
    CHECK(!assay_recorded_is(ASSAY_LIT("[{\"test_case_id\": 1}]")));
    CHECK(!assay_recorded_is(ASSAY_LIT("")));
}

TEST(exported_runs_of_evalvault_are_read)
{
    assay_recorded_run *run =
        parse("{\"run_id\":\"r\",\"results\":[{\"test_case_id\":\"t\",\"metrics\":[{"
              "\"name\":\"m\",\"score\":0.5},{\"name\":\"x\",\"score\":null}]}]}");

    CHECK_INT(run->queries.n, 1);
    CHECK_INT(run->metrics.n, 1);
    CHECK_NEAR(run->value[0], 0.5, 0);
    CHECK(assay_slice_is(run->name, "r"));
    assay_recorded_free(run);
}

TEST(malformed_files_are_refused_with_their_line)
{
    check_bad("{\"cases\":[{\"scores\":{}}]}",
              "file:1: 'test_case_id' must be a string or a whole number");
    check_bad("{\"cases\":[{\"test_case_id\":\"t\"}]}",
              "file:1: a case without an object 'scores'");
    check_bad("{\"cases\":[\n{\"test_case_id\":\"t\",\"scores\":{\"m\":\"high\"}}]}",
              "file:2: 'm' must be a number, not a string");
    check_bad("{\"cases\":[{\"test_case_id\":\"t\",\"scores\":{}},\n"
              "{\"test_case_id\":\"t\",\"scores\":{}}]}",
              "file:2: query 't' stands here twice");
    check_bad("{\"other\":[]}",
              "file:1: no recorded scores: want 'per_query', 'cases' or 'results'");
}

/* ---- bob ---- */

#define BOB(recall, k, passed)                                                           \
    "{\"recall_mean\":" recall ",\"precision_mean\":0.5,\"mrr_mean\":0.5,\"k\":" k ","   \
    "\"per_query\":[{\"id\":1,\"recall\":1,\"precision\":1,\"mrr\":1,\"passed\":" passed \
    "}]}"

static assay_bob_comparison bob(const char *baseline, const char *current,
                                double tolerance, assay_arena *arena)
{
    assay_recorded_run *a = parse(baseline);
    assay_recorded_run *b = parse(current);
    assay_bob_comparison c;

    if (assay_bob_compare(a, b, tolerance, arena, &c, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    /* Notes are copies, the names of queries are not. */
    assay_recorded_free(a);
    assay_recorded_free(b);
    return c;
}

TEST(limits_are_decimal)
{
    static const struct {
        const char *baseline;
        const char *current;
        double tolerance;
        bool has_passed;
    } cases[] = {
        {BOB("0.80", "5", "true"), BOB("0.75", "5", "true"), 0.05, true},
        {BOB("0.80", "5", "true"), BOB("0.7499", "5", "true"), 0.05, false},
        {BOB("0.30", "5", "true"), BOB("0.20", "5", "true"), 0.10, true},
        {BOB("0.80", "5", "true"), BOB("0.90", "5", "true"), 0.0, true},
        {BOB("0.80", "5", "true"), BOB("0.79", "5", "true"), 0.0, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assay_arena arena = ASSAY_ARENA_EMPTY;
        assay_bob_comparison c =
            bob(cases[i].baseline, cases[i].current, cases[i].tolerance, &arena);

        CHECK_INT(c.has_passed, cases[i].has_passed);
        assay_notes_clear(&c.notes);
        assay_arena_clear(&arena);
    }
}

TEST(another_k_and_a_query_that_fell_are_said)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_bob_comparison c =
        bob(BOB("0.5", "5", "true"), BOB("0.5", "10", "false"), 0.05, &arena);

    CHECK(c.has_passed);
    CHECK_INT(c.n_fallen, 1);
    CHECK_INT(c.notes.n, 1);
    CHECK(strstr(c.notes.text[0], "k differs: 5 in the baseline, 10 now"));
    assay_notes_clear(&c.notes);
    assay_arena_clear(&arena);
}

TEST(a_file_without_a_mean_is_refused)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_recorded_run *a = parse(BOB("null", "5", "true"));
    assay_bob_comparison c;

    CHECK_INT(assay_bob_compare(a, a, 0.05, &arena, &c, &err), ASSAY_EINPUT);
    CHECK_STR(err.text, "file: no number 'recall_mean'");
    assay_recorded_free(a);
    assay_arena_clear(&arena);
}

/* ---- both ways to test ---- */

TEST(an_unpaired_test_has_the_paired_one_beside_it)
{
    /* Every case falls by exactly 0.01: nothing next to the spread of 0.3, and yet all
     * signs agree.  Pooled t of {.1 .4 .7} and {.09 .39 .69}: -0.01 / (0.3 sqrt(2/3)). */
    assay_recorded_run *a = parse("{\"cases\":["
                                  "{\"test_case_id\":\"1\",\"scores\":{\"m\":0.1}},"
                                  "{\"test_case_id\":\"2\",\"scores\":{\"m\":0.4}},"
                                  "{\"test_case_id\":\"3\",\"scores\":{\"m\":0.7}}]}");
    assay_recorded_run *b = parse("{\"cases\":["
                                  "{\"test_case_id\":\"1\",\"scores\":{\"m\":0.09}},"
                                  "{\"test_case_id\":\"2\",\"scores\":{\"m\":0.39}},"
                                  "{\"test_case_id\":\"3\",\"scores\":{\"m\":0.69}}]}");
    const assay_recorded_run *run[] = {a, b};
    const char *name[] = {"a", "b"};
    const assay_comparing_settings settings = {
        .test = assay_stat_test_find("student-unpaired")};
    assay_comparison *c = NULL;

    if (assay_compare_recorded(run, name, &settings, &c, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    CHECK(c->pair[0].delta[0].p > 0.9);
    CHECK_NEAR(c->pair[0].delta[0].p_paired, 2.0 / 8, 1e-15); /* all eight signs */
    /* d: -0.01 over the root of the mean variance (over n): 0.06. */
    CHECK_NEAR(c->pair[0].delta[0].effect, -0.01 / sqrt(0.06), 1e-12);
    CHECK_STR(c->pair[0].delta[0].effect_level, "negligible");
    assay_comparison_free(c);
    assay_recorded_free(a);
    assay_recorded_free(b);
}
