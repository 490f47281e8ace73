/* SPDX-License-Identifier: Apache-2.0 */
/* assay ingest: files and folders into a corpus. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/slice.h"
#include "cli/progress.h"
#include "cli/workspace.h"
#include "pipeline/ingest.h"

static const assay_option options[] = {
    {0, "chunker", ASSAY_OPTION_TEXT, "SPEC", NULL,
     "how to cut, e.g. 'md-heading(target=300)'; default as before"},
    {0, "dry-run", ASSAY_OPTION_FLAG, NULL, NULL,
     "say what would be done, write nothing"},
    {0, "all", ASSAY_OPTION_FLAG, NULL, NULL,
     "read all files, also those whose size and time are as before"},
    {0, "jobs", ASSAY_OPTION_COUNT, "N", NULL, "threads; 0 = one a core"},
    {0, "pdftotext", ASSAY_OPTION_TEXT, "PROGRAM", NULL,
     "what reads PDF files; default pdftotext"},
    ASSAY_OPTIONS_CORPUS,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

enum { NAME_COLUMNS = 10000 };

/* ---- on the way ---- */

typedef struct watcher {
    assay_cli *cli;
    assay_progress progress;
} watcher;

static void on_progress(void *ctx, const assay_ingest_progress *now)
{
    watcher *w = ctx;
    assay_bar *bar = &w->progress.bar;

    bar->what = now->stage;
    bar->items = strcmp(now->stage, "reading") == 0 ? "files" : "documents";
    bar->done = now->n;
    bar->total = now->n_total;
    bar->bytes = now->bytes;
    bar->total_bytes = now->bytes_total;
    bar->name = now->path;
    assay_progress_step(&w->progress);
}

/* A path as one line of text. */
static void put_name(assay_buffer *out, assay_slice path)
{
    assay_bar_name(path, NAME_COLUMNS, out);
}

static void on_event(void *ctx, assay_ingest_event event, assay_slice path,
                     const char *why)
{
    watcher *w = ctx;
    assay_buffer name = ASSAY_BUFFER_EMPTY;

    w->progress.bar.failed += event == ASSAY_INGEST_FAILED;
    if (!w->cli->is_verbose)
        return;
    put_name(&name, path);
    assay_progress_hide(&w->progress);
    assay_cli_say(w->cli, "%s %.*s%s%s", assay_ingest_word(event), (int)name.len,
                  name.len ? name.ptr : "", why ? ": " : "", why ? why : "");
    assay_buffer_clear(&name);
}

/* ---- the summary ---- */

typedef struct result {
    const char *corpus; /* its name */
    const char *path;
    bool is_dry;
    const assay_ingest_summary *s;
} result;

/* What a reader says begins with the path already. */
static void put_fault(assay_buffer *out, const assay_ingest_fault *fault)
{
    assay_slice why = assay_slice_of(fault->why);

    assay_buffer_text(out, "  ");
    if (why.len < fault->path.len ||
        memcmp(why.ptr, fault->path.ptr, fault->path.len) != 0) {
        put_name(out, fault->path);
        assay_buffer_text(out, ": ");
    }
    put_name(out, why);
    assay_buffer_char(out, '\n');
}

static void put_count(assay_buffer *out, const char *word, uint64_t n)
{
    assay_buffer_printf(out, "%-10s%llu\n", word, (unsigned long long)n);
}

static void put_skips(assay_buffer *out, const assay_ingest_summary *s)
{
    uint64_t n = 0;

    for (size_t i = 0; i < s->n_skips; i++)
        n += s->skip[i].n;
    assay_buffer_printf(out, "%-10s%llu", "skipped", (unsigned long long)n);
    for (size_t i = 0; i < s->n_skips; i++)
        assay_buffer_printf(out, "%s%llu %s", i ? ", " : " (",
                            (unsigned long long)s->skip[i].n, s->skip[i].reason);
    assay_buffer_text(out, n ? ")\n" : "\n");
}

static void put_stop(assay_buffer *out, const assay_ingest_summary *s)
{
    if (!s->was_cancelled)
        return;
    assay_buffer_printf(out,
                        "stopped   %llu files were not looked at; the corpus is whole, "
                        "and the same command goes on from here\n",
                        (unsigned long long)s->n_left);
}

