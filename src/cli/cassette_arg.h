/* SPDX-License-Identifier: Apache-2.0 */
/* --record FILE and --replay FILE: outside calls kept, or answered from what was kept. */
#ifndef ASSAY_CLI_CASSETTE_ARG_H
#define ASSAY_CLI_CASSETTE_ARG_H

#include "base/cassette.h"
#include "cli/cli.h"

/* Every command that calls a server or a program for its results has these. */
#define ASSAY_OPTIONS_CASSETTE                                                     \
    {0,      "record", ASSAY_OPTION_TEXT,                                          \
     "FILE", NULL,     "keep every call to the outside in FILE, without secrets"}, \
    {                                                                              \
        0, "replay", ASSAY_OPTION_TEXT, "FILE", NULL,                              \
            "answer every call to the outside from FILE; nothing else is asked"    \
    }

/* Open what the options name; *out stays null when they name nothing.  `goes_on`: the run
 * was begun before, and a recording keeps what it has.  The API key is hidden from it. */
ASSAY_MUST_USE assay_status assay_cassette_arg_open(const assay_cli *cli, bool goes_on,
                                                    assay_cassette **out,
                                                    assay_error *err);

/* The command has ended with `st`, and all that used the cassette is closed: finish and
 * close it (null is allowed), and return the status that the command has now.  A recording
 * replaces FILE when the command was done (ASSAY_OK or ASSAY_NO), else it stays in
 * FILE.part; a call that a replay missed is ASSAY_EINPUT, whatever came of it: also where it
 * was only one failed query of many. */
assay_status assay_cassette_arg_finish(const assay_cli *cli, assay_cassette *cassette,
                                       assay_status st, assay_error *err);

#endif
