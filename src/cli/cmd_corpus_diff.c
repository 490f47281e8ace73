/* SPDX-License-Identifier: Apache-2.0 */
/* assay corpus diff: two corpora, one under another chunker, or one against the files that
 * it came from. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/corpus_arg.h"
#include "corpus/corpus_diff.h"
#include "pipeline/ingest.h"

static const assay_option options[] = {
    {0, "chunker", ASSAY_OPTION_TEXT, "SPEC", NULL,
     "compare with the same documents cut by another chunker"},
    {0, "exit-code", ASSAY_OPTION_FLAG, NULL, NULL, "exit 1 when there are differences"},
    ASSAY_OPTIONS_WORKSPACE,
    ASSAY_OPTIONS_OUTPUT("table|json|csv|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

typedef struct task {
    assay_cli *cli;
    const char *format;
    assay_corpus_arg a;
    assay_corpus *b; /* or null */
    const char *b_name;
    assay_chunking chunking; /* of --chunker */
    assay_buffer spelling;   /* its full name */
    assay_corpus_diff total;
    assay_grid grid;
    assay_json_writer json;
    bool is_json;
    bool has_differences;
    assay_buffer out;
} task;

/* ---- documents ---- */

static assay_status put_doc(void *ctx, const assay_doc_diff *diff, assay_error *err)
{
    task *t = ctx;

    (void)err;
    t->has_differences = true;
    if (t->is_json) {
        assay_json_flat_object(&t->json);
        assay_json_name(&t->json, "doc_id", diff->id);
        assay_json_name(&t->json, "change",
                        assay_slice_of(assay_doc_change_name(diff->change)));
        assay_json_count(&t->json, "a_bytes", diff->a_bytes);
        assay_json_count(&t->json, "b_bytes", diff->b_bytes);
        assay_json_count(&t->json, "kept", diff->n_kept);
        assay_json_count(&t->json, "gone", diff->n_gone);
        assay_json_count(&t->json, "new", diff->n_new);
        assay_json_object_end(&t->json);
        return ASSAY_OK;
    }
    assay_grid_text(&t->grid, assay_doc_change_name(diff->change));
    assay_grid_short(&t->grid, diff->id, t->format);
    assay_grid_count(&t->grid, diff->a_bytes);
    assay_grid_count(&t->grid, diff->b_bytes);
    assay_grid_count(&t->grid, diff->n_kept);
    assay_grid_count(&t->grid, diff->n_gone);
    assay_grid_count(&t->grid, diff->n_new);
    return ASSAY_OK;
}

static void begin_rows(task *t, const char *const *head, size_t n, size_t n_left)
{
    t->grid.n_columns = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        t->grid.is_right[i] = i >= n_left;
        assay_grid_text(&t->grid, head[i]);
    }
    if (!t->is_json)
        return;
    t->json = assay_json_writer_of(&t->out, 2);
    assay_json_object(&t->json);
    assay_json_name(&t->json, "schema", ASSAY_LIT("assay.corpus-diff/1"));
    assay_json_name(&t->json, "a", assay_slice_of(t->a.name));
    assay_json_name(&t->json, "b", assay_slice_of(t->b_name));
    assay_json_key(&t->json, "rows");
    assay_json_list(&t->json);
}

/* Totals stand behind the rows, since they are known then. */
static void end_rows(task *t)
{
    assay_json_object_end(&t->json);
    assay_buffer_char(&t->out, '\n');
}

static void print_total(task *t)
{
    const assay_corpus_diff *d = &t->total;

    assay_buffer_printf(
        &t->out,
        "a          %s\nb          %s\n"
        "documents  %llu same, %llu added, %llu removed, %llu changed\n"
        "chunks     %llu kept, %llu gone, %llu new (by %s)\n",
        t->a.name, t->b_name, (unsigned long long)d->n_docs[ASSAY_DOC_SAME],
        (unsigned long long)d->n_docs[ASSAY_DOC_ADDED],
        (unsigned long long)d->n_docs[ASSAY_DOC_REMOVED],
        (unsigned long long)d->n_docs[ASSAY_DOC_CHANGED], (unsigned long long)d->n_kept,
        (unsigned long long)d->n_gone, (unsigned long long)d->n_new,
        d->is_by_text ? "text, since the chunkers differ" : "id");
    if (t->has_differences)
        assay_buffer_char(&t->out, '\n');
}

