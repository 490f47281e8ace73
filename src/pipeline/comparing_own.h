/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison under way: what comparing.c and comparing_pairs.c share. */
#ifndef ASSAY_PIPELINE_COMPARING_OWN_H
#define ASSAY_PIPELINE_COMPARING_OWN_H

#include "pipeline/comparing.h"

typedef struct assay_comparing {
    assay_comparison *c;
    const assay_comparing_settings *settings;
    assay_evaluator **evaluator; /* by side; sides with one golden set share it */
} assay_comparing;

/* The depth of the judged@k that stands beside a measure. */
uint32_t assay_comparing_judged_depth(const assay_comparing *j, const assay_measure *m);

/* What became of each query between the first side and that of `pair`. */
ASSAY_MUST_USE assay_status assay_comparing_changes(assay_comparing *j,
                                                    assay_run_pair *pair,
                                                    assay_error *err);

/* The deltas of all pairs, corrected as one family; and all pairs by Tukey's test. */
ASSAY_MUST_USE assay_status assay_comparing_deltas(assay_comparing *j, assay_error *err);
ASSAY_MUST_USE assay_status assay_comparing_tukey(assay_comparing *j, assay_error *err);

#endif
