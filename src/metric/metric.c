/* SPDX-License-Identifier: Apache-2.0 */
#include "metric/metric.h"

#include "base/compiler.h"
#include "base/mem.h"
#include "base/slice.h"
#include "metric/metric_roster.h"

#define X(id) extern const assay_metric assay_metric_##id;
ASSAY_METRIC_ROSTER(X)
#undef X

#define X(id) &assay_metric_##id,
static const assay_metric *const roster[] = {ASSAY_METRIC_ROSTER(X)};
#undef X

const assay_metric *assay_metric_at(size_t i)
{
    return i < ASSAY_COUNT(roster) ? roster[i] : NULL;
}

const assay_metric *assay_metric_find(assay_slice name)
{
    for (size_t i = 0; i < ASSAY_COUNT(roster); i++)
        if (assay_slice_is(name, roster[i]->name))
            return roster[i];
    return NULL;
}

void assay_measures_clear(assay_measures *measures)
{
    assay_mem_free(measures->item);
    *measures = (assay_measures){0};
}
