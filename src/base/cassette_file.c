/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cassette_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/canonical.h"
#include "base/error.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/slice.h"
#include "base/utf8.h"

/* Levels of a request that is written as JSON: one less than a reader takes, since it
 * stands inside a line. */
enum { DEPTH = ASSAY_JSON_DEPTH - 1 };

/* ---- what a call is known by ---- */

bool assay_tape_request(assay_slice request, assay_buffer *out)
{
    if (assay_canonical_json(request, DEPTH, out))
        return true;
    assay_buffer_slice(out, request);
    return false;
}

void assay_tape_key(assay_slice kind, assay_slice target, assay_slice request,
                    char key[ASSAY_CASSETTE_KEY])
{
    static const char digits[] = "0123456789abcdef";
    const assay_slice part[] = {kind, target, request};
    uint8_t digest[ASSAY_SHA256_BYTES];
    assay_sha256 sha;

    assay_sha256_init(&sha);
    for (size_t i = 0; i < ASSAY_COUNT(part); i++) {
        assay_sha256_add(&sha, part[i].ptr, part[i].len);
        assay_sha256_add(&sha, "", 1);
    }
    assay_sha256_end(&sha, digest);
    for (size_t i = 0; i < ASSAY_SHA256_BYTES; i++) {
        key[2 * i] = digits[digest[i] >> 4];
        key[2 * i + 1] = digits[digest[i] & 15];
    }
}

/* ---- writing ---- */

void assay_tape_write_head(assay_buffer *out)
{
    assay_buffer_text(out, "{\"schema\":\"" ASSAY_CASSETTE_SCHEMA "\"}\n");
}

static void put_bytes(assay_json_writer *w, const char *name, const char *name64,
                      assay_slice bytes)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    if (assay_utf8_is(bytes)) {
        assay_json_key(w, name);
        assay_json_string(w, bytes);
        return;
    }
    assay_base64_write(bytes, &text);
    assay_json_key(w, name64);
    assay_json_string(w, assay_buffer_view(&text));
    w->out->has_failed |= text.has_failed;
    assay_buffer_clear(&text);
}

void assay_tape_write(const assay_taped *call, bool is_json, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 0);

    assay_json_object(&w);
    assay_json_key(&w, "kind");
    assay_json_string(&w, call->kind);
    assay_json_key(&w, "target");
    assay_json_string(&w, call->target);
    assay_json_key(&w, "key");
    assay_json_string(&w, call->key);
    assay_json_key(&w, "n");
    assay_json_int(&w, call->n);
    if (is_json) {
        assay_json_key(&w, "request");
        /* The value is there already; the writer thinks that it wrote null. */
        assay_json_null(&w);
        out->len -= out->has_failed ? 0 : strlen("null");
        assay_buffer_slice(out, call->request);
    } else {
        put_bytes(&w, "request", "request64", call->request);
    }
    if (call->has_failed) {
        assay_json_key(&w, "error");
        assay_json_string(&w, call->reply);
    } else {
        put_bytes(&w, "reply", "reply64", call->reply);
    }
    assay_json_key(&w, "ms");
    assay_json_double(&w, call->ms);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

/* ---- reading ---- */

typedef struct reader {
    assay_tape *tape;
    assay_json *json;
    assay_buffer scratch;
    bool has_request;
    bool has_reply;
} reader;

typedef assay_status take_value(reader *r, const assay_json_token *t, assay_taped *into,
                                assay_error *err);

static assay_status want(const reader *r, const assay_json_token *t, assay_json_kind kind,
                         const char *what, assay_error *err)
{
    return t->kind == kind ? ASSAY_OK
                           : assay_json_fail(r->json, t->at, err, "want %s here", what);
}

static assay_status keep(reader *r, assay_slice text, assay_slice *out, assay_error *err)
{
    *out = assay_arena_copy(&r->tape->arena, text);
    return out->ptr ? ASSAY_OK : assay_fail_memory(err, "reading a recording");
}

