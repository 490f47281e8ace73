/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of JSON that the writers json and jsonl share. */
#ifndef ASSAY_REPORT_EVAL_JSON_H
#define ASSAY_REPORT_EVAL_JSON_H

#include "base/json.h"
#include "report/report.h"

/* Keys and values into an object that is open. */
void assay_json_run(assay_json_writer *w, const assay_report *report,
                    const assay_report_run *run);
void assay_json_row(assay_json_writer *w, const assay_report_run *run, uint32_t row);

/* kebab's aggregate, field by field, in its order. */
void assay_json_kebab(assay_json_writer *w, const assay_scores *scores);

#endif
