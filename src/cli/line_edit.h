/* SPDX-License-Identifier: Apache-2.0 */
/* One line of text that is typed: UTF-8, with characters of any width. */
#ifndef ASSAY_CLI_LINE_EDIT_H
#define ASSAY_CLI_LINE_EDIT_H

#include <stdbool.h>

#include "assay.h"
#include "base/buffer.h"

/* Zeroed is empty and ready. */
typedef struct assay_line_edit {
    assay_buffer text;
    size_t at; /* the cursor, in bytes, on a character */
} assay_line_edit;

/* Begin with this text, the cursor behind it. */
void assay_line_edit_set(assay_line_edit *edit, assay_slice text);

/* Whether the key meant something: a character, backspace, delete, left, right, home, end,
 * Ctrl-a, -e, -u (all before the cursor), -k (all behind it), -w (a word). */
bool assay_line_edit_key(assay_line_edit *edit, uint32_t key);

/* The part that is to be shown in `width` columns, and the cursor's column in it. */
assay_slice assay_line_edit_view(const assay_line_edit *edit, size_t width,
                                 size_t *column);

void assay_line_edit_clear(assay_line_edit *edit);

#endif
