/* SPDX-License-Identifier: Apache-2.0 */
/* One query put to one retriever, as `search` and `ask` do: what is searched in and how
 * comes from the options. */
#ifndef ASSAY_CLI_SEARCHING_H
#define ASSAY_CLI_SEARCHING_H

#include "base/json.h"
#include "cli/cassette_arg.h"
#include "cli/retrieve_arg.h"
#include "corpus/corpus.h"
#include "golden/golden.h"
#include "retrieve/shared.h"

/* What is searched in. */
#define ASSAY_OPTIONS_DOCUMENTS                                                          \
    {                                                                                    \
        0, "documents", ASSAY_OPTION_TEXT, "FILE", NULL,                                 \
            "search the documents of a golden set (EvalVault, BEIR) instead of a corpus" \
    }

typedef struct assay_searching {
    assay_cli *cli;
    assay_workspace workspace;
    assay_cassette *cassette; /* or null */
    assay_golden *golden;     /* whose documents are searched, or null */
    assay_corpus *corpus;     /* or null */
    assay_arena arena;
    assay_passages passages;
    assay_notes notes;
    assay_shared shared;
    const assay_retriever *retriever;
    void *state;
    void *worker;
    assay_slice query;
    assay_retrieved *hit;
    uint32_t n;
    double elapsed_ms;
} assay_searching;

/* Find the workspace, and open the cassette where one is asked for.  To be closed in any
 * case. */
ASSAY_MUST_USE assay_status assay_searching_open(assay_searching *s, assay_cli *cli,
                                                 assay_error *err);

/* Load the passages, build the retriever (--method, else `method`) and ask it for --top-k
 * hits (else k). */
ASSAY_MUST_USE assay_status assay_searching_find(assay_searching *s, const char *method,
                                                 uint32_t k, assay_error *err);

/* The command has ended with `st`, and all else that used the cassette is closed; returns
 * the status that it has now. */
assay_status assay_searching_close(assay_searching *s, assay_status st, assay_error *err);

/* Members of an object that is open: rank, ids, score, spans of hit i. */
void assay_searching_json_hit(const assay_searching *s, uint32_t i, assay_json_writer *w);

/* The retriever's identity as member `method`. */
void assay_searching_json_method(const assay_searching *s, assay_json_writer *w);

/* Text of other people for a terminal: well-formed, on one line, and without what would
 * move the cursor. */
void assay_put_line(assay_buffer *out, assay_slice text);

#endif
