/* SPDX-License-Identifier: Apache-2.0 */
/* A bundle brings all of its own; what the import says besides comes on top. */
#include <stdio.h>

#include "base/error.h"
#include "base/slice.h"
#include "golden/frozen.h"
#include "pipeline/import_own.h"

/* The bundle's tags, and those of the import in the place of equal ones. */
static assay_status merge_tags(const assay_import *import, assay_stored *s,
                               assay_arena *arena, assay_error *err)
{
    assay_tag *tag = ASSAY_ARENA_ARRAY(arena, assay_tag, s->n_tags + import->n_tags + 1);
    uint32_t n = 0;

    if (!tag)
        return assay_fail_memory(err, "importing a run");
    for (uint32_t i = 0; i < s->n_tags; i++) {
        bool is_replaced = false;

        for (uint32_t k = 0; k < import->n_tags; k++)
            is_replaced |= assay_slice_eq(s->tag[i].key, import->tag[k].key);
        if (!is_replaced)
            tag[n++] = s->tag[i];
    }
    for (uint32_t k = 0; k < import->n_tags; k++)
        tag[n++] = import->tag[k];
    s->tag = tag;
    s->n_tags = n;
    return ASSAY_OK;
}

/* Its id where that is free, else a new one. */
static assay_status name_bundle(assay_import *import, assay_stored *s, assay_arena *arena,
                                assay_imported *out, assay_error *err)
{
    bool is_taken = false;
    assay_status st = ASSAY_OK;

    if (s->run_id.len)
        st = assay_import_is_there(import, s->run_id, arena, &is_taken, err);
    snprintf(out->run_id, sizeof out->run_id, "%.*s", ASSAY_QUOTE(s->run_id));
    out->is_there = is_taken && !import->is_again;
    if (st || out->is_there || (s->run_id.len && !is_taken))
        return st;
    st = assay_run_id_make(&import->ids, out->run_id, err);
    s->run_id = assay_slice_of(out->run_id);
    return st;
}

/* Its hash was checked; that it is a golden set is checked here. */
static assay_status keep_golden(const assay_import *import, const char *path,
                                const assay_bundle *bundle, assay_error *err)
{
    assay_golden *golden = NULL;
    assay_status st;

    if (!bundle->golden.len)
        return ASSAY_OK;
    st = assay_golden_thaw(path, bundle->golden, &golden, err);
    if (!st)
        st = assay_store_put_golden(import->store, bundle->stored.golden_hash,
                                    golden->name, bundle->golden, err);
    assay_golden_free(golden);
    return st;
}

assay_status assay_import_bundle(assay_import *import, const char *path,
                                 const assay_bundle *bundle, assay_arena *arena,
                                 assay_imported *out, assay_error *err)
{
    char now[ASSAY_STORE_TIME_SIZE];
    assay_stored s = bundle->stored;
    assay_status st;

    *out = (assay_imported){.is_measured = true, .n_results = assay_run_n(bundle->run)};
    for (uint32_t i = 0; i < bundle->run->n_results; i++)
        out->n_failed += bundle->run->result[i].error.len > 0;
    st = name_bundle(import, &s, arena, out, err);
    if (st || out->is_there)
        return st;
    assay_store_time(0, now);
    if (!s.created_at.len)
        s.created_at = import->created_at.len ? import->created_at : assay_slice_of(now);
    if (!s.finished_at.len && assay_slice_is(s.status, ASSAY_RUN_DONE))
        s.finished_at = s.created_at;
    if (import->suite.len)
        s.suite = import->suite;
    st = merge_tags(import, &s, arena, err);
    if (!st)
        st = keep_golden(import, path, bundle, err);
    return st ? st : assay_import_store(import->store, &s, bundle->run, err);
}
