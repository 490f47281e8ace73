/* SPDX-License-Identifier: Apache-2.0 */
/* What the store needs of a database: the socket of s_*.c, which store_roster.h lists.
 *
 * The store's SQL stands once, in store*.c, in what all databases take: parameters are
 * $1, $2 ... in the order of their first use; upserts are INSERT ... VALUES ... ON
 * CONFLICT; text compares by bytes (SQLite's default, COLLATE "C" elsewhere); truth is an
 * integer, 0 or 1.  Only the schema is written once for each (store/sql/<name>/NNNN_*.sql).
 *
 * A connection and its statements belong to one thread at a time.  Words of a failure
 * begin with the place in quotes, without what is secret in it. */
#ifndef ASSAY_STORE_DATABASE_H
#define ASSAY_STORE_DATABASE_H

#include <stdbool.h>

#include "assay.h"
#include "store/store.h"

/* Why the last call on a connection failed, as far as the store can do something. */
typedef enum assay_database_fault {
    ASSAY_FAULT_NONE,    /* it did not, or nothing can be done */
    ASSAY_FAULT_LOST,    /* the connection is gone; opening it anew may help */
    ASSAY_FAULT_FOREIGN, /* a row that another refers to is not there, or is in use */
    ASSAY_FAULT_AGAIN    /* the transaction lost against another and may be run again */
} assay_database_fault;

typedef struct assay_database {
    const char *name;    /* "sqlite" */
    const char *summary; /* one line for help */

    /* Whether `place` is one of this database's.  The first of the roster that says yes is
     * taken. */
    bool (*takes)(const char *place);

    /* Connect.  CREATE makes what is not there.  In the other modes a place that is not
     * there is ASSAY_EUSAGE; what is no database of this kind is ASSAY_EINPUT; what is
     * refused is ASSAY_ESYSTEM.  On failure *db is not touched. */
    assay_status (*open)(const char *place, assay_store_mode mode, void **db,
                         assay_error *err);
    void (*close)(void *db); /* null is allowed; statements were freed before */

    /* The place as it may be shown: no password. */
    const char *(*place)(const void *db);

    /* Bring the schema up to date: all steps that are missing, in one transaction, also
     * when two processes do it at once.  With ASSAY_STORE_READ nothing is written.  A newer
     * schema, an older one that may only be read, and a database of something else are
     * ASSAY_EINPUT. */
    assay_status (*migrate)(void *db, assay_error *err);

    assay_database_fault (*fault)(const void *db);

    /* A statement outside of begin and commit is a transaction of its own.  Whoever has
     * begun to write goes first: nobody has to give up at the commit. */
    assay_status (*begin)(void *db, assay_error *err);
    assay_status (*commit)(void *db, assay_error *err);
    void (*rollback)(void *db); /* also when there is none, or no connection */

    /* Rows that the last statement inserted, changed or deleted. */
    int64_t (*changes)(const void *db);

    /* ---- statements ---- */

    /* `sql` outlives the statement. */
    assay_status (*prepare)(void *db, const char *sql, void **stmt, assay_error *err);
    void (*free)(void *stmt); /* null is allowed */

    /* Values for $1, $2 ...: `at` is from 1.  Every value is put anew each time; bytes are
     * borrowed until the statement is reset.  A failure sticks and is told by the next
     * step. */
    void (*put_int)(void *stmt, int at, int64_t value);
    void (*put_text)(void *stmt, int at, assay_slice text);
    void (*put_blob)(void *stmt, int at, assay_slice bytes);
    void (*put_null)(void *stmt, int at);

    /* The first step runs the statement; *has_row says whether there is a row.  After the
     * last one, or an error, the statement is reset. */
    assay_status (*step)(void *stmt, bool *has_row, assay_error *err);
    void (*reset)(void *stmt);

    /* Columns of the row, from 0.  Slices (text or blob; "" for null) hold until the next
     * step or reset. */
    int64_t (*column_int)(const void *stmt, int column);
    assay_slice (*column_slice)(const void *stmt, int column);
    bool (*column_is_null)(const void *stmt, int column);

    /* How long to wait for what another process has locked; null where nobody waits. */
    void (*set_patience)(void *db, uint32_t ms);
} assay_database;

/* Null past the end. */
const assay_database *assay_database_at(size_t i);

/* The one that takes the place; ASSAY_EUSAGE when there is none. */
ASSAY_MUST_USE assay_status assay_database_find(const char *place,
                                                const assay_database **out,
                                                assay_error *err);

#endif
