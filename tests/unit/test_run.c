/* SPDX-License-Identifier: Apache-2.0 */
/* Runs beyond what the fixtures of each format pin down: many parts and threads, the
 * quick path of hits, memory that runs out, files of other programs. */
#include "testing.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/mem.h"
#include "base/slice.h"
#include "run/quick_hit.h"
#include "run/run.h"
#include "run/stages.h"

static assay_run *parse(assay_slice text, const assay_run_options *options)
{
    assay_error err = {ASSAY_OK, ""};
    assay_run *run = NULL;

    if (assay_run_parse("run", text, options, &run, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return run;
}

static assay_run *parse_text(const char *text)
{
    return parse(assay_slice_of(text), NULL);
}

static void check_fails(const char *text, const assay_run_options *options,
                        assay_status status, const char *words)
{
    assay_error err = {ASSAY_OK, ""};
    assay_run *run = NULL;

    CHECK_INT(assay_run_parse("run", assay_slice_of(text), options, &run, &err), status);
    CHECK_STR(err.text, words);
    CHECK(run == NULL);
}

static bool has_note(const assay_run *run, const char *part)
{
    for (size_t i = 0; i < run->notes.n; i++)
        if (strstr(run->notes.text[i], part))
            return true;
    return false;
}

/* ---- many parts ---- */

enum { MANY = 3000 };

/* Some 4 MB, so that it is read in several parts; `bad` lines (from 1) are broken. */
static void make_big(assay_buffer *out, uint32_t bad, uint32_t twice)
{
    for (uint32_t q = 1; q <= MANY; q++) {
        /* Blank lines at odd places, so that line numbers are no query numbers. */
        if (q % 100 == 0)
            assay_buffer_text(out, "\n");
        assay_buffer_printf(out, "{\"query_id\":\"q%u\",\"hits\":[", q == twice ? 1 : q);
        for (uint32_t i = 1; i <= 30; i++)
            assay_buffer_printf(out, "%s{\"rank\":%u,\"doc_id\":\"d%u\",\"score\":%u.%u}",
                                i > 1 ? "," : "", i, q * 31 + i, 40 - i, q % 10);
        assay_buffer_text(out, q == bad ? "],\"elapsed_ms\":-1}\n" : "]}\n");
    }
}

/* Everything that a run holds, as its canonical text. */
static void print_run(const assay_run *run, assay_buffer *out)
{
    const assay_run_format *jsonl = assay_run_format_find(ASSAY_LIT("jsonl"));
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_notes lost = {0};

    CHECK(jsonl->write(run, out, &lost, &arena, NULL) == ASSAY_OK);
    assay_notes_clear(&lost);
    assay_arena_clear(&arena);
}

TEST(a_run_is_the_same_for_any_number_of_threads)
{
    static const uint32_t n_threads[] = {1, 2, 7};
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_buffer got[3] = {ASSAY_BUFFER_EMPTY, ASSAY_BUFFER_EMPTY, ASSAY_BUFFER_EMPTY};

    make_big(&text, 0, 0);
    for (int t = 0; t < 3; t++) {
        assay_run_options options = {.n_threads = n_threads[t]};
        assay_run *run = parse(assay_buffer_view(&text), &options);

        CHECK_INT(assay_run_n(run), MANY);
        CHECK_INT(run->depth, 30);
        /* A blank line stands before the 100th, the 200th ... */
        CHECK_INT(run->result[MANY - 1].line, MANY + MANY / 100);
        CHECK_INT(run->result[98].line, 99);
        CHECK_INT(run->result[99].line, 101);
        print_run(run, &got[t]);
        CHECK(assay_slice_eq(assay_buffer_view(&got[0]), assay_buffer_view(&got[t])));
        assay_run_free(run);
    }
    for (int t = 0; t < 3; t++)
        assay_buffer_clear(&got[t]);
    assay_buffer_clear(&text);
}

static void check_big_error(uint32_t bad, uint32_t twice, const char *words)
{
    static const uint32_t n_threads[] = {1, 2, 7};
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    make_big(&text, bad, twice);
    for (int t = 0; t < 3; t++) {
        assay_run_options options = {.n_threads = n_threads[t]};
        assay_error err = {ASSAY_OK, ""};
        assay_run *run = NULL;

        CHECK_INT(assay_run_parse("run", assay_buffer_view(&text), &options, &run, &err),
                  ASSAY_EINPUT);
        CHECK(run == NULL);
        CHECK(strncmp(err.text, words, strlen(words)) == 0);
    }
    assay_buffer_clear(&text);
}

TEST(the_error_of_a_late_part_has_its_own_line)
{
    /* 29 blank lines before the 2,950th query. */
    check_big_error(2950, 0, "run:2979:");
}

TEST(a_query_that_comes_twice_is_named_with_both_lines)
{
    check_big_error(0, 2950, "run:2979: query 'q1' stands in line 1 already");
}

TEST(of_two_faults_the_earlier_line_is_reported)
{
    check_big_error(2000, 2950, "run:2020:");
    check_big_error(2950, 2000, "run:2020: query 'q1' stands in line 1 already");
}

/* ---- hits ---- */

TEST(the_quick_path_of_hits_reads_what_the_general_one_reads)
{
    static const char *const hits[] = {
        "{\"rank\":1,\"doc_id\":\"d1\",\"score\":0.25}",
        "{\"score\":-12,\"chunk_id\":\"c 1\",\"doc_id\":\"d1\",\"rank\":4000000000}",
        "{ \"rank\" : 1 , \"doc_id\" : \"d1\" , \"score\" : 1e-3 }",
        "{\"doc_id\":\"d\\u00e9\",\"score\":0}",
        "{\"doc_id\":\"d\303\251\",\"score\":-0.0}",
        "{\"doc_id\":17,\"score\":3.0000000000000000000001}",
        "{\"doc_id\":\"\",\"chunk_id\":\"c\"}",
        "{\"doc_id\":null,\"chunk_id\":\"c\",\"rank\":null}",
        "{\"chunk_id\":\"c\",\"rank\":123456789,\"score\":123456789.123456789}",
        "{\"chunk_id\":\"c\",\"score\":1E5}",
        "{\"chunk_id\":\"c\",\"spans\":[[1,2]],\"text\":\"t\"}",
    };

    for (size_t i = 0; i < sizeof hits / sizeof hits[0]; i++) {
        char quick[200], general[220];
        assay_run *a, *b;
        const assay_hit *x, *y;

        /* A private key inside is something the quick path knows nothing of. */
        snprintf(quick, sizeof quick, "{\"query_id\":\"q\",\"hits\":[%s]}", hits[i]);
        snprintf(general, sizeof general, "{\"query_id\":\"q\",\"hits\":[{\"x_a\":1,%s]}",
                 hits[i] + 1);
        a = parse_text(quick);
        b = parse_text(general);
        x = a->result[0].hit;
        y = b->result[0].hit;
        CHECK(assay_slice_eq(x->doc, y->doc) && assay_slice_eq(x->chunk, y->chunk));
        CHECK_INT(x->rank, y->rank);
        CHECK_INT(x->has_score, y->has_score);
        CHECK_NEAR(x->score, y->score, 0);
        assay_run_free(a);
        assay_run_free(b);
    }
}

TEST(the_quick_path_leaves_alone_what_is_not_plain)
{
    static const char *const hits[] = {
        "{\"doc_id\":\"d\",\"score\":01}           ",
        "{\"doc_id\":\"d\",\"score\":1.}         ",
        "{\"doc_id\":\"d\",\"score\":.5}           ",
        "{\"doc_id\":\"d\",\"score\":+1}         ",
        "{\"doc_id\":\"d\",\"score\":1e999}        ",
        "{\"doc_id\":\"d\",\"score\":-}          ",
        "{\"doc_id\":\"d\",\"score\":nan}          ",
        "{\"doc_id\":\"d\",\"score\":0x1p3}      ",
        "{\"doc_id\":\"d\",\"rank\":0}             ",
        "{\"doc_id\":\"d\",\"rank\":1.5}         ",
        "{\"doc_id\":\"d\",\"rank\":-1}            ",
        "{\"doc_id\":\"d\",\"rank\":01}          ",
        "{\"doc_id\":\"d\",\"doc_id\":\"e\"}       ",
        "{\"doc_id\":\"d\\n\"}                   ",
        "{\"doc_id\":\"\"}                         ",
        "{\"rank\":1,\"score\":1}                ",
        "{\"doc_id\":\"d\",}                       ",
        "{\"doc_id\":\"d\" \"rank\":1}           ",
        "{\"doc_id\":\"d\"                         ",
        "{}                                      ",
        "{\"doc_id\":\"d\",\"docid\":\"e\"}        ",
        "[\"doc_id\",\"d\"]                      ",
        "{\"doc_id\":\"d\",\"score\":1e}           ",
    };

    for (size_t i = 0; i < sizeof hits / sizeof hits[0]; i++) {
        assay_hit hit = {.rank = 0};

        if (assay_run_quick_hit(hits[i], hits[i] + strlen(hits[i]), &hit))
            check_failed(__FILE__, __LINE__, "took %s", hits[i]);
    }
}

TEST(the_quick_path_never_looks_behind_the_end)
{
    static const char hit[] =
        "{\"rank\":1,\"chunk_id\":\"c1\",\"doc_id\":\"d1\",\"score\":0.5}";

    for (size_t n = 0; n < sizeof hit - 1; n++) {
        char *copy = malloc(n ? n : 1); /* of exact size, for the address sanitizer */
        assay_hit got = {.rank = 0};

        memcpy(copy, hit, n);
        CHECK(assay_run_quick_hit(copy, copy + n, &got) == NULL);
        free(copy);
    }
}

/* ---- choosing a format ---- */

TEST(an_unknown_format_is_answered_with_those_there_are)
{
    check_fails("", &(assay_run_options){.format = "xml"}, ASSAY_EUSAGE,
                "no run format 'xml'; there are: trec, jsonl, kebab, bob, stage");
}

TEST(text_of_no_format_says_so)
{
    check_fails("hello\n", NULL, ASSAY_EINPUT,
                "'run' is in no run format I know; 'assay format list' shows them, "
                "--from names one");
    check_fails(" \n", NULL, ASSAY_EINPUT, "'run' is empty, so there is no run in it");
}

TEST(a_named_format_may_be_empty)
{
    assay_run *run = parse(ASSAY_LIT(""), &(assay_run_options){.format = "jsonl"});

    CHECK_INT(assay_run_n(run), 0);
    assay_run_free(run);
}

TEST(a_file_that_is_not_there_is_the_callers_mistake)
{
    assay_run *run = NULL;

    CHECK_INT(assay_run_load("no-such-file", NULL, &run, NULL), ASSAY_EUSAGE);
    CHECK(run == NULL);
}

TEST(a_run_is_named_after_its_file_without_folder_and_endings)
{
    assay_run *run = NULL;

    write_file("bm25.v2.jsonl", "{\"query_id\":\"q\",\"hits\":[]}\n");
    CHECK(assay_run_load("./bm25.v2.jsonl", NULL, &run, NULL) == ASSAY_OK);
    CHECK(assay_slice_is(run->name, "bm25.v2"));
    assay_run_free(run);
}

TEST(a_line_may_be_as_long_as_the_caller_allows)
{
    assay_run_options options = {.max_line = 27};
    assay_run *run = parse(ASSAY_LIT("{\"query_id\":\"q\",\"hits\":[]}\n"), &options);

    assay_run_free(run);
    options.max_line = 25;
    check_fails("{\"query_id\":\"q\",\"hits\":[]}\n", &options, ASSAY_EINPUT,
                "run:1: a line of 26 bytes; 25 are allowed (--max-line)");
}

/* ---- what formats mean ---- */

TEST(scores_only_results_of_bob_say_that_nothing_can_be_measured_again)
{
    assay_run *run = NULL;

    CHECK(assay_run_load(fixture("run/bob/good_scores_only.json"), NULL, &run, NULL) ==
          ASSAY_OK);
    CHECK(run->is_scores_only);
    CHECK(has_note(run, "nothing can be measured again"));
    CHECK_NEAR(run->recorded[1].precision, 0.2, 0);
    CHECK_INT(run->recorded_k, 5);
    assay_run_free(run);
}

TEST(hits_of_bob_are_chunks_in_the_order_listed)
{
    assay_run *run = NULL;

    CHECK(assay_run_load(fixture("run/bob/good.json"), NULL, &run, NULL) == ASSAY_OK);
    CHECK(!run->is_scores_only && run->has_chunks && !run->has_docs && !run->has_scores);
    CHECK_INT(run->result[0].n_hits, 3);
    CHECK(assay_slice_is(run->result[0].hit[1].chunk, "12"));
    CHECK_INT(run->result[0].hit[1].rank, 2);
    CHECK(isnan(run->recorded[1].recall));
    assay_run_free(run);
}

TEST(lines_cited_by_kebab_are_lines_and_its_hits_have_no_spans)
{
    assay_run *run = NULL;
    const assay_answer *answer;

    CHECK(assay_run_load(fixture("run/kebab/good.jsonl"), NULL, &run, NULL) == ASSAY_OK);
    answer = run->result[0].answer;
    CHECK(!run->has_spans && run->has_answers);
    CHECK_NEAR(run->result[0].hit[0].score, 0.91, 0);
    CHECK_INT(answer->n_citations, 3);
    CHECK_INT(answer->citation[0].lines.start, 7);
    CHECK_INT(answer->citation[0].lines.end, 8);
    CHECK_INT(answer->citation[0].span.end, 0);
    CHECK_INT(answer->citation[1].lines.end, 3);
    CHECK_INT(answer->citation[2].lines.end, 0); /* a page has no lines */
    CHECK(assay_slice_is(answer->citation[2].path, "book.pdf"));
    CHECK(assay_slice_is(answer->model, "gemma"));
    CHECK_INT(answer->completion_tokens, 40);
    CHECK(assay_slice_is(run->result[1].error, "index is locked"));
    CHECK_INT(run->n_unknown_keys, 0);
    assay_run_free(run);
}

TEST(a_later_attempt_replaces_an_earlier_one)
{
    assay_run *run = NULL;

    CHECK(assay_run_load(fixture("run/stage/good_attempts.jsonl"), NULL, &run, NULL) ==
          ASSAY_OK);
    CHECK_INT(assay_run_n(run), 2);
    CHECK_INT(run->result[0].n_hits, 2);
    CHECK_INT(run->result[0].error.len, 0);
    CHECK(assay_slice_is(run->result[1].error, "retrieval has status 'timeout'"));
    CHECK(has_note(run, "earlier attempts"));
    CHECK(has_note(run, "1 retrieval events without metadata.test_case_id"));
    assay_run_free(run);
}

TEST(integers_in_doc_ids_are_places_in_the_list_of_documents)
{
    const assay_slice ids[] = {ASSAY_LIT("doc-a"), ASSAY_LIT("doc-b")};
    assay_run_options options = {.doc_id = ids, .n_doc_ids = 2};
    assay_run *run = NULL;

    CHECK(assay_run_load(fixture("run/stage/good_integers.jsonl"), &options, &run,
                         NULL) == ASSAY_OK);
    CHECK(assay_slice_is(run->result[0].hit[0].doc, "doc-b"));
    CHECK(assay_slice_is(run->result[0].hit[1].doc, "doc-a"));
    CHECK(has_note(run, "2 whole numbers"));
    assay_run_free(run);
    options.n_doc_ids = 1;
    check_fails("{\"run_id\":\"r\",\"stage_type\":\"retrieval\",\"attributes\":"
                "{\"doc_ids\":[1]},\"metadata\":{\"test_case_id\":\"t\"}}",
                &options, ASSAY_EINPUT,
                "run:1: 'doc_ids' has the index 1, but there are 1 documents "
                "(invalid_attributes)");
}

TEST(ids_of_contexts_are_said_to_match_nothing)
{
    assay_run *run = NULL;

    CHECK(assay_run_load(fixture("run/stage/good_contexts.jsonl"), NULL, &run, NULL) ==
          ASSAY_OK);
    CHECK(has_note(run, "the run had no retriever"));
    assay_run_free(run);
}

TEST(one_run_of_several_in_a_file_of_events_is_chosen)
{
    assay_run_options options = {.run_id = "r2"};
    assay_run *run = NULL;

    CHECK(assay_run_load(fixture("run/stage/good_two_runs.jsonl"), &options, &run,
                         NULL) == ASSAY_OK);
    CHECK(assay_slice_is(run->name, "r2"));
    CHECK(assay_slice_is(run->result[0].hit[0].doc, "doc-9"));
    assay_run_free(run);
    options.run_id = "r3";
    CHECK_INT(
        assay_run_load(fixture("run/stage/good_two_runs.jsonl"), &options, &run, NULL),
        ASSAY_EUSAGE);
}

TEST(a_trec_run_of_ranks_alone_keeps_its_order)
{
    const assay_run_format *trec = assay_run_format_find(ASSAY_LIT("trec"));
    assay_run *run = parse_text("{\"query_id\":\"q\",\"hits\":[{\"doc_id\":\"a\"},"
                                "{\"doc_id\":\"b\"}]}\n");
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_notes lost = {0};

    CHECK(trec->write(run, &out, &lost, &arena, NULL) == ASSAY_OK);
    CHECK(assay_slice_is(assay_buffer_view(&out), "q Q0 a 1 -1 run\nq Q0 b 2 -2 run\n"));
    CHECK_INT(lost.n, 1);
    CHECK_STR(lost.text[0], "2 hits without a score got minus their rank");
    assay_notes_clear(&lost);
    assay_buffer_clear(&out);
    assay_arena_clear(&arena);
    assay_run_free(run);
}

/* ---- memory ---- */

TEST(running_out_of_memory_while_loading_is_an_error_and_leaks_nothing)
{
#ifdef ASSAY_TEST
    static const char *const files[] = {
        "run/trec/good.trec",
        "run/trec/good_shuffled.trec",
        "run/jsonl/good_full.jsonl",
        "run/jsonl/good_unknown_keys.jsonl",
        "run/jsonl/good_lines.jsonl",
        "run/jsonl/bad_twice.jsonl",
        "run/kebab/good.jsonl",
        "run/bob/good.json",
        "run/bob/good_scores_only.json",
        "run/stage/good_lines.jsonl",
        "run/stage/good_attempts.jsonl",
        "run/stage/good_list.json",
        "run/stage/good_two_runs.jsonl",
    };

    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        for (uint64_t n = 1;; n++) {
            assay_run_options options = {.n_threads = 1};
            assay_run *run = NULL;
            assay_status st;
            int has_failed;

            assay_mem_fail_after(n);
            st = assay_run_load(fixture(files[f]), &options, &run, NULL);
            has_failed = assay_mem_has_failed();
            assay_mem_fail_after(0);
            CHECK(!has_failed || st == ASSAY_ENOMEM || st == ASSAY_OK);
            CHECK((st == ASSAY_OK) == (run != NULL));
            assay_run_free(run);
            if (!has_failed)
                break;
        }
    }
#else
    SKIP("not a test build");
#endif
}

/* ---- other people's files ---- */

TEST(stage_events_that_evalvault_wrote_load)
{
    static const char *const names[] = {"reports/r2_graphrag_stage_events.jsonl",
                                        "reports/r3_bm25_stage_events.jsonl",
                                        "reports/r3_dense_faiss_stage_events.jsonl",
                                        "scripts/perf/r3_stage_events_sample.jsonl"};
    char path[1200];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assay_run *run = NULL;

        snprintf(path, sizeof path, "%s/../shared/data/evalvault/%s", TEST_SRC, names[i]);
        if (access(path, R_OK) != 0)
            SKIP("no ../shared/data/evalvault");
        CHECK(assay_run_load(path, NULL, &run, NULL) == ASSAY_OK);
        CHECK_STR(run->format->name, "stage");
        CHECK_INT(assay_run_n(run), 1);
        CHECK(run->result[0].n_hits >= 2 && run->has_scores && run->has_answers);
        CHECK(run->result[0].query.len > 0);
        assay_run_free(run);
    }
}
