/* SPDX-License-Identifier: Apache-2.0 */
/* A command line as a list of words, cut as a shell cuts it: at blanks, with 'single' and
 * "double" quotes and backslashes.  Nothing is expanded and no shell is started. */
#ifndef ASSAY_BASE_SHELL_WORDS_H
#define ASSAY_BASE_SHELL_WORDS_H

#include "assay.h"
#include "base/arena.h"

/* (*words)[0] to [*n - 1], then a null, all in `arena`.  No words, a quote that does not
 * end, a zero byte, and what only a shell could do (| < > ; & outside quotes) are
 * ASSAY_EUSAGE. */
ASSAY_MUST_USE assay_status assay_shell_words(assay_slice line, assay_arena *arena,
                                              char ***words, size_t *n, assay_error *err);

#endif
