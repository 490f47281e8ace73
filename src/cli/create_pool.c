/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/create_pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/params.h"
#include "base/slice.h"
#include "cli/retrieve_arg.h"
#include "pipeline/corpus_passages.h"
#include "text/sentences.h"

/* ---- opening ---- */

static assay_status open_method(assay_pool *p, assay_slice spelling,
                                const assay_retrieve_source *source, assay_error *err)
{
    assay_slice name;
    assay_slice argument;
    assay_slice params;
    void *state;
    assay_status st;

    if (p->n_methods == ASSAY_POOL_METHODS)
        return assay_fail(err, ASSAY_EUSAGE, "more than %d methods", ASSAY_POOL_METHODS);
    st = assay_params_split(spelling, &name, &argument, &params, err);
    if (!st)
        st = assay_shared_open(&p->shared, name, params, source,
                               &p->retriever[p->n_methods], &state, err);
    if (!st)
        st = p->retriever[p->n_methods]->worker(state, &p->worker[p->n_methods], err);
    p->n_methods += st == ASSAY_OK;
    return st;
}

/* Commas within brackets belong to a method's parameters. */
static bool next_method(assay_slice *rest, assay_slice *out)
{
    size_t depth = 0;
    size_t i = 0;

    if (!rest->len)
        return false;
    for (; i < rest->len && (depth || rest->ptr[i] != ','); i++) {
        depth += rest->ptr[i] == '(';
        depth -= rest->ptr[i] == ')' && depth;
    }
    *out = assay_slice_trim((assay_slice){rest->ptr, i});
    i += i < rest->len;
    *rest = (assay_slice){rest->ptr + i, rest->len - i};
    return true;
}

static assay_status open_methods(assay_pool *p, const assay_workspace *ws,
                                 const char *methods, assay_error *err)
{
    assay_slice rest = assay_slice_of(methods);
    assay_retrieve_source source;
    assay_slice name;
    assay_status st = assay_retrieve_arg(ws, &source, err);

    source.passages = &p->passages;
    source.notes = &p->notes;
    source.arena = &p->arena;
    while (!st && methods && next_method(&rest, &name))
        st = open_method(p, name, &source, err);
    for (size_t i = 0; !st && !methods && assay_retriever_at(i); i++) {
        name = assay_slice_of(assay_retriever_at(i)->name);
        /* It orders what others find, by a program that has to be named. */
        if (source.reranker || !assay_slice_is(name, "rerank"))
            st = open_method(p, name, &source, err);
    }
    return st;
}

assay_status assay_pool_open(assay_pool *pool, const assay_workspace *ws,
                             const char *corpus, const char *methods, assay_error *err)
{
    assay_status st;

    *pool = (assay_pool){0};
    st = assay_corpus_open(corpus, ASSAY_CORPUS_READ, &pool->corpus, err);
    if (!st)
        st = assay_passages_of_corpus(pool->corpus, &pool->arena, &pool->passages, err);
    if (!st)
        st = open_methods(pool, ws, methods, err);
    if (st)
        assay_pool_close(pool);
    return st;
}

void assay_pool_close(assay_pool *pool)
{
    for (uint32_t i = 0; i < pool->n_methods; i++)
        pool->retriever[i]->worker_close(pool->worker[i]);
    assay_shared_clear(&pool->shared);
    assay_notes_clear(&pool->notes);
    assay_corpus_close(pool->corpus);
    assay_arena_clear(&pool->own);
    assay_arena_clear(&pool->arena);
    *pool = (assay_pool){0};
}

/* ---- what a hit is shown with ---- */

/* Lines of lists, tables and headings are what people quote, too. */
static bool begins_line(assay_slice text, size_t at)
{
    return at < text.len && strchr("#|-*>", text.ptr[at]) != NULL && text.ptr[at];
}

/* What is behind a single letter and a stop ("divided by k.") may be an initial, unless the
 * line ends there. */
