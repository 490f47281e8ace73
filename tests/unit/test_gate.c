/* SPDX-License-Identifier: Apache-2.0 */
/* Every verdict of the gate, on tables made by hand, and what it does in a simulation. */
#include "base/slice.h"
#include "compare/gate.h"
#include "stat/distributions.h"
#include "stat/random.h"
#include "testing.h"

static assay_arena arena;
static assay_gate_rules rules;
static assay_error err;
static assay_gate gate;

/* ---- tables ---- */

static const assay_gate_settings lean = {.is_lean = true};
static const assay_gate_settings full = {.seed = 1, .n_threads = 1, .n_draws = 500};

static void add(assay_gate_kind kind, const char *text)
{
    CHECK(assay_gate_rules_add(&rules, kind, assay_slice_of(text), (assay_gate_place){0},
                               &err) == ASSAY_OK);
}

static void begin(void)
{
    assay_gate_rules_clear(&rules);
    assay_arena_clear(&arena);
    rules = (assay_gate_rules){.arena = &arena};
}

static void end(void)
{
    assay_gate_rules_clear(&rules);
    assay_arena_clear(&arena);
}

/* A table with the columns mrr, recall@5 and empty_result_rate (less is better). */
enum { MRR, RECALL, EMPTY, N_COLUMNS };

static assay_scores *table(uint32_t n)
{
    assay_scores *s = assay_scores_new(n, N_COLUMNS);

    CHECK(s != NULL);
    s->column[MRR] = (assay_column){.name = "mrr", .full = "mrr"};
    s->column[RECALL] = (assay_column){.name = "recall@5", .full = "recall@5", .k = 5};
    s->column[EMPTY] = (assay_column){.name = "empty_result_rate",
                                      .full = "empty_result_rate",
                                      .is_lower_better = true};
    return s;
}

/* The column mrr, filled; the others stay without scores. */
static assay_scores *table_of(const double *value, uint32_t n)
{
    assay_scores *s = table(n);

    for (uint32_t i = 0; i < n; i++)
        *assay_scores_cell(s, i, MRR) = value[i];
    CHECK(assay_scores_finish(s));
    return s;
}

static assay_status judge_with(const assay_scores *a, const assay_scores *b,
                               const assay_gate_settings *settings)
{
    const assay_gate_input input = {.run = b, .before = a, .after = b};

    return assay_gate_judge(&rules, &input, settings, &arena, &gate, &err);
}

/* Judge b against a by the one rule, and forget both tables. */
static assay_gate_outcome judge(assay_gate_kind kind, const char *rule, const double *a,
                                const double *b, uint32_t n)
{
    assay_scores *before = a ? table_of(a, n) : NULL;
    assay_scores *after = table_of(b, n);
    assay_status st;

    begin();
    add(kind, rule);
    st = judge_with(before, after, &full);
    assay_scores_free(before);
    assay_scores_free(after);
    if (st)
        printf("%s\n", err.text);
    CHECK(st == ASSAY_OK);
    return gate.outcome[0];
}

/* ---- thresholds ---- */

TEST(a_threshold_that_is_met_passes)
{
    static const double b[] = {1, 0.5, 0.3};
    const assay_gate_outcome o = judge(ASSAY_GATE_THRESHOLD, "mrr>=0.6", NULL, b, 3);

    CHECK(o.verdict == ASSAY_GATE_PASS && gate.verdict == ASSAY_GATE_PASS);
    CHECK_NEAR(o.figure, 1.8 / 3, 1e-15);
    CHECK_NEAR(o.limit, 0.6, 0);
    CHECK_INT(o.n, 3);
    CHECK(o.low < o.figure && o.figure < o.high && o.smallest > 0);
    end();
}

TEST(a_threshold_that_is_missed_fails)
{
    static const double b[] = {1, 0.5, 0.29};

    judge(ASSAY_GATE_THRESHOLD, "mrr>=0.6", NULL, b, 3);
    CHECK(gate.verdict == ASSAY_GATE_REGRESS);
    end();
}

TEST(a_threshold_without_scores_fails)
{
    static const double b[] = {NAN, NAN};
    const assay_gate_outcome o = judge(ASSAY_GATE_THRESHOLD, "mrr>=0", NULL, b, 2);

    CHECK(gate.verdict == ASSAY_GATE_REGRESS && o.n == 0 && isnan(o.figure));
    CHECK_STR(o.note, "no query has a score");
    end();
}

