/* SPDX-License-Identifier: Apache-2.0 */
/* JSON: every class of what the grammar takes and refuses, places in messages, and that
 * what is written reads back. */
#include <float.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/slice.h"
#include "testing.h"

static const char *const kind_name[] = {
    [ASSAY_JSON_END] = "END",      [ASSAY_JSON_NULL] = "null",
    [ASSAY_JSON_FALSE] = "false",  [ASSAY_JSON_TRUE] = "true",
    [ASSAY_JSON_NUMBER] = "n",     [ASSAY_JSON_STRING] = "s",
    [ASSAY_JSON_KEY] = "k",        [ASSAY_JSON_LIST] = "[",
    [ASSAY_JSON_LIST_END] = "]",   [ASSAY_JSON_OBJECT] = "{",
    [ASSAY_JSON_OBJECT_END] = "}",
};

static assay_error err;
static char told[100000]; /* the tokens, each with a blank behind it */

/* Read all of `text`; the tokens are in told, what was wrong in err. */
static assay_status read_slice(assay_slice text)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_json json = {0};
    assay_json_token token;
    assay_status st;
    size_t n = 0;

    err.text[0] = '\0';
    assay_json_init(&json, "f", 1, text, &arena);
    do {
        st = assay_json_next(&json, &token, &err);
        if (st)
            break;
        n += (size_t)snprintf(told + n, sizeof told - n, "%s", kind_name[token.kind]);
        if (token.kind == ASSAY_JSON_NUMBER || token.kind == ASSAY_JSON_STRING ||
            token.kind == ASSAY_JSON_KEY)
            n += (size_t)snprintf(told + n, sizeof told - n, ":%.*s", (int)token.text.len,
                                  token.text.ptr);
        n += (size_t)snprintf(told + n, sizeof told - n, " ");
        CHECK(n < sizeof told - 1);
    } while (token.kind != ASSAY_JSON_END);
    assay_json_clear(&json);
    assay_arena_clear(&arena);
    return st;
}

/* The same from memory of exactly that size, so that the sanitizer sees every byte read
 * beyond it. */
static assay_status read_text(const char *text, size_t len)
{
    char *copy = malloc(len ? len : 1);
    assay_status st;

    CHECK(copy != NULL);
    memcpy(copy, text, len);
    st = read_slice((assay_slice){copy, len});
    free(copy);
    return st;
}

static void takes(const char *text, const char *tokens)
{
    if (read_text(text, strlen(text)))
        check_failed(__FILE__, __LINE__, "refused '%s': %s", text, err.text);
    CHECK_STR(told, tokens);
}

static void refuses(const char *text, const char *message)
{
    if (read_text(text, strlen(text)) != ASSAY_EINPUT)
        check_failed(__FILE__, __LINE__, "took '%s'", text);
    CHECK_STR(err.text, message);
}

TEST(each_kind_of_value_stands_alone)
{
    takes("null", "null END ");
    takes("true", "true END ");
    takes("false", "false END ");
    takes("0", "n:0 END ");
    takes("\"\"", "s: END ");
    takes("[]", "[ ] END ");
    takes("{}", "{ } END ");
}

TEST(nesting_comes_in_order)
{
    takes("{\"a\":[1,{\"b\":null},[]],\"c\":{}}",
          "{ k:a [ n:1 { k:b null } [ ] ] k:c { } } END ");
}

TEST(white_space_may_stand_between_all_tokens)
{
    takes(" \t\r\n{ \"a\" : [ 1 , 2 ] , \"b\" : true } \n",
          "{ k:a [ n:1 n:2 ] k:b true } END ");
}

TEST(other_white_space_is_refused)
{
    refuses("\f1", "f:1:1: want a value, found byte 0x0c");
    refuses("\v1", "f:1:1: want a value, found byte 0x0b");
    refuses("\xc2\xa0"
            "1",
            "f:1:1: want a value, found '\xc2\xa0'");
}

TEST(numbers_of_the_grammar_are_kept_as_written)
{
    static const char *const good[] = {
        "0",
        "-0",
        "1",
        "-1",
        "10",
        "9007199254740993",
        "0.5",
        "-0.5",
        "1.0",
        "1e5",
        "1E5",
        "1e+5",
        "1e-5",
        "0e0",
        "-0e1",
        "1.5e9",
        "1e999999999",
        "123456789012345678901234567890",
        "0.00000000000000000000000001",
    };

    for (size_t i = 0; i < ASSAY_COUNT(good); i++) {
        char want[100];

        snprintf(want, sizeof want, "n:%s END ", good[i]);
        takes(good[i], want);
    }
}

