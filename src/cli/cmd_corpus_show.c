/* SPDX-License-Identifier: Apache-2.0 */
/* assay corpus show: what is in one corpus, document by document. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/corpus_arg.h"
#include "cli/holds.h"
#include "report/bar.h"

enum { FIRST_DOCS = 40 };

static const assay_option options[] = {
    {0, "all", ASSAY_OPTION_FLAG, NULL, NULL, "all documents, not only the first 40"},
    ASSAY_OPTIONS_WORKSPACE,
    ASSAY_OPTIONS_OUTPUT("table|json|csv|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* One report in the making. */
typedef struct page {
    const assay_cli *cli;
    const char *format;
    assay_corpus_arg arg;
    assay_corpus_head head;
    assay_grid docs;
    assay_grid cuts;
    assay_holds holds;
    assay_json_writer json;
    uint64_t n_docs;
    uint64_t most; /* documents that are printed */
    assay_buffer out;
} page;

/* Its cuts were pruned: nothing but the name is left. */
static bool is_spent(const assay_corpus_cuts *cuts)
{
    return !cuts->is_today && !cuts->n_versions && !cuts->n_pins;
}

/* ---- for people ---- */

static void put_head(assay_grid *grid, const char *const *name, size_t n, size_t n_left)
{
    grid->n_columns = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        grid->is_right[i] = i >= n_left;
        assay_grid_text(grid, name[i]);
    }
}

static assay_status put_doc(void *ctx, const assay_corpus_doc *doc, assay_error *err)
{
    page *p = ctx;

    (void)err;
    if (p->n_docs++ >= p->most)
        return ASSAY_OK;
    assay_grid_short(&p->docs, doc->id, p->format);
    assay_grid_text(&p->docs, assay_form_name(doc->form));
    assay_grid_short(&p->docs, doc->source, p->format);
    assay_grid_count(&p->docs, doc->bytes);
    assay_grid_count(&p->docs, doc->n_chunks);
    return ASSAY_OK;
}

/* Who holds on to the chunking, in one cell. */
static bool put_holders(page *p, assay_slice chunking)
{
    assay_buffer names = ASSAY_BUFFER_EMPTY;
    assay_slice who;
    bool is_ok;

    for (size_t i = 0; (who = assay_holds_who(&p->holds, chunking, i)).ptr; i++) {
        assay_buffer_text(&names, i ? ", " : "");
        assay_buffer_slice(&names, who);
    }
    assay_grid_name(&p->cuts, assay_buffer_view(&names));
    is_ok = !names.has_failed;
    assay_buffer_clear(&names);
    return is_ok;
}

static assay_status put_cuts(void *ctx, const assay_corpus_cuts *cuts, assay_error *err)
{
    page *p = ctx;

    if (is_spent(cuts))
        return ASSAY_OK;
    assay_grid_add(&p->cuts, cuts->chunking);
    assay_grid_text(&p->cuts, cuts->is_today ? "yes" : "no");
    assay_grid_count(&p->cuts, cuts->n_versions);
    assay_grid_count(&p->cuts, cuts->n_chunks);
    assay_grid_count(&p->cuts, cuts->bytes);
    return put_holders(p, cuts->chunking) ? ASSAY_OK
                                          : assay_fail_memory(err, "showing a corpus");
}

static void put_roots(page *p)
{
    const assay_corpus_origin *o = &p->head.origin;

    for (size_t i = 0; i < o->n_roots; i++) {
        assay_buffer_text(&p->out, i ? "           " : "roots      ");
        assay_bar_name(o->root[i].path, SIZE_MAX, &p->out);
        assay_buffer_printf(&p->out, " (%llu files, %llu documents)\n",
                            (unsigned long long)o->root[i].n_files,
                            (unsigned long long)o->root[i].n_docs);
    }
}

static assay_status fill_grids(page *p, assay_error *err)
{
    static const char *const doc_head[] = {"document", "form", "file", "bytes", "chunks"};
    static const char *const cut_head[] = {"chunking", "today", "documents",
                                           "chunks",   "bytes", "held by"};
    assay_status st;

    put_head(&p->docs, doc_head, ASSAY_COUNT(doc_head), 3);
    put_head(&p->cuts, cut_head, ASSAY_COUNT(cut_head), 2);
    p->cuts.is_right[ASSAY_COUNT(cut_head) - 1] = false;
    st = assay_corpus_each(p->arg.corpus, put_doc, p, err);
    return st ? st : assay_corpus_each_chunking(p->arg.corpus, put_cuts, p, err);
}

static assay_status print_page(page *p, const char *format, assay_error *err)
{
    bool is_csv = strcmp(format, "csv") == 0;
    assay_status st;

    if (!assay_cli_flag(p->cli, "all") && !is_csv)
        p->most = FIRST_DOCS;
    st = fill_grids(p, err);
    if (st)
        return st;
    if (is_csv) {
        assay_grid_csv(&p->docs, &p->out);
        return ASSAY_OK;
    }
    assay_corpus_head_print(&p->head, &p->out);
    put_roots(p);
    assay_buffer_char(&p->out, '\n');
    assay_grid_write(&p->cuts, format, &p->out);
    assay_buffer_char(&p->out, '\n');
    assay_grid_write(&p->docs, format, &p->out);
    if (p->n_docs > p->most)
        assay_buffer_printf(&p->out, "... and %llu more; --all shows them\n",
                            (unsigned long long)(p->n_docs - p->most));
    return ASSAY_OK;
}

