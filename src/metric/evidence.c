/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence laid over a ranking.
 *
 * Everything follows from one question: which hit held a byte first?  The spans of all
 * hits are cut into segments that do not overlap, each marked with the lowest position
 * that holds it.  Sums of segments by position give the bytes retrieved, the bytes of
 * evidence covered, and the position at which half of an anchor is reached.  With n spans
 * this takes n log n steps; nothing depends on the lengths in bytes. */
#include "metric/evidence.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/slice.h"

typedef struct segment {
    uint64_t start;
    uint64_t end;
    uint32_t doc; /* number in work.place */
    uint32_t pos;
} segment;

/* A document of the ranking. */
typedef struct place {
    assay_slice id;
    uint64_t hash;
    uint32_t anchor; /* its first one */
    uint32_t n_anchors;
    size_t segment; /* its first one */
    size_t n_segments;
} place;

typedef struct found {
    uint32_t pos;
    int32_t grade;
    uint32_t anchor;
} found;

/* One query under way; all arrays in the arena. */
typedef struct work {
    assay_arena *room;
    const assay_anchors *anchors;
    const assay_look *look;
    const assay_hit **kept; /* by position */
    uint32_t *doc;          /* by position: number in place[] */
    uint32_t n;             /* positions */
    place *place;
    uint32_t n_places;
    uint32_t *slot; /* open addressing: number in place[] + 1, 0 = free */
    size_t mask;
    segment *segment; /* by document, then start; disjoint once swept */
    size_t n_segments;
} work;

static bool is_relevant(const work *w, const assay_anchor *anchor)
{
    return anchor->grade >= w->look->threshold;
}

/* ---- documents ---- */

static bool alloc_places(work *w, uint32_t n_hits)
{
    size_t n_slots = 16;

    while (n_slots < 2 * (size_t)n_hits)
        n_slots *= 2;
    w->mask = n_slots - 1;
    w->slot = ASSAY_ARENA_ARRAY(w->room, uint32_t, n_slots);
    w->place = ASSAY_ARENA_ARRAY(w->room, place, n_hits);
    w->doc = ASSAY_ARENA_ARRAY(w->room, uint32_t, n_hits);
    w->kept = ASSAY_ARENA_ARRAY(w->room, const assay_hit *, n_hits);
    return w->slot && w->place && w->doc && w->kept;
}

static uint32_t place_of(work *w, assay_slice id)
{
    uint64_t hash = assay_hash(id.ptr, id.len);
    size_t at = (size_t)hash & w->mask;
    place *p;

    for (; w->slot[at]; at = (at + 1) & w->mask) {
        p = &w->place[w->slot[at] - 1];
        if (p->hash == hash && assay_slice_eq(p->id, id))
            return w->slot[at] - 1;
    }
    p = &w->place[w->n_places];
    p->id = id;
    p->hash = hash;
    p->n_anchors = assay_anchors_in(w->anchors, id, &p->anchor);
    w->slot[at] = ++w->n_places;
    return w->n_places - 1;
}

/* ---- grades ---- */

/* The highest grade of the anchors that a hit finds; `span` has room for its spans. */
static int32_t grade_of(const work *w, const assay_hit *hit, const place *p,
                        assay_span *span)
{
    int32_t best = ASSAY_UNPOOLED;
    uint64_t bytes;
    size_t n;

    if (!p->n_anchors || !hit->n_spans)
        return best;
    memcpy(span, hit->span, hit->n_spans * sizeof *span);
    n = assay_span_union(span, hit->n_spans);
    bytes = assay_span_bytes(span, n);
    for (uint32_t i = p->anchor; i < p->anchor + p->n_anchors; i++) {
        const assay_anchor *a = &w->anchors->item[i];

        if (a->grade > best && assay_anchor_is_found(a, span, n, bytes))
            best = a->grade;
    }
    return best;
}

static bool grade_hits(work *w, const assay_hit *hit, const assay_ranked *ranked,
                       uint32_t n, assay_judged *q)
{
    int32_t *grade = ASSAY_ARENA_ARRAY(w->room, int32_t, n);
    uint32_t most = 0;
    assay_span *span;

    for (uint32_t i = 0; i < n; i++) {
        const assay_hit *h = &hit[ranked ? ranked[i].index : i];

        most = h->n_spans > most ? h->n_spans : most;
    }
    span = ASSAY_ARENA_ARRAY(w->room, assay_span, most);
    if (!grade || !span)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const assay_hit *h = &hit[ranked ? ranked[i].index : i];
        uint32_t doc = place_of(w, h->doc);

        grade[w->n] = grade_of(w, h, &w->place[doc], span);
        if (w->look->judged_only && grade[w->n] < 0)
            continue;
        w->kept[w->n] = h;
        w->doc[w->n] = doc;
        w->n_segments += h->n_spans;
        w->n++;
    }
    q->grade = grade;
    q->n_ranked = w->n;
    return true;
}

