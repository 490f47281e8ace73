/* SPDX-License-Identifier: Apache-2.0 */
#include "base/http.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/base64.h"
#include "base/compiler.h"
#include "base/curl.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/redact.h"
#include "base/slice.h"

enum {
    TIMEOUT_MS = 60000,
    CONNECT_MS = 10000,
    RETRIES = 4,
    BACKOFF_MS = 500,
    WAIT_MOST_MS = 60000,
    LOOK_MS = 50, /* how often one who waits looks whether to stop */
    SHOWN = 200,  /* bytes of an answer in a message */
    URL_SHOWN = 300
};

#define MOST_BYTES ((size_t)64 << 20)

struct assay_http {
    assay_curl lib;
    CURL *curl;
    CURLM *multi; /* to wait and look up now and then; keeps the connections */
    struct curl_slist *head;
    assay_http_settings settings;
    assay_secrets secrets; /* what was sent and must not be shown */
    double ms;             /* of the last post */
    assay_buffer *reply;   /* of the request under way */
    bool is_too_long;
    char error[CURL_ERROR_SIZE];
};

/* ---- closing, preparing ---- */

void assay_http_close(assay_http *http)
{
    if (!http)
        return;
    if (http->head)
        http->lib.free_all(http->head);
    if (http->curl)
        http->lib.cleanup(http->curl);
    if (http->multi)
        http->lib.multi_cleanup(http->multi);
    assay_secrets_clear(&http->secrets);
    /* The library stays loaded: its own clean-up is not safe beside other handles. */
    assay_mem_free(http);
}

static size_t take(char *bytes, size_t size, size_t n, void *ctx)
{
    assay_http *http = ctx;
    size_t len = size * n;

    if (http->reply->len + len > http->settings.most_bytes) {
        http->is_too_long = true;
        return 0;
    }
    assay_buffer_add(http->reply, bytes, len);
    return http->reply->has_failed ? 0 : len;
}

static bool add_head(assay_http *http, const char *line)
{
    struct curl_slist *grown = http->lib.append(http->head, line);

    if (grown)
        http->head = grown;
    return grown != NULL;
}

static bool add_bearer(assay_http *http, const char *bearer)
{
    assay_buffer line = ASSAY_BUFFER_EMPTY;
    bool ok;

    if (!bearer || !bearer[0])
        return true;
    assay_buffer_text(&line, "Authorization: Bearer ");
    assay_buffer_text(&line, bearer);
    assay_buffer_char(&line, '\0');
    ok = !line.has_failed && add_head(http, line.ptr);
    assay_buffer_clear(&line);
    return ok;
}

static bool prepare(assay_http *http, const assay_http_settings *settings)
{
    const assay_curl *lib = &http->lib;

    http->curl = lib->init();
    http->multi = lib->multi_init();
    if (!http->curl || !http->multi ||
        !add_head(http, "Content-Type: application/json") ||
        !add_head(http, "Accept: application/json") || !add_head(http, "Expect:") ||
        !add_bearer(http, settings->bearer))
        return false;
    for (uint32_t i = 0; i < settings->n_headers; i++)
        if (!add_head(http, settings->header[i]))
            return false;
    return !lib->setopt(http->curl, CURLOPT_HTTPHEADER, http->head) &&
           !lib->setopt(http->curl, CURLOPT_WRITEFUNCTION, take) &&
           !lib->setopt(http->curl, CURLOPT_WRITEDATA, http) &&
           !lib->setopt(http->curl, CURLOPT_ERRORBUFFER, http->error) &&
           !lib->setopt(http->curl, CURLOPT_NOSIGNAL, 1L) &&
           !lib->setopt(http->curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS) &&
           !lib->setopt(http->curl, CURLOPT_TIMEOUT_MS, (long)http->settings.timeout_ms);
}

/* ---- secrets ---- */

static bool is_replay(const assay_http *http)
{
    return http->settings.cassette && assay_cassette_is_replay(http->settings.cassette);
}

