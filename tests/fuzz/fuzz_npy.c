/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .npy file: all rows of what is accepted can be read. */
#include <stdlib.h>

#include "embed/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_npy npy;
    assay_error err = {ASSAY_OK, ""};
    float *row;

    if (assay_npy_read("f", (assay_slice){(const char *)data, size}, &npy, &err)) {
        if (!err.text[0])
            abort();
        return 0;
    }
    if (npy.n_cols > size || (npy.n_cols && npy.n_rows > size))
        abort();
    row = malloc((npy.n_cols + 1) * sizeof *row);
    for (size_t i = 0; npy.n_cols && i < npy.n_rows; i++)
        assay_npy_row(&npy, i, row);
    free(row);
    return 0;
}
