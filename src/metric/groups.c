/* SPDX-License-Identifier: Apache-2.0 */
#include "metric/groups.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/slice.h"

/* A hit, to be found by its id. */
typedef struct place {
    assay_slice doc;
    uint32_t pos;
} place;

static int by_doc(const void *a, const void *b)
{
    return assay_slice_cmp(((const place *)a)->doc, ((const place *)b)->doc);
}

static int by_group_and_doc(const void *a, const void *b)
{
    const assay_group_judgment *x = a;
    const assay_group_judgment *y = b;
    int order = assay_slice_cmp(x->group, y->group);

    return order ? order : assay_slice_cmp(x->doc, y->doc);
}

/* Grades of the hits of one group; both sides are sorted by id. */
static void lay_over(const place *hit, uint32_t n_hits, const assay_group_judgment *j,
                     uint32_t n, int32_t *grade)
{
    uint32_t k = 0;

    for (uint32_t i = 0; i < n_hits; i++) {
        while (k < n && assay_slice_cmp(j[k].doc, hit[i].doc) < 0)
            k++;
        grade[hit[i].pos] = ASSAY_UNPOOLED;
        if (k < n && assay_slice_eq(j[k].doc, hit[i].doc))
            grade[hit[i].pos] = j[k].grade < 0 ? ASSAY_POOLED : j[k].grade;
    }
}

/* Drop what has no grade; ranks close up. */
static uint32_t drop_unjudged(int32_t *grade, uint32_t n)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++)
        if (grade[i] >= 0)
            grade[kept++] = grade[i];
    return kept;
}

static void find_relevant(assay_judged *view, uint32_t *rel_pos)
{
    for (uint32_t i = 0; i < view->n_ranked; i++)
        if (view->grade[i] >= view->threshold && view->grade[i] >= 0)
            rel_pos[view->n_rel_pos++] = i;
    view->rel_pos = rel_pos;
    view->found_pos = rel_pos;
    view->cover_pos = rel_pos;
    view->n_found = view->n_rel_pos;
}

static void count_judged(assay_judged *view, const assay_group_judgment *j, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (j[i].grade < 0)
            view->n_pooled++;
        else if (j[i].grade >= view->threshold)
            view->n_relevant++;
        else
            view->n_nonrel++;
    }
}

/* The view of the group whose judgments are j[0..n). */
static assay_status build_view(const place *hit, uint32_t n_hits,
                               const assay_group_judgment *j, uint32_t n,
                               const assay_groups_options *options, assay_arena *arena,
                               assay_judged *view, assay_error *err)
{
    int32_t *grade = ASSAY_ARENA_ARRAY(arena, int32_t, n_hits + 1);
    uint32_t *rel_pos = ASSAY_ARENA_ARRAY(arena, uint32_t, n_hits + 1);

    if (!grade || !rel_pos)
        return assay_fail_memory(err, "splitting judgments by group");
    for (uint32_t i = 1; i < n; i++)
        if (assay_slice_eq(j[i - 1].doc, j[i].doc))
            return assay_fail(err, ASSAY_EINPUT,
                              "group '%.*s' judges document '%.*s' twice",
                              ASSAY_QUOTE(j[i].group), ASSAY_QUOTE(j[i].doc));

    lay_over(hit, n_hits, j, n, grade);
    view->threshold = options->threshold;
    view->max_grade = 1;
    view->grade = grade;
    view->n_ranked = options->judged_only ? drop_unjudged(grade, n_hits) : n_hits;
    find_relevant(view, rel_pos);
    count_judged(view, j, n);
    return ASSAY_OK;
}

/* A copy of the judgments by group, then document. */
static assay_group_judgment *sorted(const assay_group_judgment *judgment, uint32_t n,
                                    assay_arena *arena)
{
    assay_group_judgment *copy = ASSAY_ARENA_ARRAY(arena, assay_group_judgment, n + 1);

    if (copy && n) {
        memcpy(copy, judgment, n * sizeof copy[0]);
        qsort(copy, n, sizeof copy[0], by_group_and_doc);
    }
    return copy;
}

static uint32_t count_groups(const assay_group_judgment *j, uint32_t n)
{
    uint32_t groups = n > 0;

    for (uint32_t i = 1; i < n; i++)
        groups += !assay_slice_eq(j[i - 1].group, j[i].group);
    return groups;
}

assay_status assay_groups_build(const assay_slice *doc, uint32_t n_ranked,
                                const assay_group_judgment *judgment,
                                uint32_t n_judgments, const assay_groups_options *options,
                                assay_arena *arena, const assay_groups **out,
                                assay_error *err)
{
    assay_groups *groups = ASSAY_ARENA_ARRAY(arena, assay_groups, 1);
    place *hit = ASSAY_ARENA_ARRAY(arena, place, n_ranked + 1);
    assay_group_judgment *j = sorted(judgment, n_judgments, arena);
    assay_judged *view;
    uint32_t end;

    if (!groups || !hit || !j)
        return assay_fail_memory(err, "splitting judgments by group");
    view = ASSAY_ARENA_ARRAY(arena, assay_judged, count_groups(j, n_judgments) + 1);
    if (!view)
        return assay_fail_memory(err, "splitting judgments by group");
    for (uint32_t i = 0; i < n_ranked; i++)
        hit[i] = (place){doc[i], i};
    if (n_ranked)
        qsort(hit, n_ranked, sizeof hit[0], by_doc);

    for (uint32_t start = 0; start < n_judgments; start = end) {
        assay_status st;

        for (end = start + 1; end < n_judgments; end++)
            if (!assay_slice_eq(j[start].group, j[end].group))
                break;
        st = build_view(hit, n_ranked, &j[start], end - start, options, arena,
                        &view[groups->n], err);
        if (st)
            return st;
        groups->n++;
    }
    groups->view = view;
    *out = groups;
    return ASSAY_OK;
}
