/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a baseline: an error, or one that is written and read back as the same. */
#include <stdlib.h>

#include "base/slice.h"
#include "compare/baseline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PROMISE(cond) \
    do {              \
        if (!(cond))  \
            abort();  \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const assay_slice text = {size ? (const char *)data : "", size};
    assay_buffer first = ASSAY_BUFFER_EMPTY;
    assay_buffer second = ASSAY_BUFFER_EMPTY;
    assay_baseline *b = NULL;
    assay_baseline *again = NULL;
    assay_error err;

    if (assay_baseline_parse("fuzz", text, &b, &err) == ASSAY_OK) {
        assay_baseline_write(b, &first);
        PROMISE(assay_baseline_is(assay_buffer_view(&first)));
        PROMISE(assay_baseline_parse("again", assay_buffer_view(&first), &again, &err) ==
                ASSAY_OK);
        assay_baseline_write(again, &second);
        PROMISE(assay_slice_eq(assay_buffer_view(&first), assay_buffer_view(&second)));
    }
    assay_baseline_free(again);
    assay_baseline_free(b);
    assay_buffer_clear(&second);
    assay_buffer_clear(&first);
    return 0;
}
