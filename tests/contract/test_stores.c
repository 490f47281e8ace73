/* SPDX-License-Identifier: Apache-2.0 */
/* What every store must do (store/store.h), over each database that is there: SQLite, and
 * with ASSAY_TEST_STORE=postgresql://... that server. */
#include "store_testing.h"

/* ---- results come back ---- */

static const assay_span spans[] = {{0, 1}, {7, UINT64_MAX}, {UINT64_MAX - 1, UINT64_MAX}};
static const assay_leg_place legs[] = {
    {TEXT("bm25"), 3, true, 12.25},
    {TEXT("dense"), 0, false, 0},
    {TEXT("그래프"), UINT32_MAX, true, -1e-300},
};
static assay_citation citations[] = {
    {TEXT("[#1]"),
     TEXT("0123456789abcdef0123456789abcdef"),
     TEXT("a.md"),
     TEXT("docs/a b.md"),
     {10, 20},
     {1, 3},
     false},
    {TEXT("[#2]"), TEXT(""), TEXT("b"), TEXT(""), {0, 0}, {0, 0}, false},
};
static assay_answer answer = {
    .text = TEXT("It does [#1], and \"quotes\"\n,\"hits_top_k\":[ too. 보험"),
    .citation = citations,
    .n_citations = 2,
    .grounded = ASSAY_FLAG_YES,
    .refusal_reason = TEXT(""),
    .model = TEXT("m"),
    .prompt_tokens = 12,
    .completion_tokens = -1,
    .latency_ms = 0.1,
    .cost = -1,
};
static assay_answer refusal = {
    .text = TEXT(""),
    .grounded = ASSAY_FLAG_NO,
    .refusal_reason = TEXT("no_evidence"),
    .model = TEXT(""),
    .prompt_tokens = -1,
    .completion_tokens = 0,
    .latency_ms = -1,
    .cost = 0.25,
};
#define HEX "00112233445566778899aabbccddeeff"
static assay_hit many_things[] = {
    {.chunk = TEXT(HEX),
     .doc = TEXT("보험 약관.md"),
     .score = 0.1,
     .has_score = true,
     .span = spans,
     .n_spans = 3,
     .rank = 1,
     .n_legs = 3,
     .leg = legs,
     .text = TEXT("a text\n\twith \"everything\" \xf0\x9f\x98\x80")},
    {.chunk = TEXT("not hex"),
     .doc = TEXT("보험 약관.md"),
     .score = -0.0,
     .has_score = true,
     .rank = 7,
     .text = TEXT("")},
    {.chunk = TEXT("FFEEDDCCBBAA99887766554433221100"),
     .doc = TEXT(" leading and trailing "),
     .score = 5e-324,
     .has_score = true,
     .span = spans + 1,
     .n_spans = 1,
     .rank = 0,
     .n_legs = 1,
     .leg = legs + 1,
     .text = TEXT("t")},
};
static assay_hit only_ranked[] = {
    {.chunk = TEXT(HEX), .doc = TEXT("d"), .rank = 1, .text = TEXT("")},
    {.chunk = TEXT("ffffffffffffffffffffffffffffffff"),
     .doc = TEXT("d"),
     .rank = 2,
     .text = TEXT("")},
};

/* In byte order of their ids. */
static const assay_result results[] = {
    {.query_id = TEXT(" q with blanks "),
     .query = TEXT("Is \\ this \"covered\"?"),
     .mode = TEXT("hybrid"),
     .hit = many_things,
     .n_hits = 3,
     .answer = &answer,
     .elapsed_ms = 0.1 + 0.2,
     .error = TEXT("")},
    {.query_id = TEXT("'; DROP TABLE eval_runs; --"),
     .query = TEXT(""),
     .mode = TEXT(""),
     .hit = only_ranked,
     .n_hits = 2,
     .elapsed_ms = -1,
     .error = TEXT("")},
    {.query_id = TEXT("q1"),
     .query = TEXT("nothing found"),
     .mode = TEXT("lexical"),
     .answer = &refusal,
     .elapsed_ms = 0,
     .error = TEXT("")},
    {.query_id = TEXT("q2"),
     .query = TEXT("failed"),
     .mode = TEXT(""),
     .elapsed_ms = 12345.678,
     .error = TEXT("timed out after 10 s: \"보험\"")},
    {.query_id = TEXT("질문 1"),
     .query = TEXT("보험료는 얼마입니까?"),
     .mode = TEXT("vector"),
     .hit = only_ranked,
     .n_hits = 1,
     .elapsed_ms = 1e-9,
     .error = TEXT("")},
};
enum { N_RESULTS = sizeof results / sizeof results[0] };

