/* SPDX-License-Identifier: Apache-2.0 */
/* Trees from JSON and YAML: kinds, lines, and what is refused. */
#include "base/buffer.h"
#include "base/mem.h"
#include "base/node.h"
#include "base/slice.h"
#include "testing.h"

static assay_error err;
static assay_arena arena;
static assay_node *root;

typedef assay_status reader(const char *path, assay_slice text, assay_arena *arena,
                            assay_node **out, assay_error *err);

static void parse(reader *read, const char *text)
{
    assay_arena_clear(&arena);
    root = NULL;
    if (read("f", assay_slice_of(text), &arena, &root, &err))
        check_failed(__FILE__, __LINE__, "refused '%s': %s", text, err.text);
    CHECK(root != NULL);
}

static void refuses(reader *read, const char *text, const char *message)
{
    assay_arena_clear(&arena);
    root = NULL;
    if (read("f", assay_slice_of(text), &arena, &root, &err) != ASSAY_EINPUT)
        check_failed(__FILE__, __LINE__, "took '%s'", text);
    CHECK_STR(err.text, message);
    CHECK(root == NULL);
    assay_arena_clear(&arena);
}

static const assay_node *get(const assay_node *map, const char *key)
{
    const assay_node *node = assay_node_get(map, key);

    if (!node)
        check_failed(__FILE__, __LINE__, "no '%s'", key);
    return node;
}

/* The kind and text of the only value in a document. */
static void is_scalar(const char *text, assay_node_kind kind, const char *want)
{
    parse(assay_node_yaml, text);
    if (root->kind != kind)
        check_failed(__FILE__, __LINE__, "'%s' is %s, want %s", text,
                     assay_node_kind_name(root->kind), assay_node_kind_name(kind));
    if (!assay_slice_is(root->text, want))
        check_failed(__FILE__, __LINE__, "'%s' has text '%.*s'", text,
                     ASSAY_QUOTE(root->text));
}

TEST(json_becomes_a_tree_with_lines)
{
    const assay_node *list;

    parse(assay_node_json, "{\"a\": 1,\n \"list\":\n  [true, null, \"x\",\n   2.5]}");

    CHECK(root->kind == ASSAY_NODE_MAP && root->n == 2 && root->line == 1);
    CHECK(get(root, "a")->kind == ASSAY_NODE_INT && get(root, "a")->integer == 1);
    CHECK(get(root, "a")->number == 1.0);
    list = get(root, "list");
    CHECK(list->kind == ASSAY_NODE_LIST && list->n == 4);
    CHECK_INT(list->key_line, 2);
    CHECK_INT(list->line, 3);
    CHECK(list->child->kind == ASSAY_NODE_BOOL && list->child->integer == 1);
    CHECK(list->child->next->kind == ASSAY_NODE_NULL);
    CHECK(assay_slice_is(list->child->next->next->text, "x"));
    CHECK_INT(list->child->next->next->next->line, 4);
    CHECK(list->child->next->next->next->kind == ASSAY_NODE_NUMBER);
    CHECK(list->child->next->next->next->number == 2.5);
    CHECK(list->child->next->next->next->next == NULL);
}

TEST(json_numbers_beyond_int64_are_doubles_with_their_text)
{
    parse(assay_node_json, "[9223372036854775807, 9223372036854775808, 1.0, 1e2]");
    CHECK(root->child->kind == ASSAY_NODE_INT && root->child->integer == INT64_MAX);
    CHECK(root->child->next->kind == ASSAY_NODE_NUMBER);
    CHECK(root->child->next->number == 0x1p63);
    CHECK(assay_slice_is(root->child->next->text, "9223372036854775808"));
    CHECK(root->child->next->next->kind == ASSAY_NODE_NUMBER);
    CHECK(root->child->next->next->next->kind == ASSAY_NODE_NUMBER);
    refuses(assay_node_json, "[1e999]", "f:1:2: number '1e999' does not fit a double");
}

TEST(json_faults_have_their_place)
{
    refuses(assay_node_json, "", "f:1:1: want a value, but the text ends here");
    refuses(assay_node_json, "{\"a\":1,\n\"a\":2}",
            "f:2:1: key 'a' comes twice; first in line 1");
}

