/* SPDX-License-Identifier: Apache-2.0 */
/* A golden set as it was when a run was made: judgments with the bytes they were found at,
 * and which of them were stale.  What an old run meant must not depend on today's files.
 *
 * The text is JSON, the same bytes for the same set; its SHA-256 is the set's hash. */
#ifndef ASSAY_GOLDEN_FROZEN_H
#define ASSAY_GOLDEN_FROZEN_H

#include "golden/golden.h"

/* Append the text.  Drafts stay drafts; documents that came along are left out. */
ASSAY_MUST_USE assay_status assay_golden_freeze(const assay_golden *golden,
                                                assay_buffer *out, assay_error *err);

/* The hash of a frozen text: 64 hex digits and a zero. */
void assay_frozen_hash(assay_slice text, char out[65]);

/* A golden set from its frozen text; `name` stands for the file in messages.  On success
 * the caller owns *out. */
ASSAY_MUST_USE assay_status assay_golden_thaw(const char *name, assay_slice text,
                                              assay_golden **out, assay_error *err);

/* The hash of one query with its judgments, for telling whether two sets judge it alike:
 * 64 hex digits and a zero. */
ASSAY_MUST_USE assay_status assay_query_hash(const assay_golden *golden,
                                             const assay_query *query, char out[65],
                                             assay_error *err);

#endif
