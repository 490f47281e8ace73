/* SPDX-License-Identifier: Apache-2.0 */
/* The only place with threads.  A stage hands in a function and a number of items;
 * item i writes slot i, so that the result is the same for any number of threads. */
#ifndef ASSAY_BASE_POOL_H
#define ASSAY_BASE_POOL_H

#include <stddef.h>
#include <stdint.h>

/* Most threads that a pool ever uses: callers may keep one scratch space for each. */
enum { ASSAY_POOL_MOST = 64 };

/* Work on item `item`; `worker` is below the number of threads, and no two calls with
 * one worker number run at once. */
typedef void assay_pool_work(void *ctx, uint32_t worker, size_t item);

/* Processors that this process may use, at most ASSAY_POOL_MOST. */
uint32_t assay_pool_cores(void);

/* Call `work` once for every item below n_items, on up to n_threads threads (0 = one
 * for each core), and return when all are done.  Where threads cannot be started, fewer
 * are used: the work is always done. */
void assay_pool_run(uint32_t n_threads, size_t n_items, assay_pool_work *work, void *ctx);

#endif
