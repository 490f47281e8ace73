/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/html_parse.h"

#include <setjmp.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/lines.h"
#include "corpus/html_guard.h"

#define MOST_HTML ((size_t)64 << 20)

/* What the parser may use: the tree of a page that is not made to hurt needs some 20 bytes
 * for each of its own. */
#define SHARE(len) (((size_t)64 << 20) + 100 * (len))

typedef struct pool {
    assay_arena *arena;
    size_t share;
    bool is_over; /* the share is used up; else memory is */
    jmp_buf jump;
} pool;

static void *take(void *ctx, size_t size)
{
    pool *p = ctx;
    void *memory;

    if (p->arena->total > p->share || size > p->share) {
        p->is_over = true;
        longjmp(p->jump, 1);
    }
    memory = assay_arena_alloc(p->arena, size);
    if (!memory)
        longjmp(p->jump, 1);
    return memory;
}

static void give_back(void *ctx, void *memory)
{
    (void)ctx;
    (void)memory;
}

/* Null when memory, or the share, is used up. */
static const GumboOutput *parse(pool *p, assay_slice html)
{
    GumboOptions options = kGumboDefaultOptions;

    options.allocator = take;
    options.deallocator = give_back;
    options.userdata = p;
    options.max_errors = 0;
    if (setjmp(p->jump))
        return NULL;
    return gumbo_parse_with_options(&options, html.ptr, html.len);
}

static assay_status check(const char *path, assay_slice html, assay_error *err)
{
    const char *at = NULL;
    const char *fault;

    if (html.len > MOST_HTML)
        return assay_fail_at(err, path, 0, "more than 64 MB of HTML");
    fault = assay_html_guard(html, &at);
    return fault ? assay_fail_at(err, path, assay_lines_number(html, at), "%s", fault)
                 : ASSAY_OK;
}

assay_status assay_html_parse(const char *path, assay_slice html, assay_arena *arena,
                              const GumboNode **root, assay_error *err)
{
    pool p = {.arena = arena, .share = SHARE(html.len)};
    const GumboOutput *output;
    assay_status st = check(path, html, err);

    if (st)
        return st;
    output = parse(&p, html);
    if (!output && p.is_over)
        return assay_fail_at(err, path, 0, "tags that are not closed make it too large");
    if (!output)
        return assay_fail_memory(err, "reading HTML");
    *root = output->root;
    return ASSAY_OK;
}
