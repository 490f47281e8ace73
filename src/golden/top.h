/* SPDX-License-Identifier: Apache-2.0 */
/* What the first bytes of a JSON or YAML text tell, broken or not: how formats
 * recognise their files. */
#ifndef ASSAY_GOLDEN_TOP_H
#define ASSAY_GOLDEN_TOP_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"

enum { ASSAY_TOP_KEYS = 64 };

typedef enum assay_top_shape {
    ASSAY_TOP_OTHER, /* neither */
    ASSAY_TOP_MAP,
    ASSAY_TOP_LIST /* of maps; the keys are those of its first one */
} assay_top_shape;

typedef enum assay_top_value {
    ASSAY_TOP_SCALAR, /* a string or number */
    ASSAY_TOP_IDS,    /* an empty list, or one that begins with a scalar */
    ASSAY_TOP_NESTED  /* anything else */
} assay_top_value;

typedef struct assay_top {
    assay_top_shape shape;
    bool is_json;
    assay_slice key[ASSAY_TOP_KEYS];
    assay_top_value value[ASSAY_TOP_KEYS]; /* known for JSON only */
    size_t n;
} assay_top;

/* Keys may point into `arena` or `text`.  False: no memory. */
bool assay_top_read(assay_top *top, assay_slice text, assay_arena *arena);

bool assay_top_has(const assay_top *top, const char *key);

/* The question that sniffers ask: is this a `shape` with `key` in it? */
bool assay_top_is(const assay_top *top, assay_top_shape shape, const char *key);

#endif
