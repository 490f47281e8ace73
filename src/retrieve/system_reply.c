/* SPDX-License-Identifier: Apache-2.0 */
/* Replies of the protocol are read by the tables of the run formats, as they come; those of
 * another shape become a tree first (system_map.c). */
#include "retrieve/system_reply.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "retrieve/system_map.h"

enum { QUOTED = 120 };

#define NO_WORDS "an error without words"

assay_result assay_reply_none(void)
{
    return (assay_result){.query_id = {"", 0},
                          .query = {"", 0},
                          .mode = {"", 0},
                          .error = {"", 0},
                          .elapsed_ms = -1};
}

/* On one line and well-formed. */
static void put_clean(assay_slice text, assay_buffer *out)
{
    while (text.len) {
        size_t n = assay_utf8_char(text);

        if (!assay_utf8_is((assay_slice){text.ptr, n}))
            assay_buffer_char(out, '?');
        else if ((unsigned char)*text.ptr < ' ' || *text.ptr == 0x7F)
            assay_buffer_char(out, ' ');
        else
            assay_buffer_add(out, text.ptr, n);
        text = (assay_slice){text.ptr + n, text.len - n};
    }
}

void assay_reply_quote(assay_slice text, assay_buffer *out)
{
    bool is_cut = text.len > QUOTED;

    if (is_cut)
        text.len = assay_utf8_floor(text, QUOTED);
    assay_buffer_char(out, '\'');
    put_clean(text, out);
    assay_buffer_text(out, is_cut ? "...'" : "'");
}

assay_status assay_reply_fail(const assay_buffer *words, assay_arena *arena,
                              assay_result *out, assay_error *err)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    *out = assay_reply_none();
    put_clean(assay_buffer_view(words), &b);
    if (!b.len)
        assay_buffer_text(&b, NO_WORDS);
    if (!words->has_failed && !b.has_failed)
        out->error = assay_arena_copy(arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    return out->error.len ? ASSAY_OK : assay_fail_memory(err, "reading a reply");
}

/* ---- the protocol's own shape ---- */

typedef struct usage {
    int64_t prompt_tokens;
    int64_t completion_tokens;
    double cost;
} usage;

/* A reply as it is read; the result comes first, for the tables. */
typedef struct parts {
    assay_result result;
    usage usage;
} parts;

static const assay_run_key usage_keys[] = {
    ASSAY_RUN_KEY("prompt_tokens", assay_run_set_count, usage, prompt_tokens),
    ASSAY_RUN_KEY("completion_tokens", assay_run_set_count, usage, completion_tokens),
    ASSAY_RUN_KEY("cost", assay_run_set_ms, usage, cost),
    ASSAY_RUN_KEYS_END,
};

static assay_status set_usage(assay_run_reader *in, const assay_json_token *value,
                              void *slot, assay_error *err)
{
    if (value->kind != ASSAY_JSON_OBJECT)
        return assay_run_unfit(in, value, "an object", err);
    return assay_run_object(in, usage_keys, slot, NULL, err);
}

/* Words, or an object that has them in some shape: then all of it. */
static assay_status set_error(assay_run_reader *in, const assay_json_token *value,
                              void *slot, assay_error *err)
{
    assay_status st = ASSAY_OK;

    if (value->kind == ASSAY_JSON_STRING) {
        *(assay_slice *)slot = value->text.len ? value->text : ASSAY_LIT(NO_WORDS);
        return ASSAY_OK;
    }
    st = assay_json_skip(&in->json, *value, err);
    *(assay_slice *)slot = (assay_slice){value->at, (size_t)(in->json.p - value->at)};
    return st;
}

