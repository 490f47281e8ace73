/* SPDX-License-Identifier: Apache-2.0 */
/* The answer to one query with everything looked up that needs looking up, so that the
 * metrics of answers only divide.
 *
 * assay_known is what exists, as far as the run and the golden set tell: made once, read
 * by all threads.  assay_answering is one worker's scratch space. */
#ifndef ASSAY_METRIC_ANSWERED_H
#define ASSAY_METRIC_ANSWERED_H

#include "base/buffer.h"
#include "base/dict.h"
#include "metric/evidence.h"
#include "metric/metric.h"

/* ---- what exists ---- */

typedef struct assay_known_chunk {
    uint32_t doc;           /* number in docs, or ASSAY_NONE */
    const assay_span *span; /* borrowed from the hit; null = not said */
    uint32_t n_spans;
} assay_known_chunk;

typedef struct assay_known_doc {
    assay_span *span; /* places that are known; a union after assay_known_finish */
    size_t n_spans;
    size_t cap;
    bool is_open;  /* some hit in it does not say where: any place may exist */
    bool is_whole; /* its whole length is known: nothing else exists */
} assay_known_doc;

/* Zeroed is empty and ready.  Ids and the spans of hits are borrowed.  Only needed for
 * runs that have answers. */
typedef struct assay_known {
    assay_dict chunks;
    assay_known_chunk *chunk; /* by number in chunks */
    size_t cap_chunks;
    assay_dict docs;
    assay_known_doc *doc; /* by number in docs */
    size_t cap_docs;
} assay_known;

/* Each returns false when there is no memory. */
bool assay_known_add_hits(assay_known *known, const assay_hit *hit, size_t n);

/* Every document, span and chunk that a judgment names, and the documents that came
 * along. */
bool assay_known_add_golden(assay_known *known, const assay_golden *golden);

/* A document, and places in it where n > 0. */
bool assay_known_add_doc(assay_known *known, assay_slice doc, const assay_span *span,
                         size_t n);

/* A whole document, of which no place beyond `bytes` exists. */
bool assay_known_add_whole(assay_known *known, assay_slice doc, uint64_t bytes);

/* What a corpus knows of the things cited. */
bool assay_known_add_cited(assay_known *known, const assay_cited *cited);

/* Once, after the last add and before the first look. */
void assay_known_finish(assay_known *known);
void assay_known_clear(assay_known *known);

/* ---- rules ---- */

/* Where conventions differ (docs/SEMANTICS.md).  Zeroed: assay's own. */
typedef struct assay_answer_rules {
    bool refused_is_ungrounded; /* kebab: refused means grounded == false, nothing else */
    bool no_docs_should_refuse; /* kebab: no judgment names a document = should refuse */
    bool strings_are_bytes;     /* kebab: must_contain as exact bytes, nothing folded */
    bool grounds_should_refuse; /* kebab: groundedness counts should_refuse too */
    bool path_resolves; /* kebab: a citation resolves when its path is not empty */
} assay_answer_rules;

/* ---- the view ---- */

struct assay_answered {
    bool has_answer; /* an answer came, and no error with it; else nothing below counts */
    bool should_refuse;
    bool is_answerable; /* something relevant is known, or what the answer must say */
    bool has_refused;
    bool is_grounded; /* not refused, and the system says so or says nothing about it */

    bool has_strings;     /* must_contain, any_of or forbidden are there and count */
    uint32_t n_missing;   /* strings of must_contain and groups of any_of not found */
    uint32_t n_forbidden; /* forbidden strings found */

    bool has_expected; /* there is an expected_answer */
    bool is_exact;     /* the answer equals it, folded, citation markers left out */
    double f1;         /* of the words of both */

    uint32_t n_citations; /* as listed */
    uint32_t n_resolved;  /* of them: what they point at exists */

    bool has_relevant; /* the query has something relevant at the level */
    uint32_t n_cited;  /* different things cited; what resolves to nothing counts too */
    uint32_t n_cited_relevant;
    uint32_t n_relevant;
    uint32_t n_relevant_cited;
};

/* Whether to answer at all is a decision, and it was right or wrong. */
typedef enum assay_decision {
    ASSAY_DECISION_NONE, /* nobody knows whether the query can be answered */
    ASSAY_DECISION_REFUSAL_RIGHT,
    ASSAY_DECISION_REFUSAL_WRONG,
    ASSAY_DECISION_ANSWERED_RIGHT,
    ASSAY_DECISION_ANSWERED_WRONG,
    ASSAY_DECISION_MISSING /* it was not taken: there is no answer, or an error */
} assay_decision;

assay_decision assay_answered_decision(const assay_answered *a);

/* Add the query to the table. */
void assay_answered_count(const assay_answered *a, assay_refusals *table);

/* What the builder reads; all borrowed. */
typedef struct assay_answer_view {
    const assay_query *query;
    const assay_result *result; /* null: the run lacks the query */
    const assay_known *known;
    assay_answer_rules rules;
    assay_level level;            /* of citation_precision and citation_recall */
    int32_t threshold;            /* lowest relevant grade */
    const assay_anchors *anchors; /* level evidence, else null */
    const assay_grades *grades;   /* levels chunk and doc, else null */
} assay_answer_view;

/* Zeroed is ready. */
typedef struct assay_answering {
    assay_arena room; /* folded text and lists; used again for the next query */
} assay_answering;

/* How things are looked up:
 *
 * A citation resolves by its chunk id; or by its document (doc, else path), of which at
 * least half of the cited bytes are known, or any place if it cites none in bytes; or,
 * when it has neither, by the number in its marker ([3], [#3]): the hit of that rank.
 *
 * The things cited are, at the level of evidence, spans: the citation's own, else those
 * of the chunk; one is relevant when it finds a relevant anchor, and an anchor is cited
 * when some citation finds it.  At the level chunk they are chunk ids; a citation by
 * document and span stands for the query's first hit that it finds.  At the level doc
 * they are doc ids.  The same thing cited twice is one thing.
 *
 * The answer equals the expected one when both are the same folded text, citation
 * markers and a final stop left out; f1 is of their words, each as often as it stands
 * there, markers left out. */
/* False: no memory. */
bool assay_answered_build(assay_answering *answering, const assay_answer_view *view,
                          assay_answered *out);

void assay_answering_clear(assay_answering *answering);

#endif
