/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/import_run.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/slice.h"
#include "pipeline/import_own.h"
#include "pipeline/place_hits.h"
#include "report/aggregate_json.h"
#include "run/snapshot.h"

/* One run on its way. */
typedef struct taking {
    assay_import *import;
    const char *path;
    const char *sha256;
    assay_run *run;
    assay_arena *arena;
    assay_imported *out;
    assay_placing placing;
    assay_run *copy; /* of a TREC run, in memory; or null */
    assay_buffer aggregate;
    assay_buffer snapshot;
    const assay_conventions *conventions;
    const assay_kebab_run *kebab; /* of kebab's database, or null */
    const assay_snapshot *made;   /* how it says that the run was made */
} taking;

/* ---- what is there already ---- */

static bool contains(assay_slice text, assay_slice what)
{
    for (size_t i = 0; i + what.len <= text.len; i++)
        if (memcmp(text.ptr + i, what.ptr, what.len) == 0)
            return true;
    return false;
}

assay_status assay_import_is_there(const assay_import *import, assay_slice run_id,
                                   assay_arena *arena, bool *out, assay_error *err)
{
    const assay_store_filter filter = {.prefix = assay_arena_string(arena, run_id)};
    assay_stored *stored;
    uint32_t n = 0;
    assay_status st;

    *out = false;
    if (!filter.prefix)
        return assay_fail_memory(err, "importing a run");
    st = assay_store_list(import->store, &filter, arena, &stored, &n, err);
    for (uint32_t i = 0; !st && i < n; i++)
        *out |= assay_slice_eq(stored[i].run_id, run_id);
    return st;
}

/* Imports say in their snapshot what they were made of. */
static assay_status find_same(taking *t, assay_error *err)
{
    const assay_store_filter all = {0};
    assay_stored *stored;
    char mark[100];
    uint32_t n;
    assay_status st =
        assay_store_list(t->import->store, &all, t->arena, &stored, &n, err);

    if (st)
        return st;
    snprintf(mark, sizeof mark, "\"sha256\":\"%s\"", t->sha256);
    for (uint32_t i = 0; i < n; i++)
        if (contains(stored[i].snapshot, assay_slice_of(mark))) {
            t->out->is_there = true;
            snprintf(t->out->run_id, sizeof t->out->run_id, "%.*s",
                     ASSAY_QUOTE(stored[i].run_id));
            return ASSAY_OK;
        }
    return ASSAY_OK;
}

/* ---- the run ---- */

/* The docno of a TREC run is whatever the golden set takes it for; in the store it must be
 * one or the other. */
static assay_status copy_trec(taking *t, bool is_chunk, assay_error *err)
{
    assay_run *copy = assay_run_new();
    assay_status st = copy ? ASSAY_OK : assay_fail_memory(err, "importing a run");

    t->copy = copy;
    for (uint32_t i = 0; !st && i < assay_run_n(t->run); i++) {
        assay_result result;
        assay_result *into;

        st = assay_run_result(t->run, i, &copy->arena, &result, err);
        if (!st)
            st = assay_run_add(copy, result.query_id, i + 1, &into, err);
        if (st)
            break;
        *into = result;
        for (uint32_t h = 0; is_chunk && h < into->n_hits; h++) {
            into->hit[h].chunk = into->hit[h].doc;
            into->hit[h].doc = ASSAY_LIT("");
        }
        into->seen = 0;
    }
    return st ? st : assay_run_finish(copy, err);
}

static assay_status place(taking *t, assay_error *err)
{
    assay_status st;

    if (!t->import->corpus)
        return ASSAY_OK;
    st = assay_place_hits(t->run, t->import->corpus, 0, &t->placing, err);
    if (!st && !assay_placing_note(&t->placing, t->path, &t->out->notes, t->arena))
        st = assay_fail_memory(err, "importing a run");
    return st;
}

/* ---- measuring ---- */

