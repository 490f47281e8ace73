/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/answer_arg.h"

assay_answer_settings assay_answer_arg(const assay_cli *cli)
{
    assay_answer_settings out = {.base_url = assay_cli_text(cli, "answer-url"),
                                 .api_key = cli->api_key,
                                 .prompt_path = assay_cli_text(cli, "prompt")};

    if (assay_cli_has(cli, "seed"))
        out.seed = assay_cli_count(cli, "seed", 0);
    if (assay_cli_has(cli, "timeout"))
        out.timeout_s = assay_cli_real(cli, "timeout", 0);
    return out;
}
