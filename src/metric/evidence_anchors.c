/* SPDX-License-Identifier: Apache-2.0 */
/* A query's evidence in order: by document, then by place, nothing twice. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/slice.h"
#include "metric/evidence.h"

static int span_cmp(const assay_span *a, const assay_span *b)
{
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

/* By document and bytes; 0 = the same evidence. */
static int place_cmp(const assay_anchor *a, const assay_anchor *b)
{
    int order = assay_slice_cmp(a->doc, b->doc);

    for (uint32_t i = 0; !order && i < a->n_spans && i < b->n_spans; i++)
        order = span_cmp(&a->span[i], &b->span[i]);
    return order ? order : (a->n_spans > b->n_spans) - (a->n_spans < b->n_spans);
}

static int by_place(const void *a, const void *b)
{
    const assay_anchor *x = a;
    const assay_anchor *y = b;
    int order = place_cmp(x, y);

    /* Equal evidence: the highest grade first, since the first one stays. */
    return order ? order : (y->grade > x->grade) - (y->grade < x->grade);
}

static int higher_first(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a;
    int32_t y = *(const int32_t *)b;

    return (y > x) - (y < x);
}

/* Keep the first of each run of equals; returns how many are left. */
static uint32_t drop_equals(assay_anchor *item, uint32_t n)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++)
        if (!kept || place_cmp(&item[kept - 1], &item[i]) != 0)
            item[kept++] = item[i];
    return kept;
}

static void list_grades(const assay_anchor *item, uint32_t n, int32_t *ideal,
                        assay_anchors *out)
{
    for (uint32_t i = 0; i < n; i++) {
        if (item[i].grade >= 0)
            ideal[out->n_ideal++] = item[i].grade;
        else
            out->n_pooled++;
    }
    if (out->n_ideal > 1)
        qsort(ideal, out->n_ideal, sizeof *ideal, higher_first);
}

bool assay_anchors_build(assay_anchors *out, assay_arena *arena, const assay_anchor *item,
                         uint32_t n)
{
    assay_anchor *own = ASSAY_ARENA_ARRAY(arena, assay_anchor, n);
    int32_t *ideal = ASSAY_ARENA_ARRAY(arena, int32_t, n);
    assay_anchors built = {.item = own, .ideal = ideal};
    uint32_t n_own = 0;

    if (!own || !ideal)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        assay_anchor *a = &own[n_own];
        assay_span *span = ASSAY_ARENA_ARRAY(arena, assay_span, item[i].n_spans);

        if (!span)
            return false;
        if (!item[i].doc.len || !item[i].n_spans)
            continue;
        memcpy(span, item[i].span, item[i].n_spans * sizeof *span);
        a->doc = item[i].doc;
        a->span = span;
        a->n_spans = (uint32_t)assay_span_union(span, item[i].n_spans);
        a->bytes = assay_span_bytes(span, a->n_spans);
        a->grade = item[i].grade < 0 ? ASSAY_POOLED : item[i].grade;
        n_own += a->bytes > 0;
    }
    if (n_own > 1)
        qsort(own, n_own, sizeof *own, by_place);
    built.n = drop_equals(own, n_own);
    list_grades(own, built.n, ideal, &built);
    *out = built;
    return true;
}

bool assay_anchors_of_query(assay_anchors *out, assay_arena *arena,
                            const assay_golden *golden, const assay_query *query)
{
    assay_anchor *item = ASSAY_NEW_ARRAY(assay_anchor, query->n_judgments);
    uint32_t n = 0;
    bool is_done;

    if (!item)
        return false;
    for (uint32_t i = 0; i < query->n_judgments; i++) {
        const assay_judgment *j = &query->judgment[i];

        if (!assay_judgment_is_evidence(j))
            continue;
        item[n++] = (assay_anchor){.doc = golden->docs.word[j->doc],
                                   .span = j->span,
                                   .n_spans = j->n_spans,
                                   .grade = j->grade};
    }
    is_done = assay_anchors_build(out, arena, item, n);
    assay_mem_free(item);
    return is_done;
}

uint32_t assay_anchors_in(const assay_anchors *anchors, assay_slice doc, uint32_t *first)
{
    uint32_t low = 0;
    uint32_t high = anchors->n;
    uint32_t end;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (assay_slice_cmp(anchors->item[middle].doc, doc) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < anchors->n && assay_slice_eq(anchors->item[end].doc, doc);)
        end++;
    *first = low;
    return end - low;
}

bool assay_anchor_is_found(const assay_anchor *anchor, const assay_span *span, size_t n,
                           uint64_t bytes)
{
    uint64_t shared = assay_span_shared(anchor->span, anchor->n_spans, span, n);
    uint64_t shorter = bytes < anchor->bytes ? bytes : anchor->bytes;

    /* Twice what is shared against the shorter one, in a form that cannot overflow. */
    return shared > 0 && shared >= shorter - shared;
}
