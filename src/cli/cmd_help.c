/* SPDX-License-Identifier: Apache-2.0 */
/* assay help: what there is, and the sources of the generated documents. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/cli.h"

static const assay_option options[] = {
    {0, "markdown", ASSAY_OPTION_FLAG, NULL, NULL, "all commands as docs/CLI.md"},
    {0, "man", ASSAY_OPTION_FLAG, NULL, NULL, "all commands as a man page"},
    {0, "completion", ASSAY_OPTION_TEXT, "SHELL", NULL, "completion for bash or zsh"},
    {'o', "output", ASSAY_OPTION_TEXT, "FILE", NULL, "write to FILE"},
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* Commands whose name is, or begins with, the words given. */
static assay_status help_on(assay_cli *cli, assay_buffer *out, assay_error *err)
{
    assay_buffer name = ASSAY_BUFFER_EMPTY;
    const assay_command *c;
    size_t found = 0;

    for (uint32_t i = 0; i < cli->n_args; i++)
        assay_buffer_printf(&name, "%s%s", i ? " " : "", cli->arg[i]);
    for (size_t i = 0; (c = assay_command_at(i)) != NULL; i++) {
        size_t len = strlen(c->name);
        bool is_same = len == name.len && memcmp(c->name, name.ptr, len) == 0;
        bool begins = len > name.len && memcmp(c->name, name.ptr, name.len) == 0 &&
                      c->name[name.len] == ' ';

        if (!is_same && !begins)
            continue;
        if (found++)
            assay_buffer_text(out, "\n");
        assay_help_command(out, c);
    }
    assay_buffer_clear(&name);
    if (!found)
        return assay_fail(err, ASSAY_EUSAGE, "no command '%.80s'; see 'assay help'",
                          cli->arg[0]);
    return ASSAY_OK;
}

static assay_status run_help(assay_cli *cli, assay_error *err)
{
    const char *shell = assay_cli_text(cli, "completion");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    if (assay_cli_flag(cli, "markdown"))
        assay_help_markdown(&out);
    else if (assay_cli_flag(cli, "man"))
        assay_help_man(&out);
    else if (shell)
        st = assay_help_completion(&out, shell, err);
    else if (cli->n_args)
        st = help_on(cli, &out, err);
    else
        assay_help_all(&out);
    if (!st)
        st = assay_cli_emit(cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

const assay_command assay_command_help = {
    .name = "help",
    .args = "[COMMAND]",
    .summary = "explain a command",
    .option = options,
    .max_args = 3,
    .run = run_help,
};
