/* SPDX-License-Identifier: Apache-2.0 */
/* Embedders behind HTTP: batches, retries, checks, the cache.  What differs between
 * servers is a dialect: where to post, what to ask, where the vectors are. */
#ifndef ASSAY_EMBED_EMBED_SERVER_H
#define ASSAY_EMBED_EMBED_SERVER_H

#include "base/json.h"
#include "embed/embed.h"

typedef struct assay_embed_reply assay_embed_reply;

typedef struct assay_embed_dialect {
    const char *name;     /* of the embedder */
    const char *base_url; /* where a server is expected when nothing is said */
    const char *path;     /* behind the base */
    bool asks_for_floats; /* "encoding_format", which some servers do not know */

    const char *list; /* the member of a reply that holds the vectors */

    /* Read item `i` of that list, whose first token is `t`. */
    assay_status (*read_item)(assay_json *json, const assay_json_token *t,
                              assay_embed_reply *reply, size_t i, assay_error *err);
} assay_embed_dialect;

/* Parameters that all such embedders take. */
extern const assay_param assay_embed_server_params[];

/* A reply as it is read. */
struct assay_embed_reply {
    float *value; /* n rows of dims */
    size_t n;     /* texts asked for */
    size_t n_read;
    uint32_t dims; /* of a row; 0 = as the first vector has it */
    uint32_t full; /* numbers in each vector; 0 = none read yet */
    uint32_t cut;  /* keep so many, 0 = all */
    float *row;    /* the vector being read */
    size_t cap_row;
    uint8_t *is_there; /* by text */
};

/* Read a vector, whose `[` was the last token; then say which text it belongs to. */
ASSAY_MUST_USE assay_status assay_embed_reply_read(assay_json *json,
                                                   assay_embed_reply *reply,
                                                   assay_error *err);
ASSAY_MUST_USE assay_status assay_embed_reply_place(assay_json *json,
                                                    assay_embed_reply *reply, size_t i,
                                                    assay_error *err);

/* The functions of an assay_embedder, for plug-ins that name their dialect. */
ASSAY_MUST_USE assay_status assay_embed_server_open(const assay_embed_dialect *dialect,
                                                    const assay_embed_settings *settings,
                                                    void **state, assay_error *err);
uint32_t assay_embed_server_dims(const void *state);
ASSAY_MUST_USE assay_status assay_embed_server_embed(void *state, assay_embed_role role,
                                                     assay_embed_text *text, void *ctx,
                                                     size_t n, float *out,
                                                     assay_error *err);
void assay_embed_server_identity(const void *state, assay_buffer *out);
void assay_embed_server_close(void *state);

#endif