/* Neither messages nor a recording have it. */
static assay_status hide(assay_http *http, assay_slice secret, assay_error *err)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    assay_buffer_slice(&text, secret);
    assay_buffer_char(&text, '\0');
    if (text.has_failed || !assay_secrets_add(&http->secrets, secret))
        st = assay_fail_memory(err, "opening a connection");
    else if (http->settings.cassette)
        st = assay_cassette_hide(http->settings.cassette, text.ptr, err);
    assay_buffer_clear(&text);
    return st;
}

/* Headers that say what is sent, not who sends it. */
static bool is_public(assay_slice name)
{
    static const char *const names[] = {"accept",          "accept-language",
                                        "accept-encoding", "content-type",
                                        "user-agent",      "expect"};

    for (size_t i = 0; i < ASSAY_COUNT(names); i++)
        if (assay_slice_is_nocase(name, names[i]))
            return true;
    return false;
}

/* The value of a header, and behind "Bearer " or "Basic " what stands there alone too. */
static assay_status hide_header(assay_http *http, const char *line, assay_error *err)
{
    assay_slice rest = assay_slice_of(line);
    assay_slice name;
    assay_slice part[2];
    assay_status st;

    if (!assay_slice_part(&rest, ':', &name) || is_public(assay_slice_trim(name)))
        return ASSAY_OK;
    rest = assay_slice_trim(rest);
    st = hide(http, rest, err);
    if (!st && assay_slice_fields(rest, part, 2) == 2)
        st = hide(http, part[1], err);
    return st;
}

static assay_status hide_sent(assay_http *http, const assay_http_settings *settings,
                              assay_error *err)
{
    assay_status st = settings->bearer && settings->bearer[0]
                          ? hide(http, assay_slice_of(settings->bearer), err)
                          : ASSAY_OK;

    for (uint32_t i = 0; i < settings->n_headers && !st; i++)
        st = hide_header(http, settings->header[i], err);
    return st;
}

/* Keys among the parameters of an address. */
static assay_status hide_query(assay_http *http, const char *url, assay_error *err)
{
    const char *query = strchr(url, '?');
    assay_slice rest = assay_slice_of(query ? query + 1 : "");
    assay_status st = ASSAY_OK;
    assay_slice value;
    assay_slice name;

    while (!st && assay_slice_part(&rest, '&', &value))
        if (assay_slice_part(&value, '=', &name) &&
            (assay_slice_is_nocase(name, "key") || assay_secrets_is_key(name)))
            st = hide(http, value, err);
    return st;
}

/* User and password of an address, and the header that libcurl makes of them. */
static assay_status hide_user(assay_http *http, const char *url, assay_error *err)
{
    const char *host = strstr(url, "://");
    const char *end;
    const char *at = NULL;
    assay_slice user;
    assay_slice name;
    assay_buffer basic = ASSAY_BUFFER_EMPTY;
    assay_status st;

    host = host ? host + 3 : url;
    end = host + strcspn(host, "/?#");
    for (const char *p = host; p < end; p++)
        at = *p == '@' ? p : at;
    if (!at)
        return ASSAY_OK;
    user = (assay_slice){host, (size_t)(at - host)};
    assay_base64_write(user, &basic);
    st = basic.has_failed ? assay_fail_memory(err, "sending a request")
                          : hide(http, assay_buffer_view(&basic), err);
    assay_buffer_clear(&basic);
    if (!st && assay_slice_part(&user, ':', &name) && user.len)
        st = hide(http, user, err);
    return st;
}

/* ---- opening ---- */

assay_status assay_http_open(const assay_http_settings *settings, assay_http **out,
                             assay_error *err)
{
    assay_http *http = ASSAY_NEW(assay_http);
    assay_http_settings *s;
    assay_status st;

    if (!http)
        return assay_fail_memory(err, "opening a connection");
    s = &http->settings;
    *s = *settings;
    s->timeout_ms = s->timeout_ms ? s->timeout_ms : TIMEOUT_MS;
    s->retries = s->retries == UINT32_MAX ? 0 : s->retries ? s->retries : RETRIES;
    s->backoff_ms = s->backoff_ms ? s->backoff_ms : BACKOFF_MS;
    s->most_bytes = s->most_bytes ? s->most_bytes : MOST_BYTES;
    st = hide_sent(http, settings, err);
    if (!st && !is_replay(http))
        st = assay_curl_load(&http->lib, err);
    if (!st && !is_replay(http) && !prepare(http, settings))
        st = assay_fail_memory(err, "opening a connection");
    s->bearer = NULL; /* libcurl has its own copies */
    s->header = NULL;
    s->n_headers = 0;
    if (st) {
        assay_http_close(http);
        return st;
    }
    *out = http;
    return ASSAY_OK;
}

