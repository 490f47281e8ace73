/* SPDX-License-Identifier: Apache-2.0 */
/* A baseline as a text file, made for version control: CI needs no database, and a changed
 * query is a changed line.
 *
 *     assay baseline 1
 *     name: main
 *     date: 2026-11-16T07:00:00.000Z
 *     note: after the new chunker
 *     ...
 *     metric: recall@5 0.61 120 recall(level=chunk,rel=1)@5     name, value, n, full spelling
 *
 *     query rank recall@5 judged
 *     q-001 2 0.5 8a1f09c2d1e4b7f0
 *     q-002 - 0 17c0ffee00aa55d2
 *
 * Lines are in byte order of query ids.  What does not exist is "-"; numbers read back as
 * the same double.  `judged` is the beginning of the query's hash (golden/frozen.h): one that
 * is judged otherwise today is not compared.  Blanks, control characters and % in an id are
 * %XX, and so is a # at its beginning.  Empty lines, and lines that begin with #, say
 * nothing. */
#ifndef ASSAY_COMPARE_BASELINE_H
#define ASSAY_COMPARE_BASELINE_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/file.h"
#include "compare/compare.h"
#include "compare/gate.h"
#include "golden/golden.h"
#include "score/score.h"

enum { ASSAY_BASELINE_HASH = 16 }; /* hex digits of a query's hash */

typedef struct assay_baseline_metric {
    assay_slice name;
    assay_slice full;
    double value; /* aggregate, NaN = none */
    uint32_t n;
} assay_baseline_metric;

typedef struct assay_baseline_query {
    assay_slice id;
    assay_slice judged; /* "" = not known */
    uint32_t rank;      /* of the first relevant hit, 0 = none */
    uint32_t line;      /* in the file */
    double *value;      /* one for each metric, NaN = none */
} assay_baseline_query;

/* All but the metrics and queries; "" and 0 = not known. */
typedef struct assay_baseline_head {
    assay_slice name;
    assay_slice date;
    assay_slice note;
    assay_slice run;
    assay_slice method;
    assay_slice conventions;
    assay_slice level;
    assay_slice golden; /* hash */
    assay_slice corpus; /* hash */
    assay_slice chunker;
    uint32_t k;
    uint32_t depth; /* hits that the run was made with */
} assay_baseline_head;

typedef struct assay_baseline {
    assay_arena arena;
    assay_file file;  /* slices point into it */
    const char *path; /* for messages */
    assay_baseline_head head;
    assay_baseline_metric *metric;
    uint32_t n_metrics;
    assay_baseline_query *query; /* in byte order of ids */
    uint32_t n_queries;
} assay_baseline;

/* Whether a text begins like one. */
bool assay_baseline_is(assay_slice text);

/* On success the caller owns *out.  A malformed file is ASSAY_EINPUT with file and line. */
ASSAY_MUST_USE assay_status assay_baseline_load(const char *path, assay_baseline **out,
                                                assay_error *err);
ASSAY_MUST_USE assay_status assay_baseline_parse(const char *name, assay_slice text,
                                                 assay_baseline **out, assay_error *err);

/* From scores over a whole golden set; `head` is borrowed. */
ASSAY_MUST_USE assay_status assay_baseline_make(const assay_baseline_head *head,
                                                const assay_scores *scores,
                                                const assay_golden *golden,
                                                assay_baseline **out, assay_error *err);
void assay_baseline_free(assay_baseline *baseline);

/* Append the file. */
void assay_baseline_write(const assay_baseline *baseline, assay_buffer *out);

/* ---- a run held against it ---- */

/* The comparable core of a baseline and a run.  The tables are owned. */
typedef struct assay_baseline_core {
    assay_scores *before;
    assay_scores *after;
    assay_gate_query *query; /* ranks within the smaller depth */
    uint32_t n;
    assay_excluded *excluded; /* in byte order */
    uint32_t n_excluded;
} assay_baseline_core;

/* Lay `scores` of a run, over its whole golden set, beside the baseline.  Only columns that
 * the baseline has by their full spelling are filled in core->before.  `depth` is how deep
 * ranks count, 0 = any.  Without a query in common core->n is 0.  Lists live in `arena`. */
ASSAY_MUST_USE assay_status assay_baseline_join(const assay_baseline *baseline,
                                                const assay_scores *scores,
                                                const assay_golden *golden,
                                                uint32_t depth, assay_arena *arena,
                                                assay_baseline_core *out,
                                                assay_error *err);
void assay_baseline_core_clear(assay_baseline_core *core);

/* Index of the metric with this full spelling, or ASSAY_NONE. */
uint32_t assay_baseline_metric_find(const assay_baseline *baseline, const char *full);

#endif
