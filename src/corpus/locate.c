/* SPDX-License-Identifier: Apache-2.0 */
/* The ladder, climbed by all quotes of a document together. */
#include "corpus/locate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/dict.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "corpus/locate_choose.h"
#include "corpus/locate_fold.h"
#include "corpus/locate_heading.h"
#include "corpus/locate_hunt.h"
#include "corpus/locate_place.h"
#include "corpus/locate_quotes.h"

enum { MOST_NAMED = 5 }; /* lines in a reason */

typedef struct work {
    const assay_document *doc;
    assay_slice text;
    assay_arena *arena;  /* for reasons */
    assay_quotes quotes; /* each different one once */
    uint8_t *rung;       /* by quote: that found it, or 0 */
    assay_folded folded;
    assay_catch caught;
    assay_placer placer;
    assay_headings headings;
    assay_span *place; /* of the quote at hand */
} work;

const char *assay_finding_name(assay_finding finding)
{
    static const char *const name[] = {"resolved", "moved", "ambiguous", "lost"};

    return name[finding];
}

const char *assay_rung_name(assay_rung rung)
{
    static const char *const name[] = {"none", "exact", "folded", "edited"};

    return name[rung];
}

/* ---- the ladder ---- */

/* One rung, or one stage of it, for the quotes that are not found yet. */
static bool climb(work *w, assay_rung rung, uint32_t stage)
{
    assay_slice text = rung == ASSAY_RUNG_EXACT ? w->text : assay_folded_view(&w->folded);
    uint32_t n = w->quotes.n;
    assay_hunt *hunt = assay_hunt_new(w->quotes.quote, n, w->rung, rung, stage, text);
    bool is_ok = hunt && assay_hunt_run(hunt, text, &w->caught);

    assay_hunt_free(hunt);
    for (uint32_t i = 0; i < n; i++)
        if (!w->rung[i] && w->caught.n[i] > 0)
            w->rung[i] = (uint8_t)rung;
    return is_ok;
}

static bool is_any_left(const work *w)
{
    for (uint32_t i = 0; i < w->quotes.n; i++)
        if (!w->rung[i])
            return true;
    return false;
}

static bool has_stage(const work *w, uint32_t stage)
{
    for (uint32_t i = 0; i < w->quotes.n; i++)
        if (!w->rung[i] && assay_hunt_has_stage(&w->quotes.quote[i], stage))
            return true;
    return false;
}

static bool climb_all(work *w)
{
    if (w->quotes.n == 0)
        return true;
    if (!climb(w, ASSAY_RUNG_EXACT, 0))
        return false;
    if (!is_any_left(w))
        return true;
    if (!assay_quotes_fold(&w->quotes, w->rung) ||
        !assay_folded_init(&w->folded, w->text) || !climb(w, ASSAY_RUNG_FOLDED, 0))
        return false;
    for (uint32_t stage = 0; stage < ASSAY_HUNT_STAGES; stage++)
        if (has_stage(w, stage) && !climb(w, ASSAY_RUNG_EDITED, stage))
            return false;
    return true;
}

/* ---- results ---- */

static void set_span(const work *w, assay_located *out, assay_span span)
{
    out->span = span;
    out->first_line = assay_placer_line(&w->placer, span.start);
    out->last_line = assay_placer_line(&w->placer, span.end - 1);
}

static bool set_reason(const work *w, assay_located *out, const char *text)
{
    out->reason = assay_arena_string(w->arena, assay_slice_of(text));
    return out->reason != NULL;
}

static bool set_lost(const work *w, assay_located *out, const char *why)
{
    *out = (assay_located){.finding = ASSAY_FOUND_LOST};
    return set_reason(w, out, why);
}

