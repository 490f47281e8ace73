/* SPDX-License-Identifier: Apache-2.0 */
/* utf8proc knows categories but not Word_Break, which the annex derives from categories
 * and scripts; what is irregular in it stands in the tables below.  Rules are named as in
 * the annex (WB5 ...).  Words are what contains a letter, a digit, an ideograph or Kana;
 * everything between is skipped. */
#include "text/wordbreak.h"

#include <utf8proc.h>

#include "base/compiler.h"

#define O ASSAY_BREAK_OTHER
#define L ASSAY_BREAK_LETTER
#define D ASSAY_BREAK_DIGIT

static const uint8_t ascii[128] = {
    ['"'] = ASSAY_BREAK_QUOTE,
    ['\''] = ASSAY_BREAK_MID_BOTH,
    [','] = ASSAY_BREAK_MID_DIGIT,
    ['.'] = ASSAY_BREAK_MID_BOTH,
    [':'] = ASSAY_BREAK_MID_LETTER,
    [';'] = ASSAY_BREAK_MID_DIGIT,
    ['_'] = ASSAY_BREAK_JOIN,
    ['0'] = D,
    D,
    D,
    D,
    D,
    D,
    D,
    D,
    D,
    D,
    ['A'] = L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    ['a'] = L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
    L,
};

typedef struct range {
    uint32_t first;
    uint32_t last;
    uint8_t kind;
} range;

