/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/near_id.h"

#include <string.h>

#include "base/error.h"
#include "base/slice.h"

/* More that are gone than this, and the list is of another corpus: nobody is helped by
 * comparing everything with everything. */
enum { MOST_GONE = 200 };

typedef struct seeker {
    const assay_slice *id;
    const uint32_t *gone; /* numbers of the ids that are gone */
    uint32_t n_gone;
    uint32_t *distance; /* of near[gone[i]] so far */
    assay_arena *arena;
    assay_slice *near;
} seeker;

static assay_slice last_name(assay_slice id)
{
    for (size_t i = id.len; i > 0; i--)
        if (id.ptr[i - 1] == '/')
            return (assay_slice){id.ptr + i, id.len - i};
    return id;
}

/* How far apart, or UINT32_MAX: too far. */
static uint32_t apart(assay_slice a, assay_slice b)
{
    assay_slice x = last_name(a);
    assay_slice y = last_name(b);
    uint32_t most = (uint32_t)(a.len < 64 ? a.len : 64) / 4 + 1;
    uint32_t distance;

    if (x.len && assay_slice_eq(x, y))
        return 0;
    distance = assay_slice_distance(a, b);
    return distance <= most ? distance : UINT32_MAX;
}

static assay_status visit(void *ctx, const assay_corpus_doc *doc, assay_error *err)
{
    seeker *s = ctx;

    for (uint32_t i = 0; i < s->n_gone; i++) {
        uint32_t distance = apart(s->id[s->gone[i]], doc->id);
        assay_slice own;

        /* Of equally near ones the first stays: the same answer every time. */
        if (distance >= s->distance[i])
            continue;
        own = assay_arena_copy(s->arena, doc->id);
        if (!own.ptr)
            return assay_fail_memory(err, "looking for documents");
        s->distance[i] = distance;
        s->near[s->gone[i]] = own;
    }
    return ASSAY_OK;
}

assay_status assay_near_ids(assay_corpus *corpus, const assay_slice *id,
                            const bool *is_gone, uint32_t n, assay_arena *arena,
                            assay_slice *near, assay_error *err)
{
    uint32_t gone[MOST_GONE];
    uint32_t distance[MOST_GONE];
    seeker s = {.id = id, .gone = gone, .distance = distance, .arena = arena};

    s.near = near;
    for (uint32_t i = 0; i < n; i++) {
        near[i] = ASSAY_LIT("");
        if (!is_gone[i] || s.n_gone == MOST_GONE)
            continue;
        distance[s.n_gone] = UINT32_MAX;
        gone[s.n_gone++] = i;
    }
    return s.n_gone ? assay_corpus_each(corpus, visit, &s, err) : ASSAY_OK;
}
