/* SPDX-License-Identifier: Apache-2.0 */
/* Headings of the block scanner against two CommonMark parsers, on random Markdown and on
 * real files: cmark, which says the line of each but knows no tables, and md4c, which knows
 * tables.  md4c 0.4.8 differs from cmark on HTML blocks whose quote ends and on empty items
 * behind paragraphs, and takes a heading right below a table for a row, so it is asked
 * about blocks with a blank line between them. */
#include <cmark.h>
#include <dirent.h>
#include <md4c.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/slice.h"
#include "corpus/markdown.h"
#include "testing.h"

/* One line a heading: "2 text". */
typedef struct heard {
    assay_buffer out;
    int depth; /* of quotes and list items */
    bool is_in;
} heard;

static int enter(MD_BLOCKTYPE type, void *detail, void *ctx)
{
    heard *h = ctx;

    if (type == MD_BLOCK_QUOTE || type == MD_BLOCK_LI)
        h->depth++;
    if (type == MD_BLOCK_H && h->depth == 0) {
        assay_buffer_printf(&h->out, "%u ", ((MD_BLOCK_H_DETAIL *)detail)->level);
        h->is_in = true;
    }
    return 0;
}

static int leave(MD_BLOCKTYPE type, void *detail, void *ctx)
{
    heard *h = ctx;

    (void)detail;
    if (type == MD_BLOCK_QUOTE || type == MD_BLOCK_LI)
        h->depth--;
    if (type == MD_BLOCK_H && h->is_in) {
        assay_buffer_char(&h->out, '\n');
        h->is_in = false;
    }
    return 0;
}

static int span(MD_SPANTYPE type, void *detail, void *ctx)
{
    (void)type;
    (void)detail;
    (void)ctx;
    return 0;
}

/* Letters and digits only: what is emphasis or a link to md4c is bytes to us. */
static void put_letters(assay_buffer *out, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)p[i] >= 0x80 || (p[i] >= '0' && p[i] <= '9') ||
            ((p[i] | 0x20) >= 'a' && (p[i] | 0x20) <= 'z'))
            assay_buffer_char(out, p[i]);
}

static int words(MD_TEXTTYPE type, const MD_CHAR *p, MD_SIZE n, void *ctx)
{
    heard *h = ctx;

    (void)type;
    if (h->is_in)
        put_letters(&h->out, p, n);
    return 0;
}

static void ask_md4c(assay_slice text, assay_buffer *out)
{
    const MD_PARSER parser = {0,    MD_FLAG_TABLES, enter, leave, span,
                              span, words,          NULL,  NULL};
    heard h = {.depth = 0};

    CHECK(md_parse(text.ptr, (MD_SIZE)text.len, &parser, &h) == 0);
    *out = h.out;
}

static bool hear(void *ctx, const assay_md_block *block)
{
    assay_buffer *out = ctx;

    if (block->kind == ASSAY_MD_HEADING) {
        assay_buffer_printf(out, "%u ", block->level);
        put_letters(out, block->text.ptr, block->text.len);
        assay_buffer_char(out, '\n');
    }
    return true;
}

/* Whether each line of `all` has the level of the same line of `some`, and its letters in
 * order: link targets are in ours only. */
static bool agree(assay_slice all, assay_slice some)
{
    assay_slice a, b;

    for (;;) {
        bool has_a = assay_slice_part(&all, '\n', &a);
        bool has_b = assay_slice_part(&some, '\n', &b);
        size_t k = 0;

        if (has_a != has_b)
            return false;
        if (!has_a)
            return true;
        for (size_t i = 0; i < a.len && k < b.len; i++)
            k += a.ptr[i] == b.ptr[k];
        if (k < b.len || a.ptr[0] != b.ptr[0])
            return false;
    }
}

static void differ(const char *name, assay_slice text, const assay_buffer *ours,
                   const assay_buffer *theirs)
{
    check_failed(__FILE__, __LINE__,
                 "%s:\n----\n%.*s\n---- ours\n%.*s---- theirs\n%.*s----", name,
                 (int)text.len, text.ptr, (int)ours->len, ours->ptr ? ours->ptr : "",
                 (int)theirs->len, theirs->ptr ? theirs->ptr : "");
}

