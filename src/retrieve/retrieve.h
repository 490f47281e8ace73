/* SPDX-License-Identifier: Apache-2.0 */
/* Queries to hits: the socket for retrievers (r_*.c, listed in retrieve_roster.h).
 *
 * A retriever is built over passages once and then asked by any number of threads.
 *
 * Contract: at most k hits, best first, equal scores by passage id, bytes descending; the
 * same answer to the same question on any thread; an empty query and k = 0 are fine;
 * scores are finite. */
#ifndef ASSAY_RETRIEVE_RETRIEVE_H
#define ASSAY_RETRIEVE_RETRIEVE_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/notes.h"
#include "base/params.h"
#include "corpus/passages.h"
#include "embed/embed.h"

enum { ASSAY_LEGS_MOST = 8 };

typedef struct assay_retrieved {
    uint32_t passage; /* number in the passages */
    double score;
    /* Of fused hits: rank in each leg, from 1 (0 = not there), and score in it. */
    uint32_t leg_rank[ASSAY_LEGS_MOST];
    double leg_score[ASSAY_LEGS_MOST];
} assay_retrieved;

/* What a retriever is built from. */
typedef struct assay_retrieve_source {
    const assay_passages *passages; /* must outlive the retriever */
    assay_slice params; /* "k1=0.9,b=0.4": what stands in the brackets of its spelling */
    const char *tokenizer; /* spelling, null = automatic */
    const char *embedder;  /* spelling, null = "lsa" */
    assay_embed_settings embed;
    const char *graph_path;      /* knowledge graph, null = made from the passages */
    const char *reranker;        /* "http://..." or "cmd:...", null = none */
    const char *reranker_key;    /* sent to it, never stored or shown; null = none */
    const char *index_path;      /* file to keep an index in, null = memory only */
    uint32_t n_threads;          /* 0 = one a core */
    assay_notes *notes;          /* what people should know */
    assay_arena *arena;          /* for the notes */
    struct assay_shared *shared; /* what is open over these passages, or null */
} assay_retrieve_source;

typedef struct assay_retriever {
    const char *name;
    const char *summary;
    const assay_param *param; /* what may stand in the brackets; ends with a null name */

    assay_status (*open)(const assay_retrieve_source *source, void **state,
                         assay_error *err);

    /* A worker's scratch space; several may be open on one state at once. */
    assay_status (*worker)(void *state, void **worker, assay_error *err);

    /* Fill hit[0..*n), *n <= k.  Fields of legs are zero where there are none. */
    assay_status (*search)(void *worker, assay_slice query, uint32_t k,
                           assay_retrieved *hit, uint32_t *n, assay_error *err);

    /* Many queries at once, for retrievers to which that makes a difference; null = one by
     * one.  The hits of query i begin at hit[i * k], n[i] of them; they are the same as
     * those of `search`.  The threads of the source are used. */
    assay_status (*search_batch)(void *worker, const assay_slice *query, size_t n_queries,
                                 uint32_t k, assay_retrieved *hit, uint32_t *n,
                                 assay_error *err);

    /* Why `passage` has its score: lines for people ("term  tf  idf  part"); null = the
     * retriever cannot say. */
    assay_status (*explain)(void *worker, assay_slice query, uint32_t passage,
                            assay_buffer *out, assay_error *err);

    /* All that decides its answers, one line: stored with a run. */
    void (*identity)(const void *state, assay_buffer *out);

    /* What leg `leg` of its hits is called; null past the last.  Null: it has no legs. */
    const char *(*leg_name)(const void *state, uint32_t leg);

    /* Null, or: the embedder that it, or a leg of it, uses; null where none does. */
    const assay_embedding *(*embedding)(const void *state);

    /* Null, or: what people should know after all queries were asked ("no query named an
     * entity of the graph").  False: no memory. */
    bool (*remark)(void *state, assay_notes *notes, assay_arena *arena);

    void (*worker_close)(void *worker);
    void (*close)(void *state);
} assay_retriever;

/* Null past the end.  `graph` and `graph-rag` are graphrag. */
const assay_retriever *assay_retriever_at(size_t i);
const assay_retriever *assay_retriever_find(assay_slice name);

#endif
