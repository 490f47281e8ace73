/* SPDX-License-Identifier: Apache-2.0 */
/* The BCa bootstrap.
 *
 *     z0 = quantile of the share of resampled means below the mean (half of the equal ones)
 *     a  = acceleration
 *     the ends are the quantiles  cdf(z0 + (z0 + z) / (1 - a (z0 + z)))  of the resampled
 *     means, z = quantiles of (1 - confidence) / 2 and of one less that
 *
 * A resample is n values with replacement.  Zeros, which are most of the differences between
 * two runs, are not drawn one by one: how many of the n are not zero is one binomial
 * number, and only so many are drawn. */
#include "stat/bootstrap.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/pool.h"
#include "stat/distributions.h"
#include "stat/random.h"

enum { BLOCK = 64 }; /* resamples that share a stream */

typedef struct draws {
    const double *used; /* what is not zero */
    uint32_t n_used;
    size_t n;
    const double
        *reach; /* reach[i]: chance of at most `least + i` values that are not zero */
    size_t n_reach;
    size_t least;
    uint64_t seed;
    uint32_t n_draws;
    double *mean;
} draws;

/* ---- how many are not zero ---- */

/* The binomial numbers within nine standard deviations: beyond is nobody. */
static double *reaches(size_t n, uint32_t n_used, size_t *least, size_t *n_reach)
{
    const double share = n_used / (double)n;
    const double middle = n_used;
    const double wide = 9 * sqrt(middle * (1 - share)) + 10;
    const size_t from = middle > wide ? (size_t)(middle - wide) : 0;
    const size_t to = middle + wide < (double)n ? (size_t)(middle + wide) : n;
    double *reach = ASSAY_NEW_ARRAY(double, to - from + 1);
    double sum = 0;

    if (!reach)
        return NULL;
    for (size_t k = from; k <= to; k++) {
        sum += assay_binomial_share((uint32_t)k, (uint32_t)n, share);
        reach[k - from] = sum;
    }
    *least = from;
    *n_reach = to - from + 1;
    return reach;
}

static size_t draw_count(const draws *w, assay_random *random)
{
    const double u = assay_random_unit(random) * w->reach[w->n_reach - 1];
    size_t low = 0;
    size_t high = w->n_reach - 1;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (w->reach[middle] < u)
            low = middle + 1;
        else
            high = middle;
    }
    return w->least + low;
}

/* ---- resamples ---- */

/* Two values by one random word. */
static double draw_sum(const draws *w, assay_random *random, size_t count)
{
    const uint64_t n = w->n_used;
    const uint32_t least = (uint32_t)-w->n_used % w->n_used;
    double even = 0;
    double odd = 0;

    for (size_t i = 0; i + 1 < count; i += 2) {
        const uint64_t bits = assay_random_next(random);
        uint64_t first = (bits >> 32) * n;
        uint64_t second = (bits & UINT32_MAX) * n;

        while ((uint32_t)first < least)
            first = (assay_random_next(random) >> 32) * n;
        while ((uint32_t)second < least)
            second = (assay_random_next(random) >> 32) * n;
        even += w->used[first >> 32];
        odd += w->used[second >> 32];
    }
    if (count % 2)
        even += w->used[assay_random_below(random, w->n_used)];
    return even + odd;
}

static void draw_block(void *ctx, uint32_t worker, size_t item)
{
    const draws *w = ctx;
    assay_random random = assay_random_stream(w->seed, item);
    const size_t from = item * BLOCK;

    (void)worker;
    for (size_t i = from; i < from + BLOCK && i < w->n_draws; i++)
        w->mean[i] = draw_sum(w, &random, draw_count(w, &random)) / (double)w->n;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* ---- the interval ---- */

double assay_bootstrap_acceleration(const double *d, size_t n)
{
    const assay_sample s = assay_sample_of(d, n);
    double squares = 0;
    double cubes = 0;

    for (size_t i = 0; i < n; i++) {
        const double off = d[i] - s.mean;

        squares += off * off;
        cubes += off * off * off;
    }
    return squares > 0 ? cubes / (6 * squares * sqrt(squares)) : 0;
}

/* The value below which `share` of the sorted ones are, between neighbours in proportion. */
static double quantile(const double *sorted, size_t n, double share)
{
    const double at = share * (double)(n - 1);
    const size_t below = at >= (double)(n - 1) ? n - 1 : (size_t)at;

    if (below == n - 1)
        return sorted[n - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

static double adjusted(double z0, double acceleration, double share)
{
    const double z = z0 + assay_normal_quantile(share);

    return assay_normal_cdf(z0 + z / (1 - acceleration * z));
}

assay_interval assay_bootstrap_bca(const double *drawn, size_t n_drawn, double mean,
                                   double acceleration, double confidence)
{
    const double alpha = (1 - confidence) / 2;
    size_t twice = 0; /* those below count double, equal ones once */
    double z0;

    for (size_t i = 0; i < n_drawn; i++)
        twice += (size_t)(drawn[i] < mean) + (size_t)(drawn[i] <= mean);
    if (!twice || twice == 2 * n_drawn)
        return (assay_interval){drawn[0], drawn[n_drawn - 1]};
    z0 = assay_normal_quantile((double)twice / (2 * (double)n_drawn));
    return (assay_interval){
        quantile(drawn, n_drawn, adjusted(z0, acceleration, alpha)),
        quantile(drawn, n_drawn, adjusted(z0, acceleration, 1 - alpha))};
}

static bool draw_all(draws *w, uint32_t n_threads, double *reach)
{
    w->reach = reach;
    if (!reach || !w->mean)
        return false;
    assay_pool_run(n_threads, (w->n_draws + (size_t)BLOCK - 1) / BLOCK, draw_block, w);
    qsort(w->mean, w->n_draws, sizeof *w->mean, ascending);
    return true;
}

bool assay_bootstrap_interval(const double *d, size_t n, double confidence, uint64_t seed,
                              uint32_t n_draws, uint32_t n_threads, assay_interval *out)
{
    const assay_sample s = assay_sample_of(d, n);
    draws w = {
        .n = n, .seed = seed, .n_draws = n_draws ? n_draws : ASSAY_BOOTSTRAP_DRAWS};
    double *used;
    double *reach;
    bool is_ok;

    if (s.is_constant) {
        const bool has_one = n > 1 || (n == 1 && s.mean == 0);

        *out = has_one ? (assay_interval){s.mean, s.mean} : (assay_interval){NAN, NAN};
        return true;
    }

    used = ASSAY_NEW_ARRAY(double, n);
    w.mean = ASSAY_NEW_ARRAY(double, w.n_draws);
    for (size_t i = 0; used && i < n; i++)
        if (d[i] != 0)
            used[w.n_used++] = d[i];
    w.used = used;
    reach = used ? reaches(n, w.n_used, &w.least, &w.n_reach) : NULL;
    is_ok = draw_all(&w, n_threads, reach);
    if (is_ok)
        *out = assay_bootstrap_bca(w.mean, w.n_draws, s.mean,
                                   assay_bootstrap_acceleration(d, n), confidence);
    assay_mem_free(reach);
    assay_mem_free(w.mean);
    assay_mem_free(used);
    return is_ok;
}
