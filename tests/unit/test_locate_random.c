/* SPDX-License-Identifier: Apache-2.0 */
/* Anchors over random texts, against plain versions of the same. */
#include "base/buffer.h"
#include "base/mem.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "corpus/locate.h"
#include "corpus/locate_edit.h"
#include "corpus/locate_fold.h"
#include "corpus/locate_hunt.h"
#include "corpus/locate_search.h"
#include "testing.h"

static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % below;
}

/* ---- random texts ---- */

/* Latin, composed and decomposed; Hangul in syllables and jamo; Han; emoji; marks. */
static const char *const letters[] = {
    "a",
    "b",
    "c",
    "A",
    "B",
    "s",
    "-",
    ".",
    "1",
    " ",
    " ",
    "\n",
    "\t",
    "\r\n",
    "\xC3\xA9",
    "e\xCC\x81",
    "\xC3\x89",
    "\xC3\x9F",
    "\xC4\xB0",
    "\xCF\x82",
    "\xED\x95\x9C",
    "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB",
    "\xEA\xB8\x80",
    "\xEA\xB0\x80",
    "\xE6\xBC\xA2",
    "\xE5\xAD\x97",
    "\xE3\x81\x8B\xE3\x82\x99",
    "\xE3\x81\x8C",
    "\xF0\x9F\x98\x80",
    "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB",
    "\xC2\xAD",
    "\xE2\x80\x8B",
    "\xE2\x80\x99",
    "\xE2\x80\x94",
    "\xE2\x80\xA6",
    "\xEF\xAC\x81",
    "\xCC\xA3\xCC\x81",
    "\xE1\x84\x80",
    "\xE1\x86\xA8",
    "\xC2\xA0",
    "-\n",
    "\xCC\x88",
};

static void random_text(assay_buffer *out, uint32_t n_letters, uint32_t n_kinds)
{
    out->len = 0;
    for (uint32_t i = 0; i < n_letters; i++)
        assay_buffer_text(out, letters[draw(n_kinds)]);
}

/* A random part of well-formed text, at code points; not empty when the text is not. */
static assay_span random_part(assay_slice text, uint32_t most)
{
    size_t start = draw((uint32_t)text.len);
    size_t end;

    while (((unsigned char)text.ptr[start] & 0xC0) == 0x80)
        start--;
    end = start + 1 + draw(most);
    if (end > text.len)
        end = text.len;
    while (end < text.len && ((unsigned char)text.ptr[end] & 0xC0) == 0x80)
        end++;
    return (assay_span){start, end};
}

static assay_slice part(assay_slice text, assay_span span)
{
    return (assay_slice){text.ptr + span.start, (size_t)(span.end - span.start)};
}

static assay_slice trimmed(const assay_folded *f)
{
    assay_slice s = assay_folded_view(f);

    if (s.len > 0 && s.ptr[s.len - 1] == ' ')
        s.len--;
    if (s.len > 0 && s.ptr[0] == ' ')
        return (assay_slice){s.ptr + 1, s.len - 1};
    return s;
}

/* ---- plain edit distance ---- */

static size_t codes(assay_slice s, uint32_t *out)
{
    size_t n = 0;

    while (s.len > 0) {
        size_t step = assay_edit_step(s);

        out[n] = 0;
        memcpy(&out[n++], s.ptr, step);
        s.ptr += step;
        s.len -= step;
    }
    return n;
}

/* Least distance of `pattern` to a part of `text`: to all of it when neither end is free. */
static uint32_t plain_distance(assay_slice pattern, assay_slice text, bool is_start_free,
                               bool is_end_free)
{
    static uint32_t p[2048];
    static uint32_t t[2048];
    static uint32_t row[2][2049];
    size_t m = codes(pattern, p);
    size_t n = codes(text, t);
    uint32_t best = UINT32_MAX;

    for (size_t j = 0; j <= n; j++)
        row[0][j] = is_start_free ? 0 : (uint32_t)j;
    for (size_t i = 1; i <= m; i++) {
        uint32_t *now = row[i % 2];
        const uint32_t *old = row[(i + 1) % 2];

        now[0] = (uint32_t)i;
        for (size_t j = 1; j <= n; j++) {
            uint32_t least = old[j - 1] + (p[i - 1] != t[j - 1]);

            if (old[j] + 1 < least)
                least = old[j] + 1;
            if (now[j - 1] + 1 < least)
                least = now[j - 1] + 1;
            now[j] = least;
        }
    }
    if (!is_end_free)
        return row[m % 2][n];
    for (size_t j = 0; j <= n; j++)
        if (row[m % 2][j] < best)
            best = row[m % 2][j];
    return best;
}

