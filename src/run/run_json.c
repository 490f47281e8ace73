/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_json.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/slice.h"

/* ---- objects ---- */

static const char *kind_name(assay_json_kind kind)
{
    static const char *const name[] = {
        [ASSAY_JSON_END] = "the end",     [ASSAY_JSON_NULL] = "null",
        [ASSAY_JSON_FALSE] = "false",     [ASSAY_JSON_TRUE] = "true",
        [ASSAY_JSON_NUMBER] = "a number", [ASSAY_JSON_STRING] = "a string",
        [ASSAY_JSON_KEY] = "a key",       [ASSAY_JSON_LIST] = "a list",
        [ASSAY_JSON_LIST_END] = "']'",    [ASSAY_JSON_OBJECT] = "an object",
        [ASSAY_JSON_OBJECT_END] = "'}'",
    };

    return name[kind];
}

assay_status assay_run_unfit(const assay_run_reader *in, const assay_json_token *value,
                             const char *wanted, assay_error *err)
{
    return assay_json_fail(&in->json, value->at, err, "'%.*s' must be %s, not %s",
                           ASSAY_QUOTE(in->key), wanted, kind_name(value->kind));
}

/* A key near a vital one: one edit in short names, two in names of six and more. */
static const assay_run_key *find_nearest(const assay_run_key *keys, assay_slice name)
{
    for (; keys->name.ptr; keys++) {
        uint32_t far = keys->is_vital ? assay_slice_distance(keys->name, name) : 3;

        if (far <= 2 && far * 3 <= keys->name.len)
            return keys;
    }
    return NULL;
}

static ASSAY_NOINLINE assay_status pass_unknown(assay_run_reader *in,
                                                const assay_run_key *keys,
                                                const assay_json_token *key,
                                                assay_error *err)
{
    bool is_private = assay_slice_starts(key->text, "x_");
    const assay_run_key *near = is_private ? NULL : find_nearest(keys, key->text);
    assay_json_token value;
    assay_status st;

    if (near)
        return assay_json_fail(&in->json, key->at, err,
                               "unknown key '%.*s'; did you mean '%s'?",
                               ASSAY_QUOTE(key->text), near->name.ptr);
    in->n_unknown += !is_private;
    st = assay_json_next(&in->json, &value, err);
    return st ? st : assay_json_skip(&in->json, value, err);
}

assay_status assay_run_object(assay_run_reader *in, const assay_run_key *keys, void *into,
                              uint32_t *seen, assay_error *err)
{
    uint32_t bits = 0;

    for (;;) {
        const assay_run_key *k = keys;
        assay_json_token token;
        assay_status st = assay_json_next(&in->json, &token, err);

        if (st)
            return st;
        if (token.kind == ASSAY_JSON_OBJECT_END)
            break;
        while (k->name.ptr && !assay_slice_eq(k->name, token.text))
            k++;
        if (!k->name.ptr) {
            st = pass_unknown(in, keys, &token, err);
            if (st)
                return st;
            continue;
        }
        bits |= (uint32_t)1 << (k - keys);
        st = assay_json_next(&in->json, &token, err);
        if (st)
            return st;
        if (token.kind == ASSAY_JSON_NULL)
            continue;
        in->key = k->name;
        st = k->set ? k->set(in, &token, (char *)into + k->offset, err)
                    : assay_json_skip(&in->json, token, err);
        if (st)
            return st;
    }
    if (seen)
        *seen = bits;
    return ASSAY_OK;
}

assay_status assay_run_list(assay_run_reader *in, const char *name,
                            assay_status (*one)(assay_run_reader *in, assay_error *err),
                            assay_error *err)
{
    for (;;) {
        assay_json_token token;
        assay_status st = assay_json_next(&in->json, &token, err);

        if (st)
            return st;
        if (token.kind == ASSAY_JSON_LIST_END)
            return ASSAY_OK;
        if (token.kind != ASSAY_JSON_OBJECT)
            return assay_json_fail(&in->json, token.at, err,
                                   "'%s' must hold objects, not %s", name,
                                   kind_name(token.kind));
        st = one(in, err);
        if (st)
            return st;
    }
}

/* ---- values ---- */

static bool is_whole(assay_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned)(s.ptr[i] - '0') > 9 && !(i == 0 && s.ptr[0] == '-'))
            return false;
    return true;
}

assay_status assay_run_set_id(assay_run_reader *in, const assay_json_token *value,
                              void *slot, assay_error *err)
{
    if (value->kind == ASSAY_JSON_NUMBER && !is_whole(value->text))
        return assay_json_fail(&in->json, value->at, err,
                               "'%.*s' is %.*s; an id is a string or a whole number",
                               ASSAY_QUOTE(in->key), ASSAY_QUOTE(value->text));
    if (value->kind != ASSAY_JSON_STRING && value->kind != ASSAY_JSON_NUMBER)
        return assay_run_unfit(in, value, "a string or a whole number", err);
    *(assay_slice *)slot = value->text;
    return ASSAY_OK;
}

