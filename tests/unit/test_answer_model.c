/* SPDX-License-Identifier: Apache-2.0 */
/* What a model is told and what it says: prompts, replies, markers.  With a server it is
 * tested in tests/server/answerers.sh. */
#include "testing.h"

#include "answer/chat_reply.h"
#include "answer/markers.h"
#include "answer/prompt.h"
#include "base/compiler.h"
#include "base/file.h"
#include "base/slice.h"

static assay_arena arena;

/* ---- markers ---- */

static const char *markers(const char *text)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_markers got;
    char *list;

    CHECK(assay_markers_find(assay_slice_of(text), &arena, &got));
    for (size_t i = 0; i < got.n; i++)
        assay_buffer_printf(&out, "%s%u", i ? " " : "", got.number[i]);
    list = assay_arena_string(&arena, assay_buffer_view(&out));
    assay_buffer_clear(&out);
    return list;
}

TEST(markers_are_read_in_order_and_as_often_as_they_stand_there)
{
    CHECK_STR(markers("A [#2]. B [#1][#2], C [#12]."), "2 1 2 12");
    CHECK_STR(markers("one bracket for two [#1, #3] or [#4;5]"), "1 3 4 5");
    CHECK_STR(markers("환불은 30일 안에 됩니다[#1]."), "1");
}

TEST(plain_numbers_count_only_where_no_marker_has_its_sign)
{
    CHECK_STR(markers("A [1]. B [2, 3]."), "1 2 3");
    CHECK_STR(markers("in a[2] of it [#1]"), "1");
    CHECK_STR(markers("see [1](https://example.org) and [2]"), "2");
}

TEST(what_only_looks_like_a_marker_is_none)
{
    CHECK_STR(markers(""), "");
    CHECK_STR(markers("[] [#] [a] [#0] [0] [2019] [#1234] [1 [#2 3] [-1] [1.5] #3 (4)"),
              "");
}

/* ---- replies ---- */

static assay_status parse(const char *text, assay_chat_reply *out, assay_error *err)
{
    return assay_chat_reply_read("http://h/v1", assay_slice_of(text), &arena, out, err);
}

TEST(a_reply_has_text_and_counts)
{
    assay_chat_reply r;
    assay_error err;

    CHECK_INT(
        parse("{\"choices\":[{\"message\":{\"content\":\" yes [#1]\\n\"}}],\"usage\":"
              "{\"prompt_tokens\":5,\"completion_tokens\":2}}",
              &r, &err),
        ASSAY_OK);
    CHECK(assay_slice_is(r.text, "yes [#1]"));
    CHECK_INT(r.prompt_tokens, 5);
    CHECK_INT(r.completion_tokens, 2);
    CHECK_INT(parse("{\"choices\":[{\"message\":{\"content\":\"y\"}}],\"usage\":null}",
                    &r, &err),
              ASSAY_OK);
    CHECK_INT(r.prompt_tokens, -1);
}

TEST(a_refusal_in_a_field_of_its_own_is_what_it_says)
{
    assay_chat_reply r;
    assay_error err;

    CHECK_INT(
        parse("{\"choices\":[{\"message\":{\"content\":null,\"refusal\":\"I can't\"}}]}",
              &r, &err),
        ASSAY_OK);
    CHECK(assay_slice_is(r.text, "I can't"));
}

TEST(thoughts_that_never_end_leave_nothing)
{
    assay_chat_reply r;
    assay_error err;

    CHECK_INT(
        parse("{\"choices\":[{\"message\":{\"content\":\"<think>hm [#1]\"}}]}", &r, &err),
        ASSAY_OK);
    CHECK_INT(r.text.len, 0);
}

TEST(replies_of_another_shape_are_the_fault_of_the_server)
{
    static const struct {
        const char *text;
        const char *words;
    } cases[] = {
        {"", "http://h/v1:1"},
        {"<html>", "http://h/v1:1:1"},
        {"[]", "no JSON object"},
        {"{}", "no 'choices'"},
        {"{\"choices\":[]}", "no 'choices'"},
        {"{\"choices\":{\"message\":1}}", "no 'choices'"},
        {"{\"choices\":[3]}", "no 'message'"},
        {"{\"choices\":[{\"message\":\"x\"}]}", "no 'message'"},
        {"{\"choices\":[{\"message\":{}}]}", "no 'content'"},
        {"{\"choices\":[{\"message\":{\"content\":7}}]}", "is no text"},
        {"{\"error\":\"busy\"}", "the server says 'busy'"},
        {"{\"error\":{\"message\":\"no model\",\"code\":1}}",
         "the server says 'no model'"},
        {"{\"error\":{\"code\":1}}", "the server says that it failed"},
    };

    for (size_t i = 0; i < ASSAY_COUNT(cases); i++) {
        assay_chat_reply r;
        assay_error err;

        CHECK_INT(parse(cases[i].text, &r, &err), ASSAY_ESYSTEM);
        CHECK_INT(err.status, ASSAY_ESYSTEM);
        if (!strstr(err.text, cases[i].words))
            check_failed(__FILE__, __LINE__, "'%s' lacks '%s'", err.text, cases[i].words);
    }
}