TEST(what_is_nearly_a_number_is_refused)
{
    static const char *const bad[] = {
        "01",   "-01",   "00", "1.",   "-",     "-.5", "1e",  "1e+",       "1e-",  "1.e1",
        "1.5.", "1e5.5", "1a", "0x10", "1_000", "--1", "1+1", "-Infinity", "1ee5", "-a",
    };

    for (size_t i = 0; i < ASSAY_COUNT(bad); i++) {
        char want[100];

        snprintf(want, sizeof want, "f:1:1: '%s' is not a JSON number", bad[i]);
        refuses(bad[i], want);
    }
    refuses("+1", "f:1:1: want a value, found '+1'");
    refuses(".5", "f:1:1: want a value, found '.5'");
    refuses("NaN", "f:1:1: want a value, found 'NaN'");
    refuses("Infinity", "f:1:1: want a value, found 'Infinity'");
}

TEST(literals_are_whole_and_in_lower_case)
{
    refuses("nul", "f:1:1: want a value, found 'nul'");
    refuses("nullx", "f:1:1: want a value, found 'nullx'");
    refuses("True", "f:1:1: want a value, found 'True'");
    refuses("truefalse", "f:1:1: want a value, found 'truefalse'");
    refuses("fals", "f:1:1: want a value, found 'fals'");
}

TEST(escapes_are_undone)
{
    takes("\"a\\\"b\\\\c\\/d\"", "s:a\"b\\c/d END ");
    takes("\"\\b\\f\\n\\r\\t\"", "s:\b\f\n\r\t END ");
    takes("\"\\u0041\\u00e9\\u65E5\"", "s:A\xc3\xa9\xe6\x97\xa5 END ");
    takes("\"\\ud83d\\ude00 and more\"", "s:\xf0\x9f\x98\x80 and more END ");
    takes("\"\\uDBFF\\uDFFF\"", "s:\xf4\x8f\xbf\xbf END ");
    takes("{\"a\\u0062\":1}", "{ k:ab n:1 } END ");
    takes("\"0123456\\n89abcdef\\t0123456789\\\\\"",
          "s:0123456\n89abcdef\t0123456789\\ END ");
}

TEST(an_escaped_nul_is_a_byte_like_others)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_json json = {0};
    assay_json_token token;

    assay_json_init(&json, "f", 1, ASSAY_LIT("\"a\\u0000b\""), &arena);
    CHECK(assay_json_next(&json, &token, &err) == ASSAY_OK);
    CHECK(token.text.len == 3 && memcmp(token.text.ptr, "a\0b", 3) == 0);
    assay_json_clear(&json);
    assay_arena_clear(&arena);
}

TEST(bad_escapes_are_refused)
{
    refuses("\"\\x41\"", "f:1:3: want an escape (one of \"\\/bfnrtu), found 'x41'");
    refuses("\"\\'\"", "f:1:3: want an escape (one of \"\\/bfnrtu), found '''");
    refuses("\"\\\xc3\xa9\"",
            "f:1:3: want an escape (one of \"\\/bfnrtu), found '\xc3\xa9'");
    refuses("\"\\u12\"", "f:1:2: want four hexadecimal digits behind \\u");
    refuses("\"\\u12g4\"", "f:1:2: want four hexadecimal digits behind \\u");
    refuses("\"\\U0041\"", "f:1:3: want an escape (one of \"\\/bfnrtu), found 'U0041'");
}

TEST(half_a_surrogate_pair_is_refused)
{
    refuses("\"\\ud800\"", "f:1:2: '\\ud800' is half of a surrogate pair");
    refuses("\"\\udc00\"", "f:1:2: '\\udc00' is half of a surrogate pair");
    refuses("\"\\ud800x\"", "f:1:2: '\\ud800' is half of a surrogate pair");
    refuses("\"\\ud800\\n0000\"", "f:1:2: '\\ud800' is half of a surrogate pair");
    refuses("\"\\ud800\\u0041\"", "f:1:2: '\\ud800' is half of a surrogate pair");
    refuses("\"\\ud800\\ud800\"", "f:1:2: '\\ud800' is half of a surrogate pair");
    refuses("\"\\udc00\\ud800\"", "f:1:2: '\\udc00' is half of a surrogate pair");
}

