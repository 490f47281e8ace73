/* SPDX-License-Identifier: Apache-2.0 */
/* Findings: at which rank each judgment of a query was found first.
 *
 * A hit is recognised at the level of chunks and documents by its id, at the level of
 * evidence where it finds the judgment's bytes (metric/evidence.h). */
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "compare/compare.h"

/* A judgment that counts, by the id that a hit must have. */
typedef struct wanted {
    assay_slice id;
    uint32_t judgment;
} wanted;

typedef struct finder {
    const assay_ranking *r;
    assay_level level;
    wanted *item; /* by id, bytes ascending */
    uint32_t n;
    assay_arena *room;
    assay_found *out;
} finder;

static int by_id(const void *a, const void *b)
{
    const wanted *x = a;
    const wanted *y = b;
    int order = assay_slice_cmp(x->id, y->id);

    return order ? order : (x->judgment > y->judgment) - (x->judgment < y->judgment);
}

/* The id that a judgment is found by, or "" where it says nothing at the level. */
static assay_slice id_of(const assay_golden *g, const assay_judgment *j,
                         assay_level level)
{
    static const assay_slice none = {"", 0};

    if (j->grade < 1)
        return none;
    switch (level) {
    case ASSAY_LEVEL_EVIDENCE:
        return assay_judgment_is_evidence(j) ? g->docs.word[j->doc] : none;
    case ASSAY_LEVEL_CHUNK:
        return j->chunk != ASSAY_NONE && !j->stale ? g->chunks.word[j->chunk] : none;
    case ASSAY_LEVEL_DOC:
    case ASSAY_LEVEL_AUTO: break;
    }
    return j->doc != ASSAY_NONE && j->stale != ASSAY_STALE_LOST ? g->docs.word[j->doc]
                                                                : none;
}

static bool list_wanted(finder *f)
{
    const assay_query *q = f->r->query;

    f->n = 0;
    f->item = ASSAY_ARENA_ARRAY(f->room, wanted, q->n_judgments + 1);
    if (!f->item)
        return false;
    for (uint32_t i = 0; i < q->n_judgments; i++) {
        assay_slice id = id_of(f->r->golden, &q->judgment[i], f->level);

        if (id.len)
            f->item[f->n++] = (wanted){id, i};
    }
    if (f->n > 1)
        qsort(f->item, f->n, sizeof *f->item, by_id);
    return true;
}

