/* SPDX-License-Identifier: Apache-2.0 */
/* assay search: what a retriever finds for one query, to look at. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/params.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "cli/cassette_arg.h"
#include "cli/golden_arg.h"
#include "cli/retrieve_arg.h"
#include "pipeline/asking.h"
#include "pipeline/corpus_passages.h"

static const assay_option options[] = {
    {'m', "method", ASSAY_OPTION_TEXT, "NAME", NULL,
     "bm25 (default), dense, hybrid, graphrag; parameters in brackets"},
    {'k', "top-k", ASSAY_OPTION_COUNT, "N", NULL, "how many hits; default 5"},
    {0, "explain", ASSAY_OPTION_FLAG, NULL, NULL, "say where each score comes from"},
    {0, "documents", ASSAY_OPTION_TEXT, "FILE", NULL,
     "search the documents of a golden set (EvalVault, BEIR) instead of a corpus"},
    ASSAY_OPTIONS_RETRIEVE,
    ASSAY_OPTIONS_CASSETTE,
    ASSAY_OPTIONS_GOLDEN,
    ASSAY_OPTIONS_CORPUS,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

typedef struct task {
    assay_cli *cli;
    assay_workspace workspace;
    assay_cassette *cassette;
    assay_golden *golden;
    assay_corpus *corpus;
    assay_arena arena;
    assay_passages passages;
    assay_notes notes;
    assay_shared shared;
    const assay_retriever *retriever;
    void *state;
    void *worker;
    assay_slice query;
    assay_retrieved *hit;
    uint32_t n;
    double elapsed_ms;
} task;

static void release(task *t)
{
    if (t->worker)
        t->retriever->worker_close(t->worker);
    assay_shared_clear(&t->shared);
    assay_notes_clear(&t->notes);
    assay_corpus_close(t->corpus);
    assay_arena_clear(&t->arena);
    assay_golden_free(t->golden);
    assay_workspace_close(&t->workspace);
}

/* ---- searching ---- */

static assay_status load_passages(task *t, assay_error *err)
{
    const char *documents = assay_cli_text(t->cli, "documents");
    const char *path;
    assay_status st;

    if (documents) {
        st = assay_golden_arg_load(t->cli, documents, true, &t->golden, err);
        return st ? st
                  : assay_passages_of_golden(t->golden, &t->arena, &t->passages, err);
    }
    st = assay_workspace_corpus(&t->workspace, assay_cli_text(t->cli, "corpus"), &path,
                                err);
    if (!st)
        st = assay_corpus_open(path, ASSAY_CORPUS_READ, &t->corpus, err);
    if (!st)
        st = assay_passages_of_corpus(t->corpus, &t->arena, &t->passages, err);
    return st;
}

static assay_status open_retriever(task *t, assay_error *err)
{
    const char *method = assay_cli_text(t->cli, "method");
    assay_retrieve_source source;
    assay_slice name;
    assay_slice argument;
    assay_slice params;
    assay_status st = assay_retrieve_arg(&t->workspace, &source, err);

    if (!st)
        st = assay_params_split(assay_slice_of(method ? method : "bm25"), &name,
                                &argument, &params, err);
    if (st)
        return st;
    source.embed.cassette = t->cassette;
    source.passages = &t->passages;
    source.notes = &t->notes;
    source.arena = &t->arena;
    st = assay_shared_open(&t->shared, name, params, &source, &t->retriever, &t->state,
                           err);
    return st ? st : t->retriever->worker(t->state, &t->worker, err);
}

static assay_status find(task *t, assay_error *err)
{
    uint32_t k = (uint32_t)assay_cli_count(t->cli, "top-k", 5);
    double start;
    assay_status st;

    k = k < t->passages.n ? k : t->passages.n;
    t->hit = ASSAY_ARENA_ARRAY(&t->arena, assay_retrieved, k + 1u);
    if (!t->hit)
        return assay_fail_memory(err, "searching");
    start = assay_now_ms();
    st = t->retriever->search(t->worker, t->query, k, t->hit, &t->n, err);
    t->elapsed_ms = assay_now_ms() - start;
    return st;
}

/* ---- printing ---- */

/* Well-formed, and without what would move the cursor. */
static void put_line(assay_buffer *out, assay_slice text)
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

/* The beginning, cut at a character. */
static assay_slice beginning(assay_slice text, size_t most)
{
    if (text.len <= most)
        return text;
    while (most && ((unsigned char)text.ptr[most] & 0xC0) == 0x80)
        most--;
    return (assay_slice){text.ptr, most};
}

static void put_legs(const task *t, const assay_retrieved *hit, assay_buffer *out)
{
    const char *name;

    for (uint32_t i = 0; t->retriever->leg_name && i < ASSAY_LEGS_MOST &&
                         (name = t->retriever->leg_name(t->state, i)) != NULL;
         i++) {
        assay_buffer_printf(out, "%s%s ", i ? ", " : "   ", name);
        if (hit->leg_rank[i])
            assay_buffer_printf(out, "rank %u (%.4f)", hit->leg_rank[i],
                                hit->leg_score[i]);
        else
            assay_buffer_text(out, "-");
    }
    if (t->retriever->leg_name)
        assay_buffer_char(out, '\n');
}

