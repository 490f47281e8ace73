/* SPDX-License-Identifier: Apache-2.0 */
/* Hits to an answer: the socket for answerers (a_*.c, listed in answer_roster.h).
 *
 * An answerer gets the query and the retrieved chunks, best first, and writes an answer with
 * citations, or refuses.  `extract` needs nothing; `openai:MODEL` asks a chat model at any
 * base URL. */
#ifndef ASSAY_ANSWER_ANSWER_H
#define ASSAY_ANSWER_ANSWER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/cassette.h"
#include "base/params.h"
#include "base/span.h"
#include "run/run.h"

/* A chunk that the answer may rest on. */
typedef struct assay_source_chunk {
    assay_slice chunk; /* id, "" = none */
    assay_slice doc;
    assay_slice title; /* heading path or title, "" = none */
    assay_slice text;
    const assay_span *span; /* places in the document, or null */
    uint32_t n_spans;
    double score;
    bool has_score;
} assay_source_chunk;

/* Everything an answerer may be told; zeroed is its own way. */
typedef struct assay_answer_settings {
    assay_slice argument; /* what stands after the colon: the model */
    assay_slice params;   /* what stands in the brackets */
    const char *base_url;
    const char *api_key;     /* never stored, logged or printed */
    const char *prompt_path; /* template of the user's, or null */
    uint64_t seed;
    double timeout_s;         /* 0 = 60 */
    uint32_t retries;         /* as in assay_http_settings */
    assay_cassette *cassette; /* or null */
    const atomic_int *stop;   /* or null */
} assay_answer_settings;

/* Why it refused, as kebab has them. */
#define ASSAY_REFUSED_NO_CHUNKS  "no_chunks"
#define ASSAY_REFUSED_SCORE_GATE "score_gate"
#define ASSAY_REFUSED_SELF_JUDGE "llm_self_judge"

typedef struct assay_answerer {
    const char *name;
    const char *summary;
    const assay_param *param; /* what may stand in the brackets */

    assay_status (*open)(const assay_answer_settings *settings, void **state,
                         assay_error *err);
    assay_status (*worker)(void *state, void **worker, assay_error *err);

    /* Answer.  Everything in *out lives in `arena`.  A model that cannot be reached is a
     * failure (ASSAY_ESYSTEM): the query is stored with that error. */
    assay_status (*answer)(void *worker, assay_slice query,
                           const assay_source_chunk *chunk, uint32_t n,
                           assay_arena *arena, assay_answer *out, assay_error *err);

    /* What it rests on, for people: the chunks that it reads, or the words that a model
     * gets. */
    assay_status (*context)(void *worker, assay_slice query,
                            const assay_source_chunk *chunk, uint32_t n,
                            assay_buffer *out, assay_error *err);

    /* All that decides its answers, one line without secrets: stored with a run. */
    void (*identity)(const void *state, assay_buffer *out);
    const char *(*model)(const void *state);  /* "" = none */
    const char *(*prompt)(const void *state); /* version of its prompt, "" = none */

    void (*worker_close)(void *worker);
    void (*close)(void *state);
} assay_answerer;

/* Null past the end. */
const assay_answerer *assay_answerer_at(size_t i);
const assay_answerer *assay_answerer_find(assay_slice name);

#define ASSAY_ANSWERER_STANDARD "extract"

/* An answerer that is open. */
typedef struct assay_answering_by {
    const assay_answerer *answerer;
    void *state;
} assay_answering_by;

/* Open `openai:gpt-x(temperature=0)`; null or "" is the standard.  Argument and params of
 * `settings` are replaced by those of the spelling. */
ASSAY_MUST_USE assay_status assay_answerer_open(const char *spelling,
                                                const assay_answer_settings *settings,
                                                assay_answering_by *out,
                                                assay_error *err);
void assay_answerer_close(assay_answering_by *by);

#endif