/* ---- folding ---- */

TEST(folding_does_not_depend_on_where_it_is_resumed)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    state = 1;
    for (int round = 0; round < 300; round++) {
        assay_folded f;

        random_text(&text, 1 + draw(600), ASSAY_COUNT(letters));
        CHECK(assay_folded_init(&f, assay_buffer_view(&text)));
        for (int i = 0; i < 20 && f.len > 0; i++) {
            assay_span at = random_part(assay_folded_view(&f), 40);
            assay_span source = assay_folded_source(&f, (size_t)at.start, (size_t)at.end);
            assay_folded again;
            assay_slice want = part(assay_folded_view(&f), at);

            CHECK(source.start < source.end && source.end <= text.len);
            CHECK(assay_fold_is_boundary(f.source, (size_t)source.start));
            CHECK(assay_fold_is_boundary(f.source, (size_t)source.end));
            /* The part of the source folds to the part of the folded text: to more only
             * where a letter became several. */
            CHECK(assay_folded_init(&again, part(f.source, source)));
            CHECK(again.len >= want.len && again.len <= want.len + 16);
            CHECK(assay_folded_find(&f, (size_t)source.start) <= at.start);
            assay_folded_clear(&again);
        }
        assay_folded_clear(&f);
    }
    assay_buffer_clear(&text);
}

TEST(every_byte_of_a_folded_text_leads_back_in_order)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    state = 2;
    for (int round = 0; round < 100; round++) {
        assay_span last = {0, 0};
        assay_folded f;

        random_text(&text, 1 + draw(300), ASSAY_COUNT(letters));
        CHECK(assay_folded_init(&f, assay_buffer_view(&text)));
        for (size_t i = 0; i < f.len; i++) {
            assay_span now = assay_folded_source(&f, i, i + 1);

            /* the same unit, or one behind it */
            CHECK((now.start == last.start && now.end == last.end) ||
                  now.start >= last.end);
            last = now;
        }
        assay_folded_clear(&f);
    }
    assay_buffer_clear(&text);
}

TEST(a_folded_text_folds_to_itself)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    state = 3;
    for (int round = 0; round < 500; round++) {
        assay_folded once;
        assay_folded twice;

        random_text(&text, draw(200), ASSAY_COUNT(letters));
        CHECK(assay_folded_init(&once, assay_buffer_view(&text)));
        CHECK(assay_folded_init(&twice, assay_folded_view(&once)));
        CHECK(assay_slice_eq(assay_folded_view(&once), assay_folded_view(&twice)));
        assay_folded_clear(&once);
        assay_folded_clear(&twice);
    }
    assay_buffer_clear(&text);
}

/* ---- many needles ---- */

typedef struct tally {
    assay_slice text;
    const assay_slice *needle;
    uint32_t n[64];
    size_t next[64]; /* no place before this */
} tally;

static bool on_needle(void *ctx, uint32_t needle, size_t at)
{
    tally *t = ctx;

    CHECK(at >= t->next[needle]);
    CHECK(at + t->needle[needle].len <= t->text.len);
    CHECK(memcmp(t->text.ptr + at, t->needle[needle].ptr, t->needle[needle].len) == 0);
    t->next[needle] = at + 1;
    t->n[needle]++;
    return true;
}

TEST(all_occurrences_of_all_needles_are_found_in_order)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    state = 4;
    for (int round = 0; round < 400; round++) {
        assay_slice needle[64];
        uint32_t n = 1 + draw(64);
        tally t = {.needle = needle};
        assay_needles *set;

        random_text(&text, 1 + draw(200), 2 + draw(4));
        t.text = assay_buffer_view(&text);
        for (uint32_t i = 0; i < n; i++)
            needle[i] = part(t.text, random_part(t.text, 30));
        set = assay_needles_new(needle, NULL, NULL, n);
        CHECK(set != NULL);
        CHECK(assay_needles_search(set, t.text, NULL, on_needle, &t));
        for (uint32_t i = 0; i < n; i++) {
            uint32_t want = 0;

            for (size_t at = 0; at + needle[i].len <= t.text.len; at++)
                want += memcmp(t.text.ptr + at, needle[i].ptr, needle[i].len) == 0;
            CHECK_INT(t.n[i], want);
        }
        assay_needles_free(set);
    }
    assay_buffer_clear(&text);
}

/* ---- edits ---- */

