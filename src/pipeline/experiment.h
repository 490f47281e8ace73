/* SPDX-License-Identifier: Apache-2.0 */
/* An experiment: a golden set, those who are asked, and the runs that come of it.
 *
 *     plan ──> ask, store each result ──> place hits ──> measure ──> aggregate stored
 *
 * Each trial is one stored run: one method or system, once. */
#ifndef ASSAY_PIPELINE_EXPERIMENT_H
#define ASSAY_PIPELINE_EXPERIMENT_H

#include "embed/embed.h"
#include "pipeline/evaluate.h"
#include "pipeline/runner.h"
#include "run/snapshot.h"
#include "store/run_id.h"

/* What all trials share; borrowed. */
typedef struct assay_experiment {
    const assay_golden *golden; /* resolved, where there is a corpus */
    const uint32_t *query; /* the plan: numbers of the queries set out to be answered;
                                   all others are drafts (golden/planned.h) */
    uint32_t n_queries;
    uint32_t n_skipped; /* queries that are no drafts but in this experiment */
    const char *corpus; /* file to place hits in that have a text and no place, or null */
    uint32_t n_jobs;
    assay_store *store;
    assay_run_ids *ids;  /* makes the names of new runs */
    assay_snapshot base; /* what the snapshots of all trials say alike */
    assay_slice suite;
    const assay_tag *tag;
    uint32_t n_tags;
    assay_eval_settings eval;
    const assay_conventions *conventions; /* in force, never null */
    const char *metrics;                  /* list, null = the conventions' own */
    const atomic_int *stop;
    void (*tell)(void *ctx, const assay_runner_news *news);
    void *ctx;
} assay_experiment;

/* How a trial begins. */
typedef enum assay_trial_mode {
    ASSAY_TRIAL_NEW,
    ASSAY_TRIAL_RESUME, /* ask what has no result yet */
    ASSAY_TRIAL_RETRY   /* ask what failed, and what has no result yet */
} assay_trial_mode;

typedef struct assay_trial {
    /* in */
    const assay_system *system;
    void *state;
    assay_slice method;               /* as asked for */
    const assay_embedding *embedding; /* that it uses, or null */
    uint32_t repeat;                  /* from 1, of base.repeats; 0 = not repeated */
    assay_slice repeat_of;            /* run id of the first */
    assay_trial_mode mode;
    assay_slice run_id; /* to go on with; of a new one: out, in the arena */
    /* out */
    assay_arena arena;
    assay_slice snapshot; /* JSON */
    assay_run *run;       /* all results, also those of before; null: stopped */
    assay_runner_end end; /* of this time */
    bool has_begun;       /* there is a stored run to go on with */
    uint32_t n_before;    /* results that were there already */
    assay_notes notes;
} assay_trial;

/* Begin or go on, to the end or until it is stopped.  A run that is gone on with must have
 * been made the same way: what differs is ASSAY_EUSAGE and named. */
ASSAY_MUST_USE assay_status assay_trial_run(const assay_experiment *experiment,
                                            assay_trial *trial, assay_error *err);
void assay_trial_clear(assay_trial *trial);

#endif
