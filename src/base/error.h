/* SPDX-License-Identifier: Apache-2.0 */
/* Failing in one line: the place that detects a fault writes the words into the
 * caller's assay_error and returns the status. */
#ifndef ASSAY_BASE_ERROR_H
#define ASSAY_BASE_ERROR_H

#include "assay.h"
#include "base/compiler.h"

/* Record `format` in `err` (may be null) and return `status`. */
assay_status assay_fail(assay_error *err, assay_status status, const char *format, ...)
    ASSAY_PRINTF(3, 4);

/* The same for malformed input: "path:line: format", status ASSAY_EINPUT.  A line of 0
 * leaves the number out. */
assay_status assay_fail_at(assay_error *err, const char *path, uint64_t line,
                           const char *format, ...) ASSAY_PRINTF(4, 5);

/* Out of memory while doing `what` ("reading 'x.jsonl'"). */
assay_status assay_fail_memory(assay_error *err, const char *what);

#endif
