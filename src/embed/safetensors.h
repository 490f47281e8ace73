/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors by name, in files of the safetensors format. */
#ifndef ASSAY_EMBED_SAFETENSORS_H
#define ASSAY_EMBED_SAFETENSORS_H

#include "assay.h"
#include "base/arena.h"
#include "base/dict.h"

enum { ASSAY_TENSOR_DIMS = 8 };

typedef enum assay_tensor_type {
    ASSAY_TENSOR_OTHER, /* kept by name, but no floats can be had of it */
    ASSAY_TENSOR_F32,
    ASSAY_TENSOR_F16,
    ASSAY_TENSOR_BF16
} assay_tensor_type;

typedef struct assay_tensor {
    assay_slice name;
    assay_tensor_type type;
    assay_slice type_name; /* as written: "I64" */
    uint32_t n_dims;
    uint64_t shape[ASSAY_TENSOR_DIMS];
    assay_slice data; /* as many bytes as type and shape say, for known types */
} assay_tensor;

typedef struct assay_safetensors {
    const char *path;
    assay_dict names;
    assay_tensor *tensor; /* by number */
    size_t cap;
    assay_arena arena;
} assay_safetensors;

/* Read the header of `text`, which must live as long as *out.  Every length and place is
 * checked: what does not fit is ASSAY_EINPUT.  On failure *out is empty. */
ASSAY_MUST_USE assay_status assay_safetensors_read(const char *path, assay_slice text,
                                                   assay_safetensors *out,
                                                   assay_error *err);

/* Null when there is none of this name. */
const assay_tensor *assay_safetensors_find(const assay_safetensors *s, assay_slice name);

/* Floats [first, first + n) of a tensor that has them. */
void assay_tensor_floats(const assay_tensor *tensor, size_t first, size_t n, float *out);

void assay_safetensors_clear(assay_safetensors *s);

#endif
