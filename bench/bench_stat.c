/* SPDX-License-Identifier: Apache-2.0 */
/* How long the statistics of a comparison take: one metric of 7,000 queries.
 *
 *     build/bench/bench_stat [QUERIES [THREADS]]
 *
 * Two kinds of differences: none of them zero (the worst), and nine in ten zero (the usual). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "stat/bootstrap.h"
#include "stat/permutation.h"
#include "stat/random.h"
#include "stat/tukey.h"
#include "stat/wilcoxon.h"

/* Seconds of the wall and of the processor (all threads), which another program's load does
 * not change. */
typedef struct clocks {
    double wall;
    double processor;
} clocks;

static double read_clock(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static clocks now(void)
{
    return (clocks){read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_PROCESS_CPUTIME_ID)};
}

static void line(const char *what, clocks from, double value)
{
    const clocks to = now();

    printf("%-44s %7.3f s wall %7.3f s cpu   %.6g\n", what, to.wall - from.wall,
           to.processor - from.processor, value);
}

static void measure(const char *kind, const double *d, size_t n, uint32_t n_threads)
{
    assay_permutation permuted;
    assay_wilcoxon ranked;
    assay_interval interval;
    double *two = malloc(4 * n * sizeof *two);
    double p[16];
    clocks from;

    printf("%s, %zu queries, %u threads\n", kind, n, n_threads);
    from = now();
    if (assay_permutation_test(d, n, 1, 0, n_threads, &permuted))
        line("  100,000 permutations: p", from, permuted.p);
    from = now();
    if (assay_bootstrap_interval(d, n, 0.95, 1, 0, n_threads, &interval))
        line("  10,000 resamples, BCa: low end", from, interval.low);
    from = now();
    if (assay_wilcoxon_test(d, n, &ranked))
        line("  Wilcoxon: p", from, ranked.p);
    for (size_t i = 0; two && i < n; i++)
        for (size_t r = 0; r < 4; r++)
            two[4 * i + r] = r % 2 ? d[i] : d[(i + r) % n];
    from = now();
    if (two && assay_tukey_test(two, n, 4, 1, 0, n_threads, p))
        line("  10,000 draws of Tukey's HSD, 4 runs: p", from, p[1]);
    free(two);
}

int main(int argc, char **argv)
{
    const size_t n = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 7000;
    const uint32_t n_threads = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 2;
    assay_random random = assay_random_stream(1, 0);
    double *d = malloc(n * sizeof *d);

    if (!d)
        return 5;
    for (size_t i = 0; i < n; i++)
        d[i] = assay_random_unit(&random) - 0.49;
    measure("no zeros", d, n, n_threads);
    for (size_t i = 0; i < n; i++)
        d[i] = i % 10 ? 0 : d[i];
    measure("nine of ten zero", d, n, n_threads);
    free(d);
    return 0;
}
