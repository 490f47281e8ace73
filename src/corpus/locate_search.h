/* SPDX-License-Identifier: Apache-2.0 */
/* Many byte strings searched for in one pass over a text.
 *
 * Of each needle one gram (8 bytes, or all of a shorter needle) goes into a hash table:
 * the one that is rarest among all needles, so that a beginning they share costs nothing.
 * The text is read once for each length of gram in use, and a bit map that stays in the
 * cache turns nearly every position away. */
#ifndef ASSAY_CORPUS_LOCATE_SEARCH_H
#define ASSAY_CORPUS_LOCATE_SEARCH_H

#include <stdbool.h>

#include "assay.h"

typedef struct assay_needles assay_needles;

/* What stands beside a needle, all ASCII, with one edit at most: `size` bytes right beside
 * it, or else the `size` bytes behind those, shifted a little.  An occurrence where neither
 * is there is not reported.  It is looked at before the needle is compared, and spares the
 * visits to memory that comparing takes. */
typedef struct assay_guard {
    uint32_t beside; /* as loaded from memory, first byte lowest */
    uint32_t beyond;
    uint8_t size; /* 1 to 4; 0: no guard */
    bool is_before;
} assay_guard;

/* Prepare needle[0..n); group[i] says what needle i belongs to, null: each to itself;
 * guard[i] is its guard, null: none has one.  Needles, their bytes and groups must stay.
 * Empty needles are never found.  Null: no memory. */
assay_needles *assay_needles_new(const assay_slice *needle, const uint32_t *group,
                                 const assay_guard *guard, uint32_t n);
void assay_needles_free(assay_needles *set);

/* Needle number `needle` stands at text byte `at`.  For each needle the places ascend.
 * False stops the search. */
typedef bool assay_needles_sink(void *ctx, uint32_t needle, size_t at);

/* Every occurrence, overlapping ones too.  The needles of a group are passed over once the
 * sink has set done[group]; `done` may be null.  False when the sink stopped it.  Several
 * threads may search with one set. */
bool assay_needles_search(const assay_needles *set, assay_slice text, const uint8_t *done,
                          assay_needles_sink *sink, void *ctx);

#endif
