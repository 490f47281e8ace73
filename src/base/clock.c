/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include <time.h>

enum { LOOK_US = 50000 }; /* how often a sleeper looks whether it is to stop */

#define YEAR_S (365.0 * 24 * 3600)

int64_t assay_clock_us(void)
{
    struct timespec t = {0, 0};

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int64_t assay_clock_in(double seconds)
{
    if (!(seconds < YEAR_S))
        seconds = YEAR_S;
    return assay_clock_us() + (int64_t)(seconds * 1e6);
}

bool assay_clock_sleep(int64_t until_us, const atomic_int *stop)
{
    for (;;) {
        int64_t left = until_us - assay_clock_us();
        struct timespec nap;

        if (stop && atomic_load(stop))
            return false;
        if (left <= 0)
            return true;
        left = left < LOOK_US ? left : LOOK_US;
        nap = (struct timespec){.tv_sec = 0, .tv_nsec = (long)left * 1000};
        nanosleep(&nap, NULL);
    }
}
