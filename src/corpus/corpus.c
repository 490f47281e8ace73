/* SPDX-License-Identifier: Apache-2.0 */
/* The corpus as readers see it: opening, documents, texts, the hash. */
#include "corpus/corpus.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/mem.h"
#include "base/slice.h"
#include "corpus/corpus_db.h"

static const char *const statements[] = {
#define X(name, text) text,
    ASSAY_CORPUS_STATEMENTS(X)
#undef X
};

assay_status assay_corpus_stmt(assay_corpus *corpus, assay_corpus_statement which,
                               assay_stmt **out, assay_error *err)
{
    assay_status st = ASSAY_OK;

    if (!corpus->stmt[which])
        st = assay_stmt_new(corpus->sql, statements[which], &corpus->stmt[which], err);
    if (!st)
        *out = corpus->stmt[which];
    return st;
}

/* ---- opening ---- */

/* Put the row, if there is one, into the handle. */
static assay_status take_chunking(assay_corpus *corpus, assay_stmt *stmt,
                                  assay_error *err)
{
    assay_slice spelling = {"", 0};
    bool has_row = false;
    char *copy;
    assay_status st = assay_stmt_step(stmt, &has_row, err);

    if (st)
        return st;
    if (has_row)
        spelling = assay_stmt_slice(stmt, 1);
    copy = assay_mem_alloc(spelling.len + 1);
    if (!copy)
        return assay_fail_memory(err, "opening the corpus");
    memcpy(copy, spelling.ptr, spelling.len);
    copy[spelling.len] = 0;
    assay_mem_free(corpus->chunking);
    corpus->chunking = copy;
    corpus->chunking_number = has_row ? assay_stmt_int(stmt, 0) : 0;
    return ASSAY_OK;
}

assay_status assay_corpus_refresh(assay_corpus *corpus, assay_error *err)
{
    assay_stmt *stmt;
    assay_status st = assay_stmt_new(corpus->sql,
                                     "SELECT c.chunking, c.spelling FROM settings s"
                                     " JOIN chunkings c ON c.spelling = s.value"
                                     " WHERE s.name = 'chunking'",
                                     &stmt, err);

    if (st)
        return st;
    st = take_chunking(corpus, stmt, err);
    assay_stmt_free(stmt);
    return st;
}

static assay_status set_up(assay_corpus *corpus, const char *path, assay_corpus_mode mode,
                           assay_error *err)
{
    static const assay_sql_mode modes[] = {
        [ASSAY_CORPUS_READ] = ASSAY_SQL_READ,
        [ASSAY_CORPUS_WRITE] = ASSAY_SQL_WRITE,
        [ASSAY_CORPUS_CREATE] = ASSAY_SQL_CREATE,
    };
    assay_status st = ASSAY_OK;

    if (mode == ASSAY_CORPUS_CREATE)
        st = assay_folder_make_for(path, err);
    if (!st)
        st = assay_sql_open(path, modes[mode], &corpus->sql, err);
    if (!st)
        st = assay_sql_migrate(corpus->sql, &assay_corpus_schema, err);
    return st ? st : assay_corpus_refresh(corpus, err);
}

assay_status assay_corpus_open(const char *path, assay_corpus_mode mode,
                               assay_corpus **out, assay_error *err)
{
    assay_corpus *corpus;
    assay_status st;

    if (mode != ASSAY_CORPUS_CREATE && !assay_file_exists(path))
        return assay_fail(err, ASSAY_EUSAGE,
                          "no corpus '%s'; make one with 'assay ingest PATH...'", path);
    corpus = ASSAY_NEW(assay_corpus);
    if (!corpus)
        return assay_fail_memory(err, "opening the corpus");
    corpus->lock = -1;
    st = set_up(corpus, path, mode, err);
    if (st) {
        assay_corpus_close(corpus);
        return st;
    }
    *out = corpus;
    return ASSAY_OK;
}

void assay_corpus_close(assay_corpus *corpus)
{
    if (!corpus)
        return;
    if (corpus->sql)
        assay_sql_rollback(corpus->sql);
    for (size_t i = 0; i < ASSAY_CORPUS_N_STATEMENTS; i++)
        assay_stmt_free(corpus->stmt[i]);
    assay_sql_close(corpus->sql);
    if (corpus->lock >= 0)
        close(corpus->lock);
    assay_zblock_clear(&corpus->z);
    assay_mem_free(corpus->chunking);
    assay_mem_free(corpus);
}

assay_slice assay_corpus_chunking(const assay_corpus *corpus)
{
    return assay_slice_of(corpus->chunking);
}

/* ---- hash and size ---- */

static assay_status hash_rows(assay_stmt *stmt, assay_sha256 *sha, assay_error *err)
{
    bool has_row = true;
    assay_status st = ASSAY_OK;

    while (!st) {
        st = assay_stmt_step(stmt, &has_row, err);
        if (st || !has_row)
            break;
        assay_sha256_add(sha, assay_stmt_slice(stmt, 0).ptr,
                         assay_stmt_slice(stmt, 0).len);
    }
    return st;
}

