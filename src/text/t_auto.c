/* SPDX-License-Identifier: Apache-2.0 */
/* By script, run by run, so that mixed text works in documents and queries alike: Latin
 * words as English, other alphabets through the stemmer of their largest language, Hangul,
 * Han and Kana as bigrams. */
#include "text/dense.h"
#include "text/english.h"
#include "text/tokenizer_work.h"
#include "text/wordbreak.h"

/* A script's block of letters, and the stemmer for it.  [0] is for all others. */
static const struct {
    uint32_t first;
    uint32_t last;
    const char *algorithm;
} scripts[] = {
    {0, 0, NULL},
    {0x0370, 0x03FF, "greek"},
    {0x0400, 0x052F, "russian"},
    {0x0530, 0x058F, "armenian"},
    {0x0620, 0x06FF, "arabic"},
    {0x0900, 0x097F, "hindi"},
    {0x0B80, 0x0BFF, "tamil"},
};

enum { LATIN_END = 0x0250 };

static assay_status open_auto(assay_token_worker *worker, assay_error *err)
{
    return assay_english_open(&worker->tokenizing.value[0], &worker->tokenizing.value[1],
                              &worker->stems[0], err);
}

/* The stemmer for a word that begins with `code`, opened when first met; null: none. */
static assay_stems *stems_for(assay_token_worker *worker, uint32_t code)
{
    if (code < LATIN_END)
        return worker->stems[0];
    for (size_t i = 1; i < ASSAY_COUNT(scripts); i++) {
        if (code < scripts[i].first || code > scripts[i].last)
            continue;
        if (!worker->stems[i] && assay_stems_new(scripts[i].algorithm, NULL,
                                                 &worker->stems[i], NULL) != ASSAY_OK)
            worker->has_failed = true;
        return worker->stems[i];
    }
    return NULL;
}

static void cut_auto(assay_token_worker *worker, char *text, size_t len)
{
    const char *end = text + len;
    const char *p = text;
    const char *word_end;
    assay_break kind;

    while ((p = assay_word_next(p, end, 0, &word_end, &kind)) != NULL) {
        size_t n = (size_t)(word_end - p);

        if (assay_break_is_dense(kind)) {
            assay_dense_grams(worker, p, word_end, 2);
        } else {
            size_t step;
            assay_stems *stems = stems_for(worker, assay_break_code(p, end, &step));

            assay_token_stemmed(worker, stems, text + (p - text),
                                assay_english_trim(p, n));
        }
        p = word_end;
    }
}

const assay_tokenizer assay_tokenizer_auto = {
    .name = "auto",
    .summary = "by script: English words, stems of other alphabets, bigrams of Hangul, "
               "Han and Kana",
    .param = {ASSAY_ENGLISH_STEM, ASSAY_ENGLISH_STOP},
    .open = open_auto,
    .cut = cut_auto,
};
