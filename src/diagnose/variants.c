/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/variants.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/slice.h"

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "comparing variants");
}

const char *assay_variant_class_name(assay_variant_class c)
{
    static const char *const name[] = {
        [ASSAY_VARIANT_OK] = "Ok",
        [ASSAY_VARIANT_MIS_RANKED] = "MisRanked",
        [ASSAY_VARIANT_MISSING] = "Missing",
        [ASSAY_VARIANT_NO_EXPECTED] = "NoExpected",
    };

    return name[c];
}

/* ---- one query ---- */

/* The documents that are expected, each once; null: no memory. */
static uint32_t *expected_docs(const assay_query *q, assay_arena *arena, uint32_t *n)
{
    uint32_t *doc = ASSAY_ARENA_ARRAY(arena, uint32_t, q->n_judgments + 1u);

    *n = 0;
    for (uint32_t i = 0; doc && i < q->n_judgments; i++) {
        const assay_judgment *j = &q->judgment[i];
        bool is_new =
            j->grade > 0 && j->doc != ASSAY_NONE && j->stale != ASSAY_STALE_LOST;

        for (uint32_t k = 0; is_new && k < *n; k++)
            is_new = doc[k] != j->doc;
        if (is_new)
            doc[(*n)++] = j->doc;
    }
    return doc;
}

static uint32_t rank_of(const assay_hit *hit, uint32_t i)
{
    return hit->rank ? hit->rank : i + 1;
}

/* Share of doc[0..n) among the hits down to rank k. */
static double recall(const assay_golden *g, const assay_result *r, const uint32_t *doc,
                     uint32_t n, uint32_t k)
{
    uint32_t found = 0;

    for (uint32_t d = 0; d < n; d++) {
        assay_slice id = g->docs.word[doc[d]];
        bool is_there = false;

        for (uint32_t i = 0; i < r->n_hits && !is_there; i++)
            is_there = rank_of(&r->hit[i], i) <= k && assay_slice_eq(r->hit[i].doc, id);
        found += is_there;
    }
    return (double)found / n;
}

static assay_variant_class class_of(const assay_variant *v)
{
    if (isnan(v->narrow))
        return ASSAY_VARIANT_NO_EXPECTED;
    if (v->narrow >= 1)
        return ASSAY_VARIANT_OK;
    return v->pool > v->narrow ? ASSAY_VARIANT_MIS_RANKED : ASSAY_VARIANT_MISSING;
}

static assay_status measure(const assay_golden *g, const assay_run *run,
                            const assay_query *q, double grounded,
                            const assay_variants *all, assay_arena *arena,
                            assay_variant *out, assay_error *err)
{
    uint32_t n;
    uint32_t *doc = expected_docs(q, arena, &n);
    uint32_t number = assay_dict_find(&run->ids, q->id);
    assay_result result = {0};

    if (!doc)
        return no_memory(err);
    *out = (assay_variant){.query = q, .narrow = (double)NAN, .pool = (double)NAN};
    out->is_missing = number == ASSAY_NONE;
    if (!out->is_missing) {
        assay_status st = assay_run_result(run, number, arena, &result, err);

        if (st)
            return st;
    }
    out->is_failed = result.error.len > 0;
    if (n) {
        out->narrow = recall(g, &result, doc, n, all->narrow);
        out->pool = recall(g, &result, doc, n, all->pool);
    }
    out->kind = class_of(out);
    if (!isnan(grounded) && !out->is_failed)
        out->answer = grounded > 0 ? ASSAY_FLAG_YES : ASSAY_FLAG_NO;
    return ASSAY_OK;
}

/* ---- groups ---- */

