/* SPDX-License-Identifier: Apache-2.0 */
/* The marks of Markdown blocks, by CommonMark 0.30, section 4, and GFM's tables. */
#include "corpus/markdown_marks.h"

#include <string.h>

#include "base/compiler.h"
#include "base/slice.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_letter(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* How often `c` stands at the beginning of s. */
static size_t run(assay_slice s, char c)
{
    size_t n = 0;

    while (n < s.len && s.ptr[n] == c)
        n++;
    return n;
}

static assay_slice from(assay_slice s, size_t at)
{
    return (assay_slice){s.ptr + at, s.len - at};
}

static size_t skip_blanks(assay_slice s, size_t at)
{
    while (at < s.len && is_blank(s.ptr[at]))
        at++;
    return at;
}

uint32_t assay_md_atx(assay_slice line, assay_slice *text)
{
    size_t level = run(line, '#');
    size_t last;

    if (level == 0 || level > 6 || (level < line.len && !is_blank(line.ptr[level])))
        return 0;
    *text = assay_slice_trim(from(line, level));
    /* #s at the end do not count when a blank is before them, or nothing else is. */
    for (last = text->len; last && text->ptr[last - 1] == '#';)
        last--;
    if (last == 0 || is_blank(text->ptr[last - 1]))
        *text = assay_slice_trim((assay_slice){text->ptr, last});
    return (uint32_t)level;
}

uint32_t assay_md_underline(assay_slice line)
{
    size_t n;

    if (line.len == 0 || (line.ptr[0] != '=' && line.ptr[0] != '-'))
        return 0;
    n = run(line, line.ptr[0]);
    if (skip_blanks(line, n) < line.len)
        return 0;
    return line.ptr[0] == '=' ? 1 : 2;
}

bool assay_md_rule(assay_slice line)
{
    size_t n = 0;

    if (line.len == 0 || (line.ptr[0] != '*' && line.ptr[0] != '-' && line.ptr[0] != '_'))
        return false;
    for (size_t i = 0; i < line.len; i++) {
        if (line.ptr[i] == line.ptr[0])
            n++;
        else if (!is_blank(line.ptr[i]))
            return false;
    }
    return n >= 3;
}

/* ---- fences ---- */

size_t assay_md_fence(assay_slice line)
{
    size_t n;

    if (line.len < 3 || (line.ptr[0] != '`' && line.ptr[0] != '~'))
        return 0;
    n = run(line, line.ptr[0]);
    if (n < 3)
        return 0;
    /* ``` with another ` behind it is code within a line. */
    if (line.ptr[0] == '`' && memchr(line.ptr + n, '`', line.len - n))
        return 0;
    return n;
}

bool assay_md_fence_ends(assay_slice line, char mark, size_t length)
{
    size_t n = run(line, mark);

    return n >= length && skip_blanks(line, n) == line.len;
}

/* ---- HTML ---- */

/* Condition 6: tags that begin a block whatever comes with them; sorted. */
static const char *const block_tags[] = {
    "address", "article",  "aside",   "base",     "basefont", "blockquote", "body",
    "caption", "center",   "col",     "colgroup", "dd",       "details",    "dialog",
    "dir",     "div",      "dl",      "dt",       "fieldset", "figcaption", "figure",
    "footer",  "form",     "frame",   "frameset", "h1",       "h2",         "h3",
    "h4",      "h5",       "h6",      "head",     "header",   "hr",         "html",
    "iframe",  "legend",   "li",      "link",     "main",     "menu",       "menuitem",
    "nav",     "noframes", "ol",      "optgroup", "option",   "p",          "param",
    "section", "source",   "summary", "table",    "tbody",    "td",         "tfoot",
    "th",      "thead",    "title",   "tr",       "track",    "ul",
};

static bool is_one_of(assay_slice name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (assay_slice_is_nocase(name, list[i]))
            return true;
    return false;
}

