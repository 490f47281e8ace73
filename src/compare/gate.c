/* SPDX-License-Identifier: Apache-2.0 */
/* The gate: exact rules are facts about the numbers at hand and are judged here, margin
 * rules in gate_margin.c. */
#include "compare/gate.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "compare/gate_court.h"
#include "stat/bootstrap.h"
#include "stat/power.h"
#include "stat/sample.h"
#include "stat/ttest.h"

const char *assay_gate_verdict_word(assay_gate_verdict verdict)
{
    static const char *const word[] = {"improve", "pass", "inconclusive", "regress",
                                       "incomparable"};

    return word[verdict];
}

/* ---- columns ---- */

static assay_status too_deep(const assay_gate_rule *rule, const assay_column *column,
                             assay_error *err)
{
    return assay_fail(err, ASSAY_EUSAGE,
                      "gate: '%s' looks at %u hits, but a run has fewer; gate a smaller "
                      "cutoff or make the run deeper",
                      rule->metric, column->k);
}

static assay_status find_column(const assay_scores *scores, const assay_gate_rule *rule,
                                uint32_t *out, assay_error *err)
{
    const uint32_t c = assay_scores_column(scores, rule->metric);

    if (c == ASSAY_NONE)
        return assay_fail(err, ASSAY_EUSAGE, "gate: '%s' was not measured", rule->metric);
    if (scores->column[c].is_too_deep)
        return too_deep(rule, &scores->column[c], err);
    *out = c;
    return ASSAY_OK;
}

/* The columns of a rule that compares; its metric must know what is worse. */
assay_status assay_gate_find_pair(const assay_gate_court *t, const assay_gate_rule *rule,
                                  uint32_t *before, uint32_t *after, assay_error *err)
{
    assay_status st = find_column(t->input->before, rule, before, err);

    if (!st)
        st = find_column(t->input->after, rule, after, err);
    if (st)
        return st;
    if (t->input->after->column[*after].has_no_direction)
        return assay_fail(err, ASSAY_EUSAGE,
                          "gate: nobody can say whether more or less of '%s' is better; "
                          "it can have a threshold, but no drop",
                          rule->metric);
    return ASSAY_OK;
}

/* Scores of one column that exist. */
static size_t values_of(const assay_scores *s, uint32_t column, double *out)
{
    size_t n = 0;

    for (uint32_t r = 0; r < s->n_rows; r++) {
        const double v = *assay_scores_cell(s, r, column);

        if (!isnan(v))
            out[n++] = v;
    }
    return n;
}

/* Paired drops, where both runs have a score; *n_single counts those that only one has. */
size_t assay_gate_drops(const assay_gate_court *t, uint32_t before, uint32_t after,
                        double *out, uint32_t *n_single)
{
    const assay_scores *a = t->input->before;
    const assay_scores *b = t->input->after;
    const bool is_lower_better = b->column[after].is_lower_better;
    size_t n = 0;

    *n_single = 0;
    for (uint32_t r = 0; r < b->n_rows; r++) {
        const double va = *assay_scores_cell(a, r, before);
        const double vb = *assay_scores_cell(b, r, after);

        if (isnan(va) || isnan(vb)) {
            *n_single += isnan(va) != isnan(vb);
            continue;
        }
        if (is_lower_better)
            assay_sample_pair(&va, &vb, 1, &out[n]);
        else
            assay_sample_pair(&vb, &va, 1, &out[n]);
        n++;
    }
    return n;
}

/* ---- what all outcomes have ---- */

static assay_gate_outcome outcome_of(const assay_gate_rule *rule)
{
    return (assay_gate_outcome){.rule = rule,
                                .verdict = ASSAY_GATE_PASS,
                                .before = NAN,
                                .after = NAN,
                                .figure = NAN,
                                .limit = NAN,
                                .low = NAN,
                                .high = NAN,
                                .level_low = NAN,
                                .level_high = NAN,
                                .boot_low = NAN,
                                .boot_high = NAN,
                                .p = NAN,
                                .p_corrected = NAN,
                                .spread = NAN,
                                .smallest = NAN,
                                .note = ""};
}

void assay_gate_no_scores(assay_gate_outcome *o)
{
    o->verdict = ASSAY_GATE_REGRESS;
    o->note = "no query has a score";
}

/* How sure one can be of the mean, and what n could have seen. */
static void add_certainty(const assay_gate_court *t, assay_gate_outcome *o,
                          const assay_sample *s, double alpha)
{
    o->spread = s->n ? s->spread : NAN;
    o->level_low = alpha;
    o->level_high = alpha;
    o->low = assay_ttest_low(s, alpha);
    o->high = assay_ttest_high(s, alpha);
    if (!t->settings.is_lean)
        o->smallest =
            assay_power_drop(s->spread, (uint32_t)s->n, alpha, t->settings.power);
}

