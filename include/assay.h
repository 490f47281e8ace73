/* SPDX-License-Identifier: Apache-2.0 */
/* assay: measure retrieval.
 *
 * The whole public interface, in the order in which data flows:
 * errors, golden sets, their evidence in a corpus, runs, metrics, scores, comparisons.
 *
 * Threads: no function keeps global state.  Different objects may be used from
 * different threads at once; one object may be read from several threads as long as
 * none of them changes it.
 *
 * Ownership: what a `load`, `new` or `measure` function hands out belongs to the
 * caller, who gives it back to the matching `free`.  Everything returned by `at`, `get`
 * or `find` is borrowed and lives as long as its parent.  On failure an out parameter
 * is left untouched.
 */
#ifndef ASSAY_H
#define ASSAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ASSAY_API      __attribute__((visibility("default")))
#define ASSAY_MUST_USE __attribute__((warn_unused_result))
#else
#define ASSAY_API
#define ASSAY_MUST_USE
#endif

/* ---- errors ---- */

/* What the caller can do about it.  The program exits with the same number. */
typedef enum assay_status {
    ASSAY_OK = 0,     /* done */
    ASSAY_NO = 1,     /* understood, and the answer is no */
    ASSAY_EUSAGE = 2, /* the caller named something that does not exist or does not fit */
    ASSAY_EINPUT = 3, /* a file or reply from outside is malformed */
    ASSAY_ESYSTEM = 4, /* file system, network or database refused */
    ASSAY_ENOMEM = 5   /* out of memory; nothing was changed */
} assay_status;

/* The words that go with a status.  Lives in the caller; a null pointer is allowed
 * wherever one is taken, for callers who want the status only. */
typedef struct assay_error {
    assay_status status;
    char text[1000]; /* one line, no final stop, always terminated */
} assay_error;

/* Bytes that belong to somebody else.  Not terminated. */
typedef struct assay_slice {
    const char *ptr;
    size_t len;
} assay_slice;

ASSAY_API const char *assay_version(void);

/* ---- levels and aggregates ---- */

/* What is to be found. */
typedef enum assay_level {
    ASSAY_LEVEL_AUTO,     /* the finest at which every labelled query has judgments */
    ASSAY_LEVEL_EVIDENCE, /* spans of documents */
    ASSAY_LEVEL_CHUNK,
    ASSAY_LEVEL_DOC
} assay_level;

/* How the scores of the queries become one number. */
typedef enum assay_aggregate {
    ASSAY_AGG_MEAN,
    ASSAY_AGG_SUM,
    ASSAY_AGG_GEOMETRIC, /* exp of the mean of log(max(x, 0.00001)) */
    ASSAY_AGG_COUNT,     /* the number of queries */
    ASSAY_AGG_P50,       /* percentiles, linear between neighbours, as numpy */
    ASSAY_AGG_P95,
    ASSAY_AGG_P99,
    ASSAY_AGG_MAX
} assay_aggregate;

/* The aggregate of one measure.  Values that do not exist are NaN. */
typedef struct assay_total {
    double value;    /* NaN when n is 0 */
    uint32_t n;      /* queries that have a score */
    uint32_t absent; /* queries that have none */
    double spread;   /* sample standard deviation; 0 for n = 1, NaN for n = 0 */
    double low;      /* confidence interval of a mean, where one was asked for */
    double high;
} assay_total;

/* Who should have refused, and who did: of the queries that are to be refused or known to
 * be answerable.  All zero where no measure of answers was asked for. */
typedef struct assay_refusals {
    uint32_t refusal_right;  /* should refuse, and refused */
    uint32_t refusal_wrong;  /* answerable, and refused */
    uint32_t answered_right; /* answerable, and answered */
    uint32_t answered_wrong; /* should refuse, and answered */
    uint32_t grounded;       /* of answered_right: what it must say is there */
    uint32_t ungrounded;     /* of answered_right: it is not, or something forbidden is */
    uint32_t no_answer; /* should refuse, and there is no answer: missing, failed, none */
    uint32_t no_answer_answerable; /* the same of the answerable */
} assay_refusals;

