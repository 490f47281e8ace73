/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/locate_hunt.h"

#include <stdlib.h>
#include <string.h>

#include "base/dict.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "corpus/locate_cut.h"
#include "corpus/locate_fold.h"
#include "corpus/locate_search.h"

enum { LARGE = 1 << 18 }; /* bytes of text */

/* A needle, and what it is of: for the edited rung a piece of a quote. */
typedef struct piece {
    uint32_t quote;
    uint32_t start; /* bytes of the folded quote */
    uint32_t end;
    uint32_t first;    /* number of the quote's first piece */
    uint32_t n_pieces; /* edits allowed + 1 */
} piece;

/* The stretch of text that a quote was last compared with. */
struct assay_seen {
    assay_span span;
    uint64_t run; /* the number of the text */
};

struct assay_hunt {
    const assay_hunted *quote;
    assay_rung rung;
    piece *piece; /* by needle */
    assay_slice *needle;
    uint32_t *group;    /* by needle: its quote */
    assay_guard *guard; /* by needle */
    uint32_t n;
    assay_needles *needles;
};

/* ---- what was caught ---- */

bool assay_catch_init(assay_catch *c, uint32_t n_quotes)
{
    *c = (assay_catch){.n_quotes = n_quotes};
    c->head = ASSAY_NEW_ARRAY(uint32_t, n_quotes);
    c->n = ASSAY_NEW_ARRAY(uint32_t, n_quotes);
    c->distance = ASSAY_NEW_ARRAY(uint32_t, n_quotes);
    c->done = ASSAY_NEW_ARRAY(uint8_t, n_quotes);
    c->seen = ASSAY_NEW_ARRAY(struct assay_seen, n_quotes);
    if (!c->head || !c->n || !c->distance || !c->done || !c->seen) {
        assay_catch_clear(c);
        return false;
    }
    for (uint32_t i = 0; i < n_quotes; i++)
        c->head[i] = ASSAY_NONE;
    return true;
}

void assay_catch_clear(assay_catch *c)
{
    assay_mem_free(c->head);
    assay_mem_free(c->n);
    assay_mem_free(c->distance);
    assay_mem_free(c->done);
    assay_mem_free(c->seen);
    assay_mem_free(c->spot);
    assay_edit_clear(&c->edit);
    *c = (assay_catch){0};
}

void assay_catch_empty(assay_catch *c)
{
    for (size_t i = 0; i < c->n_spots; i++) {
        c->head[c->spot[i].quote] = ASSAY_NONE;
        c->n[c->spot[i].quote] = 0;
        c->done[c->spot[i].quote] = 0;
    }
    c->n_spots = 0;
}

static bool add_spot(assay_catch *c, uint32_t quote, assay_span span)
{
    assay_spot *spot =
        assay_mem_grow(c->spot, &c->cap_spots, c->n_spots + 1, sizeof *spot);

    if (!spot || c->n_spots >= ASSAY_NONE) {
        c->has_failed = true;
        return false;
    }
    c->spot = spot;
    spot[c->n_spots] = (assay_spot){span, quote, c->head[quote]};
    c->head[quote] = (uint32_t)c->n_spots++;
    c->n[quote]++;
    return true;
}

static int by_start(const void *a, const void *b)
{
    const assay_span *x = a;
    const assay_span *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

size_t assay_catch_places(const assay_catch *c, uint32_t quote, assay_span *out)
{
    size_t n = 0;

    for (uint32_t i = c->head[quote]; i != ASSAY_NONE && n < c->n[quote];
         i = c->spot[i].next)
        out[n++] = c->spot[i].span;
    qsort(out, n, sizeof *out, by_start);
    return n;
}

/* ---- making a hunt ---- */

/* Edits that a stage looks for. */
static uint32_t stage_edits(const assay_hunted *quote, uint32_t stage)
{
    static const uint8_t eighths[ASSAY_HUNT_STAGES] = {1, 4, 6, 8};

    return (quote->most * eighths[stage] + 7) / 8;
}

bool assay_hunt_has_stage(const assay_hunted *quote, uint32_t stage)
{
    return stage < ASSAY_HUNT_STAGES &&
           stage_edits(quote, stage) > (stage ? stage_edits(quote, stage - 1) : 0);
}

static uint32_t count_pieces(const assay_hunt *h, const assay_hunted *q, uint32_t stage)
{
    if (h->rung != ASSAY_RUNG_EDITED)
        return 1;
    return assay_hunt_has_stage(q, stage) ? stage_edits(q, stage) + 1 : 0;
}

static bool is_ascii(assay_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] >= 0x80)
            return false;
    return true;
}

static uint32_t load(const char *p, size_t size)
{
    uint32_t word = 0;

    for (size_t i = 0; i < size; i++)
        word |= (uint32_t)(unsigned char)p[i] << (8 * i);
    return word;
}

/* Two pieces that stand together may differ by one edit in all: where one is exact the
 * other is its guard. */
