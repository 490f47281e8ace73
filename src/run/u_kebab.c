/* SPDX-License-Identifier: Apache-2.0 */
/* kebab's per_query.jsonl: one object a query with hits_top_k, answer, elapsed_ms, error.
 *
 * The score of a hit is retrieval.fusion_score.  Citations say where by lines (kinds
 * `line` and `code`), not by bytes, so that hits have no spans; the citations of an
 * answer keep their path and lines. */
#include "base/error.h"
#include "base/slice.h"
#include "run/kebab_write.h"
#include "run/run_json.h"

/* ---- hits ---- */

static const assay_run_key retrieval_keys[] = {
    ASSAY_RUN_WHOLE("fusion_score", assay_run_set_score),
    ASSAY_RUN_IGNORED("method"),
    ASSAY_RUN_IGNORED("lexical_score"),
    ASSAY_RUN_IGNORED("vector_score"),
    ASSAY_RUN_IGNORED("lexical_rank"),
    ASSAY_RUN_IGNORED("vector_rank"),
    ASSAY_RUN_KEYS_END,
};

static assay_status set_retrieval(assay_run_reader *in, const assay_json_token *value,
                                  void *slot, assay_error *err)
{
    if (value->kind != ASSAY_JSON_OBJECT)
        return assay_run_unfit(in, value, "an object", err);
    return assay_run_object(in, retrieval_keys, slot, NULL, err);
}

/* The wire form repeats the score beside `retrieval`; that one comes second. */
static assay_status set_score(assay_run_reader *in, const assay_json_token *value,
                              void *slot, assay_error *err)
{
    assay_hit *hit = slot;
    assay_hit other = *hit;
    assay_status st = assay_run_set_score(in, value, &other, err);

    if (!st && !hit->has_score)
        *hit = other;
    return st;
}

static const assay_run_key hit_keys[] = {
    ASSAY_RUN_VITAL("rank", assay_run_set_rank, assay_hit, rank),
    ASSAY_RUN_VITAL("chunk_id", assay_run_set_id, assay_hit, chunk),
    ASSAY_RUN_VITAL("doc_id", assay_run_set_id, assay_hit, doc),
    ASSAY_RUN_KEY("snippet", assay_run_set_text, assay_hit, text),
    ASSAY_RUN_WHOLE("retrieval", set_retrieval),
    ASSAY_RUN_WHOLE("score", set_score),
    ASSAY_RUN_IGNORED("citation"),
    ASSAY_RUN_IGNORED("doc_path"),
    ASSAY_RUN_IGNORED("heading_path"),
    ASSAY_RUN_IGNORED("section_label"),
    ASSAY_RUN_IGNORED("index_version"),
    ASSAY_RUN_IGNORED("embedding_model"),
    ASSAY_RUN_IGNORED("chunker_version"),
    ASSAY_RUN_IGNORED("indexed_at"),
    ASSAY_RUN_IGNORED("stale"),
    ASSAY_RUN_IGNORED("score_kind"),
    ASSAY_RUN_IGNORED("repo"),
    ASSAY_RUN_IGNORED("code_lang"),
    ASSAY_RUN_IGNORED("source_id"),
    ASSAY_RUN_IGNORED("trust_level"),
    ASSAY_RUN_IGNORED("snippet_full_text"),
    ASSAY_RUN_IGNORED("schema_version"),
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
    if (!hit->chunk.len)
        return assay_json_fail(&in->json, at, err, "a hit without 'chunk_id'");
    return ASSAY_OK;
}

static assay_status set_hits(assay_run_reader *in, const assay_json_token *value,
                             void *slot, assay_error *err)
{
    assay_status st;

    if (value->kind != ASSAY_JSON_LIST)
        return assay_run_unfit(in, value, "a list", err);
    st = assay_run_list(in, "hits_top_k", read_hit, err);
    return st ? st : assay_run_take_hits(in, slot, err);
}

/* ---- answers ---- */

/* A place by lines: {"start", "end"}, here or under the name of its kind. */
typedef struct place {
    int64_t start;
    int64_t end;
    assay_slice kind;
    assay_slice path;
} place;