static assay_status take_kind(reader *r, const assay_json_token *t, assay_taped *into,
                              assay_error *err)
{
    into->kind = t->text;
    return want(r, t, ASSAY_JSON_STRING, "a string", err);
}

static assay_status take_target(reader *r, const assay_json_token *t, assay_taped *into,
                                assay_error *err)
{
    into->target = t->text;
    return want(r, t, ASSAY_JSON_STRING, "a string", err);
}

static assay_status take_key(reader *r, const assay_json_token *t, assay_taped *into,
                             assay_error *err)
{
    into->key = t->text;
    if (t->kind != ASSAY_JSON_STRING || t->text.len != ASSAY_CASSETTE_KEY)
        return assay_json_fail(r->json, t->at, err, "'key' must be %d hexadecimal digits",
                               ASSAY_CASSETTE_KEY);
    return ASSAY_OK;
}

static assay_status take_n(reader *r, const assay_json_token *t, assay_taped *into,
                           assay_error *err)
{
    if (t->kind != ASSAY_JSON_NUMBER || !assay_slice_to_u32(t->text, &into->n) ||
        !into->n)
        return assay_json_fail(r->json, t->at, err,
                               "'n' must be a whole number from 1 on");
    return ASSAY_OK;
}

static assay_status take_ms(reader *r, const assay_json_token *t, assay_taped *into,
                            assay_error *err)
{
    if (t->kind != ASSAY_JSON_NUMBER || !assay_number_read(t->text, &into->ms) ||
        !(into->ms >= 0) || isinf(into->ms))
        return assay_json_fail(r->json, t->at, err, "'ms' must be a number from 0 on");
    return ASSAY_OK;
}

static assay_status once(const reader *r, const assay_json_token *t, bool *has,
                         const char *what, assay_error *err)
{
    if (*has)
        return assay_json_fail(r->json, t->at, err, "a second %s in one line", what);
    *has = true;
    return ASSAY_OK;
}

static assay_status take_request(reader *r, const assay_json_token *t, assay_taped *into,
                                 assay_error *err)
{
    assay_status st = once(r, t, &r->has_request, "request", err);

    if (st || t->kind == ASSAY_JSON_STRING) {
        into->request = t->text;
        return st;
    }
    if (t->kind != ASSAY_JSON_OBJECT && t->kind != ASSAY_JSON_LIST)
        return assay_json_fail(r->json, t->at, err,
                               "'request' must be a string, an object or a list");
    st = assay_json_skip(r->json, *t, err);
    if (st)
        return st;
    r->scratch.len = 0;
    if (!assay_canonical_json((assay_slice){t->at, (size_t)(r->json->p - t->at)}, DEPTH,
                              &r->scratch) &&
        !r->scratch.has_failed)
        return assay_json_fail(r->json, t->at, err,
                               "'request' has a number that does not fit");
    if (r->scratch.has_failed)
        return assay_fail_memory(err, "reading a recording");
    return keep(r, assay_buffer_view(&r->scratch), &into->request, err);
}

static assay_status take_base64(reader *r, const assay_json_token *t, assay_slice *into,
                                assay_error *err)
{
    r->scratch.len = 0;
    if (t->kind != ASSAY_JSON_STRING || !assay_base64_read(t->text, &r->scratch))
        return assay_json_fail(r->json, t->at, err, "want base64 here");
    if (r->scratch.has_failed)
        return assay_fail_memory(err, "reading a recording");
    return keep(r, assay_buffer_view(&r->scratch), into, err);
}

static assay_status take_request64(reader *r, const assay_json_token *t,
                                   assay_taped *into, assay_error *err)
{
    assay_status st = once(r, t, &r->has_request, "request", err);

    return st ? st : take_base64(r, t, &into->request, err);
}

static assay_status take_reply(reader *r, const assay_json_token *t, assay_taped *into,
                               assay_error *err)
{
    assay_status st = once(r, t, &r->has_reply, "reply", err);

    into->reply = t->text;
    return st ? st : want(r, t, ASSAY_JSON_STRING, "a string", err);
}

