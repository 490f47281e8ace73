/* SPDX-License-Identifier: Apache-2.0 */
/* Scores: queries x measures of doubles, and what they add up to.
 *
 * Rows stand in byte order of their query ids and sums are taken in that order, so that
 * the bits do not depend on who computed the cells.  A score that does not exist is NaN
 * in here and null outside. */
#ifndef ASSAY_SCORE_SCORE_H
#define ASSAY_SCORE_SCORE_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/dict.h"

/* A measure as the table knows it. */
typedef struct assay_column {
    const char *name;  /* short spelling, for people */
    const char *full;  /* every parameter named: the key */
    assay_level level; /* at which it was taken */
    bool has_level;    /* the level matters to the metric */
    assay_aggregate aggregate;
    bool is_lower_better;
    bool has_no_direction;
    bool is_too_deep; /* its cutoff is beyond the depth of the run */
    uint32_t k;       /* cutoff, 0 = none */
} assay_column;

/* A query as the table knows it. */
typedef struct assay_row {
    assay_slice id;
    uint32_t query;  /* index in the golden set */
    uint32_t result; /* index in the run, or ASSAY_NONE */
    uint8_t label;   /* an assay_label */
    bool is_missing;
    bool is_failed;
    uint32_t n_hits;     /* after duplicates were dropped */
    uint32_t first_rank; /* of the first relevant hit at the leading level, 0 = none */
} assay_row;

struct assay_scores {
    assay_arena arena;
    const char *run; /* name of the run */
    assay_column *column;
    uint32_t n_columns;
    assay_row *row;
    uint32_t n_rows;
    double *value;      /* n_rows x n_columns */
    assay_total *total; /* one for each column */
    assay_counts counts;
    assay_level level; /* at which measures that do not say are taken */
};
typedef struct assay_scores assay_scores;

/* Room for the table, all cells absent.  Null: no memory. */
assay_scores *assay_scores_new(uint32_t n_rows, uint32_t n_columns);
void assay_scores_free(assay_scores *scores);

static inline double *assay_scores_cell(const assay_scores *scores, uint32_t row,
                                        uint32_t column)
{
    return &scores->value[(size_t)row * scores->n_columns + column];
}

/* Add up one column over the rows for which keep[row] is true (null = all).  `room` has
 * place for n_rows doubles. */
assay_total assay_scores_add(const assay_scores *scores, uint32_t column,
                             const bool *keep, double *room);

/* Fill total[].  False: no memory. */
bool assay_scores_finish(assay_scores *scores);

/* Index of the column with this name or full spelling, or ASSAY_NONE. */
uint32_t assay_scores_column(const assay_scores *scores, const char *name);

/* Half away from zero at four decimals: kebab stores its aggregates so. */
double assay_round4(double value);

#endif
