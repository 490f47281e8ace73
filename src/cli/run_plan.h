/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay run` sets out to do: methods, queries, and what of the command line is kept
 * for those who go on with it. */
#ifndef ASSAY_CLI_RUN_PLAN_H
#define ASSAY_CLI_RUN_PLAN_H

#include "cli/run_setup.h"

/* Add the methods of "a,b(c,d)"; commas inside brackets belong to the method. */
ASSAY_MUST_USE assay_status assay_run_plan_methods(assay_run_setup *s, assay_slice list,
                                                   assay_error *err);

/* Queries, tags, suite, metrics and the options to be kept, into s->experiment. */
ASSAY_MUST_USE assay_status assay_run_plan(assay_run_setup *s, assay_error *err);

#endif
