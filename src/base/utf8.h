/* SPDX-License-Identifier: Apache-2.0 */
/* Well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef ASSAY_BASE_UTF8_H
#define ASSAY_BASE_UTF8_H

#include <stdbool.h>

#include "assay.h"

/* Length of the well-formed prefix; s.len when all of it is. */
size_t assay_utf8_valid(assay_slice s);

static inline bool assay_utf8_is(assay_slice s)
{
    return assay_utf8_valid(s) == s.len;
}

/* Write `code` (a scalar value) and return the number of bytes, 1 to 4. */
size_t assay_utf8_put(uint32_t code, char out[4]);

/* Where the text at s is not well-formed (s.len > 0): how many bytes one U+FFFD stands
 * for, 1 to 3 (a lead byte and the continuation bytes that fit it). */
size_t assay_utf8_bad(assay_slice s);

/* Length of the character that s (s.len > 0) begins with, 1 to 4; a byte that belongs to
 * no well-formed character is one by itself. */
size_t assay_utf8_char(assay_slice s);

/* `at`, or the beginning of the character that goes on across it; at <= s.len. */
size_t assay_utf8_floor(assay_slice s, size_t at);

/* Where `n` characters from `at` (a boundary) on end; s.len when there are fewer. */
size_t assay_utf8_skip(assay_slice s, size_t at, size_t n);

/* The character that s (s.len > 0) begins with, and its length; U+FFFD for a byte that
 * belongs to none. */
uint32_t assay_utf8_get(assay_slice s, size_t *len);

/* Number of code points in well-formed text. */
size_t assay_utf8_count(assay_slice s);

#endif
