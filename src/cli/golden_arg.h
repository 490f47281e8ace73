/* SPDX-License-Identifier: Apache-2.0 */
/* The golden set that a command line names. */
#ifndef ASSAY_CLI_GOLDEN_ARG_H
#define ASSAY_CLI_GOLDEN_ARG_H

#include "cli/cli.h"
#include "golden/golden.h"

/* How to read it; every command that takes a golden FILE has these. */
#define ASSAY_OPTIONS_GOLDEN                                                             \
    {0,        "from", ASSAY_OPTION_TEXT,                                                \
     "FORMAT", NULL,   "the file's format, when it is not recognised by itself"},        \
        {0,      "topics", ASSAY_OPTION_TEXT,                                            \
         "FILE", NULL,     "query texts, for formats without (trec, relmap)"},           \
        {0, "split", ASSAY_OPTION_TEXT, "NAME", NULL, "split of a BEIR folder (test)"},  \
    {                                                                                    \
        0, "max-line", ASSAY_OPTION_COUNT, "BYTES", NULL, "longest line to read (64 MB)" \
    }

/* Load `path`, or, where that is null, what $ASSAY_GOLDEN names, and say so. */
ASSAY_MUST_USE assay_status assay_golden_arg_load(const assay_cli *cli, const char *path,
                                                  bool with_documents, assay_golden **out,
                                                  assay_error *err);

#endif
