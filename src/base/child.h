/* SPDX-License-Identifier: Apache-2.0 */
/* Another program: bytes in, bytes out.  No shell, nothing of our environment but the path
 * on which it is found, and an end to waiting. */
#ifndef ASSAY_BASE_CHILD_H
#define ASSAY_BASE_CHILD_H

#include <stdbool.h>

#include "assay.h"
#include "base/buffer.h"

typedef struct assay_child {
    const char *const
        *argv;         /* program (looked for in PATH) and arguments; ends with null */
    assay_slice input; /* its standard input */
    uint32_t seconds;  /* it is killed after so many */
    size_t max_output; /* it is killed when it writes more */
    assay_buffer *out; /* its standard output is appended */
    assay_buffer *complaint; /* the first 4 kB of its standard error are appended */
} assay_child;

typedef enum assay_child_end {
    ASSAY_CHILD_EXITED,   /* `number` is its exit code */
    ASSAY_CHILD_KILLED,   /* by signal `number`, not by us */
    ASSAY_CHILD_LATE,     /* took too long */
    ASSAY_CHILD_TOO_MUCH, /* wrote too much */
    ASSAY_CHILD_NOT_BEGUN /* `number` is errno: ENOENT = there is no such program */
} assay_child_end;

/* Run it to its end.  Fails only for lack of memory, or of processes and descriptors;
 * how the program fared is in *end and *number. */
ASSAY_MUST_USE assay_status assay_child_run(const assay_child *child,
                                            assay_child_end *end, int *number,
                                            assay_error *err);

#endif
