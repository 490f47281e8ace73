/* SPDX-License-Identifier: Apache-2.0 */
/* The difference of two texts by lines, in the unified form that `diff -u` has. */
#ifndef ASSAY_BASE_DIFF_H
#define ASSAY_BASE_DIFF_H

#include "assay.h"
#include "base/buffer.h"

/* Append "--- a", "+++ b" and the hunks with `context` lines around each change; nothing
 * when the texts are equal.  Texts that differ nearly everywhere are shown as one block
 * taken out and one put in, rather than searched for the shortest difference.  False: no
 * memory. */
bool assay_diff(const char *name_a, assay_slice a, const char *name_b, assay_slice b,
                uint32_t context, assay_buffer *out);

#endif
