/* SPDX-License-Identifier: Apache-2.0 */
/* Texts to vectors: the socket for embedders (e_*.c, listed in embed_roster.h).
 *
 * An embedder is named `name:argument(param=value,...)`, e.g. `lsa(dims=256)`,
 * `bert:models/minilm`, `ollama:qwen3-embedding:0.6b(dims=256)`. */
#ifndef ASSAY_EMBED_EMBED_H
#define ASSAY_EMBED_EMBED_H

#include <stdatomic.h>
#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/cassette.h"
#include "base/notes.h"
#include "base/params.h"

/* Everything an embedder may be told; zeroed is its own way. */
typedef struct assay_embed_settings {
    assay_slice argument;   /* what stands after the colon: folder, model, file */
    assay_slice params;     /* what stands in the brackets: "dims=256,batch=64" */
    const char *base_url;   /* of a server, null = the embedder's own default */
    const char *api_key;    /* never stored, logged or printed; null = none */
    const char *cache_path; /* file of the cache, null = none */
    uint32_t n_threads;     /* 0 = one a core */
    uint64_t seed;
    assay_cassette *cassette; /* record or replay calls to a server (the cache is left
                                 alone then), or null; must outlive the embedder */
    const atomic_int *stop;   /* not 0: give up on a server; null = never */
} assay_embed_settings;

typedef enum assay_embed_role { ASSAY_EMBED_PASSAGE, ASSAY_EMBED_QUERY } assay_embed_role;

enum { ASSAY_EMBED_DIMS_MOST = 65535 };

/* Text i of a collection, for training and embedding without a copy of them all. */
typedef assay_slice assay_embed_text(void *ctx, size_t i);

typedef struct assay_embedder {
    const char *name;
    const char *summary;
    bool needs_training;      /* on the passages, before anything is embedded */
    const assay_param *param; /* what may stand in the brackets */

    assay_status (*open)(const assay_embed_settings *settings, void **state,
                         assay_error *err);

    /* Learn from n texts; null where nothing is learnt. */
    assay_status (*train)(void *state, assay_embed_text *text, void *ctx, size_t n,
                          assay_error *err);

    /* Length of a vector; 0 = not known before the first text was embedded.  Then one text
     * is embedded by itself first, with room for ASSAY_EMBED_DIMS_MOST. */
    uint32_t (*dims)(const void *state);

    /* One row of dims floats for each text, of length 1 (or all 0 for a text that says
     * nothing).  Row i depends on text i alone.  On failure nothing of what was asked is
     * handed out, but a cache keeps what had come.  Several threads may ask at once, and
     * `text` is called by any of the threads that do the work. */
    assay_status (*embed)(void *state, assay_embed_role role, assay_embed_text *text,
                          void *ctx, size_t n, float *out, assay_error *err);

    /* The same for texts that have ids, for embedders that look vectors up.  Null = the id
     * is of no interest. */
    assay_status (*embed_named)(void *state, assay_embed_role role,
                                assay_embed_text *text, assay_embed_text *id, void *ctx,
                                size_t n, float *out, assay_error *err);

    /* All that decides the vectors (model, revision, prefixes, dims), one line without
     * secrets: key of the cache, and stored with a run. */
    void (*identity)(const void *state, assay_buffer *out);

    void (*close)(void *state);
} assay_embedder;

/* Null past the end. */
const assay_embedder *assay_embedder_at(size_t i);
const assay_embedder *assay_embedder_find(assay_slice name);

#define ASSAY_EMBEDDER_STANDARD "lsa"

/* An embedder that is open. */
typedef struct assay_embedding {
    const assay_embedder *embedder;
    void *state;
} assay_embedding;

/* Open `bert:models/minilm(batch=32)`; a null spelling is the standard.  Argument and
 * params of `settings` are replaced by those of the spelling.  What is unknown is
 * ASSAY_EUSAGE.  Spelling and settings need not outlive the call. */
ASSAY_MUST_USE assay_status assay_embedding_open(const char *spelling,
                                                 const assay_embed_settings *settings,
                                                 assay_embedding *out, assay_error *err);
void assay_embedding_close(assay_embedding *embedding);

/* Text i of an array of slices: an assay_embed_text. */
assay_slice assay_embed_slice_at(void *ctx, size_t i);

#endif
