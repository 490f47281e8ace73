/* SPDX-License-Identifier: Apache-2.0 */
/* assay baseline export|import: a baseline as a text file for version control. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/baseline_arg.h"
#include "cli/corpus_arg.h"
#include "cli/gate_arg.h"
#include "cli/sides_arg.h"
#include "compare/baseline.h"
#include "golden/frozen.h"
#include "pipeline/eval_words.h"
#include "pipeline/gating.h"

static const assay_option export_options[] = {
    {'m', "metric", ASSAY_OPTION_LIST, "METRIC", NULL,
     "what to measure; default mrr, recall@5, ndcg@10 and what the gate asks for"},
    {0, "name", ASSAY_OPTION_TEXT, "NAME", NULL,
     "what the file calls it; default the baseline's own name, else main"},
    {0, "note", ASSAY_OPTION_TEXT, "TEXT", NULL, "why; default the baseline's own note"},
    {0, "level", ASSAY_OPTION_CHOICE, "LEVEL", "auto|evidence|chunk|doc",
     "what is to be found"},
    {0, "conventions", ASSAY_OPTION_CHOICE, "NAME", "assay|kebab|bob|evalvault|trec",
     "whose rules to follow; default the golden set's, else assay"},
    {'o', "output", ASSAY_OPTION_TEXT, "FILE", NULL, "write to FILE"},
    ASSAY_OPTIONS_SIDES,
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

typedef struct task {
    assay_cli *cli;
    assay_workspace ws;
    assay_sides sides;
    assay_gate_rules rules;
    assay_scores *scores;
    assay_baseline *baseline;
    assay_stored_baseline stored; /* name "" = none */
    char hash[65];                /* of the golden set */
} task;

/* ---- what is measured ---- */

/* Whose rules are followed. */
static assay_slice conventions_of(const task *t)
{
    const char *said = assay_cli_text(t->cli, "conventions");
    const assay_golden *golden = t->sides.side[0].golden;

    if (said)
        return assay_slice_of(said);
    return golden->conventions.len ? golden->conventions : ASSAY_LIT("assay");
}

/* Other people's conventions have their own few metrics.  Of assay's a reviewer wants to
 * read a line: a handful, and what the rules of the project and the golden set are about. */
static bool has_own_metrics(const task *t)
{
    return !assay_cli_item(t->cli, "metric", 0) &&
           !assay_slice_is(conventions_of(t), "assay");
}

static assay_status list_measures(task *t, assay_buffer *out, assay_error *err)
{
    const assay_node *gate =
        t->ws.project ? assay_project_get(t->ws.project, "gate") : NULL;
    assay_status st = ASSAY_OK;
    const char *item;

    for (uint32_t i = 0; (item = assay_cli_item(t->cli, "metric", i)) != NULL; i++)
        assay_buffer_printf(out, "%s%s", i ? " " : "", item);
    if (out->len)
        return ASSAY_OK;
    if (!has_own_metrics(t))
        assay_buffer_text(out, "mrr recall@5 ndcg@10");
    st = assay_gate_rules_golden(&t->rules, t->sides.side[0].golden, err);
    if (!st && gate)
        st = assay_gate_rules_read(&t->rules, t->ws.project->path, gate, err);
    for (uint32_t i = 0; !st && i < t->rules.n; i++)
        assay_buffer_printf(out, " %s", t->rules.rule[i].metric);
    return st;
}

static assay_status measure(task *t, assay_error *err)
{
    const assay_eval_options o = {.conventions = assay_cli_text(t->cli, "conventions"),
                                  .level = assay_cli_text(t->cli, "level"),
                                  .n_threads =
                                      (uint32_t)assay_cli_count(t->cli, "threads", 0)};
    assay_buffer measures = ASSAY_BUFFER_EMPTY;
    assay_eval_settings settings = {0};
    assay_status st = assay_eval_words(&o, &settings, err);

    if (!st)
        st = list_measures(t, &measures, err);
    assay_buffer_char(&measures, '\0');
    if (!st && measures.has_failed)
        st = assay_fail_memory(err, "measuring a baseline");
    if (!st)
        st = assay_gating_measure(&t->sides.side[0], measures.ptr, has_own_metrics(t),
                                  &settings, &t->scores, err);
    assay_buffer_clear(&measures);
    return st;
}

/* ---- the head ---- */

static assay_status hash_golden(task *t, assay_error *err)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_status st = assay_golden_freeze(t->sides.side[0].golden, &text, err);

    if (!st)
        assay_frozen_hash(assay_buffer_view(&text), t->hash);
    assay_buffer_clear(&text);
    return st;
}

/* The baseline of the store that the argument is the name of, where it is one. */
static assay_status find_stored(task *t, const char *name, assay_error *err)
{
    assay_stored_baseline *list = NULL;
    uint32_t n = 0;
    assay_status st = ASSAY_OK;

    if (!t->sides.store)
        return ASSAY_OK;
    st = assay_store_baselines(t->sides.store, &t->cli->arena, &list, &n, err);
    for (uint32_t i = 0; !st && i < n; i++)
        if (assay_slice_is(list[i].name, name) ||
            (strcmp(name, "baseline") == 0 &&
             assay_slice_is(list[i].run_id, t->sides.side[0].name)))
            t->stored = list[i];
    return st;
}

static assay_slice either(const char *said, assay_slice other)
{
    return said ? assay_slice_of(said) : other;
}

