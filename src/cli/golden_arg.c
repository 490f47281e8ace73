/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/golden_arg.h"

#include <stdio.h>

#include "base/error.h"

assay_status assay_golden_arg_load(const assay_cli *cli, const char *path,
                                   bool with_documents, assay_golden **out,
                                   assay_error *err)
{
    assay_golden_options options = {
        .format = assay_cli_text(cli, "from"),
        .topics = assay_cli_text(cli, "topics"),
        .split = assay_cli_text(cli, "split"),
        .max_line = (size_t)assay_cli_count(cli, "max-line", 0),
        .with_documents = with_documents,
    };

    if (!path && cli->golden_default && cli->golden_default[0]) {
        path = cli->golden_default;
        if (!cli->is_quiet)
            fprintf(stderr, "assay: golden set: %s (from $ASSAY_GOLDEN)\n", path);
    }
    if (!path)
        return assay_fail(err, ASSAY_EUSAGE,
                          "which golden set? name a file, or set $ASSAY_GOLDEN");
    return assay_golden_load(path, &options, out, err);
}
