/* SPDX-License-Identifier: Apache-2.0 */
/* What exists, as far as the run and the golden set tell. */
#include "base/mem.h"
#include "base/slice.h"
#include "metric/answered.h"

/* The number of `id` in docs, added when new. */
static bool put_doc(assay_known *known, assay_slice id, uint32_t *number)
{
    assay_known_doc *grown;
    bool is_new;

    grown = assay_mem_grow(known->doc, &known->cap_docs, (size_t)known->docs.n + 1,
                           sizeof *grown);
    if (!grown)
        return false;
    known->doc = grown;
    if (!assay_dict_put(&known->docs, NULL, id, number, &is_new))
        return false;
    if (is_new)
        known->doc[*number] = (assay_known_doc){0};
    return true;
}

static bool put_chunk(assay_known *known, assay_slice id, uint32_t *number, bool *is_new)
{
    assay_known_chunk *grown;

    grown = assay_mem_grow(known->chunk, &known->cap_chunks, (size_t)known->chunks.n + 1,
                           sizeof *grown);
    if (!grown)
        return false;
    known->chunk = grown;
    if (!assay_dict_put(&known->chunks, NULL, id, number, is_new))
        return false;
    if (*is_new)
        known->chunk[*number] = (assay_known_chunk){.doc = ASSAY_NONE};
    return true;
}

/* Thousands of queries retrieve the same places, so merge before growing. */
static bool add_spans(assay_known_doc *doc, const assay_span *span, size_t n)
{
    assay_span *grown;

    if (doc->n_spans + n > doc->cap) {
        if (doc->n_spans)
            doc->n_spans = assay_span_union(doc->span, doc->n_spans);
        grown =
            assay_mem_grow(doc->span, &doc->cap, 2 * (doc->n_spans + n), sizeof *grown);
        if (!grown)
            return false;
        doc->span = grown;
    }
    for (size_t i = 0; i < n; i++)
        if (span[i].end > span[i].start)
            doc->span[doc->n_spans++] = span[i];
    return true;
}

bool assay_known_add_doc(assay_known *known, assay_slice doc, const assay_span *span,
                         size_t n)
{
    uint32_t number;

    if (!doc.len)
        return true;
    return put_doc(known, doc, &number) && add_spans(&known->doc[number], span, n);
}

static bool add_hit(assay_known *known, const assay_hit *hit)
{
    uint32_t doc = ASSAY_NONE;
    uint32_t chunk;
    bool is_new = true;

    if (hit->doc.len && !put_doc(known, hit->doc, &doc))
        return false;
    if (hit->chunk.len) {
        assay_known_chunk *c;

        if (!put_chunk(known, hit->chunk, &chunk, &is_new))
            return false;
        c = &known->chunk[chunk];
        /* A golden set knows a chunk by name only; the first hit says where it is. */
        is_new = is_new || !c->n_spans;
        if (c->doc == ASSAY_NONE)
            c->doc = doc;
        if (!c->n_spans) {
            c->span = hit->span;
            c->n_spans = hit->n_spans;
        }
    }
    if (doc == ASSAY_NONE || !is_new)
        return true;
    known->doc[doc].is_open |= hit->n_spans == 0;
    return add_spans(&known->doc[doc], hit->span, hit->n_spans);
}

bool assay_known_add_hits(assay_known *known, const assay_hit *hit, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!add_hit(known, &hit[i]))
            return false;
    return true;
}

bool assay_known_add_whole(assay_known *known, assay_slice doc, uint64_t bytes)
{
    const assay_span all = {0, bytes};

    if (!doc.len)
        return true;
    if (!assay_known_add_doc(known, doc, &all, 1))
        return false;
    known->doc[assay_dict_find(&known->docs, doc)].is_whole = true;
    return true;
}

static bool add_cited_chunk(assay_known *known, const assay_cited_chunk *from)
{
    uint32_t number;
    bool is_new;
    assay_known_chunk *c;

    if (!put_chunk(known, from->id, &number, &is_new))
        return false;
    c = &known->chunk[number];
    if (!c->n_spans) {
        c->span = from->span;
        c->n_spans = from->n_spans;
    }
    return c->doc != ASSAY_NONE || put_doc(known, from->doc, &c->doc);
}

bool assay_known_add_cited(assay_known *known, const assay_cited *cited)
{
    for (uint32_t i = 0; i < cited->n_docs; i++)
        if (!assay_known_add_whole(known, cited->doc[i].id, cited->doc[i].bytes))
            return false;
    for (uint32_t i = 0; i < cited->n_chunks; i++)
        if (!add_cited_chunk(known, &cited->chunk[i]))
            return false;
    return true;
}

static bool add_judgments(assay_known *known, const assay_golden *golden,
                          const assay_query *query)
{
    for (uint32_t i = 0; i < query->n_judgments; i++) {
        const assay_judgment *j = &query->judgment[i];
        uint32_t number;
        bool is_new;

        if (j->stale == ASSAY_STALE_LOST)
            continue;
        if (j->chunk != ASSAY_NONE &&
            !put_chunk(known, golden->chunks.word[j->chunk], &number, &is_new))
            return false;
        if (j->doc != ASSAY_NONE &&
            !assay_known_add_doc(known, golden->docs.word[j->doc], j->span, j->n_spans))
            return false;
    }
    return true;
}

bool assay_known_add_golden(assay_known *known, const assay_golden *golden)
{
    for (uint32_t i = 0; i < golden->n_queries; i++)
        if (!add_judgments(known, golden, &golden->query[i]))
            return false;
    for (uint32_t i = 0; i < golden->n_docs; i++)
        if (!assay_known_add_whole(known, golden->doc[i].id, golden->doc[i].text.len))
            return false;
    return true;
}

void assay_known_finish(assay_known *known)
{
    for (uint32_t i = 0; i < known->docs.n; i++) {
        assay_known_doc *doc = &known->doc[i];

        if (doc->n_spans)
            doc->n_spans = assay_span_union(doc->span, doc->n_spans);
    }
}

void assay_known_clear(assay_known *known)
{
    for (uint32_t i = 0; i < known->docs.n; i++)
        assay_mem_free(known->doc[i].span);
    assay_mem_free(known->doc);
    assay_mem_free(known->chunk);
    assay_dict_clear(&known->docs);
    assay_dict_clear(&known->chunks);
    *known = (assay_known){0};
}
