/* SPDX-License-Identifier: Apache-2.0 */
/* How a measure is written: what the files spelling*.c share. */
#ifndef ASSAY_METRIC_SPELLING_H
#define ASSAY_METRIC_SPELLING_H

#include "base/compiler.h"
#include "metric/metric.h"

/* ---- a text being read (spelling_read.c) ---- */

typedef struct assay_spelling {
    assay_slice text;   /* what is read */
    size_t pos;         /* first byte not yet read */
    assay_slice origin; /* what the user wrote where text was made from it, else empty */
    bool is_strict; /* ir_measures' types: a real number has a point, none is negative */
    assay_arena *arena;
    assay_error *err;
} assay_spelling;

/* `name=value` as written; nothing is known yet about what it means. */
typedef struct assay_setting {
    assay_slice name;
    assay_slice value; /* with its quotes or brackets */
    size_t name_pos;
    size_t value_pos;
} assay_setting;

/* More than any metric takes. */
enum { ASSAY_SETTINGS_MOST = 12 };

/* A measure as written, taken apart. */
typedef struct assay_written {
    assay_slice name;
    assay_setting setting[ASSAY_SETTINGS_MOST];
    size_t n_settings;
    assay_slice at; /* what stands behind `@`; empty = no `@` */
    size_t at_pos;
    assay_slice level; /* the `doc` of `recall@5_doc`; empty = none */
    size_t level_pos;
} assay_written;

/* Fail at byte `pos` of the text: "in 'ndcg(x=1)' at 6: ...". */
assay_status assay_spelling_fail(const assay_spelling *s, size_t pos, const char *format,
                                 ...) ASSAY_PRINTF(3, 4);

/* Take the whole text apart. */
assay_status assay_spelling_split(assay_spelling *s, assay_written *out);

/* Read the value of one setting. */
assay_status assay_spelling_int(const assay_spelling *s, const assay_setting *set,
                                int32_t *out);
assay_status assay_spelling_bool(const assay_spelling *s, const assay_setting *set,
                                 bool *out);
assay_status assay_spelling_level(const assay_spelling *s, assay_slice word, size_t pos,
                                  assay_level *out);
assay_status assay_spelling_value(const assay_spelling *s, const assay_setting *set,
                                  const assay_param *param, assay_value *out);

/* The value of a parameter that was not given. */
assay_status assay_spelling_standard(const assay_spelling *s, const assay_param *param,
                                     assay_value *out);

/* A number as `@` and real parameters are written; false when it is none. */
bool assay_spelling_is_real(const assay_spelling *s, assay_slice text, double *out);
bool assay_spelling_is_whole(assay_slice text, double *out);

/* ---- names (spelling_names.c) ---- */

/* A name that stands for a metric under another one. */
typedef struct assay_metric_alias {
    const char *name;
    const char *metric;  /* canonical */
    const char *with;    /* a parameter that makes it another metric, or null */
    const char *instead; /* that one */
} assay_metric_alias;

/* How trec_eval's `name.parameters` is read. */
typedef enum assay_trec_how {
    ASSAY_TREC_PLAIN, /* takes none */
    ASSAY_TREC_AT,    /* one measure for each */
    ASSAY_TREC_PARAM, /* one measure for each, as a named parameter */
    ASSAY_TREC_GAINS, /* grade=gain, all for one measure */
    ASSAY_TREC_REALS  /* all for one measure */
} assay_trec_how;

typedef struct assay_trec_spelling {
    const char *name;
    const char *metric; /* canonical */
    assay_trec_how how;
    const char *param;    /* PARAM, GAINS, REALS: whose */
    const char *standard; /* parameters of the plain name; null = the metric's own */
} assay_trec_spelling;

/* By canonical name, the table of aliases, the metrics' own .aliases; null = unknown.
 * *alias is set where the table of aliases was used, else null. */
const assay_metric *assay_spelling_find(assay_slice name,
                                        const assay_metric_alias **alias);

/* The known name nearest to `name`, or null when none is near. */
const char *assay_spelling_nearest(assay_slice name);

/* Where `text` is a name of trec_eval's, alone or with parameters behind a `.` or `_`,
 * which are put into *params (ptr null = none given). */
const assay_trec_spelling *assay_spelling_trec(assay_slice text, assay_slice *params);

/* The measures that a nickname of trec_eval's stands for, separated by blanks, or null. */
const char *assay_spelling_nickname(assay_slice name);

/* ---- printing (spelling_print.c) ---- */

/* Fill in ->name and ->full. */
assay_status assay_spelling_print(assay_measure *measure, assay_arena *arena,
                                  assay_error *err);

/* Words for levels, in the order of assay_level; null past the end. */
const char *assay_spelling_level_word(size_t i);

#endif
