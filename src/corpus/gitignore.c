/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/gitignore.h"

#include <ctype.h>
#include <string.h>

#include "base/compiler.h"
#include "base/lines.h"
#include "base/slice.h"

/* ---- patterns ---- */

typedef struct class_name {
    const char *name;
    int (*test)(int c);
} class_name;

static const class_name classes[] = {
    {"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl},
    {"digit", isdigit}, {"graph", isgraph}, {"lower", islower}, {"print", isprint},
    {"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit},
};

/* [:alpha:] at p: whether `c` is in it.  *p moves behind it.  -1 for an unknown name, which
 * makes the whole pattern match nothing. */
static int in_named_class(const char **p, const char *end, unsigned char c)
{
    const char *name = *p + 2;
    const char *close = name;

    while (close < end && *close != ']')
        close++;
    if (close == end)
        return -1;
    if (close == name || close[-1] != ':') {
        /* No [:name:] after all: the bracket stands for itself. */
        ++*p;
        return c == '[';
    }
    *p = close + 1;
    for (size_t i = 0; i < ASSAY_COUNT(classes); i++)
        if (assay_slice_is((assay_slice){name, (size_t)(close - 1 - name)},
                           classes[i].name))
            return c < 0x80 && classes[i].test(c) != 0;
    return -1;
}

/* One character of a bracket expression, perhaps escaped; false at the end. */
static bool bracket_char(const char **p, const char *end, unsigned char *out)
{
    if (*p < end && **p == '\\')
        ++*p;
    if (*p >= end)
        return false;
    *out = (unsigned char)*(*p)++;
    return true;
}

/* A bracket expression whose [ stands before *p.  1 = `c` matches, 0 = not, -1 = there is
 * no end to it. */
static int in_brackets(const char **p, const char *end, unsigned char c)
{
    bool is_negated = *p < end && (**p == '!' || **p == '^');
    bool is_in = false;

    *p += is_negated;
    for (bool is_first = true; is_first || *p >= end || **p != ']'; is_first = false) {
        unsigned char low;
        unsigned char high;

        if (*p >= end)
            return -1;
        if (end - *p >= 2 && (*p)[0] == '[' && (*p)[1] == ':') {
            int named = in_named_class(p, end, c);

            if (named < 0)
                return -1;
            is_in = is_in || named;
            continue;
        }
        if (!bracket_char(p, end, &low))
            return -1;
        high = low;
        if (end - *p >= 2 && (*p)[0] == '-' && (*p)[1] != ']') {
            ++*p;
            if (!bracket_char(p, end, &high))
                return -1;
        }
        is_in = is_in || (low <= c && c <= high);
    }
    ++*p;
    return c != '/' && is_in != is_negated;
}

/* One character of the text against what stands at *p, no star; *p moves behind it. */
static bool match_one(const char **p, const char *end, char c)
{
    switch (*(*p)++) {
    case '?': return c != '/';
    case '[': return in_brackets(p, end, (unsigned char)c) == 1;
    case '\\': return *p < end && *(*p)++ == c;
    default: return (*p)[-1] == c;
    }
}

/* Where one can go back to: a star that takes one character more. */
typedef struct retry {
    const char *p; /* behind the star; null = none */
    const char *t;
} retry;

static bool is_escaped_slash(const char *p, const char *end)
{
    return end - p >= 2 && p[0] == '\\' && p[1] == '/';
}

/* The stars at *p.  A run of two or more crosses slashes when it stands between slashes or
 * the ends of the pattern; any other is one star. */
static bool pass_stars(const char **p, const char *begin, const char *end)
{
    const char *first = *p;
    bool is_free;

    while (*p < end && **p == '*')
        ++*p;
    is_free = *p - first > 1 && (first == begin || first[-1] == '/') &&
              (*p == end || **p == '/' || is_escaped_slash(*p, end));
    return is_free;
}

/* How far a match has come, and where it can go back to.  A star inside a name and one
 * across folders each keep one place.  An older place of the same sort is never needed:
 * the younger star can take whatever the older could have taken more. */
typedef struct match {
    const char *p;
    const char *t;
    const char *t_end;
    retry name;
    retry path;
} match;

/* Let a star take more; false when none can. */
static bool go_back(match *m)
{
    const char *slash;

    if (m->name.p && m->name.t < m->t_end && *m->name.t != '/') {
        m->p = m->name.p;
        m->t = ++m->name.t;
        return true;
    }
    m->name.p = NULL;
    if (!m->path.p)
        return false;
    slash = memchr(m->path.t, '/', (size_t)(m->t_end - m->path.t));
    if (!slash)
        return false;
    m->p = m->path.p;
    m->t = m->path.t = slash + 1;
    return true;
}

bool assay_gitignore_glob(assay_slice pattern, assay_slice text)
{
    const char *end = pattern.ptr + pattern.len;
    match m = {.p = pattern.ptr, .t = text.ptr, .t_end = text.ptr + text.len};

    for (;;) {
        if (m.p < end && *m.p == '*') {
            bool is_escaped;

            if (!pass_stars(&m.p, pattern.ptr, end)) {
                m.name = (retry){m.p, m.t};
                continue;
            }
            if (m.p == end)
                return true;
            /* Behind "**" and its slash one may begin here or behind any slash; where the
             * slash is escaped, git wants one to be there. */
            is_escaped = *m.p == '\\';
            m.p += 1 + is_escaped;
            m.name.p = NULL;
            m.path = (retry){m.p, m.t};
            if (is_escaped && !go_back(&m))
                return false;
        } else if (m.p == end && m.t == m.t_end) {
            return true;
        } else if (m.p < end && m.t < m.t_end && match_one(&m.p, end, *m.t)) {
            m.t++;
        } else if (!go_back(&m)) {
            return false;
        }
    }
}

/* ---- rules ---- */

/* Blanks at the end of a line do not count, unless a backslash stands before them. */
static assay_slice trim_blanks(assay_slice line)
{
    size_t len = 0;

    for (size_t i = 0; i < line.len; i++) {
        if (line.ptr[i] == '\\' && i + 1 < line.len)
            len = ++i + 1;
        else if (line.ptr[i] != ' ')
            len = i + 1;
    }
    return (assay_slice){line.ptr, len};
}

static assay_gitignore_rule read_rule(assay_slice line)
{
    assay_gitignore_rule rule = {.pattern = line};

    if (assay_slice_starts(line, "!")) {
        rule.is_kept = true;
        line.ptr++;
        line.len--;
    }
    if (line.len && line.ptr[line.len - 1] == '/') {
        rule.is_for_folders = true;
        line.len--;
    }
    rule.is_anchored = line.len && memchr(line.ptr, '/', line.len);
    if (line.len && line.ptr[0] == '/') {
        line.ptr++;
        line.len--;
    }
    rule.pattern = line;
    return rule;
}

bool assay_gitignore_read(assay_slice text, assay_arena *arena, assay_gitignore *out)
{
    assay_slice copy = assay_arena_copy(arena, text);
    assay_lines in = assay_lines_of("", copy);
    assay_gitignore_rule *rule;
    assay_slice line;
    size_t n = 0;

    while (assay_lines_next(&in, &line))
        n += line.len > 0;
    rule = copy.ptr ? ASSAY_ARENA_ARRAY(arena, assay_gitignore_rule, n) : NULL;
    if (!rule)
        return false;
    n = 0;
    in = assay_lines_of("", copy);
    while (assay_lines_next(&in, &line)) {
        if (assay_slice_starts(line, "#"))
            continue;
        line = trim_blanks(line);
        if (line.len)
            rule[n++] = read_rule(line);
    }
    *out = (assay_gitignore){rule, n};
    return true;
}

/* The part of a pattern before its first special character. */
static size_t plain_prefix(assay_slice pattern)
{
    size_t n = 0;

    while (n < pattern.len && !strchr("*?[\\", pattern.ptr[n]))
        n++;
    return n;
}

static bool rule_matches(const assay_gitignore_rule *rule, assay_slice path,
                         assay_slice name)
{
    assay_slice pattern = rule->pattern;
    assay_slice text = rule->is_anchored ? path : name;
    size_t plain = plain_prefix(pattern);

    if (!pattern.len)
        return false;
    /* As git: what is plain is compared first, and the rest begins a pattern of its own. */
    if (plain > text.len || memcmp(pattern.ptr, text.ptr, plain) != 0)
        return false;
    if (plain == pattern.len)
        return plain == text.len;
    return assay_gitignore_glob((assay_slice){pattern.ptr + plain, pattern.len - plain},
                                (assay_slice){text.ptr + plain, text.len - plain});
}

assay_gitignore_verdict assay_gitignore_match(const assay_gitignore *rules,
                                              assay_slice path, bool is_folder)
{
    assay_slice name = path;

    for (size_t i = path.len; i > 0; i--) {
        if (path.ptr[i - 1] == '/') {
            name = (assay_slice){path.ptr + i, path.len - i};
            break;
        }
    }
    for (size_t i = rules->n; i > 0; i--) {
        const assay_gitignore_rule *rule = &rules->rule[i - 1];

        if ((is_folder || !rule->is_for_folders) && rule_matches(rule, path, name))
            return rule->is_kept ? ASSAY_GITIGNORE_KEPT : ASSAY_GITIGNORE_IGNORED;
    }
    return ASSAY_GITIGNORE_SILENT;
}
