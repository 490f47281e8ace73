/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as JSON.  What is accepted must come back the same when it is written and
 * read again, and the tree must have as many values as the tokens. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/node.h"
#include "base/slice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Write one token as it was read. */
static void write_token(assay_json_writer *w, assay_json_token token)
{
    switch (token.kind) {
    case ASSAY_JSON_KEY: assay_json_key_slice(w, token.text); break;
    case ASSAY_JSON_LIST: assay_json_list(w); break;
    case ASSAY_JSON_LIST_END: assay_json_list_end(w); break;
    case ASSAY_JSON_OBJECT: assay_json_object(w); break;
    case ASSAY_JSON_OBJECT_END: assay_json_object_end(w); break;
    default: /* Numbers too: their text is what has to come back. */
        assay_json_string(w, token.text);
    }
}

/* The text with all scalars as strings, or false where it is not JSON. */
static bool normal_form(assay_slice text, int indent, assay_buffer *out, size_t *n_values)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_json_writer w = assay_json_writer_of(out, indent);
    assay_json json = {0};
    assay_json_token token;
    assay_error err;
    assay_status st;

    *n_values = 0;
    assay_json_init(&json, "f", 1, text, &arena);
    for (;;) {
        st = assay_json_next(&json, &token, &err);
        if (st || token.kind == ASSAY_JSON_END)
            break;
        if (token.at < text.ptr || token.at >= text.ptr + text.len)
            abort();
        write_token(&w, token);
        *n_values += token.kind != ASSAY_JSON_KEY && token.kind != ASSAY_JSON_LIST_END &&
                     token.kind != ASSAY_JSON_OBJECT_END;
    }
    if (st && (st != ASSAY_EINPUT || strncmp(err.text, "f:", 2) != 0))
        abort();
    assay_json_clear(&json);
    assay_arena_clear(&arena);
    return st == ASSAY_OK;
}

/* Nodes of the tree, walked without recursion: at most ASSAY_JSON_DEPTH levels. */
static size_t count_nodes(const assay_node *root)
{
    const assay_node *stack[ASSAY_JSON_DEPTH + 2];
    size_t depth = 0;
    size_t n = 0;

    stack[depth++] = root;
    while (depth > 0) {
        const assay_node *node = stack[--depth];

        n++;
        if (node->next)
            stack[depth++] = node->next;
        if (node->child)
            stack[depth++] = node->child;
        if (depth > ASSAY_JSON_DEPTH + 1)
            abort();
    }
    return n;
}

static void check_tree(assay_slice text, bool is_json, size_t n_values)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_node *root = NULL;
    assay_error err;
    assay_status st = assay_node_json("f", text, &arena, &root, &err);

    /* A number that fits no double is JSON but no tree. */
    if (!st != is_json && !(is_json && strstr(err.text, "does not fit a double")))
        abort();
    if (!st && count_nodes(root) != n_values)
        abort();
    assay_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_slice text = {(const char *)data, size};
    assay_buffer once = ASSAY_BUFFER_EMPTY;
    assay_buffer twice = ASSAY_BUFFER_EMPTY;
    size_t n_values;
    size_t n_again;
    bool is_json = normal_form(text, 0, &once, &n_values);

    check_tree(text, is_json, n_values);
    if (is_json) {
        if (!normal_form(assay_buffer_view(&once), 0, &twice, &n_again) ||
            n_again != n_values ||
            !assay_slice_eq(assay_buffer_view(&once), assay_buffer_view(&twice)))
            abort();
    }
    assay_buffer_clear(&once);
    assay_buffer_clear(&twice);
    return 0;
}
