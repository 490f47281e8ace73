/* SPDX-License-Identifier: Apache-2.0 */
/* Edit distance between a pattern and parts of a text: insert, delete and replace one
 * code point, each 1.  Texts are UTF-8; a byte that is none counts as a code point. */
#ifndef ASSAY_CORPUS_LOCATE_EDIT_H
#define ASSAY_CORPUS_LOCATE_EDIT_H

#include <stdbool.h>

#include "assay.h"
#include "base/span.h"

/* Bytes of the code point at s[0], s.len > 0; and of the one before s's end. */
size_t assay_edit_step(assay_slice s);
size_t assay_edit_step_back(assay_slice s);

size_t assay_edit_length(assay_slice s);

/* Fewest edits that turn all of `pattern` into some beginning (`ahead`) or some end
 * (`behind`) of `text`; most + 1 when it takes more.  most <= ASSAY_EDIT_NEAR. */
enum { ASSAY_EDIT_NEAR = 7 };
uint32_t assay_edit_ahead(assay_slice pattern, assay_slice text, uint32_t most);
uint32_t assay_edit_behind(assay_slice pattern, assay_slice text, uint32_t most);

/* Working space for assay_edit_search; zero-initialised is ready. */
typedef struct assay_edit {
    uint32_t *code; /* of the pattern, then of the text: numbers of letters */
    size_t cap_code;
    uint32_t *at; /* byte offsets of the text's code points, and its end */
    size_t cap_at;
    uint32_t *letter; /* hash table: code point and its number */
    size_t cap_letter;
    uint64_t *bits; /* match bits of each letter, two ways; then the columns */
    size_t cap_bits;
    uint32_t *score; /* of each column */
    size_t cap_score;
    assay_span *place;
    size_t cap_place;
    size_t n_places;
    uint32_t distance;
} assay_edit;

/* The least distance of `pattern` (not empty) to any part of `text` (< 4 GB), if it is
 * `most` or below: e->distance, and the places e->place[0..n_places), which ascend and do
 * not overlap.  Of alignments with that distance at one place the one that ends first
 * counts, then the shortest: nothing that does not match is taken in at the ends.
 * n_places is 0 when there is none.  False: no memory. */
bool assay_edit_search(assay_edit *e, assay_slice pattern, assay_slice text,
                       uint32_t most);

void assay_edit_clear(assay_edit *e);

#endif
