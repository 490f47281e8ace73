/* SPDX-License-Identifier: Apache-2.0 */
/* The parser makes a tree; we walk it with a stack of our own, since depth is the page's. */
#include "corpus/html_text.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "corpus/html_parse.h"
#include "corpus/html_write.h"

#ifndef ASSAY_GUMBO
#define ASSAY_GUMBO "unknown"
#endif

const char assay_html_extractor[] = "html@1+gumbo-" ASSAY_GUMBO;

/* ---- what each tag is ---- */

typedef enum kind {
    INLINE, /* leaves no mark */
    DROPPED,
    BLOCK, /* a blank line before and behind */
    LINE,  /* a line for itself */
    HEADING,
    QUOTE,
    LIST,
    ITEM,
    BREAK,
    PRE,
    TABLE,
    ROW,
    CELL,
    IMAGE,
    TITLE
} kind;

static const uint8_t kinds[GUMBO_TAG_LAST + 1] = {
    [GUMBO_TAG_SCRIPT] = DROPPED,   [GUMBO_TAG_STYLE] = DROPPED,
    [GUMBO_TAG_NOSCRIPT] = DROPPED, [GUMBO_TAG_TEMPLATE] = DROPPED,
    [GUMBO_TAG_IFRAME] = DROPPED,   [GUMBO_TAG_OBJECT] = DROPPED,
    [GUMBO_TAG_CANVAS] = DROPPED,   [GUMBO_TAG_AUDIO] = DROPPED,
    [GUMBO_TAG_VIDEO] = DROPPED,    [GUMBO_TAG_SVG] = DROPPED,
    [GUMBO_TAG_NAV] = DROPPED,      [GUMBO_TAG_SELECT] = DROPPED,
    [GUMBO_TAG_BUTTON] = DROPPED,   [GUMBO_TAG_TEXTAREA] = DROPPED,
    [GUMBO_TAG_DATALIST] = DROPPED, [GUMBO_TAG_NOFRAMES] = DROPPED,
    [GUMBO_TAG_P] = BLOCK,          [GUMBO_TAG_DIV] = BLOCK,
    [GUMBO_TAG_SECTION] = BLOCK,    [GUMBO_TAG_ARTICLE] = BLOCK,
    [GUMBO_TAG_MAIN] = BLOCK,       [GUMBO_TAG_HEADER] = BLOCK,
    [GUMBO_TAG_FOOTER] = BLOCK,     [GUMBO_TAG_ASIDE] = BLOCK,
    [GUMBO_TAG_ADDRESS] = BLOCK,    [GUMBO_TAG_FIGURE] = BLOCK,
    [GUMBO_TAG_FIGCAPTION] = BLOCK, [GUMBO_TAG_FORM] = BLOCK,
    [GUMBO_TAG_FIELDSET] = BLOCK,   [GUMBO_TAG_LEGEND] = BLOCK,
    [GUMBO_TAG_DETAILS] = BLOCK,    [GUMBO_TAG_SUMMARY] = BLOCK,
    [GUMBO_TAG_CENTER] = BLOCK,     [GUMBO_TAG_CAPTION] = BLOCK,
    [GUMBO_TAG_DL] = BLOCK,         [GUMBO_TAG_HR] = BLOCK,
    [GUMBO_TAG_HGROUP] = BLOCK,     [GUMBO_TAG_DT] = LINE,
    [GUMBO_TAG_DD] = LINE,          [GUMBO_TAG_H1] = HEADING,
    [GUMBO_TAG_H2] = HEADING,       [GUMBO_TAG_H3] = HEADING,
    [GUMBO_TAG_H4] = HEADING,       [GUMBO_TAG_H5] = HEADING,
    [GUMBO_TAG_H6] = HEADING,       [GUMBO_TAG_BLOCKQUOTE] = QUOTE,
    [GUMBO_TAG_UL] = LIST,          [GUMBO_TAG_OL] = LIST,
    [GUMBO_TAG_MENU] = LIST,        [GUMBO_TAG_DIR] = LIST,
    [GUMBO_TAG_LI] = ITEM,          [GUMBO_TAG_BR] = BREAK,
    [GUMBO_TAG_PRE] = PRE,          [GUMBO_TAG_LISTING] = PRE,
    [GUMBO_TAG_XMP] = PRE,          [GUMBO_TAG_PLAINTEXT] = PRE,
    [GUMBO_TAG_TABLE] = TABLE,      [GUMBO_TAG_TR] = ROW,
    [GUMBO_TAG_TD] = CELL,          [GUMBO_TAG_TH] = CELL,
    [GUMBO_TAG_IMG] = IMAGE,        [GUMBO_TAG_TITLE] = TITLE,
};