static assay_slice tag_name(assay_slice s)
{
    size_t n = 0;

    if (s.len && is_letter(s.ptr[0]))
        while (n < s.len &&
               (is_letter(s.ptr[n]) || is_digit(s.ptr[n]) || s.ptr[n] == '-'))
            n++;
    return (assay_slice){s.ptr, n};
}

/* Past one attribute with the blanks before it; `at` itself where there is none, and
 * s.len + 1 where something stands there that is none. */
static size_t attribute(assay_slice s, size_t at)
{
    size_t p = skip_blanks(s, at);
    size_t end;

    if (p == at || p == s.len)
        return at;
    if (!is_letter(s.ptr[p]) && s.ptr[p] != '_' && s.ptr[p] != ':')
        return at;
    while (p < s.len && (is_letter(s.ptr[p]) || is_digit(s.ptr[p]) ||
                         memchr("_.:-", s.ptr[p], 4) != NULL))
        p++;
    end = skip_blanks(s, p);
    if (end == s.len || s.ptr[end] != '=')
        return p;
    end = skip_blanks(s, end + 1);
    if (end == s.len)
        return s.len + 1;
    if (s.ptr[end] == '"' || s.ptr[end] == '\'') {
        const char *quote = memchr(s.ptr + end + 1, s.ptr[end], s.len - end - 1);

        return quote ? (size_t)(quote - s.ptr) + 1 : s.len + 1;
    }
    p = end;
    while (p < s.len && !memchr(" \t\"'=<>`", s.ptr[p], 8))
        p++;
    return p > end ? p : s.len + 1;
}

/* Condition 7: one whole tag, and nothing else on the line. */
static bool is_lone_tag(assay_slice line)
{
    bool is_close = line.len > 1 && line.ptr[1] == '/';
    assay_slice name = tag_name(from(line, is_close ? 2 : 1));
    size_t at = (is_close ? 2 : 1) + name.len;

    if (name.len == 0)
        return false;
    for (size_t next; !is_close && (next = attribute(line, at)) != at; at = next)
        if (next > line.len)
            return false;
    at = skip_blanks(line, at);
    if (!is_close && at < line.len && line.ptr[at] == '/')
        at++;
    if (at == line.len || line.ptr[at] != '>')
        return false;
    return skip_blanks(line, at + 1) == line.len;
}

static bool ends_name(assay_slice line, size_t at)
{
    return at == line.len || is_blank(line.ptr[at]) || line.ptr[at] == '>';
}

int assay_md_html(assay_slice line)
{
    static const char *const raw[] = {"script", "pre", "style", "textarea"};
    bool is_close = line.len > 1 && line.ptr[1] == '/';
    assay_slice name;
    size_t after;

    if (line.len < 2 || line.ptr[0] != '<')
        return 0;
    if (assay_slice_starts(line, "<!--"))
        return 2;
    if (line.ptr[1] == '?')
        return 3;
    if (assay_slice_starts(line, "<![CDATA["))
        return 5;
    if (line.ptr[1] == '!')
        return line.len > 2 && is_letter(line.ptr[2]) ? 4 : 0;
    name = tag_name(from(line, is_close ? 2 : 1));
    if (name.len == 0)
        return 0;
    after = (is_close ? 2 : 1) + name.len;
    if (is_one_of(name, raw, ASSAY_COUNT(raw)) && !is_close && ends_name(line, after))
        return 1;
    if (is_one_of(name, block_tags, ASSAY_COUNT(block_tags)) &&
        (ends_name(line, after) || assay_slice_starts(from(line, after), "/>")))
        return 6;
    return is_lone_tag(line) && (is_close || !is_one_of(name, raw, ASSAY_COUNT(raw))) ? 7
                                                                                      : 0;
}

static bool holds(assay_slice line, const char *what)
{
    size_t n = strlen(what);

    for (size_t i = 0; i + n <= line.len; i++) {
        const char *at = memchr(line.ptr + i, what[0], line.len - i - n + 1);

        if (!at)
            return false;
        i = (size_t)(at - line.ptr);
        if (assay_slice_is_nocase((assay_slice){at, n}, what))
            return true;
    }
    return false;
}

