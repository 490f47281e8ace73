/* SPDX-License-Identifier: Apache-2.0 */
/* One part of a TREC run: which queries its lines belong to.  Private to trec_lines.c. */
#ifndef ASSAY_RUN_TREC_SCAN_H
#define ASSAY_RUN_TREC_SCAN_H

#include <stdbool.h>

#include "assay.h"
#include "base/dict.h"

/* A place is where a stretch of lines of one query begins and how many they are, in one
 * number: the offset in the upper 48 bits, the lines in the lower 16. */
enum { ASSAY_TREC_COUNT_BITS = 16, ASSAY_TREC_COUNT_MOST = (1 << 16) - 1 };

/* What one thread finds in one part of the file. */
typedef struct assay_trec_part {
    assay_slice text;
    const char *file; /* beginning of the whole file: offsets count from here */
    const char *end;  /* of the whole file */
    bool has_comments;
    bool has_failed;   /* out of memory */
    bool is_scattered; /* queries change so often that places would cost more */
    assay_dict ids;    /* query ids of this part; numbers below are its own */
    uint64_t *place;   /* null when scattered */
    uint32_t *query;   /* of each place, or, when scattered, of each line */
    size_t n;          /* places or lines in query[] */
    size_t cap;
    uint32_t *n_places; /* by query */
    uint32_t *n_lines;  /* by query */
    size_t cap_queries;
    const char *last_line; /* last line with content, or null */

    /* ids of up to 7 bytes by hash, 0 = free; see find_short */
    uint64_t *word;
    uint32_t *number; /* of each word, in ids */
    size_t n_words;   /* slots, a power of two */

    /* the stretch being extended */
    bool is_open;
    uint32_t current;
    assay_slice qid;
    uint64_t qid_word; /* up to 7 bytes of qid and the separator behind it */
    uint64_t qid_mask; /* 0 when the id is too long for that */

    /* filled in by trec_lines.c */
    uint32_t *global;     /* by query: number in the whole file */
    size_t *next;         /* by query: where its next place or line goes */
    const char *bad_line; /* first malformed line, or null */
} assay_trec_part;

/* Walk the part.  On failure has_failed is set. */
void assay_trec_part_scan(assay_trec_part *part);

/* Whether a line has no content: blank, or a comment where those are allowed. */
bool assay_trec_part_is_blank(const assay_trec_part *part, const char *at,
                              const char *end);

void assay_trec_part_clear(assay_trec_part *part);

#endif
