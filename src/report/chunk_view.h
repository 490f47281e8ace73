/* SPDX-License-Identifier: Apache-2.0 */
/* The cut of one document, to look at. */
#ifndef ASSAY_REPORT_CHUNK_VIEW_H
#define ASSAY_REPORT_CHUNK_VIEW_H

#include "base/json.h"
#include "corpus/chunker.h"

typedef struct assay_chunk_view {
    const assay_document *doc;
    const assay_chunking *chunking;
    const assay_chunks *chunks;
} assay_chunk_view;

/* A line on the whole, then one for each chunk: number, id, lines, bytes, headings, the
 * first words. */
void assay_chunk_view_table(const assay_chunk_view *view, assay_buffer *out);
void assay_chunk_view_markdown(const assay_chunk_view *view, assay_buffer *out);

/* The text itself with a mark where each chunk begins. */
void assay_chunk_view_text(const assay_chunk_view *view, assay_buffer *out);

/* The members of an object for the document, chunks with their texts among them. */
void assay_chunk_view_json(const assay_chunk_view *view, assay_json_writer *w);

/* One line of JSON for each chunk. */
void assay_chunk_view_jsonl(const assay_chunk_view *view, assay_buffer *out);

#endif
