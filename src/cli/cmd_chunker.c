/* SPDX-License-Identifier: Apache-2.0 */
/* assay chunker list, assay chunker show: how documents can be cut, out of the roster. */
#include <string.h>

#include "base/json.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "corpus/chunker.h"
#include "report/grid.h"

static const assay_option list_options[] = {
    ASSAY_OPTIONS_OUTPUT("table|json|md|csv"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

static const assay_option show_options[] = {
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* With its standard policy. */
static assay_chunking standard_of(const assay_chunker *c)
{
    assay_chunking made = {.chunker = c};

    for (size_t i = 0; i < ASSAY_CHUNKER_PARAMS && c->param[i].name; i++)
        made.value[i] = c->param[i].standard;
    return made;
}

/* ---- list ---- */

static void fill_grid(assay_grid *grid)
{
    const assay_chunker *c;
    assay_buffer cell = ASSAY_BUFFER_EMPTY;

    *grid = (assay_grid){.n_columns = 3};
    assay_grid_text(grid, "chunker");
    assay_grid_text(grid, "structural");
    assay_grid_text(grid, "what it does");
    for (size_t i = 0; (c = assay_chunker_at(i)) != NULL; i++) {
        assay_chunking standard = standard_of(c);

        cell.len = 0;
        assay_chunking_print(&standard, &cell);
        assay_grid_add(grid, assay_buffer_view(&cell));
        assay_grid_text(grid, c->is_structural ? "yes" : "no");
        assay_grid_text(grid, c->summary);
        grid->has_failed = grid->has_failed || cell.has_failed;
    }
    assay_buffer_clear(&cell);
}

static void json_chunker(assay_json_writer *w, const assay_chunking *chunking)
{
    const assay_chunker *c = chunking->chunker;
    assay_buffer spelling = ASSAY_BUFFER_EMPTY;

    assay_chunking_print(chunking, &spelling);
    assay_json_key(w, "name");
    assay_json_text(w, c->name);
    assay_json_key(w, "version");
    assay_json_int(w, c->version);
    assay_json_key(w, "spelling");
    assay_json_string(w, assay_buffer_view(&spelling));
    assay_json_key(w, "summary");
    assay_json_text(w, c->summary);
    assay_json_key(w, "structural");
    assay_json_bool(w, c->is_structural);
    assay_json_key(w, "parameters");
    assay_json_list(w);
    for (size_t i = 0; i < ASSAY_CHUNKER_PARAMS && c->param[i].name; i++) {
        assay_json_flat_object(w);
        assay_json_key(w, "name");
        assay_json_text(w, c->param[i].name);
        assay_json_key(w, "value");
        assay_json_int(w, chunking->value[i]);
        assay_json_key(w, "default");
        assay_json_int(w, c->param[i].standard);
        assay_json_key(w, "least");
        assay_json_int(w, c->param[i].least);
        assay_json_key(w, "most");
        assay_json_int(w, c->param[i].most);
        assay_json_key(w, "what");
        assay_json_text(w, c->param[i].help);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
    assay_buffer_clear(&spelling);
}

static void list_json(assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);
    const assay_chunker *c;

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.chunkers/1");
    assay_json_key(&w, "chunkers");
    assay_json_list(&w);
    for (size_t i = 0; (c = assay_chunker_at(i)) != NULL; i++) {
        assay_chunking standard = standard_of(c);

        assay_json_object(&w);
        json_chunker(&w, &standard);
        assay_json_object_end(&w);
    }
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status run_list(assay_cli *cli, assay_error *err)
{
    const char *format = assay_cli_format(cli, "table");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_grid grid;
    assay_status st;

    fill_grid(&grid);
    if (strcmp(format, "json") == 0)
        list_json(&out);
    else if (strcmp(format, "md") == 0)
        assay_grid_markdown(&grid, &out);
    else if (strcmp(format, "csv") == 0)
        assay_grid_csv(&grid, &out);
    else
        assay_grid_print(&grid, &out);
    assay_grid_clear(&grid);
    st = assay_cli_emit(cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

/* ---- show ---- */

static void show_text(const assay_chunking *chunking, assay_buffer *out)
{
    const assay_chunker *c = chunking->chunker;

    assay_buffer_printf(out, "%s: %s\n\nin full     ", c->name, c->summary);
    assay_chunking_print(chunking, out);
    assay_buffer_printf(
        out, "\nstructural  %s\n",
        c->is_structural ? "yes: editing one section leaves the ids of the others alone"
                         : "no");
    for (size_t i = 0; i < ASSAY_CHUNKER_PARAMS && c->param[i].name; i++)
        assay_buffer_printf(out, "parameter   %s: %s; %u to %u, default %u\n",
                            c->param[i].name, c->param[i].help, c->param[i].least,
                            c->param[i].most, c->param[i].standard);
}

static assay_status run_show(assay_cli *cli, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_chunking chunking;
    assay_status st = assay_chunking_read(assay_slice_of(cli->arg[0]), &chunking, err);

    if (st)
        return st;
    if (strcmp(assay_cli_format(cli, "table"), "json") == 0) {
        assay_json_writer w = assay_json_writer_of(&out, 2);

        assay_json_object(&w);
        assay_json_key(&w, "schema");
        assay_json_text(&w, "assay.chunker/1");
        json_chunker(&w, &chunking);
        assay_json_object_end(&w);
        assay_buffer_char(&out, '\n');
    } else {
        show_text(&chunking, &out);
    }
    st = assay_cli_emit(cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

const assay_command assay_command_chunker_list = {
    .name = "chunker list",
    .args = "",
    .summary = "how documents can be cut",
    .option = list_options,
    .run = run_list,
};

const assay_command assay_command_chunker_show = {
    .name = "chunker show",
    .args = "NAME",
    .summary = "what a chunker does, with its parameters",
    .option = show_options,
    .min_args = 1,
    .max_args = 1,
    .run = run_show,
};
