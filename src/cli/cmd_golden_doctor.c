/* SPDX-License-Identifier: Apache-2.0 */
/* assay golden doctor: is this set worth trusting? */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/slice.h"
#include "cli/documents_arg.h"
#include "cli/golden_arg.h"
#include "cli/store_arg.h"
#include "diagnose/doctor.h"
#include "golden/additions.h"
#include "report/doctor_report.h"

static const assay_option options[] = {
    {0, "runs", ASSAY_OPTION_LIST, "RUN", NULL,
     "stored runs or files to learn from; default: stored runs of this set"},
    {0, "level", ASSAY_OPTION_CHOICE, "LEVEL", "error|warning|note",
     "exit 1 for findings of this level and above (error)"},
    {0, "show", ASSAY_OPTION_CHOICE, "LEVEL", "error|warning|note",
     "show findings of this level and above (note)"},
    {0, "most", ASSAY_OPTION_COUNT, "N", NULL, "findings shown of a kind (10); 0 = all"},
    {0, "fix", ASSAY_OPTION_TEXT, "FILE", NULL,
     "write the set to FILE with the judgments that twins lack"},
    {'k', "k", ASSAY_OPTION_COUNT, "N", NULL, "cutoff of 'found' (10)"},
    {0, "jobs", ASSAY_OPTION_COUNT, "N", NULL, "threads; 0 = one a core"},
    ASSAY_OPTIONS_GOLDEN,
    ASSAY_OPTIONS_CORPUS,
    ASSAY_OPTIONS_STORE,
    ASSAY_OPTIONS_OUTPUT("table|json|md"),
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

enum { MOST_RUNS = 200 };

typedef struct task {
    assay_cli *cli;
    assay_workspace workspace;
    assay_golden *golden;
    assay_documents documents;
    assay_store *store;
    assay_run *run[MOST_RUNS];
    assay_doctor_run about[MOST_RUNS];
    uint32_t n_runs;
    const assay_retriever *bm25;
    void *bm25_state;
    assay_doctor doctor;
} task;

static void release(task *t)
{
    assay_doctor_clear(&t->doctor);
    if (t->bm25_state)
        t->bm25->close(t->bm25_state);
    for (uint32_t i = 0; i < t->n_runs; i++)
        assay_run_free(t->run[i]);
    assay_store_close(t->store);
    assay_documents_close(&t->documents);
    assay_golden_free(t->golden);
    assay_workspace_close(&t->workspace);
}

/* ---- documents ---- */

/* The set alone is worth a look, too. */
static assay_status load_documents(task *t, assay_error *err)
{
    uint32_t n_threads = (uint32_t)assay_cli_count(t->cli, "jobs", 0);
    assay_retrieve_source source = {.passages = &t->documents.passages,
                                    .params = ASSAY_LIT(""),
                                    .n_threads = n_threads,
                                    .notes = &t->golden->notes,
                                    .arena = &t->cli->arena};
    assay_status st = ASSAY_OK;

    if (assay_cli_text(t->cli, "corpus") || t->golden->n_docs)
        st =
            assay_documents_open(&t->workspace, t->golden, n_threads, &t->documents, err);
    else
        assay_cli_warn(t->cli, "no --corpus: evidence is not looked at");
    if (st || !t->documents.passages.n)
        return st;
    t->bm25 = assay_retriever_find(ASSAY_LIT("bm25"));
    return t->bm25->open(&source, &t->bm25_state, err);
}

/* ---- runs ---- */

static assay_status add_run(task *t, assay_run *run, assay_slice name, assay_slice method)
{
    t->about[t->n_runs] = (assay_doctor_run){run, name, method};
    t->run[t->n_runs++] = run;
    return ASSAY_OK;
}

static assay_status open_store(task *t, bool is_needed, assay_error *err)
{
    const char *place;
    assay_status st = assay_store_arg_place(&t->workspace, &place, err);

    if (st || (!is_needed && !strstr(place, "://") && !assay_file_exists(place)))
        return st;
    return assay_store_arg_open(&t->workspace, ASSAY_STORE_READ, &t->store, err);
}

static assay_status add_stored(task *t, const assay_stored *stored, assay_error *err)
{
    assay_run *run;
    assay_status st = assay_store_load(t->store, stored->run_id, &run, err);

    return st ? st : add_run(t, run, stored->run_id, stored->method);
}

/* Whether a run was asked questions of this set: half of its own are. */
static bool is_ours(const task *t, const assay_run *run)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < assay_run_n(run); i++)
        n += assay_dict_find(&t->golden->ids, assay_run_id(run, i)) != ASSAY_NONE;
    return n && 2 * n >= assay_run_n(run);
}

