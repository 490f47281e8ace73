/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/planned.h"

#include <stdlib.h>

#include "base/slice.h"

static int compare_ids(const void *a, const void *b)
{
    return assay_slice_cmp(*(const assay_slice *)a, *(const assay_slice *)b);
}

uint32_t assay_golden_limit(assay_golden *golden, const assay_slice *plan, uint32_t n)
{
    uint32_t skipped = 0;

    for (uint32_t i = 0; i < golden->n_queries; i++) {
        assay_query *q = &golden->query[i];

        if (q->is_draft || (n && bsearch(&q->id, plan, n, sizeof *plan, compare_ids)))
            continue;
        q->is_draft = true;
        q->is_unasked = true;
        skipped++;
    }
    return skipped;
}
