/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the reply of a reranker: all scores are there and finite, or there are
 * words. */
#include <math.h>
#include <stdlib.h>

#include "retrieve/rerank_reply.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 5 };
    uint32_t n = size ? data[0] % (MOST + 1) : 0;
    assay_slice text = {(const char *)data + (size > 0), size - (size > 0)};
    double score[MOST + 1];
    assay_error err = {ASSAY_OK, ""};
    assay_status st;

    score[n] = 77;
    st = assay_rerank_reply_read("f", text, n, score, &err);
    if (score[n] != 77)
        abort();
    if (st && (st != ASSAY_ESYSTEM || err.status != st || !err.text[0]))
        abort();
    for (uint32_t i = 0; !st && i < n; i++)
        if (!isfinite(score[i]))
            abort();
    return 0;
}
