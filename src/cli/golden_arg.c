/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/golden_arg.h"

#include <stdio.h>

#include "base/error.h"
#include "base/file.h"
#include "base/slice.h"

/* Where the path came from is said, unless the user named it. */
static assay_status settle(const assay_workspace *ws, assay_golden_choice *c,
                           assay_error *err)
{
    const char *env = ws->cli->golden_default;

    c->from = NULL;
    if (c->path)
        return ASSAY_OK;
    if (ws->project && ws->project->golden) {
        c->path = ws->project->golden;
        c->from = ws->project->path;
        c->is_project = true;
        return ASSAY_OK;
    }
    if (env && env[0]) {
        c->path = env;
        c->from = "$ASSAY_GOLDEN";
        return ASSAY_OK;
    }
    c->path =
        assay_project_join(&ws->cli->arena, ws->folder, assay_slice_of("golden.yaml"));
    if (!c->path)
        return assay_fail_memory(err, "looking for the golden set");
    c->from = "the project folder";
    if (assay_file_exists(c->path))
        return ASSAY_OK;
    return assay_fail(err, ASSAY_EUSAGE,
                      "which golden set? name a file, or set 'golden' in assay.yaml or "
                      "$ASSAY_GOLDEN, or make a golden.yaml");
}

assay_status assay_golden_choose(const assay_workspace *ws, const char *path,
                                 assay_golden_choice *out, assay_error *err)
{
    assay_golden_choice c = {.path = path};
    assay_status st = settle(ws, &c, err);

    if (st)
        return st;
    if (c.from && !ws->cli->is_quiet)
        fprintf(stderr, "assay: golden set: %s (from %s)\n", c.path, c.from);
    *out = c;
    return ASSAY_OK;
}

/* The project's golden set may need words on how to read it. */
static assay_status take_key(const assay_workspace *ws, const char *key, const char **out,
                             assay_error *err)
{
    const assay_node *node = assay_project_get(ws->project, key);

    if (*out || !node)
        return ASSAY_OK;
    *out = assay_arena_string(&ws->cli->arena, node->text);
    return *out ? ASSAY_OK : assay_fail_memory(err, "reading assay.yaml");
}

assay_status assay_golden_choice_load(const assay_workspace *ws,
                                      const assay_golden_choice *choice,
                                      const assay_golden_options *options,
                                      assay_golden **out, assay_error *err)
{
    assay_golden_options o = *options;
    assay_status st = ASSAY_OK;

    if (choice->is_project) {
        if (!o.topics)
            o.topics = ws->project->topics;
        st = take_key(ws, "golden_from", &o.format, err);
        if (!st)
            st = take_key(ws, "split", &o.split, err);
    }
    return st ? st : assay_golden_load(choice->path, &o, out, err);
}

assay_status assay_golden_arg_load(assay_cli *cli, const char *path, bool with_documents,
                                   assay_golden **out, assay_error *err)
{
    assay_golden_choice choice;
    assay_workspace ws;
    assay_status st = assay_workspace_open(cli, &ws, err);

    if (st)
        return st;
    st = assay_golden_choose(&ws, path, &choice, err);
    if (!st) {
        assay_golden_options options = {
            .format = assay_cli_text(cli, "from"),
            .topics = assay_cli_text(cli, "topics"),
            .split = assay_cli_text(cli, "split"),
            .max_line = (size_t)assay_cli_count(cli, "max-line", 0),
            .with_documents = with_documents,
        };

        st = assay_golden_choice_load(&ws, &choice, &options, out, err);
    }
    assay_workspace_close(&ws);
    return st;
}
