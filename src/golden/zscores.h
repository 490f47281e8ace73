/* SPDX-License-Identifier: Apache-2.0 */
/* trec_eval's -Z file: `qid measure mean deviation`, one a line. */
#ifndef ASSAY_GOLDEN_ZSCORES_H
#define ASSAY_GOLDEN_ZSCORES_H

#include "assay.h"
#include "base/file.h"

typedef struct assay_zscore {
    assay_slice query;
    assay_slice measure;
    double mean;
    double deviation;
} assay_zscore;

/* Zeroed is empty. */
typedef struct assay_zscores {
    assay_file file;
    assay_zscore *item; /* by query, then measure */
    size_t n;
    size_t cap;
} assay_zscores;

ASSAY_MUST_USE assay_status assay_zscores_load(assay_zscores *out, const char *path,
                                               assay_error *err);
void assay_zscores_clear(assay_zscores *zscores);

/* `value` in deviations from the mean; -1000000 where there is none. */
double assay_zscores_convert(const assay_zscores *zscores, assay_slice query,
                             assay_slice measure, double value);

#endif
