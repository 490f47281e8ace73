/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/html_write.h"

#include <string.h>

#include "base/slice.h"

static void put_prefix(assay_html_writer *w, size_t len)
{
    assay_buffer_add(w->out, w->prefix, len);
}

/* A line with nothing in it: the prefix that what is above and below share, without blanks
 * at its end. */
static void put_blank_line(assay_html_writer *w)
{
    size_t len = w->prefix_len < w->shared ? w->prefix_len : w->shared;

    while (len && w->prefix[len - 1] == ' ')
        len--;
    put_prefix(w, len);
    assay_buffer_char(w->out, '\n');
}

/* What stands before a word: breaks, prefix and mark, or a blank. */
static void flush(assay_html_writer *w)
{
    bool is_line = w->breaks && !w->in_line;

    if (!w->is_begun || is_line) {
        if (w->is_begun)
            assay_buffer_char(w->out, '\n');
        if (w->is_begun && w->breaks > 1)
            put_blank_line(w);
        put_prefix(w, w->prefix_len - w->mark_indent);
        assay_buffer_add(w->out, w->mark, w->mark_len);
        w->mark_len = w->mark_indent = 0;
    } else if ((w->wants_space || w->breaks) && !w->is_fresh) {
        assay_buffer_char(w->out, ' ');
    }
    w->is_begun = true;
    w->is_fresh = false;
    w->wants_space = false;
    w->breaks = 0;
}

void assay_html_break(assay_html_writer *w, uint32_t n)
{
    if (w->mark_len || w->in_pre)
        return;
    if (!w->breaks || w->prefix_len < w->shared)
        w->shared = w->prefix_len;
    if (w->breaks < n)
        w->breaks = n;
}

void assay_html_line(assay_html_writer *w)
{
    if (w->in_pre)
        assay_buffer_char(&w->pre, '\n');
    else
        assay_html_break(w, w->breaks < 2 ? w->breaks + 1 : 2);
}

void assay_html_mark(assay_html_writer *w, const char *mark)
{
    size_t len = strlen(mark);

    if (w->in_line || w->in_pre || w->mark_len + len > ASSAY_HTML_MARK)
        return;
    memcpy(w->mark + w->mark_len, mark, len);
    w->mark_len += len;
}

void assay_html_unmark(assay_html_writer *w)
{
    w->mark_len = w->mark_indent = 0;
}

size_t assay_html_push(assay_html_writer *w, const char *prefix)
{
    size_t len = strlen(prefix);

    /* Deeper than this nobody can see it, and lines would grow without end. */
    if (w->in_line || w->in_pre || w->prefix_len + len > ASSAY_HTML_PREFIX)
        return 0;
    memcpy(w->prefix + w->prefix_len, prefix, len);
    w->prefix_len += len;
    return len;
}

void assay_html_pop(assay_html_writer *w, size_t n)
{
    w->prefix_len -= n;
    if (w->mark_indent > w->prefix_len)
        assay_html_unmark(w);
}

/* White space at p, a no-break space too: its length, or 0. */
static size_t space_at(const char *p, const char *end)
{
    if (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r' || *p == '\f')
        return 1;
    return end - p >= 2 && p[0] == '\xc2' && p[1] == '\xa0' ? 2 : 0;
}

void assay_html_text(assay_html_writer *w, assay_slice text)
{
    const char *p = text.ptr;
    const char *end = p + text.len;

    if (w->in_pre) {
        assay_buffer_slice(&w->pre, text);
        return;
    }
    while (p < end) {
        const char *word = p;
        size_t n = space_at(p, end);

        if (n) {
            w->wants_space = true;
            p += n;
            continue;
        }
        while (p < end && !space_at(p, end) && !(w->in_cell && *p == '|'))
            p++;
        flush(w);
        assay_buffer_add(w->out, word, (size_t)(p - word));
        if (p < end && w->in_cell && *p == '|') {
            assay_buffer_text(w->out, "\\|");
            p++;
        }
    }
}

/* The longest run of backticks. */
static size_t ticks_in(assay_slice text)
{
    size_t most = 0;
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++) {
        n = text.ptr[i] == '`' ? n + 1 : 0;
        most = n > most ? n : most;
    }
    return most;
}

/* Fences stand at the left edge: what is between them is kept as it is. */
void assay_html_pre_end(assay_html_writer *w)
{
    assay_slice text = assay_buffer_view(&w->pre);
    size_t ticks = ticks_in(text);
    size_t prefix = w->prefix_len;

    if (!assay_slice_trim(text).len) {
        w->pre.len = 0;
        return;
    }
    ticks = ticks < 3 ? 3 : ticks + 1;
    assay_html_unmark(w);
    assay_html_break(w, 2);
    w->prefix_len = 0;
    flush(w);
    w->prefix_len = prefix;
    for (size_t i = 0; i < ticks; i++)
        assay_buffer_char(w->out, '`');
    assay_buffer_slice(w->out, w->pre_lang);
    assay_buffer_char(w->out, '\n');
    assay_buffer_slice(w->out, text);
    if (text.ptr[text.len - 1] != '\n')
        assay_buffer_char(w->out, '\n');
    for (size_t i = 0; i < ticks; i++)
        assay_buffer_char(w->out, '`');
    w->out->has_failed = w->out->has_failed || w->pre.has_failed;
    w->pre.len = 0;
    assay_html_break(w, 2);
}

void assay_html_cell(assay_html_writer *w, bool is_first)
{
    if (is_first) {
        flush(w);
        assay_buffer_char(w->out, '|');
    }
    assay_buffer_char(w->out, ' ');
    w->is_fresh = true;
    w->wants_space = false;
    w->breaks = 0;
    w->in_line++;
    w->in_cell++;
}

void assay_html_cell_end(assay_html_writer *w)
{
    assay_buffer_text(w->out, w->is_fresh ? "|" : " |");
    w->is_fresh = false;
    w->wants_space = false;
    w->breaks = 0;
    w->in_line--;
    w->in_cell--;
}

void assay_html_rule(assay_html_writer *w, uint32_t n_cells)
{
    assay_html_break(w, 1);
    flush(w);
    assay_buffer_char(w->out, '|');
    for (uint32_t i = 0; i < n_cells; i++)
        assay_buffer_text(w->out, " --- |");
}
