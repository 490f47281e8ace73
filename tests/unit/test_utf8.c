/* SPDX-License-Identifier: Apache-2.0 */
#include "base/slice.h"
#include "base/utf8.h"
#include "testing.h"

/* A second opinion, written the other way round: decode, then judge the number. */
static size_t valid_by_decoding(const unsigned char *p, size_t len)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t at = 0;

    while (at < len) {
        size_t n = p[at] < 0x80 ? 1 : p[at] >> 5 == 6 ? 2 : p[at] >> 4 == 14 ? 3 : 4;
        uint32_t code = n == 1 ? p[at] : p[at] & (0xFFU >> (n + 1));

        if (p[at] >= 0xF8 || (p[at] >= 0x80 && p[at] < 0xC0) || at + n > len)
            return at;
        for (size_t i = 1; i < n; i++) {
            if (p[at + i] >> 6 != 2)
                return at;
            code = code << 6 | (p[at + i] & 0x3F);
        }
        if (code < least[n] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
            return at;
        at += n;
    }
    return len;
}

TEST(every_scalar_value_is_written_and_valid)
{
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        char out[4];
        size_t n;

        if (code >= 0xD800 && code <= 0xDFFF)
            continue;
        n = assay_utf8_put(code, out);
        CHECK(n == (code < 0x80 ? 1U : code < 0x800 ? 2U : code < 0x10000 ? 3U : 4U));
        CHECK(assay_utf8_is((assay_slice){out, n}));
        CHECK(assay_utf8_count((assay_slice){out, n}) == 1);
        /* Cut short it is broken, from its first byte on. */
        CHECK(n == 1 || assay_utf8_valid((assay_slice){out, n - 1}) == 0);
    }
}

TEST(all_sequences_of_three_bytes_are_judged_as_by_decoding)
{
    unsigned char s[4] = {0, 0, 0, 0x80};

    for (uint32_t i = 0; i < 1U << 24; i++) {
        s[0] = (unsigned char)(i >> 16);
        s[1] = (unsigned char)(i >> 8);
        s[2] = (unsigned char)i;
        /* With a fourth byte where only that can make it whole. */
        if (assay_utf8_valid((assay_slice){(char *)s, s[0] < 0xF0 ? 3 : 4}) !=
            valid_by_decoding(s, s[0] < 0xF0 ? 3 : 4))
            check_failed(__FILE__, __LINE__, "%02x %02x %02x", s[0], s[1], s[2]);
    }
}

TEST(a_bad_byte_is_found_behind_any_number_of_others)
{
    char text[64];

    for (size_t n = 0; n < sizeof text; n++) {
        memset(text, 'a', sizeof text);
        text[n] = (char)0xFF;
        CHECK(assay_utf8_valid((assay_slice){text, sizeof text}) == n);
        CHECK(assay_utf8_valid((assay_slice){text, n}) == n);
    }
}

TEST(surrogates_and_overlong_forms_are_bad)
{
    CHECK(!assay_utf8_is(ASSAY_LIT("\xed\xa0\x80")));
    CHECK(!assay_utf8_is(ASSAY_LIT("\xed\xbf\xbf")));
    CHECK(!assay_utf8_is(ASSAY_LIT("\xc0\x80")));
    CHECK(!assay_utf8_is(ASSAY_LIT("\xc1\xbf")));
    CHECK(!assay_utf8_is(ASSAY_LIT("\xe0\x9f\xbf")));
    CHECK(!assay_utf8_is(ASSAY_LIT("\xf0\x8f\xbf\xbf")));
    CHECK(!assay_utf8_is(ASSAY_LIT("\xf4\x90\x80\x80")));
    CHECK(assay_utf8_is(ASSAY_LIT("\xef\xbf\xbf")));
}

TEST(one_replacement_stands_for_the_longest_start_of_a_character)
{
    /* As Unicode recommends: table 3-8 of the standard. */
    CHECK(assay_utf8_bad(ASSAY_LIT("\xff")) == 1);
    CHECK(assay_utf8_bad(ASSAY_LIT("\x80")) == 1);
    CHECK(assay_utf8_bad(ASSAY_LIT("\xc0\xaf")) == 1);
    CHECK(assay_utf8_bad(ASSAY_LIT("\xe6\x97")) == 2);
    CHECK(assay_utf8_bad(ASSAY_LIT("\xe6\x97z")) == 2);
    CHECK(assay_utf8_bad(ASSAY_LIT("\xed\xa0\x80")) == 1);
    CHECK(assay_utf8_bad(ASSAY_LIT("\xf0\x9f\x98")) == 3);
    CHECK(assay_utf8_bad(ASSAY_LIT("\xf4\x90\x80\x80")) == 1);
}

TEST(characters_are_counted)
{
    CHECK(assay_utf8_count(ASSAY_LIT("")) == 0);
    CHECK(assay_utf8_count(ASSAY_LIT("na\xc3\xafve")) == 5);
    CHECK(assay_utf8_count(ASSAY_LIT("\xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80")) == 4);
}

TEST(nothing_is_valid)
{
    CHECK(assay_utf8_is((assay_slice){NULL, 0}));
}
