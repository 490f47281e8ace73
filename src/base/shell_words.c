/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shell_words.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/slice.h"

/* What has been read so far, and where it goes: words are written one behind the other into
 * room of the line's own size, since quoting only makes a line longer. */
typedef struct cutter {
    const char *p;
    const char *end;
    char *out;
    assay_slice line; /* for messages */
} cutter;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static assay_status fail_quote(const cutter *c, char quote, assay_error *err)
{
    return assay_fail(err, ASSAY_EUSAGE, "a %s quote is not closed in the command '%.*s'",
                      quote == '"' ? "double" : "single", ASSAY_QUOTE(c->line));
}

/* The quote's own sign was passed over. */
static assay_status take_quoted(cutter *c, char quote, assay_error *err)
{
    while (c->p < c->end && *c->p != quote) {
        /* Between double quotes a backslash is itself before most characters. */
        if (quote == '"' && *c->p == '\\' && c->end - c->p > 1 &&
            memchr("\"\\$`\n", c->p[1], 5))
            c->p++;
        *c->out++ = *c->p++;
    }
    if (c->p == c->end)
        return fail_quote(c, quote, err);
    c->p++;
    return ASSAY_OK;
}

static assay_status take_word(cutter *c, assay_error *err)
{
    while (c->p < c->end && !is_blank(*c->p)) {
        char sign = *c->p++;
        assay_status st;

        if (sign == '\'' || sign == '"') {
            st = take_quoted(c, sign, err);
            if (st)
                return st;
        } else if (memchr("|<>;&", sign, 5)) {
            return assay_fail(
                err, ASSAY_EUSAGE,
                "'%c' needs a shell, and none is started: put it in quotes, "
                "or write cmd:sh -c '...'",
                sign);
        } else {
            if (sign == '\\' && c->p < c->end)
                sign = *c->p++;
            *c->out++ = sign;
        }
    }
    *c->out++ = '\0';
    return ASSAY_OK;
}

assay_status assay_shell_words(assay_slice line, assay_arena *arena, char ***words,
                               size_t *n, assay_error *err)
{
    cutter c = {.p = line.ptr, .end = line.ptr + line.len, .line = line};
    char **word = ASSAY_ARENA_ARRAY(arena, char *, line.len / 2 + 2);

    c.out = assay_arena_alloc(arena, line.len + 1);
    if (!word || !c.out)
        return assay_fail_memory(err, "reading a command");
    if (line.len && memchr(line.ptr, '\0', line.len))
        return assay_fail(err, ASSAY_EUSAGE, "a command cannot hold a zero byte");
    *n = 0;
    for (;;) {
        assay_status st;

        while (c.p < c.end && is_blank(*c.p))
            c.p++;
        if (c.p == c.end)
            break;
        word[*n] = c.out;
        st = take_word(&c, err);
        if (st)
            return st;
        ++*n;
    }
    if (!*n || !word[0][0])
        return assay_fail(err, ASSAY_EUSAGE,
                          "a command is missing, as in "
                          "'cmd:python3 my_search.py'");
    *words = word;
    return ASSAY_OK;
}
