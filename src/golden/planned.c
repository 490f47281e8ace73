/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/planned.h"

#include "base/error.h"
#include "base/mem.h"

assay_status assay_golden_plan(assay_golden *golden, const assay_slice *id, uint32_t n,
                               uint32_t *skipped, assay_error *err)
{
    bool *is_planned = ASSAY_NEW_ARRAY(bool, golden->n_queries);

    if (!is_planned)
        return assay_fail_memory(err, "reading the plan of a run");
    for (uint32_t i = 0; i < n; i++) {
        uint32_t number = assay_dict_find(&golden->ids, id[i]);

        if (number != ASSAY_NONE)
            is_planned[number] = true;
    }
    *skipped = 0;
    for (uint32_t i = 0; i < golden->n_queries; i++) {
        assay_query *q = &golden->query[i];

        *skipped += !is_planned[i] && !q->is_draft;
        q->is_draft = q->is_draft || !is_planned[i];
    }
    assay_mem_free(is_planned);
    return ASSAY_OK;
}
