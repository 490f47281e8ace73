/* SPDX-License-Identifier: Apache-2.0 */
/* assay trec_eval in the list of commands.  Its arguments never get here: main hands
 * them to trec_eval.c untouched. */
#include <assert.h>

#include "cli/cli.h"

static assay_status run_trec_eval(assay_cli *cli, assay_error *err)
{
    (void)cli;
    (void)err;
    assert(!"main calls assay_trec_eval_main");
    return ASSAY_EUSAGE;
}

const assay_command assay_command_trec_eval = {
    .name = "trec_eval",
    .args = "[trec_eval's options] JUDGMENTS RUN",
    .summary = "take trec_eval's arguments, print trec_eval's lines",
    .details =
        "Same measures, same digits, same exit codes.  --compat 9|10 picks the version\n"
        "where they differ, --full prints all digits, --threads N sets the threads.\n"
        "Also works as a link to the program named trec_eval.  'assay trec_eval -h'\n"
        "lists the options.",
    .example = "  assay trec_eval -q -m all_trec judgments.qrels run.trec\n"
               "  ln -s \"$(command -v assay)\" ~/bin/trec_eval",
    .max_args = UINT32_MAX,
    .run = run_trec_eval,
};
