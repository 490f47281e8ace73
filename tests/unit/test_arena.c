/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"
#include "base/mem.h"
#include "base/slice.h"
#include "testing.h"

TEST(pieces_are_aligned_and_apart)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    char *last = NULL;

    for (size_t size = 0; size < 3000; size++) {
        char *p = assay_arena_alloc(&arena, size);

        CHECK(p != NULL && (uintptr_t)p % 16 == 0 && p != last);
        memset(p, (int)(size % 256), size);
        if (last && size > 1)
            CHECK(last[size - 2] == (char)((size - 1) % 256));
        last = p;
    }
    assay_arena_clear(&arena);
    CHECK(arena.head == NULL && arena.total == 0);
}

TEST(arrays_are_zeroed_also_after_reset)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;

    for (int round = 0; round < 3; round++) {
        unsigned char *p = assay_arena_zero(&arena, 1000, 3);

        for (size_t i = 0; i < 3000; i++)
            CHECK(p[i] == 0);
        memset(p, 0xAA, 3000);
        assay_arena_reset(&arena);
    }
    assay_arena_clear(&arena);
}

TEST(sizes_that_overflow_give_nothing)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;

    CHECK(assay_arena_alloc(&arena, SIZE_MAX) == NULL);
    CHECK(assay_arena_alloc(&arena, SIZE_MAX - 16) == NULL);
    CHECK(assay_arena_zero(&arena, SIZE_MAX / 2, 4) == NULL);
    assay_arena_clear(&arena);
}

TEST(copies_are_terminated_and_never_null)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_slice s = assay_arena_copy(&arena, (assay_slice){"abcdef", 3});

    CHECK(s.len == 3 && strcmp(s.ptr, "abc") == 0);
    s = assay_arena_copy(&arena, (assay_slice){NULL, 0});
    CHECK(s.len == 0 && s.ptr != NULL && s.ptr[0] == '\0');
    CHECK_STR(assay_arena_string(&arena, ASSAY_LIT("x")), "x");
    assay_arena_clear(&arena);
}

TEST(reset_keeps_one_block)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;

    for (int i = 0; i < 100; i++)
        CHECK(assay_arena_alloc(&arena, 10000) != NULL);
    assay_arena_reset(&arena);
    CHECK(arena.head != NULL && arena.left == arena.total);
    assay_arena_clear(&arena);
    assay_arena_reset(&arena);
    CHECK(arena.head == NULL);
}

TEST(taken_blocks_live_on)
{
    assay_arena a = ASSAY_ARENA_EMPTY;
    assay_arena b = ASSAY_ARENA_EMPTY;
    char *in_a = assay_arena_string(&a, ASSAY_LIT("in a"));
    char *in_b = assay_arena_string(&b, ASSAY_LIT("in b"));
    char *large = assay_arena_alloc(&b, 100000);
    size_t total = a.total + b.total;

    assay_arena_take(&a, &b);
    CHECK(b.head == NULL && b.total == 0);
    assay_arena_take(&a, &b); /* nothing is left to take */
    assay_arena_clear(&b);
    CHECK_STR(in_a, "in a");
    CHECK_STR(in_b, "in b");
    memset(large, 1, 100000);
    CHECK_INT(a.total, total);

    assay_arena_take(&b, &a); /* into an empty one */
    CHECK_STR(in_a, "in a");
    CHECK_STR(assay_arena_string(&b, ASSAY_LIT("more")), "more");
    assay_arena_clear(&b);
}

TEST(arrays_that_grow_keep_what_they_hold)
{
    size_t cap = 0;
    int *a = NULL;

    for (int i = 0; i < 1000; i++) {
        a = assay_mem_grow(a, &cap, (size_t)i + 1, sizeof *a);
        CHECK(a != NULL && cap > (size_t)i);
        a[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        CHECK(a[i] == i);
    CHECK(assay_mem_grow(a, &cap, SIZE_MAX, sizeof *a) == NULL);
    CHECK(a[999] == 999);
    assay_mem_free(a);
    CHECK(assay_mem_zero(SIZE_MAX, 2) == NULL);
    CHECK(assay_mem_resize(NULL, SIZE_MAX, 2) == NULL);
}

#ifdef ASSAY_TEST
TEST(the_nth_allocation_fails_when_told_to)
{
    void *p;

    assay_mem_fail_after(2);
    p = assay_mem_alloc(1);
    CHECK(p != NULL && !assay_mem_has_failed());
    CHECK(assay_mem_alloc(1) == NULL);
    CHECK(assay_mem_zero(1, 1) == NULL);
    CHECK(assay_mem_has_failed());
    assay_mem_fail_after(0);
    assay_mem_free(p);
    p = assay_mem_alloc(0);
    CHECK(p != NULL);
    assay_mem_free(p);
}
#endif
