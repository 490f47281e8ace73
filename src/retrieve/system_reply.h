/* SPDX-License-Identifier: Apache-2.0 */
/* A system's reply becomes a result. */
#ifndef ASSAY_RETRIEVE_SYSTEM_REPLY_H
#define ASSAY_RETRIEVE_SYSTEM_REPLY_H

#include "retrieve/system_config.h"
#include "run/run_json.h"

typedef struct assay_reply {
    assay_run_reader
        in;         /* scratch; zeroed is ready, cleared with assay_run_reader_clear */
    assay_slice id; /* of the reply read last, "" = it has none */
} assay_reply;

/* Read `text` into *out, which is set up before; everything it points to lives in `arena`.
 * {"error": ...} is a result with an error.  What is no reply is ASSAY_EINPUT with words
 * that say what is wrong at which column. */
ASSAY_MUST_USE assay_status assay_reply_read(assay_reply *reply,
                                             const assay_system_config *config,
                                             const assay_question *question,
                                             assay_slice text, assay_arena *arena,
                                             assay_result *out, assay_error *err);

/* Lines of `doc_id` or `doc_id TAB score`, best first; blank ones are passed over. */
ASSAY_MUST_USE assay_status assay_reply_read_lines(assay_reply *reply,
                                                   const assay_question *question,
                                                   assay_slice text, assay_arena *arena,
                                                   assay_result *out, assay_error *err);

/* Keep the best k hits in the order in which they are ranked: by score, without scores by
 * rank, without ranks as listed.  Without an answer where none was asked for. */
void assay_reply_trim(const assay_question *question, assay_result *out);

/* A result with nothing in it. */
assay_result assay_reply_none(void);

/* A result that is an error, in these words (bytes that are not UTF-8 become '?'). */
ASSAY_MUST_USE assay_status assay_reply_fail(const assay_buffer *words,
                                             assay_arena *arena, assay_result *out,
                                             assay_error *err);

/* The beginning of a text for a message: well-formed, on one line, in quotes. */
void assay_reply_quote(assay_slice text, assay_buffer *out);

#endif
