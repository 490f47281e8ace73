/* SPDX-License-Identifier: Apache-2.0 */
/* Chunkings that a golden set names: those that the chunks of its judgments were cut by.
 *
 * A golden set holds on to them (assay_corpus_pin), so that its ids resolve for as long as
 * it names them, whatever is pruned. */
#ifndef ASSAY_GOLDEN_NAMED_CUTS_H
#define ASSAY_GOLDEN_NAMED_CUTS_H

#include "corpus/corpus.h"
#include "golden/golden.h"

/* Put into *out, in `arena`, the chunkings of today and of the archive whose chunk ids a
 * judgment names, also where a quote stands beside it; each once, in byte order.  Ids that
 * the corpus does not have name none. */
ASSAY_MUST_USE assay_status assay_golden_chunkings(const assay_golden *golden,
                                                   assay_corpus *corpus,
                                                   assay_arena *arena, assay_slice **out,
                                                   size_t *n, assay_error *err);

/* Let the golden set, under the name `who`, hold on to these in the corpus file `path`, and
 * to nothing else.  Nothing is written where that is so already.  A corpus that cannot be
 * written is ASSAY_ESYSTEM. */
ASSAY_MUST_USE assay_status assay_golden_pin(const assay_golden *golden, const char *path,
                                             assay_slice who, assay_error *err);

#endif
