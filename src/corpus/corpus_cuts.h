/* SPDX-License-Identifier: Apache-2.0 */
/* A cut as bytes: the chunks of one version under one chunking, in one column.
 *
 *     1                                  the format's number
 *     n_chunks, then n_chunks ids        16 bytes each, so that a look-up need not decode
 *     n_spans, n_headings                in all
 *     headings: level, up, text, section
 *     chunks: n_spans, spans, heading + 1, first line, lines more
 *
 * Whole numbers are base-128 varints, low digits first.  Places are differences to the
 * one before, with the sign in the lowest bit where they may go back.  About 22 bytes a
 * chunk, 16 of them the id. */
#ifndef ASSAY_CORPUS_CORPUS_CUTS_H
#define ASSAY_CORPUS_CORPUS_CUTS_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "corpus/chunker.h"

/* Append the cut to `out`.  `text` is the document's, in which heading texts lie. */
void assay_cut_encode(const assay_chunks *chunks, assay_slice text, assay_buffer *out);

/* The ids of a cut: *ids points at *n times 16 bytes inside it.  False: no cut. */
bool assay_cut_ids(assay_slice cut, const uint8_t **ids, uint32_t *n);

/* Back to chunks, which live in `arena`.  Everything is checked against the length of
 * `text`; a null text.ptr says that only the length is known: heading texts are then
 * empty.  What is damaged is ASSAY_EINPUT and calls the cut `what`. */
ASSAY_MUST_USE assay_status assay_cut_decode(assay_slice cut, assay_slice text,
                                             const char *what, assay_arena *arena,
                                             assay_chunks *out, assay_error *err);

#endif
