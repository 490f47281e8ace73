/* SPDX-License-Identifier: Apache-2.0 */
#include "report/grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#include "base/mem.h"
#include "base/slice.h"

size_t assay_display_width(assay_slice text)
{
    const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)text.ptr;
    utf8proc_ssize_t left = (utf8proc_ssize_t)text.len;
    size_t width = 0;

    while (left > 0) {
        utf8proc_int32_t code;
        utf8proc_ssize_t len = utf8proc_iterate(p, left, &code);

        if (len <= 0) { /* broken: shown as one replacement character */
            len = 1;
            width++;
        } else {
            width += (size_t)utf8proc_charwidth(code);
        }
        p += len;
        left -= len;
    }
    return width;
}

void assay_grid_add(assay_grid *grid, assay_slice text)
{
    void *grown = assay_mem_grow(grid->cell, &grid->cap, grid->n + 1, sizeof *grid->cell);

    if (!grown) {
        grid->has_failed = true;
        return;
    }
    grid->cell = grown;
    grid->cell[grid->n] = assay_arena_copy(&grid->arena, text);
    if (!grid->cell[grid->n].ptr)
        grid->has_failed = true;
    else
        grid->n++;
}

void assay_grid_text(assay_grid *grid, const char *text)
{
    assay_grid_add(grid, assay_slice_of(text));
}

void assay_grid_printf(assay_grid *grid, const char *format, ...)
{
    char text[400];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    assay_grid_text(grid, text);
}

void assay_grid_clear(assay_grid *grid)
{
    assay_arena_clear(&grid->arena);
    assay_mem_free(grid->cell);
    *grid = (assay_grid){0};
}

static void fill(assay_buffer *out, const char *what, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assay_buffer_text(out, what);
}

static void print_row(const assay_grid *grid, const size_t *width, size_t first,
                      assay_buffer *out)
{
    for (uint32_t c = 0; c < grid->n_columns; c++) {
        assay_slice cell = grid->cell[first + c];
        size_t gap = width[c] - assay_display_width(cell);

        if (c)
            assay_buffer_text(out, "  ");
        if (grid->is_right[c])
            fill(out, " ", gap);
        assay_buffer_slice(out, cell);
        if (!grid->is_right[c] && c + 1 < grid->n_columns)
            fill(out, " ", gap);
    }
    /* No blanks at line ends. */
    while (out->len && out->ptr[out->len - 1] == ' ')
        out->len--;
    assay_buffer_char(out, '\n');
}

void assay_grid_print(const assay_grid *grid, assay_buffer *out)
{
    size_t width[ASSAY_GRID_COLUMNS] = {0};

    if (grid->has_failed) {
        out->has_failed = true;
        return;
    }
    for (size_t i = 0; i < grid->n; i++) {
        size_t w = assay_display_width(grid->cell[i]);

        if (w > width[i % grid->n_columns])
            width[i % grid->n_columns] = w;
    }
    for (size_t i = 0; i + grid->n_columns <= grid->n; i += grid->n_columns) {
        print_row(grid, width, i, out);
        for (uint32_t c = 0; i == 0 && c < grid->n_columns; c++) {
            assay_buffer_text(out, c ? "  " : "");
            fill(out, "-", width[c]);
            if (c + 1 == grid->n_columns)
                assay_buffer_char(out, '\n');
        }
    }
}

static void markdown_cell(assay_buffer *out, assay_slice cell)
{
    for (size_t i = 0; i < cell.len; i++) {
        char c = cell.ptr[i];

        if (c == '|' || c == '\\')
            assay_buffer_char(out, '\\');
        assay_buffer_char(out, c == '\n' || c == '\r' ? ' ' : c);
    }
}

void assay_grid_markdown(const assay_grid *grid, assay_buffer *out)
{
    if (grid->has_failed) {
        out->has_failed = true;
        return;
    }
    for (size_t i = 0; i + grid->n_columns <= grid->n; i += grid->n_columns) {
        for (uint32_t c = 0; c < grid->n_columns; c++) {
            assay_buffer_text(out, "| ");
            markdown_cell(out, grid->cell[i + c]);
            assay_buffer_char(out, ' ');
        }
        assay_buffer_text(out, "|\n");
        for (uint32_t c = 0; i == 0 && c < grid->n_columns; c++)
            assay_buffer_text(out, grid->is_right[c] ? "| ---: " : "| --- ");
        if (i == 0)
            assay_buffer_text(out, "|\n");
    }
}

static bool needs_quotes(assay_slice cell)
{
    for (size_t i = 0; i < cell.len; i++)
        if (strchr(",\"\r\n", cell.ptr[i]) && cell.ptr[i])
            return true;
    return false;
}

static void csv_cell(assay_buffer *out, assay_slice cell)
{
    if (!needs_quotes(cell)) {
        assay_buffer_slice(out, cell);
        return;
    }
    assay_buffer_char(out, '"');
    for (size_t i = 0; i < cell.len; i++) {
        if (cell.ptr[i] == '"')
            assay_buffer_char(out, '"');
        assay_buffer_char(out, cell.ptr[i]);
    }
    assay_buffer_char(out, '"');
}

void assay_grid_csv(const assay_grid *grid, assay_buffer *out)
{
    if (grid->has_failed) {
        out->has_failed = true;
        return;
    }
    for (size_t i = 0; i < grid->n; i++) {
        csv_cell(out, grid->cell[i]);
        assay_buffer_text(out, (i + 1) % grid->n_columns ? "," : "\r\n");
    }
}
