/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

#ifdef ASSAY_TEST
#include <stdatomic.h>

/* Test builds only: the single exception to "no mutable globals", because the point is
 * to reach every allocation of every thread. */
static _Atomic uint64_t calls_left;
static _Atomic int is_counting;
static _Atomic int has_failed;

void assay_mem_fail_after(uint64_t n)
{
    atomic_store(&calls_left, n);
    atomic_store(&has_failed, 0);
    atomic_store(&is_counting, n > 0);
}

int assay_mem_has_failed(void)
{
    return atomic_load(&has_failed);
}

static int refuse(void)
{
    uint64_t left;

    if (!atomic_load(&is_counting))
        return 0;
    left = atomic_load(&calls_left);
    while (left > 1)
        if (atomic_compare_exchange_weak(&calls_left, &left, left - 1))
            return 0;
    atomic_store(&has_failed, 1);
    return 1;
}
#else
static int refuse(void)
{
    return 0;
}
#endif

void *assay_mem_alloc(size_t size)
{
    return refuse() ? NULL : malloc(size ? size : 1);
}

void *assay_mem_alloc_spread(size_t size)
{
    void *block = NULL;

    if (size < HUGE_PAGE)
        return assay_mem_alloc(size);
    if (refuse() || posix_memalign(&block, HUGE_PAGE, size))
        return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(block, size & ~(size_t)(HUGE_PAGE - 1), MADV_HUGEPAGE);
#endif
    return block;
}

void *assay_mem_zero(size_t count, size_t size)
{
    if (!count || !size)
        count = size = 1;
    if (count > SIZE_MAX / size)
        return NULL;
    return refuse() ? NULL : calloc(count, size);
}

void *assay_mem_resize(void *old, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    if (refuse())
        return NULL;
    return realloc(old, count && size ? count * size : 1);
}

void assay_mem_free(void *ptr)
{
    free(ptr);
}

void *assay_mem_grow(void *array, size_t *cap, size_t need, size_t size)
{
    size_t want = *cap ? *cap : 8;
    void *moved;

    if (need <= *cap && array)
        return array;
    while (want < need) {
        if (want > SIZE_MAX / 2)
            return NULL;
        want *= 2;
    }
    moved = assay_mem_resize(array, want, size);
    if (moved)
        *cap = want;
    return moved;
}
