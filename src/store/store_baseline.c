/* SPDX-License-Identifier: Apache-2.0 */
/* Baselines: names for runs that others are held against. */
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "store/run_id.h"
#include "store/store_own.h"

static const char set_row[] =
    "INSERT INTO baselines (name, run_id, note, created_at) VALUES ($1, $2, $3, $4)"
    " ON CONFLICT (name) DO UPDATE SET run_id = excluded.run_id, note = excluded.note,"
    " created_at = excluded.created_at";
static const char clear_row[] = "DELETE FROM baselines WHERE name = $1";
static const char all_rows[] =
    "SELECT name, run_id, note, created_at FROM baselines ORDER BY name";

static assay_status set_work(assay_store *store, void *arg, assay_error *err)
{
    const assay_stored_baseline *b = *(const assay_stored_baseline **)arg;
    char now[ASSAY_STORE_TIME_SIZE];
    assay_store_query q;
    assay_status st = assay_store_ask(store, set_row, &q, err);

    if (st)
        return st;
    assay_store_time(0, now);
    assay_query_text(&q, b->name);
    assay_query_text(&q, b->run_id);
    assay_query_text(&q, b->note);
    assay_query_text(&q, b->created_at.len ? b->created_at : assay_slice_of(now));
    st = assay_query_run(&q, err);
    if (st && assay_store_is_foreign(store))
        st = assay_store_no_run(store, b->run_id, err);
    return st;
}

assay_status assay_store_set_baseline(assay_store *store, const assay_stored_baseline *b,
                                      assay_error *err)
{
    if (!b->name.len)
        return assay_fail(err, ASSAY_EUSAGE, "a baseline needs a name");
    return assay_store_do(store, set_work, &b, err);
}

static assay_status clear_work(assay_store *store, void *arg, assay_error *err)
{
    const assay_slice *name = arg;
    assay_store_query q;
    assay_status st = assay_store_ask(store, clear_row, &q, err);

    if (st)
        return st;
    assay_query_text(&q, *name);
    st = assay_query_run(&q, err);
    if (!st && assay_store_changes(store) == 0 && !store->is_again)
        st = assay_fail(err, ASSAY_EUSAGE, "no baseline '%.*s' in '%s'",
                        ASSAY_QUOTE(*name), assay_store_place(store));
    return st;
}

assay_status assay_store_clear_baseline(assay_store *store, assay_slice name,
                                        assay_error *err)
{
    return assay_store_do(store, clear_work, &name, err);
}

typedef struct listing {
    assay_arena *arena;
    assay_stored_baseline *list;
    size_t cap;
    uint32_t n;
} listing;

static assay_status read_row(assay_store_query *q, listing *l, assay_error *err)
{
    assay_stored_baseline *b =
        assay_mem_grow(l->list, &l->cap, (size_t)l->n + 1, sizeof *b);

    if (!b)
        return assay_fail_memory(err, "reading baselines");
    l->list = b;
    b += l->n++;
    b->name = assay_query_copy(q, l->arena);
    b->run_id = assay_query_copy(q, l->arena);
    b->note = assay_query_copy(q, l->arena);
    b->created_at = assay_query_copy(q, l->arena);
    if (!b->name.ptr || !b->run_id.ptr || !b->note.ptr || !b->created_at.ptr)
        return assay_fail_memory(err, "reading baselines");
    return ASSAY_OK;
}

static assay_status list_work(assay_store *store, void *arg, assay_error *err)
{
    listing *l = arg;
    assay_store_query q;
    bool has_row = true;
    assay_status st = assay_store_ask(store, all_rows, &q, err);

    if (st)
        return st;
    l->n = 0;
    while (!st) {
        st = assay_query_step(&q, &has_row, err);
        if (st || !has_row)
            break;
        st = read_row(&q, l, err);
    }
    assay_query_end(&q);
    return st;
}

assay_status assay_store_baselines(assay_store *store, assay_arena *arena,
                                   assay_stored_baseline **out, uint32_t *n,
                                   assay_error *err)
{
    listing l = {.arena = arena};
    assay_status st = assay_store_do(store, list_work, &l, err);
    assay_stored_baseline *list = NULL;

    if (!st) {
        list = ASSAY_ARENA_ARRAY(arena, assay_stored_baseline, l.n);
        if (!list)
            st = assay_fail_memory(err, "reading baselines");
    }
    if (!st) {
        for (uint32_t i = 0; i < l.n; i++)
            list[i] = l.list[i];
        *out = list;
        *n = l.n;
    }
    assay_mem_free(l.list);
    return st;
}
