/* SPDX-License-Identifier: Apache-2.0 */
/* How a measure is written: what the files spelling*.c share. */
#ifndef ASSAY_METRIC_SPELLING_H
#define ASSAY_METRIC_SPELLING_H

#include "base/compiler.h"
#include "metric/metric.h"
#include "metric/trec_table.h"

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
                                  const assay_metric_param *param, assay_value *out);

/* The value of a parameter that was not given. */
assay_status assay_spelling_standard(const assay_spelling *s,
                                     const assay_metric_param *param, assay_value *out);

/* A number as `@` and real parameters are written; false when it is none. */
bool assay_spelling_is_real(const assay_spelling *s, assay_slice text, double *out);
bool assay_spelling_is_whole(assay_slice text, double *out);

/* ---- names (spelling_names.c) ---- */

/* A name that stands for one of several metrics. */
typedef struct assay_metric_alias {
    const char *name;
    const char *metric; /* canonical */
    const char *with;   /* the parameter that decides, or null */
    const char *on;     /* the metric when it is given and not false */
    const char *off;    /* the metric when it is false; null where it is no switch but a
                           parameter of `on` */
} assay_metric_alias;

/* By canonical name, the table of aliases, the metrics' own .aliases; null = unknown.
 * *alias is set where the table of aliases was used, else null. */
const assay_metric *assay_spelling_find(assay_slice name,
                                        const assay_metric_alias **alias);

/* The known name nearest to `name`, empty when none is near. */
assay_slice assay_spelling_nearest(assay_slice name);

/* Where `text` is a name of trec_eval's, alone or with parameters behind a `.` or `_`,
 * which are put into *params (ptr null = none given). */
const assay_trec_measure *assay_spelling_trec(assay_slice text, assay_slice *params);

/* ---- printing (spelling_print.c) ---- */

/* Fill in ->name and ->full. */
assay_status assay_spelling_print(assay_measure *measure, assay_arena *arena,
                                  assay_error *err);

/* Words for levels, in the order of assay_level; null past the end. */
const char *assay_spelling_level_word(size_t i);

#endif
