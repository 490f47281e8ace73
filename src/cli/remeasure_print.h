/* SPDX-License-Identifier: Apache-2.0 */
/* What came of measuring stored runs again, for people and for programs. */
#ifndef ASSAY_CLI_REMEASURE_PRINT_H
#define ASSAY_CLI_REMEASURE_PRINT_H

#include "base/buffer.h"
#include "pipeline/remeasure.h"

typedef struct assay_remeasure_report {
    const assay_stored *run;
    const assay_remeasured *done;
    uint32_t n;
    int id_len;  /* bytes of an id that tell it from the others */
    bool is_all; /* many runs: only what changed is worth a line */
    const char *store;
} assay_remeasure_report;

/* `format` is table, json, csv or md. */
void assay_remeasure_print(const assay_remeasure_report *report, const char *format,
                           assay_buffer *out);

#endif
