/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that last: one place for runs, the golden sets they were made with, and baselines.
 *
 * A store is a file (SQLite) or a server (PostgreSQL); the statements are the same, what
 * differs is the database behind them (database.h; s_*.c, listed in store_roster.h).
 *
 * Every call is a transaction of its own: what has returned ASSAY_OK survives the death of
 * this process.  A handle belongs to one thread at a time; several handles, in one process
 * or many, may write to one store at once. */
#ifndef ASSAY_STORE_STORE_H
#define ASSAY_STORE_STORE_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "golden/golden.h"
#include "run/run.h"

typedef struct assay_store assay_store;

typedef enum assay_store_mode {
    ASSAY_STORE_READ,  /* must be there */
    ASSAY_STORE_WRITE, /* must be there */
    ASSAY_STORE_CREATE /* made when it is not, with its folder */
} assay_store_mode;

/* `place` is a path or postgresql://...; a password in it never reaches a message.  An
 * older schema is brought up to date (when it may be written), a newer one is
 * ASSAY_EINPUT and named. */
ASSAY_MUST_USE assay_status assay_store_open(const char *place, assay_store_mode mode,
                                             assay_store **out, assay_error *err);
void assay_store_close(assay_store *store); /* null is allowed */

/* The place, without what is secret. */
const char *assay_store_place(const assay_store *store);

/* How long to wait for a database that is gone, or that somebody else has locked, before
 * that is an error: 30 seconds unless said otherwise. */
void assay_store_set_patience(assay_store *store, uint32_t ms);

/* Who wants to hear of it: `waiting` is called with the words of the failure when it begins,
 * and with null when it is over, by whatever end. */
typedef void assay_store_waiting(void *ctx, const char *words);
void assay_store_set_waiting(assay_store *store, assay_store_waiting *waiting, void *ctx);

/* ---- runs ---- */

typedef struct assay_tag {
    assay_slice key;
    assay_slice value;
} assay_tag;

/* How far a run is. */
#define ASSAY_RUN_OPEN "running" /* not all planned queries are done; may be resumed */
#define ASSAY_RUN_DONE "done"

/* Everything about a run but its results; a row of eval_runs and its tags. */
typedef struct assay_stored {
    assay_slice run_id;      /* "run_" and 32 hex digits (UUIDv7) */
    assay_slice suite;       /* a label of the user's, "" = none */
    assay_slice snapshot;    /* JSON (run/snapshot.h): how it was made */
    assay_slice aggregate;   /* JSON; "{}" until it was measured */
    assay_slice commit;      /* of the project, "" = unknown */
    assay_slice created_at;  /* UTC, RFC 3339 with milliseconds */
    assay_slice finished_at; /* "" = not yet */
    assay_slice status;      /* ASSAY_RUN_OPEN or ASSAY_RUN_DONE */
    assay_slice source;      /* "assay", or the format it was imported from */
    /* Copies of what stands in the snapshot, to be filtered by. */
    assay_slice method;
    assay_slice golden_hash; /* of a golden set in the store; "" = none */
    assay_slice corpus_hash; /* "" = unknown */
    assay_slice chunker;     /* "" = unknown */
    uint32_t k;              /* 0 = unknown */
    uint32_t depth;          /* hits asked for, 0 = unknown */
    uint32_t n_planned;
    /* Kept by the store, from the results it has. */
    uint32_t n_done;
    uint32_t n_failed;
    assay_tag *tag; /* in byte order of their keys */
    uint32_t n_tags;
} assay_stored;

/* Add a run.  An id that is there already is ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_store_add(assay_store *store, const assay_stored *run,
                                            assay_error *err);

/* Add the result of one query, or put it in the place of the one that was there.  The hits
 * must be in memory (those of a TREC run: see assay_run_result). */
ASSAY_MUST_USE assay_status assay_store_put(assay_store *store, assay_slice run_id,
                                            const assay_result *result, assay_error *err);

/* The same for many at once, in one transaction: for imports. */
ASSAY_MUST_USE assay_status assay_store_put_all(assay_store *store, assay_slice run_id,
                                                const assay_run *run, assay_error *err);

