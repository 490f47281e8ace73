/* SPDX-License-Identifier: Apache-2.0 */
/* Differences by lines, and edits of texts. */
#include "base/diff.h"

#include "base/edits.h"
#include "base/node.h"
#include "base/slice.h"
#include "testing.h"

static const char *diff(const char *a, const char *b)
{
    static char text[2000];
    assay_buffer out = ASSAY_BUFFER_EMPTY;

    CHECK(assay_diff("a", assay_slice_of(a), "b", assay_slice_of(b), 1, &out));
    snprintf(text, sizeof text, "%.*s", (int)out.len, assay_buffer_view(&out).ptr);
    assay_buffer_clear(&out);
    return text;
}

TEST(equal_texts_have_no_difference)
{
    CHECK_STR(diff("", ""), "");
    CHECK_STR(diff("a\nb\n", "a\nb\n"), "");
}

TEST(a_changed_line_stands_between_its_neighbours)
{
    CHECK_STR(diff("1\n2\n3\n4\n5\n", "1\n2\nx\n4\n5\n"),
              "--- a\n+++ b\n@@ -2,3 +2,3 @@\n 2\n-3\n+x\n 4\n");
}

TEST(changes_far_apart_are_hunks_of_their_own)
{
    CHECK_STR(diff("1\n2\n3\n4\n5\n6\n", "x\n2\n3\n4\n5\ny\n"),
              "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-1\n+x\n 2\n@@ -5,2 +5,2 @@\n 5\n-6\n+y\n");
}

TEST(nothing_on_one_side_is_a_range_of_no_lines)
{
    CHECK_STR(diff("", "a\n"), "--- a\n+++ b\n@@ -0,0 +1 @@\n+a\n");
    CHECK_STR(diff("a\n", ""), "--- a\n+++ b\n@@ -1 +0,0 @@\n-a\n");
}

TEST(a_last_line_without_an_end_is_said)
{
    CHECK_STR(diff("a", "b\n"),
              "--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n");
}

/* Thousands of lines, none of which is left: no search, one block. */
TEST(texts_that_share_nothing_are_taken_out_and_put_in)
{
    assay_buffer a = ASSAY_BUFFER_EMPTY;
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    size_t n = 0;

    for (int i = 0; i < 3000; i++) {
        assay_buffer_printf(&a, "a %d\n", i);
        assay_buffer_printf(&b, "b %d\n", i);
    }
    CHECK(assay_diff("a", assay_buffer_view(&a), "b", assay_buffer_view(&b), 3, &out));
    for (size_t i = 0; i < out.len; i++)
        n += out.ptr[i] == '\n';
    CHECK_INT(n, 2 + 1 + 6000);
    assay_buffer_clear(&a);
    assay_buffer_clear(&b);
    assay_buffer_clear(&out);
}

TEST(edits_are_made_by_place_and_must_not_overlap)
{
    const assay_slice text = ASSAY_LIT("0123456789");
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_edits edits = {0};

    CHECK(assay_edits_add(&edits, &arena, 8, 10, ASSAY_LIT("z")));
    CHECK(assay_edits_add(&edits, &arena, 2, 4, ASSAY_LIT("")));
    CHECK(assay_edits_add(&edits, &arena, 5, 5, ASSAY_LIT("a")));
    CHECK(assay_edits_add(&edits, &arena, 5, 5, ASSAY_LIT("b")));
    CHECK(assay_edits_apply(&edits, text, &out));
    CHECK(assay_slice_is(assay_buffer_view(&out), "014ab567z"));
    CHECK(assay_edits_add(&edits, &arena, 3, 6, ASSAY_LIT("x")));
    CHECK(!assay_edits_apply(&edits, text, &out));
    assay_edits_clear(&edits);
    assay_buffer_clear(&out);
    assay_arena_clear(&arena);
}

/* What a node says of its bytes. */
static bool stands_at(const char *text, const assay_node *node, const char *want)
{
    return assay_slice_is((assay_slice){text + node->at, node->end - node->at}, want);
}

TEST(yaml_nodes_know_their_bytes)
{
    static const char text[] = "\xc3\xa9: {k: [\xed\x95\x9c, \"two\"], m: 3} # x\n"
                               "b:\n"
                               "  - one\n"
                               "  - |\n"
                               "    lines\n"
                               "    more\n"
                               "\n"
                               "c: &here {d: e}\n"
                               "f: *here\n";
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_error err;
    assay_node *root;
    const assay_node *map;

    CHECK(assay_node_yaml("x", assay_slice_of(text), &arena, &root, &err) == ASSAY_OK);
    map = root->child;
    CHECK(map->is_flow && map->key_at == 0);
    CHECK(stands_at(text, map, "{k: [\xed\x95\x9c, \"two\"], m: 3}"));
    CHECK(stands_at(text, map->child, "[\xed\x95\x9c, \"two\"]"));
    CHECK(stands_at(text, map->child->child, "\xed\x95\x9c"));
    CHECK(stands_at(text, map->child->child->next, "\"two\""));
    CHECK(text[assay_node_get(map, "m")->key_at] == 'm');
    CHECK(!assay_node_get(root, "b")->is_flow);
    CHECK(
        stands_at(text, assay_node_get(root, "b"), "- one\n  - |\n    lines\n    more"));
    CHECK(stands_at(text, assay_node_get(root, "f"), "*here"));
    assay_arena_clear(&arena);
}
