/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pointer.h"

#include "base/slice.h"

bool assay_pointer_is(assay_slice p)
{
    if (p.len && p.ptr[0] != '/')
        return false;
    for (size_t i = 0; i < p.len; i++)
        if (p.ptr[i] == '~' &&
            (i + 1 == p.len || (p.ptr[i + 1] != '0' && p.ptr[i + 1] != '1')))
            return false;
    return true;
}

/* Whether a step of a pointer, in which ~1 is / and ~0 is ~, names the key. */
static bool is_key(assay_slice step, assay_slice key)
{
    size_t at = 0;

    for (size_t i = 0; i < step.len; i++, at++) {
        char c = step.ptr[i];

        if (c == '~' && i + 1 < step.len)
            c = step.ptr[++i] == '1' ? '/' : '~';
        if (at == key.len || key.ptr[at] != c)
            return false;
    }
    return at == key.len;
}

/* An item of a list: digits without a leading zero. */
static bool is_index(assay_slice step, uint32_t *out)
{
    if (!step.len || (step.len > 1 && step.ptr[0] == '0'))
        return false;
    for (size_t i = 0; i < step.len; i++)
        if (step.ptr[i] < '0' || step.ptr[i] > '9')
            return false;
    return assay_slice_to_u32(step, out);
}

static const assay_node *take_step(const assay_node *node, assay_slice step)
{
    const assay_node *c = node->child;
    uint32_t index;

    if (node->kind == ASSAY_NODE_MAP) {
        while (c && !is_key(step, c->key))
            c = c->next;
        return c;
    }
    if (node->kind != ASSAY_NODE_LIST || !is_index(step, &index) || index >= node->n)
        return NULL;
    while (c && index--)
        c = c->next;
    return c;
}

const assay_node *assay_pointer_get(const assay_node *root, assay_slice pointer)
{
    size_t at = 0;

    while (root && at < pointer.len) {
        size_t from = ++at; /* behind the '/' */

        while (at < pointer.len && pointer.ptr[at] != '/')
            at++;
        root = take_step(root, (assay_slice){pointer.ptr + from, at - from});
    }
    return root;
}
