/* SPDX-License-Identifier: Apache-2.0 */
/* assay golden draft: a starter set from the headings of the corpus. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/corpus_arg.h"
#include "golden/additions.h"
#include "pipeline/draft.h"

static const assay_option options[] = {
    {'n', "number", ASSAY_OPTION_COUNT, "N", NULL, "how many questions (20)"},
    {'o', "output", ASSAY_OPTION_TEXT, "FILE", NULL,
     "golden set to make or to add to; default standard output"},
    ASSAY_OPTIONS_CORPUS,
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

typedef struct task {
    assay_cli *cli;
    const char *path; /* null: standard output */
    assay_corpus_arg corpus;
    assay_golden *base; /* null: the file is made */
    assay_file file;
    assay_additions additions;
    assay_buffer lines;
    assay_buffer out;
} task;

static assay_status load_base(task *t, assay_error *err)
{
    const assay_golden_options o = {0};
    assay_status st;

    if (!t->path || !assay_file_exists(t->path))
        return ASSAY_OK;
    st = assay_golden_load(t->path, &o, &t->base, err);
    if (!st)
        st = assay_file_open(&t->file, t->path, err);
    if (!st && strcmp(t->base->format->name, "assay") != 0)
        st = assay_fail(err, ASSAY_EUSAGE,
                        "'%s' is %s; 'assay golden convert --to assay' makes it one that "
                        "can be added to",
                        t->path, t->base->format->title);
    return st;
}

/* Every anchor is looked for in the corpus, as if somebody else had written it. */
static assay_status make(task *t, assay_error *err)
{
    const assay_trace_options o = {0};
    uint32_t n = (uint32_t)assay_cli_count(t->cli, "number", 20);
    uint32_t made = 0;
    assay_status st = assay_draft(t->corpus.corpus, n, t->base, &t->lines, &made, err);

    if (!st && !made)
        st = assay_fail(err, ASSAY_NO,
                        "corpus '%s' has no headings that are not asked about already",
                        t->corpus.name);
    if (!st)
        st = assay_additions_read(&t->additions, "draft", 1, assay_buffer_view(&t->lines),
                                  t->base, err);
    if (!st)
        st = assay_additions_check(&t->additions, t->corpus.path, &o, err);
    if (!st && t->additions.bad.n)
        st = assay_fail(err, ASSAY_EINPUT, "%s", t->additions.bad.text[0]);
    if (!st)
        st = assay_additions_merge(&t->additions, t->path ? t->path : "draft",
                                   t->base ? t->file.text : ASSAY_LIT(""), &t->out, err);
    return st;
}

static assay_status save(task *t, assay_error *err)
{
    assay_status st = t->path ? assay_file_save(t->path, assay_buffer_view(&t->out), err)
                              : assay_cli_print(&t->out, err);

    if (!st && !t->cli->is_quiet)
        fprintf(stderr,
                "assay: %u drafts; none counts until it is checked: "
                "'assay golden create %s --from %s'\n",
                t->additions.n_new, t->path ? t->path : "FILE",
                t->path ? t->path : "FILE");
    return st;
}

static assay_status run_draft(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli, .path = assay_cli_text(cli, "output")};
    assay_status st = assay_corpus_arg_open(cli, assay_cli_text(cli, "corpus"),
                                            ASSAY_CORPUS_READ, &t.corpus, err);

    if (st)
        return st;
    st = load_base(&t, err);
    if (!st)
        st = make(&t, err);
    if (!st)
        st = save(&t, err);
    assay_buffer_clear(&t.out);
    assay_buffer_clear(&t.lines);
    assay_additions_clear(&t.additions);
    assay_file_close(&t.file);
    assay_golden_free(t.base);
    assay_corpus_arg_close(&t.corpus);
    return st;
}

const assay_command assay_command_golden_draft = {
    .name = "golden draft",
    .args = "",
    .summary = "a starter set from the headings of the corpus, to be checked",
    .details =
        "One question for a section, spread over the documents, with the first sentence of "
        "the section as its anchor. All are drafts: they count nowhere until a person has "
        "checked them with 'assay golden create FILE --from FILE'. A file that is there "
        "already is added to.",
    .example = "assay golden draft --corpus main -o golden.yaml\n"
               "assay golden create golden.yaml --from golden.yaml",
    .option = options,
    .max_args = 0,
    .run = run_draft,
};
