/* SPDX-License-Identifier: Apache-2.0 */
/* A store in one file: SQLite, over base/sql.h. */
#include <gen/sql_sqlite.inc>
#include <string.h>
#include <sys/stat.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/folder.h"
#include "base/mem.h"
#include "base/sql.h"
#include "store/database.h"

static const assay_sql_schema schema = {
    .what = "store",
    .application_id = 0x61735374, /* "asSt" */
    .step = steps,
    .n_steps = ASSAY_COUNT(steps),
};

typedef struct connection {
    assay_sql *sql;
    struct stat file; /* as it was opened */
    bool is_gone;     /* somebody took the file away */
} connection;

typedef struct statement {
    assay_stmt *stmt;
    connection *db;
    bool is_running;
} statement;

static bool takes_path(const char *place)
{
    return strstr(place, "://") == NULL;
}

static const assay_sql_mode modes[] = {
    [ASSAY_STORE_READ] = ASSAY_SQL_READ,
    [ASSAY_STORE_WRITE] = ASSAY_SQL_WRITE,
    [ASSAY_STORE_CREATE] = ASSAY_SQL_CREATE,
};

static assay_status open_file(const char *place, assay_store_mode mode, void **out,
                              assay_error *err)
{
    connection *db;
    struct stat st;
    assay_status status = ASSAY_OK;

    if (!place[0])
        return assay_fail(err, ASSAY_EUSAGE, "a store needs a path");
    if (mode == ASSAY_STORE_CREATE)
        status = assay_folder_make_for(place, err);
    else if (stat(place, &st) != 0)
        status =
            assay_fail(err, ASSAY_EUSAGE, "no store '%s'; 'assay run' makes one", place);
    if (status)
        return status;
    db = ASSAY_NEW(connection);
    if (!db)
        return assay_fail_memory(err, "opening a store");
    status = assay_sql_open(place, modes[mode], &db->sql, err);
    if (status) {
        assay_mem_free(db);
        return status;
    }
    if (stat(place, &db->file) != 0)
        memset(&db->file, 0, sizeof db->file);
    *out = db;
    return ASSAY_OK;
}

static void close_file(void *of)
{
    connection *db = of;

    if (!db)
        return;
    assay_sql_close(db->sql);
    assay_mem_free(db);
}

static const char *place_of(const void *of)
{
    return assay_sql_path(((const connection *)of)->sql);
}

static assay_status migrate(void *of, assay_error *err)
{
    return assay_sql_migrate(((connection *)of)->sql, &schema, err);
}

static assay_database_fault fault_of(const void *of)
{
    const connection *db = of;

    if (db->is_gone)
        return ASSAY_FAULT_LOST;
    return assay_sql_is_foreign(db->sql) ? ASSAY_FAULT_FOREIGN : ASSAY_FAULT_NONE;
}

/* An open file can be removed, or another put in its place, and go on as if nothing were:
 * everything written from then on would be lost. */
static assay_status check_there(connection *db, assay_error *err)
{
    const char *path = assay_sql_path(db->sql);
    struct stat now;

    db->is_gone = stat(path, &now) != 0 || now.st_ino != db->file.st_ino ||
                  now.st_dev != db->file.st_dev;
    if (!db->is_gone)
        return ASSAY_OK;
    return assay_fail(err, ASSAY_ESYSTEM, "'%s' was taken away while it was in use",
                      path);
}

static assay_status begin(void *of, assay_error *err)
{
    connection *db = of;
    assay_status st = check_there(db, err);

    return st ? st : assay_sql_begin(db->sql, err);
}

static assay_status commit(void *of, assay_error *err)
{
    return assay_sql_commit(((connection *)of)->sql, err);
}

static void rollback(void *of)
{
    assay_sql_rollback(((connection *)of)->sql);
}

static int64_t changes(const void *of)
{
    return assay_sql_changes(((const connection *)of)->sql);
}

static void set_patience(void *of, uint32_t ms)
{
    assay_sql_set_patience(((connection *)of)->sql, ms);
}

/* ---- statements ---- */

static assay_status prepare(void *of, const char *sql, void **out, assay_error *err)
{
    connection *db = of;
    statement *s = ASSAY_NEW(statement);
    assay_status st;

    if (!s)
        return assay_fail_memory(err, "preparing a statement");
    s->db = db;
    st = assay_stmt_new(db->sql, sql, &s->stmt, err);
    if (st) {
        assay_mem_free(s);
        return st;
    }
    *out = s;
    return ASSAY_OK;
}

static void free_statement(void *of)
{
    statement *s = of;

    if (!s)
        return;
    assay_stmt_free(s->stmt);
    assay_mem_free(s);
}

static void put_int(void *of, int at, int64_t value)
{
    assay_stmt_put_int(((statement *)of)->stmt, at, value);
}

static void put_text(void *of, int at, assay_slice text)
{
    assay_stmt_put_text(((statement *)of)->stmt, at, text);
}

static void put_blob(void *of, int at, assay_slice bytes)
{
    assay_stmt_put_blob(((statement *)of)->stmt, at, bytes.ptr, bytes.len);
}

static void put_null(void *of, int at)
{
    assay_stmt_put_null(((statement *)of)->stmt, at);
}

static void reset(void *of)
{
    statement *s = of;

    s->is_running = false;
    assay_stmt_reset(s->stmt);
}

static assay_status step(void *of, bool *has_row, assay_error *err)
{
    statement *s = of;
    assay_status st = s->is_running ? ASSAY_OK : check_there(s->db, err);

    if (st) {
        reset(s);
        return st;
    }
    st = assay_stmt_step(s->stmt, has_row, err);
    s->is_running = !st && *has_row;
    return st;
}

static int64_t column_int(const void *of, int column)
{
    return assay_stmt_int(((const statement *)of)->stmt, column);
}

static assay_slice column_slice(const void *of, int column)
{
    return assay_stmt_slice(((const statement *)of)->stmt, column);
}

static bool column_is_null(const void *of, int column)
{
    return assay_stmt_is_null(((const statement *)of)->stmt, column);
}

const assay_database assay_database_sqlite = {
    .name = "sqlite",
    .summary = "a file: nothing to set up, several processes may write at once",
    .takes = takes_path,
    .open = open_file,
    .close = close_file,
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
    .put_text = put_text,
    .put_blob = put_blob,
    .put_null = put_null,
    .step = step,
    .reset = reset,
    .column_int = column_int,
    .column_slice = column_slice,
    .column_is_null = column_is_null,
    .set_patience = set_patience,
};