static assay_status take_reply64(reader *r, const assay_json_token *t, assay_taped *into,
                                 assay_error *err)
{
    assay_status st = once(r, t, &r->has_reply, "reply", err);

    return st ? st : take_base64(r, t, &into->reply, err);
}

static assay_status take_error(reader *r, const assay_json_token *t, assay_taped *into,
                               assay_error *err)
{
    into->has_failed = true;
    return take_reply(r, t, into, err);
}

static const struct {
    const char *name;
    take_value *take;
} members[] = {
    {"kind", take_kind},   {"target", take_target},   {"key", take_key},
    {"n", take_n},         {"request", take_request}, {"request64", take_request64},
    {"reply", take_reply}, {"reply64", take_reply64}, {"error", take_error},
    {"ms", take_ms},
};

/* A member whose key is `name`; what is unknown is passed over. */
static assay_status take_member(reader *r, assay_slice name, assay_taped *into,
                                assay_error *err)
{
    assay_json_token t;
    assay_status st = assay_json_next(r->json, &t, err);

    if (st)
        return st;
    for (size_t i = 0; i < ASSAY_COUNT(members); i++)
        if (assay_slice_is(name, members[i].name))
            return members[i].take(r, &t, into, err);
    return assay_json_skip(r->json, t, err);
}

static assay_status read_members(reader *r, assay_taped *into, assay_error *err)
{
    assay_json_token t;
    assay_status st = assay_json_next(r->json, &t, err);

    if (!st && t.kind != ASSAY_JSON_OBJECT)
        st = assay_json_fail(r->json, t.at, err, "want an object in each line");
    if (!st)
        st = assay_json_next(r->json, &t, err);
    while (!st && t.kind == ASSAY_JSON_KEY) {
        st = take_member(r, t.text, into, err);
        if (!st)
            st = assay_json_next(r->json, &t, err);
    }
    return st ? st : assay_json_next(r->json, &t, err); /* nothing may follow */
}

static assay_status complete(reader *r, const char *path, assay_taped *call,
                             assay_error *err)
{
    const char *missing = !call->kind.ptr     ? "kind"
                          : !call->target.ptr ? "target"
                          : !r->has_request   ? "request"
                          : !r->has_reply     ? "reply"
                                              : NULL;
    char key[ASSAY_CASSETTE_KEY];

    if (missing)
        return assay_fail_at(err, path, call->number, "a call without '%s'", missing);
    if (call->key.ptr)
        return ASSAY_OK;
    /* Written by hand, perhaps as a string that holds JSON. */
    r->scratch.len = 0;
    assay_tape_request(call->request, &r->scratch);
    if (r->scratch.has_failed)
        return assay_fail_memory(err, "reading a recording");
    assay_tape_key(call->kind, call->target, assay_buffer_view(&r->scratch), key);
    call->key = assay_arena_copy(&r->tape->arena, (assay_slice){key, sizeof key});
    return call->key.ptr ? ASSAY_OK : assay_fail_memory(err, "reading a recording");
}

static assay_status read_call(reader *r, const assay_lines *in, assay_slice line,
                              assay_error *err)
{
    assay_tape *tape = r->tape;
    assay_taped call = {.line = line, .number = in->line, .n = 1};
    assay_taped *grown;
    assay_status st;

    r->has_request = r->has_reply = false;
    assay_json_init(r->json, in->path, in->line, line, &tape->arena);
    st = read_members(r, &call, err);
    if (!st)
        st = complete(r, in->path, &call, err);
    if (st)
        return st;
    grown = assay_mem_grow(tape->item, &tape->cap, tape->n + 1, sizeof *grown);
    if (!grown)
        return assay_fail_memory(err, "reading a recording");
    tape->item = grown;
    tape->item[tape->n++] = call;
    return ASSAY_OK;
}

