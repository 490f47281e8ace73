/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

typedef struct job {
    assay_pool_work *work;
    void *ctx;
    size_t n_items;
    _Atomic size_t next;
} job;

typedef struct seat {
    job *job;
    uint32_t worker;
    pthread_t thread;
} seat;

uint32_t assay_pool_cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    if (n < 1)
        return 1;
    return n < ASSAY_POOL_MOST ? (uint32_t)n : ASSAY_POOL_MOST;
}

static void *work_through(void *arg)
{
    seat *s = arg;

    for (;;) {
        size_t item = atomic_fetch_add(&s->job->next, 1);

        if (item >= s->job->n_items)
            return NULL;
        s->job->work(s->job->ctx, s->worker, item);
    }
}

void assay_pool_run(uint32_t n_threads, size_t n_items, assay_pool_work *work, void *ctx)
{
    seat seats[ASSAY_POOL_MOST];
    job j = {.work = work, .ctx = ctx, .n_items = n_items};
    uint32_t started = 1;

    if (n_threads == 0)
        n_threads = assay_pool_cores();
    if (n_threads > ASSAY_POOL_MOST)
        n_threads = ASSAY_POOL_MOST;
    if (n_threads > n_items)
        n_threads = n_items ? (uint32_t)n_items : 1;
    atomic_init(&j.next, 0);
    for (; started < n_threads; started++) {
        seats[started] = (seat){.job = &j, .worker = started};
        if (pthread_create(&seats[started].thread, NULL, work_through, &seats[started]))
            break;
    }
    /* The caller works too: one thread less to start, and none for small jobs. */
    seats[0] = (seat){.job = &j, .worker = 0};
    work_through(&seats[0]);
    for (uint32_t i = 1; i < started; i++)
        pthread_join(seats[i].thread, NULL);
}
