/* SPDX-License-Identifier: Apache-2.0 */
/* What trees have in common, and trees from JSON. */
#include "base/node.h"

#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/node_build.h"
#include "base/number.h"
#include "base/slice.h"

const assay_node *assay_node_get(const assay_node *map, const char *key)
{
    assay_slice name = assay_slice_of(key);

    if (!map || map->kind != ASSAY_NODE_MAP)
        return NULL;
    for (const assay_node *n = map->child; n; n = n->next)
        if (assay_slice_eq(n->key, name))
            return n;
    return NULL;
}

const char *assay_node_kind_name(assay_node_kind kind)
{
    static const char *const name[] = {
        [ASSAY_NODE_NULL] = "null",          [ASSAY_NODE_BOOL] = "a boolean",
        [ASSAY_NODE_INT] = "a whole number", [ASSAY_NODE_NUMBER] = "a number",
        [ASSAY_NODE_STRING] = "a string",    [ASSAY_NODE_LIST] = "a list",
        [ASSAY_NODE_MAP] = "a map",
    };

    return name[kind];
}

bool assay_node_set_number(assay_node *node)
{
    if (!assay_number_read(node->text, &node->number))
        return false;
    node->kind = ASSAY_NODE_NUMBER;
    if (assay_slice_to_i64(node->text, &node->integer))
        node->kind = ASSAY_NODE_INT;
    return true;
}

/* ---- JSON ---- */

/* A list or map that is not complete yet. */
typedef struct level {
    assay_node *node;
    assay_node *last; /* its newest child */
} level;

typedef struct builder {
    assay_json json;
    assay_arena *arena;
    level level[ASSAY_JSON_DEPTH + 1];
    uint32_t depth;
    assay_node *root;
    assay_slice key; /* of the value that comes next */
    uint32_t key_line;
    const char *counted; /* up to here lines were counted */
    uint32_t line;       /* in which it stands */
} builder;

static uint32_t line_of(builder *b, const char *at)
{
    const char *p = b->counted;

    while ((p = memchr(p, '\n', (size_t)(at - p))) != NULL) {
        p++;
        b->line++;
    }
    b->counted = at;
    return b->line;
}

/* A node for the value at `at`, hung where it belongs. */
static assay_node *add_node(builder *b, const char *at)
{
    assay_node *node = ASSAY_ARENA_ARRAY(b->arena, assay_node, 1);
    level *in = b->depth ? &b->level[b->depth - 1] : NULL;

    if (!node)
        return NULL;
    node->line = line_of(b, at);
    node->key = b->key;
    node->key_line = b->key_line;
    b->key = ASSAY_LIT("");
    b->key_line = 0;
    if (!in) {
        b->root = node;
        return node;
    }
    if (in->last)
        in->last->next = node;
    else
        in->node->child = node;
    in->last = node;
    in->node->n++;
    return node;
}

static assay_status add_value(builder *b, assay_json_token token, assay_error *err)
{
    assay_node *node = add_node(b, token.at);

    if (!node)
        return assay_fail_memory(err, "reading JSON");
    node->text = token.text;
    switch (token.kind) {
    case ASSAY_JSON_TRUE:
    case ASSAY_JSON_FALSE:
        node->kind = ASSAY_NODE_BOOL;
        node->integer = token.kind == ASSAY_JSON_TRUE;
        break;
    case ASSAY_JSON_NUMBER:
        if (!assay_node_set_number(node))
            return assay_json_fail(&b->json, token.at, err,
                                   "number '%.*s' does not fit a double",
                                   ASSAY_QUOTE(token.text));
        break;
    case ASSAY_JSON_STRING: node->kind = ASSAY_NODE_STRING; break;
    case ASSAY_JSON_LIST:
    case ASSAY_JSON_OBJECT:
        node->kind = token.kind == ASSAY_JSON_LIST ? ASSAY_NODE_LIST : ASSAY_NODE_MAP;
        node->text = ASSAY_LIT("");
        b->level[b->depth++] = (level){node, NULL};
        break;
    default: node->kind = ASSAY_NODE_NULL;
    }
    return ASSAY_OK;
}

static assay_status build(builder *b, assay_error *err)
{
    for (;;) {
        assay_json_token token;
        assay_status st = assay_json_next(&b->json, &token, err);

        if (st)
            return st;
        switch (token.kind) {
        case ASSAY_JSON_END: return ASSAY_OK;
        case ASSAY_JSON_KEY:
            b->key = token.text;
            b->key_line = line_of(b, token.at);
            break;
        case ASSAY_JSON_LIST_END:
        case ASSAY_JSON_OBJECT_END: b->depth--; break;
        default:
            st = add_value(b, token, err);
            if (st)
                return st;
        }
    }
}

assay_status assay_node_json_line(const char *path, uint32_t line, assay_slice text,
                                  assay_arena *arena, assay_node **out, assay_error *err)
{
    builder b = {.arena = arena, .line = line, .key = ASSAY_LIT("")};
    assay_status st;

    assay_json_init(&b.json, path, line, text, arena);
    b.counted = b.json.begin;
    st = build(&b, err);
    assay_json_clear(&b.json);
    if (st == ASSAY_OK)
        *out = b.root;
    return st;
}

assay_status assay_node_json(const char *path, assay_slice text, assay_arena *arena,
                             assay_node **out, assay_error *err)
{
    return assay_node_json_line(path, 1, text, arena, out, err);
}
