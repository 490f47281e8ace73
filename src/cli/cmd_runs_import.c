/* SPDX-License-Identifier: Apache-2.0 */
/* assay runs import: runs that were made elsewhere, into the store. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/slice.h"
#include "cli/corpus_arg.h"
#include "cli/golden_arg.h"
#include "cli/runs_arg.h"
#include "cli/tags_arg.h"
#include "golden/frozen.h"
#include "golden/resolve.h"
#include "pipeline/eval_words.h"
#include "pipeline/import_run.h"

static const assay_option options[] = {
    {'g', "golden", ASSAY_OPTION_TEXT, "FILE", NULL,
     "golden set to measure with; default that of assay.yaml"},
    {0, "golden-from", ASSAY_OPTION_TEXT, "FORMAT", NULL, "format of the golden set"},
    {0, "topics", ASSAY_OPTION_TEXT, "FILE", NULL, "TREC: query texts"},
    {0, "split", ASSAY_OPTION_TEXT, "NAME", NULL, "BEIR: which qrels (test)"},
    {0, "corpus", ASSAY_OPTION_TEXT, "NAME", NULL,
     "corpus in which judgments are looked for and hits get their places"},
    {0, "from", ASSAY_OPTION_TEXT, "FORMAT", NULL, "format of FILE; found out by itself"},
    {0, "run-id", ASSAY_OPTION_TEXT, "ID", NULL,
     "stage events, kebab's database: which run of the file"},
    {0, "conventions", ASSAY_OPTION_CHOICE, "NAME", "assay|kebab|bob|evalvault|trec",
     "whose rules to measure by; default the golden set's, else assay"},
    {0, "level", ASSAY_OPTION_CHOICE, "LEVEL", "auto|evidence|chunk|doc",
     "what is to be found"},
    {0, "duplicates", ASSAY_OPTION_CHOICE, "RULE", "error|first",
     "an id that is a hit twice; default error in TREC files, else first"},
    {0, "suite", ASSAY_OPTION_TEXT, "NAME", NULL, "label under which they are kept"},
    {0, "name", ASSAY_OPTION_TEXT, "METHOD", NULL,
     "what made them; default the run's own name"},
    {'t', "tag", ASSAY_OPTION_LIST, "K=V", NULL, "a tag for each"},
    {0, "k", ASSAY_OPTION_COUNT, "K", NULL, "cutoff that people look at"},
    {0, "date", ASSAY_OPTION_TEXT, "DATE", NULL,
     "when they were made, UTC: 2026-01-31T12:34:56; default now"},
    {0, "commit", ASSAY_OPTION_TEXT, "HASH", NULL, "of the project when they were made"},
    {0, "again", ASSAY_OPTION_FLAG, NULL, NULL, "also what is stored already"},
    {0, "max-line", ASSAY_OPTION_COUNT, "BYTES", NULL, "longest line to read"},
    ASSAY_OPTIONS_STORE,
    ASSAY_OPTIONS_WORKSPACE,
    ASSAY_OPTIONS_OUTPUT("table|json"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* What became of one file. */
typedef struct taken {
    const char *path;
    const char *format;
    assay_imported imported;
    assay_status status;
} taken;

typedef struct task {
    assay_cli *cli;
    assay_runs_arg arg;
    assay_import import;
    bool has_looked; /* for the golden set */
    assay_golden *golden;
    assay_buffer frozen;
    char golden_hash[65];
    char corpus_hash[65];
    taken *taken;
    uint32_t n;
    size_t cap;
} task;

/* ---- settings ---- */

static assay_status read_settings(task *t, assay_error *err)
{
    const assay_cli *cli = t->cli;
    const char *date = assay_cli_text(cli, "date");
    const char *suite = assay_cli_text(cli, "suite");
    const char *name = assay_cli_text(cli, "name");
    const char *commit = assay_cli_text(cli, "commit");
    const assay_eval_options o = {.conventions = assay_cli_text(cli, "conventions"),
                                  .level = assay_cli_text(cli, "level"),
                                  .duplicates = assay_cli_text(cli, "duplicates")};
    assay_import *i = &t->import;
    assay_status st = assay_eval_words(&o, &i->eval, err);

    i->store = t->arg.store;
    i->suite = assay_slice_of(suite ? suite : "");
    i->method = assay_slice_of(name ? name : "");
    i->commit = assay_slice_of(commit ? commit : "");
    i->k = (uint32_t)assay_cli_count(cli, "k", 0);
    i->is_again = assay_cli_flag(cli, "again");
    i->golden_hash = i->golden_text = i->golden_path = ASSAY_LIT("");
    i->corpus_name = i->corpus_hash = i->created_at = ASSAY_LIT("");
    if (!st)
        st = assay_tags_read(t->cli, "tag", &i->tag, &i->n_tags, err);
    if (!st && date)
        st = assay_runs_date("date", date, &t->cli->arena, &i->created_at, err);
    return st;
}

