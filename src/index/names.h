/* SPDX-License-Identifier: Apache-2.0 */
/* What a text talks about, by its looks: proper names, identifiers, phrases.
 *
 * No dictionary and no model: capital letters in scripts that have them, underlines and
 * humps in code, Hangul words with and without their last syllables (particles), runs of
 * Han and Kana, pairs of plain words.  Whoever uses them counts how often they come. */
#ifndef ASSAY_INDEX_NAMES_H
#define ASSAY_INDEX_NAMES_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"

typedef enum assay_name_kind {
    ASSAY_NAME_PROPER, /* capitalised, or an identifier */
    ASSAY_NAME_PHRASE  /* says something only when it comes several times */
} assay_name_kind;

typedef struct assay_name {
    assay_slice text;  /* points into the text */
    assay_slice key;   /* folded, never empty */
    uint32_t sentence; /* number in the text */
    assay_name_kind kind;
} assay_name;

typedef struct assay_names {
    assay_name *item;
    size_t n;
    size_t cap;
} assay_names;

/* Append the names of `text`, in order; keys live in `arena`.  `phrases`: also those.
 * False: no memory. */
bool assay_names_find(assay_slice text, bool phrases, assay_arena *arena,
                      assay_names *out);

void assay_names_clear(assay_names *names);

#endif
