/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of a model folder say of a sentence encoder of the BERT family:
 * config.json, and where they are there modules.json, 1_Pooling/config.json,
 * sentence_bert_config.json, config_sentence_transformers.json, tokenizer_config.json. */
#ifndef ASSAY_EMBED_BERT_CONFIG_H
#define ASSAY_EMBED_BERT_CONFIG_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"

typedef enum assay_bert_pooling { ASSAY_BERT_MEAN, ASSAY_BERT_CLS } assay_bert_pooling;
typedef enum assay_bert_curve {
    ASSAY_BERT_GELU,
    ASSAY_BERT_GELU_TANH,
    ASSAY_BERT_RELU
} assay_bert_curve;

typedef struct assay_bert_config {
    uint32_t hidden; /* length of a vector */
    uint32_t layers;
    uint32_t heads;
    uint32_t inner; /* length of a vector between the two dense steps of a layer */
    uint32_t positions;
    uint32_t types;
    uint32_t vocab;
    uint32_t most; /* pieces of a text, [CLS] and [SEP] among them */
    float epsilon;
    assay_bert_curve curve;
    assay_bert_pooling pooling;
    /* What the tokenizer's own settings say: 1 yes, 0 no, -1 nothing. */
    int lower;
    int strip;
    int cjk;
    const char *query_prefix; /* in the arena; never null */
    const char *passage_prefix;
} assay_bert_config;

/* Read the folder; texts of *out live in `arena`. */
ASSAY_MUST_USE assay_status assay_bert_config_load(const char *folder, assay_arena *arena,
                                                   assay_bert_config *out,
                                                   assay_error *err);

/* "folder/name" in the arena; null: no memory. */
const char *assay_bert_path(assay_arena *arena, const char *folder, const char *name);

#endif
