/* SPDX-License-Identifier: Apache-2.0 */
/* A result as the store keeps it: result_json for people and for all but the hits, a block
 * for the hits.
 *
 * The keys are kebab's, but hits_top_k stands last and has the first k hits only, by which
 * a person sees what came back.  The store itself reads what stands before it. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "store/store_own.h"

/* ---- writing ---- */

static void put_text(assay_json_writer *w, const char *key, assay_slice text)
{
    assay_json_key(w, key);
    if (text.len)
        assay_json_string(w, text);
    else
        assay_json_null(w);
}

/* NaN and what is unknown are null. */
static void put_real(assay_json_writer *w, const char *key, double value)
{
    assay_json_key(w, key);
    if (value >= 0)
        assay_json_double(w, value);
    else
        assay_json_null(w);
}

static void put_hit(assay_json_writer *w, const assay_hit *hit, uint32_t at)
{
    assay_json_object(w);
    assay_json_key(w, "rank");
    assay_json_int(w, hit->rank ? hit->rank : at + 1);
    if (hit->chunk.len)
        put_text(w, "chunk_id", hit->chunk);
    if (hit->doc.len)
        put_text(w, "doc_id", hit->doc);
    if (hit->has_score) {
        assay_json_key(w, "score");
        assay_json_double(w, hit->score);
    }
    assay_json_object_end(w);
}

static void put_recorded(assay_json_writer *w, const assay_recorded *r)
{
    assay_json_key(w, "recorded");
    assay_json_object(w);
    put_real(w, "recall", r->recall);
    put_real(w, "precision", r->precision);
    put_real(w, "mrr", r->mrr);
    assay_json_key(w, "passed");
    if (r->passed == ASSAY_FLAG_UNKNOWN)
        assay_json_null(w);
    else
        assay_json_bool(w, r->passed == ASSAY_FLAG_YES);
    assay_json_object_end(w);
}

static void write_json(const assay_result *r, const assay_recorded *recorded, uint32_t k,
                       assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 0);

    assay_json_object(&w);
    assay_json_key(&w, "query_id");
    assay_json_string(&w, r->query_id);
    put_text(&w, "query", r->query);
    put_text(&w, "mode", r->mode);
    put_real(&w, "elapsed_ms", r->elapsed_ms);
    put_text(&w, "error", r->error);
    assay_json_key(&w, "answer");
    if (r->answer)
        assay_run_write_answer(&w, r->answer);
    else
        assay_json_null(&w);
    if (recorded)
        put_recorded(&w, recorded);
    assay_json_key(&w, "n_hits");
    assay_json_int(&w, r->n_hits);
    assay_json_key(&w, "hits_top_k");
    assay_json_list(&w);
    for (uint32_t i = 0; i < r->n_hits && i < k; i++)
        put_hit(&w, &r->hit[i], i);
    assay_json_list_end(&w);
    assay_json_object_end(&w);
}

assay_status assay_store_pack(assay_store *store, const assay_result *result,
                              const assay_recorded *recorded, uint32_t k,
                              assay_error *err)
{
    store->json.len = 0;
    store->hits.len = 0;
    write_json(result, recorded, k, &store->json);
    if (!assay_hits_pack(&store->packer, result->hit, result->n_hits, &store->hits) ||
        store->json.has_failed) {
        assay_buffer_clear(&store->json);
        assay_buffer_clear(&store->hits);
        return assay_fail_memory(err, "storing a result");
    }
    return ASSAY_OK;
}

/* ---- reading ---- */

static const assay_run_key recorded_keys[] = {
    ASSAY_RUN_KEY("recall", assay_run_set_ms, assay_recorded, recall),
    ASSAY_RUN_KEY("precision", assay_run_set_ms, assay_recorded, precision),
    ASSAY_RUN_KEY("mrr", assay_run_set_ms, assay_recorded, mrr),
    ASSAY_RUN_KEY("passed", assay_run_set_flag, assay_recorded, passed),
    ASSAY_RUN_KEYS_END,
};

/* What stands in the line, in one struct that a table of keys can point into. */
typedef struct line {
    assay_result result;
    assay_recorded recorded;
    bool has_recorded;
} line;

