/* SPDX-License-Identifier: Apache-2.0 */
/* What hits_block.c writes and hits_unpack.c reads; docs/STORE.md has it in words. */
#ifndef ASSAY_STORE_HITS_FORMAT_H
#define ASSAY_STORE_HITS_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

enum {
    HITS_VERSION = 1,
    HITS_AT_KINDS = 1,
    HITS_AT_PARTS = 2,
    HITS_AT_SUM = 4,
    HITS_HEADER = 8,
    HITS_ID_BYTES = 16 /* of an id of 32 hex digits */
};

/* How the ids of a column are kept. */
enum { HITS_ID_NONE, HITS_ID_HEX, HITS_ID_TABLE, HITS_ID_HEX_TABLE };
/* Ranks: 1 to n, none, or listed. */
enum { HITS_RANK_COUNT, HITS_RANK_NONE, HITS_RANK_LIST };
enum { HITS_SCORE_ALL, HITS_SCORE_NONE, HITS_SCORE_SOME };
/* Bits of the byte at HITS_AT_KINDS that each of the four begins at. */
enum { HITS_CHUNK_AT = 0, HITS_DOC_AT = 2, HITS_RANK_AT = 4, HITS_SCORE_AT = 6 };
/* Bits of the byte at HITS_AT_PARTS. */
enum {
    HITS_HAS_SPANS = 1,
    HITS_ONE_SPAN = 2,
    HITS_HAS_LEGS = 4,
    HITS_HAS_TEXTS = 8,
    HITS_HAS_LINES = 16
};

/* Bytes of a number into a table of n words. */
static inline unsigned assay_hits_width(uint64_t n)
{
    return n <= 256 ? 1 : n <= 65536 ? 2 : 4;
}

static inline uint64_t assay_hits_mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ b) * UINT64_C(0x9E3779B97F4A7C15);

    return h ^ (h >> 29);
}

/* The check sum of everything but itself: four lanes of eight bytes, lowest byte first. */
static inline uint32_t assay_hits_sum(const char *block, size_t len)
{
    uint64_t a = 1;
    uint64_t b = 2;
    uint64_t c = 3;
    uint64_t d = 4;
    const char *p = block + HITS_HEADER;
    size_t left = len - HITS_HEADER;
    uint64_t h = len ^ (assay_bytes_load(block) & UINT64_C(0xFFFFFFFF)) << 32;

    for (; left >= 32; p += 32, left -= 32) {
        a = assay_hits_mix(a, assay_bytes_load(p));
        b = assay_hits_mix(b, assay_bytes_load(p + 8));
        c = assay_hits_mix(c, assay_bytes_load(p + 16));
        d = assay_hits_mix(d, assay_bytes_load(p + 24));
    }
    h = assay_hits_mix(assay_hits_mix(h, a), b);
    h = assay_hits_mix(assay_hits_mix(h, c), d);
    for (; left >= 8; p += 8, left -= 8)
        h = assay_hits_mix(h, assay_bytes_load(p));
    for (; left; p++, left--)
        h = assay_hits_mix(h, (unsigned char)*p);
    return (uint32_t)(h ^ h >> 32);
}

#endif