static bool set_moved(const work *w, assay_located *out, const assay_hint *hint)
{
    const char *reason;
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    assay_buffer_printf(&b, "given at %s, found at line", hint->name);
    if (out->first_line == out->last_line)
        assay_buffer_printf(&b, " %" PRIu64, out->first_line);
    else
        assay_buffer_printf(&b, "s %" PRIu64 "-%" PRIu64, out->first_line,
                            out->last_line);
    if (!hint->is_loose)
        assay_buffer_printf(&b, " (bytes %" PRIu64 "-%" PRIu64 ")", out->span.start,
                            out->span.end);
    reason = b.has_failed ? NULL : assay_arena_string(w->arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    out->reason = reason;
    return reason != NULL;
}

/* "stands 3 times, at lines 4, 10, 17": those of place[0..n) that the hint holds. */
static bool set_ambiguous(const work *w, assay_located *out, size_t n,
                          assay_choice choice, const assay_hint *hint)
{
    size_t n_at = choice.n_at;
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    size_t named = 0;
    const char *reason;

    assay_buffer_printf(&b, "stands %zu times%s", n_at,
                        n_at >= ASSAY_HUNT_MOST_PLACES ? " or more" : "");
    if (hint->is_given)
        assay_buffer_printf(&b, " at %s", hint->name);
    for (size_t i = 0; i < n && named < MOST_NAMED; i++) {
        if (hint->is_given && !assay_hint_holds(hint, w->place[i], choice.is_touching))
            continue;
        assay_buffer_printf(&b, "%s %" PRIu64, named++ ? "," : ": lines",
                            assay_placer_line(&w->placer, w->place[i].start));
    }
    if (named < n_at)
        assay_buffer_text(&b, ", ...");
    reason = b.has_failed ? NULL : assay_arena_string(w->arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    out->reason = reason;
    return reason != NULL;
}

static bool set_not_found(const work *w, assay_located *out, const assay_hunted *quote)
{
    char text[120];

    if (quote->folded.len == 0)
        return set_lost(w, out, "the quote is blank");
    if (quote->most > 0)
        snprintf(text, sizeof text,
                 "not in the document, not even with %" PRIu32 " edit%s in %" PRIu32
                 " characters",
                 quote->most, quote->most == 1 ? "" : "s", quote->length);
    else if (quote->length < ASSAY_HUNT_SHARE)
        snprintf(text, sizeof text,
                 "not in the document; edits are allowed from %d characters on",
                 ASSAY_HUNT_SHARE);
    else
        snprintf(text, sizeof text,
                 "not in the document; edits are allowed up to %d characters",
                 ASSAY_HUNT_MOST_LENGTH);
    return set_lost(w, out, text);
}

/* The places of a quote, as bytes of the document, into w->place. */
static size_t gather(work *w, uint32_t number, const assay_hint *hint)
{
    const assay_hunted *quote = &w->quotes.quote[number];
    bool is_exact = w->rung[number] == ASSAY_RUNG_EXACT;
    size_t n = assay_catch_places(&w->caught, number, w->place);

    if (n == ASSAY_HUNT_MOST_PLACES && hint->is_given &&
        w->rung[number] != ASSAY_RUNG_EDITED) {
        assay_span around = hint->span;

        if (!is_exact)
            around = (assay_span){assay_folded_find(&w->folded, (size_t)around.start),
                                  assay_folded_find(&w->folded, (size_t)around.end)};
        n = assay_choose_near(is_exact ? w->text : assay_folded_view(&w->folded),
                              is_exact ? quote->quote : quote->folded, around, w->place,
                              n);
    }
    for (size_t i = 0; i < n && !is_exact; i++)
        w->place[i] = assay_folded_source(&w->folded, (size_t)w->place[i].start,
                                          (size_t)w->place[i].end);
    return n;
}

static bool set_quote(work *w, uint32_t number, const assay_hint *hint,
                      assay_located *out)
{
    assay_choice choice;
    size_t n;

    if (!w->rung[number])
        return set_not_found(w, out, &w->quotes.quote[number]);
    n = gather(w, number, hint);
    choice = assay_choose(w->place, n, hint);
    *out = (assay_located){.finding = choice.finding,
                           .rung = (assay_rung)w->rung[number],
                           .n_places = w->caught.n[number]};
    if (out->rung == ASSAY_RUNG_EDITED)
        out->distance = w->caught.distance[number];
    set_span(w, out, w->place[choice.place]);
    if (choice.finding == ASSAY_FOUND_MOVED)
        return set_moved(w, out, hint);
    if (choice.finding == ASSAY_FOUND_AMBIGUOUS)
        return set_ambiguous(w, out, n, choice, hint);
    return true;
}

/* ---- places and headings ---- */

static bool set_place(work *w, const assay_sought *s, assay_located *out)
{
    assay_span span;
    bool is_inside;

    if (!assay_placer_span(&w->placer, s->place, s->where, &span, &is_inside))
        return false;
    if (!is_inside) {
        *out = (assay_located){.finding = ASSAY_FOUND_LOST};
        out->reason = assay_placer_reason(&w->placer, s->place, s->where, w->arena);
        return out->reason != NULL;
    }
    *out = (assay_located){.finding = ASSAY_FOUND_RESOLVED, .n_places = 1};
    set_span(w, out, span);
    return true;
}

static bool set_heading(work *w, const assay_sought *s, assay_located *out)
{
    const assay_hint none = {.is_given = false};
    assay_choice choice;
    char text[160];
    size_t n;

    if (!assay_headings_match(&w->headings, w->doc, s->heading, w->place,
                              ASSAY_HUNT_MOST_PLACES, &n))
        return false;
    if (n == 0) {
        snprintf(text, sizeof text, "no heading '%.*s'", ASSAY_QUOTE(s->heading));
        return set_lost(w, out, text);
    }
    choice = assay_choose(w->place, n, &none);
    *out = (assay_located){.finding = choice.finding, .n_places = (uint32_t)n};
    set_span(w, out, w->place[0]);
    return n == 1 || set_ambiguous(w, out, n, choice, &none);
}

/* The hint that comes with a quote: its place, else its heading where there is one. */
static bool make_hint(work *w, const assay_sought *s, assay_hint *hint)
{
    bool is_inside;
    size_t n;

    *hint = (assay_hint){.is_given = false};
    if (s->place != ASSAY_PLACE_NONE) {
        hint->is_given = true;
        hint->is_loose = s->place == ASSAY_PLACE_LINES;
        assay_placer_name(s->place, s->where, hint->name, sizeof hint->name);
        return assay_placer_span(&w->placer, s->place, s->where, &hint->span, &is_inside);
    }
    if (s->heading.len == 0)
        return true;
    if (!assay_headings_match(&w->headings, w->doc, s->heading, w->place,
                              ASSAY_HUNT_MOST_PLACES, &n))
        return false;
    if (n == 1) {
        hint->is_given = true;
        hint->is_loose = true;
        hint->span = w->place[0];
        snprintf(hint->name, sizeof hint->name, "'%.*s'", ASSAY_QUOTE(s->heading));
    }
    return true;
}

static bool resolve(work *w, const assay_sought *s, uint32_t quote, assay_located *out)
{
    assay_hint hint;

    if (s->quote.len > 0)
        return make_hint(w, s, &hint) && set_quote(w, quote, &hint, out);
    if (s->place != ASSAY_PLACE_NONE)
        return set_place(w, s, out);
    if (s->heading.len > 0)
        return set_heading(w, s, out);
    return set_lost(w, out, "nothing to look for");
}

/* ---- all together ---- */

static bool locate_all(work *w, const assay_sought *sought, size_t n, uint32_t *which,
                       assay_located *located)
{
    for (size_t i = 0; i < n; i++)
        if (sought[i].quote.len > 0 &&
            !assay_quotes_add(&w->quotes, sought[i].quote, &which[i]))
            return false;
    w->rung = ASSAY_NEW_ARRAY(uint8_t, w->quotes.n);
    w->place = ASSAY_NEW_ARRAY(assay_span, ASSAY_HUNT_MOST_PLACES);
    if (!w->rung || !w->place || !assay_placer_init(&w->placer, w->text) ||
        !assay_catch_init(&w->caught, w->quotes.n) || !climb_all(w))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!resolve(w, &sought[i], which[i], &located[i]))
            return false;
    return true;
}

assay_status assay_locate(const assay_document *doc, const assay_sought *sought, size_t n,
                          assay_located *located, assay_arena *arena, assay_error *err)
{
    assay_document whole = *doc;
    work w = {.doc = &whole, .arena = arena};
    uint32_t *which = ASSAY_NEW_ARRAY(uint32_t, n);
    bool is_ok;

    if (!whole.text.ptr)
        whole.text = ASSAY_LIT("");
    w.text = whole.text;
    is_ok = which && locate_all(&w, sought, n, which, located);
    assay_mem_free(which);
    assay_mem_free(w.rung);
    assay_mem_free(w.place);
    assay_headings_clear(&w.headings);
    assay_placer_clear(&w.placer);
    assay_catch_clear(&w.caught);
    assay_folded_clear(&w.folded);
    assay_quotes_clear(&w.quotes);
    return is_ok ? ASSAY_OK : assay_fail_memory(err, "finding evidence in a document");
}
