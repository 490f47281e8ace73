/* SPDX-License-Identifier: Apache-2.0 */
/* Hits to an answer: what was retrieved becomes what an answerer may rest on. */
#ifndef ASSAY_PIPELINE_ANSWERING_H
#define ASSAY_PIPELINE_ANSWERING_H

#include "answer/answer.h"
#include "corpus/passages.h"
#include "retrieve/retrieve.h"

/* What a retriever found over `passages`, best first.  *out[0..n) lives in `arena` and
 * points into the passages. */
ASSAY_MUST_USE assay_status assay_sources_of_retrieved(const assay_passages *passages,
                                                       const assay_retrieved *hit,
                                                       uint32_t n, assay_arena *arena,
                                                       assay_source_chunk **out,
                                                       assay_error *err);

/* The same for the hits of a run, in their order.  A hit without text gets that of its
 * passage (by chunk id, else by document), where there are passages (else null); one whose
 * text nobody has is left out, so that *n_out <= n. */
ASSAY_MUST_USE assay_status assay_sources_of_hits(const assay_passages *passages,
                                                  const assay_hit *hit, uint32_t n,
                                                  assay_arena *arena,
                                                  assay_source_chunk **out,
                                                  uint32_t *n_out, assay_error *err);

/* Let `worker` (of by->answerer) answer from hits.  On success *out is a new answer in
 * `arena`; nothing in it belongs to the worker. */
ASSAY_MUST_USE assay_status assay_answer_hits(const assay_answering_by *by, void *worker,
                                              const assay_passages *passages,
                                              assay_slice query, const assay_hit *hit,
                                              uint32_t n, assay_arena *arena,
                                              assay_answer **out, assay_error *err);

#endif
