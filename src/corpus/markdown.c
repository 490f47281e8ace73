/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of Markdown, by the algorithm of CommonMark's appendix: each line first goes
 * through the open containers (quotes, list items), then may open new ones, and what is
 * left goes into a leaf (paragraph, code, HTML).  Only the outermost blocks are told.
 *
 * Headings decide what a section is, so they are what has to be exact: containers are
 * followed as far as needed to know that a # or === is inside one. */
#include "corpus/markdown.h"

#include <assert.h>
#include <string.h>

#include "base/slice.h"
#include "corpus/markdown_marks.h"

/* Containers beyond this depth are text; nobody writes that. */
enum { MAX_DEPTH = 64, CODE_INDENT = 4, TAB = 4 };

typedef enum leaf {
    LEAF_NONE,
    LEAF_PARAGRAPH,
    LEAF_TABLE,
    LEAF_FENCE,
    LEAF_INDENTED,
    LEAF_HTML
} leaf;

typedef struct container {
    bool is_quote;
    bool is_empty; /* an item whose first line had nothing behind the marker */
    size_t indent; /* of an item: columns to its content */
} container;

/* A place in a line.  Tabs stop every four columns; one may be used up in part. */
typedef struct cursor {
    const char *p;
    const char *end;
    size_t column;
    size_t tab_left; /* columns of the tab at p that are still to come, or 0 */
} cursor;

typedef struct scanner {
    const char *text;
    assay_md_sink *sink;
    void *ctx;
    bool is_stopped;

    container open[MAX_DEPTH];
    size_t depth;
    leaf leaf; /* inside the innermost container */
    char fence_mark;
    size_t fence_length;
    int html;              /* condition of the HTML block */
    assay_slice last_line; /* of the paragraph: may turn out to be a table's head */
    uint32_t n_lines;      /* of the paragraph, as far as they matter: 1, 2 */
    bool is_definitions;   /* of links: all its lines so far, so that it is none */

    bool has_block;
    assay_md_block block; /* the outermost block that is open */
    uint64_t last_start;  /* where the paragraph's last line begins */
} scanner;

/* ---- outermost blocks ---- */

static void emit(scanner *s)
{
    if (s->has_block && !s->is_stopped && !s->sink(s->ctx, &s->block))
        s->is_stopped = true;
    s->has_block = false;
}

/* A block begins with the line at `line`; of interest only where no container is open. */
static void begin(scanner *s, assay_md_kind kind, const char *line)
{
    uint64_t at = (uint64_t)(line - s->text);

    emit(s);
    s->has_block = true;
    s->block = (assay_md_block){.kind = kind, .span = {at, at}};
}

static void begin_leaf(scanner *s, leaf kind, assay_md_kind block, const char *line)
{
    s->leaf = kind;
    if (s->depth)
        s->open[s->depth - 1].is_empty = false;
    else
        begin(s, block, line);
}

/* ---- columns ---- */

/* Columns of white space at the cursor. */
static size_t indent_of(const cursor *c)
{
    size_t column = c->column;
    const char *p = c->p;

    if (c->tab_left) {
        column += c->tab_left;
        p++;
    }
    for (; p < c->end && (*p == ' ' || *p == '\t'); p++)
        column += *p == '\t' ? TAB - column % TAB : 1;
    return column - c->column;
}

/* Past `n` columns of white space. */
static void advance(cursor *c, size_t n)
{
    while (n && c->p < c->end && (*c->p == ' ' || *c->p == '\t')) {
        size_t width = *c->p == '\t' ? TAB - c->column % TAB : 1;

        if (c->tab_left)
            width = c->tab_left;
        if (width > n) {
            c->tab_left = width - n;
            c->column += n;
            return;
        }
        c->tab_left = 0;
        c->column += width;
        n -= width;
        c->p++;
    }
}

static void advance_marks(cursor *c, size_t n)
{
    c->p += n;
    c->column += n;
}

static assay_slice rest_of(const cursor *c)
{
    const char *p = c->p;

    while (p < c->end && (*p == ' ' || *p == '\t'))
        p++;
    return (assay_slice){p, (size_t)(c->end - p)};
}