static bool is_element(const GumboNode *node)
{
    return node->type == GUMBO_NODE_ELEMENT;
}

static kind kind_of(const GumboNode *node)
{
    return is_element(node) ? (kind)kinds[node->v.element.tag] : INLINE;
}

static const char *attribute(const GumboNode *node, const char *name)
{
    const GumboAttribute *a = gumbo_get_attribute(&node->v.element.attributes, name);

    return a ? a->value : NULL;
}

/* display:none in a style, however it is spaced. */
static bool hides(const char *style)
{
    static const char want[] = "display:none";
    size_t n = 0;

    for (; style && *style && n < sizeof want - 1; style++) {
        char c = *style >= 'A' && *style <= 'Z' ? (char)(*style + 32) : *style;

        if (c == ' ' || c == '\t' || c == '\n')
            continue;
        n = c == want[n] ? n + 1 : c == want[0];
    }
    return n == sizeof want - 1;
}

static bool is_left_out(const GumboNode *node)
{
    return kind_of(node) == DROPPED || attribute(node, "hidden") ||
           hides(attribute(node, "style"));
}

/* ---- the walk ---- */

/* An element that is open. */
typedef struct frame {
    const GumboNode *node;
    unsigned next; /* child to visit */
    size_t pop;    /* of the prefix, at its end */
    uint32_t n;    /* items of a list, cells of a row, rows of a table */
    bool is_data;  /* a table of data, its rows and cells */
} frame;

typedef struct page {
    assay_html_writer w;
    assay_buffer *title;
    frame *stack;
    size_t n;
    size_t cap;
} page;

static const GumboVector *children(const GumboNode *node)
{
    return is_element(node) || node->type == GUMBO_NODE_TEMPLATE
               ? &node->v.element.children
               : NULL;
}

/* Its number among its siblings.  gumbo keeps it while it moves nodes about; should it ever
 * be wrong, the walk must not go in circles. */
static size_t number_of(const GumboNode *node, const GumboVector *siblings)
{
    size_t n = node->index_within_parent;

    if (n < siblings->length && siblings->data[n] == node)
        return n;
    for (n = 0; n < siblings->length && siblings->data[n] != node;)
        n++;
    return n;
}

/* The next node in document order, without what is below `node` when `is_passed`; null at
 * the end of `root`.  For looking ahead. */
static const GumboNode *after(const GumboNode *node, const GumboNode *root,
                              bool is_passed)
{
    const GumboVector *below = is_passed ? NULL : children(node);

    if (below && below->length)
        return below->data[0];
    while (node != root) {
        const GumboVector *siblings = children(node->parent);
        size_t next = siblings ? number_of(node, siblings) + 1 : 0;

        if (siblings && next < siblings->length)
            return siblings->data[next];
        node = node->parent;
    }
    return NULL;
}

/* Tables were long used to lay pages out.  One of data has two columns or more, and in its
 * cells neither tables nor headings, lists, quotes or code. */
static bool is_data_table(const GumboNode *table)
{
    const char *role = attribute(table, "role");
    const GumboNode *row = NULL;
    bool has_columns = false;

    if (role && strcmp(role, "presentation") == 0)
        return false;
    for (const GumboNode *node = after(table, table, false); node;
         node = after(node, table, false)) {
        kind k = kind_of(node);

        if (k == TABLE || k == HEADING || k == LIST || k == PRE || k == QUOTE)
            return false;
        if (k == CELL) {
            has_columns = has_columns || row == node->parent;
            row = node->parent;
        }
    }
    return has_columns;
}

