/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/eval_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/slice.h"

assay_level assay_eval_level(const assay_measure *measure, const assay_conventions *c,
                             assay_level forced, assay_level settled)
{
    const assay_metric *m = measure->metric;
    bool is_recall = strcmp(m->name, "recall") == 0;

    if (m->needs & ASSAY_NEEDS_SPANS)
        return ASSAY_LEVEL_EVIDENCE;
    if (m->level)
        return m->level;
    if (measure->level)
        return measure->level;
    if (forced)
        return forced;
    if (is_recall && c->recall_level)
        return c->recall_level;
    return c->level ? c->level : settled;
}

/* precision as evalvault has it: of what came back, not of k.
 *
 *     relevant in the top k / min(k, hits)
 */
static void eval_over_returned(const assay_judged *q, const assay_args *args, double *out)
{
    uint32_t i = 0;

    for (size_t c = 0; c < args->n; c++) {
        uint32_t of = args->k[c] < q->n_ranked ? args->k[c] : q->n_ranked;

        while (i < q->n_rel_pos && q->rel_pos[i] < args->k[c])
            i++;
        out[c] = of ? (double)i / of : 0.0;
    }
}

static bool is_same_values(const assay_measure *a, const assay_measure *b)
{
    assay_measure x = *a;

    /* assay_measure_equal compares cutoffs too: give both the same. */
    x.at = b->at;
    x.has_at = b->has_at;
    x.level = b->level;
    return assay_measure_equal(&x, b);
}

static bool is_same_view(const assay_eval_view *view, const assay_measure *m,
                         assay_level level)
{
    return view->level == level && view->rel == m->rel &&
           view->judged_only == m->judged_only;
}

static uint32_t cutoff_of(const assay_measure *m, const assay_conventions *c)
{
    if (m->has_at && m->metric->at != ASSAY_AT_REAL)
        return m->at < ASSAY_NO_CUTOFF ? (uint32_t)m->at : ASSAY_NO_CUTOFF;
    if (c->mrr_depth && strcmp(m->metric->name, "mrr") == 0)
        return c->mrr_depth;
    return ASSAY_NO_CUTOFF;
}

/* What the plan is made from. */
typedef struct maker {
    assay_arena *arena;
    const assay_measures *measures;
    const assay_column *column;
    const assay_conventions *conventions;
    bool *is_done; /* by measure: stands in a call already */
} maker;