assay_status assay_gate_bootstrap(const assay_gate_court *t, assay_gate_outcome *o,
                                  size_t n, assay_error *err)
{
    assay_interval ci;

    if (t->settings.is_lean)
        return ASSAY_OK;
    if (!assay_bootstrap_interval(t->room, n, 1 - 2 * t->settings.alpha, t->settings.seed,
                                  t->settings.n_draws, t->settings.n_threads, &ci))
        return assay_fail_memory(err, "drawing resamples");
    o->boot_low = ci.low;
    o->boot_high = ci.high;
    return ASSAY_OK;
}

/* ---- exact rules ---- */

static assay_status judge_threshold(const assay_gate_court *t, assay_gate_outcome *o,
                                    assay_error *err)
{
    const assay_gate_rule *rule = o->rule;
    const assay_scores *run = t->input->run;
    const assay_total *total;
    uint32_t c;
    assay_status st = find_column(run, rule, &c, err);

    if (st)
        return st;
    total = &run->total[c];
    o->after = total->value;
    o->figure = total->value;
    o->limit = rule->limit;
    o->n = total->n;
    if (!o->n) {
        assay_gate_no_scores(o);
        o->figure = NAN;
        o->after = NAN;
        return ASSAY_OK;
    }
    if (!assay_limit_holds(o->figure, rule->sign, o->limit))
        o->verdict = ASSAY_GATE_REGRESS;
    if (run->column[c].aggregate == ASSAY_AGG_MEAN) {
        const size_t n = values_of(run, c, t->room);
        const assay_sample s = assay_sample_of(t->room, n);

        add_certainty(t, o, &s, t->settings.alpha);
        st = assay_gate_bootstrap(t, o, n, err);
    }
    return st;
}

static assay_status judge_drop(const assay_gate_court *t, assay_gate_outcome *o,
                               assay_error *err)
{
    const assay_gate_rule *rule = o->rule;
    const assay_scores *b = t->input->after;
    uint32_t before;
    uint32_t after;
    uint32_t n_single;
    assay_status st = assay_gate_find_pair(t, rule, &before, &after, err);

    if (st)
        return st;
    o->before = t->input->before->total[before].value;
    o->after = b->total[after].value;
    o->n = b->total[after].n;
    if (!o->n || !t->input->before->total[before].n) {
        o->n = 0;
        assay_gate_no_scores(o);
        return ASSAY_OK;
    }
    o->figure =
        b->column[after].is_lower_better ? o->after - o->before : o->before - o->after;
    o->limit = assay_allowance_of(&rule->allowance, o->before);
    if (!assay_limit_holds(o->figure, ASSAY_LIMIT_AT_MOST, o->limit))
        o->verdict = ASSAY_GATE_REGRESS;
    if (b->column[after].aggregate == ASSAY_AGG_MEAN) {
        const size_t n = assay_gate_drops(t, before, after, t->room, &n_single);
        const assay_sample s = assay_sample_of(t->room, n);

        add_certainty(t, o, &s, t->settings.alpha);
        st = assay_gate_bootstrap(t, o, n, err);
    }
    return st;
}

static int query_by_id(const void *key, const void *item)
{
    return assay_slice_cmp(*(const assay_slice *)key,
                           ((const assay_gate_query *)item)->id);
}

static const assay_gate_query *find_query(const assay_gate_input *input, assay_slice id)
{
    if (!input->n_queries)
        return NULL;
    return bsearch(&id, input->query, input->n_queries, sizeof *input->query,
                   query_by_id);
}

static void guard(assay_gate_outcome *o, const assay_gate_query *q)
{
    o->n++;
    if (q->before && !q->after)
        o->lost[o->n_lost++] = q->id;
}

static assay_status judge_protected(const assay_gate_court *t, assay_gate_outcome *o,
                                    assay_error *err)
{
    const assay_gate_rule *rule = o->rule;
    const uint32_t most = rule->is_all ? t->input->n_queries : rule->n_ids;

    o->lost = ASSAY_ARENA_ARRAY(t->arena, assay_slice, most + 1u);
    o->absent = ASSAY_ARENA_ARRAY(t->arena, assay_slice, most + 1u);
    if (!o->lost || !o->absent)
        return assay_fail_memory(err, "judging protected queries");
    for (uint32_t i = 0; rule->is_all && i < t->input->n_queries; i++)
        if (t->input->query[i].before)
            guard(o, &t->input->query[i]);
    for (uint32_t i = 0; i < rule->n_ids; i++) {
        const assay_gate_query *q = find_query(t->input, rule->id[i]);

        if (q)
            guard(o, q);
        else
            o->absent[o->n_absent++] = rule->id[i];
    }
    o->figure = o->n_lost;
    o->limit = 0;
    if (o->n_lost || o->n_absent || !o->n)
        o->verdict = ASSAY_GATE_REGRESS;
    if (!o->n)
        o->note = "no protected query could be looked at";
    return ASSAY_OK;
}

/* ---- all of them ---- */

static assay_status judge_exact(const assay_gate_court *t, assay_gate_outcome *o,
                                assay_error *err)
{
    switch (o->rule->kind) {
    case ASSAY_GATE_THRESHOLD: return judge_threshold(t, o, err);
    case ASSAY_GATE_MAX_DROP: return judge_drop(t, o, err);
    case ASSAY_GATE_PROTECT: return judge_protected(t, o, err);
    case ASSAY_GATE_MARGIN_RULE: break;
    }
    return ASSAY_OK;
}