static void json_total(task *t)
{
    const assay_corpus_diff *d = &t->total;
    assay_json_writer *w = &t->json;

    assay_json_list_end(w);
    assay_json_key(w, "documents");
    assay_json_flat_object(w);
    for (int i = 0; i < ASSAY_DOC_N; i++)
        assay_json_count(w, assay_doc_change_name((assay_doc_change)i), d->n_docs[i]);
    assay_json_object_end(w);
    assay_json_key(w, "chunks");
    assay_json_flat_object(w);
    assay_json_count(w, "kept", d->n_kept);
    assay_json_count(w, "gone", d->n_gone);
    assay_json_count(w, "new", d->n_new);
    assay_json_name(w, "by", d->is_by_text ? ASSAY_LIT("text") : ASSAY_LIT("id"));
    assay_json_object_end(w);
    end_rows(t);
}

static assay_status compare_docs(task *t, assay_error *err)
{
    static const char *const head[] = {"change", "document", "a bytes", "b bytes",
                                       "kept",   "gone",     "new"};
    assay_status st;

    begin_rows(t, head, ASSAY_COUNT(head), 2);
    st = assay_corpus_compare(t->a.corpus, t->b, t->b ? NULL : &t->chunking, put_doc, t,
                              &t->total, err);
    if (st)
        return st;
    if (t->is_json)
        json_total(t);
    else if (strcmp(t->format, "csv") != 0)
        print_total(t);
    return ASSAY_OK;
}

/* ---- files ---- */

static void put_file(void *ctx, assay_ingest_event event, assay_slice path,
                     const char *why)
{
    static const char *const words[] = {
        [ASSAY_INGEST_READ] = "added",      [ASSAY_INGEST_REPLACED] = "changed",
        [ASSAY_INGEST_REMOVED] = "removed", [ASSAY_INGEST_SKIPPED] = NULL,
        [ASSAY_INGEST_FAILED] = "failed",
    };
    task *t = ctx;

    if (!words[event])
        return;
    t->has_differences = true;
    if (t->is_json) {
        assay_json_flat_object(&t->json);
        assay_json_name(&t->json, "file", path);
        assay_json_name(&t->json, "change", assay_slice_of(words[event]));
        if (why)
            assay_json_name(&t->json, "why", assay_slice_of(why));
        assay_json_object_end(&t->json);
        return;
    }
    assay_grid_text(&t->grid, words[event]);
    assay_grid_short(&t->grid, path, t->format);
    assay_grid_name(&t->grid, assay_slice_of(why ? why : ""));
}

/* Where the documents came from, as one opens it from here. */
static assay_status list_roots(task *t, const char ***path, size_t *n, assay_error *err)
{
    assay_arena *arena = &t->cli->arena;
    assay_corpus_origin origin;
    assay_status st = assay_corpus_origins(t->a.corpus, arena, &origin, err);

    if (st)
        return st;
    *n = 0;
    *path = ASSAY_ARENA_ARRAY(arena, const char *, origin.n_roots + 1);
    for (size_t i = 0; *path && i < origin.n_roots; i++) {
        (*path)[i] =
            assay_project_join(arena, t->a.workspace.folder, origin.root[i].path);
        if (!(*path)[i])
            break;
        ++*n;
    }
    return *path && *n == origin.n_roots ? ASSAY_OK
                                         : assay_fail_memory(err, "comparing with files");
}

static void print_files(task *t, const assay_ingest_summary *s)
{
    assay_buffer_printf(&t->out,
                        "a          %s\nb          %s\n"
                        "files      %llu same, %llu added, %llu removed, %llu changed, "
                        "%zu failed\n",
                        t->a.name, t->b_name, (unsigned long long)s->n_unchanged,
                        (unsigned long long)s->n_read, (unsigned long long)s->n_removed,
                        (unsigned long long)s->n_replaced, s->n_faults);
    if (t->has_differences)
        assay_buffer_char(&t->out, '\n');
}

static void json_files(task *t, const assay_ingest_summary *s)
{
    assay_json_writer *w = &t->json;

    assay_json_list_end(w);
    assay_json_key(w, "files");
    assay_json_flat_object(w);
    assay_json_count(w, "same", s->n_unchanged);
    assay_json_count(w, "added", s->n_read);
    assay_json_count(w, "removed", s->n_removed);
    assay_json_count(w, "changed", s->n_replaced);
    assay_json_count(w, "failed", s->n_faults);
    assay_json_object_end(w);
    end_rows(t);
}

