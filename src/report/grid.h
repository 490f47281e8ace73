/* SPDX-License-Identifier: Apache-2.0 */
/* A grid of text cells.  Columns line up by what a terminal shows, not by bytes. */
#ifndef ASSAY_REPORT_GRID_H
#define ASSAY_REPORT_GRID_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"

enum { ASSAY_GRID_COLUMNS = 256 };

/* Zeroed but for n_columns is ready; clear it at the end. */
typedef struct assay_grid {
    assay_arena arena;
    uint32_t n_columns;                /* at most ASSAY_GRID_COLUMNS */
    bool is_right[ASSAY_GRID_COLUMNS]; /* alignment */
    assay_slice *cell;                 /* row by row; the first row is the head */
    size_t n;
    size_t cap;
    bool has_failed;
} assay_grid;

/* Append the next cell; the text is copied. */
void assay_grid_add(assay_grid *grid, assay_slice text);
void assay_grid_text(assay_grid *grid, const char *text);
void assay_grid_printf(assay_grid *grid, const char *format, ...) ASSAY_PRINTF(2, 3);

/* Columns apart by two blanks, a line under the head. */
void assay_grid_print(const assay_grid *grid, assay_buffer *out);

/* A Markdown table; `|` and line breaks in cells are escaped. */
void assay_grid_markdown(const assay_grid *grid, assay_buffer *out);

/* RFC 4180. */
void assay_grid_csv(const assay_grid *grid, assay_buffer *out);

void assay_grid_clear(assay_grid *grid);

/* Columns that a terminal needs for `text`. */
size_t assay_display_width(assay_slice text);

#endif
