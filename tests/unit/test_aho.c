/* SPDX-License-Identifier: Apache-2.0 */
#include "text/aho.h"

#include "base/buffer.h"
#include "base/slice.h"
#include "testing.h"

static void note(void *ctx, uint32_t number, size_t start, size_t end)
{
    assay_buffer_printf(ctx, "%u:%zu-%zu ", number, start, end);
}

static void check_scan(const char *const *word, uint32_t n, const char *text,
                       const char *want)
{
    assay_aho aho = {.n_states = 0};
    assay_buffer got = ASSAY_BUFFER_EMPTY;

    for (uint32_t i = 0; i < n; i++)
        CHECK(assay_aho_add(&aho, assay_slice_of(word[i]), i));
    CHECK(assay_aho_finish(&aho));
    assay_aho_scan(&aho, assay_slice_of(text), note, &got);
    assay_buffer_char(&got, '\0');
    CHECK_STR(got.ptr, want);
    assay_buffer_clear(&got);
    assay_aho_clear(&aho);
}

TEST(words_inside_words_are_all_found)
{
    static const char *const word[] = {"he", "she", "his", "hers"};

    check_scan(word, 4, "ushers", "1:1-4 0:2-4 3:2-6 ");
    check_scan(word, 4, "", "");
    check_scan(word, 0, "ushers", "");
}

TEST(a_word_given_twice_keeps_its_first_number)
{
    static const char *const word[] = {"a b", "a b", "b"};

    check_scan(word, 3, "a b", "0:0-3 2:2-3 ");
}

/* Every word at every place, the slow way. */
static void scan_plainly(const char *const *word, uint32_t n, assay_slice text,
                         assay_buffer *out)
{
    for (size_t end = 1; end <= text.len; end++)
        for (size_t start = 0; start < end; start++)
            for (uint32_t w = 0; w < n; w++)
                if (assay_slice_eq(assay_slice_of(word[w]),
                                   (assay_slice){text.ptr + start, end - start})) {
                    note(out, w, start, end);
                    break;
                }
}

TEST(random_texts_are_scanned_as_by_hand)
{
    static const char *const word[] = {"a", "ab", "bab", "bb", "abba", "b", "aaa"};
    uint32_t seed = 7;

    for (int round = 0; round < 300; round++) {
        assay_aho aho = {.n_states = 0};
        assay_buffer got = ASSAY_BUFFER_EMPTY;
        assay_buffer want = ASSAY_BUFFER_EMPTY;
        char text[24];
        uint32_t n = 1 + (uint32_t)round % 7;

        for (size_t i = 0; i < sizeof text; i++) {
            seed = seed * 1664525 + 1013904223;
            text[i] = seed >> 31 ? 'a' : 'b';
        }
        for (uint32_t i = 0; i < n; i++)
            CHECK(assay_aho_add(&aho, assay_slice_of(word[i]), i));
        CHECK(assay_aho_finish(&aho));
        assay_aho_scan(&aho, (assay_slice){text, sizeof text}, note, &got);
        scan_plainly(word, n, (assay_slice){text, sizeof text}, &want);
        CHECK(assay_slice_eq(assay_buffer_view(&got), assay_buffer_view(&want)));
        assay_buffer_clear(&got);
        assay_buffer_clear(&want);
        assay_aho_clear(&aho);
    }
}
