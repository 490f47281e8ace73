/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/locate_quotes.h"

#include "base/mem.h"
#include "corpus/locate_fold.h"

bool assay_quotes_add(assay_quotes *q, assay_slice quote, uint32_t *number)
{
    assay_hunted *grown;
    bool is_new;

    if (!assay_dict_put(&q->known, NULL, quote, number, &is_new))
        return false;
    if (!is_new)
        return true;
    grown = assay_mem_grow(q->quote, &q->cap, (size_t)q->n + 1, sizeof *grown);
    if (!grown)
        return false;
    q->quote = grown;
    grown[q->n++] = (assay_hunted){.quote = quote, .folded = {"", 0}};
    return true;
}

static bool fold_quote(assay_hunted *q, assay_arena *arena)
{
    assay_folded folded;
    assay_slice text;
    size_t length;

    if (!assay_folded_init(&folded, q->quote))
        return false;
    text = assay_folded_view(&folded);
    if (text.len > 0 && text.ptr[text.len - 1] == ' ')
        text.len--;
    if (text.len > 0 && text.ptr[0] == ' ') {
        text.ptr++;
        text.len--;
    }
    q->folded = assay_arena_copy(arena, text);
    assay_folded_clear(&folded);
    if (!q->folded.ptr)
        return false;
    length = assay_edit_length(q->folded);
    q->length = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
    q->most = length <= ASSAY_HUNT_MOST_LENGTH ? q->length / ASSAY_HUNT_SHARE : 0;
    return true;
}

bool assay_quotes_fold(assay_quotes *q, const uint8_t *skip)
{
    for (uint32_t i = 0; i < q->n; i++)
        if (!(skip && skip[i]) && !fold_quote(&q->quote[i], &q->arena))
            return false;
    return true;
}

void assay_quotes_clear(assay_quotes *q)
{
    assay_mem_free(q->quote);
    assay_dict_clear(&q->known);
    assay_arena_clear(&q->arena);
    *q = (assay_quotes){0};
}
