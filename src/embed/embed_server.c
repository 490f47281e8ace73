/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/embed_server.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/dot.h"
#include "base/error.h"
#include "base/http.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/pool.h"
#include "base/slice.h"
#include "embed/embed_cache.h"

enum { DIMS, BATCH, TIMEOUT, RETRIES, QUERY, PASSAGE, URL, N_PARAMS };

const assay_param assay_embed_server_params[] = {
    [DIMS] = {"dims", ASSAY_PARAM_COUNT, 0, ASSAY_EMBED_DIMS_MOST, NULL, "0",
              "cut vectors to so many numbers and bring them to length 1; 0 = all"},
    [BATCH] = {"batch", ASSAY_PARAM_COUNT, 1, 10000, NULL, "64", "texts in a request"},
    [TIMEOUT] = {"timeout", ASSAY_PARAM_REAL, 0.001, 86400, NULL, "60",
                 "seconds for a request"},
    [RETRIES] = {"retries", ASSAY_PARAM_COUNT, 0, 100, NULL, "4",
                 "attempts after the first"},
    [QUERY] = {"query", ASSAY_PARAM_TEXT, 0, 0, NULL, "", "put before every query"},
    [PASSAGE] = {"passage", ASSAY_PARAM_TEXT, 0, 0, NULL, "", "put before every passage"},
    [URL] = {"url", ASSAY_PARAM_TEXT, 0, 0, NULL, "", "where the server is"},
    [N_PARAMS] = {NULL, ASSAY_PARAM_TEXT, 0, 0, NULL, NULL, NULL},
};

/* A connection that one thread at a time may use. */
typedef struct line {
    atomic_flag is_busy;
    assay_http *http;
} line;

typedef struct server {
    const assay_embed_dialect *dialect;
    assay_arena arena;
    assay_slice params; /* what the values point into */
    assay_param_value value[N_PARAMS];
    assay_slice model;
    const char *url;
    assay_http_settings http;
    assay_embed_cache *cache;
    atomic_uint dims; /* 0 = not known yet */
    line line[ASSAY_POOL_MOST];
} server;

/* ---- replies ---- */

static assay_status read_numbers(assay_json *json, assay_embed_reply *r, uint32_t *n,
                                 assay_error *err)
{
    assay_json_token t;

    for (*n = 0;; ++*n) {
        double value = 0;
        assay_status st = assay_json_next(json, &t, err);
        float *grown;

        if (st)
            return st;
        if (t.kind == ASSAY_JSON_LIST_END)
            return ASSAY_OK;
        if (t.kind != ASSAY_JSON_NUMBER || !assay_number_read(t.text, &value) ||
            !isfinite((float)value))
            return assay_json_fail(json, t.at, err, "a vector must hold numbers");
        if (*n == ASSAY_EMBED_DIMS_MOST)
            return assay_json_fail(json, t.at, err, "a vector of more than %d numbers",
                                   ASSAY_EMBED_DIMS_MOST);
        grown = assay_mem_grow(r->row, &r->cap_row, *n + 1u, sizeof *grown);
        if (!grown)
            return assay_fail_memory(err, "reading vectors");
        r->row = grown;
        grown[*n] = (float)value;
    }
}

static assay_status check_length(const assay_json *json, assay_embed_reply *r, uint32_t n,
                                 assay_error *err)
{
    uint32_t kept = r->cut ? r->cut : n;

    if (!n)
        return assay_json_fail(json, json->p, err, "an empty vector");
    if (r->full && n != r->full)
        return assay_json_fail(json, json->p, err,
                               "a vector of %u numbers after one of %u", n, r->full);
    if (n < kept)
        return assay_json_fail(json, json->p, err,
                               "vectors have %u numbers; they cannot be cut to %u", n,
                               kept);
    if (r->dims && kept != r->dims)
        return assay_json_fail(json, json->p, err,
                               "vectors have %u numbers now, and had %u before", n,
                               r->dims);
    r->full = n;
    r->dims = kept;
    return ASSAY_OK;
}

