/* SPDX-License-Identifier: Apache-2.0 */
#include "base/dict.h"
#include "base/mem.h"
#include "base/slice.h"
#include "testing.h"

TEST(words_are_numbered_in_order_of_appearance)
{
    assay_dict dict = {0};
    uint32_t n;
    bool is_new;

    CHECK(assay_dict_put(&dict, NULL, ASSAY_LIT("b"), &n, &is_new) && n == 0 && is_new);
    CHECK(assay_dict_put(&dict, NULL, ASSAY_LIT("a"), &n, &is_new) && n == 1 && is_new);
    CHECK(assay_dict_put(&dict, NULL, ASSAY_LIT("b"), &n, &is_new) && n == 0 && !is_new);
    CHECK(assay_dict_put(&dict, NULL, ASSAY_LIT(""), &n, NULL) && n == 2);
    CHECK_INT(assay_dict_find(&dict, ASSAY_LIT("a")), 1);
    CHECK_INT(assay_dict_find(&dict, (assay_slice){NULL, 0}), 2);
    CHECK(assay_dict_find(&dict, ASSAY_LIT("c")) == ASSAY_NONE);
    CHECK_INT(dict.n, 3);
    assay_dict_clear(&dict);
    CHECK(assay_dict_find(&dict, ASSAY_LIT("a")) == ASSAY_NONE);
}

TEST(many_words_are_all_found)
{
    enum { N = 200000 };
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_dict dict = {0};
    char text[40];
    uint32_t n;

    for (int i = 0; i < N; i++) {
        snprintf(text, sizeof text, "%s%d", i % 3 ? "doc-" : "a-much-longer-name/", i);
        CHECK(assay_dict_put(&dict, &arena, assay_slice_of(text), &n, NULL));
        CHECK_INT(n, i);
    }
    for (int i = 0; i < N; i++) {
        snprintf(text, sizeof text, "%s%d", i % 3 ? "doc-" : "a-much-longer-name/", i);
        CHECK_INT(assay_dict_find(&dict, assay_slice_of(text)), i);
        CHECK(assay_slice_is(dict.word[i], text));
    }
    assay_dict_clear(&dict);
    assay_arena_clear(&arena);
}

TEST(words_that_differ_in_one_byte_differ)
{
    assay_dict dict = {0};
    static char text[256][20];
    uint32_t n;

    for (size_t len = 1; len <= 20; len++) {
        for (int c = 0; c < 256; c++) {
            memset(text[c], 'x', len);
            text[c][len - 1] = (char)c;
            CHECK(assay_dict_put(&dict, NULL, (assay_slice){text[c], len}, &n, NULL));
            CHECK_INT(n, c);
        }
        assay_dict_clear(&dict);
    }
}

#ifdef ASSAY_TEST
TEST(without_memory_a_dictionary_stays_as_it_was)
{
    for (uint64_t fail = 1; fail < 20; fail++) {
        assay_dict dict = {0};
        assay_arena arena = ASSAY_ARENA_EMPTY;
        char text[20];
        uint32_t n_put = 0;
        uint32_t n;

        assay_mem_fail_after(fail);
        for (int i = 0; i < 100; i++) {
            snprintf(text, sizeof text, "w%d", i);
            if (!assay_dict_put(&dict, &arena, assay_slice_of(text), &n, NULL))
                break;
            n_put++;
        }
        assay_mem_fail_after(0);
        CHECK_INT(dict.n, n_put);
        /* And goes on when there is some again. */
        CHECK(assay_dict_put(&dict, &arena, ASSAY_LIT("more"), &n, NULL));
        CHECK_INT(n, n_put);
        for (uint32_t i = 0; i < n_put; i++) {
            snprintf(text, sizeof text, "w%u", i);
            CHECK_INT(assay_dict_find(&dict, assay_slice_of(text)), i);
        }
        assay_dict_clear(&dict);
        assay_arena_clear(&arena);
    }
}
#endif
