/* SPDX-License-Identifier: Apache-2.0 */
/* One result of a run, for people and for programs. */
#ifndef ASSAY_CLI_RUN_RESULT_H
#define ASSAY_CLI_RUN_RESULT_H

#include "base/buffer.h"
#include "golden/golden.h"
#include "run/run.h"

/* Query, what was expected (`golden` and `query` may be null), at most `most` hits (0 =
 * all) with their grades, answer, error. */
void assay_result_print(const assay_result *result, const assay_golden *golden,
                        const assay_query *query, uint32_t most, assay_buffer *out);

/* The line that assay's own run format has for it. */
ASSAY_MUST_USE assay_status assay_result_json(const assay_run *run, uint32_t result,
                                              assay_buffer *out, assay_error *err);

/* The grade that the golden set gives a hit: of its chunk, else of evidence that it finds,
 * else of its document, the highest of each.  False: it is not judged. */
bool assay_result_grade(const assay_golden *golden, const assay_query *query,
                        const assay_hit *hit, int32_t *grade);

#endif
