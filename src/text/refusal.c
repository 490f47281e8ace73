/* SPDX-License-Identifier: Apache-2.0 */
/* Refusal phrases.
 *
 * A phrase alone proves little: "the message 'I don't know' means ..." is an answer.  So
 * each rule says where in its sentence the phrase must stand, which depends on where the
 * language puts its main verb: English and Chinese near the beginning, Korean and
 * Japanese at the end.  The sentence must be the first one, or most of a short answer;
 * and nothing may follow that takes the refusal back ("but the policy says 30 days").
 *
 * A rule is up to three parts that follow each other within a few bytes; a part is a list
 * of alternatives.  All text is folded: lower case, narrow forms, single blanks. */
#include "text/refusal.h"

#include <string.h>

#include "base/compiler.h"
#include "base/slice.h"
#include "text/refusal_phrases.h"

enum {
    NEAR_BYTES = 100,  /* a NEAR phrase begins within so many bytes of its sentence */
    TAIL_BYTES = 30,   /* what may stand behind an END phrase: endings, ten characters */
    SHORT_BYTES = 240, /* a short answer */
    REST_BYTES = 300,  /* more than this behind the refusal is an answer after all */
    AFTER_BYTES = 20,  /* less than this behind a "but" takes nothing back */
    LONG_BYTES = 600   /* nobody refuses in a sentence of more */
};

/* ---- matching ---- */

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Length of `s` at which the pattern ends, or 0.  ' also stands for U+2019. */
static size_t match_here(assay_slice s, const char *pattern, size_t len)
{
    static const char quote[] = "\xE2\x80\x99";
    size_t at = 0;

    for (size_t i = 0; i < len; i++) {
        if (at < s.len && s.ptr[at] == pattern[i])
            at++;
        else if (pattern[i] == '\'' && s.len - at >= 3 &&
                 memcmp(s.ptr + at, quote, 3) == 0)
            at += 3;
        else
            return 0;
    }
    /* A Latin word ends where no letter follows; other scripts need no blanks. */
    if (at && at < s.len && is_word_byte(s.ptr[at - 1]) && is_word_byte(s.ptr[at]))
        return 0;
    return at;
}

/* Length of the longest alternative that `s` begins with, or 0. */
static size_t match_any(assay_slice s, const char *list)
{
    size_t best = 0;

    for (const char *p = list; *p;) {
        size_t len = strcspn(p, "|");
        size_t got = match_here(s, p, len);

        best = got > best ? got : best;
        p += len + (p[len] == '|');
    }
    return best;
}

static assay_slice from(assay_slice s, size_t at)
{
    return (assay_slice){s.ptr + at, s.len - at};
}

/* First place at or behind `at`, and at most at `last`, where an alternative stands; its
 * length in *len.  s.len when there is none. */
static size_t find_any(assay_slice s, size_t at, size_t last, const char *list,
                       size_t *len)
{
    for (; at < s.len && at <= last; at++) {
        if (at && is_word_byte(s.ptr[at]) && is_word_byte(s.ptr[at - 1]))
            continue;
        *len = match_any(from(s, at), list);
        if (*len)
            return at;
    }
    return s.len;
}

static bool has_any(assay_slice s, const char *list)
{
    size_t len;

    return find_any(s, 0, s.len, list, &len) < s.len;
}

/* Whether the later parts of `r` follow at `at`; *end is where the last one ends. */
static bool match_parts(const rule *r, assay_slice s, size_t at, size_t *end)
{
    for (int i = 1; i < 3 && r->part[i]; i++) {
        size_t len = 0;

        at = find_any(s, at, at + r->gap[i - 1], r->part[i], &len);
        if (at == s.len)
            return false;
        at += len;
    }
    *end = at;
    return true;
}

/* ---- sentences ---- */

/* Length of the mark that ends a sentence at `at`, or 0. */
static size_t stop_at(assay_slice s, size_t at)
{
    static const char cjk_stop[] = "\xE3\x80\x82";

    if (s.ptr[at] == '!' || s.ptr[at] == '?')
        return 1;
    if (s.ptr[at] == '.' && (at + 1 == s.len || strchr(" [\"')", s.ptr[at + 1])))
        return 1;
    return s.len - at >= 3 && memcmp(s.ptr + at, cjk_stop, 3) == 0 ? 3 : 0;
}

