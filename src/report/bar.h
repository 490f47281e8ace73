/* SPDX-License-Identifier: Apache-2.0 */
/* One line that says how far a long job has come.
 *
 * Pure text: whoever knows the terminal and the clock (cli/progress.c) calls it. */
#ifndef ASSAY_REPORT_BAR_H
#define ASSAY_REPORT_BAR_H

#include <stdbool.h>

#include "assay.h"
#include "base/buffer.h"

typedef struct assay_bar {
    const char *what;  /* "ingest" */
    const char *items; /* what is counted, "files" */
    uint64_t done;     /* items */
    uint64_t total;    /* 0 = not known */
    uint64_t bytes;    /* done; 0 = not counted */
    uint64_t total_bytes;
    uint64_t failed;
    double seconds;   /* since it began */
    assay_slice name; /* of what is worked on; any bytes */
} assay_bar;

/* At most `columns` wide as a terminal shows it, without a line break.  What matters less
 * goes first where it is narrow: name, bar, items a second, rate. */
void assay_bar_print(const assay_bar *bar, size_t columns, bool has_color,
                     assay_buffer *out);

/* The same for a log: no bar, no colour, no limit. */
void assay_bar_line(const assay_bar *bar, assay_buffer *out);

/* Append `name` so that it takes at most `columns`: control bytes and broken UTF-8 as
 * \xNN, and where it is too long its end, which says more than its beginning, after an
 * ellipsis. */
void assay_bar_name(assay_slice name, size_t columns, assay_buffer *out);

/* 1234567 as "1.2 MB". */
void assay_bar_size(double bytes, assay_buffer *out);

#endif