TEST(a_threshold_on_what_should_be_low)
{
    assay_scores *b = table(2);

    begin();
    add(ASSAY_GATE_THRESHOLD, "empty_result_rate<=0.4");
    *assay_scores_cell(b, 0, EMPTY) = 1;
    *assay_scores_cell(b, 1, EMPTY) = 0;
    CHECK(assay_scores_finish(b));
    CHECK(judge_with(NULL, b, &lean) == ASSAY_OK);
    CHECK(gate.verdict == ASSAY_GATE_REGRESS);
    assay_scores_free(b);
    end();
}

/* ---- drops ---- */

TEST(a_drop_at_the_limit_passes_and_beyond_it_fails)
{
    static const double a[] = {0.8, 0.8};
    static const double b[] = {0.75, 0.75};
    assay_gate_outcome o = judge(ASSAY_GATE_MAX_DROP, "mrr=0.05", a, b, 2);

    CHECK(o.verdict == ASSAY_GATE_PASS);
    CHECK_NEAR(o.figure, 0.05, 1e-12);
    CHECK_NEAR(o.before, 0.8, 0);
    CHECK_NEAR(o.after, 0.75, 0);
    o = judge(ASSAY_GATE_MAX_DROP, "mrr=0.0499", a, b, 2);
    CHECK(o.verdict == ASSAY_GATE_REGRESS);
    /* 0.05 of 0.8 is 6.25 %. */
    o = judge(ASSAY_GATE_MAX_DROP, "mrr=6.25%", a, b, 2);
    CHECK(o.verdict == ASSAY_GATE_PASS);
    CHECK_NEAR(o.limit, 0.05, 1e-12);
    o = judge(ASSAY_GATE_MAX_DROP, "mrr=6.2%", a, b, 2);
    CHECK(o.verdict == ASSAY_GATE_REGRESS);
    o = judge(ASSAY_GATE_MAX_DROP, "mrr=0", b, a, 2);
    CHECK(o.verdict == ASSAY_GATE_PASS);
    CHECK_NEAR(o.figure, -0.05, 1e-12);
    end();
}

TEST(a_drop_without_scores_fails)
{
    static const double a[] = {NAN, NAN};
    static const double b[] = {0.5, 0.5};
    const assay_gate_outcome o = judge(ASSAY_GATE_MAX_DROP, "mrr=1", a, b, 2);

    CHECK(o.verdict == ASSAY_GATE_REGRESS && o.n == 0);
    end();
}

TEST(a_rise_of_what_should_be_low_is_a_drop)
{
    assay_scores *a = table(2);
    assay_scores *b = table(2);

    begin();
    add(ASSAY_GATE_MAX_DROP, "empty_result_rate=0.1");
    for (uint32_t i = 0; i < 2; i++) {
        *assay_scores_cell(a, i, EMPTY) = 0;
        *assay_scores_cell(b, i, EMPTY) = i;
    }
    CHECK(assay_scores_finish(a) && assay_scores_finish(b));
    CHECK(judge_with(a, b, &lean) == ASSAY_OK);
    CHECK(gate.verdict == ASSAY_GATE_REGRESS);
    CHECK_NEAR(gate.outcome[0].figure, 0.5, 0);
    CHECK(judge_with(b, a, &lean) == ASSAY_OK);
    CHECK(gate.verdict == ASSAY_GATE_PASS);
    assay_scores_free(a);
    assay_scores_free(b);
    end();
}

/* ---- protected queries ---- */

static assay_gate_outcome protect(const char *rule)
{
    static const assay_gate_query query[] = {
        {{"q1", 2}, 1, 3}, {{"q2", 2}, 2, 0}, {{"q3", 2}, 0, 0}, {{"q4", 2}, 0, 1}};
    static const double some[] = {1, 1, 1, 1};
    assay_scores *s = table_of(some, 4);
    const assay_gate_input input = {
        .run = s, .before = s, .after = s, .query = query, .n_queries = 4};

    begin();
    add(ASSAY_GATE_PROTECT, rule);
    CHECK(assay_gate_judge(&rules, &input, &lean, &arena, &gate, &err) == ASSAY_OK);
    assay_scores_free(s);
    return gate.outcome[0];
}

TEST(a_protected_query_may_fall_but_not_be_lost)
{
    assay_gate_outcome o = protect("q1,q3,q4");

    CHECK(o.verdict == ASSAY_GATE_PASS && o.n == 3 && o.n_lost == 0);
    o = protect("q1,q2");
    CHECK(o.verdict == ASSAY_GATE_REGRESS && o.n_lost == 1);
    CHECK(assay_slice_is(o.lost[0], "q2"));
    end();
}