static assay_status add_named(task *t, const char *name, assay_error *err)
{
    assay_stored stored;
    assay_run *run;
    assay_status st;

    if (t->n_runs == MOST_RUNS)
        return assay_fail(err, ASSAY_EUSAGE, "more than %d runs", MOST_RUNS);
    if (assay_file_exists(name)) {
        st = assay_run_load(name, NULL, &run, err);
        if (!st && !is_ours(t, run))
            assay_cli_warn(t->cli, "'%s' has few questions of this set", name);
        return st ? st : add_run(t, run, assay_slice_of(name), assay_slice_of(name));
    }
    st = t->store ? ASSAY_OK : open_store(t, true, err);
    if (!st)
        st = assay_store_find(t->store, name, &t->cli->arena, &stored, err);
    return st ? st : add_stored(t, &stored, err);
}

/* The newest stored runs of this set. */
static assay_status add_all(task *t, assay_error *err)
{
    const assay_store_filter filter = {.status = ASSAY_RUN_DONE, .most = MOST_RUNS};
    assay_stored *stored;
    uint32_t n = 0;
    assay_status st = open_store(t, false, err);

    if (st || !t->store)
        return st;
    st = assay_store_list(t->store, &filter, &t->cli->arena, &stored, &n, err);
    for (uint32_t i = 0; i < n && !st; i++) {
        assay_run *run = NULL;

        st = assay_store_load(t->store, stored[i].run_id, &run, err);
        if (!st && is_ours(t, run))
            st = add_run(t, run, stored[i].run_id, stored[i].method);
        else
            assay_run_free(run);
    }
    return st;
}

static assay_status load_runs(task *t, assay_error *err)
{
    const char *name;
    assay_status st = ASSAY_OK;

    if (!assay_cli_given(t->cli, "runs"))
        return add_all(t, err);
    for (uint32_t i = 0; !st && (name = assay_cli_item(t->cli, "runs", i)) != NULL; i++)
        st = add_named(t, name, err);
    return st;
}

/* ---- --fix ---- */

/* The lines that mend something. */
static uint32_t put_additions(const assay_doctor *d, assay_buffer *out)
{
    uint32_t n = 0;

    for (size_t i = 0; i < d->n_symptoms; i++)
        if (d->symptom[i].addition) {
            assay_buffer_printf(out, "%s\n", d->symptom[i].addition);
            n++;
        }
    return n;
}

static assay_status merge(const assay_golden *base, assay_slice lines, assay_slice text,
                          assay_buffer *out, assay_error *err)
{
    assay_additions a = {0};
    assay_status st = assay_additions_read(&a, "fix", 1, lines, base, err);

    if (!st && a.bad.n)
        st = assay_fail(err, ASSAY_EINPUT, "%s", a.bad.text[0]);
    if (!st && a.set->n_queries)
        st = assay_additions_merge(&a, base->path, text, out, err);
    else if (!st)
        assay_buffer_slice(out, text);
    assay_additions_clear(&a);
    return st;
}

/* The set is read again: this one was resolved in the corpus. */
static assay_status fix(task *t, assay_error *err)
{
    const char *to = assay_cli_text(t->cli, "fix");
    const char *path = t->golden->path;
    assay_buffer lines = ASSAY_BUFFER_EMPTY;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_golden *base = NULL;
    assay_file file = {0};
    uint32_t n;
    assay_status st;

    if (strcmp(t->golden->format->name, "assay") != 0)
        return assay_fail(
            err, ASSAY_EUSAGE,
            "'%s' is %s; 'assay golden convert --to assay' makes it one that "
            "can be mended",
            path, t->golden->format->title);
    n = put_additions(&t->doctor, &lines);
    st = assay_golden_load(path, NULL, &base, err);
    if (!st)
        st = assay_file_open(&file, path, err);
    if (!st)
        st = merge(base, assay_buffer_view(&lines), file.text, &out, err);
    if (!st && (lines.has_failed || out.has_failed))
        st = assay_fail_memory(err, "mending the golden set");
    if (!st)
        st = assay_file_save(to, assay_buffer_view(&out), err);
    if (!st)
        assay_cli_say(t->cli, "%s: %u %s added", to, n,
                      n == 1 ? "judgment" : "judgments");
    assay_golden_free(base);
    assay_file_close(&file);
    assay_buffer_clear(&lines);
    assay_buffer_clear(&out);
    return st;
}

