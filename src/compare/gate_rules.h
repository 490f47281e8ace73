/* SPDX-License-Identifier: Apache-2.0 */
/* What a gate asks for: rules from the command line, from assay.yaml and from a golden set.
 *
 *     threshold  recall@5>=0.6            the value itself
 *     max_drop   mrr=0.01, mrr=5%         against a baseline, as a fact
 *     protect    q1,q2 or all             none of them may go from hit to miss
 *     margin     ndcg@10=0.01             against a baseline, as far as chance allows */
#ifndef ASSAY_COMPARE_GATE_RULES_H
#define ASSAY_COMPARE_GATE_RULES_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/node.h"
#include "compare/limits.h"
#include "golden/golden.h"

#define ASSAY_GATE_MARGIN 0.01
#define ASSAY_GATE_ALPHA  0.05

typedef enum assay_gate_kind {
    ASSAY_GATE_THRESHOLD,
    ASSAY_GATE_MAX_DROP,
    ASSAY_GATE_PROTECT,
    ASSAY_GATE_MARGIN_RULE
} assay_gate_kind;

enum { ASSAY_N_GATE_KINDS = ASSAY_GATE_MARGIN_RULE + 1 };

/* "threshold", "max_drop", "protect", "margin". */
const char *assay_gate_kind_word(assay_gate_kind kind);

typedef struct assay_gate_rule {
    assay_gate_kind kind;
    const char *metric; /* short spelling, as columns of scores have it; "" of protect */
    const char *text;   /* the rule in one spelling: "recall@5 >= 0.6" */
    assay_limit_sign sign;     /* of a threshold */
    double limit;              /* of a threshold or a margin */
    assay_allowance allowance; /* of a max_drop */
    assay_slice *id;           /* protected queries, in byte order, each once */
    uint32_t n_ids;
    bool is_all;      /* all queries are protected */
    const char *path; /* of the file that has the rule; null = the command line */
    uint32_t line;    /* in that file, 0 = none */
} assay_gate_rule;

/* Zeroed is empty and ready; everything lives in `arena`, which is the caller's. */
typedef struct assay_gate_rules {
    assay_arena *arena;
    assay_gate_rule *rule;
    uint32_t n;
    size_t cap;
    double alpha; /* 0 = not said */
    bool is_strict;
    bool has_strict; /* said */
} assay_gate_rules;

/* Where a rule stands, for messages and annotations. */
typedef struct assay_gate_place {
    const char *path; /* null = the command line */
    uint32_t line;
} assay_gate_place;

/* Add what one text says, in the spellings above; lists are separated by commas.  A metric
 * that comes twice with one kind of rule: the later one stands in the place of the earlier,
 * so that flags win over files when files are read first.  Malformed is ASSAY_EUSAGE on
 * the command line and ASSAY_EINPUT in a file. */
ASSAY_MUST_USE assay_status assay_gate_rules_add(assay_gate_rules *rules,
                                                 assay_gate_kind kind, assay_slice text,
                                                 assay_gate_place place,
                                                 assay_error *err);

/* The `gate` of assay.yaml: thresholds, max_drop, margin (maps, or lists of texts), protect,
 * alpha, strict. */
ASSAY_MUST_USE assay_status assay_gate_rules_read(assay_gate_rules *rules,
                                                  const char *path,
                                                  const assay_node *gate,
                                                  assay_error *err);

/* The thresholds of a golden set: at least, or at most where less is better. */
ASSAY_MUST_USE assay_status assay_gate_rules_golden(assay_gate_rules *rules,
                                                    const assay_golden *golden,
                                                    assay_error *err);

/* Whether some rule needs a baseline. */
bool assay_gate_rules_need_baseline(const assay_gate_rules *rules);

/* Free what is not in the arena. */
void assay_gate_rules_clear(assay_gate_rules *rules);

#endif