static assay_status read_head(reader *r, const assay_lines *in, assay_slice line,
                              assay_error *err)
{
    bool is_ours = false;
    assay_json_token t;
    assay_status st;

    assay_json_init(r->json, in->path, in->line, line, &r->tape->arena);
    st = assay_json_next(r->json, &t, NULL);
    if (!st && t.kind == ASSAY_JSON_OBJECT)
        st = assay_json_next(r->json, &t, NULL);
    if (!st && t.kind == ASSAY_JSON_KEY && assay_slice_is(t.text, "schema")) {
        st = assay_json_next(r->json, &t, NULL);
        is_ours = !st && t.kind == ASSAY_JSON_STRING;
    }
    if (st == ASSAY_ENOMEM)
        return assay_fail_memory(err, "reading a recording");
    if (is_ours && assay_slice_is(t.text, ASSAY_CASSETTE_SCHEMA))
        return ASSAY_OK;
    if (is_ours && assay_slice_starts(t.text, "assay.cassette/"))
        return ASSAY_LINES_FAIL(err, in,
                                "'%.*s' was written by another version; this one reads "
                                "'" ASSAY_CASSETTE_SCHEMA "'",
                                ASSAY_QUOTE(t.text));
    return ASSAY_LINES_FAIL(err, in,
                            "no recording: the first line must be {\"schema\":\"%s\"}",
                            ASSAY_CASSETTE_SCHEMA);
}

static int by_contents(const void *a, const void *b)
{
    const assay_taped *x = a;
    const assay_taped *y = b;
    int order = assay_slice_cmp(x->kind, y->kind);

    if (!order)
        order = assay_slice_cmp(x->target, y->target);
    if (!order)
        order = assay_slice_cmp(x->key, y->key);
    if (!order)
        order = (x->n > y->n) - (x->n < y->n);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int by_line(const void *a, const void *b)
{
    const assay_taped *x = a;
    const assay_taped *y = b;
    int order = assay_slice_cmp(x->key, y->key);

    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* A recording that was gone on with counts equal requests from 1 again: what was recorded of
 * them before belongs to work that was not finished, and is left out. */
static void drop_unfinished(assay_tape *tape)
{
    size_t kept = 0;
    size_t first = 0; /* of the key, among those kept */

    if (tape->n > 1)
        qsort(tape->item, tape->n, sizeof *tape->item, by_line);
    for (size_t i = 0; i < tape->n; i++) {
        const assay_taped *last = kept ? &tape->item[kept - 1] : NULL;

        if (!last || !assay_slice_eq(last->key, tape->item[i].key))
            first = kept;
        else if (tape->item[i].n <= last->n)
            kept = first;
        tape->item[kept++] = tape->item[i];
    }
    tape->n = kept;
}

static assay_status read_lines(reader *r, assay_lines *in, assay_slice text,
                               assay_error *err)
{
    assay_status st = ASSAY_OK;
    assay_slice line;

    while (!st && assay_lines_next(in, &line)) {
        if (in->line == 1)
            st = read_head(r, in, line, err);
        else if (assay_slice_trim(line).len)
            st = read_call(r, in, line, err);
        r->tape->n_bytes = text.len - in->rest.len;
    }
    if (!st && !in->line)
        st = assay_fail(err, ASSAY_EINPUT, "%s: an empty file is no recording", in->path);
    return st;
}

assay_status assay_tape_read(assay_tape *tape, const char *path, assay_slice text,
                             bool is_part, assay_error *err)
{
    reader r = {.tape = tape, .json = ASSAY_NEW(assay_json)};
    assay_lines in;
    assay_status st;

    if (!r.json)
        return assay_fail_memory(err, "reading a recording");
    while (is_part && text.len && text.ptr[text.len - 1] != '\n')
        text.len--;
    in = assay_lines_of(path, text);
    st = read_lines(&r, &in, text, err);
    if (!st && is_part)
        drop_unfinished(tape);
    if (!st && tape->n > 1)
        qsort(tape->item, tape->n, sizeof *tape->item, by_contents);
    assay_json_clear(r.json);
    assay_mem_free(r.json);
    assay_buffer_clear(&r.scratch);
    return st;
}

void assay_tape_clear(assay_tape *tape)
{
    assay_mem_free(tape->item);
    assay_arena_clear(&tape->arena);
    *tape = (assay_tape){0};
}
