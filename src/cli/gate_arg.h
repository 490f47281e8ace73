/* SPDX-License-Identifier: Apache-2.0 */
/* What a gate is asked for on the command line: rules, baseline, and where the words go. */
#ifndef ASSAY_CLI_GATE_ARG_H
#define ASSAY_CLI_GATE_ARG_H

#include "cli/sides_arg.h"
#include "compare/baseline.h"
#include "compare/gate_rules.h"

/* Rules of the golden set, of assay.yaml (or --config FILE) and of the command line, in
 * this order: what is said later wins. */
ASSAY_MUST_USE assay_status assay_gate_arg_rules(const assay_workspace *ws,
                                                 const assay_golden *golden,
                                                 assay_gate_rules *rules,
                                                 assay_error *err);

/* Whether `path` is a baseline as a text file. */
bool assay_gate_arg_is_file(const char *path);

/* --baseline, or where that is not given the store's own, if there is one.  *file is set
 * where it is a text file (the caller frees it), *side where it is a run; neither where
 * there is no baseline. */
typedef struct assay_gate_baseline {
    assay_baseline *file;
    const assay_compare_side *side;
    const char *name; /* what reports call it */
    const char *when;
} assay_gate_baseline;
ASSAY_MUST_USE assay_status assay_gate_arg_baseline(assay_sides *sides,
                                                    assay_gate_baseline *out,
                                                    assay_error *err);

#endif