static void check_loaded(assay_store *store, const char *id)
{
    assay_run *run = NULL;

    OK(assay_store_load(store, assay_slice_of(id), &run, &test_err));
    CHECK_SLICE(run->name, assay_slice_of(id));
    CHECK_INT(assay_run_n(run), N_RESULTS);
    for (uint32_t i = 0; i < N_RESULTS; i++)
        check_same_result(&run->result[i], &results[i]);
    CHECK(run->has_chunks && run->has_docs && run->has_scores && run->has_spans);
    CHECK(run->has_answers);
    CHECK_INT(run->depth, 3);
    assay_run_free(run);
}

static void results_come_back(assay_store *store, const char *place)
{
    add_run(store, "run_a");
    for (int i = N_RESULTS - 1; i >= 0; i--)
        OK(assay_store_put(store, SLICE("run_a"), &results[i], &test_err));
    check_loaded(store, "run_a");
    /* Also to somebody who may only read. */
    store = open_store(place, ASSAY_STORE_READ);
    check_loaded(store, "run_a");
    assay_store_close(store);
}

TEST(what_was_put_comes_back_to_the_bit)
{
    each_store(results_come_back);
}

static void results_are_replaced(assay_store *store, const char *place)
{
    assay_result other = results[0];
    assay_run *run = NULL;

    (void)place;
    add_run(store, "run_a");
    for (int i = 0; i < N_RESULTS; i++)
        OK(assay_store_put(store, SLICE("run_a"), &results[i], &test_err));
    other.hit = only_ranked;
    other.n_hits = 1;
    other.answer = NULL;
    OK(assay_store_put(store, SLICE("run_a"), &other, &test_err));
    OK(assay_store_load(store, SLICE("run_a"), &run, &test_err));
    CHECK_INT(assay_run_n(run), N_RESULTS);
    check_same_result(&run->result[0], &other);
    assay_run_free(run);
}

TEST(a_result_that_is_put_again_takes_the_place_of_the_old_one)
{
    each_store(results_are_replaced);
}

static void whole_runs_come_back(assay_store *store, const char *place)
{
    static const char trec[] =
        "q1 Q0 d2 1 2.5 tag\nq1 Q0 d1 2 1.5 tag\nq0 Q0 d1 1 1 tag\n";
    assay_run *run = NULL;
    assay_run *back = NULL;

    (void)place;
    add_run(store, "run_t");
    OK(assay_run_parse("a.run", (assay_slice){trec, sizeof trec - 1}, NULL, &run,
                       &test_err));
    OK(assay_store_put_all(store, SLICE("run_t"), run, &test_err));
    assay_run_free(run);
    OK(assay_store_load(store, SLICE("run_t"), &back, &test_err));
    CHECK_INT(assay_run_n(back), 2);
    CHECK_SLICE(back->result[0].query_id, SLICE("q0"));
    CHECK_INT(back->result[1].n_hits, 2);
    CHECK_SLICE(back->result[1].hit[0].doc, SLICE("d2"));
    CHECK_NEAR(back->result[1].hit[1].score, 1.5, 0);
    assay_run_free(back);
}

TEST(a_trec_run_is_put_at_once)
{
    each_store(whole_runs_come_back);
}

