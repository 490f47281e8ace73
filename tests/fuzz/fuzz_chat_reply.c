/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the reply of a chat server, then as an answer with markers: errors have
 * words, every marker has a number from 1 to 999, and there are no more of them than
 * brackets and separators. */
#include <stdlib.h>

#include "answer/chat_reply.h"
#include "answer/markers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(assay_slice text, assay_arena *arena)
{
    assay_markers markers;
    size_t most = 0;

    for (size_t i = 0; i < text.len; i++)
        most += text.ptr[i] == '[' || text.ptr[i] == ',' || text.ptr[i] == ';';
    if (!assay_markers_find(text, arena, &markers) || markers.n > most)
        abort();
    for (size_t i = 0; i < markers.n; i++)
        if (markers.number[i] < 1 || markers.number[i] > 999)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_slice text = {(const char *)data, size};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_error err = {ASSAY_OK, ""};
    assay_chat_reply reply;
    assay_status st = assay_chat_reply_read("f", text, &arena, &reply, &err);

    look(text, &arena);
    if (st && (st != ASSAY_ESYSTEM || err.status != st || !err.text[0]))
        abort();
    if (!st) {
        if (!reply.text.ptr || reply.prompt_tokens < -1 || reply.completion_tokens < -1)
            abort();
        look(reply.text, &arena);
    }
    assay_arena_clear(&arena);
    return 0;
}
