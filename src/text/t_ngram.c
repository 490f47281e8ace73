/* SPDX-License-Identifier: Apache-2.0 */
/* Character n-grams of each stretch between white space and punctuation; a shorter
 * stretch is one term. */
#include "text/dense.h"
#include "text/tokenizer_work.h"
#include "text/wordbreak.h"

static void cut_ngram(assay_token_worker *worker, char *text, size_t len)
{
    size_t n = (size_t)worker->tokenizing.value[0].number;
    const char *end = text + len;
    const char *p = text;
    const char *word_end;
    assay_break kind;

    while ((p = assay_word_next(p, end, ASSAY_WORD_ANNEX, &word_end, &kind)) != NULL) {
        const char *next_end;

        /* Han and Hiragana are words of one character in the annex: put them together. */
        while (assay_word_next(word_end, end, ASSAY_WORD_ANNEX, &next_end, &kind) ==
               word_end)
            word_end = next_end;
        assay_dense_grams(worker, p, word_end, n);
        p = word_end;
    }
}

const assay_tokenizer assay_tokenizer_ngram = {
    .name = "ngram",
    .summary = "runs of n characters inside words; shorter words whole",
    .param = {{.name = "n",
               .kind = ASSAY_PARAM_COUNT,
               .least = 1,
               .most = 16,
               .standard = "3",
               .help = "characters a term"}},
    .cut = cut_ngram,
};
