/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of n characters: how scripts without blanks become terms. */
#ifndef ASSAY_TEXT_DENSE_H
#define ASSAY_TEXT_DENSE_H

#include "text/tokenizer.h"

/* Emit every run of n characters of [p, end); a shorter stretch whole.  Marks belong to
 * the character before them. */
void assay_dense_grams(assay_token_worker *worker, const char *p, const char *end,
                       size_t n);

#endif
