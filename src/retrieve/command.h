/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the system `cmd:` share. */
#ifndef ASSAY_RETRIEVE_COMMAND_H
#define ASSAY_RETRIEVE_COMMAND_H

#include "base/rate.h"
#include "base/shell_words.h"
#include "base/talk.h"
#include "retrieve/system_reply.h"

#define ASSAY_COMMAND_PREFIX "cmd:"

typedef struct assay_command {
    assay_arena arena;
    assay_system_config config;
    char **argv;
    size_t n_words;
    bool is_once;        /* has marks such as {query}: started for each query */
    assay_buffer target; /* the command line without secrets */
    assay_talk_settings talk;
    assay_rate rate;
    assay_cassette *cassette;        /* or null */
    _Atomic(assay_talk *) first;     /* started by the check, for the first worker */
    atomic_uint_least64_t n_replies; /* from all processes */
} assay_command;

typedef struct assay_asker {
    assay_command *command;
    assay_talk *talk; /* null = to be started */
    assay_reply reply;
    assay_buffer request;
    assay_arena scratch;
    int64_t began;
    uint64_t n_replies;  /* of this process */
    bool is_out_of_step; /* it wrote lines that nobody had asked for */
} assay_asker;

/* How an attempt ended. */
typedef enum assay_outcome {
    ASSAY_OUTCOME_DONE,
    ASSAY_OUTCOME_FAILED, /* and would again */
    ASSAY_OUTCOME_AGAIN,  /* it may pass by itself */
    ASSAY_OUTCOME_FREE,   /* nothing was asked yet: the attempt does not count */
    ASSAY_OUTCOME_OVER    /* there is no sense in going on; err says why */
} assay_outcome;

/* The program's last words, if it has any. */
void assay_command_say(assay_buffer *words, assay_talk *talk);

/* Look for {query}, {k} and {id} among the arguments. */
ASSAY_MUST_USE assay_status assay_command_find_marks(assay_command *command, size_t n,
                                                     assay_error *err);

/* Start it for one query, and read what it prints. */
assay_outcome assay_command_once(assay_asker *asker, const assay_question *question,
                                 assay_arena *arena, assay_result *out, assay_buffer *raw,
                                 assay_buffer *words, assay_error *err);

/* What a process wrote becomes a result. */
ASSAY_MUST_USE assay_status assay_command_read(assay_asker *asker,
                                               const assay_question *question,
                                               assay_slice text, assay_arena *arena,
                                               assay_result *out, assay_error *err);

/* Write down what came of a question; *out is replaced by what the recording has of it. */
ASSAY_MUST_USE assay_status assay_command_record(assay_asker *asker,
                                                 const assay_question *question,
                                                 assay_buffer *raw, double ms,
                                                 assay_arena *arena, assay_result *out,
                                                 assay_error *err);

/* Answer from a recording. */
ASSAY_MUST_USE assay_status assay_command_replay(assay_asker *asker,
                                                 const assay_question *question,
                                                 assay_arena *arena, assay_result *out,
                                                 assay_error *err);

#endif
