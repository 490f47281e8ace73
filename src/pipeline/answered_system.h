/* SPDX-License-Identifier: Apache-2.0 */
/* A system that only retrieves, with an answerer behind it. */
#ifndef ASSAY_PIPELINE_ANSWERED_SYSTEM_H
#define ASSAY_PIPELINE_ANSWERED_SYSTEM_H

#include "answer/answer.h"
#include "corpus/passages.h"
#include "retrieve/system.h"

/* Its state; all borrowed. */
typedef struct assay_answered_system {
    const assay_system *system;
    void *state;
    const assay_answering_by *by;
    const assay_passages *passages; /* texts of hits that bring none, or null */
    uint32_t k;                     /* hits that the answerer gets */
} assay_answered_system;

/* `open` is null: the state is made by hand.  An answerer that fails leaves the hits where
 * they are: the query has an error and no answer. */
extern const assay_system assay_answered_system_socket;

#endif
