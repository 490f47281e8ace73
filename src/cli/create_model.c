/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/create_model.h"

#include "base/slice.h"
#include "cli/terminal_keys.h"

static const assay_create_act nothing = {.wish = ASSAY_WISH_NONE};

static assay_create_act wish(assay_create_wish what)
{
    return (assay_create_act){.wish = what, .first = ASSAY_NONE, .last = ASSAY_NONE};
}

void assay_create_ask(assay_create_model *m)
{
    m->mode = ASSAY_CREATE_ASK;
    m->card = (assay_create_card){0};
    assay_line_edit_set(&m->line, ASSAY_LIT(""));
}

void assay_create_show(assay_create_model *m, const assay_create_card *card, bool is_same)
{
    m->card = *card;
    if (is_same && m->cursor < card->n_hits)
        return;
    m->mode = ASSAY_CREATE_HITS;
    m->cursor = m->top = m->scroll = m->first = m->last = 0;
}

void assay_create_clear(assay_create_model *m)
{
    assay_line_edit_clear(&m->line);
    assay_buffer_clear(&m->message);
}

/* ---- typing ---- */

static assay_create_act typing(assay_create_model *m, uint32_t key)
{
    static const assay_create_wish done[] = {[ASSAY_CREATE_ASK] = ASSAY_WISH_ASK,
                                             [ASSAY_CREATE_TAGS] = ASSAY_WISH_TAGS,
                                             [ASSAY_CREATE_MUST] = ASSAY_WISH_MUST};
    assay_create_wish what = done[m->mode];
    bool is_question = m->mode == ASSAY_CREATE_ASK;

    if (key == ASSAY_KEY_ENTER) {
        if (!is_question)
            m->mode = ASSAY_CREATE_HITS;
        return wish(what);
    }
    if (key == ASSAY_KEY_ESCAPE || key == ASSAY_KEY_CTRL('c') ||
        (key == ASSAY_KEY_CTRL('d') && !m->line.text.len)) {
        if (is_question)
            return wish(ASSAY_WISH_QUIT);
        m->mode = ASSAY_CREATE_HITS;
        return nothing;
    }
    if (is_question && key == ASSAY_KEY_CTRL('z'))
        return wish(ASSAY_WISH_UNDO);
    (void)assay_line_edit_key(&m->line, key);
    return nothing;
}

static assay_create_act type(assay_create_model *m, assay_create_mode mode,
                             assay_slice text)
{
    m->mode = mode;
    assay_line_edit_set(&m->line, text);
    return nothing;
}

/* ---- hits ---- */

static void move(assay_create_model *m, int by)
{
    if (by < 0 && m->cursor)
        m->cursor--;
    else if (by > 0 && m->cursor + 1 < m->card.n_hits)
        m->cursor++;
    else
        return;
    m->scroll = m->first = m->last = 0;
}

static assay_create_act judge(const assay_create_model *m, uint32_t key)
{
    bool is_sentence = m->mode == ASSAY_CREATE_SENTENCE;
    assay_create_act act = {.wish = key == 'x' ? ASSAY_WISH_UNJUDGE : ASSAY_WISH_JUDGE,
                            .hit = m->cursor,
                            .grade = (int32_t)key - '0',
                            .first = is_sentence ? m->first : ASSAY_NONE,
                            .last = is_sentence ? m->last : ASSAY_NONE};

    return m->card.n_hits ? act : nothing;
}

static assay_create_act choose_sentence(assay_create_model *m)
{
    if (m->card.n_hits && m->card.hit[m->cursor].n_sentences) {
        m->mode = ASSAY_CREATE_SENTENCE;
        m->first = m->last = 0;
    }
    return nothing;
}

static assay_create_act help(assay_create_model *m)
{
    m->before = m->mode;
    m->mode = ASSAY_CREATE_HELP;
    return nothing;
}

static assay_create_act hits(assay_create_model *m, uint32_t key)
{
    switch (key) {
    case ASSAY_KEY_UP:
    case 'k': move(m, -1); return nothing;
    case ASSAY_KEY_DOWN:
    case 'j': move(m, 1); return nothing;
    case ASSAY_KEY_HOME: m->cursor = m->scroll = 0; return nothing;
    case ASSAY_KEY_END:
        m->cursor = m->card.n_hits ? m->card.n_hits - 1 : 0;
        m->scroll = 0;
        return nothing;
    /* The view takes back what goes beyond the end. */
    case ASSAY_KEY_PAGE_DOWN:
    case ' ': m->scroll += 5; return nothing;
    case ASSAY_KEY_PAGE_UP:
    case 'b': m->scroll -= m->scroll < 5 ? m->scroll : 5; return nothing;
    case '0':
    case '1':
    case '2':
    case 'x': return judge(m, key);
    case ASSAY_KEY_TAB:
    case ASSAY_KEY_RIGHT:
    case 's': return choose_sentence(m);
    case 't': return type(m, ASSAY_CREATE_TAGS, m->card.tags);
    case 'm': return type(m, ASSAY_CREATE_MUST, m->card.must);
    case 'r': return wish(ASSAY_WISH_REFUSE);
    case ASSAY_KEY_ENTER:
    case 'f': return wish(ASSAY_WISH_FINISH);
    case 'n': return wish(ASSAY_WISH_NEXT);
    case 'u': return wish(ASSAY_WISH_UNDO);
    case '?':
    case 'h': return help(m);
    case 'q':
    case ASSAY_KEY_CTRL('c'):
    case ASSAY_KEY_CTRL('d'): return wish(ASSAY_WISH_QUIT);
    default: return nothing;
    }
}

/* ---- sentences ---- */

static void go_to(assay_create_model *m, uint32_t sentence)
{
    m->first = m->last = sentence;
}

static assay_create_act sentences(assay_create_model *m, uint32_t key)
{
    uint32_t n = m->card.hit[m->cursor].n_sentences;
    assay_create_act act;

    switch (key) {
    case ASSAY_KEY_UP:
    case ASSAY_KEY_LEFT:
    case 'k': go_to(m, m->first ? m->first - 1 : 0); return nothing;
    case ASSAY_KEY_DOWN:
    case ASSAY_KEY_RIGHT:
    case 'j': go_to(m, m->last + 1 < n ? m->last + 1 : n - 1); return nothing;
    case ASSAY_KEY_HOME: go_to(m, 0); return nothing;
    case ASSAY_KEY_END: go_to(m, n - 1); return nothing;
    case '+':
    case ' ': m->last += m->last + 1 < n; return nothing;
    case '-': m->last -= m->last > m->first; return nothing;
    case '0':
    case '1':
    case '2':
    case 'x':
        act = judge(m, key);
        m->mode = ASSAY_CREATE_HITS;
        return act;
    case ASSAY_KEY_ESCAPE:
    case ASSAY_KEY_TAB:
    case 's':
    case 'q': m->mode = ASSAY_CREATE_HITS; return nothing;
    case '?':
    case 'h': return help(m);
    case 'u': return wish(ASSAY_WISH_UNDO);
    case ASSAY_KEY_CTRL('c'): return wish(ASSAY_WISH_QUIT);
    default: return nothing;
    }
}

assay_create_act assay_create_key(assay_create_model *m, uint32_t key)
{
    if (key == ASSAY_KEY_NONE)
        return nothing;
    m->message.len = 0;
    switch (m->mode) {
    case ASSAY_CREATE_HITS: return hits(m, key);
    case ASSAY_CREATE_SENTENCE: return sentences(m, key);
    case ASSAY_CREATE_HELP: m->mode = m->before; return nothing;
    default: return typing(m, key);
    }
}
