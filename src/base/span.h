/* SPDX-License-Identifier: Apache-2.0 */
/* Half-open ranges of bytes in a document's text, and unions of them. */
#ifndef ASSAY_BASE_SPAN_H
#define ASSAY_BASE_SPAN_H

#include <stddef.h>
#include <stdint.h>

typedef struct assay_span {
    uint64_t start;
    uint64_t end; /* > start, except for "no span", which is {0, 0} */
} assay_span;

/* Sort and merge in place, so that the spans ascend and neither overlap nor touch;
 * returns how many are left. */
size_t assay_span_union(assay_span *span, size_t n);

/* Bytes in a union as made by assay_span_union. */
uint64_t assay_span_bytes(const assay_span *span, size_t n);

/* Bytes that two such unions share. */
uint64_t assay_span_shared(const assay_span *a, size_t n_a, const assay_span *b,
                           size_t n_b);

#endif