assay_status assay_corpus_hash(assay_corpus *corpus, char hex[65], assay_error *err)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[ASSAY_SHA256_BYTES];
    assay_sha256 sha;
    assay_stmt *stmt;
    assay_status st = assay_stmt_new(
        corpus->sql, "SELECT hash FROM versions WHERE is_today = 1 ORDER BY doc", &stmt,
        err);

    if (st)
        return st;
    assay_sha256_init(&sha);
    st = hash_rows(stmt, &sha, err);
    assay_stmt_free(stmt);
    if (st)
        return st;
    assay_sha256_end(&sha, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[2 * sizeof digest] = 0;
    return ASSAY_OK;
}

assay_status assay_corpus_measure(assay_corpus *corpus, assay_corpus_size *out,
                                  assay_error *err)
{
    assay_stmt *stmt;
    bool has_row;
    assay_status st = assay_stmt_new(
        corpus->sql,
        "SELECT (SELECT count(*) FROM files WHERE is_today = 1), count(*),"
        " coalesce(sum(v.bytes), 0), coalesce(sum(c.n_chunks), 0) FROM versions v"
        " LEFT JOIN cuts c ON c.version = v.version AND c.chunking = ?1"
        " WHERE v.is_today = 1",
        &stmt, err);

    if (st)
        return st;
    assay_stmt_put_int(stmt, 1, corpus->chunking_number);
    st = assay_stmt_step(stmt, &has_row, err);
    if (!st)
        *out = (assay_corpus_size){.n_files = (uint64_t)assay_stmt_int(stmt, 0),
                                   .n_docs = (uint64_t)assay_stmt_int(stmt, 1),
                                   .bytes = (uint64_t)assay_stmt_int(stmt, 2),
                                   .n_chunks = (uint64_t)assay_stmt_int(stmt, 3)};
    assay_stmt_free(stmt);
    return st;
}

/* ---- documents ---- */

static assay_form form_of(assay_slice name)
{
    for (int form = ASSAY_FORM_PLAIN; form < ASSAY_FORM_CODE; form++)
        if (assay_slice_is(name, assay_form_name((assay_form)form)))
            return (assay_form)form;
    return ASSAY_FORM_CODE;
}

static assay_corpus_doc doc_of(const assay_stmt *stmt)
{
    return (assay_corpus_doc){
        .version = assay_stmt_int(stmt, 0),
        .id = assay_stmt_slice(stmt, 1),
        .title = assay_stmt_slice(stmt, 2),
        .form = form_of(assay_stmt_slice(stmt, 3)),
        .lang = assay_stmt_slice(stmt, 4),
        .extractor = assay_stmt_slice(stmt, 5),
        .source = assay_stmt_slice(stmt, 6),
        .bytes = (uint64_t)assay_stmt_int(stmt, 7),
        .n_chunks = (uint32_t)assay_stmt_int(stmt, 8),
        .is_today = assay_stmt_int(stmt, 9) != 0,
        .line = (uint32_t)assay_stmt_int(stmt, 10),
    };
}

/* A statement of its own, so that a visitor may use the corpus as it likes. */
assay_status assay_corpus_each(assay_corpus *corpus, assay_corpus_visit *visit, void *ctx,
                               assay_error *err)
{
    assay_stmt *stmt;
    assay_status st = assay_stmt_new(
        corpus->sql, ASSAY_CORPUS_DOC " WHERE v.is_today = 1 ORDER BY v.doc", &stmt, err);

    if (st)
        return st;
    assay_stmt_put_int(stmt, 1, corpus->chunking_number);
    for (;;) {
        assay_corpus_doc doc;
        bool has_row;

        st = assay_stmt_step(stmt, &has_row, err);
        if (st || !has_row)
            break;
        doc = doc_of(stmt);
        st = visit(ctx, &doc, err);
        if (st)
            break;
    }
    assay_stmt_free(stmt);
    return st;
}

/* Let the slices of `doc` live in the arena; false: no memory. */
static bool keep_doc(assay_corpus_doc *doc, assay_arena *arena)
{
    assay_slice *const slices[] = {&doc->id, &doc->title, &doc->lang, &doc->extractor,
                                   &doc->source};

    for (size_t i = 0; i < ASSAY_COUNT(slices); i++) {
        *slices[i] = assay_arena_copy(arena, *slices[i]);
        if (!slices[i]->ptr)
            return false;
    }
    return true;
}

/* The one row of a statement whose values are set. */
static assay_status take_doc(assay_stmt *stmt, assay_arena *arena, assay_corpus_doc *out,
                             bool *is_there, assay_error *err)
{
    bool has_row = false;
    assay_status st = assay_stmt_step(stmt, &has_row, err);

    if (!st && has_row) {
        assay_corpus_doc doc = doc_of(stmt);

        if (keep_doc(&doc, arena))
            *out = doc;
        else
            st = assay_fail_memory(err, "looking for a document");
    }
    assay_stmt_reset(stmt);
    if (!st)
        *is_there = has_row;
    return st;
}