TEST(strings_end_before_the_text_does)
{
    refuses("\"", "f:1:1: string without an end");
    refuses("\"abc", "f:1:1: string without an end");
    refuses("\"abcdefghijklmnop", "f:1:1: string without an end");
    refuses("\"abc\\\"", "f:1:1: string without an end");
    refuses("\"abc\\", "f:1:1: string without an end");
    refuses("[\"a]", "f:1:2: string without an end");
}

TEST(control_characters_in_strings_are_refused)
{
    for (int c = 1; c < 0x20; c++) {
        char text[] = "\"0123456789a?\"";
        char want[100];

        text[12] = (char)c;
        snprintf(want, sizeof want,
                 "f:1:13: control character 0x%02x in a string; write \\u%04x", c, c);
        refuses(text, want);
    }
    refuses("\"a\\\n\"", "f:1:4: control character 0x0a in a string; write \\u000a");
    takes("\"\x7f\"", "s:\x7f END ");
}

TEST(nul_bytes_are_refused)
{
    CHECK(read_text("\"a\0b\"", 5) == ASSAY_EINPUT);
    CHECK_STR(err.text, "f:1:3: control character 0x00 in a string; write \\u0000");
    CHECK(read_text("1\0", 2) == ASSAY_EINPUT);
    CHECK_STR(err.text, "f:1:2: want nothing behind the value, found byte 0x00");
    CHECK(read_text("\0", 1) == ASSAY_EINPUT);
    CHECK_STR(err.text, "f:1:1: want a value, found byte 0x00");
}

TEST(broken_utf8_is_refused_wherever_it_stands)
{
    refuses("\"\xff\"", "f:1:2: byte 0xff is not UTF-8");
    refuses("\"abcdefghijk\x80\"", "f:1:13: byte 0x80 is not UTF-8");
    refuses("\"\xc0\xaf\"", "f:1:2: byte 0xc0 is not UTF-8");
    refuses("\"\xed\xa0\x80\"", "f:1:2: byte 0xed is not UTF-8");
    refuses("\"\xe6\x97\"", "f:1:2: byte 0xe6 is not UTF-8");
    refuses("\"\\n\xf5\"", "f:1:4: byte 0xf5 is not UTF-8");
    refuses("{\"\xff\":1}", "f:1:3: byte 0xff is not UTF-8");
    refuses("\xff", "f:1:1: want a value, found byte 0xff");
}

TEST(text_in_other_scripts_is_read)
{
    takes("[\"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\",\"na\xc3\xafve plain text\"]",
          "[ s:\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e s:na\xc3\xafve plain text ] END ");
}

TEST(strings_of_every_length_are_scanned)
{
    for (size_t len = 0; len < 40; len++) {
        char text[50];
        char want[60];

        text[0] = '"';
        memset(text + 1, 'x', len);
        memcpy(text + 1 + len, "\"", 2);
        snprintf(want, sizeof want, "s:%.*s END ", (int)len, text + 1);
        takes(text, want);
        /* The same with something to undo at its end. */
        memcpy(text + 1 + len, "\\t\"", 4);
        snprintf(want, sizeof want, "s:%.*s\t END ", (int)len, text + 1);
        takes(text, want);
    }
}

TEST(commas_stand_between_items_only)
{
    refuses("[1,]", "f:1:4: want a value, found ']'");
    refuses("[,1]", "f:1:2: want a value, found ','");
    refuses("[1,,2]", "f:1:4: want a value, found ','");
    refuses("[1 2]", "f:1:4: want ',' or ']', found '2'");
    refuses("{\"a\":1,}", "f:1:8: want a key in quotes, found '}'");
    refuses("{,}", "f:1:2: want a key in quotes, found ','");
    refuses("{\"a\":1 \"b\":2}", "f:1:8: want ',' or '}', found '\"'");
}

TEST(keys_are_strings_with_a_colon)
{
    refuses("{\"a\" 1}", "f:1:6: want ':' behind a key, found '1'");
    refuses("{\"a\"}", "f:1:5: want ':' behind a key, found '}'");
    refuses("{\"a\":}", "f:1:6: want a value, found '}'");
    refuses("{a:1}", "f:1:2: want a key in quotes, found 'a'");
    refuses("{'a':1}", "f:1:2: want a key in quotes, found '''");
    refuses("{1:1}", "f:1:2: want a key in quotes, found '1'");
    refuses("{\"a\"::1}", "f:1:6: want a value, found ':'");
    refuses("[\"a\":1]", "f:1:5: want ',' or ']', found ':'");
}

