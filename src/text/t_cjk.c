/* SPDX-License-Identifier: Apache-2.0 */
/* Hangul, Han, Kana and the scripts of South East Asia as bigrams, a lone character as
 * itself; words of other scripts and numbers whole. */
#include "text/dense.h"
#include "text/tokenizer_work.h"
#include "text/wordbreak.h"

static void cut_cjk(assay_token_worker *worker, char *text, size_t len)
{
    const char *end = text + len;
    const char *p = text;
    const char *word_end;
    assay_break kind;

    while ((p = assay_word_next(p, end, 0, &word_end, &kind)) != NULL) {
        if (assay_break_is_dense(kind))
            assay_dense_grams(worker, p, word_end, 2);
        else
            assay_token_emit(worker, p, (size_t)(word_end - p));
        p = word_end;
    }
}

const assay_tokenizer assay_tokenizer_cjk = {
    .name = "cjk",
    .summary = "bigrams of Hangul, Han and Kana; other words and numbers whole",
    .cut = cut_cjk,
};
