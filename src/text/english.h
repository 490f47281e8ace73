/* SPDX-License-Identifier: Apache-2.0 */
/* English words to terms, for the tokenizers that meet English. */
#ifndef ASSAY_TEXT_ENGLISH_H
#define ASSAY_TEXT_ENGLISH_H

#include "text/tokenizer_work.h"

/* The choices of parameters `stem` and `stop`, standard first. */
#define ASSAY_ENGLISH_STEM                                                           \
    {                                                                                \
        .name = "stem", .kind = ASSAY_PARAM_WORD, .choices = "snowball|porter|none", \
        .standard = "snowball", .help = "how English words lose their endings"       \
    }
#define ASSAY_ENGLISH_STOP                                                  \
    {                                                                       \
        .name = "stop", .kind = ASSAY_PARAM_WORD, .choices = "lucene|none", \
        .standard = "lucene", .help = "English words to leave out"          \
    }

/* Make the stemmer that the values of these two parameters ask for. */
ASSAY_MUST_USE assay_status assay_english_open(const assay_param_value *stem,
                                               const assay_param_value *stop,
                                               assay_stems **out, assay_error *err);

/* Length of the word without a possessive 's. */
size_t assay_english_trim(const char *word, size_t len);

#endif
