/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence found again: quotes, spans, characters, lines and headings -> bytes of today's
 * text.
 *
 * The ladder for a quote: its exact bytes; then both sides after Unicode NFC, case and
 * white-space folding, with soft hyphens and hyphens at line breaks removed; then the
 * best place within an edit distance of 10 % of its folded length.  The first rung with
 * a match decides.  All quotes of a document go through one pass over it. */
#ifndef ASSAY_CORPUS_LOCATE_H
#define ASSAY_CORPUS_LOCATE_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/span.h"
#include "corpus/document.h"

typedef enum assay_place {
    ASSAY_PLACE_NONE,  /* no place is given */
    ASSAY_PLACE_SPAN,  /* bytes [start, end) */
    ASSAY_PLACE_CHARS, /* code points [start, end) */
    ASSAY_PLACE_LINES  /* lines start to end, both included, from 1 */
} assay_place;

/* What is looked for in one document.  With a quote the place is a hint: it chooses among
 * several occurrences.  Without one the place, or the heading, is the evidence. */
typedef struct assay_sought {
    assay_slice quote; /* "" = none */
    assay_place place;
    assay_span where;    /* what `place` says */
    assay_slice heading; /* "Refunds" or a path "Refunds > Approval"; "" = none */
} assay_sought;

typedef enum assay_finding {
    ASSAY_FOUND_RESOLVED,  /* at the place given, or the only place there is */
    ASSAY_FOUND_MOVED,     /* elsewhere than the place that was given with it */
    ASSAY_FOUND_AMBIGUOUS, /* at several places, and nothing says which */
    ASSAY_FOUND_LOST
} assay_finding;

/* "resolved", "moved", "ambiguous", "lost". */
const char *assay_finding_name(assay_finding finding);

/* The rung of the ladder that matched. */
typedef enum assay_rung {
    ASSAY_RUNG_NONE, /* lost, or no quote was needed */
    ASSAY_RUNG_EXACT,
    ASSAY_RUNG_FOLDED,
    ASSAY_RUNG_EDITED
} assay_rung;

const char *assay_rung_name(assay_rung rung);

typedef struct assay_located {
    assay_finding finding;
    assay_rung rung;
    assay_span span;     /* on UTF-8 boundaries; {0, 0} when lost; the first place when
                             ambiguous */
    uint64_t first_line; /* of the span, from 1; 0 when lost */
    uint64_t last_line;
    uint32_t n_places;  /* how often it stands there (counting stops at 1,000) */
    uint32_t distance;  /* of RUNG_EDITED: edits, in folded code points */
    const char *reason; /* one line in the arena; for RESOLVED null */
} assay_located;

/* Find sought[0..n) in `doc`, writing located[0..n).  Reasons live in `arena`; scratch
 * memory is a small multiple of the document.  Deterministic.  Only memory can fail. */
ASSAY_MUST_USE assay_status assay_locate(const assay_document *doc,
                                         const assay_sought *sought, size_t n,
                                         assay_located *located, assay_arena *arena,
                                         assay_error *err);

/* ---- quotes whose document is not known ----
 *
 * Hits that are only text, for example.  The quotes are prepared once; then all documents
 * are shown, in any order and by several threads, once for each rung until every quote is
 * found or no rung is left:
 *
 *     do {
 *         for each document: assay_quest_look(quest, worker, doc, number, err)
 *         assay_quest_next(quest, &is_over, err)
 *     } while (!is_over)
 *
 * The first rung with a match in any document decides. */
typedef struct assay_quest assay_quest;

typedef struct assay_sighting {
    assay_finding finding; /* RESOLVED, AMBIGUOUS or LOST */
    assay_rung rung;
    uint32_t doc;      /* number of the document; the lowest when ambiguous */
    assay_span span;   /* the first place in it; {0, 0} when lost */
    uint32_t n_places; /* in all documents (counting stops at 1,000) */
    uint32_t distance; /* of RUNG_EDITED */
} assay_sighting;

/* Look for quote[0..n), whose bytes must stay, by up to n_workers threads. */
ASSAY_MUST_USE assay_status assay_quest_new(const assay_slice *quote, size_t n,
                                            uint32_t n_workers, assay_quest **out,
                                            assay_error *err);
void assay_quest_free(assay_quest *quest);

/* Look at a document.  No two calls with one worker number run at once. */
ASSAY_MUST_USE assay_status assay_quest_look(assay_quest *quest, uint32_t worker,
                                             const assay_document *doc, uint32_t number,
                                             assay_error *err);

/* All documents have been shown.  *is_over: they need not be shown again. */
ASSAY_MUST_USE assay_status assay_quest_next(assay_quest *quest, bool *is_over,
                                             assay_error *err);

/* What became of quote i, once it is over: the same for any order and any threads. */
assay_sighting assay_quest_get(const assay_quest *quest, size_t i);

#endif
