/* SPDX-License-Identifier: Apache-2.0 */
/* A large TREC run, read by a guess that is checked: most files keep a query's lines
 * together, so that one can jump from query to query without looking at every line.
 *
 * open() finds where each query's lines begin and end by jumping.  read() parses them and
 * compares every line's query id; where a line of another query stands among them, the
 * guess was wrong, and the file has to be read with trec_lines.h instead.  Nothing is
 * ever taken on trust. */
#ifndef ASSAY_RUN_TREC_GUESS_H
#define ASSAY_RUN_TREC_GUESS_H

#include "run/trec_lines.h"

typedef struct assay_trec_guess assay_trec_guess;

/* As assay_trec_lines_open.  ASSAY_NO: the file is small, or its queries are not kept
 * together; *out and `ids` are untouched then. */
ASSAY_MUST_USE assay_status assay_trec_guess_open(const char *path, assay_slice text,
                                                  const assay_trec_rules *rules,
                                                  assay_dict *ids, assay_trec_guess **out,
                                                  assay_error *err);
void assay_trec_guess_close(assay_trec_guess *guess);

/* Most lines that a query can have. */
uint32_t assay_trec_guess_most(const assay_trec_guess *guess, uint32_t query);

/* Parse the lines of a query into out[0..*n), in file order; `out` may be null (check
 * only).  ASSAY_NO: the guess was wrong.  Any thread. */
ASSAY_MUST_USE assay_status assay_trec_guess_read(const assay_trec_guess *guess,
                                                  uint32_t query, assay_ranked *out,
                                                  uint32_t *n, assay_error *err);

/* The tag of the file's last line; "" when that is malformed (read finds it). */
assay_slice assay_trec_guess_tag(const assay_trec_guess *guess);

#endif