static void enter_item(page *pg, frame *f)
{
    frame *list = pg->n > 1 ? &pg->stack[pg->n - 2] : NULL;
    bool is_numbered =
        list && is_element(list->node) && list->node->v.element.tag == GUMBO_TAG_OL;
    char mark[16] = "- ";
    char blanks[16];

    assay_html_break(&pg->w, 1);
    if (is_numbered)
        snprintf(mark, sizeof mark, "%u. ", ++list->n);
    memset(blanks, ' ', sizeof blanks);
    blanks[strlen(mark)] = '\0';
    f->pop = assay_html_push(&pg->w, blanks);
    assay_html_mark(&pg->w, mark);
    if (pg->w.mark_len)
        pg->w.mark_indent += f->pop;
}

/* The language of <code class="language-c">. */
static void note_language(page *pg, const GumboNode *node)
{
    const char *class = attribute(node, "class");
    const char *at = class ? strstr(class, "lang") : NULL;

    if (!at)
        return;
    at += strncmp(at, "language-", 9) == 0 ? 9 : strncmp(at, "lang-", 5) == 0 ? 5 : 0;
    if (at == class || at[-1] != '-')
        return;
    pg->w.pre_lang = (assay_slice){at, strcspn(at, " \t\r\n\f`")};
}

static void enter_pre(page *pg, const GumboNode *node)
{
    if (pg->w.in_line || pg->w.in_pre++)
        return;
    pg->w.pre.len = 0;
    pg->w.pre_lang = ASSAY_LIT("");
    note_language(pg, node);
}

static void enter_cell(page *pg, frame *f)
{
    frame *row = pg->n > 1 ? &pg->stack[pg->n - 2] : NULL;

    f->is_data = row && row->is_data && kind_of(row->node) == ROW;
    if (f->is_data)
        assay_html_cell(&pg->w, row->n++ == 0);
    else
        assay_html_break(&pg->w, 2);
}

/* The nearest table above decides what a row is. */
static void enter_row(page *pg, frame *f)
{
    for (size_t i = pg->n - 1; i > 0; i--) {
        const frame *above = &pg->stack[i - 1];

        if (kind_of(above->node) == TABLE) {
            f->is_data = above->is_data;
            break;
        }
    }
    assay_html_break(&pg->w, 1);
}

static void enter_heading(page *pg, const GumboNode *node)
{
    uint32_t level = (uint32_t)(node->v.element.tag - GUMBO_TAG_H1) + 1;
    char mark[8] = "###### ";

    assay_html_break(&pg->w, 2);
    assay_html_mark(&pg->w, mark + 6 - level);
    pg->w.in_line++;
}

static void put_title(page *pg, const GumboNode *node)
{
    assay_html_writer w = {.out = pg->title};

    if (pg->title->len)
        return;
    for (const GumboNode *n = after(node, node, false); n; n = after(n, node, false))
        if (n->type == GUMBO_NODE_TEXT)
            assay_html_text(&w, assay_slice_of(n->v.text.text));
}

/* Begin the element on top of the stack; false when what is in it does not count. */
static bool enter(page *pg, frame *f)
{
    const GumboNode *node = f->node;

    if (is_left_out(node))
        return false;
    switch (kind_of(node)) {
    case INLINE:
        if (pg->w.in_pre && node->v.element.tag == GUMBO_TAG_CODE)
            note_language(pg, node);
        break;
    case BLOCK:
    case LIST:
        assay_html_break(&pg->w, kind_of(node) == LIST && pg->w.prefix_len ? 1 : 2);
        break;
    case LINE: assay_html_break(&pg->w, 1); break;
    case HEADING: enter_heading(pg, node); break;
    case QUOTE:
        assay_html_break(&pg->w, 2);
        f->pop = assay_html_push(&pg->w, "> ");
        break;
    case ITEM: enter_item(pg, f); break;
    case BREAK: assay_html_line(&pg->w); break;
    case PRE: enter_pre(pg, node); break;
    case TABLE:
        f->is_data = !pg->w.in_line && !pg->w.in_pre && is_data_table(node);
        assay_html_break(&pg->w, 2);
        break;
    case ROW: enter_row(pg, f); break;
    case CELL: enter_cell(pg, f); break;
    case IMAGE:
        if (attribute(node, "alt"))
            assay_html_text(&pg->w, assay_slice_of(attribute(node, "alt")));
        break;
    case TITLE: put_title(pg, node); return false;
    case DROPPED: return false;
    }
    return true;
}

