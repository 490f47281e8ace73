/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base64.h"

#include <string.h>

static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void assay_base64_write(assay_slice bytes, assay_buffer *out)
{
    for (size_t i = 0; i < bytes.len; i += 3) {
        size_t n = bytes.len - i < 3 ? bytes.len - i : 3;
        uint32_t group = 0;
        char four[4];

        for (size_t j = 0; j < 3; j++)
            group = group << 8 | (j < n ? (unsigned char)bytes.ptr[i + j] : 0);
        for (size_t j = 0; j < 4; j++)
            four[j] = j <= n ? digits[group >> (18 - 6 * j) & 63] : '=';
        assay_buffer_add(out, four, 4);
    }
}

/* 0 to 63, or 64 for what is no digit. */
static uint32_t value_of(char c)
{
    const char *at = c ? strchr(digits, c) : NULL;

    return at ? (uint32_t)(at - digits) : 64;
}

bool assay_base64_read(assay_slice text, assay_buffer *out)
{
    if (text.len % 4)
        return false;
    for (size_t i = 0; i < text.len; i += 4) {
        bool is_last = i + 4 == text.len;
        size_t n =
            is_last && text.ptr[i + 3] == '=' ? (text.ptr[i + 2] == '=' ? 1 : 2) : 3;
        uint32_t group = 0;

        for (size_t j = 0; j < 4; j++) {
            uint32_t value = j <= n ? value_of(text.ptr[i + j]) : 0;

            if (value == 64)
                return false;
            group = group << 6 | value;
        }
        /* Bits behind the last byte must be zero: one text for the same bytes. */
        if (group & (n == 3 ? 0 : n == 2 ? 0xFF : 0xFFFF))
            return false;
        for (size_t j = 0; j < n; j++)
            assay_buffer_char(out, (char)(group >> (16 - 8 * j) & 255));
    }
    return true;
}