static void compare_md4c(const char *name, assay_slice text)
{
    assay_buffer ours = ASSAY_BUFFER_EMPTY, theirs = ASSAY_BUFFER_EMPTY;

    CHECK(assay_md_scan(text, hear, &ours));
    ask_md4c(text, &theirs);
    if (!agree(assay_buffer_view(&ours), assay_buffer_view(&theirs)))
        differ(name, text, &ours, &theirs);
    assay_buffer_clear(&ours);
    assay_buffer_clear(&theirs);
}

/* ---- cmark: "line level" ---- */

typedef struct placed {
    assay_buffer out;
    assay_slice text;
} placed;

static bool place(void *ctx, const assay_md_block *block)
{
    placed *p = ctx;

    if (block->kind == ASSAY_MD_HEADING) {
        unsigned line = 1;

        for (uint64_t i = 0; i < block->span.start; i++)
            line += p->text.ptr[i] == '\n';
        assay_buffer_printf(&p->out, "%u %u\n", line, block->level);
    }
    return true;
}

static void ask_cmark(assay_slice text, assay_buffer *out)
{
    cmark_node *doc = cmark_parse_document(text.ptr, text.len, CMARK_OPT_DEFAULT);

    for (cmark_node *n = cmark_node_first_child(doc); n; n = cmark_node_next(n))
        if (cmark_node_get_type(n) == CMARK_NODE_HEADING)
            assay_buffer_printf(out, "%d %d\n", cmark_node_get_start_line(n),
                                cmark_node_get_heading_level(n));
    cmark_node_free(doc);
}

static void compare_cmark(const char *name, assay_slice text)
{
    placed ours = {.text = text};
    assay_buffer theirs = ASSAY_BUFFER_EMPTY;

    CHECK(assay_md_scan(text, place, &ours));
    ask_cmark(text, &theirs);
    if (!assay_slice_eq(assay_buffer_view(&ours.out), assay_buffer_view(&theirs)))
        differ(name, text, &ours.out, &theirs);
    assay_buffer_clear(&ours.out);
    assay_buffer_clear(&theirs);
}

/* ---- random Markdown ---- */

static uint64_t seed = 7;

static uint32_t pick(uint32_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 11) % n);
}

static const char *const prefix[] = {
    "",     "",     "",     "",      "",     " ",      "  ",   "   ",  "    ",
    "> ",   ">",    "- ",   "* ",    "1. ",  "2. ",    "10) ", "  - ", "\t",
    "> > ", "> - ", "- > ", "     ", "-   ", "-     ", "+\t"};
static const char *const body[] = {
    "text",    "more text", "# one",         "## two ##", "### three",
    "#",       "#no",       "####### seven", "===",       "---",
    "--",      "-",         "***",           "",          "",
    "",        "```",       "```c",          "~~~",       "````",
    "``` a`b", "=",         "_ _ _",         "# b #c",    "- item",
    "1. one",  "> quote",   "\\# no",        "# a \\#",   "한국어"};
static const char *const html[] = {"<div>",
                                   "</div>",
                                   "<!-- c",
                                   "-->",
                                   "<pre>",
                                   "</pre>",
                                   "<span>",
                                   "<b>x</b>",
                                   "<?php",
                                   "?>",
                                   "<a href=x y='2'>",
                                   "<hr/>",
                                   "<!X",
                                   "<![CDATA[",
                                   "]]>",
                                   "<x-1 />",
                                   "</x >",
                                   "[foo]: /url",
                                   "[b r]: <u> 't'"};
#define COUNT(list) ((uint32_t)(sizeof(list) / sizeof(list)[0]))