static void recorded_values_come_back(assay_store *store, const char *place)
{
    static const char bob[] =
        "{\"k\":5,\"recall_mean\":0.5,\"per_query\":[{\"id\":\"a\",\"question\":\"x\","
        "\"recall\":0.5,\"precision\":0.1,\"mrr\":1,\"passed\":true},{\"id\":\"b\","
        "\"question\":\"y\",\"recall\":0,\"precision\":0,\"mrr\":0,\"passed\":false}]}";
    assay_stored stored = small_run("run_b");
    assay_run *run = NULL;
    assay_run *back = NULL;

    (void)place;
    stored.k = 5;
    OK(assay_store_add(store, &stored, &test_err));
    OK(assay_run_parse("bob.json", (assay_slice){bob, sizeof bob - 1}, NULL, &run,
                       &test_err));
    OK(assay_store_put_all(store, SLICE("run_b"), run, &test_err));
    OK(assay_store_load(store, SLICE("run_b"), &back, &test_err));
    CHECK(run->is_scores_only && back->is_scores_only);
    CHECK_INT(back->recorded_k, 5);
    CHECK(back->recorded != NULL);
    for (int i = 0; i < 2; i++) {
        check_same_double(back->recorded[i].recall, run->recorded[i].recall);
        check_same_double(back->recorded[i].precision, run->recorded[i].precision);
        check_same_double(back->recorded[i].mrr, run->recorded[i].mrr);
        CHECK_INT(back->recorded[i].passed, run->recorded[i].passed);
    }
    assay_run_free(run);
    assay_run_free(back);
}

TEST(values_that_another_program_recorded_come_back)
{
    each_store(recorded_values_come_back);
}

/* ---- runs ---- */

static void rows_come_back(assay_store *store, const char *place)
{
    assay_tag tag[] = {{SLICE("b"), SLICE("2=3")}, {SLICE("a"), SLICE("가 나")}};
    assay_stored run = {
        .run_id = SLICE("run_1"),
        .suite = SLICE("한글 suite"),
        .snapshot = SLICE("{\"eval_k\":10}"),
        .aggregate = SLICE("{\"ndcg@10\":0.5}"),
        .commit = SLICE("abc123"),
        .created_at = SLICE("2026-11-16T06:00:00.000Z"),
        .finished_at = SLICE("2026-11-16T06:00:01.000Z"),
        .status = SLICE(ASSAY_RUN_DONE),
        .source = SLICE("trec"),
        .method = SLICE("hybrid(k=60)"),
        .golden_hash = SLICE("ff00"),
        .corpus_hash = SLICE("cc"),
        .chunker = SLICE("md-heading-v1(target=500)"),
        .k = UINT32_MAX,
        .depth = 100,
        .n_planned = 7,
        .tag = tag,
        .n_tags = 2,
    };
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_stored got;

    (void)place;
    CHECK(assay_store_add(store, &run, &test_err) == ASSAY_EUSAGE);
    CHECK(strstr(test_err.text, "golden set 'ff00'"));
    OK(assay_store_put_golden(store, SLICE("ff00"), SLICE("g"), SLICE("{}"), &test_err));
    OK(assay_store_add(store, &run, &test_err));
    CHECK(assay_store_add(store, &run, &test_err) == ASSAY_EUSAGE);
    CHECK(strstr(test_err.text, "run 'run_1' is in '"));
    put_result(store, "run_1", "q1");
    OK(assay_store_put(store, SLICE("run_1"), &results[3], &test_err));

    OK(assay_store_get(store, SLICE("run_1"), &arena, &got, &test_err));
    CHECK_SLICE(got.run_id, run.run_id);
    CHECK_SLICE(got.suite, run.suite);
    CHECK_SLICE(got.snapshot, run.snapshot);
    CHECK_SLICE(got.aggregate, run.aggregate);
    CHECK_SLICE(got.commit, run.commit);
    CHECK_SLICE(got.created_at, run.created_at);
    CHECK_SLICE(got.finished_at, run.finished_at);
    CHECK_SLICE(got.status, run.status);
    CHECK_SLICE(got.source, run.source);
    CHECK_SLICE(got.method, run.method);
    CHECK_SLICE(got.golden_hash, run.golden_hash);
    CHECK_SLICE(got.corpus_hash, run.corpus_hash);
    CHECK_SLICE(got.chunker, run.chunker);
    CHECK_INT(got.k, run.k);
    CHECK_INT(got.depth, run.depth);
    CHECK_INT(got.n_planned, run.n_planned);
    CHECK_INT(got.n_done, 2);
    CHECK_INT(got.n_failed, 1);
    CHECK_INT(got.n_tags, 2);
    CHECK_SLICE(got.tag[0].key, SLICE("a"));
    CHECK_SLICE(got.tag[0].value, SLICE("가 나"));
    CHECK_SLICE(got.tag[1].key, SLICE("b"));
    CHECK_SLICE(got.tag[1].value, SLICE("2=3"));
    assay_arena_clear(&arena);
}

