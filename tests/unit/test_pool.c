/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pool.h"

#include <stdatomic.h>

#include "testing.h"

enum { N = 5000 };

typedef struct sheet {
    int count[N];                         /* calls for each item */
    _Atomic int is_busy[ASSAY_POOL_MOST]; /* a worker number that is in use */
    _Atomic int n_clashes;                /* two calls at once with one worker number */
    uint32_t n_threads;
} sheet;

static void tick(void *ctx, uint32_t worker, size_t item)
{
    sheet *s = ctx;

    if (worker >= ASSAY_POOL_MOST || (s->n_threads && worker >= s->n_threads) ||
        atomic_exchange(&s->is_busy[worker], 1))
        atomic_fetch_add(&s->n_clashes, 1);
    s->count[item]++;
    atomic_store(&s->is_busy[worker], 0);
}

TEST(each_item_is_done_once_by_any_number_of_threads)
{
    static const uint32_t threads[] = {0, 1, 2, 3, 8, 64, 1000};

    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        static sheet s;

        memset(&s, 0, sizeof s);
        s.n_threads = threads[t];
        assay_pool_run(threads[t], N, tick, &s);
        for (int i = 0; i < N; i++)
            CHECK_INT(s.count[i], 1);
        CHECK_INT(s.n_clashes, 0);
    }
}

TEST(few_items_need_few_threads)
{
    for (size_t n = 0; n < 4; n++) {
        static sheet s;

        memset(&s, 0, sizeof s);
        s.n_threads = (uint32_t)n;
        assay_pool_run(16, n, tick, &s);
        for (size_t i = 0; i < 8; i++)
            CHECK_INT(s.count[i], i < n);
        CHECK_INT(s.n_clashes, 0);
    }
}

TEST(there_is_a_core_to_run_on)
{
    CHECK(assay_pool_cores() >= 1 && assay_pool_cores() <= ASSAY_POOL_MOST);
}
