/* SPDX-License-Identifier: Apache-2.0 */
/* assay: measure retrieval.
 *
 * The whole public interface, in the order in which data flows:
 * errors, golden sets, runs, metrics, scores.
 *
 * Threads: no function keeps global state.  Different objects may be used from
 * different threads at once; one object may be read from several threads as long as
 * none of them changes it.
 *
 * Ownership: what a `load`, `new` or `measure` function hands out belongs to the
 * caller, who gives it back to the matching `free`.  Everything returned by `at`, `get`
 * or `find` is borrowed and lives as long as its parent.  On failure an out parameter
 * is left untouched.
 */
#ifndef ASSAY_H
#define ASSAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ASSAY_API      __attribute__((visibility("default")))
#define ASSAY_MUST_USE __attribute__((warn_unused_result))
#else
#define ASSAY_API
#define ASSAY_MUST_USE
#endif

/* ---- errors ---- */

/* What the caller can do about it.  The program exits with the same number. */
typedef enum assay_status {
    ASSAY_OK = 0,     /* done */
    ASSAY_NO = 1,     /* understood, and the answer is no */
    ASSAY_EUSAGE = 2, /* the caller named something that does not exist or does not fit */
    ASSAY_EINPUT = 3, /* a file or reply from outside is malformed */
    ASSAY_ESYSTEM = 4, /* file system, network or database refused */
    ASSAY_ENOMEM = 5   /* out of memory; nothing was changed */
} assay_status;

/* The words that go with a status.  Lives in the caller; a null pointer is allowed
 * wherever one is taken, for callers who want the status only. */
typedef struct assay_error {
    assay_status status;
    char text[1000]; /* one line, no final stop, always terminated */
} assay_error;

/* Bytes that belong to somebody else.  Not terminated. */
typedef struct assay_slice {
    const char *ptr;
    size_t len;
} assay_slice;

ASSAY_API const char *assay_version(void);

/* ---- levels and aggregates ---- */

/* What is to be found. */
typedef enum assay_level {
    ASSAY_LEVEL_AUTO,     /* the finest at which every labelled query has judgments */
    ASSAY_LEVEL_EVIDENCE, /* spans of documents */
    ASSAY_LEVEL_CHUNK,
    ASSAY_LEVEL_DOC
} assay_level;

/* How the scores of the queries become one number. */
typedef enum assay_aggregate {
    ASSAY_AGG_MEAN,
    ASSAY_AGG_SUM,
    ASSAY_AGG_GEOMETRIC, /* exp of the mean of log(max(x, 0.00001)) */
    ASSAY_AGG_COUNT,     /* the number of queries */
    ASSAY_AGG_P50,       /* percentiles by nearest rank: a value that occurred */
    ASSAY_AGG_P95,
    ASSAY_AGG_P99,
    ASSAY_AGG_MAX
} assay_aggregate;

/* The aggregate of one measure.  Values that do not exist are NaN. */
typedef struct assay_total {
    double value;    /* NaN when n is 0 */
    uint32_t n;      /* queries that have a score */
    uint32_t absent; /* queries that have none */
    double spread;   /* sample standard deviation; 0 for n = 1, NaN for n = 0 */
    double low;      /* confidence interval of a mean, where one was asked for */
    double high;
} assay_total;

/* What else is to be known of a run before its numbers are believed. */
typedef struct assay_counts {
    uint32_t total;    /* queries set out to be measured: all but drafts */
    uint32_t labelled; /* of them with judgments */
    uint32_t unlabelled;
    uint32_t should_refuse;
    uint32_t negative;
    uint32_t drafts;  /* never counted in anything else */
    uint32_t missing; /* not in the run */
    uint32_t failed;  /* the run has an error instead */
    uint32_t empty;   /* answered without a single hit */
    uint32_t extra;   /* queries of the run that the golden set does not know */
    uint64_t hits;
    uint64_t duplicates; /* hits dropped because their id stood above */
    uint64_t ties;       /* pairs of query and cutoff with equal scores on both sides */
    uint64_t self_hits;  /* hits dropped because their id is the query's own */
    uint32_t judged_k;   /* depth down to which the next two were counted */
    uint64_t judged;     /* hits with a judgment within that depth, labelled queries */
    uint64_t judged_of;  /* hits within that depth */
    uint32_t depth;      /* most hits that the run has for one query */
} assay_counts;

#ifdef __cplusplus
}
#endif

#endif
