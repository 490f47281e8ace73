/* SPDX-License-Identifier: Apache-2.0 */
/* For base/pq.c: what the server said, in our words.  The five letters of SQLSTATE are the
 * same in every language that a server speaks. */
#ifndef ASSAY_BASE_PQ_WORDS_H
#define ASSAY_BASE_PQ_WORDS_H

#include "assay.h"
#include "base/pq.h"

/* Record the failure `state` ("" = none was given) of `place`.  `message` is the server's
 * own, used where we have no better words. */
assay_status assay_pq_say(const char *place, const char *state, const char *message,
                          assay_error *err);
assay_pq_fault assay_pq_fault_in(const char *state);

#endif
