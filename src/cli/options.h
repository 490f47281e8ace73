/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines against option tables. */
#ifndef ASSAY_CLI_OPTIONS_H
#define ASSAY_CLI_OPTIONS_H

#include "cli/cli.h"

typedef struct assay_cli_value {
    const assay_option *option;
    const char *text; /* of a flag: null, or "no" for --no-NAME */
} assay_cli_value;

/* Options that every command takes. */
extern const assay_option assay_options_common[];

/* Parse argv[0..argc) for cli->command.  --help is only recorded (as a flag). */
ASSAY_MUST_USE assay_status assay_options_parse(assay_cli *cli, int argc, char **argv,
                                                assay_error *err);

/* Add a value that does not come from the command line, checked like one that does. */
ASSAY_MUST_USE assay_status assay_options_put(assay_cli *cli, const assay_option *option,
                                              const char *text, assay_error *err);

#endif
