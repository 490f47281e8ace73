/* SPDX-License-Identifier: Apache-2.0 */
/* What became of a query, in one word and a note.
 *
 *     a       b       kind        note
 *     none    r       win
 *     r       none    regression  hit→miss
 *     equal   equal   draw        which judgments were lost and found, where they differ
 *     worse   better  win         rank 7→2
 *     better  worse   loss        rank 2→7
 *     none    none    draw        why, where there is a reason
 *
 * A note goes on, after a semicolon, with what the ranks do not show: a hit beyond the
 * depth, a query that failed or is not in a run, a judgment that was lost although the
 * query hit. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/mem.h"
#include "base/slice.h"
#include "compare/compare.h"

enum { NAMED_MOST = 3, QUOTE_MOST = 40 };

const char *assay_kind_word(assay_kind kind)
{
    static const char *const word[] = {"draw", "win", "loss", "regression"};

    return word[kind];
}

static assay_kind kind_of(uint32_t a, uint32_t b)
{
    if (a == b)
        return ASSAY_KIND_DRAW;
    if (!a)
        return ASSAY_KIND_WIN;
    if (!b)
        return ASSAY_KIND_REGRESSION;
    return b < a ? ASSAY_KIND_WIN : ASSAY_KIND_LOSS;
}

/* ---- names of judgments ---- */

/* At most QUOTE_MOST bytes, cut where a character ends, on one line. */
static void put_quote(assay_buffer *b, assay_slice quote)
{
    size_t len = quote.len < QUOTE_MOST ? quote.len : QUOTE_MOST;

    while (len < quote.len && len && ((unsigned char)quote.ptr[len] & 0xC0) == 0x80)
        len--;
    assay_buffer_text(b, " \"");
    for (size_t i = 0; i < len; i++)
        assay_buffer_char(b, (unsigned char)quote.ptr[i] < ' ' ? ' ' : quote.ptr[i]);
    assay_buffer_text(b, len < quote.len ? "…\"" : "\"");
}

bool assay_judgment_name(const assay_golden *golden, const assay_judgment *j,
                         assay_level level, assay_arena *arena, assay_slice *out)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    bool by_chunk =
        j->chunk != ASSAY_NONE && (level != ASSAY_LEVEL_DOC || j->doc == ASSAY_NONE);

    if (by_chunk)
        assay_buffer_slice(&b, golden->chunks.word[j->chunk]);
    else if (j->doc != ASSAY_NONE)
        assay_buffer_slice(&b, golden->docs.word[j->doc]);
    if (!by_chunk && level == ASSAY_LEVEL_EVIDENCE) {
        if (j->quote.len)
            put_quote(&b, j->quote);
        else if (j->n_spans)
            assay_buffer_printf(&b, " [%llu, %llu)", (unsigned long long)j->span[0].start,
                                (unsigned long long)j->span[j->n_spans - 1].end);
    }
    *out = assay_arena_copy(arena, assay_buffer_view(&b));
    if (b.has_failed)
        out->ptr = NULL;
    assay_buffer_clear(&b);
    return out->ptr != NULL;
}

/* ---- judgments lost and found ---- */

typedef struct classifier {
    const assay_golden *golden;
    const assay_query *query;
    const assay_found *a;
    const assay_found *b;
    const assay_classify_rules *rules;
    assay_arena *arena;
    assay_query_change *out;
    assay_buffer note;
} classifier;

static uint32_t within(const classifier *c, uint32_t rank)
{
    return c->rules->depth && rank > c->rules->depth ? 0 : rank;
}

static bool has_found(const classifier *c, const assay_found *f, uint32_t judgment)
{
    return f->rank && within(c, f->rank[judgment]);
}

/* Names of the judgments that `one` found and `other` did not, each once. */
static bool list_missed(const classifier *c, const assay_found *one,
                        const assay_found *other, assay_slice **out, uint32_t *n)
{
    *n = 0;
    *out = NULL;
    for (uint32_t i = 0; one->rank && i < c->query->n_judgments; i++) {
        assay_slice name;
        uint32_t j = 0;

        if (!has_found(c, one, i) || has_found(c, other, i))
            continue;
        if (!*out)
            *out = ASSAY_ARENA_ARRAY(c->arena, assay_slice, c->query->n_judgments);
        if (!*out || !assay_judgment_name(c->golden, &c->query->judgment[i],
                                          c->rules->level, c->arena, &name))
            return false;
        while (j < *n && !assay_slice_eq((*out)[j], name))
            j++;
        if (j == *n)
            (*out)[(*n)++] = name;
    }
    return true;
}

/* ---- the note ---- */

static void put_separator(classifier *c)
{
    if (c->note.len)
        assay_buffer_text(&c->note, "; ");
}

