/* SPDX-License-Identifier: Apache-2.0 */
/* A gate's verdict for people, for CI and for machines. */
#ifndef ASSAY_REPORT_GATE_REPORT_H
#define ASSAY_REPORT_GATE_REPORT_H

#include "base/buffer.h"
#include "base/notes.h"
#include "compare/compare.h"
#include "compare/gate.h"

/* All that the writers print; "" and null = not known, or none. */
typedef struct assay_gate_view {
    const assay_gate *gate;
    bool is_strict; /* inconclusive fails */
    const char *run;
    const char *run_when;
    const char *baseline; /* null = none */
    const char *baseline_when;
    const char *match; /* how hits are recognised */
    const char *level;
    const assay_golden *golden; /* whose lines annotations name; null = none */
    const assay_gate_query *query;
    uint32_t n_queries;
    const assay_excluded *excluded;
    uint32_t n_excluded;
    const assay_notes *notes;
} assay_gate_view;

typedef struct assay_gate_writer {
    const char *name; /* table, md, json, junit, github */
    const char *summary;
    void (*write)(const assay_gate_view *view, assay_buffer *out);
} assay_gate_writer;

/* Null past the end, or where there is no such format. */
const assay_gate_writer *assay_gate_writer_at(size_t i);
const assay_gate_writer *assay_gate_writer_find(const char *name);

/* Whether a verdict lets the run through. */
bool assay_gate_is_good(const assay_gate_view *view, assay_gate_verdict verdict);

/* ---- what the writers share ---- */

/* "regress: 1 of 3 rules does not hold" */
void assay_gate_sentence(const assay_gate_view *view, assay_buffer *out);

/* One rule in words: "0.5900 is not >= 0.6 (120 queries)". */
void assay_gate_explain(const assay_gate_outcome *o, assay_buffer *out);

/* The line of a query in the golden file, 0 = not known. */
uint32_t assay_gate_line(const assay_gate_view *view, assay_slice id);

/* What a protected query that was lost had before. */
const assay_gate_query *assay_gate_query_of(const assay_gate_view *view, assay_slice id);

void assay_gate_write_table(const assay_gate_view *view, assay_buffer *out);
void assay_gate_write_md(const assay_gate_view *view, assay_buffer *out);
void assay_gate_write_json(const assay_gate_view *view, assay_buffer *out);
void assay_gate_write_junit(const assay_gate_view *view, assay_buffer *out);
void assay_gate_write_github(const assay_gate_view *view, assay_buffer *out);

#endif
