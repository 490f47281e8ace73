/* SPDX-License-Identifier: Apache-2.0 */
/* All allocation of the library.  In test builds the n-th call can be made to fail. */
#ifndef ASSAY_BASE_MEM_H
#define ASSAY_BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

/* Null when there is no memory.  A size of 0 is treated as 1. */
void *assay_mem_alloc(size_t size);

/* The same for a large block that is written all over the place rather than from front to
 * back: in pages of 2 MB where the system has them, since there every write would be a
 * miss in the table of small ones. */
void *assay_mem_alloc_spread(size_t size);

/* `count` zeroed elements of `size` bytes; null also when the product overflows. */
void *assay_mem_zero(size_t count, size_t size);

/* As realloc, for `count` elements of `size` bytes; on failure `old` is still valid. */
void *assay_mem_resize(void *old, size_t count, size_t size);

void assay_mem_free(void *ptr);

/* Make room for at least `need` elements in an array that grows by doubling.  Returns
 * the array (moved or not) and updates *cap, or null: then the old one is still valid. */
void *assay_mem_grow(void *array, size_t *cap, size_t need, size_t size);

#define ASSAY_NEW(type)          ((type *)assay_mem_zero(1, sizeof(type)))
#define ASSAY_NEW_ARRAY(type, n) ((type *)assay_mem_zero((n), sizeof(type)))

#ifdef ASSAY_TEST
/* Let the n-th allocation from now fail (1 = the next), and all after it; 0 = none. */
void assay_mem_fail_after(uint64_t n);

/* Whether an allocation was refused since the last call of assay_mem_fail_after. */
int assay_mem_has_failed(void);
#endif

#endif
