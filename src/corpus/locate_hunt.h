/* SPDX-License-Identifier: Apache-2.0 */
/* One rung of the ladder for many quotes at once.
 *
 * A hunt is made once for a set of quotes and may run over any number of texts, on
 * several threads.  The edited rung goes in stages, each a hunt of its own: an eighth of the
 * edits that a quote is allowed, half, three quarters, all of them.  With k edits one of
 * k + 1 pieces of the quote must stand in the text as it is, and the fewer pieces, the
 * longer and the rarer they are.  The first stage that finds a quote has found the least
 * distance, since every place with fewer edits is found by the same stage. */
#ifndef ASSAY_CORPUS_LOCATE_HUNT_H
#define ASSAY_CORPUS_LOCATE_HUNT_H

#include <stdbool.h>

#include "assay.h"
#include "corpus/locate.h"
#include "corpus/locate_edit.h"

enum {
    ASSAY_HUNT_MOST_PLACES = 1000,    /* counting stops there */
    ASSAY_HUNT_MOST_LENGTH = 1 << 16, /* code points that edits are searched for */
    ASSAY_HUNT_SHARE = 10,            /* one edit for so many code points */
    ASSAY_HUNT_STAGES = 4             /* of the edited rung */
};

/* A quote; everything points into memory that outlives the hunts. */
typedef struct assay_hunted {
    assay_slice quote;
    assay_slice folded; /* without blanks at the ends; "" while it is not needed */
    uint32_t length;    /* of folded, in code points */
    uint32_t most;      /* edits that are allowed */
} assay_hunted;

/* What was found of one text.  Places are in the text that was searched: the document's
 * own for the exact rung, the folded one for the others. */
typedef struct assay_spot {
    assay_span span;
    uint32_t quote;
    uint32_t next; /* of the same quote, or ASSAY_NONE */
} assay_spot;

/* One for each thread. */
typedef struct assay_catch {
    uint32_t n_quotes;
    uint32_t *head;     /* by quote: its spots, the last found first, or ASSAY_NONE */
    uint32_t *n;        /* by quote: how many, at most ASSAY_HUNT_MOST_PLACES */
    uint32_t *distance; /* by quote: of its spots */
    uint8_t *done;      /* by quote: no more are counted */
    struct assay_seen *seen;
    assay_spot *spot;
    size_t n_spots;
    size_t cap_spots;
    uint64_t n_runs;
    assay_edit edit;
    bool has_failed; /* no memory */
} assay_catch;

/* False: no memory, and nothing to clear. */
bool assay_catch_init(assay_catch *c, uint32_t n_quotes);
void assay_catch_clear(assay_catch *c);

/* Forget the spots, in time proportional to them. */
void assay_catch_empty(assay_catch *c);

/* The places of a quote in ascending order: put into `out`, room for
 * ASSAY_HUNT_MOST_PLACES; returns how many. */
size_t assay_catch_places(const assay_catch *c, uint32_t quote, assay_span *out);

typedef struct assay_hunt assay_hunt;

/* A hunt for those of quote[0..n) that `skip` does not name (skip[i] != 0).  `stage` is
 * below ASSAY_HUNT_STAGES for the edited rung and 0 for the others; `sample` is text like
 * that to be searched, or all of it, and may be empty.  Null: no memory. */
assay_hunt *assay_hunt_new(const assay_hunted *quote, uint32_t n, const uint8_t *skip,
                           assay_rung rung, uint32_t stage, assay_slice sample);
void assay_hunt_free(assay_hunt *hunt);

/* Whether a stage has anything to do for a quote that all stages before did not find. */
bool assay_hunt_has_stage(const assay_hunted *quote, uint32_t stage);

/* Search a text.  False: no memory. */
bool assay_hunt_run(const assay_hunt *hunt, assay_slice text, assay_catch *c);

#endif
