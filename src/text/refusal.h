/* SPDX-License-Identifier: Apache-2.0 */
/* Recognise an answer that is a refusal: "I don't know", "not in the provided context",
 * in English, Korean, Chinese and Japanese. */
#ifndef ASSAY_TEXT_REFUSAL_H
#define ASSAY_TEXT_REFUSAL_H

#include <stdbool.h>

#include "assay.h"

/* Whether the answer as a whole is a refusal; `folded` is what assay_fold made of it.
 * Citation markers like [3] or [#3] neither make nor veto a refusal.  An answer that says
 * what is missing and then goes on to answer is none; nor is an empty one. */
bool assay_refusal_is(assay_slice folded);

#endif
