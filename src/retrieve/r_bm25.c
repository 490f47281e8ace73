/* SPDX-License-Identifier: Apache-2.0 */
/* bm25: terms in common, over an inverted index in memory or in a file.
 *
 * A file given by index_path is used when it was built over the same passages with the
 * same tokenizer, and written anew when it was not; one that is no index of ours, or is
 * broken, is an error, since it may be a file of somebody else. */
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/params.h"
#include "base/slice.h"
#include "index/bm25.h"
#include "retrieve/retrieve.h"

typedef struct state {
    assay_postings *postings;
    assay_bm25 *bm25;
    const assay_bm25_variant *variant;
    assay_bm25_params params;
    char *tokenizer; /* its full spelling, what `tokenizing` was read from */
    assay_tokenizing tokenizing;
} state;

typedef struct worker {
    state *of;
    assay_token_worker *tokens;
    assay_bm25_search *search;
    assay_bm25_hit *hit;
    size_t cap;
} worker;

/* ---- parameters ---- */

enum { VARIANT, K1, B, EPSILON, DELTA, TITLE, N_PARAMS };

/* Where nothing is said the variant's own values hold. */
static const assay_param table[] = {
    {"variant", ASSAY_PARAM_WORD, 0, 0, "lucene|okapi|robertson|atire|plus|l", "lucene",
     "which formula"},
    {"k1", ASSAY_PARAM_REAL, 0, 1000, NULL, "1.5", "how soon more of a term adds less"},
    {"b", ASSAY_PARAM_REAL, 0, 1, NULL, "0.75", "how much long passages are held back"},
    {"epsilon", ASSAY_PARAM_REAL, 0, 1000, NULL, "0.25", "okapi: floor of the idf"},
    {"delta", ASSAY_PARAM_REAL, 0, 1000, NULL, "1", "plus, l: floor of a frequency"},
    {"title", ASSAY_PARAM_REAL, 0, 1000, NULL, "2", "weight of a title's terms"},
    {NULL, ASSAY_PARAM_REAL, 0, 0, NULL, NULL, NULL},
};

static assay_status read_params(state *s, assay_slice params, assay_error *err)
{
    assay_param_value value[N_PARAMS];
    assay_status st = assay_params_read("retriever 'bm25'", table, params, value, err);
    double *into[N_PARAMS] = {NULL,
                              &s->params.k1,
                              &s->params.b,
                              &s->params.epsilon,
                              &s->params.delta,
                              &s->params.title};

    if (st)
        return st;
    s->variant = assay_bm25_variant_find(value[VARIANT].text);
    s->params = s->variant->standard;
    for (int i = K1; i < N_PARAMS; i++)
        if (value[i].is_given)
            *into[i] = value[i].number;
    return ASSAY_OK;
}

static assay_status read_tokenizer(state *s, const char *spelling, assay_error *err)
{
    assay_buffer full = ASSAY_BUFFER_EMPTY;
    assay_status st = assay_tokenizing_read(spelling, &s->tokenizing, err);

    if (st)
        return st;
    assay_tokenizing_print(&s->tokenizing, &full);
    assay_buffer_char(&full, '\0');
    if (full.has_failed) {
        assay_buffer_clear(&full);
        return assay_fail_memory(err, "opening retriever 'bm25'");
    }
    s->tokenizer = full.ptr;
    return assay_tokenizing_read(s->tokenizer, &s->tokenizing, err);
}

/* ---- the index ---- */

static assay_status load_or_build(state *s, const assay_retrieve_source *source,
                                  assay_error *err)
{
    uint64_t hash = assay_postings_hash(source->passages, source->n_threads);
    assay_status st;

    if (assay_file_exists(source->index_path)) {
        st = assay_postings_load(source->index_path, &s->postings, err);
        if (st)
            return st;
        if (hash && s->postings->passages == hash &&
            strcmp(s->postings->tokenizer, s->tokenizer) == 0)
            return ASSAY_OK;
        assay_postings_free(s->postings);
        s->postings = NULL;
    }
    st = assay_postings_build(source->passages, &s->tokenizing, source->n_threads,
                              &s->postings, err);
    if (st)
        return st;
    s->postings->passages = hash;
    return assay_postings_save(s->postings, source->index_path, err);
}

static void close_bm25(void *opened)
{
    state *s = opened;

    if (!s)
        return;
    assay_bm25_free(s->bm25);
    assay_postings_free(s->postings);
    assay_mem_free(s->tokenizer);
    assay_mem_free(s);
}

