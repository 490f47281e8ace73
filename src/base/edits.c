/* SPDX-License-Identifier: Apache-2.0 */
#include "base/edits.h"

#include <stdlib.h>

#include "base/mem.h"

bool assay_edits_add(assay_edits *edits, assay_arena *arena, size_t at, size_t end,
                     assay_slice text)
{
    assay_edit *grown =
        assay_mem_grow(edits->item, &edits->cap, edits->n + 1, sizeof *grown);
    assay_slice own = assay_arena_copy(arena, text);

    if (grown)
        edits->item = grown;
    if (!grown || !own.ptr)
        return false;
    edits->item[edits->n] = (assay_edit){at, end, own, edits->n};
    edits->n++;
    return true;
}

static int by_place(const void *a, const void *b)
{
    const assay_edit *x = a;
    const assay_edit *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

bool assay_edits_apply(assay_edits *edits, assay_slice text, assay_buffer *out)
{
    size_t done = 0;

    if (edits->n > 1)
        qsort(edits->item, edits->n, sizeof *edits->item, by_place);
    for (size_t i = 0; i < edits->n; i++) {
        if (edits->item[i].at < done || edits->item[i].end < edits->item[i].at ||
            edits->item[i].end > text.len)
            return false;
        done = edits->item[i].end;
    }
    done = 0;
    for (size_t i = 0; i < edits->n; i++) {
        const assay_edit *e = &edits->item[i];

        assay_buffer_add(out, text.ptr + done, e->at - done);
        assay_buffer_slice(out, e->text);
        done = e->end;
    }
    assay_buffer_add(out, text.ptr + done, text.len - done);
    return true;
}

void assay_edits_clear(assay_edits *edits)
{
    assay_mem_free(edits->item);
    *edits = (assay_edits){0};
}
