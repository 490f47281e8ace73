/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as YAML.  The tree must be whole: every child counted, every key once in its
 * map, no deeper than JSON may be. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/node.h"
#include "base/slice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_WALKED = 100000 };

static void check_children(const assay_node *node)
{
    uint32_t n = 0;

    for (const assay_node *child = node->child; child; child = child->next) {
        n++;
        if ((node->kind == ASSAY_NODE_MAP) != (child->key_line > 0))
            abort();
        if (!child->key.ptr || child->line == 0)
            abort();
        if (n < 100 && node->kind == ASSAY_NODE_MAP)
            for (const assay_node *c = node->child; c != child; c = c->next)
                if (assay_slice_eq(c->key, child->key))
                    abort();
    }
    if (n != node->n)
        abort();
    if (node->kind != ASSAY_NODE_MAP && node->kind != ASSAY_NODE_LIST && n)
        abort();
}

/* Walk the tree without recursion; aliases may make it large, so not all of it. */
static void check_tree(const assay_node *root)
{
    const assay_node *stack[ASSAY_JSON_DEPTH + 2];
    size_t depth = 0;

    stack[depth++] = root;
    for (size_t n = 0; depth > 0 && n < MOST_WALKED; n++) {
        const assay_node *node = stack[--depth];

        check_children(node);
        if (node->next)
            stack[depth++] = node->next;
        if (node->child)
            stack[depth++] = node->child;
        if (depth > ASSAY_JSON_DEPTH + 1)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_slice text = {(const char *)data, size};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_node *root = NULL;
    assay_error err;
    assay_status st = assay_node_yaml("f", text, &arena, &root, &err);

    if (st && (st != ASSAY_EINPUT || strncmp(err.text, "f:", 2) != 0))
        abort();
    if (!st)
        check_tree(root);
    assay_arena_clear(&arena);
    return 0;
}
