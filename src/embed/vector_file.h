/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors that somebody else has made, by id or by text. */
#ifndef ASSAY_EMBED_VECTOR_FILE_H
#define ASSAY_EMBED_VECTOR_FILE_H

#include "assay.h"
#include "base/arena.h"
#include "base/dict.h"

typedef struct assay_vector_file {
    const char *path;
    float *row;
    size_t n_rows;
    uint32_t dims;
    assay_dict ids;
    assay_dict texts;
    uint32_t *id_row; /* of each id, by its number */
    uint32_t *text_row;
    size_t id_cap;
    size_t text_cap;
    size_t row_cap; /* in floats */
    assay_arena arena;
} assay_vector_file;

/* Read a .npy file, whose rows are named by the lines of `keys_path` (ids, or the texts
 * themselves), or a file of JSON lines {"id" or "text" or both, "vector" or "embedding"}.
 * Every fault is ASSAY_EINPUT with its place.  On failure *out is empty. */
ASSAY_MUST_USE assay_status assay_vector_file_load(const char *path,
                                                   const char *keys_path,
                                                   assay_vector_file *out,
                                                   assay_error *err);

/* The vector of an id or, where that is not known, of a text; null: there is none. */
const float *assay_vector_file_find(const assay_vector_file *file, assay_slice id,
                                    assay_slice text);

void assay_vector_file_clear(assay_vector_file *file);

#endif