/* ---- words ---- */

void assay_http_public_url(const char *url, char *out, size_t size)
{
    const char *host = strstr(url, "://");
    const char *end;
    const char *at = NULL;
    size_t scheme = host ? (size_t)(host - url) + 3 : 0;

    host = url + scheme;
    end = host + strcspn(host, "?#");
    for (const char *p = host; p < end && *p != '/'; p++)
        at = *p == '@' ? p : at;
    if (at)
        host = at + 1;
    snprintf(out, size, "%.*s%.*s", (int)scheme, url, (int)(end - host), host);
}

/* The beginning of an answer on one line. */
static void show(const assay_buffer *reply, char *out, size_t size)
{
    size_t n = reply->len < size - 1 ? reply->len : size - 1;

    for (size_t i = 0; i < n; i++)
        out[i] = (unsigned char)reply->ptr[i] < ' ' ? ' ' : reply->ptr[i];
    out[n] = '\0';
}

/* ---- sending ---- */

/* One attempt, as it ended. */
typedef struct attempt {
    CURLcode code;
    long status;
    curl_off_t retry_after; /* seconds; 0 = not said */
} attempt;

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static bool must_stop(const assay_http *http)
{
    return http->settings.stop && atomic_load(http->settings.stop) != 0;
}

static void wait_ms(const assay_http *http, uint32_t ms)
{
    while (ms && !must_stop(http)) {
        uint32_t part = ms < LOOK_MS ? ms : LOOK_MS;
        struct timespec left = {.tv_nsec = (long)part * 1000000};

        nanosleep(&left, NULL);
        ms -= part;
    }
}

static bool is_worth_a_retry(const assay_http *http, const attempt *a)
{
    if (http->is_too_long || http->reply->has_failed)
        return false;
    switch (a->code) {
    case CURLE_OK: break;
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_PARTIAL_FILE: return true;
    default: return false;
    }
    return a->status == 408 || a->status == 429 || (a->status >= 500 && a->status <= 599);
}

/* One request from beginning to end, or to the moment when it is to stop. */
static CURLcode perform(assay_http *http)
{
    const assay_curl *lib = &http->lib;
    CURLcode code = CURLE_ABORTED_BY_CALLBACK;
    CURLMcode bad = lib->multi_add(http->multi, http->curl);
    int n_running = 1;
    int n_left;
    CURLMsg *m;

    while (!bad && n_running && !must_stop(http)) {
        bad = lib->multi_perform(http->multi, &n_running);
        if (!bad && n_running)
            bad = lib->multi_poll(http->multi, NULL, 0, LOOK_MS, NULL);
    }
    while ((m = lib->multi_read(http->multi, &n_left)) != NULL)
        if (m->msg == CURLMSG_DONE)
            code = m->data.result;
    lib->multi_remove(http->multi, http->curl);
    return bad ? CURLE_OUT_OF_MEMORY : code;
}

static attempt try_once(assay_http *http)
{
    attempt a = {.status = 0};
    double start = now_ms();

    http->reply->len = 0;
    http->is_too_long = false;
    http->error[0] = '\0';
    a.code = perform(http);
    http->ms += now_ms() - start;
    if (a.code == CURLE_OK) {
        http->lib.getinfo(http->curl, CURLINFO_RESPONSE_CODE, &a.status);
        http->lib.getinfo(http->curl, CURLINFO_RETRY_AFTER, &a.retry_after);
    }
    return a;
}

