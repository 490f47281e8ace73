/* SPDX-License-Identifier: Apache-2.0 */
#include "stat/random.h"

/* splitmix64 (Steele, Lea and Flood 2014): spreads neighbouring numbers far apart. */
static uint64_t spread(uint64_t *x)
{
    uint64_t z;

    *x += UINT64_C(0x9E3779B97F4A7C15);
    z = *x;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

assay_random assay_random_stream(uint64_t seed, uint64_t stream)
{
    assay_random r;
    uint64_t x = seed;

    /* Seed and number go through the mill one after the other: seed 1, stream 2 must not
     * be seed 2, stream 1. */
    x = spread(&x) ^ stream;
    x = spread(&x);
    for (int i = 0; i < 4; i++)
        r.state[i] = spread(&x);
    r.state[0] |= (uint64_t)((r.state[0] | r.state[1] | r.state[2] | r.state[3]) == 0);
    return r;
}
