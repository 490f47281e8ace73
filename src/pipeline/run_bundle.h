/* SPDX-License-Identifier: Apache-2.0 */
/* A stored run as one file that another store takes in whole.
 *
 *     line 1   {"schema":"assay.bundle/1", run_id, suite, ..., "tags":{},
 *               "golden_lines":N, "results":M}
 *     line 2   the snapshot, as the store has it
 *     line 3   the aggregate
 *     N lines  the frozen golden set (golden/frozen.h), byte for byte
 *     M lines  the results, as in assay's own run format, in byte order of query ids
 *
 * The same run gives the same bytes.  Without times, everything is left out that differs
 * when a run is made twice: its id, dates, durations. */
#ifndef ASSAY_PIPELINE_RUN_BUNDLE_H
#define ASSAY_PIPELINE_RUN_BUNDLE_H

#include "base/buffer.h"
#include "store/store.h"

#define ASSAY_BUNDLE_SCHEMA "assay.bundle/1"

/* Forget how long things took. */
void assay_run_forget_times(assay_run *run);

/* `golden` is the frozen text, "" = none.  Without times, `run` must have been made to
 * forget its own. */
ASSAY_MUST_USE assay_status assay_bundle_write(const assay_stored *stored,
                                               assay_slice golden, const assay_run *run,
                                               bool with_times, assay_buffer *out,
                                               assay_error *err);

typedef struct assay_bundle {
    assay_arena arena;
    assay_stored stored; /* run_id and dates are "" in one without times */
    assay_slice golden;  /* frozen text; "" = none */
    assay_run *run;
} assay_bundle;

/* Whether a text begins as bundles do. */
bool assay_bundle_is(assay_slice text);

/* Read one; `name` stands for the file in messages.  What is damaged or cut short is
 * ASSAY_EINPUT.  The text is copied. */
ASSAY_MUST_USE assay_status assay_bundle_parse(const char *name, assay_slice text,
                                               assay_bundle **out, assay_error *err);
void assay_bundle_free(assay_bundle *bundle);

#endif
