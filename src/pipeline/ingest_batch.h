/* SPDX-License-Identifier: Apache-2.0 */
/* Batches: files are gathered until there is work for all threads, then read side by side
 * while one thread stores the batch before. */
#ifndef ASSAY_PIPELINE_INGEST_BATCH_H
#define ASSAY_PIPELINE_INGEST_BATCH_H

#include "pipeline/ingest_state.h"

/* Take a file on; full batches are read and stored on the way.  After a cancel nothing is
 * taken on any more. */
ASSAY_MUST_USE assay_status assay_ingest_add(assay_ingest_state *state,
                                             assay_ingest_file *file, assay_error *err);

/* The next free item of the batch, emptied; null: no memory. */
assay_ingest_item *assay_ingest_next_item(assay_ingest_state *state,
                                          assay_ingest_file *file);

/* Read the batch at hand and store the one before. */
ASSAY_MUST_USE assay_status assay_ingest_flush(assay_ingest_state *state,
                                               assay_error *err);
ASSAY_MUST_USE assay_status assay_ingest_flush_all(assay_ingest_state *state,
                                                   assay_error *err);

/* Whether another `bytes` are better left to the next batch. */
bool assay_ingest_is_full(const assay_ingest_state *state, uint64_t bytes);

/* Run `work` for items below n, and beside it the writer of the batch before; then the
 * batch at hand is the one before. */
ASSAY_MUST_USE assay_status assay_ingest_turn(assay_ingest_state *state, size_t n,
                                              assay_pool_work *work, void *ctx,
                                              assay_error *err);

/* A long file, document by document (ingest_long.c). */
ASSAY_MUST_USE assay_status assay_ingest_add_long(assay_ingest_state *state,
                                                  assay_ingest_file *file,
                                                  assay_error *err);

void assay_ingest_batches_clear(assay_ingest_state *state);

#endif
