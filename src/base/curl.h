/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl, looked for when it is first needed; for http.c. */
#ifndef ASSAY_BASE_CURL_H
#define ASSAY_BASE_CURL_H

#include <curl/curl.h>

#include "assay.h"

/* What is used of libcurl.  Checking macros are for direct calls. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

typedef struct assay_curl {
    void *handle;
    CURLcode (*global_init)(long flags);
    CURL *(*init)(void);
    CURLcode (*setopt)(CURL *curl, CURLoption option, ...);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_add)(CURLM *multi, CURL *curl);
    CURLMcode (*multi_perform)(CURLM *multi, int *n_running);
    CURLMcode (*multi_poll)(CURLM *multi, struct curl_waitfd *extra, unsigned n_extra,
                            int timeout_ms, int *n_ready);
    CURLMsg *(*multi_read)(CURLM *multi, int *n_left);
    CURLMcode (*multi_remove)(CURLM *multi, CURL *curl);
    CURLMcode (*multi_cleanup)(CURLM *multi);
    CURLcode (*getinfo)(CURL *curl, CURLINFO info, ...);
    void (*cleanup)(CURL *curl);
    struct curl_slist *(*append)(struct curl_slist *list, const char *text);
    void (*free_all)(struct curl_slist *list);
    const char *(*words)(CURLcode code);
} assay_curl;

/* Find the library; where it is not installed the error says what to install. */
ASSAY_MUST_USE assay_status assay_curl_load(assay_curl *lib, assay_error *err);

#endif
