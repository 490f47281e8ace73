/* SPDX-License-Identifier: Apache-2.0 */
/* assay corpus prune: drop archived chunkings that nobody needs. */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/slice.h"
#include "cli/corpus_arg.h"
#include "cli/golden_arg.h"
#include "cli/holds.h"
#include "golden/named_cuts.h"

static const assay_option options[] = {
    {0, "golden", ASSAY_OPTION_LIST, "FILE", NULL,
     "a golden set whose chunk ids must still resolve, besides that of assay.yaml"},
    {0, "keep", ASSAY_OPTION_LIST, "CHUNKER", NULL,
     "an archived chunking that stays, as 'assay corpus show' spells it"},
    {0, "forget", ASSAY_OPTION_LIST, "WHO", NULL,
     "a golden set that is gone lets go of what it held"},
    {0, "dry-run", ASSAY_OPTION_FLAG, NULL, NULL, "only say which would go"},
    ASSAY_OPTIONS_WORKSPACE,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* A golden set that was looked at, and what it names today. */
typedef struct named {
    assay_slice who;
    assay_slice *chunking;
    size_t n;
} named;

/* A chunking of the corpus. */
typedef struct cut {
    assay_slice chunking;
    bool is_going;
} cut;

typedef struct task {
    assay_cli *cli;
    assay_corpus_arg arg;
    named *set;
    size_t n_sets;
    assay_holds pins;  /* as the corpus has them */
    assay_holds holds; /* as they are to be, and what --keep says */
    assay_slice *keep;
    size_t n_keep;
    cut *all; /* in the order of their first use */
    size_t n_all;
    size_t n_going;
    assay_corpus_pruned pruned;
} task;

static assay_status fail_memory(assay_error *err)
{
    return assay_fail_memory(err, "pruning a corpus");
}

static uint32_t count_items(const assay_cli *cli, const char *option)
{
    uint32_t n = 0;

    while (assay_cli_item(cli, option, n))
        n++;
    return n;
}

/* ---- who needs what ---- */

static const named *find_set(const task *t, assay_slice who)
{
    for (size_t i = 0; i < t->n_sets; i++)
        if (assay_slice_eq(t->set[i].who, who))
            return &t->set[i];
    return NULL;
}

/* A golden set that cannot be read may name anything: then nothing is dropped. */
static assay_status look_at(task *t, const assay_golden_choice *choice, assay_error *err)
{
    const assay_golden_options o = {0};
    named set = {.n = 0};
    assay_golden *golden;
    assay_status st =
        assay_golden_choice_load(&t->arg.workspace, choice, &o, &golden, err);

    if (st)
        return st;
    st = assay_hold_name(&t->arg.workspace, golden, &set.who, err);
    if (!st)
        st = assay_golden_chunkings(golden, t->arg.corpus, &t->cli->arena, &set.chunking,
                                    &set.n, err);
    if (!st && set.who.len && !find_set(t, set.who))
        t->set[t->n_sets++] = set;
    assay_golden_free(golden);
    return st;
}

static assay_status look_at_sets(task *t, assay_error *err)
{
    const assay_project *project = t->arg.workspace.project;
    const char *path;
    assay_status st = ASSAY_OK;

    t->set = ASSAY_ARENA_ARRAY(&t->cli->arena, named,
                               count_items(t->cli, "golden") +
                                   count_items(t->cli, "forget") + 1);
    if (!t->set)
        return fail_memory(err);
    /* One that is yet to be written names nothing. */
    if (project && project->golden && assay_file_exists(project->golden)) {
        const assay_golden_choice own = {.path = project->golden, .is_project = true};

        st = look_at(t, &own, err);
    }
    for (uint32_t i = 0; !st && (path = assay_cli_item(t->cli, "golden", i)); i++) {
        const assay_golden_choice given = {.path = path};

        st = look_at(t, &given, err);
    }
    return st;
}

/* Those that are forgotten name nothing, whoever they were. */
static assay_status forget(task *t, assay_error *err)
{
    const char *text;

    for (uint32_t i = 0; (text = assay_cli_item(t->cli, "forget", i)); i++) {
        assay_slice who = assay_slice_of(text);
        bool is_known = false;

        for (size_t k = 0; k < t->pins.n; k++)
            is_known |= assay_slice_eq(t->pins.item[k].who, who);
        if (!is_known)
            return assay_fail(err, ASSAY_EUSAGE,
                              "'%.*s' holds on to nothing; see 'assay corpus show'",
                              ASSAY_QUOTE(who));
        if (!find_set(t, who))
            t->set[t->n_sets++] = (named){.who = who};
    }
    return ASSAY_OK;
}

/* Pins of golden sets that were looked at are out of date: what they name now counts. */
static bool list_holds(task *t)
{
    bool ok = true;

    for (size_t i = 0; ok && i < t->pins.n; i++)
        if (!find_set(t, t->pins.item[i].who))
            ok =
                assay_holds_add(&t->holds, t->pins.item[i].chunking, t->pins.item[i].who);
    for (size_t i = 0; ok && i < t->n_sets; i++)
        for (size_t k = 0; ok && k < t->set[i].n; k++)
            ok = assay_holds_add(&t->holds, t->set[i].chunking[k], t->set[i].who);
    for (size_t i = 0; ok && i < t->n_keep; i++)
        ok = assay_holds_add(&t->holds, t->keep[i], ASSAY_LIT("--keep"));
    assay_holds_sort(&t->holds);
    return ok;
}

static bool list_keep(task *t)
{
    t->n_keep = count_items(t->cli, "keep");
    t->keep = ASSAY_ARENA_ARRAY(&t->cli->arena, assay_slice, t->n_keep + 1);
    for (uint32_t i = 0; t->keep && i < t->n_keep; i++)
        t->keep[i] = assay_slice_of(assay_cli_item(t->cli, "keep", i));
    return t->keep != NULL;
}

/* ---- what goes ---- */

static assay_status count_one(void *ctx, const assay_corpus_cuts *cuts, assay_error *err)
{
    task *t = ctx;

    (void)cuts;
    (void)err;
    t->n_all++;
    return ASSAY_OK;
}

/* Where to put them, and how many there is room for. */
typedef struct listing {
    task *t;
    size_t room;
} listing;

static assay_status judge_one(void *ctx, const assay_corpus_cuts *cuts, assay_error *err)
{
    listing *l = ctx;
    task *t = l->t;
    cut *c;

    if (t->n_all == l->room)
        return ASSAY_OK;
    c = &t->all[t->n_all++];
    c->chunking = assay_arena_copy(&t->cli->arena, cuts->chunking);
    c->is_going = !cuts->is_today && cuts->n_versions &&
                  !assay_holds_who(&t->holds, cuts->chunking, 0).ptr;
    t->n_going += c->is_going;
    return c->chunking.ptr ? ASSAY_OK : fail_memory(err);
}

static assay_status judge_all(task *t, assay_error *err)
{
    listing l = {.t = t};
    assay_status st = assay_corpus_each_chunking(t->arg.corpus, count_one, t, err);

    if (st)
        return st;
    l.room = t->n_all;
    t->n_all = 0;
    t->all = ASSAY_ARENA_ARRAY(&t->cli->arena, cut, l.room + 1);
    if (!t->all)
        return fail_memory(err);
    return assay_corpus_each_chunking(t->arg.corpus, judge_one, &l, err);
}

/* A name under --keep that there is not would keep nothing. */
static assay_status check_keep(const task *t, assay_error *err)
{
    for (size_t i = 0; i < t->n_keep; i++) {
        bool is_known = false;

        for (size_t k = 0; k < t->n_all; k++)
            is_known |= assay_slice_eq(t->keep[i], t->all[k].chunking);
        if (!is_known)
            return assay_fail(err, ASSAY_EUSAGE,
                              "no chunking '%.*s' in the corpus; see 'assay corpus show'",
                              ASSAY_QUOTE(t->keep[i]));
    }
    return ASSAY_OK;
}

static assay_status plan(task *t, assay_error *err)
{
    assay_status st = look_at_sets(t, err);

    if (!st)
        st = assay_holds_read(&t->pins, t->arg.corpus, err);
    if (!st)
        st = forget(t, err);
    if (!st && (!list_keep(t) || !list_holds(t)))
        st = fail_memory(err);
    if (!st)
        st = judge_all(t, err);
    return st ? st : check_keep(t, err);
}

static assay_status carry_out(task *t, assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (size_t i = 0; !st && i < t->n_sets; i++)
        st = assay_corpus_repin(t->arg.corpus, t->set[i].who, t->set[i].chunking,
                                t->set[i].n, err);
    if (!st)
        st = assay_corpus_prune(t->arg.corpus, t->keep, t->n_keep, &t->pruned, err);
    return st;
}

/* ---- for people and programs ---- */

static void print_kept(const task *t, bool is_dry, assay_buffer *out)
{
    assay_slice who;

    for (size_t i = 0; i < t->n_all; i++) {
        for (size_t k = 0; (who = assay_holds_who(&t->holds, t->all[i].chunking, k)).ptr;
             k++)
            if (k)
                assay_buffer_printf(out, ", %.*s", ASSAY_QUOTE(who));
            else
                assay_buffer_printf(out, "%s %.*s for %.*s",
                                    is_dry ? "would keep" : "kept",
                                    ASSAY_QUOTE(t->all[i].chunking), ASSAY_QUOTE(who));
        if (assay_holds_who(&t->holds, t->all[i].chunking, 0).ptr)
            assay_buffer_char(out, '\n');
    }
}

static void print_text(const task *t, bool is_dry, assay_buffer *out)
{
    for (size_t i = 0; i < t->n_all; i++)
        if (t->all[i].is_going)
            assay_buffer_printf(out, "%s %.*s\n", is_dry ? "would drop" : "dropped",
                                ASSAY_QUOTE(t->all[i].chunking));
    print_kept(t, is_dry, out);
    if (!is_dry)
        assay_buffer_printf(out, "%llu cuts and %llu archived texts are gone\n",
                            (unsigned long long)t->pruned.n_cuts,
                            (unsigned long long)t->pruned.n_versions);
    else if (!t->n_going)
        assay_buffer_text(out, "no archived chunking would be dropped\n");
}

static void json_kept(const task *t, assay_json_writer *w)
{
    assay_slice who;

    assay_json_key(w, "kept");
    assay_json_list(w);
    for (size_t i = 0; i < t->n_all; i++) {
        if (!assay_holds_who(&t->holds, t->all[i].chunking, 0).ptr)
            continue;
        assay_json_flat_object(w);
        assay_json_name(w, "chunker", t->all[i].chunking);
        assay_json_key(w, "for");
        assay_json_list(w);
        for (size_t k = 0; (who = assay_holds_who(&t->holds, t->all[i].chunking, k)).ptr;
             k++)
            assay_json_string(w, who);
        assay_json_list_end(w);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
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
    for (size_t i = 0; i < t->n_all; i++)
        if (t->all[i].is_going)
            assay_json_string(&w, t->all[i].chunking);
    assay_json_list_end(&w);
    json_kept(t, &w);
    assay_json_count(&w, "cuts", t->pruned.n_cuts);
    assay_json_count(&w, "versions", t->pruned.n_versions);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status run_prune(assay_cli *cli, assay_error *err)
{
    bool is_dry = assay_cli_flag(cli, "dry-run");
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    task t = {
        .cli = cli, .pins = {.arena = &cli->arena}, .holds = {.arena = &cli->arena}};
    assay_status st = assay_corpus_arg_open(
        cli, cli->n_args ? cli->arg[0] : NULL,
        is_dry ? ASSAY_CORPUS_READ : ASSAY_CORPUS_WRITE, &t.arg, err);

    if (st)
        return st;
    st = plan(&t, err);
    if (!st && !is_dry)
        st = carry_out(&t, err);
    if (!st) {
        if (strcmp(assay_cli_format(cli, "table"), "json") == 0)
            print_json(&t, is_dry, &out);
        else
            print_text(&t, is_dry, &out);
        st = assay_cli_emit(cli, &out, err);
    }
    assay_buffer_clear(&out);
    assay_holds_clear(&t.pins);
    assay_holds_clear(&t.holds);
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
        "named by --keep.  Golden sets are noted by 'assay golden check --corpus'; that of\n"
        "assay.yaml and those of --golden are read anew.  One that cannot be read is an\n"
        "error, and nothing is dropped; --forget is for one that is gone.  Texts that were\n"
        "replaced go with the last cut of them.",
    .example = "  assay corpus prune --dry-run\n"
               "  assay corpus prune --golden golden.yaml\n"
               "  assay corpus prune --keep 'lines@1(target=40,overlap=5)'",
    .option = options,
    .max_args = 1,
    .run = run_prune,
};