TEST(yaml_becomes_a_tree_with_lines)
{
    const assay_node *q;

    parse(assay_node_yaml, "# a comment\n"
                           "version: 1\n"
                           "queries:\n"
                           "  - id: q-017\n"
                           "    tags: [refunds, 'two words']\n"
                           "  - id: q-018\n"
                           "    text: >\n"
                           "      folded\n"
                           "      text\n");

    CHECK(root->kind == ASSAY_NODE_MAP && root->n == 2);
    CHECK(get(root, "version")->integer == 1);
    CHECK_INT(get(root, "queries")->key_line, 3);
    q = get(root, "queries")->child;
    CHECK_INT(q->line, 4);
    CHECK(assay_slice_is(get(q, "id")->text, "q-017"));
    CHECK(get(q, "tags")->n == 2);
    CHECK_INT(get(q, "tags")->line, 5);
    CHECK(assay_slice_is(get(q, "tags")->child->next->text, "two words"));
    CHECK_INT(get(q->next, "id")->line, 6);
    CHECK(assay_slice_is(get(q->next, "text")->text, "folded text\n"));
    CHECK(q->next->next == NULL);
}

TEST(yaml_takes_json_and_crlf_and_a_byte_order_mark)
{
    parse(assay_node_yaml, "{\"a\": [1, \"x\\u00e9\"]}");
    CHECK(assay_slice_is(get(root, "a")->child->next->text, "x\xc3\xa9"));
    parse(assay_node_yaml, "a: 1\r\nb: x\r\n");
    CHECK(assay_slice_is(get(root, "b")->text, "x"));
    CHECK_INT(get(root, "b")->line, 2);
    parse(assay_node_yaml, "\xef\xbb\xbf"
                           "a: 1\n");
    CHECK(get(root, "a")->integer == 1);
}

TEST(plain_scalars_follow_the_core_schema)
{
    is_scalar("~", ASSAY_NODE_NULL, "~");
    is_scalar("null", ASSAY_NODE_NULL, "null");
    is_scalar("Null", ASSAY_NODE_NULL, "Null");
    is_scalar("true", ASSAY_NODE_BOOL, "true");
    CHECK(root->integer == 1);
    is_scalar("FALSE", ASSAY_NODE_BOOL, "FALSE");
    CHECK(root->integer == 0);
    is_scalar("0", ASSAY_NODE_INT, "0");
    is_scalar("-12", ASSAY_NODE_INT, "-12");
    CHECK(root->integer == -12 && root->number == -12.0);
    is_scalar("+12", ASSAY_NODE_INT, "+12");
    CHECK(root->integer == 12);
    is_scalar("0.5", ASSAY_NODE_NUMBER, "0.5");
    is_scalar(".5", ASSAY_NODE_NUMBER, ".5");
    is_scalar("1.", ASSAY_NODE_NUMBER, "1.");
    is_scalar("1e3", ASSAY_NODE_NUMBER, "1e3");
    CHECK(root->number == 1000.0);
    is_scalar("-1.5E-2", ASSAY_NODE_NUMBER, "-1.5E-2");
    is_scalar("99999999999999999999", ASSAY_NODE_NUMBER, "99999999999999999999");
}

TEST(ids_that_look_like_numbers_keep_their_spelling)
{
    is_scalar("007", ASSAY_NODE_INT, "007");
    CHECK(root->integer == 7);
    is_scalar("1_000", ASSAY_NODE_STRING, "1_000");
    is_scalar("0x1F", ASSAY_NODE_STRING, "0x1F");
    is_scalar("0o17", ASSAY_NODE_STRING, "0o17");
    is_scalar("12e4567", ASSAY_NODE_STRING, "12e4567");
    is_scalar("2024-01-02", ASSAY_NODE_STRING, "2024-01-02");
    is_scalar("1.2.3", ASSAY_NODE_STRING, "1.2.3");
}

TEST(words_of_older_yaml_are_strings)
{
    static const char *const word[] = {"yes", "no",   "on",   "off",   "y",    "n",
                                       "Yes", ".inf", ".nan", "-.inf", "nUll", "tRue"};

    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
        is_scalar(word[i], ASSAY_NODE_STRING, word[i]);
}

TEST(quoted_scalars_are_strings)
{
    is_scalar("'1'", ASSAY_NODE_STRING, "1");
    is_scalar("\"true\"", ASSAY_NODE_STRING, "true");
    is_scalar("''", ASSAY_NODE_STRING, "");
    is_scalar("|\n 12\n", ASSAY_NODE_STRING, "12\n");
}

