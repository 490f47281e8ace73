/* SPDX-License-Identifier: Apache-2.0 */
/* Refusing, in words that the user can read. */
#ifndef ASSAY_ANSWER_REFUSE_H
#define ASSAY_ANSWER_REFUSE_H

#include "run/run.h"

typedef enum assay_tongue {
    ASSAY_TONGUE_ENGLISH, /* also of everything that is not below */
    ASSAY_TONGUE_KOREAN,
    ASSAY_TONGUE_CHINESE,
    ASSAY_TONGUE_JAPANESE
} assay_tongue;

/* The language of a query, by its script. */
assay_tongue assay_tongue_of(assay_slice query);

/* A refusal for this reason (ASSAY_REFUSED_...) in the query's language; nothing in it
 * needs to be freed. */
assay_answer assay_refuse(assay_slice query, const char *reason);

#endif
