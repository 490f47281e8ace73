/* SPDX-License-Identifier: Apache-2.0 */
/* Citations: what they point at, whether it exists, and whether it is relevant. */
#include "metric/answered_cited.h"

#include <stdlib.h>
#include <string.h>

#include "base/slice.h"

/* What a citation stands for, as far as it can be told. */
typedef struct thing {
    assay_slice chunk;
    assay_slice doc;
    assay_slice marker; /* only where nothing else is known */
    const assay_span *span;
    uint32_t n_spans;
} thing;

/* ---- does it exist? ---- */

/* The number in a marker like [3], [#3], (3) or ^3; 0 = none. */
static uint32_t marker_number(assay_slice marker)
{
    uint32_t number;

    marker = assay_slice_trim(marker);
    while (marker.len && strchr("[(#^ ", marker.ptr[0]) && marker.ptr[0]) {
        marker.ptr++;
        marker.len--;
    }
    while (marker.len && strchr("]) ", marker.ptr[marker.len - 1]) &&
           marker.ptr[marker.len - 1])
        marker.len--;
    return assay_slice_to_u32(marker, &number) ? number : 0;
}

/* The hit that the system showed at `rank`: by the rank it gave, else by place. */
static const assay_hit *hit_at_rank(const assay_result *result, uint32_t rank)
{
    for (uint32_t i = 0; i < result->n_hits; i++)
        if (result->hit[i].rank == rank)
            return &result->hit[i];
    if (rank <= result->n_hits && !result->hit[rank - 1].rank)
        return &result->hit[rank - 1];
    return NULL;
}

/* Whether the document is known, and at least half of the cited bytes in it. */
static bool doc_resolves(const assay_known *known, assay_slice id, const assay_span *span)
{
    uint32_t number = id.len ? assay_dict_find(&known->docs, id) : ASSAY_NONE;
    const assay_known_doc *doc;
    uint64_t shared, bytes;

    if (number == ASSAY_NONE)
        return false;
    doc = &known->doc[number];
    if (span->end <= span->start)
        return true;
    if (!doc->is_whole && (doc->is_open || !doc->n_spans))
        return true;
    shared = assay_span_shared(doc->span, doc->n_spans, span, 1);
    bytes = span->end - span->start;
    return shared > 0 && shared >= bytes - shared;
}

/* Fill in the chunk's document and place. */
static void add_chunk(const assay_known *known, uint32_t number, thing *t)
{
    const assay_known_chunk *chunk = &known->chunk[number];

    if (chunk->doc != ASSAY_NONE)
        t->doc = known->docs.word[chunk->doc];
    if (!t->n_spans) {
        t->span = chunk->span;
        t->n_spans = chunk->n_spans;
    }
}

/* What `c` stands for; returns whether that exists. */
static bool resolve(const assay_answer_view *view, const assay_citation *c, thing *t)
{
    const assay_known *known = view->known;
    uint32_t number =
        c->chunk.len ? assay_dict_find(&known->chunks, c->chunk) : ASSAY_NONE;
    uint32_t rank = marker_number(c->marker);
    const assay_hit *hit;

    *t = (thing){.chunk = c->chunk, .doc = c->doc.len ? c->doc : c->path};
    if (c->span.end > c->span.start) {
        t->span = &c->span;
        t->n_spans = 1;
    }
    if (number != ASSAY_NONE) {
        add_chunk(known, number, t);
        return true;
    }
    if (c->is_beyond)
        return false;
    if (t->chunk.len || t->doc.len) {
        if (!doc_resolves(known, c->doc, &c->span) &&
            !doc_resolves(known, c->path, &c->span))
            return false;
        if (assay_dict_find(&known->docs, t->doc) == ASSAY_NONE)
            t->doc = c->path;
        /* A chunk id that nobody knows is saved only by a place of its own. */
        return !t->chunk.len || t->n_spans;
    }
    hit = rank ? hit_at_rank(view->result, rank) : NULL;
    if (!hit) {
        t->marker = c->marker;
        return false;
    }
    t->chunk = hit->chunk;
    t->doc = hit->doc;
    t->span = hit->span;
    t->n_spans = hit->n_spans;
    return true;
}

/* ---- the things cited, at the level ---- */

/* At the level chunk a place stands for the first hit that it finds. */
static bool place_to_chunk(const assay_result *result, assay_arena *room, thing *t)
{
    const assay_anchor place = {
        .span = t->span, .n_spans = 1, .bytes = assay_span_bytes(t->span, 1)};

    for (uint32_t i = 0; i < result->n_hits; i++) {
        const assay_hit *hit = &result->hit[i];
        assay_span *own;
        size_t n;

        if (!hit->chunk.len || !hit->n_spans || !assay_slice_eq(hit->doc, t->doc))
            continue;
        own = ASSAY_ARENA_ARRAY(room, assay_span, hit->n_spans);
        if (!own)
            return false;
        memcpy(own, hit->span, hit->n_spans * sizeof *own);
        n = assay_span_union(own, hit->n_spans);
        if (assay_anchor_is_found(&place, own, n, assay_span_bytes(own, n))) {
            t->chunk = hit->chunk;
            return true;
        }
    }
    return true;
}

