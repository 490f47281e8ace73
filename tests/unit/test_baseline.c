/* SPDX-License-Identifier: Apache-2.0 */
#include "base/slice.h"
#include "compare/baseline.h"
#include "golden/frozen.h"
#include "testing.h"

static assay_error err;

static const char golden_text[] =
    "version: 1\nqueries:\n"
    "  - {id: q1, query: one, relevant: [{doc: d1}]}\n"
    "  - {id: 'q 2%', query: two, relevant: [{doc: d2}]}\n"
    "  - {id: '#q3', query: three, relevant: [{doc: d3}]}\n";

static assay_golden *golden_of(const char *text)
{
    assay_golden *golden = NULL;

    CHECK(assay_golden_parse("g.yaml", assay_slice_of(text), NULL, &golden, &err) ==
          ASSAY_OK);
    return golden;
}

/* Rows in byte order: "#q3", "q 2%", "q1"; values 1/3, none and 1. */
static assay_scores *scores_of(const assay_golden *golden)
{
    static const char *const id[] = {"#q3", "q 2%", "q1"};
    assay_scores *s = assay_scores_new(3, 2);

    CHECK(s != NULL);
    s->column[0] = (assay_column){.name = "mrr", .full = "mrr(level=doc)"};
    s->column[1] =
        (assay_column){.name = "recall@5", .full = "recall(level=doc)@5", .k = 5};
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t at = assay_dict_find(&golden->ids, assay_slice_of(id[i]));

        CHECK(at != ASSAY_NONE);
        s->row[i] = (assay_row){.id = assay_slice_of(id[i]), .query = at};
    }
    s->row[0].first_rank = 3;
    s->row[2].first_rank = 1;
    *assay_scores_cell(s, 0, 0) = 1 / 3.0;
    *assay_scores_cell(s, 2, 0) = 1;
    CHECK(assay_scores_finish(s));
    return s;
}

static assay_baseline *baseline_of(const assay_scores *scores, const assay_golden *golden)
{
    const assay_baseline_head head = {.name = ASSAY_LIT("main"),
                                      .note = ASSAY_LIT("two\nlines"),
                                      .level = ASSAY_LIT("doc"),
                                      .depth = 10};
    assay_baseline *b = NULL;

    CHECK(assay_baseline_make(&head, scores, golden, &b, &err) == ASSAY_OK);
    return b;
}

/* ---- writing ---- */

/* The mean of 1/3 and 1, with n = 2; recall has no score at all. */
TEST(a_baseline_is_a_text_that_people_read)
{
    assay_golden *golden = golden_of(golden_text);
    assay_scores *scores = scores_of(golden);
    assay_baseline *b = baseline_of(scores, golden);
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    char want[2000];
    char hash[3][65];

    for (uint32_t i = 0; i < 3; i++) {
        CHECK(assay_query_hash(golden, &golden->query[scores->row[i].query], hash[i],
                               &err) == ASSAY_OK);
        hash[i][16] = '\0';
    }
    snprintf(want, sizeof want,
             "assay baseline 1\n"
             "name: main\n"
             "note: two lines\n"
             "level: doc\n"
             "depth: 10\n"
             "metric: mrr 0.6666666666666666 2 mrr(level=doc)\n"
             "metric: recall@5 - 0 recall(level=doc)@5\n"
             "\n"
             "query rank mrr recall@5 judged\n"
             "%%23q3 3 0.3333333333333333 - %s\n"
             "q%%202%%25 - - - %s\n"
             "q1 1 1 - %s\n",
             hash[0], hash[1], hash[2]);
    assay_baseline_write(b, &out);
    assay_buffer_char(&out, '\0');
    CHECK_STR(out.ptr, want);
    assay_buffer_clear(&out);
    assay_baseline_free(b);
    assay_scores_free(scores);
    assay_golden_free(golden);
}

