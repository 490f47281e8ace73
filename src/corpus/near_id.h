/* SPDX-License-Identifier: Apache-2.0 */
/* What a document that is not there may be called now. */
#ifndef ASSAY_CORPUS_NEAR_ID_H
#define ASSAY_CORPUS_NEAR_ID_H

#include "corpus/corpus.h"

/* For each id[i] with is_gone[i]: near[i] = the id of today's document that is most like
 * it (the same name in another folder, else a few letters apart), in `arena`; "" where
 * none is near enough to be meant.  The corpus is walked once, and only when something is
 * gone. */
ASSAY_MUST_USE assay_status assay_near_ids(assay_corpus *corpus, const assay_slice *id,
                                           const bool *is_gone, uint32_t n,
                                           assay_arena *arena, assay_slice *near,
                                           assay_error *err);

#endif