/* Ascending.  What the category would get wrong, and the scripts. */
static const range special[] = {
    {0x00B7, 0x00B7, ASSAY_BREAK_MID_LETTER},
    {0x02C2, 0x02C5, L},
    {0x02D2, 0x02D7, L},
    {0x02DE, 0x02DF, L},
    {0x02E5, 0x02EB, L},
    {0x037E, 0x037E, ASSAY_BREAK_MID_DIGIT},
    {0x0387, 0x0387, ASSAY_BREAK_MID_LETTER},
    {0x055A, 0x055C, L},
    {0x055E, 0x055E, L},
    {0x055F, 0x055F, ASSAY_BREAK_MID_LETTER},
    {0x0589, 0x0589, ASSAY_BREAK_MID_DIGIT},
    {0x058A, 0x058A, L},
    {0x05D0, 0x05F2, ASSAY_BREAK_HEBREW},
    {0x05F3, 0x05F3, L},
    {0x05F4, 0x05F4, ASSAY_BREAK_MID_LETTER},
    {0x060C, 0x060D, ASSAY_BREAK_MID_DIGIT},
    {0x066B, 0x066B, D},
    {0x066C, 0x066C, ASSAY_BREAK_MID_DIGIT},
    {0x07F8, 0x07F8, ASSAY_BREAK_MID_DIGIT},
    {0x0E01, 0x0E30, ASSAY_BREAK_COMPLEX},
    {0x0E32, 0x0E33, ASSAY_BREAK_COMPLEX},
    {0x0E40, 0x0E46, ASSAY_BREAK_COMPLEX},
    {0x0E81, 0x0EB0, ASSAY_BREAK_COMPLEX},
    {0x0EB2, 0x0EB3, ASSAY_BREAK_COMPLEX},
    {0x0EBD, 0x0EC6, ASSAY_BREAK_COMPLEX},
    {0x0EDC, 0x0EDF, ASSAY_BREAK_COMPLEX},
    {0x1000, 0x102A, ASSAY_BREAK_COMPLEX},
    {0x103F, 0x103F, ASSAY_BREAK_COMPLEX},
    {0x1050, 0x1055, ASSAY_BREAK_COMPLEX},
    {0x1100, 0x11FF, ASSAY_BREAK_HANGUL},
    {0x1780, 0x17B3, ASSAY_BREAK_COMPLEX},
    {0x17D7, 0x17D7, ASSAY_BREAK_COMPLEX},
    {0x17DC, 0x17DC, ASSAY_BREAK_COMPLEX},
    {0x1950, 0x19C9, ASSAY_BREAK_COMPLEX},
    {0x1A20, 0x1A54, ASSAY_BREAK_COMPLEX},
    {0x200B, 0x200B, O},
    {0x2018, 0x2019, ASSAY_BREAK_MID_BOTH},
    {0x2024, 0x2024, ASSAY_BREAK_MID_BOTH},
    {0x2027, 0x2027, ASSAY_BREAK_MID_LETTER},
    {0x2044, 0x2044, ASSAY_BREAK_MID_DIGIT},
    {0x2E80, 0x2FD5, ASSAY_BREAK_ALONE},
    {0x3005, 0x3007, ASSAY_BREAK_ALONE},
    {0x3021, 0x3029, ASSAY_BREAK_ALONE},
    {0x3031, 0x3035, ASSAY_BREAK_KATAKANA},
    {0x3038, 0x303B, ASSAY_BREAK_ALONE},
    {0x3041, 0x3096, ASSAY_BREAK_ALONE},
    {0x309B, 0x309C, ASSAY_BREAK_KATAKANA},
    {0x309D, 0x309F, ASSAY_BREAK_ALONE},
    {0x30A0, 0x30FA, ASSAY_BREAK_KATAKANA},
    {0x30FC, 0x30FF, ASSAY_BREAK_KATAKANA},
    {0x3131, 0x318E, ASSAY_BREAK_HANGUL},
    {0x31F0, 0x31FF, ASSAY_BREAK_KATAKANA},
    {0x3400, 0x4DBF, ASSAY_BREAK_ALONE},
    {0x4E00, 0x9FFF, ASSAY_BREAK_ALONE},
    {0xA960, 0xA97C, ASSAY_BREAK_HANGUL},
    {0xAC00, 0xD7A3, ASSAY_BREAK_HANGUL},
    {0xD7B0, 0xD7FB, ASSAY_BREAK_HANGUL},
    {0xF900, 0xFAFF, ASSAY_BREAK_ALONE},
    {0xFB1D, 0xFB1D, ASSAY_BREAK_HEBREW},
    {0xFB1F, 0xFB4F, ASSAY_BREAK_HEBREW},
    {0xFE10, 0xFE10, ASSAY_BREAK_MID_DIGIT},
    {0xFE13, 0xFE13, ASSAY_BREAK_MID_LETTER},
    {0xFE14, 0xFE14, ASSAY_BREAK_MID_DIGIT},
    {0xFE50, 0xFE50, ASSAY_BREAK_MID_DIGIT},
    {0xFE52, 0xFE52, ASSAY_BREAK_MID_BOTH},
    {0xFE54, 0xFE54, ASSAY_BREAK_MID_DIGIT},
    {0xFE55, 0xFE55, ASSAY_BREAK_MID_LETTER},
    {0xFF07, 0xFF07, ASSAY_BREAK_MID_BOTH},
    {0xFF0C, 0xFF0C, ASSAY_BREAK_MID_DIGIT},
    {0xFF0E, 0xFF0E, ASSAY_BREAK_MID_BOTH},
    {0xFF1A, 0xFF1A, ASSAY_BREAK_MID_LETTER},
    {0xFF1B, 0xFF1B, ASSAY_BREAK_MID_DIGIT},
    {0xFF66, 0xFF9F, ASSAY_BREAK_KATAKANA},
    {0xFFA0, 0xFFDC, ASSAY_BREAK_HANGUL},
    {0x1AFF0, 0x1B000, ASSAY_BREAK_KATAKANA},
    {0x1B001, 0x1B11F, ASSAY_BREAK_ALONE},
    {0x1B120, 0x1B122, ASSAY_BREAK_KATAKANA},
    {0x1B132, 0x1B152, ASSAY_BREAK_ALONE},
    {0x1B155, 0x1B167, ASSAY_BREAK_KATAKANA},
    {0x20000, 0x323AF, ASSAY_BREAK_ALONE},
};

#undef O
#undef L
#undef D