/* ---- golden set and corpus ---- */

static assay_status read_corpus(task *t, assay_error *err)
{
    const char *name = assay_cli_text(t->cli, "corpus");
    assay_corpus *corpus = NULL;
    assay_status st;

    if (!name)
        return ASSAY_OK;
    st = assay_workspace_corpus(&t->arg.workspace, name, &t->import.corpus, err);
    if (!st)
        st = assay_corpus_open(t->import.corpus, ASSAY_CORPUS_READ, &corpus, err);
    if (!st)
        st = assay_corpus_hash(corpus, t->corpus_hash, err);
    assay_corpus_close(corpus);
    t->import.corpus_name = assay_slice_of(name);
    t->import.corpus_hash = assay_slice_of(t->corpus_hash);
    return st;
}

static assay_status resolve(task *t, assay_error *err)
{
    const assay_trace_options o = {0};
    assay_resolution resolution;
    assay_notes notes = {0};
    assay_status st;

    if (!t->import.corpus)
        return ASSAY_OK;
    st = assay_resolve(t->golden, t->import.corpus, &o, &resolution, err);
    if (!st &&
        !assay_resolution_notes(&resolution, t->golden, 10, &notes, &t->cli->arena))
        st = assay_fail_memory(err, "resolving the golden set");
    assay_cli_warn_notes(t->cli, &notes);
    assay_notes_clear(&notes);
    return st;
}

static assay_status freeze(task *t, const char *path, assay_error *err)
{
    assay_status st = assay_golden_freeze(t->golden, &t->frozen, err);

    if (st)
        return st;
    assay_frozen_hash(assay_buffer_view(&t->frozen), t->golden_hash);
    t->import.golden = t->golden;
    t->import.golden_text = assay_buffer_view(&t->frozen);
    t->import.golden_hash = assay_slice_of(t->golden_hash);
    t->import.golden_path = assay_slice_of(path);
    return ASSAY_OK;
}

/* Bundles bring their own; so it is looked for when the first run file wants it. */
static assay_status read_golden(task *t, assay_error *err)
{
    const assay_golden_options o = {.format = assay_cli_text(t->cli, "golden-from"),
                                    .topics = assay_cli_text(t->cli, "topics"),
                                    .split = assay_cli_text(t->cli, "split"),
                                    .max_line = assay_cli_count(t->cli, "max-line", 0)};
    const char *path = assay_cli_text(t->cli, "golden");
    assay_golden_choice choice;
    assay_status st;

    if (t->has_looked)
        return ASSAY_OK;
    t->has_looked = true;
    st = read_corpus(t, err);
    if (st)
        return st;
    st = assay_golden_choose(&t->arg.workspace, path, &choice, err);
    if (st == ASSAY_EUSAGE && !path) {
        assay_cli_warn(t->cli, "there is no golden set to measure with; name one with "
                               "--golden, or later: 'assay metrics RUN --golden FILE'");
        return ASSAY_OK;
    }
    if (!st)
        st = assay_golden_choice_load(&t->arg.workspace, &choice, &o, &t->golden, err);
    if (!st)
        assay_cli_warn_notes(t->cli, &t->golden->notes);
    if (!st)
        st = resolve(t, err);
    return st ? st : freeze(t, choice.path, err);
}

/* ---- files ---- */

static assay_status take_run(task *t, taken *to, const assay_file *file, assay_error *err)
{
    const assay_run_options o = {.format = assay_cli_text(t->cli, "from"),
                                 .run_id = assay_cli_text(t->cli, "run-id"),
                                 .max_line =
                                     (size_t)assay_cli_count(t->cli, "max-line", 0)};
    char sha256[65];
    assay_run *run = NULL;
    assay_status st = read_golden(t, err);

    if (!st)
        st = assay_run_parse(to->path, file->text, &o, &run, err);
    if (!st) {
        assay_cli_warn_notes(t->cli, &run->notes);
        to->format = run->format->name;
        assay_frozen_hash(file->text, sha256);
        st = assay_import_run(&t->import, to->path, sha256, run, &t->cli->arena,
                              &to->imported, err);
    }
    assay_run_free(run);
    return st;
}