TEST(a_row_comes_back_with_tags_and_counts)
{
    each_store(rows_come_back);
}

static void changes_are_kept(assay_store *store, const char *place)
{
    assay_stored_change change = {.aggregate = SLICE("{\"a\":1}")};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_stored got;

    (void)place;
    add_run(store, "run_1");
    OK(assay_store_get(store, SLICE("run_1"), &arena, &got, &test_err));
    CHECK_SLICE(got.aggregate, SLICE("{}"));
    CHECK_SLICE(got.status, SLICE(ASSAY_RUN_OPEN));
    CHECK_SLICE(got.source, SLICE("assay"));
    CHECK_SLICE(got.finished_at, SLICE(""));
    OK(assay_store_change(store, SLICE("run_1"), &change, &test_err));
    OK(assay_store_get(store, SLICE("run_1"), &arena, &got, &test_err));
    CHECK_SLICE(got.aggregate, SLICE("{\"a\":1}"));
    CHECK_SLICE(got.status, SLICE(ASSAY_RUN_OPEN));
    CHECK_SLICE(got.snapshot, SLICE("{\"method\":\"bm25\"}"));

    change = (assay_stored_change){.status = SLICE(ASSAY_RUN_DONE),
                                   .finished_at = SLICE("2026-11-16T07:00:00.000Z"),
                                   .snapshot = SLICE("{}")};
    OK(assay_store_change(store, SLICE("run_1"), &change, &test_err));
    OK(assay_store_get(store, SLICE("run_1"), &arena, &got, &test_err));
    CHECK_SLICE(got.aggregate, SLICE("{\"a\":1}"));
    CHECK_SLICE(got.status, SLICE(ASSAY_RUN_DONE));
    CHECK_SLICE(got.finished_at, SLICE("2026-11-16T07:00:00.000Z"));
    CHECK_SLICE(got.snapshot, SLICE("{}"));
    assay_arena_clear(&arena);
}

TEST(a_change_leaves_alone_what_it_does_not_name)
{
    each_store(changes_are_kept);
}

static void missing_runs_are_told(assay_store *store, const char *place)
{
    assay_stored_change change = {.status = SLICE(ASSAY_RUN_DONE)};
    assay_stored_baseline b = {SLICE("x"), SLICE("run_no"), SLICE(""), SLICE("")};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_store_done *done;
    assay_stored got;
    assay_run *run;
    uint32_t n;
    assay_slice no = SLICE("run_no");

    (void)place;
#define NO_RUN(call)                                        \
    do {                                                    \
        test_err.text[0] = 0;                               \
        CHECK_INT((call), ASSAY_EUSAGE);                    \
        CHECK(strstr(test_err.text, "no run 'run_no' in")); \
    } while (0)
    NO_RUN(assay_store_put(store, no, &results[0], &test_err));
    NO_RUN(assay_store_change(store, no, &change, &test_err));
    NO_RUN(assay_store_tag(store, no, SLICE("k"), SLICE("v"), &test_err));
    NO_RUN(assay_store_tag(store, no, SLICE("k"), SLICE(""), &test_err));
    NO_RUN(assay_store_remove(store, no, &test_err));
    NO_RUN(assay_store_get(store, no, &arena, &got, &test_err));
    NO_RUN(assay_store_load(store, no, &run, &test_err));
    NO_RUN(assay_store_done_list(store, no, &arena, &done, &n, &test_err));
    NO_RUN(assay_store_set_baseline(store, &b, &test_err));
    NO_RUN(assay_store_find(store, "run_no", &arena, &got, &test_err));
#undef NO_RUN
    CHECK_INT(assay_store_clear_baseline(store, SLICE("x"), &test_err), ASSAY_EUSAGE);
    CHECK_INT(assay_store_get_golden(store, no, &arena, &no, &test_err), ASSAY_EUSAGE);
    assay_arena_clear(&arena);
}

