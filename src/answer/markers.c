/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/markers.h"

enum { MOST_DIGITS = 3 };

static size_t skip_blanks(assay_slice s, size_t at)
{
    while (at < s.len && s.ptr[at] == ' ')
        at++;
    return at;
}

/* A number at `at`, behind a # where one is wanted; returns the place behind it, 0 = there
 * is none. */
static size_t read_number(assay_slice s, size_t at, bool wants_hash, uint32_t *number)
{
    size_t first;

    if (at < s.len && s.ptr[at] == '#')
        at++;
    else if (wants_hash)
        return 0;
    *number = 0;
    for (first = at; at < s.len && s.ptr[at] >= '0' && s.ptr[at] <= '9'; at++) {
        if (at - first == MOST_DIGITS)
            return 0;
        *number = *number * 10 + (uint32_t)(s.ptr[at] - '0');
    }
    return at > first && *number ? at : 0;
}

/* The numbers of the marker whose `[` stands at `at`, written where `number` is not null;
 * how many, 0 = it is no marker.  In a list the first # speaks for all. */
static size_t read_marker(assay_slice s, size_t at, bool wants_hash, uint32_t *number)
{
    size_t n = 0;

    do {
        uint32_t value;

        at = read_number(s, skip_blanks(s, at + 1), wants_hash && !n, &value);
        if (!at)
            return 0;
        at = skip_blanks(s, at);
        if (number)
            number[n] = value;
        n++;
    } while (at < s.len && (s.ptr[at] == ',' || s.ptr[at] == ';'));
    if (at >= s.len || s.ptr[at] != ']')
        return 0;
    /* [3](address) is a link. */
    return wants_hash || at + 1 == s.len || s.ptr[at + 1] != '(' ? n : 0;
}

static size_t read_all(assay_slice s, bool wants_hash, uint32_t *number)
{
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++) {
        size_t more = s.ptr[i] == '[' ? read_marker(s, i, wants_hash, NULL) : 0;

        if (more && number)
            read_marker(s, i, wants_hash, number + n);
        n += more;
    }
    return n;
}

bool assay_markers_find(assay_slice text, assay_arena *arena, assay_markers *out)
{
    bool has_hash = read_all(text, true, NULL) > 0;
    size_t n = read_all(text, has_hash, NULL);
    uint32_t *number = ASSAY_ARENA_ARRAY(arena, uint32_t, n + 1);

    if (!number)
        return false;
    read_all(text, has_hash, number);
    *out = (assay_markers){number, n};
    return true;
}
