/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a log of SQLite: what is taken fits the image that it says it makes.
 * Checksums are mended first, or nothing would get past them. */
#include <stdlib.h>
#include <string.h>

#include "base/wal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t big(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void put(unsigned char *b, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        b[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* Big-endian words only: the first number says so. */
static void add(uint32_t sum[2], const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        sum[0] += big(p + i) + sum[1];
        sum[1] += big(p + i + 4) + sum[0];
    }
}

static void mend(unsigned char *log, size_t size)
{
    uint32_t sum[2] = {0, 0};
    uint32_t page;

    if (size < ASSAY_WAL_HEAD)
        return;
    put(log, 0x377f0683);
    put(log + 4, 3007000);
    page = 512u << (log[8] & 3);
    put(log + 8, page);
    add(sum, log, 24);
    put(log + 24, sum[0]);
    put(log + 28, sum[1]);
    for (size_t at = ASSAY_WAL_HEAD; at + 24 + page <= size; at += 24 + page) {
        memcpy(log + at + 8, log + 16, 8);
        add(sum, log + at, 8);
        add(sum, log + at + 24, page);
        put(log + at + 16, sum[0]);
        put(log + at + 20, sum[1]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *log = malloc(size + 1);
    assay_slice text = {(const char *)log, size};
    assay_wal wal;

    memcpy(log, data, size);
    for (int i = 0; i < 2; i++) {
        if (assay_wal_look(text, &wal) && wal.n_pages && wal.n_pages < 1000) {
            char *image = calloc(wal.n_pages, wal.page_bytes);

            assay_wal_apply(text, &wal, image);
            free(image);
        }
        mend(log, size);
    }
    free(log);
    return 0;
}
