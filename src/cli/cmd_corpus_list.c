/* SPDX-License-Identifier: Apache-2.0 */
/* assay corpus list: the corpora of the workspace, a line each. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/corpus_arg.h"

static const assay_option options[] = {
    ASSAY_OPTIONS_WORKSPACE,
    ASSAY_OPTIONS_OUTPUT("table|json|csv|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

typedef struct task {
    assay_cli *cli;
    assay_workspace workspace;
    const char **name;
    size_t n;
    assay_corpus_head *head;
    assay_slice *spelling; /* outlives the handles */
    size_t n_heads;        /* those that could be opened */
} task;

static assay_status read_one(task *t, const char *name, assay_error *err)
{
    assay_corpus_head *head = &t->head[t->n_heads];
    assay_corpus *corpus = NULL;
    const char *path;
    assay_status st;

    if (!assay_workspace_file(&t->workspace, name, &path))
        return assay_fail_memory(err, "listing corpora");
    st = assay_corpus_open(path, ASSAY_CORPUS_READ, &corpus, err);
    if (!st)
        st = assay_corpus_head_read(name, path, corpus, &t->cli->arena, head, err);
    if (!st) {
        head->chunking = assay_arena_copy(&t->cli->arena, head->chunking);
        st = head->chunking.ptr ? ASSAY_OK : assay_fail_memory(err, "listing corpora");
    }
    assay_corpus_close(corpus);
    t->n_heads += !st;
    return st;
}

/* One that cannot be read does not hide the others. */
static assay_status read_all(task *t, assay_error *err)
{
    assay_status worst = ASSAY_OK;

    t->head = ASSAY_ARENA_ARRAY(&t->cli->arena, assay_corpus_head, t->n + 1);
    if (!t->head)
        return assay_fail_memory(err, "listing corpora");
    for (size_t i = 0; i < t->n; i++) {
        assay_error why = {ASSAY_OK, ""};
        assay_status st = read_one(t, t->name[i], &why);

        if (st == ASSAY_ENOMEM)
            return assay_fail_memory(err, "listing corpora");
        if (st)
            assay_cli_warn(t->cli, "%s", why.text);
        if (st && !worst)
            worst = assay_fail(err, st, "corpus '%s' could not be read", t->name[i]);
    }
    return worst;
}

static void print_grid(const task *t, const char *format, assay_buffer *out)
{
    static const char *const head[] = {"name",    "documents", "chunks", "bytes",
                                       "chunker", "hash",      "read"};
    assay_grid grid = {.n_columns = ASSAY_COUNT(head)};

    for (size_t i = 0; i < ASSAY_COUNT(head); i++)
        assay_grid_text(&grid, head[i]);
    grid.is_right[1] = grid.is_right[2] = grid.is_right[3] = true;
    for (size_t i = 0; i < t->n_heads; i++) {
        const assay_corpus_head *h = &t->head[i];

        assay_grid_text(&grid, h->name);
        assay_grid_count(&grid, h->size.n_docs);
        assay_grid_count(&grid, h->size.n_chunks);
        assay_grid_count(&grid, h->size.bytes);
        assay_grid_add(&grid, h->chunking);
        /* Twelve digits tell corpora apart; the whole hash is in JSON. */
        assay_grid_printf(&grid, "%.12s", h->hash);
        assay_grid_text(&grid, h->when[0] ? h->when : "never");
    }
    assay_grid_write(&grid, format, out);
    assay_grid_clear(&grid);
}

static void print_json(const task *t, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_name(&w, "schema", ASSAY_LIT("assay.corpus-list/1"));
    assay_json_name(&w, "workspace", assay_slice_of(t->workspace.path));
    assay_json_key(&w, "corpora");
    assay_json_list(&w);
    for (size_t i = 0; i < t->n_heads; i++) {
        assay_json_object(&w);
        assay_corpus_head_json(&t->head[i], &w);
        assay_json_object_end(&w);
    }
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status report(const task *t, assay_error *err)
{
    const char *format = assay_cli_format(t->cli, "table");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    if (strcmp(format, "json") == 0)
        print_json(t, &out);
    else if (!t->n && strcmp(format, "table") == 0)
        assay_buffer_printf(&out,
                            "no corpus in '%s'; make one with 'assay ingest PATH...'\n",
                            t->workspace.path);
    else
        print_grid(t, format, &out);
    st = assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_list(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli};
    assay_error later;
    assay_status st = assay_workspace_open(cli, &t.workspace, err);
    assay_status read;

    if (st)
        return st;
    st = assay_workspace_list(&t.workspace, &t.name, &t.n, err);
    read = st ? st : read_all(&t, err);
    if (!st && read != ASSAY_ENOMEM)
        st = report(&t, read ? &later : err);
    if (st && read)
        *err = later;
    assay_workspace_close(&t.workspace);
    return st ? st : read;
}

const assay_command assay_command_corpus_list = {
    .name = "corpus list",
    .args = "",
    .summary = "the corpora of the workspace",
    .details =
        "Documents, chunks and bytes are today's; the archive is shown by\n"
        "'assay corpus show'.  The hash is that of the documents: it does not depend on\n"
        "the chunker.",
    .example = "  assay corpus list\n  assay corpus list --json",
    .option = options,
    .run = run_list,
};