static bool list_positions(work *w, assay_judged *q)
{
    uint32_t *rel = ASSAY_ARENA_ARRAY(w->room, uint32_t, w->n);
    uint32_t *pool = ASSAY_ARENA_ARRAY(w->room, uint32_t, w->n);

    if (!rel || !pool)
        return false;
    for (uint32_t i = 0; i < w->n; i++) {
        if (q->grade[i] < ASSAY_POOLED)
            continue;
        pool[q->n_pool_pos++] = i;
        if (q->grade[i] >= w->look->threshold)
            rel[q->n_rel_pos++] = i;
    }
    q->rel_pos = rel;
    q->pool_pos = pool;
    return true;
}

/* ---- who held a byte first ---- */

static bool is_after(const segment *a, const segment *b)
{
    return a->doc != b->doc ? a->doc > b->doc : a->start > b->start;
}

static void merge(const segment *a, const segment *a_end, const segment *b,
                  const segment *b_end, segment *out)
{
    while (a < a_end && b < b_end)
        *out++ = is_after(a, b) ? *b++ : *a++;
    while (a < a_end)
        *out++ = *a++;
    while (b < b_end)
        *out++ = *b++;
}

/* Bottom-up merge sort; the result is in one of the two arrays. */
static segment *sort_segments(segment *item, segment *room, size_t n)
{
    for (size_t width = 1; width < n; width *= 2) {
        segment *swap = item;

        for (size_t i = 0; i < n; i += 2 * width) {
            size_t middle = n - i < width ? n : i + width;
            size_t end = n - middle < width ? n : middle + width;

            merge(item + i, item + middle, item + middle, item + end, room + i);
        }
        item = room;
        room = swap;
    }
    return item;
}

/* The spans that are open at the sweep's place, lowest position on top. */
typedef struct heap {
    const segment **item;
    size_t n;
} heap;

static void heap_push(heap *h, const segment *s)
{
    size_t i = h->n++;

    for (; i && h->item[(i - 1) / 2]->pos > s->pos; i = (i - 1) / 2)
        h->item[i] = h->item[(i - 1) / 2];
    h->item[i] = s;
}

static void heap_pop(heap *h)
{
    const segment *moving = h->item[--h->n];
    size_t i = 0;

    for (size_t child = 1; child < h->n; child = 2 * i + 1) {
        if (child + 1 < h->n && h->item[child + 1]->pos < h->item[child]->pos)
            child++;
        if (moving->pos <= h->item[child]->pos)
            break;
        h->item[i] = h->item[child];
        i = child;
    }
    h->item[i] = moving;
}

/* Cut the sorted spans of one document at all their ends; each piece goes to the lowest
 * position that holds it.  At most 2 n - 1 pieces; returns how many. */
static size_t sweep(const segment *from, size_t n, heap *open, segment *out)
{
    uint64_t at = 0;
    size_t next = 0;
    size_t n_out = 0;

    open->n = 0;
    while (next < n || open->n) {
        uint64_t end;

        if (!open->n && from[next].start > at)
            at = from[next].start;
        while (next < n && from[next].start <= at)
            heap_push(open, &from[next++]);
        while (open->n && open->item[0]->end <= at)
            heap_pop(open);
        if (!open->n)
            continue;
        end = open->item[0]->end;
        if (next < n && from[next].start < end)
            end = from[next].start;
        out[n_out++] = (segment){at, end, open->item[0]->doc, open->item[0]->pos};
        at = end;
    }
    return n_out;
}

/* The spans of all hits, by document and start. */
static segment *gather(work *w)
{
    segment *item = ASSAY_ARENA_ARRAY(w->room, segment, w->n_segments);
    segment *room = ASSAY_ARENA_ARRAY(w->room, segment, w->n_segments);
    size_t n = 0;

    if (!item || !room)
        return NULL;
    for (uint32_t pos = 0; pos < w->n; pos++) {
        const assay_hit *h = w->kept[pos];

        for (uint32_t i = 0; i < h->n_spans; i++)
            if (h->span[i].end > h->span[i].start)
                item[n++] = (segment){h->span[i].start, h->span[i].end, w->doc[pos], pos};
    }
    w->n_segments = n;
    return sort_segments(item, room, n);
}

