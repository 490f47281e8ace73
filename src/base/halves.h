/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of 16 bits, as floats: IEEE binary16, and bfloat16. */
#ifndef ASSAY_BASE_HALVES_H
#define ASSAY_BASE_HALVES_H

#include <stdint.h>
#include <string.h>

static inline float assay_float_of_bits(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline float assay_float_of_half(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16;
    uint32_t power = h >> 10 & 0x1F;
    uint32_t part = h & 0x3FF;

    if (power == 0x1F)
        return assay_float_of_bits(sign | 0x7F800000 | part << 13);
    if (power)
        return assay_float_of_bits(sign | (power + 112) << 23 | part << 13);
    /* Below the least power the part counts in steps of 2^-24. */
    return (sign ? -1.0F : 1.0F) * (float)part * 0x1p-24F;
}

static inline float assay_float_of_brain(uint16_t b)
{
    return assay_float_of_bits((uint32_t)b << 16);
}

#endif
