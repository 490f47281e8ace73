/* SPDX-License-Identifier: Apache-2.0 */
#include "text/tokenizer.h"

#include "base/slice.h"
#include "testing.h"
#include "text/normal.h"

/* The terms of `text` with bars between them. */
static const char *cut(const char *spelling, const char *text)
{
    static char out[4096];
    assay_token_worker *worker = NULL;
    assay_tokenizing t;
    assay_tokens terms;
    assay_error err;
    size_t used = 0;

    if (assay_tokenizing_read(spelling, &t, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    CHECK_INT(assay_token_worker_new(&t, &worker, &err), ASSAY_OK);
    CHECK(assay_tokenize(worker, assay_slice_of(text), &terms));
    out[0] = '\0';
    for (size_t i = 0; i < terms.n; i++)
        used += (size_t)snprintf(out + used, sizeof out - used, "%s%.*s", i ? "|" : "",
                                 (int)terms.item[i].len, terms.item[i].ptr);
    assay_token_worker_free(worker);
    return out;
}

/* ---- spelling ---- */

static const char *full(const char *spelling)
{
    static char out[1000];
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_tokenizing t;
    assay_error err;

    if (assay_tokenizing_read(spelling, &t, &err)) {
        snprintf(out, sizeof out, "%s", err.text);
        return out;
    }
    assay_tokenizing_print(&t, &b);
    snprintf(out, sizeof out, "%.*s", (int)b.len, b.ptr);
    assay_buffer_clear(&b);
    return out;
}

TEST(spellings_name_every_parameter_and_can_be_read_back)
{
    CHECK_STR(full(NULL), "auto(stem=snowball,stop=lucene)");
    CHECK_STR(full("english(stop=none)"), "english(stem=snowball,stop=none)");
    CHECK_STR(full("english(stem=snowball,stop=none)"),
              "english(stem=snowball,stop=none)");
    CHECK_STR(full("snowball(lang=german)"), "snowball(lang=german)");
    CHECK_STR(full("ngram(n=2)"), "ngram(n=2)");
    CHECK_STR(full("words"), "words");
}

TEST(bad_spellings_say_what_is_near)
{
    CHECK_STR(full("englsh"), "no tokenizer called 'englsh'; did you mean 'english'? "
                              "'assay tokenizer list' shows all");
    CHECK(strstr(full("ngram(n=0)"), "tokenizer 'ngram'") != NULL);
    CHECK(strstr(full("ngram(m=2)"), "'m'") != NULL);
    CHECK(strstr(full("snowball(lang=klingon)"), "klingon") != NULL);
    CHECK(strstr(full("words:x"), "takes no argument 'x'") != NULL);
}

/* ---- normal form ---- */

static const char *fold(const char *text, size_t len, bool keep_case)
{
    static char out[1000];
    assay_normal n = {.text = NULL};
    assay_slice got;

    CHECK(assay_normal_fold(&n, (assay_slice){text, len}, keep_case, &got));
    for (size_t i = 0; i < ASSAY_NORMAL_PAD; i++)
        CHECK(got.ptr[got.len + i] == '\0');
    snprintf(out, sizeof out, "%.*s", (int)got.len, got.ptr);
    assay_normal_clear(&n);
    return out;
}

#define FOLD(text) fold(text, sizeof(text) - 1, false)

TEST(folding_is_nfkc_and_lower_case)
{
    CHECK_STR(FOLD("ABC xyz [\\]^_`{@"), "abc xyz [\\]^_`{@");
    CHECK_STR(FOLD("Stra\u00dfe \u00c4\u00d6"), "strasse \u00e4\u00f6");
    CHECK_STR(FOLD("\uff21\uff22\uff13 \u2460 \ufb01"), "ab3 1 fi");
    CHECK_STR(fold("AbC\uff21", 6, true), "AbCA");
}

TEST(marks_compose_with_the_character_before_them)
{
    CHECK_STR(FOLD("E\u0301a"), "\u00e9a");                /* ASCII before */
    CHECK_STR(FOLD("\u304b\u3099\u3042"), "\u304c\u3042"); /* Kana before */
    CHECK_STR(FOLD("\u1112\u1161\u11ab"), "\ud55c");       /* jamo of one syllable */
    CHECK_STR(FOLD("\ud558\u11ab\uae00"), "\ud55c\uae00"); /* a final behind one */
    CHECK_STR(FOLD("\u0301x"), "\u0301x");                 /* nothing before */
    CHECK_STR(FOLD("a\u0327\u0301"), "\u00e1\u0327");      /* marks change places */
}

TEST(what_is_not_utf8_becomes_one_sign)
{
    CHECK_STR(FOLD("a\xff\x62\xe2\x82z"), "a\ufffd\x62\ufffdz");
    CHECK_STR(FOLD("\xc0\x80"), "\ufffd\ufffd");
    CHECK_STR(FOLD("soft\u00adhyphen"), "softhyphen");
}

/* ---- words by Annex 29 ---- */

TEST(words_are_joined_and_cut_as_the_annex_says)
{
    CHECK_STR(cut("words", "The quick (\"brown\") fox can't jump 32.3 feet, right?"),
              "the|quick|brown|fox|can't|jump|32.3|feet|right");
    CHECK_STR(cut("words", "re-index a.b.c. 1,000;5 x_y_ __ a:b :c"),
              "re|index|a.b.c|1,000;5|x_y_|a:b|c");
    CHECK_STR(cut("words", "3a a3 a,b 3.a"), "3a|a3|a|b|3|a");
    CHECK_STR(cut("words", "e\u0301t\u00e9 \u0410\u0411\u0412"),
              "\u00e9t\u00e9|\u0430\u0431\u0432");
    CHECK_STR(cut("words", "\u30ab\u30bf\u30ab\u30ca \u6f22\u5b57\u304b GPT\ubaa8\ub378"),
              "\u30ab\u30bf\u30ab\u30ca|\u6f22|\u5b57|\u304b|gpt\ubaa8\ub378");
    CHECK_STR(cut("words", "\u05d0\"\u05d1 \u05d0' a\"b"), "\u05d0\"\u05d1|\u05d0'|a|b");
    CHECK_STR(cut("words", ""), "");
    CHECK_STR(cut("words", " \t.,;' "), "");
}

TEST(other_tokenizers_cut_at_colons_underlines_and_dots_between_letters)
{
    CHECK_STR(cut("cjk", "note:this end.Start a_b 3.14"), "note|this|end|start|a|b|3.14");
}

/* ---- the tokenizers ---- */

TEST(english_drops_possessives_and_stop_words_and_stems)
{
    CHECK_STR(cut("english", "The dog's running in Peter\u2019s houses"),
              "dog|run|peter|hous");
    CHECK_STR(cut("english(stem=none,stop=none)", "The dogs' runs"), "the|dogs|runs");
    CHECK_STR(cut("english(stem=porter)", "generically skies dying"), "gener|ski|dy");
    CHECK_STR(cut("english(stem=snowball)", "generically skies dying"),
              "generic|sky|die");
}

TEST(snowball_stems_its_language)
{
    CHECK_STR(cut("snowball(lang=german)", "H\u00e4user laufen"), "haus|lauf");
    CHECK_STR(cut("snowball(lang=russian)", "\u043a\u043d\u0438\u0433\u0438"),
              "\u043a\u043d\u0438\u0433");
}

TEST(cjk_makes_bigrams_and_keeps_latin_and_digit_words)
{
    CHECK_STR(cut("cjk", "\ud55c\uad6d\uc5b4 GPT\ubaa8\ub378\uc740 2023\ub144"),
              "\ud55c\uad6d|\uad6d\uc5b4|gpt|\ubaa8\ub378|\ub378\uc740|2023|\ub144");
    CHECK_STR(cut("cjk", "\u6771\u4eac\u306b\u3044\u308b"),
              "\u6771\u4eac|\u4eac\u306b|\u306b\u3044|\u3044\u308b");
}

TEST(auto_takes_each_run_by_its_script)
{
    CHECK_STR(cut("auto",
                  "Indexing \ud55c\uad6d\uc5b4 the \u043a\u043d\u0438\u0433\u0438 PDFs"),
              "index|\ud55c\uad6d|\uad6d\uc5b4|\u043a\u043d\u0438\u0433|pdfs");
}

TEST(whitespace_takes_what_stands_between)
{
    CHECK_STR(cut("whitespace", " A-b\tc!\u3000d\u00a0e\n"), "a-b|c!|d|e");
}

TEST(ngram_makes_runs_of_characters_and_keeps_short_words)
{
    CHECK_STR(cut("ngram", "abcde fg"), "abc|bcd|cde|fg");
    CHECK_STR(cut("ngram(n=2)", "\u6f22\u5b57\u6587 x"), "\u6f22\u5b57|\u5b57\u6587|x");
}

TEST(code_cuts_identifiers_at_case_and_underlines)
{
    CHECK_STR(cut("code(stem=none)", "parseHTTPReply2 max_len _x camelCase HTML plain"),
              "parse|http|reply|2|parsehttpreply2|max|len|max_len|x|_x|camel|case|"
              "camelcase|html|plain");
    CHECK_STR(cut("code(stem=none,whole=no,stop=none)", "isOk don't 3.14 \u00c4pfel"),
              "is|ok|don't|3.14|\u00e4pfel");
}

TEST(long_words_and_long_texts_are_whole)
{
    static char text[200001];
    assay_token_worker *worker = NULL;
    assay_tokenizing t;
    assay_tokens terms;
    assay_error err;

    memset(text, 'a', 200000);
    CHECK_INT(assay_tokenizing_read("english", &t, &err), ASSAY_OK);
    CHECK_INT(assay_token_worker_new(&t, &worker, &err), ASSAY_OK);
    CHECK(assay_tokenize(worker, assay_slice_of(text), &terms));
    CHECK_INT(terms.n, 1);
    CHECK_INT(terms.item[0].len, 200000);
    for (int i = 1; i < 200000; i += 2)
        text[i] = ' ';
    memset(text, 'b', 1);
    CHECK(assay_tokenize(worker, assay_slice_of(text), &terms));
    CHECK_INT(terms.n, 1); /* "a" is a stop word */
    assay_token_worker_free(worker);
}