static assay_status open_bm25(const assay_retrieve_source *source, void **out,
                              assay_error *err)
{
    state *s = ASSAY_NEW(state);
    assay_status st;

    if (!s)
        return assay_fail_memory(err, "opening retriever 'bm25'");
    st = read_params(s, source->params, err);
    if (!st)
        st = read_tokenizer(s, source->tokenizer, err);
    if (!st)
        st = source->index_path
                 ? load_or_build(s, source, err)
                 : assay_postings_build(source->passages, &s->tokenizing,
                                        source->n_threads, &s->postings, err);
    if (!st)
        st = assay_bm25_new(s->postings, s->variant, &s->params, source->n_threads,
                            &s->bm25, err);
    if (st) {
        close_bm25(s);
        return st;
    }
    *out = s;
    return ASSAY_OK;
}

/* ---- searching ---- */

static void close_worker(void *opened)
{
    worker *w = opened;

    if (!w)
        return;
    assay_token_worker_free(w->tokens);
    assay_bm25_search_free(w->search);
    assay_mem_free(w->hit);
    assay_mem_free(w);
}

static assay_status open_worker(void *opened, void **out, assay_error *err)
{
    state *s = opened;
    worker *w = ASSAY_NEW(worker);
    assay_status st;

    if (!w)
        return assay_fail_memory(err, "opening retriever 'bm25'");
    w->of = s;
    st = assay_token_worker_new(&s->tokenizing, &w->tokens, err);
    if (!st)
        st = assay_bm25_search_new(s->bm25, &w->search, err);
    if (st) {
        close_worker(w);
        return st;
    }
    *out = w;
    return ASSAY_OK;
}

static assay_status search_bm25(void *opened, assay_slice query, uint32_t k,
                                assay_retrieved *hit, uint32_t *n, assay_error *err)
{
    worker *w = opened;
    uint32_t n_docs = w->of->postings->n_docs;
    assay_bm25_hit *moved;
    assay_tokens tokens;
    assay_status st;

    k = k < n_docs ? k : n_docs;
    moved = assay_mem_grow(w->hit, &w->cap, (size_t)k + 1, sizeof *moved);
    if (!moved)
        return assay_fail_memory(err, "searching");
    w->hit = moved;
    if (!assay_tokenize(w->tokens, query, &tokens))
        return assay_fail_memory(err, "searching");
    st = assay_bm25_top(w->search, &tokens, k, w->hit, n, err);
    for (uint32_t i = 0; !st && i < *n; i++)
        hit[i] = (assay_retrieved){.passage = w->hit[i].doc, .score = w->hit[i].score};
    return st;
}

/* "term  tf  idf  part", the largest part first. */
static assay_status explain_bm25(void *opened, assay_slice query, uint32_t passage,
                                 assay_buffer *out, assay_error *err)
{
    worker *w = opened;
    const assay_bm25_part *part;
    assay_tokens tokens;
    double sum = 0;
    size_t n;
    assay_status st;

    if (!assay_tokenize(w->tokens, query, &tokens))
        return assay_fail_memory(err, "explaining a hit");
    st = assay_bm25_explain(w->search, &tokens, passage, &part, &n, err);
    if (st)
        return st;
    for (size_t i = 0; i < n; i++) {
        const assay_bm25_part *p = &part[i];

        assay_buffer_printf(out, "%.*s", ASSAY_QUOTE(p->term));
        if (p->times > 1)
            assay_buffer_printf(out, " x%u", p->times);
        assay_buffer_printf(out, "  tf %u", p->tf.text);
        if (p->tf.title)
            assay_buffer_printf(out, " + title %u", p->tf.title);
        assay_buffer_printf(out, "  in %u passages  idf %.4f  part %.6f\n", p->df, p->idf,
                            p->part);
        sum += p->part;
    }
    assay_buffer_printf(out, "sum %.6f\n", sum);
    return out->has_failed ? assay_fail_memory(err, "explaining a hit") : ASSAY_OK;
}

static void identify_bm25(const void *opened, assay_buffer *out)
{
    const state *s = opened;
    double value[] = {s->params.k1, s->params.b, s->params.epsilon, s->params.delta,
                      s->params.title};

    assay_buffer_printf(out, "bm25(variant=%s", s->variant->name);
    for (int i = K1; i < N_PARAMS; i++) {
        assay_buffer_printf(out, ",%s=", table[i].name);
        assay_buffer_double(out, value[i - K1]);
    }
    assay_buffer_printf(out, ") tokenizer=%s", s->tokenizer);
}

const assay_retriever assay_retriever_bm25 = {
    .name = "bm25",
    .summary = "terms in common, weighted by BM25 (lucene, okapi and other variants)",
    .param = table,
    .open = open_bm25,
    .worker = open_worker,
    .search = search_bm25,
    .explain = explain_bm25,
    .identity = identify_bm25,
    .worker_close = close_worker,
    .close = close_bm25,
};