TEST(what_is_written_reads_back_the_same)
{
    assay_golden *golden = golden_of(golden_text);
    assay_scores *scores = scores_of(golden);
    assay_baseline *b = baseline_of(scores, golden);
    assay_baseline *again = NULL;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_buffer twice = ASSAY_BUFFER_EMPTY;

    assay_baseline_write(b, &out);
    CHECK(assay_baseline_is(assay_buffer_view(&out)));
    CHECK(assay_baseline_parse("b", assay_buffer_view(&out), &again, &err) == ASSAY_OK);
    CHECK(assay_slice_is(again->query[0].id, "#q3"));
    CHECK(assay_slice_is(again->query[1].id, "q 2%"));
    CHECK(again->query[0].value[0] == 1 / 3.0 && isnan(again->query[0].value[1]));
    CHECK_INT(again->query[0].rank, 3);
    CHECK_INT(again->query[1].rank, 0);
    CHECK_INT(again->head.depth, 10);
    assay_baseline_write(again, &twice);
    CHECK(assay_slice_eq(assay_buffer_view(&out), assay_buffer_view(&twice)));
    assay_buffer_clear(&out);
    assay_buffer_clear(&twice);
    assay_baseline_free(b);
    assay_baseline_free(again);
    assay_scores_free(scores);
    assay_golden_free(golden);
}

/* ---- reading ---- */

static const char *fails(const char *text)
{
    assay_baseline *b = NULL;

    CHECK(assay_baseline_parse("b", assay_slice_of(text), &b, &err) == ASSAY_EINPUT);
    CHECK(b == NULL);
    return err.text;
}

#define HEAD "assay baseline 1\nmetric: mrr 0.5 2 mrr\n"
#define ROWS HEAD "query rank mrr judged\n"

TEST(bad_baselines_are_told_with_file_and_line)
{
    CHECK_STR(fails("hello"), "b:1: a baseline begins with 'assay baseline 1'");
    CHECK_STR(fails("assay baseline 2\n"), "b:1: 'assay baseline 2' was written by a "
                                           "newer version; this one reads 'assay "
                                           "baseline 1'");
    CHECK_STR(fails(HEAD), "b:2: the file ends before 'query rank ...'");
    CHECK_STR(fails(HEAD "nmae: x\n"), "b:3: no key 'nmae' in the head of a baseline");
    CHECK_STR(fails(HEAD "just words\n"), "b:3: 'just words' is no line 'key: value'");
    CHECK_STR(fails(HEAD "k: ten\n"), "b:3: k 'ten' is not a whole number");
    CHECK_STR(fails(HEAD "metric: mrr\n"),
              "b:3: metric: want its name, value, n and full spelling");
    CHECK_STR(fails(HEAD "metric: rr 0.1 2 mrr\n"),
              "b:3: metric 'mrr' stands here twice");
    CHECK_STR(fails(HEAD "metric: rr x 2 rr\n"),
              "b:3: metric: value 'x' is not a number");
    CHECK_STR(fails(HEAD "metric: rr 1 -2 rr\n"),
              "b:3: metric: n '-2' is not a whole number");
    CHECK_STR(fails(HEAD "query rank judged\n"),
              "b:3: want 'query rank', the 1 metrics of the head and 'judged'");
    CHECK_STR(fails(HEAD "query rank map judged\n"),
              "b:3: 'map' stands where the head has 'mrr'");
    CHECK_STR(fails(ROWS "q1 1 0.5\n"),
              "b:4: 3 fields, want 4: id, rank, 1 values, judged");
    CHECK_STR(fails(ROWS "q1 0 0.5 ab\n"), "b:4: rank '0' is not 1 or more, or '-'");
    CHECK_STR(fails(ROWS "q1 1 nan ab\n"), "b:4: mrr 'nan' is not a number");
    CHECK_STR(fails(ROWS "q1 1 1 AB\n"), "b:4: judged 'AB' is no hash");
    CHECK_STR(fails(ROWS "q%2 1 1 ab\n"),
              "b:4: 'q%2': a % in an id wants two hex digits");
    CHECK_STR(fails(ROWS "q1 1 1 ab\nq0 1 1 ab\nq1 2 1 ab\n"),
              "b:6: query 'q1' stands in line 4 already");
    CHECK_STR(fails(ROWS "<<<<<<< HEAD\n"), "b:4: a merge conflict; make the baseline "
                                            "again with 'assay baseline export'");
}

