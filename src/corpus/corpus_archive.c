/* SPDX-License-Identifier: Apache-2.0 */
/* Chunkings: which is today's, what the others left behind, who holds on to it. */
#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "corpus/corpus_db.h"
#include "corpus/corpus_write.h"

/* Run one statement with up to two texts. */
static assay_status run_texts(assay_corpus *corpus, const char *sql, assay_slice one,
                              assay_slice two, assay_error *err)
{
    assay_stmt *stmt;
    assay_status st = assay_stmt_new(corpus->sql, sql, &stmt, err);

    if (st)
        return st;
    assay_stmt_put_text(stmt, 1, one);
    if (two.ptr)
        assay_stmt_put_text(stmt, 2, two);
    st = assay_stmt_run(stmt, err);
    assay_stmt_free(stmt);
    return st;
}

/* End a transaction: as it should, or taken back after `st`. */
static assay_status settle(assay_corpus *corpus, assay_status st, assay_error *err)
{
    if (!st)
        st = assay_sql_commit(corpus->sql, err);
    if (st)
        assay_sql_rollback(corpus->sql);
    return st;
}

/* ---- another chunking ---- */

static assay_status list_rows(assay_stmt *stmt, assay_corpus_uncut **list, size_t *n,
                              assay_error *err)
{
    size_t cap = 0;
    bool has_row = true;
    assay_status st = ASSAY_OK;

    while (!st) {
        assay_corpus_uncut *moved;

        st = assay_stmt_step(stmt, &has_row, err);
        if (st || !has_row)
            break;
        moved = assay_mem_grow(*list, &cap, *n + 1, sizeof **list);
        if (!moved)
            return assay_fail_memory(err, "listing versions");
        *list = moved;
        (*list)[(*n)++] = (assay_corpus_uncut){assay_stmt_int(stmt, 0),
                                               (uint64_t)assay_stmt_int(stmt, 1)};
    }
    return st;
}

assay_status assay_corpus_list_uncut(assay_corpus *corpus, assay_slice chunking,
                                     assay_corpus_uncut **out, size_t *n,
                                     assay_error *err)
{
    assay_corpus_uncut *list = NULL;
    size_t n_list = 0;
    assay_stmt *stmt;
    assay_status st = assay_stmt_new(
        corpus->sql,
        "SELECT v.version, v.bytes FROM versions v WHERE v.is_today = 1 AND NOT EXISTS"
        " (SELECT 1 FROM cuts c JOIN chunkings k USING (chunking)"
        " WHERE c.version = v.version AND k.spelling = ?1) ORDER BY v.version",
        &stmt, err);

    if (st)
        return st;
    assay_stmt_put_text(stmt, 1, chunking);
    st = list_rows(stmt, &list, &n_list, err);
    assay_stmt_free(stmt);
    if (st) {
        assay_mem_free(list);
        return st;
    }
    *out = list;
    *n = n_list;
    return ASSAY_OK;
}

/* The key of a chunking, which is added when it is new. */
static assay_status number_chunking(assay_corpus *corpus, assay_slice chunking,
                                    int64_t *number, assay_error *err)
{
    const assay_slice none = {NULL, 0};
    assay_stmt *stmt;
    bool has_row = false;
    assay_status st =
        run_texts(corpus, "INSERT OR IGNORE INTO chunkings (spelling) VALUES (?1)",
                  chunking, none, err);

    if (!st)
        st = assay_stmt_new(corpus->sql,
                            "SELECT chunking FROM chunkings WHERE spelling = ?1", &stmt,
                            err);
    if (st)
        return st;
    assay_stmt_put_text(stmt, 1, chunking);
    st = assay_stmt_step(stmt, &has_row, err);
    if (!st && has_row)
        *number = assay_stmt_int(stmt, 0);
    assay_stmt_free(stmt);
    return st;
}

