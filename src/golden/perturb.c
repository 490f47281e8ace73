/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/perturb.h"

#include <stdio.h>
#include <utf8proc.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/slice.h"
#include "base/utf8.h"

/* One character, as code point. */
typedef struct letters {
    uint32_t *code;
    size_t n;
    size_t cap;
} letters;

typedef struct maker {
    assay_golden *golden;
    uint64_t state; /* of chance */
} maker;

/* splitmix64: good enough to choose a letter, and the same everywhere. */
static uint64_t draw(maker *m, uint64_t below)
{
    uint64_t z = (m->state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % below;
}

/* ---- letters ---- */

/* Room for a letter more than the text has: blanks are gained. */
static bool read_letters(maker *m, assay_slice text, letters *out)
{
    out->cap = text.len + 2;
    out->code = ASSAY_ARENA_ARRAY(&m->golden->arena, uint32_t, out->cap);
    out->n = 0;
    for (size_t at = 0, len = 0; out->code && at < text.len; at += len)
        out->code[out->n++] =
            assay_utf8_get((assay_slice){text.ptr + at, text.len - at}, &len);
    return out->code != NULL;
}

static bool write_letters(maker *m, const letters *from, assay_slice *out)
{
    char *text = assay_arena_alloc(&m->golden->arena, from->n * 4 + 1);
    size_t len = 0;

    for (size_t i = 0; text && i < from->n; i++)
        len += assay_utf8_put(from->code[i], text + len);
    *out = (assay_slice){text, len};
    return text != NULL;
}

static bool is_blank(uint32_t code)
{
    return code == ' ' || code == '\t' || code == 0xa0 || code == 0x3000;
}

static bool is_letter(uint32_t code)
{
    utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)code);

    return c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_LO;
}

/* ---- kinds: each changes the letters in place ---- */

/* First all small, then all large, then the first letters large. */
static void change_case(maker *m, letters *l, uint32_t number)
{
    (void)m;
    for (size_t i = 0; i < l->n; i++) {
        utf8proc_int32_t c = (utf8proc_int32_t)l->code[i];
        bool is_first = i == 0 || is_blank(l->code[i - 1]);
        bool is_large = number % 3 == 1 || (number % 3 == 2 && is_first);

        l->code[i] = (uint32_t)(is_large ? utf8proc_toupper(c) : utf8proc_tolower(c));
    }
}

/* Where two letters stand side by side inside a word, not at its beginning when that can
 * be helped: people get first letters right. */
static bool find_pair(maker *m, const letters *l, size_t *at)
{
    for (int inner = 1; inner >= 0; inner--) {
        size_t n = 0;

        for (size_t i = (size_t)inner; i + 1 < l->n; i++) {
            if (!is_letter(l->code[i]) || !is_letter(l->code[i + 1]) ||
                l->code[i] == l->code[i + 1] || (inner && !is_letter(l->code[i - 1])))
                continue;
            if (draw(m, ++n) == 0)
                *at = i;
        }
        if (n)
            return true;
    }
    return false;
}

/* Two letters swapped, one lost, or one doubled. */
static void slip(maker *m, letters *l, uint32_t number)
{
    size_t at = 0;
    uint32_t code;

    if (!find_pair(m, l, &at))
        return;
    switch (number % 3) {
    case 0:
        code = l->code[at];
        l->code[at] = l->code[at + 1];
        l->code[at + 1] = code;
        break;
    case 1:
        for (size_t i = at; i + 1 < l->n; i++)
            l->code[i] = l->code[i + 1];
        l->n--;
        break;
    default:
        for (size_t i = l->n++; i > at; i--)
            l->code[i] = l->code[i - 1];
        break;
    }
}

/* The words from a place on come first; a mark at the end stays there. */
static void rotate(maker *m, letters *l, uint32_t number)
{
    uint32_t *copy = ASSAY_ARENA_ARRAY(&m->golden->arena, uint32_t, l->cap);
    size_t end = l->n;
    size_t n_blanks = 0;
    size_t cut = 0;

    (void)number;
    while (end && !is_letter(l->code[end - 1]) && !is_blank(l->code[end - 1]))
        end--;
    for (size_t i = 1; i + 1 < end; i++)
        if (is_blank(l->code[i]) && draw(m, ++n_blanks) == 0)
            cut = i;
    if (!copy || !n_blanks)
        return;
    for (size_t i = 0; i < end; i++)
        copy[i] = i < end - cut - 1    ? l->code[cut + 1 + i]
                  : i == end - cut - 1 ? ' '
                                       : l->code[i - (end - cut)];
    for (size_t i = 0; i < end; i++)
        l->code[i] = copy[i];
}

static void drop_blank(maker *m, letters *l)
{
    size_t n = 0;
    size_t at = 0;

    for (size_t i = 1; i + 1 < l->n; i++)
        if (is_blank(l->code[i]) && draw(m, ++n) == 0)
            at = i;
    if (!n)
        return;
    for (size_t i = at; i + 1 < l->n; i++)
        l->code[i] = l->code[i + 1];
    l->n--;
}

