/* SPDX-License-Identifier: Apache-2.0 */
/* The sign-flip permutation test.
 *
 * A draw needs one random bit and one addition for each difference: 700 million of each for
 * 100,000 draws over 7,000 queries.  So eight differences are taken together: the sums of
 * all 256 patterns of their signs are tabled once for a block of draws, and a random byte
 * picks one.  Table and block stay in the first cache, no vector instructions are needed, and
 * the order of the additions is the same everywhere. */
#include "stat/permutation.h"

#include <math.h>

#include "base/mem.h"
#include "base/pool.h"
#include "stat/random.h"

enum {
    GROUP = 8,             /* differences that share a byte */
    PATTERNS = 1 << GROUP, /* of their signs */
    BLOCK = 1024,          /* draws that share a stream; a multiple of 8 */
    HALF = ASSAY_PERMUTATION_EXACT / 2
};

/* Sums nearer than this, as a share of the sum of magnitudes, are the same sum. */
static const double tolerance = 1e-12;

/* sums[pattern]: bit i set means that d[i] keeps its sign. */
static void table_sums(const double *d, size_t n, double *sums)
{
    sums[0] = 0;
    for (size_t i = 0; i < n; i++)
        sums[0] -= d[i];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < (size_t)1 << i; j++)
            sums[j + ((size_t)1 << i)] = sums[j] + 2 * d[i];
}

/* ---- every pattern ---- */

static double p_of_all(const double *d, size_t n, double bar)
{
    const size_t n_low = n < HALF ? n : HALF;
    const size_t n_high = n - n_low;
    double low[1 << HALF];
    double high[1 << HALF];
    uint32_t reached = 0;

    table_sums(d, n_low, low);
    table_sums(d + n_low, n_high, high);
    for (size_t i = 0; i < (size_t)1 << n_high; i++)
        for (size_t j = 0; j < (size_t)1 << n_low; j++)
            reached += fabs(high[i] + low[j]) >= bar;
    return ldexp(reached, -(int)n);
}

/* ---- patterns by chance ---- */

typedef struct draws {
    const double *d; /* padded with zeros to whole groups */
    size_t n_groups;
    double bar; /* a sum this far from 0 is as far as ours */
    uint64_t seed;
    uint32_t n;
    uint32_t *reached; /* of each block */
} draws;

static void add_group(const double *d, assay_random *random, double *sum)
{
    double table[PATTERNS];

    table_sums(d, GROUP, table);
    for (size_t i = 0; i < BLOCK; i += 8) {
        const uint64_t bits = assay_random_next(random);

        for (size_t j = 0; j < 8; j++)
            sum[i + j] += table[bits >> (8 * j) & (PATTERNS - 1)];
    }
}

static void draw_block(void *ctx, uint32_t worker, size_t item)
{
    const draws *w = ctx;
    assay_random random = assay_random_stream(w->seed, item);
    const size_t left = w->n - item * BLOCK;
    const size_t n = left < BLOCK ? left : BLOCK;
    double sum[BLOCK] = {0};
    uint32_t reached = 0;

    (void)worker;
    for (size_t g = 0; g < w->n_groups; g++)
        add_group(w->d + g * GROUP, &random, sum);
    for (size_t i = 0; i < n; i++)
        reached += fabs(sum[i]) >= w->bar;
    w->reached[item] = reached;
}

static bool p_of_draws(draws *w, uint32_t n_threads, double *p)
{
    const size_t n_blocks = (w->n + (size_t)BLOCK - 1) / BLOCK;
    uint64_t reached = 0;

    w->reached = ASSAY_NEW_ARRAY(uint32_t, n_blocks);
    if (!w->reached)
        return false;
    assay_pool_run(n_threads, n_blocks, draw_block, w);
    for (size_t i = 0; i < n_blocks; i++)
        reached += w->reached[i];
    assay_mem_free(w->reached);
    *p = ((double)reached + 1) / ((double)w->n + 1);
    return true;
}

bool assay_permutation_test(const double *d, size_t n, uint64_t seed, uint32_t n_draws,
                            uint32_t n_threads, assay_permutation *out)
{
    assay_permutation result = {.p = n ? 1 : NAN, .is_exact = true};
    double sum = 0;
    double magnitude = 0;
    double *used;
    bool is_ok = true;

    /* Zeros have no sign: without them more samples are small enough for all patterns. */
    used = ASSAY_NEW_ARRAY(double, n + GROUP);
    if (!used)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (d[i] == 0)
            continue;
        used[result.n_used++] = d[i];
        sum += d[i];
        magnitude += fabs(d[i]);
    }

    if (result.n_used && result.n_used <= ASSAY_PERMUTATION_EXACT) {
        result.p = p_of_all(used, result.n_used, fabs(sum) - tolerance * magnitude);
    } else if (result.n_used) {
        draws w = {.d = used,
                   .n_groups = (result.n_used + GROUP - 1) / GROUP,
                   .bar = fabs(sum) - tolerance * magnitude,
                   .seed = seed,
                   .n = n_draws ? n_draws : ASSAY_PERMUTATION_DRAWS};

        result.is_exact = false;
        result.n_draws = w.n;
        is_ok = p_of_draws(&w, n_threads, &result.p);
    }
    assay_mem_free(used);
    if (is_ok)
        *out = result;
    return is_ok;
}