static bool find_holders(work *w)
{
    segment *all = gather(w);
    segment *out = ASSAY_ARENA_ARRAY(w->room, segment, 2 * w->n_segments);
    heap open = {ASSAY_ARENA_ARRAY(w->room, const segment *, w->n_segments), 0};
    size_t n_out = 0;

    if (!all || !out || !open.item)
        return false;
    for (size_t i = 0; i < w->n_segments;) {
        place *p = &w->place[all[i].doc];
        size_t end = i + 1;

        while (end < w->n_segments && all[end].doc == all[i].doc)
            end++;
        p->segment = n_out;
        p->n_segments = sweep(all + i, end - i, &open, out + n_out);
        n_out += p->n_segments;
        i = end;
    }
    w->segment = out;
    w->n_segments = n_out;
    return true;
}

/* ---- bytes ---- */

/* Add to by_pos[] what the segments of `p` share with a union. */
static void add_shared(const work *w, const place *p, const assay_span *span, size_t n,
                       uint64_t *by_pos)
{
    const segment *s = w->segment + p->segment;
    const segment *end = s + p->n_segments;

    while (s < end && n) {
        uint64_t from = s->start > span->start ? s->start : span->start;
        uint64_t to = s->end < span->end ? s->end : span->end;

        if (to > from)
            by_pos[s->pos] += to - from;
        if (s->end < span->end) {
            s++;
        } else {
            span++;
            n--;
        }
    }
}

static void add_up(uint64_t *by_pos, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        by_pos[i] += by_pos[i - 1];
}

/* The union of the relevant ones among anchors [from, from + n) in `span`. */
static size_t relevant_bytes(const work *w, uint32_t from, uint32_t n, assay_span *span)
{
    size_t n_spans = 0;

    for (uint32_t i = from; i < from + n; i++) {
        const assay_anchor *a = &w->anchors->item[i];

        if (!is_relevant(w, a))
            continue;
        memcpy(span + n_spans, a->span, a->n_spans * sizeof *span);
        n_spans += a->n_spans;
    }
    return assay_span_union(span, n_spans);
}

static bool count_bytes(work *w, assay_judged *q)
{
    uint64_t *retrieved = ASSAY_ARENA_ARRAY(w->room, uint64_t, w->n);
    uint64_t *covered = ASSAY_ARENA_ARRAY(w->room, uint64_t, w->n);
    size_t most = 0;
    assay_span *span;

    for (uint32_t i = 0; i < w->anchors->n; i++)
        most += w->anchors->item[i].n_spans;
    span = ASSAY_ARENA_ARRAY(w->room, assay_span, most);
    if (!retrieved || !covered || !span)
        return false;
    for (size_t i = 0; i < w->n_segments; i++)
        retrieved[w->segment[i].pos] += w->segment[i].end - w->segment[i].start;
    for (uint32_t d = 0; d < w->n_places; d++) {
        const place *p = &w->place[d];

        add_shared(w, p, span, relevant_bytes(w, p->anchor, p->n_anchors, span), covered);
    }
    /* Documents that were not retrieved count in the whole. */
    for (uint32_t i = 0, n; i < w->anchors->n; i += n) {
        n = assay_anchors_in(w->anchors, w->anchors->item[i].doc, &i);
        q->evidence_bytes += assay_span_bytes(span, relevant_bytes(w, i, n, span));
    }
    add_up(retrieved, w->n);
    add_up(covered, w->n);
    q->bytes_retrieved = retrieved;
    q->evidence_covered = covered;
    return true;
}

/* ---- anchors covered ---- */

/* The first position at which half of the anchor is held, or ASSAY_NONE.  held[] is zero
 * before and after. */
static uint32_t cover_pos(const work *w, const place *p, const assay_anchor *anchor,
                          uint64_t *held)
{
    uint32_t pos = ASSAY_NONE;
    uint64_t sum = 0;

    add_shared(w, p, anchor->span, anchor->n_spans, held);
    for (uint32_t i = 0; i < w->n; i++) {
        sum += held[i];
        held[i] = 0;
        if (pos == ASSAY_NONE && sum > 0 && sum >= anchor->bytes - sum)
            pos = i;
    }
    return pos;
}

