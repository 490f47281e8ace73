/* SPDX-License-Identifier: Apache-2.0 */
/* Queries and judgments that are to be added to a golden set, as JSON lines:
 *
 *     {"query": "Who approves refunds?", "doc": "refunds.md", "quote": "finance lead"}
 *     {"id": "q-7", "doc": "faq.md", "lines": "3-9", "grade": 2}
 *     {"id": "q-8", "query": "...", "tags": ["a"], "relevant": [{...}, {...}]}
 *
 * A line has the keys of a query of assay's own format, and may have those of one
 * judgment beside them.  A line without an id belongs to the query of the same text, or
 * makes a new one with an id of its own; a line with the id of a query that is there
 * needs no text.
 *
 * All or nothing: every bad line is told, and then nothing is added. */
#ifndef ASSAY_GOLDEN_ADDITIONS_H
#define ASSAY_GOLDEN_ADDITIONS_H

#include "corpus/trace.h"
#include "golden/golden.h"

typedef struct assay_additions {
    const assay_golden *base; /* null: the file is yet to be made */
    assay_golden *set;        /* what is to be added; every query once */
    assay_notes bad;          /* "file:line: what is wrong", a line each */
    uint32_t n_new;           /* queries that are not in base */
    uint32_t n_judgments;
} assay_additions;

/* Read `text`, which begins in line `line` of `name`; 0: it has no lines to speak of.
 * `base` is borrowed and must outlive *out.  Bad lines are no failure: they are noted. */
ASSAY_MUST_USE assay_status assay_additions_read(assay_additions *out, const char *name,
                                                 uint32_t line, assay_slice text,
                                                 const assay_golden *base,
                                                 assay_error *err);
void assay_additions_clear(assay_additions *additions);

/* Look for all judgments in the corpus; what is not found there, or at several places, is
 * noted as bad. */
ASSAY_MUST_USE assay_status assay_additions_check(assay_additions *additions,
                                                  const char *corpus,
                                                  const assay_trace_options *options,
                                                  assay_error *err);

/* Put into `out` the file `path`, whose text is `text` ("" when there is no base), with
 * everything added, and read it back to be sure. */
ASSAY_MUST_USE assay_status assay_additions_merge(const assay_additions *additions,
                                                  const char *path, assay_slice text,
                                                  assay_buffer *out, assay_error *err);

#endif
