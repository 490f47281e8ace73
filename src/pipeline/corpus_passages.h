/* SPDX-License-Identifier: Apache-2.0 */
/* A corpus in memory, for what has to see all of it at once. */
#ifndef ASSAY_PIPELINE_CORPUS_PASSAGES_H
#define ASSAY_PIPELINE_CORPUS_PASSAGES_H

#include "corpus/corpus.h"
#include "corpus/passages.h"

/* Today's chunks as passages, sorted by id: texts, titles, spans.  Everything lives in
 * `arena`. */
ASSAY_MUST_USE assay_status assay_passages_of_corpus(assay_corpus *corpus,
                                                     assay_arena *arena,
                                                     assay_passages *out,
                                                     assay_error *err);

/* The same for another chunking than today's: the documents are cut now, and the corpus is
 * left as it is.  The ids are those that the corpus would give. */
ASSAY_MUST_USE assay_status assay_passages_cut(assay_corpus *corpus,
                                               const assay_chunking *chunking,
                                               assay_arena *arena, assay_passages *out,
                                               assay_error *err);

#endif