/* ---- containers ---- */

/* Whether the line goes on inside `box`; then the cursor is moved past its marks. */
static bool goes_on(const container *box, cursor *c, assay_slice rest)
{
    size_t indent = indent_of(c);

    if (box->is_quote) {
        if (indent >= CODE_INDENT || rest.len == 0 || rest.ptr[0] != '>')
            return false;
        advance(c, indent);
        advance_marks(c, 1);
        advance(c, 1);
        return true;
    }
    if (rest.len == 0)
        return !box->is_empty;
    if (indent < box->indent)
        return false;
    advance(c, box->indent);
    return true;
}

static void close_to(scanner *s, size_t depth)
{
    if (depth < s->depth)
        s->leaf = LEAF_NONE;
    s->depth = depth;
}

static void push(scanner *s, container box, const char *line)
{
    s->leaf = LEAF_NONE;
    if (s->depth)
        s->open[s->depth - 1].is_empty = false;
    else
        begin(s, box.is_quote ? ASSAY_MD_QUOTE : ASSAY_MD_ITEM, line);
    s->open[s->depth++] = box;
}

/* ---- one line ---- */

typedef struct line {
    const char *start;
    cursor at;
    assay_slice rest; /* behind the white space at the cursor */
    size_t indent;    /* columns of that white space */
    size_t matched;   /* containers that go on */
    bool is_all;      /* all of them do, and no new one was opened */
} line;

static void look(line *l)
{
    l->rest = rest_of(&l->at);
    l->indent = indent_of(&l->at);
}

static bool open_quote(scanner *s, line *l)
{
    if (l->rest.len == 0 || l->rest.ptr[0] != '>' || s->depth == MAX_DEPTH)
        return false;
    advance(&l->at, l->indent);
    advance_marks(&l->at, 1);
    advance(&l->at, 1);
    close_to(s, l->matched);
    push(s, (container){.is_quote = true}, l->start);
    return true;
}

static bool open_item(scanner *s, line *l)
{
    bool starts_at_one;
    bool is_inside = s->leaf == LEAF_PARAGRAPH && l->is_all;
    size_t width = assay_md_marker(l->rest, &starts_at_one);
    size_t gap;
    bool is_empty;
    size_t indent = l->indent;

    if (width == 0 || l->matched == MAX_DEPTH)
        return false;
    is_empty =
        assay_slice_trim((assay_slice){l->rest.ptr + width, l->rest.len - width}).len ==
        0;
    /* What would cut a paragraph in two must be clear about it. */
    if (is_inside && (is_empty || !starts_at_one))
        return false;
    advance(&l->at, indent);
    advance_marks(&l->at, width);
    gap = indent_of(&l->at);
    if (is_empty || gap > CODE_INDENT)
        gap = 1;
    advance(&l->at, gap);
    close_to(s, l->matched);
    push(s, (container){.is_empty = is_empty, .indent = indent + width + gap}, l->start);
    return true;
}

/* A heading, below the containers that go on; at the outermost level it is told. */
static void heading(scanner *s, const line *l, uint32_t level, assay_slice text)
{
    close_to(s, l->matched);
    begin_leaf(s, LEAF_NONE, ASSAY_MD_HEADING, l->start);
    if (s->depth == 0) {
        s->block.level = level;
        s->block.text = text;
    }
}

/* The paragraph that is open is a heading, and this line its underline. */
static bool underline(scanner *s, const line *l)
{
    const assay_slice text = {s->text + s->block.span.start,
                              s->block.span.end - s->block.span.start};
    uint32_t level = assay_md_underline(l->rest);

    if (level == 0 || s->leaf != LEAF_PARAGRAPH || !l->is_all || s->is_definitions)
        return false;
    s->leaf = LEAF_NONE;
    if (s->depth == 0) {
        s->block.kind = ASSAY_MD_HEADING;
        s->block.level = level;
        s->block.text = assay_slice_trim(text);
    }
    return true;
}

