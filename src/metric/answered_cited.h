/* SPDX-License-Identifier: Apache-2.0 */
/* The citations of an answer; a part of answered.c. */
#ifndef ASSAY_METRIC_ANSWERED_CITED_H
#define ASSAY_METRIC_ANSWERED_CITED_H

#include "metric/answered.h"

/* Fill what `out` says of citations.  view->result has an answer.  False: no memory. */
bool assay_answered_cited(const assay_answer_view *view, assay_arena *room,
                          assay_answered *out);

#endif
