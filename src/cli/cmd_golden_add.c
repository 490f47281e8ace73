/* SPDX-License-Identifier: Apache-2.0 */
/* assay golden add: queries and judgments put into a golden set without an editor. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diff.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/slice.h"
#include "cli/golden_arg.h"
#include "cli/holds.h"
#include "golden/additions.h"

/* How an option becomes the value of a key of the same name. */
typedef enum shape { SHAPE_TEXT, SHAPE_LIST, SHAPE_FLAG, SHAPE_GRADE } shape;

static const struct {
    const char *option;
    const char *key;
    shape shape;
} keys[] = {
    {"id", "id", SHAPE_TEXT},
    {"query", "query", SHAPE_TEXT},
    {"lang", "lang", SHAPE_TEXT},
    {"difficulty", "difficulty", SHAPE_TEXT},
    {"category", "category", SHAPE_TEXT},
    {"tag", "tags", SHAPE_LIST},
    {"group", "group", SHAPE_TEXT},
    {"state", "state", SHAPE_TEXT},
    {"doc", "doc", SHAPE_TEXT},
    {"chunk", "chunk", SHAPE_TEXT},
    {"quote", "quote", SHAPE_TEXT},
    {"span", "span", SHAPE_TEXT},
    {"chars", "chars", SHAPE_TEXT},
    {"lines", "lines", SHAPE_TEXT},
    {"heading", "heading", SHAPE_TEXT},
    {"grade", "grade", SHAPE_GRADE},
    {"subtopic", "subtopic", SHAPE_TEXT},
    {"must-contain", "must_contain", SHAPE_LIST},
    {"forbidden", "forbidden", SHAPE_LIST},
    {"expected-answer", "expected_answer", SHAPE_TEXT},
    {"should-refuse", "should_refuse", SHAPE_FLAG},
    {"notes", "notes", SHAPE_TEXT},
};