/* The last line of the paragraph that is open is the head of a table. */
static bool begin_table(scanner *s, const line *l)
{
    uint32_t n_cells;

    if (s->leaf != LEAF_PARAGRAPH || !l->is_all)
        return false;
    n_cells = assay_md_delimiter(l->rest);
    if (n_cells == 0 || assay_md_cells(s->last_line) != n_cells)
        return false;
    s->leaf = LEAF_TABLE;
    if (s->depth)
        return true;
    if (s->n_lines > 1) {
        assay_slice before = {s->text + s->block.span.start,
                              s->last_start - s->block.span.start};

        s->block.span.end = s->block.span.start + assay_slice_trim(before).len +
                            (uint64_t)(assay_slice_trim(before).ptr - before.ptr);
        begin(s, ASSAY_MD_TABLE, s->text + s->last_start);
    }
    s->block.kind = ASSAY_MD_TABLE;
    return true;
}

static bool open_fence(scanner *s, const line *l)
{
    size_t length = assay_md_fence(l->rest);

    if (length == 0)
        return false;
    close_to(s, l->matched);
    begin_leaf(s, LEAF_FENCE, ASSAY_MD_CODE, l->start);
    s->fence_mark = l->rest.ptr[0];
    s->fence_length = length;
    return true;
}

static bool open_html(scanner *s, const line *l)
{
    int condition = assay_md_html(l->rest);

    /* A lone tag does not cut a paragraph in two. */
    if (condition == 0 || (condition == 7 && s->leaf == LEAF_PARAGRAPH))
        return false;
    close_to(s, l->matched);
    begin_leaf(s, LEAF_HTML, ASSAY_MD_HTML, l->start);
    s->html = condition;
    if (assay_md_html_ends(l->rest, condition))
        s->leaf = LEAF_NONE;
    return true;
}

/* The leaf that takes the line, if it begins or ends one.  Not for indented lines. */
static bool open_leaf(scanner *s, const line *l)
{
    assay_slice text;
    uint32_t level = assay_md_atx(l->rest, &text);

    if (level) {
        heading(s, l, level, text);
        return true;
    }
    if (open_fence(s, l) || open_html(s, l) || underline(s, l) || begin_table(s, l))
        return true;
    /* Below link definitions an underline is text. */
    if (s->leaf == LEAF_PARAGRAPH && l->is_all && assay_md_underline(l->rest))
        return false;
    if (assay_md_rule(l->rest)) {
        close_to(s, l->matched);
        begin_leaf(s, LEAF_NONE, ASSAY_MD_RULE, l->start);
        return true;
    }
    return false;
}

/* Text: goes on with the paragraph (or table), lazily perhaps, or begins one. */
static void take_text(scanner *s, line *l)
{
    bool is_lazy = s->leaf == LEAF_PARAGRAPH && !l->is_all && l->matched < s->depth;

    if (l->indent >= CODE_INDENT && s->leaf != LEAF_PARAGRAPH) {
        close_to(s, l->matched);
        begin_leaf(s, LEAF_INDENTED, ASSAY_MD_CODE, l->start);
        return;
    }
    if (!is_lazy) {
        close_to(s, l->matched);
        if (s->leaf == LEAF_TABLE)
            return;
        if (s->leaf != LEAF_PARAGRAPH) {
            begin_leaf(s, LEAF_PARAGRAPH, ASSAY_MD_PARAGRAPH, l->start);
            s->n_lines = 0;
            s->is_definitions = true;
        }
    }
    if (s->is_definitions)
        s->is_definitions = assay_md_definition(l->rest);
    s->n_lines += s->n_lines < 2;
    s->last_line = l->rest;
    s->last_start = (uint64_t)(l->start - s->text);
}

/* Whether an open code or HTML block takes the line. */
static bool is_taken(scanner *s, const line *l)
{
    if (!l->is_all)
        return false;
    switch (s->leaf) {
    case LEAF_FENCE:
        if (l->indent < CODE_INDENT &&
            assay_md_fence_ends(l->rest, s->fence_mark, s->fence_length))
            s->leaf = LEAF_NONE;
        return true;
    case LEAF_HTML:
        if (s->html >= 6 ? l->rest.len == 0 : assay_md_html_ends(l->rest, s->html))
            s->leaf = LEAF_NONE;
        return true;
    case LEAF_INDENTED: return l->indent >= CODE_INDENT || l->rest.len == 0;
    default: return false;
    }
}

