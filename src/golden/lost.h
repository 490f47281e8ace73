/* SPDX-License-Identifier: Apache-2.0 */
/* What writers share: what the target cannot hold, and the judgments of documents that
 * are left when quotes, chunks and places are. */
#ifndef ASSAY_GOLDEN_LOST_H
#define ASSAY_GOLDEN_LOST_H

#include "golden/golden.h"

/* How many of each part a golden set has. */
void assay_golden_count(const assay_golden *golden, uint32_t count[ASSAY_N_PARTS]);

/* Note in target->lost every part that the set has and `format` does not hold. */
ASSAY_MUST_USE assay_status assay_golden_say_lost(const assay_golden *golden,
                                                  const assay_golden_format *format,
                                                  const assay_golden_target *target,
                                                  assay_error *err);

/* The grade of one document for one query. */
typedef struct assay_doc_grade {
    uint32_t doc;
    uint32_t subtopic; /* ASSAY_NONE where they are not wanted */
    int32_t grade;     /* the highest of all judgments of the document */
    uint32_t pos;      /* of its first judgment */
} assay_doc_grade;

/* The documents of `query`, each once, in the order of the file.  The array lives in
 * target->arena; null: no memory. */
assay_doc_grade *assay_golden_docs_of(const assay_query *query, bool by_subtopic,
                                      const assay_golden_target *target, uint32_t *n);

/* Out of memory, or ASSAY_OK: what a writer returns. */
ASSAY_MUST_USE assay_status assay_golden_written(const assay_golden_target *target,
                                                 bool has_memory, assay_error *err);

#endif