static assay_status take_bundle(task *t, taken *to, const assay_file *file,
                                assay_error *err)
{
    assay_bundle *bundle = NULL;
    assay_status st = assay_bundle_parse(to->path, file->text, &bundle, err);

    to->format = "bundle";
    if (!st)
        st = assay_import_bundle(&t->import, to->path, bundle, &t->cli->arena,
                                 &to->imported, err);
    assay_bundle_free(bundle);
    return st;
}

static assay_status add_taken(task *t, const char *path, taken **out, assay_error *err)
{
    taken *grown = assay_mem_grow(t->taken, &t->cap, (size_t)t->n + 1, sizeof *grown);

    if (!grown)
        return assay_fail_memory(err, "importing runs");
    t->taken = grown;
    *out = &grown[t->n++];
    **out = (taken){.path = path, .format = ""};
    return ASSAY_OK;
}

static assay_status take_kebab_run(task *t, taken *to, assay_kebab_db *db,
                                   const assay_kebab_run *row, assay_error *err)
{
    assay_snapshot snapshot;
    assay_run *run = NULL;
    assay_status st = assay_kebab_db_load(db, row, &run, &snapshot, err);

    to->format = "kebab database";
    if (!st)
        st = assay_import_kebab(&t->import, to->path, row, run, &snapshot, &t->cli->arena,
                                &to->imported, err);
    assay_run_free(run);
    return st;
}

/* All its runs, oldest first, or the one that --run-id names. */
static assay_status take_kebab(task *t, taken *to, assay_error *err)
{
    const char *id = assay_cli_text(t->cli, "run-id");
    const char *path = to->path;
    const assay_kebab_run *row = NULL;
    assay_kebab_db *db = NULL;
    assay_status st = read_golden(t, err);

    if (!st)
        st = assay_kebab_db_open(path, &db, err);
    if (!st && !assay_kebab_db_at(db, 0))
        st = assay_fail(err, ASSAY_EUSAGE, "'%s' has no runs", path);
    if (!st && id)
        st = assay_kebab_db_find(db, assay_slice_of(id), &row, err);
    if (!st && id)
        st = take_kebab_run(t, to, db, row, err);
    for (size_t i = 0; !st && !id && (row = assay_kebab_db_at(db, i)); i++) {
        if (i)
            st = add_taken(t, path, &to, err);
        if (!st)
            st = take_kebab_run(t, to, db, row, err);
        /* The last one is the caller's to look at. */
        if (!st && assay_kebab_db_at(db, i + 1)) {
            assay_cli_warn_notes(t->cli, &to->imported.notes);
            assay_notes_clear(&to->imported.notes);
        }
    }
    assay_kebab_db_close(db);
    return st;
}

static assay_status take_file(task *t, taken *to, assay_error *err)
{
    const char *from = assay_cli_text(t->cli, "from");
    assay_file file = {.heap = NULL};
    assay_status st;

    if (assay_kebab_db_is(to->path))
        return take_kebab(t, to, err);
    st = assay_file_open(&file, to->path, err);
    if (st)
        return st;
    if (assay_slice_starts(file.text, "SQLite format 3"))
        st = assay_fail(err, ASSAY_EUSAGE,
                        "'%s' is a database, and not kebab's; what another store of "
                        "assay's has is written by 'assay runs export RUN --store %s'",
                        to->path, to->path);
    else if (from ? strcmp(from, "bundle") == 0 : assay_bundle_is(file.text))
        st = take_bundle(t, to, &file, err);
    else
        st = take_run(t, to, &file, err);
    assay_file_close(&file);
    return st;
}

/* One that cannot be read does not keep the others out. */
static assay_status take_all(task *t, assay_error *err)
{
    assay_status worst = ASSAY_OK;

    for (uint32_t i = 0; i < t->cli->n_args; i++) {
        assay_error why = {ASSAY_OK, ""};
        taken *to;
        assay_status st = add_taken(t, t->cli->arg[i], &to, err);

        if (st)
            return st;
        st = take_file(t, to, &why);
        to = &t->taken[t->n - 1]; /* there may be more of them now */
        to->status = st;
        assay_cli_warn_notes(t->cli, &to->imported.notes);
        assay_notes_clear(&to->imported.notes);
        if (st && worst)
            assay_cli_warn(t->cli, "%s", why.text);
        else if (st)
            worst = assay_fail(err, why.status, "%s", why.text);
        if (st == ASSAY_ENOMEM || st == ASSAY_ESYSTEM)
            break;
    }
    return worst;
}

