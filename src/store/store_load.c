/* SPDX-License-Identifier: Apache-2.0 */
/* A stored run, loaded as one that was read from a file. */
#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "store/store_own.h"

static const char k_of[] = "SELECT k FROM eval_runs WHERE run_id = $1";
static const char result_rows[] =
    "SELECT query_id, result_json, hits FROM eval_query_results"
    " WHERE run_id = $1 ORDER BY query_id";

typedef struct loading {
    assay_slice run_id;
    assay_run *run;
    assay_recorded *recorded; /* by result */
    size_t cap_recorded;
    bool has_recorded;
    bool has_hits;
} loading;

static assay_status add_result(assay_store *store, assay_store_query *q, loading *l,
                               assay_error *err)
{
    assay_slice id = assay_query_copy(q, &store->reader.arena);
    assay_slice json = assay_query_get(q);
    assay_slice hits = assay_query_get(q);
    assay_error cause = {ASSAY_OK, ""};
    assay_result *result;
    assay_recorded *recorded;
    bool has_recorded = false;
    assay_status st;

    recorded = assay_mem_grow(l->recorded, &l->cap_recorded,
                              (size_t)l->run->n_results + 1, sizeof *recorded);
    if (!id.ptr || !recorded)
        return assay_fail_memory(err, "loading a run");
    l->recorded = recorded;
    st = assay_run_add(l->run, id, 0, &result, err);
    if (st)
        return st;
    st = assay_store_unpack(store, json, hits, result, &recorded[l->run->n_results - 1],
                            &has_recorded, &cause);
    if (st)
        return assay_fail(err, st, "'%s': run '%.*s', query '%.*s': %s",
                          assay_store_place(store), ASSAY_QUOTE(l->run_id),
                          ASSAY_QUOTE(id), cause.text);
    l->has_recorded |= has_recorded;
    l->has_hits |= result->n_hits > 0;
    return ASSAY_OK;
}

static assay_status start(assay_store *store, loading *l, assay_error *err)
{
    assay_store_query q;
    bool has_row = false;
    assay_status st;

    /* What an earlier try left behind. */
    assay_run_free(l->run);
    l->has_recorded = false;
    l->has_hits = false;
    l->run = assay_run_new();
    if (!l->run)
        return assay_fail_memory(err, "loading a run");
    l->run->path = assay_arena_string(&l->run->arena, l->run_id);
    if (!l->run->path)
        return assay_fail_memory(err, "loading a run");
    l->run->name = assay_slice_of(l->run->path);
    st = assay_store_ask(store, k_of, &q, err);
    if (st)
        return st;
    assay_query_text(&q, l->run_id);
    st = assay_query_step(&q, &has_row, err);
    if (!st && has_row)
        l->run->recorded_k = assay_query_get_u32(&q);
    assay_query_end(&q);
    return !st && !has_row ? assay_store_no_run(store, l->run_id, err) : st;
}

static assay_status load_work(assay_store *store, void *arg, assay_error *err)
{
    loading *l = arg;
    assay_store_query q;
    bool has_row = true;
    assay_status st;

    assay_arena_recycle(&store->reader.arena);
    st = start(store, l, err);
    if (!st)
        st = assay_store_ask(store, result_rows, &q, err);
    if (st)
        return st;
    assay_query_text(&q, l->run_id);
    while (!st) {
        st = assay_query_step(&q, &has_row, err);
        if (st || !has_row)
            break;
        st = add_result(store, &q, l, err);
    }
    assay_query_end(&q);
    return st;
}

/* Values that another program has measured, where the run has them. */
static assay_status keep_recorded(loading *l, assay_error *err)
{
    assay_run *run = l->run;

    if (!l->has_recorded) {
        run->recorded_k = 0;
        return ASSAY_OK;
    }
    run->recorded = ASSAY_ARENA_ARRAY(&run->arena, assay_recorded, run->n_results);
    if (!run->recorded)
        return assay_fail_memory(err, "loading a run");
    for (uint32_t i = 0; i < run->n_results; i++)
        run->recorded[i] = l->recorded[i];
    run->is_scores_only = !l->has_hits;
    return ASSAY_OK;
}

assay_status assay_store_load(assay_store *store, assay_slice run_id, assay_run **out,
                              assay_error *err)
{
    loading l = {.run_id = run_id};
    assay_status st = assay_store_do(store, load_work, &l, err);

    if (!st) {
        /* What is not used stays for the next one. */
        assay_arena_block *spare = store->reader.arena.spare;

        store->reader.arena.spare = NULL;
        assay_arena_take(&l.run->arena, &store->reader.arena);
        store->reader.arena.spare = spare;
        st = keep_recorded(&l, err);
    }
    if (!st)
        st = assay_run_finish(l.run, err);
    if (!st) {
        *out = l.run;
        l.run = NULL;
    }
    assay_run_free(l.run);
    assay_arena_recycle(&store->reader.arena);
    assay_mem_free(l.recorded);
    return st;
}

void assay_store_recycle(assay_store *store, assay_run *run)
{
    if (!run)
        return;
    assay_arena_recycle(&run->arena);
    assay_arena_take(&store->reader.arena, &run->arena);
    assay_run_free(run);
}
