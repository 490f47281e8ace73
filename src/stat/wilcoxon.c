/* SPDX-License-Identifier: Apache-2.0 */
/* Wilcoxon's signed rank test with Pratt's rule for zeros.
 *
 * Magnitudes are ranked, equal ones sharing the mean of their ranks, zeros lowest.  W+ is
 * the sum of the ranks of what is above 0.  Which p is taken follows scipy 1.17 with method
 * 'auto':
 *
 *     n > 50                       normal
 *     n <= 50, no ties, no zeros   exact
 *     n <= 13                      exact over all signs of these very ranks
 *     otherwise                    normal
 *
 * The two exact ones are one here: the number of ways to reach each sum of doubled ranks,
 * which are whole numbers with ties or without. */
#include "stat/wilcoxon.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stat/distributions.h"

enum { MOST_EXACT = 50, MOST_EXACT_TIED = 13 };

typedef struct ranked {
    double size; /* magnitude */
    bool is_plus;
    uint32_t twice; /* its rank, doubled */
} ranked;

typedef struct ranking {
    ranked *item; /* ascending */
    size_t n;
    size_t n_zero;
    bool has_ties; /* among what is not zero */
    double ties;   /* sum of t^3 - t over groups of equals that are not zero */
} ranking;

static int by_size(const void *a, const void *b)
{
    const double x = ((const ranked *)a)->size;
    const double y = ((const ranked *)b)->size;

    return (x > y) - (x < y);
}

static void rank(ranking *r)
{
    size_t end;

    for (size_t i = 0; i < r->n; i = end) {
        const double size = r->item[i].size;
        double group;

        for (end = i + 1; end < r->n && r->item[end].size == size;)
            end++;
        for (size_t j = i; j < end; j++)
            r->item[j].twice = (uint32_t)(i + 1 + end);
        group = (double)(end - i);
        if (size == 0) {
            r->n_zero = end - i;
        } else if (end - i > 1) {
            r->has_ties = true;
            r->ties += group * group * group - group;
        }
    }
}

static double normal_z(const ranking *r, double rank_plus)
{
    const double n = (double)r->n;
    const double zero = (double)r->n_zero;
    const double mean = (n * (n + 1) - zero * (zero + 1)) / 4;
    const double squares = n * (n + 1) * (2 * n + 1) - zero * (zero + 1) * (2 * zero + 1);

    return (rank_plus - mean) / sqrt((squares - r->ties / 2) / 24);
}

/* ways[s]: in how many ways some of the ranks add up to s, in halves.  At most 2^50, so a
 * double holds it exactly. */
static bool exact_p(const ranking *r, double rank_plus, double *p)
{
    const size_t n_sums = r->n * (r->n + 1) + 1;
    const size_t at = (size_t)(2 * rank_plus);
    double *ways = ASSAY_NEW_ARRAY(double, n_sums);
    size_t reach = 0;
    double less = 0;
    double more = 0;

    if (!ways)
        return false;
    ways[0] = 1;
    for (size_t i = r->n_zero; i < r->n; i++) {
        const size_t by = r->item[i].twice;

        reach += by;
        for (size_t s = reach; s >= by; s--)
            ways[s] += ways[s - by];
    }
    for (size_t s = 0; s <= reach; s++) {
        less += s <= at ? ways[s] : 0;
        more += s >= at ? ways[s] : 0;
    }
    assay_mem_free(ways);
    *p = fmin(1, ldexp(2 * fmin(less, more), -(int)(r->n - r->n_zero)));
    return true;
}

bool assay_wilcoxon_test(const double *d, size_t n, assay_wilcoxon *out)
{
    assay_wilcoxon w = {.p = n ? 1 : NAN, .z = NAN, .is_exact = true};
    ranking r = {.n = n};
    double twice_plus = 0;
    double twice_minus = 0;
    bool is_ok = true;

    r.item = ASSAY_NEW_ARRAY(ranked, n);
    if (!r.item)
        return false;
    for (size_t i = 0; i < n; i++)
        r.item[i] = (ranked){.size = fabs(d[i]), .is_plus = d[i] > 0};
    if (n)
        qsort(r.item, n, sizeof *r.item, by_size);
    rank(&r);
    for (size_t i = r.n_zero; i < n; i++)
        *(r.item[i].is_plus ? &twice_plus : &twice_minus) += r.item[i].twice;
    w.rank_plus = twice_plus / 2;
    w.rank_minus = twice_minus / 2;
    w.n_used = n - r.n_zero;

    if (w.n_used) {
        w.is_exact =
            n <= MOST_EXACT_TIED || (n <= MOST_EXACT && !r.has_ties && !r.n_zero);
        if (w.is_exact) {
            is_ok = exact_p(&r, w.rank_plus, &w.p);
        } else {
            w.z = normal_z(&r, w.rank_plus);
            w.p = 2 * assay_normal_tail(fabs(w.z));
        }
    }
    assay_mem_free(r.item);
    if (is_ok)
        *out = w;
    return is_ok;
}
