/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of docs/SEMANTICS.md, one test each: who counts, what a miss is, who is first. */
#include "pipeline/evaluate.h"

#include "base/slice.h"
#include "pipeline/slicing.h"
#include "testing.h"

static assay_golden *golden(const char *text)
{
    assay_golden *g = NULL;
    assay_error err = {ASSAY_OK, ""};

    if (assay_golden_parse("g.yaml", assay_slice_of(text), NULL, &g, &err))
        check_failed(__FILE__, __LINE__, "golden: %s", err.text);
    return g;
}

static assay_run *run_of(const char *text)
{
    assay_run *r = NULL;
    assay_error err = {ASSAY_OK, ""};

    if (assay_run_parse("r.jsonl", assay_slice_of(text), NULL, &r, &err))
        check_failed(__FILE__, __LINE__, "run: %s", err.text);
    return r;
}

/* Everything of one evaluation. */
typedef struct fixture_eval {
    assay_golden *golden;
    assay_run *run;
    assay_scores *scores;
    assay_error err;
    assay_status status;
} fixture_eval;

static fixture_eval evaluate_with(const char *golden_text, const char *run_text,
                                  const char *measures, const assay_eval_settings *s)
{
    fixture_eval f = {
        golden(golden_text), run_of(run_text), NULL, {ASSAY_OK, ""}, ASSAY_OK};

    f.status = assay_evaluate(f.golden, f.run, measures, s, &f.scores, &f.err);
    return f;
}

static fixture_eval evaluate(const char *golden_text, const char *run_text,
                             const char *measures)
{
    fixture_eval f = evaluate_with(golden_text, run_text, measures, NULL);

    if (f.status)
        check_failed(__FILE__, __LINE__, "evaluate: %s", f.err.text);
    return f;
}

static void done(fixture_eval *f)
{
    assay_scores_free(f->scores);
    assay_run_free(f->run);
    assay_golden_free(f->golden);
}

static double mean(const fixture_eval *f, const char *name)
{
    uint32_t c = assay_scores_column(f->scores, name);

    CHECK(c != ASSAY_NONE);
    return f->scores->total[c].value;
}

static uint32_t n_of(const fixture_eval *f, const char *name)
{
    uint32_t c = assay_scores_column(f->scores, name);

    CHECK(c != ASSAY_NONE);
    return f->scores->total[c].n;
}

#define TWO_DOCS                                     \
    "version: 1\nqueries:\n"                         \
    "  - {id: a, query: x, relevant: [{doc: d1}]}\n" \
    "  - {id: b, query: y, relevant: [{doc: d2}]}\n"

/* ---- who counts ---- */

TEST(a_query_without_judgments_is_not_in_n)
{
    fixture_eval f = evaluate(TWO_DOCS "  - {id: c, query: z}\n",
                              "{\"query_id\":\"a\",\"hits\":[{\"doc_id\":\"d1\"}]}\n"
                              "{\"query_id\":\"b\",\"hits\":[{\"doc_id\":\"d1\"}]}\n"
                              "{\"query_id\":\"c\",\"hits\":[{\"doc_id\":\"d1\"}]}\n",
                              "hit@1");

    CHECK_INT(n_of(&f, "hit@1"), 2);
    CHECK_NEAR(mean(&f, "hit@1"), 0.5, 0);
    CHECK_INT(f.scores->counts.unlabelled, 1);
    done(&f);
}

TEST(a_missing_query_scores_zero_and_is_counted)
{
    fixture_eval f = evaluate(
        TWO_DOCS, "{\"query_id\":\"a\",\"hits\":[{\"doc_id\":\"d1\"}]}\n", "hit@1,mrr");

    CHECK_INT(n_of(&f, "hit@1"), 2);
    CHECK_NEAR(mean(&f, "mrr"), 0.5, 0);
    CHECK_INT(f.scores->counts.missing, 1);
    CHECK(f.scores->row[1].is_missing);
    done(&f);
}