/* Keep only what tells two things apart at the level. */
static bool cut_to_level(const assay_answer_view *view, assay_arena *room, thing *t)
{
    switch (view->level) {
    case ASSAY_LEVEL_DOC:
        if (t->doc.len)
            *t = (thing){.doc = t->doc};
        break;
    case ASSAY_LEVEL_CHUNK:
        if (!t->chunk.len && t->n_spans == 1 && !place_to_chunk(view->result, room, t))
            return false;
        if (t->chunk.len)
            *t = (thing){.chunk = t->chunk};
        break;
    case ASSAY_LEVEL_AUTO:
    case ASSAY_LEVEL_EVIDENCE:
        if (t->n_spans)
            t->chunk = (assay_slice){NULL, 0};
        break;
    }
    return true;
}

static int by_place(const void *a, const void *b)
{
    const thing *x = a;
    const thing *y = b;
    int order = assay_slice_cmp(x->chunk, y->chunk);

    if (!order)
        order = assay_slice_cmp(x->doc, y->doc);
    if (!order)
        order = assay_slice_cmp(x->marker, y->marker);
    for (uint32_t i = 0; !order && i < x->n_spans && i < y->n_spans; i++) {
        const assay_span *p = &x->span[i];
        const assay_span *q = &y->span[i];

        order = (p->start > q->start) - (p->start < q->start);
        if (!order)
            order = (p->end > q->end) - (p->end < q->end);
    }
    return order ? order : (x->n_spans > y->n_spans) - (x->n_spans < y->n_spans);
}

static uint32_t drop_equals(thing *t, uint32_t n)
{
    uint32_t kept = 0;

    if (n > 1)
        qsort(t, n, sizeof *t, by_place);
    for (uint32_t i = 0; i < n; i++)
        if (!kept || by_place(&t[kept - 1], &t[i]) != 0)
            t[kept++] = t[i];
    return kept;
}

/* ---- is it relevant? ---- */

/* Marks in cited[] the relevant anchors that the thing finds; *any: there are some. */
static bool mark_anchors(const assay_answer_view *view, const thing *t, assay_arena *room,
                         bool *cited, bool *any)
{
    const assay_anchors *anchors = view->anchors;
    assay_span *own;
    uint32_t first, n;
    uint64_t bytes;
    size_t n_own;

    n = anchors && t->n_spans ? assay_anchors_in(anchors, t->doc, &first) : 0;
    if (!n)
        return true;
    own = ASSAY_ARENA_ARRAY(room, assay_span, t->n_spans);
    if (!own)
        return false;
    memcpy(own, t->span, t->n_spans * sizeof *own);
    n_own = assay_span_union(own, t->n_spans);
    bytes = assay_span_bytes(own, n_own);
    for (uint32_t i = first; i < first + n; i++) {
        if (anchors->item[i].grade < view->threshold ||
            !assay_anchor_is_found(&anchors->item[i], own, n_own, bytes))
            continue;
        cited[i] = *any = true;
    }
    return true;
}

static void mark_id(const assay_answer_view *view, assay_slice id, bool *cited, bool *any)
{
    uint32_t i = ASSAY_NONE;

    if (view->grades && id.len)
        i = assay_grades_find(view->grades, id.ptr, (uint32_t)id.len,
                              assay_hash(id.ptr, id.len));
    if (i != ASSAY_NONE && view->grades->grade[i] >= view->threshold)
        cited[i] = *any = true;
}

static uint32_t n_judged(const assay_answer_view *view)
{
    if (view->anchors)
        return view->anchors->n;
    return view->grades ? view->grades->n : 0;
}

static int32_t grade_at(const assay_answer_view *view, uint32_t i)
{
    return view->anchors ? view->anchors->item[i].grade : view->grades->grade[i];
}

static bool count_relevant(const assay_answer_view *view, const thing *t,
                           assay_arena *room, assay_answered *out)
{
    bool *cited = ASSAY_ARENA_ARRAY(room, bool, n_judged(view));

    if (!cited)
        return false;
    for (uint32_t i = 0; i < out->n_cited; i++) {
        bool any = false;

        if (view->level == ASSAY_LEVEL_CHUNK)
            mark_id(view, t[i].chunk, cited, &any);
        else if (view->level == ASSAY_LEVEL_DOC)
            mark_id(view, t[i].doc, cited, &any);
        else if (!mark_anchors(view, &t[i], room, cited, &any))
            return false;
        out->n_cited_relevant += any;
    }
    for (uint32_t i = 0; i < n_judged(view); i++) {
        out->n_relevant += grade_at(view, i) >= view->threshold;
        out->n_relevant_cited += cited[i];
    }
    out->has_relevant = out->n_relevant > 0;
    return true;
}

bool assay_answered_cited(const assay_answer_view *view, assay_arena *room,
                          assay_answered *out)
{
    const assay_answer *answer = view->result->answer;
    thing *t = ASSAY_ARENA_ARRAY(room, thing, answer->n_citations);

    if (!t)
        return false;
    out->n_citations = answer->n_citations;
    for (uint32_t i = 0; i < answer->n_citations; i++) {
        const assay_citation *c = &answer->citation[i];
        bool exists = resolve(view, c, &t[i]);

        if (view->rules.path_resolves)
            exists = c->path.len || c->doc.len;
        out->n_resolved += exists;
        if (!cut_to_level(view, room, &t[i]))
            return false;
    }
    out->n_cited = drop_equals(t, answer->n_citations);
    return count_relevant(view, t, room, out);
}