static assay_status make(task *t, assay_error *err)
{
    static const assay_snapshot unknown = {0};
    const assay_compare_side *side = &t->sides.side[0];
    const assay_snapshot *s = side->snapshot ? side->snapshot : &unknown;
    const assay_baseline_head head = {
        .name = either(assay_cli_text(t->cli, "name"),
                       t->stored.name.len ? t->stored.name
                                          : assay_slice_of(ASSAY_BASELINE_NAME)),
        .date =
            t->stored.created_at.len ? t->stored.created_at : assay_slice_of(side->when),
        .note = either(assay_cli_text(t->cli, "note"), t->stored.note),
        .run = assay_slice_of(side->name),
        .method = s->method,
        .conventions = conventions_of(t),
        .level = assay_slice_of(assay_level_word(t->scores->level)),
        .golden = assay_slice_of(t->hash),
        .corpus = s->corpus_hash,
        .chunker = s->chunker,
        .k = s->k,
        .depth = s->depth ? s->depth : side->run->depth,
    };

    return assay_baseline_make(&head, t->scores, side->golden, &t->baseline, err);
}

static assay_status run_export(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli, .rules = {.arena = &cli->arena}};
    const char *name = cli->n_args ? cli->arg[0] : "baseline";
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st = assay_workspace_open(cli, &t.ws, err);

    if (!st)
        st = assay_sides_open(&t.sides, &t.ws, 1, err);
    if (!st)
        st = assay_sides_add(&t.sides, name, NULL, err);
    if (!st)
        st = find_stored(&t, name, err);
    if (!st)
        st = measure(&t, err);
    if (!st)
        st = hash_golden(&t, err);
    if (!st)
        st = make(&t, err);
    if (!st) {
        assay_baseline_write(t.baseline, &out);
        st = assay_cli_emit(cli, &out, err);
    }
    assay_buffer_clear(&out);
    assay_baseline_free(t.baseline);
    assay_scores_free(t.scores);
    assay_gate_rules_clear(&t.rules);
    assay_sides_close(&t.sides);
    assay_workspace_close(&t.ws);
    return st;
}

const assay_command assay_command_baseline_export = {
    .name = "baseline export",
    .args = "[NAME|RUN]",
    .summary = "write a baseline as a text file for version control",
    .details =
        "One line a query: its id, the rank of its first relevant hit, its scores.  The head\n"
        "has name, date, note, aggregates and hashes.  'assay gate --baseline FILE' needs no\n"
        "store.  A run file may be named instead of a stored run.",
    .example = "  assay baseline export -o baseline.txt\n"
               "  assay baseline export run.jsonl --golden golden.yaml -o baseline.txt",
    .option = export_options,
    .max_args = 1,
    .run = run_export,
};

/* ---- import ---- */

static const assay_option import_options[] = {
    {0, "name", ASSAY_OPTION_TEXT, "NAME", NULL, "what it is called; default the file's"},
    {0, "note", ASSAY_OPTION_TEXT, "TEXT", NULL, "why; default the file's"},
    ASSAY_OPTIONS_STORE,
    ASSAY_OPTIONS_WORKSPACE,
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* A file has no hits: the run itself must be in the store. */
static assay_status find_run(assay_cli *cli, assay_store *store,
                             const assay_baseline *file, assay_stored *run,
                             assay_error *err)
{
    assay_error why;

    if (!file->head.run.len)
        return assay_fail(err, ASSAY_EUSAGE,
                          "%s names no run; gates take the file as it is: --baseline %s",
                          file->path, file->path);
    if (assay_store_get(store, file->head.run, &cli->arena, run, &why))
        return assay_fail(err, ASSAY_EUSAGE,
                          "%s: its run '%.*s' is not in '%s'; bring it with 'assay runs "
                          "import', or use the file as it is: --baseline %s",
                          file->path, ASSAY_QUOTE(file->head.run),
                          assay_store_place(store), file->path);
    return ASSAY_OK;
}

static assay_status run_import(assay_cli *cli, assay_error *err)
{
    assay_baseline *file = NULL;
    assay_stored_baseline b;
    assay_stored run = {0};
    assay_runs_arg arg;
    const char *name = assay_cli_text(cli, "name");
    const char *note = assay_cli_text(cli, "note");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st = assay_baseline_load(cli->arg[0], &file, err);

    if (st)
        return st;
    st = assay_runs_open(cli, ASSAY_STORE_WRITE, &arg, err);
    if (st)
        goto done;
    if (!name)
        name = file->head.name.len ? assay_arena_string(&cli->arena, file->head.name)
                                   : ASSAY_BASELINE_NAME;
    if (!note)
        note = assay_arena_string(&cli->arena, file->head.note);
    st = name && note ? find_run(cli, arg.store, file, &run, err)
                      : assay_fail_memory(err, "reading a baseline");
    if (!st)
        st = assay_baseline_arg_set(cli, arg.store, name, note, &run, &b, err);
    if (!st) {
        assay_buffer_printf(&out, "baseline '%s' is %.*s\n", name,
                            ASSAY_QUOTE(run.run_id));
        st = assay_cli_print(&out, err);
    }
    assay_runs_close(&arg);

done:
    assay_buffer_clear(&out);
    assay_baseline_free(file);
    return st;
}

const assay_command assay_command_baseline_import = {
    .name = "baseline import",
    .args = "FILE",
    .summary = "give the name in a baseline file to its run in the store",
    .details =
        "The file has values and no hits, so the run must be in the store ('assay runs\n"
        "import').  Gates do not need this: they take the file itself.",
    .example = "  assay baseline import baseline.txt",
    .option = import_options,
    .min_args = 1,
    .max_args = 1,
    .ignores_settings = true,
    .run = run_import,
};
