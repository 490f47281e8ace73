/* SPDX-License-Identifier: Apache-2.0 */
/* The socket for report writers (w_*.c, listed in report_roster.h).
 *
 * A writer gets everything handed in: runs x measures with their n, counts, rows of
 * queries, slices, notes.  It opens nothing and computes nothing. */
#ifndef ASSAY_REPORT_REPORT_H
#define ASSAY_REPORT_REPORT_H

#include "base/buffer.h"
#include "base/notes.h"
#include "golden/golden.h"
#include "metric/conventions.h"
#include "run/run.h"
#include "score/slices.h"

/* One run of the report. */
typedef struct assay_report_run {
    const char *name;     /* different for every run of a report */
    const assay_run *run; /* for the hits of queries that are named */
    const assay_scores *scores;
    assay_slices slices; /* key null = none */
} assay_report_run;

/* All runs are measured by the same measures against the same golden set. */
typedef struct assay_report {
    const assay_golden *golden;
    const assay_conventions *conventions;
    const char *empty; /* the rule for queries with nothing relevant, as a word */
    assay_level level;
    const assay_report_run *run;
    uint32_t n_runs;
    bool with_queries; /* a row for each query */
    bool with_spread;
    bool marks_best;
    double confidence;     /* 0 = no intervals */
    const char *timestamp; /* of the results, ISO 8601 */
    assay_notes notes;
} assay_report;

typedef struct assay_writer {
    const char *name;
    const char *summary;
    void (*write)(const assay_report *report, assay_buffer *out);
} assay_writer;

/* Null past the end. */
const assay_writer *assay_writer_at(size_t i);
const assay_writer *assay_writer_find(const char *name);

/* ---- for writers ---- */

/* The value at four decimals; counts whole; "n/a (0 of 20 labelled)" where there is none. */
void assay_report_value(const assay_report_run *run, uint32_t column,
                        const assay_total *total, char *text, size_t size);

/* What a query expects and what it got, as comma separated ids ("-" = nothing), at most
 * `most` of each. */
void assay_report_expected(const assay_report *report, const assay_row *row,
                           uint32_t most, assay_buffer *out);
void assay_report_retrieved(const assay_report_run *run, const assay_row *row,
                            uint32_t most, assay_buffer *out);

/* ---- shapes of other programs ---- */

/* kebab's aggregate, one object a run; evalvault's keys; bob's text and bob's file. */
void assay_report_kebab(const assay_report *report, assay_buffer *out);
void assay_report_evalvault(const assay_report *report, assay_buffer *out);
void assay_report_bob_text(const assay_report *report, assay_buffer *out);
void assay_report_bob_json(const assay_report *report, assay_buffer *out);

#endif
