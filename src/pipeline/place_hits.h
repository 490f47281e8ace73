/* SPDX-License-Identifier: Apache-2.0 */
/* Hits that have no spans get them from a corpus, so that a run which knows only chunk ids
 * can be held against evidence. */
#ifndef ASSAY_PIPELINE_PLACE_HITS_H
#define ASSAY_PIPELINE_PLACE_HITS_H

#include "base/notes.h"
#include "run/run.h"

/* What became of the hits that had none. */
typedef struct assay_placing {
    uint64_t n_hits;         /* without spans before */
    uint64_t n_by_id;        /* chunks of today's texts, of any chunking */
    uint64_t n_by_old;       /* chunks of older texts, found again */
    uint64_t n_by_lines;     /* placed by the lines that the run has of them */
    uint64_t n_by_text;      /* placed by the text that the run has of them */
    uint64_t n_without;      /* still have none: they find nothing */
    uint64_t n_ambiguous;    /* of them: their text stands at several places */
    uint64_t n_lost;         /* of them: their text stands nowhere */
    uint64_t n_beyond;       /* of them: the corpus has no such document, or lines */
    uint64_t n_redocumented; /* the run named another document than the corpus does */
    assay_slice chunking;    /* that all chunks placed by id were cut by; "" = none, or
                             several; lives in the run */
} assay_placing;

/* Place the hits of `run`.  A chunk id counts, in a TREC run the docno where it is one;
 * else the document and the hit's lines; else the document and the hit's text, which must
 * stand there once; else, where the run names no document, the text alone, which must
 * stand once in all documents.  The document of a chunk is what the corpus says.  What is
 * not placed keeps its rank.  A TREC run is read into memory for it.  What answers cite is
 * looked up too (place_citations.h). */
ASSAY_MUST_USE assay_status assay_place_hits(assay_run *run, const char *corpus,
                                             uint32_t n_threads, assay_placing *out,
                                             assay_error *err);

/* One line for people, or none.  False: no memory. */
bool assay_placing_note(const assay_placing *placing, const char *run, assay_notes *notes,
                        assay_arena *arena);

#endif
