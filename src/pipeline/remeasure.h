/* SPDX-License-Identifier: Apache-2.0 */
/* Stored runs measured again: with today's metrics, or with another golden set.
 *
 *     store ──> run, frozen golden set ──> evaluator, one a worker and golden set
 *                                               │
 *     stored aggregate ──> what changed <── scores, new aggregate ──> store
 *
 * Runs are spread over the pool; each worker has a handle of the store for itself. */
#ifndef ASSAY_PIPELINE_REMEASURE_H
#define ASSAY_PIPELINE_REMEASURE_H

#include <stdatomic.h>

#include "pipeline/evaluate.h"
#include "report/aggregate_json.h"
#include "store/store.h"

/* What to do; zeroed members are the usual way.  Everything is borrowed. */
typedef struct assay_remeasure {
    const char *place; /* of the store */
    const assay_stored *run;
    uint32_t n;
    const char
        *metrics; /* list; null = the conventions' own, and what was measured before */
    assay_eval_settings eval; /* conventions null, level AUTO: as the run was measured */
    assay_slice golden;       /* frozen text of another golden set; "" = each run's own */
    bool writes;              /* new aggregates are stored */
    uint32_t n_jobs;          /* 0 = one a core */
    const atomic_int *stop;   /* not 0: begin no further run; or null */
    /* Null, or told now and then how many are done; one thread. */
    void (*tell)(void *ctx, uint32_t n_done);
    void *ctx;
} assay_remeasure;

/* One metric before and after. */
typedef struct assay_metric_change {
    assay_slice name;  /* short spelling */
    assay_slice key;   /* full */
    double before;     /* NaN = none, or not measured then */
    double after;      /* NaN = none, or not measured now */
    uint32_t n_before; /* ASSAY_NONE = unknown, or not measured */
    uint32_t n_after;
    bool is_new;  /* not measured before */
    bool is_gone; /* not measured now */
    bool is_lower_better;
    bool has_no_direction;
    bool is_changed; /* value or n */
} assay_metric_change;

typedef struct assay_remeasured {
    assay_arena arena;
    assay_status status; /* of this run; the others go on */
    const char *why;     /* words for it */
    bool is_done;     /* was measured: neither failed, nor skipped, nor stopped before */
    bool is_recorded; /* has no hits, only recorded values: left as it is */
    bool is_written;  /* the store has the new aggregate */
    assay_slice aggregate; /* the new one */
    assay_aggregated before;
    assay_aggregated after;
    assay_metric_change *change; /* the metrics of today, then those that are gone */
    uint32_t n_changes;
    uint32_t n_changed; /* of them with another value or n, new and gone ones left out */
} assay_remeasured;

/* Fill out[i] for run[i].  Only what stops everything is returned: no memory, a store that
 * does not open. */
ASSAY_MUST_USE assay_status assay_remeasure_all(const assay_remeasure *todo,
                                                assay_remeasured *out, assay_error *err);
void assay_remeasured_clear(assay_remeasured *done);

/* Every metric of two aggregates side by side, in `arena`; false: no memory. */
bool assay_aggregate_compare(const assay_aggregated *before,
                             const assay_aggregated *after, assay_arena *arena,
                             assay_metric_change **out, uint32_t *n);

#endif
