/* SPDX-License-Identifier: Apache-2.0 */
/* assay retriever, embedder, answerer list|show: what is plugged in. */
#include <string.h>

#include "answer/answer.h"
#include "base/error.h"
#include "base/json.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "embed/embed.h"
#include "report/grid.h"
#include "retrieve/retrieve.h"

static const assay_option options[] = {
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* What the kinds have in common. */
typedef struct plugin {
    const char *name;
    const char *summary;
    const assay_param *param; /* null = none */
} plugin;

typedef bool plugin_at(size_t i, plugin *out);

static bool retriever_at(size_t i, plugin *out)
{
    const assay_retriever *r = assay_retriever_at(i);

    if (r)
        *out = (plugin){r->name, r->summary, r->param};
    return r != NULL;
}

static bool embedder_at(size_t i, plugin *out)
{
    const assay_embedder *e = assay_embedder_at(i);

    if (e)
        *out = (plugin){e->name, e->summary, e->param};
    return e != NULL;
}

static bool answerer_at(size_t i, plugin *out)
{
    const assay_answerer *a = assay_answerer_at(i);

    if (a)
        *out = (plugin){a->name, a->summary, a->param};
    return a != NULL;
}

/* ---- parts ---- */

static void put_params(assay_grid *grid, const assay_param *p)
{
    grid->n_columns = 3;
    assay_grid_text(grid, "parameter");
    assay_grid_text(grid, "default");
    assay_grid_text(grid, "what it does");
    for (; p->name; p++) {
        assay_grid_text(grid, p->name);
        assay_grid_text(grid, p->standard[0] ? p->standard : "-");
        if (p->choices)
            assay_grid_printf(grid, "%s: %s", p->help, p->choices);
        else
            assay_grid_text(grid, p->help);
    }
}

static void json_plugin(assay_json_writer *w, const plugin *p)
{
    assay_json_object(w);
    assay_json_key(w, "name");
    assay_json_text(w, p->name);
    assay_json_key(w, "summary");
    assay_json_text(w, p->summary);
    assay_json_key(w, "parameters");
    assay_json_list(w);
    for (const assay_param *q = p->param; q && q->name; q++) {
        assay_json_flat_object(w);
        assay_json_key(w, "name");
        assay_json_text(w, q->name);
        assay_json_key(w, "default");
        assay_json_text(w, q->standard);
        if (q->choices) {
            assay_json_key(w, "choices");
            assay_json_text(w, q->choices);
        }
        assay_json_key(w, "summary");
        assay_json_text(w, q->help);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
    assay_json_object_end(w);
}

static assay_status emit(assay_cli *cli, assay_buffer *out, assay_error *err)
{
    assay_status st = out->has_failed ? assay_fail_memory(err, "printing a list")
                                      : assay_cli_emit(cli, out, err);

    assay_buffer_clear(out);
    return st;
}

static bool wants_json(const assay_cli *cli)
{
    return strcmp(assay_cli_format(cli, "table"), "json") == 0;
}

/* ---- list ---- */

static assay_status list(assay_cli *cli, plugin_at *at, const char *kind,
                         assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_json_writer w = assay_json_writer_of(&out, 2);
    assay_grid grid = {.n_columns = 2};
    bool is_json = wants_json(cli);
    plugin p;

    if (is_json) {
        assay_json_object(&w);
        assay_json_key(&w, "schema");
        assay_json_text(&w, "assay.plugins/1");
        assay_json_key(&w, kind);
        assay_json_list(&w);
    }
    assay_grid_text(&grid, kind);
    assay_grid_text(&grid, "what it does");
    for (size_t i = 0; at(i, &p); i++) {
        if (is_json)
            json_plugin(&w, &p);
        assay_grid_text(&grid, p.name);
        assay_grid_text(&grid, p.summary);
    }
    if (is_json) {
        assay_json_list_end(&w);
        assay_json_object_end(&w);
        assay_buffer_char(&out, '\n');
    } else {
        assay_grid_print(&grid, &out);
    }
    assay_grid_clear(&grid);
    return emit(cli, &out, err);
}

static assay_status list_retrievers(assay_cli *cli, assay_error *err)
{
    return list(cli, retriever_at, "retriever", err);
}

static assay_status list_embedders(assay_cli *cli, assay_error *err)
{
    return list(cli, embedder_at, "embedder", err);
}

static assay_status list_answerers(assay_cli *cli, assay_error *err)
{
    return list(cli, answerer_at, "answerer", err);
}

/* ---- show ---- */

static assay_status find(plugin_at *at, const char *kind, const char *name, plugin *out,
                         assay_error *err)
{
    for (size_t i = 0; at(i, out); i++)
        if (strcmp(out->name, name) == 0)
            return ASSAY_OK;
    return assay_fail(err, ASSAY_EUSAGE, "no %s called '%s'; see 'assay %s list'", kind,
                      name, kind);
}

static assay_status show(assay_cli *cli, plugin_at *at, const char *kind,
                         assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_json_writer w = assay_json_writer_of(&out, 2);
    assay_grid grid = {.n_columns = 3};
    plugin p;
    assay_status st = find(at, kind, cli->arg[0], &p, err);

    if (st)
        return st;
    if (wants_json(cli)) {
        json_plugin(&w, &p);
        assay_buffer_char(&out, '\n');
        return emit(cli, &out, err);
    }
    assay_buffer_printf(&out, "%s: %s\n", p.name, p.summary);
    if (p.param && p.param->name) {
        assay_buffer_char(&out, '\n');
        put_params(&grid, p.param);
        assay_grid_print(&grid, &out);
        assay_grid_clear(&grid);
    }
    return emit(cli, &out, err);
}

static assay_status show_retriever(assay_cli *cli, assay_error *err)
{
    return show(cli, retriever_at, "retriever", err);
}

static assay_status show_embedder(assay_cli *cli, assay_error *err)
{
    return show(cli, embedder_at, "embedder", err);
}

static assay_status show_answerer(assay_cli *cli, assay_error *err)
{
    return show(cli, answerer_at, "answerer", err);
}

const assay_command assay_command_retriever_list = {
    .name = "retriever list",
    .args = "",
    .summary = "the retrievers there are",
    .option = options,
    .run = list_retrievers,
};

const assay_command assay_command_retriever_show = {
    .name = "retriever show",
    .args = "NAME",
    .summary = "a retriever and its parameters",
    .example = "assay retriever show bm25",
    .option = options,
    .min_args = 1,
    .max_args = 1,
    .run = show_retriever,
};

const assay_command assay_command_embedder_list = {
    .name = "embedder list",
    .args = "",
    .summary = "what makes vectors of texts",
    .option = options,
    .run = list_embedders,
};

const assay_command assay_command_embedder_show = {
    .name = "embedder show",
    .args = "NAME",
    .summary = "an embedder and its parameters",
    .example = "assay embedder show ollama",
    .option = options,
    .min_args = 1,
    .max_args = 1,
    .run = show_embedder,
};

const assay_command assay_command_answerer_list = {
    .name = "answerer list",
    .args = "",
    .summary = "what makes answers of hits",
    .option = options,
    .run = list_answerers,
};

const assay_command assay_command_answerer_show = {
    .name = "answerer show",
    .args = "NAME",
    .summary = "an answerer and its parameters",
    .example = "assay answerer show extract",
    .option = options,
    .min_args = 1,
    .max_args = 1,
    .run = show_answerer,
};
