/* SPDX-License-Identifier: Apache-2.0 */
/* Eight bytes as one word, first byte lowest, on machines of either order. */
#ifndef ASSAY_BASE_BYTES_H
#define ASSAY_BASE_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint64_t assay_bytes_load(const char *p)
{
    uint64_t word;

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&word, p, sizeof word);
#else
    word = 0;
    for (int i = 0; i < 8; i++)
        word |= (uint64_t)(unsigned char)p[i] << (8 * i);
#endif
    return word;
}

/* Index of the lowest bit that is set; bits must not be 0. */
static inline unsigned assay_bytes_first(uint64_t bits)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(bits);
#else
    unsigned n = 0;

    while (!(bits >> n & 1))
        n++;
    return n;
#endif
}

#endif
