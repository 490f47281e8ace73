/* SPDX-License-Identifier: Apache-2.0 */
/* A run: for each query the hits in order, perhaps an answer, the time taken, an error.
 *
 * This is the socket for run formats (u_*.c, listed in run_roster.h) and the noun that
 * they fill.  A TREC run of hundreds of megabytes is not turned into structs: it stays a
 * mapped file plus the places where each query's lines stand (trec_lines.h), and its
 * hits are read when they are needed, by whoever needs them, into that worker's memory. */
#ifndef ASSAY_RUN_RUN_H
#define ASSAY_RUN_RUN_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/dict.h"
#include "base/file.h"
#include "base/notes.h"
#include "base/span.h"

/* Where a fused hit stood in one of the rankings it was made from. */
typedef struct assay_leg_place {
    assay_slice name; /* of the leg: a retriever, a run */
    uint32_t rank;    /* from 1; 0 = the leg does not have it */
    bool has_score;
    double score;
} assay_leg_place;

typedef struct assay_hit {
    assay_slice chunk;      /* "" when the run has no chunk ids */
    assay_slice doc;        /* "" when the run has no doc ids */
    double score;           /* only with has_score; always finite */
    const assay_span *span; /* places in the document, or null; one pair with has_lines */
    uint32_t n_spans;       /* bytes: 0 with has_lines */
    uint32_t rank;          /* as given, from 1; 0 = none */
    bool has_score;
    bool has_lines; /* `span` is lines, both ends included, until a corpus makes bytes of
                       them (pipeline/place_hits.h) */
    uint8_t n_legs;
    const assay_leg_place *leg; /* of a fused hit, or null */
    assay_slice text;           /* "" when the run has none */
} assay_hit;

typedef struct assay_citation {
    assay_slice marker;
    assay_slice chunk;
    assay_slice doc;
    assay_slice path;
    assay_span span;  /* {0, 0} = none */
    assay_span lines; /* both ends included; {0, 0} = none */
    bool is_beyond;   /* a corpus has the document, and no such place in it */
} assay_citation;

/* Three-valued: systems do not always say. */
typedef enum assay_flag { ASSAY_FLAG_UNKNOWN, ASSAY_FLAG_NO, ASSAY_FLAG_YES } assay_flag;

typedef struct assay_answer {
    assay_slice text;
    assay_citation *citation;
    uint32_t n_citations;
    assay_flag grounded;
    assay_slice refusal_reason; /* "" = did not say that it refused */
    assay_slice model;
    int64_t prompt_tokens; /* -1 = unknown, also below */
    int64_t completion_tokens;
    double latency_ms;
    double cost;
} assay_answer;

/* What one query got. */
typedef struct assay_result {
    assay_slice query_id;
    assay_slice query; /* its text, "" when the run does not repeat it */
    assay_slice mode;  /* kebab's: lexical, vector, hybrid; "" else */
    assay_hit *hit;    /* as listed in the file */
    uint32_t n_hits;
    assay_answer *answer; /* null = none */
    double elapsed_ms;    /* negative = unknown */
    assay_slice error;    /* "" = none */
    uint32_t line;
    uint8_t seen; /* assay_seen bits of its hits; 0 = not looked at yet */
} assay_result;

/* Which kinds of hits a query has.  Readers that see every hit anyway may set it in
 * passing; assay_run_finish does it for the others. */
typedef enum assay_seen {
    ASSAY_SEEN_CHUNK = 1, /* a hit with a chunk id and no doc id */
    ASSAY_SEEN_DOC = 2,   /* a hit with a doc id and no chunk id */
    ASSAY_SEEN_BOTH = 4,
    ASSAY_SEEN_NEITHER = 8, /* to be placed by its text or spans */
    ASSAY_SEEN_SCORE = 16,
    ASSAY_SEEN_NO_SCORE = 32,
    ASSAY_SEEN_SPANS = 64,
    ASSAY_SEEN_DONE = 128 /* all hits were looked at */
} assay_seen;

/* What bob's results file recorded for a query; NaN where it did not. */
typedef struct assay_recorded {
    double recall;
    double precision;
    double mrr;
    assay_flag passed;
} assay_recorded;

/* What a corpus knows of the things that answers cite; lives in the run. */
typedef struct assay_cited_chunk {
    assay_slice id;
    assay_slice doc;
    const assay_span *span;
    uint32_t n_spans;
} assay_cited_chunk;

typedef struct assay_cited_doc {
    assay_slice id; /* as the citation spells it: its document or its path */
    uint64_t bytes;
} assay_cited_doc;

typedef struct assay_cited {
    assay_cited_chunk *chunk;
    uint32_t n_chunks;
    assay_cited_doc *doc;
    uint32_t n_docs;
} assay_cited;

typedef struct assay_trec_lines assay_trec_lines; /* trec_lines.h */
typedef struct assay_stages assay_stages;         /* stages.h: evalvault's events */