static int by_pos_then_grade(const void *a, const void *b)
{
    const found *x = a;
    const found *y = b;

    if (x->pos != y->pos)
        return x->pos < y->pos ? -1 : 1;
    if (x->grade != y->grade)
        return x->grade > y->grade ? -1 : 1;
    return (x->anchor > y->anchor) - (x->anchor < y->anchor);
}

static found *list_found(work *w, uint32_t *n_found)
{
    found *list = ASSAY_ARENA_ARRAY(w->room, found, w->anchors->n);
    uint64_t *held = ASSAY_ARENA_ARRAY(w->room, uint64_t, w->n);
    uint32_t n = 0;

    if (!list || !held)
        return NULL;
    for (uint32_t d = 0; d < w->n_places; d++) {
        const place *p = &w->place[d];

        for (uint32_t i = p->anchor; i < p->anchor + p->n_anchors; i++) {
            const assay_anchor *a = &w->anchors->item[i];
            uint32_t pos = is_relevant(w, a) ? cover_pos(w, p, a, held) : ASSAY_NONE;

            if (pos != ASSAY_NONE)
                list[n++] = (found){pos, a->grade, i};
        }
    }
    if (n > 1)
        qsort(list, n, sizeof *list, by_pos_then_grade);
    *n_found = n;
    return list;
}

static bool place_found(work *w, assay_judged *q)
{
    found *list = list_found(w, &q->n_found);
    uint32_t *cover = ASSAY_ARENA_ARRAY(w->room, uint32_t, w->anchors->n);
    uint32_t *pos = ASSAY_ARENA_ARRAY(w->room, uint32_t, w->anchors->n);
    int32_t *grade = ASSAY_ARENA_ARRAY(w->room, int32_t, w->anchors->n);

    if (!list || !cover || !pos || !grade)
        return false;
    for (uint32_t i = 0; i < q->n_found; i++) {
        uint32_t next = i ? pos[i - 1] + 1 : 0;

        cover[i] = list[i].pos;
        grade[i] = list[i].grade;
        pos[i] = cover[i] > next ? cover[i] : next;
    }
    q->cover_pos = cover;
    q->found_pos = pos;
    q->found_grade = grade;
    return true;
}

/* ---- the view ---- */

static bool fill_log2(assay_evidence *evidence, size_t n)
{
    size_t cap = evidence->n_log2;
    double *grown = assay_mem_grow(evidence->log2_rank, &cap, n, sizeof *grown);

    if (!grown)
        return false;
    evidence->log2_rank = grown;
    for (; evidence->n_log2 < cap; evidence->n_log2++)
        grown[evidence->n_log2] = log2((double)(evidence->n_log2 + 2));
    return true;
}

static void count_relevant(const assay_anchors *anchors, int32_t threshold,
                           assay_judged *q)
{
    while (q->n_relevant < anchors->n_ideal && anchors->ideal[q->n_relevant] >= threshold)
        q->n_relevant++;
    q->n_nonrel = anchors->n_ideal - q->n_relevant;
    q->ideal = anchors->ideal;
    q->n_ideal = anchors->n_ideal;
    q->n_pooled = anchors->n_pooled;
}

bool assay_evidence_look(assay_evidence *evidence, const assay_hit *hit,
                         const assay_ranked *ranked, uint32_t n,
                         const assay_anchors *anchors, const assay_look *look,
                         assay_judged *out)
{
    assay_judged q = {
        .threshold = look->threshold, .max_grade = look->max_grade, .is_evidence = true};
    work w = {.room = &evidence->room, .anchors = anchors, .look = look};
    double *scratch;

    assay_arena_reset(&evidence->room);
    if (!alloc_places(&w, n) || !grade_hits(&w, hit, ranked, n, &q) ||
        !list_positions(&w, &q) || !find_holders(&w) || !count_bytes(&w, &q) ||
        !place_found(&w, &q))
        return false;
    count_relevant(anchors, look->threshold, &q);
    scratch = ASSAY_ARENA_ARRAY(w.room, double, (size_t)w.n + q.n_ideal + 2);
    if (!scratch || !fill_log2(evidence, (size_t)w.n + anchors->n + 1))
        return false;
    assert(!q.n_found || q.found_pos[q.n_found - 1] < w.n + q.n_found);
    q.scratch = scratch;
    q.log2_rank = evidence->log2_rank;
    *out = q;
    return true;
}

void assay_evidence_clear(assay_evidence *evidence)
{
    assay_arena_clear(&evidence->room);
    assay_mem_free(evidence->log2_rank);
    *evidence = (assay_evidence){0};
}
