/* SPDX-License-Identifier: Apache-2.0 */
/* Words as Unicode Standard Annex 29 cuts them, folded and else left alone. */
#include "text/tokenizer_work.h"
#include "text/wordbreak.h"

static void cut_words(assay_token_worker *worker, char *text, size_t len)
{
    const char *end = text + len;
    const char *p = text;
    const char *word_end;
    assay_break kind;

    while ((p = assay_word_next(p, end, ASSAY_WORD_ANNEX, &word_end, &kind)) != NULL) {
        assay_token_emit(worker, p, (size_t)(word_end - p));
        p = word_end;
    }
}

const assay_tokenizer assay_tokenizer_words = {
    .name = "words",
    .summary = "words by Unicode Standard Annex 29, folded (NFKC, case)",
    .cut = cut_words,
};
