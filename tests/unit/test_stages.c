/* SPDX-License-Identifier: Apache-2.0 */
/* Stage events and the metrics of single stages. */
#include "testing.h"

#include "base/mem.h"
#include "base/slice.h"
#include "metric/stage_metrics.h"

/* ---- times ---- */

static int64_t us_of(const char *text)
{
    int64_t us = -1;
    bool has_zone;

    if (!assay_stage_time(assay_slice_of(text), &us, &has_zone))
        check_failed(__FILE__, __LINE__, "'%s' is no time", text);
    return us;
}

static bool is_time(const char *text)
{
    int64_t us;
    bool has_zone;

    return assay_stage_time(assay_slice_of(text), &us, &has_zone);
}

TEST(iso_times_become_microseconds)
{
    CHECK_INT(us_of("1970-01-01T00:00:00Z"), 0);
    CHECK_INT(us_of("1970-01-02"), INT64_C(86400) * 1000000);
    CHECK_INT(us_of("1970-01-01 00:01:02.5"), 62500000);
    CHECK_INT(us_of("1970-01-01T00:00:00.123456789"), 123456);
    /* 56 years, 14 of them with a 29th of February */
    CHECK_INT(us_of("2026-01-01T00:00:00+00:00"), INT64_C(86400000000) * (56 * 365 + 14));
    CHECK_INT(us_of("1969-12-31T23:59:59Z"), -1000000);
}

TEST(offsets_from_utc_are_taken_off)
{
    CHECK_INT(us_of("1970-01-01T09:00:00+09:00"), 0);
    CHECK_INT(us_of("1969-12-31T19:30:00-0430"), 0);
    CHECK_INT(us_of("1970-01-01T01:00:00+01"), 0);
    CHECK_INT(us_of(" 1970-01-01T00:00Z "), 0);
}

TEST(what_is_no_time_is_refused)
{
    CHECK(!is_time(""));
    CHECK(!is_time("2026"));
    CHECK(!is_time("2026-1-1"));
    CHECK(!is_time("2026-04-31"));
    CHECK(!is_time("2025-02-29"));
    CHECK(is_time("2024-02-29"));
    CHECK(!is_time("2100-02-29"));
    CHECK(is_time("2000-02-29"));
    CHECK(!is_time("2026-01-01T24:00:00"));
    CHECK(!is_time("2026-01-01T12:60:00"));
    CHECK(!is_time("2026-01-01T12:00:00X"));
    CHECK(!is_time("2026-01-01T12:00:00."));
    CHECK(!is_time("2026-01-01T12:00:00+"));
    CHECK(!is_time("2026-01-01T12:00:00ZZ"));
}

/* ---- events ---- */