static int cmp_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static int cmp_real(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The cutoffs of the call's columns, ascending and once each, and each column's slot. */
static bool fill_args(const maker *mk, assay_eval_call *call)
{
    bool is_real = call->metric->at == ASSAY_AT_REAL;
    uint32_t *k = ASSAY_ARENA_ARRAY(mk->arena, uint32_t, call->n_columns);
    double *x = ASSAY_ARENA_ARRAY(mk->arena, double, call->n_columns);
    size_t n = 0;

    if (!k || !x)
        return false;
    for (uint32_t i = 0; i < call->n_columns; i++) {
        const assay_measure *m = &mk->measures->item[call->column[i]];

        k[i] = cutoff_of(m, mk->conventions);
        x[i] = m->at;
    }
    if (is_real)
        qsort(x, call->n_columns, sizeof *x, cmp_real);
    else
        qsort(k, call->n_columns, sizeof *k, cmp_u32);
    for (uint32_t i = 0; i < call->n_columns; i++)
        if (!n || (is_real ? x[i] > x[n - 1] : k[i] > k[n - 1])) {
            x[n] = x[i];
            k[n++] = k[i];
        }
    for (uint32_t i = 0; i < call->n_columns; i++) {
        const assay_measure *m = &mk->measures->item[call->column[i]];

        while (is_real ? x[call->slot[i]] < m->at
                       : k[call->slot[i]] < cutoff_of(m, mk->conventions))
            call->slot[i]++;
    }
    call->args = (assay_args){
        .k = k, .x = x, .n = n, .value = mk->measures->item[call->column[0]].value};
    return true;
}

/* Measure `first` and all later ones that only differ in their cutoff. */
static bool add_call(const maker *mk, assay_eval_view *view, size_t first)
{
    const assay_measure *m = &mk->measures->item[first];
    assay_eval_call *call = &view->call[view->n_calls++];

    call->metric = m->metric;
    call->eval = m->metric->eval;
    if (mk->conventions->precision_over_returned &&
        strcmp(m->metric->name, "precision") == 0)
        call->eval = eval_over_returned;
    call->column = ASSAY_ARENA_ARRAY(mk->arena, uint32_t, mk->measures->n);
    call->slot = ASSAY_ARENA_ARRAY(mk->arena, uint32_t, mk->measures->n);
    if (!call->column || !call->slot)
        return false;
    for (size_t i = first; i < mk->measures->n; i++) {
        const assay_measure *other = &mk->measures->item[i];

        if (mk->is_done[i] || other->metric != m->metric ||
            !is_same_view(view, other, mk->column[i].level) || !is_same_values(other, m))
            continue;
        call->column[call->n_columns++] = (uint32_t)i;
        mk->is_done[i] = true;
    }
    return fill_args(mk, call);
}

static assay_eval_view *find_view(const maker *mk, assay_eval_plan *plan, size_t i)
{
    const assay_measure *m = &mk->measures->item[i];
    assay_level level = mk->column[i].level;
    assay_eval_view *view;

    for (uint32_t v = 0; v < plan->n_views; v++)
        if (is_same_view(&plan->view[v], m, level))
            return &plan->view[v];
    view = &plan->view[plan->n_views++];
    *view =
        (assay_eval_view){.level = level, .rel = m->rel, .judged_only = m->judged_only};
    view->call = ASSAY_ARENA_ARRAY(mk->arena, assay_eval_call, mk->measures->n);
    return view->call ? view : NULL;
}

static int by_level(const void *a, const void *b)
{
    const assay_eval_view *x = a;
    const assay_eval_view *y = b;

    return (int)x->level - (int)y->level;
}

/* All finite cutoffs, for counting ties. */
static bool list_cutoffs(const maker *mk, assay_eval_plan *plan)
{
    uint32_t n = 0;

    plan->cutoff = ASSAY_ARENA_ARRAY(mk->arena, uint32_t, mk->measures->n);
    if (!plan->cutoff)
        return false;
    for (size_t i = 0; i < mk->measures->n; i++) {
        uint32_t k = cutoff_of(&mk->measures->item[i], mk->conventions);

        if (k != ASSAY_NO_CUTOFF)
            plan->cutoff[n++] = k;
    }
    qsort(plan->cutoff, n, sizeof *plan->cutoff, cmp_u32);
    for (uint32_t i = 0; i < n; i++)
        if (!plan->n_cutoffs || plan->cutoff[i] > plan->cutoff[plan->n_cutoffs - 1])
            plan->cutoff[plan->n_cutoffs++] = plan->cutoff[i];
    return true;
}

bool assay_eval_plan_make(assay_eval_plan *plan, assay_arena *arena,
                          const assay_measures *measures, const assay_column *column,
                          const assay_conventions *conventions)
{
    maker mk = {arena, measures, column, conventions, NULL};

    *plan = (assay_eval_plan){0};
    plan->view = ASSAY_ARENA_ARRAY(arena, assay_eval_view, measures->n);
    mk.is_done = ASSAY_ARENA_ARRAY(arena, bool, measures->n);
    if (!plan->view || !mk.is_done || !list_cutoffs(&mk, plan))
        return false;
    for (size_t i = 0; i < measures->n; i++) {
        assay_eval_view *view;

        plan->needs |= measures->item[i].metric->needs;
        if (mk.is_done[i])
            continue;
        view = find_view(&mk, plan, i);
        if (!view || !add_call(&mk, view, i))
            return false;
        if (view->call[view->n_calls - 1].args.n > plan->most_values)
            plan->most_values = (uint32_t)view->call[view->n_calls - 1].args.n;
    }
    qsort(plan->view, plan->n_views, sizeof *plan->view, by_level);
    return true;
}
