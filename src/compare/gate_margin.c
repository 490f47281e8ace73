/* SPDX-License-Identifier: Apache-2.0 */
/* Margin rules speak about queries that nobody asked yet: D is the mean paired drop, L and U
 * are its one-sided t bounds, and
 *
 *     regress        L > m      (the drop is larger than the margin)
 *     improve        U < 0
 *     pass           U <= m     (the drop, if there is one, is within the margin)
 *     inconclusive   otherwise: too few queries to tell
 *
 * Each of the three claims is a family of its own: Holm goes over the rules by the p values
 * of that claim, so that the chance of a single false claim of a kind stays below alpha. */
#include <math.h>

#include "base/error.h"
#include "compare/gate_court.h"
#include "stat/correction.h"
#include "stat/power.h"
#include "stat/ttest.h"

assay_status assay_gate_open_claim(const assay_gate_court *t, assay_gate_claim *c,
                                   assay_error *err)
{
    assay_gate_outcome *o = c->outcome;
    const assay_gate_rule *rule = o->rule;
    uint32_t before;
    uint32_t after;
    uint32_t n_single;
    assay_status st = assay_gate_find_pair(t, rule, &before, &after, err);

    if (st)
        return st;
    if (t->input->after->column[after].aggregate != ASSAY_AGG_MEAN)
        return assay_fail(err, ASSAY_EUSAGE,
                          "gate: '%s' is no mean over queries, so no margin can be "
                          "tested; give it a max-drop or a threshold",
                          rule->metric);
    o->n = (uint32_t)assay_gate_drops(t, before, after, t->room, &n_single);
    c->drop = assay_sample_of(t->room, o->n);
    c->margin = rule->limit;
    o->before = t->input->before->total[before].value;
    o->after = t->input->after->total[after].value;
    o->figure = c->drop.mean;
    o->limit = c->margin;
    if (n_single)
        o->note = "some queries have a score in one run only and do not count";
    /* The p of the claims: a limit counts as passed only beyond its slack. */
    c->p_regress = assay_ttest_above(&c->drop, c->margin + ASSAY_LIMIT_SLACK);
    c->p_improve = assay_ttest_below(&c->drop, -ASSAY_LIMIT_SLACK);
    c->p_pass = assay_ttest_below(&c->drop, c->margin + ASSAY_LIMIT_SLACK);
    return assay_gate_bootstrap(t, o, o->n, err);
}

/* The level that Holm gives each rule: alpha / m to the smallest p; where that is below its
 * level, alpha / (m - 1) to the next, and so on; from the first that is not, the level
 * stays.  p[i] < level[i] says that the assay_gate_claim holds. */
static void holm_levels(const double *p, uint32_t m, double alpha, double *level)
{
    uint32_t n_held = 0;
    bool is_more = true;

    for (uint32_t i = 0; i < m; i++)
        level[i] = 0;
    while (is_more && n_held < m) {
        uint32_t least = m;

        for (uint32_t i = 0; i < m; i++)
            if (level[i] == 0 && (least == m || p[i] < p[least]))
                least = i;
        is_more = p[least] < alpha / (m - n_held);
        if (is_more)
            level[least] = alpha / (m - n_held++);
    }
    for (uint32_t i = 0; i < m; i++)
        if (level[i] == 0)
            level[i] = alpha / (m - n_held);
}

static void decide(const assay_gate_court *t, assay_gate_claim *c, double regress,
                   double improve, double pass)
{
    assay_gate_outcome *o = c->outcome;
    const double first = t->settings.alpha / t->n_margins;

    o->spread = c->drop.spread;
    o->p = c->p_regress;
    if (c->p_regress < regress)
        o->verdict = ASSAY_GATE_REGRESS;
    else if (c->p_improve < improve)
        o->verdict = ASSAY_GATE_IMPROVE;
    else if (c->p_pass < pass)
        o->verdict = ASSAY_GATE_PASS;
    else
        o->verdict = ASSAY_GATE_INCONCLUSIVE;
    o->level_low = regress;
    o->level_high = o->verdict == ASSAY_GATE_IMPROVE ? improve : pass;
    o->low = assay_ttest_low(&c->drop, o->level_low);
    o->high = assay_ttest_high(&c->drop, o->level_high);
    if (o->n == 1 && o->verdict == ASSAY_GATE_INCONCLUSIVE)
        o->note = "one query says nothing of the others";
    if (o->n < 2 || t->settings.is_lean)
        return;
    o->smallest =
        c->margin + assay_power_drop(c->drop.spread, o->n, first, t->settings.power);
    if (o->verdict == ASSAY_GATE_INCONCLUSIVE)
        o->needed = assay_power_queries(fabs(o->figure - o->limit), o->spread, first,
                                        t->settings.power);
}

assay_status assay_gate_decide(const assay_gate_court *t, assay_gate_claim *list,
                               assay_error *err)
{
    const uint32_t m = t->n_margins;
    double *p = ASSAY_ARENA_ARRAY(t->arena, double, (size_t)m * 7);
    double *level = p ? p + 3 * (size_t)m : NULL;

    if (!p)
        return assay_fail_memory(err, "judging the rules of a gate");
    for (uint32_t i = 0; i < m; i++) {
        p[i] = list[i].p_regress;
        p[m + i] = list[i].p_improve;
        p[2 * m + i] = list[i].p_pass;
    }
    for (uint32_t f = 0; f < 3; f++)
        holm_levels(p + f * m, m, t->settings.alpha, level + f * m);
    if (!assay_correction_holm(p, m, p + 6 * m))
        return assay_fail_memory(err, "judging the rules of a gate");
    for (uint32_t i = 0; i < m; i++) {
        assay_gate_outcome *o = list[i].outcome;

        decide(t, &list[i], level[i], level[m + i], level[2 * m + i]);
        o->p_corrected = p[6 * m + i];
        if (!o->n)
            assay_gate_no_scores(o);
    }
    return ASSAY_OK;
}
