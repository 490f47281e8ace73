/* SPDX-License-Identifier: Apache-2.0 */
/* The view at the level of evidence: anchors laid over a ranking, in bytes.
 *
 * An anchor is evidence: a union of spans in one document, with a grade.  A hit is the
 * union of its spans.
 *
 *     finds    a hit and an anchor in one document share at least half of the bytes of
 *              the shorter one; to touch is not to share
 *     covered  an anchor is, at the first position at which the hits so far together
 *              hold at least half of its bytes
 *
 * assay_anchors is one query's evidence, made once and read by all threads.
 * assay_evidence is one worker's scratch space, used for query after query. */
#ifndef ASSAY_METRIC_EVIDENCE_H
#define ASSAY_METRIC_EVIDENCE_H

#include "base/arena.h"
#include "metric/judge.h"
#include "metric/metric.h"

/* ---- the golden set's side ---- */

typedef struct assay_anchor {
    assay_slice doc;
    const assay_span *span; /* a union as assay_span_union makes it */
    uint32_t n_spans;       /* >= 1 */
    int32_t grade;          /* >= 0, or ASSAY_POOLED */
    uint64_t bytes;         /* in the union, > 0 */
} assay_anchor;

/* Zeroed: no evidence. */
typedef struct assay_anchors {
    const assay_anchor
        *item; /* by document, bytes ascending, then by place; all different */
    uint32_t n;
    const int32_t *ideal; /* grades >= 0, highest first */
    uint32_t n_ideal;
    uint32_t n_pooled;
} assay_anchors;

/* Put in order.  Of each item `doc`, `span`, `n_spans` and `grade` are read; spans may
 * stand in any order and overlap, and are copied into `arena`; ids are not.  Items
 * without a document or without a byte are left out; items with the same bytes of one
 * document become one, with the highest grade; negative grades become ASSAY_POOLED.
 * False: no memory. */
bool assay_anchors_build(assay_anchors *out, assay_arena *arena, const assay_anchor *item,
                         uint32_t n);

/* The same from the query's judgments that have a document and a resolved span. */
bool assay_anchors_of_query(assay_anchors *out, assay_arena *arena,
                            const assay_golden *golden, const assay_query *query);

/* The items of `doc`: their number, the first one's index in *first. */
uint32_t assay_anchors_in(const assay_anchors *anchors, assay_slice doc, uint32_t *first);

/* Whether a union of spans in the anchor's document finds the anchor; `bytes` is what
 * assay_span_bytes says of it. */
bool assay_anchor_is_found(const assay_anchor *anchor, const assay_span *span, size_t n,
                           uint64_t bytes);

/* ---- the run's side ---- */

/* Zeroed is ready. */
typedef struct assay_evidence {
    assay_arena room;  /* the view's arrays; used again for the next query */
    double *log2_rank; /* log2_rank[i] = log2(i + 2) */
    size_t n_log2;     /* filled entries */
} assay_evidence;

/* Fill `out`; what the ranking and the evidence do not decide (n_collection, prefs, query
 * ...) is zero or null.  ranked[0..n) is the order, without duplicates; its .index points
 * into hit[]; a null `ranked` means hit[0..n) as it stands.  A hit without spans keeps its
 * rank and holds nothing.
 *
 * grade[] has the highest grade of the anchors that a hit finds by itself, so a hit that
 * finds only anchors of grade 0 has 0, and one that finds none ASSAY_UNPOOLED.  With
 * look->judged_only hits without a grade are dropped before anything is counted.
 * look->mark_repeats says nothing here.
 *
 * evidence_bytes and evidence_covered[] are of the union of all relevant anchors: a byte
 * of two anchors is one byte.
 *
 * out's arrays belong to `evidence` and hold until the next call.  False: no memory. */
bool assay_evidence_look(assay_evidence *evidence, const assay_hit *hit,
                         const assay_ranked *ranked, uint32_t n,
                         const assay_anchors *anchors, const assay_look *look,
                         assay_judged *out);

void assay_evidence_clear(assay_evidence *evidence);

#endif
