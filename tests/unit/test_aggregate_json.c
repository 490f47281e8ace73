/* SPDX-License-Identifier: Apache-2.0 */
/* What a run adds up to, as the store keeps it. */
#include "report/aggregate_json.h"

#include "base/slice.h"
#include "pipeline/evaluate.h"
#include "testing.h"

static const char two_queries[] =
    "version: 1\n"
    "queries:\n"
    "  - {id: q1, query: a, relevant: [{chunk: c1}, {chunk: c2}]}\n"
    "  - {id: q2, query: b, relevant: [{chunk: c3}]}\n"
    "  - {id: q3, query: c}\n";

static const char two_results[] =
    "{\"query_id\":\"q1\",\"hits\":[{\"rank\":1,\"chunk_id\":\"c1\"},"
    "{\"rank\":2,\"chunk_id\":\"x\"}]}\n"
    "{\"query_id\":\"q2\",\"hits\":[],\"error\":\"timed out\"}\n"
    "{\"query_id\":\"q3\",\"hits\":[{\"rank\":1,\"chunk_id\":\"c1\"}]}\n";

static void aggregate(const char *conventions, const char *measures, assay_buffer *out)
{
    assay_eval_settings settings = {
        .conventions = assay_conventions_find(assay_slice_of(conventions))};
    assay_aggregate_about about = {.conventions = settings.conventions,
                                   .golden_hash = ASSAY_LIT("abc"),
                                   .skipped = 4};
    assay_golden *golden = NULL;
    assay_run *run = NULL;
    assay_scores *scores = NULL;
    assay_error err = {ASSAY_OK, ""};

    CHECK_INT(
        assay_golden_parse("g.yaml", assay_slice_of(two_queries), NULL, &golden, &err),
        ASSAY_OK);
    CHECK_INT(assay_run_parse("r.jsonl", assay_slice_of(two_results), NULL, &run, &err),
              ASSAY_OK);
    CHECK_INT(assay_evaluate(golden, run, measures, &settings, &scores, &err), ASSAY_OK);
    assay_aggregate_json(scores, &about, out);
    CHECK(!out->has_failed);
    assay_scores_free(scores);
    assay_run_free(run);
    assay_golden_free(golden);
}

static assay_aggregated read_back(assay_slice json, assay_arena *arena)
{
    assay_error err = {ASSAY_OK, ""};
    assay_aggregated a;

    if (assay_aggregate_read("a.json", json, arena, &a, &err))
        check_failed(__FILE__, __LINE__, "read: %s", err.text);
    return a;
}

TEST(aggregate_comes_back_as_it_was_written)
{
    assay_buffer json = ASSAY_BUFFER_EMPTY;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    const assay_aggregated_metric *m;
    assay_aggregated a;

    aggregate("assay", "recall@3,mrr,empty_result_rate", &json);
    a = read_back(assay_buffer_view(&json), &arena);

    CHECK(assay_slice_is(a.conventions, "assay"));
    CHECK(assay_slice_is(a.level, "chunk"));
    CHECK(assay_slice_is(a.golden_hash, "abc"));
    CHECK(assay_slice_is(a.version, assay_version()));
    CHECK(!a.is_recorded);
    CHECK_INT(a.n_metrics, 3);
    CHECK_INT(a.total, 3);
    CHECK_INT(a.failed, 1);
    CHECK_INT(a.missing, 0);
    CHECK_INT(a.skipped, 4);
    CHECK_INT(a.ineligible, 1); /* q3 */
    m = assay_aggregate_find(&a, ASSAY_LIT("recall@3"));
    CHECK(m != NULL);
    CHECK(assay_slice_starts(m->key, "recall(level=chunk,"));
    CHECK(m == assay_aggregate_find(&a, m->key));
    CHECK_NEAR(m->value, (1 / 2.0 + 0) / 2, 1e-15); /* one of two; failed */
    CHECK_INT(m->n, 2);
    CHECK(!m->is_lower_better);
    CHECK(assay_aggregate_find(&a, ASSAY_LIT("empty_result_rate"))->is_lower_better);
    CHECK(assay_aggregate_find(&a, ASSAY_LIT("ndcg@3")) == NULL);
    assay_arena_clear(&arena);
    assay_buffer_clear(&json);
}

