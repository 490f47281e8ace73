/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/sweep_judge.h"

#include <math.h>

#include "base/error.h"
#include "base/sha256.h"
#include "stat/bootstrap.h"
#include "stat/permutation.h"
#include "stat/random.h"
#include "stat/ttest.h"

enum { DRAWS = 10000, CI_DRAWS = 2000 };

/* What one pass over all settings needs. */
typedef struct judge {
    const assay_sweep_table *t;
    double *room;  /* questions */
    double *diff;  /* settings x questions: to the reference, 0 where one has none */
    double *scale; /* by setting: standard error of the difference, 0 = no difference */
} judge;

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "judging a sweep");
}

static double value_of(const assay_sweep_table *t, uint32_t setting, uint32_t q)
{
    return t->value[(size_t)setting * t->n_questions + q];
}

static bool is_whole(const assay_sweep_table *t, uint32_t setting)
{
    return !t->is_finished || t->is_finished[setting];
}

/* Values of one side of the split into room[]; returns how many. */
static uint32_t collect(const judge *j, uint32_t setting, bool held)
{
    uint32_t n = 0;

    for (uint32_t q = 0; q < j->t->n_questions; q++) {
        double v = value_of(j->t, setting, q);

        if (j->t->is_held[q] == held && !isnan(v))
            j->room[n++] = v;
    }
    return n;
}

/* Differences to the reference over the questions that both have. */
static uint32_t collect_diff(const judge *j, uint32_t setting, bool held)
{
    uint32_t n = 0;

    for (uint32_t q = 0; q < j->t->n_questions; q++) {
        double a = value_of(j->t, j->t->reference, q);
        double b = value_of(j->t, setting, q);

        if (j->t->is_held[q] == held && !isnan(a) && !isnan(b))
            j->room[n++] = b - a;
    }
    return n;
}

static double mean_of(const double *v, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += v[i];
    return n ? sum / n : (double)NAN;
}

/* ---- each setting ---- */

static bool fill_row(judge *j, uint32_t s, assay_sweep_row *row)
{
    const assay_sweep_table *t = j->t;
    uint32_t n = collect(j, s, false);
    assay_sample sample;

    *row = (assay_sweep_row){.n = n, .mean = mean_of(j->room, n)};
    if (!assay_bootstrap_interval(j->room, n, 0.95, t->seed, CI_DRAWS, t->n_threads,
                                  &row->ci))
        return false;
    n = collect_diff(j, s, false);
    sample = assay_sample_of(j->room, n);
    row->delta = mean_of(j->room, n);
    row->p = assay_ttest_paired(&sample).p;
    row->p_corrected = row->p;
    j->scale[s] = n > 1 ? sample.spread / sqrt(n) : 0;
    for (uint32_t q = 0; q < t->n_questions; q++) {
        double d = value_of(t, s, q) - value_of(t, t->reference, q);

        j->diff[(size_t)s * t->n_questions + q] = t->is_held[q] || isnan(d) ? 0 : d;
    }
    return true;
}

/* ---- the largest of all ---- */

/* Studentised difference of a setting under the signs; 0 where nothing differs. */
static double flipped(const judge *j, uint32_t s, const double *sign, uint32_t n)
{
    const double *d = &j->diff[(size_t)s * j->t->n_questions];
    double sum = 0;

    if (!(j->scale[s] > 0))
        return 0;
    for (uint32_t q = 0; q < j->t->n_questions; q++)
        sum += sign[q] * d[q];
    return fabs(sum / n) / j->scale[s];
}

static void draw_signs(assay_random *r, double *sign, uint32_t n)
{
    uint64_t bits = 0;

    for (uint32_t q = 0; q < n; q++) {
        if (q % 64 == 0)
            bits = assay_random_next(r);
        sign[q] = bits >> (q % 64) & 1 ? 1 : -1;
    }
}

/* One draw of signs for all settings at once: they were asked the same questions. */
static void correct(const judge *j, assay_sweep_row *row, double *observed,
                    uint32_t *above)
{
    const assay_sweep_table *t = j->t;
    assay_random r = assay_random_stream(t->seed, 1);

    for (uint32_t s = 0; s < t->n_settings; s++)
        observed[s] = j->scale[s] > 0 ? fabs(row[s].delta) / j->scale[s] : 0;
    for (uint32_t b = 0; b < DRAWS; b++) {
        double most = 0;

        draw_signs(&r, j->room, t->n_questions);
        for (uint32_t s = 0; s < t->n_settings; s++) {
            double v = row[s].n ? flipped(j, s, j->room, row[s].n) : 0;

            most = v > most ? v : most;
        }
        for (uint32_t s = 0; s < t->n_settings; s++)
            above[s] += most >= observed[s] * (1 - 1e-12);
    }
    for (uint32_t s = 0; s < t->n_settings; s++) {
        double p = (above[s] + 1.0) / (DRAWS + 1.0);

        row[s].p_corrected = s == t->reference || !(j->scale[s] > 0) ? 1
                             : p > row[s].p                          ? p
                                                                     : row[s].p;
    }
}