static assay_status set_recorded(assay_run_reader *in, const assay_json_token *value,
                                 void *slot, assay_error *err)
{
    line *l = slot;

    if (value->kind != ASSAY_JSON_OBJECT)
        return assay_run_unfit(in, value, "an object", err);
    l->has_recorded = true;
    return assay_run_object(in, recorded_keys, &l->recorded, NULL, err);
}

/* In the order in which they are written. */
static const assay_run_key line_keys[] = {
    ASSAY_RUN_VITAL("query_id", assay_run_set_id, line, result.query_id),
    ASSAY_RUN_KEY("query", assay_run_set_text, line, result.query),
    ASSAY_RUN_KEY("mode", assay_run_set_text, line, result.mode),
    ASSAY_RUN_KEY("elapsed_ms", assay_run_set_ms, line, result.elapsed_ms),
    ASSAY_RUN_KEY("error", assay_run_set_text, line, result.error),
    ASSAY_RUN_VITAL("answer", assay_run_set_answer, line, result.answer),
    ASSAY_RUN_WHOLE("recorded", set_recorded),
    ASSAY_RUN_IGNORED("n_hits"),
    ASSAY_RUN_IGNORED("hits_top_k"),
    ASSAY_RUN_KEYS_END,
};

/* The text up to hits_top_k, closed, in the arena.  Inside of a string a quote has a
 * backslash before it, so that these bytes stand nowhere else; where somebody has written
 * the cell anew by hand, and they are not found, the whole is read. */
static bool copy_head(assay_slice json, assay_arena *arena, assay_slice *out)
{
    static const char mark[] = ",\"hits_top_k\":[";
    const size_t len = sizeof mark - 1;
    const char *end = json.ptr + json.len;
    const char *p = json.ptr;
    char *copy;
    size_t n = json.len;

    while ((p = memchr(p, ',', (size_t)(end - p))) != NULL) {
        if ((size_t)(end - p) >= len && memcmp(p, mark, len) == 0) {
            n = (size_t)(p - json.ptr);
            break;
        }
        p++;
    }
    copy = assay_arena_alloc(arena, n + 1);
    if (!copy)
        return false;
    memcpy(copy, json.ptr, n);
    copy[n] = '}';
    *out = (assay_slice){copy, n + (n < json.len)};
    return true;
}

static assay_status read_json(assay_run_reader *in, assay_slice json, line *out,
                              assay_error *err)
{
    assay_json_token token;
    assay_slice head;
    assay_status st;

    if (!copy_head(json, &in->arena, &head))
        return assay_fail_memory(err, "reading a result");
    assay_json_init(&in->json, "result_json", 1, head, &in->arena);
    st = assay_json_next(&in->json, &token, err);
    if (!st && token.kind != ASSAY_JSON_OBJECT)
        st = assay_json_fail(&in->json, token.at, err, "want an object");
    if (!st)
        st = assay_run_object(in, line_keys, out, NULL, err);
    if (!st)
        st = assay_json_next(&in->json, &token, err); /* nothing may follow */
    return st;
}

assay_status assay_store_unpack(assay_store *store, assay_slice json, assay_slice hits,
                                assay_result *result, assay_recorded *recorded,
                                bool *has_recorded, assay_error *err)
{
    assay_run_reader *in = &store->reader;
    assay_slice id = result->query_id;
    line l = {.result = {.query_id = {"", 0},
                         .query = {"", 0},
                         .mode = {"", 0},
                         .error = {"", 0},
                         .elapsed_ms = -1,
                         .seen = ASSAY_SEEN_DONE},
              .recorded = {NAN, NAN, NAN, ASSAY_FLAG_UNKNOWN}};
    assay_status st = read_json(in, json, &l, err);

    if (!st && hits.len)
        st = assay_hits_unpack(hits, &in->arena, &l.result.hit, &l.result.n_hits,
                               &l.result.seen, err);
    if (st)
        return st;
    /* The key of the row is the id: JSON has no bytes that are not UTF-8. */
    l.result.query_id = id;
    *result = l.result;
    *recorded = l.recorded;
    *has_recorded = l.has_recorded;
    return ASSAY_OK;
}
