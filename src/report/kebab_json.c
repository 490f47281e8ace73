/* SPDX-License-Identifier: Apache-2.0 */
/* kebab's aggregate: its fields in its order, rounded to four decimals before. */
#include <stdio.h>

#include "base/json.h"
#include "report/eval_json.h"
#include "report/report.h"

static void put_value(assay_json_writer *w, const assay_scores *s, const char *name)
{
    uint32_t c = assay_scores_column(s, name);

    if (c == ASSAY_NONE)
        assay_json_null(w);
    else
        assay_json_double(w, s->total[c].value);
}

/* {"1": ..., "3": ...} of the cutoffs that were measured. */
static void put_map(assay_json_writer *w, const assay_scores *s, const char *key,
                    const char *metric)
{
    static const uint32_t cutoff[] = {1, 3, 5, 10};

    assay_json_key(w, key);
    assay_json_flat_object(w);
    for (size_t i = 0; i < sizeof cutoff / sizeof cutoff[0]; i++) {
        char name[40];
        char k[12];

        snprintf(name, sizeof name, "%s@%u", metric, cutoff[i]);
        snprintf(k, sizeof k, "%u", cutoff[i]);
        if (assay_scores_column(s, name) == ASSAY_NONE)
            continue;
        assay_json_key(w, k);
        put_value(w, s, name);
    }
    assay_json_object_end(w);
}

void assay_json_kebab(assay_json_writer *w, const assay_scores *s)
{
    /* Queries of the golden set that the run lacks are no rows of kebab's, but queries
     * that only the run knows are. */
    uint32_t total = s->counts.total - s->counts.missing + s->counts.extra;

    put_map(w, s, "hit_at_k", "hit");
    assay_json_key(w, "mrr");
    put_value(w, s, "mrr");
    put_map(w, s, "recall_at_k_doc", "recall");
    put_map(w, s, "precision_at_k_chunk", "precision");
    assay_json_key(w, "citation_coverage");
    put_value(w, s, "citation_coverage");
    assay_json_key(w, "groundedness");
    put_value(w, s, "groundedness");
    assay_json_key(w, "empty_result_rate");
    put_value(w, s, "empty_result_rate");
    assay_json_key(w, "refusal_correctness");
    put_value(w, s, "refusal_correctness");
    assay_json_key(w, "total_queries");
    assay_json_int(w, total);
    assay_json_key(w, "failed_queries");
    assay_json_int(w, s->counts.failed);
}

void assay_report_kebab(const assay_report *report, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.eval/1");
    if (report->n_runs == 1) {
        assay_json_kebab(&w, report->run[0].scores);
    } else {
        assay_json_key(&w, "aggregates");
        assay_json_object(&w);
        for (uint32_t r = 0; r < report->n_runs; r++) {
            assay_json_key(&w, report->run[r].name);
            assay_json_object(&w);
            assay_json_kebab(&w, report->run[r].scores);
            assay_json_object_end(&w);
        }
        assay_json_object_end(&w);
    }
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}
