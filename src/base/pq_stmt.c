/* SPDX-License-Identifier: Apache-2.0 */
/* Statements: what is run once is sent as it is, what is run again is prepared.  Values go
 * and rows come in binary, where bytes need no quoting. */
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/pq.h"
#include "base/pq_lib.h"
#include "base/pq_own.h"
#include "base/slice.h"

enum { MOST_VALUES = 32, TEXT = 0, BINARY = 1 };

/* The server's numbers of its types, pg_type.oid. */
enum { TYPE_BOOL = 16, TYPE_INT8 = 20, TYPE_INT2 = 21, TYPE_INT4 = 23 };

struct assay_pq_stmt {
    assay_pq *pq;
    const char *text;
    char name[16];
    bool has_run;
    bool is_prepared;
    bool is_too_long; /* one of the values */
    int n_values;
    const char *value[MOST_VALUES];
    int length[MOST_VALUES];
    int format[MOST_VALUES];
    char number[MOST_VALUES][24];
    assay_pq_result *result; /* null when it was not stepped yet */
    int row;
};

assay_status assay_pq_stmt_new(assay_pq *pq, const char *text, assay_pq_stmt **out,
                               assay_error *err)
{
    assay_pq_stmt *stmt = ASSAY_NEW(assay_pq_stmt);

    if (!stmt)
        return assay_fail_memory(err, "preparing a statement");
    stmt->pq = pq;
    stmt->text = text;
    snprintf(stmt->name, sizeof stmt->name, "s%lu", (unsigned long)pq->n_stmts++);
    *out = stmt;
    return ASSAY_OK;
}

void assay_pq_stmt_free(assay_pq_stmt *stmt)
{
    assay_pq *pq;
    char text[40];

    if (!stmt)
        return;
    pq = stmt->pq;
    assay_pq_reset(stmt);
    if (stmt->is_prepared && pq->conn &&
        pq->lib.transaction(pq->conn) == ASSAY_PQ_TRANS_IDLE) {
        snprintf(text, sizeof text, "DEALLOCATE %s", stmt->name);
        /* If it fails, the server forgets it with the connection. */
        if (assay_pq_run(pq, text, NULL))
            stmt->is_prepared = false;
    }
    assay_mem_free(stmt);
}

/* ---- values ---- */

static void put(assay_pq_stmt *stmt, int at, const char *value, size_t len, int format)
{
    int i = at - 1;

    assert(at >= 1 && at <= MOST_VALUES);
    if (len > INT_MAX) {
        stmt->is_too_long = true;
        len = 0;
    }
    stmt->value[i] = value;
    stmt->length[i] = (int)len;
    stmt->format[i] = format;
    stmt->n_values = stmt->n_values > at ? stmt->n_values : at;
}

void assay_pq_put_int(assay_pq_stmt *stmt, int at, int64_t value)
{
    assert(at >= 1 && at <= MOST_VALUES);
    /* As text, it fits whatever whole number the server wants. */
    snprintf(stmt->number[at - 1], sizeof stmt->number[0], "%lld", (long long)value);
    put(stmt, at, stmt->number[at - 1], 0, TEXT);
}

void assay_pq_put_slice(assay_pq_stmt *stmt, int at, assay_slice bytes)
{
    put(stmt, at, bytes.len ? bytes.ptr : "", bytes.len, BINARY);
}

void assay_pq_put_null(assay_pq_stmt *stmt, int at)
{
    put(stmt, at, NULL, 0, TEXT);
}

/* ---- running ---- */

static assay_status prepare(assay_pq_stmt *stmt, assay_error *err)
{
    assay_pq *pq = stmt->pq;
    assay_pq_result *result;
    assay_status st = assay_pq_receive(
        pq, pq->lib.send_prepare(pq->conn, stmt->name, stmt->text, 0, NULL) != 0, &result,
        err);

    if (st)
        return st;
    pq->lib.clear(result);
    stmt->is_prepared = true;
    return ASSAY_OK;
}