bool assay_md_html_ends(assay_slice line, int condition)
{
    switch (condition) {
    case 1:
        return holds(line, "</script>") || holds(line, "</pre>") ||
               holds(line, "</style>") || holds(line, "</textarea>");
    case 2: return holds(line, "-->");
    case 3: return holds(line, "?>");
    case 4: return holds(line, ">");
    case 5: return holds(line, "]]>");
    default: return false;
    }
}

/* ---- link definitions ---- */

/* Past "title", 'title' or (title) at `at`; 0 = there is none. */
static size_t title_end(assay_slice s, size_t at)
{
    char close = s.ptr[at] == '(' ? ')' : s.ptr[at];

    if (close != '"' && close != '\'' && close != ')')
        return 0;
    for (at++; at < s.len && s.ptr[at] != close; at++)
        if (s.ptr[at] == '\\')
            at++;
    return at < s.len ? at + 1 : 0;
}

bool assay_md_definition(assay_slice line)
{
    assay_slice s = assay_slice_trim(line);
    size_t at = 1;
    size_t end;

    if (s.len < 5 || s.ptr[0] != '[')
        return false;
    while (at < s.len && s.ptr[at] != ']' && s.ptr[at] != '[')
        at += s.ptr[at] == '\\' ? 2 : 1;
    if (at + 1 >= s.len || s.ptr[at] != ']' || s.ptr[at + 1] != ':' ||
        assay_slice_trim((assay_slice){s.ptr + 1, at - 1}).len == 0)
        return false;
    at = skip_blanks(s, at + 2);
    if (at == s.len)
        return false;
    if (s.ptr[at] == '<') {
        const char *close = memchr(s.ptr + at, '>', s.len - at);

        if (!close)
            return false;
        end = (size_t)(close - s.ptr) + 1;
    } else {
        for (end = at; end < s.len && !is_blank(s.ptr[end]);)
            end++;
    }
    at = skip_blanks(s, end);
    return at == s.len || (at > end && title_end(s, at) == s.len);
}

/* ---- lists and tables ---- */

size_t assay_md_marker(assay_slice line, bool *starts_at_one)
{
    size_t n = 0;

    if (line.len == 0)
        return 0;
    *starts_at_one = true;
    if (line.ptr[0] == '-' || line.ptr[0] == '*' || line.ptr[0] == '+') {
        n = 1;
    } else {
        uint32_t value = 0;

        while (n < line.len && n < 10 && is_digit(line.ptr[n]))
            value = value * 10 + (uint32_t)(line.ptr[n++] - '0');
        if (n == 0 || n > 9 || n == line.len ||
            (line.ptr[n] != '.' && line.ptr[n] != ')'))
            return 0;
        n++;
        *starts_at_one = value == 1;
    }
    return n == line.len || is_blank(line.ptr[n]) ? n : 0;
}

uint32_t assay_md_delimiter(assay_slice line)
{
    assay_slice row = assay_slice_trim(line);
    bool has_pipe = false;
    uint32_t n = 0;
    size_t at = 0;

    if (at < row.len && row.ptr[at] == '|') {
        has_pipe = true;
        at++;
    }
    while (at < row.len) {
        size_t dashes;

        at = skip_blanks(row, at);
        at += at < row.len && row.ptr[at] == ':';
        dashes = run(from(row, at), '-');
        at += dashes;
        at += at < row.len && row.ptr[at] == ':';
        at = skip_blanks(row, at);
        if (dashes == 0 || (at < row.len && row.ptr[at] != '|'))
            return 0;
        n++;
        has_pipe = has_pipe || at < row.len;
        at++;
    }
    return has_pipe ? n : 0;
}

uint32_t assay_md_cells(assay_slice line)
{
    assay_slice row = assay_slice_trim(line);
    uint32_t n = 1;

    if (row.len && row.ptr[0] == '|')
        row = from(row, 1);
    for (size_t i = 0; i < row.len; i++) {
        if (row.ptr[i] == '\\')
            i++;
        else if (row.ptr[i] == '|' && i + 1 < row.len)
            n++;
    }
    return n;
}
