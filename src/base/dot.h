/* SPDX-License-Identifier: Apache-2.0 */
/* Inner products of float vectors. */
#ifndef ASSAY_BASE_DOT_H
#define ASSAY_BASE_DOT_H

#include <stddef.h>
#include <stdint.h>

/* The product of two floats is exact in a double, and the sums are taken in one order
 * (eight interleaved, then pairs): the same bits on every machine, fused or not. */
double assay_dot_exact(const float *a, const float *b, size_t n);

/* out[i] = q . row i, for n_rows rows that lie `step` floats apart.  In float, in the
 * order that is fastest here: within n 2^-24 |q| |row| of the exact one. */
void assay_dot_rows(const float *q, const float *row, size_t step, size_t n_rows,
                    size_t n, float *out);

/* out[i] = q . row i for whole numbers; exact.  n * 127 * max |q| must be below 2^31. */
void assay_dot_codes(const int16_t *q, const int8_t *row, size_t step, size_t n_rows,
                     size_t n, int32_t *out);

/* to[i] += x * from[i], rounded after the product and after the sum: the same bits on
 * every machine. */
void assay_dot_add(float *to, float x, const float *from, size_t n);

/* Divide by the length; a vector of length 0, or whose length is not finite, stays.
 * Returns the length it had. */
double assay_dot_normalise(float *v, size_t n);

#endif