TEST(brackets_match)
{
    refuses("[", "f:1:2: want a value, but the text ends here");
    refuses("{", "f:1:2: want a key in quotes, but the text ends here");
    refuses("[1", "f:1:3: want ',' or ']', but the text ends here");
    refuses("{\"a\":1", "f:1:7: want ',' or '}', but the text ends here");
    refuses("{\"a\":", "f:1:6: want a value, but the text ends here");
    refuses("{\"a\"", "f:1:5: want ':' behind a key, but the text ends here");
    refuses("[1}", "f:1:3: want ',' or ']', found '}'");
    refuses("{\"a\":1]", "f:1:7: want ',' or '}', found ']'");
    refuses("]", "f:1:1: want a value, found ']'");
    refuses("[]]", "f:1:3: want nothing behind the value, found ']'");
}

TEST(there_is_one_value)
{
    refuses("", "f:1:1: want a value, but the text ends here");
    refuses(" \n", "f:2:1: want a value, but the text ends here");
    refuses("1 2", "f:1:3: want nothing behind the value, found '2'");
    refuses("{}{}", "f:1:3: want nothing behind the value, found '{'");
    refuses("1,", "f:1:2: want nothing behind the value, found ','");
    refuses("// no\n1", "f:1:1: want a value, found '/'");
    refuses("/* no */1", "f:1:1: want a value, found '/'");
}

TEST(a_byte_order_mark_is_passed_over_once)
{
    takes("\xef\xbb\xbf"
          "1",
          "n:1 END ");
    refuses("\xef\xbb\xbf\xef\xbb\xbf"
            "1",
            "f:1:1: want a value, found '\xef\xbb\xbf'");
    refuses("\xef\xbb\xbf", "f:1:1: want a value, but the text ends here");
    refuses("1\xef\xbb\xbf",
            "f:1:2: want nothing behind the value, found '\xef\xbb\xbf'");
}

TEST(two_hundred_levels_are_enough)
{
    char text[2 * ASSAY_JSON_DEPTH + 4];

    memset(text, '[', ASSAY_JSON_DEPTH);
    memset(text + ASSAY_JSON_DEPTH, ']', ASSAY_JSON_DEPTH);
    CHECK(read_text(text, 2 * ASSAY_JSON_DEPTH) == ASSAY_OK);

    memset(text, '[', ASSAY_JSON_DEPTH + 1);
    CHECK(read_text(text, ASSAY_JSON_DEPTH + 1) == ASSAY_EINPUT);
    CHECK_STR(err.text, "f:1:201: nested more than 200 levels deep");
}

TEST(ten_thousand_levels_are_refused_without_a_crash)
{
    enum { N = 10000 };
    char *text = malloc(N * 5);

    CHECK(text != NULL);
    memset(text, '[', N);
    CHECK(read_slice((assay_slice){text, N}) == ASSAY_EINPUT);
    CHECK_STR(err.text, "f:1:201: nested more than 200 levels deep");
    for (size_t i = 0; i < N; i++)
        memcpy(text + i * 5, "{\"a\":", 5);
    CHECK(read_slice((assay_slice){text, N * 5}) == ASSAY_EINPUT);
    /* The 201st brace stands behind 200 times five characters. */
    CHECK_STR(err.text, "f:1:1001: nested more than 200 levels deep");
    free(text);
}

TEST(a_key_that_comes_twice_is_refused)
{
    refuses("{\"a\":1,\n \"b\":2,\n \"a\":3}",
            "f:3:2: key 'a' comes twice; first in line 1");
    refuses("{\"ab\":1,\"a\\u0062\":2}", "f:1:9: key 'ab' comes twice; first in line 1");
    refuses("{\"\":1,\"\":2}", "f:1:7: key '' comes twice; first in line 1");
    refuses("{\"a\":{\"b\":1,\"b\":2}}", "f:1:13: key 'b' comes twice; first in line 1");
}

