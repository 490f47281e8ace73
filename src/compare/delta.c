/* SPDX-License-Identifier: Apache-2.0 */
/* Differences of two tables of scores, measure by measure.
 *
 * Every test is paired by query: the same questions were put to both systems.  A measure
 * whose differences are those of one before (hit@1 and precision@1, say) gets its figures
 * from there, since resampling is what takes the time. */
#include "compare/delta.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "stat/bootstrap.h"
#include "stat/effect.h"
#include "stat/sample.h"
#include "stat/ttest.h"

static const double standard_confidence = 0.95;

/* One measure under way: the scores of the queries that have both. */
typedef struct pairs {
    double *a;
    double *b;
    double *d;
    uint32_t n;
} pairs;

static void gather(const assay_scores *a, const assay_scores *b, uint32_t column,
                   pairs *out)
{
    out->n = 0;
    for (uint32_t r = 0; r < a->n_rows; r++) {
        double x = *assay_scores_cell(a, r, column);
        double y = *assay_scores_cell(b, r, column);

        if (isnan(x) || isnan(y))
            continue;
        out->a[out->n] = x;
        out->b[out->n++] = y;
    }
    assay_sample_pair(out->a, out->b, out->n, out->d);
}

static void count_signs(const pairs *p, assay_delta *out)
{
    out->n = p->n;
    for (uint32_t i = 0; i < p->n; i++) {
        out->n_up += p->d[i] > 0;
        out->n_down += p->d[i] < 0;
    }
}

static int direction_of(const assay_column *c, double delta)
{
    /* What differs by rounding alone is the same. */
    if (c->has_no_direction || isnan(delta) || fabs(delta) < 1e-12)
        return 0;
    return (delta > 0) != c->is_lower_better ? 1 : -1;
}

static void put_totals(const assay_scores *a, const assay_scores *b, uint32_t column,
                       const assay_delta_rules *rules, assay_delta *out)
{
    const assay_total *x = &a->total[column];
    const assay_total *y = &b->total[column];

    *out = (assay_delta){.column = &a->column[column],
                         .a = x->value,
                         .b = y->value,
                         .delta = y->value - x->value,
                         .n_a = x->n,
                         .n_b = y->n,
                         .low = NAN,
                         .high = NAN,
                         .t_low = NAN,
                         .t_high = NAN,
                         .p = NAN,
                         .p_corrected = NAN,
                         .effect = NAN,
                         .p_paired = NAN,
                         .judged_a = NAN,
                         .judged_b = NAN};
    if (rules->is_rounded)
        out->delta = assay_round4(assay_round4(y->value) - assay_round4(x->value));
    out->direction = direction_of(out->column, out->delta);
}

/* ---- statistics ---- */

static const assay_stat_test *paired_test(void)
{
    const assay_stat_test *t;

    for (size_t i = 0; (t = assay_stat_test_at(i)) != NULL; i++)
        if (t->is_paired)
            return t;
    return NULL;
}

static bool test_pairs(const pairs *p, const assay_delta_rules *rules, assay_delta *out)
{
    const assay_stat_test *test = rules->test ? rules->test : assay_stat_test_at(0);
    const assay_stat_test *paired = paired_test();
    const assay_stat_pair pair = {p->a, p->b, p->n, p->n};
    const assay_stat_settings settings = {.seed = rules->seed,
                                          .n_threads = rules->n_threads};
    assay_stat_result r;

    if (!test->run(&pair, &settings, &r))
        return false;
    out->p = out->p_corrected = out->p_paired = r.p;
    out->effect = r.effect;
    out->effect_level = isnan(r.effect) ? NULL : assay_effect_level(r.effect);
    out->is_exact = r.is_exact;
    if (test->is_paired)
        return true;
    if (!paired->run(&pair, &settings, &r))
        return false;
    out->p_paired = r.p;
    return true;
}

