/* SPDX-License-Identifier: Apache-2.0 */
/* The judge lays the golden set over a ranking.
 *
 *     hits -> ranked[] -> order -> drop duplicates -> look grades up -> assay_judged
 *
 * assay_grades is one query's judgments at one level, made once and read by all threads.
 * assay_judge is one worker's scratch space, used for query after query. */
#ifndef ASSAY_METRIC_JUDGE_H
#define ASSAY_METRIC_JUDGE_H

#include "metric/metric.h"
#include "run/ranked.h"

/* ---- the golden set's side ---- */

/* Zeroed: no judgments. */
typedef struct assay_grades {
    uint32_t n; /* judged ids, all different */
    const assay_slice *id;
    const int32_t *grade; /* >= 0, or ASSAY_POOLED */
    const uint64_t *hash; /* assay_hash of id */
    const uint32_t *slot; /* open addressing: index + 1, 0 = free */
    uint32_t mask;        /* number of slots - 1 */
    const int32_t *ideal; /* grades >= 0, highest first */
    uint32_t n_ideal;
    uint32_t n_pooled;
    const assay_subtopics *subtopics; /* rows in the order of id[]; null = none */
} assay_grades;

/* Index everything; arrays live in `arena`.  Negative grades become ASSAY_POOLED.  An id
 * that stands twice keeps its highest grade; *n_repeated (may be null) counts them.
 * False: no memory. */
bool assay_grades_build(assay_grades *out, assay_arena *arena, const assay_slice *id,
                        const int32_t *grade, uint32_t n, uint32_t *n_repeated);

/* Index in id[], or ASSAY_NONE. */
uint32_t assay_grades_find(const assay_grades *grades, const char *id, uint32_t len,
                           uint64_t hash);

/* ---- the run's side ---- */

typedef enum assay_order {
    ASSAY_ORDER_SCORE,    /* score descending, equal scores by id, bytes descending */
    ASSAY_ORDER_FLOAT,    /* the same, scores compared as float: trec_eval 9 */
    ASSAY_ORDER_SCORE_UP, /* score descending, equal scores by id, bytes ascending */
    ASSAY_ORDER_STABLE,   /* score descending, equal scores as listed */
    ASSAY_ORDER_LISTED    /* as listed (or by rank: put the negated rank into score) */
} assay_order;

typedef struct assay_judge {
    assay_ranked *ranked; /* the ranking; filled by the caller, then ordered and cut */
    uint32_t n;
    size_t cap;      /* room in every array below */
    uint64_t *hash;  /* of each ranked id; valid after assay_judge_duplicates */
    uint64_t *given; /* hashes by ranked[].index that the caller knew already */
    bool has_given;  /* given[] holds for this ranking; set it for each */
    int32_t *grade;
    uint32_t *rel_pos;
    uint32_t *pool_pos;
    uint32_t *judged; /* by position: index in grades->id, or ASSAY_NONE */
    int32_t *found_grade;
    double *scratch;
    size_t cap_scratch;
    double *log2_rank;
    size_t n_log2;   /* filled entries of log2_rank */
    uint64_t *table; /* ids seen, to find duplicates */
    size_t cap_table;
    void *sort_room;
    size_t cap_sort;
} assay_judge;

/* Zeroed is ready.  Make room for n ranked hits; false: no memory. */
bool assay_judge_reserve(assay_judge *judge, size_t n);
void assay_judge_clear(assay_judge *judge);

/* Bring ranked[0..n) into order. False: no memory. */
bool assay_judge_order(assay_judge *judge, assay_order order);

/* Hash all ids and find the first position whose id stood before; ASSAY_NONE = none.
 * With `drop` later ones are removed, the ranking closes up, and the return value is how
 * many were dropped (0 = none) instead. */
uint32_t assay_judge_duplicates(assay_judge *judge, bool drop);

/* How ids are looked up. */
typedef struct assay_look {
    int32_t threshold; /* lowest relevant grade */
    bool judged_only;  /* drop unjudged hits first, as trec_eval -J */
    bool mark_repeats; /* a later hit of the same id is ASSAY_REPEATED (level doc of a
                           run of chunks: ranks stay as the user sees them) */
    int32_t max_grade; /* of the whole golden set */
} assay_look;

/* Fill `out` from the ranking and the grades.  out's arrays belong to the judge and hold
 * until the next call.  Needs hash[] (assay_judge_duplicates, or assay_judge_hash after
 * changing ids).  False: no memory. */
bool assay_judge_look(assay_judge *judge, const assay_grades *grades,
                      const assay_look *look, assay_judged *out);

/* Hash all ids again, e.g. after replacing chunk ids by doc ids (has_given must be
 * false then). */
void assay_judge_hash(assay_judge *judge);

/* Number of cutoffs' ties: is the pair (k, k+1) tied in score?  ranked[] must be ordered. */
static inline bool assay_judge_tied_at(const assay_judge *judge, uint32_t k)
{
    return k > 0 && k < judge->n && judge->ranked[k - 1].score == judge->ranked[k].score;
}

#endif
