/* SPDX-License-Identifier: Apache-2.0 */
/* assay variants: do paraphrases of one question find the same? */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/sides_arg.h"
#include "diagnose/variants.h"
#include "pipeline/eval_words.h"
#include "report/variants_report.h"

static const assay_option options[] = {
    {0, "narrow", ASSAY_OPTION_COUNT, "K", NULL, "cutoff that people look at (10)"},
    {0, "pool", ASSAY_OPTION_COUNT, "K", NULL,
     "cutoff beyond which a document is missing (50)"},
    {0, "conventions", ASSAY_OPTION_CHOICE, "NAME", "assay|kebab|bob|evalvault|trec",
     "how answers are held against their strings"},
    ASSAY_OPTIONS_SIDES,
    ASSAY_OPTIONS_OUTPUT("table|json|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

typedef struct task {
    assay_cli *cli;
    assay_workspace workspace;
    assay_sides sides;
    assay_arena arena;
    assay_variants variants;
    uint32_t narrow;
    uint32_t pool;
} task;

/* Whether each answer holds what it must: 1, 0, or NaN. */
static assay_status judge_answers(task *t, double **out, assay_error *err)
{
    const assay_compare_side *side = &t->sides.side[0];
    const assay_eval_options words = {
        .conventions = assay_cli_text(t->cli, "conventions"),
        .n_threads = (uint32_t)assay_cli_count(t->cli, "threads", 0)};
    assay_eval_settings settings;
    assay_scores *scores = NULL;
    assay_status st = assay_eval_words(&words, &settings, err);
    double *grounded = ASSAY_ARENA_ARRAY(&t->arena, double, side->golden->n_queries + 1u);

    if (!grounded)
        return assay_fail_memory(err, "comparing variants");
    for (uint32_t i = 0; i < side->golden->n_queries; i++)
        grounded[i] = (double)NAN;
    if (!st)
        st = assay_evaluate(side->golden, side->run, "groundedness", &settings, &scores,
                            err);
    for (uint32_t r = 0; !st && r < scores->n_rows; r++)
        grounded[scores->row[r].query] = *assay_scores_cell(scores, r, 0);
    assay_scores_free(scores);
    *out = grounded;
    return st;
}

/* Hits that the run asked for, 0 = unknown. */
static uint32_t depth_of(const task *t)
{
    const assay_snapshot *s = t->sides.side[0].snapshot;

    return s ? (s->depth ? s->depth : s->k) : 0;
}

/* A run that kept fewer hits than the pool would call everything missing. */
static assay_status check_depth(const task *t, assay_error *err)
{
    uint32_t depth = depth_of(t);

    if (!depth || depth >= t->pool)
        return ASSAY_OK;
    return assay_fail(err, ASSAY_EUSAGE,
                      "'%s' kept %u hits a query, too few to tell what is ranked too low "
                      "from what is missing; make it again with --depth %u",
                      t->sides.side[0].name, depth, t->pool);
}

static assay_status print(const task *t, assay_error *err)
{
    static const struct {
        const char *name;
        void (*write)(const assay_variants *v, const char *run, assay_buffer *out);
    } writers[] = {
        {"table", assay_variants_table},
        {"md", assay_variants_markdown},
        {"json", assay_variants_json},
    };
    const char *format = assay_cli_format(t->cli, "table");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (strcmp(format, writers[i].name) == 0)
            writers[i].write(&t->variants, t->sides.side[0].name, &out);
    st = out.has_failed ? assay_fail_memory(err, "printing variants")
                        : assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status compare(task *t, assay_error *err)
{
    double *grounded = NULL;
    assay_status st = check_depth(t, err);

    if (!st)
        st = judge_answers(t, &grounded, err);
    if (!st)
        st = assay_variants_make(t->sides.side[0].golden, t->sides.side[0].run, grounded,
                                 t->narrow, t->pool, &t->arena, &t->variants, err);
    /* A run that asked for more and got less has seen all there is. */
    if (!st && depth_of(t) >= t->pool)
        t->variants.is_pool_truncated = false;
    if (!st && !t->variants.n)
        st = assay_fail(err, ASSAY_EUSAGE,
                        "no query of '%s' is in a group; 'group' in the golden set says "
                        "which questions are variants of one, and 'assay golden perturb' "
                        "makes some",
                        t->sides.side[0].golden->path);
    return st;
}

static assay_status run_variants(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli};
    assay_status st = assay_workspace_open(cli, &t.workspace, err);

    if (st)
        return st;
    t.narrow = (uint32_t)assay_cli_count(cli, "narrow", ASSAY_VARIANTS_NARROW);
    t.pool = (uint32_t)assay_cli_count(cli, "pool", ASSAY_VARIANTS_POOL);
    if (!t.narrow || t.pool < t.narrow)
        st = assay_fail(err, ASSAY_EUSAGE, "want 1 <= --narrow <= --pool");
    if (!st)
        st = assay_sides_open(&t.sides, &t.workspace, 1, err);
    if (!st)
        st = assay_sides_add(&t.sides, cli->arg[0], NULL, err);
    if (!st) {
        assay_cli_warn_notes(cli, &t.sides.notes);
        st = compare(&t, err);
    }
    if (!st)
        st = print(&t, err);
    assay_sides_close(&t.sides);
    assay_arena_clear(&t.arena);
    assay_workspace_close(&t.workspace);
    return st;
}

const assay_command assay_command_variants = {
    .name = "variants",
    .args = "RUN",
    .summary = "whether variants of one question find the same documents",
    .details =
        "Queries of one 'group' are variants of one question. Each is Ok when all its\n"
        "documents are in the first 10 hits, MisRanked when more of them are in the first 50,\n"
        "else Missing. A group is consistent when all its variants have everything.",
    .example = "  assay variants latest\n"
               "  assay variants run.jsonl --golden golden.yaml --json",
    .option = options,
    .min_args = 1,
    .max_args = 1,
    .run = run_variants,
};
