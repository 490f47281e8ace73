/* SPDX-License-Identifier: Apache-2.0 */
/* Words by Unicode Standard Annex 29, and the scripts that are written without blanks. */
#ifndef ASSAY_TEXT_WORDBREAK_H
#define ASSAY_TEXT_WORDBREAK_H

#include <stdbool.h>
#include <stdint.h>

#include "assay.h"

/* What a character does to a word: the annex's Word_Break, as far as words need it. */
typedef enum assay_break {
    ASSAY_BREAK_OTHER,
    ASSAY_BREAK_LETTER, /* ALetter */
    ASSAY_BREAK_HEBREW,
    ASSAY_BREAK_DIGIT,      /* Numeric */
    ASSAY_BREAK_JOIN,       /* ExtendNumLet: _ */
    ASSAY_BREAK_KATAKANA,   /* from here to COMPLEX: written without blanks ... */
    ASSAY_BREAK_ALONE,      /* Han, Hiragana: a word each in the annex */
    ASSAY_BREAK_HANGUL,     /* ALetter in the annex */
    ASSAY_BREAK_COMPLEX,    /* Thai, Lao, Khmer, Burmese: need a dictionary */
    ASSAY_BREAK_EXTEND,     /* marks and formats: part of what they follow */
    ASSAY_BREAK_MID_LETTER, /* : */
    ASSAY_BREAK_MID_BOTH,   /* . and ' */
    ASSAY_BREAK_MID_DIGIT,  /* , and ; */
    ASSAY_BREAK_QUOTE       /* " between Hebrew letters */
} assay_break;

assay_break assay_break_of(uint32_t code);

static inline bool assay_break_is_dense(assay_break b)
{
    return b >= ASSAY_BREAK_KATAKANA && b <= ASSAY_BREAK_COMPLEX;
}

/* The character at p < end of well-formed text, and its length. */
uint32_t assay_break_code(const char *p, const char *end, size_t *len);

/* Where letters and digits are joined beyond what is sure; bits of `rules`. */
enum {
    ASSAY_WORD_COLON = 1,     /* a:b */
    ASSAY_WORD_UNDERLINE = 2, /* a_b */
    ASSAY_WORD_DOT = 4,       /* a.b */
    ASSAY_WORD_DENSE = 8,     /* Hangul joins Latin, Katakana joins digits by _ */
    ASSAY_WORD_ANNEX = 15     /* all of the annex */
};

/* The next word of [p, end): its start, *word_end and what it begins with; null when there
 * is none.  Text must be well-formed and readable 8 bytes behind `end`.  Without
 * ASSAY_WORD_DENSE a run of Hangul, of Han and Kana together, or of a complex script is
 * one "word". */
const char *assay_word_next(const char *p, const char *end, unsigned rules,
                            const char **word_end, assay_break *kind);

#endif
