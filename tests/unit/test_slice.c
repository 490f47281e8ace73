/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buffer.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/notes.h"
#include "base/slice.h"
#include "testing.h"

TEST(slices_compare_as_unsigned_bytes)
{
    CHECK(assay_slice_eq(ASSAY_LIT(""), (assay_slice){NULL, 0}));
    CHECK(!assay_slice_eq(ASSAY_LIT("a"), ASSAY_LIT("b")));
    CHECK(!assay_slice_eq(ASSAY_LIT("a"), ASSAY_LIT("ab")));
    CHECK(assay_slice_cmp(ASSAY_LIT("a"), ASSAY_LIT("\xc3\xa9")) < 0);
    CHECK(assay_slice_cmp(ASSAY_LIT("a"), ASSAY_LIT("ab")) < 0);
    CHECK(assay_slice_cmp(ASSAY_LIT("b"), ASSAY_LIT("ab")) > 0);
    CHECK(assay_slice_cmp(ASSAY_LIT("ab"), ASSAY_LIT("ab")) == 0);
    CHECK(assay_slice_cmp((assay_slice){NULL, 0}, ASSAY_LIT("")) == 0);
}

TEST(beginnings_and_ends_are_found)
{
    CHECK(assay_slice_starts(ASSAY_LIT("abc"), "ab"));
    CHECK(!assay_slice_starts(ASSAY_LIT("a"), "ab"));
    CHECK(assay_slice_ends(ASSAY_LIT("x.gz"), ".gz"));
    CHECK(!assay_slice_ends(ASSAY_LIT("gz"), ".gz"));
    CHECK(assay_slice_is_nocase(ASSAY_LIT("NDCG"), "ndcg"));
    CHECK(!assay_slice_is_nocase(ASSAY_LIT("NDCG"), "ndc"));
}

TEST(trimming_leaves_what_is_inside)
{
    CHECK(assay_slice_is(assay_slice_trim(ASSAY_LIT(" \t a b\r\n")), "a b"));
    CHECK(assay_slice_is(assay_slice_trim(ASSAY_LIT(" \n")), ""));
    CHECK(assay_slice_is(assay_slice_trim((assay_slice){NULL, 0}), ""));
}

TEST(fields_are_split_at_white_space)
{
    assay_slice field[2];

    CHECK_INT(assay_slice_fields(ASSAY_LIT(" q1\tQ0  d1 \r"), field, 2), 3);
    CHECK(assay_slice_is(field[0], "q1"));
    CHECK(assay_slice_is(field[1], "Q0"));
    CHECK_INT(assay_slice_fields(ASSAY_LIT(" "), field, 2), 0);
    CHECK_INT(assay_slice_fields(ASSAY_LIT(""), field, 2), 0);
}

static int parts(const char *text, const char *want)
{
    assay_slice rest = assay_slice_of(text);
    assay_slice part;
    char got[100] = "";
    int n = 0;

    for (; assay_slice_part(&rest, ',', &part); n++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "<%.*s>", (int)part.len,
                 part.ptr);
    CHECK_STR(got, want);
    return n;
}

TEST(parts_are_split_at_the_separator)
{
    CHECK_INT(parts("a,,b", "<a><><b>"), 3);
    CHECK_INT(parts("a", "<a>"), 1);
    CHECK_INT(parts("a,", "<a>"), 1);
    CHECK_INT(parts(",a", "<><a>"), 2);
    CHECK_INT(parts("", ""), 0);
}

static bool reads_i64(const char *text, int64_t want)
{
    int64_t got = 0;

    return assay_slice_to_i64(assay_slice_of(text), &got) && got == want;
}

TEST(whole_numbers_are_read_to_their_limits)
{
    CHECK(reads_i64("0", 0));
    CHECK(reads_i64("-0", 0));
    CHECK(reads_i64("+7", 7));
    CHECK(reads_i64("007", 7));
    CHECK(reads_i64("9223372036854775807", INT64_MAX));
    CHECK(reads_i64("-9223372036854775808", INT64_MIN));
    CHECK(!reads_i64("9223372036854775808", 0));
    CHECK(!reads_i64("-9223372036854775809", 0));
    CHECK(!reads_i64("99999999999999999999999", 0));
    CHECK(!reads_i64("", 0));
    CHECK(!reads_i64("-", 0));
    CHECK(!reads_i64("1 ", 1));
    CHECK(!reads_i64("1.0", 1));
}

TEST(smaller_whole_numbers_have_smaller_limits)
{
    int32_t i = 5;
    uint32_t u = 5;

    CHECK(assay_slice_to_i32(ASSAY_LIT("-2147483648"), &i) && i == INT32_MIN);
    CHECK(!assay_slice_to_i32(ASSAY_LIT("2147483648"), &i) && i == INT32_MIN);
    CHECK(assay_slice_to_u32(ASSAY_LIT("4294967295"), &u) && u == UINT32_MAX);
    CHECK(!assay_slice_to_u32(ASSAY_LIT("4294967296"), &u));
    CHECK(!assay_slice_to_u32(ASSAY_LIT("-1"), &u));
}