static size_t sentence_end(assay_slice text, size_t from)
{
    size_t end = assay_sentence_end(text, from);
    bool is_line = begins_line(text, from);

    for (size_t i = from + 1; i < end; i++)
        if (text.ptr[i] == '\n' && (is_line || begins_line(text, i + 1) ||
                                    strchr(".!?", text.ptr[i - 1]) != NULL))
            return i;
    return end;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Sentences of each piece: none goes on across the place where two pieces were joined.
 * Counts only while `out` is null. */
static uint32_t cut_sentences(const assay_passage *p, assay_pool_sentence *out)
{
    assay_span whole = {0, p->text.len};
    const assay_span *span = p->n_spans ? p->span : &whole;
    uint32_t n_spans = p->n_spans ? p->n_spans : 1;
    uint32_t n = 0;
    size_t base = 0;

    for (uint32_t i = 0; i < n_spans; i++) {
        size_t size = (size_t)(span[i].end - span[i].start);
        size_t limit = base + size < p->text.len ? base + size : p->text.len;
        size_t at = base;

        for (;;) {
            size_t end;

            while (at < limit && is_blank(p->text.ptr[at]))
                at++;
            if (at >= limit)
                break;
            end = sentence_end((assay_slice){p->text.ptr, limit}, at);
            while (end > at + 1 && is_blank(p->text.ptr[end - 1]))
                end--;
            if (out)
                out[n] = (assay_pool_sentence){
                    at, end, {span[i].start + (at - base), span[i].start + (end - base)}};
            n++;
            at = end;
        }
        base += size + 1;
    }
    return n;
}

static assay_status find_heading(assay_pool *pool, const assay_passage *p,
                                 assay_slice *out, assay_error *err)
{
    assay_arena scratch = ASSAY_ARENA_EMPTY;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_buffer path = ASSAY_BUFFER_EMPTY;
    assay_corpus_doc doc;
    assay_chunks chunks = {0};
    bool is_there = false;
    char id[ASSAY_CHUNK_ID_CHARS];
    assay_status st =
        assay_corpus_find(pool->corpus, p->doc, &scratch, &doc, &is_there, err);

    if (!st && is_there)
        st = assay_corpus_text(pool->corpus, doc.version, &text, err);
    if (!st && is_there)
        st = assay_corpus_chunks(pool->corpus, doc.version, assay_buffer_view(&text),
                                 &scratch, &chunks, err);
    for (uint32_t i = 0; !st && i < chunks.n; i++) {
        assay_chunk_id_print(chunks.chunk[i].id, id);
        if (assay_slice_eq((assay_slice){id, sizeof id}, p->id))
            assay_heading_path(&chunks, chunks.chunk[i].heading, &path);
    }
    if (!st) {
        *out =
            assay_arena_copy(&pool->own, path.len ? assay_buffer_view(&path) : p->title);
        if (!out->ptr || path.has_failed)
            st = assay_fail_memory(err, "reading the corpus");
    }
    assay_buffer_clear(&path);
    assay_buffer_clear(&text);
    assay_arena_clear(&scratch);
    return st;
}

static assay_status show(assay_pool *pool, uint32_t passage, assay_pool_hit *out,
                         assay_error *err)
{
    const assay_passage *p = &pool->passages.item[passage];
    uint32_t n = cut_sentences(p, NULL);

    *out = (assay_pool_hit){.passage = p, .n_sentences = n};
    out->sentence = ASSAY_ARENA_ARRAY(&pool->own, assay_pool_sentence, n + 1);
    if (!out->sentence)
        return assay_fail_memory(err, "showing the hits");
    cut_sentences(p, out->sentence);
    return find_heading(pool, p, &out->heading, err);
}

assay_status assay_pool_show(assay_pool *pool, const uint32_t *passage, uint32_t n,
                             assay_error *err)
{
    assay_status st = ASSAY_OK;

    assay_arena_reset(&pool->own);
    pool->n = 0;
    pool->hit = ASSAY_ARENA_ARRAY(&pool->own, assay_pool_hit, n + 1);
    if (!pool->hit)
        return assay_fail_memory(err, "showing the hits");
    for (uint32_t i = 0; !st && i < n; i++)
        st = show(pool, passage[i], &pool->hit[i], err);
    pool->n = st ? 0 : n;
    return st;
}

/* ---- searching ---- */

typedef struct found {
    uint32_t passage;
    uint32_t rank; /* the best that any method gave it */
    uint64_t lot;  /* its place among those of one rank */
} found;

static int by_passage(const void *a, const void *b)
{
    const found *x = a;
    const found *y = b;

    if (x->passage != y->passage)
        return x->passage < y->passage ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_rank(const void *a, const void *b)
{
    const found *x = a;
    const found *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->lot != y->lot)
        return x->lot < y->lot ? -1 : 1;
    return (x->passage > y->passage) - (x->passage < y->passage);
}

/* Every passage once, with its best rank. */
static uint32_t merge(const assay_pool *pool, assay_slice question, found *item,
                      uint32_t n)
{
    uint64_t salt = assay_hash(question.ptr, question.len);
    uint32_t kept = 0;

    qsort(item, n, sizeof *item, by_passage);
    for (uint32_t i = 0; i < n; i++) {
        assay_slice id = pool->passages.item[item[i].passage].id;

        if (kept && item[kept - 1].passage == item[i].passage)
            continue;
        item[kept] = item[i];
        item[kept++].lot = assay_hash_mix(assay_hash(id.ptr, id.len), salt);
    }
    qsort(item, kept, sizeof *item, by_rank);
    return kept;
}

assay_status assay_pool_search(assay_pool *pool, assay_slice question, uint32_t k,
                               assay_error *err)
{
    assay_arena scratch = ASSAY_ARENA_EMPTY;
    assay_retrieved *hit;
    uint32_t *passage;
    found *item;
    uint32_t n = 0;
    assay_status st = ASSAY_OK;

    k = k < pool->passages.n ? k : pool->passages.n;
    hit = ASSAY_ARENA_ARRAY(&scratch, assay_retrieved, (size_t)k + 1);
    item = ASSAY_ARENA_ARRAY(&scratch, found, (size_t)k * pool->n_methods + 1);
    passage = ASSAY_ARENA_ARRAY(&scratch, uint32_t, (size_t)k * pool->n_methods + 1);
    if (!hit || !item || !passage)
        st = assay_fail_memory(err, "searching");
    for (uint32_t m = 0; !st && m < pool->n_methods; m++) {
        uint32_t got = 0;

        st = pool->retriever[m]->search(pool->worker[m], question, k, hit, &got, err);
        for (uint32_t i = 0; !st && i < got; i++)
            item[n++] = (found){.passage = hit[i].passage, .rank = i};
    }
    if (!st) {
        n = merge(pool, question, item, n);
        for (uint32_t i = 0; i < n; i++)
            passage[i] = item[i].passage;
        st = assay_pool_show(pool, passage, n, err);
    }
    assay_arena_clear(&scratch);
    return st;
}

static int compare_id(const void *key, const void *item)
{
    return assay_slice_cmp(*(const assay_slice *)key, ((const assay_passage *)item)->id);
}

uint32_t assay_pool_find(const assay_pool *pool, assay_slice chunk, assay_slice doc)
{
    const assay_passage *all = pool->passages.item;
    const assay_passage *p =
        chunk.len && pool->passages.n
            ? bsearch(&chunk, all, pool->passages.n, sizeof *all, compare_id)
            : NULL;
    uint32_t first = ASSAY_NONE;

    if (p)
        return (uint32_t)(p - all);
    for (uint32_t i = 0; doc.len && i < pool->passages.n; i++)
        if (assay_slice_eq(all[i].doc, doc) &&
            (first == ASSAY_NONE || (all[i].n_spans && all[first].n_spans &&
                                     all[i].span[0].start < all[first].span[0].start)))
            first = i;
    return first;
}

assay_status assay_pool_is_ambiguous(assay_pool *pool, assay_slice doc, assay_slice quote,
                                     bool *out, assay_error *err)
{
    assay_arena scratch = ASSAY_ARENA_EMPTY;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_corpus_doc found_doc;
    bool is_there = false;
    uint32_t n = 0;
    assay_status st =
        assay_corpus_find(pool->corpus, doc, &scratch, &found_doc, &is_there, err);

    if (!st && is_there)
        st = assay_corpus_text(pool->corpus, found_doc.version, &text, err);
    for (size_t i = 0; !st && n < 2 && i + quote.len <= text.len; i++)
        n += text.ptr[i] == quote.ptr[0] && !memcmp(text.ptr + i, quote.ptr, quote.len);
    *out = n > 1;
    assay_buffer_clear(&text);
    assay_arena_clear(&scratch);
    return st;
}
