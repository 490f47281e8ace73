/* SPDX-License-Identifier: Apache-2.0 */
/* The run that a person means.
 *
 * The ways to name one are tried in this order, and the first that knows the name
 * decides: an id, latest or latest~N, a baseline, key=value of a tag, the beginning of an
 * id, the value of a tag. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "store/store_own.h"

/* Enough to see that a name is ambiguous, and to show some that it may mean. */
enum { MOST_SHOWN = 5 };

typedef struct finding {
    const char *name;
    assay_arena *arena;
    assay_stored *run;
    uint32_t n;
    const char *sql;
    assay_slice text; /* $1 */
    assay_slice more; /* $2, where `n_texts` is 2 */
    int n_texts;
    int64_t number; /* the next one, where it is not negative */
} finding;

static assay_status find_work(assay_store *store, void *arg, assay_error *err)
{
    finding *f = arg;
    assay_store_query q;
    assay_status st = assay_store_ask(store, f->sql, &q, err);

    if (st)
        return st;
    if (f->n_texts > 0)
        assay_query_text(&q, f->text);
    if (f->n_texts > 1)
        assay_query_text(&q, f->more);
    if (f->number >= 0)
        assay_query_int(&q, f->number);
    return assay_store_read_rows(store, &q, f->arena, &f->run, &f->n, err);
}

static assay_status ask(assay_store *store, finding *f, const char *sql, int n_texts,
                        int64_t number, assay_error *err)
{
    f->sql = sql;
    f->n_texts = n_texts;
    f->number = number;
    return assay_store_do(store, find_work, f, err);
}

/* ---- the ways ---- */

#define NEWEST " ORDER BY r.created_at DESC, r.run_id DESC"

static const char by_id[] = ASSAY_STORE_ROW " WHERE r.run_id = $1";
static const char by_age[] = ASSAY_STORE_ROW NEWEST " LIMIT 1 OFFSET $1";
static const char by_baseline[] = ASSAY_STORE_ROW
    " WHERE r.run_id = (SELECT b.run_id FROM baselines b WHERE b.name = $1)";
static const char by_any_baseline[] =
    ASSAY_STORE_ROW " WHERE r.run_id IN (SELECT b.run_id FROM baselines b)" NEWEST;
static const char by_tag[] =
    ASSAY_STORE_ROW " WHERE EXISTS (SELECT 1 FROM run_tags t WHERE t.run_id = r.run_id"
                    " AND t.tag_key = $1 AND t.tag_value = $2)" NEWEST " LIMIT 1";
static const char by_beginning[] = ASSAY_STORE_ROW
    " WHERE substr(r.run_id, 1, length($1)) = $1 OR substr(r.run_id, 1, length($2)) = $2" NEWEST;
static const char by_value[] =
    ASSAY_STORE_ROW " WHERE EXISTS (SELECT 1 FROM run_tags t WHERE t.run_id = r.run_id"
                    " AND t.tag_value = $1)" NEWEST;

static assay_status find_id(assay_store *store, finding *f, assay_error *err)
{
    f->text = assay_slice_of(f->name);
    return ask(store, f, by_id, 1, -1, err);
}

static assay_status find_latest(assay_store *store, finding *f, assay_error *err)
{
    assay_slice name = assay_slice_of(f->name);
    uint32_t back = 0;
    assay_status st;

    if (!assay_slice_starts(name, "latest"))
        return ASSAY_OK;
    name = (assay_slice){name.ptr + 6, name.len - 6};
    if (name.len &&
        (name.ptr[0] != '~' ||
         !assay_slice_to_u32((assay_slice){name.ptr + 1, name.len - 1}, &back)))
        return ASSAY_OK;
    st = ask(store, f, by_age, 0, back, err);
    if (!st && !f->n)
        st = assay_fail(err, ASSAY_EUSAGE,
                        back ? "'%s': '%s' has no run that is so old"
                             : "'%s': '%s' has no runs yet; 'assay run' makes one",
                        f->name, assay_store_place(store));
    return st;
}

