/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/html_guard.h"

#include <stdbool.h>
#include <string.h>

#include "base/slice.h"
#include "corpus/doc_name.h"

enum { KINDS = 512, LONGEST_NAME = 20 };

/* Tags that stay open only by mistake, or are closed by what follows them. */
static const char never_deep[] =
    "area|base|br|col|embed|frame|hr|img|input|keygen|link|meta|param|source|track|wbr|"
    "p|li|dt|dd|td|th|tr|tbody|thead|tfoot|option|optgroup|colgroup";

typedef struct guard {
    const char *p;
    const char *end;
    uint32_t open[KINDS]; /* tags not closed yet, by hash of their name */
    uint32_t depth;       /* all of them */
    uint32_t foreign;     /* of them svg and math, where other rules hold */
} guard;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static assay_slice tag_name(const char *p, const char *end)
{
    const char *q = p;

    while (q < end && !is_space(*q) && *q != '>' && *q != '/')
        q++;
    return (assay_slice){p, (size_t)(q - p)};
}

static uint32_t kind_of(assay_slice name)
{
    uint32_t h = 5381;

    for (size_t i = 0; i < name.len && i < LONGEST_NAME; i++)
        h = h * 33 + ((unsigned char)name.ptr[i] | 0x20U);
    return h % KINDS;
}

/* Behind the end of a comment that begins at p ("<!--"). */
static const char *pass_comment(const char *p, const char *end)
{
    /* The shortest are <!--> and <!--->. */
    for (p += 2; (p = memchr(p, '>', (size_t)(end - p))) != NULL; p++) {
        if (p[-1] == '-' && p[-2] == '-')
            return p + 1;
        if (p[-1] == '!' && p[-2] == '-' && p[-3] == '-')
            return p + 1;
    }
    return end;
}

/* Behind the tag whose name ends at p.  Counts attributes; *is_closed when it ends in
 * "/>". */
static const char *pass_tag(const char *p, const char *end, uint32_t *n, bool *is_closed)
{
    bool was_space = true;
    char quote = '\0';

    *n = 0;
    for (; p < end; p++) {
        if (quote) {
            if (*p == quote)
                quote = '\0';
            continue;
        }
        if (*p == '>') {
            *is_closed = p[-1] == '/';
            return p + 1;
        }
        if (is_space(*p) || *p == '/') {
            was_space = true;
            continue;
        }
        if ((*p == '"' || *p == '\'') && p[-1] == '=')
            quote = *p;
        else
            *n += was_space;
        was_space = false;
    }
    return end;
}

/* To the end tag of a script or style. */
static const char *pass_raw(const char *p, const char *end, assay_slice name)
{
    while ((p = memchr(p, '<', (size_t)(end - p))) != NULL) {
        if ((size_t)(end - p) < name.len + 2)
            return end;
        if (p[1] == '/') {
            size_t i = 0;

            while (i < name.len && (p[2 + i] | 0x20) == (name.ptr[i] | 0x20))
                i++;
            if (i == name.len)
                return p;
        }
        p++;
    }
    return end;
}

static void close_tag(guard *g, assay_slice name)
{
    uint32_t kind = kind_of(name);

    if (!g->open[kind])
        return;
    g->open[kind]--;
    g->depth--;
    if (assay_doc_is_one_of(name, "svg|math") && g->foreign)
        g->foreign--;
}

static const char *open_tag(guard *g, const char *at)
{
    assay_slice name = tag_name(at + 1, g->end);
    bool is_closed = false;
    uint32_t n;

    g->p = pass_tag(name.ptr + name.len, g->end, &n, &is_closed);
    if (n > ASSAY_HTML_ATTRIBUTES)
        return "a tag with more than 1,000 attributes";
    if (!g->foreign && assay_doc_is_one_of(name, "script|style")) {
        g->p = pass_raw(g->p, g->end, name);
        return NULL;
    }
    if (g->foreign ? is_closed : assay_doc_is_one_of(name, never_deep))
        return NULL;
    g->open[kind_of(name)]++;
    g->foreign += assay_doc_is_one_of(name, "svg|math");
    return ++g->depth > ASSAY_HTML_DEPTH ? "more than 1,000 elements inside each other"
                                         : NULL;
}

const char *assay_html_guard(assay_slice text, const char **at)
{
    guard g = {.p = text.ptr, .end = text.ptr + text.len};

    while ((g.p = memchr(g.p, '<', (size_t)(g.end - g.p))) != NULL) {
        const char *p = g.p++;
        size_t left = (size_t)(g.end - p);
        const char *fault = NULL;

        if (left >= 4 && memcmp(p, "<!--", 4) == 0)
            g.p = pass_comment(p + 2, g.end);
        else if (left >= 3 && p[1] == '/' && is_letter(p[2]))
            close_tag(&g, tag_name(p + 2, g.end));
        else if (left >= 2 && is_letter(p[1]))
            fault = open_tag(&g, p);
        if (fault) {
            *at = p;
            return fault;
        }
    }
    return NULL;
}
