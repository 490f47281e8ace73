/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a TREC run, `qid Q0 docno rank score tag`, without turning them into
 * structs.
 *
 * open() walks the file once, in parallel, looking only at query ids: a query's lines
 * usually stand together, so that a few bytes say where they are.  read() parses the
 * lines of one query when somebody wants them, into memory that stays in the cache.
 * A shuffled file is parsed once, from front to back, into 24 bytes a line. */
#ifndef ASSAY_RUN_TREC_LINES_H
#define ASSAY_RUN_TREC_LINES_H

#include <stdbool.h>

#include "assay.h"
#include "base/dict.h"
#include "run/ranked.h"

typedef struct assay_trec_lines assay_trec_lines;

/* How to read. */
typedef struct assay_trec_rules {
    bool has_comments;  /* lines that begin with '#' are passed over */
    bool is_lenient;    /* scores as atof takes them: "abc" is 0, inf and nan are fine */
    uint32_t n_threads; /* 0 = one a core */
    size_t least_jump;  /* bytes from which trec_guess.h is worth a try; 0 = the usual */
} assay_trec_rules;

/* Find the queries of `text`, which must outlive the result.  Query ids get numbers in
 * the order of their first appearance, in `ids`, which must be empty. */
ASSAY_MUST_USE assay_status assay_trec_lines_open(const char *path, assay_slice text,
                                                  const assay_trec_rules *rules,
                                                  assay_dict *ids, assay_trec_lines **out,
                                                  assay_error *err);
void assay_trec_lines_close(assay_trec_lines *lines);

/* Number of lines of a query. */
uint32_t assay_trec_lines_count(const assay_trec_lines *lines, uint32_t query);

/* Most lines of any query. */
uint32_t assay_trec_lines_depth(const assay_trec_lines *lines);

/* Parse the lines of a query into out[0..count), in file order.  A malformed line is an
 * error with its number.  Any thread.  Where the file was parsed before (a shuffled one)
 * *has_hash is true and hash[0..count) holds assay_hash of each document id. */
ASSAY_MUST_USE assay_status assay_trec_lines_read(const assay_trec_lines *lines,
                                                  uint32_t query, assay_ranked *out,
                                                  uint64_t *hash, bool *has_hash,
                                                  assay_error *err);

/* Only check the lines of a query, as read does. */
ASSAY_MUST_USE assay_status assay_trec_lines_check(const assay_trec_lines *lines,
                                                   uint32_t query, assay_error *err);

/* One line with all its fields, for those who want more than the ranking: the i-th line
 * of a query.  Costs a walk over the query's lines. */
typedef struct assay_trec_line {
    assay_slice query;
    assay_slice iteration;
    assay_slice doc;
    assay_slice rank;
    assay_slice score;
    assay_slice tag;
    uint64_t number; /* of the line in the file, from 1 */
} assay_trec_line;

ASSAY_MUST_USE assay_status assay_trec_lines_get(const assay_trec_lines *lines,
                                                 uint32_t query, uint32_t i,
                                                 assay_trec_line *out, assay_error *err);

/* The tag of the file's last line. */
assay_slice assay_trec_lines_tag(const assay_trec_lines *lines);

#endif