static void set_guards(assay_hunt *h, uint32_t first, uint32_t n_pieces)
{
    for (uint32_t i = 0; i < n_pieces; i++) {
        bool is_before = i % 2;
        assay_guard *g = &h->guard[first + i];
        assay_slice other;
        size_t size;

        if ((i ^ 1U) >= n_pieces)
            continue;
        other = h->needle[first + (i ^ 1U)];
        size = other.len < 8 ? other.len / 2 : 4;
        if (size == 0 || !is_ascii(other))
            continue;
        g->size = (uint8_t)size;
        g->is_before = is_before;
        g->beside = load(other.ptr + (is_before ? other.len - size : 0), size);
        g->beyond = load(other.ptr + (is_before ? other.len - 2 * size : size), size);
    }
}

static void cut_quote(assay_hunt *h, uint32_t number, uint32_t n_pieces,
                      const assay_cutter *cutter, uint32_t *end)
{
    const assay_hunted *q = &h->quote[number];
    uint32_t first = h->n;
    uint32_t start = 0;

    assay_cutter_cut(cutter, q->folded, q->length, n_pieces, end);
    for (uint32_t i = 0; i < n_pieces; i++) {
        h->piece[h->n] = (piece){number, start, end[i], first, n_pieces};
        h->needle[h->n] = (assay_slice){q->folded.ptr + start, end[i] - start};
        h->group[h->n++] = number;
        start = end[i];
    }
    set_guards(h, first, n_pieces);
}

static void add_needles(assay_hunt *h, uint32_t n, const uint8_t *skip, uint32_t stage,
                        const assay_cutter *cutter, uint32_t *end)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t n_pieces = count_pieces(h, &h->quote[i], stage);

        if ((skip && skip[i]) || n_pieces == 0)
            continue;
        if (h->rung == ASSAY_RUNG_EDITED) {
            cut_quote(h, i, n_pieces, cutter, end);
            continue;
        }
        h->piece[h->n] = (piece){.quote = i};
        h->group[h->n] = i;
        h->needle[h->n++] =
            h->rung == ASSAY_RUNG_EXACT ? h->quote[i].quote : h->quote[i].folded;
    }
}

/* All needles of the hunt; h has room for them. */
static bool make_needles(assay_hunt *h, uint32_t n, const uint8_t *skip, uint32_t stage,
                         assay_slice sample)
{
    assay_cutter *cutter = NULL;
    uint32_t *end = NULL;
    bool is_ok = true;

    if (h->rung == ASSAY_RUNG_EDITED) {
        end = ASSAY_NEW_ARRAY(uint32_t, ASSAY_HUNT_MOST_LENGTH / ASSAY_HUNT_SHARE + 1);
        is_ok = end != NULL;
        /* Counting costs more than it saves where there is little to search. */
        if (is_ok && sample.len >= LARGE) {
            cutter = assay_cutter_new(sample);
            is_ok = cutter != NULL;
        }
    }
    if (is_ok)
        add_needles(h, n, skip, stage, cutter, end);
    assay_cutter_free(cutter);
    assay_mem_free(end);
    return is_ok;
}

assay_hunt *assay_hunt_new(const assay_hunted *quote, uint32_t n, const uint8_t *skip,
                           assay_rung rung, uint32_t stage, assay_slice sample)
{
    assay_hunt *h = ASSAY_NEW(assay_hunt);
    uint64_t total = 0;

    if (!h)
        return NULL;
    h->quote = quote;
    h->rung = rung;
    for (uint32_t i = 0; i < n; i++)
        if (!skip || !skip[i])
            total += count_pieces(h, &quote[i], stage);
    if (total >= ASSAY_NONE)
        goto failed;
    h->piece = ASSAY_NEW_ARRAY(piece, (size_t)total);
    h->needle = ASSAY_NEW_ARRAY(assay_slice, (size_t)total);
    h->group = ASSAY_NEW_ARRAY(uint32_t, (size_t)total);
    h->guard = ASSAY_NEW_ARRAY(assay_guard, (size_t)total);
    if (!h->piece || !h->needle || !h->group || !h->guard ||
        !make_needles(h, n, skip, stage, sample))
        goto failed;
    h->needles = assay_needles_new(h->needle, h->group, h->guard, h->n);
    if (!h->needles)
        goto failed;
    return h;

failed:
    assay_hunt_free(h);
    return NULL;
}

void assay_hunt_free(assay_hunt *hunt)
{
    if (!hunt)
        return;
    assay_needles_free(hunt->needles);
    assay_mem_free(hunt->piece);
    assay_mem_free(hunt->needle);
    assay_mem_free(hunt->group);
    assay_mem_free(hunt->guard);
    assay_mem_free(hunt);
}

/* ---- running it ---- */

typedef struct chase {
    const assay_hunt *hunt;
    assay_slice text;
    assay_catch *caught;
} chase;

