/* SPDX-License-Identifier: Apache-2.0 */
/* English: words of Annex 29 (cut at colons, underlines and dots between letters), without
 * possessives and stop words, stemmed. */
#include "text/english.h"
#include "text/tokenizer_work.h"
#include "text/wordbreak.h"

static assay_status open_english(assay_token_worker *worker, assay_error *err)
{
    return assay_english_open(&worker->tokenizing.value[0], &worker->tokenizing.value[1],
                              &worker->stems[0], err);
}

static void cut_english(assay_token_worker *worker, char *text, size_t len)
{
    const char *end = text + len;
    const char *p = text;
    const char *word_end;
    assay_break kind;

    while ((p = assay_word_next(p, end, 0, &word_end, &kind)) != NULL) {
        size_t n = assay_english_trim(p, (size_t)(word_end - p));

        assay_token_stemmed(worker, worker->stems[0], text + (p - text), n);
        p = word_end;
    }
}

const assay_tokenizer assay_tokenizer_english = {
    .name = "english",
    .summary = "English words without possessives and stop words, stemmed",
    .param = {ASSAY_ENGLISH_STEM, ASSAY_ENGLISH_STOP},
    .open = open_english,
    .cut = cut_english,
};
