/* SPDX-License-Identifier: Apache-2.0 */
/* Rulers for a golden set: what the worst and the best could reach on it.
 *
 *     random   the passages in a seeded order, another one for each query
 *     oracle   what the judgments call relevant, by grade, then nothing
 *
 * They are no retrievers, since the oracle knows the golden set.  At the level of documents
 * it gives one passage of each relevant document, else the passages that hold the evidence. */
#ifndef ASSAY_PIPELINE_CONTROL_SYSTEM_H
#define ASSAY_PIPELINE_CONTROL_SYSTEM_H

#include "corpus/passages.h"
#include "golden/golden.h"
#include "metric/conventions.h"
#include "retrieve/system.h"

typedef enum assay_control_kind {
    ASSAY_CONTROL_RANDOM,
    ASSAY_CONTROL_ORACLE,
    ASSAY_CONTROLS
} assay_control_kind;

/* Null past the end. */
const char *assay_control_name(uint32_t kind);

typedef struct assay_control {
    assay_control_kind kind;
    const assay_golden *golden;     /* borrowed */
    const assay_passages *passages; /* borrowed */
    assay_level level;              /* AUTO = whatever the judgments say */
    uint64_t seed;
    uint32_t *by_doc; /* passages by document, then by place */
} assay_control;

/* Fill by_doc; the rest is the caller's. */
ASSAY_MUST_USE assay_status assay_control_open(assay_control *control, assay_error *err);
void assay_control_close(assay_control *control);

/* A control as a system: the state is an assay_control, `open` is null. */
extern const assay_system assay_control_socket;

/* Ask it every query that is no draft: the run that comes of it is the caller's. */
ASSAY_MUST_USE assay_status assay_control_run(assay_control *control, uint32_t depth,
                                              assay_run **out, assay_error *err);

/* Whether a value is shown as 1.000: nothing can be better, and nothing is to be learnt. */
static inline bool assay_control_is_saturated(double value)
{
    return value >= 0.9995;
}

#endif
