/* SPDX-License-Identifier: Apache-2.0 */
/* The socket for metrics (m_*.c, listed in metric_roster.h).
 *
 * A metric sees one query at a time, as an assay_judged: the ranking with the golden set
 * laid over it, prepared once and shared by all metrics.  It gets all cutoffs asked for,
 * ascending.  It cannot fail, allocate or print.  Averaging, missing queries, storing and
 * printing are not its business.
 *
 * Speed: a ranking of 1,000 hits has a handful of judged ones.  Walk rel_pos[] or
 * pool_pos[], not all positions, wherever the formula allows it. */
#ifndef ASSAY_METRIC_METRIC_H
#define ASSAY_METRIC_METRIC_H

#include <math.h>
#include <stdbool.h>

#include "assay.h"
#include "base/dict.h"
#include "golden/golden.h"
#include "run/run.h"

/* Grades that are no grades.  A golden set's own negative grades (pooled, not judged)
 * are handed to metrics as ASSAY_POOLED. */
#define ASSAY_POOLED   (-1)            /* in the pool, nobody judged it */
#define ASSAY_UNPOOLED (INT32_MIN)     /* not in the golden set at all */
#define ASSAY_REPEATED (INT32_MIN + 1) /* a further chunk of a document seen above */

/* "All of the ranking" as a cutoff. */
#define ASSAY_NO_CUTOFF UINT32_MAX

/* A value that does not exist for this query: not in n, never printed as a number. */
#define ASSAY_ABSENT ((double)NAN)

/* Grades of each judged document for each subtopic (diversity metrics). */
typedef struct assay_subtopics {
    uint32_t n;      /* subtopics that the query's judgments name */
    uint32_t n_docs; /* judged documents, one row each, ids in byte order */
    const int32_t
        *grade; /* n_docs rows of n; ASSAY_UNPOOLED where there is no judgment */
} assay_subtopics;

/* What a preference metric needs; metric/prefs.h. */
typedef struct assay_prefs assay_prefs;

/* Judgment groups: the ranking seen with each group's judgments; metric/groups.h. */
typedef struct assay_groups assay_groups;

/* The answer with everything looked up that needs looking up; metric/answered.h. */
typedef struct assay_answered assay_answered;

/* One query's ranking with the golden set laid over it: all that a metric may see.
 * Positions are 0-based, ascending in every list. */
typedef struct assay_judged {
    /* the ranking */
    const int32_t *grade;    /* by position; a grade >= 0 or one of the three above */
    uint32_t n_ranked;       /* length of grade[] */
    const uint32_t *rel_pos; /* positions of the relevant hits */
    uint32_t n_rel_pos;
    const uint32_t
        *pool_pos; /* positions of the hits in the pool (grade >= ASSAY_POOLED) */
    uint32_t n_pool_pos;
    const uint32_t
        *judged; /* by position: row in subtopics, or ASSAY_NONE; may be null */

    /* What was found, for recall, ndcg and the like: things with a grade >= threshold,
     * ascending by cover_pos.  At the levels chunk and doc these are the relevant hits,
     * and found_pos == cover_pos == rel_pos.  At the level of evidence they are the
     * anchors that the hits so far cover, and found_pos[j] = max(cover_pos[j],
     * found_pos[j - 1] + 1), highest grade first among those covered at once: one anchor
     * a position, so it may run past n_ranked (never past n_ranked + n_found - 1) and is
     * no index into grade[]. */
    const uint32_t *found_pos;
    const int32_t *found_grade;
    uint32_t n_found;
    const uint32_t *cover_pos; /* first position at which found item i is covered */

    /* the golden set's side */
    const int32_t *ideal; /* grades >= 0 of all judged things, highest first */
    uint32_t n_ideal;
    uint32_t n_relevant;   /* of them with a grade >= threshold */
    uint32_t n_nonrel;     /* of them with a grade below it */
    uint32_t n_pooled;     /* judgments without a grade (negative ones) */
    int32_t threshold;     /* lowest grade that counts as relevant, from 1 by default */
    int32_t max_grade;     /* of the whole golden set, at least 1 */
    uint64_t n_collection; /* documents in the collection (trec_eval -N), 0 = unknown */
    bool is_trec9;         /* trec_eval 9's rounding in iprec_at_recall and 11pt_avg */
    bool is_evidence;      /* found_* are anchors, not hits: ndcg and the like use them */

    /* log2_rank[i] = log2(i + 2) for i below max(n_ranked, n_ideal) and for every
     * found_pos */
    const double *log2_rank;

    /* room for n_ranked + n_ideal + 2 doubles, and with subtopics for 2 * subtopics->n +
     * subtopics->n_docs more; to be overwritten */
    double *scratch;

    /* for metrics that need more; null where there is none, see .needs */
    const assay_subtopics *subtopics;
    const assay_prefs *prefs;
    const assay_groups *groups;
    const assay_answered *answered;
    const assay_query *query;   /* null in trec_eval's own path */
    const assay_result *result; /* null there, and when the run lacks the query */

    /* evidence in bytes, for the evidence_* metrics: by number of hits kept */
    const uint64_t
        *evidence_covered; /* [i]: bytes of evidence that the first i+1 hits hold */
    const uint64_t
        *bytes_retrieved; /* [i]: bytes that the first i+1 hits hold, as a union */
    uint64_t evidence_bytes;
} assay_judged;

