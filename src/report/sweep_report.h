/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep as a sentence, a table, and what machines read. */
#ifndef ASSAY_REPORT_SWEEP_REPORT_H
#define ASSAY_REPORT_SWEEP_REPORT_H

#include "base/buffer.h"
#include "compare/sweep_judge.h"

/* One setting, as it is shown. */
typedef struct assay_sweep_line {
    assay_slice text;
    assay_slice method;
    assay_slice run_id;
    uint32_t n_asked;
    bool is_finished;
    double latency;
    double bytes;
} assay_sweep_line;

/* A value of a lever and the mean over all settings that have it. */
typedef struct assay_sweep_effect_line {
    assay_slice lever;
    assay_slice value;
    double mean;
} assay_sweep_effect_line;

typedef struct assay_sweep_sheet {
    const char *golden;
    const char *metric;
    const char *level;
    assay_slice id;
    bool is_lower_better;
    const assay_sweep_line *line; /* by setting; the first is the reference */
    uint32_t n_settings;
    const assay_sweep_effect_line *effect; /* values of one lever together */
    uint32_t n_effects;
    uint32_t n_questions;
    uint32_t n_held;
    uint64_t n_asked;
    uint32_t n_resumed;
    const assay_sweep_verdict *verdict;
    uint32_t most; /* settings to show, the best first; 0 = all */
} assay_sweep_sheet;

void assay_sweep_print_table(const assay_sweep_sheet *sheet, assay_buffer *out);
void assay_sweep_print_md(const assay_sweep_sheet *sheet, assay_buffer *out);
void assay_sweep_print_csv(const assay_sweep_sheet *sheet, assay_buffer *out);
void assay_sweep_print_json(const assay_sweep_sheet *sheet, assay_buffer *out);

#endif
