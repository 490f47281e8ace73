/* SPDX-License-Identifier: Apache-2.0 */
/* What a server with /v1/chat/completions answers. */
#ifndef ASSAY_ANSWER_CHAT_REPLY_H
#define ASSAY_ANSWER_CHAT_REPLY_H

#include "assay.h"
#include "base/arena.h"

typedef struct assay_chat_reply {
    assay_slice text;      /* of the first choice, trimmed; "" = it said nothing */
    int64_t prompt_tokens; /* -1 = it does not say, also below */
    int64_t completion_tokens;
} assay_chat_reply;

/* Read a reply; `where` (the address) begins the words of an error.  A reply of another
 * shape is ASSAY_ESYSTEM: it is the server's fault, not a file's.  The content may be a
 * string, a list of parts or null (then the words of its refusal); what a model thinks
 * aloud in <think> ... </think> before it answers is left out.  *out lives in `arena`, in
 * part in `text`. */
ASSAY_MUST_USE assay_status assay_chat_reply_read(const char *where, assay_slice text,
                                                  assay_arena *arena,
                                                  assay_chat_reply *out,
                                                  assay_error *err);

#endif
