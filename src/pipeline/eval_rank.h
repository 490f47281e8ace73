/* SPDX-License-Identifier: Apache-2.0 */
/* From a query's hits to its ranking: order, ties, own hits, duplicates. */
#ifndef ASSAY_PIPELINE_EVAL_RANK_H
#define ASSAY_PIPELINE_EVAL_RANK_H

#include "pipeline/eval_query.h"

/* Fill worker->judge with the ranking of a row, and *result with what the run says of
 * it (zeroed where the run lacks the query). */
ASSAY_MUST_USE assay_status assay_eval_rank(const assay_eval_job *job,
                                            assay_eval_worker *worker, assay_row *row,
                                            assay_result *result, assay_error *err);

/* Whether hits are finer than documents, so that one document may stand twice. */
static inline bool assay_eval_is_fine(const assay_run *run)
{
    return !run->trec && (run->has_chunks || run->has_spans);
}

#endif