/* ---- JSON ---- */

static assay_status json_doc(void *ctx, const assay_corpus_doc *doc, assay_error *err)
{
    page *p = ctx;
    assay_json_writer *w = &p->json;

    (void)err;
    assay_json_flat_object(w);
    assay_json_name(w, "id", doc->id);
    assay_json_name(w, "title", doc->title);
    assay_json_name(w, "form", assay_slice_of(assay_form_name(doc->form)));
    assay_json_name(w, "lang", doc->lang);
    assay_json_name(w, "extractor", doc->extractor);
    assay_json_name(w, "file", doc->source);
    assay_json_count(w, "bytes", doc->bytes);
    assay_json_count(w, "chunks", doc->n_chunks);
    assay_json_object_end(w);
    return ASSAY_OK;
}

static assay_status json_cuts(void *ctx, const assay_corpus_cuts *cuts, assay_error *err)
{
    page *p = ctx;
    assay_json_writer *w = &p->json;
    assay_slice who;

    (void)err;
    if (is_spent(cuts))
        return ASSAY_OK;
    assay_json_flat_object(w);
    assay_json_name(w, "chunker", cuts->chunking);
    assay_json_key(w, "today");
    assay_json_bool(w, cuts->is_today);
    assay_json_count(w, "documents", cuts->n_versions);
    assay_json_count(w, "chunks", cuts->n_chunks);
    assay_json_count(w, "bytes", cuts->bytes);
    assay_json_count(w, "pins", cuts->n_pins);
    assay_json_key(w, "held_by");
    assay_json_list(w);
    for (size_t i = 0; (who = assay_holds_who(&p->holds, cuts->chunking, i)).ptr; i++)
        assay_json_string(w, who);
    assay_json_list_end(w);
    assay_json_object_end(w);
    return ASSAY_OK;
}

static void json_roots(page *p)
{
    const assay_corpus_origin *o = &p->head.origin;
    assay_json_writer *w = &p->json;

    assay_json_key(w, "roots");
    assay_json_list(w);
    for (size_t i = 0; i < o->n_roots; i++) {
        assay_json_flat_object(w);
        assay_json_name(w, "path", o->root[i].path);
        assay_json_count(w, "files", o->root[i].n_files);
        assay_json_count(w, "documents", o->root[i].n_docs);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
}

static assay_status print_json(page *p, assay_error *err)
{
    assay_json_writer *w = &p->json;
    assay_status st;

    *w = assay_json_writer_of(&p->out, 2);
    assay_json_object(w);
    assay_json_name(w, "schema", ASSAY_LIT("assay.corpus/1"));
    assay_corpus_head_json(&p->head, w);
    json_roots(p);
    assay_json_key(w, "chunkings");
    assay_json_list(w);
    st = assay_corpus_each_chunking(p->arg.corpus, json_cuts, p, err);
    assay_json_list_end(w);
    assay_json_key(w, "docs");
    assay_json_list(w);
    if (!st)
        st = assay_corpus_each(p->arg.corpus, json_doc, p, err);
    assay_json_list_end(w);
    assay_json_object_end(w);
    assay_buffer_char(&p->out, '\n');
    return st;
}

static assay_status run_show(assay_cli *cli, assay_error *err)
{
    const char *format = assay_cli_format(cli, "table");
    page p = {.cli = cli,
              .format = format,
              .most = UINT64_MAX,
              .holds = {.arena = &cli->arena}};
    assay_status st = assay_corpus_arg_open(cli, cli->n_args ? cli->arg[0] : NULL,
                                            ASSAY_CORPUS_READ, &p.arg, err);

    if (st)
        return st;
    st = assay_corpus_head_read(p.arg.name, p.arg.path, p.arg.corpus, &cli->arena,
                                &p.head, err);
    if (!st)
        st = assay_holds_read(&p.holds, p.arg.corpus, err);
    if (!st)
        st = strcmp(format, "json") == 0 ? print_json(&p, err)
                                         : print_page(&p, format, err);
    if (!st)
        st = assay_cli_emit(cli, &p.out, err);
    assay_grid_clear(&p.docs);
    assay_grid_clear(&p.cuts);
    assay_holds_clear(&p.holds);
    assay_buffer_clear(&p.out);
    assay_corpus_arg_close(&p.arg);
    return st;
}

const assay_command assay_command_corpus_show = {
    .name = "corpus show",
    .args = "[NAME]",
    .summary = "the documents of a corpus, its roots and its archived chunkings",
    .details =
        "JSON and CSV have all documents; tables the first 40, unless --all is given.\n"
        "Golden sets hold on to the chunkings whose chunk ids they name.",
    .example = "  assay corpus show\n  assay corpus show handbook --format csv",
    .option = options,
    .max_args = 1,
    .run = run_show,
};
