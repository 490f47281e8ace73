/* SPDX-License-Identifier: Apache-2.0 */
/* Every command, in the order help shows them. */
#ifndef ASSAY_CLI_CLI_ROSTER_H
#define ASSAY_CLI_CLI_ROSTER_H

#define ASSAY_COMMAND_ROSTER(X) \
    X(runs_convert)             \
    X(trec_eval)                \
    X(help)

#endif