static assay_status compare_files(task *t, assay_error *err)
{
    static const char *const head[] = {"change", "file", "why"};
    assay_ingest_options o = {.home = t->a.workspace.folder,
                              .is_dry = true,
                              .is_thorough = true,
                              .tell = put_file,
                              .ctx = t};
    assay_ingest_summary summary = {.n_found = 0};
    const char **path;
    size_t n;
    assay_status st = list_roots(t, &path, &n, err);

    if (!st)
        st = assay_workspace_own(&t->a.workspace, &o.own, &o.n_own, err);
    if (st)
        return st;
    begin_rows(t, head, ASSAY_COUNT(head), 3);
    st = assay_ingest(t->a.path, path, n, &o, &summary, err);
    if (!st && t->is_json)
        json_files(t, &summary);
    else if (!st && strcmp(t->format, "csv") != 0)
        print_files(t, &summary);
    assay_ingest_summary_clear(&summary);
    return st;
}

/* ---- what is compared ---- */

static assay_status open_other(task *t, const char *name, assay_error *err)
{
    const char *path;
    assay_status st = assay_workspace_corpus(&t->a.workspace, name, &path, err);

    t->b_name = name;
    return st ? st : assay_corpus_open(path, ASSAY_CORPUS_READ, &t->b, err);
}

static assay_status read_chunker(task *t, const char *text, assay_error *err)
{
    assay_status st = assay_chunking_read(assay_slice_of(text), &t->chunking, err);

    if (st)
        return st;
    assay_chunking_print(&t->chunking, &t->spelling);
    assay_buffer_char(&t->spelling, '\0');
    if (t->spelling.has_failed)
        return assay_fail_memory(err, "comparing corpora");
    t->b_name = t->spelling.ptr;
    return ASSAY_OK;
}

static assay_status compare(task *t, assay_error *err)
{
    const char *chunker = assay_cli_text(t->cli, "chunker");
    assay_status st = ASSAY_OK;

    t->b_name = "the files on disk";
    if (t->cli->n_args == 2)
        st = open_other(t, t->cli->arg[1], err);
    else if (chunker)
        st = read_chunker(t, chunker, err);
    if (st)
        return st;
    return t->b || chunker ? compare_docs(t, err) : compare_files(t, err);
}

static assay_status run_diff(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli, .format = assay_cli_format(cli, "table")};
    assay_status st;

    t.is_json = strcmp(t.format, "json") == 0;
    if (cli->n_args == 2 && assay_cli_text(cli, "chunker"))
        return assay_fail(err, ASSAY_EUSAGE, "either two corpora, or one and --chunker");
    st = assay_corpus_arg_open(cli, cli->n_args ? cli->arg[0] : NULL, ASSAY_CORPUS_READ,
                               &t.a, err);
    if (st)
        return st;
    st = compare(&t, err);
    if (!st && !t.is_json && (t.has_differences || strcmp(t.format, "csv") == 0))
        assay_grid_write(&t.grid, t.format, &t.out);
    if (!st)
        st = assay_cli_emit(cli, &t.out, err);
    if (!st && t.has_differences && assay_cli_flag(cli, "exit-code"))
        st = ASSAY_NO;
    assay_corpus_close(t.b);
    assay_grid_clear(&t.grid);
    assay_buffer_clear(&t.spelling);
    assay_buffer_clear(&t.out);
    assay_corpus_arg_close(&t.a);
    return st;
}

const assay_command assay_command_corpus_diff = {
    .name = "corpus diff",
    .args = "[A [B]]",
    .summary =
        "what differs between two corpora, two chunkers, or a corpus and its files",
    .details =
        "With B: documents added, removed and changed from A to B, and their chunks.  With\n"
        "--chunker: the chunks that another chunker would make.  With neither: the files\n"
        "from which A was made, as they are now; 'assay ingest' brings it up to date.\n"
        "Chunks are the same when their ids are; where the chunkers differ, when their texts\n"
        "are.",
    .example = "  assay corpus diff\n"
               "  assay corpus diff main --chunker 'paragraph(target=300)'\n"
               "  assay corpus diff old new --json",
    .option = options,
    .max_args = 2,
    .run = run_diff,
};