assay_status assay_run_set_text(assay_run_reader *in, const assay_json_token *value,
                                void *slot, assay_error *err)
{
    if (value->kind != ASSAY_JSON_STRING)
        return assay_run_unfit(in, value, "a string", err);
    *(assay_slice *)slot = value->text;
    return ASSAY_OK;
}

assay_status assay_run_set_rank(assay_run_reader *in, const assay_json_token *value,
                                void *slot, assay_error *err)
{
    uint32_t rank = 0;

    if (value->kind != ASSAY_JSON_NUMBER)
        return assay_run_unfit(in, value, "a number", err);
    if (!assay_slice_to_u32(value->text, &rank) || rank == 0)
        return assay_json_fail(&in->json, value->at, err,
                               "'%.*s' is %.*s; ranks are whole numbers from 1",
                               ASSAY_QUOTE(in->key), ASSAY_QUOTE(value->text));
    *(uint32_t *)slot = rank;
    return ASSAY_OK;
}

assay_status assay_run_set_count(assay_run_reader *in, const assay_json_token *value,
                                 void *slot, assay_error *err)
{
    int64_t count = -1;

    if (value->kind != ASSAY_JSON_NUMBER)
        return assay_run_unfit(in, value, "a number", err);
    if (!assay_slice_to_i64(value->text, &count) || count < 0)
        return assay_json_fail(&in->json, value->at, err,
                               "'%.*s' is %.*s; want a whole number from 0",
                               ASSAY_QUOTE(in->key), ASSAY_QUOTE(value->text));
    *(int64_t *)slot = count;
    return ASSAY_OK;
}

static assay_status read_real(const assay_run_reader *in, const assay_json_token *value,
                              double *out, assay_error *err)
{
    if (value->kind != ASSAY_JSON_NUMBER)
        return assay_run_unfit(in, value, "a number", err);
    if (!assay_number_read(value->text, out))
        return assay_json_fail(&in->json, value->at, err,
                               "'%.*s' is %.*s, which is beyond the range of a double",
                               ASSAY_QUOTE(in->key), ASSAY_QUOTE(value->text));
    return ASSAY_OK;
}

assay_status assay_run_set_ms(assay_run_reader *in, const assay_json_token *value,
                              void *slot, assay_error *err)
{
    double ms = 0;
    assay_status st = read_real(in, value, &ms, err);

    if (st)
        return st;
    if (ms < 0)
        return assay_json_fail(&in->json, value->at, err,
                               "'%.*s' is %.*s; it cannot be negative",
                               ASSAY_QUOTE(in->key), ASSAY_QUOTE(value->text));
    *(double *)slot = ms;
    return ASSAY_OK;
}

assay_status assay_run_set_flag(assay_run_reader *in, const assay_json_token *value,
                                void *slot, assay_error *err)
{
    if (value->kind != ASSAY_JSON_TRUE && value->kind != ASSAY_JSON_FALSE)
        return assay_run_unfit(in, value, "true or false", err);
    *(assay_flag *)slot = value->kind == ASSAY_JSON_TRUE ? ASSAY_FLAG_YES : ASSAY_FLAG_NO;
    return ASSAY_OK;
}

assay_status assay_run_set_score(assay_run_reader *in, const assay_json_token *value,
                                 void *slot, assay_error *err)
{
    assay_hit *hit = slot;

    hit->has_score = true;
    return read_real(in, value, &hit->score, err);
}

/* Two whole numbers and the end of the list whose `[` was the last token. */
static assay_status read_two(assay_run_reader *in, const char *at, uint64_t two[2],
                             const char *wanted, assay_error *err)
{
    assay_json_token token;
    assay_status st;
    int64_t number;

    for (int i = 0; i < 2; i++) {
        st = assay_json_next(&in->json, &token, err);
        if (st)
            return st;
        if (token.kind != ASSAY_JSON_NUMBER || !assay_slice_to_i64(token.text, &number) ||
            number < 0)
            return assay_json_fail(&in->json, token.at, err, "'%.*s' wants %s",
                                   ASSAY_QUOTE(in->key), wanted);
        two[i] = (uint64_t)number;
    }
    st = assay_json_next(&in->json, &token, err);
    if (st)
        return st;
    if (token.kind != ASSAY_JSON_LIST_END)
        return assay_json_fail(&in->json, at, err, "'%.*s' wants %s",
                               ASSAY_QUOTE(in->key), wanted);
    return ASSAY_OK;
}

