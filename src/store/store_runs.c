/* SPDX-License-Identifier: Apache-2.0 */
/* Runs: added, changed, tagged, removed. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "store/run_id.h"
#include "store/store_own.h"

enum { DAY_S = 24 * 60 * 60 };

/* ---- adding ---- */

static const char add_row[] =
    "INSERT INTO eval_runs (run_id, suite, config_snapshot_json, aggregate_json,"
    " commit_hash, created_at, finished_at, status, source, method, golden_hash,"
    " corpus_hash, chunker, k, depth, n_planned)"
    " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)"
    " ON CONFLICT (run_id) DO NOTHING";

static const char set_tag[] =
    "INSERT INTO run_tags (run_id, tag_key, tag_value) VALUES ($1, $2, $3)"
    " ON CONFLICT (run_id, tag_key) DO UPDATE SET tag_value = excluded.tag_value";

static assay_slice or_else(assay_slice s, const char *other)
{
    return s.len ? s : assay_slice_of(other);
}

static assay_status insert_run(assay_store *store, const assay_stored *run,
                               assay_error *err)
{
    assay_store_query q;
    assay_status st = assay_store_ask(store, add_row, &q, err);

    if (st)
        return st;
    assay_query_text(&q, run->run_id);
    assay_query_text(&q, run->suite);
    assay_query_text(&q, or_else(run->snapshot, "{}"));
    assay_query_text(&q, or_else(run->aggregate, "{}"));
    assay_query_maybe(&q, run->commit);
    assay_query_text(&q, run->created_at);
    assay_query_maybe(&q, run->finished_at);
    assay_query_text(&q, or_else(run->status, ASSAY_RUN_OPEN));
    assay_query_text(&q, or_else(run->source, "assay"));
    assay_query_text(&q, run->method);
    assay_query_maybe(&q, run->golden_hash);
    assay_query_maybe(&q, run->corpus_hash);
    assay_query_maybe(&q, run->chunker);
    assay_query_int(&q, run->k);
    assay_query_int(&q, run->depth);
    assay_query_int(&q, run->n_planned);
    return assay_query_run(&q, err);
}

static assay_status insert_tag(assay_store *store, assay_slice run_id, assay_tag tag,
                               assay_error *err)
{
    assay_store_query q;
    assay_status st = assay_store_ask(store, set_tag, &q, err);

    if (st)
        return st;
    assay_query_text(&q, run_id);
    assay_query_text(&q, tag.key);
    assay_query_text(&q, tag.value);
    return assay_query_run(&q, err);
}

static assay_status add_work(assay_store *store, void *arg, assay_error *err)
{
    const assay_stored *run = *(const assay_stored **)arg;
    assay_status st = insert_run(store, run, err);

    if (st && assay_store_is_foreign(store))
        return assay_fail(err, ASSAY_EUSAGE,
                          "golden set '%.*s' of run '%.*s' is not in '%s'; it is put "
                          "there first",
                          ASSAY_QUOTE(run->golden_hash), ASSAY_QUOTE(run->run_id),
                          assay_store_place(store));
    /* After a lost connection nobody knows whether the first try was heard. */
    if (!st && assay_store_changes(store) == 0 && !store->is_again)
        return assay_fail(err, ASSAY_EUSAGE, "run '%.*s' is in '%s' already",
                          ASSAY_QUOTE(run->run_id), assay_store_place(store));
    for (uint32_t i = 0; i < run->n_tags && !st; i++)
        if (run->tag[i].value.len)
            st = insert_tag(store, run->run_id, run->tag[i], err);
    return st;
}

assay_status assay_store_add(assay_store *store, const assay_stored *run,
                             assay_error *err)
{
    if (!run->run_id.len)
        return assay_fail(err, ASSAY_EUSAGE, "a run needs an id");
    return assay_store_do_all(store, add_work, &run, err);
}

/* ---- changing ---- */

static const char change_row[] =
    "UPDATE eval_runs SET"
    " aggregate_json = CASE WHEN $1 = 1 THEN $2 ELSE aggregate_json END,"
    " status = CASE WHEN $3 = 1 THEN $4 ELSE status END,"
    " finished_at = CASE WHEN $5 = 1 THEN $6 ELSE finished_at END,"
    " config_snapshot_json = CASE WHEN $7 = 1 THEN $8 ELSE config_snapshot_json END"
    " WHERE run_id = $9";

typedef struct changing {
    assay_slice run_id;
    const assay_stored_change *change;
} changing;

static void put_change(assay_store_query *q, assay_slice value)
{
    assay_query_int(q, value.len > 0);
    assay_query_text(q, value);
}

static assay_status change_work(assay_store *store, void *arg, assay_error *err)
{
    const changing *c = arg;
    assay_store_query q;
    assay_status st = assay_store_ask(store, change_row, &q, err);

    if (st)
        return st;
    put_change(&q, c->change->aggregate);
    put_change(&q, c->change->status);
    put_change(&q, c->change->finished_at);
    put_change(&q, c->change->snapshot);
    assay_query_text(&q, c->run_id);
    st = assay_query_run(&q, err);
    if (!st && assay_store_changes(store) == 0)
        st = assay_store_no_run(store, c->run_id, err);
    return st;
}

assay_status assay_store_change(assay_store *store, assay_slice run_id,
                                const assay_stored_change *change, assay_error *err)
{
    changing c = {run_id, change};

    return assay_store_do(store, change_work, &c, err);
}

