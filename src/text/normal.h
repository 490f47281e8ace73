/* SPDX-License-Identifier: Apache-2.0 */
/* NFKC with case folding for tokenizers, into a buffer that is used again and again. */
#ifndef ASSAY_TEXT_NORMAL_H
#define ASSAY_TEXT_NORMAL_H

#include <stdbool.h>

#include "assay.h"

/* Zeroed is empty and ready. */
typedef struct assay_normal {
    char *text;
    size_t cap;
    int32_t *code; /* room for the code points of a run that utf8proc has to look at */
    size_t n_code;
} assay_normal;

/* Zero bytes behind the text that may be looked at. */
enum { ASSAY_NORMAL_PAD = 64 };

/* Unicode NFKC with full case folding (without, when keep_case); characters without a
 * look of their own (soft hyphen, joiners) are dropped; what is not UTF-8 becomes U+FFFD.
 * White space stays.  *out is n->text, to be overwritten by the next call and followed
 * by ASSAY_NORMAL_PAD zero bytes.  False: no memory. */
bool assay_normal_fold(assay_normal *n, assay_slice text, bool keep_case,
                       assay_slice *out);

void assay_normal_clear(assay_normal *n);

#endif
