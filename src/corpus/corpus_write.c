/* SPDX-License-Identifier: Apache-2.0 */
/* Files and their documents into the database, one transaction a file. */
#include "corpus/corpus_write.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/slice.h"
#include "corpus/corpus_db.h"

enum { LOCK_MODE = 0666 };

/* ---- one writer at a time ---- */

static assay_status fail_lock(const char *path, int number, assay_error *err)
{
    char reason[200];

    if (strerror_r(number, reason, sizeof reason))
        reason[0] = 0;
    return assay_fail(err, ASSAY_ESYSTEM, "cannot lock '%s': %s", path, reason);
}

/* A lock of the system's, which ends with the process, however that ends. */
static assay_status lock_file(const char *path, int *out, assay_error *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, LOCK_MODE);
    int number;

    if (fd < 0)
        return fail_lock(path, errno, err);
    if (fcntl(fd, F_SETLK, &lock) == 0) {
        *out = fd;
        return ASSAY_OK;
    }
    number = errno;
    if ((number != EACCES && number != EAGAIN) || fcntl(fd, F_GETLK, &lock))
        (void)fail_lock(path, number, err);
    else
        (void)assay_fail(err, ASSAY_ESYSTEM,
                         "process %ld ingests into this corpus; try again when it is "
                         "done ('%s')",
                         (long)lock.l_pid, path);
    close(fd);
    return ASSAY_ESYSTEM;
}

assay_status assay_corpus_lock(assay_corpus *corpus, assay_error *err)
{
    assay_buffer path = ASSAY_BUFFER_EMPTY;
    assay_status st;

    if (corpus->lock >= 0)
        return ASSAY_OK;
    assay_buffer_printf(&path, "%s-lock%c", assay_sql_path(corpus->sql), 0);
    st = path.has_failed ? assay_fail_memory(err, "locking the corpus")
                         : lock_file(path.ptr, &corpus->lock, err);
    assay_buffer_clear(&path);
    return st;
}

/* ---- files ---- */

static assay_corpus_file file_of(const assay_stmt *stmt)
{
    assay_slice hash = assay_stmt_slice(stmt, 6);
    assay_corpus_file file = {.number = assay_stmt_int(stmt, 0),
                              .path = assay_stmt_slice(stmt, 1),
                              .root = assay_stmt_slice(stmt, 2),
                              .size = (uint64_t)assay_stmt_int(stmt, 3),
                              .mtime_ns = assay_stmt_int(stmt, 4),
                              .read_ns = assay_stmt_int(stmt, 5),
                              .reader = assay_stmt_slice(stmt, 7)};

    if (hash.len == sizeof file.hash)
        memcpy(file.hash, hash.ptr, hash.len);
    return file;
}

assay_status assay_corpus_each_file(assay_corpus *corpus, assay_corpus_visit_file *visit,
                                    void *ctx, assay_error *err)
{
    assay_stmt *stmt;
    bool has_row;
    assay_status st =
        assay_stmt_new(corpus->sql,
                       "SELECT file, path, root, size, mtime_ns, read_ns, hash, reader"
                       " FROM files WHERE is_today = 1 ORDER BY path",
                       &stmt, err);

    if (st)
        return st;
    while (!st) {
        assay_corpus_file file;

        st = assay_stmt_step(stmt, &has_row, err);
        if (st || !has_row)
            break;
        file = file_of(stmt);
        st = visit(ctx, &file, err);
    }
    assay_stmt_free(stmt);
    return st;
}

/* Insert or update the file's row; *number is its key. */
static assay_status put_file(assay_corpus *corpus, const assay_corpus_file *file,
                             int64_t *number, assay_error *err)
{
    assay_stmt *stmt;
    bool has_row = false;
    assay_status st = assay_corpus_stmt(corpus, ASSAY_CORPUS_ADD_FILE, &stmt, err);

    if (st)
        return st;
    assay_stmt_put_text(stmt, 1, file->path);
    assay_stmt_put_text(stmt, 2, file->root);
    assay_stmt_put_int(stmt, 3, (int64_t)file->size);
    assay_stmt_put_int(stmt, 4, file->mtime_ns);
    assay_stmt_put_int(stmt, 5, file->read_ns);
    assay_stmt_put_blob(stmt, 6, file->hash, sizeof file->hash);
    assay_stmt_put_text(stmt, 7, file->reader);
    st = assay_stmt_step(stmt, &has_row, err);
    if (!st && has_row)
        *number = assay_stmt_int(stmt, 0);
    return st ? st : assay_stmt_run(stmt, err);
}