static void print_text(const result *r, assay_buffer *out)
{
    const assay_ingest_summary *s = r->s;

    assay_buffer_printf(out, "corpus    %s (%s)%s\n", r->corpus, r->path,
                        r->is_dry ? ", dry run: nothing was written" : "");
    assay_buffer_printf(out, "chunker   %s\n", s->chunking ? s->chunking : "");
    put_count(out, "read", s->n_read);
    put_count(out, "replaced", s->n_replaced);
    put_count(out, "unchanged", s->n_unchanged);
    put_count(out, "removed", s->n_removed);
    put_skips(out, s);
    put_count(out, "failed", s->n_faults);
    for (size_t i = 0; i < s->n_faults; i++)
        put_fault(out, &s->fault[i]);
    if (s->n_recut)
        put_count(out, "cut anew", s->n_recut);
    put_stop(out, s);
    if (r->is_dry)
        return;
    assay_buffer_printf(out, "documents %llu (", (unsigned long long)s->size.n_docs);
    assay_bar_size((double)s->size.bytes, out);
    assay_buffer_text(out, ")\n");
    put_count(out, "chunks", s->size.n_chunks);
    assay_buffer_printf(out, "hash      %s\n", s->hash);
}

static void put_number(assay_json_writer *w, const char *key, uint64_t n)
{
    assay_json_key(w, key);
    assay_json_int(w, (int64_t)n);
}

static void put_text(assay_json_writer *w, const char *key, const char *text)
{
    assay_json_key(w, key);
    assay_json_text(w, text);
}