/* Between backticks, so that none may stand within. */
static void put_name(assay_buffer *b, assay_slice name)
{
    assay_buffer_char(b, '`');
    for (size_t i = 0; i < name.len; i++)
        assay_buffer_char(b, (char)(name.ptr[i] == '`' ? '\'' : name.ptr[i]));
    assay_buffer_char(b, '`');
}

static void put_names(classifier *c, const assay_slice *name, uint32_t n,
                      const char *words)
{
    for (uint32_t i = 0; i < n && i < NAMED_MOST; i++) {
        assay_buffer_text(&c->note, i ? ", " : "");
        put_name(&c->note, name[i]);
    }
    if (n > NAMED_MOST)
        assay_buffer_printf(&c->note, " and %u more", n - NAMED_MOST);
    assay_buffer_printf(&c->note, " %s", words);
}

/* What a first rank hides: of a draw all that changed, of the others what was lost. */
static void note_judgments(classifier *c)
{
    const assay_query_change *o = c->out;
    bool is_draw = o->kind == ASSAY_KIND_DRAW;

    if (!o->rank_a || !o->rank_b || (!o->n_lost && !(is_draw && o->n_found)))
        return;
    put_separator(c);
    if (o->n_lost)
        put_names(c, o->lost, o->n_lost, "lost");
    if (is_draw && o->n_found) {
        if (o->n_lost)
            assay_buffer_text(&c->note, ", ");
        put_names(c, o->found, o->n_found, "found");
    }
}

static void note_ranks(classifier *c)
{
    const assay_query_change *o = c->out;

    if (o->kind == ASSAY_KIND_REGRESSION)
        assay_buffer_text(&c->note, "hit→miss");
    else if (o->rank_a && o->rank_b && o->rank_a != o->rank_b)
        assay_buffer_printf(&c->note, "rank %u→%u", o->rank_a, o->rank_b);
}

static void note_deeper(classifier *c)
{
    const assay_found *side[] = {c->a, c->b};
    const char *name[] = {c->rules->a, c->rules->b};
    uint32_t n = 0;

    for (size_t i = 0; i < 2; i++) {
        if (!side[i]->first || within(c, side[i]->first))
            continue;
        if (!n)
            put_separator(c);
        assay_buffer_printf(&c->note, "%s%s at rank %u", n ? ", " : "", name[i],
                            side[i]->first);
        n++;
    }
    if (n)
        assay_buffer_printf(&c->note, ", beyond the depth of %u", c->rules->depth);
}

static void note_states(classifier *c)
{
    const assay_found *side[] = {c->a, c->b};
    const char *name[] = {c->rules->a, c->rules->b};

    if (c->a->is_missing && c->b->is_missing) {
        put_separator(c);
        assay_buffer_printf(&c->note, "neither in run %s nor in run %s", name[0],
                            name[1]);
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        assay_slice error = side[i]->error;

        if (!side[i]->is_missing && !side[i]->is_failed)
            continue;
        put_separator(c);
        assay_buffer_printf(&c->note, "%s run %s",
                            side[i]->is_missing ? "not in" : "failed in", name[i]);
        if (side[i]->is_failed && error.len)
            assay_buffer_printf(&c->note, ": %.*s", ASSAY_QUOTE(error));
    }
}

/* Why nothing could be found at all; null = it could. */
static const char *why_unjudged(const classifier *c)
{
    static const char *const by_label[] = {
        "not labelled at this level", "not labelled", "not labelled: should refuse",
        "not labelled: nothing relevant exists", "not labelled: its judgments are stale"};

    return c->a->is_judged || c->b->is_judged ? NULL : by_label[c->query->label];
}

static void write_note(classifier *c)
{
    const char *why = why_unjudged(c);

    note_ranks(c);
    if (c->rules->is_plain)
        return;
    if (why) {
        put_separator(c);
        assay_buffer_text(&c->note, why);
    }
    note_deeper(c);
    note_states(c);
    note_judgments(c);
}

bool assay_classify(const assay_golden *golden, const assay_query *query,
                    const assay_found *a, const assay_found *b,
                    const assay_classify_rules *rules, assay_arena *arena,
                    assay_query_change *out)
{
    classifier c = {golden, query, a, b, rules, arena, out, ASSAY_BUFFER_EMPTY};

    *out = (assay_query_change){.id = query->id,
                                .text = query->text,
                                .rank_a = within(&c, a->first),
                                .rank_b = within(&c, b->first)};
    out->kind = kind_of(out->rank_a, out->rank_b);
    if (!list_missed(&c, a, b, &out->lost, &out->n_lost) ||
        !list_missed(&c, b, a, &out->found, &out->n_found))
        return false;
    write_note(&c);
    out->note = assay_arena_string(arena, assay_buffer_view(&c.note));
    if (c.note.has_failed)
        out->note = NULL;
    assay_buffer_clear(&c.note);
    return out->note != NULL;
}