static assay_run *load(const char *text)
{
    assay_error err = {ASSAY_OK, ""};
    assay_run_options options = {.format = "stage"};
    assay_run *run = NULL;

    if (assay_run_parse("events", assay_slice_of(text), &options, &run, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return run;
}

TEST(events_have_defaults)
{
    assay_run *run = load("{\"run_id\":\" r \",\"stage_type\":\" ReRank \"}\n"
                          "{\"run_id\":\"r\",\"stage_type\":\"x\",\"attempt\":null}\n");
    const assay_stage *event = run->stages->event;

    CHECK_INT(run->stages->n, 2);
    CHECK(assay_slice_is(event[0].run_id, "r"));
    CHECK(assay_slice_is(event[0].type, "rerank"));
    CHECK(assay_slice_is(event[0].status, "success"));
    CHECK(assay_slice_is(event[0].stage_id, "event-1"));
    CHECK_INT(event[0].attempt, 1);
    CHECK(event[0].duration_ms < 0);
    CHECK(event[0].attributes == NULL && event[0].metadata == NULL);
    CHECK_INT(event[1].line, 2);
    assay_run_free(run);
}

TEST(a_given_duration_wins_over_the_two_times)
{
    assay_run *run = load(
        "{\"run_id\":\"r\",\"stage_type\":\"a\",\"started_at\":\"2026-01-04T12:00:00Z\","
        "\"finished_at\":\"2026-01-04T21:00:00.250+09:00\"}\n"
        "{\"run_id\":\"r\",\"stage_type\":\"a\",\"started_at\":\"2026-01-04T12:00:00Z\","
        "\"finished_at\":\"2026-01-04T12:00:01Z\",\"duration_ms\":7}\n");

    CHECK_NEAR(run->stages->event[0].duration_ms, 250, 0);
    CHECK_NEAR(run->stages->event[1].duration_ms, 7, 0);
    assay_run_free(run);
}

/* ---- metrics ---- */

/* Four queries, two relevant documents each: all found, half found, nothing found, and
 * one that failed although it lists documents. */
static const char retrievals[] =
    "{\"run_id\":\"r\",\"stage_type\":\"retrieval\",\"attributes\":{\"doc_ids\":[\"a\",\"b\","
    "\"c\"],\"scores\":[0.9,0.5,0.1],\"top_k\":4},\"metadata\":{\"test_case_id\":\"t1\"}}\n"
    "{\"run_id\":\"r\",\"stage_type\":\"retrieval\",\"attributes\":{\"doc_ids\":[\"a\",\"a\","
    "\"b\"],\"top_k\":2},\"metadata\":{\"test_case_id\":\"t2\"}}\n"
    "{\"run_id\":\"r\",\"stage_type\":\"retrieval\",\"attributes\":{\"doc_ids\":[],\"top_k\":"
    "4},\"metadata\":{\"test_case_id\":\"t3\"}}\n"
    "{\"run_id\":\"r\",\"stage_type\":\"retrieval\",\"status\":\"error\",\"attributes\":{"
    "\"doc_ids\":[\"a\"],\"top_k\":4},\"metadata\":{\"test_case_id\":\"t4\"}}\n";
static const char relevance[] = "{\"t1\":[\"a\",\"b\"],\"t2\":[\"a\",\"z\"],\"t3\":\"a\","
                                "\"t4\":[\"a\",\"b\"]}";

typedef struct measured {
    assay_run *run;
    assay_arena arena;
    assay_stage_rules rules;
    assay_stage_report report;
} measured;

static void measure(measured *m, const char *events, const char *map, bool is_evalvault)
{
    assay_error err = {ASSAY_OK, ""};

    *m = (measured){.run = load(events)};
    m->rules.is_evalvault = is_evalvault;
    m->rules.threshold = assay_stage_thresholds_standard(&m->rules.n_thresholds);
    if (map && assay_stage_relevance_read("map", assay_slice_of(map), &m->arena,
                                          &m->rules, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    CHECK(assay_stage_measure(m->run->stages, &m->rules, &m->arena, &m->report, &err) ==
          ASSAY_OK);
}

static void clear(measured *m)
{
    assay_stage_report_clear(&m->report);
    assay_arena_clear(&m->arena);
    assay_run_free(m->run);
}

static const assay_stage_summary *find(const measured *m, const char *metric)
{
    for (uint32_t i = 0; i < m->report.n_summaries; i++)
        if (assay_slice_is(m->report.summary[i].metric, metric))
            return &m->report.summary[i];
    return NULL;
}

static bool has_note(const measured *m, const char *part)
{
    for (size_t i = 0; i < m->report.notes.n; i++)
        if (strstr(m->report.notes.text[i], part))
            return true;
    return false;
}

TEST(a_query_that_found_nothing_has_recall_0)
{
    measured m;

    measure(&m, retrievals, relevance, false);
    CHECK_INT(find(&m, "retrieval.recall_at_k")->n, 4);
    /* t2: a twice takes one place, so b is within k = 2; of a and z, a is found */
    CHECK_NEAR(find(&m, "retrieval.recall_at_k")->mean, (1 + 1.0 / 2 + 0 + 0) / 4, 1e-15);
    CHECK_NEAR(find(&m, "retrieval.precision_at_k")->mean,
               (2.0 / 4 + 1.0 / 2 + 0 + 0) / 4, 1e-15);
    CHECK(has_note(&m, "1 retrieval events found nothing"));
    clear(&m);
}

TEST(evalvault_leaves_out_what_found_nothing_and_shrinks_k)
{
    measured m;

    measure(&m, retrievals, relevance, true);
    CHECK_INT(find(&m, "retrieval.recall_at_k")->n, 3);
    CHECK_NEAR(find(&m, "retrieval.recall_at_k")->mean, (1 + 1.0 / 2 + 1.0 / 2) / 3,
               1e-15);
    CHECK_NEAR(find(&m, "retrieval.precision_at_k")->mean,
               (2.0 / 3 + 1.0 / 2 + 1.0 / 1) / 3, 1e-15);
    CHECK_INT(m.report.notes.n, 0);
    clear(&m);
}

TEST(scores_and_counts_of_retrieval)
{
    measured m;

    measure(&m, retrievals, NULL, false);
    CHECK_NEAR(find(&m, "retrieval.result_count")->mean, (3 + 3 + 0 + 1) / 4.0, 1e-15);
    CHECK_NEAR(find(&m, "retrieval.avg_score")->mean, (0.9 + 0.5 + 0.1) / 3, 1e-15);
    CHECK_NEAR(find(&m, "retrieval.score_gap")->mean, 0.9 - 0.1, 1e-15);
    CHECK(find(&m, "retrieval.recall_at_k") == NULL);
    CHECK(has_note(&m, "nothing is known to be relevant"));
    clear(&m);
}

TEST(the_last_attempt_at_a_query_stands_for_it)
{
    static const char events[] =
        "{\"run_id\":\"r\",\"stage_type\":\"retrieval\",\"attempt\":2,\"attributes\":"
        "{\"doc_ids\":[\"a\"]},\"metadata\":{\"test_case_id\":\"t\"}}\n"
        "{\"run_id\":\"r\",\"stage_type\":\"retrieval\",\"attempt\":1,\"attributes\":"
        "{\"doc_ids\":[\"b\"]},\"metadata\":{\"test_case_id\":\"t\"}}\n";
    measured m;

    measure(&m, events, "{\"t\":[\"a\"]}", false);
    CHECK_INT(find(&m, "retrieval.recall_at_k")->n, 1);
    CHECK_NEAR(find(&m, "retrieval.recall_at_k")->mean, 1, 0);
    clear(&m);
    measure(&m, events, "{\"t\":[\"a\"]}", true);
    CHECK_NEAR(find(&m, "retrieval.recall_at_k")->mean, (1 + 0) / 2.0, 0);
    clear(&m);
}

TEST(an_event_knows_best_what_is_relevant_to_it)
{
    measured m;

    measure(&m,
            "{\"run_id\":\"r\",\"stage_type\":\"retrieval\",\"attributes\":{\"doc_ids\":"
            "[\"a\"],\"relevant_doc_ids\":[]},\"metadata\":{\"test_case_id\":\"t\","
            "\"relevant_doc_ids\":[\"a\",\"a\",5]}}\n",
            "{\"t\":[\"b\"]}", false);
    /* a and 5 */
    CHECK_NEAR(find(&m, "retrieval.recall_at_k")->mean, 1.0 / 2, 0);
    clear(&m);
}

TEST(the_golden_set_says_what_is_relevant_where_the_map_does_not)
{
    assay_slice ids[] = {ASSAY_LIT("t"), ASSAY_LIT("u")};
    assay_slice docs[] = {ASSAY_LIT("a"), ASSAY_LIT("b")};
    assay_judgment judgments[] = {{.doc = 0, .chunk = ASSAY_NONE, .grade = 2},
                                  {.doc = 1, .chunk = ASSAY_NONE, .grade = 0}};
    assay_query queries[] = {{.id = ids[0], .judgment = judgments, .n_judgments = 2},
                             {.id = ids[1], .judgment = judgments, .n_judgments = 2}};
    assay_golden golden = {.query = queries, .n_queries = 2};
    uint32_t number;
    measured m;

    for (int i = 0; i < 2; i++) {
        CHECK(assay_dict_put(&golden.ids, NULL, ids[i], &number, NULL));
        CHECK(assay_dict_put(&golden.docs, NULL, docs[i], &number, NULL));
    }
    measure(&m,
            "{\"run_id\":\"r\",\"stage_type\":\"retrieval\",\"attributes\":{\"doc_ids\":"
            "[\"b\",\"a\"]},\"metadata\":{\"test_case_id\":\"t\"}}\n",
            NULL, false);
    assay_stage_report_clear(&m.report);
    m.rules.golden = &golden;
    CHECK(assay_stage_measure(m.run->stages, &m.rules, &m.arena, &m.report, NULL) ==
          ASSAY_OK);
    CHECK_NEAR(find(&m, "retrieval.precision_at_k")->mean, 1.0 / 2, 0);
    CHECK(has_note(&m, "1 labelled queries of the golden set have no retrieval event"));
    clear(&m);
    assay_dict_clear(&golden.ids);
    assay_dict_clear(&golden.docs);
}

TEST(the_other_stages)
{
    measured m;

    measure(
        &m,
        "{\"run_id\":\"r\",\"stage_type\":\"rerank\",\"duration_ms\":900,\"attributes\":"
        "{\"input_count\":10,\"output_count\":4,\"scores\":[0.8,0.75]}}\n"
        "{\"run_id\":\"r\",\"stage_type\":\"output\",\"attributes\":{\"tokens_in\":1000,"
        "\"tokens_out\":250,\"citations\":{\"ids\":[1,2]}}}\n"
        "{\"run_id\":\"r\",\"stage_type\":\"output\",\"attributes\":{\"tokens_in\":0,"
        "\"tokens_out\":250}}\n"
        "{\"run_id\":\"r\",\"stage_type\":\"input\",\"attributes\":{\"query\":\"누가?\"}}\n"
        "{\"run_id\":\"r\",\"stage_type\":\"intent\",\"attributes\":{\"label\":\"x\","
        "\"predicted_label\":\"y\",\"confidence\":\"0.75\"}}\n"
        "{\"run_id\":\"r\",\"stage_type\":\"safety_check\",\"attributes\":{\"violations\":"
        "[],\"violation_count\":3,\"blocked\":true}}\n"
        "{\"run_id\":\"r\",\"stage_type\":\"safety_check\",\"attributes\":"
        "{\"violation_count\":3}}\n"
        "{\"run_id\":\"r\",\"stage_type\":\"answer_validation\",\"attributes\":"
        "{\"passed\":0}}\n",
        NULL, false);
    CHECK_NEAR(find(&m, "rerank.keep_rate")->mean, 4 / 10.0, 0);
    CHECK_NEAR(find(&m, "rerank.score_gap")->mean, 0.8 - 0.75, 1e-15);
    CHECK_NEAR(find(&m, "output.token_ratio")->mean, 250 / 1000.0, 0);
    CHECK_INT(find(&m, "output.token_ratio")->n, 1);
    CHECK_NEAR(find(&m, "output.citation_count")->mean, (2 + 0) / 2.0, 0);
    CHECK_NEAR(find(&m, "input.query_length")->mean, 3, 0);
    CHECK_NEAR(find(&m, "intent.accuracy")->mean, 0, 0);
    CHECK_NEAR(find(&m, "intent.confidence")->mean, 0.75, 0);
    CHECK_NEAR(find(&m, "safety_check.violation_rate")->mean, (0 + 1) / 2.0, 0);
    CHECK_NEAR(find(&m, "safety_check.block_rate")->mean, 1, 0);
    CHECK_NEAR(find(&m, "answer_validation.pass_rate")->mean, 0, 0);
    clear(&m);
}

TEST(a_threshold_is_the_least_and_for_times_the_most_that_passes)
{
    measured m;

    measure(
        &m,
        "{\"run_id\":\"r\",\"stage_type\":\"rerank\",\"duration_ms\":800,\"attributes\":"
        "{\"input_count\":4,\"output_count\":1}}\n"
        "{\"run_id\":\"r\",\"stage_type\":\"rerank\",\"duration_ms\":800.5,"
        "\"attributes\":{\"input_count\":5,\"output_count\":1}}\n"
        "{\"run_id\":\"r\",\"stage_type\":\"other\",\"duration_ms\":1}\n",
        NULL, false);
    CHECK_INT(find(&m, "rerank.latency_ms")->n_passed, 1);
    CHECK_INT(find(&m, "rerank.keep_rate")->n_passed, 1);
    CHECK(isnan(find(&m, "other.latency_ms")->threshold));
    CHECK_INT(find(&m, "other.latency_ms")->n_passed, 0);
    clear(&m);
}

/* ---- files beside the events ---- */

static assay_status read_thresholds(const char *text, const char *profile, double *out,
                                    char *words)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_stage_rules rules = {0};
    assay_error err = {ASSAY_OK, ""};
    assay_status st = assay_stage_thresholds_read("limits", assay_slice_of(text), profile,
                                                  &arena, &rules, &err);

    *out = (double)NAN;
    for (uint32_t i = 0; i < rules.n_thresholds; i++)
        if (assay_slice_is(rules.threshold[i].metric, "output.latency_ms"))
            *out = rules.threshold[i].value;
    snprintf(words, 200, "%.199s", err.text);
    assay_arena_clear(&arena);
    return st;
}

TEST(thresholds_of_a_file_lie_over_the_standard_ones_and_a_profile_over_both)
{
    static const char layered[] =
        "{\"default\":{\"output.latency_ms\":3500},\"profiles\":"
        "{\"prod\":{\"output.latency_ms\":2000},\"dev\":{}}}";
    char words[200];
    double got;

    CHECK(!read_thresholds("{\"rerank.keep_rate\":0.5}", NULL, &got, words));
    CHECK_NEAR(got, 3000, 0);
    CHECK(!read_thresholds("{\"output.latency_ms\":1}", NULL, &got, words));
    CHECK_NEAR(got, 1, 0);
    CHECK(!read_thresholds(layered, NULL, &got, words));
    CHECK_NEAR(got, 3500, 0);
    CHECK(!read_thresholds(layered, "prod", &got, words));
    CHECK_NEAR(got, 2000, 0);
    CHECK(!read_thresholds("{}", NULL, &got, words));
    CHECK(isnan(got));
    CHECK_INT(read_thresholds(layered, "test", &got, words), ASSAY_EUSAGE);
    CHECK_STR(words, "no profile 'test' in 'limits'; there are: prod, dev");
    CHECK_INT(read_thresholds("{}", "prod", &got, words), ASSAY_EUSAGE);
    CHECK_STR(words, "'limits' has no profiles");
    CHECK_INT(read_thresholds("{\"a\":\n\"b\"}", NULL, &got, words), ASSAY_EINPUT);
    CHECK_STR(words, "limits:2: the threshold of 'a' must be a number, not a string");
    CHECK_INT(read_thresholds("[1]", NULL, &got, words), ASSAY_EINPUT);
    CHECK_STR(words, "limits:1: want a map of thresholds, not a list");
}

TEST(a_relevance_map_is_an_object_of_ids)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_stage_rules rules = {0};
    assay_error err;

    CHECK(assay_stage_relevance_read("map", ASSAY_LIT("[]"), &arena, &rules, &err) ==
          ASSAY_EINPUT);
    CHECK_STR(
        err.text,
        "map:1: a relevance map is an object {\"test case\": [\"doc\"]}, not a list");
    CHECK(assay_stage_relevance_read("map", ASSAY_LIT("{\"t\":[\"a\",\n{}]}"), &arena,
                                     &rules, &err) == ASSAY_EINPUT);
    CHECK_STR(err.text, "map:2: 't' has a map where a document id belongs");
    assay_arena_clear(&arena);
}

TEST(running_out_of_memory_while_measuring_is_an_error)
{
#ifdef ASSAY_TEST
    measured m;

    measure(&m, retrievals, relevance, false);
    for (uint64_t n = 1;; n++) {
        assay_arena arena = ASSAY_ARENA_EMPTY;
        assay_stage_report report = {0};
        assay_status st;
        int has_failed;

        assay_mem_fail_after(n);
        st = assay_stage_measure(m.run->stages, &m.rules, &arena, &report, NULL);
        has_failed = assay_mem_has_failed();
        assay_mem_fail_after(0);
        CHECK_INT(st, has_failed ? ASSAY_ENOMEM : ASSAY_OK);
        assay_stage_report_clear(&report);
        assay_arena_clear(&arena);
        if (!has_failed)
            break;
    }
    clear(&m);
#else
    SKIP("not a test build");
#endif
}
