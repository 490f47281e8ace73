/* SPDX-License-Identifier: Apache-2.0 */
/* A retriever asked all queries of a golden set: the run that comes of it. */
#ifndef ASSAY_PIPELINE_ASKING_H
#define ASSAY_PIPELINE_ASKING_H

#include "corpus/passages.h"
#include "golden/golden.h"
#include "retrieve/shared.h"
#include "run/run.h"

/* The documents that came with a golden set as passages, sorted; they live in `arena`
 * and point into the golden set.  Ids that stand twice are ASSAY_EINPUT; no documents at
 * all is ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_passages_of_golden(const assay_golden *golden,
                                                     assay_arena *arena,
                                                     assay_passages *out,
                                                     assay_error *err);

typedef struct assay_asking {
    const assay_golden *golden;
    const assay_passages *passages;
    const assay_retriever *retriever;
    void *state;
    const char *name; /* of the run */
    uint32_t depth;   /* hits asked for */
    uint32_t n_threads;
} assay_asking;

/* Ask every query that is no draft.  A query that fails is kept with its error.  Hits
 * have documents, chunks where passages are chunks, spans, scores and legs; results have
 * the time they took.  Ids are borrowed from the passages.  On success the caller owns
 * *out. */
ASSAY_MUST_USE assay_status assay_ask_all(const assay_asking *asking, assay_run **out,
                                          assay_error *err);

/* Milliseconds since some fixed moment. */
double assay_now_ms(void);

#endif