/* Run a statement whose only value is a key. */
static assay_status run_with_key(assay_corpus *corpus, assay_corpus_statement which,
                                 int64_t key, assay_error *err)
{
    assay_stmt *stmt;
    assay_status st = assay_corpus_stmt(corpus, which, &stmt, err);

    if (st)
        return st;
    assay_stmt_put_int(stmt, 1, key);
    return assay_stmt_run(stmt, err);
}

assay_status assay_corpus_begin_file(assay_corpus *corpus, const assay_corpus_file *file,
                                     assay_error *err)
{
    int64_t number = 0;
    assay_status st = assay_sql_begin(corpus->sql, err);

    if (st)
        return st;
    st = put_file(corpus, file, &number, err);
    if (!st)
        st = run_with_key(corpus, ASSAY_CORPUS_RETIRE, number, err);
    if (st)
        assay_sql_rollback(corpus->sql);
    else
        corpus->file = number;
    return st;
}

assay_status assay_corpus_end_file(assay_corpus *corpus, assay_error *err)
{
    assay_status st = assay_sql_commit(corpus->sql, err);

    if (st)
        assay_sql_rollback(corpus->sql);
    corpus->file = 0;
    return st;
}

void assay_corpus_cancel_file(assay_corpus *corpus)
{
    assay_sql_rollback(corpus->sql);
    corpus->file = 0;
}

assay_status assay_corpus_touch_file(assay_corpus *corpus, const assay_corpus_file *file,
                                     assay_error *err)
{
    int64_t number = 0;

    return put_file(corpus, file, &number, err);
}

assay_status assay_corpus_remove_file(assay_corpus *corpus, int64_t number,
                                      assay_error *err)
{
    assay_status st = assay_sql_begin(corpus->sql, err);

    if (st)
        return st;
    st = run_with_key(corpus, ASSAY_CORPUS_RETIRE, number, err);
    if (!st)
        st = run_with_key(corpus, ASSAY_CORPUS_REMOVE_FILE, number, err);
    if (!st)
        st = assay_sql_commit(corpus->sql, err);
    if (st)
        assay_sql_rollback(corpus->sql);
    return st;
}

/* ---- documents ---- */

/* What the corpus knows of a document id already. */
typedef struct known {
    int64_t same;  /* version with this very content, or 0 */
    int64_t file;  /* that has the id today, or 0 */
    uint32_t line; /* in that file */
} known;

static assay_status look_up(assay_corpus *corpus, const assay_corpus_packed *doc,
                            known *out, assay_error *err)
{
    assay_stmt *stmt;
    bool has_row = true;
    assay_status st = assay_corpus_stmt(corpus, ASSAY_CORPUS_VERSIONS_OF, &stmt, err);

    if (st)
        return st;
    assay_stmt_put_text(stmt, 1, doc->id);
    while (!st) {
        assay_slice hash = {(const char *)doc->hash, sizeof doc->hash};

        st = assay_stmt_step(stmt, &has_row, err);
        if (st || !has_row)
            break;
        if (assay_stmt_int(stmt, 1)) {
            out->file = assay_stmt_int(stmt, 2);
            out->line = (uint32_t)assay_stmt_int(stmt, 4);
        } else if (assay_slice_eq(assay_stmt_slice(stmt, 3), hash)) {
            out->same = assay_stmt_int(stmt, 0);
        }
    }
    return st;
}

