/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of a reranker share. */
#ifndef ASSAY_RETRIEVE_RERANKER_OWN_H
#define ASSAY_RETRIEVE_RERANKER_OWN_H

#include "base/arena.h"
#include "base/http.h"
#include "base/talk.h"
#include "retrieve/reranker.h"

struct assay_reranker {
    assay_arena arena;
    assay_reranker_settings settings;
    assay_buffer target; /* the spelling without secrets */
    const char *where;   /* the same, as a string */
    bool is_command;
    assay_http_settings http;
    assay_talk_settings talk;
    char **argv;
    _Atomic(assay_talk *) first; /* started by the check, for the first worker */
};

struct assay_rerank_worker {
    assay_reranker *reranker;
    assay_http *http;
    assay_talk *talk; /* null = to be started */
    assay_buffer request;
    assay_buffer reply;
};

/* Cut the command line, and see that the program starts. */
ASSAY_MUST_USE assay_status assay_reranker_open_command(assay_reranker *r,
                                                        assay_error *err);

/* Send worker->request, and put the line that comes back into worker->reply; or record or
 * replay that. */
ASSAY_MUST_USE assay_status assay_reranker_converse(assay_rerank_worker *worker,
                                                    assay_error *err);

#endif
