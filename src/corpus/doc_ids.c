/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/doc_ids.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"

bool assay_doc_ids_put(assay_doc_ids *ids, assay_slice id, uint32_t line, bool *is_new)
{
    uint32_t number;
    uint32_t *grown;

    if (!assay_dict_put(&ids->dict, &ids->arena, id, &number, is_new))
        return false;
    if (!*is_new) {
        ids->first_twice = ids->first_twice ? ids->first_twice : line;
        assay_name_list_printf(&ids->twice, "'%.*s' (lines %u and %u)", ASSAY_QUOTE(id),
                               ids->line[number], line);
        return true;
    }
    grown = assay_mem_grow(ids->line, &ids->cap, (size_t)number + 1, sizeof *grown);
    if (!grown)
        return false;
    ids->line = grown;
    ids->line[number] = line;
    return true;
}

assay_status assay_doc_ids_finish(assay_doc_ids *ids, const char *path, assay_error *err)
{
    if (!ids->twice.n)
        return ASSAY_OK;
    return assay_fail_at(err, path, ids->first_twice, "document ids that come twice: %s",
                         assay_name_list_text(&ids->twice));
}

void assay_doc_ids_clear(assay_doc_ids *ids)
{
    assay_mem_free(ids->line);
    assay_dict_clear(&ids->dict);
    assay_arena_clear(&ids->arena);
    *ids = (assay_doc_ids){0};
}