/* Rules that compare, where there is nothing to compare with. */
static assay_status judge_without_core(const assay_gate_court *t, assay_gate_outcome *o,
                                       assay_error *err)
{
    if (!t->input->incomparable)
        return assay_fail(err, ASSAY_EUSAGE,
                          "gate: the rule '%s' needs a baseline; name one with "
                          "--baseline, or set one with 'assay baseline set'",
                          o->rule->text);
    o->verdict = ASSAY_GATE_INCOMPARABLE;
    o->note = t->input->incomparable;
    return ASSAY_OK;
}

static assay_status judge_all(const assay_gate_court *t, const assay_gate_rules *rules,
                              assay_gate *gate, assay_gate_claim *list, assay_error *err)
{
    uint32_t n_claims = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < rules->n && !st; i++) {
        assay_gate_outcome *o = &gate->outcome[i];

        *o = outcome_of(&rules->rule[i]);
        if (o->rule->kind != ASSAY_GATE_THRESHOLD &&
            (!t->input->before || t->input->incomparable)) {
            st = judge_without_core(t, o, err);
        } else if (o->rule->kind == ASSAY_GATE_MARGIN_RULE) {
            list[n_claims].outcome = o;
            st = assay_gate_open_claim(t, &list[n_claims++], err);
        } else {
            st = judge_exact(t, o, err);
        }
    }
    if (!st && n_claims)
        st = assay_gate_decide(t, list, err);
    return st;
}

/* The worst decides; where all is well, one improvement is worth a word. */
static assay_gate_verdict verdict_of(const assay_gate *gate)
{
    assay_gate_verdict worst = ASSAY_GATE_IMPROVE;
    bool has_improved = false;

    for (uint32_t i = 0; i < gate->n; i++) {
        const assay_gate_verdict v = gate->outcome[i].verdict;

        worst = v > worst ? v : worst;
        has_improved = has_improved || v == ASSAY_GATE_IMPROVE;
    }
    if (worst > ASSAY_GATE_PASS)
        return worst;
    return has_improved ? ASSAY_GATE_IMPROVE : ASSAY_GATE_PASS;
}

static assay_gate_settings filled(const assay_gate_rules *rules,
                                  const assay_gate_settings *settings)
{
    assay_gate_settings s = *settings;

    if (!(s.alpha > 0))
        s.alpha = rules->alpha > 0 ? rules->alpha : ASSAY_GATE_ALPHA;
    if (!(s.power > 0))
        s.power = ASSAY_POWER_DEFAULT;
    return s;
}

static uint32_t count_margins(const assay_gate_rules *rules)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < rules->n; i++)
        n += rules->rule[i].kind == ASSAY_GATE_MARGIN_RULE;
    return n;
}

static size_t most_rows(const assay_gate_input *input)
{
    const size_t whole = input->run ? input->run->n_rows : 0;
    const size_t core = input->after ? input->after->n_rows : 0;

    return whole > core ? whole : core;
}

assay_status assay_gate_judge(const assay_gate_rules *rules,
                              const assay_gate_input *input,
                              const assay_gate_settings *settings, assay_arena *arena,
                              assay_gate *out, assay_error *err)
{
    assay_gate_court t = {.input = input,
                          .settings = filled(rules, settings),
                          .arena = arena,
                          .n_margins = count_margins(rules)};
    assay_gate gate = {.n = rules->n,
                       .n_inferential = t.n_margins,
                       .alpha = t.settings.alpha,
                       .power = t.settings.power,
                       .n_core = input->after ? input->after->n_rows : 0};
    assay_gate_claim *list = ASSAY_NEW_ARRAY(assay_gate_claim, t.n_margins);
    assay_status st;

    t.room = ASSAY_NEW_ARRAY(double, most_rows(input));
    gate.outcome = ASSAY_ARENA_ARRAY(arena, assay_gate_outcome, rules->n + 1u);
    if (!list || !t.room || !gate.outcome)
        st = assay_fail_memory(err, "judging the rules of a gate");
    else
        st = judge_all(&t, rules, &gate, list, err);
    if (!st) {
        gate.verdict = verdict_of(&gate);
        *out = gate;
    }
    assay_mem_free(t.room);
    assay_mem_free(list);
    return st;
}

/* ---- planning ---- */

assay_gate_plan assay_gate_plan_for(double drop, double spread, uint32_t n_now,
                                    const assay_gate_settings *settings)
{
    const double alpha = settings->alpha > 0 ? settings->alpha : ASSAY_GATE_ALPHA;
    const double power = settings->power > 0 ? settings->power : ASSAY_POWER_DEFAULT;

    return (assay_gate_plan){.drop = drop,
                             .spread = spread,
                             .n_now = n_now,
                             .needed = assay_power_queries(drop, spread, alpha, power),
                             .smallest = assay_power_drop(spread, n_now, alpha, power)};
}
