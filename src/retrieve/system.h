/* SPDX-License-Identifier: Apache-2.0 */
/* Other people's systems: the socket (x_*.c, listed in system_roster.h).
 *
 * A system is asked one query and gives hits, and an answer when it is asked for one.
 * However it misbehaves (late, dead, garbage, too much), that is one failed query: the
 * result has an error, and the next query is asked.  Only what makes going on pointless is
 * a failure of the call: the start-up check, no memory, an interruption.
 *
 * The protocol is in docs/SYSTEMS.md: one request {"schema":"assay.query/1","id","query",
 * "k","answer"}, one reply {"id","hits":[...],"answer":{...},"usage":{...}} or
 * {"id","error"}. */
#ifndef ASSAY_RETRIEVE_SYSTEM_H
#define ASSAY_RETRIEVE_SYSTEM_H

#include <stdatomic.h>
#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/cassette.h"
#include "base/node.h"
#include "base/notes.h"
#include "run/run.h"

/* What a system is opened from; zeroed is ready but for the spelling. */
typedef struct assay_system_source {
    const char *spelling; /* "cmd:python3 my.py", "http://host/path", "file:run.jsonl" */
    const assay_node
        *config; /* the map `system` of assay.yaml (pointers, headers), or null */
    const char *config_path;  /* for messages: where the map stands */
    double timeout_s;         /* of one query, 0 = 60 */
    uint32_t retries;         /* after the first attempt, UINT32_MAX = none, 0 = 2 */
    double per_second;        /* most requests a second over all workers, 0 = no limit */
    size_t most_bytes;        /* of one reply, 0 = 64 MB */
    const char *api_key;      /* sent as bearer; never stored, logged or printed */
    assay_cassette *cassette; /* record or replay, or null */
    const atomic_int *stop;   /* not 0: give up as soon as possible; or null */
    assay_notes *notes;       /* what people should know */
    assay_arena *arena;       /* for the notes */
} assay_system_source;

typedef struct assay_question {
    assay_slice id;
    assay_slice query;
    uint32_t k; /* hits wanted */
    bool wants_answer;
} assay_question;

typedef struct assay_system {
    const char *name; /* "cmd", "http", "file" */
    const char *summary;

    /* Whether a spelling is this system's. */
    bool (*is_mine)(assay_slice spelling);

    /* Check that it can be used at all: the program starts, the server listens, the file
     * reads.  What cannot is ASSAY_ESYSTEM (EUSAGE, EINPUT) with a clear word. */
    assay_status (*open)(const assay_system_source *source, void **state,
                         assay_error *err);

    /* A worker: its own process or connection.  Several may be open on one state. */
    assay_status (*worker)(void *state, void **worker, assay_error *err);

    /* Ask.  *out has its hits and answer in `arena`, elapsed_ms, or an error; query_id and
     * query are left to the caller.  At most k hits are kept. */
    assay_status (*ask)(void *worker, const assay_question *question, assay_arena *arena,
                        assay_result *out, assay_error *err);

    /* One line without secrets: stored with a run. */
    void (*identity)(const void *state, assay_buffer *out);

    void (*worker_close)(void *worker);
    void (*close)(void *state);
} assay_system;

/* Null past the end. */
const assay_system *assay_system_at(size_t i);

/* The system of a spelling; none is ASSAY_EUSAGE that lists those there are. */
ASSAY_MUST_USE assay_status assay_system_get(const char *spelling,
                                             const assay_system **out, assay_error *err);

/* The spelling that the value of `system` in assay.yaml (a string or a map) stands for, in
 * `arena`.  A map that does not fit is ASSAY_EINPUT with its place. */
ASSAY_MUST_USE assay_status assay_system_spelling(const assay_node *config,
                                                  const char *path, assay_arena *arena,
                                                  const char **out, assay_error *err);

/* A spelling without what may be secret: user, password and query of an address; of a
 * command the values of options that are named like a key, token or password. */
void assay_system_public(const char *spelling, assay_buffer *out);

#endif