/* `baseline` is the one of that name, or "main" or "default", or the only one there is. */
static assay_status find_baseline(assay_store *store, finding *f, assay_error *err)
{
    assay_status st;

    f->text = assay_slice_of(f->name);
    st = ask(store, f, by_baseline, 1, -1, err);
    if (st || f->n || strcmp(f->name, "baseline") != 0)
        return st;
    f->text = ASSAY_LIT("main");
    st = ask(store, f, by_baseline, 1, -1, err);
    f->text = ASSAY_LIT("default");
    if (!st && !f->n)
        st = ask(store, f, by_baseline, 1, -1, err);
    if (!st && !f->n)
        st = ask(store, f, by_any_baseline, 0, -1, err);
    if (!st && !f->n)
        st = assay_fail(err, ASSAY_EUSAGE,
                        "'%s' has no baseline; 'assay baseline set RUN' makes one",
                        assay_store_place(store));
    return st;
}

static assay_status find_tag(assay_store *store, finding *f, assay_error *err)
{
    const char *eq = strchr(f->name, '=');
    assay_status st;

    if (!eq)
        return ASSAY_OK;
    f->text = (assay_slice){f->name, (size_t)(eq - f->name)};
    f->more = assay_slice_of(eq + 1);
    st = ask(store, f, by_tag, 2, -1, err);
    if (!st && !f->n)
        st = assay_fail(err, ASSAY_EUSAGE, "no run in '%s' has the tag '%.80s'",
                        assay_store_place(store), f->name);
    return st;
}

/* With or without the "run_" that all begin with. */
static assay_status find_beginning(assay_store *store, finding *f, assay_error *err)
{
    assay_slice name = assay_slice_of(f->name);
    char *with = assay_arena_alloc(f->arena, name.len + 5);

    if (!with)
        return assay_fail_memory(err, "finding a run");
    memcpy(with, "run_", 4);
    memcpy(with + 4, name.ptr, name.len);
    f->text = name;
    f->more = (assay_slice){with, name.len + 4};
    return ask(store, f, by_beginning, 2, -1, err);
}

static assay_status find_value(assay_store *store, finding *f, assay_error *err)
{
    f->text = assay_slice_of(f->name);
    return ask(store, f, by_value, 1, -1, err);
}

/* ---- the whole ---- */

static assay_status fail_ambiguous(const finding *f, assay_error *err)
{
    assay_buffer list = ASSAY_BUFFER_EMPTY;
    assay_status st;

    for (uint32_t i = 0; i < f->n && i < MOST_SHOWN; i++)
        assay_buffer_printf(
            &list, "%s%.*s (%.*s, %.*s)", i ? ", " : "", ASSAY_QUOTE(f->run[i].run_id),
            ASSAY_QUOTE(f->run[i].created_at), ASSAY_QUOTE(f->run[i].method));
    if (f->n > MOST_SHOWN)
        assay_buffer_printf(&list, " and %u more", f->n - MOST_SHOWN);
    assay_buffer_char(&list, 0);
    st = list.has_failed
             ? assay_fail_memory(err, "finding a run")
             : assay_fail(err, ASSAY_EUSAGE, "'%.80s' is the name of %u runs: %s",
                          f->name, f->n, list.ptr);
    assay_buffer_clear(&list);
    return st;
}

assay_status assay_store_find(assay_store *store, const char *name, assay_arena *arena,
                              assay_stored *out, assay_error *err)
{
    static assay_status (*const ways[])(assay_store *, finding *, assay_error *) = {
        find_id, find_latest, find_baseline, find_tag, find_beginning, find_value,
    };
    finding f = {.name = name, .arena = arena};
    assay_status st = ASSAY_OK;

    if (!name[0])
        return assay_fail(err, ASSAY_EUSAGE, "a run needs a name; try 'latest'");
    for (size_t i = 0; i < ASSAY_COUNT(ways) && !st && !f.n; i++)
        st = ways[i](store, &f, err);
    if (st)
        return st;
    if (!f.n)
        return assay_store_no_run(store, assay_slice_of(name), err);
    if (f.n > 1)
        return fail_ambiguous(&f, err);
    *out = f.run[0];
    return ASSAY_OK;
}
