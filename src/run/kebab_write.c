/* SPDX-License-Identifier: Apache-2.0 */
/* kebab's per_query.jsonl, its keys in its order, nulls written as it does.  What assay
 * knows and kebab has no room for is counted and named. */
#include "run/kebab_write.h"

#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "base/slice.h"

/* What is lost, in the order in which it is told. */
typedef struct losses {
    uint64_t hits; /* without a chunk id, which kebab's cannot be */
    uint64_t spans;
    uint64_t legs;
    uint64_t cited; /* ids of chunks and documents, and bytes, of citations */
    uint64_t costs;
} losses;

static void put_text(assay_json_writer *w, const char *key, assay_slice text)
{
    assay_json_key(w, key);
    if (text.len)
        assay_json_string(w, text);
    else
        assay_json_null(w);
}

static void put_known(assay_json_writer *w, const char *key, int64_t value)
{
    if (value < 0)
        return;
    assay_json_key(w, key);
    assay_json_int(w, value);
}

static void put_hit(assay_json_writer *w, const assay_hit *hit, uint32_t rank,
                    losses *lost)
{
    lost->spans += hit->n_spans > 0 || hit->has_lines;
    lost->legs += hit->n_legs > 0;
    if (!hit->chunk.len) {
        lost->hits++;
        return;
    }
    assay_json_object(w);
    assay_json_key(w, "rank");
    assay_json_int(w, hit->rank ? hit->rank : rank);
    assay_json_key(w, "chunk_id");
    assay_json_string(w, hit->chunk);
    if (hit->doc.len) {
        assay_json_key(w, "doc_id");
        assay_json_string(w, hit->doc);
    }
    if (hit->text.len) {
        assay_json_key(w, "snippet");
        assay_json_string(w, hit->text);
    }
    if (hit->has_score) {
        assay_json_key(w, "retrieval");
        assay_json_object(w);
        assay_json_key(w, "fusion_score");
        assay_json_double(w, hit->score);
        assay_json_object_end(w);
    }
    assay_json_object_end(w);
}

static void put_citation(assay_json_writer *w, const assay_citation *c, losses *lost)
{
    lost->cited += c->chunk.len || c->doc.len || c->span.end;
    assay_json_object(w);
    put_text(w, "marker", c->marker);
    assay_json_key(w, "citation");
    assay_json_object(w);
    assay_json_key(w, "kind");
    assay_json_text(w, "line");
    assay_json_key(w, "path");
    assay_json_string(w, c->path);
    if (c->lines.end) {
        put_known(w, "start", (int64_t)c->lines.start);
        put_known(w, "end", (int64_t)c->lines.end);
    }
    assay_json_object_end(w);
    assay_json_object_end(w);
}

static void put_usage(assay_json_writer *w, const assay_answer *a)
{
    if (a->prompt_tokens < 0 && a->completion_tokens < 0 && a->latency_ms < 0)
        return;
    assay_json_key(w, "usage");
    assay_json_object(w);
    put_known(w, "prompt_tokens", a->prompt_tokens);
    put_known(w, "completion_tokens", a->completion_tokens);
    if (a->latency_ms >= 0) {
        assay_json_key(w, "latency_ms");
        assay_json_double(w, a->latency_ms);
    }
    assay_json_object_end(w);
}

static void put_answer(assay_json_writer *w, const assay_answer *a, losses *lost)
{
    lost->costs += a->cost >= 0;
    assay_json_object(w);
    assay_json_key(w, "answer");
    assay_json_string(w, a->text);
    assay_json_key(w, "citations");
    assay_json_list(w);
    for (uint32_t i = 0; i < a->n_citations; i++)
        put_citation(w, &a->citation[i], lost);
    assay_json_list_end(w);
    if (a->grounded != ASSAY_FLAG_UNKNOWN) {
        assay_json_key(w, "grounded");
        assay_json_bool(w, a->grounded == ASSAY_FLAG_YES);
    }
    put_text(w, "refusal_reason", a->refusal_reason);
    if (a->model.len) {
        assay_json_key(w, "model");
        assay_json_object(w);
        put_text(w, "id", a->model);
        assay_json_object_end(w);
    }
    put_usage(w, a);
    assay_json_object_end(w);
}

static void put_result(assay_buffer *out, const assay_result *r, losses *lost)
{
    assay_json_writer w = assay_json_writer_of(out, 0);

    assay_json_object(&w);
    assay_json_key(&w, "query_id");
    assay_json_string(&w, r->query_id);
    put_text(&w, "query", r->query);
    put_text(&w, "mode", r->mode);
    assay_json_key(&w, "hits_top_k");
    assay_json_list(&w);
    for (uint32_t i = 0; i < r->n_hits; i++)
        put_hit(&w, &r->hit[i], i + 1, lost);
    assay_json_list_end(&w);
    assay_json_key(&w, "answer");
    if (r->answer)
        put_answer(&w, r->answer, lost);
    else
        assay_json_null(&w);
    assay_json_key(&w, "elapsed_ms");
    if (r->elapsed_ms >= 0)
        assay_json_double(&w, r->elapsed_ms);
    else
        assay_json_null(&w);
    put_text(&w, "error", r->error);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static bool note_losses(const assay_run *run, const losses *lost, assay_notes *notes,
                        assay_arena *arena)
{
    const struct {
        uint64_t n;
        const char *what;
    } row[] = {
        {lost->hits, "hits without a chunk id, which were left out"},
        {lost->spans, "places in documents, of hits"},
        {lost->legs, "ranks and scores of the rankings behind fused hits"},
        {lost->cited, "ids and bytes that citations name"},
        {lost->costs, "costs of answers"},
        {run->recorded ? run->n_results : 0, "recorded scores"},
    };

    for (size_t i = 0; i < ASSAY_COUNT(row); i++)
        if (row[i].n && !assay_notes_add(notes, arena, "%llu x %s",
                                         (unsigned long long)row[i].n, row[i].what))
            return false;
    return true;
}

assay_status assay_kebab_write(const assay_run *run, assay_buffer *out, assay_notes *lost,
                               assay_arena *arena, assay_error *err)
{
    assay_arena scratch = ASSAY_ARENA_EMPTY;
    losses l = {0};
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < assay_run_n(run) && !st; i++) {
        assay_result result;

        assay_arena_reset(&scratch);
        st = assay_run_result(run, i, &scratch, &result, err);
        if (!st)
            put_result(out, &result, &l);
    }
    assay_arena_clear(&scratch);
    if (!st && (out->has_failed || !note_losses(run, &l, lost, arena)))
        st = assay_fail_memory(err, "writing a run");
    return st;
}