TEST(a_failed_query_is_a_miss_even_with_hits)
{
    fixture_eval f = evaluate(TWO_DOCS,
                              "{\"query_id\":\"a\",\"hits\":[{\"doc_id\":\"d1\"}]}\n"
                              "{\"query_id\":\"b\",\"hits\":[{\"doc_id\":\"d2\"}],"
                              "\"error\":\"timed out\"}\n",
                              "hit@1");

    CHECK_NEAR(mean(&f, "hit@1"), 0.5, 0);
    CHECK_INT(n_of(&f, "hit@1"), 2);
    CHECK_INT(f.scores->counts.failed, 1);
    done(&f);
}

TEST(a_measure_without_a_query_is_absent)
{
    fixture_eval f =
        evaluate("version: 1\nqueries:\n  - {id: a, query: x}\n",
                 "{\"query_id\":\"a\",\"hits\":[{\"doc_id\":\"d1\"}]}\n", "hit@1");

    CHECK(isnan(mean(&f, "hit@1")));
    CHECK_INT(n_of(&f, "hit@1"), 0);
    done(&f);
}

TEST(a_draft_never_counts)
{
    fixture_eval f =
        evaluate(TWO_DOCS "  - {id: c, query: z, state: draft, relevant: [{doc: d3}]}\n",
                 "{\"query_id\":\"c\",\"hits\":[{\"doc_id\":\"d3\"}]}\n", "hit@1,num_q");

    CHECK_INT(f.scores->n_rows, 2);
    CHECK_INT(f.scores->counts.drafts, 1);
    CHECK_INT(f.scores->counts.extra, 0);
    CHECK_NEAR(mean(&f, "hit@1"), 0, 0);
    done(&f);
}

TEST(a_query_that_only_the_run_knows_is_extra)
{
    fixture_eval f = evaluate(
        TWO_DOCS, "{\"query_id\":\"zz\",\"hits\":[{\"doc_id\":\"d1\"}]}\n", "hit@1");

    CHECK_INT(f.scores->counts.extra, 1);
    CHECK_INT(f.scores->counts.missing, 2);
    done(&f);
}

TEST(rows_stand_in_byte_order_of_their_ids)
{
    fixture_eval f =
        evaluate("version: 1\nqueries:\n"
                 "  - {id: q10, query: x, relevant: [{doc: d1}]}\n"
                 "  - {id: q2, query: x, relevant: [{doc: d1}]}\n"
                 "  - {id: Q1, query: x, relevant: [{doc: d1}]}\n",
                 "{\"query_id\":\"q2\",\"hits\":[{\"doc_id\":\"d1\"}]}\n", "hit@1");

    CHECK(assay_slice_is(f.scores->row[0].id, "Q1"));
    CHECK(assay_slice_is(f.scores->row[1].id, "q10"));
    CHECK(assay_slice_is(f.scores->row[2].id, "q2"));
    done(&f);
}

/* ---- order ---- */

#define ONE_DOC "version: 1\nqueries:\n  - {id: a, query: x, relevant: [{doc: d2}]}\n"

static double mrr_of(const char *hits, assay_ties ties)
{
    char text[600];
    assay_eval_settings s = {.ties = ties};
    fixture_eval f;
    double got;

    snprintf(text, sizeof text, "{\"query_id\":\"a\",\"hits\":[%s]}\n", hits);
    f = evaluate_with(ONE_DOC, text, "mrr", &s);
    CHECK_INT(f.status, ASSAY_OK);
    got = mean(&f, "mrr");
    done(&f);
    return got;
}

TEST(scores_decide_before_ranks_and_places)
{
    CHECK_NEAR(mrr_of("{\"doc_id\":\"d1\",\"rank\":1,\"score\":0.1},"
                      "{\"doc_id\":\"d2\",\"rank\":2,\"score\":0.9}",
                      ASSAY_TIES_ID_DOWN),
               1, 0);
}

TEST(ranks_decide_where_there_are_no_scores)
{
    CHECK_NEAR(mrr_of("{\"doc_id\":\"d1\",\"rank\":2},{\"doc_id\":\"d2\",\"rank\":1}",
                      ASSAY_TIES_ID_DOWN),
               1, 0);
}

