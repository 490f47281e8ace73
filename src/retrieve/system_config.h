/* SPDX-License-Identifier: Apache-2.0 */
/* The map `system` of assay.yaml:
 *
 *     system:
 *       url: http://localhost:8080/search     # or command: python3 my.py, or spec: ...
 *       timeout: 20
 *       headers: {X-Team: search}
 *       request: {q: "{query}", size: "{k}"}  # where it wants another request
 *       pointers: {hits: /results, doc_id: /document/id}   # or gives another reply */
#ifndef ASSAY_RETRIEVE_SYSTEM_CONFIG_H
#define ASSAY_RETRIEVE_SYSTEM_CONFIG_H

#include "base/node.h"
#include "retrieve/system.h"

/* What a pointer may be given for. */
typedef enum assay_reply_part {
    ASSAY_REPLY_HITS, /* of the reply */
    ASSAY_REPLY_ANSWER,
    ASSAY_REPLY_CITATIONS,
    ASSAY_REPLY_ERROR,
    ASSAY_REPLY_PROMPT_TOKENS,
    ASSAY_REPLY_COMPLETION_TOKENS,
    ASSAY_REPLY_COST,
    ASSAY_REPLY_DOC_ID, /* of a hit, or of a citation */
    ASSAY_REPLY_CHUNK_ID,
    ASSAY_REPLY_SCORE, /* of a hit */
    ASSAY_REPLY_TEXT,
    ASSAY_REPLY_SPANS,
    ASSAY_REPLY_LINES,
    ASSAY_REPLY_PARTS
} assay_reply_part;

typedef struct assay_system_config {
    const char *spelling; /* null = not said */
    double timeout_s;     /* 0 = not said, as in assay_system_source; also below */
    uint32_t retries;
    double per_second;
    size_t most_bytes;
    const char **header; /* "Name: value" */
    uint32_t n_headers;
    const assay_node *request;              /* its template, or null */
    bool is_mapped;                         /* some pointer was given */
    bool is_given[ASSAY_REPLY_PARTS];       /* ... this one */
    assay_slice pointer[ASSAY_REPLY_PARTS]; /* as given, or the protocol's own */
} assay_system_config;

/* Read `node` (a map, or null: then all is as the protocol has it).  `path` is for messages.
 * What is made lives in `arena`, the rest where the node does. */
ASSAY_MUST_USE assay_status assay_system_config_read(const assay_node *node,
                                                     const char *path, assay_arena *arena,
                                                     assay_system_config *out,
                                                     assay_error *err);

/* The same, with what the source says put before it and the standards behind it. */
ASSAY_MUST_USE assay_status assay_system_settle(const assay_system_source *source,
                                                uint32_t retries, assay_arena *arena,
                                                assay_system_config *out,
                                                assay_error *err);

/* The request for a question: by the template, or as the protocol has it; without line
 * breaks. */
void assay_system_request(const assay_system_config *config,
                          const assay_question *question, assay_buffer *out);

/* The template and the pointers, for identities: nothing, or " {...}". */
void assay_system_config_print(const assay_system_config *config, assay_buffer *out);

#endif
