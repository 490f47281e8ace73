/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of bytes packed by zstd, with contexts that are used again and again.
 *
 * For values inside our own files.  Each block is one frame with a checksum, so that a
 * damaged one is noticed. */
#ifndef ASSAY_BASE_ZBLOCK_H
#define ASSAY_BASE_ZBLOCK_H

#include <stdbool.h>

#include "assay.h"
#include "base/buffer.h"

/* Zeroed is ready; the contexts are made when they are first needed. */
typedef struct assay_zblock {
    void *packer;
    void *unpacker;
} assay_zblock;

/* Append `block` packed to `out`, fast rather than small.  The same bytes always give the
 * same result.  False: no memory. */
bool assay_zblock_pack(assay_zblock *z, assay_slice block, assay_buffer *out);

/* Unpack into out[0..len), which must be exactly what was packed, else ASSAY_EINPUT;
 * `what` names it in the message ("the text of 'a.md'"). */
ASSAY_MUST_USE assay_status assay_zblock_unpack(assay_zblock *z, assay_slice packed,
                                                char *out, size_t len, const char *what,
                                                assay_error *err);

void assay_zblock_clear(assay_zblock *z);

#endif