TEST(what_is_not_there_is_told_by_its_name)
{
    each_store(missing_runs_are_told);
}

static void run_vanishes_under_a_writer(assay_store *store, const char *place)
{
    assay_store *other = open_store(place, ASSAY_STORE_WRITE);

    add_run(store, "run_1");
    put_result(store, "run_1", "q1");
    OK(assay_store_remove(other, SLICE("run_1"), &test_err));
    assay_store_close(other);
    CHECK_INT(assay_store_put(store, SLICE("run_1"), &results[0], &test_err),
              ASSAY_EUSAGE);
    CHECK(strstr(test_err.text, "no run 'run_1' in"));
}

TEST(a_run_that_somebody_else_removed_takes_no_results)
{
    each_store(run_vanishes_under_a_writer);
}

static void tags_change(assay_store *store, const char *place)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_slice id = SLICE("run_1");
    assay_stored got;

    (void)place;
    add_run(store, "run_1");
    OK(assay_store_tag(store, id, SLICE("z"), SLICE("1"), &test_err));
    OK(assay_store_tag(store, id, SLICE("y"), SLICE("1"), &test_err));
    OK(assay_store_tag(store, id, SLICE("z"), SLICE("2"), &test_err));
    OK(assay_store_get(store, id, &arena, &got, &test_err));
    CHECK_INT(got.n_tags, 2);
    CHECK_SLICE(got.tag[0].key, SLICE("y"));
    CHECK_SLICE(got.tag[1].value, SLICE("2"));
    OK(assay_store_tag(store, id, SLICE("y"), SLICE(""), &test_err));
    OK(assay_store_get(store, id, &arena, &got, &test_err));
    CHECK_INT(got.n_tags, 1);
    CHECK_INT(assay_store_tag(store, id, SLICE(""), SLICE("v"), &test_err), ASSAY_EUSAGE);
    CHECK_INT(assay_store_tag(store, id, SLICE("a=b"), SLICE("v"), &test_err),
              ASSAY_EUSAGE);
    assay_arena_clear(&arena);
}

TEST(tags_are_set_replaced_and_taken_away)
{
    each_store(tags_change);
}

/* ---- going on ---- */

static void done_is_listed(assay_store *store, const char *place)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_store_done *done = NULL;
    uint32_t n = 9;

    (void)place;
    add_run(store, "run_1");
    OK(assay_store_done_list(store, SLICE("run_1"), &arena, &done, &n, &test_err));
    CHECK_INT(n, 0);
    for (int i = N_RESULTS - 1; i >= 0; i--)
        OK(assay_store_put(store, SLICE("run_1"), &results[i], &test_err));
    OK(assay_store_done_list(store, SLICE("run_1"), &arena, &done, &n, &test_err));
    CHECK_INT(n, N_RESULTS);
    for (uint32_t i = 0; i < n; i++) {
        CHECK_SLICE(done[i].query_id, results[i].query_id);
        CHECK_INT(done[i].has_failed, results[i].error.len > 0);
    }
    assay_arena_clear(&arena);
}

TEST(what_is_done_is_listed_with_its_failures)
{
    each_store(done_is_listed);
}

/* ---- golden sets ---- */