static const assay_run_key lines_keys[] = {
    ASSAY_RUN_KEY("start", assay_run_set_count, place, start),
    ASSAY_RUN_KEY("end", assay_run_set_count, place, end),
    ASSAY_RUN_KEYS_END,
};

static assay_status set_lines(assay_run_reader *in, const assay_json_token *value,
                              void *slot, assay_error *err)
{
    uint32_t n_unknown = in->n_unknown;
    assay_status st;

    if (value->kind != ASSAY_JSON_OBJECT)
        return assay_run_unfit(in, value, "an object", err);
    st = assay_run_object(in, lines_keys, slot, NULL, err);
    in->n_unknown = n_unknown; /* section, lang and the like belong there */
    return st;
}

/* Kind `line` has start and end, kind `code` line_start and line_end; pages, regions and
 * times have other keys, which are passed over. */
static const assay_run_key place_keys[] = {
    ASSAY_RUN_KEY("kind", assay_run_set_text, place, kind),
    ASSAY_RUN_VITAL("path", assay_run_set_text, place, path),
    ASSAY_RUN_KEY("start", assay_run_set_count, place, start),
    ASSAY_RUN_KEY("end", assay_run_set_count, place, end),
    ASSAY_RUN_WHOLE("line", set_lines),
    ASSAY_RUN_WHOLE("code", set_lines),
    ASSAY_RUN_KEY("line_start", assay_run_set_count, place, start),
    ASSAY_RUN_KEY("line_end", assay_run_set_count, place, end),
    ASSAY_RUN_KEYS_END,
};

static assay_status set_place(assay_run_reader *in, const assay_json_token *value,
                              void *slot, assay_error *err)
{
    assay_citation *c = slot;
    place at = {-1, -1, {"", 0}, {"", 0}};
    uint32_t n_unknown = in->n_unknown;
    assay_status st;

    if (value->kind != ASSAY_JSON_OBJECT)
        return assay_run_unfit(in, value, "an object", err);
    st = assay_run_object(in, place_keys, &at, NULL, err);
    if (st)
        return st;
    in->n_unknown = n_unknown;
    c->path = at.path;
    if ((assay_slice_is(at.kind, "line") || assay_slice_is(at.kind, "code")) &&
        at.start >= 1 && at.end >= at.start)
        c->lines = (assay_span){(uint64_t)at.start, (uint64_t)at.end};
    return ASSAY_OK;
}

static const assay_run_key citation_keys[] = {
    ASSAY_RUN_KEY("marker", assay_run_set_id, assay_citation, marker),
    ASSAY_RUN_WHOLE("citation", set_place),
    ASSAY_RUN_IGNORED("indexed_at"),
    ASSAY_RUN_IGNORED("stale"),
    ASSAY_RUN_KEYS_END,
};

static assay_status set_citations(assay_run_reader *in, const assay_json_token *value,
                                  void *slot, assay_error *err)
{
    if (value->kind != ASSAY_JSON_LIST)
        return assay_run_unfit(in, value, "a list", err);
    return assay_run_citations(in, citation_keys, slot, err);
}

static const assay_run_key model_keys[] = {
    ASSAY_RUN_KEY("id", assay_run_set_text, assay_answer, model),
    ASSAY_RUN_IGNORED("provider"),
    ASSAY_RUN_IGNORED("dimensions"),
    ASSAY_RUN_KEYS_END,
};

static assay_status set_model(assay_run_reader *in, const assay_json_token *value,
                              void *slot, assay_error *err)
{
    if (value->kind != ASSAY_JSON_OBJECT)
        return assay_run_unfit(in, value, "an object", err);
    return assay_run_object(in, model_keys, slot, NULL, err);
}

static const assay_run_key usage_keys[] = {
    ASSAY_RUN_KEY("prompt_tokens", assay_run_set_count, assay_answer, prompt_tokens),
    ASSAY_RUN_KEY("completion_tokens", assay_run_set_count, assay_answer,
                  completion_tokens),
    ASSAY_RUN_KEY("latency_ms", assay_run_set_ms, assay_answer, latency_ms),
    ASSAY_RUN_KEYS_END,
};