static void print_lists(const assay_ingest_summary *s, assay_json_writer *w)
{
    assay_json_key(w, "skipped");
    assay_json_object(w);
    for (size_t i = 0; i < s->n_skips; i++)
        put_number(w, s->skip[i].reason, s->skip[i].n);
    assay_json_object_end(w);
    assay_json_key(w, "failed");
    assay_json_list(w);
    for (size_t i = 0; i < s->n_faults; i++) {
        assay_json_flat_object(w);
        assay_json_key(w, "path");
        assay_json_string(w, s->fault[i].path);
        put_text(w, "why", s->fault[i].why);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
    assay_json_key(w, "notes");
    assay_json_list(w);
    for (size_t i = 0; i < s->notes.n; i++)
        assay_json_text(w, s->notes.text[i]);
    assay_json_list_end(w);
}

static void print_json(const result *r, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);
    const assay_ingest_summary *s = r->s;

    assay_json_object(&w);
    put_text(&w, "schema", "assay.ingest/1");
    put_text(&w, "corpus", r->corpus);
    put_text(&w, "path", r->path);
    assay_json_key(&w, "dry_run");
    assay_json_bool(&w, r->is_dry);
    put_text(&w, "chunker", s->chunking ? s->chunking : "");
    put_number(&w, "found", s->n_found);
    put_number(&w, "read", s->n_read);
    put_number(&w, "replaced", s->n_replaced);
    put_number(&w, "unchanged", s->n_unchanged);
    put_number(&w, "removed", s->n_removed);
    put_number(&w, "cut_anew", s->n_recut);
    print_lists(s, &w);
    assay_json_key(&w, "stopped");
    assay_json_bool(&w, s->was_cancelled);
    put_number(&w, "left", s->n_left);
    if (!r->is_dry) {
        put_number(&w, "documents", s->size.n_docs);
        put_number(&w, "bytes", s->size.bytes);
        put_number(&w, "chunks", s->size.n_chunks);
        put_text(&w, "hash", s->hash);
    }
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status report(const assay_cli *cli, const result *r, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    assay_cli_warn_notes(cli, &r->s->notes);
    if (strcmp(assay_cli_format(cli, "table"), "json") == 0)
        print_json(r, &out);
    else
        print_text(r, &out);
    st = assay_cli_emit(cli, &out, err);
    assay_buffer_clear(&out);
    if (!st && r->s->n_faults)
        return assay_fail(err, ASSAY_NO, "%zu %s failed; all others are in the corpus",
                          r->s->n_faults, r->s->n_faults == 1 ? "file" : "files");
    return st;
}

/* ---- the command ---- */

/* The paths given, else those of assay.yaml. */
static assay_status find_paths(const assay_cli *cli, const assay_project_corpus *planned,
                               const char *const **path, size_t *n, assay_error *err)
{
    if (cli->n_args) {
        *path = cli->arg;
        *n = cli->n_args;
    } else if (planned && planned->n_paths) {
        *path = planned->path;
        *n = planned->n_paths;
    } else {
        return assay_fail(err, ASSAY_EUSAGE,
                          "ingest what? name files or folders, or list them under "
                          "'corpus' in assay.yaml");
    }
    return ASSAY_OK;
}

/* End as one who was killed by the signal would, so that scripts stop, too. */
static void end_by(int number)
{
    assay_interrupt_release();
    if (number)
        raise(number);
}

/* Run it and print what came of it. */
static assay_status ingest(assay_cli *cli, const char *const *path, size_t n,
                           assay_ingest_options *how, result *r, assay_error *err)
{
    watcher w = {.cli = cli};
    assay_ingest_summary summary = {0};
    assay_status st;

    /* A limit on the size of files is to be an error that is told, not our end. */
    (void)signal(SIGXFSZ, SIG_IGN);
    assay_progress_start(&w.progress, cli, "reading", "files");
    how->cancel = assay_interrupt_catch();
    how->progress = on_progress;
    how->tell = on_event;
    how->ctx = &w;
    st = assay_ingest(r->path, path, n, how, &summary, err);
    assay_progress_finish(&w.progress);
    r->s = &summary;
    if (!st)
        st = report(cli, r, err);
    if (summary.was_cancelled)
        end_by(*how->cancel);
    assay_ingest_summary_clear(&summary);
    return st;
}

static assay_status run_in(assay_cli *cli, assay_workspace *ws, assay_error *err)
{
    const assay_project_corpus *planned;
    const char *chunker = assay_cli_text(cli, "chunker");
    assay_ingest_options how = {
        .home = ws->folder,
        .pdftotext = assay_cli_text(cli, "pdftotext"),
        .n_threads = (uint32_t)assay_cli_count(cli, "jobs", 0),
        .is_dry = assay_cli_flag(cli, "dry-run"),
        .is_thorough = assay_cli_flag(cli, "all"),
    };
    result r = {.is_dry = how.is_dry};
    const char *const *path = NULL;
    assay_chunking chunking;
    size_t n = 0;
    assay_status st =
        assay_workspace_name(ws, assay_cli_text(cli, "corpus"), &r.corpus, err);

    if (st)
        return st;
    planned = assay_project_corpus_find(ws->project, r.corpus);
    st = find_paths(cli, planned, &path, &n, err);
    if (!st && !chunker && planned)
        chunker = planned->chunker;
    if (!st)
        st = assay_workspace_own(ws, &how.own, &how.n_own, err);
    if (!st && chunker)
        st = assay_chunking_read(assay_slice_of(chunker), &chunking, err);
    if (!st && !assay_workspace_file(ws, r.corpus, &r.path))
        st = assay_fail_memory(err, "ingesting");
    if (st)
        return st;
    how.chunking = chunker ? &chunking : NULL;
    return ingest(cli, path, n, &how, &r, err);
}

static assay_status run_ingest(assay_cli *cli, assay_error *err)
{
    assay_workspace ws;
    assay_status st = assay_workspace_open(cli, &ws, err);

    if (st)
        return st;
    st = run_in(cli, &ws, err);
    assay_workspace_close(&ws);
    return st;
}

const assay_command assay_command_ingest = {
    .name = "ingest",
    .args = "[PATH...]",
    .summary = "read files and folders into a corpus of chunks",
    .details =
        "Folders are walked as git does it: .gitignore is followed, and what is left out "
        "is counted. The corpus is brought up to date: files whose size and time are as "
        "before are not read, changed ones are replaced, gone ones removed; files "
        "elsewhere are left alone. Without PATH the paths of assay.yaml are taken. "
        "Another chunker than before cuts the stored texts anew and reads no file; old "
        "chunks stay in the archive, so that golden sets which name them still resolve. "
        "Exit 1: some files failed, and all others are stored. Ctrl-C leaves a corpus of "
        "whole files.",
    .example = "assay ingest docs\n"
               "assay ingest docs notes.md --corpus handbook --chunker 'paragraph'",
    .option = options,
    .max_args = UINT32_MAX,
    .run = run_ingest,
};
