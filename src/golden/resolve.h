/* SPDX-License-Identifier: Apache-2.0 */
/* The judgments of a golden set, found in a corpus.
 *
 * Afterwards the evidence of each judgment is bytes of today's texts.  One that is not
 * found is stale: it is named, counted and left out; the query stays if something else is
 * left, and is labelled `stale` if nothing relevant is. */
#ifndef ASSAY_GOLDEN_RESOLVE_H
#define ASSAY_GOLDEN_RESOLVE_H

#include "corpus/trace.h"
#include "golden/golden.h"

enum { ASSAY_N_FINDINGS = ASSAY_FOUND_LOST + 1 };

/* What became of one judgment. */
typedef struct assay_resolved {
    uint32_t query;    /* index in golden->query */
    uint32_t judgment; /* index in its judgment[] */
    const char *what;  /* "quote", "span", "chars", "lines", "heading", "chunk",
                             "document" */
    assay_traced traced;
} assay_resolved;

/* Lives in the golden set's arena. */
typedef struct assay_resolution {
    assay_resolved *item; /* every judgment, in file order */
    uint32_t n;
    uint32_t count[ASSAY_N_FINDINGS]; /* by finding; drafts are not counted */
    uint32_t n_stale_queries;         /* labelled before, nothing relevant left */
    uint32_t n_draft_stale;           /* judgments of drafts that are not found */
} assay_resolution;

/* Look for every judgment in the corpus file `corpus` and set its evidence, its document
 * (where only a chunk was named) and whether it is stale; then the labels anew.  Chunk
 * judgments keep their ids. */
ASSAY_MUST_USE assay_status assay_resolve(assay_golden *golden, const char *corpus,
                                          const assay_trace_options *options,
                                          assay_resolution *out, assay_error *err);

/* Lost or ambiguous, of queries that are no drafts. */
static inline uint32_t assay_resolution_stale(const assay_resolution *r)
{
    return r->count[ASSAY_FOUND_LOST] + r->count[ASSAY_FOUND_AMBIGUOUS];
}

/* Add to `notes` what people should know before they believe a number: how many are
 * stale, up to `most` of them by name with file and line, and the queries that have
 * nothing left.  False: no memory. */
bool assay_resolution_notes(const assay_resolution *r, const assay_golden *golden,
                            uint32_t most, assay_notes *notes, assay_arena *arena);

/* "golden.yaml:12: query 'q-1': lost: no document ...": one line about one judgment, not
 * terminated by a line break. */
void assay_resolved_line(const assay_resolved *item, const assay_golden *golden,
                         assay_buffer *out);

#endif
