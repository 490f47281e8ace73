/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/locate_heading.h"

#include <string.h>

#include "base/buffer.h"
#include "base/slice.h"
#include "corpus/locate_fold.h"

static const char between[] = " > ";

/* Folded, without blanks at the ends; a null ptr: no memory. */
static assay_slice fold_name(assay_slice name, assay_arena *arena)
{
    assay_slice out = {NULL, 0};
    assay_folded folded;

    if (assay_folded_init(&folded, name))
        out = assay_arena_copy(arena, assay_slice_trim(assay_folded_view(&folded)));
    assay_folded_clear(&folded);
    return out;
}

static bool make_paths(assay_headings *h, const assay_document *doc)
{
    assay_buffer path = ASSAY_BUFFER_EMPTY;
    bool is_ok;

    if (!assay_headings_find(doc, &h->arena, &h->all))
        return false;
    h->path = ASSAY_ARENA_ARRAY(&h->arena, assay_slice, h->all.n_headings);
    is_ok = h->path != NULL;
    for (uint32_t i = 0; is_ok && i < h->all.n_headings; i++) {
        path.len = 0;
        assay_heading_path(&h->all, i, &path);
        h->path[i] = fold_name(assay_buffer_view(&path), &h->arena);
        is_ok = !path.has_failed && h->path[i].ptr;
    }
    assay_buffer_clear(&path);
    h->is_made = is_ok;
    return is_ok;
}

static bool ends_with(assay_slice path, assay_slice name)
{
    size_t mark = sizeof between - 1;
    const char *end = path.ptr + path.len;

    return path.len >= name.len + mark &&
           memcmp(end - name.len, name.ptr, name.len) == 0 &&
           memcmp(end - name.len - mark, between, mark) == 0;
}

bool assay_headings_match(assay_headings *h, const assay_document *doc, assay_slice name,
                          assay_span *out, size_t most, size_t *n)
{
    assay_slice want;
    bool is_path;
    size_t n_whole = 0;

    *n = 0;
    if (!h->is_made && !make_paths(h, doc))
        return false;
    want = fold_name(name, &h->arena);
    if (!want.ptr)
        return false;
    is_path = false;
    for (size_t i = 0; i + sizeof between - 1 <= want.len; i++)
        is_path = is_path || memcmp(want.ptr + i, between, sizeof between - 1) == 0;
    for (uint32_t i = 0; i < h->all.n_headings && want.len > 0; i++) {
        bool is_whole = assay_slice_eq(h->path[i], want);

        if (is_whole && is_path && n_whole++ == 0)
            *n = 0;
        if (*n < most && (is_whole || (n_whole == 0 && ends_with(h->path[i], want))))
            out[(*n)++] = h->all.heading[i].section;
    }
    return true;
}

void assay_headings_clear(assay_headings *h)
{
    assay_arena_clear(&h->arena);
    *h = (assay_headings){0};
}
