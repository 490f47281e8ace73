/* SPDX-License-Identifier: Apache-2.0 */
/* One sitting of 'assay golden create': the file, what searches, and the question at hand.
 * What a person wishes is done here, whether it came by keys or by lines. */
#ifndef ASSAY_CLI_CREATE_SESSION_H
#define ASSAY_CLI_CREATE_SESSION_H

#include "cli/create_model.h"
#include "cli/golden_arg.h"
#include "golden/notebook.h"
#include "pipeline/unjudged.h"

/* A question that waits. */
typedef struct assay_waiting {
    assay_slice text;
    const assay_query *from; /* of another golden set, or null */
} assay_waiting;

typedef struct assay_create_session {
    assay_cli *cli;
    assay_workspace ws;
    assay_golden_choice choice;
    const char *corpus; /* its file */
    assay_notebook book;
    assay_pool pool;
    uint32_t depth; /* hits of each retriever */
    uint32_t query; /* at hand; ASSAY_NONE = none */
    int32_t *grade; /* of the pool's hits; in pool.own */
    assay_buffer tags;
    assay_buffer must;
    assay_arena arena;
    assay_golden *from; /* --from, or null */
    assay_waiting *waiting;
    uint32_t n_waiting;
    uint32_t at_waiting; /* the next one */
    assay_run *run[ASSAY_UNJUDGED_RUNS];
    assay_unjudged *unjudged; /* --from-run, or null */
    uint32_t item;            /* of unjudged that is asked about */
    uint32_t
        n_lost; /* hits that could not be asked about: the corpus does not have them */
    bool is_decided;
} assay_create_session;

/* What an act came to. */
typedef enum assay_create_next {
    ASSAY_NEXT_STAY,  /* the same question, shown anew */
    ASSAY_NEXT_OTHER, /* another question is at hand */
    ASSAY_NEXT_ASK,   /* none is: ask for one */
    ASSAY_NEXT_QUIT
} assay_create_next;

ASSAY_MUST_USE assay_status assay_create_open(assay_create_session *s, assay_cli *cli,
                                              assay_error *err);
void assay_create_close(assay_create_session *s);

/* Go on with what waits: a question of the list, a hit that nobody judged. */
ASSAY_MUST_USE assay_status assay_create_advance(assay_create_session *s,
                                                 assay_create_next *next,
                                                 assay_buffer *message, assay_error *err);

/* Do it.  `line` is what was typed, for wishes that have one.  What cannot be done is said
 * in `message`, and is no failure. */
ASSAY_MUST_USE assay_status assay_create_do(assay_create_session *s,
                                            const assay_create_act *act, assay_slice line,
                                            assay_create_next *next,
                                            assay_buffer *message, assay_error *err);

/* The question at hand, to be shown; valid until the next call of any of these. */
ASSAY_MUST_USE assay_status assay_create_card_of(assay_create_session *s,
                                                 assay_create_card *out,
                                                 assay_error *err);

/* How many are checked, how many drafts, how many wait. */
void assay_create_count(const assay_create_session *s, uint32_t *n_checked,
                        uint32_t *n_drafts, uint32_t *n_waiting);

/* Prompts and numbered answers instead of a screen (create_plain.c). */
ASSAY_MUST_USE assay_status assay_create_plain(assay_create_session *s, assay_error *err);

#endif
