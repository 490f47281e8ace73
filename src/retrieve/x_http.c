/* SPDX-License-Identifier: Apache-2.0 */
/* http://HOST/PATH: a server that is sent a JSON object and sends one back.  Connections,
 * retries, recordings are base/http.c's. */
#include <string.h>

#include "base/error.h"
#include "base/http.h"
#include "base/mem.h"
#include "base/rate.h"
#include "base/slice.h"
#include "retrieve/system.h"
#include "retrieve/system_reply.h"

enum { RETRIES = 2 };

typedef struct server {
    assay_arena arena;
    assay_system_config config;
    const char *url;
    assay_http_settings http;
    assay_rate rate;
} server;

typedef struct client {
    server *server;
    assay_http *http;
    assay_reply reply;
    assay_buffer request;
    assay_buffer got;
} client;

static bool is_mine(assay_slice spelling)
{
    return assay_slice_starts(spelling, "http://") ||
           assay_slice_starts(spelling, "https://");
}

/* ---- opening ---- */

static void close_server(void *state)
{
    server *s = state;

    if (!s)
        return;
    assay_arena_clear(&s->arena);
    assay_mem_free(s);
}

static assay_status prepare(server *s, const assay_system_source *source,
                            assay_error *err)
{
    const char *key = source->api_key;
    assay_status st = assay_system_settle(source, RETRIES, &s->arena, &s->config, err);
    double ms = s->config.timeout_s * 1000;

    if (st)
        return st;
    s->url = assay_arena_string(&s->arena, assay_slice_of(source->spelling));
    if (key && key[0])
        key = assay_arena_string(&s->arena, assay_slice_of(key));
    if (!s->url || (source->api_key && !key))
        return assay_fail_memory(err, "opening a system");
    assay_rate_init(&s->rate, s->config.per_second);
    s->http = (assay_http_settings){.bearer = key,
                                    .timeout_ms = ms < 1     ? 1
                                                  : ms < 1e9 ? (uint32_t)ms
                                                             : 1000000000,
                                    .retries = s->config.retries ? s->config.retries
                                                                 : UINT32_MAX,
                                    .most_bytes = s->config.most_bytes,
                                    .header = s->config.header,
                                    .n_headers = s->config.n_headers,
                                    .cassette = source->cassette,
                                    .stop = source->stop,
                                    .rate = &s->rate};
    return ASSAY_OK;
}

/* Anything that listens is alive: what it answers to a query, queries will show. */
static assay_status check_there(const server *s, assay_error *err)
{
    assay_http *http = NULL;
    assay_status st = assay_http_open(&s->http, &http, err);

    if (!st)
        st = assay_http_reach(http, s->url, err);
    assay_http_close(http);
    return st;
}

static assay_status open_server(const assay_system_source *source, void **state,
                                assay_error *err)
{
    server *s = ASSAY_NEW(server);
    assay_status st;

    if (!s)
        return assay_fail_memory(err, "opening a system");
    st = prepare(s, source, err);
    if (!st)
        st = check_there(s, err);
    if (st) {
        close_server(s);
        return st;
    }
    *state = s;
    return ASSAY_OK;
}

static void close_client(void *worker)
{
    client *c = worker;

    assay_http_close(c->http);
    assay_run_reader_clear(&c->reply.in);
    assay_buffer_clear(&c->request);
    assay_buffer_clear(&c->got);
    assay_mem_free(c);
}

static assay_status open_client(void *state, void **worker, assay_error *err)
{
    client *c = ASSAY_NEW(client);
    assay_status st;

    if (!c)
        return assay_fail_memory(err, "opening a system");
    c->server = state;
    st = assay_http_open(&c->server->http, &c->http, err);
    if (st) {
        close_client(c);
        return st;
    }
    *worker = c;
    return ASSAY_OK;
}

/* ---- asking ---- */

static assay_status say(const char *text, assay_arena *arena, assay_result *out,
                        assay_error *err)
{
    assay_buffer words = ASSAY_BUFFER_EMPTY;
    assay_status st;

    assay_buffer_text(&words, text);
    st = assay_reply_fail(&words, arena, out, err);
    assay_buffer_clear(&words);
    return st;
}

/* What came is no reply: say so, and show its beginning without what we sent. */
static assay_status say_wrong(const client *c, const char *why, assay_arena *arena,
                              assay_result *out, assay_error *err)
{
    assay_buffer words = ASSAY_BUFFER_EMPTY;
    assay_buffer clean = ASSAY_BUFFER_EMPTY;
    char where[300];
    assay_status st;

    assay_http_public_url(c->server->url, where, sizeof where);
    assay_http_clean(c->http, assay_buffer_view(&c->got), &clean);
    assay_buffer_printf(&words, "%s: ", where);
    assay_http_clean(c->http, assay_slice_of(why), &words);
    assay_buffer_text(&words, "; it sent ");
    assay_reply_quote(assay_buffer_view(&clean), &words);
    words.has_failed |= clean.has_failed;
    st = assay_reply_fail(&words, arena, out, err);
    assay_buffer_clear(&clean);
    assay_buffer_clear(&words);
    return st;
}

static assay_status read_reply(client *c, const assay_question *q, assay_arena *arena,
                               assay_result *out, assay_error *err)
{
    assay_error why = {.status = ASSAY_OK};
    assay_status st = assay_reply_read(&c->reply, &c->server->config, q,
                                       assay_buffer_view(&c->got), arena, out, &why);

    if (st == ASSAY_ENOMEM)
        return assay_fail_memory(err, "reading a reply");
    if (st)
        return say_wrong(c, why.text, arena, out, err);
    if (c->reply.id.len && !assay_slice_eq(c->reply.id, q->id))
        return say_wrong(c, "the reply is for another id", arena, out, err);
    return ASSAY_OK;
}

static assay_status ask_server(void *worker, const assay_question *question,
                               assay_arena *arena, assay_result *out, assay_error *err)
{
    client *c = worker;
    const atomic_int *stop = c->server->http.stop;
    assay_error why = {.status = ASSAY_OK};
    assay_status st;

    c->request.len = 0;
    assay_system_request(&c->server->config, question, &c->request);
    if (c->request.has_failed)
        return assay_fail_memory(err, "asking a system");
    st = assay_http_post(c->http, c->server->url, assay_buffer_view(&c->request), &c->got,
                         &why);
    if (st && (st != ASSAY_ESYSTEM || (stop && atomic_load(stop)))) {
        if (err)
            *err = why;
        return st;
    }
    st = st ? say(why.text, arena, out, err) : read_reply(c, question, arena, out, err);
    out->elapsed_ms = assay_http_ms(c->http);
    return st;
}

static void print_server(const void *state, assay_buffer *out)
{
    const server *s = state;

    assay_system_public(s->url, out);
    assay_system_config_print(&s->config, out);
}

const assay_system assay_system_http = {
    .name = "http",
    .summary = "a server that takes and gives JSON by POST",
    .is_mine = is_mine,
    .open = open_server,
    .worker = open_client,
    .ask = ask_server,
    .identity = print_server,
    .worker_close = close_client,
    .close = close_server,
};