static assay_break of_category(uint32_t code)
{
    switch (utf8proc_category((utf8proc_int32_t)code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL: return ASSAY_BREAK_LETTER;
    case UTF8PROC_CATEGORY_ND: return ASSAY_BREAK_DIGIT;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF: return ASSAY_BREAK_EXTEND;
    case UTF8PROC_CATEGORY_PC: return ASSAY_BREAK_JOIN;
    default: return ASSAY_BREAK_OTHER;
    }
}

assay_break assay_break_of(uint32_t code)
{
    size_t low = 0;
    size_t high = ASSAY_COUNT(special);

    if (code < 0x80)
        return (assay_break)ascii[code];
    if (code >= 0xAC00 && code <= 0xD7A3)
        return ASSAY_BREAK_HANGUL;
    if (code >= 0x4E00 && code <= 0x9FFF)
        return ASSAY_BREAK_ALONE;
    while (low < high) {
        size_t mid = (low + high) / 2;

        if (code > special[mid].last)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < ASSAY_COUNT(special) && code >= special[low].first)
        return (assay_break)special[low].kind;
    return of_category(code);
}

uint32_t assay_break_code(const char *p, const char *end, size_t *len)
{
    const unsigned char *u = (const unsigned char *)p;

    if (u[0] < 0x80) {
        *len = 1;
        return u[0];
    }
    if (u[0] < 0xE0 && end - p >= 2) {
        *len = 2;
        return (uint32_t)(u[0] & 0x1F) << 6 | (u[1] & 0x3F);
    }
    if (u[0] < 0xF0 && end - p >= 3) {
        *len = 3;
        return (uint32_t)(u[0] & 0x0F) << 12 | (uint32_t)(u[1] & 0x3F) << 6 |
               (u[2] & 0x3F);
    }
    if (end - p >= 4) {
        *len = 4;
        return (uint32_t)(u[0] & 0x07) << 18 | (uint32_t)(u[1] & 0x3F) << 12 |
               (uint32_t)(u[2] & 0x3F) << 6 | (u[3] & 0x3F);
    }
    *len = (size_t)(end - p);
    return 0xFFFD;
}

/* ---- words ---- */

/* What stands at p with the marks behind it (WB4), and where that ends; OTHER at the
 * end. */
static assay_break look(const char *p, const char *end, unsigned rules,
                        const char **behind)
{
    size_t len;
    assay_break kind;

    if (p >= end) {
        *behind = end;
        return ASSAY_BREAK_OTHER;
    }
    kind = assay_break_of(assay_break_code(p, end, &len));
    p += len;
    /* Behind ASCII stands ASCII nearly always. */
    while (p < end && (unsigned char)*p >= 0x80 &&
           assay_break_of(assay_break_code(p, end, &len)) == ASSAY_BREAK_EXTEND)
        p += len;
    *behind = p;
    if (rules & ASSAY_WORD_DENSE && kind == ASSAY_BREAK_HANGUL)
        return ASSAY_BREAK_LETTER;
    if (!(rules & ASSAY_WORD_UNDERLINE) && kind == ASSAY_BREAK_JOIN)
        return ASSAY_BREAK_OTHER;
    return kind;
}

static bool is_letter(assay_break b)
{
    return b == ASSAY_BREAK_LETTER || b == ASSAY_BREAK_HEBREW;
}

/* What follows the middle character `mid` at p, where that joins it to `last`; *behind,
 * which is behind `mid`, moves behind what follows.  OTHER: it does not join. */
static assay_break joined(const char *p, const char *end, unsigned rules, assay_break mid,
                          assay_break last, const char **behind)
{
    assay_break next = look(*behind, end, rules, behind);
    bool is_both = mid == ASSAY_BREAK_MID_BOTH;
    bool is_in = false;

    if (last == ASSAY_BREAK_DIGIT && next == ASSAY_BREAK_DIGIT) /* WB11, WB12 */
        is_in = is_both || mid == ASSAY_BREAK_MID_DIGIT;
    else if (!is_letter(last) || !is_letter(next))
        is_in = false;
    else if (mid == ASSAY_BREAK_QUOTE) /* WB7b, WB7c */
        is_in = last == ASSAY_BREAK_HEBREW && next == ASSAY_BREAK_HEBREW;
    else if (mid == ASSAY_BREAK_MID_LETTER) /* WB6, WB7 */
        is_in = *p != ':' || rules & ASSAY_WORD_COLON;
    else
        is_in = is_both && (*p != '.' || rules & ASSAY_WORD_DOT);
    return is_in ? next : ASSAY_BREAK_OTHER;
}

/* Whether `next` goes on with a word whose last character is `last` (WB5, 8, 9, 10, 13). */
static bool goes_on(assay_break last, assay_break next)
{
    switch (next) {
    case ASSAY_BREAK_LETTER:
    case ASSAY_BREAK_HEBREW:
    case ASSAY_BREAK_DIGIT:
        return is_letter(last) || last == ASSAY_BREAK_DIGIT || last == ASSAY_BREAK_JOIN;
    case ASSAY_BREAK_KATAKANA:
        return last == ASSAY_BREAK_KATAKANA || last == ASSAY_BREAK_JOIN;
    case ASSAY_BREAK_JOIN:
        return is_letter(last) || last == ASSAY_BREAK_DIGIT || last == ASSAY_BREAK_JOIN ||
               last == ASSAY_BREAK_KATAKANA;
    default: return false;
    }
}

/* A run of one script without blanks; Han and Kana are one. */
static const char *dense_end(const char *p, const char *end, unsigned rules,
                             assay_break kind)
{
    const char *behind;
    assay_break next = look(p, end, rules, &behind);
    bool is_kana = kind == ASSAY_BREAK_KATAKANA || kind == ASSAY_BREAK_ALONE;

    while (next == kind ||
           (is_kana && (next == ASSAY_BREAK_KATAKANA || next == ASSAY_BREAK_ALONE))) {
        p = behind;
        next = look(p, end, rules, &behind);
    }
    return p;
}

/* Letters and digits of ASCII behind one, without a look at the rules; the last before a
 * mark is left.  Zeros stand behind the text, so that it ends there at the latest. */
static const char *skip_ascii(const char *p, const char *end, assay_break *last)
{
    assay_break kind = *last;

    while (p < end) {
        unsigned char c = (unsigned char)*p;

        if (c >= 0x80 || (unsigned char)p[1] >= 0x80)
            break;
        if (ascii[c] != ASSAY_BREAK_LETTER && ascii[c] != ASSAY_BREAK_DIGIT)
            break;
        kind = (assay_break)ascii[c];
        p++;
    }
    *last = kind;
    return p;
}

/* The end of the word whose first character, `last`, ends at p.  *has_word is set when
 * there is more to it than underlines. */
static const char *spaced_end(const char *p, const char *end, unsigned rules,
                              assay_break last, bool *has_word)
{
    for (;;) {
        const char *behind;
        const char *middle;
        assay_break next;

        if (is_letter(last) || last == ASSAY_BREAK_DIGIT)
            p = skip_ascii(p, end, &last);
        next = look(p, end, rules, &behind);
        if (next == ASSAY_BREAK_OTHER)
            return p;
        if (goes_on(last, next)) {
            *has_word |= next != ASSAY_BREAK_JOIN;
            last = next;
            p = behind;
            continue;
        }
        if (next < ASSAY_BREAK_MID_LETTER)
            return p;
        middle = behind;
        next = joined(p, end, rules, next, last, &behind);
        if (next == ASSAY_BREAK_OTHER) /* WB7a: an apostrophe ends a Hebrew word */
            return last == ASSAY_BREAK_HEBREW && *p == '\'' ? middle : p;
        last = next;
        p = behind;
    }
}

/* A word of ASCII letters and digits with nothing behind it that could go on with it:
 * nearly all words.  Its end, or null where the rules have to be asked. */
static const char *plain_end(const char *p, const char *end)
{
    unsigned char c = (unsigned char)*p;

    while (c < 0x80 && (ascii[c] == ASSAY_BREAK_LETTER || ascii[c] == ASSAY_BREAK_DIGIT))
        c = (unsigned char)*++p;
    return p >= end ? end : c < 0x80 && ascii[c] == ASSAY_BREAK_OTHER ? p : NULL;
}

const char *assay_word_next(const char *p, const char *end, unsigned rules,
                            const char **word_end, assay_break *kind)
{
    while (p < end) {
        const char *behind;
        assay_break first;
        bool has_word;

        if ((unsigned char)*p < 0x80 && ascii[(unsigned char)*p] == ASSAY_BREAK_OTHER) {
            p++;
            continue;
        }
        behind = plain_end(p, end);
        if (behind && behind > p) {
            *kind = (assay_break)ascii[(unsigned char)*p];
            *word_end = behind;
            return p;
        }
        first = look(p, end, rules, &behind);
        *kind = first;
        if (assay_break_is_dense(first) && !(rules & ASSAY_WORD_DENSE)) {
            *word_end = dense_end(behind, end, rules, first);
            return p;
        }
        if (first == ASSAY_BREAK_ALONE || first == ASSAY_BREAK_COMPLEX) {
            *word_end = behind;
            return p;
        }
        if (first >= ASSAY_BREAK_LETTER && first <= ASSAY_BREAK_KATAKANA) {
            has_word = first != ASSAY_BREAK_JOIN;
            *word_end = spaced_end(behind, end, rules, first, &has_word);
            if (has_word)
                return p;
            behind = *word_end;
        }
        p = behind;
    }
    return NULL;
}
