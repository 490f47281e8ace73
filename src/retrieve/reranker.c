/* SPDX-License-Identifier: Apache-2.0 */
#include "retrieve/reranker.h"

#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/slice.h"
#include "retrieve/command.h"
#include "retrieve/rerank_reply.h"
#include "retrieve/reranker_own.h"

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "asking a reranker");
}

/* ---- opening ---- */

void assay_reranker_close(assay_reranker *r)
{
    if (!r)
        return;
    assay_talk_close(atomic_exchange(&r->first, NULL), 0.5);
    assay_buffer_clear(&r->target);
    assay_arena_clear(&r->arena);
    assay_mem_free(r);
}

static assay_status copy_settings(assay_reranker *r, const assay_reranker_settings *from,
                                  assay_error *err)
{
    const char *key = from->api_key && from->api_key[0] ? from->api_key : NULL;

    r->settings = *from;
    r->settings.spelling = assay_arena_string(&r->arena, assay_slice_of(from->spelling));
    r->settings.model = assay_arena_copy(&r->arena, from->model);
    r->settings.api_key = key ? assay_arena_string(&r->arena, assay_slice_of(key)) : NULL;
    assay_system_public(from->spelling, &r->target);
    r->where = assay_arena_string(&r->arena, assay_buffer_view(&r->target));
    return r->settings.spelling && r->settings.model.ptr && r->where &&
                   (!key || r->settings.api_key) && !r->target.has_failed
               ? ASSAY_OK
               : no_memory(err);
}

/* Anything that listens is alive: what it answers, queries will show. */
static assay_status open_server(assay_reranker *r, assay_error *err)
{
    const assay_reranker_settings *s = &r->settings;
    double ms = s->timeout_s * 1000 + 0.5;
    assay_http *http = NULL;
    assay_status st;

    r->http = (assay_http_settings){.bearer = s->api_key,
                                    .timeout_ms = ms < 1 ? 1 : (uint32_t)ms,
                                    .retries = s->retries ? s->retries : UINT32_MAX,
                                    .cassette = s->cassette,
                                    .stop = s->stop};
    st = assay_http_open(&r->http, &http, err);
    if (!st)
        st = assay_http_reach(http, s->spelling, err);
    assay_http_close(http);
    return st;
}

assay_status assay_reranker_open(const assay_reranker_settings *settings,
                                 assay_reranker **out, assay_error *err)
{
    assay_slice spelling = assay_slice_of(settings->spelling);
    assay_reranker *r = ASSAY_NEW(assay_reranker);
    assay_status st;

    if (!r)
        return no_memory(err);
    atomic_init(&r->first, NULL);
    r->is_command = assay_slice_starts(spelling, ASSAY_COMMAND_PREFIX);
    st = copy_settings(r, settings, err);
    if (!st && r->is_command)
        st = assay_reranker_open_command(r, err);
    else if (!st && (assay_slice_starts(spelling, "http://") ||
                     assay_slice_starts(spelling, "https://")))
        st = open_server(r, err);
    else if (!st)
        st = assay_fail(err, ASSAY_EUSAGE,
                        "no reranker '%s'; want 'http://HOST/PATH' or 'cmd:PROGRAM "
                        "ARGUMENTS'",
                        r->where);
    if (st) {
        assay_reranker_close(r);
        return st;
    }
    *out = r;
    return ASSAY_OK;
}

assay_slice assay_reranker_public(const assay_reranker *reranker)
{
    return assay_buffer_view(&reranker->target);
}

/* ---- workers ---- */

void assay_rerank_worker_close(assay_rerank_worker *w)
{
    const atomic_int *stop;

    if (!w)
        return;
    stop = w->reranker->settings.stop;
    assay_talk_close(w->talk, stop && atomic_load(stop) ? 0.05 : 1);
    assay_http_close(w->http);
    assay_buffer_clear(&w->request);
    assay_buffer_clear(&w->reply);
    assay_mem_free(w);
}

assay_status assay_rerank_worker_open(assay_reranker *r, assay_rerank_worker **out,
                                      assay_error *err)
{
    assay_rerank_worker *w = ASSAY_NEW(assay_rerank_worker);
    assay_status st = ASSAY_OK;

    if (!w)
        return no_memory(err);
    w->reranker = r;
    if (r->is_command)
        w->talk = atomic_exchange(&r->first, NULL);
    else
        st = assay_http_open(&r->http, &w->http, err);
    if (st) {
        assay_rerank_worker_close(w);
        return st;
    }
    *out = w;
    return ASSAY_OK;
}

/* ---- asking ---- */

static assay_status write_request(assay_rerank_worker *w, assay_slice query,
                                  const assay_slice *text, uint32_t n, assay_error *err)
{
    const assay_reranker_settings *s = &w->reranker->settings;
    assay_json_writer json;

    w->request.len = 0;
    json = assay_json_writer_of(&w->request, 0);
    assay_json_object(&json);
    if (s->model.len) {
        assay_json_key(&json, "model");
        assay_json_string(&json, s->model);
    }
    assay_json_key(&json, "query");
    assay_json_string(&json, query);
    assay_json_key(&json, s->field);
    assay_json_list(&json);
    for (uint32_t i = 0; i < n; i++)
        assay_json_string(&json, text[i]);
    assay_json_list_end(&json);
    assay_json_key(&json, "top_n");
    assay_json_int(&json, n);
    assay_json_object_end(&json);
    return w->request.has_failed ? no_memory(err) : ASSAY_OK;
}

/* What came is no reply: say so, and show its beginning without what we sent. */
static assay_status fail_reply(assay_rerank_worker *w, const assay_error *why,
                               assay_error *err)
{
    assay_buffer clean = ASSAY_BUFFER_EMPTY;
    assay_buffer words = ASSAY_BUFFER_EMPTY;
    assay_slice said;
    assay_status st;

    if (why->status == ASSAY_ENOMEM)
        return no_memory(err);
    if (w->http) {
        assay_http_clean(w->http, assay_buffer_view(&w->reply), &clean);
        assay_http_clean(w->http, assay_slice_of(why->text), &words);
    } else {
        assay_buffer_slice(&clean, assay_buffer_view(&w->reply));
        assay_buffer_text(&words, why->text);
    }
    assay_buffer_text(&words, "; it sent ");
    assay_reply_quote(assay_buffer_view(&clean), &words);
    if (w->talk)
        assay_command_say(&words, w->talk);
    said = assay_buffer_view(&words);
    st = clean.has_failed || words.has_failed
             ? no_memory(err)
             : assay_fail(err, why->status, "%.*s", (int)said.len, said.ptr);
    assay_buffer_clear(&clean);
    assay_buffer_clear(&words);
    /* Who sends something else may send more of it: the next query gets a new process. */
    assay_talk_kill(w->talk);
    w->talk = NULL;
    return st;
}

assay_status assay_rerank(assay_rerank_worker *w, assay_slice query,
                          const assay_slice *text, uint32_t n, double *score,
                          assay_error *err)
{
    const assay_reranker *r = w->reranker;
    assay_error why = {.status = ASSAY_OK};
    assay_status st;

    if (!n)
        return ASSAY_OK;
    st = write_request(w, query, text, n, err);
    if (!st && r->is_command)
        st = assay_reranker_converse(w, err);
    else if (!st)
        st = assay_http_post(w->http, r->settings.spelling,
                             assay_buffer_view(&w->request), &w->reply, err);
    if (st)
        return st;
    return assay_rerank_reply_read(r->where, assay_buffer_view(&w->reply), n, score, &why)
               ? fail_reply(w, &why, err)
               : ASSAY_OK;
}
