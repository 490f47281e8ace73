/* SPDX-License-Identifier: Apache-2.0 */
#include "retrieve/system.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/http.h"
#include "base/slice.h"
#include "retrieve/system_config.h"
#include "retrieve/system_roster.h"

#define X(id) extern const assay_system assay_system_##id;
ASSAY_SYSTEM_ROSTER(X)
#undef X

#define X(id) &assay_system_##id,
static const assay_system *const roster[] = {ASSAY_SYSTEM_ROSTER(X)};
#undef X

const assay_system *assay_system_at(size_t i)
{
    return i < ASSAY_COUNT(roster) ? roster[i] : NULL;
}

assay_status assay_system_get(const char *spelling, const assay_system **out,
                              assay_error *err)
{
    assay_buffer shown = ASSAY_BUFFER_EMPTY;
    assay_status st;

    for (size_t i = 0; i < ASSAY_COUNT(roster); i++)
        if (roster[i]->is_mine(assay_slice_of(spelling))) {
            *out = roster[i];
            return ASSAY_OK;
        }
    assay_system_public(spelling, &shown);
    st = assay_fail(err, ASSAY_EUSAGE,
                    "no system '%.*s'; want 'cmd:PROGRAM ARGUMENTS', 'http://HOST/PATH' "
                    "or 'file:RUN'",
                    ASSAY_QUOTE(assay_buffer_view(&shown)));
    assay_buffer_clear(&shown);
    return st;
}

assay_status assay_system_spelling(const assay_node *config, const char *path,
                                   assay_arena *arena, const char **out, assay_error *err)
{
    assay_system_config read;
    assay_status st;

    if (config->kind != ASSAY_NODE_MAP) {
        *out = assay_arena_string(arena, config->text);
        return *out ? ASSAY_OK : assay_fail_memory(err, "reading assay.yaml");
    }
    st = assay_system_config_read(config, path, arena, &read, err);
    if (st)
        return st;
    if (!read.spelling)
        return assay_fail_at(err, path, config->line,
                             "'system' names no 'command', 'url' or 'spec'");
    *out = read.spelling;
    return ASSAY_OK;
}

/* ---- without secrets ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Whether some piece of an option's name (between '-' and '_') says that its value is
 * nobody's business. */
static bool names_secret(assay_slice name)
{
    static const char *const secret[] = {"key",  "apikey",     "token",       "secret",
                                         "auth", "bearer",     "password",    "passwd",
                                         "pwd",  "credential", "credentials", "pass"};
    size_t from = 0;

    for (size_t i = 0; i <= name.len; i++) {
        if (i < name.len && name.ptr[i] != '-' && name.ptr[i] != '_')
            continue;
        for (size_t s = 0; s < ASSAY_COUNT(secret); s++)
            if (assay_slice_is_nocase((assay_slice){name.ptr + from, i - from},
                                      secret[s]))
                return true;
        from = i + 1;
    }
    return false;
}

/* A word of a command: an address is shown without what may be secret in it, and of
 * name=value the value only where the name is harmless.  *hides_next: the word is the name
 * of an option whose value comes next. */
static void put_word(assay_slice word, bool is_hidden, bool *hides_next,
                     assay_buffer *out)
{
    const char *equals = memchr(word.ptr, '=', word.len);
    assay_slice name = {word.ptr, equals ? (size_t)(equals - word.ptr) : word.len};
    bool is_secret = names_secret(name);
    const char *scheme = NULL;
    char copy[1000];
    char url[1000];

    for (size_t i = 0; !scheme && i + 3 <= word.len; i++)
        if (memcmp(word.ptr + i, "://", 3) == 0)
            scheme = word.ptr + i;
    /* In http://user:password@host/?api_key=... there is more to hide than the value. */
    if (scheme && equals && scheme < equals)
        is_secret = false;
    *hides_next = is_secret && !equals && word.ptr[0] == '-';
    if (is_hidden || (scheme && word.len >= sizeof copy)) {
        assay_buffer_text(out, "[redacted]");
    } else if (is_secret && equals) {
        assay_buffer_add(out, word.ptr, name.len + 1);
        assay_buffer_text(out, "[redacted]");
    } else if (scheme) {
        memcpy(copy, word.ptr, word.len);
        copy[word.len] = '\0';
        assay_http_public_url(copy, url, sizeof url);
        assay_buffer_text(out, url);
    } else {
        assay_buffer_slice(out, word);
    }
}

void assay_system_public(const char *spelling, assay_buffer *out)
{
    bool is_hidden = false;

    for (const char *p = spelling; *p;) {
        size_t n = 0;

        if (is_blank(*p)) {
            assay_buffer_char(out, ' ');
            p++;
            continue;
        }
        while (p[n] && !is_blank(p[n]))
            n++;
        put_word((assay_slice){p, n}, is_hidden, &is_hidden, out);
        p += n;
    }
}
