/* SPDX-License-Identifier: Apache-2.0 */
/* Well-formed UTF-8, by table 3-7 of the Unicode standard. */
#include "base/utf8.h"

#include <string.h>

#define HIGH_BITS UINT64_C(0x8080808080808080)

/* How many bytes a lead byte asks for, and which second bytes may follow it: that range
 * is what keeps out overlong forms, surrogates and everything above U+10FFFF. */
static size_t expect(unsigned char lead, unsigned char *low, unsigned char *high)
{
    *low = 0x80;
    *high = 0xBF;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    if (lead < 0xE0)
        return 2;
    if (lead < 0xF0) {
        if (lead == 0xE0)
            *low = 0xA0;
        if (lead == 0xED)
            *high = 0x9F;
        return 3;
    }
    if (lead == 0xF0)
        *low = 0x90;
    if (lead == 0xF4)
        *high = 0x8F;
    return 4;
}

/* How many bytes at p, of at most `left`, belong to one character; *is_whole says
 * whether they are all of it.  The first byte is not ASCII. */
static size_t match(const unsigned char *p, size_t left, bool *is_whole)
{
    unsigned char low;
    unsigned char high;
    size_t want = expect(p[0], &low, &high);
    size_t n = 1;

    *is_whole = false;
    if (want == 0)
        return 1;
    if (left < 2 || p[1] < low || p[1] > high)
        return 1;
    for (n = 2; n < want; n++)
        if (n == left || (p[n] & 0xC0) != 0x80)
            return n;
    *is_whole = true;
    return n;
}

size_t assay_utf8_valid(assay_slice s)
{
    const unsigned char *begin = (const unsigned char *)s.ptr;
    size_t i = 0;

    while (i < s.len) {
        bool is_whole;
        size_t n;
        uint64_t word;

        while (s.len - i >= 8) {
            memcpy(&word, begin + i, 8);
            if (word & HIGH_BITS)
                break;
            i += 8;
        }
        while (i < s.len && begin[i] < 0x80)
            i++;
        /* Text in other scripts comes in runs: stay here while it lasts. */
        while (i < s.len && begin[i] >= 0x80) {
            n = match(begin + i, s.len - i, &is_whole);
            if (!is_whole)
                return i;
            i += n;
        }
    }
    return s.len;
}

size_t assay_utf8_bad(assay_slice s)
{
    bool is_whole;

    if ((unsigned char)s.ptr[0] < 0x80)
        return 1;
    return match((const unsigned char *)s.ptr, s.len, &is_whole);
}

size_t assay_utf8_char(assay_slice s)
{
    bool is_whole;
    size_t n;

    if ((unsigned char)s.ptr[0] < 0x80)
        return 1;
    n = match((const unsigned char *)s.ptr, s.len, &is_whole);
    return is_whole ? n : 1;
}

size_t assay_utf8_floor(assay_slice s, size_t at)
{
    size_t start = at;

    if (at == s.len)
        return at;
    /* A character has at most three bytes before `at`, all but its first 10xxxxxx. */
    for (size_t back = 0; back < 3; back++) {
        if (start == 0 || ((unsigned char)s.ptr[start] & 0xC0) != 0x80)
            return at;
        start--;
        if ((unsigned char)s.ptr[start] >= 0xC0)
            break;
    }
    return start + assay_utf8_char((assay_slice){s.ptr + start, s.len - start}) > at
               ? start
               : at;
}

size_t assay_utf8_skip(assay_slice s, size_t at, size_t n)
{
    while (n && at < s.len) {
        uint64_t word;

        while (n >= 8 && s.len - at >= 8) {
            memcpy(&word, s.ptr + at, 8);
            if (word & HIGH_BITS)
                break;
            at += 8;
            n -= 8;
        }
        if (n && at < s.len) {
            at += assay_utf8_char((assay_slice){s.ptr + at, s.len - at});
            n--;
        }
    }
    return at;
}

uint32_t assay_utf8_get(assay_slice s, size_t *len)
{
    const unsigned char *p = (const unsigned char *)s.ptr;

    *len = assay_utf8_char(s);
    switch (*len) {
    case 1: return p[0] < 0x80 ? p[0] : 0xFFFD;
    case 2: return (p[0] & 0x1FU) << 6 | (p[1] & 0x3FU);
    case 3: return (p[0] & 0x0FU) << 12 | (p[1] & 0x3FU) << 6 | (p[2] & 0x3FU);
    default:
        return (p[0] & 0x07U) << 18 | (p[1] & 0x3FU) << 12 | (p[2] & 0x3FU) << 6 |
               (p[3] & 0x3FU);
    }
}

size_t assay_utf8_put(uint32_t code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xE0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3F));
    out[2] = (char)(0x80 | (code >> 6 & 0x3F));
    out[3] = (char)(0x80 | (code & 0x3F));
    return 4;
}

size_t assay_utf8_count(assay_slice s)
{
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++)
        n += ((unsigned char)s.ptr[i] & 0xC0) != 0x80;
    return n;
}
