/* SPDX-License-Identifier: Apache-2.0 */
#include "score/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

assay_scores *assay_scores_new(uint32_t n_rows, uint32_t n_columns)
{
    assay_scores *s = ASSAY_NEW(assay_scores);
    size_t n = (size_t)n_rows * n_columns;

    if (!s)
        return NULL;
    s->n_rows = n_rows;
    s->n_columns = n_columns;
    s->column = ASSAY_ARENA_ARRAY(&s->arena, assay_column, n_columns);
    s->row = ASSAY_ARENA_ARRAY(&s->arena, assay_row, n_rows);
    s->total = ASSAY_ARENA_ARRAY(&s->arena, assay_total, n_columns);
    s->value = assay_arena_alloc(&s->arena, (n ? n : 1) * sizeof *s->value);
    if (!s->column || !s->row || !s->total || !s->value) {
        assay_scores_free(s);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        s->value[i] = (double)NAN;
    return s;
}

void assay_scores_free(assay_scores *scores)
{
    if (!scores)
        return;
    assay_arena_clear(&scores->arena);
    assay_mem_free(scores);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The value at `share` of the way from the smallest to the greatest, linear between
 * neighbours: numpy's default.  n >= 1. */
static double percentile(double *value, uint32_t n, double share)
{
    double place = share * (double)(n - 1);
    uint32_t below = (uint32_t)place;
    double rest = place - (double)below;

    qsort(value, n, sizeof *value, ascending);
    if (below + 1 >= n)
        return value[n - 1];
    return value[below] + rest * (value[below + 1] - value[below]);
}

static double sum_of(const double *value, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += value[i];
    return sum;
}

static double mean_log(const double *value, uint32_t n)
{
    const double least = 0.00001; /* trec_eval's: a zero must not make all of it zero */
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += log(value[i] > least ? value[i] : least);
    return sum / n;
}

/* Two passes, so that equal values give exactly 0. */
static double deviation(const double *value, uint32_t n)
{
    double mean = sum_of(value, n) / n;
    double squares = 0;

    if (n < 2)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        squares += (value[i] - mean) * (value[i] - mean);
    return sqrt(squares / (n - 1));
}

static double aggregate(assay_aggregate how, double *value, uint32_t n)
{
    switch (how) {
    case ASSAY_AGG_SUM: return sum_of(value, n);
    case ASSAY_AGG_GEOMETRIC: return exp(mean_log(value, n));
    case ASSAY_AGG_COUNT: return n;
    case ASSAY_AGG_P50: return percentile(value, n, 0.50);
    case ASSAY_AGG_P95: return percentile(value, n, 0.95);
    case ASSAY_AGG_P99: return percentile(value, n, 0.99);
    case ASSAY_AGG_MAX: return percentile(value, n, 1.0);
    case ASSAY_AGG_MEAN: break;
    }
    return sum_of(value, n) / n;
}

assay_total assay_scores_add(const assay_scores *scores, uint32_t column,
                             const bool *keep, double *room)
{
    assay_total t = {(double)NAN, 0, 0, (double)NAN, (double)NAN, (double)NAN};

    for (uint32_t r = 0; r < scores->n_rows; r++) {
        double v = *assay_scores_cell(scores, r, column);

        if (keep && !keep[r])
            continue;
        if (isnan(v))
            t.absent++;
        else
            room[t.n++] = v;
    }
    if (t.n) {
        t.spread = deviation(room, t.n);
        t.value = aggregate(scores->column[column].aggregate, room, t.n);
    }
    return t;
}

bool assay_scores_finish(assay_scores *scores)
{
    double *room = ASSAY_NEW_ARRAY(double, scores->n_rows + 1);

    if (!room)
        return false;
    for (uint32_t c = 0; c < scores->n_columns; c++)
        scores->total[c] = assay_scores_add(scores, c, NULL, room);
    assay_mem_free(room);
    return true;
}

uint32_t assay_scores_column(const assay_scores *scores, const char *name)
{
    for (uint32_t c = 0; c < scores->n_columns; c++)
        if (strcmp(scores->column[c].name, name) == 0 ||
            strcmp(scores->column[c].full, name) == 0)
            return c;
    return ASSAY_NONE;
}

double assay_round4(double value)
{
    return round(value * 1e4) / 1e4;
}
