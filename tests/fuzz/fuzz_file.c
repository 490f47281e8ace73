/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file that may be packed.  The first byte says which magic number to put
 * in front, so that unpacking is reached at once. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/slice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const assay_slice magic[] = {
        {"", 0},
        {"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10},
        {"\x28\xb5\x2f\xfd", 4},
    };
    assay_buffer bytes = ASSAY_BUFFER_EMPTY;
    assay_file file = {0};
    assay_error err;
    assay_status st;

    if (size == 0)
        return 0;
    assay_buffer_slice(&bytes, magic[data[0] % 3]);
    assay_buffer_add(&bytes, data + 1, size - 1);
    st = assay_file_copy(&file, assay_buffer_view(&bytes), "f", &err);
    if (st && (st != ASSAY_EINPUT || strncmp(err.text, "'f' is broken: ", 15) != 0))
        abort();
    if (!st && !file.text.ptr)
        abort();
    assay_file_close(&file);
    assay_buffer_clear(&bytes);
    return 0;
}
