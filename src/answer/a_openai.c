/* SPDX-License-Identifier: Apache-2.0 */
/* openai:MODEL: POST /v1/chat/completions, at OpenAI or at any server that speaks the same
 * (Ollama, vLLM, llama.cpp ...).
 *
 * An answer is grounded when it says something, cites, cites nothing that it was not
 * given, and does not say itself that the sources are silent.  Else it is a refusal for the
 * reason llm_self_judge, as kebab has it; the model's words stay.  (kebab takes "the
 * sources do not say [#2]" for a grounded answer: there a marker is enough.) */
#include <string.h>

#include "answer/answer.h"
#include "answer/chat_reply.h"
#include "answer/markers.h"
#include "answer/prompt.h"
#include "answer/refuse.h"
#include "base/error.h"
#include "base/http.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/slice.h"
#include "text/fold.h"
#include "text/refusal.h"

enum { BUDGET, TEMPERATURE, SEED, MAX_TOKENS, TIMEOUT, RETRIES, URL, N_PARAMS };

static const assay_param params[] = {
    [BUDGET] = {"budget", ASSAY_PARAM_COUNT, 100, 10000000, NULL, "8000",
                "most tokens of the prompt, three bytes each; one chunk in any case"},
    [TEMPERATURE] = {"temperature", ASSAY_PARAM_REAL, -1, 2, NULL, "0",
                     "-1 = leave it to the server"},
    [SEED] = {"seed", ASSAY_PARAM_COUNT, 0, 4294967295.0, NULL, "0",
              "of the sampling; default that of the run"},
    [MAX_TOKENS] = {"max_tokens", ASSAY_PARAM_COUNT, 0, 10000000, NULL, "0",
                    "most tokens of the answer; 0 = leave it to the server"},
    [TIMEOUT] = {"timeout", ASSAY_PARAM_REAL, 0.001, 86400, NULL, "60",
                 "seconds for a request; default that of the run"},
    [RETRIES] = {"retries", ASSAY_PARAM_COUNT, 0, 100, NULL, "4",
                 "attempts after the first"},
    [URL] = {"url", ASSAY_PARAM_TEXT, 0, 0, NULL, "", "where the server is"},
    [N_PARAMS] = {NULL, ASSAY_PARAM_TEXT, 0, 0, NULL, NULL, NULL},
};

typedef struct chat {
    assay_arena arena;
    assay_param_value value[N_PARAMS];
    const char *model;
    const char *url;
    assay_prompt prompt;
    assay_http_settings http;
    char *key; /* what http.bearer points at */
} chat;

typedef struct caller {
    const chat *own;
    assay_http *http; /* opened with the first question */
    assay_arena room; /* of one answer */
    assay_buffer message;
    assay_buffer body;
    assay_buffer reply;
} caller;

/* ---- asking ---- */

static void put_message(assay_json_writer *w, const char *role, assay_slice content)
{
    assay_json_object(w);
    assay_json_key(w, "role");
    assay_json_text(w, role);
    assay_json_key(w, "content");
    assay_json_string(w, content);
    assay_json_object_end(w);
}

static void write_body(caller *c)
{
    assay_json_writer w = assay_json_writer_of(&c->body, 0);
    const chat *own = c->own;

    c->body.len = 0;
    assay_json_object(&w);
    assay_json_key(&w, "model");
    assay_json_text(&w, own->model);
    assay_json_key(&w, "messages");
    assay_json_list(&w);
    if (own->prompt.system.len)
        put_message(&w, "system", own->prompt.system);
    put_message(&w, "user", assay_buffer_view(&c->message));
    assay_json_list_end(&w);
    if (own->value[TEMPERATURE].number >= 0) {
        assay_json_key(&w, "temperature");
        assay_json_double(&w, own->value[TEMPERATURE].number);
    }
    assay_json_key(&w, "seed");
    assay_json_int(&w, (int64_t)own->value[SEED].number);
    if (own->value[MAX_TOKENS].number > 0) {
        assay_json_key(&w, "max_tokens");
        assay_json_int(&w, (int64_t)own->value[MAX_TOKENS].number);
    }
    assay_json_key(&w, "stream");
    assay_json_bool(&w, false);
    assay_json_object_end(&w);
}

static assay_status post(caller *c, assay_chat_reply *out, assay_error *err)
{
    char where[300];
    assay_status st = ASSAY_OK;

    write_body(c);
    if (c->message.has_failed || c->body.has_failed)
        return assay_fail_memory(err, "asking a model");
    if (!c->http)
        st = assay_http_open(&c->own->http, &c->http, err);
    if (!st)
        st = assay_http_post(c->http, c->own->url, assay_buffer_view(&c->body), &c->reply,
                             err);
    if (st)
        return st;
    assay_http_public_url(c->own->url, where, sizeof where);
    return assay_chat_reply_read(where, assay_buffer_view(&c->reply), &c->room, out, err);
}

