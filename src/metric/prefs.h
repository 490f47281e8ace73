/* SPDX-License-Identifier: Apache-2.0 */
/* Preferences: which document users like better, laid over one ranking.
 *
 * A judgment gives a document a level inside a subgroup of a group (a user).  Within a
 * subgroup a higher level is preferred; levels of different subgroups say nothing of each
 * other, but preferences of one group are transitive: a > b in one subgroup and b > c in
 * another give a > c.  A level of 0 means: not relevant.
 *
 * A preference a > b is *fulfilled* when a stands above b.  It is counted by who was
 * retrieved: both ("ret"), one ("imp": the missing one stands below all), or neither. */
#ifndef ASSAY_METRIC_PREFS_H
#define ASSAY_METRIC_PREFS_H

#include "base/arena.h"
#include "metric/metric.h"

/* One line of a preference file.  For qrels read as preferences the subgroup is "". */
typedef struct assay_pref {
    assay_slice group;
    assay_slice subgroup;
    assay_slice doc;
    double level;
} assay_pref;

/* A level of a group and the documents on it. */
typedef struct assay_pref_class {
    double level;
    const uint32_t *doc; /* numbers, ascending */
    uint32_t n;
} assay_pref_class;

/* One group's preferences: either classes (one subgroup: a full order), or a matrix.
 * Documents are numbers: the judged ones that were retrieved in rank order, then the
 * others in order of their ids. */
typedef struct assay_pref_group {
    const assay_pref_class *cls; /* highest level first; null: matrix */
    uint32_t n_classes;
    const uint8_t *better; /* [a * n_docs + b]: a is preferred to b */
    const double *level;   /* with matrix: by document; -1 = not in this group */
    uint64_t ful_ret;      /* fulfilled, both retrieved */
    uint64_t poss_ret;     /* all with both retrieved */
    uint64_t ful_imp;
    uint64_t poss_imp;
    uint64_t poss_none; /* neither was retrieved */
    uint32_t n_rel;     /* documents with a level above 0 ... */
    uint32_t n_rel_ret; /* ... that were retrieved */
    uint32_t n_nonrel;
    uint32_t n_nonrel_ret;
} assay_pref_group;

struct assay_prefs {
    uint32_t n_docs;               /* judged documents */
    uint32_t n_ret;                /* of them retrieved: numbers below it */
    const assay_pref_group *group; /* by id of the group */
    uint32_t n_groups;
    const uint16_t *count; /* [a * n_docs + b]: groups that prefer a to b */
};

/* Lay the preferences of one query over its ranking.  `doc` are the ids of the ranking,
 * best first, without repeats (trec_eval ranks equal scores by id ASCENDING here, unlike
 * everywhere else).  Everything, also *out, lives in `arena`.  Contradictions within a
 * group are ASSAY_EINPUT. */
ASSAY_MUST_USE assay_status assay_prefs_build(const assay_slice *doc, uint32_t n_ranked,
                                              const assay_pref *pref, uint32_t n_prefs,
                                              assay_arena *arena, const assay_prefs **out,
                                              assay_error *err);

#endif
