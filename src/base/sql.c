/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sql.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "base/wal.h"

enum { BUSY_MS = 10000 };

struct assay_sql {
    sqlite3 *db;
    char *path;
    bool may_write;
    int fault; /* SQLite's code of the last failure */
    /* Of another program's database: a copy of it and its log, or what its file was like. */
    char *image;
    struct stat as_opened;
};

struct assay_stmt {
    sqlite3_stmt *stmt;
    assay_sql *sql;
    int failed; /* SQLite's code of the first failed bind, or 0 */
};

/* ---- errors ---- */

/* What people can do about SQLite's primary codes; all others are the system's. */
static const struct {
    int code;
    assay_status status;
    const char *words;
} meanings[] = {
    {SQLITE_BUSY, ASSAY_ESYSTEM, "another process is writing to it; try again later"},
    {SQLITE_LOCKED, ASSAY_ESYSTEM, "it is locked"},
    {SQLITE_FULL, ASSAY_ESYSTEM, "no space left; what was complete is kept"},
    {SQLITE_READONLY, ASSAY_ESYSTEM, "it may not be written"},
    {SQLITE_PERM, ASSAY_ESYSTEM, "permission denied"},
    {SQLITE_CANTOPEN, ASSAY_ESYSTEM, "it cannot be opened"},
    {SQLITE_CORRUPT, ASSAY_EINPUT, "the database is damaged; make it anew"},
    {SQLITE_NOTADB, ASSAY_EINPUT, "it is no SQLite database"},
    {SQLITE_TOOBIG, ASSAY_EINPUT, "a value is too large for SQLite"},
};

static assay_status fail(assay_sql *sql, int code, assay_error *err)
{
    int primary = code & 0xFF;
    /* A commit that fails does not keep the system's number, but nobody has overwritten
     * it yet. */
    int last = errno;
    int number = sqlite3_system_errno(sql->db);
    char reason[200];

    sql->fault = code;
    if (primary == SQLITE_NOMEM)
        return assay_fail(err, ASSAY_ENOMEM, "out of memory while using '%s'", sql->path);
    if (!number && primary == SQLITE_IOERR)
        number = last;
    if ((primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN) && number &&
        strerror_r(number, reason, sizeof reason) == 0)
        return assay_fail(err, ASSAY_ESYSTEM, "'%s': %s", sql->path, reason);
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (meanings[i].code == primary)
            return assay_fail(err, meanings[i].status, "'%s': %s", sql->path,
                              meanings[i].words);
    /* A schema that differs from what the version number promises shows as SQL that does
     * not compile: the file is at fault, not the system. */
    return assay_fail(err, primary == SQLITE_ERROR ? ASSAY_EINPUT : ASSAY_ESYSTEM,
                      "'%s': %s", sql->path, sqlite3_errmsg(sql->db));
}

/* ---- connections ---- */

static bool is_wal_empty(const char *path)
{
    assay_buffer name = ASSAY_BUFFER_EMPTY;
    struct stat st;
    bool is_empty = false;

    assay_buffer_printf(&name, "%s-wal%c", path, 0);
    if (!name.has_failed)
        is_empty = stat(name.ptr, &st) != 0 || st.st_size == 0;
    assay_buffer_clear(&name);
    return is_empty;
}

