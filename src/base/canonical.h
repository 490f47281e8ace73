/* SPDX-License-Identifier: Apache-2.0 */
/* JSON in one form: members sorted by name (bytes), no blanks, numbers as short as they
 * read back.  Two texts that say the same are the same bytes then. */
#ifndef ASSAY_BASE_CANONICAL_H
#define ASSAY_BASE_CANONICAL_H

#include <stdbool.h>

#include "assay.h"
#include "base/buffer.h"

/* Append the canonical form of `text`.  False, and nothing appended, when it is no JSON list
 * or object that nests at most `depth` levels.  Memory is told by out->has_failed. */
bool assay_canonical_json(assay_slice text, uint32_t depth, assay_buffer *out);

#endif
