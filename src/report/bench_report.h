/* SPDX-License-Identifier: Apache-2.0 */
/* How a benchmark of retrievers is shown. */
#ifndef ASSAY_REPORT_BENCH_REPORT_H
#define ASSAY_REPORT_BENCH_REPORT_H

#include "base/buffer.h"
#include "base/notes.h"
#include "golden/golden.h"
#include "metric/conventions.h"
#include "run/run.h"
#include "score/score.h"

/* A figure of the table: one line, a value for each method. */
typedef struct assay_bench_line {
    const char *title; /* "Recall@5" */
    const char *key;   /* "recall_at_5" */
    uint32_t column;   /* of every method's scores; ASSAY_NONE = none */
    uint32_t best;     /* number of the best method, or ASSAY_NONE */
    bool is_time;      /* milliseconds, and of no interest to best_by_metric */
} assay_bench_line;

typedef struct assay_bench_column {
    assay_slice name;
    const char *backend; /* null = the method itself */
    const char *why;
    const char *identity;
    double index_ms;
    const assay_run *run;
    const assay_scores *scores;
} assay_bench_column;

typedef struct assay_bench_sheet {
    const assay_golden *golden;
    const assay_conventions *conventions;
    const char *empty; /* "skip" or "zero" */
    uint32_t n_passages;
    uint32_t k;
    uint32_t ndcg_k;
    uint32_t depth;
    const assay_bench_line *line;
    uint32_t n_lines;
    const assay_bench_column *method;
    uint32_t n_methods;
    bool with_queries;
    bool without_times; /* what differs from run to run */
    const assay_notes *notes;
} assay_bench_sheet;

void assay_bench_table(const assay_bench_sheet *sheet, assay_buffer *out);
void assay_bench_markdown(const assay_bench_sheet *sheet, assay_buffer *out);
/* evalvault's keys first; schema assay.benchmark/1. */
void assay_bench_json(const assay_bench_sheet *sheet, assay_buffer *out);
/* evalvault's columns. */
void assay_bench_csv(const assay_bench_sheet *sheet, assay_buffer *out);

#endif
