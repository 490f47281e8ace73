/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "base/slice.h"
#include "testing.h"
#include "text/fold.h"

static void folds_slice(assay_slice text, const char *want)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_slice out = {NULL, 0};
    char got[500];

    CHECK(assay_fold(text, &arena, &out));
    CHECK(out.len < sizeof got);
    memcpy(got, out.ptr, out.len);
    got[out.len] = '\0';
    CHECK_STR(got, want);
    assay_arena_clear(&arena);
}

static void folds(const char *text, const char *want)
{
    folds_slice(assay_slice_of(text), want);
    folds_slice(assay_slice_of(want), want); /* once is enough */
}

static void has_words(const char *text, const char *want)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_slice *word = NULL;
    size_t n = 0;
    char got[500] = "";

    CHECK(assay_fold_words(assay_slice_of(text), &arena, &word, &n));
    for (size_t i = 0; i < n; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%.*s", i ? "|" : "",
                 (int)word[i].len, word[i].ptr);
    CHECK_STR(got, want);
    assay_arena_clear(&arena);
}

TEST(ascii_is_lower_case)
{
    folds("Hello, WORLD 42", "hello, world 42");
    folds("", "");
}

TEST(white_space_is_one_blank_and_trimmed)
{
    folds("  a \t\r\n b  ", "a b");
    folds(" \n ", "");
    /* No-break space, em space, line separator, ideographic space. */
    folds("a\xc2\xa0\xe2\x80\x83"
          "b\xe2\x80\xa8"
          "c\xe3\x80\x80"
          "d\xe3\x80\x80",
          "a b c d");
    folds("\xc2\x85"
          "a\xc2\x85",
          "a");
}

TEST(case_is_folded_beyond_ascii)
{
    folds("\xc3\x84pfel", "\xc3\xa4pfel");
    folds("STRA\xc3\x9f"
          "E",
          "strasse"); /* sharp s */
    folds("\xce\x9f\xce\x94\xce\x9f\xce\xa3", "\xce\xbf\xce\xb4\xce\xbf\xcf\x83");
    folds("\xcf\x82", "\xcf\x83"); /* final sigma */
}

TEST(composition_and_width_do_not_matter)
{
    folds("e\xcc\x81", "\xc3\xa9");                    /* e, combining acute */
    folds("\xef\xbc\xa1\xef\xbc\x91", "a1");           /* full width A 1 */
    folds("\xef\xac\x81n", "fin");                     /* ligature fi */
    folds("\xef\xbd\xb6\xef\xbe\x9e", "\xe3\x82\xac"); /* half width ka + voiced */
    folds("\xe1\x84\x80\xe1\x85\xa1", "\xea\xb0\x80"); /* Hangul g + a */
    folds("\xc2\xbd", "1\xe2\x81\x84"
                      "2"); /* one half */
}

TEST(bytes_that_are_not_utf8_are_replaced)
{
    folds("A\xff"
          "B",
          "a\xef\xbf\xbd"
          "b");
    folds("\xe6\x97", "\xef\xbf\xbd");
    folds_slice((assay_slice){"A\0B", 3}, "a"); /* a zero byte is kept; C ends there */
}

TEST(text_that_grows_when_folded_fits)
{
    /* U+FDFA, three bytes, is eighteen characters with three blanks. */
    folds("\xef\xb7\xba",
          "\xd8\xb5\xd9\x84\xd9\x89 \xd8\xa7\xd9\x84\xd9\x84\xd9\x87 "
          "\xd8\xb9\xd9\x84\xd9\x8a\xd9\x87 \xd9\x88\xd8\xb3\xd9\x84\xd9\x85");
}

TEST(words_are_runs_of_letters_and_digits)
{
    has_words("The finance-lead's 2nd  APPROVAL.", "the|finance|lead|s|2nd|approval");
    has_words("snake_case a+b", "snake|case|a|b");
    has_words("", "");
    has_words(" ... ", "");
    has_words("na\xc3\xafve \xd0\x9c\xd0\xbe\xd1\x81\xd0\xba\xd0\xb2\xd0\xb0",
              "na\xc3\xafve|\xd0\xbc\xd0\xbe\xd1\x81\xd0\xba\xd0\xb2\xd0\xb0");
}

TEST(han_and_kana_stand_alone)
{
    /* Nihon go, ka na (hiragana, katakana), then Latin. */
    has_words("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe3\x81\x8b\xe3\x82\xabPDF",
              "\xe6\x97\xa5|\xe6\x9c\xac|\xe8\xaa\x9e|\xe3\x81\x8b|\xe3\x82\xab|pdf");
    has_words("a\xe6\x97\xa5"
              "b",
              "a|\xe6\x97\xa5|b");
    has_words("\xe6\x97\xa5\xe3\x80\x82", "\xe6\x97\xa5"); /* ideographic full stop */
    has_words("\xf0\xa0\x80\x80", "\xf0\xa0\x80\x80");     /* U+20000 */
}

TEST(hangul_words_are_words)
{
    has_words("\xed\x95\x9c\xea\xb5\xad\xec\x96\xb4 \xea\xb2\x80\xec\x83\x89",
              "\xed\x95\x9c\xea\xb5\xad\xec\x96\xb4|\xea\xb2\x80\xec\x83\x89");
}

TEST(marks_belong_to_the_letter_before_them)
{
    /* Devanagari ki: ka + vowel sign i; and an acute with nothing before it. */
    has_words("\xe0\xa4\x95\xe0\xa4\xbf \xcc\x81 x", "\xe0\xa4\x95\xe0\xa4\xbf|x");
}

#ifdef ASSAY_TEST
TEST(without_memory_nothing_is_touched)
{
    static const char *const text[] = {"plain", "\xc3\x84\xff", "\xef\xb7\xba"};

    for (size_t i = 0; i < 3; i++) {
        for (uint64_t n = 1;; n++) {
            assay_arena arena = ASSAY_ARENA_EMPTY;
            assay_slice *word = NULL;
            size_t count = 77;
            bool is_done;

            assay_mem_fail_after(n);
            is_done = assay_fold_words(assay_slice_of(text[i]), &arena, &word, &count);
            CHECK(is_done == !assay_mem_has_failed());
            CHECK(is_done || (word == NULL && count == 77));
            assay_arena_clear(&arena);
            if (is_done)
                break;
        }
        assay_mem_fail_after(0);
    }
}
#endif