/* ---- tags ---- */

static const char has_run[] = "SELECT 1 FROM eval_runs WHERE run_id = $1";
static const char clear_tag[] = "DELETE FROM run_tags WHERE run_id = $1 AND tag_key = $2";

typedef struct tagging {
    assay_slice run_id;
    assay_tag tag;
} tagging;

static assay_status check_run(assay_store *store, assay_slice run_id, assay_error *err)
{
    assay_store_query q;
    bool has_row = false;
    assay_status st = assay_store_ask(store, has_run, &q, err);

    if (st)
        return st;
    assay_query_text(&q, run_id);
    st = assay_query_step(&q, &has_row, err);
    assay_query_end(&q);
    return !st && !has_row ? assay_store_no_run(store, run_id, err) : st;
}

static assay_status tag_work(assay_store *store, void *arg, assay_error *err)
{
    const tagging *t = arg;
    assay_store_query q;
    assay_status st = check_run(store, t->run_id, err);

    if (st)
        return st;
    if (t->tag.value.len)
        return insert_tag(store, t->run_id, t->tag, err);
    st = assay_store_ask(store, clear_tag, &q, err);
    if (st)
        return st;
    assay_query_text(&q, t->run_id);
    assay_query_text(&q, t->tag.key);
    return assay_query_run(&q, err);
}

assay_status assay_store_tag(assay_store *store, assay_slice run_id, assay_slice key,
                             assay_slice value, assay_error *err)
{
    tagging t = {run_id, {key, value}};

    if (!key.len)
        return assay_fail(err, ASSAY_EUSAGE, "a tag needs a name: key=value");
    if (memchr(key.ptr, '=', key.len))
        return assay_fail(err, ASSAY_EUSAGE, "the name of a tag cannot have '=' in it");
    return assay_store_do_all(store, tag_work, &t, err);
}

/* ---- removing ---- */

static const char golden_of[] = "SELECT golden_hash FROM eval_runs WHERE run_id = $1";
static const char baseline_of[] =
    "SELECT name FROM baselines WHERE run_id = $1 ORDER BY name LIMIT 1";
static const char remove_row[] = "DELETE FROM eval_runs WHERE run_id = $1";

/* Besides that of the run, those that were left behind by somebody who died before their
 * run was added; a day ago, since one may be about to add his. */
static const char remove_goldens[] =
    "DELETE FROM goldens WHERE (golden_hash = $1 OR created_at < $2) AND NOT EXISTS"
    " (SELECT 1 FROM eval_runs r WHERE r.golden_hash = goldens.golden_hash)";

static assay_status check_not_baseline(assay_store *store, assay_slice run_id,
                                       assay_error *err)
{
    assay_store_query q;
    bool has_row = false;
    assay_status st = assay_store_ask(store, baseline_of, &q, err);

    if (st)
        return st;
    assay_query_text(&q, run_id);
    st = assay_query_step(&q, &has_row, err);
    if (!st && has_row) {
        assay_slice name = assay_query_get(&q);

        st = assay_fail(err, ASSAY_EUSAGE,
                        "run '%.*s' is baseline '%.*s'; 'assay baseline clear' first",
                        ASSAY_QUOTE(run_id), ASSAY_QUOTE(name));
    }
    assay_query_end(&q);
    return st;
}

static assay_status find_golden(assay_store *store, assay_slice run_id,
                                assay_arena *arena, assay_slice *hash, assay_error *err)
{
    assay_store_query q;
    bool has_row = false;
    assay_status st = assay_store_ask(store, golden_of, &q, err);

    if (st)
        return st;
    assay_query_text(&q, run_id);
    st = assay_query_step(&q, &has_row, err);
    if (!st && !has_row && !store->is_again)
        st = assay_store_no_run(store, run_id, err);
    if (!st)
        *hash = has_row ? assay_query_copy(&q, arena) : ASSAY_LIT("");
    if (!st && !hash->ptr)
        st = assay_fail_memory(err, "removing a run");
    assay_query_end(&q);
    return st;
}

typedef struct removing {
    assay_slice run_id;
    assay_arena arena;
} removing;

static assay_status remove_work(assay_store *store, void *arg, assay_error *err)
{
    removing *r = arg;
    char day_ago[ASSAY_STORE_TIME_SIZE];
    assay_slice hash = ASSAY_LIT("");
    assay_store_query q;
    assay_status st = check_not_baseline(store, r->run_id, err);

    if (!st)
        st = find_golden(store, r->run_id, &r->arena, &hash, err);
    if (!st)
        st = assay_store_ask(store, remove_row, &q, err);
    if (st)
        return st;
    assay_query_text(&q, r->run_id);
    st = assay_query_run(&q, err);
    if (!st)
        st = assay_store_ask(store, remove_goldens, &q, err);
    if (st)
        return st;
    assay_store_time(DAY_S, day_ago);
    assay_query_text(&q, hash);
    assay_query_string(&q, day_ago);
    return assay_query_run(&q, err);
}

assay_status assay_store_remove(assay_store *store, assay_slice run_id, assay_error *err)
{
    removing r = {run_id, ASSAY_ARENA_EMPTY};
    assay_status st = assay_store_do_all(store, remove_work, &r, err);

    store->cached_run.len = 0;
    assay_arena_clear(&r.arena);
    return st;
}
