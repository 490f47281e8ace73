/* SPDX-License-Identifier: Apache-2.0 */
/* A text line by line, with the number that error messages need. */
#ifndef ASSAY_BASE_LINES_H
#define ASSAY_BASE_LINES_H

#include <stdbool.h>

#include "assay.h"

/* Lines beyond this are an error unless the caller says otherwise (--max-line). */
#define ASSAY_MAX_LINE ((size_t)64 << 20)

typedef struct assay_lines {
    const char *path; /* for messages */
    assay_slice rest; /* what has not been handed out yet */
    uint64_t line;    /* number of the line handed out last, from 1 */
} assay_lines;

/* Start at `text`; a byte order mark is passed over. */
assay_lines assay_lines_of(const char *path, assay_slice text);

/* The next line without its LF or CR LF; false at the end. */
bool assay_lines_next(assay_lines *in, assay_slice *line);

/* "path:line: what" with status ASSAY_EINPUT; see assay_fail_at. */
#define ASSAY_LINES_FAIL(err, in, ...) \
    assay_fail_at((err), (in)->path, (in)->line, __VA_ARGS__)

/* Number of the line in which `at` stands, where `text` is the whole file. */
uint64_t assay_lines_number(assay_slice text, const char *at);

#endif
