/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of an evaluation from words, for the command line and the library alike. */
#ifndef ASSAY_PIPELINE_EVAL_WORDS_H
#define ASSAY_PIPELINE_EVAL_WORDS_H

#include "pipeline/evaluate.h"

/* An unknown word is ASSAY_EUSAGE; null words leave the default. */
ASSAY_MUST_USE assay_status assay_eval_words(const assay_eval_options *options,
                                             assay_eval_settings *out, assay_error *err);

#endif