TEST(comments_and_order_do_not_matter)
{
    assay_baseline *b = NULL;

    CHECK(assay_baseline_parse("b",
                               ASSAY_LIT(ROWS "# by hand\nq2 - 0 -\r\n\nq1 1 1 ab\n"), &b,
                               &err) == ASSAY_OK);
    CHECK_INT(b->n_queries, 2);
    CHECK(assay_slice_is(b->query[0].id, "q1") && b->query[0].line == 7);
    CHECK(b->query[1].judged.len == 0);
    assay_baseline_free(b);
}

TEST(a_file_that_is_not_there_is_a_usage_error)
{
    assay_baseline *b = NULL;

    CHECK(assay_baseline_load("nowhere.txt", &b, &err) == ASSAY_EUSAGE && !b);
    CHECK(!assay_baseline_is(ASSAY_LIT("{\"a\": 1}")));
}

/* ---- beside a run ---- */

/* The run's golden set judges q1 otherwise, has lost "q 2%" and gained q4. */
TEST(only_queries_judged_alike_are_compared)
{
    assay_golden *golden = golden_of(golden_text);
    assay_scores *scores = scores_of(golden);
    assay_baseline *b = baseline_of(scores, golden);
    assay_golden *today =
        golden_of("version: 1\nqueries:\n"
                  "  - {id: q1, query: one, relevant: [{doc: d9}]}\n"
                  "  - {id: '#q3', query: three, relevant: [{doc: d3}]}\n"
                  "  - {id: q4, query: four, relevant: [{doc: d4}]}\n");
    assay_scores *run = assay_scores_new(3, 2);
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_baseline_core core;

    run->column[0] = scores->column[0];
    run->column[1] = (assay_column){.name = "ndcg@20", .full = "ndcg@20", .k = 20};
    run->row[0] = (assay_row){.id = ASSAY_LIT("#q3"), .query = 1, .first_rank = 12};
    run->row[1] = (assay_row){.id = ASSAY_LIT("q1"), .query = 0, .first_rank = 1};
    run->row[2] = (assay_row){.id = ASSAY_LIT("q4"), .query = 2, .first_rank = 1};
    *assay_scores_cell(run, 0, 0) = 0.25;
    CHECK(assay_scores_finish(run));
    CHECK(assay_baseline_join(b, run, today, 10, &arena, &core, &err) == ASSAY_OK);

    CHECK_INT(core.n, 1);
    CHECK(assay_slice_is(core.query[0].id, "#q3"));
    CHECK_INT(core.query[0].before, 3);
    CHECK_INT(core.query[0].after, 0);
    CHECK(*assay_scores_cell(core.before, 0, 0) == 1 / 3.0);
    CHECK(*assay_scores_cell(core.after, 0, 0) == 0.25);
    CHECK(isnan(*assay_scores_cell(core.before, 0, 1)));
    CHECK(core.before->column[1].is_too_deep && !core.before->column[0].is_too_deep);
    CHECK_NEAR(core.before->total[0].value, 1 / 3.0, 0);
    CHECK_INT(core.n_excluded, 3);
    CHECK(assay_slice_is(core.excluded[0].id, "q 2%"));
    CHECK_STR(core.excluded[0].why, "not in the golden set of the run");
    CHECK_STR(core.excluded[1].why, "judged otherwise than in the baseline");
    CHECK_STR(core.excluded[2].why, "not in the baseline");
    CHECK_INT(assay_baseline_metric_find(b, "mrr(level=doc)"), 0);
    CHECK_INT(assay_baseline_metric_find(b, "mrr"), ASSAY_NONE);

    assay_baseline_core_clear(&core);
    assay_arena_clear(&arena);
    assay_scores_free(run);
    assay_golden_free(today);
    assay_baseline_free(b);
    assay_scores_free(scores);
    assay_golden_free(golden);
}