TEST(the_same_key_in_different_objects_is_fine)
{
    takes("[{\"a\":1},{\"a\":2}]", "[ { k:a n:1 } { k:a n:2 } ] END ");
    takes("{\"a\":{\"a\":{\"a\":1}}}", "{ k:a { k:a { k:a n:1 } } } END ");
    takes("{\"a\":{\"b\":1},\"b\":{\"a\":1}}",
          "{ k:a { k:b n:1 } k:b { k:a n:1 } } END ");
}

/* {"k0":0,...}, `n` keys, `last` behind them. */
static assay_buffer many_keys(size_t n, const char *last)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    assay_buffer_char(&b, '{');
    for (size_t i = 0; i < n; i++)
        assay_buffer_printf(&b, "%s\"k%zu\":0", i ? "," : "", i);
    assay_buffer_printf(&b, "%s}", last);
    CHECK(!b.has_failed);
    return b;
}

/* Read without writing the tokens down. */
static assay_status pass(assay_slice text)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_json json = {0};
    assay_json_token token;
    assay_status st;

    assay_json_init(&json, "f", 1, text, &arena);
    st = assay_json_next(&json, &token, &err);
    if (!st)
        st = assay_json_skip(&json, token, &err);
    if (!st)
        st = assay_json_next(&json, &token, &err);
    CHECK(st || token.kind == ASSAY_JSON_END);
    assay_json_clear(&json);
    assay_arena_clear(&arena);
    return st;
}

TEST(duplicates_are_found_in_objects_of_every_size)
{
    for (size_t n = 1; n < 200; n++) {
        assay_buffer good = many_keys(n, "");
        assay_buffer first = many_keys(n, ",\"k0\":1");
        char again[30];
        assay_buffer last;

        snprintf(again, sizeof again, ",\"k%zu\":1", n - 1);
        last = many_keys(n, again);
        CHECK(pass(assay_buffer_view(&good)) == ASSAY_OK);
        CHECK(pass(assay_buffer_view(&first)) == ASSAY_EINPUT);
        CHECK(strstr(err.text, "key 'k0' comes twice") != NULL);
        CHECK(pass(assay_buffer_view(&last)) == ASSAY_EINPUT);
        assay_buffer_clear(&good);
        assay_buffer_clear(&first);
        assay_buffer_clear(&last);
    }
}

TEST(large_objects_inside_large_objects_do_not_mix_their_keys)
{
    assay_buffer inner = many_keys(100, "");
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    /* The keys of each level are k0 to k99, and the inner object is the value of k50. */
    for (int level = 0; level < 5; level++) {
        assay_buffer_text(&b, "{");
        for (int i = 0; i < 50; i++)
            assay_buffer_printf(&b, "\"k%d\":0,", i);
        assay_buffer_text(&b, "\"k50\":");
    }
    assay_buffer_slice(&b, assay_buffer_view(&inner));
    for (int level = 0; level < 5; level++) {
        for (int i = 51; i < 100; i++)
            assay_buffer_printf(&b, ",\"k%d\":0", i);
        /* In the outermost, a key from before the inner object comes again. */
        assay_buffer_text(&b, level == 4 ? ",\"k7\":0}" : "}");
    }
    CHECK(pass(assay_buffer_view(&b)) == ASSAY_EINPUT);
    CHECK(strstr(err.text, "key 'k7' comes twice") != NULL);
    b.len -= strlen(",\"k7\":0}");
    assay_buffer_text(&b, "}");
    CHECK(pass(assay_buffer_view(&b)) == ASSAY_OK);
    assay_buffer_clear(&b);
    assay_buffer_clear(&inner);
}

TEST(a_million_keys_are_read_in_a_moment)
{
    /* Compared each with each they would take hours, not a moment. */
    assay_buffer b = many_keys(1000000, ",\"k999999\":0");

    CHECK(pass(assay_buffer_view(&b)) == ASSAY_EINPUT);
    CHECK(strstr(err.text, "key 'k999999' comes twice") != NULL);
    assay_buffer_clear(&b);
}

TEST(messages_count_lines_and_characters)
{
    refuses("[\n1,\n  x]", "f:3:3: want a value, found 'x'");
    /* Column 6: two e with acute in front of it are two characters. */
    refuses("[\"\xc3\xa9\xc3\xa9\" x]", "f:1:7: want ',' or ']', found 'x'");
    refuses("[\r\n1,\r\nx]", "f:3:1: want a value, found 'x'");
}

