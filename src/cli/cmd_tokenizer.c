/* SPDX-License-Identifier: Apache-2.0 */
/* assay tokenizer list, assay tokenizer show, assay tokenize: how texts become terms. */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "report/grid.h"
#include "text/tokenizer.h"

static const assay_option list_options[] = {
    ASSAY_OPTIONS_OUTPUT("table|json|md|csv"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

static const assay_option show_options[] = {
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

static const assay_option tokenize_options[] = {
    {0, "tokenizer", ASSAY_OPTION_TEXT, "NAME", NULL,
     "name(param=value,...); without it auto"},
    ASSAY_OPTIONS_OUTPUT("lines|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* The spelling with all its parameters as they are when nothing is said. */
static assay_status put_standard(const assay_tokenizer *t, assay_buffer *out,
                                 assay_error *err)
{
    assay_tokenizing tokenizing;
    assay_status st = assay_tokenizing_read(t->name, &tokenizing, err);

    if (!st)
        assay_tokenizing_print(&tokenizing, out);
    return st;
}

/* ---- list ---- */

static assay_status fill_grid(assay_grid *grid, assay_error *err)
{
    const assay_tokenizer *t;
    assay_buffer name = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    assay_grid_text(grid, "tokenizer");
    assay_grid_text(grid, "what it does");
    for (size_t i = 0; !st && (t = assay_tokenizer_at(i)) != NULL; i++) {
        name.len = 0;
        st = put_standard(t, &name, err);
        assay_grid_add(grid, assay_buffer_view(&name));
        assay_grid_text(grid, t->summary);
    }
    assay_buffer_clear(&name);
    return st;
}

static void json_params(assay_json_writer *w, const assay_tokenizer *t)
{
    assay_json_key(w, "parameters");
    assay_json_list(w);
    for (const assay_param *p = t->param; p->name; p++) {
        assay_json_object(w);
        assay_json_key(w, "name");
        assay_json_text(w, p->name);
        assay_json_key(w, "default");
        assay_json_text(w, p->standard);
        if (p->choices) {
            assay_json_key(w, "choices");
            assay_json_flat_list(w);
            for (assay_slice rest = assay_slice_of(p->choices), part;
                 assay_slice_part(&rest, '|', &part);)
                assay_json_string(w, part);
            assay_json_list_end(w);
        }
        assay_json_key(w, "summary");
        assay_json_text(w, p->help);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
}

static void json_tokenizer(assay_json_writer *w, const assay_tokenizer *t)
{
    assay_json_key(w, "name");
    assay_json_text(w, t->name);
    assay_json_key(w, "summary");
    assay_json_text(w, t->summary);
    json_params(w, t);
}

static void list_json(assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);
    const assay_tokenizer *t;

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.tokenizers/1");
    assay_json_key(&w, "tokenizers");
    assay_json_list(&w);
    for (size_t i = 0; (t = assay_tokenizer_at(i)) != NULL; i++) {
        assay_json_object(&w);
        json_tokenizer(&w, t);
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
    assay_grid grid = {.n_columns = 2};
    assay_status st = fill_grid(&grid, err);

    if (strcmp(format, "json") == 0)
        list_json(&out);
    else if (strcmp(format, "md") == 0)
        assay_grid_markdown(&grid, &out);
    else if (strcmp(format, "csv") == 0)
        assay_grid_csv(&grid, &out);
    else
        assay_grid_print(&grid, &out);
    assay_grid_clear(&grid);
    if (!st)
        st = assay_cli_emit(cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

/* ---- show ---- */

static void show_text(assay_buffer *out, const assay_tokenizing *tokenizing)
{
    const assay_tokenizer *t = tokenizing->tokenizer;

    assay_buffer_printf(out, "%s: %s\n\nin full     ", t->name, t->summary);
    assay_tokenizing_print(tokenizing, out);
    assay_buffer_char(out, '\n');
    for (const assay_param *p = t->param; p->name; p++) {
        assay_buffer_printf(out, "parameter   %s: %s; ", p->name, p->help);
        if (p->choices)
            assay_buffer_printf(out, "one of %s, default %s\n", p->choices, p->standard);
        else
            assay_buffer_printf(out, "%g to %g, default %s\n", p->least, p->most,
                                p->standard);
    }
}

static assay_status run_show(assay_cli *cli, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_tokenizing tokenizing;
    assay_status st = assay_tokenizing_read(cli->arg[0], &tokenizing, err);

    if (st)
        return st;
    if (strcmp(assay_cli_format(cli, "table"), "json") == 0) {
        assay_json_writer w = assay_json_writer_of(&out, 2);

        assay_json_object(&w);
        assay_json_key(&w, "schema");
        assay_json_text(&w, "assay.tokenizer/1");
        json_tokenizer(&w, tokenizing.tokenizer);
        assay_json_object_end(&w);
        assay_buffer_char(&out, '\n');
    } else {
        show_text(&out, &tokenizing);
    }
    st = assay_cli_emit(cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

/* ---- tokenize ---- */

static void json_terms(assay_buffer *out, const assay_tokenizing *tokenizing,
                       const assay_tokens *terms)
{
    assay_json_writer w = assay_json_writer_of(out, 2);
    assay_buffer name = ASSAY_BUFFER_EMPTY;

    assay_tokenizing_print(tokenizing, &name);
    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.tokens/1");
    assay_json_key(&w, "tokenizer");
    assay_json_string(&w, assay_buffer_view(&name));
    assay_json_key(&w, "tokens");
    assay_json_flat_list(&w);
    for (size_t i = 0; i < terms->n; i++)
        assay_json_string(&w, terms->item[i]);
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
    out->has_failed |= name.has_failed;
    assay_buffer_clear(&name);
}

static assay_status print_terms(assay_cli *cli, const assay_tokenizing *tokenizing,
                                assay_token_worker *worker, assay_slice text,
                                assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_tokens terms;
    assay_status st;

    if (!assay_tokenize(worker, text, &terms))
        return assay_fail_memory(err, "cutting a text into terms");
    if (strcmp(assay_cli_format(cli, "lines"), "json") == 0) {
        json_terms(&out, tokenizing, &terms);
    } else {
        for (size_t i = 0; i < terms.n; i++) {
            assay_buffer_slice(&out, terms.item[i]);
            assay_buffer_char(&out, '\n');
        }
    }
    st = assay_cli_emit(cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_tokenize(assay_cli *cli, assay_error *err)
{
    assay_file file = {.mapped = NULL};
    assay_token_worker *worker = NULL;
    assay_slice text = assay_slice_of(cli->arg[0]);
    assay_tokenizing tokenizing;
    assay_status st =
        assay_tokenizing_read(assay_cli_text(cli, "tokenizer"), &tokenizing, err);

    if (!st && strcmp(cli->arg[0], "-") == 0) {
        st = assay_file_open(&file, "-", err);
        text = file.text;
    }
    if (!st)
        st = assay_token_worker_new(&tokenizing, &worker, err);
    if (!st)
        st = print_terms(cli, &tokenizing, worker, text, err);
    assay_token_worker_free(worker);
    assay_file_close(&file);
    return st;
}

const assay_command assay_command_tokenizer_list = {
    .name = "tokenizer list",
    .args = "",
    .summary = "how texts can be cut into terms",
    .option = list_options,
    .run = run_list,
};

const assay_command assay_command_tokenizer_show = {
    .name = "tokenizer show",
    .args = "NAME",
    .summary = "parameters and full spelling of a tokenizer",
    .option = show_options,
    .min_args = 1,
    .max_args = 1,
    .run = run_show,
};

const assay_command assay_command_tokenize = {
    .name = "tokenize",
    .args = "TEXT",
    .summary = "the terms of a text, one a line; - reads standard input",
    .details = "Shows what a retriever sees of a query or a passage.",
    .example = "assay tokenize \"Don't re-index 검색엔진\"\n"
               "assay tokenize --tokenizer 'ngram(n=2)' retrieval",
    .option = tokenize_options,
    .min_args = 1,
    .max_args = 1,
    .run = run_tokenize,
};
