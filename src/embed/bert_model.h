/* SPDX-License-Identifier: Apache-2.0 */
/* The weights of a BERT encoder, and running it. */
#ifndef ASSAY_EMBED_BERT_MODEL_H
#define ASSAY_EMBED_BERT_MODEL_H

#include "assay.h"
#include "embed/bert_config.h"

typedef struct assay_bert assay_bert;

/* Load the weights of all *.safetensors of the folder, and pack them.  What is missing or
 * of another shape than the config says is ASSAY_EINPUT.  The caller owns *out. */
ASSAY_MUST_USE assay_status assay_bert_load(const char *folder,
                                            const assay_bert_config *config,
                                            uint32_t n_threads, assay_bert **out,
                                            assay_error *err);
void assay_bert_free(assay_bert *bert);

/* SHA-256 over the names and shapes of all tensors and samples of their data: tells
 * models apart without reading all of them. */
const char *assay_bert_print(const assay_bert *bert);

/* Scratch space of one thread; zeroed is ready. */
typedef struct assay_bert_room {
    float *all;
    size_t cap;
} assay_bert_room;

/* Encode n_texts sequences of ids, which stand one behind the other in id[] and have
 * len[] each; none is padded, and none sees another.  out gets a row of config.hidden
 * floats for each: the mean of its last layer, or the vector of its first id, as the
 * config says; not brought to length 1.  Ids must be below config.vocab, lengths from 1
 * to config.positions.  False: no memory. */
bool assay_bert_encode(const assay_bert *bert, assay_bert_room *room, const uint32_t *id,
                       const uint32_t *len, size_t n_texts, float *out);

void assay_bert_room_clear(assay_bert_room *room);

#endif