/* ---- reading what it says ---- */

/* One citation for each chunk that is cited, in the order of the text; *n_unknown counts
 * markers of chunks that it was not given. */
static bool cite(const assay_markers *markers, const assay_source_chunk *chunk,
                 uint32_t n, assay_arena *arena, assay_answer *out, uint32_t *n_unknown)
{
    bool *is_cited = ASSAY_ARENA_ARRAY(arena, bool, n + 1u);
    assay_citation *c = ASSAY_ARENA_ARRAY(arena, assay_citation, n + 1u);
    bool ok = is_cited && c;

    *n_unknown = 0;
    out->citation = c;
    for (size_t i = 0; ok && i < markers->n; i++) {
        uint32_t number = markers->number[i];
        const assay_source_chunk *from;
        assay_buffer marker = ASSAY_BUFFER_EMPTY;

        if (number > n) {
            ++*n_unknown;
            continue;
        }
        if (is_cited[number])
            continue;
        is_cited[number] = true;
        from = &chunk[number - 1];
        assay_buffer_printf(&marker, "[#%u]", number);
        c = &out->citation[out->n_citations++];
        *c = (assay_citation){.marker =
                                  assay_arena_copy(arena, assay_buffer_view(&marker)),
                              .chunk = from->chunk,
                              .doc = from->doc,
                              .path = from->doc};
        if (from->n_spans == 1)
            c->span = from->span[0];
        ok = c->marker.ptr && !marker.has_failed;
        assay_buffer_clear(&marker);
    }
    return ok;
}

static bool judge(caller *c, const assay_chat_reply *reply,
                  const assay_source_chunk *chunk, uint32_t n, assay_arena *arena,
                  assay_answer *out)
{
    assay_markers markers;
    assay_slice folded;
    uint32_t n_unknown;
    bool is_grounded;

    *out = (assay_answer){.text = assay_arena_copy(arena, reply->text),
                          .refusal_reason = ASSAY_LIT(""),
                          .model = assay_arena_copy(arena, assay_slice_of(c->own->model)),
                          .prompt_tokens = reply->prompt_tokens,
                          .completion_tokens = reply->completion_tokens,
                          .latency_ms = assay_http_ms(c->http),
                          .cost = -1};
    if (!out->text.ptr || !out->model.ptr ||
        !assay_markers_find(out->text, &c->room, &markers) ||
        !assay_fold(out->text, &c->room, &folded) ||
        !cite(&markers, chunk, n, arena, out, &n_unknown))
        return false;
    is_grounded = out->n_citations && !n_unknown && !assay_refusal_is(folded);
    out->grounded = is_grounded ? ASSAY_FLAG_YES : ASSAY_FLAG_NO;
    if (!is_grounded)
        out->refusal_reason = assay_slice_of(ASSAY_REFUSED_SELF_JUDGE);
    return true;
}

static assay_status answer(void *worker, assay_slice query,
                           const assay_source_chunk *chunk, uint32_t n,
                           assay_arena *arena, assay_answer *out, assay_error *err)
{
    caller *c = worker;
    assay_chat_reply reply;
    uint32_t n_used;
    assay_status st;

    if (!n) {
        *out = assay_refuse(query, ASSAY_REFUSED_NO_CHUNKS);
        return ASSAY_OK;
    }
    assay_arena_reset(&c->room);
    c->message.len = 0;
    assay_prompt_write(&c->own->prompt, query, chunk, n,
                       (uint32_t)c->own->value[BUDGET].number, &c->message, &n_used);
    st = post(c, &reply, err);
    if (!st && !judge(c, &reply, chunk, n_used, arena, out))
        st = assay_fail_memory(err, "reading a model's answer");
    return st;
}

static assay_status show(void *worker, assay_slice query, const assay_source_chunk *chunk,
                         uint32_t n, assay_buffer *out, assay_error *err)
{
    const caller *c = worker;
    uint32_t n_used;

    if (c->own->prompt.system.len) {
        assay_buffer_slice(out, c->own->prompt.system);
        assay_buffer_text(out, "\n---\n");
    }
    assay_prompt_write(&c->own->prompt, query, chunk, n,
                       (uint32_t)c->own->value[BUDGET].number, out, &n_used);
    return out->has_failed ? assay_fail_memory(err, "showing the prompt") : ASSAY_OK;
}

/* ---- opening and closing ---- */

