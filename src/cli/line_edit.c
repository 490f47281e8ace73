/* SPDX-License-Identifier: Apache-2.0 */
/* The cursor moves over whole characters as people see them: marks without a width of their
 * own belong to the character before. */
#include "cli/line_edit.h"

#include <string.h>

#include "base/utf8.h"
#include "cli/terminal_keys.h"
#include "report/grid.h"

static size_t step(const assay_line_edit *e, size_t at)
{
    return at + assay_utf8_char((assay_slice){e->text.ptr + at, e->text.len - at});
}

static bool is_mark(const assay_line_edit *e, size_t at)
{
    return at < e->text.len && step(e, at) > at + 1 &&
           !assay_display_width((assay_slice){e->text.ptr + at, step(e, at) - at});
}

static size_t next(const assay_line_edit *e, size_t at)
{
    if (at < e->text.len)
        at = step(e, at);
    while (is_mark(e, at))
        at = step(e, at);
    return at;
}

static size_t previous(const assay_line_edit *e, size_t at)
{
    size_t from = 0;

    while (from < at && next(e, from) < at)
        from = next(e, from);
    return at ? from : 0;
}

static void cut(assay_line_edit *e, size_t from, size_t to)
{
    if (from >= to)
        return;
    memmove(e->text.ptr + from, e->text.ptr + to, e->text.len - to);
    e->text.len -= to - from;
    e->at = from;
}

static void insert(assay_line_edit *e, uint32_t code)
{
    char bytes[4];
    size_t len = assay_utf8_put(code, bytes);

    if (!assay_buffer_reserve(&e->text, len))
        return;
    memmove(e->text.ptr + e->at + len, e->text.ptr + e->at, e->text.len - e->at);
    memcpy(e->text.ptr + e->at, bytes, len);
    e->text.len += len;
    e->at += len;
}

static size_t word_start(const assay_line_edit *e)
{
    size_t at = e->at;

    while (at && e->text.ptr[at - 1] == ' ')
        at--;
    while (at && e->text.ptr[at - 1] != ' ')
        at--;
    return at;
}

void assay_line_edit_set(assay_line_edit *edit, assay_slice text)
{
    edit->text.len = 0;
    assay_buffer_slice(&edit->text, text);
    edit->at = edit->text.len;
}

bool assay_line_edit_key(assay_line_edit *edit, uint32_t key)
{
    switch (key) {
    case ASSAY_KEY_LEFT: edit->at = previous(edit, edit->at); return true;
    case ASSAY_KEY_RIGHT: edit->at = next(edit, edit->at); return true;
    case ASSAY_KEY_HOME:
    case ASSAY_KEY_CTRL('a'): edit->at = 0; return true;
    case ASSAY_KEY_END:
    case ASSAY_KEY_CTRL('e'): edit->at = edit->text.len; return true;
    case ASSAY_KEY_BACKSPACE: cut(edit, previous(edit, edit->at), edit->at); return true;
    case ASSAY_KEY_DELETE: cut(edit, edit->at, next(edit, edit->at)); return true;
    case ASSAY_KEY_CTRL('u'): cut(edit, 0, edit->at); return true;
    case ASSAY_KEY_CTRL('k'): edit->text.len = edit->at; return true;
    case ASSAY_KEY_CTRL('w'): cut(edit, word_start(edit), edit->at); return true;
    default: break;
    }
    if (key < ' ' || key >= ASSAY_KEY_FIRST || (key >= 0x7F && key < 0xA0))
        return false;
    insert(edit, key);
    return true;
}

assay_slice assay_line_edit_view(const assay_line_edit *edit, size_t width,
                                 size_t *column)
{
    assay_slice all = assay_buffer_view(&edit->text);
    size_t from = 0;
    size_t to;

    /* A column stays free for the cursor behind the last character. */
    while (from < edit->at &&
           assay_display_width((assay_slice){all.ptr + from, edit->at - from}) + 2 >
               width)
        from = next(edit, from);
    for (to = edit->at; to < all.len; to = next(edit, to))
        if (assay_display_width((assay_slice){all.ptr + from, next(edit, to) - from}) >=
            width)
            break;
    *column = assay_display_width((assay_slice){all.ptr + from, edit->at - from});
    return (assay_slice){all.ptr + from, to - from};
}

void assay_line_edit_clear(assay_line_edit *edit)
{
    assay_buffer_clear(&edit->text);
    edit->at = 0;
}
