/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a recording, assay.cassette/1: JSON lines.
 *
 *     {"schema":"assay.cassette/1"}
 *     {"kind":"http","target":"http://host/v1/embeddings","key":"5f0c...","n":1,
 *      "request":{"input":["a text"],"model":"m"},"reply":"{\"data\": ...","ms":12.5}
 *
 * `request` is JSON when the request was a JSON object or list, else a string; `request64`,
 * `reply64` are base64 where the bytes are not UTF-8; `error` stands instead of a reply that
 * never came.  `key` is the SHA-256 of kind, target and request, each ended by a zero byte;
 * where it is left out it is computed. */
#ifndef ASSAY_BASE_CASSETTE_FILE_H
#define ASSAY_BASE_CASSETTE_FILE_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/cassette.h"
#include "base/sha256.h"

#define ASSAY_CASSETTE_SCHEMA "assay.cassette/1"

enum { ASSAY_CASSETTE_KEY = 2 * ASSAY_SHA256_BYTES };

/* One recorded call; slices point into the text or the arena. */
typedef struct assay_taped {
    assay_slice line; /* as it stands in the file */
    uint64_t number;  /* of the line */
    assay_slice kind;
    assay_slice target;
    assay_slice key;     /* ASSAY_CASSETTE_KEY hexadecimal digits */
    assay_slice request; /* canonical where it is JSON */
    assay_slice reply;   /* or the words of the error */
    bool has_failed;
    double ms;
    uint32_t n; /* which of equal requests, from 1 */
} assay_taped;

/* Zeroed is empty and ready. */
typedef struct assay_tape {
    assay_taped *item; /* ordered by kind, target, key and n */
    size_t n;
    size_t cap;
    size_t n_bytes; /* of the text up to the end of its last whole line */
    assay_arena arena;
} assay_tape;

/* Read a recording.  `text` must outlive the tape.  A recording that was interrupted
 * (`is_part`) may end in the middle of a line, which is left out then; where it was gone on
 * with, the later of equal requests count. */
ASSAY_MUST_USE assay_status assay_tape_read(assay_tape *tape, const char *path,
                                            assay_slice text, bool is_part,
                                            assay_error *err);
void assay_tape_clear(assay_tape *tape);

/* The request as it is compared and written: JSON in its canonical form.  True when it is
 * JSON. */
bool assay_tape_request(assay_slice request, assay_buffer *out);

/* What a call is known by; `request` is in that form. */
void assay_tape_key(assay_slice kind, assay_slice target, assay_slice request,
                    char key[ASSAY_CASSETTE_KEY]);

/* Append the first line of a file; append a line. */
void assay_tape_write_head(assay_buffer *out);
void assay_tape_write(const assay_taped *call, bool is_json, assay_buffer *out);

#endif
