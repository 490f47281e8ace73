/* SPDX-License-Identifier: Apache-2.0 */
/* Hits of the plainest shape, which are nearly all of a large file, without tokens. */
#ifndef ASSAY_RUN_QUICK_HIT_H
#define ASSAY_RUN_QUICK_HIT_H

#include "run/run.h"

/* Read {"rank", "doc_id", "chunk_id", "score"}, in any order and each at most once, ids
 * as strings of plain ASCII.  Returns what comes behind the object; null for anything
 * else, good or bad: then the JSON reader has the word.  `hit` may have been changed. */
const char *assay_run_quick_hit(const char *p, const char *end, assay_hit *hit);

#endif
