/* SPDX-License-Identifier: Apache-2.0 */
/* The answerer that a command line names. */
#ifndef ASSAY_CLI_ANSWER_ARG_H
#define ASSAY_CLI_ANSWER_ARG_H

#include "answer/answer.h"
#include "cli/cli.h"

/* How answerers are opened, but for --answers itself, which says who answers. */
#define ASSAY_OPTIONS_ANSWER                                                             \
    {0, "answer-url", ASSAY_OPTION_TEXT, "URL", NULL, "where the answerer's server is"}, \
    {                                                                                    \
        0, "prompt", ASSAY_OPTION_TEXT, "FILE", NULL,                                    \
            "template of what a model is told, with {chunks} and {query}"                \
    }

/* From these options, the key of the environment, and --seed and --timeout where the
 * command has them. */
assay_answer_settings assay_answer_arg(const assay_cli *cli);

#endif
