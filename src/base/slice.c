/* SPDX-License-Identifier: Apache-2.0 */
#include "base/slice.h"

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool assay_slice_starts(assay_slice s, const char *prefix)
{
    size_t n = strlen(prefix);

    return s.len >= n && memcmp(s.ptr, prefix, n) == 0;
}

bool assay_slice_ends(assay_slice s, const char *suffix)
{
    size_t n = strlen(suffix);

    return s.len >= n && memcmp(s.ptr + s.len - n, suffix, n) == 0;
}

bool assay_slice_is_nocase(assay_slice a, const char *text)
{
    if (a.len != strlen(text))
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (lower(a.ptr[i]) != lower(text[i]))
            return false;
    return true;
}

assay_slice assay_slice_trim(assay_slice s)
{
    while (s.len && is_space(s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len && is_space(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

size_t assay_slice_fields(assay_slice s, assay_slice *field, size_t max)
{
    size_t n = 0;
    size_t i = 0;

    for (;;) {
        size_t start;

        while (i < s.len && is_space(s.ptr[i]))
            i++;
        if (i == s.len)
            return n;
        start = i;
        while (i < s.len && !is_space(s.ptr[i]))
            i++;
        if (n < max)
            field[n] = (assay_slice){s.ptr + start, i - start};
        n++;
    }
}

bool assay_slice_part(assay_slice *rest, char sep, assay_slice *part)
{
    const char *end;

    if (!rest->ptr)
        return false;
    end = rest->len ? memchr(rest->ptr, sep, rest->len) : NULL;
    if (!end) {
        *part = *rest;
        *rest = (assay_slice){NULL, 0};
        return part->len > 0;
    }
    *part = (assay_slice){rest->ptr, (size_t)(end - rest->ptr)};
    rest->len -= part->len + 1;
    rest->ptr = end + 1;
    return true;
}

bool assay_slice_to_i64(assay_slice s, int64_t *out)
{
    bool is_negative = s.len && s.ptr[0] == '-';
    size_t i = s.len && (s.ptr[0] == '-' || s.ptr[0] == '+') ? 1 : 0;
    uint64_t limit = is_negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    uint64_t value = 0;

    if (i == s.len)
        return false;
    for (; i < s.len; i++) {
        unsigned digit = (unsigned)(s.ptr[i] - '0');

        if (digit > 9 || value > (limit - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = is_negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

bool assay_slice_to_i32(assay_slice s, int32_t *out)
{
    int64_t wide;

    if (!assay_slice_to_i64(s, &wide) || wide < INT32_MIN || wide > INT32_MAX)
        return false;
    *out = (int32_t)wide;
    return true;
}

bool assay_slice_to_u32(assay_slice s, uint32_t *out)
{
    int64_t wide;

    if (!assay_slice_to_i64(s, &wide) || wide < 0 || wide > UINT32_MAX)
        return false;
    *out = (uint32_t)wide;
    return true;
}

uint32_t assay_slice_distance(assay_slice a, assay_slice b)
{
    enum { MOST = 64 };
    uint32_t rows[3][MOST + 1];
    uint32_t *two_ago = rows[0];
    uint32_t *last = rows[1];
    uint32_t *now = rows[2];

    if (a.len > MOST || b.len > MOST)
        return MOST;
    for (size_t j = 0; j <= b.len; j++)
        last[j] = (uint32_t)j;
    for (size_t i = 1; i <= a.len; i++) {
        uint32_t *spare = two_ago;

        now[0] = (uint32_t)i;
        for (size_t j = 1; j <= b.len; j++) {
            uint32_t best = last[j - 1] + (lower(a.ptr[i - 1]) != lower(b.ptr[j - 1]));

            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && lower(a.ptr[i - 1]) == lower(b.ptr[j - 2]) &&
                lower(a.ptr[i - 2]) == lower(b.ptr[j - 1]) && two_ago[j - 2] + 1 < best)
                best = two_ago[j - 2] + 1;
            now[j] = best;
        }
        two_ago = last;
        last = now;
        now = spare;
    }
    return last[b.len];
}
