/* SPDX-License-Identifier: Apache-2.0 */
/* How many queries a drop takes, from the spread that stored runs show. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "pipeline/gating.h"
#include "stat/sample.h"

/* Squares of all pairs so far. */
typedef struct pool {
    double squares; /* sum of (n - 1) variances */
    double freedom; /* sum of n - 1 */
    uint32_t n_pairs;
    uint32_t n_now; /* queries of the newest pair */
} pool;

static assay_status fail_memory(assay_error *err)
{
    return assay_fail_memory(err, "planning a gate");
}

static assay_status check_column(const assay_scores *s, assay_error *err)
{
    if (s->column[0].aggregate == ASSAY_AGG_MEAN)
        return ASSAY_OK;
    return assay_fail(err, ASSAY_EUSAGE,
                      "--plan: '%s' is no mean over queries, so nothing can be planned",
                      s->column[0].name);
}

static bool add_pair(const assay_scores *a, const assay_scores *b, pool *p)
{
    double *d = ASSAY_NEW_ARRAY(double, b->n_rows);
    assay_sample s;
    size_t n = 0;

    if (!d)
        return false;
    for (uint32_t r = 0; r < b->n_rows; r++) {
        const double before = *assay_scores_cell(a, r, 0);
        const double after = *assay_scores_cell(b, r, 0);

        if (!isnan(before) && !isnan(after))
            assay_sample_pair(&before, &after, 1, &d[n++]);
    }
    s = assay_sample_of(d, n);
    assay_mem_free(d);
    p->n_now = (uint32_t)n;
    if (s.spread > 0) {
        p->squares += s.spread * s.spread * (double)(n - 1);
        p->freedom += (double)(n - 1);
        p->n_pairs++;
    }
    return true;
}

static assay_status compare_pair(const assay_compare_side *side,
                                 const assay_comparing_settings *settings, pool *p,
                                 assay_error *err)
{
    assay_comparison *c = NULL;
    assay_error why;
    assay_status st = assay_compare_runs(side, 2, settings, &c, &why);

    if (st == ASSAY_EINPUT)
        return ASSAY_OK;
    if (st)
        return assay_fail(err, st, "%s", why.text);
    st = check_column(c->scores[0], err);
    if (!st && !add_pair(c->scores[0], c->scores[1], p))
        st = fail_memory(err);
    assay_comparison_free(c);
    return st;
}

/* No pair: as if two runs had nothing in common but their spread. */
static assay_status use_one(const assay_compare_side *side, const char *metric,
                            const assay_eval_settings *settings, pool *p,
                            assay_error *err)
{
    assay_scores *s = NULL;
    assay_status st = assay_gating_measure(side, metric, false, settings, &s, err);

    if (!st)
        st = check_column(s, err);
    if (!st) {
        p->n_now = s->total[0].n;
        p->freedom = 1;
        p->squares = p->n_now > 1 ? 2 * s->total[0].spread * s->total[0].spread : 0;
    }
    assay_scores_free(s);
    return st;
}

assay_status assay_gating_plan_for(const assay_compare_side *side, uint32_t n,
                                   const char *metric, double drop,
                                   const assay_gating_settings *settings,
                                   assay_arena *arena, assay_gating_plan *out,
                                   assay_error *err)
{
    assay_comparing_settings compare = settings->compare;
    pool p = {0};
    assay_status st = ASSAY_OK;

    compare.measure = &metric;
    compare.n_measures = 1;
    for (uint32_t i = 0; i + 1 < n && !st; i++)
        st = compare_pair(&side[i], &compare, &p, err);
    if (!st && !p.n_pairs)
        st = use_one(&side[n - 1], metric, &compare.eval, &p, err);
    if (st)
        return st;
    out->n_pairs = p.n_pairs;
    out->is_unpaired = !p.n_pairs;
    out->metric = assay_arena_string(arena, assay_slice_of(metric));
    out->plan =
        assay_gate_plan_for(drop, sqrt(p.squares / p.freedom), p.n_now, &settings->gate);
    return out->metric ? ASSAY_OK : fail_memory(err);
}
