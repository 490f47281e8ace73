/* SPDX-License-Identifier: Apache-2.0 */
#include "base/canonical.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/node.h"
#include "base/slice.h"

static int by_name(const void *a, const void *b)
{
    const assay_node *const *x = a;
    const assay_node *const *y = b;

    return assay_slice_cmp((*x)->key, (*y)->key);
}

/* Hang the members of a map in the order of their names. */
static bool sort_members(assay_node *map, assay_arena *arena)
{
    assay_node **member = ASSAY_ARENA_ARRAY(arena, assay_node *, map->n + 1u);
    size_t n = 0;

    if (!member)
        return false;
    for (assay_node *c = map->child; c; c = c->next)
        member[n++] = c;
    if (n > 1)
        qsort(member, n, sizeof *member, by_name);
    for (size_t i = 0; i < n; i++)
        member[i]->next = member[i + 1]; /* the last one is null */
    map->child = n ? member[0] : NULL;
    return true;
}

static bool is_whole(assay_slice digits)
{
    for (size_t i = 0; i < digits.len; i++)
        if (digits.ptr[i] != '-' && (digits.ptr[i] < '0' || digits.ptr[i] > '9'))
            return false;
    return true;
}

/* A whole number beyond int64 is kept as written: a double would make two of them one. */
static void put_number(assay_json_writer *w, const assay_node *node, assay_buffer *out)
{
    if (node->kind == ASSAY_NODE_INT) {
        assay_json_int(w, node->integer);
    } else if (is_whole(node->text)) {
        /* Commas are the writer's business, so it writes a digit that is replaced. */
        assay_json_int(w, 0);
        out->len -= !out->has_failed;
        assay_buffer_slice(out, node->text);
    } else if (fabs(node->number) < 1e15 && floor(node->number) == node->number) {
        assay_json_int(w, (int64_t)node->number); /* 1.0 is 1 */
    } else {
        assay_json_double(w, node->number);
    }
}

static void put_scalar(assay_json_writer *w, const assay_node *node, assay_buffer *out)
{
    switch (node->kind) {
    case ASSAY_NODE_BOOL: assay_json_bool(w, node->integer != 0); break;
    case ASSAY_NODE_STRING: assay_json_string(w, node->text); break;
    case ASSAY_NODE_INT:
    case ASSAY_NODE_NUMBER: put_number(w, node, out); break;
    default: assay_json_null(w);
    }
}

typedef struct level {
    assay_node *node;
    assay_node *next; /* child to be written */
} level;

static bool begin(assay_json_writer *w, assay_node *node, level *in, assay_arena *arena)
{
    bool is_map = node->kind == ASSAY_NODE_MAP;

    if (is_map && !sort_members(node, arena))
        return false;
    if (is_map)
        assay_json_object(w);
    else
        assay_json_list(w);
    *in = (level){node, node->child};
    return true;
}

static void end(assay_json_writer *w, const level *in)
{
    if (in->node->kind == ASSAY_NODE_MAP)
        assay_json_object_end(w);
    else
        assay_json_list_end(w);
}

static bool is_nest(const assay_node *node)
{
    return node->kind == ASSAY_NODE_MAP || node->kind == ASSAY_NODE_LIST;
}

/* False when it nests too deep. */
static bool put_tree(assay_node *root, uint32_t most, assay_arena *arena,
                     assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 0);
    level in[ASSAY_JSON_DEPTH + 1];
    uint32_t depth = 1;

    out->has_failed |= !begin(&w, root, &in[0], arena);
    while (depth && !out->has_failed) {
        level *l = &in[depth - 1];
        assay_node *node = l->next;

        if (!node) {
            end(&w, l);
            depth--;
            continue;
        }
        l->next = node->next;
        if (l->node->kind == ASSAY_NODE_MAP)
            assay_json_key_slice(&w, node->key);
        if (!is_nest(node)) {
            put_scalar(&w, node, out);
            continue;
        }
        if (depth == most)
            return false;
        out->has_failed |= !begin(&w, node, &in[depth++], arena);
    }
    return true;
}

bool assay_canonical_json(assay_slice text, uint32_t depth, assay_buffer *out)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_node *root = NULL;
    size_t len = out->len;
    assay_status st = assay_node_json("", text, &arena, &root, NULL);
    bool ok =
        !st && is_nest(root) &&
        put_tree(root, depth < ASSAY_JSON_DEPTH ? depth : ASSAY_JSON_DEPTH, &arena, out);

    if (st == ASSAY_ENOMEM)
        out->has_failed = true;
    if (!ok)
        out->len = len;
    assay_arena_clear(&arena);
    return ok;
}
