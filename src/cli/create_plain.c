/* SPDX-License-Identifier: Apache-2.0 */
/* 'assay golden create' by lines: for terminals that cannot redraw, for screen readers, and
 * for scripts.  Every answer is a number or a word. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "cli/create_session.h"

enum { WIDTH = 76 };

typedef struct plain {
    assay_create_session *s;
    assay_create_card card;
    assay_buffer line;
    assay_buffer out;
    assay_buffer message;
} plain;

/* ---- lines out ---- */

static void flush(plain *p)
{
    if (p->out.len)
        fwrite(p->out.ptr, 1, p->out.len, stdout);
    fflush(stdout);
    p->out.len = 0;
}

static void put_rows(plain *p, assay_slice text)
{
    size_t at = 0;
    assay_slice row;

    while (assay_next_row(text, &at, WIDTH, &row)) {
        assay_buffer_text(&p->out, "    ");
        assay_put_cut(&p->out, row, WIDTH);
        assay_buffer_char(&p->out, '\n');
    }
}

static void put_hit(plain *p, uint32_t i)
{
    const assay_pool_hit *hit = &p->card.hit[i];

    assay_buffer_printf(&p->out, "%u. ", i + 1);
    if (p->card.grade[i] != ASSAY_UNGRADED)
        assay_buffer_printf(&p->out, "[%d] ", p->card.grade[i]);
    assay_put_cut(&p->out, hit->passage->doc, SIZE_MAX);
    if (hit->heading.len) {
        assay_buffer_text(&p->out, ": ");
        assay_put_cut(&p->out, hit->heading, SIZE_MAX);
    }
    assay_buffer_char(&p->out, '\n');
}

static void put_sentences(plain *p, uint32_t i)
{
    const assay_pool_hit *hit = &p->card.hit[i];

    put_hit(p, i);
    for (uint32_t k = 0; k < hit->n_sentences; k++) {
        const assay_pool_sentence *s = &hit->sentence[k];

        assay_buffer_printf(&p->out, "  %u.%u ", i + 1, k + 1);
        assay_put_cut(&p->out,
                      (assay_slice){hit->passage->text.ptr + s->at, s->end - s->at},
                      SIZE_MAX);
        assay_buffer_char(&p->out, '\n');
    }
}

static void put_state(plain *p)
{
    const assay_create_card *c = &p->card;

    assay_put_cut(&p->out, c->id, SIZE_MAX);
    assay_buffer_printf(&p->out, " (%s%s): ", c->is_draft ? "draft" : "checked",
                        c->is_refuse ? ", should refuse" : "");
    assay_put_cut(&p->out, c->text, SIZE_MAX);
    assay_buffer_char(&p->out, '\n');
    if (c->tags.len)
        assay_buffer_printf(&p->out, "tags: %.*s\n", (int)c->tags.len, c->tags.ptr);
    if (c->must.len)
        assay_buffer_printf(&p->out, "must contain: %.*s\n", (int)c->must.len,
                            c->must.ptr);
}

static void put_all(plain *p)
{
    put_state(p);
    if (!p->card.n_hits)
        assay_buffer_text(&p->out, "nothing found\n");
    for (uint32_t i = 0; i < p->card.n_hits; i++) {
        put_hit(p, i);
        put_rows(p, p->card.hit[i].passage->text);
    }
}

static void put_help(plain *p)
{
    assay_buffer_text(
        &p->out,
        "3=2          hit 3 is relevant (2), partly (1), not (0), not judged (x)\n"
        "3            the sentences of hit 3\n"
        "3.2=2        its sentence 2 is the evidence; 3.2-4=2 sentences 2 to 4\n"
        "tags a, b    tags of the question\n"
        "must a | b   strings that a right answer must contain\n"
        "refuse       nothing answers it; once more: take that back\n"
        "done         the question is checked, and counts from now on\n"
        "next         leave it a draft, go on with the next\n"
        "undo, show, help, quit\n");
}

/* ---- lines in ---- */

/* False at the end. */
static bool read_line(plain *p, const char *prompt)
{
    int c;

    assay_buffer_text(&p->out, prompt);
    flush(p);
    p->line.len = 0;
    while ((c = getc(stdin)) != EOF && c != '\n')
        assay_buffer_char(&p->line, (char)c);
    return c != EOF || p->line.len;
}

static const struct {
    const char *word;
    assay_create_wish wish;
    bool has_text;
} words[] = {
    {"tags", ASSAY_WISH_TAGS, true},      {"must", ASSAY_WISH_MUST, true},
    {"refuse", ASSAY_WISH_REFUSE, false}, {"done", ASSAY_WISH_FINISH, false},
    {"next", ASSAY_WISH_NEXT, false},     {"undo", ASSAY_WISH_UNDO, false},
    {"quit", ASSAY_WISH_QUIT, false},
};

static bool read_word(assay_slice line, assay_create_act *act, assay_slice *rest)
{
    for (size_t i = 0; i < ASSAY_COUNT(words); i++) {
        size_t len = strlen(words[i].word);

        if (!assay_slice_starts(line, words[i].word) ||
            (line.len > len && line.ptr[len] != ' '))
            continue;
        *rest = assay_slice_trim((assay_slice){line.ptr + len, line.len - len});
        if (rest->len && !words[i].has_text)
            continue;
        act->wish = words[i].wish;
        return true;
    }
    return false;
}

