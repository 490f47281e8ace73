/* SPDX-License-Identifier: Apache-2.0 */
/* An inverted index over passages: for each term the passages that have it, and how often
 * in title and text.  It knows nothing of scores (index/bm25.h).
 *
 * Documents here are passage numbers.  A term's postings ascend by document and are cut
 * into blocks of up to ASSAY_BLOCK postings, within which a document is its block's first
 * one plus 16 bits; so nothing has to be unpacked, and a mapped file is searched as it
 * is. */
#ifndef ASSAY_INDEX_POSTINGS_H
#define ASSAY_INDEX_POSTINGS_H

#include <stdbool.h>

#include "assay.h"
#include "base/buffer.h"
#include "base/dict.h"
#include "base/file.h"
#include "corpus/passages.h"
#include "text/tokenizer.h"

enum { ASSAY_BLOCK = 128, ASSAY_TF_MANY = 255 };

/* Most passages: sums of a document and a few thousand must not run over. */
#define ASSAY_POSTINGS_DOCS (UINT32_MAX - (1U << 20))

/* A frequency too large for its byte. */
typedef struct assay_tf_many {
    uint64_t posting;
    uint32_t text;
    uint32_t title;
} assay_tf_many;

typedef struct assay_postings {
    uint32_t n_docs;
    uint32_t n_terms;
    uint64_t n_postings;
    uint64_t n_blocks;
    uint64_t n_text;   /* terms in all texts, counting repetitions */
    uint64_t n_title;  /* and in all titles */
    uint64_t passages; /* assay_postings_hash of what it was built over, for who saves it;
                          0 = not asked for */

    /* The dictionary: by hash, then bytes.  bucket[h >> bucket_shift] is the first term
     * with such a hash, or the next there is. */
    const uint64_t *term_hash; /* n_terms */
    const uint64_t *term_at;   /* n_terms + 1: where its bytes begin */
    const char *term_bytes;
    const uint32_t *bucket; /* 2^(64 - bucket_shift) + 1 */
    uint32_t bucket_shift;

    const uint64_t *post_at;  /* n_terms + 1: first posting */
    const uint64_t *block_at; /* n_terms + 1: first block */

    const uint32_t *block_doc; /* n_blocks: first document */
    const uint32_t *block_pos; /* n_blocks: first posting, counted in its term */

    const uint16_t *delta;     /* n_postings: document less its block's first */
    const uint8_t *tf_text;    /* n_postings; ASSAY_TF_MANY = look in many[] */
    const uint8_t *tf_title;   /* the same; null when no title has a term */
    const assay_tf_many *many; /* ascending by posting */
    uint64_t n_many;

    const uint32_t *len_text; /* n_docs: terms in the text */
    const uint32_t *len_title;

    const char *tokenizer; /* full spelling */

    /* private: what has to be released */
    void **owned;
    size_t n_owned;
    assay_file file;
} assay_postings;

/* Build over `passages` with `tokenizing` on n_threads (0 = one a core).  The result does
 * not depend on the number of threads.  The caller owns *out. */
ASSAY_MUST_USE assay_status assay_postings_build(const assay_passages *passages,
                                                 const assay_tokenizing *tokenizing,
                                                 uint32_t n_threads, assay_postings **out,
                                                 assay_error *err);

void assay_postings_free(assay_postings *postings);

/* The term's number, or ASSAY_NONE. */
uint32_t assay_postings_term(const assay_postings *postings, assay_slice term);

static inline assay_slice assay_postings_word(const assay_postings *p, uint32_t term)
{
    return (assay_slice){p->term_bytes + p->term_at[term],
                         (size_t)(p->term_at[term + 1] - p->term_at[term])};
}

/* Passages that have the term. */
static inline uint32_t assay_postings_df(const assay_postings *p, uint32_t term)
{
    return (uint32_t)(p->post_at[term + 1] - p->post_at[term]);
}

/* How often the term of posting number `posting` stands in its document. */
typedef struct assay_tf {
    uint32_t text;
    uint32_t title;
} assay_tf;

assay_tf assay_postings_tf_many(const assay_postings *postings, uint64_t posting);

static inline assay_tf assay_postings_tf(const assay_postings *p, uint64_t posting)
{
    uint32_t text = p->tf_text[posting];

    if (text == ASSAY_TF_MANY)
        return assay_postings_tf_many(p, posting);
    return (assay_tf){text, p->tf_title ? p->tf_title[posting] : 0};
}

/* The end of block `block` (counted in its term) of `term`, as a posting of the term. */
static inline uint32_t assay_postings_block_end(const assay_postings *p, uint32_t term,
                                                uint32_t block)
{
    uint64_t b = p->block_at[term] + block;

    return b + 1 < p->block_at[term + 1] ? p->block_pos[b + 1]
                                         : assay_postings_df(p, term);
}

/* The posting of `doc` among those of `term`; false: it does not have the term. */
bool assay_postings_find(const assay_postings *postings, uint32_t term, uint32_t doc,
                         uint64_t *posting);

/* What passages are hashed to, to see whether a file belongs to them. */
uint64_t assay_postings_hash(const assay_passages *passages, uint32_t n_threads);

/* ---- files (postings_file.c) ---- */

/* Write to `path` in one step. */
ASSAY_MUST_USE assay_status assay_postings_save(const assay_postings *postings,
                                                const char *path, assay_error *err);

/* Map `path`.  A file that is no index, of another version, cut short or changed is
 * ASSAY_EINPUT and says which. */
ASSAY_MUST_USE assay_status assay_postings_load(const char *path, assay_postings **out,
                                                assay_error *err);

#endif
