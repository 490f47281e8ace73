/* SPDX-License-Identifier: Apache-2.0 */
/* A hash for ids, in the header because every hit of every run goes through it. */
#ifndef ASSAY_BASE_HASH_H
#define ASSAY_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t assay_hash_mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ b) * UINT64_C(0x9E3779B97F4A7C15);

    return h ^ (h >> 29);
}

/* The last 1 to 7 bytes as one word, without a loop: two reads that may overlap. */
static inline uint64_t assay_hash_tail(const char *p, size_t len)
{
    uint32_t head;
    uint32_t last;

    if (len >= 4) {
        memcpy(&head, p, 4);
        memcpy(&last, p + len - 4, 4);
        return (uint64_t)head << 32 | last;
    }
    return (uint64_t)(unsigned char)p[0] << 16 |
           (uint64_t)(unsigned char)p[len >> 1] << 8 | (unsigned char)p[len - 1];
}

/* A fast hash of short byte strings; not for adversaries, not stable over versions. */
static inline uint64_t assay_hash(const char *p, size_t len)
{
    uint64_t h = assay_hash_mix(len, UINT64_C(0xD6E8FEB86659FD93));
    uint64_t word;

    while (len >= 8) {
        memcpy(&word, p, 8);
        h = assay_hash_mix(h, word);
        p += 8;
        len -= 8;
    }
    if (len)
        h = assay_hash_mix(h, assay_hash_tail(p, len));
    return assay_hash_mix(h, h >> 32);
}

#endif
