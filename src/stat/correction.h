/* SPDX-License-Identifier: Apache-2.0 */
/* Many tests at once: corrected p values.  Whoever calls says what the family is. */
#ifndef ASSAY_STAT_CORRECTION_H
#define ASSAY_STAT_CORRECTION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct assay_correction {
    const char *name; /* holm, bh, none */
    const char *summary;
    /* out[i] is p[i] corrected, at most 1 and never below p[i].  A p that is NaN (nothing
     * was tested) stays NaN and does not count.  `out` may be `p`.  False: no memory. */
    bool (*apply)(const double *p, size_t n, double *out);
} assay_correction;

/* In the order help shows them; null behind the last. */
const assay_correction *assay_correction_at(size_t i);
const assay_correction *assay_correction_find(const char *name);

/* Holm 1979: the chance of a single false alarm in the family stays below alpha. */
bool assay_correction_holm(const double *p, size_t n, double *out);

/* Benjamini and Hochberg 1995: the expected share of false alarms among the alarms. */
bool assay_correction_bh(const double *p, size_t n, double *out);

#endif