/* ---- printing ---- */

static const char *word_of(const taken *to)
{
    if (to->status)
        return "failed";
    if (to->imported.is_there)
        return "stored already";
    if (to->imported.is_recorded)
        return "stored as recorded";
    return to->imported.is_measured ? "stored" : "stored, not measured";
}

static void print_table(const task *t, assay_buffer *out)
{
    assay_grid grid = {.n_columns = 6};

    grid.is_right[3] = grid.is_right[4] = true;
    assay_grid_text(&grid, "file");
    assay_grid_text(&grid, "format");
    assay_grid_text(&grid, "run");
    assay_grid_text(&grid, "queries");
    assay_grid_text(&grid, "failed");
    assay_grid_text(&grid, "");
    for (uint32_t i = 0; i < t->n; i++) {
        const taken *to = &t->taken[i];

        assay_grid_short(&grid, assay_slice_of(to->path), "table");
        assay_grid_text(&grid, to->format);
        assay_grid_text(&grid, to->status ? "-" : to->imported.run_id);
        assay_grid_count(&grid, to->imported.n_results);
        assay_grid_count(&grid, to->imported.n_failed);
        assay_grid_text(&grid, word_of(to));
    }
    assay_grid_print(&grid, out);
    out->has_failed |= grid.has_failed;
    assay_grid_clear(&grid);
}

static void print_json(const task *t, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    assay_json_name(&w, "schema", ASSAY_LIT("assay.import/1"));
    assay_json_name(&w, "store", assay_slice_of(assay_store_place(t->arg.store)));
    assay_json_key(&w, "runs");
    assay_json_list(&w);
    for (uint32_t i = 0; i < t->n; i++) {
        const taken *to = &t->taken[i];

        assay_json_flat_object(&w);
        assay_json_name(&w, "file", assay_slice_of(to->path));
        assay_json_known(&w, "format", assay_slice_of(to->format));
        assay_json_known(&w, "run_id", assay_slice_of(to->imported.run_id));
        assay_json_name(&w, "result", assay_slice_of(word_of(to)));
        assay_json_count(&w, "queries", to->imported.n_results);
        assay_json_count(&w, "failed", to->imported.n_failed);
        assay_json_object_end(&w);
    }
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

static assay_status report(const task *t, assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    if (strcmp(assay_cli_format(t->cli, "table"), "json") == 0)
        print_json(t, &out);
    else
        print_table(t, &out);
    st = assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status run_import(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli, .frozen = ASSAY_BUFFER_EMPTY};
    assay_error later = {ASSAY_OK, ""};
    assay_status st = assay_runs_open(cli, ASSAY_STORE_CREATE, &t.arg, err);
    assay_status said;

    if (st)
        return st;
    st = read_settings(&t, err);
    if (!st) {
        st = take_all(&t, err);
        /* Where only one file was named and failed, the words say it all. */
        said = st && t.n < 2 ? ASSAY_OK : report(&t, st ? &later : err);
        st = st ? st : said;
    }
    assay_mem_free(t.taken);
    assay_buffer_clear(&t.frozen);
    assay_golden_free(t.golden);
    assay_runs_close(&t.arg);
    return st;
}

const assay_command assay_command_runs_import = {
    .name = "runs import",
    .args = "FILE...",
    .summary = "take runs that were made elsewhere into the store",
    .details =
        "FILE is a run in any format that is read (TREC, JSONL, kebab's per_query.jsonl, bob's\n"
        "results, stage events), kebab's database, of which every run is taken and nothing is\n"
        "written, or a bundle of 'assay runs export'.  A run is measured with the golden set,\n"
        "which is kept with it as it is today; with --corpus judgments are looked for there\n"
        "first, and hits get their places.  bob's results without 'retrieved' hold no hits:\n"
        "their values are kept as recorded and never measured anew.  A bundle brings all of\n"
        "its own, its id too.  What is stored already is told and left alone.",
    .example = "  assay runs import run.trec --golden qrels --name bm25 --suite nightly\n"
               "  assay runs import per_query.jsonl -g golden.yaml --tag branch=main\n"
               "  assay runs import exported.jsonl",
    .option = options,
    .ignores_settings = true,
    .min_args = 1,
    .max_args = UINT32_MAX,
    .run = run_import,
};
