/* SPDX-License-Identifier: Apache-2.0 */
/* Retrievers side by side on one golden set. */
#ifndef ASSAY_PIPELINE_BENCHMARK_H
#define ASSAY_PIPELINE_BENCHMARK_H

#include "golden/golden.h"
#include "metric/conventions.h"
#include "pipeline/asking.h"
#include "score/score.h"

enum { ASSAY_BENCH_METHODS = 32 };

/* What is shown of each method, in this order. */
typedef enum assay_bench_figure {
    ASSAY_BENCH_RECALL,
    ASSAY_BENCH_PRECISION,
    ASSAY_BENCH_MRR,
    ASSAY_BENCH_NDCG,
    ASSAY_BENCH_P50, /* latency of a query */
    ASSAY_BENCH_P95,
    ASSAY_BENCH_FIGURES
} assay_bench_figure;

typedef struct assay_bench_settings {
    const char *methods; /* "bm25,dense(metric=dot),hybrid"; null = all four */
    uint32_t k;          /* 0 = 5 below 1,000 documents, else 10 */
    uint32_t ndcg_k;     /* 0 = k */
    const assay_conventions *conventions; /* null = evalvault's */
    assay_level level;                    /* AUTO = the conventions' */
    bool has_empty_rule;
    assay_empty_rule empty_rule; /* of queries with nothing relevant */
    bool with_controls;  /* random, oracle and bm25 beside the methods, as rulers */
    uint64_t seed;       /* of random */
    bool allow_fallback; /* a method that cannot be built is bm25 instead */
    assay_retrieve_source source; /* embedder, tokenizer, graph ...; passages are set */
} assay_bench_settings;

/* One method and what it did. */
typedef struct assay_bench_method {
    assay_slice name;     /* as asked for, with its parameters */
    const char *backend;  /* the retriever that stood in for it, or null */
    const char *why;      /* ... and the reason */
    const char *identity; /* all that decides its answers, on one line */
    bool is_control;      /* a ruler: never the best, and no limit holds for it */
    double index_ms;      /* from passages to the first query */
    assay_run *run;
    assay_scores *scores;
} assay_bench_method;

typedef struct assay_bench {
    assay_arena arena;
    const assay_golden *golden; /* borrowed, as are the passages */
    const assay_conventions *conventions;
    const char *empty; /* "skip" or "zero" */
    uint32_t n_passages;
    uint32_t k;
    uint32_t ndcg_k;
    uint32_t depth; /* hits that were asked for */
    assay_bench_method method[ASSAY_BENCH_METHODS];
    uint32_t n_methods;
    uint32_t column[ASSAY_BENCH_FIGURES]; /* of the scores of every method */
    assay_notes notes;
    assay_shared shared;
} assay_bench;

/* Build, ask and measure every method.  On success the caller owns *out; golden set and
 * passages must outlive it.  A method that cannot be built is ASSAY_ESYSTEM with the
 * reason, unless it is spelt wrongly (ASSAY_EUSAGE) or may fall back. */
ASSAY_MUST_USE assay_status assay_benchmark(const assay_golden *golden,
                                            const assay_passages *passages,
                                            const assay_bench_settings *settings,
                                            assay_bench **out, assay_error *err);
void assay_bench_free(assay_bench *bench);

/* The value of a figure; NaN where there is none. */
double assay_bench_value(const assay_bench *bench, uint32_t method,
                         assay_bench_figure figure);

/* Which method is best at it (the lowest, for times), the first of equals; ASSAY_NONE when
 * none has a value.  Controls do not compete. */
uint32_t assay_bench_best(const assay_bench *bench, assay_bench_figure figure);

#endif
