/* SPDX-License-Identifier: Apache-2.0 */
/* The hits of one query as bytes: column `hits` of eval_query_results.
 *
 * A block stands for itself, and what is unpacked equals what was packed in every field.
 * It is kept by columns, so that the usual case costs little: ids of 32 hex digits take 16
 * bytes, ranks 1, 2, 3 ... none, a score 8.  The format is described in docs/STORE.md; a
 * changed one gets a new first byte, and the old ones stay readable. */
#ifndef ASSAY_STORE_HITS_BLOCK_H
#define ASSAY_STORE_HITS_BLOCK_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "run/run.h"

/* Memory used again from block to block; zeroed is ready. */
typedef struct assay_hits_packer {
    assay_slice *word; /* different ids of a column */
    uint32_t *slot;    /* of an open hash table: number + 1, 0 = free */
    uint32_t *number;  /* by hit */
    uint32_t n_words;
    size_t cap_words;
    size_t cap_numbers;
    size_t n_slots; /* a power of two, or 0 */
} assay_hits_packer;

/* Append the block to `out`.  False: no memory. */
bool assay_hits_pack(assay_hits_packer *packer, const assay_hit *hit, uint32_t n,
                     assay_buffer *out);
void assay_hits_packer_clear(assay_hits_packer *packer);

/* The hits of a block, in `arena` with all that they point to.
 * *seen gets the assay_seen bits of all.  A damaged block is ASSAY_EINPUT ("the hits are
 * damaged ..."), and one of a newer format too. */
ASSAY_MUST_USE assay_status assay_hits_unpack(assay_slice block, assay_arena *arena,
                                              assay_hit **hit, uint32_t *n, uint8_t *seen,
                                              assay_error *err);

#endif