assay_status assay_embed_reply_read(assay_json *json, assay_embed_reply *reply,
                                    assay_error *err)
{
    uint32_t n;
    assay_status st = read_numbers(json, reply, &n, err);

    return st ? st : check_length(json, reply, n, err);
}

assay_status assay_embed_reply_place(assay_json *json, assay_embed_reply *reply, size_t i,
                                     assay_error *err)
{
    float *to = reply->value + i * reply->dims;

    if (i >= reply->n || reply->is_there[i])
        return assay_json_fail(json, json->p, err,
                               "vector %zu was not asked for, or came twice", i);
    memcpy(to, reply->row, reply->dims * sizeof *to);
    assay_dot_normalise(to, reply->dims);
    reply->is_there[i] = 1;
    reply->n_read++;
    return ASSAY_OK;
}

/* A server that answers 200 and means an error. */
static assay_status fail_refused(const assay_json *json, const assay_json_token *value,
                                 assay_error *err)
{
    if (value->kind == ASSAY_JSON_STRING)
        return assay_json_fail(json, value->at, err, "the server says '%.*s'",
                               ASSAY_QUOTE(value->text));
    return assay_json_fail(json, value->at, err, "the server says that it failed");
}

static assay_status read_list(const server *s, assay_json *json, assay_embed_reply *r,
                              assay_error *err)
{
    assay_json_token t;
    assay_status st = assay_json_next(json, &t, err);

    for (size_t i = 0; !st && t.kind != ASSAY_JSON_LIST_END; i++) {
        st = s->dialect->read_item(json, &t, r, i, err);
        if (!st)
            st = assay_json_next(json, &t, err);
    }
    return st;
}

/* The members of the reply, whose `{` was the last token. */
static assay_status read_members(const server *s, assay_json *json, assay_embed_reply *r,
                                 assay_error *err)
{
    assay_json_token t;
    assay_status st = assay_json_next(json, &t, err);

    while (!st && t.kind == ASSAY_JSON_KEY) {
        bool is_list = assay_slice_is(t.text, s->dialect->list);
        bool is_error = assay_slice_is(t.text, "error");

        st = assay_json_next(json, &t, err);
        if (!st && is_error && t.kind != ASSAY_JSON_NULL)
            return fail_refused(json, &t, err);
        if (!st)
            st = is_list && t.kind == ASSAY_JSON_LIST ? read_list(s, json, r, err)
                                                      : assay_json_skip(json, t, err);
        if (!st)
            st = assay_json_next(json, &t, err);
    }
    return st;
}

static assay_status parse(const server *s, const char *where, assay_slice text,
                          assay_embed_reply *r, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_json *json = ASSAY_NEW(assay_json);
    assay_json_token t;
    assay_status st;

    r->is_there = ASSAY_NEW_ARRAY(uint8_t, r->n + 1);
    if (!json || !r->is_there) {
        assay_mem_free(json);
        return assay_fail_memory(err, "reading vectors");
    }
    assay_json_init(json, where, 1, text, &arena);
    st = assay_json_next(json, &t, err);
    if (!st && t.kind != ASSAY_JSON_OBJECT)
        st = assay_json_fail(json, t.at, err, "the answer is no JSON object");
    if (!st)
        st = read_members(s, json, r, err);
    if (!st && r->n_read != r->n)
        st = assay_json_fail(json, json->p, err, "%zu vectors for %zu texts", r->n_read,
                             r->n);
    assay_json_clear(json);
    assay_mem_free(json);
    assay_mem_free(r->is_there);
    assay_mem_free(r->row);
    assay_arena_clear(&arena);
    /* What is wrong with an answer is the server's fault, not a file's. */
    return st == ASSAY_EINPUT && err ? (err->status = ASSAY_ESYSTEM) : st;
}

/* ---- requests ---- */

