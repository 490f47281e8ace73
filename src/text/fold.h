/* SPDX-License-Identifier: Apache-2.0 */
/* Text made comparable: what differs only in case, width, composition or white space
 * becomes the same bytes. */
#ifndef ASSAY_TEXT_FOLD_H
#define ASSAY_TEXT_FOLD_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"

/* Unicode NFKC with full case folding; each run of white space becomes one blank, none
 * is left at the ends; bytes that are not UTF-8 become U+FFFD first.  *out lives in the
 * arena.  False: no memory, *out is untouched. */
bool assay_fold(assay_slice text, assay_arena *arena, assay_slice *out);

/* The words of the folded text, in order: runs of letters, digits and their marks;
 * each Han, Hiragana or Katakana character is a word of its own.  (*words)[0] to
 * [*n - 1] live in the arena.  False: no memory, nothing is touched. */
bool assay_fold_words(assay_slice text, assay_arena *arena, assay_slice **words,
                      size_t *n);

/* These words, joined by single blanks: what a name is looked up by.  False: no memory. */
bool assay_fold_key(assay_slice text, assay_arena *arena, assay_slice *out);

#endif