/* What else is to be known of a run before its numbers are believed. */
typedef struct assay_counts {
    uint32_t total;    /* queries set out to be measured: all but drafts */
    uint32_t labelled; /* of them with judgments */
    uint32_t unlabelled;
    uint32_t should_refuse;
    uint32_t negative;
    uint32_t drafts;  /* never counted in anything else */
    uint32_t missing; /* not in the run */
    uint32_t failed;  /* the run has an error instead */
    uint32_t empty;   /* answered without a single hit */
    uint32_t extra;   /* queries of the run that the golden set does not know */
    uint64_t hits;
    uint64_t duplicates; /* hits dropped because their id stood above */
    uint64_t ties;       /* pairs of query and cutoff with equal scores on both sides */
    uint64_t self_hits;  /* hits dropped because their id is the query's own */
    uint32_t judged_k;   /* depth down to which the next two were counted */
    uint64_t judged;     /* hits with a judgment within that depth, labelled queries */
    uint64_t judged_of;  /* hits within that depth */
    uint32_t depth;      /* most hits that the run has for one query */
    uint32_t stale;      /* judged, but nothing of it is left in the corpus: no score */
    assay_refusals refusals;
} assay_counts;

/* ---- golden sets ---- */

typedef struct assay_golden assay_golden;

/* How to read one, beyond the path.  Zeroed: find everything out. */
typedef struct assay_golden_options {
    const char *format; /* name of a format, or null: find out */
    const char *topics; /* trec, relmap: file with the query texts, or null */
    const char *split;  /* BEIR: null = "test" */
    size_t max_line;    /* longest line in bytes, 0 = 64 MB */
    int with_documents; /* BEIR: read the corpus too; others keep what they carry */
} assay_golden_options;

/* Read `path` (a file, "-", or a folder).  `options` may be null.  On success the caller
 * owns *out; on failure *out is not touched. */
ASSAY_API ASSAY_MUST_USE assay_status
assay_golden_load(const char *path, const assay_golden_options *options,
                  assay_golden **out, assay_error *err);

/* The same from memory; `name` stands for the path in messages.  The text is copied. */
ASSAY_API ASSAY_MUST_USE assay_status assay_golden_parse(
    const char *name, assay_slice text, const assay_golden_options *options,
    assay_golden **out, assay_error *err);

/* An empty one, to be built up by calls: put queries, put judgments, finish.  Null: no
 * memory. */
ASSAY_API assay_golden *assay_golden_new(void);
ASSAY_API void assay_golden_free(assay_golden *golden);

/* One statement about one query.  Zeroed says nothing; what is given is copied. */
typedef struct assay_judged_item {
    const char *doc;   /* id of a document, or null */
    const char *chunk; /* id of a chunk, or null */
    int32_t grade;     /* > 0 relevant, 0 judged and not relevant, < 0 not judged */
    uint64_t start;    /* evidence: bytes [start, end) of the document; 0, 0 = none */
    uint64_t end;
} assay_judged_item;

ASSAY_API ASSAY_MUST_USE assay_status assay_golden_put_query(assay_golden *golden,
                                                             const char *id,
                                                             const char *text,
                                                             assay_error *err);
ASSAY_API ASSAY_MUST_USE assay_status
assay_golden_put_judgment(assay_golden *golden, const char *query_id,
                          const assay_judged_item *item, assay_error *err);

/* Once, after the last put and before the first use. */
ASSAY_API ASSAY_MUST_USE assay_status assay_golden_finish(assay_golden *golden,
                                                          assay_error *err);

/* Queries in file order. */
ASSAY_API uint32_t assay_golden_n(const assay_golden *golden);
ASSAY_API assay_slice assay_golden_id(const assay_golden *golden, uint32_t i);
ASSAY_API assay_slice assay_golden_text(const assay_golden *golden, uint32_t i);

/* Names of the formats that can be read; null past the end. */
ASSAY_API const char *assay_golden_format_name(size_t i);

/* ---- golden sets in a corpus ---- */

