/* SPDX-License-Identifier: Apache-2.0 */
/* assay corpus prune: drop archived chunkings that nobody needs. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/corpus_arg.h"

static const assay_option options[] = {
    {0, "keep", ASSAY_OPTION_LIST, "CHUNKER", NULL,
     "an archived chunking that stays, as 'assay corpus show' spells it"},
    {0, "dry-run", ASSAY_OPTION_FLAG, NULL, NULL, "only say which would go"},
    ASSAY_OPTIONS_WORKSPACE,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

typedef struct task {
    assay_cli *cli;
    assay_corpus_arg arg;
    assay_slice *keep;
    bool *is_known; /* keep[i] is the name of a chunking */
    size_t n_keep;
    assay_slice *going; /* chunkings that go */
    size_t n_going;
    size_t n_all;
    assay_corpus_pruned pruned;
} task;

static assay_status count_one(void *ctx, const assay_corpus_cuts *cuts, assay_error *err)
{
    task *t = ctx;

    (void)cuts;
    (void)err;
    t->n_all++;
    return ASSAY_OK;
}

static assay_status judge_one(void *ctx, const assay_corpus_cuts *cuts, assay_error *err)
{
    task *t = ctx;
    bool is_kept = cuts->is_today || cuts->n_pins > 0 || !cuts->n_versions;

    for (size_t i = 0; i < t->n_keep; i++)
        if (assay_slice_eq(t->keep[i], cuts->chunking))
            is_kept = t->is_known[i] = true;
    if (is_kept || t->n_going == t->n_all)
        return ASSAY_OK;
    t->going[t->n_going] = assay_arena_copy(&t->cli->arena, cuts->chunking);
    return t->going[t->n_going++].ptr ? ASSAY_OK
                                      : assay_fail_memory(err, "pruning a corpus");
}

/* Which chunkings go; a name under --keep that there is not would keep nothing. */
static assay_status plan(task *t, assay_error *err)
{
    assay_status st = assay_corpus_each_chunking(t->arg.corpus, count_one, t, err);
    const char *text;

    if (st)
        return st;
    while (assay_cli_item(t->cli, "keep", (uint32_t)t->n_keep))
        t->n_keep++;
    t->keep = ASSAY_ARENA_ARRAY(&t->cli->arena, assay_slice, t->n_keep + 1);
    t->is_known = ASSAY_ARENA_ARRAY(&t->cli->arena, bool, t->n_keep + 1);
    t->going = ASSAY_ARENA_ARRAY(&t->cli->arena, assay_slice, t->n_all + 1);
    if (!t->keep || !t->is_known || !t->going)
        return assay_fail_memory(err, "pruning a corpus");
    for (uint32_t i = 0; (text = assay_cli_item(t->cli, "keep", i)) != NULL; i++)
        t->keep[i] = assay_slice_of(text);
    st = assay_corpus_each_chunking(t->arg.corpus, judge_one, t, err);
    for (size_t i = 0; !st && i < t->n_keep; i++)
        if (!t->is_known[i])
            st = assay_fail(err, ASSAY_EUSAGE,
                            "no chunking '%.*s' in the corpus; see 'assay corpus show'",
                            ASSAY_QUOTE(t->keep[i]));
    return st;
}

static void print_text(const task *t, bool is_dry, assay_buffer *out)
{
    for (size_t i = 0; i < t->n_going; i++)
        assay_buffer_printf(out, "%s %.*s\n", is_dry ? "would drop" : "dropped",
                            ASSAY_QUOTE(t->going[i]));
    if (!is_dry)
        assay_buffer_printf(out, "%llu cuts and %llu archived texts are gone\n",
                            (unsigned long long)t->pruned.n_cuts,
                            (unsigned long long)t->pruned.n_versions);
    else if (!t->n_going)
        assay_buffer_text(out, "no archived chunking would be dropped\n");
}

static void print_json(const task *t, bool is_dry, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_name(&w, "schema", ASSAY_LIT("assay.corpus-prune/1"));
    assay_json_name(&w, "name", assay_slice_of(t->arg.name));
    assay_json_key(&w, "dry_run");
    assay_json_bool(&w, is_dry);
    assay_json_key(&w, "chunkings");
    assay_json_list(&w);
    for (size_t i = 0; i < t->n_going; i++)
        assay_json_string(&w, t->going[i]);
    assay_json_list_end(&w);
    assay_json_count(&w, "cuts", t->pruned.n_cuts);
    assay_json_count(&w, "versions", t->pruned.n_versions);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status run_prune(assay_cli *cli, assay_error *err)
{
    bool is_dry = assay_cli_flag(cli, "dry-run");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    task t = {.cli = cli};
    assay_status st = assay_corpus_arg_open(
        cli, cli->n_args ? cli->arg[0] : NULL,
        is_dry ? ASSAY_CORPUS_READ : ASSAY_CORPUS_WRITE, &t.arg, err);

    if (st)
        return st;
    st = plan(&t, err);
    if (!st && !is_dry)
        st = assay_corpus_prune(t.arg.corpus, t.keep, t.n_keep, &t.pruned, err);
    if (!st) {
        if (strcmp(assay_cli_format(cli, "table"), "json") == 0)
            print_json(&t, is_dry, &out);
        else
            print_text(&t, is_dry, &out);
        st = assay_cli_emit(cli, &out, err);
    }
    assay_buffer_clear(&out);
    assay_corpus_arg_close(&t.arg);
    return st;
}

const assay_command assay_command_corpus_prune = {
    .name = "corpus prune",
    .args = "[NAME]",
    .summary = "drop archived chunkings that nobody needs",
    .details =
        "An archived chunking is how yesterday's chunk ids are still found.  Today's stays,\n"
        "and so do those that a stored run or a golden set holds on to (pins), and those\n"
        "named by --keep.  Texts that were replaced go with the last cut of them.",
    .example = "  assay corpus prune --dry-run\n"
               "  assay corpus prune --keep 'lines@1(target=40,overlap=5)'",
    .option = options,
    .max_args = 1,
    .run = run_prune,
};
