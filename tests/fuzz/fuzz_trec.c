/* SPDX-License-Identifier: Apache-2.0 */
/* A TREC run and judgments, split at the first NUL byte: open, read every query, measure
 * all measures. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/slice.h"
#include "golden/qrels.h"
#include "metric/trec_table.h"
#include "pipeline/trec.h"
#include "run/trec_lines.h"

static void add_all(assay_trec_plan *plan)
{
    const assay_trec_measure *m;

    for (size_t i = 0; (m = assay_trec_measure_at(i)) != NULL; i++)
        if ((m->formats & ASSAY_TREC_QRELS) && assay_trec_plan_add(plan, m, NULL, NULL))
            return;
}

static assay_status measure(const assay_qrels *qrels, assay_trec_run *run, bool is_trec9)
{
    const assay_trec_options options = {.is_trec9 = is_trec9,
                                        .is_complete = true,
                                        .level = 1,
                                        .max_docs = UINT32_MAX,
                                        .n_threads = 1};
    assay_trec_plan plan = {0};
    assay_trec_scores scores = {0};
    assay_status st;

    add_all(&plan);
    st = assay_trec_measure_run(&plan, qrels, run, &options, &scores, NULL);
    for (uint32_t c = 0; !st && c < plan.n_columns; c++)
        if (plan.column[c].measure->metric)
            (void)assay_trec_summary(&plan, &scores, &options, c);
    assay_trec_scores_clear(&scores);
    assay_trec_plan_clear(&plan);
    return st;
}

static void measure_both(assay_slice lines, assay_slice judgments, bool by_jumping)
{
    assay_trec_run run = {
        .path = "run",
        .rules = {
            .has_comments = true, .is_lenient = true, .n_threads = 1, .least_jump = 1}};
    assay_qrels qrels = {0};
    assay_status st = assay_file_copy(&run.file, lines, "run", NULL);

    if (!st && by_jumping)
        st = assay_trec_guess_open("run", run.file.text, &run.rules, &run.ids, &run.guess,
                                   NULL);
    else if (!st)
        st = assay_trec_run_reopen(&run, NULL);
    if (!st && !assay_qrels_parse(&qrels, "judgments", judgments, ASSAY_QRELS_PLAIN, true,
                                  NULL)) {
        /* A run that could not be read again is good for nothing but clearing. */
        st = measure(&qrels, &run, false);
        if (!st)
            st = measure(&qrels, &run, true);
    }
    (void)st;
    assay_trec_run_clear(&run);
    assay_qrels_clear(&qrels);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *cut = size ? memchr(text, '\0', size) : NULL;
    assay_slice lines = {text, cut ? (size_t)(cut - text) : size};
    assay_slice judgments = {cut ? cut + 1 : "", cut ? size - lines.len - 1 : 0};

    if (!lines.len)
        return 0;
    /* Line by line, and by jumping: both readers see every input. */
    measure_both(lines, judgments, false);
    measure_both(lines, judgments, true);
    return 0;
}
