/* SPDX-License-Identifier: Apache-2.0 */
/* The store that a command line names: --store, else assay.yaml's, else $ASSAY_STORE, else
 * assay.db in the workspace. */
#ifndef ASSAY_CLI_STORE_ARG_H
#define ASSAY_CLI_STORE_ARG_H

#include "cli/workspace.h"
#include "store/store.h"

/* For commands that use the store; they take ASSAY_OPTIONS_WORKSPACE as well. */
#define ASSAY_OPTIONS_STORE                                                            \
    {                                                                                  \
        0, "store", ASSAY_OPTION_TEXT, "PLACE", NULL,                                  \
            "where runs are kept: a file or postgresql://...; default .assay/assay.db" \
    }

#define ASSAY_STORE_FILE "assay.db"

/* The place, there or not; lives as long as `ws`.  A relative path in assay.yaml is seen
 * from that file. */
ASSAY_MUST_USE assay_status assay_store_arg_place(const assay_workspace *ws,
                                                  const char **out, assay_error *err);

/* Open it.  A file that is not there yet is, unless it may be made, ASSAY_EUSAGE with a
 * word on how to make one.  The caller closes *out. */
ASSAY_MUST_USE assay_status assay_store_arg_open(const assay_workspace *ws,
                                                 assay_store_mode mode, assay_store **out,
                                                 assay_error *err);

#endif
