/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded random numbers: xoshiro256** (Blackman and Vigna 2018), its state filled by
 * splitmix64.  Work that is spread over threads takes one stream for each block of draws,
 * never one for each thread, so that the bits do not depend on the number of threads. */
#ifndef ASSAY_STAT_RANDOM_H
#define ASSAY_STAT_RANDOM_H

#include <stdint.h>

typedef struct assay_random {
    uint64_t state[4]; /* never all zero */
} assay_random;

/* Stream number `stream` of `seed`; two streams have nothing to do with each other. */
assay_random assay_random_stream(uint64_t seed, uint64_t stream);

static inline uint64_t assay_random_turn(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

/* 64 random bits. */
static inline uint64_t assay_random_next(assay_random *r)
{
    uint64_t *s = r->state;
    const uint64_t out = assay_random_turn(s[1] * 5, 7) * 9;
    const uint64_t shifted = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = assay_random_turn(s[3], 45);
    return out;
}

/* Uniform in (0, 1): the middle of one of 2^52 equal parts, so never 0 and never 1. */
static inline double assay_random_unit(assay_random *r)
{
    return ((double)(assay_random_next(r) >> 12) + 0.5) * 0x1p-52;
}

/* Uniform among 0 .. below - 1, without bias; below > 0. */
static inline uint32_t assay_random_below(assay_random *r, uint32_t below)
{
    /* Lemire 2019: the high half of a product, the low half tells which to reject. */
    uint64_t product = (assay_random_next(r) >> 32) * below;

    if ((uint32_t)product < below) {
        const uint32_t least = (uint32_t)-below % below;

        while ((uint32_t)product < least)
            product = (assay_random_next(r) >> 32) * below;
    }
    return (uint32_t)(product >> 32);
}

#endif
