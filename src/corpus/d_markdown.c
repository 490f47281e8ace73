/* SPDX-License-Identifier: Apache-2.0 */
/* Markdown: the file's bytes as they are.
 *
 * Its title is `title:` of the front matter, else the first heading of level 1, looked for
 * in the first 64 kB. */
#include <string.h>

#include "base/lines.h"
#include "base/slice.h"
#include "corpus/doc_name.h"
#include "corpus/document.h"

static const char endings[] = "md|markdown|mdown|mkd|mkdn|mdx|qmd|rmd";

static int sniff_markdown(const assay_doc_source *source)
{
    return assay_doc_ends(source, endings) ? 90 : 0;
}

/* `text` without quotes around it. */
static assay_slice unquote(assay_slice text)
{
    if (text.len >= 2 && (text.ptr[0] == '"' || text.ptr[0] == '\'') &&
        text.ptr[text.len - 1] == text.ptr[0])
        return (assay_slice){text.ptr + 1, text.len - 2};
    return text;
}

/* `in` stands behind the first line.  The title of front matter between lines of ---; "" and
 * `in` where it was when there is no front matter. */
static assay_slice front_matter(assay_lines *in, assay_slice first)
{
    assay_lines ahead = *in;
    assay_slice title = ASSAY_LIT("");
    assay_slice line;

    if (!assay_slice_is(first, "---"))
        return title;
    while (assay_lines_next(&ahead, &line)) {
        if (assay_slice_is(line, "---") || assay_slice_is(line, "...")) {
            *in = ahead;
            return title;
        }
        if (!title.len && assay_slice_starts(line, "title:"))
            title = unquote(assay_slice_trim((assay_slice){line.ptr + 6, line.len - 6}));
    }
    return ASSAY_LIT("");
}

/* How many of `c` the line begins with, after up to three blanks. */
static size_t run_of(assay_slice line, char c, size_t *indent)
{
    size_t n = 0;

    *indent = 0;
    while (*indent < line.len && *indent < 4 && line.ptr[*indent] == ' ')
        ++*indent;
    if (*indent > 3)
        return 0;
    while (*indent + n < line.len && line.ptr[*indent + n] == c)
        n++;
    return n;
}

/* The text of "# A title ##", or "" when the line is no heading of level 1. */
static assay_slice atx_title(assay_slice line)
{
    size_t indent;
    assay_slice text;
    size_t bare;

    if (run_of(line, '#', &indent) != 1 || indent + 1 >= line.len ||
        (line.ptr[indent + 1] != ' ' && line.ptr[indent + 1] != '\t'))
        return ASSAY_LIT("");
    text = (assay_slice){line.ptr + indent + 1, line.len - indent - 1};
    text = assay_slice_trim(text);
    bare = text.len;
    while (bare && text.ptr[bare - 1] == '#')
        bare--;
    if (bare && bare < text.len && (text.ptr[bare - 1] == ' '))
        text.len = bare;
    return assay_slice_trim(text);
}

static bool is_underline(assay_slice line)
{
    size_t indent;
    size_t n = run_of(line, '=', &indent);
    assay_slice rest = {line.ptr + indent + n, line.len - indent - n};

    return n > 0 && !assay_slice_trim(rest).len;
}

/* Whether the line opens or closes a code block; *fence is the one that is open. */
static bool is_fence(assay_slice line, char *fence, size_t *width)
{
    static const char mark[] = "`~";

    for (size_t i = 0; i < 2; i++) {
        size_t indent;
        size_t n = run_of(line, mark[i], &indent);

        if (n < 3 || (*fence && (*fence != mark[i] || n < *width)))
            continue;
        *width = n;
        *fence = *fence ? '\0' : mark[i];
        return true;
    }
    return false;
}

static assay_slice find_title(assay_slice head)
{
    assay_lines in = assay_lines_of("", head);
    assay_slice above = ASSAY_LIT("");
    assay_slice title = ASSAY_LIT("");
    assay_slice line;
    char fence = '\0';
    size_t width = 0;

    if (!assay_lines_next(&in, &line))
        return title;
    title = front_matter(&in, line);
    if (title.len || in.line > 1)
        line = ASSAY_LIT("");
    do {
        if (title.len)
            return title;
        if (is_fence(line, &fence, &width) || fence) {
            above = ASSAY_LIT("");
            continue;
        }
        if (above.len && is_underline(line))
            return above;
        title = atx_title(line);
        above = assay_slice_trim(line);
    } while (assay_lines_next(&in, &line));
    return title;
}

static assay_status read_markdown(const assay_doc_source *source, assay_doc_sink *emit,
                                  void *ctx, assay_error *err)
{
    return assay_doc_whole(source, ASSAY_FORM_MARKDOWN, ASSAY_LIT(""),
                           find_title(assay_doc_head(source)), emit, ctx, err);
}

const assay_doc_reader assay_doc_reader_markdown = {
    .name = "markdown",
    .summary = "Markdown, byte for byte; titled by its front matter or first heading",
    .endings = endings,
    .sniff = sniff_markdown,
    .read = read_markdown,
};
