/* SPDX-License-Identifier: Apache-2.0 */
/* assay golden create: questions and judgments, written while looking at the corpus. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/create_session.h"
#include "cli/retrieve_arg.h"
#include "cli/store_arg.h"
#include "cli/terminal.h"

static const assay_option options[] = {
    {'m', "method", ASSAY_OPTION_TEXT, "LIST", NULL,
     "retrievers whose hits are pooled, with commas; default all"},
    {'k', "depth", ASSAY_OPTION_COUNT, "N", NULL, "hits of each retriever (10)"},
    {0, "from", ASSAY_OPTION_TEXT, "FILE", NULL,
     "questions to walk: one a line, or the drafts of a golden set"},
    {0, "from-run", ASSAY_OPTION_LIST, "RUN", NULL,
     "ask about hits of this run (of these two); a file or a stored run"},
    {0, "unjudged", ASSAY_OPTION_FLAG, NULL, NULL,
     "only about hits that nobody judged, until the verdict cannot flip"},
    {0, "metric", ASSAY_OPTION_TEXT, "NAME", NULL,
     "whose value is at stake: precision@k (10), rbp@k, hit@k, mrr@k"},
    {0, "width", ASSAY_OPTION_REAL, "W", NULL,
     "one run: stop when its bounds are so close (0.05)"},
    {0, "plain", ASSAY_OPTION_FLAG, NULL, NULL,
     "prompts and numbered answers instead of a screen"},
    ASSAY_OPTIONS_RETRIEVE,
    ASSAY_OPTIONS_STORE,
    ASSAY_OPTIONS_CORPUS,
    {0, NULL, ASSAY_OPTION_FLAG, NULL, NULL, NULL},
};

/* ---- the screen ---- */

typedef struct screen {
    assay_create_session *s;
    assay_create_model model;
    assay_terminal terminal;
    assay_picture picture;
} screen;

static void draw(screen *w)
{
    w->model.rows = w->terminal.rows;
    w->model.columns = w->terminal.columns;
    assay_create_count(w->s, &w->model.n_checked, &w->model.n_drafts,
                       &w->model.n_waiting);
    assay_create_draw(&w->model, &w->picture);
    if (!w->picture.text.has_failed)
        assay_terminal_draw(&w->terminal, &w->picture);
}

/* Let the model show what is at hand now. */
static assay_status follow(screen *w, assay_create_next next, assay_error *err)
{
    assay_create_card card;
    assay_status st;

    if (next == ASSAY_NEXT_ASK)
        assay_create_ask(&w->model);
    if (next != ASSAY_NEXT_STAY && next != ASSAY_NEXT_OTHER)
        return ASSAY_OK;
    if (w->s->query == ASSAY_NONE)
        return ASSAY_OK;
    st = assay_create_card_of(w->s, &card, err);
    if (!st)
        assay_create_show(&w->model, &card, next == ASSAY_NEXT_STAY);
    return st;
}

static assay_status talk(screen *w, assay_error *err)
{
    assay_create_next next = ASSAY_NEXT_ASK;
    assay_status st = assay_create_advance(w->s, &next, &w->model.message, err);

    if (!st)
        st = follow(w, next, err);
    while (!st && next != ASSAY_NEXT_QUIT) {
        assay_create_act act;

        draw(w);
        act = assay_create_key(&w->model, assay_terminal_key(&w->terminal));
        if (w->terminal.signal)
            break;
        if (act.wish == ASSAY_WISH_NONE)
            continue;
        st = assay_create_do(w->s, &act, assay_buffer_view(&w->model.line.text), &next,
                             &w->model.message, err);
        if (!st)
            st = follow(w, next, err);
    }
    return st;
}

static assay_status on_screen(assay_create_session *s, assay_error *err)
{
    screen w = {.s = s, .model = {.title = s->choice.path, .is_unjudged = s->unjudged}};
    assay_status st = assay_terminal_open(&w.terminal, err);
    int number;

    if (st)
        return st;
    st = talk(&w, err);
    number = w.terminal.signal;
    assay_terminal_close(&w.terminal);
    assay_create_clear(&w.model);
    assay_buffer_clear(&w.picture.text);
    /* Everything is saved, so a signal may do now what it was sent for. */
    if (!st && number)
        (void)raise(number);
    return st;
}

/* ---- the command ---- */

static void say_end(const assay_create_session *s)
{
    uint32_t n_checked;
    uint32_t n_drafts;
    uint32_t n_waiting;
    double low;
    double high;

    if (s->cli->is_quiet)
        return;
    assay_create_count(s, &n_checked, &n_drafts, &n_waiting);
    if (s->unjudged) {
        assay_unjudged_bounds(s->unjudged, &low, &high);
        fprintf(stderr, "assay: %s: the %s is between %.4f and %.4f\n",
                s->is_decided ? "decided" : "not decided yet",
                s->unjudged->n_runs > 1 ? "difference" : "mean", low, high);
        if (s->n_lost)
            assay_cli_warn(s->cli,
                           "%u hits were not asked about: the corpus or the golden set "
                           "does not have them",
                           s->n_lost);
        return;
    }
    fprintf(stderr, "assay: %s: %u checked, %u %s\n", s->choice.path, n_checked, n_drafts,
            n_drafts == 1 ? "draft" : "drafts");
}

static assay_status run_create(assay_cli *cli, assay_error *err)
{
    bool is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    bool is_plain = assay_cli_flag(cli, "plain") || cli->is_dumb;
    assay_create_session s;
    assay_status st;

    if (!is_terminal && !is_plain)
        return assay_fail(
            err, ASSAY_EUSAGE,
            "this wants a terminal; --plain goes by lines, and 'assay golden "
            "add' takes options or JSON lines");
    st = assay_create_open(&s, cli, err);
    if (st)
        return st;
    assay_cli_warn_notes(cli, &s.pool.notes);
    st = is_plain ? assay_create_plain(&s, err) : on_screen(&s, err);
    if (!st)
        say_end(&s);
    assay_create_close(&s);
    return st;
}

const assay_command assay_command_golden_create = {
    .name = "golden create",
    .args = "[FILE]",
    .summary = "write questions and judge what is found, in a terminal",
    .details =
        "Type a question; what all retrievers find is pooled, blind to which found what. "
        "Mark hits relevant (2), partly (1) or not (0), or choose the very sentence as a "
        "quote. Every change is in the file at once; u takes it back. A question is a draft "
        "until it is done, and drafts never count. With --from-run and --unjudged only hits "
        "that nobody judged are asked about, those first that would move the metric most, "
        "until no verdict can flip: of two runs the sign of their difference, of one the "
        "value up to --width. ? shows the keys.",
    .example = "assay golden create golden.yaml --corpus main\n"
               "assay golden create golden.yaml --from queries.txt\n"
               "assay golden create golden.yaml --from-run latest --from-run baseline "
               "--unjudged",
    .option = options,
    .max_args = 1,
    .run = run_create,
};
