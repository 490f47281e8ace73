/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/import_run.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/slice.h"
#include "golden/frozen.h"
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
} taking;

/* ---- what is there already ---- */

static bool contains(assay_slice text, assay_slice what)
{
    for (size_t i = 0; i + what.len <= text.len; i++)
        if (memcmp(text.ptr + i, what.ptr, what.len) == 0)
            return true;
    return false;
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
        st = assay_evaluator_open(t->import->golden, &t->import->eval, &e, err);
        if (!st)
            st = measure(t, e, err);
        assay_evaluator_close(e);
        return st;
    }
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
    assay_json_key(&w, "sha256");
    assay_json_text(&w, t->sha256);
    assay_json_object_end(&w);
    assay_buffer_char(out, '}');
}

static void snapshot(taking *t, const assay_stored *s)
{
    const assay_import *import = t->import;
    bool has_golden = s->golden_hash.len > 0;
    assay_snapshot shot = {
        .method = s->method,
        .k = s->k,
        .depth = s->depth,
        .chunker = s->chunker,
        .has_answers = t->run->has_answers,
        .conventions =
            t->conventions ? assay_slice_of(t->conventions->name) : ASSAY_LIT(""),
        .golden_hash = s->golden_hash,
        .golden_name = has_golden ? import->golden->name : ASSAY_LIT(""),
        .golden_path = has_golden ? import->golden_path : ASSAY_LIT(""),
        .corpus_hash = s->corpus_hash,
        .corpus_name = import->corpus_name,
        .version = assay_slice_of(assay_version()),
        .commit = s->commit,
    };

    for (uint32_t i = 0; has_golden && i < import->golden->n_queries; i++)
        shot.golden_n += !import->golden->query[i].is_draft;
    assay_snapshot_write(&shot, &t->snapshot);
    if (!t->snapshot.has_failed)
        t->snapshot.len--; /* one more key */
    put_origin(t, &t->snapshot);
}

/* ---- storing ---- */

/* The row first, then the results, then the word that it is whole.  What fails in between
 * takes the run back. */
static assay_status store(assay_store *store, const assay_stored *s, const assay_run *run,
                          assay_error *err)
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
    assay_status st = assay_run_id_make(&t->import->ids, t->out->run_id, err);

    if (st)
        return st;
    assay_store_time(0, now);
    s.run_id = assay_slice_of(t->out->run_id);
    s.created_at = import->created_at.len ? import->created_at : assay_slice_of(now);
    s.finished_at = s.created_at;
    snapshot(t, &s);
    s.snapshot = assay_buffer_view(&t->snapshot);
    s.aggregate = assay_buffer_view(&t->aggregate);
    if (t->snapshot.has_failed || t->aggregate.has_failed)
        return assay_fail_memory(err, "importing a run");
    if (s.golden_hash.len)
        st = put_golden(import, err);
    return st ? st : store(import->store, &s, run, err);
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

    *out = (assay_imported){.n_results = assay_run_n(run),
                            .is_recorded = run->is_scores_only};
    for (uint32_t i = 0; run->result && i < run->n_results; i++)
        out->n_failed += run->result[i].error.len > 0;
    st = import->is_again ? ASSAY_OK : find_same(&t, err);
    if (!st && !out->is_there) {
        st = place(&t, err);
        if (!st)
            st = match(&t, err);
        if (!st)
            st = aggregate(&t, err);
        if (!st)
            st = store_run(&t, err);
    }
    assay_run_free(t.copy);
    assay_buffer_clear(&t.aggregate);
    assay_buffer_clear(&t.snapshot);
    return st;
}

/* ---- bundles ---- */

/* The bundle's tags, and those of the import in the place of equal ones. */
static assay_status merge_tags(const assay_import *import, assay_stored *s,
                               assay_arena *arena, assay_error *err)
{
    assay_tag *tag = ASSAY_ARENA_ARRAY(arena, assay_tag, s->n_tags + import->n_tags + 1);
    uint32_t n = 0;

    if (!tag)
        return assay_fail_memory(err, "importing a run");
    for (uint32_t i = 0; i < s->n_tags; i++) {
        bool is_replaced = false;

        for (uint32_t k = 0; k < import->n_tags; k++)
            is_replaced |= assay_slice_eq(s->tag[i].key, import->tag[k].key);
        if (!is_replaced)
            tag[n++] = s->tag[i];
    }
    for (uint32_t k = 0; k < import->n_tags; k++)
        tag[n++] = import->tag[k];
    s->tag = tag;
    s->n_tags = n;
    return ASSAY_OK;
}

static assay_status is_there(const assay_import *import, assay_slice run_id,
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

/* Its id where that is free, else a new one. */
static assay_status name_bundle(assay_import *import, assay_stored *s, assay_arena *arena,
                                assay_imported *out, assay_error *err)
{
    bool is_taken = false;
    assay_status st = ASSAY_OK;

    if (s->run_id.len)
        st = is_there(import, s->run_id, arena, &is_taken, err);
    snprintf(out->run_id, sizeof out->run_id, "%.*s", ASSAY_QUOTE(s->run_id));
    out->is_there = is_taken && !import->is_again;
    if (st || out->is_there || (s->run_id.len && !is_taken))
        return st;
    st = assay_run_id_make(&import->ids, out->run_id, err);
    s->run_id = assay_slice_of(out->run_id);
    return st;
}

/* Its hash was checked; that it is a golden set is checked here. */
static assay_status keep_golden(const assay_import *import, const char *path,
                                const assay_bundle *bundle, assay_error *err)
{
    assay_golden *golden = NULL;
    assay_status st;

    if (!bundle->golden.len)
        return ASSAY_OK;
    st = assay_golden_thaw(path, bundle->golden, &golden, err);
    if (!st)
        st = assay_store_put_golden(import->store, bundle->stored.golden_hash,
                                    golden->name, bundle->golden, err);
    assay_golden_free(golden);
    return st;
}

assay_status assay_import_bundle(assay_import *import, const char *path,
                                 const assay_bundle *bundle, assay_arena *arena,
                                 assay_imported *out, assay_error *err)
{
    char now[ASSAY_STORE_TIME_SIZE];
    assay_stored s = bundle->stored;
    assay_status st;

    *out = (assay_imported){.is_measured = true, .n_results = assay_run_n(bundle->run)};
    for (uint32_t i = 0; i < bundle->run->n_results; i++)
        out->n_failed += bundle->run->result[i].error.len > 0;
    st = name_bundle(import, &s, arena, out, err);
    if (st || out->is_there)
        return st;
    assay_store_time(0, now);
    if (!s.created_at.len)
        s.created_at = import->created_at.len ? import->created_at : assay_slice_of(now);
    if (!s.finished_at.len && assay_slice_is(s.status, ASSAY_RUN_DONE))
        s.finished_at = s.created_at;
    if (import->suite.len)
        s.suite = import->suite;
    st = merge_tags(import, &s, arena, err);
    if (!st)
        st = keep_golden(import, path, bundle, err);
    return st ? st : store(import->store, &s, bundle->run, err);
}