static const assay_run_key reply_keys[] = {
    ASSAY_RUN_VITAL("hits", assay_run_set_hits, parts, result),
    ASSAY_RUN_VITAL("answer", assay_run_set_answer, parts, result.answer),
    ASSAY_RUN_VITAL("error", set_error, parts, result.error),
    ASSAY_RUN_VITAL("usage", set_usage, parts, usage),
    ASSAY_RUN_KEY("id", assay_run_set_id, parts, result.query_id),
    ASSAY_RUN_KEY("query_id", assay_run_set_id, parts, result.query_id),
    ASSAY_RUN_IGNORED("schema"),
    ASSAY_RUN_IGNORED("query"),
    ASSAY_RUN_KEYS_END,
};
enum { HAS_HITS = 1, HAS_ANSWER = 2, HAS_ERROR = 4 };

/* "'results', 'took'": what the object in `text` is made of. */
static void list_keys(assay_run_reader *in, assay_slice text, char *out, size_t size)
{
    assay_run_head head;
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    size_t n;

    if (assay_run_look("reply", text, &in->arena, &head, NULL) == ASSAY_OK)
        for (uint32_t i = 0; i < head.n_keys && i < 8; i++) {
            assay_buffer_text(&b, i ? ", " : "");
            assay_reply_quote(head.key[i], &b);
        }
    n = b.len < size ? b.len : assay_utf8_floor(assay_buffer_view(&b), size - 1);
    if (n)
        memcpy(out, b.ptr, n);
    out[n] = '\0';
    assay_buffer_clear(&b);
}

static assay_status check_seen(assay_run_reader *in, uint32_t seen, assay_slice text,
                               assay_error *err)
{
    char list[400];

    if (seen & (HAS_HITS | HAS_ANSWER | HAS_ERROR))
        return ASSAY_OK;
    list_keys(in, text, list, sizeof list);
    return assay_fail(err, ASSAY_EINPUT,
                      "the reply has no 'hits', 'answer' or 'error'%s%s; pointers in "
                      "assay.yaml map another shape",
                      list[0] ? ", but " : "", list);
}

static assay_status read_own(assay_reply *reply, assay_slice text, parts *into,
                             assay_error *err)
{
    assay_run_reader *in = &reply->in;
    assay_json_token token;
    uint32_t seen = 0;
    assay_status st;

    assay_json_init(&in->json, "reply", 1, text, &in->arena);
    st = assay_json_next(&in->json, &token, err);
    if (st)
        return st;
    if (token.kind != ASSAY_JSON_OBJECT)
        return assay_json_fail(&in->json, token.at, err, "want a JSON object");
    st = assay_run_object(in, reply_keys, into, &seen, err);
    if (!st)
        st = assay_json_next(&in->json, &token, err);
    return st ? st : check_seen(in, seen, text, err);
}

/* ---- all shapes ---- */

static void take_usage(const usage *u, assay_answer *answer)
{
    if (!answer)
        return;
    if (u->prompt_tokens >= 0)
        answer->prompt_tokens = u->prompt_tokens;
    if (u->completion_tokens >= 0)
        answer->completion_tokens = u->completion_tokens;
    if (u->cost >= 0)
        answer->cost = u->cost;
}

assay_status assay_reply_read(assay_reply *reply, const assay_system_config *config,
                              const assay_question *question, assay_slice text,
                              assay_arena *arena, assay_result *out, assay_error *err)
{
    assay_run_reader *in = &reply->in;
    parts p = {.result = assay_reply_none(), .usage = {-1, -1, -1}};
    assay_slice copy = assay_arena_copy(arena, text);
    assay_status st;

    reply->id = (assay_slice){"", 0};
    if (!copy.ptr)
        return assay_fail_memory(err, "reading a reply");
    /* The tables make things in the reader's arena: for now that is the caller's. */
    in->arena = *arena;
    in->n_hits = 0;
    st = config->is_mapped ? assay_map_read(in, config, copy, &p.result, err)
                           : read_own(reply, copy, &p, err);
    *arena = in->arena;
    in->arena = (assay_arena)ASSAY_ARENA_EMPTY;
    if (st)
        return st;
    reply->id = p.result.query_id;
    take_usage(&p.usage, p.result.answer);
    p.result.query_id = (assay_slice){"", 0};
    *out = p.result;
    if (out->error.len) {
        out->hit = NULL;
        out->n_hits = 0;
        out->seen = 0;
        out->answer = NULL;
    }
    assay_reply_trim(question, out);
    return ASSAY_OK;
}