TEST(protecting_all_looks_at_all_that_were_hits)
{
    const assay_gate_outcome o = protect("all");

    CHECK(o.verdict == ASSAY_GATE_REGRESS && o.n == 2 && o.n_lost == 1);
    end();
}

TEST(a_protected_query_that_was_not_compared_fails)
{
    const assay_gate_outcome o = protect("q1,q9");

    CHECK(o.verdict == ASSAY_GATE_REGRESS && o.n_absent == 1 && o.n_lost == 0);
    CHECK(assay_slice_is(o.absent[0], "q9"));
    end();
}

/* ---- margins ---- */

enum { MANY = 60 };

/* b is a less `drop`, and less or more `noise` in turn. */
static void shift(double *a, double *b, double drop, double noise)
{
    for (int i = 0; i < MANY; i++) {
        a[i] = 0.5 + (i % 7) / 20.0;
        b[i] = a[i] - drop + (i % 2 ? noise : -noise);
    }
}

static assay_gate_outcome judge_shift(const char *rule, double drop, double noise)
{
    double a[MANY];
    double b[MANY];

    shift(a, b, drop, noise);
    return judge(ASSAY_GATE_MARGIN_RULE, rule, a, b, MANY);
}

/* The spread of +-x over 60 queries is x sqrt(60 / 59), the one-sided 5 % t of 59 degrees of
 * freedom 1.671: bounds are the drop -+ 1.671 x / sqrt(59). */
TEST(a_drop_beyond_the_margin_regresses)
{
    const assay_gate_outcome o = judge_shift("mrr=0.01", 0.05, 0.1);

    CHECK(o.verdict == ASSAY_GATE_REGRESS && gate.verdict == ASSAY_GATE_REGRESS);
    CHECK_NEAR(o.figure, 0.05, 1e-12);
    CHECK_NEAR(o.low, 0.05 - 1.6711 * 0.1 / sqrt(59), 1e-5);
    CHECK_NEAR(o.high, 0.05 + 1.6711 * 0.1 / sqrt(59), 1e-5);
    CHECK(o.p < 0.05 && o.p == o.p_corrected);
    CHECK(o.boot_low < 0.05 && o.boot_high > 0.05);
    CHECK_INT(o.needed, 0);
    end();
}

TEST(a_rise_improves)
{
    const assay_gate_outcome o = judge_shift("mrr=0.01", -0.05, 0.1);

    CHECK(o.verdict == ASSAY_GATE_IMPROVE && gate.verdict == ASSAY_GATE_IMPROVE);
    CHECK(o.high < 0);
    end();
}

TEST(a_drop_that_is_surely_within_the_margin_passes)
{
    const assay_gate_outcome o = judge_shift("mrr=0.05", 0.01, 0.1);

    CHECK(o.verdict == ASSAY_GATE_PASS);
    CHECK(o.high <= 0.05 && o.high > 0);
    end();
}

/* D = .01 and m = .02: U = .01 + .0218.  With spread .1 the margin is .01 away: by the normal
 * formula ((1.645 + .842) x .1008 / .01)^2 = 628 queries would tell. */
TEST(too_few_queries_are_inconclusive_and_told_how_many_would_do)
{
    const assay_gate_outcome o = judge_shift("mrr=0.02", 0.01, 0.1);

    CHECK(o.verdict == ASSAY_GATE_INCONCLUSIVE);
    CHECK(gate.verdict == ASSAY_GATE_INCONCLUSIVE);
    CHECK(o.low <= 0.02 && o.high > 0.02);
    CHECK_NEAR(o.needed, 630, 3);
    /* .02 + 2.53 x .1008 / sqrt(60) */
    CHECK_NEAR(o.smallest, 0.02 + 2.52 * 0.1008 / sqrt(60), 3e-4);
    end();
}

TEST(a_drop_that_is_the_margin_cannot_be_decided_by_any_number)
{
    const assay_gate_outcome o = judge_shift("mrr=0", 0, 0.1);

    CHECK(o.verdict == ASSAY_GATE_INCONCLUSIVE);
    CHECK(fabs(o.figure) < 1e-15);
    CHECK_INT(o.needed, 0);
    end();
}

