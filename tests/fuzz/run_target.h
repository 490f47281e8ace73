/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets of run formats share.  The program's own promises are checked:
 * an error has words and no run; a run has its ids; converting twice changes nothing; two
 * threads see what one sees. */
#ifndef RUN_TARGET_H
#define RUN_TARGET_H

#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "metric/stage_metrics.h"
#include "run/run.h"
#include "run/stages.h"

#define PROMISE(cond) \
    do {              \
        if (!(cond))  \
            abort();  \
    } while (0)

static inline bool write_as(const assay_run *run, const char *format, assay_buffer *out)
{
    const assay_run_format *f = assay_run_format_find(assay_slice_of(format));
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_error err = {ASSAY_OK, ""};
    assay_notes lost = {0};
    assay_status st = f->write(run, out, &lost, &arena, &err);

    PROMISE(st == ASSAY_OK || err.text[0]);
    assay_notes_clear(&lost);
    assay_arena_clear(&arena);
    return st == ASSAY_OK;
}

static inline void check_written(const assay_run *run)
{
    const assay_run_options options = {.format = "jsonl", .n_threads = 1};
    assay_buffer once = ASSAY_BUFFER_EMPTY;
    assay_buffer twice = ASSAY_BUFFER_EMPTY;
    assay_buffer trec = ASSAY_BUFFER_EMPTY;
    assay_run *again = NULL;

    (void)write_as(run, "trec", &trec);
    /* A malformed line of a TREC run shows only now; ids that are not UTF-8 are another
     * thing that JSON cannot hold. */
    if (write_as(run, "jsonl", &once) &&
        assay_run_parse("again", assay_buffer_view(&once), &options, &again, NULL) ==
            ASSAY_OK) {
        PROMISE(assay_run_n(again) == assay_run_n(run));
        PROMISE(write_as(again, "jsonl", &twice));
        PROMISE(assay_slice_eq(assay_buffer_view(&once), assay_buffer_view(&twice)));
    } else {
        PROMISE(run->trec);
    }
    assay_run_free(again);
    assay_buffer_clear(&once);
    assay_buffer_clear(&twice);
    assay_buffer_clear(&trec);
}

static inline void check_stages(const assay_run *run)
{
    for (int is_evalvault = 0; is_evalvault < 2; is_evalvault++) {
        assay_stage_rules rules = {.is_evalvault = is_evalvault != 0};
        assay_arena arena = ASSAY_ARENA_EMPTY;
        assay_stage_report report;

        rules.threshold = assay_stage_thresholds_standard(&rules.n_thresholds);
        PROMISE(assay_stage_measure(run->stages, &rules, &arena, &report, NULL) ==
                ASSAY_OK);
        assay_stage_report_clear(&report);
        assay_arena_clear(&arena);
    }
}

static inline int run_target(const char *format, const uint8_t *data, size_t size)
{
    assay_run_options options = {.format = format, .n_threads = 1, .max_line = 60000};
    assay_slice text = {size ? (const char *)data : "", size};
    assay_error one = {ASSAY_OK, ""};
    assay_error two = {ASSAY_OK, ""};
    assay_run *run = NULL;
    assay_run *other = NULL;
    assay_status st = assay_run_parse("input", text, &options, &run, &one);

    PROMISE((st == ASSAY_OK) == (run != NULL));
    PROMISE(st == ASSAY_OK || one.text[0]);
    options.n_threads = 2;
    PROMISE(assay_run_parse("input", text, &options, &other, &two) == st);
    PROMISE(strcmp(one.text, two.text) == 0);
    assay_run_free(other);
    other = NULL;
    /* Without a name: any format may want it. */
    options.format = NULL;
    if (assay_run_parse("input", text, &options, &other, NULL) == ASSAY_OK)
        assay_run_free(other);
    if (run) {
        check_written(run);
        if (run->stages)
            check_stages(run);
    }
    assay_run_free(run);
    return 0;
}

#endif