TEST(an_empty_document_is_null)
{
    is_scalar("", ASSAY_NODE_NULL, "");
    is_scalar("# only a comment\n", ASSAY_NODE_NULL, "");
    is_scalar("---\n", ASSAY_NODE_NULL, "");
    parse(assay_node_yaml, "a:\nb: 1\n");
    CHECK(get(root, "a")->kind == ASSAY_NODE_NULL);
}

TEST(aliases_stand_for_what_they_name)
{
    parse(assay_node_yaml, "base: &b {k: 5, l: [1, 2]}\n"
                           "copy: *b\n"
                           "list: [&x one, *x, *b]\n");
    CHECK(get(get(root, "copy"), "k")->integer == 5);
    CHECK_INT(get(root, "copy")->line, 2);
    CHECK(assay_slice_is(get(root, "copy")->key, "copy"));
    CHECK(assay_slice_is(get(root, "base")->key, "base"));
    CHECK(get(root, "list")->n == 3);
    CHECK(assay_slice_is(get(root, "list")->child->next->text, "one"));
    CHECK(get(get(root, "list")->child->next->next, "l")->n == 2);
}

TEST(an_anchor_may_be_given_anew)
{
    parse(assay_node_yaml, "a: &x 1\nb: *x\nc: &x 2\nd: *x\n");
    CHECK(get(root, "b")->integer == 1);
    CHECK(get(root, "d")->integer == 2);
}

TEST(aliases_without_an_end_are_refused)
{
    refuses(assay_node_yaml, "a: &x [1, *x]\n",
            "f:1: alias '*x' stands for what holds it");
    refuses(assay_node_yaml, "a: *x\n", "f:1: no anchor '&x' above");
}

TEST(a_billion_laughs_are_refused)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    /* a0 has 10 nodes, each other one 1 + 9 times as many as the one before.  a0 to a6
     * are 6 million together; a7, in line 8, is 48 million. */
    assay_buffer_text(&b, "a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol]\n");
    for (int i = 1; i < 10; i++) {
        assay_buffer_printf(&b, "a%d: &a%d [*a%d", i, i, i - 1);
        for (int j = 1; j < 9; j++)
            assay_buffer_printf(&b, ",*a%d", i - 1);
        assay_buffer_text(&b, "]\n");
    }
    assay_buffer_char(&b, '\0');
    refuses(assay_node_yaml, b.ptr,
            "f:8: more than 10000000 nodes with all aliases followed");
    assay_buffer_clear(&b);
}

TEST(aliases_cannot_nest_deeper_than_brackets)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    /* Line i is a list of a list ... of line i - 1: two levels more each. */
    assay_buffer_text(&b, "a0: &a0 [1]\n");
    for (int i = 1; i < 150; i++)
        assay_buffer_printf(&b, "a%d: &a%d [[*a%d]]\n", i, i, i - 1);
    assay_buffer_char(&b, '\0');
    /* a<i> has 1 + 2 i levels and stands in a map: 1 + 1 + 2 * 100 > 200. */
    refuses(assay_node_yaml, b.ptr, "f:101: nested more than 200 levels deep");
    assay_buffer_clear(&b);
}

TEST(deep_yaml_is_refused_without_a_crash)
{
    enum { N = 10000 };
    static char text[N + 1];

    memset(text, '[', N);
    refuses(assay_node_yaml, text, "f:1: nested more than 200 levels deep");
    for (size_t i = 0; i < N; i++)
        text[i] = "- "[i % 2];
    refuses(assay_node_yaml, text, "f:1: nested more than 200 levels deep");
}

TEST(yaml_keys_that_come_twice_name_both_lines)
{
    refuses(assay_node_yaml, "a: 1\nb: 2\na: 3\n",
            "f:3: key 'a' comes twice; first in line 1");
    refuses(assay_node_yaml, "- x: {a: 1,\n    a: 2}\n",
            "f:2: key 'a' comes twice; first in line 1");
    refuses(assay_node_yaml, "1: a\n'1': b\n",
            "f:2: key '1' comes twice; first in line 1");
}

