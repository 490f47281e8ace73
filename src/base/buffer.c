/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"

char *assay_buffer_reserve(assay_buffer *b, size_t more)
{
    char *moved;

    if (b->has_failed)
        return NULL;
    if (more > SIZE_MAX - b->len) {
        b->has_failed = true;
        return NULL;
    }
    moved = assay_mem_grow(b->ptr, &b->cap, b->len + more, 1);
    if (!moved) {
        b->has_failed = true;
        return NULL;
    }
    b->ptr = moved;
    return b->ptr + b->len;
}

void assay_buffer_add(assay_buffer *b, const void *bytes, size_t len)
{
    char *room = len ? assay_buffer_reserve(b, len) : NULL;

    if (!room)
        return;
    memcpy(room, bytes, len);
    b->len += len;
}

void assay_buffer_slice(assay_buffer *b, assay_slice s)
{
    assay_buffer_add(b, s.ptr, s.len);
}

void assay_buffer_text(assay_buffer *b, const char *text)
{
    assay_buffer_add(b, text, strlen(text));
}

void assay_buffer_char(assay_buffer *b, char c)
{
    assay_buffer_add(b, &c, 1);
}

void assay_buffer_printf(assay_buffer *b, const char *format, ...)
{
    va_list args;
    va_list again;
    char *room;
    int n;

    va_start(args, format);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    room = n >= 0 ? assay_buffer_reserve(b, (size_t)n + 1) : NULL;
    if (room) {
        vsnprintf(room, (size_t)n + 1, format, again);
        b->len += (size_t)n;
    }
    va_end(again);
}

void assay_buffer_double(assay_buffer *b, double value)
{
    char text[ASSAY_NUMBER_TEXT];

    assay_buffer_add(b, text, assay_number_print(value, text));
}

void assay_buffer_clear(assay_buffer *b)
{
    assay_mem_free(b->ptr);
    *b = (assay_buffer)ASSAY_BUFFER_EMPTY;
}
