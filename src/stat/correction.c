/* SPDX-License-Identifier: Apache-2.0 */
/* Corrections for many tests.  With p sorted and m of them,
 *
 *     holm  the i-th smallest times (m - i + 1), never below an earlier one
 *     bh    the i-th smallest times m / i, never above a later one */
#include "stat/correction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"

typedef struct ordered {
    double p;
    size_t at;
} ordered;

static int by_p(const void *a, const void *b)
{
    const ordered *x = a;
    const ordered *y = b;

    if (x->p != y->p)
        return x->p < y->p ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Those that are numbers, ascending; null: no memory. */
static ordered *in_order(const double *p, size_t n, size_t *n_found)
{
    ordered *list = ASSAY_NEW_ARRAY(ordered, n);

    *n_found = 0;
    if (!list)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (!isnan(p[i]))
            list[(*n_found)++] = (ordered){p[i], i};
    if (*n_found)
        qsort(list, *n_found, sizeof *list, by_p);
    return list;
}

static bool apply_none(const double *p, size_t n, double *out)
{
    if (n && out != p)
        memcpy(out, p, n * sizeof *out);
    return true;
}

bool assay_correction_holm(const double *p, size_t n, double *out)
{
    size_t m;
    ordered *list = in_order(p, n, &m);
    double most = 0;

    if (!list)
        return false;
    apply_none(p, n, out);
    for (size_t i = 0; i < m; i++) {
        most = fmax(most, fmin(1, list[i].p * (double)(m - i)));
        out[list[i].at] = most;
    }
    assay_mem_free(list);
    return true;
}

bool assay_correction_bh(const double *p, size_t n, double *out)
{
    size_t m;
    ordered *list = in_order(p, n, &m);
    double least = 1;

    if (!list)
        return false;
    apply_none(p, n, out);
    for (size_t i = m; i-- > 0;) {
        least = fmin(least, list[i].p * (double)m / (double)(i + 1));
        out[list[i].at] = least;
    }
    assay_mem_free(list);
    return true;
}

static const assay_correction table[] = {
    {"holm", "Holm: the chance of a single false alarm", assay_correction_holm},
    {"bh", "Benjamini and Hochberg: the share of false alarms", assay_correction_bh},
    {"none", "p as it is", apply_none},
};

const assay_correction *assay_correction_at(size_t i)
{
    return i < ASSAY_COUNT(table) ? &table[i] : NULL;
}

const assay_correction *assay_correction_find(const char *name)
{
    for (size_t i = 0; i < ASSAY_COUNT(table); i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}
