/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/locate_cut.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "corpus/locate_edit.h"

enum {
    BITS = 18,
    BEFORE = 4,         /* bytes that a byte is guessed from */
    SAMPLE = 1 << 20,   /* bytes that are counted */
    PART = 1 << 12,     /* in parts of so many */
    UNIT = 16,          /* of a bit of information */
    UNKNOWN = 12 * UNIT /* what stands after something that was never seen */
};

struct assay_cutter {
    uint32_t before[1 << BITS]; /* how often four bytes stand there, by hash */
    uint32_t with[1 << BITS];   /* and five */
};

static uint32_t hash(uint64_t word, unsigned n_bytes)
{
    uint64_t gram = word << (64 - 8 * n_bytes);

    return (uint32_t)((gram ^ gram >> 31) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - BITS));
}

static void count_part(assay_cutter *c, const char *p, size_t len)
{
    for (size_t i = 0; i + 8 <= len; i++) {
        uint64_t word = assay_bytes_load(p + i);

        c->before[hash(word, BEFORE)]++;
        c->with[hash(word, BEFORE + 1)]++;
    }
}

assay_cutter *assay_cutter_new(assay_slice sample)
{
    assay_cutter *c = ASSAY_NEW(assay_cutter);
    size_t step = sample.len > SAMPLE ? sample.len / (SAMPLE / PART) : PART;

    if (!c)
        return NULL;
    for (size_t at = 0; at < sample.len; at += step) {
        size_t left = sample.len - at;

        count_part(c, sample.ptr + at, left < PART ? left : PART);
    }
    return c;
}

void assay_cutter_free(assay_cutter *c)
{
    assay_mem_free(c);
}

/* log2(x), x > 0, in units; whole numbers only, so that all machines cut alike. */
static uint32_t log_units(uint32_t x)
{
    uint32_t whole = 0;

    while (x >> whole > 1)
        whole++;
    return whole * UNIT + (uint32_t)(((uint64_t)x * UNIT >> whole) - UNIT);
}

/* The information of quote[at], in units. */
static uint32_t information(const assay_cutter *c, const char *quote, size_t at)
{
    char copy[8] = {0};
    uint64_t word;
    uint32_t n_before;
    uint32_t n_with;

    if (!c)
        return 0;
    if (at < BEFORE)
        return 4 * UNIT;
    memcpy(copy, quote + at - BEFORE, BEFORE + 1);
    word = assay_bytes_load(copy);
    n_before = c->before[hash(word, BEFORE)];
    n_with = c->with[hash(word, BEFORE + 1)];
    if (n_before == 0)
        return UNKNOWN;
    if (n_with > n_before)
        n_with = n_before; /* a collision */
    return log_units(2 * n_before + 1) - log_units(2 * n_with + 1);
}

/* The information of a code point; the same for each when nothing is known. */
static uint64_t step_cost(const assay_cutter *c, assay_slice quote, size_t at,
                          size_t step)
{
    uint64_t sum = 1;

    for (size_t i = at; i < at + step; i++)
        sum += information(c, quote.ptr, i);
    return c ? sum : 1;
}

static size_t step_at(assay_slice quote, size_t at)
{
    return assay_edit_step((assay_slice){quote.ptr + at, quote.len - at});
}

void assay_cutter_cut(const assay_cutter *c, assay_slice quote, uint32_t length,
                      uint32_t n, uint32_t *end)
{
    uint64_t total = 0;
    uint64_t sum = 0;
    uint32_t left = length; /* code points */
    size_t at = 0;

    for (size_t i = 0; i < quote.len; i += step_at(quote, i))
        total += step_cost(c, quote, i, step_at(quote, i));
    for (uint32_t piece = 0; piece + 1 < n; piece++) {
        uint64_t until = total / n * (piece + 1) + total % n * (piece + 1) / n;
        uint32_t others = (n - piece - 1) * ASSAY_CUT_LEAST;

        for (uint32_t taken = 0;
             left > others && (taken < ASSAY_CUT_LEAST || sum < until); taken++) {
            size_t step = step_at(quote, at);

            sum += step_cost(c, quote, at, step);
            at += step;
            left--;
        }
        end[piece] = (uint32_t)at;
    }
    end[n - 1] = (uint32_t)quote.len;
}
