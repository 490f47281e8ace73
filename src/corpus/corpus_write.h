/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a corpus: for pipeline/ingest.c, and for nobody else.
 *
 * The work is split so that all that costs time (cutting, hashing, packing) can be done
 * by many threads beforehand (assay_corpus_pack), and one thread stores what they made. */
#ifndef ASSAY_CORPUS_CORPUS_WRITE_H
#define ASSAY_CORPUS_CORPUS_WRITE_H

#include "base/sha256.h"
#include "base/zblock.h"
#include "corpus/corpus.h"

/* ---- making documents ready ---- */

/* A text is stored in parts of this many bytes, each packed where that makes it smaller:
 * far below what SQLite takes in one value, and what it copies at once. */
enum { ASSAY_CORPUS_PART = 4 << 20 };

typedef struct assay_corpus_part {
    assay_slice body;
    uint32_t bytes; /* unpacked */
    bool is_packed;
} assay_corpus_part;

/* A document ready to be stored. */
typedef struct assay_corpus_packed {
    assay_slice id;
    assay_slice title;
    assay_slice lang;
    assay_slice extractor;
    assay_form form;
    uint32_t line;
    uint64_t bytes;
    uint8_t hash[ASSAY_SHA256_BYTES]; /* of id, title, form, extractor and text */
    assay_corpus_part *part;
    uint32_t n_parts;
    assay_slice cut;
    uint32_t n_chunks;
} assay_corpus_packed;

/* What one worker needs for it.  Zeroed is ready. */
typedef struct assay_corpus_packer {
    assay_zblock z;
    assay_buffer bytes;
    assay_arena scratch;
} assay_corpus_packer;

void assay_corpus_packer_clear(assay_corpus_packer *packer);

/* The steps of packing, for one who spreads those of a long document over threads.  Each
 * writes its own members of *out and needs the document only.  Everything lives in
 * `arena`; false and ASSAY_ENOMEM: no memory. */

/* Names, numbers, and room for the parts. */
bool assay_corpus_pack_head(const assay_document *doc, assay_arena *arena,
                            assay_corpus_packed *out);
/* `text_hash` is the SHA-256 of the text where it is known, else null. */
void assay_corpus_pack_hash(const assay_document *doc, const uint8_t *text_hash,
                            assay_corpus_packed *out);
bool assay_corpus_pack_part(assay_corpus_packer *packer, const assay_document *doc,
                            uint32_t part, assay_arena *arena, assay_corpus_packed *out);
ASSAY_MUST_USE assay_status assay_corpus_pack_cut(assay_corpus_packer *packer,
                                                  const assay_document *doc,
                                                  const assay_chunking *chunking,
                                                  assay_arena *arena,
                                                  assay_corpus_packed *out,
                                                  assay_error *err);

/* All of them. */
ASSAY_MUST_USE assay_status assay_corpus_pack(assay_corpus_packer *packer,
                                              const assay_document *doc,
                                              const uint8_t *text_hash,
                                              const assay_chunking *chunking,
                                              assay_arena *arena,
                                              assay_corpus_packed *out, assay_error *err);

/* ---- files ---- */

typedef struct assay_corpus_file {
    int64_t number;   /* key, 0 = not stored yet */
    assay_slice path; /* as it is stored */
    assay_slice root; /* the folder that document ids are relative to, or the file */
    uint64_t size;
    int64_t mtime_ns;
    int64_t read_ns; /* when it was read */
    uint8_t hash[ASSAY_SHA256_BYTES];
    assay_slice reader; /* the program that read it */
} assay_corpus_file;

typedef assay_status assay_corpus_visit_file(void *ctx, const assay_corpus_file *file,
                                             assay_error *err);

/* Today's files by path; slices hold during the call. */
ASSAY_MUST_USE assay_status assay_corpus_each_file(assay_corpus *corpus,
                                                   assay_corpus_visit_file *visit,
                                                   void *ctx, assay_error *err);

/* Be the only one who ingests, until the handle is closed or the process ends.  Somebody
 * else is at it: ASSAY_ESYSTEM, and names the process. */
ASSAY_MUST_USE assay_status assay_corpus_lock(assay_corpus *corpus, assay_error *err);

/* Replace the file's documents: begin, put each of them, end.  All in one transaction;
 * cancel takes it back.  A document whose id another file has, or this one twice, is
 * ASSAY_NO and the words name both: then cancel.  A text that the corpus has already, of
 * today or from the archive, is not stored again. */
ASSAY_MUST_USE assay_status assay_corpus_begin_file(assay_corpus *corpus,
                                                    const assay_corpus_file *file,
                                                    assay_error *err);
ASSAY_MUST_USE assay_status assay_corpus_put_doc(assay_corpus *corpus,
                                                 const assay_corpus_packed *doc,
                                                 assay_error *err);
ASSAY_MUST_USE assay_status assay_corpus_end_file(assay_corpus *corpus, assay_error *err);
void assay_corpus_cancel_file(assay_corpus *corpus);

/* Only remember that the file was looked at. */
ASSAY_MUST_USE assay_status assay_corpus_touch_file(assay_corpus *corpus,
                                                    const assay_corpus_file *file,
                                                    assay_error *err);

/* The file is gone: its documents go to the archive. */
ASSAY_MUST_USE assay_status assay_corpus_remove_file(assay_corpus *corpus, int64_t number,
                                                     assay_error *err);

/* ---- another chunking ---- */

typedef struct assay_corpus_uncut {
    int64_t version;
    uint64_t bytes;
} assay_corpus_uncut;

/* Today's versions that `chunking` (full spelling) has not cut; the list is to be freed
 * by assay_mem_free. */
ASSAY_MUST_USE assay_status assay_corpus_list_uncut(assay_corpus *corpus,
                                                    assay_slice chunking,
                                                    assay_corpus_uncut **out, size_t *n,
                                                    assay_error *err);

/* Store cut and number of chunks of cuts[0..n), for version[0..n), in one
 * transaction. */
ASSAY_MUST_USE assay_status assay_corpus_put_cuts(assay_corpus *corpus,
                                                  assay_slice chunking,
                                                  const int64_t *version,
                                                  const assay_corpus_packed *cuts,
                                                  size_t n, assay_error *err);

/* From now on this is today's chunking.  All of today's versions must have been cut. */
ASSAY_MUST_USE assay_status assay_corpus_use_chunking(assay_corpus *corpus,
                                                      assay_slice chunking,
                                                      assay_error *err);

#endif
