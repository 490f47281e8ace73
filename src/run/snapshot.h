/* SPDX-License-Identifier: Apache-2.0 */
/* How a run was made: all that is needed to make it again, and to say why two runs differ.
 *
 * As JSON it is config_snapshot_json of the store.  Keys that kebab has keep its names
 * (eval_k, chunker_version, embedding, llm, prompt_template_version), so that a kebab
 * snapshot reads as one of ours with less in it.  Secrets are never put in. */
#ifndef ASSAY_RUN_SNAPSHOT_H
#define ASSAY_RUN_SNAPSHOT_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"

/* Zeroed: nothing is known.  Slices are borrowed. */
typedef struct assay_snapshot {
    assay_slice method;   /* as asked for: "hybrid(k=60)", "cmd", "http", "file" */
    assay_slice identity; /* all that decides its answers, on one line */
    assay_slice system;   /* of somebody else's: its spelling without secrets */
    uint32_t k;           /* cutoff that people look at: kebab's eval_k */
    uint32_t depth;       /* hits asked for */
    assay_slice chunker;  /* version and policy, one line: "md-heading-v1(target=500)" */
    assay_slice policy_hash; /* "" = it is in the chunker's line */
    assay_slice embedder;    /* identity, one line; "" = none was used */
    assay_slice embedder_model;
    uint32_t embedder_dims;
    assay_slice answerer; /* identity, one line; "" = no answers */
    assay_slice model;    /* that wrote the answers */
    assay_slice prompt;   /* version of its prompt */
    bool has_answers;
    uint64_t seed;
    assay_slice conventions;
    assay_slice golden_hash; /* of the frozen set (golden/frozen.h) */
    assay_slice golden_name;
    assay_slice golden_path; /* as named on the command line */
    uint32_t golden_n;       /* queries that are no drafts */
    assay_slice corpus_hash;
    assay_slice corpus_name;
    assay_slice version; /* of assay */
    assay_slice commit;  /* of the project */
    double timeout_s;    /* 0 = none */
    bool is_part;        /* only the queries of `plan` were set out to be answered */
    assay_slice *plan;   /* their ids, in byte order */
    uint32_t n_plan;
    uint32_t repeat; /* which of `repeats`, from 1; 0 = not repeated */
    uint32_t repeats;
    assay_slice repeat_of; /* run id of the first */
    assay_slice replay;    /* "recorded", "replayed", "" */
    /* What was said on the command line and in assay.yaml, for those who go on with it; a
     * value that held a secret is left out. */
    struct assay_snapshot_option *option;
    uint32_t n_options;
} assay_snapshot;

typedef struct assay_snapshot_option {
    assay_slice name;  /* of the option, without dashes */
    assay_slice value; /* "" of a flag */
} assay_snapshot_option;

/* One JSON object on one line, keys always in the same order; absent things are null. */
void assay_snapshot_write(const assay_snapshot *snapshot, assay_buffer *out);

/* Read what assay_snapshot_write or kebab wrote; `name` stands for the file in messages.
 * Unknown keys are passed over.  Slices live in `arena`. */
ASSAY_MUST_USE assay_status assay_snapshot_read(const char *name, assay_slice json,
                                                assay_arena *arena, assay_snapshot *out,
                                                assay_error *err);

#endif
