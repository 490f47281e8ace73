/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences by rules.
 *
 * A stop (. ? ! and the like) with its closing quotes and brackets ends a sentence where
 * white space or the text's end follows, unless what is before it is an abbreviation, an
 * initial or the number of a list, or what comes next begins in lower case.  The stops of
 * Chinese and Japanese end one by themselves; so does a Korean verb ending with its stop
 * when the next sentence follows without a blank. */
#include "text/sentences.h"

#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"
#include "base/scan.h"
#include "base/slice.h"
#include "base/utf8.h"

/* Lower case, without the last stop. */
static const char *const abbreviations[] = {
    "al",   "approx", "art",  "bd",  "bzw", "ca",  "capt", "cf",  "ch",  "chap", "col",
    "corp", "dept",   "dr",   "ed",  "eds", "e.g", "eg",   "eq",  "est", "etc",  "ex",
    "fig",  "figs",   "ft",   "gen", "gov", "hon", "ibid", "i.e", "ie",  "inc",  "jr",
    "lt",   "ltd",    "mr",   "mrs", "ms",  "mt",  "no",   "nos", "nr",  "op",   "p",
    "par",  "pp",     "prof", "ref", "rep", "rev", "sec",  "sen", "sgt", "sr",   "st",
    "usw",  "v",      "viz",  "vol", "vs",  "z.b", "jan",  "feb", "mar", "apr",  "jun",
    "jul",  "aug",    "sept", "sep", "oct", "nov", "dec",
};

enum { LONGEST_WORD = 16 };

static bool is_ascii_letter(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static assay_slice from(assay_slice s, size_t at)
{
    return (assay_slice){s.ptr + at, s.len - at};
}

/* Closing quotes and brackets, and further stops ("?!", "..."). */
static bool is_closer(uint32_t c)
{
    switch (c) {
    case '.':
    case '?':
    case '!':
    case '"':
    case '\'':
    case ')':
    case ']':
    case '}':
    case 0xBB:   /* » */
    case 0x2019: /* ’ */
    case 0x201D: /* ” */
    case 0x2026: /* … */
    case 0x203A: /* › */
    case 0x3002: /* 。 */
    case 0x3009: /* 〉 */
    case 0x300B: /* 》 */
    case 0x300D: /* 」 */
    case 0x300F: /* 』 */
    case 0x3011: /* 】 */
    case 0xFF01: /* ！ */
    case 0xFF09: /* ） */
    case 0xFF1F: /* ？ */
    case 0xFF61: /* ｡ */
    case 0xFF63: /* ｣ */ return true;
    default: return false;
    }
}

static size_t skip_closers(assay_slice text, size_t at)
{
    while (at < text.len) {
        size_t n;

        if (!is_closer(assay_utf8_get(from(text, at), &n)))
            break;
        at += n;
    }
    return at;
}

static size_t skip_space(assay_slice text, size_t at)
{
    while (at < text.len && assay_scan_is_space(text.ptr[at]))
        at++;
    return at;
}

/* ASCII, Latin-1 and the lower half of Greek and Cyrillic: enough to see that a sentence
 * goes on. */
static bool is_lower(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 0xDF && c <= 0xFF && c != 0xF7) ||
           (c >= 0x3B1 && c <= 0x3C9) || (c >= 0x430 && c <= 0x45F);
}

static bool is_hangul(uint32_t c)
{
    return c >= 0xAC00 && c <= 0xD7A3;
}

/* The word that ends at `at`: ASCII letters, digits and stops, at most LONGEST_WORD. */
static assay_slice word_before(assay_slice text, size_t first, size_t at)
{
    size_t start = at;

    while (start > first && at - start < LONGEST_WORD &&
           (is_ascii_letter(text.ptr[start - 1]) || is_digit(text.ptr[start - 1]) ||
            text.ptr[start - 1] == '.'))
        start--;
    return (assay_slice){text.ptr + start, at - start};
}