static void take_blank(scanner *s, const line *l)
{
    close_to(s, l->matched);
    if (s->leaf != LEAF_INDENTED)
        s->leaf = LEAF_NONE;
}

static void take_line(scanner *s, const char *start, const char *end)
{
    line l = {.start = start, .at = {start, end, 0, 0}};

    look(&l);
    for (; l.matched < s->depth; l.matched++) {
        if (!goes_on(&s->open[l.matched], &l.at, l.rest))
            break;
        look(&l);
    }
    l.is_all = l.matched == s->depth;
    if (!is_taken(s, &l)) {
        if (l.is_all && (s->leaf == LEAF_FENCE || s->leaf == LEAF_INDENTED))
            s->leaf = LEAF_NONE;
        for (;;) {
            if (l.rest.len == 0) {
                take_blank(s, &l);
                break;
            }
            if (l.indent >= CODE_INDENT) {
                take_text(s, &l);
                break;
            }
            /* --- is a rule before it is a list of a list of a list. */
            if (!open_quote(s, &l)) {
                if (open_leaf(s, &l))
                    break;
                if (!open_item(s, &l)) {
                    take_text(s, &l);
                    break;
                }
            }
            l.matched = s->depth;
            l.is_all = true;
            look(&l);
        }
    }
}

/* ---- the whole text ---- */

/* End of the line at p: its line feed, or `end`. */
static const char *line_end(const char *p, const char *end)
{
    const char *feed = memchr(p, '\n', (size_t)(end - p));

    return feed ? feed : end;
}

static const char *without_return(const char *p, const char *feed)
{
    return feed > p && feed[-1] == '\r' ? feed - 1 : feed;
}

/* Front matter: a first line --- or +++, a line that is not blank, and the same mark (or
 * ... after ---) on a line of its own.  Returns its end, or null. */
static const char *front_end(const char *p, const char *end)
{
    const char *feed = line_end(p, end);
    assay_slice mark = {p, (size_t)(without_return(p, feed) - p)};
    bool is_first = true;

    if (!assay_slice_is(mark, "---") && !assay_slice_is(mark, "+++"))
        return NULL;
    while (feed < end) {
        assay_slice one;

        p = feed + 1;
        feed = line_end(p, end);
        one = (assay_slice){p, (size_t)(without_return(p, feed) - p)};
        if (is_first && assay_slice_trim(one).len == 0)
            return NULL;
        is_first = false;
        if (assay_slice_eq(one, mark) ||
            (mark.ptr[0] == '-' && assay_slice_is(one, "...")))
            return without_return(p, feed);
    }
    return NULL;
}

bool assay_md_scan(assay_slice text, assay_md_sink *sink, void *ctx)
{
    scanner s = {.text = text.ptr, .sink = sink, .ctx = ctx};
    const char *p = text.ptr;
    const char *end = p + text.len;
    const char *front;

    if (assay_slice_starts(text, "\xEF\xBB\xBF"))
        p += 3;
    front = p < end ? front_end(p, end) : NULL;
    if (front) {
        begin(&s, ASSAY_MD_FRONT, p);
        s.block.span.end = (uint64_t)(front - text.ptr);
        front = line_end(front, end);
        p = front < end ? front + 1 : end;
    }
    for (const char *feed; p < end && !s.is_stopped; p = feed + (feed < end)) {
        const char *last;

        feed = line_end(p, end);
        last = feed;
        while (last > p && (last[-1] == ' ' || (unsigned char)(last[-1] - '\t') < 5))
            last--;
        /* Marks look at the line without white space at its end; that never matters. */
        take_line(&s, p, last);
        if (last > p) {
            assert(s.has_block || s.is_stopped);
            s.block.span.end = (uint64_t)(last - text.ptr);
        }
    }
    emit(&s);
    return !s.is_stopped;
}
