/* SPDX-License-Identifier: Apache-2.0 */
/* Householder reflections bring the matrix to tridiagonal form; implicit QL steps with
 * Wilkinson's shift do the rest (Golub and Van Loan, Matrix Computations, 8.3).
 *
 * Vectors are rows here, so that every inner loop runs along a row: row i of z is the
 * i-th basis vector, and a rotation of two basis vectors mixes two rows. */
#include "base/eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 60 };

/* In four sums, which do not wait for each other. */
static double dot(const double *a, const double *b, size_t n)
{
    double s[4] = {0, 0, 0, 0};
    size_t i = 0;

    for (; i + 4 <= n; i += 4) {
        s[0] += a[i] * b[i];
        s[1] += a[i + 1] * b[i + 1];
        s[2] += a[i + 2] * b[i + 2];
        s[3] += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++)
        s[0] += a[i] * b[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

/* Reflect row and column `at` so that only their neighbour is left: a becomes H a H with
 * H = 1 - v v^T / half, and v is kept in row `at`, in front of the diagonal. */
static void reflect(double *a, size_t n, size_t at, double *d, double *e)
{
    double *v = a + at * n;
    double scale = 0;
    double length, half, f;

    for (size_t j = 0; j < at; j++)
        scale += fabs(v[j]);
    d[at] = 0;
    e[at] = v[at - 1];
    if (at == 1 || scale == 0)
        return;
    for (size_t j = 0; j < at; j++)
        v[j] /= scale;
    half = dot(v, v, at);
    length = v[at - 1] > 0 ? -sqrt(half) : sqrt(half);
    e[at] = scale * length;
    half -= v[at - 1] * length;
    v[at - 1] -= length;
    d[at] = half;

    /* e[0..at) = a v / half, with the lower triangle standing for both. */
    memset(e, 0, at * sizeof *e);
    for (size_t j = 0; j < at; j++) {
        const double *row = a + j * n;

        e[j] += dot(row, v, j + 1);
        for (size_t i = 0; i < j; i++)
            e[i] += row[i] * v[j];
    }
    f = 0;
    for (size_t j = 0; j < at; j++) {
        e[j] /= half;
        f += e[j] * v[j];
    }
    f /= 2 * half;
    for (size_t j = 0; j < at; j++)
        e[j] -= f * v[j];
    for (size_t j = 0; j < at; j++)
        for (size_t i = 0; i <= j; i++)
            a[j * n + i] -= v[j] * e[i] + e[j] * v[i];
}

/* The product of the reflections, row by row, in place of them; d gets the diagonal. */
static void gather(double *a, size_t n, double *d)
{
    for (size_t at = 0; at < n; at++) {
        double *v = a + at * n;
        double half = d[at];

        d[at] = v[at];
        if (at && half != 0)
            for (size_t j = 0; j < at; j++) {
                double *row = a + j * n;
                double f = dot(row, v, at) / half;

                for (size_t i = 0; i < at; i++)
                    row[i] -= f * v[i];
            }
        for (size_t j = 0; j < at; j++)
            v[j] = a[j * n + at] = 0;
        v[at] = 1;
    }
}

static void mix_rows(double *low, double *high, size_t n, double c, double s)
{
    for (size_t i = 0; i < n; i++) {
        double x = high[i];

        high[i] = s * low[i] + c * x;
        low[i] = c * low[i] - s * x;
    }
}

/* One implicit QL step on the block [from, to]. */
static void ql_step(double *z, size_t n, double *d, double *e, size_t from, size_t to)
{
    double g = (d[from + 1] - d[from]) / (2 * e[from]);
    double r = hypot(g, 1);
    double s = 1, c = 1, p = 0;
    size_t i = to;

    g = d[to] - d[from] + e[from] / (g + copysign(r, g));
    while (i-- > from) {
        double f = s * e[i];
        double b = c * e[i];

        r = hypot(f, g);
        e[i + 1] = r;
        if (r == 0) {
            d[i + 1] -= p;
            e[to] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        mix_rows(z + i * n, z + (i + 1) * n, n, c, s);
    }
    d[from] -= p;
    e[from] = g;
    e[to] = 0;
}

static bool diagonalise(double *z, size_t n, double *d, double *e)
{
    memmove(e, e + 1, (n - 1) * sizeof *e);
    e[n - 1] = 0;
    for (size_t l = 0; l < n; l++) {
        for (int step = 0;; step++) {
            size_t m = l;

            while (m + 1 < n &&
                   !(fabs(e[m]) <= DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1])) ||
                     fabs(e[m]) < DBL_MIN))
                m++;
            if (m == l)
                break;
            if (step == MOST_STEPS)
                return false;
            ql_step(z, n, d, e, l, m);
        }
    }
    return true;
}

/* An eigenvector may point either way: the largest component (of equal ones the first)
 * decides. */
static void settle_sign(double *v, size_t n)
{
    size_t at = 0;

    for (size_t i = 1; i < n; i++)
        if (fabs(v[i]) > fabs(v[at]))
            at = i;
    if (v[at] >= 0)
        return;
    for (size_t i = 0; i < n; i++)
        v[i] = -v[i];
}

static void sort_rows(double *z, size_t n, double *value)
{
    for (size_t i = 0; i < n; i++) {
        size_t best = i;

        for (size_t j = i + 1; j < n; j++)
            if (value[j] > value[best])
                best = j;
        if (best != i) {
            double t = value[i];

            value[i] = value[best];
            value[best] = t;
            for (size_t j = 0; j < n; j++) {
                t = z[i * n + j];
                z[i * n + j] = z[best * n + j];
                z[best * n + j] = t;
            }
        }
        settle_sign(z + i * n, n);
    }
}

bool assay_eigen(double *a, size_t n, double *value, double *room)
{
    if (!n)
        return true;
    for (size_t i = 0; i < n * n; i++)
        if (!isfinite(a[i]))
            return false;
    for (size_t at = n; at-- > 1;)
        reflect(a, n, at, value, room);
    value[0] = 0;
    gather(a, n, value);
    if (!diagonalise(a, n, value, room))
        return false;
    sort_rows(a, n, value);
    return true;
}

bool assay_cholesky(double *a, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double *pivot = a + j * n;
        double left = pivot[j] - dot(pivot, pivot, j);

        if (!(left > 0))
            return false;
        pivot[j] = sqrt(left);
        for (size_t i = j + 1; i < n; i++)
            a[i * n + j] = (a[i * n + j] - dot(a + i * n, pivot, j)) / pivot[j];
    }
    return true;
}

void assay_cholesky_invert(double *l, size_t n)
{
    /* Row i of the inverse from those above it: (e_i - sum over j < i of l_ij row_j) / l_ii. */
    for (size_t i = 0; i < n; i++) {
        double *row = l + i * n;
        double by = 1 / row[i];

        for (size_t j = 0; j < i; j++) {
            double f = row[j];
            const double *above = l + j * n;

            row[j] = 0;
            for (size_t k = 0; k <= j; k++)
                row[k] -= f * above[k];
        }
        for (size_t k = 0; k < i; k++)
            row[k] *= by;
        row[i] = by;
        for (size_t k = i + 1; k < n; k++)
            row[k] = 0;
    }
}
