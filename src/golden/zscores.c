/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/zscores.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/slice.h"

static const double missing = -1000000;

static int compare(const void *a, const void *b)
{
    const assay_zscore *x = a;
    const assay_zscore *y = b;
    int order = assay_slice_cmp(x->query, y->query);

    return order ? order : assay_slice_cmp(x->measure, y->measure);
}

static double read_real(assay_slice s)
{
    double value = 0;

    assay_number_scan(s.ptr, s.ptr + s.len, true, &value);
    return value;
}

assay_status assay_zscores_load(assay_zscores *out, const char *path, assay_error *err)
{
    assay_status st = assay_file_open(&out->file, path, err);
    assay_lines in = {.path = path, .rest = out->file.text};
    assay_slice field[5];
    assay_slice line;

    if (st)
        return st;
    while (assay_lines_next(&in, &line)) {
        assay_zscore *item =
            assay_mem_grow(out->item, &out->cap, out->n + 1, sizeof *out->item);

        if (!item)
            return assay_fail_memory(err, "reading z-scores");
        out->item = item;
        if (assay_slice_fields(line, field, 5) != 4)
            return ASSAY_LINES_FAIL(err, &in, "want query, measure, mean, deviation");
        out->item[out->n++] =
            (assay_zscore){field[0], field[1], read_real(field[2]), read_real(field[3])};
    }
    if (out->n > 1)
        qsort(out->item, out->n, sizeof *out->item, compare);
    return ASSAY_OK;
}

void assay_zscores_clear(assay_zscores *zscores)
{
    assay_mem_free(zscores->item);
    assay_file_close(&zscores->file);
    *zscores = (assay_zscores){0};
}

double assay_zscores_convert(const assay_zscores *zscores, assay_slice query,
                             assay_slice measure, double value)
{
    assay_zscore key = {.query = query, .measure = measure};
    const assay_zscore *z =
        zscores->n ? bsearch(&key, zscores->item, zscores->n, sizeof key, compare) : NULL;

    if (!z)
        return missing;
    if (z->deviation != 0)
        return (value - z->mean) / z->deviation;
    return value == z->mean ? 0 : missing;
}
