/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of eval_query_results hold what kebab writes to per_query.jsonl, one object each:
 * put together they are such a file, and are read as one. */
#include "pipeline/kebab_db.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/redact.h"
#include "base/slice.h"
#include "base/sql.h"

struct assay_kebab_db {
    assay_sql *sql;
    assay_arena arena;
    assay_kebab_run *run;
    size_t n;
    size_t cap;
};

bool assay_kebab_db_is(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    enum { APPLICATION = 68 }; /* where a database says whose it is; kebab does not */
    char head[100];
    FILE *f = fopen(path, "rb");
    bool is_one;

    if (!f)
        return false;
    is_one = fread(head, 1, sizeof head, f) == sizeof head &&
             memcmp(head, magic, sizeof magic) == 0 &&
             memcmp(head + APPLICATION, "\0\0\0", 4) == 0;
    fclose(f);
    return is_one;
}

void assay_kebab_db_close(assay_kebab_db *db)
{
    if (!db)
        return;
    assay_sql_close(db->sql);
    assay_mem_free(db->run);
    assay_arena_clear(&db->arena);
    assay_mem_free(db);
}

/* ---- the list ---- */

static bool keep(assay_kebab_db *db, assay_slice text, assay_slice *out)
{
    *out = assay_arena_copy(&db->arena, text);
    return out->ptr != NULL;
}

/* kebab puts its whole configuration in. */
static bool keep_settings(assay_kebab_db *db, assay_slice json, assay_slice *out)
{
    const assay_secrets none = {0};
    assay_buffer clean = ASSAY_BUFFER_EMPTY;
    bool ok;

    assay_secrets_redact(&none, json, &clean);
    ok = !clean.has_failed && keep(db, assay_buffer_view(&clean), out);
    assay_buffer_clear(&clean);
    return ok;
}

static assay_status add_run(assay_kebab_db *db, const assay_stmt *row, assay_error *err)
{
    assay_kebab_run *grown = assay_mem_grow(db->run, &db->cap, db->n + 1, sizeof *grown);
    assay_kebab_run *r;

    if (!grown)
        return assay_fail_memory(err, "reading kebab's runs");
    db->run = grown;
    r = &db->run[db->n];
    *r = (assay_kebab_run){.n_results = (uint32_t)assay_stmt_int(row, 6)};
    if (!keep(db, assay_stmt_slice(row, 0), &r->run_id) ||
        !keep(db, assay_stmt_slice(row, 1), &r->suite) ||
        !keep_settings(db, assay_stmt_slice(row, 2), &r->settings) ||
        !keep(db, assay_stmt_slice(row, 3), &r->aggregate) ||
        !keep(db, assay_stmt_slice(row, 4), &r->commit) ||
        !keep(db, assay_stmt_slice(row, 5), &r->created_at))
        return assay_fail_memory(err, "reading kebab's runs");
    db->n++;
    return ASSAY_OK;
}

static assay_status check_tables(assay_sql *sql, assay_error *err)
{
    assay_stmt *stmt = NULL;
    bool has_row = false;
    assay_status st = assay_stmt_new(sql,
                                     "SELECT count(*) FROM sqlite_schema WHERE type = "
                                     "'table' AND name IN ('eval_runs', "
                                     "'eval_query_results')",
                                     &stmt, err);

    if (!st)
        st = assay_stmt_step(stmt, &has_row, err);
    if (!st && (!has_row || assay_stmt_int(stmt, 0) != 2))
        st = assay_fail(err, ASSAY_EINPUT,
                        "'%s' is no database of kebab: it has no tables eval_runs and "
                        "eval_query_results",
                        assay_sql_path(sql));
    assay_stmt_free(stmt);
    return st;
}

static assay_status list(assay_kebab_db *db, assay_error *err)
{
    static const char text[] =
        "SELECT run_id, suite, config_snapshot_json, aggregate_json, commit_hash, "
        "created_at, (SELECT count(*) FROM eval_query_results q WHERE q.run_id = "
        "r.run_id) FROM eval_runs r ORDER BY created_at, run_id";
    assay_stmt *stmt = NULL;
    bool has_row = true;
    assay_status st = assay_stmt_new(db->sql, text, &stmt, err);

    while (!st && has_row) {
        st = assay_stmt_step(stmt, &has_row, err);
        if (!st && has_row)
            st = add_run(db, stmt, err);
    }
    assay_stmt_free(stmt);
    return st ? st : assay_sql_is_as_opened(db->sql, err);
}

