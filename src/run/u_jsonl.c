/* SPDX-License-Identifier: Apache-2.0 */
/* assay's own run format: one JSON object a line, one line a query.
 *
 *     {"query_id", "query", "mode", "hits": [{"rank", "chunk_id", "doc_id", "score",
 *      "spans": [[start, end]] or "lines": [first, last], "text",
 *      "legs": [{"name", "rank", "score"}]}],
 *      "answer": {...}, "elapsed_ms", "error"}
 *
 * It holds everything that a run can hold, so that other formats are converted to it and
 * back without loss. */
#include "base/error.h"
#include "base/slice.h"
#include "run/quick_hit.h"
#include "run/run_json.h"

/* ---- reading ---- */

static const assay_run_key hit_keys[] = {
    ASSAY_RUN_VITAL("rank", assay_run_set_rank, assay_hit, rank),
    ASSAY_RUN_VITAL("chunk_id", assay_run_set_id, assay_hit, chunk),
    ASSAY_RUN_VITAL("doc_id", assay_run_set_id, assay_hit, doc),
    ASSAY_RUN_WHOLE("score", assay_run_set_score),
    ASSAY_RUN_WHOLE("spans", assay_run_set_spans),
    ASSAY_RUN_WHOLE("lines", assay_run_set_hit_lines),
    ASSAY_RUN_WHOLE("legs", assay_run_set_legs),
    ASSAY_RUN_VITAL("text", assay_run_set_text, assay_hit, text),
    ASSAY_RUN_KEYS_END,
};

static assay_status read_hit(assay_run_reader *in, assay_error *err)
{
    const char *at = in->json.p - 1;
    assay_hit *hit = assay_run_new_hit(in);
    assay_status st;

    if (!hit)
        return assay_fail_memory(err, "reading hits");
    st = assay_run_object(in, hit_keys, hit, NULL, err);
    if (st)
        return st;
    if (!hit->chunk.len && !hit->doc.len && !hit->text.len)
        return assay_json_fail(&in->json, at, err,
                               "a hit without 'chunk_id', 'doc_id' or 'text'");
    return ASSAY_OK;
}

/* Hits from here on, as long as they are of the plain sort. */
static assay_status read_quick_hits(assay_run_reader *in, assay_error *err)
{
    const char *item;

    while ((item = assay_json_item(&in->json)) != NULL) {
        assay_hit *hit = assay_run_new_hit(in);
        const char *behind;

        if (!hit)
            return assay_fail_memory(err, "reading hits");
        behind = assay_run_quick_hit(item, in->json.end, hit);
        if (!behind) {
            in->n_hits--;
            break;
        }
        assay_json_item_done(&in->json, behind);
    }
    return ASSAY_OK;
}

assay_status assay_run_set_hits(assay_run_reader *in, const assay_json_token *value,
                                void *slot, assay_error *err)
{
    assay_status st;

    if (value->kind != ASSAY_JSON_LIST)
        return assay_run_unfit(in, value, "a list", err);
    st = read_quick_hits(in, err);
    if (!st)
        st = assay_run_list(in, "hits", read_hit, err);
    return st ? st : assay_run_take_hits(in, slot, err);
}

static const assay_run_key citation_keys[] = {
    ASSAY_RUN_KEY("marker", assay_run_set_id, assay_citation, marker),
    ASSAY_RUN_VITAL("chunk_id", assay_run_set_id, assay_citation, chunk),
    ASSAY_RUN_VITAL("doc_id", assay_run_set_id, assay_citation, doc),
    ASSAY_RUN_VITAL("path", assay_run_set_text, assay_citation, path),
    ASSAY_RUN_VITAL("span", assay_run_set_pair, assay_citation, span),
    ASSAY_RUN_VITAL("lines", assay_run_set_lines, assay_citation, lines),
    ASSAY_RUN_KEYS_END,
};

static assay_status set_citations(assay_run_reader *in, const assay_json_token *value,
                                  void *slot, assay_error *err)
{
    if (value->kind != ASSAY_JSON_LIST)
        return assay_run_unfit(in, value, "a list", err);
    return assay_run_citations(in, citation_keys, slot, err);
}

static const assay_run_key answer_keys[] = {
    ASSAY_RUN_VITAL("answer", assay_run_set_text, assay_answer, text),
    ASSAY_RUN_WHOLE("citations", set_citations),
    ASSAY_RUN_VITAL("grounded", assay_run_set_flag, assay_answer, grounded),
    ASSAY_RUN_VITAL("refusal_reason", assay_run_set_text, assay_answer, refusal_reason),
    ASSAY_RUN_KEY("model", assay_run_set_text, assay_answer, model),
    ASSAY_RUN_KEY("prompt_tokens", assay_run_set_count, assay_answer, prompt_tokens),
    ASSAY_RUN_KEY("completion_tokens", assay_run_set_count, assay_answer,
                  completion_tokens),
    ASSAY_RUN_KEY("latency_ms", assay_run_set_ms, assay_answer, latency_ms),
    ASSAY_RUN_KEY("cost", assay_run_set_ms, assay_answer, cost),
    ASSAY_RUN_KEYS_END,
};

