/* SPDX-License-Identifier: Apache-2.0 */
#include "base/span.h"

#include <stdlib.h>

static int by_start(const void *a, const void *b)
{
    const assay_span *x = a;
    const assay_span *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

size_t assay_span_union(assay_span *span, size_t n)
{
    size_t kept = 0;

    if (n > 1)
        qsort(span, n, sizeof *span, by_start);
    for (size_t i = 0; i < n; i++) {
        if (span[i].end <= span[i].start)
            continue; /* "no span" */
        if (kept && span[i].start <= span[kept - 1].end) {
            if (span[i].end > span[kept - 1].end)
                span[kept - 1].end = span[i].end;
        } else {
            span[kept++] = span[i];
        }
    }
    return kept;
}

uint64_t assay_span_bytes(const assay_span *span, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += span[i].end - span[i].start;
    return sum;
}

uint64_t assay_span_shared(const assay_span *a, size_t n_a, const assay_span *b,
                           size_t n_b)
{
    uint64_t sum = 0;
    size_t i = 0;
    size_t j = 0;

    while (i < n_a && j < n_b) {
        uint64_t start = a[i].start > b[j].start ? a[i].start : b[j].start;
        uint64_t end = a[i].end < b[j].end ? a[i].end : b[j].end;

        if (end > start)
            sum += end - start;
        if (a[i].end < b[j].end)
            i++;
        else
            j++;
    }
    return sum;
}