static const assay_option options[] = {
    {'q', "query", ASSAY_OPTION_TEXT, "TEXT", NULL, "what is asked"},
    {0, "id", ASSAY_OPTION_TEXT, "ID", NULL,
     "id of the query; default that of the same text, else a new one"},
    {'d', "doc", ASSAY_OPTION_TEXT, "DOC", NULL, "document that answers it"},
    {0, "quote", ASSAY_OPTION_TEXT, "TEXT", NULL, "the passage, word for word"},
    {0, "lines", ASSAY_OPTION_TEXT, "A-B", NULL, "its lines; with a quote: which one"},
    {0, "span", ASSAY_OPTION_TEXT, "A-B", NULL, "its bytes"},
    {0, "chars", ASSAY_OPTION_TEXT, "A-B", NULL, "its characters"},
    {0, "heading", ASSAY_OPTION_TEXT, "PATH", NULL, "its section: Refunds > Approval"},
    {0, "chunk", ASSAY_OPTION_TEXT, "ID", NULL, "a chunk, by its id"},
    {0, "grade", ASSAY_OPTION_TEXT, "N", NULL, "how relevant (1)"},
    {0, "subtopic", ASSAY_OPTION_TEXT, "NAME", NULL, "of the judgment"},
    {0, "lang", ASSAY_OPTION_TEXT, "LANG", NULL, "of the query"},
    {0, "difficulty", ASSAY_OPTION_TEXT, "WORD", NULL, "of the query"},
    {0, "category", ASSAY_OPTION_TEXT, "WORD", NULL, "of the query"},
    {0, "tag", ASSAY_OPTION_LIST, "WORD", NULL, "of the query; may be repeated"},
    {0, "group", ASSAY_OPTION_TEXT, "WORD", NULL, "variants of one question"},
    {0, "state", ASSAY_OPTION_CHOICE, "STATE", "checked|draft", "a draft never counts"},
    {0, "must-contain", ASSAY_OPTION_LIST, "TEXT", NULL, "a right answer has it"},
    {0, "forbidden", ASSAY_OPTION_LIST, "TEXT", NULL, "a right answer has it not"},
    {0, "expected-answer", ASSAY_OPTION_TEXT, "TEXT", NULL, "the right answer"},
    {0, "should-refuse", ASSAY_OPTION_FLAG, NULL, NULL, "nothing answers it"},
    {0, "notes", ASSAY_OPTION_TEXT, "TEXT", NULL, "for people"},
    {0, "from", ASSAY_OPTION_TEXT, "FILE", NULL,
     "JSON lines with the same keys instead; - is standard input"},
    {'n', "dry-run", ASSAY_OPTION_FLAG, NULL, NULL, "show the change, write nothing"},
    ASSAY_OPTIONS_CORPUS,
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* ---- what is added ---- */

static bool is_given(const assay_cli *cli, size_t i)
{
    return keys[i].shape == SHAPE_FLAG   ? assay_cli_flag(cli, keys[i].option)
           : keys[i].shape == SHAPE_LIST ? assay_cli_item(cli, keys[i].option, 0) != NULL
                                         : assay_cli_text(cli, keys[i].option) != NULL;
}

static assay_status put_grade(const char *text, assay_json_writer *w, assay_error *err)
{
    int32_t grade;

    if (!assay_slice_to_i32(assay_slice_of(text), &grade))
        return assay_fail(err, ASSAY_EUSAGE, "--grade '%.80s' is not a whole number",
                          text);
    assay_json_int(w, grade);
    return ASSAY_OK;
}

/* The options as the line that would say the same. */
static assay_status put_options(const assay_cli *cli, assay_buffer *out, assay_error *err)
{
    assay_json_writer w = assay_json_writer_of(out, 0);
    const char *item;
    assay_status st = ASSAY_OK;

    assay_json_object(&w);
    for (size_t i = 0; !st && i < ASSAY_COUNT(keys); i++) {
        if (!is_given(cli, i))
            continue;
        assay_json_key(&w, keys[i].key);
        switch (keys[i].shape) {
        case SHAPE_TEXT: assay_json_text(&w, assay_cli_text(cli, keys[i].option)); break;
        case SHAPE_FLAG: assay_json_bool(&w, true); break;
        case SHAPE_GRADE:
            st = put_grade(assay_cli_text(cli, keys[i].option), &w, err);
            break;
        case SHAPE_LIST:
            assay_json_list(&w);
            for (uint32_t k = 0; (item = assay_cli_item(cli, keys[i].option, k)); k++)
                assay_json_text(&w, item);
            assay_json_list_end(&w);
            break;
        }
    }
    if (st)
        return st;
    assay_json_object_end(&w);
    return out->has_failed ? assay_fail_memory(err, "reading the options") : ASSAY_OK;
}

static assay_status read_options(const assay_cli *cli, const assay_golden *base,
                                 assay_additions *out, assay_error *err)
{
    assay_buffer line = ASSAY_BUFFER_EMPTY;
    assay_status st = put_options(cli, &line, err);

    if (!st)
        st = assay_additions_read(out, "command line", 0, assay_buffer_view(&line), base,
                                  err);
    assay_buffer_clear(&line);
    return st;
}

static assay_status read_additions(const assay_cli *cli, const assay_golden *base,
                                   assay_additions *out, assay_error *err)
{
    const char *from = assay_cli_text(cli, "from");
    assay_file file = {0};
    bool has_options = false;
    assay_status st;

    for (size_t i = 0; i < ASSAY_COUNT(keys); i++)
        has_options |= is_given(cli, i);
    if (from && has_options)
        return assay_fail(err, ASSAY_EUSAGE,
                          "--from has all keys in its lines; leave the others out");
    if (has_options)
        return read_options(cli, base, out, err);
    if (!from && isatty(STDIN_FILENO))
        return assay_fail(err, ASSAY_EUSAGE,
                          "what is to be added? --query and --doc, or JSON lines on "
                          "standard input");
    st = assay_file_open(&file, from ? from : "-", err);
    if (st)
        return st;
    st = assay_additions_read(out, from && strcmp(from, "-") != 0 ? from : "stdin", 1,
                              file.text, base, err);
    assay_file_close(&file);
    return st;
}

/* ---- the command ---- */

typedef struct task {
    assay_cli *cli;
    assay_workspace ws;
    assay_golden_choice choice;
    assay_golden *base; /* null: the file is made */
    assay_file file;    /* its bytes */
    assay_additions additions;
    const char *corpus; /* null: none was named */
    assay_buffer out;
} task;

static assay_status load_base(task *t, assay_error *err)
{
    const assay_golden_options o = {0};
    assay_status st;

    if (!assay_file_exists(t->choice.path))
        return ASSAY_OK;
    st = assay_golden_choice_load(&t->ws, &t->choice, &o, &t->base, err);
    if (!st)
        st = assay_file_open(&t->file, t->choice.path, err);
    if (!st && strcmp(t->base->format->name, "assay") != 0)
        st = assay_fail(err, ASSAY_EUSAGE,
                        "'%s' is %s; 'assay golden convert --to assay' makes it one that "
                        "can be added to",
                        t->choice.path, t->base->format->title);
    return st;
}

static assay_status refuse(const task *t, assay_error *err)
{
    const assay_notes *bad = &t->additions.bad;

    for (size_t i = 0; i + 1 < bad->n; i++)
        fprintf(stderr, "assay: %s\n", bad->text[i]);
    if (bad->n == 1)
        return assay_fail(err, ASSAY_EINPUT, "%s", bad->text[0]);
    fprintf(stderr, "assay: %s\n", bad->text[bad->n - 1]);
    return assay_fail(err, ASSAY_EINPUT, "%zu are bad, so nothing was added", bad->n);
}

static assay_status check(task *t, assay_error *err)
{
    const assay_trace_options o = {0};
    const char *name = assay_cli_text(t->cli, "corpus");
    assay_status st = ASSAY_OK;

    if (!t->additions.bad.n && !t->additions.set->n_queries)
        return assay_fail(err, ASSAY_EINPUT, "nothing to add: there are no lines");
    if (name && !t->additions.bad.n) {
        st = assay_workspace_corpus(&t->ws, name, &t->corpus, err);
        if (!st)
            st = assay_additions_check(&t->additions, t->corpus, &o, err);
    }
    if (!st && t->additions.bad.n)
        st = refuse(t, err);
    return st;
}

static assay_status save(task *t, assay_error *err)
{
    const assay_additions *a = &t->additions;
    assay_buffer diff = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    if (assay_cli_flag(t->cli, "dry-run") || t->cli->is_verbose) {
        if (!assay_diff(t->choice.path, t->file.text.ptr ? t->file.text : ASSAY_LIT(""),
                        t->choice.path, assay_buffer_view(&t->out), 3, &diff))
            st = assay_fail_memory(err, "comparing");
        if (!st)
            st = assay_cli_print(&diff, err);
        assay_buffer_clear(&diff);
    }
    if (st || assay_cli_flag(t->cli, "dry-run"))
        return st;
    st = assay_file_save(t->choice.path, assay_buffer_view(&t->out), err);
    if (!st && !t->cli->is_quiet)
        fprintf(stderr, "assay: %s: %u new %s, %u %s added%s\n", t->choice.path, a->n_new,
                a->n_new == 1 ? "query" : "queries", a->n_judgments,
                a->n_judgments == 1 ? "judgment" : "judgments",
                assay_cli_text(t->cli, "corpus") ? "" : ", not checked against a corpus");
    if (!st && t->corpus)
        st = assay_hold_file(&t->ws, t->choice.path, t->corpus, err);
    return st;
}

static assay_status run_add(assay_cli *cli, assay_error *err)
{
    task t = {.cli = cli};
    assay_status st = assay_workspace_open(cli, &t.ws, err);

    if (!st)
        st = assay_golden_choose(&t.ws, cli->n_args ? cli->arg[0] : NULL, &t.choice, err);
    if (!st)
        st = load_base(&t, err);
    if (!st)
        st = read_additions(cli, t.base, &t.additions, err);
    if (!st)
        st = check(&t, err);
    if (!st)
        st = assay_additions_merge(&t.additions, t.choice.path,
                                   t.base ? t.file.text : ASSAY_LIT(""), &t.out, err);
    if (!st)
        st = save(&t, err);
    assay_buffer_clear(&t.out);
    assay_additions_clear(&t.additions);
    assay_file_close(&t.file);
    assay_golden_free(t.base);
    assay_workspace_close(&t.ws);
    return st;
}

const assay_command assay_command_golden_add = {
    .name = "golden add",
    .args = "[FILE]",
    .summary = "add queries and judgments to a golden set, checked",
    .details =
        "One judgment by options, or many as JSON lines with the keys of assay's own "
        "format, those of one judgment beside those of its query. With --corpus every "
        "quote must be found, at one place only unless lines or a span say which. All or "
        "nothing: each bad line is told, and then nothing is written. The file keeps its "
        "comments and its style; it is made when it is not there.",
    .example =
        "assay golden add golden.yaml --query 'Who approves refunds?' \\\n"
        "    --doc policies/refunds.md --quote 'approved by the finance lead' --corpus main\n"
        "assay golden add golden.yaml --from new.jsonl --dry-run",
    .option = options,
    .max_args = 1,
    .run = run_add,
};
