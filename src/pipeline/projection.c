/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/projection.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "corpus/corpus.h"
#include "metric/evidence.h"

/* One chunk that one judgment makes relevant. */
typedef struct pair {
    uint32_t item; /* of the resolution */
    assay_slice id;
} pair;

typedef struct maker {
    assay_projection *view;
    const assay_golden *golden;
    const assay_resolution *resolution;
    assay_chunking chunking;
    assay_corpus *corpus;
    assay_arena scratch; /* of one document */
    assay_buffer text;
    pair *pair;
    size_t n;
    size_t cap;
} maker;

static const assay_judgment *judgment_of(const maker *m, uint32_t item)
{
    const assay_resolved *r = &m->resolution->item[item];

    return &m->golden->query[r->query].judgment[r->judgment];
}

static bool add(maker *m, uint32_t item, assay_slice id)
{
    pair *grown = assay_mem_grow(m->pair, &m->cap, m->n + 1, sizeof *grown);

    if (!grown)
        return false;
    m->pair = grown;
    m->pair[m->n++] = (pair){item, id};
    return true;
}

/* Whether the judgment names a chunk of this chunking itself. */
static bool is_own(const maker *m, uint32_t item)
{
    const assay_resolved *r = &m->resolution->item[item];

    return strcmp(r->what, "chunk") == 0 && !r->traced.is_old &&
           assay_slice_eq(r->traced.chunking, m->view->chunking);
}

static assay_status project(maker *m, uint32_t item, const assay_chunks *cut,
                            assay_error *err)
{
    const assay_judgment *j = judgment_of(m, item);
    const assay_anchor anchor = {.span = j->span,
                                 .n_spans = j->n_spans,
                                 .bytes = assay_span_bytes(j->span, j->n_spans)};

    for (uint32_t c = 0; c < cut->n; c++) {
        const assay_chunk *chunk = &cut->chunk[c];
        uint64_t bytes = assay_span_bytes(chunk->span, chunk->n_spans);
        char text[ASSAY_CHUNK_ID_CHARS];
        assay_slice id;

        if (!assay_anchor_is_found(&anchor, chunk->span, chunk->n_spans, bytes))
            continue;
        assay_chunk_id_print(chunk->id, text);
        id = assay_arena_copy(&m->view->arena, (assay_slice){text, sizeof text});
        if (!id.ptr || !add(m, item, id))
            return assay_fail_memory(err, "projecting judgments");
    }
    return ASSAY_OK;
}

/* Cut one document and hold its evidence, item[0..n), against the chunks. */
static assay_status take_doc(maker *m, assay_slice id, const uint32_t *item, uint32_t n,
                             assay_error *err)
{
    assay_corpus_doc found;
    assay_document doc;
    assay_chunks cut;
    bool is_there;
    assay_status st;

    assay_arena_reset(&m->scratch);
    st = assay_corpus_find(m->corpus, id, &m->scratch, &found, &is_there, err);
    if (st || !is_there)
        return st;
    st = assay_corpus_text(m->corpus, found.version, &m->text, err);
    if (st)
        return st;
    doc = assay_corpus_document(&found, assay_buffer_view(&m->text));
    st = assay_chunking_cut(&m->chunking, &doc, &m->scratch, &cut, err);
    for (uint32_t i = 0; !st && i < n; i++)
        st = project(m, item[i], &cut, err);
    return st;
}

/* ---- by document ---- */

typedef struct keyed {
    uint32_t doc;
    uint32_t item;
} keyed;

static int by_doc(const void *a, const void *b)
{
    const keyed *x = a;
    const keyed *y = b;

    if (x->doc != y->doc)
        return x->doc < y->doc ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

static assay_status take_all(maker *m, assay_error *err)
{
    const assay_resolution *r = m->resolution;
    keyed *key = ASSAY_NEW_ARRAY(keyed, (size_t)r->n + 1);
    uint32_t *item = ASSAY_NEW_ARRAY(uint32_t, (size_t)r->n + 1);
    uint32_t n = 0;
    assay_status st =
        key && item ? ASSAY_OK : assay_fail_memory(err, "projecting judgments");

    for (uint32_t i = 0; !st && i < r->n; i++) {
        const assay_judgment *j = judgment_of(m, i);

        if (is_own(m, i) && !j->stale) {
            if (!add(m, i, m->golden->chunks.word[j->chunk]))
                st = assay_fail_memory(err, "projecting judgments");
        } else if (assay_judgment_is_evidence(j)) {
            key[n++] = (keyed){j->doc, i};
        }
    }
    if (!st)
        qsort(key, n, sizeof *key, by_doc);
    for (uint32_t i = 0; !st && i < n;) {
        uint32_t end = i;

        for (; end < n && key[end].doc == key[i].doc; end++)
            item[end] = key[end].item;
        st = take_doc(m, m->golden->docs.word[key[i].doc], item + i, end - i, err);
        i = end;
    }
    assay_mem_free(key);
    assay_mem_free(item);
    return st;
}

/* ---- the index ---- */

static bool index_queries(maker *m)
{
    assay_projection *v = m->view;
    const assay_golden *g = m->golden;
    uint32_t at = 0;

    v->query = ASSAY_ARENA_ARRAY(&v->arena, uint32_t, (size_t)g->n_queries + 1);
    v->first = ASSAY_ARENA_ARRAY(&v->arena, uint32_t, (size_t)m->resolution->n + 2);
    v->id = ASSAY_ARENA_ARRAY(&v->arena, assay_slice, m->n);
    if (!v->query || !v->first || !v->id)
        return false;
    for (uint32_t q = 0; q < g->n_queries; q++) {
        v->query[q] = at;
        at += g->query[q].n_judgments;
    }
    v->query[g->n_queries] = at;
    return true;
}

/* Items are numbered as judgments are, so that counting sorts. */
static void index_items(maker *m)
{
    assay_projection *v = m->view;
    uint32_t *next = v->first + 1;

    for (size_t i = 0; i < m->n; i++)
        next[m->pair[i].item + 1]++;
    for (uint32_t i = 0; i < m->resolution->n; i++)
        next[i + 1] += next[i];
    for (size_t i = 0; i < m->n; i++)
        v->id[next[m->pair[i].item]++] = m->pair[i].id;
    for (uint32_t q = 0; q < m->golden->n_queries; q++) {
        uint32_t n = v->first[v->query[q + 1]] - v->first[v->query[q]];

        v->most = n > v->most ? n : v->most;
    }
}

assay_status assay_projection_make(assay_projection *out, const assay_golden *golden,
                                   const assay_resolution *resolution, const char *corpus,
                                   assay_slice chunking, assay_error *err)
{
    assay_projection view = {.chunking = chunking};
    maker m = {.view = &view, .golden = golden, .resolution = resolution};
    assay_status st = assay_chunking_read(chunking, &m.chunking, err);

    if (!st)
        st = assay_corpus_open(corpus, ASSAY_CORPUS_READ, &m.corpus, err);
    if (!st)
        st = take_all(&m, err);
    if (!st && !index_queries(&m))
        st = assay_fail_memory(err, "projecting judgments");
    if (!st)
        index_items(&m);
    assay_corpus_close(m.corpus);
    assay_arena_clear(&m.scratch);
    assay_buffer_clear(&m.text);
    assay_mem_free(m.pair);
    if (st)
        assay_projection_clear(&view);
    else
        *out = view;
    return st;
}

void assay_projection_clear(assay_projection *view)
{
    assay_arena_clear(&view->arena);
    *view = (assay_projection){0};
}
