/* SPDX-License-Identifier: Apache-2.0 */
/* Where sentences end, by rules: Latin scripts with abbreviations, initials and numbers;
 * Korean; Chinese and Japanese full stops. */
#ifndef ASSAY_TEXT_SENTENCES_H
#define ASSAY_TEXT_SENTENCES_H

#include "assay.h"

/* The end of the sentence that begins at `from` < text.len: behind its stop and closing
 * quotes, on a UTF-8 boundary, > from; text.len when nothing ends it.  A blank line ends
 * a sentence, a single line break does not.  White space follows or not. */
size_t assay_sentence_end(assay_slice text, size_t from);

#endif
