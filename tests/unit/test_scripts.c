/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/scripts.h"

#include "base/slice.h"
#include "testing.h"

static uint64_t count(const char *script, assay_slice text)
{
    uint64_t letters[ASSAY_SCRIPTS_MOST] = {0};
    const char *name;

    assay_scripts_count(text, letters);
    for (size_t i = 0; (name = assay_script_name(i)) != NULL; i++)
        if (strcmp(name, script) == 0)
            return letters[i];
    check_failed(__FILE__, __LINE__, "no script '%s'", script);
    return 0;
}

TEST(letters_are_counted_by_script)
{
    CHECK_INT(count("Latin", ASSAY_LIT("abc ABC é ü ß Ａ")), 10);
    CHECK_INT(count("Hangul", ASSAY_LIT("한국어 abc")), 3);
    CHECK_INT(count("Han", ASSAY_LIT("漢字かな")), 2);
    CHECK_INT(count("Kana", ASSAY_LIT("漢字かなカナ")), 4);
    CHECK_INT(count("Cyrillic", ASSAY_LIT("Привет")), 6);
    CHECK_INT(count("Greek", ASSAY_LIT("αβγ")), 3);
    CHECK_INT(count("Hebrew", ASSAY_LIT("שלום")), 4);
    CHECK_INT(count("Arabic", ASSAY_LIT("سلام")), 4);
    CHECK_INT(count("other", ASSAY_LIT("ᚠᚢ")), 2);
}

TEST(digits_signs_and_broken_bytes_count_for_nothing)
{
    static const char *const script[] = {"Latin", "Han", "other"};

    for (size_t i = 0; i < 3; i++)
        CHECK_INT(count(script[i], ASSAY_LIT("123 !? \xff\xfe €5 [@`{")), 0);
}

TEST(there_is_room_for_every_script)
{
    size_t n = 0;

    while (assay_script_name(n))
        n++;
    CHECK(n <= ASSAY_SCRIPTS_MOST);
    CHECK_STR(assay_script_name(n - 1), "other");
}
