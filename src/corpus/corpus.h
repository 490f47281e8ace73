/* SPDX-License-Identifier: Apache-2.0 */
/* The corpus: documents and how they were cut, in one SQLite file of the workspace
 * (.assay/corpus/NAME.db).
 *
 * A version is one text of one document.  Today's versions make up the corpus; a version
 * that was replaced or whose file is gone stays as long as an archived cut needs it.  A
 * cut is the list of chunks of one version under one chunking: ids, spans, headings.
 * Cuts of other chunkings than today's are the archive, by which yesterday's chunk ids
 * still resolve.
 *
 * Texts are read when they are asked for: memory is bounded by the largest document.
 * One handle belongs to one thread; several handles, in one process or many, may read
 * while one writes. */
#ifndef ASSAY_CORPUS_CORPUS_H
#define ASSAY_CORPUS_CORPUS_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "corpus/chunker.h"
#include "corpus/document.h"

typedef struct assay_corpus assay_corpus;

typedef enum assay_corpus_mode {
    ASSAY_CORPUS_READ,  /* must be there */
    ASSAY_CORPUS_WRITE, /* must be there */
    ASSAY_CORPUS_CREATE /* made, with its folder, when it is not */
} assay_corpus_mode;

/* A corpus that is not there is ASSAY_EUSAGE and says how to make one; a newer schema is
 * refused (ASSAY_EINPUT), an older one is migrated by WRITE and CREATE. */
ASSAY_MUST_USE assay_status assay_corpus_open(const char *path, assay_corpus_mode mode,
                                              assay_corpus **out, assay_error *err);
void assay_corpus_close(assay_corpus *corpus);

/* 64 hexadecimal digits and a zero: SHA-256 over today's document ids, texts, titles,
 * forms and extractors, in byte order of the ids.  The chunking is not in it. */
ASSAY_MUST_USE assay_status assay_corpus_hash(assay_corpus *corpus, char hex[65],
                                              assay_error *err);

/* Today's chunking in its full spelling; valid while the handle lives. */
assay_slice assay_corpus_chunking(const assay_corpus *corpus);

/* ---- documents ---- */

typedef struct assay_corpus_doc {
    int64_t version; /* key of the text */
    assay_slice id;
    assay_slice title;
    assay_form form;
    assay_slice lang;
    assay_slice extractor;
    assay_slice source; /* path of the file it came from, as ingested */
    uint64_t bytes;     /* of the text */
    uint32_t n_chunks;  /* under today's chunking */
    bool is_today;      /* false: an archived version */
    uint32_t line;      /* of the record in its file, 0 = the file is the document */
} assay_corpus_doc;

typedef assay_status assay_corpus_visit(void *ctx, const assay_corpus_doc *doc,
                                        assay_error *err);

/* Visit today's documents, ids in byte order; slices hold during the call. */
ASSAY_MUST_USE assay_status assay_corpus_each(assay_corpus *corpus,
                                              assay_corpus_visit *visit, void *ctx,
                                              assay_error *err);

/* Today's document with this id; *is_there says whether there is one.  Slices live in
 * `arena`. */
ASSAY_MUST_USE assay_status assay_corpus_find(assay_corpus *corpus, assay_slice id,
                                              assay_arena *arena, assay_corpus_doc *out,
                                              bool *is_there, assay_error *err);

/* The same for a version, today's or archived, such as a chunk's place names it. */
ASSAY_MUST_USE assay_status assay_corpus_find_version(assay_corpus *corpus,
                                                      int64_t version, assay_arena *arena,
                                                      assay_corpus_doc *out,
                                                      bool *is_there, assay_error *err);

/* How much there is today. */
typedef struct assay_corpus_size {
    uint64_t n_files;
    uint64_t n_docs;
    uint64_t bytes; /* of all texts */
    uint64_t n_chunks;
} assay_corpus_size;

ASSAY_MUST_USE assay_status assay_corpus_measure(assay_corpus *corpus,
                                                 assay_corpus_size *out,
                                                 assay_error *err);

/* The text of a version, today's or archived, put into `out` (emptied before). */
ASSAY_MUST_USE assay_status assay_corpus_text(assay_corpus *corpus, int64_t version,
                                              assay_buffer *out, assay_error *err);

