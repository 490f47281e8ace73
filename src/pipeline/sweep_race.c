/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/sweep_race.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "stat/ttest.h"

enum { SURVIVORS = 4, LEAST_QUESTIONS = 8 };

int assay_sweep_by_bytes(const void *a, const void *b)
{
    return assay_slice_cmp(*(const assay_slice *)a, *(const assay_slice *)b);
}

bool assay_sweep_race_plan(const uint32_t *query, uint32_t n, const bool *is_held,
                           uint32_t n_settings, uint64_t budget, assay_arena *arena,
                           assay_sweep_race *out)
{
    uint32_t rounds = 1;
    uint64_t rest;

    if (!budget || budget >= (uint64_t)n * n_settings || n_settings <= SURVIVORS)
        return false;
    *out = (assay_sweep_race){.survivors = SURVIVORS};
    out->tuning = ASSAY_ARENA_ARRAY(arena, uint32_t, n + 1u);
    if (!out->tuning)
        return true;
    for (uint32_t i = 0; i < n; i++)
        if (!is_held[query[i]])
            out->tuning[out->n_tuning++] = query[i];
    for (uint32_t s = n_settings; s > SURVIVORS; s /= 2)
        rounds++;
    /* Half the settings at twice the questions: every round costs the same. */
    rest = budget > (uint64_t)SURVIVORS * n ? budget - (uint64_t)SURVIVORS * n : 0;
    out->first = (uint32_t)(rest / rounds / n_settings);
    if (out->first < LEAST_QUESTIONS)
        out->first = LEAST_QUESTIONS;
    return true;
}

typedef struct runner_up {
    uint32_t setting;
    double mean;
} runner_up;

/* The best first, of equals the first setting. */
static int by_mean(const void *a, const void *b)
{
    const runner_up *x = a;
    const runner_up *y = b;

    if (x->mean != y->mean)
        return x->mean < y->mean ? 1 : -1;
    return (x->setting > y->setting) - (x->setting < y->setting);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* One-sided p that `setting` is worse than the leader. */
static double p_worse(const double *value, uint32_t n_queries, const uint32_t *tuning,
                      uint32_t m, double sign, uint32_t leader, uint32_t setting,
                      double *room)
{
    uint32_t n = 0;
    assay_sample sample;

    for (uint32_t i = 0; i < m; i++) {
        double a = value[(size_t)leader * n_queries + tuning[i]];
        double b = value[(size_t)setting * n_queries + tuning[i]];

        if (!isnan(a) && !isnan(b))
            room[n++] = sign * (a - b);
    }
    sample = assay_sample_of(room, n);
    return n > 1 && sample.mean > 0 ? assay_ttest_paired(&sample).p / 2 : 1;
}

assay_status assay_sweep_drop(const double *value, uint32_t n_queries,
                              const uint32_t *tuning, uint32_t m, bool is_lower_better,
                              uint32_t *alive, uint32_t *n, assay_error *err)
{
    double sign = is_lower_better ? -1 : 1;
    runner_up *rank = ASSAY_NEW_ARRAY(runner_up, *n + 1u);
    double *room = ASSAY_NEW_ARRAY(double, m + 1u);
    uint32_t before = *n;
    uint32_t kept = 0;

    if (!rank || !room) {
        assay_mem_free(rank);
        assay_mem_free(room);
        return assay_fail_memory(err, "running a sweep");
    }
    for (uint32_t i = 0; i < before; i++) {
        double sum = 0;
        uint32_t count = 0;

        for (uint32_t q = 0; q < m; q++) {
            double v = value[(size_t)alive[i] * n_queries + tuning[q]];

            if (isnan(v))
                continue;
            sum += v;
            count++;
        }
        rank[i] = (runner_up){alive[i], count ? sign * sum / count : -INFINITY};
    }
    qsort(rank, before, sizeof *rank, by_mean);
    for (uint32_t i = 0; i < before; i++) {
        bool is_better_half = i < (before + 1) / 2;

        if (rank[i].setting == 0 ||
            (is_better_half &&
             (i == 0 || p_worse(value, n_queries, tuning, m, sign, rank[0].setting,
                                rank[i].setting, room) *
                                before >=
                            0.05)))
            alive[kept++] = rank[i].setting;
    }
    qsort(alive, kept, sizeof *alive, by_number);
    *n = kept;
    assay_mem_free(rank);
    assay_mem_free(room);
    return ASSAY_OK;
}