static void goldens_come_back(assay_store *store, const char *place)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    static char text[300000];
    assay_slice got;

    (void)place;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * i >> 7);
    OK(assay_store_put_golden(store, SLICE("h1"), SLICE("이름"),
                              (assay_slice){text, sizeof text}, &test_err));
    OK(assay_store_put_golden(store, SLICE("h1"), SLICE("other"), SLICE("x"), &test_err));
    OK(assay_store_put_golden(store, SLICE("h2"), SLICE(""), SLICE(""), &test_err));
    OK(assay_store_get_golden(store, SLICE("h1"), &arena, &got, &test_err));
    CHECK(got.len == sizeof text && memcmp(got.ptr, text, sizeof text) == 0);
    OK(assay_store_get_golden(store, SLICE("h2"), &arena, &got, &test_err));
    CHECK_INT(got.len, 0);
    assay_arena_clear(&arena);
}

TEST(golden_sets_come_back_and_stay_as_they_were)
{
    each_store(goldens_come_back);
}

static bool has_golden(assay_store *store, const char *hash)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_slice text;
    assay_status st =
        assay_store_get_golden(store, assay_slice_of(hash), &arena, &text, &test_err);

    CHECK(st == ASSAY_OK || st == ASSAY_EUSAGE);
    assay_arena_clear(&arena);
    return st == ASSAY_OK;
}

static void removing_takes_all(assay_store *store, const char *place)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_stored run = small_run("run_1");
    assay_stored got;

    (void)place;
    OK(assay_store_put_golden(store, SLICE("h"), SLICE("g"), SLICE("{}"), &test_err));
    OK(assay_store_put_golden(store, SLICE("new"), SLICE("g"), SLICE("{}"), &test_err));
    run.golden_hash = SLICE("h");
    OK(assay_store_add(store, &run, &test_err));
    run.run_id = SLICE("run_2");
    OK(assay_store_add(store, &run, &test_err));
    put_result(store, "run_1", "q1");
    OK(assay_store_tag(store, SLICE("run_1"), SLICE("k"), SLICE("v"), &test_err));

    OK(assay_store_remove(store, SLICE("run_1"), &test_err));
    CHECK_INT(assay_store_get(store, SLICE("run_1"), &arena, &got, &test_err),
              ASSAY_EUSAGE);
    CHECK(has_golden(store, "h")); /* run_2 has it */
    OK(assay_store_remove(store, SLICE("run_2"), &test_err));
    CHECK(!has_golden(store, "h"));
    CHECK(has_golden(store, "new")); /* somebody may be about to add his run */
    /* Nothing is left that a run of the same name would inherit. */
    add_run(store, "run_1");
    OK(assay_store_get(store, SLICE("run_1"), &arena, &got, &test_err));
    CHECK_INT(got.n_done, 0);
    CHECK_INT(got.n_tags, 0);
    assay_arena_clear(&arena);
}

TEST(a_removed_run_takes_its_results_tags_and_golden_set_along)
{
    each_store(removing_takes_all);
}

/* ---- baselines ---- */

static void baselines_work(assay_store *store, const char *place)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_stored_baseline main_ = {SLICE("main"), SLICE("run_1"), SLICE("a note"),
                                   SLICE("2026-11-16T06:00:00.000Z")};
    assay_stored_baseline b = {SLICE("a b"), SLICE("run_2"), SLICE(""), SLICE("")};
    assay_stored_baseline *list = NULL;
    uint32_t n = 0;

    (void)place;
    add_run(store, "run_1");
    add_run(store, "run_2");
    OK(assay_store_set_baseline(store, &main_, &test_err));
    OK(assay_store_set_baseline(store, &b, &test_err));
    OK(assay_store_baselines(store, &arena, &list, &n, &test_err));
    CHECK_INT(n, 2);
    CHECK_SLICE(list[0].name, SLICE("a b"));
    CHECK_INT(list[0].created_at.len, 24);
    CHECK_SLICE(list[1].run_id, SLICE("run_1"));
    CHECK_SLICE(list[1].note, SLICE("a note"));
    CHECK_SLICE(list[1].created_at, main_.created_at);

    CHECK_INT(assay_store_remove(store, SLICE("run_1"), &test_err), ASSAY_EUSAGE);
    CHECK_STR(test_err.text,
              "run 'run_1' is baseline 'main'; 'assay baseline clear' first");
    main_.run_id = SLICE("run_2");
    OK(assay_store_set_baseline(store, &main_, &test_err));
    OK(assay_store_remove(store, SLICE("run_1"), &test_err));
    OK(assay_store_clear_baseline(store, SLICE("a b"), &test_err));
    OK(assay_store_baselines(store, &arena, &list, &n, &test_err));
    CHECK_INT(n, 1);
    CHECK_SLICE(list[0].run_id, SLICE("run_2"));
    assay_arena_clear(&arena);
}

