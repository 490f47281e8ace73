/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/documents_arg.h"

#include "base/error.h"
#include "pipeline/asking.h"
#include "pipeline/corpus_passages.h"

/* Judgments become bytes of the corpus; those that are lost are named. */
static assay_status resolve(assay_documents *d, assay_golden *golden, uint32_t n_threads,
                            assay_error *err)
{
    enum { NAMED = 5 };
    const assay_trace_options how = {.n_threads = n_threads};
    assay_status st = assay_resolve(golden, d->path, &how, &d->resolution, err);

    if (!st && !assay_resolution_notes(&d->resolution, golden, NAMED, &golden->notes,
                                       &golden->arena))
        st = assay_fail_memory(err, "resolving the golden set");
    return st;
}

static assay_status open_corpus(const assay_workspace *ws, const char *name,
                                assay_golden *golden, uint32_t n_threads,
                                assay_documents *d, assay_error *err)
{
    assay_status st = assay_workspace_corpus(ws, name, &d->path, err);

    if (st && !name && st == ASSAY_EUSAGE)
        return assay_fail(
            err, ASSAY_EUSAGE,
            "'%s' brings no documents; name a corpus with --corpus (made by "
            "'assay ingest')",
            golden->path);
    if (!st)
        st = assay_corpus_open(d->path, ASSAY_CORPUS_READ, &d->corpus, err);
    return st ? st : resolve(d, golden, n_threads, err);
}

assay_status assay_documents_open(const assay_workspace *ws, assay_golden *golden,
                                  uint32_t n_threads, assay_documents *out,
                                  assay_error *err)
{
    const char *name = assay_cli_text(ws->cli, "corpus");
    assay_status st;

    if (!name && golden->n_docs)
        return assay_passages_of_golden(golden, &out->arena, &out->passages, err);
    st = open_corpus(ws, name, golden, n_threads, out, err);
    return st ? st
              : assay_passages_of_corpus(out->corpus, &out->arena, &out->passages, err);
}

assay_status assay_documents_named(const assay_workspace *ws, assay_golden *golden,
                                   uint32_t n_threads, assay_documents *out,
                                   assay_error *err)
{
    const char *name = assay_cli_text(ws->cli, "corpus");

    return name ? open_corpus(ws, name, golden, n_threads, out, err) : ASSAY_OK;
}

void assay_documents_close(assay_documents *documents)
{
    assay_corpus_close(documents->corpus);
    assay_arena_clear(&documents->arena);
    *documents = (assay_documents){.path = NULL};
}
