/* SPDX-License-Identifier: Apache-2.0 */
/* Where sentences end. */
#include "base/scan.h"
#include "base/slice.h"
#include "testing.h"
#include "text/sentences.h"

/* The sentences of `text`, with | between them. */
static const char *split(const char *text)
{
    static char shown[4096];
    assay_slice s = assay_slice_of(text);
    size_t n = 0;

    shown[0] = '\0';
    for (size_t at = 0; at < s.len;) {
        size_t end = assay_sentence_end(s, at);

        CHECK(end > at && end <= s.len);
        n += (size_t)snprintf(shown + n, sizeof shown - n, "%s%.*s", at ? "|" : "",
                              (int)(end - at), text + at);
        at = end;
        while (at < s.len && assay_scan_is_space(text[at]))
            at++;
    }
    return shown;
}

TEST(latin_sentences_end_at_stops)
{
    CHECK_STR(split("One. Two! Three? Four"), "One.|Two!|Three?|Four");
    CHECK_STR(split("He said \"no.\" Then he left."), "He said \"no.\"|Then he left.");
    CHECK_STR(split("Wait... What?! Yes."), "Wait...|What?!|Yes.");
    CHECK_STR(split("It is (really.) So."), "It is (really.)|So.");
    CHECK_STR(split("\"Why?\" he asked. Nobody knew."),
              "\"Why?\" he asked.|Nobody knew.");
}

TEST(abbreviations_initials_and_numbers_end_nothing)
{
    CHECK_STR(split("Dr. Kim and Mr. Lee met. They spoke."),
              "Dr. Kim and Mr. Lee met.|They spoke.");
    CHECK_STR(split("J. R. Smith wrote it. See p. 12 and fig. 3."),
              "J. R. Smith wrote it.|See p. 12 and fig. 3.");
    CHECK_STR(split("Pi is 3.14 or so. Version 1.2.3 is out."),
              "Pi is 3.14 or so.|Version 1.2.3 is out.");
    CHECK_STR(split("e.g. This one, i.e. That."), "e.g. This one, i.e. That.");
    CHECK_STR(split("1. Write it. 2. Send it."), "1. Write it.|2. Send it.");
    CHECK_STR(split("approx. five files, etc. and more"),
              "approx. five files, etc. and more");
    CHECK_STR(split("See example.com for it. Done."), "See example.com for it.|Done.");
    CHECK_STR(split("In the U.S. Army it is so."), "In the U.S. Army it is so.");
}

TEST(korean_sentences_end_with_or_without_a_blank)
{
    CHECK_STR(split("환불은 승인됩니다. 언제요? 지금요!"),
              "환불은 승인됩니다.|언제요?|지금요!");
    CHECK_STR(split("승인했다.그리고 끝났다."), "승인했다.|그리고 끝났다.");
    CHECK_STR(split("2024. 5. 3. 시행한다. 끝."), "2024. 5. 3.|시행한다.|끝.");
    CHECK_STR(split("버전 3.5를 쓴다. 좋다."), "버전 3.5를 쓴다.|좋다.");
    CHECK_STR(split("그는 \"간다.\"라고 말했다. 끝."), "그는 \"간다.\"라고 말했다.|끝.");
}

TEST(chinese_and_japanese_stops_need_no_blank)
{
    CHECK_STR(split("中文句子。第二句！第三？"), "中文句子。|第二句！|第三？");
    CHECK_STR(split("「はい。」次です。"), "「はい。」|次です。");
    CHECK_STR(split("半角｡次"), "半角｡|次");
}

TEST(a_blank_line_ends_a_sentence_and_a_line_break_does_not)
{
    CHECK_STR(split("no stop\ngoes on\n\nnext"), "no stop\ngoes on|next");
    CHECK_STR(split("a\r\n\r\nb"), "a|b");
    CHECK_STR(split("a\n \t\nb"), "a|b");
}

TEST(broken_text_ends_too)
{
    CHECK_STR(split("\xFF\xFE. \xE3\x80 x"), "\xFF\xFE.|\xE3\x80 x");
    CHECK_STR(split("\xEF"), "\xEF");
    CHECK_STR(split("..."), "...");
}