static void roll_up(assay_variant_group *group)
{
    double most = -INFINITY;

    group->worst = INFINITY;
    for (uint32_t i = 0; i < group->n; i++) {
        const assay_variant *v = &group->variant[i];

        if (!isnan(v->narrow)) {
            most = v->narrow > most ? v->narrow : most;
            group->worst = v->narrow < group->worst ? v->narrow : group->worst;
        }
        group->n_mis_ranked += v->kind == ASSAY_VARIANT_MIS_RANKED;
        group->n_missing += v->kind == ASSAY_VARIANT_MISSING;
        if (v->answer == ASSAY_FLAG_NO ||
            (v->answer == ASSAY_FLAG_YES && group->answers != ASSAY_FLAG_NO))
            group->answers = v->answer;
    }
    if (isinf(most))
        group->worst = (double)NAN;
    group->spread = isinf(most) ? 0 : most - group->worst;
}

static void sum_up(assay_variants *all)
{
    double sum = 0;

    for (uint32_t i = 0; i < all->n; i++) {
        const assay_variant_group *g = &all->group[i];

        sum += g->spread;
        all->n_consistent += g->spread == 0 && g->worst == 1;
        all->n_a_dominant += g->n_mis_ranked && g->n_mis_ranked >= g->n_missing;
        all->n_b_dominant += g->n_missing > g->n_mis_ranked;
    }
    all->mean_spread = all->n ? sum / all->n : (double)NAN;
}

/* Over all queries of the run, in a group or not. */
static assay_status look_deep(const assay_run *run, assay_variants *all, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    uint32_t deepest = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < assay_run_n(run) && !st; i++) {
        assay_result r;

        assay_arena_reset(&arena);
        st = assay_run_result(run, i, &arena, &r, err);
        for (uint32_t h = 0; !st && h < r.n_hits; h++)
            deepest = rank_of(&r.hit[h], h) > deepest ? rank_of(&r.hit[h], h) : deepest;
    }
    assay_arena_clear(&arena);
    all->is_pool_truncated = deepest && deepest < all->pool;
    return st;
}

static int by_group(const void *a, const void *b)
{
    const assay_query *x = *(const assay_query *const *)a;
    const assay_query *y = *(const assay_query *const *)b;
    int order = assay_slice_cmp(x->group, y->group);

    return order ? order : assay_slice_cmp(x->id, y->id);
}

/* Queries that are in a group, sorted by it. */
static const assay_query **grouped(const assay_golden *g, assay_arena *arena, uint32_t *n)
{
    const assay_query **q =
        ASSAY_ARENA_ARRAY(arena, const assay_query *, g->n_queries + 1u);

    *n = 0;
    for (uint32_t i = 0; q && i < g->n_queries; i++)
        if (g->query[i].group.len && !g->query[i].is_draft)
            q[(*n)++] = &g->query[i];
    if (q)
        qsort(q, *n, sizeof *q, by_group);
    return q;
}

assay_status assay_variants_make(const assay_golden *golden, const assay_run *run,
                                 const double *grounded, uint32_t narrow, uint32_t pool,
                                 assay_arena *arena, assay_variants *out,
                                 assay_error *err)
{
    assay_variants all = {.narrow = narrow ? narrow : ASSAY_VARIANTS_NARROW,
                          .pool = pool ? pool : ASSAY_VARIANTS_POOL};
    uint32_t n;
    const assay_query **q = grouped(golden, arena, &n);
    assay_variant *variant = ASSAY_ARENA_ARRAY(arena, assay_variant, n + 1u);
    assay_status st = ASSAY_OK;

    all.group = ASSAY_ARENA_ARRAY(arena, assay_variant_group, n + 1u);
    if (!q || !variant || !all.group)
        return no_memory(err);
    for (uint32_t i = 0; i < n && !st; i++) {
        if (!i || !assay_slice_eq(q[i]->group, q[i - 1]->group))
            all.group[all.n++] =
                (assay_variant_group){.name = q[i]->group, .variant = &variant[i]};
        all.group[all.n - 1].n++;
        st = measure(golden, run, q[i], grounded[q[i] - golden->query], &all, arena,
                     &variant[i], err);
    }
    if (!st)
        st = look_deep(run, &all, err);
    if (st)
        return st;
    for (uint32_t i = 0; i < all.n; i++)
        roll_up(&all.group[i]);
    sum_up(&all);
    *out = all;
    return ASSAY_OK;
}