/* ---- parameters ---- */

typedef enum assay_metric_param_type {
    ASSAY_METRIC_PARAM_INT,
    ASSAY_METRIC_PARAM_REAL,
    ASSAY_METRIC_PARAM_BOOL,
    ASSAY_METRIC_PARAM_CHOICE, /* one word of .choices */
    ASSAY_METRIC_PARAM_GAINS,  /* {grade: gain, ...} */
    ASSAY_METRIC_PARAM_REALS   /* several numbers (trec_eval's utility) */
} assay_metric_param_type;

enum { ASSAY_PARAMS_MOST = 4 };

typedef struct assay_metric_param {
    const char *name;
    assay_metric_param_type type;
    const char *choices; /* "log2,exp-log2"; the first is the default */
    double standard;     /* default of INT, REAL, BOOL; NaN = not set, spelled "none" */
    bool is_required;
    const char *summary;
    double least; /* INT, REAL: what is allowed, where most > least */
    double most;
    const char *reals; /* REALS: the default, "1,-1,0,0"; null = empty */
} assay_metric_param;

typedef struct assay_gain {
    int32_t grade;
    double gain;
} assay_gain;

/* The value of one parameter. */
typedef struct assay_value {
    bool is_set;            /* given, and not equal to the default */
    double number;          /* INT, REAL, BOOL; CHOICE: index in .choices; else unused */
    const assay_gain *gain; /* GAINS, ascending by grade */
    uint32_t n_gains;
    const double *real; /* REALS */
    uint32_t n_reals;
} assay_value;

/* What eval gets beside the query. */
typedef struct assay_args {
    const uint32_t *k; /* cutoffs, ascending, n of them; ASSAY_NO_CUTOFF = whole list */
    const double *x;   /* the same where `@` is a real number (recall points) */
    size_t n;          /* >= 1; eval writes out[0..n) */
    const assay_value *value; /* by the metric's own .param */
} assay_args;

/* ---- descriptors ---- */

/* What `@` means for a metric. */
typedef enum assay_at {
    ASSAY_AT_NEVER,
    ASSAY_AT_OPTIONAL, /* a cutoff; without it the whole list */
    ASSAY_AT_REQUIRED, /* a cutoff */
    ASSAY_AT_REAL      /* a real number (recall point, share) */
} assay_at;

