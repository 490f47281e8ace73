/* SPDX-License-Identifier: Apache-2.0 */
/* What all retrievers together bring for a question, blind to which found what.
 *
 * The hits of one rank of all retrievers come before those of the next rank, each passage
 * once.  Within a rank the order follows from a hash of question and passage, so that no
 * place belongs to a method. */
#ifndef ASSAY_CLI_CREATE_POOL_H
#define ASSAY_CLI_CREATE_POOL_H

#include "cli/workspace.h"
#include "corpus/corpus.h"
#include "corpus/passages.h"
#include "retrieve/shared.h"

enum { ASSAY_POOL_METHODS = 16 };

typedef struct assay_pool_sentence {
    size_t at; /* in the passage's text */
    size_t end;
    assay_span where; /* in the document's text */
} assay_pool_sentence;

/* A passage as it is shown. */
typedef struct assay_pool_hit {
    const assay_passage *passage;
    assay_slice heading; /* "Refunds > Approval", else the document's title, else "" */
    assay_pool_sentence *sentence;
    uint32_t n_sentences;
} assay_pool_hit;

/* Zeroed is closed. */
typedef struct assay_pool {
    assay_corpus *corpus;
    assay_arena arena;
    assay_passages passages;
    assay_notes notes;
    assay_shared shared;
    const assay_retriever *retriever[ASSAY_POOL_METHODS];
    void *worker[ASSAY_POOL_METHODS];
    uint32_t n_methods;
    assay_arena own; /* of the question that is asked now */
    assay_pool_hit *hit;
    uint32_t n;
} assay_pool;

/* `corpus` is the file's path; `methods` a list with commas, null = every retriever. */
ASSAY_MUST_USE assay_status assay_pool_open(assay_pool *pool, const assay_workspace *ws,
                                            const char *corpus, const char *methods,
                                            assay_error *err);
void assay_pool_close(assay_pool *pool);

/* Set hit[0..n) to what the best k of every retriever are. */
ASSAY_MUST_USE assay_status assay_pool_search(assay_pool *pool, assay_slice question,
                                              uint32_t k, assay_error *err);

/* Set hit[0..n) to these passages. */
ASSAY_MUST_USE assay_status assay_pool_show(assay_pool *pool, const uint32_t *passage,
                                            uint32_t n, assay_error *err);

/* The number of the passage of this chunk, else the first of the document; ASSAY_NONE. */
uint32_t assay_pool_find(const assay_pool *pool, assay_slice chunk, assay_slice doc);

/* Whether `quote` stands more than once in the document. */
ASSAY_MUST_USE assay_status assay_pool_is_ambiguous(assay_pool *pool, assay_slice doc,
                                                    assay_slice quote, bool *out,
                                                    assay_error *err);

#endif