assay_status assay_kebab_db_open(const char *path, assay_kebab_db **out, assay_error *err)
{
    assay_kebab_db *db = ASSAY_NEW(assay_kebab_db);
    assay_status st;

    if (!db)
        return assay_fail_memory(err, "opening kebab's database");
    st = assay_sql_open_untouched(path, &db->sql, err);
    if (!st)
        st = check_tables(db->sql, err);
    if (!st)
        st = list(db, err);
    if (st)
        assay_kebab_db_close(db);
    else
        *out = db;
    return st;
}

const assay_kebab_run *assay_kebab_db_at(const assay_kebab_db *db, size_t i)
{
    return i < db->n ? &db->run[i] : NULL;
}

/* ---- finding one ---- */

static bool begins(assay_slice run_id, assay_slice id)
{
    const size_t word = strlen("run_");

    if (run_id.len >= id.len && memcmp(run_id.ptr, id.ptr, id.len) == 0)
        return true;
    return assay_slice_starts(run_id, "run_") && run_id.len - word >= id.len &&
           memcmp(run_id.ptr + word, id.ptr, id.len) == 0;
}

/* "it has run_1, run_2 ...": the newest first, not too many. */
static assay_status fail_find(const assay_kebab_db *db, assay_slice id, size_t n_found,
                              assay_error *err)
{
    enum { LISTED = 5 };
    assay_buffer names = ASSAY_BUFFER_EMPTY;
    size_t n = 0;
    assay_status st;

    for (size_t i = db->n; i-- > 0 && n <= LISTED;) {
        if (n_found && !begins(db->run[i].run_id, id))
            continue;
        assay_buffer_text(&names, n == LISTED ? " ..." : n ? ", " : "");
        if (n++ < LISTED)
            assay_buffer_slice(&names, db->run[i].run_id);
    }
    st =
        names.has_failed
            ? assay_fail_memory(err, "looking for a run")
            : assay_fail(err, ASSAY_EUSAGE,
                         n_found ? "'%s' has %zu runs '%.*s': %.*s"
                                 : "'%s' has no run among %zu called '%.*s'; it has %.*s",
                         assay_sql_path(db->sql), n_found ? n_found : db->n,
                         ASSAY_QUOTE(id), (int)names.len, names.ptr ? names.ptr : "");
    assay_buffer_clear(&names);
    return st;
}

assay_status assay_kebab_db_find(const assay_kebab_db *db, assay_slice id,
                                 const assay_kebab_run **out, assay_error *err)
{
    const assay_kebab_run *found = NULL;
    size_t n = 0;

    if (!db->n)
        return assay_fail(err, ASSAY_EUSAGE, "'%s' has no runs", assay_sql_path(db->sql));
    if (!id.len) {
        *out = &db->run[db->n - 1];
        return ASSAY_OK;
    }
    for (size_t i = 0; i < db->n; i++) {
        if (assay_slice_eq(db->run[i].run_id, id)) {
            *out = &db->run[i];
            return ASSAY_OK;
        }
        if (begins(db->run[i].run_id, id)) {
            found = &db->run[i];
            n++;
        }
    }
    if (n != 1)
        return fail_find(db, id, n, err);
    *out = found;
    return ASSAY_OK;
}

/* ---- loading ---- */

/* A line of its own: a line break in JSON is white space, or not JSON. */
static void put_line(assay_slice json, assay_buffer *out)
{
    for (size_t i = 0; i < json.len; i++)
        assay_buffer_char(out,
                          json.ptr[i] == '\n' || json.ptr[i] == '\r' ? ' ' : json.ptr[i]);
    assay_buffer_char(out, '\n');
}

