/* SPDX-License-Identifier: Apache-2.0 */
/* jsonl: one object a run, or with -q one object a query. */
#include "base/json.h"
#include "report/eval_json.h"
#include "report/report.h"

static void begin(assay_json_writer *w, const char *schema)
{
    assay_json_object(w);
    assay_json_key(w, "schema");
    assay_json_text(w, schema);
}

static void end(assay_json_writer *w, assay_buffer *out)
{
    assay_json_object_end(w);
    assay_buffer_char(out, '\n');
}

static void write_queries(const assay_report_run *run, assay_buffer *out)
{
    for (uint32_t r = 0; r < run->scores->n_rows; r++) {
        assay_json_writer w = assay_json_writer_of(out, 0);

        begin(&w, "assay.eval.query/1");
        assay_json_key(&w, "run");
        assay_json_text(&w, run->name);
        assay_json_row(&w, run, r);
        end(&w, out);
    }
}

static void write_jsonl(const assay_report *report, assay_buffer *out)
{
    for (uint32_t r = 0; r < report->n_runs; r++) {
        assay_json_writer w = assay_json_writer_of(out, 0);

        if (report->with_queries) {
            write_queries(&report->run[r], out);
            continue;
        }
        begin(&w, "assay.eval.run/1");
        assay_json_key(&w, "conventions");
        assay_json_text(&w, report->conventions->name);
        assay_json_run(&w, report, &report->run[r]);
        end(&w, out);
    }
}

const assay_writer assay_writer_jsonl = {
    .name = "jsonl",
    .summary = "one object a run, or a query",
    .write = write_jsonl,
};