static uint32_t count_known(const assay_golden *golden, const assay_run *run)
{
    uint32_t n = 0;

    for (uint32_t i = 0; golden && i < assay_run_n(run); i++)
        n += assay_dict_find(&golden->ids, assay_run_id(run, i)) != ASSAY_NONE;
    return n;
}

static assay_status measure(taking *t, assay_evaluator *e, assay_error *err)
{
    const assay_run *run = t->run;
    assay_aggregate_about about = {.golden_hash = t->import->golden_hash};
    assay_scores *scores = NULL;
    assay_status st = assay_evaluator_settle(e, &run, 1, err);

    if (!st && t->run->trec)
        st = copy_trec(t, assay_evaluator_level(e) == ASSAY_LEVEL_CHUNK, err);
    if (!st && t->copy)
        run = t->copy;
    if (!st)
        st = assay_evaluator_standard(e, &run, 1, err);
    if (!st)
        st = assay_evaluator_run(e, run, &scores, err);
    if (!st) {
        about.conventions = t->conventions = assay_evaluator_conventions(e);
        assay_aggregate_json(scores, &about, &t->aggregate);
        t->out->is_measured = true;
    }
    assay_scores_free(scores);
    return st;
}

/* Nothing to be held against: the counts are all there is to say. */
static void put_unmeasured(taking *t)
{
    assay_json_writer w = assay_json_writer_of(&t->aggregate, 0);

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.aggregate/1");
    assay_json_key(&w, "metrics");
    assay_json_object(&w);
    assay_json_object_end(&w);
    assay_json_key(&w, "counts");
    assay_json_object(&w);
    assay_json_key(&w, "total");
    assay_json_int(&w, t->out->n_results);
    assay_json_key(&w, "failed");
    assay_json_int(&w, t->out->n_failed);
    assay_json_object_end(&w);
    assay_json_object_end(&w);
}

static assay_status aggregate(taking *t, assay_error *err)
{
    assay_evaluator *e = NULL;
    assay_status st;

    if (t->run->is_scores_only) {
        assay_aggregate_recorded(t->run, &t->aggregate);
        return ASSAY_OK;
    }
    if (t->out->n_known) {
        assay_eval_settings settings = t->import->eval;

        if (t->kebab && !settings.conventions)
            settings.conventions = assay_conventions_find(ASSAY_LIT("kebab"));
        st = assay_evaluator_open(t->import->golden, &settings, &e, err);
        if (!st)
            st = measure(t, e, err);
        assay_evaluator_close(e);
        return st;
    }
    if (t->kebab && !assay_slice_is(t->kebab->aggregate, "{}"))
        assay_buffer_slice(&t->aggregate, t->kebab->aggregate);
    else
        put_unmeasured(t);
    return t->run->trec ? copy_trec(t, false, err) : ASSAY_OK;
}

/* ---- how it was made ---- */

static void put_origin(const taking *t, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 0);

    assay_buffer_text(out, ",\"import\":");
    assay_json_object(&w);
    assay_json_key(&w, "file");
    assay_json_text(&w, t->path);
    assay_json_key(&w, "format");
    assay_json_text(&w, t->run->format->name);
    if (t->sha256) {
        assay_json_key(&w, "sha256");
        assay_json_text(&w, t->sha256);
    }
    assay_json_object_end(&w);
    if (t->kebab) {
        assay_buffer_text(out, ",\"kebab\":");
        assay_buffer_slice(out, t->kebab->settings);
    }
    assay_buffer_char(out, '}');
}

