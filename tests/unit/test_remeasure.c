/* SPDX-License-Identifier: Apache-2.0 */
/* Stored runs measured again: what counts, what changed, what is left alone. */
#include "pipeline/remeasure.h"

#include "base/slice.h"
#include "golden/frozen.h"
#include "run/snapshot.h"
#include "testing.h"

static const char golden_text[] = "version: 1\nqueries:\n"
                                  "  - {id: q1, query: a, relevant: [{chunk: c1}]}\n"
                                  "  - {id: q2, query: b, relevant: [{chunk: c2}]}\n"
                                  "  - {id: q3, query: c, relevant: [{chunk: c3}]}\n";

/* c1 first, c2 second; q3 was never asked. */
static const char results[] =
    "{\"query_id\":\"q1\",\"hits\":[{\"rank\":1,\"chunk_id\":\"c1\"}]}\n"
    "{\"query_id\":\"q2\",\"hits\":[{\"rank\":1,\"chunk_id\":\"x\"},"
    "{\"rank\":2,\"chunk_id\":\"c2\"}]}\n";

static assay_error err;

static void must(assay_status st)
{
    if (st)
        check_failed(__FILE__, __LINE__, "%s", err.text);
}

/* A store with one run; `plan` says which queries it set out to answer, null = all. */
static assay_store *store_with(const char *aggregate, const char *const *plan)
{
    assay_slice ids[3];
    assay_snapshot snapshot = {.method = ASSAY_LIT("bm25"),
                               .conventions = ASSAY_LIT("assay"),
                               .is_part = plan != NULL,
                               .plan = ids};
    assay_buffer json = ASSAY_BUFFER_EMPTY;
    assay_buffer frozen = ASSAY_BUFFER_EMPTY;
    assay_golden *golden = NULL;
    assay_run *run = NULL;
    assay_store *store = NULL;
    char hash[65];

    for (; plan && plan[snapshot.n_plan]; snapshot.n_plan++)
        ids[snapshot.n_plan] = assay_slice_of(plan[snapshot.n_plan]);
    unlink("runs.db");
    must(assay_store_open("runs.db", ASSAY_STORE_CREATE, &store, &err));
    must(assay_golden_parse("g.yaml", assay_slice_of(golden_text), NULL, &golden, &err));
    must(assay_golden_freeze(golden, &frozen, &err));
    assay_frozen_hash(assay_buffer_view(&frozen), hash);
    must(assay_store_put_golden(store, assay_slice_of(hash), ASSAY_LIT("g"),
                                assay_buffer_view(&frozen), &err));
    must(assay_run_parse("r.jsonl", assay_slice_of(results), NULL, &run, &err));
    assay_snapshot_write(&snapshot, &json);
    must(assay_store_add(
        store,
        &(assay_stored){.run_id = ASSAY_LIT("run_1"),
                        .snapshot = assay_buffer_view(&json),
                        .aggregate = assay_slice_of(aggregate),
                        .created_at = ASSAY_LIT("2026-01-01T00:00:00.000Z"),
                        .status = ASSAY_LIT(ASSAY_RUN_DONE),
                        .source = ASSAY_LIT("assay"),
                        .method = ASSAY_LIT("bm25"),
                        .golden_hash = assay_slice_of(hash)},
        &err));
    must(assay_store_put_all(store, ASSAY_LIT("run_1"), run, &err));
    assay_run_free(run);
    assay_golden_free(golden);
    assay_buffer_clear(&frozen);
    assay_buffer_clear(&json);
    return store;
}

/* Measure it again; the caller clears. */
static assay_remeasured again(assay_store *store, const char *metrics, bool writes,
                              assay_arena *arena)
{
    assay_remeasure todo = {
        .place = "runs.db", .n = 1, .metrics = metrics, .writes = writes};
    assay_remeasured done = {.is_done = false};
    assay_stored stored;

    must(assay_store_get(store, ASSAY_LIT("run_1"), arena, &stored, &err));
    todo.run = &stored;
    must(assay_remeasure_all(&todo, &done, &err));
    if (done.status)
        check_failed(__FILE__, __LINE__, "%s", done.why);
    return done;
}

TEST(run_is_measured_with_its_own_golden_set_and_stored)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_store *store = store_with("{}", NULL);
    assay_remeasured done = again(store, NULL, true, &arena);
    const assay_aggregated_metric *mrr =
        assay_aggregate_find(&done.after, ASSAY_LIT("mrr"));
    assay_stored stored;

    CHECK(done.is_done && done.is_written);
    CHECK_NEAR(mrr->value, (1 + 1 / 2.0 + 0) / 3, 1e-15); /* q3 is missing: 0 */
    CHECK_INT(mrr->n, 3);
    CHECK_INT(done.after.missing, 1);
    must(assay_store_get(store, ASSAY_LIT("run_1"), &arena, &stored, &err));
    CHECK(assay_slice_eq(stored.aggregate, done.aggregate));
    assay_remeasured_clear(&done);

    done = again(store, NULL, true, &arena);
    CHECK(done.is_done && !done.is_written);
    CHECK_INT(done.n_changed, 0);
    assay_remeasured_clear(&done);
    assay_store_close(store);
    assay_arena_clear(&arena);
}