/* What became of one judgment in a corpus.  Strings live as long as the golden set. */
typedef struct assay_resolved_item {
    assay_slice query_id;
    uint32_t line;        /* of the judgment in the golden file, 0 = none */
    const char *evidence; /* quote, span, chars, lines, heading, chunk or document */
    const char *state;    /* resolved, moved, ambiguous or lost */
    const char *reason;   /* one line; null when resolved */
    assay_slice doc;      /* the document that it is in, or was to be in */
    uint32_t n_spans;     /* of the evidence; 0 for a whole document and when lost */
    uint64_t first_line;  /* of the evidence in the document, 0 = not known */
    uint64_t last_line;
} assay_resolved_item;

/* Look for every judgment in the corpus file `corpus` (WORKSPACE/corpus/NAME.db, as
 * 'assay ingest' makes it).  From then on its evidence is bytes of today's texts; what is
 * lost is left out when the set is used, what is ambiguous counts for its document only.
 * n_threads: 0 = one a core. */
ASSAY_API ASSAY_MUST_USE assay_status assay_golden_resolve(assay_golden *golden,
                                                           const char *corpus,
                                                           uint32_t n_threads,
                                                           assay_error *err);

/* Judgments in file order, after assay_golden_resolve; 0 before it. */
ASSAY_API uint32_t assay_golden_n_resolved(const assay_golden *golden);
ASSAY_API void assay_golden_resolved(const assay_golden *golden, uint32_t i,
                                     assay_resolved_item *out);

/* The k-th span of its evidence: bytes [*start, *end) of the document. */
ASSAY_API void assay_golden_resolved_span(const assay_golden *golden, uint32_t i,
                                          uint32_t k, uint64_t *start, uint64_t *end);

/* ---- runs ---- */

typedef struct assay_run assay_run;

typedef struct assay_run_options {
    const char *format; /* name of a format, or null: find out */
    size_t max_line;    /* longest line in bytes, 0 = 64 MB */
    uint32_t n_threads; /* 0 = one a core */
    /* Stage events: ids of the documents in order, to turn integers into ids. */
    const assay_slice *doc_id;
    uint32_t n_doc_ids;
    const char *run_id; /* stage events of several runs: which; null = the first */
} assay_run_options;

ASSAY_API ASSAY_MUST_USE assay_status assay_run_load(const char *path,
                                                     const assay_run_options *options,
                                                     assay_run **out, assay_error *err);
ASSAY_API ASSAY_MUST_USE assay_status assay_run_parse(const char *name, assay_slice text,
                                                      const assay_run_options *options,
                                                      assay_run **out, assay_error *err);

/* An empty one, to be built up by calls: put results, put their hits, finish. */
ASSAY_API assay_run *assay_run_new(void);
ASSAY_API void assay_run_free(assay_run *run);

/* One retrieved thing.  Zeroed is nothing; what is given is copied. */
typedef struct assay_hit_item {
    const char *doc;   /* id of the document, or null */
    const char *chunk; /* id of the chunk, or null */
    double score;      /* counts only where has_score is not 0 */
    int has_score;
    uint32_t rank;  /* from 1; 0 = not said */
    uint64_t start; /* bytes [start, end) of the document; 0, 0 = not said */
    uint64_t end;
} assay_hit_item;

/* Begin the result of a query.  A negative time is unknown; `error` may be null. */
ASSAY_API ASSAY_MUST_USE assay_status assay_run_put_result(assay_run *run,
                                                           const char *query_id,
                                                           double elapsed_ms,
                                                           const char *error,
                                                           assay_error *err);

/* Append a hit to the result begun last. */
ASSAY_API ASSAY_MUST_USE assay_status assay_run_put_hit(assay_run *run,
                                                        const assay_hit_item *hit,
                                                        assay_error *err);

/* The answer of the result begun last.  `refusal` is the reason for refusing, or null;
 * `grounded` is 1, 0, or -1 where the system does not say. */
ASSAY_API ASSAY_MUST_USE assay_status assay_run_put_answer(assay_run *run,
                                                           const char *text,
                                                           const char *refusal,
                                                           int grounded,
                                                           assay_error *err);

