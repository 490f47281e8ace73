/* SPDX-License-Identifier: Apache-2.0 */
/* evalvault's keys (precision_at_5 ... test_cases), and the settings that it leaves out. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "report/report.h"

/* "recall@5" is "recall_at_5" there. */
static void put_key(assay_json_writer *w, const char *name)
{
    const char *at = strchr(name, '@');
    char key[200];

    if (at)
        snprintf(key, sizeof key, "%.*s_at_%s", (int)(at - name), name, at + 1);
    else
        snprintf(key, sizeof key, "%s", name);
    assay_json_key(w, key);
}

static void put_warnings(assay_json_writer *w, const assay_report *report,
                         const assay_scores *s)
{
    assay_json_key(w, "warnings");
    assay_json_list(w);
    for (const assay_alarm *a = report->conventions->alarm; a->measure; a++) {
        uint32_t c = assay_scores_column(s, a->measure);
        char text[120];

        if (c == ASSAY_NONE || !(s->total[c].value < a->below))
            continue;
        snprintf(text, sizeof text, "%s is %.4f, below %g", a->measure, s->total[c].value,
                 a->below);
        assay_json_text(w, text);
    }
    assay_json_list_end(w);
}

static void put_run(assay_json_writer *w, const assay_report *report,
                    const assay_scores *s)
{
    for (uint32_t c = 0; c < s->n_columns; c++) {
        put_key(w, s->column[c].name);
        assay_json_double(w, s->total[c].value);
    }
    assay_json_key(w, "test_cases");
    assay_json_int(w, s->counts.total);
    assay_json_key(w, "measured_cases");
    assay_json_int(w, s->n_columns ? s->total[0].n : 0);
    put_warnings(w, report, s);
}

void assay_report_evalvault(const assay_report *report, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.eval/1");
    assay_json_key(&w, "settings");
    assay_json_flat_object(&w);
    assay_json_key(&w, "empty_relevance");
    assay_json_text(&w, report->empty);
    assay_json_key(&w, "precision_divides_by");
    assay_json_text(&w, "number returned");
    assay_json_object_end(&w);
    if (report->n_runs == 1) {
        put_run(&w, report, report->run[0].scores);
    } else {
        assay_json_key(&w, "methods_compared");
        assay_json_flat_list(&w);
        for (uint32_t r = 0; r < report->n_runs; r++)
            assay_json_text(&w, report->run[r].name);
        assay_json_list_end(&w);
        assay_json_key(&w, "results");
        assay_json_object(&w);
        for (uint32_t r = 0; r < report->n_runs; r++) {
            assay_json_key(&w, report->run[r].name);
            assay_json_object(&w);
            put_run(&w, report, report->run[r].scores);
            assay_json_object_end(&w);
        }
        assay_json_object_end(&w);
    }
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}