TEST(no_difference_at_all_passes_at_any_margin)
{
    const assay_gate_outcome o = judge_shift("mrr=0", 0, 0);

    CHECK(o.verdict == ASSAY_GATE_PASS && gate.verdict == ASSAY_GATE_PASS);
    CHECK(o.low == 0 && o.high == 0 && o.p == 1);
    CHECK(o.boot_low == 0 && o.boot_high == 0);
    end();
}

TEST(a_constant_drop_is_judged_as_it_is)
{
    static const double a[] = {0.5, 0.75, 1};
    static const double b[] = {0.25, 0.5, 0.75};

    CHECK(judge(ASSAY_GATE_MARGIN_RULE, "mrr=0.25", a, b, 3).verdict == ASSAY_GATE_PASS);
    CHECK(judge(ASSAY_GATE_MARGIN_RULE, "mrr=0.2", a, b, 3).verdict ==
          ASSAY_GATE_REGRESS);
    CHECK(judge(ASSAY_GATE_MARGIN_RULE, "mrr=0", b, a, 3).verdict == ASSAY_GATE_IMPROVE);
    end();
}

TEST(one_query_is_inconclusive_unless_nothing_changed)
{
    static const double a[] = {1};
    static const double b[] = {0};
    const assay_gate_outcome o = judge(ASSAY_GATE_MARGIN_RULE, "mrr=0.01", a, b, 1);

    CHECK(o.verdict == ASSAY_GATE_INCONCLUSIVE && isnan(o.low) && isnan(o.smallest));
    CHECK_STR(o.note, "one query says nothing of the others");
    CHECK(judge(ASSAY_GATE_MARGIN_RULE, "mrr=0", a, a, 1).verdict == ASSAY_GATE_PASS);
    end();
}

TEST(a_margin_without_scores_fails)
{
    static const double a[] = {NAN, 1};
    static const double b[] = {1, NAN};
    const assay_gate_outcome o = judge(ASSAY_GATE_MARGIN_RULE, "mrr=0.01", a, b, 2);

    CHECK(o.verdict == ASSAY_GATE_REGRESS && o.n == 0);
    CHECK_STR(o.note, "no query has a score");
    end();
}

/* ---- several rules ---- */

/* Two metrics, p of regress .03 and .04 by themselves: Holm at .05 leaves .025 for the first,
 * so neither is a regression; alone each would be. */
TEST(holm_goes_over_the_margin_rules)
{
    assay_scores *a = table(MANY);
    assay_scores *b = table(MANY);
    double va[MANY];
    double vb[MANY];

    shift(va, vb, 0.0245, 0.1);
    for (uint32_t i = 0; i < MANY; i++) {
        for (uint32_t c = MRR; c <= RECALL; c++) {
            *assay_scores_cell(a, i, c) = va[i];
            *assay_scores_cell(b, i, c) = vb[i] + (c == RECALL ? 0.001 : 0);
        }
    }
    CHECK(assay_scores_finish(a) && assay_scores_finish(b));
    begin();
    add(ASSAY_GATE_MARGIN_RULE, "mrr=0");
    CHECK(judge_with(a, b, &lean) == ASSAY_OK);
    CHECK(gate.verdict == ASSAY_GATE_REGRESS);
    CHECK(gate.outcome[0].p > 0.025 && gate.outcome[0].p < 0.05);

    add(ASSAY_GATE_MARGIN_RULE, "recall@5=0");
    CHECK(judge_with(a, b, &lean) == ASSAY_OK);
    CHECK(gate.verdict == ASSAY_GATE_INCONCLUSIVE);
    CHECK(gate.outcome[0].level_low == 0.025 && gate.outcome[1].level_low == 0.025);
    CHECK(gate.outcome[0].low <= 0 && gate.outcome[0].p_corrected > 0.05);
    assay_scores_free(a);
    assay_scores_free(b);
    end();
}

/* mrr falls for sure, so that the whole alpha is left for recall, whose p is about .035. */
TEST(holm_leaves_more_to_the_next_rule)
{
    assay_scores *a = table(MANY);
    assay_scores *b = table(MANY);
    double va[MANY];
    double vb[MANY];

    shift(va, vb, 0.0245, 0.1);
    for (uint32_t i = 0; i < MANY; i++) {
        *assay_scores_cell(a, i, RECALL) = va[i];
        *assay_scores_cell(b, i, RECALL) = vb[i];
        *assay_scores_cell(a, i, MRR) = va[i];
        *assay_scores_cell(b, i, MRR) = vb[i] - 0.3;
    }
    CHECK(assay_scores_finish(a) && assay_scores_finish(b));
    begin();
    add(ASSAY_GATE_MARGIN_RULE, "mrr=0,recall@5=0");
    CHECK(judge_with(a, b, &lean) == ASSAY_OK);
    CHECK(gate.outcome[0].verdict == ASSAY_GATE_REGRESS);
    CHECK(gate.outcome[1].verdict == ASSAY_GATE_REGRESS);
    CHECK(gate.outcome[0].level_low == 0.025 && gate.outcome[1].level_low == 0.05);
    assay_scores_free(a);
    assay_scores_free(b);
    end();
}