static assay_status fail_twice(assay_corpus *corpus, const assay_corpus_packed *doc,
                               const known *k, assay_error *err)
{
    assay_stmt *stmt;
    bool has_row = false;
    assay_status st = assay_corpus_stmt(corpus, ASSAY_CORPUS_FILE_PATH, &stmt, err);

    if (st)
        return st;
    if (k->file == corpus->file)
        return assay_fail(err, ASSAY_NO, "document '%.*s' stands in lines %u and %u",
                          ASSAY_QUOTE(doc->id), k->line, doc->line);
    assay_stmt_put_int(stmt, 1, k->file);
    st = assay_stmt_step(stmt, &has_row, err);
    if (!st) {
        assay_slice path = assay_stmt_slice(stmt, 0);

        st = assay_fail(err, ASSAY_NO, "document '%.*s' is there already, from '%.*s'",
                        ASSAY_QUOTE(doc->id), (int)path.len, path.ptr);
    }
    assay_stmt_reset(stmt);
    return st;
}

static assay_status revive(assay_corpus *corpus, const assay_corpus_packed *doc,
                           int64_t version, assay_error *err)
{
    assay_stmt *stmt;
    assay_status st = assay_corpus_stmt(corpus, ASSAY_CORPUS_REVIVE, &stmt, err);

    if (st)
        return st;
    assay_stmt_put_int(stmt, 1, version);
    assay_stmt_put_int(stmt, 2, corpus->file);
    assay_stmt_put_int(stmt, 3, doc->line);
    assay_stmt_put_text(stmt, 4, doc->lang);
    return assay_stmt_run(stmt, err);
}

static assay_status add_texts(assay_corpus *corpus, const assay_corpus_packed *doc,
                              int64_t version, assay_error *err)
{
    assay_stmt *stmt;
    assay_status st = assay_corpus_stmt(corpus, ASSAY_CORPUS_ADD_TEXT, &stmt, err);

    for (uint32_t i = 0; i < doc->n_parts && !st; i++) {
        const assay_corpus_part *part = &doc->part[i];

        assay_stmt_put_int(stmt, 1, version);
        assay_stmt_put_int(stmt, 2, i);
        assay_stmt_put_int(stmt, 3, part->bytes);
        assay_stmt_put_int(stmt, 4, part->is_packed);
        assay_stmt_put_blob(stmt, 5, part->body.ptr, part->body.len);
        st = assay_stmt_run(stmt, err);
    }
    return st;
}

static assay_status add_version(assay_corpus *corpus, const assay_corpus_packed *doc,
                                int64_t *version, assay_error *err)
{
    assay_stmt *stmt;
    assay_status st = assay_corpus_stmt(corpus, ASSAY_CORPUS_ADD_VERSION, &stmt, err);

    if (st)
        return st;
    assay_stmt_put_text(stmt, 1, doc->id);
    assay_stmt_put_int(stmt, 2, corpus->file);
    assay_stmt_put_int(stmt, 3, doc->line);
    assay_stmt_put_text(stmt, 4, doc->title);
    assay_stmt_put_text(stmt, 5, assay_slice_of(assay_form_name(doc->form)));
    assay_stmt_put_text(stmt, 6, doc->lang);
    assay_stmt_put_text(stmt, 7, doc->extractor);
    assay_stmt_put_int(stmt, 8, (int64_t)doc->bytes);
    assay_stmt_put_blob(stmt, 9, doc->hash, sizeof doc->hash);
    st = assay_stmt_run(stmt, err);
    if (st)
        return st;
    *version = assay_sql_last_id(corpus->sql);
    return add_texts(corpus, doc, *version, err);
}

assay_status assay_corpus_put_doc(assay_corpus *corpus, const assay_corpus_packed *doc,
                                  assay_error *err)
{
    known k = {0};
    int64_t version;
    assay_stmt *stmt;
    assay_status st = look_up(corpus, doc, &k, err);

    if (!st && k.file)
        return fail_twice(corpus, doc, &k, err);
    version = k.same;
    if (!st)
        st = k.same ? revive(corpus, doc, k.same, err)
                    : add_version(corpus, doc, &version, err);
    if (!st)
        st = assay_corpus_stmt(corpus, ASSAY_CORPUS_ADD_CUT, &stmt, err);
    if (st)
        return st;
    assay_stmt_put_int(stmt, 1, version);
    assay_stmt_put_int(stmt, 2, corpus->chunking_number);
    assay_stmt_put_int(stmt, 3, doc->n_chunks);
    assay_stmt_put_blob(stmt, 4, doc->cut.ptr, doc->cut.len);
    return assay_stmt_run(stmt, err);
}
