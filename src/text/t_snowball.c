/* SPDX-License-Identifier: Apache-2.0 */
/* Words of any language that Snowball knows, stemmed; nothing is left out. */
#include <string.h>

#include "text/tokenizer_work.h"
#include "text/wordbreak.h"

static assay_status open_snowball(assay_token_worker *worker, assay_error *err)
{
    assay_slice lang = worker->tokenizing.value[0].text;
    char name[32] = "";

    memcpy(name, lang.ptr, lang.len < sizeof name ? lang.len : sizeof name - 1);
    return assay_stems_new(name, NULL, &worker->stems[0], err);
}

static void cut_snowball(assay_token_worker *worker, char *text, size_t len)
{
    const char *end = text + len;
    const char *p = text;
    const char *word_end;
    assay_break kind;

    while ((p = assay_word_next(p, end, 0, &word_end, &kind)) != NULL) {
        assay_token_stemmed(worker, worker->stems[0], text + (p - text),
                            (size_t)(word_end - p));
        p = word_end;
    }
}

const assay_tokenizer assay_tokenizer_snowball = {
    .name = "snowball",
    .summary = "words, stemmed by one of the Snowball languages",
    .param = {{.name = "lang",
               .kind = ASSAY_PARAM_WORD,
               .choices = ASSAY_STEMS_LANGUAGES,
               .standard = "english",
               .help = "whose endings are taken off"}},
    .open = open_snowball,
    .cut = cut_snowball,
};
