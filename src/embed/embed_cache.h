/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors that cost something, kept in a file: no text is embedded twice by one model.
 *
 * The key is the SHA-256 of the embedder's identity, the role and the text.  The file is
 * SQLite: several processes may share it, and one that is killed loses at most the piece
 * that it was working on. */
#ifndef ASSAY_EMBED_EMBED_CACHE_H
#define ASSAY_EMBED_EMBED_CACHE_H

#include "assay.h"
#include "embed/embed.h"

typedef struct assay_embed_cache assay_embed_cache;

/* Open or make the file.  A null path gives a cache that keeps nothing.  `identity` is
 * copied.  The caller owns *out. */
ASSAY_MUST_USE assay_status assay_embed_cache_open(const char *path, assay_slice identity,
                                                   assay_embed_cache **out,
                                                   assay_error *err);
void assay_embed_cache_close(assay_embed_cache *cache);

/* Embed n texts for real: rows of dims floats into `out`. */
typedef assay_status assay_embed_compute(void *state, assay_embed_role role,
                                         const assay_slice *text, size_t n, float *out,
                                         assay_error *err);

/* Fill `out` with n rows of dims floats: what is known from the file, the rest by
 * `compute` in pieces of at most `piece` texts, each of which is stored before the next
 * is begun.  A text that stands several times is computed once.  Any number of threads
 * may call at once. */
ASSAY_MUST_USE assay_status assay_embed_cache_fill(
    assay_embed_cache *cache, assay_embed_role role, assay_embed_text *text, void *ctx,
    size_t n, uint32_t dims, size_t piece, assay_embed_compute *compute, void *state,
    float *out, assay_error *err);

/* How many rows came from the file so far, and how many were computed. */
void assay_embed_cache_counts(assay_embed_cache *cache, uint64_t *n_found,
                              uint64_t *n_computed);

#endif
