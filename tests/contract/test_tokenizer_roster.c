/* SPDX-License-Identifier: Apache-2.0 */
/* What every tokenizer must do: say what it is, take any bytes, and give the same terms
 * whatever came before, in any worker. */
#include "testing.h"

#include "base/slice.h"
#include "base/utf8.h"
#include "text/tokenizer.h"

static const char *const texts[] = {
    "",
    "The quick brown fox's 3.14 jumps; over_the HTTPServer2, naturally re-indexed",
    "한국어 검색엔진 GPT모델은 2023년에 東京カタカナ",
    "नमस्ते العربية ภาษาไทย Москва Αθήνας",
    "\xff\xfe broken \xe2\x82 bytes \xf0\x9f\x98\x80 \x80",
    "\u0301\u0327 \u200d\u200b\u00ad \ufdfa\ufdfa",
};

enum { N_TEXTS = sizeof texts / sizeof texts[0], MOST = 4096 };

static assay_token_worker *open_worker(const assay_tokenizer *t)
{
    assay_token_worker *worker = NULL;
    assay_tokenizing tokenizing;
    assay_error err;

    CHECK_INT(assay_tokenizing_read(t->name, &tokenizing, &err), ASSAY_OK);
    CHECK_INT(assay_token_worker_new(&tokenizing, &worker, &err), ASSAY_OK);
    return worker;
}

/* All terms, each with a line feed. */
static size_t join(assay_token_worker *worker, assay_slice text, char *out)
{
    assay_tokens terms;
    size_t used = 0;

    CHECK(assay_tokenize(worker, text, &terms));
    for (size_t i = 0; i < terms.n; i++) {
        CHECK(terms.item[i].len > 0);
        CHECK(assay_utf8_is(terms.item[i]));
        if (used + terms.item[i].len + 1 < MOST) {
            memcpy(out + used, terms.item[i].ptr, terms.item[i].len);
            used += terms.item[i].len;
            out[used++] = '\n';
        }
    }
    return used;
}

TEST(every_tokenizer_has_a_name_a_summary_and_a_spelling_that_comes_back)
{
    const assay_tokenizer *t;
    size_t i;

    for (i = 0; (t = assay_tokenizer_at(i)) != NULL; i++) {
        assay_buffer once = ASSAY_BUFFER_EMPTY;
        assay_buffer twice = ASSAY_BUFFER_EMPTY;
        assay_tokenizing tokenizing;
        assay_error err;

        CHECK(t->name && t->summary && t->cut);
        CHECK(assay_tokenizer_find(assay_slice_of(t->name)) == t);
        CHECK_INT(assay_tokenizing_read(t->name, &tokenizing, &err), ASSAY_OK);
        assay_tokenizing_print(&tokenizing, &once);
        assay_buffer_char(&once, '\0');
        CHECK_INT(assay_tokenizing_read(once.ptr, &tokenizing, &err), ASSAY_OK);
        assay_tokenizing_print(&tokenizing, &twice);
        assay_buffer_char(&twice, '\0');
        CHECK_STR(twice.ptr, once.ptr);
        assay_buffer_clear(&once);
        assay_buffer_clear(&twice);
    }
    CHECK(i >= 8);
}

TEST(every_tokenizer_gives_the_same_terms_in_any_order_and_worker)
{
    const assay_tokenizer *t;

    for (size_t i = 0; (t = assay_tokenizer_at(i)) != NULL; i++) {
        assay_token_worker *a = open_worker(t);
        static char first[N_TEXTS][MOST];
        static char other[MOST];
        size_t len[N_TEXTS];

        for (size_t k = 0; k < N_TEXTS; k++)
            len[k] = join(a, assay_slice_of(texts[k]), first[k]);
        for (size_t k = N_TEXTS; k-- > 0;) {
            assay_token_worker *b = open_worker(t);

            CHECK_INT(join(a, assay_slice_of(texts[k]), other), len[k]);
            CHECK(memcmp(first[k], other, len[k]) == 0);
            CHECK_INT(join(b, assay_slice_of(texts[k]), other), len[k]);
            CHECK(memcmp(first[k], other, len[k]) == 0);
            assay_token_worker_free(b);
        }
        assay_token_worker_free(a);
    }
}

TEST(every_tokenizer_finds_the_words_of_plain_text)
{
    const assay_tokenizer *t;

    for (size_t i = 0; (t = assay_tokenizer_at(i)) != NULL; i++) {
        assay_token_worker *worker = open_worker(t);
        char terms[MOST];

        CHECK(join(worker, ASSAY_LIT("fox"), terms) == 4);
        CHECK(memcmp(terms, "fox\n", 4) == 0);
        CHECK(join(worker, ASSAY_LIT("FOX"), terms) == 4);
        CHECK(memcmp(terms, "fox\n", 4) == 0);
        CHECK(join(worker, ASSAY_LIT(" \n\t "), terms) == 0);
        assay_token_worker_free(worker);
    }
}