enum {                         /* .needs */
       ASSAY_NEEDS_GRADES = 1, /* judgments at the level: only labelled queries count */
       ASSAY_NEEDS_SUBTOPICS = 2,
       ASSAY_NEEDS_PREFS = 4,
       ASSAY_NEEDS_GROUPS = 8,
       ASSAY_NEEDS_ANSWER = 16, /* q->answered; decides itself who counts: ASSAY_ABSENT */
       ASSAY_NEEDS_TIME = 32,   /* q->result->elapsed_ms and the answer's figures */
       ASSAY_NEEDS_SPANS = 64   /* the evidence_* byte counts */
};

enum { /* .takes: parameters that change the view */
       ASSAY_TAKES_REL = 1,
       ASSAY_TAKES_JUDGED_ONLY = 2,
       ASSAY_TAKES_LEVEL = 4
};

typedef struct assay_metric {
    const char *name;    /* canonical: "ndcg" */
    const char *summary; /* one line, lower case, no stop */
    const char *formula; /* plain text, one or two lines */
    const char *source;  /* paper or program it comes from */
    const char *aliases; /* other spellings, comma separated: "nDCG,NDCG"; null = none */
    unsigned needs;      /* 0 = only the ranking, every query counts */
    unsigned takes;
    assay_at at;
    assay_aggregate aggregate;
    bool is_lower_better;
    bool has_no_direction;           /* counts: more is neither better nor worse */
    assay_level level;               /* fixed (recall_at_k_doc), else ASSAY_LEVEL_AUTO */
    const assay_metric_param *param; /* ends with a null name; null = none */

    /* What is wrong with these values taken together ("max_rel must be above min_rel"),
     * or null; no function = nothing can be. */
    const char *(*check)(const assay_value *value);

    void (*eval)(const assay_judged *q, const assay_args *args, double *out);
} assay_metric;

/* In roster order; null past the end. */
const assay_metric *assay_metric_at(size_t i);

/* By canonical name only; null when there is none. */
const assay_metric *assay_metric_find(assay_slice name);

/* A metric with its parameters: what a user asked for. */
typedef struct assay_measure {
    const assay_metric *metric;
    assay_level level; /* AUTO unless said */
    int32_t rel;       /* relevance threshold; 1 unless said */
    bool has_rel;      /* said */
    bool judged_only;
    bool has_at;
    double at; /* cutoff or real */
    assay_value value[ASSAY_PARAMS_MOST];
    const char *name; /* short spelling, in the arena of the parse */
    const char *full; /* every parameter named: the key in stores */
} assay_measure;

/* Parse one measure in any accepted spelling: canonical `name(param=value,...)@k`,
 * ir_measures' notation, trec_eval's names (`ndcg_cut_10`, `P.5,10` gives two), the field
 * names of kebab, bob and evalvault (metric/spelling.c).  Appends to *measures (grown
 * with assay_mem_grow, freed by the caller with assay_mem_free); strings live in `arena`. */
typedef struct assay_measures {
    assay_measure *item;
    size_t n;
    size_t cap;
} assay_measures;

ASSAY_MUST_USE assay_status assay_measure_parse(assay_slice spelling,
                                                assay_measures *measures,
                                                assay_arena *arena, assay_error *err);

/* The same for a list, separated by commas or white space; those inside parentheses,
 * braces, brackets and quotes separate nothing, and a comma before a digit goes on with
 * trec_eval's parameters (`P.5,10`).  On failure *measures is as it was. */
ASSAY_MUST_USE assay_status assay_measure_parse_list(assay_slice list,
                                                     assay_measures *measures,
                                                     assay_arena *arena,
                                                     assay_error *err);

/* The full spelling of `measure` taken at `level`; null when there is no memory.  (The one
 * in measure->full says level=auto where the user said nothing.) */
const char *assay_measure_full(const assay_measure *measure, assay_level level,
                               assay_arena *arena);

/* Same metric, same parameters, same cutoff. */
bool assay_measure_equal(const assay_measure *a, const assay_measure *b);

void assay_measures_clear(assay_measures *measures);

#endif
