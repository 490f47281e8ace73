/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy's .npy files with a matrix of floats. */
#ifndef ASSAY_EMBED_NPY_H
#define ASSAY_EMBED_NPY_H

#include "assay.h"

typedef enum assay_npy_type { ASSAY_NPY_F2, ASSAY_NPY_F4, ASSAY_NPY_F8 } assay_npy_type;

typedef struct assay_npy {
    assay_npy_type type;
    size_t n_rows;
    size_t n_cols;
    assay_slice data; /* as many bytes as type and shape say */
} assay_npy;

/* Read the header of `text` (versions 1 to 3).  Anything but a matrix of little-endian
 * floats in C order is ASSAY_EINPUT, as is a file that is too short or too long. */
ASSAY_MUST_USE assay_status assay_npy_read(const char *path, assay_slice text,
                                           assay_npy *out, assay_error *err);

/* Row `row` as floats.  A float64 beyond the range of float becomes infinite. */
void assay_npy_row(const assay_npy *npy, size_t row, float *out);

#endif