TEST(the_worst_rule_decides)
{
    static const double a[] = {0.5, 0.5};
    static const double b[] = {0.75, 0.75};
    assay_scores *before = table_of(a, 2);
    assay_scores *after = table_of(b, 2);

    begin();
    add(ASSAY_GATE_MARGIN_RULE, "mrr=0");
    add(ASSAY_GATE_MAX_DROP, "mrr=0");
    CHECK(judge_with(before, after, &lean) == ASSAY_OK);
    CHECK(gate.verdict == ASSAY_GATE_IMPROVE);
    add(ASSAY_GATE_THRESHOLD, "mrr>=0.8");
    CHECK(judge_with(before, after, &lean) == ASSAY_OK);
    CHECK(gate.verdict == ASSAY_GATE_REGRESS);
    assay_scores_free(before);
    assay_scores_free(after);
    end();
}

/* ---- what is refused ---- */

TEST(runs_without_a_common_core_are_incomparable)
{
    static const double b[] = {0.75, 0.75};
    assay_scores *run = table_of(b, 2);
    const assay_gate_input input = {.run = run, .incomparable = "no query in common"};

    begin();
    add(ASSAY_GATE_THRESHOLD, "mrr>=0.5");
    add(ASSAY_GATE_MARGIN_RULE, "mrr");
    CHECK(assay_gate_judge(&rules, &input, &lean, &arena, &gate, &err) == ASSAY_OK);
    CHECK(gate.verdict == ASSAY_GATE_INCOMPARABLE);
    CHECK(gate.outcome[0].verdict == ASSAY_GATE_PASS);
    CHECK_STR(gate.outcome[1].note, "no query in common");
    assay_scores_free(run);
    end();
}

TEST(a_rule_that_needs_a_baseline_says_so)
{
    static const double b[] = {0.75, 0.75};
    assay_scores *run = table_of(b, 2);

    begin();
    add(ASSAY_GATE_MAX_DROP, "mrr=0.01");
    CHECK(judge_with(NULL, run, &lean) == ASSAY_EUSAGE);
    CHECK_STR(err.text, "gate: the rule 'mrr drop <= 0.01' needs a baseline; name one "
                        "with --baseline, or set one with 'assay baseline set'");
    assay_scores_free(run);
    end();
}

TEST(a_cutoff_deeper_than_the_run_is_refused)
{
    assay_scores *run = table(2);

    begin();
    add(ASSAY_GATE_THRESHOLD, "recall@5>=0");
    run->column[RECALL].is_too_deep = true;
    CHECK(assay_scores_finish(run));
    CHECK(judge_with(NULL, run, &lean) == ASSAY_EUSAGE);
    CHECK_STR(err.text, "gate: 'recall@5' looks at 5 hits, but a run has fewer; gate a "
                        "smaller cutoff or make the run deeper");
    assay_scores_free(run);
    end();
}

TEST(what_was_not_measured_has_no_mean_or_no_direction_is_refused)
{
    assay_scores *run = table(2);

    begin();
    add(ASSAY_GATE_THRESHOLD, "ndcg@10>=0");
    CHECK(assay_scores_finish(run));
    CHECK(judge_with(NULL, run, &lean) == ASSAY_EUSAGE);
    CHECK_STR(err.text, "gate: 'ndcg@10' was not measured");
    begin();
    add(ASSAY_GATE_MARGIN_RULE, "mrr");
    run->column[MRR].aggregate = ASSAY_AGG_P50;
    CHECK(judge_with(run, run, &lean) == ASSAY_EUSAGE);
    CHECK(strstr(err.text, "'mrr' is no mean over queries"));
    run->column[MRR].has_no_direction = true;
    CHECK(judge_with(run, run, &lean) == ASSAY_EUSAGE);
    CHECK(strstr(err.text, "whether more or less of 'mrr' is better"));
    assay_scores_free(run);
    end();
}