/* A number from 1 to `most`, as an index. */
static bool read_number(assay_slice text, uint32_t most, uint32_t *out)
{
    uint32_t n;

    if (!assay_slice_to_u32(assay_slice_trim(text), &n) || !n || n > most)
        return false;
    *out = n - 1;
    return true;
}

/* "3", "3.2", "3.2-4". */
static bool read_place(const plain *p, assay_slice text, assay_create_act *act)
{
    assay_slice hit;
    assay_slice first;
    uint32_t n;

    if (!assay_slice_part(&text, '.', &hit) ||
        !read_number(hit, p->card.n_hits, &act->hit))
        return false;
    act->first = act->last = ASSAY_NONE;
    if (!text.len)
        return true;
    n = p->card.hit[act->hit].n_sentences;
    if (!assay_slice_part(&text, '-', &first) || !read_number(first, n, &act->first))
        return false;
    act->last = act->first;
    return !text.len || (read_number(text, n, &act->last) && act->last >= act->first);
}

/* "3=2", "3.2=x". */
static bool read_mark(const plain *p, assay_slice line, assay_create_act *act)
{
    assay_slice place;

    if (!assay_slice_part(&line, '=', &place) || !read_place(p, place, act))
        return false;
    line = assay_slice_trim(line);
    act->wish = ASSAY_WISH_JUDGE;
    if (assay_slice_is(line, "x")) {
        act->wish = ASSAY_WISH_UNJUDGE;
        return true;
    }
    return assay_slice_to_i32(line, &act->grade) && act->grade >= 0 && act->grade <= 2;
}

/* ---- the talk ---- */

static assay_status refresh(plain *p, assay_create_next next, assay_error *err)
{
    assay_status st = assay_create_card_of(p->s, &p->card, err);

    if (!st && next == ASSAY_NEXT_OTHER)
        put_all(p);
    else if (!st)
        put_state(p);
    return st;
}

static void say(plain *p)
{
    if (p->message.len) {
        assay_put_cut(&p->out, assay_buffer_view(&p->message), SIZE_MAX);
        assay_buffer_char(&p->out, '\n');
    }
    p->message.len = 0;
}

static assay_status act_on(plain *p, const assay_create_act *act, assay_slice rest,
                           assay_create_next *next, assay_error *err)
{
    assay_status st = assay_create_do(p->s, act, rest, next, &p->message, err);

    if (st)
        return st;
    if (*next == ASSAY_NEXT_STAY && act->wish == ASSAY_WISH_JUDGE && p->message.len) {
        say(p);
        return assay_create_card_of(p->s, &p->card, err);
    }
    if (*next == ASSAY_NEXT_STAY || *next == ASSAY_NEXT_OTHER)
        st = refresh(p, *next, err);
    say(p);
    return st;
}

static assay_status answer(plain *p, assay_create_next *next, assay_error *err)
{
    assay_create_act act = {.first = ASSAY_NONE, .last = ASSAY_NONE};
    assay_slice line;
    assay_slice rest = {"", 0};

    *next = ASSAY_NEXT_STAY;
    if (!read_line(p, "> ")) {
        *next = ASSAY_NEXT_QUIT;
        return ASSAY_OK;
    }
    line = assay_slice_trim(assay_buffer_view(&p->line));
    if (read_word(line, &act, &rest) || read_mark(p, line, &act))
        return act_on(p, &act, rest, next, err);
    if (assay_slice_is(line, "show"))
        put_all(p);
    else if (read_place(p, line, &act))
        put_sentences(p, act.hit);
    else if (assay_slice_is(line, "help") || assay_slice_is(line, "?"))
        put_help(p);
    else if (line.len)
        assay_buffer_text(&p->out, "that means nothing here; 'help' lists what does\n");
    return ASSAY_OK;
}

static assay_status ask(plain *p, assay_create_next *next, assay_error *err)
{
    assay_create_act act = {.wish = ASSAY_WISH_ASK};
    assay_slice line;

    *next = ASSAY_NEXT_QUIT;
    if (!read_line(p, "question (empty: the next draft; undo, quit): "))
        return ASSAY_OK;
    line = assay_slice_trim(assay_buffer_view(&p->line));
    if (assay_slice_is(line, "quit"))
        return ASSAY_OK;
    if (assay_slice_is(line, "undo"))
        act.wish = ASSAY_WISH_UNDO;
    return act_on(p, &act, line, next, err);
}

assay_status assay_create_plain(assay_create_session *s, assay_error *err)
{
    plain p = {.s = s};
    assay_create_next next = ASSAY_NEXT_ASK;
    assay_status st = assay_create_advance(s, &next, &p.message, err);

    if (!st && next == ASSAY_NEXT_OTHER)
        st = refresh(&p, next, err);
    say(&p);
    while (!st && next != ASSAY_NEXT_QUIT)
        st = next == ASSAY_NEXT_ASK ? ask(&p, &next, err) : answer(&p, &next, err);
    flush(&p);
    assay_buffer_clear(&p.line);
    assay_buffer_clear(&p.out);
    assay_buffer_clear(&p.message);
    return st;
}
