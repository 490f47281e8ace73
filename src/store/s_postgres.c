/* SPDX-License-Identifier: Apache-2.0 */
/* A store on a server: PostgreSQL, over base/pq.h.
 *
 * One database can hold several stores, each in a schema of its own: '?schema=name' in the
 * address, the server's default (public) without.  A store's version stands in its table
 * assay_schema. */
#include <gen/sql_postgresql.inc>
#include <stdio.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/pq.h"
#include "store/database.h"

typedef struct connection {
    assay_pq *pq;
    assay_store_mode mode;
} connection;

static const assay_database_fault faults[] = {
    [ASSAY_PQ_FAULT_NONE] = ASSAY_FAULT_NONE,
    [ASSAY_PQ_FAULT_LOST] = ASSAY_FAULT_LOST,
    [ASSAY_PQ_FAULT_FOREIGN] = ASSAY_FAULT_FOREIGN,
    [ASSAY_PQ_FAULT_AGAIN] = ASSAY_FAULT_AGAIN,
};

/* ---- the schema ---- */

static assay_status ask_int(assay_pq *pq, const char *text, int64_t *out,
                            assay_error *err)
{
    assay_pq_stmt *stmt;
    bool has_row;
    assay_status st = assay_pq_stmt_new(pq, text, &stmt, err);

    if (st)
        return st;
    st = assay_pq_step(stmt, &has_row, err);
    if (!st)
        *out = has_row ? assay_pq_int(stmt, 0) : 0;
    assay_pq_stmt_free(stmt);
    return st;
}

/* to_regclass alone answers from the server's cache, which inside of a transaction does not
 * learn what others have done meanwhile; reading pg_class brings it up to date. */
static const char is_there_text[] =
    "SELECT count(*) FROM pg_class WHERE oid = to_regclass('assay_schema')";

/* 0 when there is no store yet. */
static assay_status ask_version(assay_pq *pq, int64_t *out, assay_error *err)
{
    int64_t is_there;
    assay_status st = ask_int(pq, is_there_text, &is_there, err);

    *out = 0;
    if (!st && is_there)
        st = ask_int(pq, "SELECT CAST(max(version) AS BIGINT) FROM assay_schema", out,
                     err);
    if (!st && (*out > (int64_t)ASSAY_COUNT(steps) || *out < 0))
        st = assay_fail(err, ASSAY_EINPUT,
                        "'%s' was written by a newer assay (schema %lld, this program "
                        "knows %lu)",
                        assay_pq_place(pq), (long long)*out,
                        (unsigned long)ASSAY_COUNT(steps));
    return st;
}

static assay_status make_schema(assay_pq *pq, assay_error *err)
{
    char text[120];

    if (!assay_pq_schema(pq)[0])
        return ASSAY_OK;
    snprintf(text, sizeof text, "CREATE SCHEMA IF NOT EXISTS \"%s\"",
             assay_pq_schema(pq));
    return assay_pq_run(pq, text, err);
}

static assay_status take_steps(assay_pq *pq, int64_t version, assay_error *err)
{
    assay_pq_stmt *stmt;
    assay_status st = version ? ASSAY_OK : make_schema(pq, err);

    if (!st && version == 0)
        st = assay_pq_run(pq,
                          "CREATE TABLE assay_schema (version BIGINT PRIMARY KEY,"
                          " applied_at TIMESTAMPTZ NOT NULL DEFAULT now())",
                          err);
    for (int64_t i = version; i < (int64_t)ASSAY_COUNT(steps) && !st; i++)
        st = assay_pq_run(pq, steps[i], err);
    if (!st)
        st = assay_pq_stmt_new(pq, "INSERT INTO assay_schema (version) VALUES ($1)",
                               &stmt, err);
    if (st)
        return st;
    assay_pq_put_int(stmt, 1, (int64_t)ASSAY_COUNT(steps));
    st = assay_pq_stmt_run(stmt, err);
    assay_pq_stmt_free(stmt);
    return st;
}

/* Programs that start at the same time take turns; the lock ends with the transaction. */
static const char lock_text[] = "SELECT pg_advisory_xact_lock(7022930912543)";

static assay_status migrate(void *of, assay_error *err)
{
    connection *db = of;
    int64_t version;
    assay_status st = ask_version(db->pq, &version, err);

    if (st || version == (int64_t)ASSAY_COUNT(steps))
        return st;
    if (db->mode == ASSAY_STORE_READ)
        return assay_fail(err, ASSAY_EINPUT,
                          "'%s' is a store of an older assay, to be updated by a command "
                          "that writes",
                          assay_pq_place(db->pq));
    st = assay_pq_begin(db->pq, err);
    if (!st)
        st = assay_pq_run(db->pq, lock_text, err);
    /* Somebody else may have been faster. */
    if (!st)
        st = ask_version(db->pq, &version, err);
    if (!st && version < (int64_t)ASSAY_COUNT(steps))
        st = take_steps(db->pq, version, err);
    if (!st)
        st = assay_pq_commit(db->pq, err);
    if (st)
        assay_pq_rollback(db->pq);
    return st;
}