static void leave_row(page *pg, const frame *f)
{
    if (f->is_data && f->n) {
        for (size_t i = pg->n - 1; i > 0; i--) {
            frame *above = &pg->stack[i - 1];

            if (kind_of(above->node) != TABLE)
                continue;
            if (above->n++ == 0)
                assay_html_rule(&pg->w, f->n);
            break;
        }
    }
    assay_html_break(&pg->w, 1);
}

static void leave(page *pg, const frame *f)
{
    switch (kind_of(f->node)) {
    case HEADING:
        pg->w.in_line--;
        assay_html_unmark(&pg->w);
        assay_html_break(&pg->w, 2);
        break;
    case ITEM:
        assay_html_unmark(&pg->w);
        assay_html_pop(&pg->w, f->pop);
        assay_html_break(&pg->w, 1);
        break;
    case QUOTE:
        assay_html_pop(&pg->w, f->pop);
        assay_html_break(&pg->w, 2);
        break;
    case PRE:
        if (pg->w.in_pre && --pg->w.in_pre == 0)
            assay_html_pre_end(&pg->w);
        break;
    case ROW: leave_row(pg, f); break;
    case CELL:
        if (f->is_data)
            assay_html_cell_end(&pg->w);
        else
            assay_html_break(&pg->w, 2);
        break;
    case LIST: assay_html_break(&pg->w, pg->w.prefix_len ? 1 : 2); break;
    case BLOCK:
    case TABLE: assay_html_break(&pg->w, 2); break;
    case LINE: assay_html_break(&pg->w, 1); break;
    default: break;
    }
}

/* False: no memory. */
static bool push(page *pg, const GumboNode *node)
{
    frame *grown = assay_mem_grow(pg->stack, &pg->cap, pg->n + 1, sizeof *grown);

    if (!grown)
        return false;
    pg->stack = grown;
    pg->stack[pg->n++] = (frame){.node = node};
    if (!enter(pg, &pg->stack[pg->n - 1]))
        pg->n--;
    return true;
}

static bool visit(page *pg, const GumboNode *node)
{
    switch (node->type) {
    case GUMBO_NODE_ELEMENT: return push(pg, node);
    case GUMBO_NODE_TEXT:
    case GUMBO_NODE_CDATA:
    case GUMBO_NODE_WHITESPACE:
        assay_html_text(&pg->w, assay_slice_of(node->v.text.text));
        return true;
    default: return true;
    }
}

static bool walk(page *pg, const GumboNode *root)
{
    if (!visit(pg, root))
        return false;
    while (pg->n) {
        frame *top = &pg->stack[pg->n - 1];
        const GumboVector *below = children(top->node);

        if (below && top->next < below->length) {
            if (!visit(pg, below->data[top->next++]))
                return false;
        } else {
            leave(pg, top);
            pg->n--;
        }
    }
    return true;
}

assay_status assay_html_extract(const char *path, assay_slice html, assay_buffer *text,
                                assay_buffer *title, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    page pg = {.w = {.out = text}, .title = title};
    const GumboNode *root;
    assay_status st = assay_html_parse(path, html, &arena, &root, err);

    if (!st && !walk(&pg, root))
        text->has_failed = true;
    if (!st && text->len)
        assay_buffer_char(text, '\n');
    if (!st && (text->has_failed || title->has_failed || pg.w.pre.has_failed))
        st = assay_fail_memory(err, "reading HTML");
    assay_mem_free(pg.stack);
    assay_buffer_clear(&pg.w.pre);
    assay_arena_clear(&arena);
    return st;
}
