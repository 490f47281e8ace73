/* SPDX-License-Identifier: Apache-2.0 */
/* Judgment groups: one ranking seen with the judgments of each of several users. */
#ifndef ASSAY_METRIC_GROUPS_H
#define ASSAY_METRIC_GROUPS_H

#include "base/arena.h"
#include "metric/metric.h"

typedef struct assay_group_judgment {
    assay_slice group; /* TREC's second field */
    assay_slice doc;
    int32_t grade; /* negative: pooled, not judged */
} assay_group_judgment;

struct assay_groups {
    const assay_judged *view; /* by id of the group; grade, rel_pos, found_pos, counts */
    uint32_t n;
};

typedef struct assay_groups_options {
    int32_t threshold; /* lowest grade that is relevant */
    bool judged_only;  /* drop what the group did not judge before ranking */
} assay_groups_options;

/* Split one query's judgments by group and lay each over the ranking.  `doc` are the ids
 * of the ranking, best first, without repeats.  Everything, also *out, lives in `arena`.
 * A document judged twice by one group is ASSAY_EINPUT. */
ASSAY_MUST_USE assay_status assay_groups_build(
    const assay_slice *doc, uint32_t n_ranked, const assay_group_judgment *judgment,
    uint32_t n_judgments, const assay_groups_options *options, assay_arena *arena,
    const assay_groups **out, assay_error *err);

#endif
