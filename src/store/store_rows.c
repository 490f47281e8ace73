/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of eval_runs with their tags: one run, or a list of them. */
#include <string.h>

#include "base/dict.h"
#include "base/error.h"
#include "base/slice.h"
#include "store/store_own.h"

/* ---- rows ---- */

assay_status assay_store_read_row(assay_store_query *q, assay_arena *arena,
                                  assay_stored *out, assay_error *err)
{
    /* In the order of the columns. */
    assay_slice *const text[] = {
        &out->run_id,  &out->suite,      &out->snapshot,    &out->aggregate,
        &out->commit,  &out->created_at, &out->finished_at, &out->status,
        &out->source,  &out->method,     &out->golden_hash, &out->corpus_hash,
        &out->chunker,
    };
    uint32_t *const number[] = {&out->k, &out->depth, &out->n_planned, &out->n_done,
                                &out->n_failed};

    for (size_t i = 0; i < ASSAY_COUNT(text); i++) {
        *text[i] = assay_query_copy(q, arena);
        if (!text[i]->ptr)
            return assay_fail_memory(err, "reading runs");
    }
    for (size_t i = 0; i < ASSAY_COUNT(number); i++)
        *number[i] = assay_query_get_u32(q);
    out->tag = NULL;
    out->n_tags = 0;
    return ASSAY_OK;
}

/* Room for one more in an array that grows in an arena. */
static void *grow(assay_arena *arena, void *array, size_t n, size_t size)
{
    void *larger;

    if (n & (n - 1))
        return array; /* room up to the next power of two */
    larger = assay_arena_zero(arena, n ? 2 * n : 1, size);
    if (larger && n)
        memcpy(larger, array, n * size);
    return larger;
}

/* ---- tags ---- */

static assay_status add_tag(assay_store_query *q, assay_arena *arena, assay_stored *run,
                            assay_error *err)
{
    assay_tag *tag = grow(arena, run->tag, run->n_tags, sizeof *tag);

    if (tag) {
        run->tag = tag;
        tag += run->n_tags;
        tag->key = assay_query_copy(q, arena);
        tag->value = assay_query_copy(q, arena);
    }
    if (!tag || !tag->key.ptr || !tag->value.ptr)
        return assay_fail_memory(err, "reading tags");
    run->n_tags++;
    return ASSAY_OK;
}

static const char tags_of_one[] = "SELECT run_id, tag_key, tag_value FROM run_tags"
                                  " WHERE run_id = $1 ORDER BY tag_key";
static const char tags_of_all[] = "SELECT run_id, tag_key, tag_value FROM run_tags"
                                  " ORDER BY run_id, tag_key";

static assay_status read_tags(assay_store *store, const assay_dict *ids,
                              assay_arena *arena, assay_stored *run, uint32_t n,
                              assay_error *err)
{
    assay_store_query q;
    bool has_row = true;
    assay_status st = assay_store_ask(store, n == 1 ? tags_of_one : tags_of_all, &q, err);

    if (st)
        return st;
    if (n == 1)
        assay_query_text(&q, run->run_id);
    while (!st) {
        uint32_t i;

        st = assay_query_step(&q, &has_row, err);
        if (st || !has_row)
            break;
        i = assay_dict_find(ids, assay_query_get(&q));
        if (i != ASSAY_NONE)
            st = add_tag(&q, arena, &run[i], err);
    }
    assay_query_end(&q);
    return st;
}

static assay_status put_tags(assay_store *store, assay_arena *arena, assay_stored *run,
                             uint32_t n, assay_error *err)
{
    assay_dict ids = {.n = 0};
    assay_status st = ASSAY_OK;
    uint32_t number;

    for (uint32_t i = 0; i < n && !st; i++)
        if (!assay_dict_put(&ids, NULL, run[i].run_id, &number, NULL))
            st = assay_fail_memory(err, "reading runs");
    if (!st && n)
        st = read_tags(store, &ids, arena, run, n, err);
    assay_dict_clear(&ids);
    return st;
}

assay_status assay_store_read_rows(assay_store *store, assay_store_query *q,
                                   assay_arena *arena, assay_stored **out, uint32_t *n,
                                   assay_error *err)
{
    assay_stored *run = NULL;
    uint32_t n_runs = 0;
    bool has_row = true;
    assay_status st = ASSAY_OK;

    while (!st) {
        st = assay_query_step(q, &has_row, err);
        if (st || !has_row)
            break;
        run = grow(arena, run, n_runs, sizeof *run);
        st = run ? assay_store_read_row(q, arena, &run[n_runs], err)
                 : assay_fail_memory(err, "reading runs");
        n_runs++;
    }
    assay_query_end(q);
    if (!st)
        st = put_tags(store, arena, run, n_runs, err);
    if (st)
        return st;
    *out = run;
    *n = n_runs;
    return ASSAY_OK;
}

