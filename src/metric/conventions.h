/* SPDX-License-Identifier: Apache-2.0 */
/* The conventions of the systems that assay stands in for, as one table.
 *
 * Every place where two evaluators would give different numbers for the same run is a
 * member here, so that a choice is made by switching the row and never by a branch on a
 * name.  docs/SEMANTICS.md shows the same table. */
#ifndef ASSAY_METRIC_CONVENTIONS_H
#define ASSAY_METRIC_CONVENTIONS_H

#include <stdbool.h>

#include "assay.h"
#include "metric/metric.h"

/* What decides the order of a query's hits. */
typedef enum assay_hit_order {
    ASSAY_BY_SCORE, /* score; without scores rank; without ranks as listed */
    ASSAY_BY_RANK,  /* the stored rank; without ranks as listed */
    ASSAY_BY_LIST
} assay_hit_order;

/* What a query is worth for which nothing relevant is known. */
typedef enum assay_empty_rule {
    ASSAY_EMPTY_ABSENT,    /* no score, not in n */
    ASSAY_EMPTY_ZERO,      /* 0, in the mean */
    ASSAY_EMPTY_RECALL_ONE /* recall 1, everything else 0, all in the mean */
} assay_empty_rule;

/* What an aggregate over no query at all is. */
typedef enum assay_zero_rule {
    ASSAY_ZERO_ABSENT,
    ASSAY_ZERO_ZERO,
    ASSAY_ZERO_KEBAB /* absent for citation_coverage and refusal_correctness, else 0 */
} assay_zero_rule;

typedef enum assay_repeat_rule {
    ASSAY_REPEAT_DROP,  /* the first stays, ranks close up */
    ASSAY_REPEAT_KEEP,  /* rows are counted as they are */
    ASSAY_REPEAT_ONCE,  /* an id counts once and later ones keep their ranks */
    ASSAY_REPEAT_REFUSE /* an error */
} assay_repeat_rule;

/* A limit below which a person is warned. */
typedef struct assay_alarm {
    const char *measure; /* canonical spelling */
    double below;
} assay_alarm;

enum { ASSAY_ALARMS_MOST = 4 };

typedef struct assay_conventions {
    const char *name;
    const char *summary;
    const char *measures;        /* what is measured when nothing is asked for */
    const char *span_measures;   /* added at the level of evidence */
    const char *answer_measures; /* added when the run has answers */
    uint32_t mrr_depth;          /* of `mrr` without a cutoff; 0 = whole list */
    assay_hit_order order;
    assay_level level;        /* AUTO = the finest that fits */
    assay_level recall_level; /* of recall, where it differs */
    assay_empty_rule empty;
    assay_zero_rule zero;
    assay_repeat_rule repeats;
    bool missing_is_absent; /* a query that the run lacks has no score, instead of 0 */
    bool failed_keeps_hits; /* hits of a failed query count */
    bool precision_over_returned; /* precision divides by min(k, hits), not by k */
    bool refused_is_ungrounded;
    bool no_docs_should_refuse;
    bool grounds_should_refuse;
    bool strings_are_bytes;
    bool path_resolves;
    bool rounds;     /* aggregates, half away from zero at 4 decimals */
    bool has_spread; /* printed with the standard deviation */
    double pass_mrr; /* a query passes from this MRR on; 0 = no such rule */
    assay_alarm alarm[ASSAY_ALARMS_MOST]; /* ends with a null name */
} assay_conventions;

/* Null past the end; the first is the default. */
const assay_conventions *assay_conventions_at(size_t i);
const assay_conventions *assay_conventions_find(assay_slice name);

/* The rules as `rule` and `value` words, for people; false past the end. */
typedef struct assay_rule {
    const char *rule;
    const char *value;
} assay_rule;
bool assay_conventions_rule(const assay_conventions *c, size_t i, assay_rule *out);

/* Words for enums, as the command line spells them. */
const char *assay_level_word(assay_level level);
bool assay_level_find(const char *word, assay_level *out);

#endif
