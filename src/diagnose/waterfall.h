/* SPDX-License-Identifier: Apache-2.0 */
/* Where queries are lost on the way from the documents to the answer: every query falls at
 * exactly one step, so that the counts of a run add up.
 *
 *     documents ─> anchors ─> chunks ─> candidates ─> fusion ─> top k ─> context ─> answer
 */
#ifndef ASSAY_DIAGNOSE_WATERFALL_H
#define ASSAY_DIAGNOSE_WATERFALL_H

#include "compare/comparison.h"

/* In the order of the pipeline.  Each query falls once: at the first step that applies; a
 * refusal is looked for before what an answer cites and says. */
typedef enum assay_fall {
    ASSAY_FALL_UNASKED,   /* the run has no result for it */
    ASSAY_FALL_FAILED,    /* the run has an error */
    ASSAY_FALL_NO_DOC,    /* not in the corpus */
    ASSAY_FALL_NO_ANCHOR, /* the document is there, the evidence is not */
    ASSAY_FALL_SPLIT,     /* hits hold parts of the evidence, together less than half */
    ASSAY_FALL_NOT_FOUND, /* not among the candidates at full depth */
    ASSAY_FALL_FUSION,    /* a leg had it within k, the fused list has not */
    ASSAY_FALL_BELOW_K,   /* among the candidates, below k */
    ASSAY_FALL_CONTEXT,   /* within k, but not among the hits that the answer rests on */
    ASSAY_FALL_NOT_CITED, /* answered, and cites none of the evidence */
    ASSAY_FALL_WRONG,     /* cites it, and does not say what it must */
    ASSAY_FALL_REFUSED,   /* refused although the evidence was there */
    ASSAY_FALL_SPOKE,     /* answered where it should have refused */
    ASSAY_FALL_NONE,      /* came through */
    ASSAY_FALL_UNJUDGED,  /* nobody can say: not counted */
    ASSAY_N_FALLS
} assay_fall;

/* "not among the candidates" and the like, for people; and as a key for machines. */
const char *assay_fall_words(assay_fall fall);
const char *assay_fall_key(assay_fall fall);

typedef struct assay_fall_rules {
    uint32_t k;       /* hits that count as retrieved; 0 = the comparison's depth */
    uint32_t context; /* hits that answers rest on; 0 = k */
    /* Whether a document is in the corpus; null = no corpus is at hand. */
    bool (*has_doc)(void *ctx, assay_slice doc);
    void *ctx;
} assay_fall_rules;

/* Where the queries of one side fell. */
typedef struct assay_waterfall {
    assay_fall *fall; /* by place in the core */
    uint32_t n_fall[ASSAY_N_FALLS];
    uint32_t n; /* counted: all but the unjudged ones */
    uint32_t k;
    uint32_t context;
    bool has_answers; /* the steps behind the context were looked at */
} assay_waterfall;

/* The measures that the comparison must have where its runs have answers. */
#define ASSAY_FALL_MEASURES \
    "citation_recall,groundedness,answer_f1,refusal_correctness,over_refusal_rate"

/* `c` keeps its rankings (comparing.h).  fall[] lives in `arena`. */
ASSAY_MUST_USE assay_status assay_waterfall_make(const assay_comparison *c, uint32_t side,
                                                 const assay_fall_rules *rules,
                                                 assay_arena *arena, assay_waterfall *out,
                                                 assay_error *err);

#endif
