/* SPDX-License-Identifier: Apache-2.0 */
/* Bundles of runs: whatever loads is written, reads back, and is written the same. */
#include <stdint.h>
#include <stdlib.h>

#include "base/slice.h"
#include "pipeline/run_bundle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool write_it(const assay_bundle *b, assay_buffer *out)
{
    assay_error err;

    return assay_bundle_write(&b->stored, b->golden, b->run, true, out, &err) == ASSAY_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_slice text = {size ? (const char *)data : "", size};
    assay_buffer once = ASSAY_BUFFER_EMPTY;
    assay_buffer twice = ASSAY_BUFFER_EMPTY;
    assay_bundle *b = NULL;
    assay_bundle *again = NULL;
    assay_error err;

    if (assay_bundle_parse("fuzz", text, &b, &err))
        return 0;
    if (!write_it(b, &once))
        abort();
    if (assay_bundle_parse("again", assay_buffer_view(&once), &again, &err))
        abort();
    if (!write_it(again, &twice) ||
        !assay_slice_eq(assay_buffer_view(&once), assay_buffer_view(&twice)))
        abort();
    once.len = 0;
    assay_run_forget_times(b->run);
    /* Any JSON object may stand for a snapshot; reading it as one may fail. */
    (void)!assay_bundle_write(&b->stored, b->golden, b->run, false, &once, &err);
    assay_buffer_clear(&once);
    assay_buffer_clear(&twice);
    assay_bundle_free(b);
    assay_bundle_free(again);
    return 0;
}