/* As a document for chunkers and anchors: `doc` and its text. */
assay_document assay_corpus_document(const assay_corpus_doc *doc, assay_slice text);

/* ---- chunks ---- */

/* The cut of a version under today's chunking.  Heading texts point into `text`, which is
 * the version's. */
ASSAY_MUST_USE assay_status assay_corpus_chunks(assay_corpus *corpus, int64_t version,
                                                assay_slice text, assay_arena *arena,
                                                assay_chunks *out, assay_error *err);

/* Where a chunk id stands. */
typedef struct assay_chunk_place {
    bool is_there;
    bool is_today;        /* of today's version and today's chunking */
    int64_t version;      /* whose text the spans point into */
    assay_slice doc;      /* its id */
    assay_slice chunking; /* full spelling */
    const assay_span *span;
    uint32_t n_spans;
} assay_chunk_place;

/* Look up id[0..n) (as printed) among today's and the archived cuts, in one pass over
 * them; place[i] belongs to id[i] and lives in `arena`.  An id of several versions is
 * told from today's version, else from the newest. */
ASSAY_MUST_USE assay_status assay_corpus_places(assay_corpus *corpus,
                                                const assay_slice *id, size_t n,
                                                assay_arena *arena,
                                                assay_chunk_place *place,
                                                assay_error *err);

/* ---- the archive ---- */

/* A chunking that has cuts in the corpus, or that somebody holds on to. */
typedef struct assay_corpus_cuts {
    assay_slice chunking; /* full spelling */
    bool is_today;
    uint64_t n_versions; /* that were cut by it, today's and archived */
    uint64_t n_chunks;
    uint64_t bytes;  /* that its cuts take */
    uint64_t n_pins; /* how many hold on to it */
} assay_corpus_cuts;

typedef assay_status assay_corpus_visit_cuts(void *ctx, const assay_corpus_cuts *cuts,
                                             assay_error *err);

/* Visit the chunkings in the order in which they were first used. */
ASSAY_MUST_USE assay_status assay_corpus_each_chunking(assay_corpus *corpus,
                                                       assay_corpus_visit_cuts *visit,
                                                       void *ctx, assay_error *err);

/* Hold on to the cuts of a chunking: what a stored run used or a golden set names stays,
 * whatever is pruned.  `who` is one name for the run or the golden set; pinning twice is
 * pinning once.  The handle must be able to write. */
ASSAY_MUST_USE assay_status assay_corpus_pin(assay_corpus *corpus, assay_slice chunking,
                                             assay_slice who, assay_error *err);
ASSAY_MUST_USE assay_status assay_corpus_unpin(assay_corpus *corpus, assay_slice who,
                                               assay_error *err);

/* Both in one step: from now on `who` holds on to chunking[0..n) and to nothing else. */
ASSAY_MUST_USE assay_status assay_corpus_repin(assay_corpus *corpus, assay_slice who,
                                               const assay_slice *chunking, size_t n,
                                               assay_error *err);

typedef assay_status assay_corpus_visit_pin(void *ctx, assay_slice chunking,
                                            assay_slice who, assay_error *err);

/* Visit who holds on to what, in byte order of the chunkings, then of the names; slices
 * hold during the call. */
ASSAY_MUST_USE assay_status assay_corpus_each_pin(assay_corpus *corpus,
                                                  assay_corpus_visit_pin *visit,
                                                  void *ctx, assay_error *err);

typedef struct assay_corpus_pruned {
    uint64_t n_cuts;     /* dropped */
    uint64_t n_versions; /* dropped, with their texts, because no cut was left */
} assay_corpus_pruned;

/* Drop archived cuts of all chunkings but today's, those in keep[0..n) and the pinned
 * ones; then archived versions that no cut names, with their texts; and give the space
 * back.  Of today's chunking the cuts of archived versions go too, unless it is pinned
 * or kept.  Nothing else ever drops anything. */
ASSAY_MUST_USE assay_status assay_corpus_prune(assay_corpus *corpus,
                                               const assay_slice *keep, size_t n,
                                               assay_corpus_pruned *out,
                                               assay_error *err);

#endif
