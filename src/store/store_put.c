/* SPDX-License-Identifier: Apache-2.0 */
/* Results of a run: put one by one or all at once, listed, loaded. */
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "store/store_own.h"

enum { DEFAULT_K = 10, LARGEST_K = 100 };

/* ---- putting ---- */

static const char k_of[] = "SELECT k FROM eval_runs WHERE run_id = $1";

/* How many hits result_json shows: as many as the run's k, which never changes. */
static assay_status find_k(assay_store *store, assay_slice run_id, uint32_t *k,
                           assay_error *err)
{
    assay_buffer *known = &store->cached_run;
    assay_store_query q;
    bool has_row = false;
    assay_status st;

    if (known->len && assay_slice_eq(assay_buffer_view(known), run_id)) {
        *k = store->cached_k;
        return ASSAY_OK;
    }
    st = assay_store_ask(store, k_of, &q, err);
    if (st)
        return st;
    assay_query_text(&q, run_id);
    st = assay_query_step(&q, &has_row, err);
    if (!st && has_row)
        *k = assay_query_get_u32(&q);
    assay_query_end(&q);
    if (st || !has_row)
        return st ? st : assay_store_no_run(store, run_id, err);
    if (*k == 0 || *k > LARGEST_K)
        *k = *k ? LARGEST_K : DEFAULT_K;
    known->len = 0;
    assay_buffer_slice(known, run_id);
    if (known->has_failed)
        assay_buffer_clear(known);
    store->cached_k = *k;
    return ASSAY_OK;
}

static const char put_row[] =
    "INSERT INTO eval_query_results (run_id, query_id, result_json, has_failed, hits)"
    " VALUES ($1, $2, $3, $4, $5) ON CONFLICT (run_id, query_id) DO UPDATE SET"
    " result_json = excluded.result_json, has_failed = excluded.has_failed,"
    " hits = excluded.hits";

typedef struct putting {
    assay_slice run_id;
    const assay_result *result;
    const assay_recorded *recorded; /* or null */
} putting;

static assay_status put_work(assay_store *store, void *arg, assay_error *err)
{
    const putting *p = arg;
    assay_store_query q;
    uint32_t k = 0;
    assay_status st = find_k(store, p->run_id, &k, err);

    if (!st)
        st = assay_store_pack(store, p->result, p->recorded, k, err);
    if (!st)
        st = assay_store_ask(store, put_row, &q, err);
    if (st)
        return st;
    assay_query_text(&q, p->run_id);
    assay_query_text(&q, p->result->query_id);
    assay_query_text(&q, assay_buffer_view(&store->json));
    assay_query_int(&q, p->result->error.len > 0);
    assay_query_blob(&q, assay_buffer_view(&store->hits));
    st = assay_query_run(&q, err);
    /* Somebody has removed the run in the meantime. */
    if (st && assay_store_is_foreign(store))
        st = assay_store_no_run(store, p->run_id, err);
    return st;
}

assay_status assay_store_put(assay_store *store, assay_slice run_id,
                             const assay_result *result, assay_error *err)
{
    putting p = {run_id, result, NULL};

    if (!result->query_id.len)
        return assay_fail(err, ASSAY_EUSAGE, "a result needs a query id");
    return assay_store_do(store, put_work, &p, err);
}

typedef struct putting_all {
    assay_slice run_id;
    const assay_run *run;
} putting_all;

static assay_status put_all_work(assay_store *store, void *arg, assay_error *err)
{
    const putting_all *all = arg;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    uint32_t k;
    assay_status st = find_k(store, all->run_id, &k, err); /* also of an empty run */

    for (uint32_t i = 0; i < assay_run_n(all->run) && !st; i++) {
        assay_result result;
        putting p = {all->run_id, &result, NULL};

        assay_arena_reset(&arena);
        st = assay_run_result(all->run, i, &arena, &result, err);
        if (all->run->recorded)
            p.recorded = &all->run->recorded[i];
        if (!st)
            st = put_work(store, &p, err);
    }
    assay_arena_clear(&arena);
    return st;
}

assay_status assay_store_put_all(assay_store *store, assay_slice run_id,
                                 const assay_run *run, assay_error *err)
{
    putting_all all = {run_id, run};

    return assay_store_do_all(store, put_all_work, &all, err);
}

/* ---- what is there ---- */

static const char done_rows[] = "SELECT query_id, has_failed FROM eval_query_results"
                                " WHERE run_id = $1 ORDER BY query_id";

typedef struct doing {
    assay_slice run_id;
    assay_arena *arena;
    assay_store_done *done;
    size_t cap;
    uint32_t n;
} doing;

static assay_status done_work(assay_store *store, void *arg, assay_error *err)
{
    doing *d = arg;
    assay_store_query q;
    bool has_row = true;
    uint32_t k;
    assay_status st = find_k(store, d->run_id, &k, err);

    if (!st)
        st = assay_store_ask(store, done_rows, &q, err);
    if (st)
        return st;
    assay_query_text(&q, d->run_id);
    d->n = 0;
    for (;;) {
        assay_store_done *one;

        st = assay_query_step(&q, &has_row, err);
        if (st || !has_row)
            return st;
        one = assay_mem_grow(d->done, &d->cap, (size_t)d->n + 1, sizeof *one);
        if (one) {
            d->done = one;
            one += d->n++;
            one->query_id = assay_query_copy(&q, d->arena);
            one->has_failed = assay_query_get_int(&q) != 0;
        }
        if (!one || !one->query_id.ptr) {
            assay_query_end(&q);
            return assay_fail_memory(err, "listing results");
        }
    }
}

assay_status assay_store_done_list(assay_store *store, assay_slice run_id,
                                   assay_arena *arena, assay_store_done **out,
                                   uint32_t *n, assay_error *err)
{
    doing d = {.run_id = run_id, .arena = arena};
    assay_status st = assay_store_do(store, done_work, &d, err);
    assay_store_done *list = NULL;

    if (!st) {
        list = ASSAY_ARENA_ARRAY(arena, assay_store_done, d.n);
        if (!list)
            st = assay_fail_memory(err, "listing results");
    }
    if (!st) {
        for (uint32_t i = 0; i < d.n; i++)
            list[i] = d.done[i];
        *out = list;
        *n = d.n;
    }
    assay_mem_free(d.done);
    return st;
}