/* Lines of `body`, and one in four of the other list. */
static void write_random(assay_buffer *text, const char *const *other, uint32_t n_other)
{
    uint32_t n = 1 + pick(pick(4) ? 6 : 30);
    const char *feed = pick(8) ? "\n" : "\r\n";

    text->len = 0;
    for (uint32_t i = 0; i < n; i++) {
        const char *before = prefix[pick(COUNT(prefix))];
        const char *line = pick(4) ? body[pick(COUNT(body))] : other[pick(n_other)];

        /* To cmark a blank line with blanks in it goes on with an empty item, to the
         * specification it does not. */
        if (line[0] || strspn(before, " \t") < strlen(before))
            assay_buffer_text(text, before);
        assay_buffer_text(text, line);
        assay_buffer_text(text, line[0] && pick(20) == 0 ? "  \n" : feed);
    }
    /* Front matter is our own. */
    if (assay_slice_starts(assay_buffer_view(text), "---"))
        text->ptr[0] = 'x';
}

TEST(headings_of_random_markdown_are_those_of_cmark)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    char name[32];

    for (uint32_t round = 0; round < 100000; round++) {
        write_random(&text, html, COUNT(html));
        snprintf(name, sizeof name, "round %u", round);
        compare_cmark(name, assay_buffer_view(&text));
    }
    assay_buffer_clear(&text);
}

TEST(headings_among_random_tables_are_those_of_md4c)
{
    static const char *const block[] = {"text\nmore text",
                                        "# one",
                                        "## two ##",
                                        "setext\n===",
                                        "two\nlines\n---",
                                        "***",
                                        "```\n# no\n\n| a |\n```",
                                        "| a | b |\n|---|---|\n| 1 | 2 |",
                                        "a | b\n--- | ---\n1 | 2",
                                        "| x |\n| - |",
                                        "| a \\| b |\n|:-:|\n| # c |",
                                        "한국 | 어\n:-- | --:\n표 | 행",
                                        "   ### indented",
                                        "    # code",
                                        "x | y | z\n---",
                                        "- item\n  # in it",
                                        "> q\n> # in it",
                                        "a | b\n===",
                                        "<div>\n# raw\n</div>"};
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    char name[32];

    for (uint32_t round = 0; round < 100000; round++) {
        uint32_t n = 1 + pick(12);

        text.len = 0;
        assay_buffer_text(&text, "\n");
        for (uint32_t i = 0; i < n; i++) {
            assay_buffer_text(&text, block[pick(COUNT(block))]);
            assay_buffer_text(&text, "\n\n");
        }
        snprintf(name, sizeof name, "round %u", round);
        compare_md4c(name, assay_buffer_view(&text));
    }
    assay_buffer_clear(&text);
}

/* ---- real files ---- */

static uint32_t compare_file(const char *path)
{
    assay_file file;
    assay_error err;

    if (assay_file_open(&file, path, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    if (!assay_slice_starts(file.text, "---\n")) {
        compare_md4c(path, file.text);
        compare_cmark(path, file.text);
    }
    assay_file_close(&file);
    return 1;
}

TEST(headings_of_our_own_documents_are_those_of_both)
{
    static const char *const own[] = {
        "README.md",       "CHANGELOG.md",      "CONTRIBUTING.md", "docs/ARCHITECTURE.md",
        "docs/FORMATS.md", "docs/SEMANTICS.md", "docs/CLI.md",     "docs/METRICS.md",
        "docs/LIBRARY.md", "bench/README.md"};
    char path[1024];

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", TEST_SRC, own[i]);
        compare_file(path);
    }
}

static uint32_t compare_folder(const char *folder, int depth)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    uint32_t n = 0;

    if (!dir)
        return 0;
    while ((entry = readdir(dir)) != NULL) {
        char path[2048];
        size_t len = strlen(entry->d_name);

        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (len > 3 && strcmp(entry->d_name + len - 3, ".md") == 0)
            n += compare_file(path);
        else if (entry->d_name[0] != '.' && depth)
            n += compare_folder(path, depth - 1);
    }
    closedir(dir);
    return n;
}

TEST(headings_of_kebabs_documents_are_those_of_both)
{
    uint32_t n = compare_folder(TEST_SRC "/../shared/data/kebab", 8);

    if (n == 0)
        SKIP("no ../shared/data/kebab");
}
