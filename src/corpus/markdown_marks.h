/* SPDX-License-Identifier: Apache-2.0 */
/* What a line of Markdown begins with: the marks of blocks, one test each.
 *
 * `line` is always what is left of the line behind its containers and indentation, without
 * its line break. */
#ifndef ASSAY_CORPUS_MARKDOWN_MARKS_H
#define ASSAY_CORPUS_MARKDOWN_MARKS_H

#include <stdbool.h>

#include "assay.h"

/* # to ###### and a blank or nothing: the level, and the heading's text; 0 = not one. */
uint32_t assay_md_atx(assay_slice line, assay_slice *text);

/* === is 1, --- is 2; 0 = no underline. */
uint32_t assay_md_underline(assay_slice line);

bool assay_md_rule(assay_slice line);

/* Length of ``` or ~~~ that opens a fence, 0 = none. */
size_t assay_md_fence(assay_slice line);

/* Whether `line` closes a fence of `length` marks `mark`. */
bool assay_md_fence_ends(assay_slice line, char mark, size_t length);

/* The condition (1 to 7) under which `line` begins an HTML block, 0 = it does not. */
int assay_md_html(assay_slice line);

/* Whether `line` holds the end of an HTML block of conditions 1 to 5. */
bool assay_md_html_ends(assay_slice line, int condition);

/* Whether `line` is a link definition, [name]: target "title", all by itself. */
bool assay_md_definition(assay_slice line);

/* Width of a list marker with what must follow it, 0 = none; *starts_at_one is true for
 * bullets too. */
size_t assay_md_marker(assay_slice line, bool *starts_at_one);

/* Cells of a table's delimiter row (| --- | :-: |), 0 = not one. */
uint32_t assay_md_delimiter(assay_slice line);

/* Cells of a table row. */
uint32_t assay_md_cells(assay_slice line);

#endif
