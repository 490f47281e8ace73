/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/gate_try.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/slice.h"
#include "cli/gate_arg.h"
#include "metric/metric.h"
#include "pipeline/eval_words.h"
#include "report/grid.h"

/* ---- planning ---- */

enum { RUNS_MOST = 8 }; /* newest ones that the spread is taken from */

/* Runs that were made with the golden set of the newest, older ones first. */
static assay_status add_stored(assay_sides *sides, assay_error *err)
{
    const assay_store_filter filter = {.status = ASSAY_RUN_DONE, .most = 4 * RUNS_MOST};
    assay_arena *arena = &sides->ws->cli->arena;
    const char *name[RUNS_MOST];
    assay_stored *run = NULL;
    assay_store *store = NULL;
    uint32_t n_runs = 0;
    uint32_t n = 0;
    assay_status st = assay_store_arg_open(sides->ws, ASSAY_STORE_READ, &store, err);

    if (!st)
        st = assay_store_list(store, &filter, arena, &run, &n_runs, err);
    assay_store_close(store);
    for (uint32_t i = 0; !st && i < n_runs && n < RUNS_MOST; i++) {
        if (!assay_slice_eq(run[i].golden_hash, run[0].golden_hash))
            continue;
        name[n] = assay_arena_string(arena, run[i].run_id);
        if (!name[n++])
            st = assay_fail_memory(err, "planning a gate");
    }
    if (!st && !n)
        st = assay_fail(err, ASSAY_EUSAGE,
                        "--plan: no finished run in the store; make "
                        "one with 'assay run', or name a run file");
    while (!st && n > 0)
        st = assay_sides_add(sides, name[--n], NULL, err);
    return st;
}

static assay_status add_named(assay_sides *sides, assay_error *err)
{
    const assay_cli *cli = sides->ws->cli;
    const char *baseline = assay_cli_text(cli, "baseline");
    assay_status st = ASSAY_OK;

    if (baseline)
        st = assay_sides_add(sides, baseline, "baseline", err);
    for (uint32_t i = 0; !st && i < cli->n_args; i++)
        st = assay_sides_add(sides, cli->arg[i], NULL, err);
    return st;
}

/* METRIC=V: the metric in its short spelling. */
static assay_status read_target(assay_cli *cli, const char *text, const char **metric,
                                double *drop, assay_error *err)
{
    assay_gate_rules rules = {.arena = &cli->arena};
    assay_error why;
    assay_status st =
        assay_gate_rules_add(&rules, ASSAY_GATE_MARGIN_RULE, assay_slice_of(text),
                             (assay_gate_place){0}, &why);

    if (st || rules.n != 1 || !(rules.rule[0].limit > 0) || !strchr(text, '=')) {
        st = assay_fail(err, ASSAY_EUSAGE,
                        "--plan '%.200s': want a metric and a drop above 0, as in "
                        "'ndcg@10=0.02'",
                        text);
    } else {
        *metric = rules.rule[0].metric;
        *drop = rules.rule[0].limit;
    }
    assay_gate_rules_clear(&rules);
    return st;
}

static void put_plan(const assay_gating_plan *p, assay_grid *grid)
{
    assay_grid_text(grid, p->metric);
    assay_grid_printf(grid, "%.4g", p->plan.drop);
    if (p->plan.needed)
        assay_grid_printf(grid, "%u", p->plan.needed);
    else
        assay_grid_text(grid, "no number");
    assay_grid_printf(grid, "%u", p->plan.n_now);
    if (isnan(p->plan.smallest))
        assay_grid_text(grid, "-");
    else
        assay_grid_printf(grid, "%.4f", p->plan.smallest);
    assay_grid_printf(grid, "%.4f", p->plan.spread);
    if (p->is_unpaired)
        assay_grid_text(grid, "one run, as if unpaired");
    else
        assay_grid_printf(grid, "%u %s of runs", p->n_pairs,
                          p->n_pairs == 1 ? "pair" : "pairs");
}

static void plans_table(const assay_gating_plan *plan, uint32_t n, assay_buffer *out)
{
    static const char *const head[] = {
        "metric", "drop", "queries needed", "now", "would see", "spread", "from"};
    assay_grid grid = {.n_columns = ASSAY_COUNT(head)};

    for (size_t i = 0; i < ASSAY_COUNT(head); i++) {
        grid.is_right[i] = i > 0 && i < 6;
        assay_grid_text(&grid, head[i]);
    }
    for (uint32_t i = 0; i < n; i++)
        put_plan(&plan[i], &grid);
    out->has_failed = out->has_failed || grid.has_failed;
    assay_grid_print(&grid, out);
    assay_grid_clear(&grid);
}