/* ---- all ---- */

static assay_ill_level level_of(const assay_cli *cli, const char *option,
                                assay_ill_level standard)
{
    const char *word = assay_cli_text(cli, option);

    for (int i = ASSAY_ILL_NOTE; word && i <= ASSAY_ILL_ERROR; i++)
        if (strcmp(word, assay_ill_word((assay_ill_level)i)) == 0)
            return (assay_ill_level)i;
    return standard;
}

static assay_status print(const task *t, assay_error *err)
{
    static const struct {
        const char *name;
        void (*write)(const assay_doctor *d, const assay_doctor_view *view,
                      assay_buffer *out);
    } writers[] = {
        {"table", assay_doctor_table},
        {"md", assay_doctor_md},
        {"json", assay_doctor_json},
    };
    const char *format = assay_cli_format(t->cli, "table");
    const assay_doctor_view view = {.least = level_of(t->cli, "show", ASSAY_ILL_NOTE),
                                    .most =
                                        (uint32_t)assay_cli_count(t->cli, "most", 10)};
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_status st;

    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (strcmp(format, writers[i].name) == 0)
            writers[i].write(&t->doctor, &view, &out);
    st = out.has_failed ? assay_fail_memory(err, "printing what was found")
                        : assay_cli_emit(t->cli, &out, err);
    assay_buffer_clear(&out);
    return st;
}

static assay_status verdict(const task *t)
{
    assay_ill_level least = level_of(t->cli, "level", ASSAY_ILL_ERROR);

    for (size_t i = 0; i < t->doctor.n_symptoms; i++)
        if (t->doctor.symptom[i].level >= least)
            return ASSAY_NO;
    return ASSAY_OK;
}

static assay_status examine(task *t, assay_error *err)
{
    assay_doctor *d = &t->doctor;

    d->golden = t->golden;
    d->resolution = t->documents.corpus ? &t->documents.resolution : NULL;
    d->corpus = t->documents.corpus;
    d->passages = &t->documents.passages;
    d->run = t->about;
    d->n_runs = t->n_runs;
    d->bm25 = t->bm25;
    d->bm25_state = t->bm25_state;
    d->k = (uint32_t)assay_cli_count(t->cli, "k", 10);
    return assay_doctor_run_all(d, err);
}

static assay_status run_doctor(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli};
    assay_status st = assay_workspace_open(cli, &t.workspace, err);

    if (!st)
        st = assay_golden_arg_load(cli, cli->n_args ? cli->arg[0] : NULL, true, &t.golden,
                                   err);
    if (!st)
        st = load_documents(&t, err);
    if (!st)
        st = load_runs(&t, err);
    if (!st)
        st = examine(&t, err);
    if (!st && assay_cli_text(cli, "fix"))
        st = fix(&t, err);
    if (!st)
        st = print(&t, err);
    if (!st)
        st = verdict(&t);
    release(&t);
    return st;
}

const assay_command assay_command_golden_doctor = {
    .name = "golden doctor",
    .args = "[FILE]",
    .summary = "what ails a golden set: labels, evidence, questions, answers, power",
    .details =
        "Every finding has a level, the line it is about, and a way to mend it. With --corpus\n"
        "the evidence is looked for in the documents; with runs it is seen which questions\n"
        "everybody wins and which nobody does. The health score adds up the parts that\n"
        "docs/GOLDEN.md explains. Exit 1 when something of the chosen level was found.",
    .example = "  assay golden doctor golden.yaml --corpus main\n"
               "  assay golden doctor golden.yaml --corpus main --level warning --json",
    .option = options,
    .min_args = 0,
    .max_args = 1,
    .ignores_settings = true,
    .run = run_doctor,
};