/* Length of a citation marker ([3], [#12]) at the beginning, or 0. */
static size_t marker_length(assay_slice s)
{
    size_t i = 1;
    size_t digits;

    if (!s.len || s.ptr[0] != '[')
        return 0;
    i += i < s.len && s.ptr[i] == '#';
    for (digits = i; i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9';)
        i++;
    return i > digits && i < s.len && s.ptr[i] == ']' ? i + 1 : 0;
}

/* Blanks, punctuation, quotes, markdown and citation markers at the beginning. */
static size_t noise_length(assay_slice s)
{
    static const char wide[] = "、|“|”|‘|’|「|」|…|。";
    size_t at = 0;

    for (;;) {
        size_t step = marker_length(from(s, at));

        if (!step && at < s.len && strchr(" ,.:;-*_#>\"'`()~!", s.ptr[at]))
            step = 1;
        if (!step)
            step = match_any(from(s, at), wide);
        if (!step)
            return at;
        at += step;
    }
}

/* Where the refusal proper would begin: behind apologies and "based on the context,". */
static size_t skip_leads(assay_slice s)
{
    size_t at = noise_length(s);

    for (int rounds = 0; rounds < 4; rounds++) {
        size_t len = match_any(from(s, at), leads);
        size_t comma = 0;

        if (!len && match_any(from(s, at), lead_clauses))
            for (size_t i = at; !comma && i < s.len && i < at + 150; i++)
                comma = s.ptr[i] == ',' ? i : 0;
        if (comma)
            len = comma - at;
        if (!len)
            break;
        at += len;
        at += noise_length(from(s, at));
    }
    return at;
}

static assay_slice first_sentence(assay_slice s)
{
    for (size_t i = skip_leads(s); i < s.len; i++) {
        size_t len = stop_at(s, i);

        if (len)
            return (assay_slice){s.ptr, i + len};
    }
    return s;
}

/* What stands behind an END phrase, without marks at its end. */
static size_t tail_length(assay_slice s, size_t end)
{
    size_t last = end;

    while (end < s.len) {
        size_t noise = noise_length(from(s, end));

        end += noise ? noise : 1;
        if (!noise)
            last = end;
    }
    return last;
}

/* ---- rules ---- */

/* Whether the phrase stands where its rule wants it.  In Chinese "的" behind a phrase
 * makes it an attribute: questions that cannot be answered.  A closing quote with more
 * behind it means that the phrase is talked about. */
static bool is_in_place(const rule *r, assay_slice s, size_t start, size_t at, size_t end)
{
    if (match_any(from(s, end), "的"))
        return false;
    if (match_any(from(s, end), "\"|”|」|』") && tail_length(s, end) > end)
        return false;
    switch (r->at) {
    case START: return at == start;
    case NEAR:
        return at - start <= NEAR_BYTES &&
               !has_any((assay_slice){s.ptr + start, at - start}, conditions);
    case END: return tail_length(s, end) - end <= TAIL_BYTES;
    case WHOLE: break;
    }
    return false;
}

/* Where the refusal in the sentence ends; 0 = it is none. */
static size_t refusal_end(assay_slice s)
{
    size_t start = skip_leads(s);

    if (s.len > LONG_BYTES)
        return 0;
    for (size_t i = 0; i < ASSAY_COUNT(rules); i++) {
        const rule *r = &rules[i];
        size_t last = r->at == START ? start : s.len;
        size_t len = 0;
        size_t end;
        size_t at;

        if (r->at == WHOLE)
            continue;
        for (at = start; at < s.len; at++) {
            at = find_any(s, at, last, r->part[0], &len);
            if (at < s.len && match_parts(r, s, at + len, &end) &&
                is_in_place(r, s, start, at, end))
                return end;
        }
    }
    return 0;
}

static bool is_whole(assay_slice s)
{
    s = from(s, skip_leads(s));
    for (size_t i = 0; i < ASSAY_COUNT(rules); i++) {
        size_t len = rules[i].at == WHOLE ? match_any(s, rules[i].part[0]) : 0;

        if (len && tail_length(s, len) == len)
            return true;
    }
    return false;
}

/* Whether what follows the refusal answers the question after all. */
static bool is_taken_back(assay_slice rest)
{
    size_t len = 0;
    size_t at = find_any(rest, 0, rest.len, contrasts, &len);
    assay_slice after;

    if (rest.len > REST_BYTES)
        return true;
    if (at == rest.len)
        return false;
    after = from(rest, at + len);
    return after.len > AFTER_BYTES && !has_any(after, offers);
}

bool assay_refusal_is(assay_slice folded)
{
    assay_slice first = first_sentence(folded);
    size_t end = refusal_end(first);

    if (is_whole(folded))
        return true;
    if (end)
        return !is_taken_back(from(folded, end));

    /* Not at once, then as most of a short answer. */
    while (folded.len <= SHORT_BYTES && first.len < folded.len) {
        size_t before = (size_t)(first.ptr + first.len - folded.ptr);

        if (before >= folded.len)
            return false;
        first = first_sentence(from(folded, before));
        end = refusal_end(first);
        if (end && 2 * first.len >= folded.len)
            return !is_taken_back(from(first, end));
    }
    return false;
}
