/* SPDX-License-Identifier: Apache-2.0 */
/* Record and replay of calls to the outside: systems, embedders, answerers.
 *
 * A call is known by its contents: what kind it is and what was sent.  Recording writes each
 * call as one line of JSON as soon as its reply is there; replaying answers from the file
 * and never goes outside.  The same request sent n times is recorded n times and replayed
 * in that order; the last reply serves further ones.
 *
 * Secrets do not get in: callers hand in what is free of them (no headers, public
 * addresses), and strings that were registered are replaced wherever they stand.
 *
 * Any thread may call. */
#ifndef ASSAY_BASE_CASSETTE_H
#define ASSAY_BASE_CASSETTE_H

#include <stdbool.h>

#include "assay.h"
#include "base/buffer.h"

typedef enum assay_cassette_mode {
    ASSAY_CASSETTE_RECORD, /* the file is made anew, and is there whole only when closed well;
                              lines of a recording that was interrupted stay in FILE.part */
    ASSAY_CASSETTE_REPLAY,
    ASSAY_CASSETTE_EXTEND /* record, and keep what FILE.part (or else FILE) has already: for
                             a run that is gone on with.  A request that is made again now
                             takes the place of what was recorded of it before: that query
                             was not finished */
} assay_cassette_mode;

typedef struct assay_cassette assay_cassette;

ASSAY_MUST_USE assay_status assay_cassette_open(const char *path,
                                                assay_cassette_mode mode,
                                                assay_cassette **out, assay_error *err);

/* Finish a recording (lines in an order that does not depend on threads).  After a replay:
 * ASSAY_EINPUT when a call was missed, with the words of the first in the file's order, so
 * that a miss is told also where the error of one query does not end a run. */
ASSAY_MUST_USE assay_status assay_cassette_finish(assay_cassette *cassette,
                                                  assay_error *err);
void assay_cassette_close(assay_cassette *cassette); /* null is allowed */

assay_cassette_mode assay_cassette_mode_of(const assay_cassette *cassette);

/* Whether calls are answered from the file; else they are recorded. */
bool assay_cassette_is_replay(const assay_cassette *cassette);

/* A string (an API key) that must never be written; it becomes "[redacted]" in requests
 * and replies.  Call it when replaying too: requests are compared without it. */
ASSAY_MUST_USE assay_status assay_cassette_hide(assay_cassette *cassette,
                                                const char *secret, assay_error *err);

/* One call.  `ms` is the time it took, which a replay tells again. */
typedef struct assay_call {
    const char *kind;    /* "http", "cmd" */
    assay_slice target;  /* public address, or the command line */
    assay_slice request; /* the bytes sent */
} assay_call;

/* What came of it: the reply, or (when the outside failed) the words of the error. */
typedef struct assay_call_reply {
    bool has_failed;
    double ms;
} assay_call_reply;

/* Replay: `reply` (emptied before) gets the recorded bytes or error.  A call that was not
 * recorded is ASSAY_EINPUT; the words show it beside the nearest one that was. */
ASSAY_MUST_USE assay_status assay_cassette_play(assay_cassette *cassette,
                                                const assay_call *call,
                                                assay_buffer *reply,
                                                assay_call_reply *how, assay_error *err);

/* Take out of a reply what a recording must not have: what was hidden, and the values of
 * "api_key", "authorization", "password", "token" and their like in JSON.  Whoever records
 * goes on with what is left, or a replay would not go the same way.  base/http.h does this
 * itself. */
ASSAY_MUST_USE assay_status assay_cassette_clean(const assay_cassette *cassette,
                                                 assay_buffer *reply, assay_error *err);

/* Record a call that has ended. */
ASSAY_MUST_USE assay_status assay_cassette_add(assay_cassette *cassette,
                                               const assay_call *call, assay_slice reply,
                                               const assay_call_reply *how,
                                               assay_error *err);

#endif