static assay_status put_cuts(assay_corpus *corpus, assay_slice chunking,
                             const int64_t *version, const assay_corpus_packed *cuts,
                             size_t n, assay_error *err)
{
    int64_t number = 0;
    assay_stmt *stmt;
    assay_status st = number_chunking(corpus, chunking, &number, err);

    if (!st)
        st = assay_corpus_stmt(corpus, ASSAY_CORPUS_ADD_CUT, &stmt, err);
    for (size_t i = 0; i < n && !st; i++) {
        assay_stmt_put_int(stmt, 1, version[i]);
        assay_stmt_put_int(stmt, 2, number);
        assay_stmt_put_int(stmt, 3, cuts[i].n_chunks);
        assay_stmt_put_blob(stmt, 4, cuts[i].cut.ptr, cuts[i].cut.len);
        st = assay_stmt_run(stmt, err);
    }
    return st;
}

assay_status assay_corpus_put_cuts(assay_corpus *corpus, assay_slice chunking,
                                   const int64_t *version,
                                   const assay_corpus_packed *cuts, size_t n,
                                   assay_error *err)
{
    assay_status st = assay_sql_begin(corpus->sql, err);

    if (st)
        return st;
    return settle(corpus, put_cuts(corpus, chunking, version, cuts, n, err), err);
}

assay_status assay_corpus_use_chunking(assay_corpus *corpus, assay_slice chunking,
                                       assay_error *err)
{
    int64_t number = 0;
    assay_status st;

    if (assay_slice_eq(assay_corpus_chunking(corpus), chunking))
        return ASSAY_OK;
    st = assay_sql_begin(corpus->sql, err);
    if (st)
        return st;
    st = number_chunking(corpus, chunking, &number, err);
    if (!st)
        st = run_texts(corpus,
                       "INSERT INTO settings (name, value) VALUES ('chunking', ?1)"
                       " ON CONFLICT (name) DO UPDATE SET value = ?1",
                       chunking, (assay_slice){NULL, 0}, err);
    st = settle(corpus, st, err);
    return st ? st : assay_corpus_refresh(corpus, err);
}

/* ---- what there is ---- */

assay_status assay_corpus_each_chunking(assay_corpus *corpus,
                                        assay_corpus_visit_cuts *visit, void *ctx,
                                        assay_error *err)
{
    bool has_row;
    assay_stmt *stmt;
    assay_status st =
        assay_stmt_new(corpus->sql,
                       "SELECT k.spelling, k.chunking = ?1, count(c.version),"
                       " coalesce(sum(c.n_chunks), 0), coalesce(sum(length(c.body)), 0),"
                       " (SELECT count(*) FROM pins p WHERE p.chunking = k.spelling)"
                       " FROM chunkings k LEFT JOIN cuts c USING (chunking)"
                       " GROUP BY k.chunking ORDER BY k.chunking",
                       &stmt, err);

    if (st)
        return st;
    assay_stmt_put_int(stmt, 1, corpus->chunking_number);
    while (!st) {
        assay_corpus_cuts cuts;

        st = assay_stmt_step(stmt, &has_row, err);
        if (st || !has_row)
            break;
        cuts = (assay_corpus_cuts){.chunking = assay_stmt_slice(stmt, 0),
                                   .is_today = assay_stmt_int(stmt, 1) != 0,
                                   .n_versions = (uint64_t)assay_stmt_int(stmt, 2),
                                   .n_chunks = (uint64_t)assay_stmt_int(stmt, 3),
                                   .bytes = (uint64_t)assay_stmt_int(stmt, 4),
                                   .n_pins = (uint64_t)assay_stmt_int(stmt, 5)};
        st = visit(ctx, &cuts, err);
    }
    assay_stmt_free(stmt);
    return st;
}

assay_status assay_corpus_pin(assay_corpus *corpus, assay_slice chunking, assay_slice who,
                              assay_error *err)
{
    return run_texts(corpus, "INSERT OR IGNORE INTO pins (chunking, who) VALUES (?1, ?2)",
                     chunking, who, err);
}

assay_status assay_corpus_unpin(assay_corpus *corpus, assay_slice who, assay_error *err)
{
    return run_texts(corpus, "DELETE FROM pins WHERE who = ?1", who,
                     (assay_slice){NULL, 0}, err);
}

assay_status assay_corpus_repin(assay_corpus *corpus, assay_slice who,
                                const assay_slice *chunking, size_t n, assay_error *err)
{
    assay_status st = assay_sql_begin(corpus->sql, err);

    if (st)
        return st;
    st = assay_corpus_unpin(corpus, who, err);
    for (size_t i = 0; i < n && !st; i++)
        st = assay_corpus_pin(corpus, chunking[i], who, err);
    return settle(corpus, st, err);
}

