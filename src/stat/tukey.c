/* SPDX-License-Identifier: Apache-2.0 */
#include "stat/tukey.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"
#include "stat/random.h"

enum { BLOCK = 32 }; /* draws that share a stream */

/* Sums nearer than this, as a share of the largest sum of magnitudes, are the same. */
static const double tolerance = 1e-12;

typedef struct draws {
    const double *row; /* queries whose values are not all the same */
    size_t n_rows;
    uint32_t n_runs;
    uint64_t seed;
    uint32_t n;
    double *room;   /* two rows for each worker */
    double *spread; /* of each draw: best sum less worst sum */
} draws;

static double range_of(const double *sum, uint32_t n)
{
    double least = sum[0];
    double most = sum[0];

    for (uint32_t i = 1; i < n; i++) {
        least = fmin(least, sum[i]);
        most = fmax(most, sum[i]);
    }
    return most - least;
}

static double draw(const draws *w, assay_random *random, double *sum, double *row)
{
    const uint32_t m = w->n_runs;

    memset(sum, 0, m * sizeof *sum);
    for (size_t q = 0; q < w->n_rows; q++) {
        memcpy(row, w->row + q * m, m * sizeof *row);
        for (uint32_t i = m; i-- > 0;) {
            const uint32_t j = assay_random_below(random, i + 1);

            sum[i] += row[j];
            row[j] = row[i];
        }
    }
    return range_of(sum, m);
}

static void draw_block(void *ctx, uint32_t worker, size_t item)
{
    const draws *w = ctx;
    assay_random random = assay_random_stream(w->seed, item);
    double *sum = w->room + (size_t)worker * 2 * w->n_runs;
    const size_t from = item * BLOCK;

    for (size_t i = from; i < from + BLOCK && i < w->n; i++)
        w->spread[i] = draw(w, &random, sum, sum + w->n_runs);
}

/* Copy what differs; returns how many rows. */
static size_t differing(const double *value, size_t n, uint32_t m, double *row)
{
    size_t n_rows = 0;

    for (size_t q = 0; q < n; q++) {
        const double *v = value + q * m;

        if (range_of(v, m) > 0)
            memcpy(row + n_rows++ * m, v, m * sizeof *v);
    }
    return n_rows;
}

/* The sums of the runs, and the largest sum of magnitudes. */
static double sums_of(const draws *w, double *sum)
{
    double most = 0;

    memset(sum, 0, w->n_runs * sizeof *sum);
    for (uint32_t r = 0; r < w->n_runs; r++) {
        double magnitude = 0;

        for (size_t q = 0; q < w->n_rows; q++) {
            sum[r] += w->row[q * w->n_runs + r];
            magnitude += fabs(w->row[q * w->n_runs + r]);
        }
        most = fmax(most, magnitude);
    }
    return most;
}

static double share_of(const draws *w, double bar)
{
    uint32_t reached = 0;

    for (uint32_t i = 0; i < w->n; i++)
        reached += w->spread[i] >= bar;
    return (reached + 1.0) / (w->n + 1.0);
}

static void fill(const draws *w, double *sum, double *p)
{
    const double slack = tolerance * sums_of(w, sum);

    for (uint32_t i = 0; i < w->n_runs; i++)
        for (uint32_t j = 0; j < i; j++) {
            const double share = share_of(w, fabs(sum[i] - sum[j]) - slack);

            p[(size_t)i * w->n_runs + j] = share;
            p[(size_t)j * w->n_runs + i] = share;
        }
}

bool assay_tukey_test(const double *value, size_t n_queries, uint32_t n_runs,
                      uint64_t seed, uint32_t n_draws, uint32_t n_threads, double *p)
{
    draws w = {
        .n_runs = n_runs, .seed = seed, .n = n_draws ? n_draws : ASSAY_TUKEY_DRAWS};
    double *row = ASSAY_NEW_ARRAY(double, n_queries *n_runs);
    bool is_ok = false;

    w.room = ASSAY_NEW_ARRAY(double, (size_t)ASSAY_POOL_MOST * 2 * n_runs);
    w.spread = ASSAY_NEW_ARRAY(double, w.n);
    if (!row || !w.room || !w.spread)
        goto done;

    is_ok = true;
    for (size_t i = 0; i < (size_t)n_runs * n_runs; i++)
        p[i] = 1;
    w.n_rows = differing(value, n_queries, n_runs, row);
    w.row = row;
    if (w.n_rows) {
        assay_pool_run(n_threads, (w.n + (size_t)BLOCK - 1) / BLOCK, draw_block, &w);
        fill(&w, w.room, p);
    }

done:
    assay_mem_free(w.spread);
    assay_mem_free(w.room);
    assay_mem_free(row);
    return is_ok;
}
