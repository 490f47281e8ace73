/* SPDX-License-Identifier: Apache-2.0 */
/* A corpus cut by a chunker, with all its chunks in memory. */
#ifndef CUT_CORPUS_H
#define CUT_CORPUS_H

#include "base/mem.h"
#include "base/slice.h"
#include "corpus/corpus.h"
#include "golden/golden.h"
#include "pipeline/ingest.h"
#include "testing.h"

static assay_error err;

#define OK(call)                                                         \
    do {                                                                 \
        if (call)                                                        \
            check_failed(__FILE__, __LINE__, "%s: %s", #call, err.text); \
    } while (0)

static inline void cut_by(const char *corpus, const char *folder, const char *spelling)
{
    assay_chunking chunking;
    assay_ingest_options o = {.chunking = &chunking};
    assay_ingest_summary summary = {0};

    OK(assay_chunking_read(assay_slice_of(spelling), &chunking, &err));
    OK(assay_ingest(corpus, &folder, 1, &o, &summary, &err));
    CHECK(summary.size.n_chunks > 0);
    assay_ingest_summary_clear(&summary);
}

/* Today's chunks of all documents, in memory. */
typedef struct chunk {
    assay_slice id;
    assay_slice doc;
    assay_span *span;
    uint32_t n_spans;
} chunk;

typedef struct cut {
    assay_arena arena;
    assay_corpus *corpus;
    assay_arena scratch;
    chunk *item; /* documents in byte order, chunks in the order of the text */
    size_t n;
    size_t cap;
} cut;

static inline assay_status take_doc(void *ctx, const assay_corpus_doc *doc,
                                    assay_error *e)
{
    cut *c = ctx;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_slice id = assay_arena_copy(&c->arena, doc->id);
    assay_chunks chunks;

    assay_arena_reset(&c->scratch);
    OK(assay_corpus_text(c->corpus, doc->version, &text, e));
    OK(assay_corpus_chunks(c->corpus, doc->version, assay_buffer_view(&text), &c->scratch,
                           &chunks, e));
    for (uint32_t i = 0; i < chunks.n; i++) {
        char name[ASSAY_CHUNK_ID_CHARS];
        chunk *own;

        assay_chunk_id_print(chunks.chunk[i].id, name);
        c->item = assay_mem_grow(c->item, &c->cap, c->n + 1, sizeof *c->item);
        own = &c->item[c->n++];
        own->id = assay_arena_copy(&c->arena, (assay_slice){name, sizeof name});
        own->doc = id;
        own->n_spans = chunks.chunk[i].n_spans;
        own->span = ASSAY_ARENA_ARRAY(&c->arena, assay_span, own->n_spans);
        memcpy(own->span, chunks.chunk[i].span, own->n_spans * sizeof *own->span);
    }
    assay_buffer_clear(&text);
    return ASSAY_OK;
}

static inline void load_cut(cut *c, const char *corpus)
{
    *c = (cut){0};
    OK(assay_corpus_open(corpus, ASSAY_CORPUS_READ, &c->corpus, &err));
    OK(assay_corpus_each(c->corpus, take_doc, c, &err));
    assay_corpus_close(c->corpus);
}

static inline void drop_cut(cut *c)
{
    assay_mem_free(c->item);
    assay_arena_clear(&c->scratch);
    assay_arena_clear(&c->arena);
}

/* Half of the shorter is shared. */
static inline bool finds(const chunk *c, const assay_judgment *j)
{
    uint64_t shared = assay_span_shared(j->span, j->n_spans, c->span, c->n_spans);
    uint64_t a = assay_span_bytes(j->span, j->n_spans);
    uint64_t b = assay_span_bytes(c->span, c->n_spans);

    return shared && 2 * shared >= (a < b ? a : b);
}

#endif
