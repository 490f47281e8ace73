/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs or more, side by side: what they may be compared on, how a hit is recognised in
 * both, and what became of each query.
 *
 *     sides ──> core (core.c) ──> how to match (match.c) ──> [both measured: pipeline]
 *           ──> findings (found.c) ──> kinds and notes (classify.c), answers (answer_change.c)
 *           ──> deltas with their statistics (delta.c) ──> verdict (verdict.c)
 *
 * The first side is the older run, or the baseline; the others are held against it.
 * Nothing here opens a file or a store; pipeline/comparing.h puts the parts together. */
#ifndef ASSAY_COMPARE_COMPARE_H
#define ASSAY_COMPARE_COMPARE_H

#include "base/notes.h"
#include "golden/golden.h"
#include "metric/conventions.h"
#include "metric/evidence.h"
#include "run/ranked.h"
#include "run/run.h"
#include "run/snapshot.h"
#include "score/score.h"

/* ---- sides ---- */

/* One run.  Everything is borrowed and must outlive the comparison. */
typedef struct assay_compare_side {
    const char *name;    /* run id, or what the file is called; different for each side */
    const char *when;    /* created at, "" = unknown */
    const char *caption; /* "baseline 'main'" and the like, "" = none */
    const assay_run *run;
    const assay_golden *golden;     /* that it is measured with */
    const assay_golden *planned;    /* that it was made with; null = `golden` */
    const assay_snapshot *snapshot; /* how it was made; null = not known */
    const char *called; /* in reasons for leaving a query out; null = "run a" and so on */
} assay_compare_side;

/* What people call the i-th side in notes: "a", "b", "c" ... */
const char *assay_side_letter(uint32_t i);

/* ---- the comparable core ---- */

typedef struct assay_excluded {
    assay_slice id;
    const char *why;
} assay_excluded;

/* Queries that all runs set out to answer under the same judgments. */
typedef struct assay_core {
    assay_slice *id; /* in byte order */
    uint32_t n;
    uint32_t **query; /* by side and place in id[]: index in the side's golden set */
    assay_excluded *excluded; /* ids in byte order */
    uint32_t n_excluded;
} assay_core;

/* Everything lives in `arena`.  An empty core is ASSAY_EINPUT with the reason: the runs
 * are incomparable. */
ASSAY_MUST_USE assay_status assay_core_make(const assay_compare_side *side, uint32_t n,
                                            assay_arena *arena, assay_core *out,
                                            assay_error *err);

/* ---- how a hit is recognised ---- */

typedef enum assay_match {
    ASSAY_MATCH_EXACT, /* one chunker: ids are compared, or evidence where there are none */
    ASSAY_MATCH_SPANS, /* fallback_doc_span: a hit counts that finds the evidence */
    ASSAY_MATCH_DOCS   /* fallback_doc: document ids only */
} assay_match;

/* "exact", "fallback_doc_span", "fallback_doc". */
const char *assay_match_word(assay_match match);

typedef struct assay_matching {
    assay_match match;
    assay_level level; /* at which everything is taken; AUTO = as an evaluation would */
    const char *why;   /* not exact because ...; "" = exact */
} assay_matching;

/* Choose, over the core.  Where `is_strict`, what would fall back is ASSAY_EINPUT. */
ASSAY_MUST_USE assay_status assay_match_choose(const assay_compare_side *side, uint32_t n,
                                               const assay_core *core, bool is_strict,
                                               assay_matching *out, assay_error *err);

/* ---- what else differs ---- */

typedef struct assay_difference {
    const char *what; /* "chunker", "embedder", "golden" ... */
    assay_slice a;    /* "" = not known */
    assay_slice b;
} assay_difference;

/* What the snapshots of two sides say differently.  False: no memory. */
bool assay_differences(const assay_compare_side *a, const assay_compare_side *b,
                       assay_arena *arena, assay_difference **out, uint32_t *n);

/* ---- findings ---- */

enum { ASSAY_FOUND_TOP = 3 };

/* What one run found for one query. */
typedef struct assay_found {
    uint32_t first; /* rank of the first hit that is recognised, at any depth; 0 = none */
    uint32_t *rank; /* by judgment of the query: where it was found first, 0 = nowhere;
                       null = nothing was */
    uint32_t n_hits;
    bool is_missing; /* not in the run */
    bool is_failed;
    bool is_judged;                   /* something relevant is known at the level */
    assay_slice error;                /* of a failed one */
    assay_slice top[ASSAY_FOUND_TOP]; /* ids of the first hits ... */
    assay_slice
        top_doc[ASSAY_FOUND_TOP]; /* ... their documents where the ids are chunks' */
    assay_slice
        top_text[ASSAY_FOUND_TOP]; /* ... and their texts, borrowed from the run */
    uint32_t n_top;
    uint32_t
        *order; /* by position: index of the hit in the run's result; null unless asked
                        for */
} assay_found;

