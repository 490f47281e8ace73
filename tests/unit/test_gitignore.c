/* SPDX-License-Identifier: Apache-2.0 */
#include "testing.h"

#include "base/arena.h"
#include "base/slice.h"
#include "corpus/gitignore.h"

static bool glob(const char *pattern, const char *text)
{
    return assay_gitignore_glob(assay_slice_of(pattern), assay_slice_of(text));
}

/* 'i' = ignored, 'k' = kept, '-' = no rule. */
static char verdict(const char *rules, const char *path, bool is_folder)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_gitignore read;
    assay_gitignore_verdict v;

    CHECK(assay_gitignore_read(assay_slice_of(rules), &arena, &read));
    v = assay_gitignore_match(&read, assay_slice_of(path), is_folder);
    assay_arena_clear(&arena);
    return "-ik"[v];
}

TEST(a_star_stops_at_a_slash_and_two_between_slashes_do_not)
{
    CHECK(glob("*.c", "x.c") && glob("*.c", ".c") && !glob("*.c", "x.cc"));
    CHECK(!glob("*.c", "a/x.c") && glob("a/*.c", "a/x.c"));
    CHECK(glob("**/x", "x") && glob("**/x", "a/x") && glob("**/x", "a/b/x"));
    CHECK(!glob("**/x", "ax") && !glob("**/x", "a/bx"));
    CHECK(glob("a/**/b", "a/b") && glob("a/**/b", "a/x/y/b") && !glob("a/**/b", "ab"));
    CHECK(glob("a/**", "a/x/y") && !glob("a/**", "a"));
    CHECK(glob("a**b", "axxb") && !glob("a**b", "a/b"));
    CHECK(glob("**/a*b/**/c", "x/y/a1b/z/c") && !glob("**/a*b/**/c", "x/a1c/z/c"));
    CHECK(glob("a?c", "abc") && !glob("a?c", "a/c") && !glob("a?c", "ac"));
}

TEST(brackets_hold_ranges_classes_and_escapes)
{
    CHECK(glob("[abc]", "b") && !glob("[abc]", "d") && glob("[a-c]x", "bx"));
    CHECK(glob("[!a]", "b") && !glob("[!a]", "a") && glob("[^a]", "b"));
    CHECK(glob("[]x]", "]") && glob("[!]x]", "a") && !glob("[!]x]", "]"));
    CHECK(glob("[a-]", "-") && glob("[\\]]", "]") && glob("[\\--0]", "."));
    CHECK(glob("[[:digit:]a]", "7") && glob("[[:digit:]a]", "a"));
    CHECK(!glob("[[:digit:]]", "x") && !glob("[[:nonsense:]]", "x"));
    CHECK(!glob("[abc", "a") && !glob("[abc", "[abc") && !glob("a[^b]c", "a/c"));
}

TEST(a_backslash_takes_the_next_character_as_it_is)
{
    CHECK(glob("\\*", "*") && !glob("\\*", "x") && glob("a\\?", "a?"));
    CHECK(!glob("a\\", "a\\") && !glob("a\\", "a") && glob("\\\\", "\\"));
}

TEST(many_stars_do_not_take_forever)
{
    char pattern[2001];
    char text[2001];

    for (size_t i = 0; i < 2000; i += 2)
        memcpy(pattern + i, "*a", 2);
    memset(text, 'a', 2000);
    pattern[1999] = 'b';
    pattern[2000] = text[2000] = '\0';
    CHECK(!glob(pattern, text));
    for (size_t i = 0; i + 4 <= 2000; i += 4)
        memcpy(pattern + i, "**/a", 4);
    for (size_t i = 0; i < 2000; i += 2)
        memcpy(text + i, "a/", 2);
    text[1999] = 'c';
    CHECK(!glob(pattern, text));
}

TEST(the_last_rule_that_matches_decides)
{
    CHECK_INT(verdict("*.log\n!keep.log\n", "a.log", false), 'i');
    CHECK_INT(verdict("*.log\n!keep.log\n", "d/keep.log", false), 'k');
    CHECK_INT(verdict("!keep.log\n*.log\n", "keep.log", false), 'i');
    CHECK_INT(verdict("*.log\n", "a.txt", false), '-');
}

TEST(a_slash_ties_a_rule_to_its_folder)
{
    CHECK_INT(verdict("/a\n", "a", false), 'i');
    CHECK_INT(verdict("/a\n", "b/a", false), '-');
    CHECK_INT(verdict("a\n", "b/a", false), 'i');
    CHECK_INT(verdict("b/a\n", "b/a", false), 'i');
    CHECK_INT(verdict("b/a\n", "c/b/a", false), '-');
    CHECK_INT(verdict("a/\n", "b/a", true), 'i');
    CHECK_INT(verdict("a/\n", "b/a", false), '-');
    CHECK_INT(verdict("**/a/c\n", "x/y/a/c", false), 'i');
}

TEST(comments_blanks_and_line_ends_are_read_as_git_does)
{
    CHECK_INT(verdict("#a\n", "#a", false), '-');
    CHECK_INT(verdict("\\#a\n", "#a", false), 'i');
    CHECK_INT(verdict("\\!a\n", "!a", false), 'i');
    CHECK_INT(verdict("a   \n", "a", false), 'i');
    CHECK_INT(verdict("a\\ \n", "a ", false), 'i');
    CHECK_INT(verdict("a\\  \n", "a ", false), 'i');
    CHECK_INT(verdict("a b\n", "a b", false), 'i');
    CHECK_INT(verdict("a\r\nb\r\n", "a", false), 'i');
    CHECK_INT(verdict("\xef\xbb\xbf"
                      "a\n",
                      "a", false),
              'i');
    CHECK_INT(verdict("a\nb", "b", false), 'i');
    CHECK_INT(verdict("\n\n/\n!\n", "", true), '-');
    CHECK_INT(verdict("", "a", false), '-');
}