struct assay_run {
    assay_arena arena;
    assay_file file;  /* kept open: slices point into it */
    const char *path; /* in the arena */
    const struct assay_run_format *format;
    assay_slice name;     /* the run's own name: TREC tag, run_id, else the file's */
    assay_result *result; /* null in a TREC run, see trec */
    uint32_t n_results;
    size_t cap_results;
    assay_dict ids;         /* query id -> index in result[] (or of trec's queries) */
    assay_trec_lines *trec; /* a TREC run's lines, or null */
    assay_stages *stages;   /* stage events, or null */
    bool has_chunks;        /* some hit has a chunk id */
    bool has_docs;
    bool has_spans;
    bool has_scores;
    bool has_answers;
    uint32_t depth; /* most hits of one query */
    assay_notes notes;
    uint32_t n_unknown_keys;
    assay_cited cited;        /* empty where no corpus was asked */
    assay_recorded *recorded; /* by result, or null: values found in the file */
    uint32_t recorded_k;      /* the cutoff they were taken at, 0 = unknown */
    bool is_scores_only;      /* there are no hits to measure, only recorded values */
};
typedef struct assay_run assay_run;

/* What to do with a document that a query's hits name twice, in a TREC file. */
typedef enum assay_duplicates {
    ASSAY_DUPLICATES_DEFAULT, /* TREC: error; elsewhere the first stays, counted */
    ASSAY_DUPLICATES_ERROR,
    ASSAY_DUPLICATES_FIRST
} assay_duplicates;

/* The beginning of a file, looked at once for all formats. */
enum { ASSAY_RUN_HEAD_KEYS = 64 };
typedef struct assay_run_head {
    bool is_list; /* a JSON list; the keys are its first item's */
    uint32_t n_keys;
    assay_slice key[ASSAY_RUN_HEAD_KEYS]; /* of the first JSON object, if there is one */
} assay_run_head;

typedef struct assay_run_source {
    const char *path;
    assay_slice text; /* the whole file, unpacked, byte order mark removed */
    const assay_run_options *options;
    const assay_run_head *head;
} assay_run_source;

/* Whether the first JSON object of the file has the key. */
bool assay_run_has_key(const assay_run_source *source, const char *key);

/* Look at the beginning of `text`.  What is malformed is no failure here, only the end of
 * what there is to see. */
ASSAY_MUST_USE assay_status assay_run_look(const char *path, assay_slice text,
                                           assay_arena *arena, assay_run_head *out,
                                           assay_error *err);

typedef struct assay_run_format {
    const char *name;
    const char *summary;
    int (*sniff)(const assay_run_source *source);
    assay_status (*read)(const assay_run_source *source, assay_run *into,
                         assay_error *err);
    assay_status (*write)(const assay_run *run, assay_buffer *out, assay_notes *lost,
                          assay_arena *arena, assay_error *err);
    const char *details; /* lines for 'assay format show', or null */
} assay_run_format;

/* Null past the end. */
const assay_run_format *assay_run_format_at(size_t i);
const assay_run_format *assay_run_format_find(assay_slice name);

/* The same, but an unknown name is ASSAY_EUSAGE, and the words list those there are. */
ASSAY_MUST_USE assay_status assay_run_format_get(const char *name,
                                                 const assay_run_format **out,
                                                 assay_error *err);

/* `options` may be null.  On success the caller owns *out; on failure it is not
 * touched. */
ASSAY_MUST_USE assay_status assay_run_load(const char *path,
                                           const assay_run_options *options,
                                           assay_run **out, assay_error *err);

/* The same from memory; `name` stands for the path in messages.  The text is copied. */
ASSAY_MUST_USE assay_status assay_run_parse(const char *name, assay_slice text,
                                            const assay_run_options *options,
                                            assay_run **out, assay_error *err);
assay_run *assay_run_new(void);
void assay_run_free(assay_run *run);

/* Number of queries in the run, whatever its form. */
uint32_t assay_run_n(const assay_run *run);

/* Id of the i-th query. */
assay_slice assay_run_id(const assay_run *run, uint32_t i);

/* The i-th query's result.  Hits of a TREC run are read now, into `arena`; a malformed
 * line is an error then.  Safe from several threads, each with its own arena. */
ASSAY_MUST_USE assay_status assay_run_result(const assay_run *run, uint32_t i,
                                             assay_arena *arena, assay_result *out,
                                             assay_error *err);

/* What tells the hits of one query apart: the chunk, else the document with its spans, else
 * a blank and the text, which is no id that anything is judged by.
 * *out may be made in `arena`.  False: no memory. */
bool assay_run_hit_id(const assay_hit *hit, assay_arena *arena, assay_slice *out);

/* ---- for readers ---- */

/* Append a result; *out stays valid until the next call.  Duplicate query ids are an
 * error that names both lines. */
ASSAY_MUST_USE assay_status assay_run_add(assay_run *run, assay_slice query_id,
                                          uint32_t line, assay_result **out,
                                          assay_error *err);

/* The bits of assay_seen that one hit stands for. */
uint8_t assay_run_seen(const assay_hit *hit);

/* Derive has_*, depth; check what all formats share.  Called by load. */
ASSAY_MUST_USE assay_status assay_run_finish(assay_run *run, assay_error *err);

#endif