/* A ranking in order, as an evaluation makes it. */
typedef struct assay_ranking {
    const assay_golden *golden;
    const assay_query *query;
    const assay_result *result; /* its hit[] may be null: then ids are in ranked[] */
    const assay_ranked *ranked;
    uint32_t n;
    assay_level level;
    bool docs_without_chunks; /* kebab: without expected chunks, documents decide */
    bool keeps_order;         /* fill order[] too */
} assay_ranking;

/* Fill first, rank, is_judged and top; strings are copied into `arena`, `room` is scratch
 * space.  False: no memory. */
bool assay_found_make(const assay_ranking *ranking, assay_arena *arena, assay_arena *room,
                      assay_found *out);

/* `found` is of query `from`; put its ranks into the order of `to`, which says the same in
 * another golden set.  False: no memory. */
bool assay_found_align(const assay_golden *golden_from, const assay_query *from,
                       const assay_golden *golden_to, const assay_query *to,
                       assay_arena *arena, assay_found *found);

/* ---- kinds ---- */

typedef enum assay_kind {
    ASSAY_KIND_DRAW,
    ASSAY_KIND_WIN,
    ASSAY_KIND_LOSS,
    ASSAY_KIND_REGRESSION
} assay_kind;

enum { ASSAY_N_KINDS = ASSAY_KIND_REGRESSION + 1 };

const char *assay_kind_word(assay_kind kind);

/* What became of one answer. */
typedef struct assay_answer_change {
    bool has_a; /* there was an answer, and no error with it */
    bool has_b;
    bool is_text_changed; /* both have one, and the words differ */
    bool refused_a;
    bool refused_b;
    bool should_refuse;
    assay_flag grounded_a; /* must_contain, any_of and forbidden; UNKNOWN = not asked */
    assay_flag grounded_b;
    assay_slice *lost; /* citations of a that b has not, in byte order */
    uint32_t n_lost;
    assay_slice *gained;
    uint32_t n_gained;
} assay_answer_change;

/* Whether anything about it is worth a line. */
bool assay_answer_has_changed(const assay_answer_change *change);

/* What became of one query. */
typedef struct assay_query_change {
    assay_slice id;
    assay_slice text;
    assay_kind kind;
    uint32_t rank_a; /* within the depth, 0 = none */
    uint32_t rank_b;
    const char *note; /* "" = none */
    assay_slice
        *lost; /* judgments that a found within the depth and b did not, by name */
    uint32_t n_lost;
    assay_slice *found; /* and the other way round */
    uint32_t n_found;
    const assay_answer_change *answer; /* null = neither run answered */
} assay_query_change;

/* How to classify; the rules are docs/SEMANTICS.md's. */
typedef struct assay_classify_rules {
    uint32_t depth;    /* ranks beyond it are none; 0 = no limit */
    bool is_plain;     /* kebab: its notes and nothing else */
    assay_level level; /* judgments are named by what is counted there */
    const char *a;     /* what the sides are called in notes */
    const char *b;
} assay_classify_rules;

/* `query` is of b's golden set; its judgments are a's as well.  Fills all of *out but
 * `answer`.  False: no memory. */
bool assay_classify(const assay_golden *golden, const assay_query *query,
                    const assay_found *a, const assay_found *b,
                    const assay_classify_rules *rules, assay_arena *arena,
                    assay_query_change *out);

/* The name of a judgment at a level: chunk id, document, or document and bytes. */
bool assay_judgment_name(const assay_golden *golden, const assay_judgment *j,
                         assay_level level, assay_arena *arena, assay_slice *out);

/* Two answers to be held against each other. */
typedef struct assay_answer_pair {
    const assay_query *query;
    const assay_result *a; /* null = not in the run */
    const assay_result *b;
    const assay_conventions *conventions;
    bool by_docs; /* chunks are not the same in both: citations count by document */
} assay_answer_pair;

/* *out is null where neither has one.  False: no memory. */
bool assay_answers_compare(const assay_answer_pair *pair, assay_arena *arena,
                           const assay_answer_change **out);

/* Counts over all answers of a pair. */
typedef struct assay_answer_counts {
    uint32_t n_both;       /* queries that both answered */
    uint32_t n_text;       /* of them with other words */
    uint32_t n_refused;    /* answered in a, refused in b */
    uint32_t n_spoke;      /* refused in a, answered in b */
    uint32_t n_ungrounded; /* grounded in a, not in b */
    uint32_t n_grounded;
    uint32_t n_lost; /* citations */
    uint32_t n_gained;
} assay_answer_counts;

#endif
