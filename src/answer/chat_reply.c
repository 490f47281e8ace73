/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/chat_reply.h"

#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/node.h"
#include "base/slice.h"

static assay_status unfit(const char *where, const char *what, assay_error *err)
{
    return assay_fail(err, ASSAY_ESYSTEM,
                      "%s: %s; is this a server with /v1/chat/completions?", where, what);
}

/* {"error": "words"} or {"error": {"message": "words"}}, with status 200. */
static assay_status refused(const char *where, const assay_node *error, assay_error *err)
{
    const assay_node *words =
        error->kind == ASSAY_NODE_MAP ? assay_node_get(error, "message") : error;

    if (!words || words->kind != ASSAY_NODE_STRING)
        return assay_fail(err, ASSAY_ESYSTEM, "%s: the server says that it failed",
                          where);
    return assay_fail(err, ASSAY_ESYSTEM, "%s: the server says '%.*s'", where,
                      ASSAY_QUOTE(words->text));
}

/* [{"type": "text", "text": "..."}, ...], put together. */
static bool join_parts(const assay_node *list, assay_arena *arena, assay_slice *out)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    for (const assay_node *part = list->child; part; part = part->next) {
        const assay_node *text =
            part->kind == ASSAY_NODE_MAP ? assay_node_get(part, "text") : part;

        if (text && text->kind == ASSAY_NODE_STRING)
            assay_buffer_slice(&b, text->text);
    }
    *out = b.has_failed ? (assay_slice){NULL, 0}
                        : assay_arena_copy(arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    return out->ptr != NULL;
}

static assay_slice skip_thoughts(assay_slice text)
{
    static const char open[] = "<think>";
    static const char close[] = "</think>";
    size_t n = sizeof close - 1;

    text = assay_slice_trim(text);
    if (!assay_slice_starts(text, open))
        return text;
    for (size_t i = 0; i + n <= text.len; i++)
        if (memcmp(text.ptr + i, close, n) == 0)
            return assay_slice_trim((assay_slice){text.ptr + i + n, text.len - i - n});
    /* It was cut off while it thought. */
    return (assay_slice){"", 0};
}

static assay_status read_message(const char *where, const assay_node *message,
                                 assay_arena *arena, assay_slice *out, assay_error *err)
{
    const assay_node *content = assay_node_get(message, "content");
    const assay_node *refusal = assay_node_get(message, "refusal");

    *out = (assay_slice){"", 0};
    if (!content && !refusal)
        return unfit(where, "the reply's message has no 'content'", err);
    if (!content || content->kind == ASSAY_NODE_NULL)
        content = refusal;
    if (!content || content->kind == ASSAY_NODE_NULL)
        return ASSAY_OK;
    if (content->kind == ASSAY_NODE_LIST)
        return join_parts(content, arena, out)
                   ? ASSAY_OK
                   : assay_fail_memory(err, "reading a reply");
    if (content->kind != ASSAY_NODE_STRING)
        return unfit(where, "the reply's 'content' is no text", err);
    *out = content->text;
    return ASSAY_OK;
}

static int64_t count(const assay_node *usage, const char *key)
{
    const assay_node *n =
        usage && usage->kind == ASSAY_NODE_MAP ? assay_node_get(usage, key) : NULL;

    return n && n->kind == ASSAY_NODE_INT && n->integer >= 0 ? n->integer : -1;
}

assay_status assay_chat_reply_read(const char *where, assay_slice text,
                                   assay_arena *arena, assay_chat_reply *out,
                                   assay_error *err)
{
    const assay_node *choices, *message, *error;
    assay_chat_reply got = {.text = {"", 0}};
    assay_node *root;
    assay_status st = assay_node_json(where, text, arena, &root, err);

    if (st == ASSAY_EINPUT && err)
        err->status = ASSAY_ESYSTEM;
    if (st)
        return st == ASSAY_EINPUT ? ASSAY_ESYSTEM : st;
    if (root->kind != ASSAY_NODE_MAP)
        return unfit(where, "the reply is no JSON object", err);
    error = assay_node_get(root, "error");
    if (error && error->kind != ASSAY_NODE_NULL)
        return refused(where, error, err);
    choices = assay_node_get(root, "choices");
    if (!choices || choices->kind != ASSAY_NODE_LIST || !choices->child)
        return unfit(where, "the reply has no 'choices'", err);
    message = choices->child->kind == ASSAY_NODE_MAP
                  ? assay_node_get(choices->child, "message")
                  : NULL;
    if (!message || message->kind != ASSAY_NODE_MAP)
        return unfit(where, "the reply's first choice has no 'message'", err);
    st = read_message(where, message, arena, &got.text, err);
    if (st)
        return st;
    got.text = skip_thoughts(got.text);
    got.prompt_tokens = count(assay_node_get(root, "usage"), "prompt_tokens");
    got.completion_tokens = count(assay_node_get(root, "usage"), "completion_tokens");
    *out = got;
    return ASSAY_OK;
}
