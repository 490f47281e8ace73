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

static bool same_value(const assay_value *a, const assay_value *b)
{
    if (a->is_set != b->is_set || a->n_gains != b->n_gains || a->n_reals != b->n_reals)
        return false;
    if (!(a->number == b->number || (isnan(a->number) && isnan(b->number))))
        return false;
    for (uint32_t i = 0; i < a->n_gains; i++)
        if (a->gain[i].grade != b->gain[i].grade || a->gain[i].gain != b->gain[i].gain)
            return false;
    for (uint32_t i = 0; i < a->n_reals; i++)
        if (a->real[i] != b->real[i])
            return false;
    return true;
}

bool assay_measure_equal(const assay_measure *a, const assay_measure *b)
{
    if (a->metric != b->metric || a->level != b->level || a->rel != b->rel ||
        a->judged_only != b->judged_only || a->has_at != b->has_at ||
        (a->has_at && a->at != b->at))
        return false;
    for (int i = 0; i < ASSAY_PARAMS_MOST; i++)
        if (!same_value(&a->value[i], &b->value[i]))
            return false;
    return true;
}

void assay_measures_clear(assay_measures *measures)
{
    assay_mem_free(measures->item);
    *measures = (assay_measures){0};
}
