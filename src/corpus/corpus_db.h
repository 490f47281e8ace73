/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the corpus share: the handle, its statements, its schema. */
#ifndef ASSAY_CORPUS_CORPUS_DB_H
#define ASSAY_CORPUS_CORPUS_DB_H

#include "base/sha256.h"
#include "base/sql.h"
#include "base/zblock.h"
#include "corpus/corpus.h"

/* An assay_corpus_doc, as assay_corpus_row reads it; ?1 is today's chunking. */
#define ASSAY_CORPUS_DOC                                                     \
    "SELECT v.version, v.doc, v.title, v.form, v.lang, v.extractor, f.path," \
    " v.bytes, coalesce(c.n_chunks, 0), v.is_today, v.line"                  \
    " FROM versions v JOIN files f USING (file)"                             \
    " LEFT JOIN cuts c ON c.version = v.version AND c.chunking = ?1"

/* Every statement that is used again and again: name, text. */
#define ASSAY_CORPUS_STATEMENTS(X)                                                       \
    X(FIND_DOC, ASSAY_CORPUS_DOC " WHERE v.is_today = 1 AND v.doc = ?2")                 \
    X(FIND_VERSION, ASSAY_CORPUS_DOC " WHERE v.version = ?2")                            \
    X(TEXT_BYTES, "SELECT bytes, doc FROM versions WHERE version = ?1")                  \
    X(TEXT_PARTS, "SELECT bytes, is_packed, body FROM texts WHERE version = ?1"          \
                  " ORDER BY part")                                                      \
    X(CUT, "SELECT body FROM cuts WHERE version = ?1 AND chunking = ?2")                 \
    X(VERSIONS_OF, "SELECT version, is_today, file, hash, line FROM versions"            \
                   " WHERE doc = ?1")                                                    \
    X(FILE_PATH, "SELECT path FROM files WHERE file = ?1")                               \
    X(ADD_FILE, "INSERT INTO files (path, root, size, mtime_ns, read_ns, hash, reader,"  \
                " is_today) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1)"                      \
                " ON CONFLICT (path) DO UPDATE SET root = ?2, size = ?3, mtime_ns = ?4," \
                " read_ns = ?5, hash = ?6, reader = ?7, is_today = 1"                    \
                " RETURNING file")                                                       \
    X(REMOVE_FILE, "UPDATE files SET is_today = 0 WHERE file = ?1")                      \
    X(RETIRE, "UPDATE versions SET is_today = 0 WHERE file = ?1 AND is_today = 1")       \
    X(REVIVE, "UPDATE versions SET is_today = 1, file = ?2, line = ?3, lang = ?4"        \
              " WHERE version = ?1")                                                     \
    X(ADD_VERSION, "INSERT INTO versions (doc, is_today, file, line, title, form, lang," \
                   " extractor, bytes, hash)"                                            \
                   " VALUES (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")                    \
    X(ADD_TEXT, "INSERT INTO texts (version, part, bytes, is_packed, body)"              \
                " VALUES (?1, ?2, ?3, ?4, ?5)")                                          \
    X(ADD_CUT, "INSERT OR IGNORE INTO cuts (version, chunking, n_chunks, body)"          \
               " VALUES (?1, ?2, ?3, ?4)")

typedef enum assay_corpus_statement {
#define X(name, text) ASSAY_CORPUS_##name,
    ASSAY_CORPUS_STATEMENTS(X)
#undef X
        ASSAY_CORPUS_N_STATEMENTS
} assay_corpus_statement;

struct assay_corpus {
    assay_sql *sql;
    assay_stmt *stmt[ASSAY_CORPUS_N_STATEMENTS]; /* null until first used */
    char *chunking;          /* today's, full spelling; "" = nothing was ingested yet */
    int64_t chunking_number; /* its key, or 0 */
    assay_zblock z;
    int64_t file; /* being written, or 0 */
    int lock;     /* descriptor of the lock file, or -1 */
};

extern const assay_sql_schema assay_corpus_schema;

/* The statement, prepared. */
ASSAY_MUST_USE assay_status assay_corpus_stmt(assay_corpus *corpus,
                                              assay_corpus_statement which,
                                              assay_stmt **out, assay_error *err);

/* Ask the database again what today's chunking is. */
ASSAY_MUST_USE assay_status assay_corpus_refresh(assay_corpus *corpus, assay_error *err);

#endif