/* Change the row: aggregate, status, finished_at; an empty slice leaves its field alone. */
typedef struct assay_stored_change {
    assay_slice aggregate;
    assay_slice status;
    assay_slice finished_at;
    assay_slice snapshot;
} assay_stored_change;
ASSAY_MUST_USE assay_status assay_store_change(assay_store *store, assay_slice run_id,
                                               const assay_stored_change *change,
                                               assay_error *err);

/* An empty value takes the tag away. */
ASSAY_MUST_USE assay_status assay_store_tag(assay_store *store, assay_slice run_id,
                                            assay_slice key, assay_slice value,
                                            assay_error *err);

/* Take the run away with its results, and golden sets that no run or baseline has any
 * more.  One that a baseline names is ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_store_remove(assay_store *store, assay_slice run_id,
                                               assay_error *err);

/* Which runs; zeroed: all.  Strings may be null. */
typedef struct assay_store_filter {
    const char *suite;
    const char *method; /* the whole spelling, or its name before the brackets */
    const char *tag;    /* "key" or "key=value" */
    const char *since;  /* created_at at or after: a beginning of an RFC 3339 time */
    const char *before; /* created_at before */
    const char *status;
    const char *prefix; /* of the run id */
    uint32_t most;      /* newest first, 0 = all */
} assay_store_filter;

/* Newest first; of equal times the greater run id.  Everything lives in `arena`. */
ASSAY_MUST_USE assay_status assay_store_list(assay_store *store,
                                             const assay_store_filter *filter,
                                             assay_arena *arena, assay_stored **out,
                                             uint32_t *n, assay_error *err);

/* One run; none of this id is ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_store_get(assay_store *store, assay_slice run_id,
                                            assay_arena *arena, assay_stored *out,
                                            assay_error *err);

/* The run that a person names: an id, a unique beginning of one, `latest`, `latest~2`,
 * `baseline`, the name of a baseline, `key=value` of a tag (the newest that has it), or a
 * tag's value that only one run has.  What is not there, and what is ambiguous (with the
 * candidates), is ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_store_find(assay_store *store, const char *name,
                                             assay_arena *arena, assay_stored *out,
                                             assay_error *err);

/* Its results, as a run whose name is the run id, in byte order of query ids.  The caller
 * owns *out. */
ASSAY_MUST_USE assay_status assay_store_load(assay_store *store, assay_slice run_id,
                                             assay_run **out, assay_error *err);

/* Free a run that was loaded from this store, and keep its memory for the next one: for
 * those who go through many. */
void assay_store_recycle(assay_store *store, assay_run *run); /* null is allowed */

/* Which queries have a result; for those that go on with a run. */
typedef struct assay_store_done {
    assay_slice query_id;
    bool has_failed;
} assay_store_done;
ASSAY_MUST_USE assay_status assay_store_done_list(assay_store *store, assay_slice run_id,
                                                  assay_arena *arena,
                                                  assay_store_done **out, uint32_t *n,
                                                  assay_error *err);

/* ---- golden sets, by the hash of their contents ---- */

/* `text` is what golden/frozen.h makes; one that is there already is left alone. */
ASSAY_MUST_USE assay_status assay_store_put_golden(assay_store *store, assay_slice hash,
                                                   assay_slice name, assay_slice text,
                                                   assay_error *err);
ASSAY_MUST_USE assay_status assay_store_get_golden(assay_store *store, assay_slice hash,
                                                   assay_arena *arena, assay_slice *text,
                                                   assay_error *err);

/* ---- baselines ---- */

typedef struct assay_stored_baseline {
    assay_slice name;
    assay_slice run_id;
    assay_slice note;
    assay_slice created_at;
} assay_stored_baseline;

ASSAY_MUST_USE assay_status assay_store_set_baseline(assay_store *store,
                                                     const assay_stored_baseline *b,
                                                     assay_error *err);
ASSAY_MUST_USE assay_status assay_store_clear_baseline(assay_store *store,
                                                       assay_slice name,
                                                       assay_error *err);
/* In byte order of their names. */
ASSAY_MUST_USE assay_status assay_store_baselines(assay_store *store, assay_arena *arena,
                                                  assay_stored_baseline **out,
                                                  uint32_t *n, assay_error *err);

#endif