static bool is_abbreviation(assay_slice word)
{
    /* One letter is an initial: J. Smith, U.S. */
    if (word.len == 1 || (word.len > 2 && word.ptr[word.len - 2] == '.'))
        return is_ascii_letter(word.ptr[word.len - 1]);
    for (size_t i = 0; i < ASSAY_COUNT(abbreviations); i++)
        if (assay_slice_is_nocase(word, abbreviations[i]))
            return true;
    return false;
}

static bool is_number(assay_slice word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!is_digit(word.ptr[i]))
            return false;
    return word.len > 0;
}

/* Whether a full stop at `at` belongs to its word: Dr., 1. at the beginning, 2024. 5. */
static bool is_in_word(assay_slice text, size_t first, size_t at, size_t next)
{
    assay_slice word = word_before(text, first, at);

    if (word.len == 0)
        return false;
    if (is_number(word)) {
        size_t start = (size_t)(word.ptr - text.ptr);

        return skip_space(text, first) == start ||
               (next < text.len && is_digit(text.ptr[next]));
    }
    return is_abbreviation(word);
}

/* Whether 다 요 죠 까 stand before `at` (the last syllable of a Korean sentence). */
static bool is_korean_ending(assay_slice text, size_t first, size_t at)
{
    static const char *const endings[] = {"다", "요", "죠", "까"};

    for (size_t i = 0; i < ASSAY_COUNT(endings) && at >= first + 3; i++)
        if (memcmp(text.ptr + at - 3, endings[i], 3) == 0)
            return true;
    return false;
}

/* Whether the stop at `at`, whose closers end at `after`, ends the sentence. */
static bool is_end(assay_slice text, size_t first, size_t at, size_t after)
{
    size_t next = skip_space(text, after);
    size_t n;
    uint32_t c;

    if (next == text.len)
        return true;
    c = assay_utf8_get(from(text, next), &n);
    if (next == after)
        return is_hangul(c) && after == at + 1 && is_korean_ending(text, first, at);
    if (is_lower(c))
        return false;
    return text.ptr[at] != '.' || after > at + 1 || !is_in_word(text, first, at, next);
}

/* Length of a Chinese or Japanese stop at `at`, or of an ellipsis, which is no stop of
 * that kind (*is_own is false then); 0 = neither. */
static size_t wide_stop(assay_slice text, size_t at, bool *is_own)
{
    size_t n;
    uint32_t c = assay_utf8_get(from(text, at), &n);

    *is_own = c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == 0xFF61;
    return *is_own || c == 0x2026 ? n : 0;
}

/* Bytes at which something may end: stops, line feeds, and the first bytes of wide stops. */
static size_t find_candidate(assay_slice text, size_t at)
{
    for (; at < text.len; at++)
        switch ((unsigned char)text.ptr[at]) {
        case '.':
        case '?':
        case '!':
        case '\n':
        case 0xE2:
        case 0xE3:
        case 0xEF: return at;
        default: break;
        }
    return at;
}

size_t assay_sentence_end(assay_slice text, size_t first)
{
    size_t at = first;

    while ((at = find_candidate(text, at)) < text.len) {
        unsigned char c = (unsigned char)text.ptr[at];
        bool is_own = false;
        size_t n = 1;
        size_t after;

        if (c == '\n') {
            after = at + 1;
            while (after < text.len && assay_scan_is_space(text.ptr[after]) &&
                   text.ptr[after] != '\n')
                after++;
            if (after < text.len && text.ptr[after] == '\n' && at > first) {
                while (at > first + 1 && assay_scan_is_space(text.ptr[at - 1]))
                    at--;
                return at;
            }
            at = after;
            continue;
        }
        if (c >= 0x80)
            n = wide_stop(text, at, &is_own);
        if (n == 0) {
            at += assay_utf8_char(from(text, at));
            continue;
        }
        after = skip_closers(text, at + n);
        if (is_own || is_end(text, first, at, after))
            return after;
        at = after;
    }
    return text.len;
}