static assay_status put_hit(task *t, uint32_t i, bool explains, assay_buffer *out,
                            assay_error *err)
{
    enum { SHOWN = 400 };
    const assay_retrieved *hit = &t->hit[i];
    const assay_passage *p = &t->passages.item[hit->passage];
    assay_slice text = beginning(p->text, SHOWN);

    assay_buffer_printf(out, "%u. ", i + 1);
    put_line(out, p->doc);
    if (p->n_spans)
        assay_buffer_printf(out, ":%llu-%llu", (unsigned long long)p->span[0].start,
                            (unsigned long long)p->span[p->n_spans - 1].end);
    assay_buffer_printf(out, "  %.4f", hit->score);
    if (!assay_slice_eq(p->id, p->doc))
        assay_buffer_printf(out, "  %.12s", p->id.ptr);
    assay_buffer_text(out, "\n   ");
    if (p->title.len) {
        put_line(out, p->title);
        assay_buffer_text(out, ": ");
    }
    put_line(out, text);
    assay_buffer_text(out, text.len < p->text.len ? " ...\n" : "\n");
    put_legs(t, hit, out);
    if (explains && t->retriever->explain)
        return t->retriever->explain(t->worker, t->query, hit->passage, out, err);
    return ASSAY_OK;
}

static assay_status put_table(task *t, assay_buffer *out, assay_error *err)
{
    bool explains = assay_cli_flag(t->cli, "explain");
    assay_status st = ASSAY_OK;

    if (!t->n)
        assay_buffer_text(out, "nothing found\n");
    for (uint32_t i = 0; i < t->n && !st; i++) {
        if (i)
            assay_buffer_char(out, '\n');
        st = put_hit(t, i, explains, out, err);
    }
    return st;
}

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

static void put_json_legs(assay_json_writer *w, const task *t, const assay_retrieved *hit)
{
    const char *name;

    if (!t->retriever->leg_name)
        return;
    assay_json_key(w, "legs");
    assay_json_list(w);
    for (uint32_t i = 0;
         i < ASSAY_LEGS_MOST && (name = t->retriever->leg_name(t->state, i)) != NULL;
         i++) {
        assay_json_flat_object(w);
        assay_json_key(w, "name");
        assay_json_text(w, name);
        if (hit->leg_rank[i]) {
            assay_json_key(w, "rank");
            assay_json_int(w, hit->leg_rank[i]);
            assay_json_key(w, "score");
            assay_json_double(w, hit->leg_score[i]);
        }
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
}

static assay_status put_json_hit(task *t, assay_json_writer *w, uint32_t i,
                                 assay_error *err)
{
    const assay_retrieved *hit = &t->hit[i];
    const assay_passage *p = &t->passages.item[hit->passage];
    assay_buffer why = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    assay_json_object(w);
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
    assay_json_key(w, "text");
    assay_json_string(w, p->text);
    put_json_legs(w, t, hit);
    if (assay_cli_flag(t->cli, "explain") && t->retriever->explain) {
        st = t->retriever->explain(t->worker, t->query, hit->passage, &why, err);
        assay_json_key(w, "explanation");
        assay_json_string(w, assay_buffer_view(&why));
    }
    assay_buffer_clear(&why);
    assay_json_object_end(w);
    return st;
}

static assay_status put_json(task *t, assay_buffer *out, assay_error *err)
{
    assay_json_writer w = assay_json_writer_of(out, 2);
    assay_buffer identity = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    t->retriever->identity(t->state, &identity);
    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.search/1");
    assay_json_key(&w, "query");
    assay_json_string(&w, t->query);
    assay_json_key(&w, "method");
    assay_json_string(&w, assay_buffer_view(&identity));
    assay_json_key(&w, "elapsed_ms");
    assay_json_double(&w, t->elapsed_ms);
    assay_json_key(&w, "hits");
    assay_json_list(&w);
    for (uint32_t i = 0; i < t->n && !st; i++)
        st = put_json_hit(t, &w, i, err);
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
    if (identity.has_failed)
        out->has_failed = true;
    assay_buffer_clear(&identity);
    return st;
}

static assay_status print(task *t, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    bool is_json = strcmp(assay_cli_format(t->cli, "table"), "json") == 0;
    assay_status st = is_json ? put_json(t, &out, err) : put_table(t, &out, err);

    if (!st)
        st = out.has_failed ? assay_fail_memory(err, "printing the hits")
                            : assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_search(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli, .query = assay_slice_of(cli->arg[0])};
    assay_status st = assay_workspace_open(cli, &t.workspace, err);

    if (!st)
        st = assay_cassette_arg_open(cli, false, &t.cassette, err);
    if (!st)
        st = load_passages(&t, err);
    if (!st)
        st = open_retriever(&t, err);
    if (!st)
        st = find(&t, err);
    if (!st) {
        assay_cli_warn_notes(cli, &t.notes);
        st = print(&t, err);
    }
    release(&t);
    return assay_cassette_arg_finish(cli, t.cassette, st, err);
}

const assay_command assay_command_search = {
    .name = "search",
    .args = "QUERY",
    .summary = "what a retriever finds for one query",
    .example = "assay search 'how are refunds approved' --method hybrid\n"
               "assay search 'refunds' --explain --documents ground_truth.json",
    .option = options,
    .min_args = 1,
    .max_args = 1,
    .run = run_search,
};
