/* SPDX-License-Identifier: Apache-2.0 */
/* assay runs convert: a run file in another format. */
#include "base/error.h"
#include "base/file.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "run/run.h"

static const assay_option convert_options[] = {
    {0, "to", ASSAY_OPTION_TEXT, "FORMAT", NULL, "format to write: trec, jsonl or kebab"},
    {0, "from", ASSAY_OPTION_TEXT, "FORMAT", NULL, "format of FILE; found out by itself"},
    {'o', "output", ASSAY_OPTION_TEXT, "FILE", NULL, "write to FILE; .gz and .zst pack"},
    {0, "strict", ASSAY_OPTION_FLAG, NULL, NULL, "fail where something would be lost"},
    {0, "run-id", ASSAY_OPTION_TEXT, "ID", NULL, "stage events: which run of the file"},
    {0, "max-line", ASSAY_OPTION_COUNT, "BYTES", NULL, "longest line; 64 MB"},
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* The format to write, which must be one that can. */
static assay_status choose(const assay_cli *cli, const assay_run_format **out,
                           assay_error *err)
{
    const char *name = assay_cli_text(cli, "to");
    assay_status st;

    if (!name)
        return assay_fail(err, ASSAY_EUSAGE,
                          "--to FORMAT is missing; see 'assay format list'");
    st = assay_run_format_get(name, out, err);
    if (st)
        return st;
    if (!(*out)->write)
        return assay_fail(err, ASSAY_EUSAGE, "format '%s' is only read, not written",
                          name);
    return ASSAY_OK;
}

static void warn_losses(const assay_cli *cli, const char *path, const assay_notes *lost)
{
    for (size_t i = 0; i < lost->n; i++)
        assay_cli_warn(cli, "%s: lost: %s", path, lost->text[i]);
}

static assay_status convert(assay_cli *cli, const assay_run *run,
                            const assay_run_format *to, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_notes lost = {0};
    assay_status st;

    assay_cli_warn_notes(cli, &run->notes);
    st = to->write(run, &out, &lost, &cli->arena, err);
    if (!st)
        warn_losses(cli, cli->arg[0], &lost);
    if (!st && lost.n && assay_cli_flag(cli, "strict"))
        st = assay_fail(
            err, ASSAY_NO,
            "%zu kinds of things would be lost (see above); nothing was written", lost.n);
    if (!st)
        st = assay_cli_emit(cli, &out, err);
    assay_notes_clear(&lost);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_convert(assay_cli *cli, assay_error *err)
{
    const assay_run_options options = {
        .format = assay_cli_text(cli, "from"),
        .run_id = assay_cli_text(cli, "run-id"),
        .max_line = (size_t)assay_cli_count(cli, "max-line", 0),
    };
    const assay_run_format *to = NULL;
    assay_run *run = NULL;
    assay_status st = choose(cli, &to, err);

    if (!st)
        st = assay_run_load(cli->arg[0], &options, &run, err);
    if (!st && run->is_scores_only)
        st = assay_fail(err, ASSAY_EUSAGE,
                        "'%s' has no hits to convert, only recorded scores", cli->arg[0]);
    if (!st)
        st = convert(cli, run, to, err);
    assay_run_free(run);
    return st;
}

const assay_command assay_command_runs_convert = {
    .name = "runs convert",
    .args = "FILE --to FORMAT",
    .summary = "write a run file in another format",
    .details =
        "FILE may be in any run format, packed or not; '-' is standard input. What the "
        "new format has no room for is named on standard error, with counts. An id "
        "that would have to be changed to fit is an error.",
    .example = "assay runs convert per_query.jsonl --to trec -o run.trec\n"
               "assay runs convert run.trec.gz --to jsonl",
    .option = convert_options,
    .min_args = 1,
    .max_args = 1,
    .run = run_convert,
};
