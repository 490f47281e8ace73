/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite with our errors: one connection, its statements, transactions, schema steps.
 *
 * SQLite allocates by itself: its memory does not go through base/mem.h, and where it
 * runs out the status is ASSAY_ENOMEM like everywhere.  A connection and its statements
 * belong to one thread at a time. */
#ifndef ASSAY_BASE_SQL_H
#define ASSAY_BASE_SQL_H

#include <stdbool.h>

#include "assay.h"

typedef struct assay_sql assay_sql;   /* a connection */
typedef struct assay_stmt assay_stmt; /* a prepared statement of it */

typedef enum assay_sql_mode {
    ASSAY_SQL_READ,  /* must be there; also on a medium that cannot be written */
    ASSAY_SQL_WRITE, /* must be there */
    ASSAY_SQL_CREATE /* made when it is not; its folder must be there */
} assay_sql_mode;

/* Open the database `path`.  Writers use write-ahead logging: readers go on while one
 * writes, and a process that is killed loses at most the transaction it was in.  A file
 * that is not there is ASSAY_EUSAGE, one that is no database ASSAY_EINPUT; what the
 * system refuses is ASSAY_ESYSTEM. */
ASSAY_MUST_USE assay_status assay_sql_open(const char *path, assay_sql_mode mode,
                                           assay_sql **out, assay_error *err);

/* Open another program's database for reading without a trace: no lock, and no file beside
 * it is made or changed.  What its log has is seen (the database is held in memory then); who
 * writes to it meanwhile is not waited for, but told: see assay_sql_is_as_opened. */
ASSAY_MUST_USE assay_status assay_sql_open_untouched(const char *path, assay_sql **out,
                                                     assay_error *err);

/* Of such a one: whether nobody has written to the file since it was opened.  What was read
 * before is good then.  ASSAY_ESYSTEM when somebody has. */
ASSAY_MUST_USE assay_status assay_sql_is_as_opened(const assay_sql *sql,
                                                   assay_error *err);

void assay_sql_close(assay_sql *sql); /* null is allowed; statements must be freed */

/* What a file is: its kind, and how it is built, step by step. */
typedef struct assay_sql_schema {
    const char *what;        /* "corpus", for messages */
    uint32_t application_id; /* four letters that mark such files */
    const char *const *step; /* step[i] leads from version i to i + 1 */
    uint32_t n_steps;        /* the version that this program writes */
} assay_sql_schema;

/* Check that the file is of this kind, and bring it up to date in one transaction when
 * it may be written.  A newer version, an older one that may only be read, and a
 * database of something else are ASSAY_EINPUT. */
ASSAY_MUST_USE assay_status assay_sql_migrate(assay_sql *sql,
                                              const assay_sql_schema *schema,
                                              assay_error *err);

/* Run statements that give no rows. */
ASSAY_MUST_USE assay_status assay_sql_run(assay_sql *sql, const char *text,
                                          assay_error *err);

/* A transaction that may write from its beginning on, so that it never has to give up
 * half-way because somebody else wrote first. */
ASSAY_MUST_USE assay_status assay_sql_begin(assay_sql *sql, assay_error *err);
ASSAY_MUST_USE assay_status assay_sql_commit(assay_sql *sql, assay_error *err);
void assay_sql_rollback(assay_sql *sql); /* also when there is none */

/* How long to wait for what another process has locked; 10 seconds unless said
 * otherwise. */
void assay_sql_set_patience(assay_sql *sql, uint32_t ms);

int64_t assay_sql_last_id(const assay_sql *sql); /* of the last row inserted */
int64_t assay_sql_changes(const assay_sql *sql); /* rows changed by the last statement */

/* Whether the last failure was of a foreign key: a row that another refers to is not
 * there, or is still referred to. */
bool assay_sql_is_foreign(const assay_sql *sql);

/* What the open database is called. */
const char *assay_sql_path(const assay_sql *sql);

/* ---- statements ---- */

ASSAY_MUST_USE assay_status assay_stmt_new(assay_sql *sql, const char *text,
                                           assay_stmt **out, assay_error *err);
void assay_stmt_free(assay_stmt *stmt);

/* Values for ?1, ?2 ...  Slices are borrowed until the statement is reset.  A failure
 * sticks and is told by the next step. */
void assay_stmt_put_int(assay_stmt *stmt, int at, int64_t value);
void assay_stmt_put_text(assay_stmt *stmt, int at, assay_slice text);
void assay_stmt_put_blob(assay_stmt *stmt, int at, const void *bytes, size_t len);
void assay_stmt_put_null(assay_stmt *stmt, int at);

/* The next row: *has_row says whether there is one.  After the last one, or an error,
 * the statement is reset. */
ASSAY_MUST_USE assay_status assay_stmt_step(assay_stmt *stmt, bool *has_row,
                                            assay_error *err);

/* To the end, whatever the rows. */
ASSAY_MUST_USE assay_status assay_stmt_run(assay_stmt *stmt, assay_error *err);

/* Done with it before its last row. */
void assay_stmt_reset(assay_stmt *stmt);

/* Columns of the row, from 0; slices hold until the next step or reset. */
int64_t assay_stmt_int(const assay_stmt *stmt, int column);
assay_slice assay_stmt_slice(const assay_stmt *stmt, int column); /* text or blob */
bool assay_stmt_is_null(const assay_stmt *stmt, int column);

#endif
