/* SPDX-License-Identifier: Apache-2.0 */
/* Queries asked, one after the other or several at once, and every result stored as soon as
 * it is there: whoever kills the program loses what is in flight and nothing else. */
#ifndef ASSAY_PIPELINE_RUNNER_H
#define ASSAY_PIPELINE_RUNNER_H

#include <stdatomic.h>

#include "golden/golden.h"
#include "retrieve/system.h"
#include "store/store.h"

/* How far it is. */
typedef struct assay_runner_news {
    assay_slice query_id; /* that was begun, or is done */
    bool is_done;
    uint32_t n_done; /* of this call */
    uint32_t n_failed;
    uint32_t n_waiting; /* asked, and not answered yet */
} assay_runner_news;

typedef struct assay_runner {
    const assay_golden *golden;
    const uint32_t *query; /* numbers of those to ask */
    uint32_t n;
    const assay_system *system;
    void *state; /* of the system */
    uint32_t depth;
    bool wants_answers;
    uint32_t n_jobs; /* queries at once, 0 = one a core */
    assay_store *store;
    assay_slice run_id;
    const atomic_int *stop; /* not 0: begin no further query; or null */
    /* Null, or told of every beginning and end; one thread at a time. */
    void (*tell)(void *ctx, const assay_runner_news *news);
    void *ctx;
} assay_runner;

typedef struct assay_runner_end {
    uint32_t n_done;
    uint32_t n_failed;
    bool was_stopped; /* before all were asked */
} assay_runner_end;

/* A query that fails is stored with its error.  What stops the run is returned: the store
 * refuses, a worker does not open, no memory; what was stored before stays. */
ASSAY_MUST_USE assay_status assay_runner_run(const assay_runner *runner,
                                             assay_runner_end *end, assay_error *err);

#endif
