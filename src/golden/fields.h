/* SPDX-License-Identifier: Apache-2.0 */
/* Maps of a golden file read by tables: one row a key says where its value goes.
 *
 * Here live the rules that all formats share: which keys may be unknown, what a
 * misspelt one is told, that a string is not a list, and what an id is. */
#ifndef ASSAY_GOLDEN_FIELDS_H
#define ASSAY_GOLDEN_FIELDS_H

#include "base/node.h"
#include "golden/golden.h"

typedef struct assay_field_reader {
    const char *path;
    assay_golden *golden;
    bool is_strict; /* an unknown key is an error, unless it begins with x_ */
} assay_field_reader;

typedef assay_status assay_field_read(const assay_field_reader *in,
                                      const assay_node *value, void *into,
                                      assay_error *err);

typedef enum assay_field_kind {
    ASSAY_FIELD_OTHER,   /* `read` does it, or, where that is null, it was read before */
    ASSAY_FIELD_TEXT,    /* any scalar as written; null leaves the slice alone */
    ASSAY_FIELD_STRINGS, /* a list of scalars, as assay_strings */
    ASSAY_FIELD_FLAG     /* true or false, as bool */
} assay_field_kind;

typedef struct assay_field {
    const char *name; /* null ends the table */
    assay_field_kind kind;
    size_t at; /* offset of the value's place in `into` */
    assay_field_read *read;
    bool is_required;
    bool is_judgment; /* a key that looks like this one is an error even where unknown
                       * keys are not: it would lose judgments in silence */
} assay_field;

#define ASSAY_FIELD(key, field_kind, type, member)                                    \
    {                                                                                 \
        .name = (key), .kind = ASSAY_FIELD_##field_kind, .at = offsetof(type, member) \
    }

/* The whole text as a tree: JSON where it begins like JSON, else YAML. */
ASSAY_MUST_USE assay_status assay_field_tree(const assay_field_reader *in,
                                             assay_slice text, assay_node **out,
                                             assay_error *err);

/* Read `map` into the struct `into`.  `what` and `id` name it in messages: "query 'q1'". */
ASSAY_MUST_USE assay_status assay_fields_read(const assay_field_reader *in,
                                              const assay_node *map, const char *what,
                                              assay_slice id, const assay_field *table,
                                              void *into, assay_error *err);

/* Fail unless `node` is of `kind`; `name` is its key, or what it is an item of. */
ASSAY_MUST_USE assay_status assay_field_want(const assay_field_reader *in,
                                             const assay_node *node, const char *name,
                                             assay_node_kind kind, assay_error *err);

/* A scalar as text; not null, not a list or map. */
ASSAY_MUST_USE assay_status assay_field_text(const assay_field_reader *in,
                                             const assay_node *node, const char *name,
                                             assay_slice *out, assay_error *err);

/* An id: a string or a number as written, not empty. */
ASSAY_MUST_USE assay_status assay_field_id(const assay_field_reader *in,
                                           const assay_node *node, const char *name,
                                           assay_slice *out, assay_error *err);

ASSAY_MUST_USE assay_status assay_field_strings(const assay_field_reader *in,
                                                const assay_node *node, const char *name,
                                                assay_strings *out, assay_error *err);

/* Each id of the list `node` becomes a judgment of grade 1 of `query`. */
ASSAY_MUST_USE assay_status assay_field_judge(const assay_field_reader *in,
                                              const assay_node *node, const char *name,
                                              bool is_chunk, assay_query *query,
                                              assay_error *err);

/* Add a judgment of grade 1 for one id. */
ASSAY_MUST_USE assay_status assay_field_judge_id(const assay_field_reader *in,
                                                 assay_slice id, uint32_t line,
                                                 bool is_chunk, assay_query *query,
                                                 assay_error *err);

/* Add a query whose id stands under `key` of `map`. */
ASSAY_MUST_USE assay_status assay_field_query(const assay_field_reader *in,
                                              const assay_node *map, const char *key,
                                              assay_query **out, assay_error *err);

/* The nearest of `name[0 .. n)` when it is near enough to be meant, or null. */
const char *assay_nearest(assay_slice word, const char *const *name, size_t n);

#endif