assay_status assay_corpus_find(assay_corpus *corpus, assay_slice id, assay_arena *arena,
                               assay_corpus_doc *out, bool *is_there, assay_error *err)
{
    assay_stmt *stmt;
    assay_status st = assay_corpus_stmt(corpus, ASSAY_CORPUS_FIND_DOC, &stmt, err);

    if (st)
        return st;
    assay_stmt_put_int(stmt, 1, corpus->chunking_number);
    assay_stmt_put_text(stmt, 2, id);
    return take_doc(stmt, arena, out, is_there, err);
}

assay_status assay_corpus_find_version(assay_corpus *corpus, int64_t version,
                                       assay_arena *arena, assay_corpus_doc *out,
                                       bool *is_there, assay_error *err)
{
    assay_stmt *stmt;
    assay_status st = assay_corpus_stmt(corpus, ASSAY_CORPUS_FIND_VERSION, &stmt, err);

    if (st)
        return st;
    assay_stmt_put_int(stmt, 1, corpus->chunking_number);
    assay_stmt_put_int(stmt, 2, version);
    return take_doc(stmt, arena, out, is_there, err);
}

/* ---- texts ---- */

/* Append one part; what does not fit its numbers is damaged. */
static assay_status add_part(assay_corpus *corpus, const assay_stmt *stmt, uint64_t most,
                             assay_buffer *out, const char *what, assay_error *err)
{
    uint64_t bytes = (uint64_t)assay_stmt_int(stmt, 0);
    bool is_packed = assay_stmt_int(stmt, 1) != 0;
    assay_slice body = assay_stmt_slice(stmt, 2);
    assay_status st = ASSAY_OK;

    if (bytes > most || (!is_packed && body.len != bytes))
        return assay_fail(err, ASSAY_EINPUT, "%s is damaged", what);
    if (is_packed)
        st = assay_zblock_unpack(&corpus->z, body, out->ptr + out->len, (size_t)bytes,
                                 what, err);
    else if (body.len)
        memcpy(out->ptr + out->len, body.ptr, body.len);
    if (!st)
        out->len += (size_t)bytes;
    return st;
}

/* All parts of a text of `bytes` bytes. */
static assay_status add_parts(assay_corpus *corpus, int64_t version, uint64_t bytes,
                              assay_buffer *out, const char *what, assay_error *err)
{
    assay_stmt *stmt;
    assay_status st = assay_corpus_stmt(corpus, ASSAY_CORPUS_TEXT_PARTS, &stmt, err);
    bool has_row = true;

    if (st)
        return st;
    if (bytes > SIZE_MAX / 2 || !assay_buffer_reserve(out, (size_t)bytes + 1))
        return assay_fail_memory(err, "reading a text");
    assay_stmt_put_int(stmt, 1, version);
    while (!st) {
        st = assay_stmt_step(stmt, &has_row, err);
        if (st || !has_row)
            break;
        st = add_part(corpus, stmt, bytes - out->len, out, what, err);
    }
    assay_stmt_reset(stmt);
    if (!st && out->len != bytes)
        return assay_fail(err, ASSAY_EINPUT, "%s is damaged: %zu of %llu bytes", what,
                          out->len, (unsigned long long)bytes);
    return st;
}

assay_status assay_corpus_text(assay_corpus *corpus, int64_t version, assay_buffer *out,
                               assay_error *err)
{
    char what[200] = "";
    uint64_t bytes = 0;
    assay_stmt *stmt;
    bool has_row = false;
    assay_status st = assay_corpus_stmt(corpus, ASSAY_CORPUS_TEXT_BYTES, &stmt, err);

    if (st)
        return st;
    assay_stmt_put_int(stmt, 1, version);
    st = assay_stmt_step(stmt, &has_row, err);
    if (!st && has_row) {
        bytes = (uint64_t)assay_stmt_int(stmt, 0);
        snprintf(what, sizeof what, "the text of '%.*s'",
                 ASSAY_QUOTE(assay_stmt_slice(stmt, 1)));
    }
    assay_stmt_reset(stmt);
    if (st)
        return st;
    if (!has_row)
        return assay_fail(err, ASSAY_EUSAGE, "the corpus has no version %lld",
                          (long long)version);
    out->len = 0;
    return add_parts(corpus, version, bytes, out, what, err);
}

assay_document assay_corpus_document(const assay_corpus_doc *doc, assay_slice text)
{
    return (assay_document){.id = doc->id,
                            .title = doc->title,
                            .text = text,
                            .form = doc->form,
                            .lang = doc->lang,
                            .extractor = doc->extractor,
                            .line = doc->line};
}
