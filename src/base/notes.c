/* SPDX-License-Identifier: Apache-2.0 */
#include "base/notes.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/slice.h"

bool assay_notes_add(assay_notes *notes, assay_arena *arena, const char *format, ...)
{
    char line[1000];
    const char **text;
    va_list args;
    char *copy;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    copy = assay_arena_string(arena, assay_slice_of(line));
    text = assay_mem_grow(notes->text, &notes->cap, notes->n + 1, sizeof *text);
    if (text)
        notes->text = text;
    if (!copy || !text)
        return false;
    notes->text[notes->n++] = copy;
    return true;
}

void assay_notes_clear(assay_notes *notes)
{
    assay_mem_free(notes->text);
    *notes = (assay_notes){0};
}