TEST(distance_counts_edits)
{
    CHECK_INT(assay_slice_distance(ASSAY_LIT("recall"), ASSAY_LIT("recall")), 0);
    CHECK_INT(assay_slice_distance(ASSAY_LIT("recal"), ASSAY_LIT("recall")), 1);
    CHECK_INT(assay_slice_distance(ASSAY_LIT("rceall"), ASSAY_LIT("recall")), 1);
    CHECK_INT(assay_slice_distance(ASSAY_LIT("RCeall"), ASSAY_LIT("recall")), 1);
    CHECK_INT(assay_slice_distance(ASSAY_LIT("kitten"), ASSAY_LIT("sitting")), 3);
    CHECK_INT(assay_slice_distance(ASSAY_LIT(""), ASSAY_LIT("abc")), 3);
}

TEST(lines_end_with_lf_or_crlf_or_the_text)
{
    assay_lines in = assay_lines_of("f", ASSAY_LIT("\xef\xbb\xbf"
                                                   "a\r\n\nb"));
    assay_slice line;

    CHECK(assay_lines_next(&in, &line) && assay_slice_is(line, "a") && in.line == 1);
    CHECK(assay_lines_next(&in, &line) && assay_slice_is(line, "") && in.line == 2);
    CHECK(assay_lines_next(&in, &line) && assay_slice_is(line, "b") && in.line == 3);
    CHECK(!assay_lines_next(&in, &line));
}

TEST(a_place_has_a_line_number)
{
    assay_slice text = ASSAY_LIT("a\nb\nc");

    CHECK_INT(assay_lines_number(text, text.ptr), 1);
    CHECK_INT(assay_lines_number(text, text.ptr + 1), 1);
    CHECK_INT(assay_lines_number(text, text.ptr + 2), 2);
    CHECK_INT(assay_lines_number(text, text.ptr + 5), 3);
}

TEST(a_message_is_one_line_without_control_characters)
{
    assay_error err;

    CHECK(assay_fail(&err, ASSAY_EUSAGE, "no '%s'", "a\nb\r\x1b[31m") == ASSAY_EUSAGE);
    CHECK_STR(err.text, "no 'a b  [31m'");
    CHECK(err.status == ASSAY_EUSAGE);
    CHECK(assay_fail_at(&err, "f", 0, "x") == ASSAY_EINPUT);
    CHECK_STR(err.text, "f: x");
    CHECK(assay_fail(NULL, ASSAY_ENOMEM, "x") == ASSAY_ENOMEM);
}

TEST(a_message_too_long_is_cut)
{
    static char path[3000];
    assay_error err;

    memset(path, 'p', sizeof path - 1);
    CHECK(assay_fail_at(&err, path, 3, "what") == ASSAY_EINPUT);
    CHECK(strlen(err.text) == sizeof err.text - 1);
    CHECK(assay_fail(&err, ASSAY_EUSAGE, "%s", path) == ASSAY_EUSAGE);
    CHECK(strlen(err.text) == sizeof err.text - 1);
}

TEST(buffers_grow)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    CHECK(assay_slice_is(assay_buffer_view(&b), ""));
    for (int i = 0; i < 1000; i++)
        assay_buffer_printf(&b, "%d,", i % 10);
    CHECK_INT(b.len, 2000);
    CHECK(memcmp(b.ptr + 1990, "5,6,7,8,9,", 10) == 0);
    assay_buffer_clear(&b);
    assay_buffer_double(&b, 0.25);
    assay_buffer_char(&b, ' ');
    assay_buffer_slice(&b, ASSAY_LIT("x"));
    CHECK(assay_slice_is(assay_buffer_view(&b), "0.25 x"));
    assay_buffer_clear(&b);
}

TEST(a_buffer_that_cannot_grow_keeps_its_failure)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    assay_buffer_text(&b, "x");
    CHECK(assay_buffer_reserve(&b, SIZE_MAX) == NULL);
    CHECK(b.has_failed);
    assay_buffer_text(&b, "y");
    CHECK_INT(b.len, 1);
    assay_buffer_clear(&b);
    CHECK(!b.has_failed);
}

TEST(notes_are_kept_in_order)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_notes notes = {0};

    for (int i = 0; i < 20; i++)
        CHECK(assay_notes_add(&notes, &arena, "note %d", i));
    CHECK_INT(notes.n, 20);
    CHECK_STR(notes.text[0], "note 0");
    CHECK_STR(notes.text[19], "note 19");
    assay_notes_clear(&notes);
    assay_arena_clear(&arena);
}
