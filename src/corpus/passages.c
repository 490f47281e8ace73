/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/passages.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/slice.h"

enum { NAMED = 3, NAMES = 300 };

static int by_id(const void *a, const void *b)
{
    const assay_passage *x = a;
    const assay_passage *y = b;

    return assay_slice_cmp(x->id, y->id);
}

static bool is_sorted(const assay_passage *item, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (assay_slice_cmp(item[i - 1].id, item[i].id) >= 0)
            return false;
    return true;
}

/* Name the first few ids that stand twice, and how many more there are. */
static assay_status fail_twice(const assay_passage *item, uint32_t n, assay_error *err)
{
    char names[NAMES] = "";
    size_t used = 0;
    uint32_t n_twice = 0;

    for (uint32_t i = 1; i < n; i++) {
        int more;

        /* Each id once, however often it stands there. */
        if (assay_slice_cmp(item[i - 1].id, item[i].id) != 0 ||
            (i > 1 && assay_slice_cmp(item[i - 2].id, item[i].id) == 0))
            continue;
        if (n_twice++ >= NAMED)
            continue;
        more = snprintf(names + used, sizeof names - used, "%s'%.*s'", used ? ", " : "",
                        ASSAY_QUOTE(item[i].id));
        used += more > 0 && (size_t)more < sizeof names - used ? (size_t)more : 0;
    }
    if (n_twice > NAMED)
        return assay_fail(err, ASSAY_EINPUT, "ids that stand twice: %s and %u more",
                          names, n_twice - NAMED);
    return assay_fail(err, ASSAY_EINPUT, "%s twice: %s",
                      n_twice == 1 ? "an id stands" : "ids that stand", names);
}

assay_status assay_passages_sort(assay_passage *item, uint32_t n, assay_error *err)
{
    if (is_sorted(item, n))
        return ASSAY_OK;
    qsort(item, n, sizeof *item, by_id);
    return is_sorted(item, n) ? ASSAY_OK : fail_twice(item, n, err);
}
