/* SPDX-License-Identifier: Apache-2.0 */
/* Judgments by subtopic, for the metrics of m_diverse.c and m_intent.c. */
#ifndef ASSAY_METRIC_SUBTOPICS_H
#define ASSAY_METRIC_SUBTOPICS_H

#include "metric/judge.h"

/* One judgment: the document's grade for one subtopic of the query. */
typedef struct assay_subtopic_grade {
    assay_slice id;
    uint32_t subtopic; /* any number */
    int32_t grade;     /* negative = pooled, not judged */
} assay_subtopic_grade;

/* As assay_grades_build, with ->subtopics: ids come out in byte order, each with the
 * highest of its grades.  judgment[] is sorted.  False: no memory. */
bool assay_subtopics_build(assay_grades *out, assay_arena *arena,
                           assay_subtopic_grade *judgment, uint32_t n);

#endif
