/* SPDX-License-Identifier: Apache-2.0 */
/* Changes to a file of assay's own golden format as text: comments, order and style of
 * what is not touched stay as they are.  YAML in block or flow style, and JSON.
 *
 * Queries and judgments are named by their numbers in the set that was read from the same
 * text.  What stands behind a YAML alias cannot be edited: ASSAY_EINPUT with the line. */
#ifndef ASSAY_GOLDEN_NATIVE_EDIT_H
#define ASSAY_GOLDEN_NATIVE_EDIT_H

#include "base/edits.h"
#include "golden/golden.h"

typedef struct assay_native_edit {
    const char *path;
    assay_slice text; /* borrowed; without a byte order mark */
    bool has_bom;
    bool has_crlf; /* line breaks of the file, and so of what is put in */
    bool is_json;
    assay_arena arena;
    assay_edits edits;
    const struct assay_node *queries; /* the list */
    const struct assay_node **query;  /* by number */
    uint32_t n_queries;
} assay_native_edit;

/* `text` is the file as it is and must outlive the edit. */
ASSAY_MUST_USE assay_status assay_native_edit_open(assay_native_edit *edit,
                                                   const char *path, assay_slice text,
                                                   assay_error *err);
void assay_native_edit_close(assay_native_edit *edit);

/* Let the judgment say what `j` (whose numbers are those of `golden`) says of document,
 * quote and place, in the stead of its chunk id or of the place it had.  Its other keys
 * stay. */
ASSAY_MUST_USE assay_status assay_native_edit_anchor(assay_native_edit *edit,
                                                     uint32_t query, uint32_t judgment,
                                                     const assay_golden *golden,
                                                     const assay_judgment *j,
                                                     assay_error *err);

/* Append judgments to a query of the file. */
ASSAY_MUST_USE assay_status assay_native_edit_judge(assay_native_edit *edit,
                                                    uint32_t query,
                                                    const assay_golden *golden,
                                                    const assay_judgment *judgment,
                                                    uint32_t n, assay_error *err);

/* Let a query of the file be what `query` of `golden` says, all of it: it is written anew,
 * and comments within it are lost. */
ASSAY_MUST_USE assay_status assay_native_edit_replace(assay_native_edit *edit,
                                                      uint32_t number,
                                                      const assay_golden *golden,
                                                      const assay_query *query,
                                                      assay_error *err);

/* Append queries to the file, all in one call. */
ASSAY_MUST_USE assay_status assay_native_edit_append(assay_native_edit *edit,
                                                     const assay_golden *golden,
                                                     const assay_query *const *query,
                                                     uint32_t n, assay_error *err);

/* Put the changed text into `out`. */
ASSAY_MUST_USE assay_status assay_native_edit_finish(assay_native_edit *edit,
                                                     assay_buffer *out, assay_error *err);

#endif
