/* SPDX-License-Identifier: Apache-2.0 */
/* Many settings of one experiment: each a stored run, all judged together.
 *
 *     levers ──> settings ──> ground (chunking, embedder, tokenizer: built once)
 *            ──> trial, one a setting ──> values by question ──> verdict
 *
 * With a budget the settings race: all are asked a few questions, the better half twice as
 * many, and so on; only those that are left are asked everything. */
#ifndef ASSAY_PIPELINE_SWEEP_H
#define ASSAY_PIPELINE_SWEEP_H

#include "compare/sweep_judge.h"
#include "corpus/corpus.h"
#include "pipeline/experiment.h"
#include "pipeline/levers.h"
#include "retrieve/retrieve.h"

typedef struct assay_sweep {
    assay_experiment experiment; /* what all runs share; tags are set here */
    assay_slice frozen;          /* the golden set, for races over a part of it */
    const assay_levers *levers;
    assay_slice method;             /* as asked for */
    assay_corpus *corpus;           /* null: `passages` are all there is */
    const assay_passages *passages; /* of today's chunking, or the golden set's own */
    assay_retrieve_source source;   /* embedder, tokenizer ...; passages are set here */
    const char *metric;
    double holdout;  /* share of the questions that is held out */
    uint64_t budget; /* questions asked in all; 0 = all of every setting */
    assay_slice id;  /* of the sweep: a tag of all its runs */
    /* Null, or told before each run. */
    void (*begin)(void *ctx, uint32_t setting, uint32_t number, uint32_t of);
    void *ctx;
} assay_sweep;

typedef struct assay_sweep_setting {
    assay_slice text;   /* "rrf.k=10": what is special about it */
    assay_slice method; /* its whole spelling */
    assay_slice run_id; /* of the longest run it had */
    uint32_t n_asked;   /* questions */
    bool is_finished;   /* all were asked; else it lost a race */
    double latency;     /* median, ms; NaN = unknown */
    double bytes;       /* mean of the texts in the top k */
} assay_sweep_setting;

typedef struct assay_sweep_result {
    assay_arena arena;
    assay_sweep_setting *setting;
    uint32_t n_settings;
    uint32_t n_questions; /* that the metric can be taken of */
    uint32_t n_held;
    uint64_t n_asked;   /* questions, all settings together */
    uint32_t n_resumed; /* runs that were there already */
    const char *metric; /* its short spelling */
    bool is_lower_better;
    assay_level level;
    assay_sweep_verdict verdict;
    bool was_stopped;
    assay_notes notes;
} assay_sweep_result;

/* Run what is not stored yet, then judge.  On success the caller owns *out. */
ASSAY_MUST_USE assay_status assay_sweep_run(const assay_sweep *sweep,
                                            assay_sweep_result **out, assay_error *err);
void assay_sweep_free(assay_sweep_result *result);

/* The mean over the tuning questions of all finished settings with this value of a lever;
 * NaN where there are none. */
double assay_sweep_effect(const assay_sweep_result *result, const assay_levers *levers,
                          uint32_t lever, uint32_t value);

#endif