/* The exact and the folded rung: the needle is the quote. */
static bool on_quote(void *ctx, uint32_t needle, size_t at)
{
    chase *x = ctx;
    uint32_t quote = x->hunt->piece[needle].quote;
    assay_span span = {at, at + x->hunt->needle[needle].len};

    if (x->hunt->rung == ASSAY_RUNG_EXACT &&
        (!assay_fold_is_boundary(x->text, span.start) ||
         !assay_fold_is_boundary(x->text, span.end)))
        return true;
    x->caught->done[quote] = x->caught->n[quote] + 1 >= ASSAY_HUNT_MOST_PLACES;
    return add_spot(x->caught, quote, span);
}

/* Whether the piece could belong to a match.  The pieces stand in groups of 2, then 4,
 * then 8; of the groups of one size, each with one edit fewer allowed than it has pieces,
 * one must match, and in it one of the size below. */
static bool is_likely(const chase *x, const piece *p, uint32_t number, size_t at)
{
    const assay_hunt *h = x->hunt;
    const char *quote = h->quote[p->quote].folded.ptr;
    uint32_t index = number - p->first;
    size_t end = at + p->end - p->start;
    assay_slice before = {x->text.ptr, at};
    assay_slice after = {x->text.ptr + end, x->text.len - end};

    for (uint32_t size = 2; size <= ASSAY_EDIT_NEAR + 1; size *= 2) {
        uint32_t from = index / size * size;
        uint32_t to = from + size < p->n_pieces ? from + size : p->n_pieces;
        uint32_t most = to - from - 1;
        uint32_t start = h->piece[p->first + from].start;
        uint32_t edits = assay_edit_ahead(
            (assay_slice){quote + p->end, h->piece[p->first + to - 1].end - p->end},
            after, most);

        if (edits > most ||
            assay_edit_behind((assay_slice){quote + start, p->start - start}, before,
                              most - edits) > most - edits)
            return false;
        if (to - from == p->n_pieces)
            return true;
    }
    return true;
}

/* `at` less or plus so many code points of the text. */
static size_t step_left(assay_slice text, size_t at, size_t n)
{
    while (n-- > 0 && at > 0)
        at -= assay_edit_step_back((assay_slice){text.ptr, at});
    return at;
}

static size_t step_right(assay_slice text, size_t at, size_t n)
{
    while (n-- > 0 && at < text.len)
        at += assay_edit_step((assay_slice){text.ptr + at, text.len - at});
    return at;
}

/* Take the places that are as good as the best known; forget those that are worse. */
static bool take_places(assay_catch *c, uint32_t quote, size_t from)
{
    const assay_edit *e = &c->edit;

    if (c->n[quote] > 0 && e->distance < c->distance[quote]) {
        c->head[quote] = ASSAY_NONE;
        c->n[quote] = 0;
    }
    c->distance[quote] = e->distance;
    for (size_t i = 0; i < e->n_places; i++) {
        assay_span span = {e->place[i].start + from, e->place[i].end + from};
        uint32_t known = c->head[quote];

        while (known != ASSAY_NONE && (c->spot[known].span.start >= span.end ||
                                       c->spot[known].span.end <= span.start))
            known = c->spot[known].next;
        if (known == ASSAY_NONE && c->n[quote] < ASSAY_HUNT_MOST_PLACES &&
            !add_spot(c, quote, span))
            return false;
    }
    return true;
}

/* Compare the quote with the text around a piece that is likely. */
static bool compare(chase *x, const piece *p, size_t at)
{
    assay_catch *c = x->caught;
    const assay_hunted *q = &x->hunt->quote[p->quote];
    uint32_t most = p->n_pieces - 1;
    size_t left = assay_edit_length((assay_slice){q->folded.ptr, p->start});
    size_t from = step_left(x->text, at, left + most);
    size_t to = step_right(x->text, at, q->length - left + most);
    struct assay_seen *seen = &c->seen[p->quote];

    if (seen->run == c->n_runs && seen->span.start <= from && seen->span.end >= to)
        return true;
    /* Some more, so that the other pieces of the same place need no look. */
    from = step_left(x->text, from, (size_t)2 * most);
    to = step_right(x->text, to, (size_t)2 * most);
    *seen = (struct assay_seen){{from, to}, c->n_runs};
    if (c->n[p->quote] > 0 && c->distance[p->quote] < most)
        most = c->distance[p->quote];
    if (!assay_edit_search(&c->edit, q->folded,
                           (assay_slice){x->text.ptr + from, to - from}, most)) {
        c->has_failed = true;
        return false;
    }
    return c->edit.n_places == 0 || take_places(c, p->quote, from);
}

static bool on_piece(void *ctx, uint32_t needle, size_t at)
{
    chase *x = ctx;
    const piece *p = &x->hunt->piece[needle];

    return !is_likely(x, p, needle, at) || compare(x, p, at);
}

bool assay_hunt_run(const assay_hunt *hunt, assay_slice text, assay_catch *c)
{
    chase x = {hunt, text, c};

    c->has_failed = false;
    c->n_runs++;
    return assay_needles_search(hunt->needles, text, c->done,
                                hunt->rung == ASSAY_RUNG_EDITED ? on_piece : on_quote,
                                &x);
}