TEST(the_edit_search_finds_the_least_distance)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_buffer pattern = ASSAY_BUFFER_EMPTY;
    assay_edit e = {0};

    state = 5;
    for (int round = 0; round < 2000; round++) {
        uint32_t kinds = round % 2 ? 4 : (uint32_t)ASSAY_COUNT(letters);
        assay_slice t;
        assay_slice p;
        uint32_t want;

        random_text(&text, draw(200), kinds);
        random_text(&pattern, 1 + draw(round % 10 ? 40 : 200), kinds);
        t = assay_buffer_view(&text);
        p = assay_buffer_view(&pattern);
        want = plain_distance(p, t, true, true);
        CHECK(assay_edit_search(&e, p, t, want));
        /* An empty part may be the best; then there is no place. */
        if (want == assay_edit_length(p))
            continue;
        CHECK_INT(e.distance, want);
        CHECK(e.n_places > 0);
        for (size_t i = 0; i < e.n_places; i++) {
            CHECK(i == 0 || e.place[i].start >= e.place[i - 1].end);
            CHECK_INT(plain_distance(p, part(t, e.place[i]), false, false), want);
        }
        if (want > 0) {
            CHECK(assay_edit_search(&e, p, t, want - 1));
            CHECK_INT(e.n_places, 0);
        }
    }
    assay_edit_clear(&e);
    assay_buffer_clear(&text);
    assay_buffer_clear(&pattern);
}

TEST(edits_ahead_and_behind_are_those_of_the_plain_matrix)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_buffer pattern = ASSAY_BUFFER_EMPTY;

    state = 6;
    for (int round = 0; round < 4000; round++) {
        uint32_t kinds = round % 2 ? 3 : (uint32_t)ASSAY_COUNT(letters);
        uint32_t most = draw(ASSAY_EDIT_NEAR + 1);
        assay_slice t;
        assay_slice p;
        uint32_t want;

        random_text(&text, draw(30), kinds);
        random_text(&pattern, draw(15), kinds);
        t = assay_buffer_view(&text);
        p = assay_buffer_view(&pattern);
        want = plain_distance(p, t, false, true);
        CHECK_INT(assay_edit_ahead(p, t, most), want <= most ? want : most + 1);
        want = plain_distance(p, t, true, false);
        CHECK_INT(assay_edit_behind(p, t, most), want <= most ? want : most + 1);
    }
    assay_buffer_clear(&text);
    assay_buffer_clear(&pattern);
}

/* ---- the whole ladder ---- */

static assay_located find(assay_slice text, assay_slice quote, assay_arena *arena)
{
    assay_document doc = {.id = ASSAY_LIT("d"), .text = text};
    assay_sought sought = {.quote = quote};
    assay_located out;

    CHECK_INT(assay_locate(&doc, &sought, 1, &out, arena, NULL), ASSAY_OK);
    return out;
}

static bool is_blank(assay_slice quote)
{
    assay_folded f;
    bool is_it;

    CHECK(assay_folded_init(&f, quote));
    is_it = trimmed(&f).len == 0;
    assay_folded_clear(&f);
    return is_it;
}

TEST(a_part_of_a_text_is_found_where_the_text_equals_it)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_arena arena = ASSAY_ARENA_EMPTY;

    state = 7;
    for (int round = 0; round < 3000; round++) {
        assay_slice t;
        assay_slice quote;
        assay_span truth;
        assay_located l;

        random_text(&text, 1 + draw(300), 2 + draw(ASSAY_COUNT(letters) - 1));
        t = assay_buffer_view(&text);
        truth = random_part(t, 80);
        quote = part(t, truth);
        l = find(t, quote, &arena);
        CHECK_INT(l.rung, ASSAY_RUNG_EXACT);
        CHECK(assay_slice_eq(part(t, l.span), quote));
        if (l.finding == ASSAY_FOUND_RESOLVED)
            CHECK_INT(l.span.start, truth.start);
        else
            CHECK_INT(l.finding, ASSAY_FOUND_AMBIGUOUS);
        assay_arena_reset(&arena);
    }
    assay_arena_clear(&arena);
    assay_buffer_clear(&text);
}

/* The quote with `n_edits` code points replaced, dropped or added. */
static void edit_quote(assay_buffer *quote, uint32_t n_edits)
{
    for (uint32_t i = 0; i < n_edits && quote->len > 0; i++) {
        assay_slice s = assay_buffer_view(quote);
        assay_span at = random_part(s, 1);
        assay_buffer made = ASSAY_BUFFER_EMPTY;
        uint32_t kind = draw(3);

        assay_buffer_add(&made, s.ptr, (size_t)at.start);
        if (kind != 0)
            assay_buffer_text(&made, letters[draw(ASSAY_COUNT(letters))]);
        if (kind == 2)
            at.end = at.start;
        assay_buffer_add(&made, s.ptr + at.end, s.len - (size_t)at.end);
        assay_buffer_clear(quote);
        *quote = made;
    }
}

