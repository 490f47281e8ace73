/* SPDX-License-Identifier: Apache-2.0 */
/* JSON objects against tables of their keys: what the line formats share.
 *
 * A table says for each key where its value goes and which function puts it there.  Keys
 * may come in any order; null means absent; unknown keys are counted, unless they look
 * like a misspelt vital one: losing all hits to a typing error is the classic accident. */
#ifndef ASSAY_RUN_RUN_JSON_H
#define ASSAY_RUN_RUN_JSON_H

#include "base/json.h"
#include "run/run.h"

/* Most legs of a fused hit. */
enum { ASSAY_RUN_LEGS_MOST = 16 };

/* One for each worker. */
typedef struct assay_run_reader {
    assay_json json;
    assay_arena arena; /* what results point to */
    assay_slice key;   /* whose value is being read, for messages */
    assay_hit *hit;    /* hits of the query being read; grows, then is copied */
    size_t n_hits;
    size_t cap_hits;
    assay_span *span; /* likewise spans of the hit */
    size_t cap_spans;
    assay_citation *citation;
    size_t cap_citations;
    assay_leg_place leg[ASSAY_RUN_LEGS_MOST]; /* likewise legs of the hit */
    uint32_t n_legs;
    uint32_t n_unknown;
} assay_run_reader;

/* Store `value` (never null) at `slot`.  A list or object is read to its end. */
typedef assay_status assay_run_set(assay_run_reader *in, const assay_json_token *value,
                                   void *slot, assay_error *err);

typedef struct assay_run_key {
    assay_slice name;
    assay_run_set *set; /* null: known, and of no use to us */
    size_t offset;      /* of the slot in the object's struct */
    bool is_vital;
} assay_run_key;

/* Entries of a table, which ends with ASSAY_RUN_KEYS_END. */
#define ASSAY_RUN_KEY(text, set, type, member)                       \
    {                                                                \
        {text, sizeof(text) - 1}, set, offsetof(type, member), false \
    }
#define ASSAY_RUN_VITAL(text, set, type, member)                    \
    {                                                               \
        {text, sizeof(text) - 1}, set, offsetof(type, member), true \
    }
#define ASSAY_RUN_WHOLE(text, set)             \
    {                                          \
        {text, sizeof(text) - 1}, set, 0, true \
    }
#define ASSAY_RUN_IGNORED(text)                  \
    {                                            \
        {text, sizeof(text) - 1}, NULL, 0, false \
    }
#define ASSAY_RUN_KEYS_END        \
    {                             \
        {NULL, 0}, NULL, 0, false \
    }

/* Read the members of an object whose `{` was the last token.  *seen (may be null) gets
 * a bit for each key of the table that stood there, null or not. */
ASSAY_MUST_USE assay_status assay_run_object(assay_run_reader *in,
                                             const assay_run_key *keys, void *into,
                                             uint32_t *seen, assay_error *err);

/* "'score' must be a number, not a string". */
assay_status assay_run_unfit(const assay_run_reader *in, const assay_json_token *value,
                             const char *wanted, assay_error *err);

assay_run_set assay_run_set_id;    /* assay_slice: a string, or a whole number's digits */
assay_run_set assay_run_set_text;  /* assay_slice */
assay_run_set assay_run_set_rank;  /* uint32_t, from 1 */
assay_run_set assay_run_set_count; /* int64_t, from 0 */
assay_run_set assay_run_set_ms;    /* double, from 0 */
assay_run_set assay_run_set_flag;  /* assay_flag */
assay_run_set assay_run_set_score; /* assay_hit: score and has_score */
assay_run_set assay_run_set_legs;  /* assay_hit: leg and n_legs */
assay_run_set assay_run_set_pair;  /* assay_span: [a, b], a < b */
assay_run_set assay_run_set_lines; /* assay_span: [a, b], 1 <= a <= b */
assay_run_set assay_run_set_spans; /* assay_hit: span and n_spans */
assay_run_set assay_run_set_hit_lines; /* assay_hit: span and has_lines */

/* Hits as assay's own run format has them (u_jsonl.c), into an assay_result. */
assay_run_set assay_run_set_hits;

/* Read a list of objects, each by `one`, which appends to the reader's scratch; the
 * list's `[` was the last token. */
ASSAY_MUST_USE assay_status assay_run_list(assay_run_reader *in, const char *name,
                                           assay_status (*one)(assay_run_reader *in,
                                                               assay_error *err),
                                           assay_error *err);

/* A new element of the scratch, zeroed; null: no memory. */
assay_hit *assay_run_new_hit(assay_run_reader *in);

/* Move the hits in the scratch into the arena, as those of `result`. */
ASSAY_MUST_USE assay_status assay_run_take_hits(assay_run_reader *in,
                                                assay_result *result, assay_error *err);

/* An answer of which nothing is known yet, in the arena; null: no memory. */
assay_answer *assay_run_new_answer(assay_arena *arena);

/* Read a list of citations, whose `[` was the last token, each with `keys` for an
 * assay_citation. */
ASSAY_MUST_USE assay_status assay_run_citations(assay_run_reader *in,
                                                const assay_run_key *keys,
                                                assay_answer *answer, assay_error *err);

/* An answer as assay's own format has it: read into assay_answer *, and written. */
assay_run_set assay_run_set_answer;
void assay_run_write_answer(assay_json_writer *w, const assay_answer *answer);

void assay_run_reader_clear(assay_run_reader *in);

/* ---- files of one object a line ---- */

/* Read the line's object, whose `{` was the last token, into `result` (which has no
 * query id yet). */
typedef assay_status assay_run_read_line(assay_run_reader *in, assay_result *result,
                                         assay_error *err);

/* All lines, on several threads; results stand in file order, and errors are those of
 * the earliest line, whatever the number of threads. */
ASSAY_MUST_USE assay_status assay_run_read_lines(const assay_run_source *source,
                                                 assay_run *into,
                                                 assay_run_read_line *read_line,
                                                 assay_error *err);

/* ---- writing ---- */

/* An answer as assay's own format has it. */
void assay_run_write_answer(assay_json_writer *w, const assay_answer *answer);

#endif
