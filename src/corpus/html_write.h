/* SPDX-License-Identifier: Apache-2.0 */
/* Text in the shape of Markdown, written piece by piece: white space is folded, breaks are
 * asked for and written before the next word, marks of items and headings wait for it. */
#ifndef ASSAY_CORPUS_HTML_WRITE_H
#define ASSAY_CORPUS_HTML_WRITE_H

#include <stdbool.h>

#include "assay.h"
#include "base/buffer.h"

enum { ASSAY_HTML_PREFIX = 64, ASSAY_HTML_MARK = 32 };

typedef struct assay_html_writer {
    assay_buffer *out;
    bool is_begun;    /* something was written */
    bool is_fresh;    /* behind the bar of a cell: no blank goes there */
    bool wants_space; /* before the next word ... */
    uint32_t breaks;  /* ... or so many line feeds: 2 = a blank line */
    uint32_t in_line; /* > 0: in a heading or cell, where breaks are blanks */
    uint32_t in_cell; /* > 0: bars are escaped */
    char prefix[ASSAY_HTML_PREFIX]; /* of every line: quotes and items */
    size_t prefix_len;
    size_t shared;              /* the least of it since a break was asked for */
    char mark[ASSAY_HTML_MARK]; /* "- ", "## " before the next word */
    size_t mark_len;
    size_t mark_indent; /* how much of the prefix it stands for */
    uint32_t in_pre;    /* > 0: text is kept as it is, in `pre` */
    assay_buffer pre;
    assay_slice pre_lang;
} assay_html_writer;

/* At least so many line feeds before what comes next. */
void assay_html_break(assay_html_writer *w, uint32_t n);

/* One more line feed, as <br> has it. */
void assay_html_line(assay_html_writer *w);

/* A mark before the next word. */
void assay_html_mark(assay_html_writer *w, const char *mark);

/* Forget marks before which nothing came. */
void assay_html_unmark(assay_html_writer *w);

/* Lines from the next on begin with this, too; returns what to pop afterwards. */
size_t assay_html_push(assay_html_writer *w, const char *prefix);
void assay_html_pop(assay_html_writer *w, size_t n);

void assay_html_text(assay_html_writer *w, assay_slice text);

/* What was put between as it is becomes a fenced block. */
void assay_html_pre_end(assay_html_writer *w);

/* A row of a table: cells between begin and end, then the line below the first row. */
void assay_html_cell(assay_html_writer *w, bool is_first);
void assay_html_cell_end(assay_html_writer *w);
void assay_html_rule(assay_html_writer *w, uint32_t n_cells);

#endif