static assay_status read_pair(assay_run_reader *in, const assay_json_token *value,
                              assay_span *out, assay_error *err)
{
    static const char wanted[] = "[start, end) in bytes with start < end";
    uint64_t two[2] = {0, 0};
    assay_status st;

    if (value->kind != ASSAY_JSON_LIST)
        return assay_json_fail(&in->json, value->at, err, "'%.*s' wants %s, not %s",
                               ASSAY_QUOTE(in->key), wanted, kind_name(value->kind));
    st = read_two(in, value->at, two, wanted, err);
    if (st)
        return st;
    if (two[0] >= two[1])
        return assay_json_fail(&in->json, value->at, err,
                               "'%.*s' has [%llu,%llu]; want %s", ASSAY_QUOTE(in->key),
                               (unsigned long long)two[0], (unsigned long long)two[1],
                               wanted);
    *out = (assay_span){two[0], two[1]};
    return ASSAY_OK;
}

assay_status assay_run_set_pair(assay_run_reader *in, const assay_json_token *value,
                                void *slot, assay_error *err)
{
    return read_pair(in, value, slot, err);
}

assay_status assay_run_set_lines(assay_run_reader *in, const assay_json_token *value,
                                 void *slot, assay_error *err)
{
    static const char wanted[] = "[first, last], lines from 1";
    uint64_t two[2] = {0, 0};
    assay_status st;

    if (value->kind != ASSAY_JSON_LIST)
        return assay_run_unfit(in, value, wanted, err);
    st = read_two(in, value->at, two, wanted, err);
    if (st)
        return st;
    if (two[0] == 0 || two[0] > two[1])
        return assay_json_fail(&in->json, value->at, err,
                               "'%.*s' has [%llu,%llu]; want %s", ASSAY_QUOTE(in->key),
                               (unsigned long long)two[0], (unsigned long long)two[1],
                               wanted);
    *(assay_span *)slot = (assay_span){two[0], two[1]};
    return ASSAY_OK;
}

assay_status assay_run_set_spans(assay_run_reader *in, const assay_json_token *value,
                                 void *slot, assay_error *err)
{
    assay_hit *hit = slot;
    assay_span *copy;
    uint32_t n = 0;

    if (value->kind != ASSAY_JSON_LIST)
        return assay_run_unfit(in, value, "a list of [start, end)", err);
    for (;;) {
        assay_json_token token;
        assay_status st = assay_json_next(&in->json, &token, err);
        assay_span *span;

        if (st)
            return st;
        if (token.kind == ASSAY_JSON_LIST_END)
            break;
        span = assay_mem_grow(in->span, &in->cap_spans, (size_t)n + 1, sizeof *span);
        if (!span)
            return assay_fail_memory(err, "reading spans");
        in->span = span;
        st = read_pair(in, &token, &span[n], err);
        if (st)
            return st;
        n++;
    }
    if (n == 0)
        return ASSAY_OK;
    copy = assay_arena_alloc(&in->arena, n * sizeof *copy);
    if (!copy)
        return assay_fail_memory(err, "reading spans");
    memcpy(copy, in->span, n * sizeof *copy);
    hit->span = copy;
    hit->n_spans = n;
    hit->has_lines = false;
    return ASSAY_OK;
}

/* Bytes say more than lines, whichever comes first. */
assay_status assay_run_set_hit_lines(assay_run_reader *in, const assay_json_token *value,
                                     void *slot, assay_error *err)
{
    assay_hit *hit = slot;
    assay_span lines;
    assay_span *copy;
    assay_status st = assay_run_set_lines(in, value, &lines, err);

    if (st || hit->n_spans)
        return st;
    copy = assay_arena_alloc(&in->arena, sizeof *copy);
    if (!copy)
        return assay_fail_memory(err, "reading lines");
    *copy = lines;
    hit->span = copy;
    hit->has_lines = true;
    return ASSAY_OK;
}

/* ---- scratch ---- */

assay_hit *assay_run_new_hit(assay_run_reader *in)
{
    assay_hit *hit;

    if (ASSAY_UNLIKELY(in->n_hits == in->cap_hits)) {
        hit = assay_mem_grow(in->hit, &in->cap_hits, in->n_hits + 1, sizeof *hit);
        if (!hit)
            return NULL;
        in->hit = hit;
    }
    hit = &in->hit[in->n_hits++];
    *hit = (assay_hit){.chunk = {"", 0}, .doc = {"", 0}, .text = {"", 0}};
    return hit;
}