TEST(query_that_was_never_to_be_asked_does_not_count)
{
    static const char *const plan[] = {"q1", "q2", NULL};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_store *store = store_with("{}", plan);
    assay_remeasured done = again(store, "mrr", false, &arena);

    CHECK_NEAR(done.after.metric[0].value, (1 + 1 / 2.0) / 2, 1e-15);
    CHECK_INT(done.after.metric[0].n, 2);
    CHECK_INT(done.after.total, 2);
    CHECK_INT(done.after.skipped, 1);
    CHECK_INT(done.after.missing, 0);
    CHECK(!done.is_written);
    assay_remeasured_clear(&done);
    assay_store_close(store);
    assay_arena_clear(&arena);
}

TEST(metric_of_before_is_measured_again_beside_the_usual_ones)
{
    static const char before[] =
        "{\"conventions\":\"assay\",\"level\":\"chunk\",\"metrics\":{"
        "\"recall(level=chunk,rel=1,judged_only=false)@2\":"
        "{\"name\":\"recall@2\",\"value\":0.25,\"n\":3,\"level\":\"chunk\"}}}";
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_store *store = store_with(before, NULL);
    assay_remeasured done = again(store, NULL, false, &arena);
    const assay_metric_change *c = NULL;

    for (uint32_t i = 0; i < done.n_changes; i++)
        if (assay_slice_is(done.change[i].name, "recall@2"))
            c = &done.change[i];
    CHECK(c && c->is_changed && !c->is_new && !c->is_gone);
    CHECK_NEAR(c->before, 0.25, 0);
    CHECK_NEAR(c->after, 2 / 3.0, 1e-15);
    CHECK_INT(done.n_changed, 1);
    CHECK(assay_aggregate_find(&done.after, ASSAY_LIT("ndcg@10")) != NULL);
    assay_remeasured_clear(&done);
    assay_store_close(store);
    assay_arena_clear(&arena);
}

TEST(recorded_values_are_left_as_they_are)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_store *store =
        store_with("{\"metrics\":{\"mrr\":{\"value\":1}},\"recorded\":{}}", NULL);
    assay_remeasured done = again(store, NULL, true, &arena);

    CHECK(done.is_recorded && !done.is_done && !done.is_written);
    assay_remeasured_clear(&done);
    assay_store_close(store);
    assay_arena_clear(&arena);
}

static assay_aggregated read_json(const char *json, assay_arena *arena)
{
    assay_aggregated a;

    must(assay_aggregate_read("a", assay_slice_of(json), arena, &a, &err));
    return a;
}

TEST(rounded_values_of_kebab_are_the_same_within_half_a_step)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_aggregated a = read_json("{\"mrr\":0.33329999446868896}", &arena);
    assay_aggregated b = read_json(
        "{\"conventions\":\"kebab\",\"metrics\":{\"mrr(level=chunk)\":{\"name\":\"mrr\","
        "\"value\":0.3333,\"n\":3}}}",
        &arena);
    assay_aggregated c = read_json(
        "{\"conventions\":\"kebab\",\"metrics\":{\"mrr(level=chunk)\":{\"name\":\"mrr\","
        "\"value\":0.3334,\"n\":3}}}",
        &arena);
    assay_metric_change *change;
    uint32_t n;

    CHECK(assay_aggregate_compare(&a, &b, &arena, &change, &n));
    CHECK_INT(n, 1);
    CHECK(!change[0].is_changed && !change[0].is_new);
    CHECK(assay_aggregate_compare(&a, &c, &arena, &change, &n));
    CHECK(change[0].is_changed);
    assay_arena_clear(&arena);
}

TEST(value_that_came_or_went_has_changed)
{
    static const char some[] =
        "{\"metrics\":{\"mrr(x)\":{\"name\":\"mrr\",\"value\":0.5,\"n\":1},"
        "\"map(x)\":{\"name\":\"map\",\"value\":0.1,\"n\":1}}}";
    static const char none[] =
        "{\"metrics\":{\"mrr(x)\":{\"name\":\"mrr\",\"value\":null,\"n\":0},"
        "\"map(y)\":{\"name\":\"map\",\"value\":0.1,\"n\":1}}}";
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_aggregated a = read_json(some, &arena);
    assay_aggregated b = read_json(none, &arena);
    assay_metric_change *change;
    uint32_t n;

    CHECK(assay_aggregate_compare(&a, &b, &arena, &change, &n));
    CHECK_INT(n, 3);
    CHECK(change[0].is_changed && isnan(change[0].after));
    /* Another spelling in full is another metric, whatever it is called. */
    CHECK(change[1].is_new && assay_slice_is(change[1].key, "map(y)"));
    CHECK(change[2].is_gone && assay_slice_is(change[2].key, "map(x)"));
    assay_arena_clear(&arena);
}
