/* SPDX-License-Identifier: Apache-2.0 */
/* Run files into one run, query by query. */
#ifndef ASSAY_PIPELINE_FUSE_H
#define ASSAY_PIPELINE_FUSE_H

#include "retrieve/fusion.h"
#include "run/run.h"

/* What orders the hits of a run. */
typedef enum assay_fuse_order {
    ASSAY_FUSE_AUTO, /* rrf fuses ranks, so by them; the others by scores */
    ASSAY_FUSE_SCORE,
    ASSAY_FUSE_RANK
} assay_fuse_order;

/* Where scores or ranks are asked for and a query of the run has not got them (ranks that
 * stand twice are none), the other decides, and then the order of the list. */
typedef struct assay_fuse_settings {
    assay_fusion fusion;
    uint32_t depth; /* hits that are kept of each query; 0 = all */
    assay_fuse_order order;
    uint32_t n_threads;
} assay_fuse_settings;

/* Fuse run[0..n).  Queries stand in the order in which the runs first name them; one that
 * a run lacks, or in which it failed, has no hits from that leg.  Hits are the same when
 * their chunk ids are (document and spans, where there are no chunks); a hit takes what
 * else is known of it from the first leg that has it.  On success the caller owns *out. */
ASSAY_MUST_USE assay_status assay_fuse_runs(const assay_run *const *run, uint32_t n,
                                            const assay_fuse_settings *settings,
                                            assay_run **out, assay_error *err);

#endif