/* ---- lines ---- */

static assay_status read_line(assay_run_reader *in, uint32_t number, assay_slice line,
                              assay_error *err)
{
    assay_hit *hit = assay_run_new_hit(in);
    const char *tab = memchr(line.ptr, '\t', line.len);
    assay_slice score;

    if (!hit)
        return assay_fail_memory(err, "reading a reply");
    if (!assay_utf8_is(line))
        return assay_fail(err, ASSAY_EINPUT, "output:%u: not UTF-8", number);
    hit->doc = tab ? (assay_slice){line.ptr, (size_t)(tab - line.ptr)} : line;
    hit->doc = assay_slice_trim(hit->doc);
    if (!hit->doc.len)
        return assay_fail(err, ASSAY_EINPUT, "output:%u: a line without a document id",
                          number);
    if (!tab)
        return ASSAY_OK;
    score =
        assay_slice_trim((assay_slice){tab + 1, (size_t)(line.ptr + line.len - tab - 1)});
    if (!assay_number_read(score, &hit->score))
        return assay_fail(err, ASSAY_EINPUT,
                          "output:%u: the score '%.*s' is not a number; a line is a "
                          "document id, perhaps a tab and a score",
                          number, ASSAY_QUOTE(score));
    hit->has_score = true;
    return ASSAY_OK;
}

assay_status assay_reply_read_lines(assay_reply *reply, const assay_question *question,
                                    assay_slice text, assay_arena *arena,
                                    assay_result *out, assay_error *err)
{
    assay_run_reader *in = &reply->in;
    assay_slice rest = assay_arena_copy(arena, text);
    assay_slice line;
    assay_status st = ASSAY_OK;

    reply->id = (assay_slice){"", 0};
    *out = assay_reply_none();
    if (!rest.ptr)
        return assay_fail_memory(err, "reading a reply");
    in->n_hits = 0;
    for (uint32_t n = 1; !st && assay_slice_part(&rest, '\n', &line); n++)
        if (assay_slice_trim(line).len)
            st = read_line(in, n, line, err);
    if (st)
        return st;
    in->arena = *arena;
    st = assay_run_take_hits(in, out, err);
    *arena = in->arena;
    in->arena = (assay_arena)ASSAY_ARENA_EMPTY;
    if (!st)
        assay_reply_trim(question, out);
    return st;
}

/* ---- trimming ---- */

static assay_slice id_of(const assay_hit *hit)
{
    return hit->chunk.len ? hit->chunk : hit->doc;
}

/* Equal scores by id, descending, as everywhere. */
static int by_score(const void *a, const void *b)
{
    const assay_hit *x = a;
    const assay_hit *y = b;

    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return assay_slice_cmp(id_of(y), id_of(x));
}

static int by_rank(const void *a, const void *b)
{
    const assay_hit *x = a;
    const assay_hit *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return assay_slice_cmp(id_of(y), id_of(x));
}

void assay_reply_trim(const assay_question *question, assay_result *out)
{
    bool has_scores = true;
    bool has_ranks = true;
    unsigned seen = ASSAY_SEEN_DONE;

    if (!question->wants_answer)
        out->answer = NULL;
    if (out->n_hits <= question->k)
        return;
    for (uint32_t i = 0; i < out->n_hits; i++) {
        has_scores = has_scores && out->hit[i].has_score;
        has_ranks = has_ranks && out->hit[i].rank;
    }
    if (has_scores || has_ranks)
        qsort(out->hit, out->n_hits, sizeof *out->hit, has_scores ? by_score : by_rank);
    out->n_hits = question->k;
    for (uint32_t i = 0; i < out->n_hits; i++)
        seen |= assay_run_seen(&out->hit[i]);
    out->seen = (uint8_t)seen;
}
