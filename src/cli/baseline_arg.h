/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands on baselines share. */
#ifndef ASSAY_CLI_BASELINE_ARG_H
#define ASSAY_CLI_BASELINE_ARG_H

#include "cli/runs_arg.h"
#include "store/store.h"

#define ASSAY_BASELINE_NAME "main" /* where none is said */

/* The baseline of this name; none is ASSAY_EUSAGE that names those which are. */
ASSAY_MUST_USE assay_status assay_baseline_arg_find(assay_cli *cli, assay_store *store,
                                                    const char *name,
                                                    assay_stored_baseline *out,
                                                    assay_error *err);

/* Give `name` to `run`, and read back what the store made of it.  What is amiss with the
 * run is warned of. */
ASSAY_MUST_USE assay_status assay_baseline_arg_set(assay_cli *cli, assay_store *store,
                                                   const char *name, const char *note,
                                                   const assay_stored *run,
                                                   assay_stored_baseline *out,
                                                   assay_error *err);

#endif