/* A citation of that answer, by chunk, or by document and bytes (score and rank are not
 * read). */
ASSAY_API ASSAY_MUST_USE assay_status assay_run_put_citation(assay_run *run,
                                                             const assay_hit_item *cited,
                                                             assay_error *err);
ASSAY_API ASSAY_MUST_USE assay_status assay_run_finish(assay_run *run, assay_error *err);

/* Queries of the run, in file order. */
ASSAY_API uint32_t assay_run_n(const assay_run *run);
ASSAY_API assay_slice assay_run_id(const assay_run *run, uint32_t i);
ASSAY_API const char *assay_run_format_name(size_t i);

/* How the hits of a run that had no spans got theirs. */
typedef struct assay_run_placed {
    uint64_t n_hits;      /* without spans before */
    uint64_t n_by_id;     /* by the id of a chunk of today's text, of any chunking */
    uint64_t n_by_old;    /* by the words of a chunk of an older text */
    uint64_t n_by_text;   /* by the hit's own text, in its document or in any */
    uint64_t n_without;   /* still have none, and find no evidence */
    uint64_t n_ambiguous; /* of them: their text stands at several places */
} assay_run_placed;

/* Give hits without spans their place in the corpus file, so that a run of chunk ids can
 * be measured at the level of evidence.  `out` may be null. */
ASSAY_API ASSAY_MUST_USE assay_status assay_run_place(assay_run *run, const char *corpus,
                                                      uint32_t n_threads,
                                                      assay_run_placed *out,
                                                      assay_error *err);

/* ---- metrics ---- */

typedef struct assay_metric_info {
    const char *name;    /* canonical */
    const char *summary; /* one line */
    const char *formula;
    const char *source;
    const char *aliases; /* comma separated, or null */
} assay_metric_info;

/* Fill *out with the i-th metric; 0 past the end. */
ASSAY_API int assay_metric_info_at(size_t i, assay_metric_info *out);

/* Whether `spelling` is a measure, or a list of them, and what is wrong where it is not. */
ASSAY_API ASSAY_MUST_USE assay_status assay_measure_check(const char *spelling,
                                                          assay_error *err);

/* ---- measuring ---- */

typedef struct assay_scores assay_scores;

/* Words as on the command line.  Zeroed: assay's own way. */
typedef struct assay_eval_options {
    const char *conventions;     /* assay, kebab, bob, evalvault, trec */
    const char *level;           /* auto, evidence, chunk, doc */
    const char *ties;            /* score, id-up, rank, listed, optimistic, pessimistic */
    const char *duplicates;      /* error, first */
    const char *empty_relevance; /* skip, zero */
    int collapse;                /* level doc: count documents, not hits */
    double confidence;           /* 0.95 = a 95 % t interval of each mean; 0 = none */
    uint32_t n_threads;          /* 0 = one a core; the result is the same for any */
} assay_eval_options;

/* Measure `run` against `golden`.  `measures` is a list in any spelling, separated by
 * commas; null or "" means what the conventions measure.  On success the caller owns
 * *out, which needs neither of the two any more. */
ASSAY_API ASSAY_MUST_USE assay_status assay_eval(const assay_golden *golden,
                                                 const assay_run *run,
                                                 const char *measures,
                                                 const assay_eval_options *options,
                                                 assay_scores **out, assay_error *err);
ASSAY_API void assay_scores_free(assay_scores *scores);

/* Rows are queries in byte order of their ids, without drafts; columns are measures. */
ASSAY_API uint32_t assay_scores_n_queries(const assay_scores *scores);
ASSAY_API uint32_t assay_scores_n_measures(const assay_scores *scores);
ASSAY_API assay_slice assay_scores_query(const assay_scores *scores, uint32_t row);
ASSAY_API const char *assay_scores_measure(const assay_scores *scores, uint32_t column);

/* Every parameter named: the key under which to keep a value. */
ASSAY_API const char *assay_scores_full(const assay_scores *scores, uint32_t column);