static void snapshot(taking *t, const assay_stored *s)
{
    const assay_import *import = t->import;
    bool has_golden = s->golden_hash.len > 0;
    assay_snapshot shot = {.k = 0};

    if (t->made)
        shot = *t->made;
    shot.method = s->method;
    shot.k = s->k;
    shot.depth = s->depth;
    shot.chunker = s->chunker;
    shot.has_answers = t->run->has_answers;
    if (t->conventions)
        shot.conventions = assay_slice_of(t->conventions->name);
    shot.golden_hash = s->golden_hash;
    shot.golden_name = has_golden ? import->golden->name : ASSAY_LIT("");
    shot.golden_path = has_golden ? import->golden_path : ASSAY_LIT("");
    shot.corpus_hash = s->corpus_hash;
    shot.corpus_name = import->corpus_name;
    shot.version = assay_slice_of(assay_version());
    shot.commit = s->commit;
    for (uint32_t i = 0; has_golden && i < import->golden->n_queries; i++)
        shot.golden_n += !import->golden->query[i].is_draft;
    assay_snapshot_write(&shot, &t->snapshot);
    if (!t->snapshot.has_failed)
        t->snapshot.len--; /* one more key */
    put_origin(t, &t->snapshot);
}

/* ---- storing ---- */

assay_status assay_import_store(assay_store *store, const assay_stored *s,
                                const assay_run *run, assay_error *err)
{
    const assay_stored_change whole = {.status = s->status,
                                       .finished_at = s->finished_at};
    assay_stored row = *s;
    assay_error ignored;
    assay_status st;

    row.status = ASSAY_LIT(ASSAY_RUN_OPEN);
    row.finished_at = ASSAY_LIT("");
    st = assay_store_add(store, &row, err);
    if (st)
        return st;
    st = assay_store_put_all(store, s->run_id, run, err);
    if (!st && !assay_slice_is(s->status, ASSAY_RUN_OPEN))
        st = assay_store_change(store, s->run_id, &whole, err);
    if (st)
        (void)!assay_store_remove(store, s->run_id, &ignored);
    return st;
}

static assay_status put_golden(const assay_import *import, assay_error *err)
{
    return assay_store_put_golden(import->store, import->golden_hash,
                                  import->golden->name, import->golden_text, err);
}

/* kebab writes more digits of a second than we do, or none. */
static void kebab_time(assay_slice time, char out[ASSAY_STORE_TIME_SIZE])
{
    static const char zero[] = "0000-00-00T00:00:00.000Z";

    memcpy(out, zero, sizeof zero);
    if (time.len < 19)
        return;
    memcpy(out, time.ptr, 19);
    for (size_t i = 20; i < 23 && i < time.len && time.ptr[19] == '.' &&
                        time.ptr[i] >= '0' && time.ptr[i] <= '9';
         i++)
        out[i] = time.ptr[i];
}

/* What kebab's own row says, where the import does not say otherwise. */
static void fill_kebab(const taking *t, char when[ASSAY_STORE_TIME_SIZE], assay_stored *s)
{
    const assay_kebab_run *row = t->kebab;

    kebab_time(row->created_at, when);
    s->run_id = assay_slice_of(t->out->run_id);
    s->created_at = s->finished_at = assay_slice_of(when);
    if (!s->suite.len)
        s->suite = row->suite;
    if (!s->commit.len)
        s->commit = row->commit;
    if (!t->import->method.len)
        s->method = t->made->method;
    if (!s->chunker.len)
        s->chunker = t->made->chunker;
    if (!s->k)
        s->k = t->made->k;
}