static assay_status set_usage(assay_run_reader *in, const assay_json_token *value,
                              void *slot, assay_error *err)
{
    if (value->kind != ASSAY_JSON_OBJECT)
        return assay_run_unfit(in, value, "an object", err);
    return assay_run_object(in, usage_keys, slot, NULL, err);
}

static const assay_run_key answer_keys[] = {
    ASSAY_RUN_VITAL("answer", assay_run_set_text, assay_answer, text),
    ASSAY_RUN_WHOLE("citations", set_citations),
    ASSAY_RUN_VITAL("grounded", assay_run_set_flag, assay_answer, grounded),
    ASSAY_RUN_VITAL("refusal_reason", assay_run_set_text, assay_answer, refusal_reason),
    ASSAY_RUN_WHOLE("model", set_model),
    ASSAY_RUN_WHOLE("usage", set_usage),
    ASSAY_RUN_IGNORED("schema_version"),
    ASSAY_RUN_IGNORED("embedding"),
    ASSAY_RUN_IGNORED("prompt_template_version"),
    ASSAY_RUN_IGNORED("retrieval"),
    ASSAY_RUN_IGNORED("created_at"),
    ASSAY_RUN_IGNORED("hops"),
    ASSAY_RUN_IGNORED("verification"),
    ASSAY_RUN_KEYS_END,
};

static assay_status set_answer(assay_run_reader *in, const assay_json_token *value,
                               void *slot, assay_error *err)
{
    assay_answer *answer = assay_run_new_answer(&in->arena);

    if (!answer)
        return assay_fail_memory(err, "reading an answer");
    if (value->kind != ASSAY_JSON_OBJECT)
        return assay_run_unfit(in, value, "an object", err);
    *(assay_answer **)slot = answer;
    return assay_run_object(in, answer_keys, answer, NULL, err);
}

/* ---- lines ---- */

static const assay_run_key line_keys[] = {
    ASSAY_RUN_VITAL("query_id", assay_run_set_id, assay_result, query_id),
    ASSAY_RUN_KEY("query", assay_run_set_text, assay_result, query),
    ASSAY_RUN_KEY("mode", assay_run_set_text, assay_result, mode),
    ASSAY_RUN_WHOLE("hits_top_k", set_hits),
    ASSAY_RUN_VITAL("answer", set_answer, assay_result, answer),
    ASSAY_RUN_KEY("elapsed_ms", assay_run_set_ms, assay_result, elapsed_ms),
    ASSAY_RUN_KEY("error", assay_run_set_text, assay_result, error),
    ASSAY_RUN_KEYS_END,
};
enum { HAS_HITS = 1 << 3 };

static assay_status read_line(assay_run_reader *in, assay_result *result,
                              assay_error *err)
{
    uint32_t seen = 0;
    assay_status st = assay_run_object(in, line_keys, result, &seen, err);

    if (st || !result->query_id.len)
        return st;
    /* kebab always writes it, even after an error. */
    if (!(seen & HAS_HITS))
        return assay_json_fail(&in->json, in->json.begin, err,
                               "query '%.*s' has no 'hits_top_k'",
                               ASSAY_QUOTE(result->query_id));
    return ASSAY_OK;
}

static assay_status read_kebab(const assay_run_source *source, assay_run *into,
                               assay_error *err)
{
    return assay_run_read_lines(source, into, read_line, err);
}

static int sniff_kebab(const assay_run_source *source)
{
    return assay_run_has_key(source, "hits_top_k") && !source->head->is_list ? 95 : 0;
}

const assay_run_format assay_run_format_kebab = {
    .name = "kebab",
    .summary = "kebab's per_query.jsonl: hits_top_k, answer, elapsed_ms, error",
    .sniff = sniff_kebab,
    .read = read_kebab,
    .write = assay_kebab_write,
    .details =
        "  {\"query_id\", \"query\", \"mode\", \"elapsed_ms\", \"error\",\n"
        "   \"hits_top_k\": [{\"rank\", \"chunk_id\", \"doc_id\", \"citation\": {...},\n"
        "                   \"retrieval\": {\"fusion_score\"}}],\n"
        "   \"answer\": {\"answer\", \"citations\", \"grounded\", \"refusal_reason\"}}\n"
        "  Citations name lines, not bytes, so hits have no spans.",
};