static bool send(assay_pq_stmt *stmt)
{
    const assay_pq_lib *lib = &stmt->pq->lib;
    assay_pq_conn *conn = stmt->pq->conn;

    if (stmt->is_prepared)
        return lib->send_prepared(conn, stmt->name, stmt->n_values, stmt->value,
                                  stmt->length, stmt->format, BINARY) != 0;
    return lib->send_params(conn, stmt->text, stmt->n_values, NULL, stmt->value,
                            stmt->length, stmt->format, BINARY) != 0;
}

static assay_status execute(assay_pq_stmt *stmt, assay_error *err)
{
    assay_pq *pq = stmt->pq;
    assay_slice changed;
    assay_status st = assay_pq_ready(pq, err);

    if (!st && stmt->is_too_long)
        st = assay_fail(err, ASSAY_EINPUT, "'%s': a value is too large for PostgreSQL",
                        pq->place);
    if (st)
        return st;
    if (stmt->has_run && !stmt->is_prepared)
        st = prepare(stmt, err);
    if (!st)
        st = assay_pq_receive(pq, send(stmt), &stmt->result, err);
    if (st)
        return st;
    stmt->has_run = true;
    stmt->row = -1;
    changed = assay_slice_of(pq->lib.n_changed(stmt->result));
    if (!assay_slice_to_i64(changed, &pq->changes))
        pq->changes = 0;
    return ASSAY_OK;
}

assay_status assay_pq_step(assay_pq_stmt *stmt, bool *has_row, assay_error *err)
{
    assay_status st = stmt->result ? ASSAY_OK : execute(stmt, err);

    if (!st) {
        stmt->row++;
        *has_row = stmt->row < stmt->pq->lib.n_rows(stmt->result);
    }
    if (st || !*has_row)
        assay_pq_reset(stmt);
    return st;
}

assay_status assay_pq_stmt_run(assay_pq_stmt *stmt, assay_error *err)
{
    bool has_row;
    assay_status st = assay_pq_step(stmt, &has_row, err);

    if (!st)
        assay_pq_reset(stmt);
    return st;
}

void assay_pq_reset(assay_pq_stmt *stmt)
{
    stmt->pq->lib.clear(stmt->result);
    stmt->result = NULL;
    stmt->n_values = 0;
    stmt->is_too_long = false;
}

/* ---- rows ---- */

bool assay_pq_is_null(const assay_pq_stmt *stmt, int column)
{
    return stmt->pq->lib.is_null(stmt->result, stmt->row, column) != 0;
}

assay_slice assay_pq_slice(const assay_pq_stmt *stmt, int column)
{
    const assay_pq_lib *lib = &stmt->pq->lib;
    int len = lib->length(stmt->result, stmt->row, column);

    if (len <= 0)
        return (assay_slice){"", 0};
    return (assay_slice){lib->value(stmt->result, stmt->row, column), (size_t)len};
}

int64_t assay_pq_int(const assay_pq_stmt *stmt, int column)
{
    unsigned type = stmt->pq->lib.type(stmt->result, column);
    assay_slice bytes = assay_pq_slice(stmt, column);
    uint64_t value = 0;
    uint64_t top;

    /* Anything else is a mistake in the statement: sums are cast to bigint there. */
    assert(type == TYPE_INT8 || type == TYPE_INT4 || type == TYPE_INT2 ||
           type == TYPE_BOOL);
    (void)type;
    if (!bytes.len || bytes.len > sizeof value)
        return 0;
    for (size_t i = 0; i < bytes.len; i++)
        value = value << 8 | (unsigned char)bytes.ptr[i];
    /* Shorter ones keep their sign. */
    top = (uint64_t)1 << (8 * bytes.len - 1);
    value = (value ^ top) - top;
    return (int64_t)value;
}