TEST(a_baseline_is_set_moved_and_cleared_and_holds_its_run)
{
    each_store(baselines_work);
}

/* ---- finding ---- */

typedef struct made {
    const char *id, *created, *suite, *method, *status, *key, *value;
} made;

static const made made_runs[] = {
    {"run_0190aa", "2026-11-14T10:00:00.000Z", "smoke", "bm25", "done", "branch", "main"},
    {"run_0190ab", "2026-11-15T10:00:00.000Z", "", "bm25(k1=1.2)", "done", "branch",
     "main"},
    {"run_0191cc", "2026-11-16T10:00:00.000Z", "smoke", "bm25x", "running", "pr", "17"},
    {"run_0191dd", "2026-11-16T10:00:00.000Z", "한글", "hybrid(legs=bm25+dense)", "done",
     NULL, NULL},
};

static void make_runs(assay_store *store)
{
    for (size_t i = 0; i < sizeof made_runs / sizeof made_runs[0]; i++) {
        const made *m = &made_runs[i];
        assay_stored run = small_run(m->id);

        run.created_at = assay_slice_of(m->created);
        run.suite = assay_slice_of(m->suite);
        run.method = assay_slice_of(m->method);
        run.status = assay_slice_of(m->status);
        OK(assay_store_add(store, &run, &test_err));
        if (m->key)
            OK(assay_store_tag(store, run.run_id, assay_slice_of(m->key),
                               assay_slice_of(m->value), &test_err));
    }
}

/* The last two digits of the ids that the filter lets pass, in order. */
static const char *listed(assay_store *store, assay_store_filter filter)
{
    static char text[200];
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_stored *list = NULL;
    uint32_t n = 0;

    text[0] = 0;
    OK(assay_store_list(store, &filter, &arena, &list, &n, &test_err));
    for (uint32_t i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.2s", i ? " " : "",
                 list[i].run_id.ptr + list[i].run_id.len - 2);
    if (n && made_runs[0].key && strstr(text, "aa"))
        CHECK_INT(list[n - 1].n_tags, 1);
    assay_arena_clear(&arena);
    return text;
}
#define LIST(...) listed(store, (assay_store_filter){__VA_ARGS__})

static void lists_are_filtered(assay_store *store, const char *place)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_stored *list = NULL;
    uint32_t n = 9;

    (void)place;
    OK(assay_store_list(store, NULL, &arena, &list, &n, &test_err));
    CHECK_INT(n, 0);
    make_runs(store);
    CHECK_STR(LIST(.most = 0), "dd cc ab aa");
    CHECK_STR(LIST(.most = 3), "dd cc ab");
    CHECK_STR(LIST(.suite = "smoke"), "cc aa");
    CHECK_STR(LIST(.suite = ""), "ab");
    CHECK_STR(LIST(.suite = "한글"), "dd");
    CHECK_STR(LIST(.method = "bm25"), "ab aa");
    CHECK_STR(LIST(.method = "bm25(k1=1.2)"), "ab");
    CHECK_STR(LIST(.method = "hybrid"), "dd");
    CHECK_STR(LIST(.tag = "branch"), "ab aa");
    CHECK_STR(LIST(.tag = "pr=17"), "cc");
    CHECK_STR(LIST(.tag = "pr=18"), "");
    CHECK_STR(LIST(.since = "2026-11-15"), "dd cc ab");
    CHECK_STR(LIST(.before = "2026-11-16"), "ab aa");
    CHECK_STR(LIST(.since = "2026-11-15T10:00", .before = "2026-11-16"), "ab");
    CHECK_STR(LIST(.status = "running"), "cc");
    CHECK_STR(LIST(.prefix = "run_0190"), "ab aa");
    CHECK_STR(LIST(.prefix = "run_0190", .tag = "branch=main", .most = 1), "ab");
    CHECK_STR(LIST(.prefix = "run%"), "");
    CHECK_STR(LIST(.suite = "smoke' OR '1'='1"), "");
    assay_arena_clear(&arena);
}