static uint32_t pause_of(const assay_http *http, const attempt *a, uint32_t n)
{
    uint64_t ms = a->retry_after > 0 ? (uint64_t)a->retry_after * 1000
                                     : (uint64_t)http->settings.backoff_ms << n;

    return ms < WAIT_MOST_MS ? (uint32_t)ms : WAIT_MOST_MS;
}

/* Words that may quote what was sent. */
static assay_status fail_clean(const assay_http *http, const assay_buffer *words,
                               assay_error *err)
{
    assay_buffer clean = ASSAY_BUFFER_EMPTY;
    assay_status st;

    assay_secrets_redact_string(&http->secrets, assay_buffer_view(words), &clean);
    st = words->has_failed || clean.has_failed
             ? assay_fail_memory(err, "reading a server's answer")
             : assay_fail(err, ASSAY_ESYSTEM, "%.*s", (int)clean.len,
                          clean.ptr ? clean.ptr : "");
    assay_buffer_clear(&clean);
    return st;
}

static assay_status fail(const assay_http *http, const char *where, const attempt *a,
                         uint32_t n, assay_error *err)
{
    assay_buffer words = ASSAY_BUFFER_EMPTY;
    assay_buffer whole = ASSAY_BUFFER_EMPTY;
    char answer[SHOWN];
    char tries[40] = "";
    assay_status st;

    if (http->reply->has_failed)
        return assay_fail_memory(err, "reading a server's answer");
    if (n > 1)
        snprintf(tries, sizeof tries, " (%u attempts)", n);
    if (http->is_too_long) {
        assay_buffer_printf(&words, "%s: the answer is longer than %zu bytes", where,
                            http->settings.most_bytes);
    } else if (a->code != CURLE_OK) {
        assay_buffer_printf(&words, "%s: %s%s", where,
                            http->error[0] ? http->error : http->lib.words(a->code),
                            tries);
    } else {
        /* Cleaned before it is cut: half a secret would not be found. */
        assay_secrets_redact(&http->secrets, assay_buffer_view(http->reply), &whole);
        show(&whole, answer, sizeof answer);
        assay_buffer_printf(&words, "%s: status %ld%s%s%s", where, a->status, tries,
                            answer[0] ? ": " : "", answer);
    }
    words.has_failed |= whole.has_failed;
    st = fail_clean(http, &words, err);
    assay_buffer_clear(&words);
    assay_buffer_clear(&whole);
    return st;
}

/* *is_over says whether the server had its say: an interruption is not recorded. */
static assay_status send_all(assay_http *http, const char *url, const char *where,
                             assay_slice body, bool *is_over, assay_error *err)
{
    const assay_curl *lib = &http->lib;
    attempt a;

    *is_over = false;
    if (lib->setopt(http->curl, CURLOPT_URL, url) ||
        lib->setopt(http->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.len) ||
        lib->setopt(http->curl, CURLOPT_POSTFIELDS, body.ptr))
        return assay_fail_memory(err, "sending a request");
    for (uint32_t n = 0;; n++) {
        if (http->settings.rate &&
            !assay_rate_wait(http->settings.rate, http->settings.stop)) {
            *is_over = false;
            return assay_fail(err, ASSAY_ESYSTEM, "%s: interrupted", where);
        }
        a = try_once(http);
        *is_over = true;
        if (a.code == CURLE_OK && a.status >= 200 && a.status <= 299)
            return ASSAY_OK;
        if (!must_stop(http) &&
            (n == http->settings.retries || !is_worth_a_retry(http, &a)))
            return fail(http, where, &a, n + 1, err);
        wait_ms(http, pause_of(http, &a, n));
        if (must_stop(http)) {
            *is_over = false;
            return assay_fail(err, ASSAY_ESYSTEM, "%s: interrupted", where);
        }
    }
}

static assay_status record(assay_http *http, const assay_call *call, assay_status result,
                           assay_buffer *reply, const assay_error *words,
                           assay_error *err)
{
    const assay_call_reply how = {.has_failed = result != ASSAY_OK, .ms = http->ms};
    assay_status st =
        result ? ASSAY_OK : assay_cassette_clean(http->settings.cassette, reply, err);

    return st ? st
              : assay_cassette_add(http->settings.cassette, call,
                                   result ? assay_slice_of(words->text)
                                          : assay_buffer_view(reply),
                                   &how, err);
}