/* As a URI, so that SQLite reads it without a log and without locks. */
static int open_immutable(const char *path, sqlite3 **db)
{
    assay_buffer uri = ASSAY_BUFFER_EMPTY;
    int code = SQLITE_NOMEM;

    assay_buffer_text(&uri, "file:");
    for (const char *p = path; *p; p++)
        assay_buffer_printf(&uri, strchr("%?#", *p) ? "%%%02X" : "%c", (unsigned char)*p);
    assay_buffer_printf(&uri, "?immutable=1%c", 0);
    if (!uri.has_failed)
        code = sqlite3_open_v2(uri.ptr, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
    assay_buffer_clear(&uri);
    return code;
}

/* SQLite opens lazily: only a read shows whether it can. */
static int probe(sqlite3 *db)
{
    return sqlite3_exec(db, "PRAGMA schema_version", NULL, NULL, NULL);
}

/* Mapped into memory a page is read without a call and a copy. */
static const char map_text[] = "PRAGMA mmap_size = 2147418112";

static int open_for_reading(assay_sql *sql)
{
    int code = sqlite3_open_v2(sql->path, &sql->db, SQLITE_OPEN_READONLY, NULL);

    if (code)
        return code;
    sqlite3_extended_result_codes(sql->db, 1);
    sqlite3_busy_timeout(sql->db, BUSY_MS);
    code = probe(sql->db);
    /* The log wants files beside the database even for readers.  Where the folder cannot
     * be written and there is no log, nobody can be writing: read it as it is. */
    if (((code & 0xFF) == SQLITE_CANTOPEN || (code & 0xFF) == SQLITE_READONLY) &&
        is_wal_empty(sql->path)) {
        sqlite3_close(sql->db);
        sql->db = NULL;
        code = open_immutable(sql->path, &sql->db);
        if (!code)
            code = probe(sql->db);
    }
    if (!code)
        (void)sqlite3_exec(sql->db, map_text, NULL, NULL, NULL);
    return code;
}

/* Larger pages than SQLite's own choice: texts are long, and so are the hits of a query.
 * The log is taken over into the file each 64 MB, which is when the disk is waited for. */
static const char set_up_text[] = "PRAGMA page_size = 16384;"
                                  "PRAGMA journal_mode = WAL;"
                                  "PRAGMA synchronous = NORMAL;"
                                  "PRAGMA wal_autocheckpoint = 4000;"
                                  "PRAGMA journal_size_limit = 67108864;"
                                  "PRAGMA foreign_keys = ON;"
                                  "PRAGMA temp_store = MEMORY";

/* Of several who turn a new file into one with a log, all but one are told at once that it is
 * busy: SQLite does not wait there, since two that waited would wait for each other. */
static int set_up(sqlite3 *db)
{
    enum { STEP_MS = 5 };
    int64_t began = assay_clock_us();
    int code = sqlite3_exec(db, set_up_text, NULL, NULL, NULL);

    while ((code & 0xFF) == SQLITE_BUSY && assay_clock_ms_since(began) < BUSY_MS) {
        sqlite3_sleep(STEP_MS);
        code = sqlite3_exec(db, set_up_text, NULL, NULL, NULL);
    }
    return code;
}

static int open_for_writing(assay_sql *sql, bool may_create)
{
    int flags = SQLITE_OPEN_READWRITE | (may_create ? SQLITE_OPEN_CREATE : 0);
    int code = sqlite3_open_v2(sql->path, &sql->db, flags, NULL);

    if (code)
        return code;
    sqlite3_extended_result_codes(sql->db, 1);
    sqlite3_busy_timeout(sql->db, BUSY_MS);
    /* What may only be read is opened for reading without a word. */
    if (sqlite3_db_readonly(sql->db, "main") == 1)
        return SQLITE_READONLY;
    return set_up(sql->db);
}

/* Nothing but the name. */
static assay_sql *new_sql(const char *path, assay_error *err)
{
    assay_sql *sql = ASSAY_NEW(assay_sql);
    size_t size = strlen(path) + 1;

    if (sql)
        sql->path = assay_mem_alloc(size);
    if (!sql || !sql->path) {
        assay_mem_free(sql);
        (void)assay_fail(err, ASSAY_ENOMEM, "out of memory while opening '%s'", path);
        return NULL;
    }
    memcpy(sql->path, path, size);
    return sql;
}

assay_status assay_sql_open(const char *path, assay_sql_mode mode, assay_sql **out,
                            assay_error *err)
{
    assay_sql *sql = new_sql(path, err);
    struct stat st;
    int code;

    if (!sql)
        return ASSAY_ENOMEM;
    if (mode != ASSAY_SQL_CREATE && stat(path, &st) != 0) {
        assay_sql_close(sql);
        return assay_fail(err, ASSAY_EUSAGE, "no file '%s'", path);
    }
    sql->may_write = mode != ASSAY_SQL_READ;
    code = sql->may_write ? open_for_writing(sql, mode == ASSAY_SQL_CREATE)
                          : open_for_reading(sql);
    if (code) {
        assay_status status = fail(sql, code, err);

        assay_sql_close(sql);
        return status;
    }
    *out = sql;
    return ASSAY_OK;
}

/* ---- databases of other programs ---- */

static int open_image(assay_sql *sql, size_t size)
{
    int code = sqlite3_open_v2(":memory:", &sql->db, SQLITE_OPEN_READWRITE, NULL);

    return code ? code
                : sqlite3_deserialize(sql->db, "main", (unsigned char *)sql->image,
                                      (sqlite3_int64)size, (sqlite3_int64)size,
                                      SQLITE_DESERIALIZE_READONLY);
}

assay_status assay_sql_open_untouched(const char *path, assay_sql **out, assay_error *err)
{
    assay_sql *sql = new_sql(path, err);
    size_t size = 0;
    assay_status st;
    int code;

    if (!sql)
        return ASSAY_ENOMEM;
    st = stat(path, &sql->as_opened) ? assay_fail(err, ASSAY_EUSAGE, "no file '%s'", path)
                                     : assay_wal_image(path, &sql->image, &size, err);
    if (!st) {
        code = sql->image ? open_image(sql, size) : open_immutable(path, &sql->db);
        if (!code)
            code = probe(sql->db);
        if (code)
            st = fail(sql, code, err);
    }
    if (st)
        assay_sql_close(sql);
    else
        *out = sql;
    return st;
}

assay_status assay_sql_is_as_opened(const assay_sql *sql, assay_error *err)
{
    const struct stat *old = &sql->as_opened;
    struct stat now;

    if (sql->image)
        return ASSAY_OK;
    if (stat(sql->path, &now) == 0 && now.st_size == old->st_size &&
        now.st_ino == old->st_ino && now.st_mtim.tv_sec == old->st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == old->st_mtim.tv_nsec)
        return ASSAY_OK;
    return assay_fail(err, ASSAY_ESYSTEM,
                      "'%s' was written to while it was read; try again", sql->path);
}

void assay_sql_close(assay_sql *sql)
{
    if (!sql)
        return;
    sqlite3_close(sql->db);
    assay_mem_free(sql->image);
    assay_mem_free(sql->path);
    assay_mem_free(sql);
}

const char *assay_sql_path(const assay_sql *sql)
{
    return sql->path;
}

assay_status assay_sql_run(assay_sql *sql, const char *text, assay_error *err)
{
    int code = sqlite3_exec(sql->db, text, NULL, NULL, NULL);

    return code ? fail(sql, code, err) : ASSAY_OK;
}

assay_status assay_sql_begin(assay_sql *sql, assay_error *err)
{
    return assay_sql_run(sql, "BEGIN IMMEDIATE", err);
}

assay_status assay_sql_commit(assay_sql *sql, assay_error *err)
{
    return assay_sql_run(sql, "COMMIT", err);
}

void assay_sql_rollback(assay_sql *sql)
{
    /* SQLite may have rolled back by itself, after a full disk for one. */
    if (!sqlite3_get_autocommit(sql->db))
        (void)sqlite3_exec(sql->db, "ROLLBACK", NULL, NULL, NULL);
}

void assay_sql_set_patience(assay_sql *sql, uint32_t ms)
{
    (void)sqlite3_busy_timeout(sql->db, ms < INT32_MAX ? (int)ms : INT32_MAX);
}

int64_t assay_sql_last_id(const assay_sql *sql)
{
    return sqlite3_last_insert_rowid(sql->db);
}

int64_t assay_sql_changes(const assay_sql *sql)
{
    return sqlite3_changes64(sql->db);
}

bool assay_sql_is_foreign(const assay_sql *sql)
{
    return sql->fault == SQLITE_CONSTRAINT_FOREIGNKEY;
}

/* ---- schemas ---- */

static assay_status ask_int(assay_sql *sql, const char *text, int64_t *out,
                            assay_error *err)
{
    assay_stmt *stmt;
    bool has_row;
    assay_status st = assay_stmt_new(sql, text, &stmt, err);

    if (st)
        return st;
    st = assay_stmt_step(stmt, &has_row, err);
    if (!st)
        *out = has_row ? assay_stmt_int(stmt, 0) : 0;
    assay_stmt_free(stmt);
    return st;
}

/* The steps from `version` on, inside a transaction. */
static assay_status take_steps(assay_sql *sql, const assay_sql_schema *schema,
                               int64_t version, assay_error *err)
{
    char text[120];
    assay_status st = ASSAY_OK;

    for (int64_t i = version; i < (int64_t)schema->n_steps && !st; i++)
        st = assay_sql_run(sql, schema->step[i], err);
    if (st)
        return st;
    snprintf(text, sizeof text, "PRAGMA application_id = %lu; PRAGMA user_version = %lu",
             (unsigned long)schema->application_id, (unsigned long)schema->n_steps);
    return assay_sql_run(sql, text, err);
}

/* The version of the file, or ASSAY_EINPUT when it is another program's, or a newer
 * one's.  An empty database is version 0 of everything. */
static assay_status check_kind(assay_sql *sql, const assay_sql_schema *schema,
                               int64_t *version, assay_error *err)
{
    int64_t id = 0;
    int64_t n_tables = 0;
    /* Tables first: whoever makes them sets the other two in the same transaction. */
    assay_status st = ask_int(sql, "SELECT count(*) FROM sqlite_schema", &n_tables, err);

    if (!st)
        st = ask_int(sql, "PRAGMA application_id", &id, err);
    if (!st)
        st = ask_int(sql, "PRAGMA user_version", version, err);
    if (st)
        return st;
    if (n_tables && id != (int64_t)schema->application_id)
        return assay_fail(err, ASSAY_EINPUT, "'%s' is a database, but no %s of assay",
                          sql->path, schema->what);
    if (*version > (int64_t)schema->n_steps || *version < 0)
        return assay_fail(err, ASSAY_EINPUT,
                          "'%s' was written by a newer assay (schema %lld, this program "
                          "knows %lu)",
                          sql->path, (long long)*version, (unsigned long)schema->n_steps);
    return ASSAY_OK;
}

assay_status assay_sql_migrate(assay_sql *sql, const assay_sql_schema *schema,
                               assay_error *err)
{
    int64_t version = 0;
    assay_status st = check_kind(sql, schema, &version, err);

    if (st || version == (int64_t)schema->n_steps)
        return st;
    if (!sql->may_write)
        return assay_fail(err, ASSAY_EINPUT,
                          version ? "'%s' is a %s of an older assay, to be updated by a "
                                    "command that writes"
                                  : "'%s' is no %s: it is empty",
                          sql->path, schema->what);
    st = assay_sql_begin(sql, err);
    /* Somebody else may have been faster. */
    if (!st)
        st = check_kind(sql, schema, &version, err);
    if (!st)
        st = take_steps(sql, schema, version, err);
    if (!st)
        st = assay_sql_commit(sql, err);
    if (st)
        assay_sql_rollback(sql);
    return st;
}

/* ---- statements ---- */

assay_status assay_stmt_new(assay_sql *sql, const char *text, assay_stmt **out,
                            assay_error *err)
{
    assay_stmt *stmt = ASSAY_NEW(assay_stmt);
    int code;

    if (!stmt)
        return assay_fail_memory(err, "preparing a statement");
    stmt->sql = sql;
    sql->fault = 0;
    code = sqlite3_prepare_v3(sql->db, text, -1, SQLITE_PREPARE_PERSISTENT, &stmt->stmt,
                              NULL);
    if (code) {
        assay_status st = fail(sql, code, err);

        assay_mem_free(stmt);
        return st;
    }
    *out = stmt;
    return ASSAY_OK;
}

void assay_stmt_free(assay_stmt *stmt)
{
    if (!stmt)
        return;
    sqlite3_finalize(stmt->stmt);
    assay_mem_free(stmt);
}

static void keep(assay_stmt *stmt, int code)
{
    if (code && !stmt->failed)
        stmt->failed = code;
}

void assay_stmt_put_int(assay_stmt *stmt, int at, int64_t value)
{
    keep(stmt, sqlite3_bind_int64(stmt->stmt, at, value));
}

void assay_stmt_put_text(assay_stmt *stmt, int at, assay_slice text)
{
    keep(stmt, sqlite3_bind_text64(stmt->stmt, at, text.len ? text.ptr : "", text.len,
                                   SQLITE_STATIC, SQLITE_UTF8));
}

void assay_stmt_put_blob(assay_stmt *stmt, int at, const void *bytes, size_t len)
{
    keep(stmt, sqlite3_bind_blob64(stmt->stmt, at, len ? bytes : "", len, SQLITE_STATIC));
}

void assay_stmt_put_null(assay_stmt *stmt, int at)
{
    keep(stmt, sqlite3_bind_null(stmt->stmt, at));
}

void assay_stmt_reset(assay_stmt *stmt)
{
    sqlite3_reset(stmt->stmt);
    stmt->failed = 0;
}

assay_status assay_stmt_step(assay_stmt *stmt, bool *has_row, assay_error *err)
{
    int code = stmt->failed ? stmt->failed : sqlite3_step(stmt->stmt);
    assay_status st = ASSAY_OK;

    stmt->sql->fault = 0;
    if (code == SQLITE_ROW) {
        *has_row = true;
        return ASSAY_OK;
    }
    if (code != SQLITE_DONE)
        st = fail(stmt->sql, code, err);
    else
        *has_row = false;
    assay_stmt_reset(stmt);
    return st;
}

assay_status assay_stmt_run(assay_stmt *stmt, assay_error *err)
{
    bool has_row = true;
    assay_status st = ASSAY_OK;

    while (!st && has_row)
        st = assay_stmt_step(stmt, &has_row, err);
    return st;
}

int64_t assay_stmt_int(const assay_stmt *stmt, int column)
{
    return sqlite3_column_int64(stmt->stmt, column);
}

assay_slice assay_stmt_slice(const assay_stmt *stmt, int column)
{
    const void *bytes = sqlite3_column_blob(stmt->stmt, column);
    int len = sqlite3_column_bytes(stmt->stmt, column);

    /* Null also for an empty value. */
    if (!bytes || len <= 0)
        return (assay_slice){"", 0};
    return (assay_slice){bytes, (size_t)len};
}

bool assay_stmt_is_null(const assay_stmt *stmt, int column)
{
    return sqlite3_column_type(stmt->stmt, column) == SQLITE_NULL;
}