static assay_status store_run(taking *t, assay_error *err)
{
    const assay_import *import = t->import;
    const assay_run *run = t->copy ? t->copy : t->run;
    char now[ASSAY_STORE_TIME_SIZE];
    assay_stored s = {
        .suite = import->suite,
        .commit = import->commit,
        .status = ASSAY_LIT(ASSAY_RUN_DONE),
        .source = assay_slice_of(t->run->format->name),
        .method = import->method.len ? import->method : t->run->name,
        .golden_hash = t->out->n_known ? import->golden_hash : ASSAY_LIT(""),
        .corpus_hash = import->corpus_hash,
        .chunker = t->placing.chunking.len ? t->placing.chunking : ASSAY_LIT(""),
        .k = t->run->recorded_k ? t->run->recorded_k : import->k,
        .depth = t->run->depth,
        .n_planned = t->out->n_results,
        .tag = (assay_tag *)import->tag,
        .n_tags = import->n_tags,
    };
    assay_status st = ASSAY_OK;

    if (!t->out->run_id[0])
        st = assay_run_id_make(&t->import->ids, t->out->run_id, err);
    if (st)
        return st;
    assay_store_time(0, now);
    s.run_id = assay_slice_of(t->out->run_id);
    s.created_at = import->created_at.len ? import->created_at : assay_slice_of(now);
    s.finished_at = s.created_at;
    if (t->kebab)
        fill_kebab(t, now, &s);
    snapshot(t, &s);
    s.snapshot = assay_buffer_view(&t->snapshot);
    s.aggregate = assay_buffer_view(&t->aggregate);
    if (t->snapshot.has_failed || t->aggregate.has_failed)
        return assay_fail_memory(err, "importing a run");
    if (s.golden_hash.len)
        st = put_golden(import, err);
    return st ? st : assay_import_store(import->store, &s, run, err);
}

static assay_status match(taking *t, assay_error *err)
{
    t->out->n_known = count_known(t->import->golden, t->run);
    if (t->import->golden && !t->out->n_known && !t->run->is_scores_only &&
        !assay_notes_add(&t->out->notes, t->arena,
                         "%s: none of its queries is in the golden set, so it was not "
                         "measured",
                         t->path))
        return assay_fail_memory(err, "importing a run");
    return ASSAY_OK;
}

static void count(taking *t)
{
    const assay_run *run = t->run;

    t->out->n_results = assay_run_n(run);
    t->out->is_recorded = run->is_scores_only;
    for (uint32_t i = 0; run->result && i < run->n_results; i++)
        t->out->n_failed += run->result[i].error.len > 0;
}

static assay_status take(taking *t, assay_error *err)
{
    assay_status st = place(t, err);

    if (!st)
        st = match(t, err);
    if (!st)
        st = aggregate(t, err);
    if (!st)
        st = store_run(t, err);
    assay_run_free(t->copy);
    assay_buffer_clear(&t->aggregate);
    assay_buffer_clear(&t->snapshot);
    return st;
}

assay_status assay_import_run(assay_import *import, const char *path, const char *sha256,
                              assay_run *run, assay_arena *arena, assay_imported *out,
                              assay_error *err)
{
    taking t = {.import = import,
                .path = path,
                .sha256 = sha256,
                .run = run,
                .arena = arena,
                .out = out,
                .aggregate = ASSAY_BUFFER_EMPTY,
                .snapshot = ASSAY_BUFFER_EMPTY};
    assay_status st;

    *out = (assay_imported){.run_id = ""};
    count(&t);
    st = import->is_again ? ASSAY_OK : find_same(&t, err);
    return st || out->is_there ? st : take(&t, err);
}

assay_status assay_import_kebab(assay_import *import, const char *path,
                                const assay_kebab_run *row, assay_run *run,
                                const assay_snapshot *made, assay_arena *arena,
                                assay_imported *out, assay_error *err)
{
    taking t = {.import = import,
                .path = path,
                .run = run,
                .arena = arena,
                .out = out,
                .aggregate = ASSAY_BUFFER_EMPTY,
                .snapshot = ASSAY_BUFFER_EMPTY,
                .kebab = row,
                .made = made};
    bool is_there;
    assay_status st;

    *out = (assay_imported){.run_id = ""};
    count(&t);
    st = assay_import_is_there(import, row->run_id, arena, &is_there, err);
    /* A second copy needs an id of its own. */
    if (!st && !(is_there && import->is_again))
        snprintf(out->run_id, sizeof out->run_id, "%.*s", ASSAY_QUOTE(row->run_id));
    out->is_there = is_there && !import->is_again;
    return st || out->is_there ? st : take(&t, err);
}
