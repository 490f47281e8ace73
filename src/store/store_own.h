/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the store share: the handle, statements, work that is tried again. */
#ifndef ASSAY_STORE_STORE_OWN_H
#define ASSAY_STORE_STORE_OWN_H

#include "base/buffer.h"
#include "base/zblock.h"
#include "run/run_json.h"
#include "store/database.h"
#include "store/hits_block.h"
#include "store/store.h"

enum { ASSAY_STORE_STMTS = 48 };

struct assay_store {
    const assay_database *kind;
    void *db;              /* null: the connection was lost */
    char *place;           /* as given, with what is secret */
    char *shown;           /* as it may be shown */
    assay_store_mode mode; /* for opening it again */
    uint32_t patience_ms;  /* to wait for a database that is gone */
    assay_store_waiting *waiting;
    void *waiting_ctx;
    struct {
        const char *sql; /* a constant; compared by its address */
        void *stmt;
    } prepared[ASSAY_STORE_STMTS];
    uint32_t n_prepared;
    bool is_again; /* the work at hand was tried before: it may be done already */

    /* Used again from result to result. */
    assay_hits_packer packer;
    assay_run_reader reader;
    assay_zblock z;
    assay_buffer json;
    assay_buffer hits;
    assay_buffer cached_run; /* whose k is known */
    uint32_t cached_k;
};

/* ---- work ---- */

/* One transaction's worth of statements.  It may be called again after a lost connection,
 * so that it changes nothing but the database and what `arg` says. */
typedef assay_status assay_store_work(assay_store *store, void *arg, assay_error *err);

/* Do it; where the connection is gone, open it anew and do it again.  A transaction that
 * was begun and failed is rolled back. */
ASSAY_MUST_USE assay_status assay_store_do(assay_store *store, assay_store_work *work,
                                           void *arg, assay_error *err);

/* The same between begin and commit. */
ASSAY_MUST_USE assay_status assay_store_do_all(assay_store *store, assay_store_work *work,
                                               void *arg, assay_error *err);

/* ---- statements ---- */

/* Parameters are put one after the other; columns are taken one after the other. */
typedef struct assay_store_query {
    const assay_database *kind;
    void *stmt;
    int at;     /* of the next parameter, from 1 */
    int column; /* the next one, from 0 */
} assay_store_query;

/* `sql` is a constant, prepared once for a connection. */
ASSAY_MUST_USE assay_status assay_store_ask(assay_store *store, const char *sql,
                                            assay_store_query *out, assay_error *err);
void assay_query_int(assay_store_query *q, int64_t value);
void assay_query_text(assay_store_query *q, assay_slice text);
void assay_query_string(assay_store_query *q, const char *text); /* null is "" */
void assay_query_maybe(assay_store_query *q, assay_slice text);  /* "" is null */
void assay_query_blob(assay_store_query *q, assay_slice bytes);

/* The next row, whose columns are then taken from the first on. */
ASSAY_MUST_USE assay_status assay_query_step(assay_store_query *q, bool *has_row,
                                             assay_error *err);

/* To the end. */
ASSAY_MUST_USE assay_status assay_query_run(assay_store_query *q, assay_error *err);

int64_t assay_query_get_int(assay_store_query *q);
uint32_t assay_query_get_u32(assay_store_query *q);
assay_slice assay_query_get(assay_store_query *q); /* until the next step */

/* The same, copied; a null pointer in *out: no memory. */
assay_slice assay_query_copy(assay_store_query *q, assay_arena *arena);

/* Done with it before the last row. */
void assay_query_end(assay_store_query *q);

/* Rows changed by the last statement. */
int64_t assay_store_changes(const assay_store *store);

/* ---- words that several say ---- */

assay_status assay_store_no_run(const assay_store *store, assay_slice run_id,
                                assay_error *err);

/* Whether the last statement failed because a row that it names is not there. */
bool assay_store_is_foreign(const assay_store *store);

/* ---- results (store_result.c) ---- */

/* result_json and the block of hits, in store->json and store->hits; hits_top_k gets the
 * first k. */
ASSAY_MUST_USE assay_status assay_store_pack(assay_store *store,
                                             const assay_result *result,
                                             const assay_recorded *recorded, uint32_t k,
                                             assay_error *err);

/* The other way round; slices live in the arena of store->reader.  `recorded` is filled
 * with NaN where there is nothing; *has_recorded says. */
ASSAY_MUST_USE assay_status assay_store_unpack(assay_store *store, assay_slice json,
                                               assay_slice hits, assay_result *result,
                                               assay_recorded *recorded,
                                               bool *has_recorded, assay_error *err);

/* ---- rows of eval_runs (store_rows.c) ---- */

/* "SELECT ... FROM eval_runs r", whose columns assay_store_read_row takes. */
#define ASSAY_STORE_ROW                                                          \
    "SELECT r.run_id, r.suite, r.config_snapshot_json, r.aggregate_json,"        \
    " r.commit_hash, r.created_at, r.finished_at, r.status, r.source, r.method," \
    " r.golden_hash, r.corpus_hash, r.chunker, r.k, r.depth, r.n_planned,"       \
    " (SELECT count(*) FROM eval_query_results q WHERE q.run_id = r.run_id),"    \
    " (SELECT count(*) FROM eval_query_results q WHERE q.run_id = r.run_id"      \
    "  AND q.has_failed = 1) FROM eval_runs r"

/* The row that was stepped to, without its tags. */
ASSAY_MUST_USE assay_status assay_store_read_row(assay_store_query *q, assay_arena *arena,
                                                 assay_stored *out, assay_error *err);

/* The rows that are left, with their tags. */
ASSAY_MUST_USE assay_status assay_store_read_rows(assay_store *store,
                                                  assay_store_query *q,
                                                  assay_arena *arena, assay_stored **out,
                                                  uint32_t *n, assay_error *err);

#endif
