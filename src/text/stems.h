/* SPDX-License-Identifier: Apache-2.0 */
/* Words to stems, through libstemmer, with stop words left out.  One for each thread. */
#ifndef ASSAY_TEXT_STEMS_H
#define ASSAY_TEXT_STEMS_H

#include <stdbool.h>

#include "assay.h"

typedef struct assay_stems assay_stems;

/* Every algorithm of libstemmer, for parameter tables. */
#define ASSAY_STEMS_LANGUAGES                                                          \
    "arabic|armenian|basque|catalan|danish|dutch|english|finnish|french|german|greek|" \
    "hindi|hungarian|indonesian|irish|italian|lithuanian|nepali|norwegian|porter|"     \
    "portuguese|romanian|russian|serbian|spanish|swedish|tamil|turkish|yiddish"

/* `algorithm` is one of the languages, or null: words stay what they are.  `stop` is a
 * list of words separated by blanks, or null.  The caller owns *out. */
ASSAY_MUST_USE assay_status assay_stems_new(const char *algorithm, const char *stop,
                                            assay_stems **out, assay_error *err);

/* The stem of a folded word, "" for a stop word; holds until the next call.  False: no
 * memory. */
bool assay_stems_do(assay_stems *stems, assay_slice word, assay_slice *stem);

void assay_stems_free(assay_stems *stems);

/* The 33 words that Lucene's EnglishAnalyzer leaves out. */
extern const char assay_stop_lucene[];

#endif