assay_status assay_run_take_hits(assay_run_reader *in, assay_result *result,
                                 assay_error *err)
{
    unsigned seen = ASSAY_SEEN_DONE;
    assay_hit *copy = assay_arena_alloc(&in->arena, in->n_hits * sizeof *copy);

    if (!copy || in->n_hits >= UINT32_MAX)
        return assay_fail_memory(err, "reading hits");
    for (size_t i = 0; i < in->n_hits; i++)
        seen |= assay_run_seen(&in->hit[i]);
    if (in->n_hits)
        memcpy(copy, in->hit, in->n_hits * sizeof *copy);
    result->hit = copy;
    result->n_hits = (uint32_t)in->n_hits;
    result->seen = (uint8_t)seen;
    return ASSAY_OK;
}

assay_answer *assay_run_new_answer(assay_arena *arena)
{
    assay_answer *answer = ASSAY_ARENA_ARRAY(arena, assay_answer, 1);

    if (answer)
        *answer = (assay_answer){
            .text = {"", 0},
            .refusal_reason = {"", 0},
            .model = {"", 0},
            .prompt_tokens = -1,
            .completion_tokens = -1,
            .latency_ms = -1,
            .cost = -1,
        };
    return answer;
}

assay_status assay_run_citations(assay_run_reader *in, const assay_run_key *keys,
                                 assay_answer *answer, assay_error *err)
{
    size_t n = 0;

    for (;;) {
        assay_json_token token;
        assay_status st = assay_json_next(&in->json, &token, err);
        assay_citation *c;

        if (st)
            return st;
        if (token.kind == ASSAY_JSON_LIST_END)
            break;
        if (token.kind != ASSAY_JSON_OBJECT)
            return assay_run_unfit(in, &token, "a list of objects", err);
        c = assay_mem_grow(in->citation, &in->cap_citations, n + 1, sizeof *c);
        if (!c)
            return assay_fail_memory(err, "reading citations");
        in->citation = c;
        c[n] = (assay_citation){
            .marker = {"", 0}, .chunk = {"", 0}, .doc = {"", 0}, .path = {"", 0}};
        st = assay_run_object(in, keys, &c[n++], NULL, err);
        if (st)
            return st;
    }
    answer->citation = assay_arena_alloc(&in->arena, n * sizeof *in->citation);
    if (!answer->citation || n >= UINT32_MAX)
        return assay_fail_memory(err, "reading citations");
    if (n)
        memcpy(answer->citation, in->citation, n * sizeof *in->citation);
    answer->n_citations = (uint32_t)n;
    return ASSAY_OK;
}

void assay_run_reader_clear(assay_run_reader *in)
{
    assay_json_clear(&in->json);
    assay_arena_clear(&in->arena);
    assay_mem_free(in->hit);
    assay_mem_free(in->span);
    assay_mem_free(in->citation);
    *in = (assay_run_reader){0};
}

/* ---- sniffing ---- */

/* How much of a file is looked at. */
enum { LOOKED_AT = 64 << 10 };

static bool has_key(const assay_run_head *head, assay_slice key)
{
    for (uint32_t i = 0; i < head->n_keys; i++)
        if (assay_slice_eq(head->key[i], key))
            return true;
    return false;
}

bool assay_run_has_key(const assay_run_source *source, const char *key)
{
    return has_key(source->head, assay_slice_of(key));
}

/* The keys of the object whose `{` was the last token. */
static assay_status look_at_keys(assay_json *json, assay_run_head *out)
{
    assay_json_token token;
    assay_status st = assay_json_next(json, &token, NULL);

    while (!st && token.kind == ASSAY_JSON_KEY && out->n_keys < ASSAY_RUN_HEAD_KEYS) {
        out->key[out->n_keys++] = token.text;
        st = assay_json_next(json, &token, NULL);
        if (!st)
            st = assay_json_skip(json, token, NULL);
        if (!st)
            st = assay_json_next(json, &token, NULL);
    }
    return st;
}

assay_status assay_run_look(const char *path, assay_slice text, assay_arena *arena,
                            assay_run_head *out, assay_error *err)
{
    assay_json json = {0};
    assay_json_token token;
    assay_status st;

    *out = (assay_run_head){.n_keys = 0};
    if (text.len > LOOKED_AT)
        text.len = LOOKED_AT;
    assay_json_init(&json, path, 1, text, arena);
    st = assay_json_next(&json, &token, NULL);
    if (!st && token.kind == ASSAY_JSON_LIST) {
        out->is_list = true;
        st = assay_json_next(&json, &token, NULL);
    }
    if (!st && token.kind == ASSAY_JSON_OBJECT)
        st = look_at_keys(&json, out);
    assay_json_clear(&json);
    return st == ASSAY_ENOMEM ? assay_fail_memory(err, "reading a run") : ASSAY_OK;
}
