/* SPDX-License-Identifier: Apache-2.0 */
#include "base/rate.h"

#include "base/clock.h"

void assay_rate_init(assay_rate *rate, double per_second)
{
    rate->every_us = per_second > 0 ? (int64_t)(1e6 / per_second) : 0;
    atomic_init(&rate->next, 0);
}

bool assay_rate_wait(assay_rate *rate, const atomic_int *stop)
{
    int64_t next = atomic_load(&rate->next);
    int64_t now = assay_clock_us();
    int64_t turn;

    if (!rate->every_us)
        return !stop || !atomic_load(stop);
    /* Places that nobody took are gone: there are no bursts after a pause. */
    do
        turn = next > now ? next : now;
    while (!atomic_compare_exchange_weak(&rate->next, &next, turn + rate->every_us));
    return assay_clock_sleep(turn, stop);
}