TEST(kebab_fields_come_behind_the_schema_in_kebabs_order)
{
    static const char *const field[] = {"\"schema\"",
                                        "\"hit_at_k\"",
                                        "\"mrr\"",
                                        "\"recall_at_k_doc\"",
                                        "\"precision_at_k_chunk\"",
                                        "\"citation_coverage\"",
                                        "\"groundedness\"",
                                        "\"empty_result_rate\"",
                                        "\"refusal_correctness\"",
                                        "\"total_queries\"",
                                        "\"failed_queries\"",
                                        "\"conventions\"",
                                        "\"metrics\""};
    assay_buffer json = ASSAY_BUFFER_EMPTY;
    const char *at;

    aggregate("kebab", "hit@1,mrr", &json);
    assay_buffer_char(&json, '\0');
    at = json.ptr;
    for (size_t i = 0; i < sizeof field / sizeof field[0]; i++) {
        at = strstr(at, field[i]);
        if (!at)
            check_failed(__FILE__, __LINE__, "%s is not where it belongs", field[i]);
    }
    assay_buffer_clear(&json);
}

TEST(aggregate_of_kebab_itself_is_read)
{
    static const char json[] =
        "{\"hit_at_k\":{\"1\":0.5,\"10\":0.75},\"mrr\":0.6,\"recall_at_k_doc\":{},"
        "\"citation_coverage\":null,\"empty_result_rate\":0.25,"
        "\"total_queries\":8,\"failed_queries\":1}";
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_aggregated a = read_back(assay_slice_of(json), &arena);

    CHECK(assay_slice_is(a.conventions, "kebab"));
    CHECK_INT(a.n_metrics, 5);
    CHECK_NEAR(assay_aggregate_find(&a, ASSAY_LIT("hit@10"))->value, 0.75, 0);
    CHECK_NEAR(assay_aggregate_find(&a, ASSAY_LIT("mrr"))->value, 0.6, 0);
    CHECK(isnan(assay_aggregate_find(&a, ASSAY_LIT("citation_coverage"))->value));
    CHECK_INT(assay_aggregate_find(&a, ASSAY_LIT("mrr"))->n, ASSAY_NONE);
    CHECK_INT(a.total, 8);
    CHECK_INT(a.failed, 1);
    assay_arena_clear(&arena);
}

TEST(aggregate_that_was_never_made_is_empty)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_aggregated a = read_back(ASSAY_LIT("{}"), &arena);

    CHECK_INT(a.conventions.len, 0);
    CHECK_INT(a.n_metrics, 0);
    CHECK_INT(a.total, -1);
    assay_arena_clear(&arena);
}

TEST(aggregate_that_is_no_map_is_refused)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_error err = {ASSAY_OK, ""};
    assay_aggregated a;

    CHECK_INT(assay_aggregate_read("a.json", ASSAY_LIT("[1]"), &arena, &a, &err),
              ASSAY_EINPUT);
    CHECK_STR(err.text, "a.json:1: an aggregate must be a map, not a list");
    assay_arena_clear(&arena);
}

TEST(recorded_values_are_kept_query_by_query)
{
    static const char file[] =
        "{\"recall_mean\":0.75,\"num_queries\":2,\"k\":5,\"per_query\":["
        "{\"id\":1,\"question\":\"a\",\"recall\":1.0,\"precision\":0.2,\"mrr\":1.0,"
        "\"passed\":true},"
        "{\"id\":2,\"question\":\"b\",\"recall\":0.5,\"precision\":0.4,\"mrr\":0.25,"
        "\"passed\":false}]}";
    assay_buffer json = ASSAY_BUFFER_EMPTY;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_run *run = NULL;
    assay_error err = {ASSAY_OK, ""};
    assay_aggregated a;

    CHECK_INT(assay_run_parse("bob.json", assay_slice_of(file), NULL, &run, &err),
              ASSAY_OK);
    assay_aggregate_recorded(run, &json);
    a = read_back(assay_buffer_view(&json), &arena);

    CHECK(a.is_recorded);
    CHECK_INT(a.total, 2);
    CHECK_NEAR(assay_aggregate_find(&a, ASSAY_LIT("recall@5"))->value, (1 + 0.5) / 2, 0);
    CHECK_NEAR(assay_aggregate_find(&a, ASSAY_LIT("mrr"))->value, (1 + 0.25) / 2, 0);
    assay_buffer_char(&json, '\0');
    CHECK(strstr(json.ptr, "\"2\":{\"recall@5\":0.5,\"precision@5\":0.4,\"mrr\":0.25,"
                           "\"passed\":false}") != NULL);
    assay_arena_clear(&arena);
    assay_buffer_clear(&json);
    assay_run_free(run);
}
