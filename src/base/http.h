/* SPDX-License-Identifier: Apache-2.0 */
/* POST over libcurl, with retries.
 *
 * libcurl is looked for when the first connection is opened: it brings two dozen
 * libraries along, and most commands never talk to anybody.  Where it is not installed the
 * error says what to install.
 *
 * One handle belongs to one thread.  Connections are kept between requests. */
#ifndef ASSAY_BASE_HTTP_H
#define ASSAY_BASE_HTTP_H

#include <stdatomic.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/cassette.h"
#include "base/rate.h"

typedef struct assay_http assay_http;

/* Zeroed: a minute for a request, four retries, 64 MB of reply. */
typedef struct assay_http_settings {
    const char *bearer;  /* sent as "Authorization: Bearer ..."; never in a message */
    uint32_t timeout_ms; /* of one attempt */
    uint32_t retries;    /* after the first attempt; UINT32_MAX = none */
    uint32_t backoff_ms; /* before the first retry, doubled each time; 0 = 500 */
    size_t most_bytes;   /* of a reply */
    const char *const
        *header; /* n_headers lines "Name: value", sent; never in a message */
    uint32_t n_headers;
    assay_cassette *cassette; /* record or replay every call, or null; must outlive it */
    const atomic_int *stop;   /* not 0: give up within 100 ms, also while waiting to try
                                 again; null = never */
    assay_rate *rate;         /* each attempt waits for its turn, or null */
} assay_http_settings;

/* Strings of `settings` are copied.  The caller owns *out.  For a replay libcurl is not
 * looked for.  Bearer and headers are hidden from the cassette. */
ASSAY_MUST_USE assay_status assay_http_open(const assay_http_settings *settings,
                                            assay_http **out, assay_error *err);
void assay_http_close(assay_http *http);

/* Send `body` as JSON; `reply` (emptied before) gets the answer of status 200 to 299.
 * Refused connections, time-outs, 408, 429 and 500 to 599 are tried again, after the time
 * that Retry-After asks for (at most a minute) or the back-off.  Anything else is
 * ASSAY_ESYSTEM with the address (without user, password and query), the status and the
 * beginning of the answer.  Secrets that were sent are cut out of such words.
 *
 * With a cassette the call is recorded, or answered from the recording, by public address
 * and body; an error that was recorded is the same error again.  What a recording cannot
 * keep (a secret in the reply) the caller does not see either, so that a replay goes the
 * same way. */
ASSAY_MUST_USE assay_status assay_http_post(assay_http *http, const char *url,
                                            assay_slice body, assay_buffer *reply,
                                            assay_error *err);

/* Whether anybody listens there: connect, and send nothing.  What cannot be reached is
 * ASSAY_ESYSTEM.  The handle is of no further use. */
ASSAY_MUST_USE assay_status assay_http_reach(assay_http *http, const char *url,
                                             assay_error *err);

/* A text (of a server, for people) without the secrets that were sent. */
void assay_http_clean(const assay_http *http, assay_slice text, assay_buffer *out);

/* How long the server took over the last post, all attempts together but not the pauses
 * between them; in a replay, as recorded. */
double assay_http_ms(const assay_http *http);

/* Where `path` ("/v1/chat/completions") is at a server: base without a slash at its end,
 * path behind it, unless base ends in it, or in the /v1 that it begins with, already.  A base
 * that is no http address is ASSAY_EUSAGE; `what` begins the words.  *out lives in
 * `arena`. */
ASSAY_MUST_USE assay_status assay_http_endpoint(const char *what, assay_slice base,
                                                const char *path, assay_arena *arena,
                                                const char **out, assay_error *err);

/* An address without what may be secret: user, password, query, fragment. */
void assay_http_public_url(const char *url, char *out, size_t size);

#endif