static void close_chat(void *state)
{
    chat *own = state;

    if (!own)
        return;
    assay_mem_free(own->key);
    assay_arena_clear(&own->arena);
    assay_mem_free(own);
}

/* What was said in the brackets goes before what the run says. */
static assay_status set_http(chat *own, const assay_answer_settings *settings,
                             assay_error *err)
{
    size_t len = settings->api_key ? strlen(settings->api_key) : 0;
    double seconds = own->value[TIMEOUT].number;
    double retries = own->value[RETRIES].number;

    if (!own->value[TIMEOUT].is_given && settings->timeout_s > 0)
        seconds = settings->timeout_s;
    if (!own->value[SEED].is_given)
        own->value[SEED].number = (double)(settings->seed & UINT32_MAX);
    own->key = len ? assay_mem_alloc(len + 1) : NULL;
    if (len && !own->key)
        return assay_fail_memory(err, "opening an answerer");
    if (len)
        memcpy(own->key, settings->api_key, len + 1);
    own->http = (assay_http_settings){
        .bearer = own->key,
        .timeout_ms = (uint32_t)(seconds * 1000 + 0.5),
        .retries = retries > 0 ? (uint32_t)retries : UINT32_MAX,
        .cassette = settings->cassette,
        .stop = settings->stop,
    };
    own->http.timeout_ms += own->http.timeout_ms == 0;
    if (!own->value[RETRIES].is_given && settings->retries)
        own->http.retries = settings->retries;
    return ASSAY_OK;
}

static assay_status read_settings(chat *own, const assay_answer_settings *settings,
                                  assay_error *err)
{
    static const char what[] = "answerer 'openai'";
    assay_slice given = assay_arena_copy(&own->arena, settings->params);
    assay_slice base;
    assay_status st;

    own->model = assay_arena_string(&own->arena, settings->argument);
    if (!given.ptr || !own->model)
        return assay_fail_memory(err, "opening an answerer");
    if (!own->model[0])
        return assay_fail(err, ASSAY_EUSAGE, "%s needs a model: openai:MODEL", what);
    st = assay_params_read(what, params, given, own->value, err);
    if (st)
        return st;
    base = own->value[URL].text;
    if (!base.len)
        base = assay_slice_of(settings->base_url ? settings->base_url
                                                 : "https://api.openai.com");
    st = assay_http_endpoint(what, base, "/v1/chat/completions", &own->arena, &own->url,
                             err);
    if (!st)
        st = assay_prompt_load(settings->prompt_path, &own->arena, &own->prompt, err);
    return st ? st : set_http(own, settings, err);
}

static assay_status open_chat(const assay_answer_settings *settings, void **state,
                              assay_error *err)
{
    chat *own = ASSAY_NEW(chat);
    assay_status st = own ? read_settings(own, settings, err)
                          : assay_fail_memory(err, "opening an answerer");

    if (st) {
        close_chat(own);
        return st;
    }
    *state = own;
    return ASSAY_OK;
}

static void close_caller(void *worker)
{
    caller *c = worker;

    if (!c)
        return;
    assay_http_close(c->http);
    assay_buffer_clear(&c->message);
    assay_buffer_clear(&c->body);
    assay_buffer_clear(&c->reply);
    assay_arena_clear(&c->room);
    assay_mem_free(c);
}

static assay_status open_caller(void *state, void **worker, assay_error *err)
{
    caller *c = ASSAY_NEW(caller);

    if (!c)
        return assay_fail_memory(err, "answering");
    c->own = state;
    *worker = c;
    return ASSAY_OK;
}

/* Address, time-outs and retries do not change the answers. */
static void identify(const void *state, assay_buffer *out)
{
    const chat *own = state;

    assay_buffer_printf(out, "openai:%s(budget=%.0f,temperature=", own->model,
                        own->value[BUDGET].number);
    assay_buffer_double(out, own->value[TEMPERATURE].number);
    assay_buffer_printf(out, ",seed=%.0f,max_tokens=%.0f) prompt=%s",
                        own->value[SEED].number, own->value[MAX_TOKENS].number,
                        own->prompt.version);
}

static const char *model_of(const void *state)
{
    return ((const chat *)state)->model;
}

static const char *prompt_of(const void *state)
{
    return ((const chat *)state)->prompt.version;
}

const assay_answerer assay_answerer_openai = {
    .name = "openai",
    .summary = "a chat model: openai:MODEL(url=http://host:port/v1)",
    .param = params,
    .open = open_chat,
    .worker = open_caller,
    .answer = answer,
    .context = show,
    .identity = identify,
    .model = model_of,
    .prompt = prompt_of,
    .worker_close = close_caller,
    .close = close_chat,
};
