/* SPDX-License-Identifier: Apache-2.0 */
/* assay golden convert, assay golden relevance-map: the same set in another format. */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/slice.h"
#include "cli/golden_arg.h"

static const assay_option convert_options[] = {
    {0, "to", ASSAY_OPTION_TEXT, "FORMAT", NULL, "the format to write"},
    {'o', "output", ASSAY_OPTION_TEXT, "FILE", NULL,
     "write to FILE, or, for beir, a folder"},
    {0, "json", ASSAY_OPTION_FLAG, NULL, NULL,
     "with --to assay: JSON instead of YAML; -o x.json does the same"},
    {0, "topics-out", ASSAY_OPTION_TEXT, "FILE", NULL,
     "also write the query texts, as id, tab, text"},
    {0, "strict", ASSAY_OPTION_FLAG, NULL, NULL, "fail when something is lost"},
    ASSAY_OPTIONS_GOLDEN,
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

static const assay_option map_options[] = {
    {'o', "output", ASSAY_OPTION_TEXT, "FILE", NULL, "write to FILE"},
    ASSAY_OPTIONS_GOLDEN,
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

static assay_status find_target(const char *name, const assay_golden_format **out,
                                assay_error *err)
{
    char list[200] = "";
    size_t used = 0;

    *out = name ? assay_golden_format_find(assay_slice_of(name)) : NULL;
    if (*out)
        return ASSAY_OK;
    for (size_t i = 0; assay_golden_format_at(i); i++) {
        assay_slice next = assay_slice_of(assay_golden_format_at(i)->name);

        if (used + next.len + 3 > sizeof list)
            break;
        if (used)
            memcpy(list + used, ", ", 2);
        used += used ? 2 : 0;
        memcpy(list + used, next.ptr, next.len);
        used += next.len;
    }
    if (!name)
        return assay_fail(err, ASSAY_EUSAGE, "--to says the format to write: %s", list);
    return assay_fail(err, ASSAY_EUSAGE, "no golden format '%.80s'; there are: %s", name,
                      list);
}

static bool wants_json(const assay_cli *cli)
{
    const char *path = assay_cli_text(cli, "output");

    return assay_cli_flag(cli, "json") ||
           (path && assay_slice_ends(assay_slice_of(path), ".json"));
}

static assay_status save_topics(const assay_cli *cli, const assay_golden *golden,
                                assay_error *err)
{
    const char *path = assay_cli_text(cli, "topics-out");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    const assay_golden_target target = {.out = &out};
    assay_status st;

    if (!path)
        return ASSAY_OK;
    st = assay_golden_write_topics(golden, &target, err);
    if (!st)
        st = assay_file_save(path, assay_buffer_view(&out), err);
    assay_buffer_clear(&out);
    return st;
}

/* Write, then say what was lost. */
static assay_status write_as(assay_cli *cli, const assay_golden *golden,
                             const assay_golden_format *format,
                             assay_golden_target target, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_notes lost = {0};
    assay_status st;

    target.out = &out;
    target.lost = &lost;
    target.arena = &cli->arena;
    st = assay_golden_write(golden, format, &target, err);
    if (!st && !format->is_folder)
        st = assay_cli_emit(cli, &out, err);
    for (size_t i = 0; !st && i < lost.n; i++)
        assay_cli_warn(cli, "lost: %s", lost.text[i]);
    if (!st && lost.n && cli->command->option == convert_options &&
        assay_cli_flag(cli, "strict"))
        st = assay_fail(err, ASSAY_NO, "%zu kinds of loss, and --strict was given",
                        lost.n);
    assay_notes_clear(&lost);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_convert(assay_cli *cli, assay_error *err)
{
    const assay_golden_target target = {
        .path = assay_cli_text(cli, "output"),
        .is_json = wants_json(cli),
        .has_topics = assay_cli_text(cli, "topics-out") != NULL,
    };
    const assay_golden_format *format;
    assay_golden *golden;
    assay_status st = find_target(assay_cli_text(cli, "to"), &format, err);

    if (st)
        return st;
    if (format->is_folder && !target.path)
        return assay_fail(err, ASSAY_EUSAGE, "--to %s writes a folder: name it with -o",
                          format->name);
    st = assay_golden_arg_load(cli, cli->n_args ? cli->arg[0] : NULL,
                               (format->holds & ASSAY_HOLDS(DOCUMENTS)) != 0, &golden,
                               err);
    if (st)
        return st;
    assay_cli_warn_notes(cli, &golden->notes);
    st = write_as(cli, golden, format, target, err);
    if (!st)
        st = save_topics(cli, golden, err);
    assay_golden_free(golden);
    return st;
}

static assay_status run_map(assay_cli *cli, assay_error *err)
{
    const assay_golden_target target = {.only_judgments = true};
    const assay_golden_format *format;
    assay_golden *golden;
    assay_status st = find_target("relmap", &format, err);

    if (!st)
        st = assay_golden_arg_load(cli, cli->n_args ? cli->arg[0] : NULL, false, &golden,
                                   err);
    if (st)
        return st;
    assay_cli_warn_notes(cli, &golden->notes);
    st = write_as(cli, golden, format, target, err);
    assay_golden_free(golden);
    return st;
}

const assay_command assay_command_golden_convert = {
    .name = "golden convert",
    .args = "[FILE] --to FORMAT",
    .summary = "write a golden set in another format",
    .details = "What the format cannot hold is said on standard error, with counts; with "
               "--strict it is a failure (exit 1).\n\n"
               "Formats: assay, kebab, bob, evalvault, trec, beir, relmap.",
    .example = "assay golden convert golden.jsonl --to assay -o golden.yaml\n"
               "assay golden convert golden.yaml --to trec --topics-out topics.tsv",
    .option = convert_options,
    .max_args = 1,
    .run = run_convert,
};

const assay_command assay_command_golden_relevance_map = {
    .name = "golden relevance-map",
    .args = "[FILE]",
    .summary = "print the relevant documents of each query, as evalvault reads them",
    .example = "assay golden relevance-map ground_truth.json -o relevance.json",
    .option = map_options,
    .max_args = 1,
    .run = run_map,
};