/* Rows as lines, and the ids of the rows. */
static assay_status read_rows(assay_kebab_db *db, assay_slice run_id, assay_buffer *lines,
                              assay_slice *id, uint32_t n, assay_arena *arena,
                              assay_error *err)
{
    static const char text[] =
        "SELECT query_id, result_json FROM eval_query_results WHERE "
        "run_id = ?1 ORDER BY query_id";
    assay_stmt *stmt = NULL;
    bool has_row = true;
    uint32_t i = 0;
    assay_status st = assay_stmt_new(db->sql, text, &stmt, err);

    if (!st)
        assay_stmt_put_text(stmt, 1, run_id);
    while (!st && has_row) {
        st = assay_stmt_step(stmt, &has_row, err);
        if (st || !has_row)
            break;
        if (i < n)
            id[i] = assay_arena_copy(arena, assay_stmt_slice(stmt, 0));
        i++;
        put_line(assay_stmt_slice(stmt, 1), lines);
    }
    assay_stmt_free(stmt);
    if (!st)
        st = assay_sql_is_as_opened(db->sql, err);
    if (!st && (lines->has_failed || (n && !id[n - 1].ptr)))
        st = assay_fail_memory(err, "reading kebab's results");
    return st;
}

static assay_status check_ids(const char *name, const assay_run *run,
                              const assay_slice *id, uint32_t n, assay_error *err)
{
    for (uint32_t i = 0; i < n && i < assay_run_n(run); i++)
        if (!assay_slice_eq(assay_run_id(run, i), id[i]))
            return assay_fail(err, ASSAY_EINPUT,
                              "%s: the row of query '%.*s' holds the result of '%.*s'",
                              name, ASSAY_QUOTE(id[i]),
                              ASSAY_QUOTE(assay_run_id(run, i)));
    return ASSAY_OK;
}

/* The mode stands with each query only. */
static assay_slice mode_of(const assay_run *run)
{
    assay_slice mode = ASSAY_LIT("");

    for (uint32_t i = 0; i < run->n_results; i++) {
        assay_slice other = run->result[i].mode;

        if (other.len && mode.len && !assay_slice_eq(mode, other))
            return ASSAY_LIT("mixed");
        mode = other.len ? other : mode;
    }
    return mode;
}

static assay_status read_settings(const char *name, const assay_kebab_run *from,
                                  assay_run *run, assay_snapshot *out, assay_error *err)
{
    assay_status st = assay_snapshot_read(name, from->settings, &run->arena, out, err);

    if (st)
        return st;
    if (!out->method.len)
        out->method = mode_of(run);
    out->has_answers = run->has_answers;
    out->commit =
        out->commit.len ? out->commit : assay_arena_copy(&run->arena, from->commit);
    return out->commit.ptr ? ASSAY_OK
                           : assay_fail_memory(err, "reading kebab's settings");
}

static assay_status load(assay_kebab_db *db, const assay_kebab_run *from,
                         const char *name, assay_arena *arena, assay_run **out,
                         assay_error *err)
{
    const assay_run_options options = {.format = "kebab"};
    assay_buffer lines = ASSAY_BUFFER_EMPTY;
    assay_slice *id = ASSAY_ARENA_ARRAY(arena, assay_slice, from->n_results + 1u);
    assay_run *run = NULL;
    assay_status st =
        id ? read_rows(db, from->run_id, &lines, id, from->n_results, arena, err)
           : assay_fail_memory(err, "reading kebab's results");

    if (!st)
        st = assay_run_parse(name, assay_buffer_view(&lines), &options, &run, err);
    if (!st)
        st = check_ids(name, run, id, from->n_results, err);
    if (!st) {
        run->name = assay_arena_copy(&run->arena, from->run_id);
        if (!run->name.ptr)
            st = assay_fail_memory(err, "reading kebab's results");
    }
    assay_buffer_clear(&lines);
    if (st)
        assay_run_free(run);
    else
        *out = run;
    return st;
}

assay_status assay_kebab_db_load(assay_kebab_db *db, const assay_kebab_run *from,
                                 assay_run **out, assay_snapshot *snapshot,
                                 assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer name = ASSAY_BUFFER_EMPTY;
    assay_snapshot own;
    assay_run *run = NULL;
    assay_status st = ASSAY_OK;

    /* Lines in messages are rows, in the order of the query ids. */
    assay_buffer_printf(&name, "%s(%.*s)%c", assay_sql_path(db->sql),
                        ASSAY_QUOTE(from->run_id), 0);
    if (name.has_failed)
        st = assay_fail_memory(err, "reading kebab's results");
    if (!st)
        st = load(db, from, name.ptr, &arena, &run, err);
    if (!st)
        st = read_settings(name.ptr, from, run, &own, err);
    if (st) {
        assay_run_free(run);
    } else {
        *snapshot = own;
        *out = run;
    }
    assay_buffer_clear(&name);
    assay_arena_clear(&arena);
    return st;
}