static void plans_json(const assay_gating_plan *plan, uint32_t n, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.gate-plan/1");
    assay_json_key(&w, "plans");
    assay_json_list(&w);
    for (uint32_t i = 0; i < n; i++) {
        assay_json_flat_object(&w);
        assay_json_key(&w, "metric");
        assay_json_text(&w, plan[i].metric);
        assay_json_key(&w, "drop");
        assay_json_double(&w, plan[i].plan.drop);
        assay_json_key(&w, "queries_needed");
        if (plan[i].plan.needed)
            assay_json_int(&w, plan[i].plan.needed);
        else
            assay_json_null(&w);
        assay_json_key(&w, "queries_now");
        assay_json_int(&w, plan[i].plan.n_now);
        assay_json_key(&w, "smallest_drop_now");
        assay_json_double(&w, plan[i].plan.smallest);
        assay_json_key(&w, "spread");
        assay_json_double(&w, plan[i].plan.spread);
        assay_json_key(&w, "pairs");
        assay_json_int(&w, plan[i].n_pairs);
        assay_json_object_end(&w);
    }
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status print_plans(assay_cli *cli, const assay_gating_plan *plan, uint32_t n,
                                assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    if (strcmp(assay_cli_format(cli, "table"), "json") == 0)
        plans_json(plan, n, &out);
    else
        plans_table(plan, n, &out);
    st = assay_cli_emit(cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status plan_all(assay_sides *sides, const assay_gating_settings *settings,
                             assay_error *err)
{
    assay_cli *cli = sides->ws->cli;
    assay_gating_plan *plan;
    assay_status st = ASSAY_OK;
    const char *item;
    uint32_t n = 0;

    while (assay_cli_item(cli, "plan", n))
        n++;
    plan = ASSAY_ARENA_ARRAY(&cli->arena, assay_gating_plan, n);
    if (!plan)
        return assay_fail_memory(err, "planning a gate");
    for (uint32_t i = 0; !st && (item = assay_cli_item(cli, "plan", i)) != NULL; i++) {
        const char *metric = NULL;
        double drop = 0;

        st = read_target(cli, item, &metric, &drop, err);
        if (!st)
            st = assay_gating_plan_for(sides->side, sides->n, metric, drop, settings,
                                       &cli->arena, &plan[i], err);
    }
    return st ? st : print_plans(cli, plan, n, err);
}

assay_status assay_gate_plan_print(const assay_workspace *ws,
                                   const assay_gating_settings *settings,
                                   assay_error *err)
{
    assay_gating_settings s = *settings;
    assay_sides sides = {0};
    assay_status st = assay_sides_open(&sides, ws, RUNS_MOST, err);

    s.gate.alpha = assay_cli_real(ws->cli, "alpha", 0);
    if (!st)
        st = ws->cli->n_args ? add_named(&sides, err) : add_stored(&sides, err);
    if (!st)
        st = plan_all(&sides, &s, err);
    assay_sides_close(&sides);
    return st;
}

/* ---- the gate against itself ---- */

typedef struct trial {
    assay_cli *cli;
    assay_workspace ws;
    assay_sides sides;
    assay_gate_rules rules;
    assay_gating_settings settings;
    assay_gate_verdict same; /* of the run against itself */
    assay_gate_null null;    /* of a second run, with random signs */
} trial;

/* Only what compares; a run that misses its thresholds says nothing of the gate. */
static assay_status keep_comparing(trial *t, assay_error *err)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->rules.n; i++)
        if (t->rules.rule[i].kind != ASSAY_GATE_THRESHOLD)
            t->rules.rule[n++] = t->rules.rule[i];
    t->rules.n = n;
    for (uint32_t i = 0; i < n; i++)
        if (t->rules.rule[i].kind == ASSAY_GATE_MARGIN_RULE)
            return ASSAY_OK;
    return assay_gate_rules_add(&t->rules, ASSAY_GATE_MARGIN_RULE, ASSAY_LIT("mrr"),
                                (assay_gate_place){0}, err);
}

static assay_status load(trial *t, assay_error *err)
{
    const assay_eval_options o = {.conventions = assay_cli_text(t->cli, "conventions"),
                                  .level = assay_cli_text(t->cli, "level"),
                                  .n_threads =
                                      (uint32_t)assay_cli_count(t->cli, "threads", 0)};
    assay_status st = assay_workspace_open(t->cli, &t->ws, err);

    if (!st)
        st = assay_eval_words(&o, &t->settings.compare.eval, err);
    if (!st)
        st = assay_sides_open(&t->sides, &t->ws, 3, err);
    if (!st)
        st = assay_sides_add(&t->sides, t->cli->n_args ? t->cli->arg[0] : "latest", NULL,
                             err);
    if (!st && t->cli->n_args > 1)
        st = assay_sides_add(&t->sides, t->cli->arg[1], NULL, err);
    if (!st)
        st = assay_gate_arg_rules(&t->ws, t->sides.side[0].golden, &t->rules, err);
    if (!st)
        st = keep_comparing(t, err);
    t->settings.gate.seed = assay_cli_count(t->cli, "seed", 0);
    t->settings.gate.n_threads = o.n_threads;
    t->settings.compare.seed = t->settings.gate.seed;
    return st;
}

static assay_status try_same(trial *t, assay_error *err)
{
    assay_compare_side twin = t->sides.side[0];
    const assay_gating_sides sides = {.run = &t->sides.side[0], .before = &twin};
    assay_gating g;
    assay_status st;

    twin.name = "itself";
    st = assay_gating_run(&sides, &t->rules, &t->settings, &g, err);
    if (st)
        return st;
    t->same = g.gate.verdict;
    assay_gating_clear(&g);
    return ASSAY_OK;
}

static assay_status try_null(trial *t, assay_error *err)
{
    const assay_gating_sides sides = {.run = &t->sides.side[1],
                                      .before = &t->sides.side[0]};
    assay_gating g;
    assay_status st = assay_gating_run(&sides, &t->rules, &t->settings, &g, err);

    if (st)
        return st;
    if (g.input.incomparable)
        st = assay_fail(err, ASSAY_EINPUT, "incomparable: %s", g.input.incomparable);
    else
        st = assay_gate_try_null(&t->rules, &g.input, &t->settings.gate, &t->null, err);
    assay_gating_clear(&g);
    return st;
}

static void trial_table(const trial *t, assay_buffer *out)
{
    assay_buffer_printf(out, "%s %s against itself: %s\n",
                        t->same == ASSAY_GATE_PASS ? "✓" : "✗", t->sides.side[0].name,
                        assay_gate_verdict_word(t->same));
    if (t->sides.n > 1)
        assay_buffer_printf(
            out,
            "%s %s against %s with random signs, margin 0: regress in "
            "%u of %u copies (%.2f %%), at most %.2f %% is due to chance\n",
            t->null.is_honest ? "✓" : "✗", t->sides.side[1].name, t->sides.side[0].name,
            t->null.n_regress, t->null.n_copies, 100 * t->null.share, 100 * t->null.most);
}

static void trial_json(const trial *t, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.gate-aa/1");
    assay_json_key(&w, "same");
    assay_json_text(&w, assay_gate_verdict_word(t->same));
    assay_json_key(&w, "null");
    if (t->sides.n > 1) {
        assay_json_flat_object(&w);
        assay_json_key(&w, "copies");
        assay_json_int(&w, t->null.n_copies);
        assay_json_key(&w, "regress");
        assay_json_int(&w, t->null.n_regress);
        assay_json_key(&w, "share");
        assay_json_double(&w, t->null.share);
        assay_json_key(&w, "most");
        assay_json_double(&w, t->null.most);
        assay_json_key(&w, "honest");
        assay_json_bool(&w, t->null.is_honest);
        assay_json_object_end(&w);
    } else {
        assay_json_null(&w);
    }
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status report(const trial *t, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    if (strcmp(assay_cli_format(t->cli, "table"), "json") == 0)
        trial_json(t, &out);
    else
        trial_table(t, &out);
    st = assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    if (st)
        return st;
    if (t->same != ASSAY_GATE_PASS)
        return assay_fail(err, ASSAY_NO, "a run does not pass against itself");
    if (t->sides.n > 1 && !t->null.is_honest)
        return assay_fail(err, ASSAY_NO,
                          "the gate cries wolf more often than alpha allows");
    return ASSAY_OK;
}

assay_status assay_gate_try(assay_cli *cli, assay_error *err)
{
    trial t = {.cli = cli, .rules = {.arena = &cli->arena}};
    assay_status st = load(&t, err);

    if (!st)
        st = try_same(&t, err);
    if (!st && t.sides.n > 1)
        st = try_null(&t, err);
    if (!st)
        st = report(&t, err);
    assay_gate_rules_clear(&t.rules);
    assay_sides_close(&t.sides);
    assay_workspace_close(&t.ws);
    return st;
}