/* ---- connections ---- */

static void close_server(void *of)
{
    connection *db = of;

    if (!db)
        return;
    assay_pq_close(db->pq);
    assay_mem_free(db);
}

static assay_status check_there(assay_pq *pq, assay_error *err)
{
    int64_t version;
    assay_status st = ask_version(pq, &version, err);

    if (!st && version == 0)
        st = assay_fail(err, ASSAY_EUSAGE, "no store in '%s'; 'assay run' makes one",
                        assay_pq_place(pq));
    return st;
}

static assay_status open_server(const char *place, assay_store_mode mode, void **out,
                                assay_error *err)
{
    connection *db = ASSAY_NEW(connection);
    assay_status st;

    if (!db)
        return assay_fail_memory(err, "opening a store");
    db->mode = mode;
    st = assay_pq_open(place, &db->pq, err);
    /* A second line of defence: readers cannot write by mistake. */
    if (!st && mode == ASSAY_STORE_READ)
        st = assay_pq_run(db->pq, "SET default_transaction_read_only = on", err);
    if (!st && mode != ASSAY_STORE_CREATE)
        st = check_there(db->pq, err);
    if (st) {
        close_server(db);
        return st;
    }
    *out = db;
    return ASSAY_OK;
}

static const char *place_of(const void *of)
{
    return assay_pq_place(((const connection *)of)->pq);
}

static assay_database_fault fault_of(const void *of)
{
    return faults[assay_pq_fault_of(((const connection *)of)->pq)];
}

static assay_status begin(void *of, assay_error *err)
{
    return assay_pq_begin(((connection *)of)->pq, err);
}

static assay_status commit(void *of, assay_error *err)
{
    return assay_pq_commit(((connection *)of)->pq, err);
}

static void rollback(void *of)
{
    assay_pq_rollback(((connection *)of)->pq);
}

static int64_t changes(const void *of)
{
    return assay_pq_changes(((const connection *)of)->pq);
}

static void set_patience(void *of, uint32_t ms)
{
    char text[60];

    snprintf(text, sizeof text, "SET lock_timeout = %lu", (unsigned long)ms);
    /* Where it fails, the connection is gone, and the next statement says so. */
    if (assay_pq_run(((connection *)of)->pq, text, NULL))
        return;
}

/* ---- statements ---- */

static assay_status prepare(void *of, const char *sql, void **out, assay_error *err)
{
    assay_pq_stmt *stmt;
    assay_status st = assay_pq_stmt_new(((connection *)of)->pq, sql, &stmt, err);

    if (!st)
        *out = stmt;
    return st;
}

static void free_statement(void *stmt)
{
    assay_pq_stmt_free(stmt);
}

static void put_int(void *stmt, int at, int64_t value)
{
    assay_pq_put_int(stmt, at, value);
}

static void put_slice(void *stmt, int at, assay_slice bytes)
{
    assay_pq_put_slice(stmt, at, bytes);
}

static void put_null(void *stmt, int at)
{
    assay_pq_put_null(stmt, at);
}

static assay_status step(void *stmt, bool *has_row, assay_error *err)
{
    return assay_pq_step(stmt, has_row, err);
}

static void reset(void *stmt)
{
    assay_pq_reset(stmt);
}

static int64_t column_int(const void *stmt, int column)
{
    return assay_pq_int(stmt, column);
}

static assay_slice column_slice(const void *stmt, int column)
{
    return assay_pq_slice(stmt, column);
}

static bool column_is_null(const void *stmt, int column)
{
    return assay_pq_is_null(stmt, column);
}

const assay_database assay_database_postgres = {
    .name = "postgresql",
    .summary = "a server: for teams; postgresql://user@host/database",
    .takes = assay_pq_is_url,
    .open = open_server,
    .close = close_server,
    .place = place_of,
    .migrate = migrate,
    .fault = fault_of,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .changes = changes,
    .prepare = prepare,
    .free = free_statement,
    .put_int = put_int,
    .put_text = put_slice,
    .put_blob = put_slice,
    .put_null = put_null,
    .step = step,
    .reset = reset,
    .column_int = column_int,
    .column_slice = column_slice,
    .column_is_null = column_is_null,
    .set_patience = set_patience,
};
