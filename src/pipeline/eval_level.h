/* SPDX-License-Identifier: Apache-2.0 */
/* Which level a golden set and its runs can be measured at. */
#ifndef ASSAY_PIPELINE_EVAL_LEVEL_H
#define ASSAY_PIPELINE_EVAL_LEVEL_H

#include "base/notes.h"
#include "pipeline/eval_gold.h"
#include "pipeline/eval_plan.h"
#include "run/run.h"

/* The finest level at which every labelled query has judgments and every run has what
 * it takes; where there is none, the one that has most, with a note.  AUTO: no memory. */
assay_level assay_eval_level_choose(const assay_eval_gold *gold,
                                    const assay_run *const *run, size_t n,
                                    assay_notes *notes, assay_arena *arena);

/* Refuse a view that the run cannot serve although the golden set asks for it: all its
 * values would be a quiet 0. */
ASSAY_MUST_USE assay_status assay_eval_level_check(const assay_eval_gold *gold,
                                                   const assay_run *run,
                                                   const assay_eval_view *view,
                                                   assay_error *err);

#endif
