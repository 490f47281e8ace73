/* SPDX-License-Identifier: Apache-2.0 */
/* RFC 9562, version 7: the time in front, so that ids sort by when they were made.  The
 * twelve bits behind it count within a millisecond, which keeps the order of ids that one
 * process makes at once (method 1 of section 6.2). */
#include "store/run_id.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/error.h"

static assay_status get_random(unsigned char *out, size_t len, assay_error *err)
{
    ssize_t got;

    do
        got = getrandom(out, len, 0);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)len)
        return assay_fail(err, ASSAY_ESYSTEM, "the system gives no random bytes");
    return ASSAY_OK;
}

assay_status assay_run_id_make(assay_run_ids *ids, char out[ASSAY_RUN_ID_SIZE],
                               assay_error *err)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char id[16];
    struct timespec now;
    uint64_t ms;
    assay_status st = get_random(id + 6, 10, err);

    if (st)
        return st;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return assay_fail(err, ASSAY_ESYSTEM, "the system has no clock");
    ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
    if (ms > ids->last_ms) {
        ids->last_ms = ms;
        /* The upper half stays free to count in. */
        ids->count = ((uint32_t)id[6] << 8 | id[7]) & 0x7FF;
    } else if (++ids->count > 0xFFF) {
        ids->last_ms++;
        ids->count = 0;
    }
    for (int i = 0; i < 6; i++)
        id[i] = (unsigned char)(ids->last_ms >> (40 - 8 * i));
    id[6] = (unsigned char)(0x70 | ids->count >> 8);
    id[7] = (unsigned char)ids->count;
    id[8] = (unsigned char)(0x80 | (id[8] & 0x3F));
    memcpy(out, "run_", 4);
    for (int i = 0; i < 16; i++) {
        out[4 + 2 * i] = digits[id[i] >> 4];
        out[5 + 2 * i] = digits[id[i] & 15];
    }
    out[36] = 0;
    return ASSAY_OK;
}

void assay_store_time(uint32_t ago_s, char out[ASSAY_STORE_TIME_SIZE])
{
    char text[80];
    struct timespec now = {0, 0};
    struct tm utc;

    memset(&utc, 0, sizeof utc);
    (void)clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec -= (time_t)ago_s;
    (void)gmtime_r(&now.tv_sec, &utc);
    snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", utc.tm_year + 1900,
             utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
             (int)(now.tv_nsec / 1000000));
    memcpy(out, text, ASSAY_STORE_TIME_SIZE - 1);
    out[ASSAY_STORE_TIME_SIZE - 1] = 0;
}
