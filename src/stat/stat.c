/* SPDX-License-Identifier: Apache-2.0 */
#include "stat/stat.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "stat/effect.h"
#include "stat/permutation.h"
#include "stat/sign.h"
#include "stat/ttest.h"
#include "stat/wilcoxon.h"

/* ---- paired ---- */

typedef bool paired_test(const double *d, size_t n, const assay_stat_settings *settings,
                         assay_stat_result *out);

/* What all paired tests have in common; `test` fills in the rest. */
static bool run_paired(const assay_stat_pair *pair, const assay_stat_settings *settings,
                       paired_test *test, assay_stat_result *out)
{
    const size_t n = pair->n_a < pair->n_b ? pair->n_a : pair->n_b;
    assay_stat_result result = {.df = NAN, .n = n};
    double *d = ASSAY_NEW_ARRAY(double, n);
    assay_sample s;
    bool is_ok;

    if (!d)
        return false;
    assay_sample_pair(pair->a, pair->b, n, d);
    s = assay_sample_of(d, n);
    result.statistic = s.mean;
    result.effect = assay_effect_dz(&s);
    for (size_t i = 0; i < n; i++)
        result.n_used += d[i] != 0;
    is_ok = test(d, n, settings, &result);
    assay_mem_free(d);
    if (is_ok)
        *out = result;
    return is_ok;
}

static bool permutation(const double *d, size_t n, const assay_stat_settings *settings,
                        assay_stat_result *out)
{
    assay_permutation r;

    if (!assay_permutation_test(d, n, settings->seed, settings->n_draws,
                                settings->n_threads, &r))
        return false;
    out->p = r.p;
    out->is_exact = r.is_exact;
    out->n_draws = r.n_draws;
    return true;
}

static bool paired_t(const double *d, size_t n, const assay_stat_settings *settings,
                     assay_stat_result *out)
{
    const assay_sample s = assay_sample_of(d, n);
    const assay_ttest t = assay_ttest_paired(&s);

    (void)settings;
    out->p = t.p;
    out->statistic = t.t;
    out->df = t.df;
    return true;
}

static bool wilcoxon(const double *d, size_t n, const assay_stat_settings *settings,
                     assay_stat_result *out)
{
    assay_wilcoxon w;

    (void)settings;
    if (!assay_wilcoxon_test(d, n, &w))
        return false;
    out->p = w.p;
    out->statistic = fmin(w.rank_plus, w.rank_minus);
    out->is_exact = w.is_exact;
    return true;
}

static bool sign(const double *d, size_t n, const assay_stat_settings *settings,
                 assay_stat_result *out)
{
    const assay_sign s = assay_sign_test(d, n);

    (void)settings;
    out->p = s.p;
    out->statistic = (double)s.n_plus;
    out->is_exact = true;
    return true;
}

static bool run_permutation(const assay_stat_pair *pair,
                            const assay_stat_settings *settings, assay_stat_result *out)
{
    return run_paired(pair, settings, permutation, out);
}

static bool run_t(const assay_stat_pair *pair, const assay_stat_settings *settings,
                  assay_stat_result *out)
{
    return run_paired(pair, settings, paired_t, out);
}

static bool run_wilcoxon(const assay_stat_pair *pair, const assay_stat_settings *settings,
                         assay_stat_result *out)
{
    return run_paired(pair, settings, wilcoxon, out);
}

static bool run_sign(const assay_stat_pair *pair, const assay_stat_settings *settings,
                     assay_stat_result *out)
{
    return run_paired(pair, settings, sign, out);
}

/* ---- not paired ---- */

static bool run_unpaired(const assay_stat_pair *pair,
                         assay_ttest (*test)(const assay_sample *, const assay_sample *),
                         assay_stat_result *out)
{
    const assay_sample a = assay_sample_of(pair->a, pair->n_a);
    const assay_sample b = assay_sample_of(pair->b, pair->n_b);
    const assay_ttest t = test(&a, &b);
    const size_t n = a.n < b.n ? a.n : b.n;

    *out = (assay_stat_result){.p = t.p,
                               .statistic = t.t,
                               .df = t.df,
                               .effect = assay_effect_d(&a, &b),
                               .n = n,
                               .n_used = n};
    return true;
}

static bool run_welch(const assay_stat_pair *pair, const assay_stat_settings *settings,
                      assay_stat_result *out)
{
    (void)settings;
    return run_unpaired(pair, assay_ttest_welch, out);
}

static bool run_student(const assay_stat_pair *pair, const assay_stat_settings *settings,
                        assay_stat_result *out)
{
    (void)settings;
    return run_unpaired(pair, assay_ttest_student, out);
}

/* ---- by name ---- */

static const assay_stat_test table[] = {
    {"permutation", "paired: signs of the differences flipped by chance", true,
     run_permutation},
    {"t", "paired: Student's t of the differences", true, run_t},
    {"wilcoxon", "paired: signed ranks, zeros as Pratt has it", true, run_wilcoxon},
    {"sign", "paired: wins against losses", true, run_sign},
    {"welch", "not paired: t without equal variances", false, run_welch},
    {"student-unpaired", "not paired: t with pooled variance, as EvalVault", false,
     run_student},
};

const assay_stat_test *assay_stat_test_at(size_t i)
{
    return i < ASSAY_COUNT(table) ? &table[i] : NULL;
}

const assay_stat_test *assay_stat_test_find(const char *name)
{
    for (size_t i = 0; i < ASSAY_COUNT(table); i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}