TEST(a_line_of_a_longer_file_has_its_number)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_json json = {0};
    assay_json_token token;

    assay_json_init(&json, "runs.jsonl", 17, ASSAY_LIT("{x"), &arena);
    CHECK(assay_json_next(&json, &token, &err) == ASSAY_OK);
    CHECK(assay_json_next(&json, &token, &err) == ASSAY_EINPUT);
    CHECK_STR(err.text, "runs.jsonl:17:2: want a key in quotes, found 'x'");
    CHECK(assay_json_fail(&json, token.at, &err, "want %s", "hits") == ASSAY_EINPUT);
    CHECK_STR(err.text, "runs.jsonl:17:1: want hits");
    assay_json_clear(&json);
    assay_arena_clear(&arena);
}

TEST(a_reader_is_used_again_after_a_failure)
{
    assay_buffer large = many_keys(100, ",\"k3\":1");
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_json json = {0};
    assay_json_token token;

    for (int i = 0; i < 3; i++) {
        assay_json_init(&json, "f", 1, assay_buffer_view(&large), &arena);
        CHECK(assay_json_next(&json, &token, &err) == ASSAY_OK);
        CHECK(assay_json_skip(&json, token, &err) == ASSAY_EINPUT);
    }
    assay_json_init(&json, "f", 1, ASSAY_LIT("{\"k3\":1}"), &arena);
    CHECK(assay_json_next(&json, &token, &err) == ASSAY_OK);
    CHECK(assay_json_skip(&json, token, &err) == ASSAY_OK);
    assay_json_clear(&json);
    assay_arena_clear(&arena);
    assay_buffer_clear(&large);
}

TEST(strings_without_escapes_are_slices_of_the_input)
{
    static const char text[] = "\"plain \xc3\xa9\"";
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_json json = {0};
    assay_json_token token;

    assay_json_init(&json, "f", 1, ASSAY_LIT("\"plain \xc3\xa9\""), &arena);
    assay_json_init(&json, "f", 1, (assay_slice){text, sizeof text - 1}, &arena);
    CHECK(assay_json_next(&json, &token, &err) == ASSAY_OK);
    CHECK(token.text.ptr == text + 1);
    CHECK(arena.head == NULL);
    assay_json_clear(&json);
}

TEST(skip_passes_over_one_value)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_json json = {0};
    assay_json_token token;

    assay_json_init(&json, "f", 1, ASSAY_LIT("{\"a\":[1,[2],{\"x\":3}],\"b\":4}"),
                    &arena);
    CHECK(assay_json_next(&json, &token, &err) == ASSAY_OK); /* { */
    CHECK(assay_json_next(&json, &token, &err) == ASSAY_OK); /* a */
    CHECK(assay_json_next(&json, &token, &err) == ASSAY_OK); /* [ */
    CHECK(assay_json_skip(&json, token, &err) == ASSAY_OK);
    CHECK(assay_json_next(&json, &token, &err) == ASSAY_OK);
    CHECK(token.kind == ASSAY_JSON_KEY && assay_slice_is(token.text, "b"));
    CHECK(assay_json_next(&json, &token, &err) == ASSAY_OK);
    CHECK(assay_json_skip(&json, token, &err) == ASSAY_OK); /* a scalar: nothing to do */
    CHECK(assay_json_next(&json, &token, &err) == ASSAY_OK);
    CHECK(token.kind == ASSAY_JSON_OBJECT_END);
    assay_json_clear(&json);
    assay_arena_clear(&arena);
}

TEST(the_end_comes_as_often_as_asked_for)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_json json = {0};
    assay_json_token token;

    assay_json_init(&json, "f", 1, ASSAY_LIT("7 "), &arena);
    CHECK(assay_json_next(&json, &token, &err) == ASSAY_OK);
    for (int i = 0; i < 3; i++) {
        CHECK(assay_json_next(&json, &token, &err) == ASSAY_OK);
        CHECK(token.kind == ASSAY_JSON_END);
    }
    assay_json_clear(&json);
}

#ifdef ASSAY_TEST
TEST(without_memory_reading_says_so)
{
    assay_buffer large = many_keys(100, ",\"esc\\naped\":1");

    for (uint64_t n = 1;; n++) {
        assay_status st;

        assay_mem_fail_after(n);
        st = pass(assay_buffer_view(&large));
        if (!assay_mem_has_failed())
            break;
        CHECK(st == ASSAY_ENOMEM);
        CHECK_STR(err.text, "out of memory while reading JSON");
    }
    assay_mem_fail_after(0);
    assay_buffer_clear(&large);
}
#endif

