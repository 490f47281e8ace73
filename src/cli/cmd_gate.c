/* SPDX-License-Identifier: Apache-2.0 */
/* assay gate: may this run pass. */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "base/slice.h"
#include "cli/gate_arg.h"
#include "cli/gate_try.h"
#include "pipeline/eval_words.h"
#include "pipeline/gating.h"
#include "report/gate_report.h"

static const assay_option options[] = {
    {0, "baseline", ASSAY_OPTION_TEXT, "NAME|FILE", NULL,
     "what the run is held against; default the store's baseline, if there is one"},
    {0, "threshold", ASSAY_OPTION_LIST, "RULE", NULL,
     "a value that must be reached: recall@5>=0.6"},
    {0, "max-drop", ASSAY_OPTION_LIST, "RULE", NULL,
     "how far a metric may fall: mrr=0.01, mrr=5%"},
    {0, "protect", ASSAY_OPTION_LIST, "ID,...", NULL,
     "queries that may not go from hit to miss; all = every one"},
    {0, "margin", ASSAY_OPTION_LIST, "METRIC=V", NULL,
     "a drop beyond V must be ruled out, as far as chance allows; V is 0.01 unless said"},
    {0, "tolerance", ASSAY_OPTION_REAL, "V", NULL,
     "bob's: max-drop V for recall@5, precision@5 and mrr"},
    {0, "alpha", ASSAY_OPTION_REAL, "P", NULL, "level of the margins' bounds (0.05)"},
    {0, "strict", ASSAY_OPTION_FLAG, NULL, NULL, "inconclusive fails"},
    {0, "config", ASSAY_OPTION_TEXT, "FILE", NULL,
     "rules from the 'gate' of FILE instead of assay.yaml's"},
    {0, "plan", ASSAY_OPTION_LIST, "METRIC=V", NULL,
     "judge nothing: say how many queries it takes to see a drop of V"},
    {0, "aa", ASSAY_OPTION_FLAG, NULL, NULL,
     "test the gate itself: RUN against RUN, and with a second run against chance"},
    {0, "write", ASSAY_OPTION_LIST, "FORMAT=FILE", NULL,
     "also write the verdict as table, md, json, junit or github"},
    {0, "depth", ASSAY_OPTION_COUNT, "K", NULL,
     "ranks beyond K are misses; default the smaller k of the runs"},
    {0, "strict-chunker-version", ASSAY_OPTION_FLAG, NULL, NULL,
     "refuse runs of different chunkers"},
    {0, "level", ASSAY_OPTION_CHOICE, "LEVEL", "auto|evidence|chunk|doc",
     "what is to be found"},
    {0, "conventions", ASSAY_OPTION_CHOICE, "NAME", "assay|kebab|bob|evalvault|trec",
     "whose rules to follow; default the golden set's, else assay"},
    {0, "seed", ASSAY_OPTION_COUNT, "N", NULL, "of resampling (0)"},
    ASSAY_OPTIONS_SIDES,
    ASSAY_OPTIONS_OUTPUT("table|md|json|junit|github"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* Everything that the command holds. */
typedef struct task {
    assay_cli *cli;
    assay_workspace workspace;
    assay_sides sides;
    assay_gate_rules rules;
    assay_gate_baseline baseline;
    assay_golden *lines; /* the golden file as it is today, for its lines; or null */
    assay_gating_settings settings;
    assay_gating gating;
    bool has_gating;
} task;

static void release(task *t)
{
    if (t->has_gating)
        assay_gating_clear(&t->gating);
    assay_golden_free(t->lines);
    assay_baseline_free(t->baseline.file);
    assay_gate_rules_clear(&t->rules);
    assay_sides_close(&t->sides);
    assay_workspace_close(&t->workspace);
}

static assay_status read_settings(task *t, assay_error *err)
{
    const assay_cli *cli = t->cli;
    assay_comparing_settings *s = &t->settings.compare;
    const assay_eval_options o = {.conventions = assay_cli_text(cli, "conventions"),
                                  .level = assay_cli_text(cli, "level"),
                                  .n_threads =
                                      (uint32_t)assay_cli_count(cli, "threads", 0)};
    assay_status st = assay_eval_words(&o, &s->eval, err);

    s->depth = (uint32_t)assay_cli_count(cli, "depth", 0);
    s->is_strict = assay_cli_flag(cli, "strict-chunker-version");
    s->seed = assay_cli_count(cli, "seed", 0);
    t->settings.gate.seed = s->seed;
    t->settings.gate.n_threads = o.n_threads;
    return st;
}

/* ---- rules ---- */

/* Somebody who names no rule wants to know whether it got worse. */
static assay_status add_standard(task *t, assay_error *err)
{
    const uint32_t depth = t->sides.side[0].run->depth;
    const char *text = depth >= 10 ? "mrr,ndcg@10" : "mrr";

    if (t->rules.n)
        return ASSAY_OK;
    if (!t->baseline.side && !t->baseline.file)
        return assay_fail(err, ASSAY_EUSAGE,
                          "no rules and no baseline; give --threshold RULE, a 'gate' in "
                          "assay.yaml, or a --baseline to be held against");
    assay_cli_warn(t->cli, "no rules were given; margins of %.2g are taken for %s",
                   ASSAY_GATE_MARGIN, text);
    return assay_gate_rules_add(&t->rules, ASSAY_GATE_MARGIN_RULE, assay_slice_of(text),
                                (assay_gate_place){0}, err);
}

static assay_status load_sides(task *t, assay_error *err)
{
    const char *run = t->cli->n_args ? t->cli->arg[0] : "latest";
    assay_status st = assay_sides_open(&t->sides, &t->workspace, 2, err);

    if (!st)
        st = assay_sides_add(&t->sides, run, NULL, err);
    if (!st)
        st = assay_gate_arg_rules(&t->workspace, t->sides.side[0].golden, &t->rules, err);
    if (st)
        return st;
    /* Thresholds alone need no baseline, and nobody asked for one. */
    if (assay_cli_text(t->cli, "baseline") || !t->rules.n ||
        assay_gate_rules_need_baseline(&t->rules))
        st = assay_gate_arg_baseline(&t->sides, &t->baseline, err);
    return st ? st : add_standard(t, err);
}

/* ---- printing ---- */

/* The file that people edit, where it can be found: stored sets have no lines. */
static void find_lines(task *t)
{
    const assay_compare_side *run = &t->sides.side[0];
    const char *path = assay_cli_text(t->cli, "golden");

    if (run->snapshot && run->snapshot->golden_path.len && !path)
        path = assay_arena_string(&t->cli->arena, run->snapshot->golden_path);
    if (path && assay_file_exists(path) && !assay_file_is_folder(path) &&
        assay_golden_load(path, NULL, &t->lines, NULL))
        t->lines = NULL;
}

/* Thresholds of a stored set get the line that they have in the file. */
static void place_rules(task *t)
{
    for (uint32_t i = 0; t->lines && i < t->rules.n; i++) {
        assay_gate_rule *rule = &t->rules.rule[i];

        for (uint32_t k = 0; rule->path && !rule->line && k < t->lines->n_thresholds;
             k++) {
            rule->path = t->lines->path;
            if (assay_slice_is(t->lines->threshold[k].metric, rule->metric))
                rule->line = t->lines->threshold[k].line;
        }
    }
}

static assay_gate_view view_of(const task *t)
{
    const assay_gating *g = &t->gating;
    const assay_compare_side *run = &t->sides.side[0];

    return (assay_gate_view){.gate = &g->gate,
                             .is_strict = t->rules.is_strict,
                             .run = run->name,
                             .run_when = run->when,
                             .baseline = t->baseline.name,
                             .baseline_when = t->baseline.when,
                             .match = g->match,
                             .level = assay_level_word(g->level),
                             .golden = t->lines ? t->lines : run->golden,
                             .query = g->input.query,
                             .n_queries = g->input.n_queries,
                             .excluded = g->excluded,
                             .n_excluded = g->n_excluded,
                             .notes = &g->notes};
}

/* --write FORMAT=FILE. */
static assay_status write_one(const assay_gate_view *view, const char *text,
                              assay_error *err)
{
    const char *equals = strchr(text, '=');
    const assay_gate_writer *writer = NULL;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    for (size_t i = 0; equals && assay_gate_writer_at(i); i++) {
        const char *name = assay_gate_writer_at(i)->name;

        if (strlen(name) == (size_t)(equals - text) &&
            strncmp(name, text, strlen(name)) == 0)
            writer = assay_gate_writer_at(i);
    }
    if (!writer || !equals[1])
        return assay_fail(err, ASSAY_EUSAGE,
                          "--write '%.200s': want table, md, json, junit or github, then "
                          "'=' and a file",
                          text);
    writer->write(view, &out);
    st = out.has_failed ? assay_fail_memory(err, "writing the verdict")
                        : assay_file_save(equals + 1, assay_buffer_view(&out), err);
    assay_buffer_clear(&out);
    return st;
}

static const char *format_of(const task *t)
{
    const char *path = assay_cli_text(t->cli, "output");

    if (path && !assay_cli_text(t->cli, "format") &&
        assay_slice_ends(assay_slice_of(path), ".xml"))
        return "junit";
    return assay_cli_format(t->cli, "table");
}

static assay_status print_all(const task *t, assay_error *err)
{
    const assay_gate_view view = view_of(t);
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;
    const char *item;

    for (uint32_t i = 0; !st && (item = assay_cli_item(t->cli, "write", i)) != NULL; i++)
        st = write_one(&view, item, err);
    if (st)
        return st;
    assay_gate_writer_find(format_of(t))->write(&view, &out);
    st = assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

/* The verdict as an exit code, and as a word on standard error. */
static assay_status settle(const task *t, assay_error *err)
{
    const assay_gate *gate = &t->gating.gate;
    const assay_gate_view view = view_of(t);

    switch (gate->verdict) {
    case ASSAY_GATE_PASS:
    case ASSAY_GATE_IMPROVE: return ASSAY_OK;
    case ASSAY_GATE_INCONCLUSIVE:
        if (!assay_gate_is_good(&view, gate->verdict))
            return assay_fail(err, ASSAY_NO,
                              "the gate is inconclusive, and --strict was given");
        assay_cli_warn(t->cli, "the gate is inconclusive: nothing is proved either way");
        return ASSAY_OK;
    case ASSAY_GATE_REGRESS: return assay_fail(err, ASSAY_NO, "the gate is closed");
    case ASSAY_GATE_INCOMPARABLE: break;
    }
    return assay_fail(err, ASSAY_EINPUT, "incomparable: %s",
                      t->gating.input.incomparable);
}

/* ---- all of it ---- */

static assay_status judge(task *t, assay_error *err)
{
    const assay_gating_sides sides = {
        .run = &t->sides.side[0], .before = t->baseline.side, .file = t->baseline.file};
    assay_status st = assay_gating_run(&sides, &t->rules, &t->settings, &t->gating, err);

    t->has_gating = !st;
    for (size_t i = 0; !st && i < t->sides.notes.n; i++)
        if (!assay_notes_add(&t->gating.notes, &t->gating.arena, "%s",
                             t->sides.notes.text[i]))
            st = assay_fail_memory(err, "judging a run");
    if (st)
        return st;
    find_lines(t);
    place_rules(t);
    st = print_all(t, err);
    return st ? st : settle(t, err);
}

static assay_status run_gate(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli, .rules = {.arena = &cli->arena}};
    assay_status st;

    if (assay_cli_flag(cli, "aa"))
        return assay_gate_try(cli, err);
    if (cli->n_args > 1)
        return assay_fail(err, ASSAY_EUSAGE,
                          "one run at a time; a second one is for --aa");
    st = assay_workspace_open(cli, &t.workspace, err);
    if (!st)
        st = read_settings(&t, err);
    if (!st && assay_cli_item(cli, "plan", 0))
        st = assay_gate_plan_print(&t.workspace, &t.settings, err);
    else if (!st) {
        st = load_sides(&t, err);
        if (!st)
            st = judge(&t, err);
    }
    release(&t);
    return st;
}

const assay_command assay_command_gate = {
    .name = "gate",
    .args = "[RUN]",
    .summary = "judge a run by rules: exit 0 where it may pass, 1 where not",
    .details =
        "RUN is a file or the name of a stored run; default the newest.  Rules stand in the\n"
        "golden set (thresholds), in assay.yaml (gate) and on the command line; what is said\n"
        "later wins.  Thresholds, drops and protected queries are facts; margins speak of\n"
        "queries that nobody asked yet, and may be inconclusive where there are too few.\n"
        "Verdicts: pass, improve (exit 0), inconclusive (0 with a warning, 1 with --strict),\n"
        "regress (1), incomparable (3).  docs/CI.md shows it at work.",
    .example =
        "  assay gate --threshold 'recall@5>=0.6' --max-drop 'mrr=0.01' --protect q1,q2\n"
        "  assay gate run.jsonl --golden golden.yaml --baseline baseline.txt "
        "--margin ndcg@10\n"
        "  assay gate --write junit=gate.xml --write md=comment.md\n"
        "  assay gate --plan ndcg@10=0.02",
    .option = options,
    .max_args = 2,
    .run = run_gate,
};
