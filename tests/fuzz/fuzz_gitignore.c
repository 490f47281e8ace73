/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .gitignore file and, behind a zero byte, a path.  The matcher must agree
 * with a slow one that tries everything. */
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "corpus/gitignore.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 40 };

/* Whether pattern[p..] matches text[t..], by trying; only stars, ?, plain characters and
 * escapes.  `seen` remembers what failed. */
static bool try_all(assay_slice pattern, size_t p, assay_slice text, size_t t,
                    bool seen[MOST + 1][MOST + 1])
{
    size_t stars = p;
    bool is_free;

    if (seen[p][t])
        return false;
    seen[p][t] = true;
    if (p == pattern.len)
        return t == text.len;
    if (pattern.ptr[p] != '*') {
        char c = pattern.ptr[p];
        bool is_escaped = c == '\\' && p + 1 < pattern.len;

        if (t == text.len || (c == '\\' && !is_escaped))
            return false;
        if (is_escaped ? pattern.ptr[p + 1] != text.ptr[t]
            : c != '?' ? c != text.ptr[t]
                       : text.ptr[t] == '/')
            return false;
        return try_all(pattern, p + 1 + is_escaped, text, t + 1, seen);
    }
    while (stars < pattern.len && pattern.ptr[stars] == '*')
        stars++;
    is_free = stars - p > 1 && (p == 0 || pattern.ptr[p - 1] == '/') &&
              (stars == pattern.len || pattern.ptr[stars] == '/' ||
               (pattern.ptr[stars] == '\\' && stars + 1 < pattern.len &&
                pattern.ptr[stars + 1] == '/'));
    if (is_free && stars < pattern.len && pattern.ptr[stars] == '/' &&
        try_all(pattern, stars + 1, text, t, seen))
        return true;
    for (;; t++) {
        if (try_all(pattern, stars, text, t, seen))
            return true;
        if (t == text.len || (text.ptr[t] == '/' && !is_free))
            return false;
    }
}

static void compare(assay_slice pattern, assay_slice path)
{
    bool seen[MOST + 1][MOST + 1];

    if (pattern.len > MOST || path.len > MOST || !pattern.len ||
        memchr(pattern.ptr, '[', pattern.len))
        return;
    memset(seen, 0, sizeof seen);
    if (assay_gitignore_glob(pattern, path) != try_all(pattern, 0, path, 0, seen))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    assay_slice text = {(const char *)data, zero ? (size_t)(zero - data) : size};
    assay_slice path =
        zero ? (assay_slice){(const char *)zero + 1, size - (size_t)(zero - data) - 1}
             : ASSAY_LIT("a/b/c.txt");
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_gitignore rules;

    if (!assay_gitignore_read(text, &arena, &rules))
        abort();
    for (size_t i = 0; i < rules.n; i++)
        compare(rules.rule[i].pattern, path);
    assay_gitignore_match(&rules, path, false);
    assay_gitignore_match(&rules, path, true);
    assay_arena_clear(&arena);
    return 0;
}
