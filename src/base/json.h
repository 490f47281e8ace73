/* SPDX-License-Identifier: Apache-2.0 */
/* JSON (RFC 8259): one streaming pull reader and one writer.
 *
 * The reader never recurses, refuses duplicate keys, broken UTF-8, lone surrogates and
 * nesting beyond ASSAY_JSON_DEPTH, and names file, line and column.  Strings without
 * escapes are slices of the input; others are unescaped into the arena. */
#ifndef ASSAY_BASE_JSON_H
#define ASSAY_BASE_JSON_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/keys.h"

enum { ASSAY_JSON_DEPTH = 200 };

typedef enum assay_json_kind {
    ASSAY_JSON_END, /* the value is complete and nothing follows it */
    ASSAY_JSON_NULL,
    ASSAY_JSON_FALSE,
    ASSAY_JSON_TRUE,
    ASSAY_JSON_NUMBER, /* text holds it as written */
    ASSAY_JSON_STRING, /* text holds it, unescaped */
    ASSAY_JSON_KEY,    /* text holds the name; its value is the next token */
    ASSAY_JSON_LIST,   /* [ */
    ASSAY_JSON_LIST_END,
    ASSAY_JSON_OBJECT, /* { */
    ASSAY_JSON_OBJECT_END
} assay_json_kind;

typedef struct assay_json_token {
    assay_json_kind kind;
    assay_slice text;
    const char *at; /* where it begins in the input */
} assay_json_token;

/* Members are private to json.c. */
typedef struct assay_json {
    const char *path;  /* for messages */
    const char *begin; /* of the whole input, to count columns */
    const char *p;
    const char *end;
    uint64_t line;      /* number of the line that `begin` stands in */
    assay_arena *arena; /* for unescaped strings; borrowed */
    uint32_t depth;
    uint32_t state;
    bool is_object[ASSAY_JSON_DEPTH + 1];
    assay_keys keys; /* of the open objects, to refuse duplicates */
    size_t first_key[ASSAY_JSON_DEPTH + 1]; /* number of the first key at each depth */
} assay_json;

/* Start reading `text`, which begins in line `line` of `path`; at the beginning of line
 * 1 a byte order mark is passed over.  Reuse one reader for
 * many texts: init again keeps its memory.  The struct must be zeroed before the first
 * init. */
void assay_json_init(assay_json *json, const char *path, uint64_t line, assay_slice text,
                     assay_arena *arena);

/* Unescape into another arena from now on.  Names of objects that are open stay where they
 * are: so the items of a list may have an arena that is reset after each. */
static inline void assay_json_use(assay_json *json, assay_arena *arena)
{
    json->arena = arena;
}

/* The next token. */
ASSAY_MUST_USE assay_status assay_json_next(assay_json *json, assay_json_token *token,
                                            assay_error *err);

/* Pass over the value whose first token was `token` (a list or object to its end). */
ASSAY_MUST_USE assay_status assay_json_skip(assay_json *json, assay_json_token token,
                                            assay_error *err);

/* For readers that know a shape of item by heart.  Where the next item of the innermost
 * list begins, or null where there is none; only white space is consumed.  One who has read the
 * item says so with item_done, which goes on at `behind`; else next reads it. */
const char *assay_json_item(assay_json *json);
void assay_json_item_done(assay_json *json, const char *behind);

/* Line and column (from 1, in characters) of a place in the input. */
void assay_json_place(const assay_json *json, const char *at, uint64_t *line,
                      uint64_t *column);

/* "path:line:column: what", ASSAY_EINPUT, for a reader that wants something else. */
assay_status assay_json_fail(const assay_json *json, const char *at, assay_error *err,
                             const char *format, ...) ASSAY_PRINTF(4, 5);

void assay_json_clear(assay_json *json);

/* ---- writing ---- */

/* Writes one JSON value into a buffer.  Commas and, when `indent` > 0, line breaks are
 * its business; the first failure of the buffer sticks. */
typedef struct assay_json_writer {
    assay_buffer *out;
    int indent; /* blanks a level; 0 = all on one line */
    uint32_t depth;
    bool has_items[ASSAY_JSON_DEPTH + 1]; /* at this depth something was written */
    bool is_flat[ASSAY_JSON_DEPTH + 1];   /* this list or object stays on one line */
    bool after_key;
} assay_json_writer;

assay_json_writer assay_json_writer_of(assay_buffer *out, int indent);
void assay_json_object(assay_json_writer *w);
void assay_json_object_end(assay_json_writer *w);
void assay_json_list(assay_json_writer *w);
void assay_json_list_end(assay_json_writer *w);

/* Like assay_json_list / object, but kept on one line whatever the indent. */
void assay_json_flat_list(assay_json_writer *w);
void assay_json_flat_object(assay_json_writer *w);

void assay_json_key(assay_json_writer *w, const char *name);
void assay_json_key_slice(assay_json_writer *w, assay_slice name);

/* Control characters, quote and backslash are escaped, and bytes that are not UTF-8
 * become U+FFFD; everything else is written as it is. */
void assay_json_string(assay_json_writer *w, assay_slice s);
void assay_json_text(assay_json_writer *w, const char *text);
void assay_json_int(assay_json_writer *w, int64_t value);

/* The shortest form that reads back; NaN and infinite become null. */
void assay_json_double(assay_json_writer *w, double value);
void assay_json_bool(assay_json_writer *w, bool value);
void assay_json_null(assay_json_writer *w);

/* A name and its value in one call; a null text is null. */
void assay_json_put_text(assay_json_writer *w, const char *key, const char *text);
void assay_json_put_slice(assay_json_writer *w, const char *key, assay_slice text);
void assay_json_put_int(assay_json_writer *w, const char *key, int64_t value);
void assay_json_put_double(assay_json_writer *w, const char *key, double value);
void assay_json_put_bool(assay_json_writer *w, const char *key, bool value);

/* "key": [a, b], on one line. */
void assay_json_put_pair(assay_json_writer *w, const char *key, double a, double b);

/* A value that is JSON already, as it stands. */
void assay_json_raw(assay_json_writer *w, assay_slice json);

#endif