/* The first one with this id; f->n = none. */
static uint32_t first_with(const finder *f, assay_slice id)
{
    uint32_t low = 0;
    uint32_t high = f->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (assay_slice_cmp(f->item[middle].id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->n && assay_slice_eq(f->item[low].id, id) ? low : f->n;
}

static const assay_hit *hit_at(const assay_ranking *r, uint32_t pos)
{
    return r->result && r->result->hit ? &r->result->hit[r->ranked[pos].index] : NULL;
}

/* What a hit is called at the level. */
static assay_slice hit_id(const finder *f, uint32_t pos)
{
    const assay_hit *hit = hit_at(f->r, pos);

    /* The ids of a TREC run are whatever the golden set takes them for. */
    if (!hit || (!hit->chunk.len && f->level == ASSAY_LEVEL_CHUNK))
        return (assay_slice){f->r->ranked[pos].id, f->r->ranked[pos].len};
    return f->level == ASSAY_LEVEL_CHUNK ? hit->chunk : hit->doc;
}

/* ---- evidence ---- */

/* The hit's spans as a union; null = it has none, or there is no memory. */
static const assay_span *union_of(finder *f, const assay_hit *hit, size_t *n,
                                  bool *has_failed)
{
    assay_span *span;

    *n = 0;
    if (!hit || !hit->n_spans)
        return NULL;
    span = ASSAY_ARENA_ARRAY(f->room, assay_span, hit->n_spans);
    if (!span) {
        *has_failed = true;
        return NULL;
    }
    memcpy(span, hit->span, hit->n_spans * sizeof *span);
    *n = assay_span_union(span, hit->n_spans);
    return span;
}

static bool finds(const assay_judgment *j, const assay_span *span, size_t n)
{
    const assay_anchor anchor = {.span = j->span,
                                 .n_spans = j->n_spans,
                                 .bytes = assay_span_bytes(j->span, j->n_spans)};

    return assay_anchor_is_found(&anchor, span, n, assay_span_bytes(span, n));
}

/* ---- hits ---- */

static void note_found(finder *f, uint32_t judgment, uint32_t rank)
{
    if (!f->out->rank[judgment])
        f->out->rank[judgment] = rank;
    if (!f->out->first)
        f->out->first = rank;
}

static bool look_at(finder *f, uint32_t pos, assay_arena *arena)
{
    assay_slice id = hit_id(f, pos);
    uint32_t at = id.len ? first_with(f, id) : f->n;
    const assay_span *span = NULL;
    bool has_failed = false;
    size_t n = 0;

    if (at == f->n)
        return true;
    if (!f->out->rank)
        f->out->rank = ASSAY_ARENA_ARRAY(arena, uint32_t, f->r->query->n_judgments);
    if (!f->out->rank)
        return false;
    if (f->level == ASSAY_LEVEL_EVIDENCE)
        span = union_of(f, hit_at(f->r, pos), &n, &has_failed);
    for (; at < f->n && assay_slice_eq(f->item[at].id, id); at++) {
        uint32_t judgment = f->item[at].judgment;

        if (f->level == ASSAY_LEVEL_EVIDENCE &&
            !(span && finds(&f->r->query->judgment[judgment], span, n)))
            continue;
        note_found(f, judgment, pos + 1);
    }
    return !has_failed;
}

static bool copy_top(const finder *f, assay_arena *arena)
{
    assay_found *out = f->out;

    for (uint32_t i = 0; i < f->r->n && i < ASSAY_FOUND_TOP; i++) {
        const assay_hit *hit = hit_at(f->r, i);
        assay_slice id = hit ? (hit->chunk.len ? hit->chunk : hit->doc)
                             : (assay_slice){f->r->ranked[i].id, f->r->ranked[i].len};

        out->top[i] = assay_arena_copy(arena, id);
        if (!out->top[i].ptr)
            return false;
        out->top_doc[i] = hit && hit->chunk.len ? hit->doc : ASSAY_LIT("");
        out->top_text[i] = hit ? hit->text : ASSAY_LIT("");
        out->n_top++;
    }
    return true;
}

static bool copy_order(const finder *f, assay_arena *arena)
{
    f->out->order = ASSAY_ARENA_ARRAY(arena, uint32_t, f->r->n + 1);
    for (uint32_t i = 0; f->out->order && i < f->r->n; i++)
        f->out->order[i] = f->r->ranked[i].index;
    return f->out->order != NULL;
}

bool assay_found_make(const assay_ranking *ranking, assay_arena *arena, assay_arena *room,
                      assay_found *out)
{
    finder f = {.r = ranking, .level = ranking->level, .room = room, .out = out};

    if (!list_wanted(&f))
        return false;
    if (!f.n && ranking->docs_without_chunks && f.level == ASSAY_LEVEL_CHUNK) {
        f.level = ASSAY_LEVEL_DOC;
        if (!list_wanted(&f))
            return false;
    }
    out->is_judged = f.n > 0;
    out->n_hits = ranking->n;
    for (uint32_t pos = 0; f.n && pos < ranking->n; pos++)
        if (!look_at(&f, pos, arena))
            return false;
    return copy_top(&f, arena) && (!ranking->keeps_order || copy_order(&f, arena));
}

/* ---- two golden sets ---- */

static bool same_word(const assay_dict *a, uint32_t i, const assay_dict *b, uint32_t j)
{
    if (i == ASSAY_NONE || j == ASSAY_NONE)
        return i == j;
    return assay_slice_eq(a->word[i], b->word[j]);
}

/* Whether two judgments say the same; where they were found is another matter, and so is
 * the document of a chunk, which a corpus may have added. */
static bool same_judgment(const assay_golden *a, const assay_judgment *x,
                          const assay_golden *b, const assay_judgment *y)
{
    return x->grade == y->grade && x->place == y->place &&
           same_word(&a->chunks, x->chunk, &b->chunks, y->chunk) &&
           (x->chunk != ASSAY_NONE || same_word(&a->docs, x->doc, &b->docs, y->doc)) &&
           same_word(&a->headings, x->heading, &b->headings, y->heading) &&
           same_word(&a->subtopics, x->subtopic, &b->subtopics, y->subtopic) &&
           assay_slice_eq(x->quote, y->quote) && x->where.start == y->where.start &&
           x->where.end == y->where.end;
}

bool assay_found_align(const assay_golden *golden_from, const assay_query *from,
                       const assay_golden *golden_to, const assay_query *to,
                       assay_arena *arena, assay_found *found)
{
    uint32_t *rank;

    if (!found->rank || golden_from == golden_to)
        return true;
    rank = ASSAY_ARENA_ARRAY(arena, uint32_t, to->n_judgments);
    if (!rank)
        return false;
    for (uint32_t i = 0; i < to->n_judgments; i++) {
        uint32_t j = i;

        /* Nearly always they stand in the same order. */
        if (j >= from->n_judgments ||
            !same_judgment(golden_to, &to->judgment[i], golden_from, &from->judgment[j]))
            for (j = 0; j < from->n_judgments; j++)
                if (same_judgment(golden_to, &to->judgment[i], golden_from,
                                  &from->judgment[j]))
                    break;
        rank[i] = j < from->n_judgments ? found->rank[j] : 0;
    }
    found->rank = rank;
    return true;
}
