/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a safetensors file.  What is accepted lies within the file and can be read
 * as floats; what is not has words. */
#include <stdlib.h>

#include "base/slice.h"
#include "embed/safetensors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_slice text = {(const char *)data, size};
    assay_safetensors s = {0};
    assay_error err = {ASSAY_OK, ""};

    if (assay_safetensors_read("f", text, &s, &err)) {
        if (!err.text[0] || s.tensor)
            abort();
        return 0;
    }
    for (uint32_t i = 0; i < s.names.n; i++) {
        const assay_tensor *t = assay_safetensors_find(&s, s.names.word[i]);
        size_t size_of = t->type == ASSAY_TENSOR_F32 ? 4 : 2;
        size_t n = t->data.len / size_of;

        if (t != &s.tensor[i] || t->data.ptr < text.ptr ||
            t->data.ptr + t->data.len > text.ptr + text.len)
            abort();
        for (size_t at = 0; t->type && at < n; at += 8) {
            float x[8];

            assay_tensor_floats(t, at, n - at < 8 ? n - at : 8, x);
        }
    }
    assay_safetensors_clear(&s);
    return 0;
}
