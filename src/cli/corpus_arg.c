/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/corpus_arg.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/slice.h"
#include "report/bar.h"

enum { WIDEST_NAME = 60 };

/* NAME out of .../NAME.db */
static const char *name_of(assay_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    assay_slice name = assay_slice_of(slash ? slash + 1 : path);

    if (assay_slice_ends(name, ".db"))
        name.len -= 3;
    return assay_arena_string(arena, name);
}

assay_status assay_corpus_arg_open(assay_cli *cli, const char *name,
                                   assay_corpus_mode mode, assay_corpus_arg *out,
                                   assay_error *err)
{
    assay_corpus_arg arg = {.name = name};
    assay_status st = assay_workspace_open(cli, &arg.workspace, err);

    if (st)
        return st;
    st = assay_workspace_corpus(&arg.workspace, name, &arg.path, err);
    if (!st) {
        arg.name = name_of(&cli->arena, arg.path);
        st = arg.name ? ASSAY_OK : assay_fail_memory(err, "opening a corpus");
    }
    if (!st)
        st = assay_corpus_open(arg.path, mode, &arg.corpus, err);
    if (st)
        assay_corpus_arg_close(&arg);
    else
        *out = arg;
    return st;
}

void assay_corpus_arg_close(assay_corpus_arg *arg)
{
    assay_corpus_close(arg->corpus);
    assay_workspace_close(&arg->workspace);
    arg->corpus = NULL;
}

/* ---- head ---- */

static void print_time(int64_t ns, char out[40])
{
    time_t t = (time_t)(ns / 1000000000);
    struct tm utc;

    out[0] = '\0';
    if (ns > 0 && gmtime_r(&t, &utc))
        (void)strftime(out, 40, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

assay_status assay_corpus_head_read(const char *name, const char *path,
                                    assay_corpus *corpus, assay_arena *arena,
                                    assay_corpus_head *out, assay_error *err)
{
    assay_status st;

    *out = (assay_corpus_head){.name = name, .path = path};
    st = assay_corpus_measure(corpus, &out->size, err);
    if (!st)
        st = assay_corpus_hash(corpus, out->hash, err);
    if (!st)
        st = assay_corpus_origins(corpus, arena, &out->origin, err);
    if (st)
        return st;
    out->chunking = assay_corpus_chunking(corpus);
    print_time(out->origin.read_ns, out->when);
    return ASSAY_OK;
}

void assay_corpus_head_print(const assay_corpus_head *head, assay_buffer *out)
{
    assay_buffer_printf(
        out,
        "corpus     %s (%s)\n"
        "documents  %llu, %llu bytes, from %llu files\n"
        "chunks     %llu by %.*s\n"
        "hash       %s\n"
        "read       %s\n",
        head->name, head->path, (unsigned long long)head->size.n_docs,
        (unsigned long long)head->size.bytes, (unsigned long long)head->size.n_files,
        (unsigned long long)head->size.n_chunks, ASSAY_QUOTE(head->chunking), head->hash,
        head->when[0] ? head->when : "never");
}

void assay_corpus_head_json(const assay_corpus_head *head, assay_json_writer *w)
{
    assay_json_name(w, "name", assay_slice_of(head->name));
    assay_json_name(w, "path", assay_slice_of(head->path));
    assay_json_count(w, "files", head->size.n_files);
    assay_json_count(w, "documents", head->size.n_docs);
    assay_json_count(w, "chunks", head->size.n_chunks);
    assay_json_count(w, "bytes", head->size.bytes);
    assay_json_name(w, "chunker", head->chunking);
    assay_json_name(w, "hash", assay_slice_of(head->hash));
    assay_json_key(w, "read");
    if (head->when[0])
        assay_json_text(w, head->when);
    else
        assay_json_null(w);
}

/* ---- small words ---- */

void assay_json_count(assay_json_writer *w, const char *key, uint64_t n)
{
    assay_json_key(w, key);
    assay_json_int(w, (int64_t)n);
}

void assay_json_name(assay_json_writer *w, const char *key, assay_slice text)
{
    assay_json_key(w, key);
    assay_json_string(w, text);
}

static void add_name(assay_grid *grid, assay_slice name, size_t columns)
{
    assay_buffer shown = ASSAY_BUFFER_EMPTY;

    assay_bar_name(name, columns, &shown);
    if (shown.has_failed)
        grid->has_failed = true;
    else
        assay_grid_add(grid, assay_buffer_view(&shown));
    assay_buffer_clear(&shown);
}

void assay_grid_name(assay_grid *grid, assay_slice name)
{
    add_name(grid, name, SIZE_MAX);
}

void assay_grid_short(assay_grid *grid, assay_slice name, const char *format)
{
    add_name(grid, name, strcmp(format, "csv") == 0 ? SIZE_MAX : WIDEST_NAME);
}

void assay_grid_count(assay_grid *grid, uint64_t n)
{
    assay_grid_printf(grid, "%llu", (unsigned long long)n);
}

void assay_grid_write(const assay_grid *grid, const char *format, assay_buffer *out)
{
    if (strcmp(format, "csv") == 0)
        assay_grid_csv(grid, out);
    else if (strcmp(format, "md") == 0)
        assay_grid_markdown(grid, out);
    else
        assay_grid_print(grid, out);
}
