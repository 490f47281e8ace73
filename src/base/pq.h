/* SPDX-License-Identifier: Apache-2.0 */
/* PostgreSQL with our errors: one connection, its statements, transactions.  The sister of
 * base/sql.h.
 *
 * libpq is looked for when the first connection is opened (pq_lib.h).  It allocates by
 * itself, as SQLite does.  It also reads what psql reads: ~/.pgpass, PGPASSWORD and the like
 * hold for what the address leaves out.
 *
 * Nothing waits for ever: connecting and each statement have a time limit, after which the
 * connection counts as lost.  A connection and its statements belong to one thread at a
 * time. */
#ifndef ASSAY_BASE_PQ_H
#define ASSAY_BASE_PQ_H

#include <stdbool.h>

#include "assay.h"

typedef struct assay_pq assay_pq;           /* a connection */
typedef struct assay_pq_stmt assay_pq_stmt; /* a prepared statement of it */

/* Whether `place` is an address of PostgreSQL's: postgresql:// or postgres://. */
bool assay_pq_is_url(const char *place);

/* An address without what is secret: scheme, user, hosts, database, schema. */
void assay_pq_public_url(const char *url, char *out, size_t size);

/* Connect.  Besides what libpq knows, '?schema=name' in the address says which schema tables
 * are looked for and made in.  An address that cannot be read and a database that is not there are
 * ASSAY_EUSAGE; a server that is not there, or refuses, is ASSAY_ESYSTEM.  No message has
 * the password in it. */
ASSAY_MUST_USE assay_status assay_pq_open(const char *url, assay_pq **out,
                                          assay_error *err);
void assay_pq_close(assay_pq *pq); /* null is allowed; statements must be freed */

/* The address, without what is secret. */
const char *assay_pq_place(const assay_pq *pq);

/* The schema that the address names, whether it is there or not; "" = none. */
const char *assay_pq_schema(const assay_pq *pq);

/* Why the last call failed, as far as the caller can do something. */
typedef enum assay_pq_fault {
    ASSAY_PQ_FAULT_NONE, /* it did not, or nothing can be done */
    ASSAY_PQ_FAULT_LOST, /* the server was stopped, crashed or fell silent: open it anew.
                               What was in a transaction is gone; what was sent for commit
                               may be done or not */
    ASSAY_PQ_FAULT_FOREIGN, /* a row that another refers to is not there, or is in use */
    ASSAY_PQ_FAULT_AGAIN    /* the transaction lost against another: run it again */
} assay_pq_fault;
assay_pq_fault assay_pq_fault_of(const assay_pq *pq);

/* Run statements, separated by semicolons, whose rows are of no interest. */
ASSAY_MUST_USE assay_status assay_pq_run(assay_pq *pq, const char *text,
                                         assay_error *err);

ASSAY_MUST_USE assay_status assay_pq_begin(assay_pq *pq, assay_error *err);
ASSAY_MUST_USE assay_status assay_pq_commit(assay_pq *pq, assay_error *err);
void assay_pq_rollback(assay_pq *pq); /* also when there is none */

/* ---- statements ---- */

/* Parameters are $1, $2 ...  `text` outlives the statement; the server sees it when it is
 * first run. */
ASSAY_MUST_USE assay_status assay_pq_stmt_new(assay_pq *pq, const char *text,
                                              assay_pq_stmt **out, assay_error *err);
void assay_pq_stmt_free(assay_pq_stmt *stmt);

/* Values for $1, $2 ...  Slices are borrowed until the statement has run.  Those for bigint
 * and the like are ints, those for text and bytea slices. */
void assay_pq_put_int(assay_pq_stmt *stmt, int at, int64_t value);
void assay_pq_put_slice(assay_pq_stmt *stmt, int at, assay_slice bytes);
void assay_pq_put_null(assay_pq_stmt *stmt, int at);

/* The next row: *has_row says whether there is one.  The first step runs the statement and
 * fetches all its rows, so that a row that was seen is followed by all others.  After the
 * last one, or an error, the statement is reset. */
ASSAY_MUST_USE assay_status assay_pq_step(assay_pq_stmt *stmt, bool *has_row,
                                          assay_error *err);

/* To the end, whatever the rows. */
ASSAY_MUST_USE assay_status assay_pq_stmt_run(assay_pq_stmt *stmt, assay_error *err);

/* Done with it before its last row. */
void assay_pq_reset(assay_pq_stmt *stmt);

/* Columns of the row, from 0; slices hold until the next step or reset.  A null is 0 or
 * empty. */
int64_t assay_pq_int(const assay_pq_stmt *stmt, int column);
assay_slice assay_pq_slice(const assay_pq_stmt *stmt, int column); /* text or bytea */
bool assay_pq_is_null(const assay_pq_stmt *stmt, int column);

/* Rows changed by the statement that last ran to its end. */
int64_t assay_pq_changes(const assay_pq *pq);

#endif
