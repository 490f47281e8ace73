/* SPDX-License-Identifier: Apache-2.0 */
/* json: one object, every number as it is, null where there is none. */
#include "base/json.h"
#include "report/eval_json.h"
#include "report/report.h"

static void write_json(const assay_report *report, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);
    assay_rule rule;

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.eval/1");
    assay_json_key(&w, "golden");
    if (report->golden->path)
        assay_json_text(&w, report->golden->path);
    else
        assay_json_null(&w);
    assay_json_key(&w, "conventions");
    assay_json_text(&w, report->conventions->name);
    assay_json_key(&w, "rules");
    assay_json_object(&w);
    for (size_t i = 0; assay_conventions_rule(report->conventions, i, &rule); i++) {
        assay_json_key(&w, rule.rule);
        assay_json_text(&w, rule.value);
    }
    assay_json_object_end(&w);
    assay_json_key(&w, "empty_relevance");
    assay_json_text(&w, report->empty);
    assay_json_key(&w, "level");
    assay_json_text(&w, assay_level_word(report->level));
    assay_json_key(&w, "confidence");
    if (report->confidence > 0)
        assay_json_double(&w, report->confidence);
    else
        assay_json_null(&w);
    assay_json_key(&w, "notes");
    assay_json_list(&w);
    for (size_t i = 0; i < report->notes.n; i++)
        assay_json_text(&w, report->notes.text[i]);
    assay_json_list_end(&w);
    assay_json_key(&w, "runs");
    assay_json_list(&w);
    for (uint32_t r = 0; r < report->n_runs; r++) {
        assay_json_object(&w);
        assay_json_run(&w, report, &report->run[r]);
        assay_json_object_end(&w);
    }
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

const assay_writer assay_writer_json = {
    .name = "json",
    .summary = "one object with everything",
    .write = write_json,
};