assay_status assay_run_set_answer(assay_run_reader *in, const assay_json_token *value,
                                  void *slot, assay_error *err)
{
    assay_answer *answer = assay_run_new_answer(&in->arena);

    if (!answer)
        return assay_fail_memory(err, "reading an answer");
    *(assay_answer **)slot = answer;
    /* A bare string is an answer of which only the text is known. */
    if (value->kind == ASSAY_JSON_STRING) {
        answer->text = value->text;
        return ASSAY_OK;
    }
    if (value->kind != ASSAY_JSON_OBJECT)
        return assay_run_unfit(in, value, "an object", err);
    return assay_run_object(in, answer_keys, answer, NULL, err);
}

/* In the order in which the writer puts them. */
static const assay_run_key line_keys[] = {
    ASSAY_RUN_VITAL("query_id", assay_run_set_id, assay_result, query_id),
    ASSAY_RUN_KEY("query", assay_run_set_text, assay_result, query),
    ASSAY_RUN_KEY("mode", assay_run_set_text, assay_result, mode),
    ASSAY_RUN_WHOLE("hits", assay_run_set_hits),
    ASSAY_RUN_VITAL("answer", assay_run_set_answer, assay_result, answer),
    ASSAY_RUN_KEY("elapsed_ms", assay_run_set_ms, assay_result, elapsed_ms),
    ASSAY_RUN_KEY("error", assay_run_set_text, assay_result, error),
    ASSAY_RUN_KEYS_END,
};
enum { HAS_HITS = 1 << 3, HAS_ANSWER = 1 << 4, HAS_ERROR = 1 << 6 };

static assay_status read_line(assay_run_reader *in, assay_result *result,
                              assay_error *err)
{
    uint32_t seen = 0;
    assay_status st = assay_run_object(in, line_keys, result, &seen, err);

    if (st || !result->query_id.len)
        return st;
    /* An empty ranking is a result; a line that says nothing is a mistake. */
    if (!(seen & (HAS_HITS | HAS_ANSWER | HAS_ERROR)))
        return assay_json_fail(&in->json, in->json.begin, err,
                               "query '%.*s' has no 'hits', 'answer' or 'error'",
                               ASSAY_QUOTE(result->query_id));
    return ASSAY_OK;
}

static assay_status read_jsonl(const assay_run_source *source, assay_run *into,
                               assay_error *err)
{
    return assay_run_read_lines(source, into, read_line, err);
}

static int sniff_jsonl(const assay_run_source *source)
{
    if (assay_run_has_key(source, "hits_top_k") || source->head->is_list)
        return 0;
    if (assay_run_has_key(source, "hits"))
        return 90;
    return assay_run_has_key(source, "query_id") ? 60 : 0;
}

/* ---- writing ---- */

static void put_slice(assay_json_writer *w, const char *key, assay_slice s)
{
    if (!s.len)
        return;
    assay_json_key(w, key);
    assay_json_string(w, s);
}

static void put_real(assay_json_writer *w, const char *key, double value)
{
    if (value < 0)
        return;
    assay_json_key(w, key);
    assay_json_double(w, value);
}

static void put_count(assay_json_writer *w, const char *key, int64_t value)
{
    if (value < 0)
        return;
    assay_json_key(w, key);
    assay_json_int(w, value);
}

static void put_pair(assay_json_writer *w, assay_span span)
{
    assay_json_flat_list(w);
    assay_json_int(w, (int64_t)span.start);
    assay_json_int(w, (int64_t)span.end);
    assay_json_list_end(w);
}

static void put_leg(assay_json_writer *w, const assay_leg_place *leg)
{
    assay_json_object(w);
    put_slice(w, "name", leg->name);
    if (leg->rank)
        put_count(w, "rank", leg->rank);
    if (leg->has_score) {
        assay_json_key(w, "score");
        assay_json_double(w, leg->score);
    }
    assay_json_object_end(w);
}

static void put_legs(assay_json_writer *w, const assay_hit *hit)
{
    if (!hit->n_legs)
        return;
    assay_json_key(w, "legs");
    assay_json_list(w);
    for (uint32_t i = 0; i < hit->n_legs; i++)
        put_leg(w, &hit->leg[i]);
    assay_json_list_end(w);
}

static void put_hit(assay_json_writer *w, const assay_hit *hit)
{
    assay_json_object(w);
    if (hit->rank)
        put_count(w, "rank", hit->rank);
    put_slice(w, "chunk_id", hit->chunk);
    put_slice(w, "doc_id", hit->doc);
    if (hit->has_score) {
        assay_json_key(w, "score");
        assay_json_double(w, hit->score);
    }
    if (hit->n_spans) {
        assay_json_key(w, "spans");
        assay_json_list(w);
        for (uint32_t i = 0; i < hit->n_spans; i++)
            put_pair(w, hit->span[i]);
        assay_json_list_end(w);
    }
    if (hit->has_lines) {
        assay_json_key(w, "lines");
        put_pair(w, *hit->span);
    }
    put_legs(w, hit);
    put_slice(w, "text", hit->text);
    assay_json_object_end(w);
}

