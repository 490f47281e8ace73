/* SPDX-License-Identifier: Apache-2.0 */
/* A whole YAML or JSON document as a tree whose nodes know their lines.  For files that
 * people write; long run files are read with base/json.h. */
#ifndef ASSAY_BASE_NODE_H
#define ASSAY_BASE_NODE_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"

typedef enum assay_node_kind {
    ASSAY_NODE_NULL,
    ASSAY_NODE_BOOL,
    ASSAY_NODE_INT,    /* a number without point or exponent that fits int64 */
    ASSAY_NODE_NUMBER, /* any other number */
    ASSAY_NODE_STRING,
    ASSAY_NODE_LIST,
    ASSAY_NODE_MAP
} assay_node_kind;

typedef struct assay_node assay_node;
struct assay_node {
    assay_node_kind kind;
    uint32_t line;   /* where it begins, from 1 */
    uint32_t n;      /* children of a list or map */
    assay_slice key; /* its name in the map that holds it, else empty */
    uint32_t key_line;
    uint32_t key_at;   /* YAML: byte of the text at which its key begins, ... */
    uint32_t at;       /* ... it does itself, ... */
    uint32_t end;      /* ... and where it has ended; block lists and maps end with their
                          last child.  Of an alias: its own, not what it stands for */
    bool is_flow;      /* YAML: a list or map in brackets */
    assay_slice text;  /* a scalar as text: strings unescaped, numbers as written */
    int64_t integer;   /* of BOOL (0, 1) and INT */
    double number;     /* of INT and NUMBER */
    assay_node *child; /* first of a list or map, in file order */
    assay_node *next;  /* sibling */
};

/* Parse all of `text`; nodes live in `arena` and may point into `text`.  Duplicate keys
 * of one map are an error that names both lines.
 * YAML: one document; plain scalars follow the core schema (null, true/false, numbers;
 * "yes", "no", "on", "off" are strings); aliases are followed (bounded), tags refused. */
ASSAY_MUST_USE assay_status assay_node_json(const char *path, assay_slice text,
                                            assay_arena *arena, assay_node **out,
                                            assay_error *err);

/* The same for a text that begins in line `line` of the file. */
ASSAY_MUST_USE assay_status assay_node_json_line(const char *path, uint32_t line,
                                                 assay_slice text, assay_arena *arena,
                                                 assay_node **out, assay_error *err);
ASSAY_MUST_USE assay_status assay_node_yaml(const char *path, assay_slice text,
                                            assay_arena *arena, assay_node **out,
                                            assay_error *err);

/* The value of `key` in a map, or null. */
const assay_node *assay_node_get(const assay_node *map, const char *key);

/* What a person calls the kind: "a list", "a string", "null" ... */
const char *assay_node_kind_name(assay_node_kind kind);

#endif
