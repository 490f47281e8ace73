/* SPDX-License-Identifier: Apache-2.0 */
/* Texts are read document by document; a chunk's text and spans are copied, the rest is
 * let go. */
#include "pipeline/corpus_passages.h"

#include "base/error.h"
#include "base/mem.h"

typedef struct loader {
    assay_corpus *corpus;
    const assay_chunking *chunking; /* null = today's */
    assay_arena *arena;
    assay_arena scratch; /* of one document */
    assay_buffer text;
    assay_buffer part;
    assay_passage *item;
    size_t n;
    size_t cap;
} loader;

static bool add_chunk(loader *l, assay_slice doc, assay_slice title,
                      const assay_chunk *chunk)
{
    assay_passage *item = assay_mem_grow(l->item, &l->cap, l->n + 1, sizeof *item);
    assay_span *span = ASSAY_ARENA_ARRAY(l->arena, assay_span, chunk->n_spans);
    char id[ASSAY_CHUNK_ID_CHARS];

    if (!item)
        return false;
    l->item = item;
    l->part.len = 0;
    assay_chunk_text(chunk, assay_buffer_view(&l->text), &l->part);
    assay_chunk_id_print(chunk->id, id);
    item = &item[l->n++];
    *item = (assay_passage){
        .id = assay_arena_copy(l->arena, (assay_slice){id, sizeof id}),
        .doc = doc,
        .title = title,
        .text = assay_arena_copy(l->arena, assay_buffer_view(&l->part)),
        .span = span,
        .n_spans = chunk->n_spans,
    };
    for (uint32_t i = 0; span && i < chunk->n_spans; i++)
        span[i] = chunk->span[i];
    return span && item->id.ptr && item->text.ptr && !l->part.has_failed;
}

static assay_status cut(loader *l, const assay_corpus_doc *doc, assay_chunks *out,
                        assay_error *err)
{
    assay_slice text = assay_buffer_view(&l->text);
    assay_document document;

    if (!l->chunking)
        return assay_corpus_chunks(l->corpus, doc->version, text, &l->scratch, out, err);
    document = assay_corpus_document(doc, text);
    return assay_chunking_cut(l->chunking, &document, &l->scratch, out, err);
}

static assay_status add_doc(void *ctx, const assay_corpus_doc *doc, assay_error *err)
{
    loader *l = ctx;
    assay_slice id = assay_arena_copy(l->arena, doc->id);
    assay_slice title = assay_arena_copy(l->arena, doc->title);
    assay_chunks chunks;
    assay_status st;

    if (!id.ptr || !title.ptr)
        return assay_fail_memory(err, "reading the corpus");
    assay_arena_reset(&l->scratch);
    st = assay_corpus_text(l->corpus, doc->version, &l->text, err);
    if (!st)
        st = cut(l, doc, &chunks, err);
    for (uint32_t i = 0; !st && i < chunks.n; i++)
        if (!add_chunk(l, id, title, &chunks.chunk[i]))
            st = assay_fail_memory(err, "reading the corpus");
    return st;
}

static assay_status load(assay_corpus *corpus, const assay_chunking *chunking,
                         assay_arena *arena, assay_passages *out, assay_error *err)
{
    loader l = {.corpus = corpus, .chunking = chunking, .arena = arena};
    assay_passage *item;
    assay_status st = assay_corpus_each(corpus, add_doc, &l, err);

    item = ASSAY_ARENA_ARRAY(arena, assay_passage, l.n + 1);
    if (!st && (!item || l.n >= UINT32_MAX))
        st = assay_fail_memory(err, "reading the corpus");
    for (size_t i = 0; !st && i < l.n; i++)
        item[i] = l.item[i];
    if (!st)
        st = assay_passages_sort(item, (uint32_t)l.n, err);
    if (!st)
        *out = (assay_passages){item, (uint32_t)l.n};
    assay_mem_free(l.item);
    assay_buffer_clear(&l.text);
    assay_buffer_clear(&l.part);
    assay_arena_clear(&l.scratch);
    return st;
}

assay_status assay_passages_of_corpus(assay_corpus *corpus, assay_arena *arena,
                                      assay_passages *out, assay_error *err)
{
    return load(corpus, NULL, arena, out, err);
}

assay_status assay_passages_cut(assay_corpus *corpus, const assay_chunking *chunking,
                                assay_arena *arena, assay_passages *out, assay_error *err)
{
    return load(corpus, chunking, arena, out, err);
}