/* ---- writing ---- */

/* What `write` writes with `indent`, as text. */
static const char *written(void (*write)(assay_json_writer *), int indent)
{
    static char text[2000];
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_json_writer w = assay_json_writer_of(&out, indent);

    write(&w);
    CHECK(!out.has_failed && out.len < sizeof text);
    snprintf(text, sizeof text, "%.*s", (int)out.len, out.ptr);
    assay_buffer_clear(&out);
    return text;
}

static void write_sample(assay_json_writer *w)
{
    assay_json_object(w);
    assay_json_key(w, "name");
    assay_json_text(w, "a");
    assay_json_key(w, "none");
    assay_json_list(w);
    assay_json_list_end(w);
    assay_json_key(w, "rows");
    assay_json_list(w);
    assay_json_flat_object(w);
    assay_json_key_slice(w, ASSAY_LIT("x"));
    assay_json_int(w, 1);
    assay_json_key(w, "y");
    assay_json_list(w);
    assay_json_int(w, 2);
    assay_json_int(w, 3);
    assay_json_list_end(w);
    assay_json_object_end(w);
    assay_json_bool(w, true);
    assay_json_null(w);
    assay_json_list_end(w);
    assay_json_object_end(w);
}

TEST(written_on_one_line_there_are_no_blanks)
{
    CHECK_STR(written(write_sample, 0),
              "{\"name\":\"a\",\"none\":[],\"rows\":[{\"x\":1,\"y\":[2,3]},true,null]}");
}

TEST(written_with_indent_flat_parts_stay_on_their_line)
{
    CHECK_STR(written(write_sample, 2), "{\n"
                                        "  \"name\": \"a\",\n"
                                        "  \"none\": [],\n"
                                        "  \"rows\": [\n"
                                        "    {\"x\": 1, \"y\": [2, 3]},\n"
                                        "    true,\n"
                                        "    null\n"
                                        "  ]\n"
                                        "}");
}

static void write_strings(assay_json_writer *w)
{
    assay_json_list(w);
    assay_json_string(w, ASSAY_LIT("q\"b\\s/\b\f\n\r\t\x01\x1f\x7f"));
    assay_json_string(w, (assay_slice){"a\0b", 3});
    assay_json_string(w, ASSAY_LIT("\xe6\x97\xa5"));
    assay_json_string(w, ASSAY_LIT("x\xffy\xe6\x97z\xed\xa0\x80"));
    assay_json_string(w, (assay_slice){NULL, 0});
    assay_json_list_end(w);
}

TEST(strings_are_written_escaped_and_repaired)
{
    /* A truncated character is one replacement, each byte of a surrogate is another. */
    CHECK_STR(
        written(write_strings, 0),
        "[\"q\\\"b\\\\s/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\",\"a\\u0000b\","
        "\"\xe6\x97\xa5\","
        "\"x\xef\xbf\xbdy\xef\xbf\xbdz\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\",\"\"]");
}

static void write_numbers(assay_json_writer *w)
{
    assay_json_list(w);
    assay_json_int(w, 0);
    assay_json_int(w, INT64_MAX);
    assay_json_int(w, INT64_MIN);
    assay_json_double(w, 0.1);
    assay_json_double(w, 1.0 / 3);
    assay_json_double(w, -0.0);
    assay_json_double(w, 1e300);
    assay_json_double(w, DBL_MIN);
    assay_json_double(w, NAN);
    assay_json_double(w, INFINITY);
    assay_json_list_end(w);
}

TEST(numbers_are_written_so_that_they_read_back)
{
    CHECK_STR(written(write_numbers, 0),
              "[0,9223372036854775807,-9223372036854775808,0.1,0.3333333333333333,-0,"
              "1e+300,2.2250738585072014e-308,null,null]");
    CHECK(read_text(written(write_numbers, 0), strlen(written(write_numbers, 0))) == 0);
}

TEST(what_is_written_reads_back)
{
    takes(
        written(write_sample, 0),
        "{ k:name s:a k:none [ ] k:rows [ { k:x n:1 k:y [ n:2 n:3 ] } true null ] } END ");
    takes(
        written(write_sample, 4),
        "{ k:name s:a k:none [ ] k:rows [ { k:x n:1 k:y [ n:2 n:3 ] } true null ] } END ");
}