/* ---- the best ---- */

static uint32_t find_best(const assay_sweep_table *t, const assay_sweep_row *row)
{
    double sign = t->is_lower_better ? -1 : 1;
    uint32_t best = t->reference;

    for (uint32_t s = 0; s < t->n_settings; s++)
        if (is_whole(t, s) && row[s].n && sign * row[s].mean > sign * row[best].mean)
            best = s;
    return best;
}

static bool judge_held(judge *j, assay_sweep_verdict *v)
{
    const assay_sweep_table *t = j->t;
    assay_permutation test = {.p = (double)NAN};
    uint32_t n;

    v->held_best = mean_of(j->room, collect(j, v->best, true));
    v->held_reference = mean_of(j->room, collect(j, t->reference, true));
    n = collect_diff(j, v->best, true);
    v->n_held = n;
    v->held_delta = mean_of(j->room, n);
    if (!assay_bootstrap_interval(j->room, n, 0.95, t->seed, 0, t->n_threads,
                                  &v->held_ci) ||
        !assay_permutation_test(j->room, n, t->seed, 0, t->n_threads, &test))
        return false;
    v->held_p = test.p;
    v->is_beyond_noise = v->best != t->reference && v->held_p < 0.05 &&
                         (t->is_lower_better ? v->held_delta < 0 : v->held_delta > 0);
    return true;
}

assay_status assay_sweep_judge(const assay_sweep_table *table, assay_arena *arena,
                               assay_sweep_verdict *out, assay_error *err)
{
    uint32_t n = table->n_settings;
    size_t cells = (size_t)n * table->n_questions;
    judge j = {.t = table,
               .room = ASSAY_ARENA_ARRAY(arena, double, table->n_questions + 1u),
               .diff = ASSAY_ARENA_ARRAY(arena, double, cells + 1),
               .scale = ASSAY_ARENA_ARRAY(arena, double, n + 1u)};
    double *observed = ASSAY_ARENA_ARRAY(arena, double, n + 1u);
    uint32_t *above = ASSAY_ARENA_ARRAY(arena, uint32_t, n + 1u);
    assay_sweep_verdict v = {.row = ASSAY_ARENA_ARRAY(arena, assay_sweep_row, n + 1u)};

    if (!j.room || !j.diff || !j.scale || !observed || !above || !v.row)
        return no_memory(err);
    for (uint32_t s = 0; s < n; s++)
        if (!fill_row(&j, s, &v.row[s]))
            return no_memory(err);
    correct(&j, v.row, observed, above);
    v.best = find_best(table, v.row);
    if (!judge_held(&j, &v))
        return no_memory(err);
    *out = v;
    return ASSAY_OK;
}

/* ---- costs ---- */

void assay_sweep_pareto(const assay_sweep_point *point, uint32_t n, bool is_lower_better,
                        assay_sweep_row *row)
{
    double sign = is_lower_better ? -1 : 1;

    for (uint32_t i = 0; i < n; i++) {
        const assay_sweep_point *a = &point[i];

        row[i].is_pareto = !isnan(a->quality);
        for (uint32_t k = 0; k < n && row[i].is_pareto; k++) {
            const assay_sweep_point *b = &point[k];
            double better = sign * b->quality - sign * a->quality;

            row[i].is_pareto =
                !(better >= 0 && b->latency <= a->latency && b->bytes <= a->bytes &&
                  (better > 0 || b->latency < a->latency || b->bytes < a->bytes));
        }
    }
}

bool assay_sweep_is_held(assay_slice name, uint64_t seed, double share)
{
    uint8_t digest[ASSAY_SHA256_BYTES];
    uint8_t salt[8];
    assay_sha256 sha;
    uint64_t word = 0;

    for (int i = 0; i < 8; i++)
        salt[i] = (uint8_t)(seed >> (8 * i));
    assay_sha256_init(&sha);
    assay_sha256_add(&sha, salt, sizeof salt);
    assay_sha256_add(&sha, name.ptr, name.len);
    assay_sha256_end(&sha, digest);
    for (int i = 0; i < 6; i++)
        word = word << 8 | digest[i];
    return (double)word * 0x1p-48 < share;
}