TEST(the_list_decides_where_neither_is_there)
{
    CHECK_NEAR(mrr_of("{\"doc_id\":\"d1\"},{\"doc_id\":\"d2\"}", ASSAY_TIES_ID_DOWN), 0.5,
               0);
}

#define TIED                                      \
    "{\"doc_id\":\"d1\",\"rank\":1,\"score\":1}," \
    "{\"doc_id\":\"d2\",\"rank\":3,\"score\":1}," \
    "{\"doc_id\":\"d3\",\"rank\":2,\"score\":1}"

TEST(equal_scores_are_ordered_as_asked)
{
    CHECK_NEAR(mrr_of(TIED, ASSAY_TIES_ID_DOWN), 1.0 / 2, 0); /* d3 d2 d1 */
    CHECK_NEAR(mrr_of(TIED, ASSAY_TIES_ID_UP), 1.0 / 2, 0);   /* d1 d2 d3 */
    CHECK_NEAR(mrr_of(TIED, ASSAY_TIES_LISTED), 1.0 / 2, 0);  /* d1 d2 d3 */
    CHECK_NEAR(mrr_of(TIED, ASSAY_TIES_RANK), 1.0 / 3, 0);    /* d1 d3 d2 */
    CHECK_NEAR(mrr_of(TIED, ASSAY_TIES_BEST), 1.0, 0);
    CHECK_NEAR(mrr_of(TIED, ASSAY_TIES_WORST), 1.0 / 3, 0);
}

TEST(ties_across_a_cutoff_are_counted)
{
    fixture_eval f = evaluate(ONE_DOC, "{\"query_id\":\"a\",\"hits\":[" TIED "]}\n",
                              "hit@1,hit@2,hit@3");

    CHECK_INT(f.scores->counts.ties, 2); /* between 1 and 2, between 2 and 3 */
    done(&f);
}

/* ---- duplicates ---- */

TEST(the_first_of_two_equal_hits_stays_and_ranks_close_up)
{
    fixture_eval f = evaluate(ONE_DOC,
                              "{\"query_id\":\"a\",\"hits\":[{\"doc_id\":\"d1\"},"
                              "{\"doc_id\":\"d1\"},{\"doc_id\":\"d2\"}]}\n",
                              "mrr");

    CHECK_NEAR(mean(&f, "mrr"), 1.0 / 2, 0);
    CHECK_INT(f.scores->counts.duplicates, 1);
    done(&f);
}

TEST(two_places_of_one_document_are_two_hits)
{
    fixture_eval f = evaluate(
        ONE_DOC,
        "{\"query_id\":\"a\",\"hits\":[{\"doc_id\":\"d1\",\"spans\":[[0,5]]},"
        "{\"doc_id\":\"d1\",\"spans\":[[9,20]]},{\"doc_id\":\"d2\",\"spans\":[[0,5]]}]}\n",
        "mrr");

    CHECK_INT(f.scores->counts.duplicates, 0);
    CHECK_NEAR(mean(&f, "mrr"), 1.0 / 3, 0);
    done(&f);
}

TEST(a_duplicate_in_a_trec_file_is_an_error_with_its_line)
{
    assay_eval_settings first = {.duplicates = ASSAY_DUPLICATES_FIRST};
    const char *text = "a Q0 d1 1 3.0 t\na Q0 d2 2 2.0 t\na Q0 d1 3 1.0 t\n";
    fixture_eval f = evaluate_with(ONE_DOC, text, "mrr", NULL);

    CHECK_INT(f.status, ASSAY_EINPUT);
    CHECK_STR(f.err.text,
              "r.jsonl:3: 'd1' is a hit of query 'a' twice; '--duplicates first' "
              "keeps the first");
    done(&f);
    f = evaluate_with(ONE_DOC, text, "mrr", &first);
    CHECK_INT(f.status, ASSAY_OK);
    CHECK_NEAR(mean(&f, "mrr"), 1.0 / 2, 0);
    CHECK_INT(f.scores->counts.duplicates, 1);
    done(&f);
}

/* ---- levels ---- */

