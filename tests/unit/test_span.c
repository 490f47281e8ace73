/* SPDX-License-Identifier: Apache-2.0 */
#include "base/span.h"
#include "testing.h"

TEST(spans_that_overlap_or_touch_become_one)
{
    assay_span s[] = {{50, 60}, {0, 10}, {10, 12}, {5, 8}, {55, 70}, {90, 91}};
    size_t n = assay_span_union(s, 6);

    CHECK_INT(n, 3);
    CHECK(s[0].start == 0 && s[0].end == 12);
    CHECK(s[1].start == 50 && s[1].end == 70);
    CHECK(s[2].start == 90 && s[2].end == 91);
    CHECK_INT(assay_span_bytes(s, n), 12 + 20 + 1);
}

TEST(a_union_of_nothing_is_empty)
{
    assay_span none[] = {{0, 0}, {0, 0}};

    CHECK_INT(assay_span_union(NULL, 0), 0);
    CHECK_INT(assay_span_union(none, 2), 0);
    CHECK_INT(assay_span_bytes(NULL, 0), 0);
    CHECK_INT(assay_span_shared(NULL, 0, NULL, 0), 0);
}

TEST(shared_bytes_are_those_in_both)
{
    const assay_span a[] = {{0, 10}, {20, 30}, {40, 50}};
    const assay_span b[] = {{5, 25}, {30, 40}, {45, 100}};

    /* 5-10, 20-25, 45-50 */
    CHECK_INT(assay_span_shared(a, 3, b, 3), 5 + 5 + 5);
    CHECK_INT(assay_span_shared(b, 3, a, 3), 5 + 5 + 5);
    CHECK_INT(assay_span_shared(a, 3, a, 3), 30);
    CHECK_INT(assay_span_shared(a, 3, NULL, 0), 0);
}

TEST(random_unions_count_as_byte_by_byte)
{
    enum { SIZE = 200 };
    uint32_t seed = 1;

    for (int round = 0; round < 2000; round++) {
        assay_span s[2][8];
        char map[2][SIZE] = {{0}};
        size_t n[2];
        uint64_t bytes[2] = {0, 0};
        uint64_t shared = 0;

        for (int side = 0; side < 2; side++) {
            n[side] = (seed >> 8) % 9;
            for (size_t i = 0; i < n[side]; i++) {
                seed = seed * 1664525 + 1013904223;
                s[side][i].start = (seed >> 8) % (SIZE - 40);
                s[side][i].end = s[side][i].start + 1 + (seed >> 20) % 40;
                memset(map[side] + s[side][i].start, 1,
                       s[side][i].end - s[side][i].start);
            }
            n[side] = assay_span_union(s[side], n[side]);
        }
        for (int i = 0; i < SIZE; i++) {
            bytes[0] += (uint64_t)map[0][i];
            bytes[1] += (uint64_t)map[1][i];
            shared += (uint64_t)(map[0][i] & map[1][i]);
        }
        CHECK_INT(assay_span_bytes(s[0], n[0]), bytes[0]);
        CHECK_INT(assay_span_bytes(s[1], n[1]), bytes[1]);
        CHECK_INT(assay_span_shared(s[0], n[0], s[1], n[1]), shared);
        for (size_t i = 1; i < n[0]; i++)
            CHECK(s[0][i].start > s[0][i - 1].end);
    }
}
