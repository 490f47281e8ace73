/* SPDX-License-Identifier: Apache-2.0 */
/* gz and zst over zlib and libzstd; for file.c and file_save.c only. */
#ifndef ASSAY_BASE_FILE_PACK_H
#define ASSAY_BASE_FILE_PACK_H

#include "assay.h"
#include "base/buffer.h"

typedef enum assay_pack { ASSAY_PACK_NONE, ASSAY_PACK_GZ, ASSAY_PACK_ZST } assay_pack;

/* How the bytes are packed, by their magic numbers. */
assay_pack assay_pack_of(assay_slice bytes);

/* How a file of this name is to be packed. */
assay_pack assay_pack_of_name(const char *path);

/* Append what is packed in `bytes` to `out`.  Broken bytes are ASSAY_EINPUT and name
 * `path`; what `out` holds then means nothing. */
ASSAY_MUST_USE assay_status assay_pack_undo(assay_pack kind, assay_slice bytes,
                                            const char *path, assay_buffer *out,
                                            assay_error *err);

/* Append `text` packed to `out`; the same text always gives the same bytes. */
ASSAY_MUST_USE assay_status assay_pack_do(assay_pack kind, assay_slice text,
                                          const char *path, assay_buffer *out,
                                          assay_error *err);

#endif