/* ---- one ---- */

typedef struct getting {
    assay_slice run_id;
    assay_arena *arena;
    assay_stored *run;
    uint32_t n;
} getting;

static const char get_one[] = ASSAY_STORE_ROW " WHERE r.run_id = $1";

static assay_status get_work(assay_store *store, void *arg, assay_error *err)
{
    getting *g = arg;
    assay_store_query q;
    assay_status st = assay_store_ask(store, get_one, &q, err);

    if (st)
        return st;
    assay_query_text(&q, g->run_id);
    return assay_store_read_rows(store, &q, g->arena, &g->run, &g->n, err);
}

assay_status assay_store_get(assay_store *store, assay_slice run_id, assay_arena *arena,
                             assay_stored *out, assay_error *err)
{
    getting g = {run_id, arena, NULL, 0};
    assay_status st = assay_store_do(store, get_work, &g, err);

    if (st)
        return st;
    if (!g.n)
        return assay_store_no_run(store, run_id, err);
    *out = g.run[0];
    return ASSAY_OK;
}

/* ---- many ---- */

/* Each condition has a number before it that says whether it holds for all. */
static const char list_some[] = ASSAY_STORE_ROW
    " WHERE ($1 = 0 OR r.suite = $2)"
    " AND ($3 = 0 OR r.method = $4 OR (r.method >= $5 AND r.method < $6))"
    " AND ($7 = 0 OR EXISTS (SELECT 1 FROM run_tags t WHERE t.run_id = r.run_id"
    "  AND t.tag_key = $8 AND ($9 = 0 OR t.tag_value = $10)))"
    " AND ($11 = 0 OR r.created_at >= $12)"
    " AND ($13 = 0 OR r.created_at < $14)"
    " AND ($15 = 0 OR r.status = $16)"
    " AND ($17 = 0 OR substr(r.run_id, 1, $18) = $19)"
    " ORDER BY r.created_at DESC, r.run_id DESC LIMIT $20";

typedef struct listing {
    const assay_store_filter *filter;
    assay_arena *arena;
    assay_stored *run;
    uint32_t n;
    assay_buffer from; /* "name(": a method with parameters is from here ... */
    assay_buffer to;   /* ... to before "name)" */
} listing;

static void put_filter(assay_store_query *q, const char *value)
{
    assay_query_int(q, value != NULL);
    assay_query_string(q, value);
}

static void put_tag_filter(assay_store_query *q, const char *tag)
{
    assay_slice all = assay_slice_of(tag);
    const char *eq = tag ? strchr(tag, '=') : NULL;
    assay_slice key = eq ? (assay_slice){tag, (size_t)(eq - tag)} : all;

    assay_query_int(q, tag != NULL);
    assay_query_text(q, key);
    assay_query_int(q, eq != NULL);
    assay_query_string(q, eq ? eq + 1 : NULL);
}

static void put_conditions(assay_store_query *q, const listing *l)
{
    const assay_store_filter *f = l->filter;

    put_filter(q, f->suite);
    put_filter(q, f->method);
    assay_query_text(q, assay_buffer_view(&l->from));
    assay_query_text(q, assay_buffer_view(&l->to));
    put_tag_filter(q, f->tag);
    put_filter(q, f->since);
    put_filter(q, f->before);
    put_filter(q, f->status);
    assay_query_int(q, f->prefix != NULL);
    assay_query_int(q, f->prefix ? (int64_t)strlen(f->prefix) : 0);
    assay_query_string(q, f->prefix);
    assay_query_int(q, f->most ? f->most : INT32_MAX);
}

static assay_status list_work(assay_store *store, void *arg, assay_error *err)
{
    listing *l = arg;
    assay_store_query q;
    assay_status st = assay_store_ask(store, list_some, &q, err);

    if (st)
        return st;
    put_conditions(&q, l);
    return assay_store_read_rows(store, &q, l->arena, &l->run, &l->n, err);
}

assay_status assay_store_list(assay_store *store, const assay_store_filter *filter,
                              assay_arena *arena, assay_stored **out, uint32_t *n,
                              assay_error *err)
{
    static const assay_store_filter none;
    listing l = {.filter = filter ? filter : &none, .arena = arena};
    assay_status st;

    if (l.filter->method) {
        assay_buffer_printf(&l.from, "%s(", l.filter->method);
        assay_buffer_printf(&l.to, "%s)", l.filter->method); /* ')' is '(' and one */
    }
    st = l.from.has_failed || l.to.has_failed ? assay_fail_memory(err, "listing runs")
                                              : assay_store_do(store, list_work, &l, err);
    assay_buffer_clear(&l.from);
    assay_buffer_clear(&l.to);
    if (st)
        return st;
    *out = l.run;
    *n = l.n;
    return ASSAY_OK;
}
