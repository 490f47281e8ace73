/* SPDX-License-Identifier: Apache-2.0 */
/* trec_eval's 57 measures under its own names, in the order in which it prints them, with
 * what a stand-in has to know of each: parameters, names of the lines, averaging, printing,
 * formats of judgments, nicknames.  docs/decisions/0002-trec-eval-compat.md has the rest. */
#ifndef ASSAY_METRIC_TREC_TABLE_H
#define ASSAY_METRIC_TREC_TABLE_H

#include "metric/metric.h"

/* What may follow the first '.' of `-m name.params`. */
typedef enum assay_trec_params {
    ASSAY_TREC_NONE,    /* ignored in silence */
    ASSAY_TREC_CUTOFFS, /* whole numbers above 0, each a line: P_5 */
    ASSAY_TREC_POINTS,  /* real numbers, each a line: iprec_at_recall_0.10 */
    ASSAY_TREC_NUMBERS, /* real numbers in the order given, one line: utility_2,-1,0,0 */
    ASSAY_TREC_PAIRS    /* key=real, one line: ndcg_1=3,2=9; rbp_p=0.8,1=0.5 */
} assay_trec_params;

enum { /* .formats: values of -R that a measure works with */
       ASSAY_TREC_QRELS = 1,
       ASSAY_TREC_QRELS_JG = 2,
       ASSAY_TREC_PREFS = 4, /* prefs and qrels_prefs */
       ASSAY_TREC_ANY = 7
};

enum {                          /* .nicknames: sets that a measure is in */
       ASSAY_TREC_OFFICIAL = 1, /* the default */
       ASSAY_TREC_SET = 2,
       ASSAY_TREC_ALL_TREC = 4,
       ASSAY_TREC_ALL_PREFS = 8,
       ASSAY_TREC_PREFS_SET = 16, /* "prefs" */
       ASSAY_TREC_JG_SET = 32     /* "qrels_jg" */
};

typedef struct assay_trec_measure {
    const char *name;
    const assay_metric *metric; /* null: runid and relstring, which are text */
    assay_trec_params params;
    const char *standard; /* parameters when none are given; "" = none */
    unsigned formats;
    unsigned nicknames;
    bool is_whole;     /* printed as a whole number (%ld), cut off at the point */
    bool is_per_query; /* has a line for each query with -q */
    bool is_only_v10;  /* unknown to trec_eval 9 */
} assay_trec_measure;

/* In printing order; null past the end. */
const assay_trec_measure *assay_trec_measure_at(size_t i);

/* By trec_eval's name; null when that version has none. */
const assay_trec_measure *assay_trec_measure_find(assay_slice name, bool is_trec9);

/* Bit of a nickname ("official", "all_trec" ...), 0 when it is none. */
unsigned assay_trec_nickname(assay_slice name);

/* Bit of a -R format ("qrels", "prefs" ...), 0 when it is none. */
unsigned assay_trec_format(assay_slice name);

enum { ASSAY_TREC_NAME_SIZE = 64 };

/* Names of lines: "P_5", "iprec_at_recall_0.10".  `name` has room for
 * ASSAY_TREC_NAME_SIZE bytes. */
void assay_trec_name_cutoff(char *name, const assay_trec_measure *m, int64_t cutoff);
void assay_trec_name_point(char *name, const assay_trec_measure *m, double point);

#endif
