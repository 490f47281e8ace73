/* SPDX-License-Identifier: Apache-2.0 */
/* assay init: the first files of a project, and what to do next. */
#include "base/error.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "pipeline/project.h"
#include "pipeline/starter.h"

static void put_places(const assay_starter *s, assay_buffer *out)
{
    for (size_t i = 0; i < s->n_places; i++)
        assay_buffer_printf(out, "  %.*s: %s%llu %s\n", ASSAY_QUOTE(s->place[i].path),
                            s->is_cut_short ? "at least " : "",
                            (unsigned long long)s->place[i].n_docs,
                            s->place[i].n_docs == 1 ? "document" : "documents");
    if (s->n_left_out)
        assay_buffer_printf(out, "  left out: %llu beside these folders\n",
                            (unsigned long long)s->n_left_out);
    if (!s->n_places)
        assay_buffer_text(out, "  no documents found; name them under 'paths'\n");
}

static void put_result(const assay_starter *s, const char *folder, assay_buffer *out)
{
    bool is_here = assay_slice_is(assay_slice_of(folder), ".");

    assay_buffer_printf(out, "wrote %s\n", s->yaml_path);
    put_places(s, out);
    if (s->has_golden)
        assay_buffer_printf(out, "kept %s as it is\n", s->golden_path);
    else
        assay_buffer_printf(out, "wrote %s, with one draft to replace\n", s->golden_path);
    if (s->ignore_path)
        assay_buffer_printf(out, "added /.assay/ to %s\n", s->ignore_path);
    assay_buffer_text(out, "\nnext:\n");
    if (!is_here)
        assay_buffer_printf(out, "  cd %s\n", folder);
    assay_buffer_text(out, "  assay ingest          read the documents\n"
                           "  assay corpus show     look at them\n"
                           "  assay golden check    after questions were written into "
                           "the golden set\n");
}

/* A project inside another is allowed, but seldom meant. */
static assay_status warn_above(assay_cli *cli, const char *folder, assay_error *err)
{
    const char *up = assay_project_join(&cli->arena, folder, ASSAY_LIT(".."));
    const char *above = NULL;
    assay_status st;

    if (!up)
        return assay_fail_memory(err, "looking for another project");
    st = assay_project_find(up, ASSAY_PROJECT_FILE, &cli->arena, &above, err);
    if (!st && above)
        assay_cli_warn(cli, "there is another project above, in '%s'", above);
    return st;
}

static assay_status run_init(assay_cli *cli, assay_error *err)
{
    const char *folder = cli->n_args ? cli->arg[0] : ".";
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_starter starter;
    assay_status st;

    if (!folder[0])
        return assay_fail(err, ASSAY_EUSAGE, "a folder has no empty name");
    st = assay_starter_write(folder, &cli->arena, &starter, err);
    if (!st)
        st = warn_above(cli, folder, err);
    if (st)
        return st;
    put_result(&starter, folder, &out);
    if (!cli->is_quiet || out.has_failed)
        st = assay_cli_print(&out, err);
    assay_buffer_clear(&out);
    return st;
}

const assay_command assay_command_init = {
    .name = "init",
    .args = "[DIR]",
    .summary = "write assay.yaml and a starter golden set",
    .details =
        "Folders that have documents in them become the paths of the corpus.  Nothing is\n"
        "overwritten: where there is an assay.yaml the command says so and exits with 1, and\n"
        "a golden.yaml that is there is kept.  In a git repository .assay is ignored.",
    .example = "  assay init\n"
               "  assay init handbook && cd handbook && assay ingest",
    .max_args = 1,
    .run = run_init,
};
