/* SPDX-License-Identifier: Apache-2.0 */
/* What a chat model is told: a template with a version, and the chunks that fit. */
#ifndef ASSAY_ANSWER_PROMPT_H
#define ASSAY_ANSWER_PROMPT_H

#include "answer/answer.h"

/* Version of the template that comes with the program: changed with every change of it. */
#define ASSAY_PROMPT_VERSION "assay-1"

typedef struct assay_prompt {
    assay_slice system; /* "" = no system message */
    assay_slice user;   /* with {chunks} and {query} in it */
    char version[24];   /* of ours, or "sha256:" and 16 digits of the file's */
} assay_prompt;

/* The template in a file, or our own where `path` is null.  A file holds the user's message
 * with {chunks} and {query} in it, once each; what stands before a line `---` is the
 * system message.  Strings live in `arena`. */
ASSAY_MUST_USE assay_status assay_prompt_load(const char *path, assay_arena *arena,
                                              assay_prompt *out, assay_error *err);

/* One chunk as a model sees it: "[#3] guide.md (Refunds)", its text, an empty line. */
void assay_prompt_chunk(uint32_t number, const assay_source_chunk *chunk,
                        assay_buffer *out);

/* The user's message.  Chunks are taken in order while all of it stays within `budget`
 * tokens (of three bytes each), the first one in any case; *n_used tells how many. */
void assay_prompt_write(const assay_prompt *prompt, assay_slice query,
                        const assay_source_chunk *chunk, uint32_t n, uint32_t budget,
                        assay_buffer *out, uint32_t *n_used);

#endif