/* NaN where the query has no score. */
ASSAY_API double assay_scores_value(const assay_scores *scores, uint32_t row,
                                    uint32_t column);
ASSAY_API assay_total assay_scores_total(const assay_scores *scores, uint32_t column);
ASSAY_API assay_counts assay_scores_counts(const assay_scores *scores);

/* The level at which measures that do not say were taken. */
ASSAY_API assay_level assay_scores_level(const assay_scores *scores);

/* ---- comparing ---- */

typedef struct assay_comparison assay_comparison;

/* Zeroed: assay's own way.  Words are those of 'assay compare'. */
typedef struct assay_compare_options {
    assay_eval_options eval;      /* conventions, level and threads count */
    const assay_golden *golden_b; /* that b was made with; null = the same as a */
    const char *chunker_a;        /* how the documents were cut; null = not known */
    const char *chunker_b;
    int strict_chunker_version; /* refuse instead of comparing by bytes or documents */
    uint32_t depth;             /* ranks beyond it are misses; 0 = the shorter run's */
    const char *test;           /* permutation, t, wilcoxon, sign ... */
    const char *correct;        /* holm, bh, none */
    double alpha;               /* 0 = 0.05 */
    uint64_t seed;
} assay_compare_options;

/* Hold b against a, the older run.  `measures` as in assay_eval.  Runs that cannot be
 * compared are ASSAY_EINPUT with the reason.  On success the caller owns *out; golden sets
 * and runs must outlive it. */
ASSAY_API ASSAY_MUST_USE assay_status
assay_compare(const assay_golden *golden, const assay_run *a, const assay_run *b,
              const char *measures, const assay_compare_options *options,
              assay_comparison **out, assay_error *err);
ASSAY_API void assay_comparison_free(assay_comparison *comparison);

/* "same", "better", "worse", "mixed" or "unproved"; and a sentence. */
ASSAY_API const char *assay_comparison_verdict(const assay_comparison *comparison);
ASSAY_API const char *assay_comparison_sentence(const assay_comparison *comparison);

/* How hits were recognised: "exact", "fallback_doc_span" or "fallback_doc". */
ASSAY_API const char *assay_comparison_match(const assay_comparison *comparison);

/* One measure of both runs.  What does not exist is NaN. */
typedef struct assay_compared_measure {
    const char *name;
    double a;
    double b;
    double delta;  /* b - a */
    int direction; /* 1 = b is better, -1 = worse, 0 = the same, or nobody can say */
    uint32_t n;    /* queries that have a score in both runs */
    double low;    /* 95 % bootstrap interval of the mean difference */
    double high;
    double p;
    double p_corrected;
    double judged_a; /* share of the hits that the golden set knows */
    double judged_b;
} assay_compared_measure;

ASSAY_API uint32_t assay_comparison_n_measures(const assay_comparison *comparison);
ASSAY_API void assay_comparison_measure(const assay_comparison *comparison, uint32_t i,
                                        assay_compared_measure *out);

/* What became of one query of the comparable core. */
typedef struct assay_compared_query {
    assay_slice id;
    const char *kind; /* win, loss, regression or draw */
    uint32_t rank_a;  /* of the first relevant hit, 0 = none */
    uint32_t rank_b;
    const char *note; /* "" = none */
} assay_compared_query;

/* Queries in byte order of their ids. */
ASSAY_API uint32_t assay_comparison_n_queries(const assay_comparison *comparison);
ASSAY_API void assay_comparison_query(const assay_comparison *comparison, uint32_t i,
                                      assay_compared_query *out);

/* Queries that were left out, and why. */
ASSAY_API uint32_t assay_comparison_n_excluded(const assay_comparison *comparison);
ASSAY_API assay_slice assay_comparison_excluded(const assay_comparison *comparison,
                                                uint32_t i, const char **why);

/* The whole report as "table", "md", "json" or "csv"; *out lives as long as the
 * comparison. */
ASSAY_API ASSAY_MUST_USE assay_status assay_comparison_report(
    assay_comparison *comparison, const char *format, assay_slice *out, assay_error *err);

#ifdef __cplusplus
}
#endif

#endif