/* ---- simulation ---- */

/* Shares of 2,000 simulated pairs of runs in which the gate says regress: nDCG with standard
 * deviation .35 in both runs, correlation .9, 100 queries, a true drop of `drop`. */
static double share_of_regress(double drop, const char *rule)
{
    enum { PAIRS = 2000, QUERIES = 100 };
    const double sd = 0.35;
    const double rho = 0.9;
    double a[QUERIES];
    double b[QUERIES];
    int n_regress = 0;

    for (uint32_t pair = 0; pair < PAIRS; pair++) {
        assay_random r = assay_random_stream(2026, pair);
        assay_scores *before;
        assay_scores *after;

        for (int i = 0; i < QUERIES; i++) {
            const double x = assay_normal_quantile(assay_random_unit(&r));
            const double y = assay_normal_quantile(assay_random_unit(&r));

            a[i] = 0.5 + sd * x;
            b[i] = 0.5 - drop + sd * (rho * x + sqrt(1 - rho * rho) * y);
        }
        before = table_of(a, QUERIES);
        after = table_of(b, QUERIES);
        begin();
        add(ASSAY_GATE_MARGIN_RULE, rule);
        CHECK(judge_with(before, after, &lean) == ASSAY_OK);
        n_regress += gate.verdict == ASSAY_GATE_REGRESS;
        assay_scores_free(before);
        assay_scores_free(after);
    }
    end();
    return n_regress / (double)PAIRS;
}

TEST(simulated_nulls_regress_in_at_most_six_and_a_half_percent)
{
    const double share = share_of_regress(0, "mrr=0");

    printf("no drop, margin 0: regress in %.2f %%\n", 100 * share);
    CHECK(share <= 0.065);
    CHECK(share >= 0.035);
}

TEST(a_true_drop_of_five_points_is_found_at_margin_0)
{
    const double share = share_of_regress(0.05, "mrr=0");

    printf("drop .05, margin 0: regress in %.2f %%\n", 100 * share);
    CHECK(share >= 0.9);
}

TEST(a_true_drop_of_five_points_is_found_at_margin_2)
{
    const double share = share_of_regress(0.05, "mrr=0.02");

    printf("drop .05, margin .02: regress in %.2f %%\n", 100 * share);
    CHECK(share >= 0.55);
}

/* ---- the gate tested by itself ---- */

TEST(random_signs_regress_no_more_often_than_alpha)
{
    double a[MANY];
    double b[MANY];
    assay_scores *before;
    assay_scores *after;
    assay_gate_null null;

    /* A large true drop: with random signs it is gone. */
    shift(a, b, 0.3, 0.1);
    before = table_of(a, MANY);
    after = table_of(b, MANY);
    begin();
    add(ASSAY_GATE_MARGIN_RULE, "mrr=0.01");
    {
        const assay_gate_input input = {.run = after, .before = before, .after = after};

        CHECK(assay_gate_try_null(&rules, &input, &full, &null, &err) == ASSAY_OK);
    }
    CHECK_INT(null.n_copies, 1000);
    CHECK(null.n_regress > 0 && null.is_honest);
    CHECK_NEAR(null.most, 0.05 + 3 * sqrt(0.05 * 0.95 / 1000), 1e-12);
    assay_scores_free(before);
    assay_scores_free(after);
    end();
}

TEST(trying_the_gate_needs_a_margin_rule)
{
    static const double a[] = {1, 0};
    assay_scores *run = table_of(a, 2);
    const assay_gate_input input = {.run = run, .before = run, .after = run};
    assay_gate_null null;

    begin();
    add(ASSAY_GATE_THRESHOLD, "mrr>=0");
    CHECK(assay_gate_try_null(&rules, &input, &full, &null, &err) == ASSAY_EUSAGE);
    CHECK_STR(err.text, "gate: no margin rule to try; give one with --margin");
    assay_scores_free(run);
    end();
}

/* ((1.645 + .842) x .25 / .05)^2 = 154.5; the t test wants a query or two more. */
TEST(a_plan_says_how_many_queries_see_a_drop)
{
    const assay_gate_plan plan = assay_gate_plan_for(0.05, 0.25, 100, &full);

    CHECK_INT(plan.needed, 156);
    CHECK_NEAR(plan.smallest, 0.0626, 2e-4);
    CHECK_INT(assay_gate_plan_for(0, 0.25, 100, &full).needed, 0);
}
