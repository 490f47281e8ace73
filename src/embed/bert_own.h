/* SPDX-License-Identifier: Apache-2.0 */
/* What loading and running a BERT encoder share. */
#ifndef ASSAY_EMBED_BERT_OWN_H
#define ASSAY_EMBED_BERT_OWN_H

#include "base/file.h"
#include "embed/bert_model.h"
#include "embed/safetensors.h"

enum { ASSAY_BERT_FILES = 64 };

/* A dense step: packed weights and bias. */
typedef struct assay_bert_dense {
    float *packed;
    float *bias;
    uint32_t n_in;
    uint32_t n_out;
} assay_bert_dense;

typedef struct assay_bert_norm {
    float *weight;
    float *bias;
} assay_bert_norm;

typedef struct assay_bert_layer {
    assay_bert_dense attend; /* query, key and value in one */
    assay_bert_dense join;
    assay_bert_norm joined;
    assay_bert_dense widen;
    assay_bert_dense narrow;
    assay_bert_norm done;
} assay_bert_layer;

struct assay_bert {
    assay_bert_config config;
    assay_arena arena;
    assay_file file[ASSAY_BERT_FILES];
    assay_safetensors tensors[ASSAY_BERT_FILES];
    uint32_t n_files;
    const char *prefix; /* of the names: "", "bert." ... */
    const assay_tensor *words;
    float *positions; /* with the first type's vector added */
    assay_bert_norm embedded;
    assay_bert_layer *layer;
    float *block; /* holds all floats */
    size_t used;
    char print[65];
};

#endif