TEST(runs_are_listed_newest_first_and_by_every_filter)
{
    each_store(lists_are_filtered);
}

/* The id that the name stands for, or the words of the failure. */
static const char *found(assay_store *store, const char *name)
{
    static char text[2000];
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_stored got;
    assay_status st = assay_store_find(store, name, &arena, &got, &test_err);

    if (st) {
        CHECK_INT(st, ASSAY_EUSAGE);
        snprintf(text, sizeof text, "%s", test_err.text);
    } else {
        snprintf(text, sizeof text, "%.*s", (int)got.run_id.len, got.run_id.ptr);
    }
    assay_arena_clear(&arena);
    return text;
}

static void names_are_found(assay_store *store, const char *place)
{
    assay_stored_baseline b = {SLICE("gate"), SLICE("run_0190ab"), SLICE(""), SLICE("")};

    (void)place;
    CHECK(strstr(found(store, "latest"), "has no runs yet"));
    make_runs(store);
    CHECK_STR(found(store, "run_0190aa"), "run_0190aa");
    CHECK_STR(found(store, "latest"), "run_0191dd");
    CHECK_STR(found(store, "latest~0"), "run_0191dd");
    CHECK_STR(found(store, "latest~3"), "run_0190aa");
    CHECK(strstr(found(store, "latest~4"), "no run that is so old"));
    CHECK(strstr(found(store, "latest~x"), "no run 'latest~x'"));
    CHECK(strstr(found(store, "baseline"), "has no baseline"));
    OK(assay_store_set_baseline(store, &b, &test_err));
    CHECK_STR(found(store, "baseline"), "run_0190ab"); /* the only one */
    CHECK_STR(found(store, "gate"), "run_0190ab");
    b.name = SLICE("other");
    b.run_id = SLICE("run_0191cc");
    OK(assay_store_set_baseline(store, &b, &test_err));
    CHECK(strstr(found(store, "baseline"), "'baseline' is the name of 2 runs"));
    b.name = SLICE("default");
    OK(assay_store_set_baseline(store, &b, &test_err));
    CHECK_STR(found(store, "baseline"), "run_0191cc");
    CHECK_STR(found(store, "run_0190a"), /* whole words, since people read them */
              "'run_0190a' is the name of 2 runs: run_0190ab (2026-11-15T10:00:00.000Z, "
              "bm25(k1=1.2)), run_0190aa (2026-11-14T10:00:00.000Z, bm25)");
    CHECK_STR(found(store, "run_0191c"), "run_0191cc");
    CHECK_STR(found(store, "0191d"), "run_0191dd");
    CHECK_STR(found(store, "branch=main"), "run_0190ab"); /* the newest */
    CHECK(strstr(found(store, "branch=x"), "has the tag 'branch=x'"));
    CHECK_STR(found(store, "17"), "run_0191cc");
    CHECK(strstr(found(store, "main"), "'main' is the name of 2 runs"));
    CHECK(strstr(found(store, "nothing"), "no run 'nothing' in"));
    CHECK(strstr(found(store, ""), "a run needs a name"));
    CHECK(strstr(found(store, "%"), "no run '%'"));
}

TEST(a_run_is_found_by_every_kind_of_name)
{
    each_store(names_are_found);
}