static assay_status replay(assay_http *http, const assay_call *call, assay_buffer *reply,
                           assay_error *err)
{
    assay_call_reply how;
    assay_status st =
        assay_cassette_play(http->settings.cassette, call, reply, &how, err);

    if (st)
        return st;
    http->ms = how.ms;
    return how.has_failed ? assay_fail(err, ASSAY_ESYSTEM, "%.*s", (int)reply->len,
                                       reply->ptr ? reply->ptr : "")
                          : ASSAY_OK;
}

assay_status assay_http_post(assay_http *http, const char *url, assay_slice body,
                             assay_buffer *reply, assay_error *err)
{
    char where[URL_SHOWN];
    assay_error words = {ASSAY_OK, ""};
    bool is_over;
    assay_call call;
    assay_status st = hide_user(http, url, err);
    assay_status kept;

    if (!st)
        st = hide_query(http, url, err);
    if (st)
        return st;
    assay_http_public_url(url, where, sizeof where);
    call = (assay_call){.kind = "http", .target = assay_slice_of(where), .request = body};
    reply->len = 0;
    if (is_replay(http))
        return replay(http, &call, reply, err);
    http->reply = reply;
    http->ms = 0;
    st = send_all(http, url, where, body, &is_over, &words);
    if (http->settings.cassette && is_over && st != ASSAY_ENOMEM) {
        kept = record(http, &call, st, reply, &words, err);
        if (kept)
            return kept;
    }
    return st ? assay_fail(err, st, "%s", words.text) : ASSAY_OK;
}

assay_status assay_http_reach(assay_http *http, const char *url, assay_error *err)
{
    const assay_curl *lib = &http->lib;
    assay_buffer none = ASSAY_BUFFER_EMPTY;
    char where[URL_SHOWN];
    attempt a;
    assay_status st = hide_user(http, url, err);

    if (!st)
        st = hide_query(http, url, err);
    if (st || is_replay(http))
        return st;
    assay_http_public_url(url, where, sizeof where);
    if (lib->setopt(http->curl, CURLOPT_URL, url) ||
        lib->setopt(http->curl, CURLOPT_CONNECT_ONLY, 1L))
        return assay_fail_memory(err, "looking for a server");
    http->reply = &none;
    a = try_once(http);
    if (must_stop(http))
        st = assay_fail(err, ASSAY_ESYSTEM, "%s: interrupted", where);
    else if (a.code != CURLE_OK)
        st = fail(http, where, &a, 1, err);
    assay_buffer_clear(&none);
    return st;
}

void assay_http_clean(const assay_http *http, assay_slice text, assay_buffer *out)
{
    assay_secrets_redact(&http->secrets, text, out);
}

double assay_http_ms(const assay_http *http)
{
    return http->ms;
}

assay_status assay_http_endpoint(const char *what, assay_slice base, const char *path,
                                 assay_arena *arena, const char **out, assay_error *err)
{
    assay_buffer url = ASSAY_BUFFER_EMPTY;

    while (base.len && base.ptr[base.len - 1] == '/')
        base.len--;
    if (!assay_slice_starts(base, "http://") && !assay_slice_starts(base, "https://"))
        return assay_fail(err, ASSAY_EUSAGE,
                          "%s: '%.*s' is no address; want http://host:port", what,
                          ASSAY_QUOTE(base));
    assay_buffer_slice(&url, base);
    if (!assay_slice_ends(base, path))
        assay_buffer_text(&url,
                          assay_slice_ends(base, "/v1") && strncmp(path, "/v1/", 4) == 0
                              ? path + 3
                              : path);
    *out = url.has_failed ? NULL : assay_arena_string(arena, assay_buffer_view(&url));
    assay_buffer_clear(&url);
    return *out ? ASSAY_OK : assay_fail_memory(err, "reading an address");
}
