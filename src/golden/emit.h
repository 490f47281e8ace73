/* SPDX-License-Identifier: Apache-2.0 */
/* One walk over a golden set, written as YAML or as JSON.
 *
 * YAML comes out in block style, with flow style where the caller says flat.  A string
 * is quoted whenever some YAML reader might take it for something else. */
#ifndef ASSAY_GOLDEN_EMIT_H
#define ASSAY_GOLDEN_EMIT_H

#include <stdbool.h>

#include "assay.h"
#include "base/buffer.h"
#include "base/json.h"

enum { ASSAY_EMIT_DEPTH = 16 };

typedef struct assay_emit {
    assay_buffer *out;
    bool is_json;
    assay_json_writer json;
    int indent; /* of the outermost list or map */
    uint32_t depth;
    struct {
        bool is_map;
        bool is_flat;
        uint32_t n; /* items so far */
        int indent; /* of its keys or dashes */
    } level[ASSAY_EMIT_DEPTH];
    bool after_dash; /* the next key stands on the line of the dash */
    bool after_key;
} assay_emit;

assay_emit assay_emit_of(assay_buffer *out, bool is_json);

/* A list or map with nothing in it must be flat. */
void assay_emit_map(assay_emit *e, bool is_flat);
void assay_emit_list(assay_emit *e, bool is_flat);
void assay_emit_end(assay_emit *e);
void assay_emit_key(assay_emit *e, const char *key);
void assay_emit_key_slice(assay_emit *e, assay_slice key);
void assay_emit_text(assay_emit *e, assay_slice text);

/* A text of several lines: as a literal block where that is possible. */
void assay_emit_words(assay_emit *e, assay_slice text);

/* Whether assay_emit_words could, outside of flat lists and maps. */
bool assay_emit_is_literal(assay_slice text);

/* One string, as it stands within a flow list or map. */
void assay_emit_scalar(assay_buffer *out, assay_slice text, bool is_json);

void assay_emit_int(assay_emit *e, int64_t value);
void assay_emit_double(assay_emit *e, double value);
void assay_emit_bool(assay_emit *e, bool value);

/* key: text, unless the text is empty. */
void assay_emit_text_of(assay_emit *e, const char *key, assay_slice text);

/* The last line break. */
void assay_emit_done(assay_emit *e);

#endif