/* ---- prompts ---- */

static const assay_source_chunk chunks[] = {
    {.doc = {"a.md", 4}, .title = {"Fees", 4}, .text = {"Ships {query} pay.\n", 19}},
    {.doc = {"b.md", 4}, .title = {"", 0}, .text = {"Boats pay half.", 15}},
};

static const char *prompt(const assay_prompt *p, uint32_t budget, uint32_t *n_used)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    char *text;

    assay_prompt_write(p, ASSAY_LIT("who {chunks} pays?"), chunks, 2, budget, &out,
                       n_used);
    text = assay_arena_string(&arena, assay_buffer_view(&out));
    assay_buffer_clear(&out);
    return text;
}

TEST(chunks_and_query_are_put_in_once_and_left_alone)
{
    const assay_prompt p = {ASSAY_LIT(""), ASSAY_LIT("<{chunks}|{query}>"), "x"};
    uint32_t n;

    CHECK_STR(prompt(&p, 1000, &n), "<[#1] a.md (Fees)\nShips {query} pay.\n\n[#2] b.md\n"
                                    "Boats pay half.\n\n|who {chunks} pays?>");
    CHECK_INT(n, 2);
}

TEST(the_budget_counts_three_bytes_a_token_and_leaves_one_chunk)
{
    const assay_prompt p = {ASSAY_LIT("sys"), ASSAY_LIT("{chunks}{query}"), "x"};
    /* template and query, then the chunks with their heads and empty lines */
    const uint32_t around = 3 + 15 + 18;
    const uint32_t first = 17 + 18 + 2;
    const uint32_t second = 10 + 15 + 2;
    uint32_t n;

    CHECK_INT((around + first + second) % 3, 1);
    prompt(&p, (around + first + second) / 3 + 1, &n);
    CHECK_INT(n, 2);
    prompt(&p, (around + first + second) / 3, &n);
    CHECK_INT(n, 1);
    prompt(&p, 1, &n);
    CHECK_INT(n, 1);
}

TEST(a_template_of_ones_own_has_two_parts_and_a_version)
{
    const assay_slice text = ASSAY_LIT("Be short.\n---\n{query}\n{chunks}\n");
    assay_prompt p, again;
    assay_error err;

    CHECK_INT(assay_file_save("t.txt", text, &err), ASSAY_OK);
    CHECK_INT(assay_prompt_load("t.txt", &arena, &p, &err), ASSAY_OK);
    CHECK(assay_slice_is(p.system, "Be short."));
    CHECK(assay_slice_is(p.user, "{query}\n{chunks}"));
    CHECK(strncmp(p.version, "sha256:", 7) == 0);
    CHECK_INT(strlen(p.version), 7 + 16);
    CHECK_INT(assay_file_save("t.txt", ASSAY_LIT("{query}{chunks}"), &err), ASSAY_OK);
    CHECK_INT(assay_prompt_load("t.txt", &arena, &again, &err), ASSAY_OK);
    CHECK_INT(again.system.len, 0);
    CHECK(strcmp(p.version, again.version) != 0);
    CHECK_INT(assay_file_save("t.txt", ASSAY_LIT("{query}{chunks}{query}"), &err), 0);
    CHECK_INT(assay_prompt_load("t.txt", &arena, &again, &err), ASSAY_EINPUT);
    CHECK(strstr(err.text, "t.txt:1: a template needs") == err.text);
}

TEST(ours_has_a_name)
{
    assay_prompt p;
    assay_error err;

    CHECK_INT(assay_prompt_load(NULL, &arena, &p, &err), ASSAY_OK);
    CHECK_STR(p.version, ASSAY_PROMPT_VERSION);
}