TEST(yaml_with_many_keys_finds_duplicates)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    for (int i = 0; i < 5000; i++)
        assay_buffer_printf(&b, "k%d: {a: 1, b: 2}\n", i);
    assay_buffer_char(&b, '\0');
    parse(assay_node_yaml, b.ptr);
    CHECK_INT(root->n, 5000);
    b.len--;
    assay_buffer_text(&b, "k41: 0\n");
    assay_buffer_char(&b, '\0');
    refuses(assay_node_yaml, b.ptr, "f:5001: key 'k41' comes twice; first in line 42");
    assay_buffer_clear(&b);
}

TEST(yaml_that_we_do_not_read_is_refused)
{
    refuses(assay_node_yaml, "--- 1\n--- 2\n",
            "f:2: a second document begins here; want one a file");
    refuses(assay_node_yaml, "[a]: 1\n",
            "f:1: a key must be a word, not a list, map or alias");
    refuses(assay_node_yaml, "? {a: 1}\n: 1\n",
            "f:1: a key must be a word, not a list, map or alias");
    refuses(assay_node_yaml, "- &a x\n- *a : 1\n",
            "f:2: a key must be a word, not a list, map or alias");
    refuses(assay_node_yaml, "a: !!str 1\n",
            "f:1: tag 'tag:yaml.org,2002:str' is not read; leave it out");
    refuses(assay_node_yaml, "a: !mine [1]\n",
            "f:1: tag '!mine' is not read; leave it out");
    refuses(assay_node_yaml, "!!map {}\n",
            "f:1: tag 'tag:yaml.org,2002:map' is not read; leave it out");
}

TEST(bad_yaml_names_its_line)
{
    refuses(assay_node_yaml, "a:\n\t- b\n",
            "f:2: YAML cannot be indented with tabs; use blanks");
    refuses(assay_node_yaml, "a: 1\nb: [1, 2\n",
            "f:2: did not find expected ',' or ']' while parsing a flow sequence");
    refuses(assay_node_yaml, "a: 1\nb: \"x\n",
            "f:2: found unexpected end of stream while scanning a quoted scalar");
    refuses(assay_node_yaml, "a: b: c\n",
            "f:1: mapping values are not allowed in this context");
    refuses(assay_node_yaml, "a: 1\n b: 2\n",
            "f:2: mapping values are not allowed in this context");
    refuses(assay_node_yaml, "a: 1\nb: \x01\n",
            "f:2: control characters are not allowed (0x01)");
    refuses(assay_node_yaml, "a: 1\nb: \xff\n", "f:2: byte 0xff is not UTF-8");
    refuses(assay_node_yaml, "a: @x\n",
            "f:1: found character that cannot start any token while scanning for the "
            "next token");
}

TEST(get_of_what_is_not_there_is_null)
{
    parse(assay_node_yaml, "a: 1\n");
    CHECK(assay_node_get(root, "b") == NULL);
    CHECK(assay_node_get(get(root, "a"), "b") == NULL);
    CHECK(assay_node_get(NULL, "b") == NULL);
}

TEST(every_kind_has_a_name)
{
    CHECK_STR(assay_node_kind_name(ASSAY_NODE_NULL), "null");
    CHECK_STR(assay_node_kind_name(ASSAY_NODE_INT), "a whole number");
    CHECK_STR(assay_node_kind_name(ASSAY_NODE_MAP), "a map");
    assay_arena_clear(&arena);
}

#ifdef ASSAY_TEST
TEST(without_memory_trees_are_refused)
{
    static const struct {
        reader *read;
        const char *text;
    } file[] = {
        {assay_node_json, "{\"a\\n\":[1,2,{\"b\":null}]}"},
        {assay_node_yaml, "a: &x [1, {b: 2}]\nc: *x\n"},
    };

    for (size_t i = 0; i < 2; i++) {
        for (uint64_t n = 1;; n++) {
            assay_status st;

            assay_arena_clear(&arena);
            root = NULL;
            assay_mem_fail_after(n);
            st = file[i].read("f", assay_slice_of(file[i].text), &arena, &root, &err);
            if (!assay_mem_has_failed())
                break;
            CHECK(st == ASSAY_ENOMEM && root == NULL);
        }
        assay_mem_fail_after(0);
        CHECK(root != NULL);
    }
    assay_arena_clear(&arena);
}
#endif