#define CHUNKS_AND_DOCS      \
    "version: 1\nqueries:\n" \
    "  - {id: a, query: x, relevant: [{doc: d1, chunk: c1}, {doc: d2, chunk: c2}]}\n"

#define CHUNK_RUN                                                            \
    "{\"query_id\":\"a\",\"hits\":[{\"doc_id\":\"d1\",\"chunk_id\":\"c9\"}," \
    "{\"doc_id\":\"d1\",\"chunk_id\":\"c1\"},{\"doc_id\":\"d2\",\"chunk_id\":\"c2\"}]}\n"

TEST(the_finest_level_that_fits_is_taken)
{
    fixture_eval f = evaluate(CHUNKS_AND_DOCS, CHUNK_RUN, "mrr");

    CHECK_INT(f.scores->level, ASSAY_LEVEL_CHUNK);
    CHECK_NEAR(mean(&f, "mrr"), 1.0 / 2, 0);
    done(&f);
}

TEST(at_level_doc_a_second_chunk_keeps_its_rank_and_adds_nothing)
{
    assay_eval_settings s = {.level = ASSAY_LEVEL_DOC};
    fixture_eval f = evaluate_with(CHUNKS_AND_DOCS, CHUNK_RUN,
                                   "mrr,precision@3,recall@2,recall@3", &s);

    CHECK_NEAR(mean(&f, "mrr"), 1, 0);
    CHECK_NEAR(mean(&f, "precision@3"), 2.0 / 3, 0);
    CHECK_NEAR(mean(&f, "recall@2"), 1.0 / 2, 0);
    CHECK_NEAR(mean(&f, "recall@3"), 1, 0);
    done(&f);
}

TEST(collapse_counts_documents)
{
    assay_eval_settings s = {.level = ASSAY_LEVEL_DOC, .collapse = true};
    fixture_eval f = evaluate_with(CHUNKS_AND_DOCS, CHUNK_RUN, "recall@2", &s);

    CHECK_NEAR(mean(&f, "recall@2"), 1, 0);
    done(&f);
}

TEST(a_measure_may_have_a_level_of_its_own)
{
    fixture_eval f =
        evaluate(CHUNKS_AND_DOCS, CHUNK_RUN, "mrr(level=doc),mrr,recall(level=doc)@1");

    CHECK_NEAR(f.scores->total[0].value, 1, 0);
    CHECK_NEAR(f.scores->total[1].value, 1.0 / 2, 0);
    CHECK_NEAR(f.scores->total[2].value, 1.0 / 2, 0);
    done(&f);
}

TEST(a_run_that_cannot_serve_a_level_is_refused)
{
    assay_eval_settings s = {.level = ASSAY_LEVEL_CHUNK};
    fixture_eval f =
        evaluate_with(CHUNKS_AND_DOCS,
                      "{\"query_id\":\"a\",\"hits\":[{\"doc_id\":\"d1\"}]}\n", "mrr", &s);

    CHECK_INT(f.status, ASSAY_EUSAGE);
    CHECK_STR(f.err.text,
              "'r.jsonl' has no chunk ids, which level chunk needs; choose another "
              "with --level");
    done(&f);
}

TEST(evidence_is_the_level_where_anchors_and_spans_are_known)
{
    const char *g = "version: 1\nqueries:\n"
                    "  - {id: a, query: x, relevant: [{doc: d1, span: 100-200}]}\n";
    fixture_eval f = evaluate(g,
                              "{\"query_id\":\"a\",\"hits\":["
                              "{\"doc_id\":\"d1\",\"spans\":[[200,300]]},"
                              "{\"doc_id\":\"d1\",\"spans\":[[150,400]]}]}\n",
                              "mrr,evidence_recall@2");

    /* The first only touches; the second holds 50 of 100 bytes: half. */
    CHECK_INT(f.scores->level, ASSAY_LEVEL_EVIDENCE);
    CHECK_NEAR(mean(&f, "mrr"), 1.0 / 2, 0);
    CHECK_NEAR(mean(&f, "evidence_recall@2"), 50.0 / 100, 0);
    done(&f);
}

/* ---- the rest ---- */