static void write_request(const server *s, assay_embed_role role, const assay_slice *text,
                          size_t n, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 0);
    assay_slice prefix = s->value[role == ASSAY_EMBED_QUERY ? QUERY : PASSAGE].text;
    assay_buffer whole = ASSAY_BUFFER_EMPTY;

    assay_json_object(&w);
    assay_json_key(&w, "model");
    assay_json_string(&w, s->model);
    assay_json_key(&w, "input");
    assay_json_list(&w);
    for (size_t i = 0; i < n; i++) {
        whole.len = 0;
        assay_buffer_slice(&whole, prefix);
        assay_buffer_slice(&whole, text[i]);
        assay_json_string(&w, assay_buffer_view(&whole));
    }
    assay_json_list_end(&w);
    if (s->dialect->asks_for_floats) {
        assay_json_key(&w, "encoding_format");
        assay_json_text(&w, "float");
    }
    assay_json_object_end(&w);
    if (whole.has_failed)
        out->has_failed = true;
    assay_buffer_clear(&whole);
}

/* A line that nobody uses; there are as many as threads. */
static assay_status take_line(server *s, line **out, assay_error *err)
{
    for (size_t i = 0;; i = (i + 1) % ASSAY_POOL_MOST) {
        if (atomic_flag_test_and_set(&s->line[i].is_busy))
            continue;
        *out = &s->line[i];
        return s->line[i].http ? ASSAY_OK
                               : assay_http_open(&s->http, &s->line[i].http, err);
    }
}

static assay_status compute(void *state, assay_embed_role role, const assay_slice *text,
                            size_t n, float *out, assay_error *err)
{
    server *s = state;
    assay_buffer body = ASSAY_BUFFER_EMPTY;
    assay_buffer answer = ASSAY_BUFFER_EMPTY;
    assay_embed_reply r = {.value = out,
                           .n = n,
                           .dims = atomic_load(&s->dims),
                           .cut = (uint32_t)s->value[DIMS].number};
    char where[300];
    line *l = NULL;
    assay_status st = take_line(s, &l, err);

    write_request(s, role, text, n, &body);
    if (!st && body.has_failed)
        st = assay_fail_memory(err, "asking for vectors");
    if (!st)
        st = assay_http_post(l->http, s->url, assay_buffer_view(&body), &answer, err);
    if (l)
        atomic_flag_clear(&l->is_busy);
    assay_http_public_url(s->url, where, sizeof where);
    if (!st)
        st = parse(s, where, assay_buffer_view(&answer), &r, err);
    if (!st)
        atomic_store(&s->dims, r.dims);
    assay_buffer_clear(&body);
    assay_buffer_clear(&answer);
    return st;
}

assay_status assay_embed_server_embed(void *state, assay_embed_role role,
                                      assay_embed_text *text, void *ctx, size_t n,
                                      float *out, assay_error *err)
{
    server *s = state;
    uint32_t dims = atomic_load(&s->dims);
    assay_slice first;

    if (!n)
        return ASSAY_OK;
    if (dims)
        return assay_embed_cache_fill(s->cache, role, text, ctx, n, dims,
                                      (size_t)s->value[BATCH].number, compute, s, out,
                                      err);
    /* How long its vectors are nobody knows but the server. */
    if (n > 1)
        return assay_fail(err, ASSAY_EUSAGE,
                          "the length of the vectors is not known yet");
    first = text(ctx, 0);
    return compute(s, role, &first, 1, out, err);
}

/* ---- opening ---- */

void assay_embed_server_close(void *state)
{
    server *s = state;

    if (!s)
        return;
    for (size_t i = 0; i < ASSAY_POOL_MOST; i++)
        assay_http_close(s->line[i].http);
    assay_embed_cache_close(s->cache);
    if (s->http.bearer)
        assay_mem_free((char *)s->http.bearer);
    assay_arena_clear(&s->arena);
    assay_mem_free(s);
}

