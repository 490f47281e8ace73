/* SPDX-License-Identifier: Apache-2.0 */
/* The golden set that a command line names. */
#ifndef ASSAY_CLI_GOLDEN_ARG_H
#define ASSAY_CLI_GOLDEN_ARG_H

#include "cli/cli.h"
#include "cli/workspace.h"
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

/* Which file, and how it was found. */
typedef struct assay_golden_choice {
    const char *path;
    const char *from; /* who named it, in words; null = the command line */
    bool is_project;  /* assay.yaml did: its other keys tell how to read it */
} assay_golden_choice;

/* `path`, or, where that is null: assay.yaml's, else $ASSAY_GOLDEN's, else golden.yaml in
 * the project folder; which one is said on standard error.  Lives as long as `ws`. */
ASSAY_MUST_USE assay_status assay_golden_choose(const assay_workspace *ws,
                                                const char *path,
                                                assay_golden_choice *out,
                                                assay_error *err);

/* Load it; what `options` leave open is taken from assay.yaml where the file is its. */
ASSAY_MUST_USE assay_status assay_golden_choice_load(const assay_workspace *ws,
                                                     const assay_golden_choice *choice,
                                                     const assay_golden_options *options,
                                                     assay_golden **out,
                                                     assay_error *err);

/* All of it for a command with ASSAY_OPTIONS_GOLDEN: find the project, choose, load. */
ASSAY_MUST_USE assay_status assay_golden_arg_load(assay_cli *cli, const char *path,
                                                  bool with_documents, assay_golden **out,
                                                  assay_error *err);

#endif