static void add_blank(maker *m, letters *l)
{
    size_t at = 0;

    if (!find_pair(m, l, &at))
        return;
    for (size_t i = l->n++; i > at + 1; i--)
        l->code[i] = l->code[i - 1];
    l->code[at + 1] = ' ';
}

/* A blank lost, or where there is none to lose, one gained. */
static void space(maker *m, letters *l, uint32_t number)
{
    size_t before = l->n;

    if (number % 2 == 0)
        drop_blank(m, l);
    if (l->n == before)
        add_blank(m, l);
}

static const struct {
    const char *name;
    void (*change)(maker *m, letters *l, uint32_t number);
} kinds[ASSAY_PERTURB_KINDS] = {
    {"case", change_case},
    {"typo", slip},
    {"order", rotate},
    {"spacing", space},
};

const char *assay_perturb_name(uint32_t kind)
{
    return kind < ASSAY_PERTURB_KINDS ? kinds[kind].name : NULL;
}

/* ---- variants ---- */

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "making variants");
}

/* Chance hangs on seed, query and kind alone, so that one more query, or one kind less,
 * changes no other variant. */
static void seed(maker *m, const assay_perturb *how, assay_slice id, uint32_t kind)
{
    m->state = how->seed ^ assay_hash(id.ptr, id.len) ^ ((uint64_t)kind << 56);
}

static bool is_known(const assay_golden *g, uint32_t first, uint32_t source,
                     assay_slice text)
{
    if (assay_slice_eq(g->query[source].text, text))
        return true;
    for (uint32_t i = first; i < g->n_queries; i++)
        if (assay_slice_eq(g->query[i].text, text))
            return true;
    return false;
}

static bool add_tag(assay_golden *g, assay_query *q, const char *tag)
{
    assay_slice *item = ASSAY_ARENA_ARRAY(&g->arena, assay_slice, q->tags.n + 1u);

    for (uint32_t i = 0; item && i < q->tags.n; i++)
        item[i] = q->tags.item[i];
    if (!item)
        return false;
    item[q->tags.n] = assay_slice_of(tag);
    q->tags = (assay_strings){item, q->tags.n + 1};
    return true;
}

static assay_status add_variant(maker *m, uint32_t source, uint32_t kind, uint32_t number,
                                assay_slice text, assay_error *err)
{
    assay_golden *g = m->golden;
    assay_slice from = g->query[source].id;
    char *id = assay_arena_alloc(&g->arena, from.len + 40);
    assay_query *q;
    assay_status st;

    if (!id)
        return no_memory(err);
    snprintf(id, from.len + 40, "%.*s~%s%u", (int)from.len, from.ptr, kinds[kind].name,
             number + 1);
    st = assay_golden_add(g, assay_slice_of(id), 0, &q, err);
    if (st)
        return st;
    from = q->id;
    *q = g->query[source];
    q->id = from;
    q->line = 0;
    q->text = text;
    q->judgment = NULL;
    q->n_judgments = 0;
    for (uint32_t i = 0; i < g->query[source].n_judgments && !st; i++)
        st = assay_golden_judge(g, q, &g->query[source].judgment[i], err);
    return st || add_tag(g, q, kinds[kind].name) ? st : no_memory(err);
}

static assay_status vary(maker *m, const assay_perturb *how, uint32_t source,
                         assay_error *err)
{
    assay_golden *g = m->golden;
    uint32_t first = g->n_queries;
    bool is_any = false;
    assay_status st = ASSAY_OK;

    for (uint32_t k = 0; k < ASSAY_PERTURB_KINDS; k++)
        is_any |= how->kind[k];
    for (uint32_t k = 0; k < ASSAY_PERTURB_KINDS && !st; k++) {
        if (is_any && !how->kind[k])
            continue;
        seed(m, how, g->query[source].id, k);
        for (uint32_t i = 0; i < (how->n ? how->n : 1) && !st; i++) {
            letters l;
            assay_slice text;

            if (!read_letters(m, g->query[source].text, &l))
                return no_memory(err);
            kinds[k].change(m, &l, i);
            if (!write_letters(m, &l, &text))
                return no_memory(err);
            if (!is_known(g, first, source, text))
                st = add_variant(m, source, k, i, text, err);
        }
    }
    return st;
}

assay_status assay_golden_perturb(assay_golden *golden, const assay_perturb *how,
                                  uint32_t *n_made, assay_error *err)
{
    maker m = {golden, 0};
    uint32_t n = golden->n_queries;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < n && !st; i++) {
        if (golden->query[i].is_draft || !golden->query[i].text.len)
            continue;
        if (!golden->query[i].group.len)
            golden->query[i].group = golden->query[i].id;
        st = vary(&m, how, i, err);
    }
    if (!st)
        *n_made = golden->n_queries - n;
    return st ? st : assay_golden_finish(golden, err);
}