static assay_status make_url(server *s, const char *what,
                             const assay_embed_settings *settings, assay_error *err)
{
    assay_slice base = s->value[URL].text;

    if (!base.len)
        base = assay_slice_of(settings->base_url ? settings->base_url
                                                 : s->dialect->base_url);
    return assay_http_endpoint(what, base, s->dialect->path, &s->arena, &s->url, err);
}

static assay_status set_http(server *s, const assay_embed_settings *settings,
                             assay_error *err)
{
    size_t len = settings->api_key ? strlen(settings->api_key) : 0;
    char *key = len ? assay_mem_alloc(len + 1) : NULL;
    double retries = s->value[RETRIES].number;

    if (len && !key)
        return assay_fail_memory(err, "opening an embedder");
    if (key)
        memcpy(key, settings->api_key, len + 1);
    s->http = (assay_http_settings){
        .bearer = key,
        .timeout_ms = (uint32_t)(s->value[TIMEOUT].number * 1000 + 0.5),
        .retries = retries > 0 ? (uint32_t)retries : UINT32_MAX,
        .cassette = settings->cassette,
        .stop = settings->stop,
    };
    s->http.timeout_ms += s->http.timeout_ms == 0;
    return ASSAY_OK;
}

static assay_status open_cache(server *s, const char *path, assay_error *err)
{
    assay_buffer identity = ASSAY_BUFFER_EMPTY;
    assay_status st;

    assay_embed_server_identity(s, &identity);
    st = identity.has_failed
             ? assay_fail_memory(err, "opening an embedder")
             : assay_embed_cache_open(path, assay_buffer_view(&identity), &s->cache, err);
    assay_buffer_clear(&identity);
    return st;
}

assay_status assay_embed_server_open(const assay_embed_dialect *dialect,
                                     const assay_embed_settings *settings, void **state,
                                     assay_error *err)
{
    server *s = ASSAY_NEW(server);
    char what[60];
    assay_status st = ASSAY_OK;

    if (!s)
        return assay_fail_memory(err, "opening an embedder");
    for (size_t i = 0; i < ASSAY_POOL_MOST; i++)
        atomic_flag_clear(&s->line[i].is_busy);
    s->dialect = dialect;
    s->model = assay_arena_copy(&s->arena, settings->argument);
    s->params = assay_arena_copy(&s->arena, settings->params);
    if (!s->model.ptr || !s->params.ptr)
        st = assay_fail_memory(err, "opening an embedder");
    else if (!s->model.len)
        st = assay_fail(err, ASSAY_EUSAGE, "embedder '%s' needs a model: %s:MODEL",
                        dialect->name, dialect->name);
    snprintf(what, sizeof what, "embedder '%s'", dialect->name);
    if (!st)
        st = assay_params_read(what, assay_embed_server_params, s->params, s->value, err);
    if (!st)
        st = make_url(s, what, settings, err);
    if (!st)
        st = set_http(s, settings, err);
    if (!st)
        /* A recording must have every call, also those that the cache would spare. */
        st = open_cache(s, settings->cassette ? NULL : settings->cache_path, err);
    if (st) {
        assay_embed_server_close(s);
        return st;
    }
    atomic_store(&s->dims, (uint32_t)s->value[DIMS].number);
    *state = s;
    return ASSAY_OK;
}

uint32_t assay_embed_server_dims(const void *state)
{
    return atomic_load(&((server *)state)->dims);
}

/* Address and time-outs do not change the vectors; model, cut and prefixes do. */
void assay_embed_server_identity(const void *state, assay_buffer *out)
{
    const server *s = state;

    assay_buffer_printf(out, "%s:", s->dialect->name);
    assay_buffer_slice(out, s->model);
    assay_buffer_printf(out, "(dims=%.0f", s->value[DIMS].number);
    for (int i = QUERY; i <= PASSAGE; i++) {
        if (!s->value[i].text.len)
            continue;
        assay_buffer_printf(out, ",%s=", assay_embed_server_params[i].name);
        assay_buffer_slice(out, s->value[i].text);
    }
    assay_buffer_char(out, ')');
}
