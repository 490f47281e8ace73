/* SPDX-License-Identifier: Apache-2.0 */
#include "base/http.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"

enum {
    TIMEOUT_MS = 60000,
    CONNECT_MS = 10000,
    RETRIES = 4,
    BACKOFF_MS = 500,
    WAIT_MOST_MS = 60000,
    SHOWN = 200, /* bytes of an answer in a message */
    URL_SHOWN = 300
};

#define MOST_BYTES ((size_t)64 << 20)

/* What is used of libcurl.  Checking macros are for direct calls. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

typedef struct library {
    void *handle;
    CURLcode (*global_init)(long flags);
    CURL *(*init)(void);
    CURLcode (*setopt)(CURL *curl, CURLoption option, ...);
    CURLcode (*perform)(CURL *curl);
    CURLcode (*getinfo)(CURL *curl, CURLINFO info, ...);
    void (*cleanup)(CURL *curl);
    struct curl_slist *(*append)(struct curl_slist *list, const char *text);
    void (*free_all)(struct curl_slist *list);
    const char *(*words)(CURLcode code);
} library;

struct assay_http {
    library lib;
    CURL *curl;
    struct curl_slist *head;
    assay_http_settings settings;
    assay_buffer *reply; /* of the request under way */
    bool is_too_long;
    char error[CURL_ERROR_SIZE];
};

/* ---- the library ---- */

static bool find(void *handle, const char *name, void *into)
{
    void *symbol = dlsym(handle, name);

    /* POSIX promises that this works for functions; C does not. */
    memcpy(into, &symbol, sizeof symbol);
    return symbol != NULL;
}

static assay_status load(library *lib, assay_error *err)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

    for (size_t i = 0; !lib->handle && i < ASSAY_COUNT(names); i++)
        lib->handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (lib->handle && find(lib->handle, "curl_global_init", &lib->global_init) &&
        find(lib->handle, "curl_easy_init", &lib->init) &&
        find(lib->handle, "curl_easy_setopt", &lib->setopt) &&
        find(lib->handle, "curl_easy_perform", &lib->perform) &&
        find(lib->handle, "curl_easy_getinfo", &lib->getinfo) &&
        find(lib->handle, "curl_easy_cleanup", &lib->cleanup) &&
        find(lib->handle, "curl_slist_append", &lib->append) &&
        find(lib->handle, "curl_slist_free_all", &lib->free_all) &&
        find(lib->handle, "curl_easy_strerror", &lib->words) &&
        lib->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK)
        return ASSAY_OK;
    return assay_fail(err, ASSAY_ESYSTEM,
                      "talking to a server needs libcurl; install it with 'apt-get "
                      "install libcurl4'");
}

/* ---- opening ---- */

void assay_http_close(assay_http *http)
{
    if (!http)
        return;
    if (http->head)
        http->lib.free_all(http->head);
    if (http->curl)
        http->lib.cleanup(http->curl);
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

static bool prepare(assay_http *http, const char *bearer)
{
    const library *lib = &http->lib;

    http->curl = lib->init();
    if (!http->curl || !add_head(http, "Content-Type: application/json") ||
        !add_head(http, "Accept: application/json") || !add_head(http, "Expect:") ||
        !add_bearer(http, bearer))
        return false;
    return !lib->setopt(http->curl, CURLOPT_HTTPHEADER, http->head) &&
           !lib->setopt(http->curl, CURLOPT_WRITEFUNCTION, take) &&
           !lib->setopt(http->curl, CURLOPT_WRITEDATA, http) &&
           !lib->setopt(http->curl, CURLOPT_ERRORBUFFER, http->error) &&
           !lib->setopt(http->curl, CURLOPT_NOSIGNAL, 1L) &&
           !lib->setopt(http->curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS) &&
           !lib->setopt(http->curl, CURLOPT_TIMEOUT_MS, (long)http->settings.timeout_ms);
}

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
    st = load(&http->lib, err);
    if (!st && !prepare(http, settings->bearer))
        st = assay_fail_memory(err, "opening a connection");
    s->bearer = NULL; /* libcurl has its own copy, and nobody else needs it */
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

static void wait_ms(uint32_t ms)
{
    struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};

    nanosleep(&left, NULL);
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

static attempt try_once(assay_http *http)
{
    attempt a = {.status = 0};

    http->reply->len = 0;
    http->is_too_long = false;
    http->error[0] = '\0';
    a.code = http->lib.perform(http->curl);
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

static assay_status fail(const assay_http *http, const char *url, const attempt *a,
                         uint32_t n, assay_error *err)
{
    char where[URL_SHOWN];
    char answer[SHOWN];
    char tries[40] = "";

    assay_http_public_url(url, where, sizeof where);
    if (n > 1)
        snprintf(tries, sizeof tries, " (%u attempts)", n);
    if (http->reply->has_failed)
        return assay_fail_memory(err, "reading a server's answer");
    if (http->is_too_long)
        return assay_fail(err, ASSAY_ESYSTEM, "%s: the answer is longer than %zu bytes",
                          where, http->settings.most_bytes);
    if (a->code != CURLE_OK)
        return assay_fail(err, ASSAY_ESYSTEM, "%s: %s%s", where,
                          http->error[0] ? http->error : http->lib.words(a->code), tries);
    show(http->reply, answer, sizeof answer);
    return assay_fail(err, ASSAY_ESYSTEM, "%s: status %ld%s: %s", where, a->status, tries,
                      answer);
}

assay_status assay_http_post(assay_http *http, const char *url, assay_slice body,
                             assay_buffer *reply, assay_error *err)
{
    const library *lib = &http->lib;
    attempt a;

    http->reply = reply;
    if (lib->setopt(http->curl, CURLOPT_URL, url) ||
        lib->setopt(http->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.len) ||
        lib->setopt(http->curl, CURLOPT_POSTFIELDS, body.ptr))
        return assay_fail_memory(err, "sending a request");
    for (uint32_t n = 0;; n++) {
        a = try_once(http);
        if (a.code == CURLE_OK && a.status >= 200 && a.status <= 299)
            return ASSAY_OK;
        if (n == http->settings.retries || !is_worth_a_retry(http, &a))
            return fail(http, url, &a, n + 1, err);
        wait_ms(pause_of(http, &a, n));
    }
}