assay_status assay_corpus_each_pin(assay_corpus *corpus, assay_corpus_visit_pin *visit,
                                   void *ctx, assay_error *err)
{
    bool has_row;
    assay_stmt *stmt;
    assay_status st = assay_stmt_new(
        corpus->sql, "SELECT chunking, who FROM pins ORDER BY 1, 2", &stmt, err);

    if (st)
        return st;
    while (!st) {
        st = assay_stmt_step(stmt, &has_row, err);
        if (st || !has_row)
            break;
        st = visit(ctx, assay_stmt_slice(stmt, 0), assay_stmt_slice(stmt, 1), err);
    }
    assay_stmt_free(stmt);
    return st;
}

/* ---- pruning ---- */

/* Cuts that nobody wants: of a chunking that is neither kept nor pinned, and not what
 * today's documents are cut by. */
static const char drop_cuts[] =
    "DELETE FROM cuts WHERE chunking NOT IN (SELECT chunking FROM chunkings"
    " WHERE spelling IN (SELECT spelling FROM temp.kept)"
    " OR spelling IN (SELECT chunking FROM pins))"
    " AND NOT (chunking = (SELECT k.chunking FROM chunkings k JOIN settings s"
    "  ON k.spelling = s.value WHERE s.name = 'chunking')"
    " AND version IN (SELECT version FROM versions WHERE is_today = 1))";

/* Then what only they needed. */
#define NO_LONGER_NEEDED                                               \
    " version IN (SELECT version FROM versions v WHERE v.is_today = 0" \
    " AND NOT EXISTS (SELECT 1 FROM cuts c WHERE c.version = v.version))"

static assay_status count_run(assay_corpus *corpus, const char *sql, uint64_t *n,
                              assay_error *err)
{
    assay_status st = assay_sql_run(corpus->sql, sql, err);

    if (!st && n)
        *n = (uint64_t)assay_sql_changes(corpus->sql);
    return st;
}

static assay_status drop(assay_corpus *corpus, assay_corpus_pruned *out, assay_error *err)
{
    const struct {
        const char *sql;
        uint64_t *n;
    } steps[] = {
        {drop_cuts, &out->n_cuts},
        {"DELETE FROM texts WHERE" NO_LONGER_NEEDED, NULL},
        {"DELETE FROM versions WHERE" NO_LONGER_NEEDED, &out->n_versions},
        {"DELETE FROM files WHERE is_today = 0"
         " AND NOT EXISTS (SELECT 1 FROM versions v WHERE v.file = files.file)",
         NULL},
    };
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < ASSAY_COUNT(steps) && !st; i++)
        st = count_run(corpus, steps[i].sql, steps[i].n, err);
    return st;
}

static assay_status list_kept(assay_corpus *corpus, const assay_slice *keep, size_t n,
                              assay_error *err)
{
    assay_status st =
        assay_sql_run(corpus->sql,
                      "CREATE TEMP TABLE IF NOT EXISTS kept (spelling TEXT PRIMARY KEY);"
                      "DELETE FROM temp.kept",
                      err);

    for (size_t i = 0; i < n && !st; i++)
        st = run_texts(corpus, "INSERT OR IGNORE INTO temp.kept VALUES (?1)", keep[i],
                       (assay_slice){NULL, 0}, err);
    return st;
}

assay_status assay_corpus_prune(assay_corpus *corpus, const assay_slice *keep, size_t n,
                                assay_corpus_pruned *out, assay_error *err)
{
    assay_corpus_pruned pruned = {0};
    assay_status st = assay_corpus_lock(corpus, err);

    if (!st)
        st = list_kept(corpus, keep, n, err);
    if (!st)
        st = assay_sql_begin(corpus->sql, err);
    if (st)
        return st;
    st = settle(corpus, drop(corpus, &pruned, err), err);
    if (!st && pruned.n_cuts + pruned.n_versions)
        st = assay_sql_run(corpus->sql, "VACUUM", err);
    if (!st)
        *out = pruned;
    return st;
}
