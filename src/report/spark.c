/* SPDX-License-Identifier: Apache-2.0 */
#include "report/spark.h"

#include <math.h>

/* U+2581 to U+2588, and U+258F to U+2589 from the thinnest on. */
static const char *const height[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                     "\u2585", "\u2586", "\u2587", "\u2588"};
static const char *const width[] = {"",       "\u258f", "\u258e", "\u258d", "\u258c",
                                    "\u258b", "\u258a", "\u2589", "\u2588"};

void assay_spark_line(const double *value, size_t n, assay_buffer *out)
{
    double low = (double)INFINITY;
    double high = -(double)INFINITY;

    for (size_t i = 0; i < n; i++)
        if (!isnan(value[i])) {
            low = fmin(low, value[i]);
            high = fmax(high, value[i]);
        }
    for (size_t i = 0; i < n; i++) {
        double share = high > low ? (value[i] - low) / (high - low) : 0.5;

        if (isnan(value[i]))
            assay_buffer_text(out, "\u00b7");
        else
            assay_buffer_text(out, height[(int)fmin(7, floor(share * 8))]);
    }
}

void assay_spark_bar(double value, double most, uint32_t columns, assay_buffer *out)
{
    uint32_t eighths;

    if (isnan(value) || !(value > 0) || !(most > 0))
        return;
    eighths = (uint32_t)(fmin(value / most, 1) * columns * 8 + 0.5);
    for (; eighths >= 8; eighths -= 8)
        assay_buffer_text(out, width[8]);
    assay_buffer_text(out, width[eighths]);
}