static bool put_intervals(const pairs *p, const assay_delta_rules *rules,
                          assay_delta *out)
{
    double confidence = rules->confidence > 0 ? rules->confidence : standard_confidence;
    const assay_sample sample = assay_sample_of(p->d, p->n);
    assay_interval t = assay_ttest_interval(&sample, confidence);
    assay_interval drawn;

    if (!assay_bootstrap_interval(p->d, p->n, confidence, rules->seed, 0,
                                  rules->n_threads, &drawn))
        return false;
    out->low = drawn.low;
    out->high = drawn.high;
    out->t_low = t.low;
    out->t_high = t.high;
    return true;
}

/* A measure before `column` with the same scores in both runs, or `column`. */
static uint32_t twin_of(const assay_scores *a, const assay_scores *b, uint32_t column)
{
    uint32_t c = 0;

    for (; c < column; c++) {
        uint32_t r = 0;

        if (a->column[c].aggregate != a->column[column].aggregate)
            continue;
        /* As bytes, so that absent is equal to absent. */
        while (r < a->n_rows &&
               memcmp(assay_scores_cell(a, r, c), assay_scores_cell(a, r, column),
                      sizeof(double)) == 0 &&
               memcmp(assay_scores_cell(b, r, c), assay_scores_cell(b, r, column),
                      sizeof(double)) == 0)
            r++;
        if (r == a->n_rows)
            break;
    }
    return c;
}

static void copy_figures(const assay_delta *from, assay_delta *to)
{
    to->n = from->n;
    to->n_up = from->n_up;
    to->n_down = from->n_down;
    to->low = from->low;
    to->high = from->high;
    to->t_low = from->t_low;
    to->t_high = from->t_high;
    to->p = from->p;
    to->p_corrected = from->p_corrected;
    to->p_paired = from->p_paired;
    to->effect = from->effect;
    to->effect_level = from->effect_level;
    to->is_exact = from->is_exact;
}

static bool make_one(const assay_scores *a, const assay_scores *b, uint32_t column,
                     const assay_delta_rules *rules, pairs *room, assay_delta *out)
{
    uint32_t twin = twin_of(a, b, column);

    put_totals(a, b, column, rules, &out[column]);
    if (twin < column) {
        copy_figures(&out[twin], &out[column]);
        return true;
    }
    gather(a, b, column, room);
    count_signs(room, &out[column]);
    /* A difference of percentiles or sums is no mean of differences. */
    if (a->column[column].aggregate != ASSAY_AGG_MEAN || !room->n)
        return true;
    return test_pairs(room, rules, &out[column]) &&
           put_intervals(room, rules, &out[column]);
}

bool assay_deltas_make(const assay_scores *a, const assay_scores *b, uint32_t n_columns,
                       const assay_delta_rules *rules, assay_delta *out)
{
    size_t n = (size_t)a->n_rows + 1;
    double *room = ASSAY_NEW_ARRAY(double, 3 * n);
    pairs p = {room, room ? room + n : NULL, room ? room + 2 * n : NULL, 0};
    bool is_done = room != NULL;

    for (uint32_t c = 0; is_done && c < n_columns; c++)
        is_done = make_one(a, b, c, rules, &p, out);
    assay_mem_free(room);
    return is_done;
}

uint32_t assay_deltas_correct(assay_delta *const *delta, uint32_t n_lists,
                              uint32_t n_columns, const assay_correction *correction)
{
    size_t n = (size_t)n_lists * n_columns;
    double *p = ASSAY_NEW_ARRAY(double, n + 1);
    uint32_t n_tests = 0;
    bool is_done;

    if (!correction)
        correction = assay_correction_at(0);
    if (!p)
        return ASSAY_NONE;
    for (size_t i = 0; i < n; i++) {
        p[i] = delta[i / n_columns][i % n_columns].p;
        n_tests += isnan(p[i]) ? 0 : 1;
    }
    is_done = correction->apply(p, n, p);
    for (size_t i = 0; is_done && i < n; i++)
        delta[i / n_columns][i % n_columns].p_corrected = p[i];
    assay_mem_free(p);
    return is_done ? n_tests : ASSAY_NONE;
}
