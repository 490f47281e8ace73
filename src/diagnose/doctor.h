/* SPDX-License-Identifier: Apache-2.0 */
/* What ails a golden set: the socket for checks (h_*.c, listed in doctor_roster.h).
 *
 * A check looks at the set, at the documents it is about and at runs that were made with
 * it, and tells what it finds with a level and a way to mend it.  Each also says what share
 * of the set is touched, which goes into the health of one part (docs/GOLDEN.md). */
#ifndef ASSAY_DIAGNOSE_DOCTOR_H
#define ASSAY_DIAGNOSE_DOCTOR_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "corpus/corpus.h"
#include "corpus/passages.h"
#include "diagnose/alike.h"
#include "golden/resolve.h"
#include "retrieve/retrieve.h"
#include "run/run.h"

typedef enum assay_ill_level {
    ASSAY_ILL_NOTE,
    ASSAY_ILL_WARNING, /* numbers may mislead */
    ASSAY_ILL_ERROR    /* numbers are wrong */
} assay_ill_level;

const char *assay_ill_word(assay_ill_level level);

typedef enum assay_health_part {
    ASSAY_HEALTH_LABELS,
    ASSAY_HEALTH_EVIDENCE,
    ASSAY_HEALTH_QUESTIONS,
    ASSAY_HEALTH_ANSWERS,
    ASSAY_HEALTH_POWER, /* whether it can tell systems apart */
    ASSAY_HEALTH_PARTS
} assay_health_part;

const char *assay_health_word(assay_health_part part);

/* Points of a part in perfect health; they add up to 100. */
uint32_t assay_health_weight(assay_health_part part);

typedef struct assay_doctor assay_doctor;

typedef struct assay_ailment {
    const char *name;
    const char *why; /* it matters, one sentence */
    const char *fix; /* what to do, one sentence */
    assay_health_part part;
    assay_status (*look)(assay_doctor *d, assay_error *err);
} assay_ailment;

/* Null past the end. */
const assay_ailment *assay_ailment_at(size_t i);

typedef struct assay_symptom {
    const assay_ailment *ailment;
    assay_ill_level level;
    uint32_t line;     /* in the golden file, 0 = none */
    assay_slice query; /* id, "" = the set as a whole */
    const char *text;
    const char *fix;      /* for this very case, or null: the ailment's */
    const char *addition; /* the line for 'assay golden add' that mends it, or null */
    size_t number;        /* in the order in which they were found */
} assay_symptom;

/* A document as checks see it. */
typedef struct assay_patient_doc {
    assay_slice id;
    assay_sketch sketch;      /* of its title and text */
    assay_hashed_words words; /* kept where is_relevant */
    bool is_title_only;
    bool is_relevant; /* some judgment says so */
} assay_patient_doc;

/* A judgment, by its place. */
typedef struct assay_mention {
    uint32_t query;
    uint32_t judgment;
} assay_mention;

/* A run that was made with the set. */
typedef struct assay_doctor_run {
    const assay_run *run;
    assay_slice name;
    assay_slice method;
} assay_doctor_run;

struct assay_doctor {
    /* in */
    const assay_golden *golden;
    const assay_resolution *resolution; /* null = no corpus */
    assay_corpus *corpus;               /* null: the passages are the documents */
    const assay_passages *passages;     /* n = 0: there are none */
    const assay_doctor_run *run;
    uint32_t n_runs;
    const assay_retriever *bm25; /* null = no passages */
    void *bm25_state;
    uint32_t k;
    /* what checks share */
    assay_arena arena;
    assay_arena scratch;    /* of one query */
    void *worker;           /* bm25's */
    assay_patient_doc *doc; /* sorted by id */
    uint32_t n_docs;
    uint32_t *passage;       /* numbers of passages, by document */
    assay_mention *mention;  /* judgments that count, by the golden set's documents */
    uint32_t *mention_start; /* by document: where its own begin; one more at the end */
    /* out */
    const assay_ailment *now; /* whose turn it is */
    assay_symptom *symptom;
    size_t n_symptoms;
    size_t cap_symptoms;
    double health[ASSAY_HEALTH_PARTS]; /* 0 to 1 */
    bool is_examined[ASSAY_HEALTH_PARTS];
    double covered;     /* share of the documents with a relevant judgment; NaN */
    uint32_t n_queries; /* that are no drafts */
    uint32_t n_labelled;
};

/* Run all checks.  The members marked "in" are set, all else zero. */
ASSAY_MUST_USE assay_status assay_doctor_run_all(assay_doctor *d, assay_error *err);
void assay_doctor_clear(assay_doctor *d);

/* 0 to 100, over the parts that were examined. */
double assay_doctor_score(const assay_doctor *d);

/* How many symptoms there are of a level. */
uint32_t assay_doctor_count(const assay_doctor *d, assay_ill_level level);

/* ---- for checks ---- */

/* Something was found.  `query` may be null, `fix` too. */
ASSAY_MUST_USE assay_status assay_doctor_say(assay_doctor *d, assay_ill_level level,
                                             const assay_query *query, uint32_t line,
                                             const char *fix, assay_error *err,
                                             const char *format, ...) ASSAY_PRINTF(7, 8);

/* `touched` of `all` have it.  A part is examined once there was anything to look at. */
void assay_doctor_share(assay_doctor *d, uint32_t touched, uint32_t all);

/* The text of a document, in the doctor's scratch; *is_there says whether there is one. */
ASSAY_MUST_USE assay_status assay_doctor_text(assay_doctor *d, assay_slice doc,
                                              assay_slice *out, bool *is_there,
                                              assay_error *err);

/* Something was found that a line for 'assay golden add' mends: the last that was said. */
ASSAY_MUST_USE assay_status assay_doctor_mend(assay_doctor *d, assay_slice addition,
                                              assay_error *err);

/* Whether some passage holds half of the evidence of a judgment that names a document, or
 * lies in it.  There are passages. */
bool assay_doctor_is_indexed(const assay_doctor *d, const assay_judgment *j);

/* The document of this id, or null. */
const assay_patient_doc *assay_doctor_doc(const assay_doctor *d, assay_slice id);

/* Whether a judgment says that something is relevant, and still counts. */
static inline bool assay_doctor_counts(const assay_judgment *j)
{
    return j->grade > 0 && j->stale != ASSAY_STALE_LOST;
}

/* Rank of the first relevant document among the hits of a result, 0 = none in the top
 * `k`. */
uint32_t assay_doctor_rank(const assay_golden *golden, const assay_query *query,
                           const assay_hit *hit, uint32_t n, uint32_t k);

#endif
