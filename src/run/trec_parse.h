/* SPDX-License-Identifier: Apache-2.0 */
/* One line of a TREC run: `qid Q0 docno rank score tag`, extra fields ignored. */
#ifndef ASSAY_RUN_TREC_PARSE_H
#define ASSAY_RUN_TREC_PARSE_H

#include <stdbool.h>

#include "assay.h"
#include "base/compiler.h"
#include "base/number.h"
#include "base/scan.h"

enum { ASSAY_TREC_FIELDS = 6 };

/* The file that a line stands in. */
typedef struct assay_trec_text {
    const char *path;
    assay_slice text;
    bool is_lenient; /* scores as atof takes them */
} assay_trec_text;

/* All fields of a line. */
typedef struct assay_trec_split {
    const char *start[ASSAY_TREC_FIELDS];
    const char *end[ASSAY_TREC_FIELDS];
    const char *next; /* the line after it */
} assay_trec_split;

/* Byte by byte; false when there are too few fields. */
bool assay_trec_split_line(const char *at, const char *end, assay_trec_split *out);

/* What the ranking wants of a line. */
typedef struct assay_trec_want {
    const char *doc;
    const char *doc_end;
    const char *score;
    const char *score_end;
    const char *next; /* the line after it */
} assay_trec_want;

/* The same, byte by byte. */
bool assay_trec_want_slow(const char *at, const char *end, assay_trec_want *out);

static inline uint64_t assay_trec_without_lowest(uint64_t bits)
{
    return bits & (bits - 1);
}

/* A line of up to 63 bytes, from the bit masks of its first 64; longer ones go the slow
 * way.  False when there are too few fields. */
static inline bool assay_trec_want_scan(const char *at, const char *end, assay_scan scan,
                                        assay_trec_want *out)
{
    uint64_t start;
    uint64_t stop;
    unsigned feed;

    if (ASSAY_UNLIKELY(!scan.line))
        return assay_trec_want_slow(at, end, out);
    feed = assay_bytes_first(scan.line);
    /* Fields begin behind white space and end before it, all of it before the feed. */
    start = ~scan.space & (scan.space << 1 | 1) & ((UINT64_C(1) << feed) - 1);
    stop = scan.space & ~(scan.space << 1 | 1);
    out->next = at + feed + 1;
    start = assay_trec_without_lowest(assay_trec_without_lowest(start));
    stop = assay_trec_without_lowest(assay_trec_without_lowest(stop));
    if (ASSAY_UNLIKELY(!start))
        return false;
    out->doc = at + assay_bytes_first(start);
    out->doc_end = at + assay_bytes_first(stop);
    start = assay_trec_without_lowest(assay_trec_without_lowest(start));
    stop = assay_trec_without_lowest(assay_trec_without_lowest(stop));
    if (ASSAY_UNLIKELY(!assay_trec_without_lowest(start)))
        return false;
    out->score = at + assay_bytes_first(start);
    out->score_end = at + assay_bytes_first(stop);
    return true;
}

static inline bool assay_trec_want_line(const char *at, const char *end,
                                        assay_trec_want *out)
{
    return assay_trec_want_scan(at, end, assay_scan_tail(at, end), out);
}

/* Scores that are not plain decimals. */
assay_status assay_trec_score_slow(const assay_trec_text *text, const assay_trec_want *w,
                                   double *score, assay_error *err);

static inline assay_status assay_trec_score(const assay_trec_text *text,
                                            const assay_trec_want *w, double *score,
                                            assay_error *err)
{
    /* Only a score in the first line can have fewer bytes before its end. */
    if (ASSAY_LIKELY(w->score_end - text->text.ptr >= 16 &&
                     assay_number_short(w->score, w->score_end, score)))
        return ASSAY_OK;
    return assay_trec_score_slow(text, w, score, err);
}

/* "path:line: want query, Q0 ..." for the line at `at`. */
assay_status assay_trec_fail_fields(const assay_trec_text *text, const char *at,
                                    assay_error *err);

#endif
