/* SPDX-License-Identifier: Apache-2.0 */
/* The curved parts of neural networks, over rows of floats.  With AVX2 and FMA by
 * polynomials that are good to about 2e-7, else by the C library: last bits may differ
 * between the two. */
#ifndef ASSAY_BASE_CURVES_H
#define ASSAY_BASE_CURVES_H

#include <stddef.h>

/* x[i] = x[i] * (1 + erf(x[i] / sqrt(2))) / 2 */
void assay_curve_gelu(float *x, size_t n);

/* The approximation of it by a hyperbolic tangent, and the plain one. */
void assay_curve_gelu_tanh(float *x, size_t n);
void assay_curve_relu(float *x, size_t n);

/* x[i] = exp(scale * x[i]) / sum of all of them; n > 0 */
void assay_curve_softmax(float *x, size_t n, float scale);

/* x = (x + add - mean) / deviation * weight + bias; a null `add` is 0. */
void assay_curve_layer_norm(float *x, const float *add, size_t n, const float *weight,
                            const float *bias, float epsilon);

#endif