TEST(a_cutoff_beyond_the_depth_is_marked)
{
    fixture_eval f =
        evaluate(ONE_DOC, "{\"query_id\":\"a\",\"hits\":[{\"doc_id\":\"d2\"}]}\n",
                 "recall@1,recall@100");

    CHECK(!f.scores->column[0].is_too_deep);
    CHECK(f.scores->column[1].is_too_deep);
    done(&f);
}

TEST(asked_for_twice_is_measured_once)
{
    fixture_eval f =
        evaluate(ONE_DOC, "{\"query_id\":\"a\",\"hits\":[{\"doc_id\":\"d2\"}]}\n",
                 "P@5,precision@5,P_5");

    CHECK_INT(f.scores->n_columns, 1);
    done(&f);
}

/* mean 1/2 of (1, 0): spread sqrt(1/2), t(.975, 1) = tan(.475 pi). */
TEST(the_interval_of_a_mean_is_students)
{
    assay_eval_settings s = {.confidence = 0.95};
    fixture_eval f = evaluate_with(
        TWO_DOCS, "{\"query_id\":\"a\",\"hits\":[{\"doc_id\":\"d1\"}]}\n", "hit@1", &s);
    double half = tan(0.475 * acos(-1)) * sqrt(0.5) / sqrt(2);

    CHECK_NEAR(f.scores->total[0].low, 0.5 - half, 1e-12);
    CHECK_NEAR(f.scores->total[0].high, 0.5 + half, 1e-12);
    done(&f);
}

TEST(slices_add_up_and_small_ones_are_withheld)
{
    fixture_eval f =
        evaluate("version: 1\nqueries:\n"
                 "  - {id: a, query: x, lang: en, relevant: [{doc: d1}]}\n"
                 "  - {id: b, query: x, lang: en, relevant: [{doc: d2}]}\n"
                 "  - {id: c, query: x, lang: ko, relevant: [{doc: d1}]}\n",
                 "{\"query_id\":\"a\",\"hits\":[{\"doc_id\":\"d1\"}]}\n", "hit@1");
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_slices s;
    assay_error err;

    CHECK_INT(assay_slices_make(f.golden, f.scores, "lang", 2, &arena, &s, &err),
              ASSAY_OK);
    CHECK_INT(s.n, 1);
    CHECK(assay_slice_is(s.value[0], "en"));
    CHECK_NEAR(s.total[0].value, 0.5, 0);
    CHECK_INT(s.n_withheld, 1);
    CHECK_INT(s.rows_withheld, 1);
    CHECK_INT(assay_slices_make(f.golden, f.scores, "nosuch", 2, &arena, &s, &err),
              ASSAY_EUSAGE);
    assay_arena_clear(&arena);
    done(&f);
}

TEST(any_number_of_threads_gives_the_same_bits)
{
    static char g[20000] = "version: 1\nqueries:\n";
    static char r[40000];
    double want[4] = {0};
    size_t g_len = strlen(g);
    size_t r_len = 0;

    for (int i = 0; i < 100; i++) {
        g_len += (size_t)snprintf(
            g + g_len, sizeof g - g_len,
            "  - {id: q%d, query: x, relevant: [{doc: d%d}, {doc: e}]}\n", i, i % 7);
        r_len += (size_t)snprintf(
            r + r_len, sizeof r - r_len,
            "{\"query_id\":\"q%d\",\"hits\":[{\"doc_id\":\"d%d\",\"score\":"
            "%d},{\"doc_id\":\"e\",\"score\":%d}]}\n",
            i, i % 5, i % 3, i % 4);
    }
    for (uint32_t threads = 1; threads <= 5; threads++) {
        assay_eval_settings s = {.n_threads = threads};
        fixture_eval f = evaluate_with(g, r, "mrr,ndcg@10,ap,recall@1", &s);

        CHECK_INT(f.status, ASSAY_OK);
        for (int c = 0; c < 4; c++) {
            if (threads == 1)
                want[c] = f.scores->total[c].value;
            CHECK(memcmp(&want[c], &f.scores->total[c].value, sizeof want[c]) == 0);
        }
        done(&f);
    }
}
