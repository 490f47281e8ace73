/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/searching.h"

#include "base/error.h"
#include "base/params.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "cli/golden_arg.h"
#include "pipeline/asking.h"
#include "pipeline/corpus_passages.h"

static assay_status load_passages(assay_searching *s, assay_error *err)
{
    const char *documents = assay_cli_text(s->cli, "documents");
    const char *path;
    assay_status st;

    if (documents) {
        st = assay_golden_arg_load(s->cli, documents, true, &s->golden, err);
        return st ? st
                  : assay_passages_of_golden(s->golden, &s->arena, &s->passages, err);
    }
    st = assay_workspace_corpus(&s->workspace, assay_cli_text(s->cli, "corpus"), &path,
                                err);
    if (!st)
        st = assay_corpus_open(path, ASSAY_CORPUS_READ, &s->corpus, err);
    if (!st)
        st = assay_passages_of_corpus(s->corpus, &s->arena, &s->passages, err);
    return st;
}

static assay_status open_retriever(assay_searching *s, const char *standard,
                                   assay_error *err)
{
    const char *method = assay_cli_text(s->cli, "method");
    assay_retrieve_source source;
    assay_slice name;
    assay_slice argument;
    assay_slice params;
    assay_status st = assay_retrieve_arg(&s->workspace, &source, err);

    if (!st)
        st = assay_params_split(assay_slice_of(method ? method : standard), &name,
                                &argument, &params, err);
    if (st)
        return st;
    source.embed.cassette = s->cassette;
    source.passages = &s->passages;
    source.notes = &s->notes;
    source.arena = &s->arena;
    st = assay_shared_open(&s->shared, name, params, &source, &s->retriever, &s->state,
                           err);
    return st ? st : s->retriever->worker(s->state, &s->worker, err);
}

static assay_status find(assay_searching *s, uint32_t k, assay_error *err)
{
    double start;
    assay_status st;

    k = (uint32_t)assay_cli_count(s->cli, "top-k", k);
    k = k < s->passages.n ? k : s->passages.n;
    s->hit = ASSAY_ARENA_ARRAY(&s->arena, assay_retrieved, k + 1u);
    if (!s->hit)
        return assay_fail_memory(err, "searching");
    start = assay_now_ms();
    st = s->retriever->search(s->worker, s->query, k, s->hit, &s->n, err);
    s->elapsed_ms = assay_now_ms() - start;
    return st;
}

assay_status assay_searching_open(assay_searching *s, assay_cli *cli, assay_error *err)
{
    assay_status st;

    *s = (assay_searching){.cli = cli, .query = assay_slice_of(cli->arg[0])};
    st = assay_workspace_open(cli, &s->workspace, err);
    return st ? st : assay_cassette_arg_open(cli, false, &s->cassette, err);
}

assay_status assay_searching_find(assay_searching *s, const char *method, uint32_t k,
                                  assay_error *err)
{
    assay_status st = load_passages(s, err);

    if (!st)
        st = open_retriever(s, method, err);
    return st ? st : find(s, k, err);
}

assay_status assay_searching_close(assay_searching *s, assay_status st, assay_error *err)
{
    if (s->worker)
        s->retriever->worker_close(s->worker);
    assay_shared_clear(&s->shared);
    assay_notes_clear(&s->notes);
    assay_corpus_close(s->corpus);
    assay_arena_clear(&s->arena);
    assay_golden_free(s->golden);
    assay_workspace_close(&s->workspace);
    return assay_cassette_arg_finish(s->cli, s->cassette, st, err);
}

/* ---- printing ---- */

static void put_spans(assay_json_writer *w, const assay_passage *p)
{
    if (!p->n_spans)
        return;
    assay_json_key(w, "spans");
    assay_json_flat_list(w);
    for (uint32_t i = 0; i < p->n_spans; i++) {
        assay_json_flat_list(w);
        assay_json_int(w, (int64_t)p->span[i].start);
        assay_json_int(w, (int64_t)p->span[i].end);
        assay_json_list_end(w);
    }
    assay_json_list_end(w);
}

void assay_searching_json_hit(const assay_searching *s, uint32_t i, assay_json_writer *w)
{
    const assay_retrieved *hit = &s->hit[i];
    const assay_passage *p = &s->passages.item[hit->passage];

    assay_json_key(w, "rank");
    assay_json_int(w, i + 1);
    if (!assay_slice_eq(p->id, p->doc)) {
        assay_json_key(w, "chunk_id");
        assay_json_string(w, p->id);
    }
    assay_json_key(w, "doc_id");
    assay_json_string(w, p->doc);
    assay_json_key(w, "score");
    assay_json_double(w, hit->score);
    put_spans(w, p);
}

void assay_searching_json_method(const assay_searching *s, assay_json_writer *w)
{
    assay_buffer identity = ASSAY_BUFFER_EMPTY;

    s->retriever->identity(s->state, &identity);
    assay_json_key(w, "method");
    assay_json_string(w, assay_buffer_view(&identity));
    if (identity.has_failed)
        w->out->has_failed = true;
    assay_buffer_clear(&identity);
}

void assay_put_line(assay_buffer *out, assay_slice text)
{
    while (text.len) {
        size_t good = assay_utf8_valid(text);

        for (size_t i = 0; i < good; i++)
            assay_buffer_char(out, (unsigned char)text.ptr[i] < ' ' ? ' ' : text.ptr[i]);
        text.ptr += good;
        text.len -= good;
        if (!text.len)
            break;
        good = assay_utf8_bad(text);
        assay_buffer_text(out, "\xef\xbf\xbd");
        text.ptr += good;
        text.len -= good;
    }
}