/* What the ladder says of the quote, against the plain distance of the folded texts. */
static void check_edited(assay_slice text, assay_slice quote, assay_arena *arena)
{
    assay_located l = find(text, quote, arena);
    assay_folded ft;
    assay_folded fq;
    assay_folded fp;
    uint32_t want;
    uint32_t most;

    CHECK(assay_folded_init(&ft, text) && assay_folded_init(&fq, quote));
    want = plain_distance(trimmed(&fq), assay_folded_view(&ft), true, true);
    most = (uint32_t)assay_edit_length(trimmed(&fq)) / ASSAY_HUNT_SHARE;
    if (l.rung == ASSAY_RUNG_EXACT || l.rung == ASSAY_RUNG_FOLDED) {
        CHECK(want == 0 || l.rung == ASSAY_RUNG_EXACT);
    } else if (want > most) {
        CHECK_INT(l.finding, ASSAY_FOUND_LOST);
    } else {
        CHECK_INT(l.rung, ASSAY_RUNG_EDITED);
        CHECK_INT(l.distance, want);
        /* The place has that distance; letters taken whole may add a little. */
        CHECK(assay_folded_init(&fp, part(text, l.span)));
        CHECK(plain_distance(trimmed(&fq), trimmed(&fp), true, true) <= want + 2);
        assay_folded_clear(&fp);
    }
    assay_folded_clear(&ft);
    assay_folded_clear(&fq);
}

TEST(edited_quotes_are_found_with_the_distance_of_the_plain_matrix)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_buffer quote = ASSAY_BUFFER_EMPTY;
    assay_arena arena = ASSAY_ARENA_EMPTY;

    state = 8;
    for (int round = 0; round < 4000; round++) {
        assay_slice t;
        assay_slice q;

        random_text(&text, 20 + draw(500), 3 + draw(ASSAY_COUNT(letters) - 2));
        t = assay_buffer_view(&text);
        q = part(t, random_part(t, 10 + draw(round % 5 ? 100 : 900)));
        quote.len = 0;
        assay_buffer_slice(&quote, q);
        edit_quote(&quote, draw(2 + (uint32_t)q.len / 12));
        if (!is_blank(assay_buffer_view(&quote)))
            check_edited(t, assay_buffer_view(&quote), &arena);
        assay_arena_reset(&arena);
    }
    assay_arena_clear(&arena);
    assay_buffer_clear(&text);
    assay_buffer_clear(&quote);
}

/* Words, so that there is one true place. */
static void random_words(assay_buffer *out, uint32_t n_words)
{
    out->len = 0;
    for (uint32_t i = 0; i < n_words; i++) {
        for (uint32_t k = 0; k < 2 + draw(8); k++) {
            if (i % 5 == 4) { /* a word in Hangul */
                char syllable[4];
                size_t len = assay_utf8_put(0xAC00 + draw(11172), syllable);

                assay_buffer_add(out, syllable, len);
            } else {
                assay_buffer_char(out, (char)('a' + draw(26)));
            }
        }
        assay_buffer_char(out, draw(8) ? ' ' : '\n');
    }
}

TEST(a_quote_with_a_few_edits_is_found_near_the_truth)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_buffer quote = ASSAY_BUFFER_EMPTY;
    assay_arena arena = ASSAY_ARENA_EMPTY;

    state = 9;
    for (int round = 0; round < 500; round++) {
        assay_slice t;
        assay_span truth;
        assay_span both;
        assay_located l;

        random_words(&text, 300);
        t = assay_buffer_view(&text);
        do
            truth = random_part(t, 400);
        while (truth.end - truth.start < 60);
        quote.len = 0;
        assay_buffer_slice(&quote, part(t, truth));
        /* An edit here may be two or three code points; these are far below a tenth. */
        edit_quote(&quote, 1 + (uint32_t)quote.len / 100);
        l = find(t, assay_buffer_view(&quote), &arena);
        CHECK_INT(l.finding, ASSAY_FOUND_RESOLVED);
        both.start = l.span.start > truth.start ? l.span.start : truth.start;
        both.end = l.span.end < truth.end ? l.span.end : truth.end;
        CHECK(both.start < both.end);
        CHECK((both.end - both.start) * 100 >= (truth.end - truth.start) * 90);
        CHECK((both.end - both.start) * 100 >= (l.span.end - l.span.start) * 90);
        assay_arena_reset(&arena);
    }
    assay_arena_clear(&arena);
    assay_buffer_clear(&text);
    assay_buffer_clear(&quote);
}
