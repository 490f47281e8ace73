/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay run` takes from a run that it goes on with, and who is asked. */
#ifndef ASSAY_CLI_RUN_RESUME_H
#define ASSAY_CLI_RUN_RESUME_H

#include "cli/run_setup.h"

/* Find the run of --resume or --retry-errors, if there is one, and let what was said then
 * stand for what is not said now. */
ASSAY_MUST_USE assay_status assay_run_resume(assay_run_setup *s, assay_error *err);

/* Choose between methods and a system: what is said on the command line (has_method,
 * has_system) goes before what a run was made with, and that before assay.yaml. */
ASSAY_MUST_USE assay_status assay_run_choose(assay_run_setup *s, bool has_method,
                                             bool has_system, assay_error *err);

#endif
