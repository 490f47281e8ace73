/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that grow.  The first failure sticks: later calls do nothing, and whoever
 * finishes asks once. */
#ifndef ASSAY_BASE_BUFFER_H
#define ASSAY_BASE_BUFFER_H

#include <stdbool.h>

#include "assay.h"
#include "base/compiler.h"

typedef struct assay_buffer {
    char *ptr; /* null while empty; not terminated */
    size_t len;
    size_t cap;
    bool has_failed; /* memory ran out: what is here is incomplete */
} assay_buffer;

#define ASSAY_BUFFER_EMPTY \
    {                      \
        NULL, 0, 0, false  \
    }

void assay_buffer_add(assay_buffer *b, const void *bytes, size_t len);
void assay_buffer_slice(assay_buffer *b, assay_slice s);
void assay_buffer_text(assay_buffer *b, const char *text);
void assay_buffer_char(assay_buffer *b, char c);
void assay_buffer_printf(assay_buffer *b, const char *format, ...) ASSAY_PRINTF(2, 3);

/* The shortest decimal that reads back as `value` (finite). */
void assay_buffer_double(assay_buffer *b, double value);

/* Room for `more` bytes behind len, or null after recording the failure. */
char *assay_buffer_reserve(assay_buffer *b, size_t more);

static inline assay_slice assay_buffer_view(const assay_buffer *b)
{
    return (assay_slice){b->ptr ? b->ptr : "", b->len};
}

void assay_buffer_clear(assay_buffer *b);

#endif
