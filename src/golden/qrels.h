/* SPDX-License-Identifier: Apache-2.0 */
/* Judgment files as trec_eval reads them: grades by atol, groups and preferences
 * included, no checks beyond the number of fields.  Only the drop-in wants this; golden
 * sets are read by g_trec.c, which is strict. */
#ifndef ASSAY_GOLDEN_QRELS_H
#define ASSAY_GOLDEN_QRELS_H

#include <stdbool.h>

#include "assay.h"
#include "base/arena.h"
#include "base/dict.h"
#include "base/file.h"

typedef struct assay_qrel {
    assay_slice doc;
    int32_t rel; /* as atol reads it */
} assay_qrel;

/* What only groups and preferences have. */
typedef struct assay_qrel_more {
    assay_slice group;    /* 2nd field */
    assay_slice subgroup; /* prefs only */
    double level;         /* as atof reads it */
} assay_qrel_more;

typedef struct assay_qrels_topic {
    assay_slice id;
    assay_qrel *qrel;      /* in file order */
    assay_qrel_more *more; /* by the same index; null in plain judgments */
    uint32_t n;
} assay_qrels_topic;

typedef struct assay_qrels {
    assay_file file;
    assay_arena arena;
    assay_dict ids;           /* topic id -> number in the file's order */
    assay_qrels_topic *topic; /* sorted by id, bytes ascending */
    uint32_t n;
    assay_qrel *qrel; /* of all topics */
    assay_qrel_more *more;
} assay_qrels;

/* Layouts that trec_eval knows by name (-R). */
typedef enum assay_qrels_layout {
    ASSAY_QRELS_PLAIN,      /* qid iter docno rel */
    ASSAY_QRELS_GROUPS,     /* qid group docno rel */
    ASSAY_QRELS_PREFS,      /* qid group subgroup docno level */
    ASSAY_QRELS_GROUP_PREFS /* qid group docno level */
} assay_qrels_layout;

/* Read `path` into `out`, which must be zeroed; clear it also after a failure. */
ASSAY_MUST_USE assay_status assay_qrels_load(assay_qrels *out, const char *path,
                                             assay_qrels_layout layout, bool has_comments,
                                             assay_error *err);

/* The same from memory; `name` stands for the path in messages.  The text is copied. */
ASSAY_MUST_USE assay_status assay_qrels_parse(assay_qrels *out, const char *name,
                                              assay_slice text, assay_qrels_layout layout,
                                              bool has_comments, assay_error *err);
void assay_qrels_clear(assay_qrels *qrels);

#endif
