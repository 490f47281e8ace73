/* SPDX-License-Identifier: Apache-2.0 */
/* The formulas of BM25, one line of the table each.  K = k1 * (1 - b + b * length). */
#include <math.h>

#include "base/compiler.h"
#include "base/slice.h"
#include "index/bm25.h"

static double k_of(const assay_bm25_params *p, double length)
{
    return p->k1 * (1 - p->b + p->b * length);
}

/* ---- idf ---- */

static double idf_lucene(double n, double df)
{
    return log(1 + (n - df + 0.5) / (df + 0.5));
}

static double idf_okapi(double n, double df)
{
    return log(n - df + 0.5) - log(df + 0.5);
}

static double idf_robertson(double n, double df)
{
    double idf = log((n - df + 0.5) / (df + 0.5));

    return idf > 0 ? idf : 0;
}

static double idf_atire(double n, double df)
{
    return log(n / df);
}

static double idf_plus(double n, double df)
{
    return log((n + 1) / df);
}

static double idf_l(double n, double df)
{
    return log((n + 1) / (df + 0.5));
}

/* ---- frequency ---- */

static double f_plain(const assay_bm25_params *p, double tf, double length)
{
    return tf / (tf + k_of(p, length));
}

static double most_plain(const assay_bm25_params *p)
{
    (void)p;
    return 1;
}

static double f_okapi(const assay_bm25_params *p, double tf, double length)
{
    return tf * (p->k1 + 1) / (tf + k_of(p, length));
}

static double most_okapi(const assay_bm25_params *p)
{
    return p->k1 + 1;
}

static double f_plus(const assay_bm25_params *p, double tf, double length)
{
    return p->delta + f_okapi(p, tf, length);
}

static double most_plus(const assay_bm25_params *p)
{
    return p->delta + p->k1 + 1;
}

static double f_l(const assay_bm25_params *p, double tf, double length)
{
    double c = tf / (1 - p->b + p->b * length) + p->delta;

    return (p->k1 + 1) * c / (p->k1 + c);
}

static const assay_bm25_variant variants[] = {
    {"lucene",
     "Lucene: idf = ln(1 + (N - df + .5) / (df + .5)), f = tf / (tf + K)",
     {.k1 = 1.5, .b = 0.75, .title = 2},
     idf_lucene,
     f_plain,
     most_plain,
     false},
    {"okapi",
     "rank_bm25's BM25Okapi: idf = ln((N - df + .5) / (df + .5)), where negative epsilon * "
     "the mean idf; f = tf * (k1 + 1) / (tf + K)",
     {.k1 = 1.5, .b = 0.75, .epsilon = 0.25, .title = 1},
     idf_okapi,
     f_okapi,
     most_okapi,
     true},
    {"robertson",
     "Robertson and Sparck Jones: idf = max(0, ln((N - df + .5) / (df + .5))), f = tf / "
     "(tf + K)",
     {.k1 = 1.5, .b = 0.75, .title = 2},
     idf_robertson,
     f_plain,
     most_plain,
     false},
    {"atire",
     "ATIRE: idf = ln(N / df), f = tf * (k1 + 1) / (tf + K)",
     {.k1 = 1.5, .b = 0.75, .title = 2},
     idf_atire,
     f_okapi,
     most_okapi,
     false},
    {"plus",
     "BM25+: idf = ln((N + 1) / df), f = delta + tf * (k1 + 1) / (tf + K)",
     {.k1 = 1.5, .b = 0.75, .delta = 1, .title = 2},
     idf_plus,
     f_plus,
     most_plus,
     false},
    {"l",
     "BM25L: idf = ln((N + 1) / (df + .5)), f = (k1 + 1) * c / (k1 + c), c = tf / (1 - b + "
     "b * length) + delta",
     {.k1 = 1.5, .b = 0.75, .delta = 0.5, .title = 2},
     idf_l,
     f_l,
     most_okapi,
     false},
};

const assay_bm25_variant *assay_bm25_variant_at(size_t i)
{
    return i < ASSAY_COUNT(variants) ? &variants[i] : NULL;
}

const assay_bm25_variant *assay_bm25_variant_find(assay_slice name)
{
    for (size_t i = 0; i < ASSAY_COUNT(variants); i++)
        if (assay_slice_is(name, variants[i].name))
            return &variants[i];
    return NULL;
}
