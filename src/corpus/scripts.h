/* SPDX-License-Identifier: Apache-2.0 */
/* In which scripts a text is written: letters counted by blocks of Unicode. */
#ifndef ASSAY_CORPUS_SCRIPTS_H
#define ASSAY_CORPUS_SCRIPTS_H

#include "assay.h"

enum { ASSAY_SCRIPTS_MOST = 24 };

/* "Latin", "Hangul", "Han" ...; null past the end.  The last one is "other". */
const char *assay_script_name(size_t i);

/* Add the letters of `text` to count[0..ASSAY_SCRIPTS_MOST).  Digits, punctuation and
 * broken bytes count for nothing. */
void assay_scripts_count(assay_slice text, uint64_t *count);

#endif