static void put_citation(assay_json_writer *w, const assay_citation *c)
{
    assay_json_object(w);
    put_slice(w, "marker", c->marker);
    put_slice(w, "chunk_id", c->chunk);
    put_slice(w, "doc_id", c->doc);
    put_slice(w, "path", c->path);
    if (c->span.end) {
        assay_json_key(w, "span");
        put_pair(w, c->span);
    }
    if (c->lines.end) {
        assay_json_key(w, "lines");
        put_pair(w, c->lines);
    }
    assay_json_object_end(w);
}

void assay_run_write_answer(assay_json_writer *w, const assay_answer *a)
{
    assay_json_object(w);
    assay_json_key(w, "answer");
    assay_json_string(w, a->text);
    assay_json_key(w, "citations");
    assay_json_list(w);
    for (uint32_t i = 0; i < a->n_citations; i++)
        put_citation(w, &a->citation[i]);
    assay_json_list_end(w);
    if (a->grounded != ASSAY_FLAG_UNKNOWN) {
        assay_json_key(w, "grounded");
        assay_json_bool(w, a->grounded == ASSAY_FLAG_YES);
    }
    put_slice(w, "refusal_reason", a->refusal_reason);
    put_slice(w, "model", a->model);
    put_count(w, "prompt_tokens", a->prompt_tokens);
    put_count(w, "completion_tokens", a->completion_tokens);
    put_real(w, "latency_ms", a->latency_ms);
    put_real(w, "cost", a->cost);
    assay_json_object_end(w);
}

static void put_result(assay_buffer *out, const assay_result *r)
{
    assay_json_writer w = assay_json_writer_of(out, 0);

    assay_json_object(&w);
    assay_json_key(&w, "query_id");
    assay_json_string(&w, r->query_id);
    put_slice(&w, "query", r->query);
    put_slice(&w, "mode", r->mode);
    assay_json_key(&w, "hits");
    assay_json_list(&w);
    for (uint32_t i = 0; i < r->n_hits; i++)
        put_hit(&w, &r->hit[i]);
    assay_json_list_end(&w);
    if (r->answer) {
        assay_json_key(&w, "answer");
        assay_run_write_answer(&w, r->answer);
    }
    put_real(&w, "elapsed_ms", r->elapsed_ms);
    put_slice(&w, "error", r->error);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status note_losses(const assay_run *run, assay_notes *lost,
                                assay_arena *arena, assay_error *err)
{
    bool ok = true;

    if (run->recorded)
        ok =
            assay_notes_add(lost, arena, "recorded scores of %u queries", run->n_results);
    if (run->stages && ok)
        ok = assay_notes_add(lost, arena,
                             "stage events other than retrieval, and their attributes");
    return ok ? ASSAY_OK : assay_fail_memory(err, "writing a run");
}

static assay_status write_jsonl(const assay_run *run, assay_buffer *out,
                                assay_notes *lost, assay_arena *arena, assay_error *err)
{
    assay_arena scratch = ASSAY_ARENA_EMPTY;
    assay_status st = note_losses(run, lost, arena, err);

    for (uint32_t i = 0; i < assay_run_n(run) && !st; i++) {
        assay_result result;

        assay_arena_reset(&scratch);
        st = assay_run_result(run, i, &scratch, &result, err);
        if (!st)
            put_result(out, &result);
    }
    assay_arena_clear(&scratch);
    if (!st && out->has_failed)
        st = assay_fail_memory(err, "writing a run");
    return st;
}

const assay_run_format assay_run_format_jsonl = {
    .name = "jsonl",
    .summary = "assay's own: a JSON object a query with hits, spans, answer, time, error",
    .sniff = sniff_jsonl,
    .read = read_jsonl,
    .write = write_jsonl,
    .details =
        "  {\"query_id\", \"query\", \"mode\", \"elapsed_ms\", \"error\",\n"
        "   \"hits\": [{\"rank\", \"chunk_id\", \"doc_id\", \"score\",\n"
        "             \"spans\": [[start, end]] or \"lines\": [first, last], \"text\",\n"
        "             \"legs\": [{\"name\", \"rank\", \"score\"}]}],\n"
        "   \"answer\": {\"answer\", \"citations\": [{\"marker\", \"chunk_id\",\n"
        "              \"doc_id\", \"path\", \"span\", \"lines\"}], \"grounded\",\n"
        "              \"refusal_reason\", \"model\", \"prompt_tokens\",\n"
        "              \"completion_tokens\", \"latency_ms\", \"cost\"}}\n"
        "  One object a line; query_id and one of hits, answer, error are needed.",
};
