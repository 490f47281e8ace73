/* SPDX-License-Identifier: Apache-2.0 */
/* exp(x) = 2^k e^r with k = round(x / ln 2) and |r| <= ln(2) / 2, e^r by its series to the
 * sixth power.  erf by Abramowitz and Stegun 7.1.26, whose error is below 1.5e-7. */
#include "base/curves.h"

#include <math.h>

#include "base/compiler.h"

#if defined(ASSAY_HAS_FMA)
#include <immintrin.h>
#endif

static float gelu_one(float x)
{
    return 0.5F * x * (1 + erff(x * 0.70710678118654752F));
}

static float largest(const float *x, size_t n)
{
    float most = x[0];

    for (size_t i = 1; i < n; i++)
        most = x[i] > most ? x[i] : most;
    return most;
}

static void softmax_plain(float *x, size_t n, float scale)
{
    float most = largest(x, n);
    float sum = 0;

    for (size_t i = 0; i < n; i++) {
        x[i] = expf((x[i] - most) * scale);
        sum += x[i];
    }
    for (size_t i = 0; i < n; i++)
        x[i] /= sum;
}

static void layer_norm_plain(float *x, const float *add, size_t n, const float *weight,
                             const float *bias, float epsilon)
{
    double mean = 0;
    double spread = 0;
    float by;

    for (size_t i = 0; i < n; i++) {
        x[i] += add ? add[i] : 0;
        mean += (double)x[i];
    }
    mean /= (double)n;
    for (size_t i = 0; i < n; i++)
        spread += ((double)x[i] - mean) * ((double)x[i] - mean);
    by = (float)(1 / sqrt(spread / (double)n + (double)epsilon));
    for (size_t i = 0; i < n; i++)
        x[i] = (x[i] - (float)mean) * by * weight[i] + bias[i];
}

#if defined(ASSAY_HAS_FMA)
ASSAY_FMA static inline __m256 exp_wide(__m256 x)
{
    __m256 k, r, y;

    x = _mm256_max_ps(_mm256_min_ps(x, _mm256_set1_ps(88)), _mm256_set1_ps(-87));
    k = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504F)),
                        _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    /* ln 2 in two parts, the first of which times k is exact. */
    r = _mm256_fnmadd_ps(k, _mm256_set1_ps(0.693359375F), x);
    r = _mm256_fnmadd_ps(k, _mm256_set1_ps(-2.12194440e-4F), r);
    y = _mm256_set1_ps(1.0F / 720);
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1.0F / 120));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1.0F / 24));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1.0F / 6));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(0.5F));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1));
    return _mm256_mul_ps(
        y, _mm256_castsi256_ps(_mm256_slli_epi32(
               _mm256_add_epi32(_mm256_cvtps_epi32(k), _mm256_set1_epi32(127)), 23)));
}

ASSAY_FMA static inline __m256 erf_wide(__m256 x)
{
    const __m256 sign = _mm256_set1_ps(-0.0F);
    __m256 a = _mm256_andnot_ps(sign, x);
    __m256 t =
        _mm256_div_ps(_mm256_set1_ps(1),
                      _mm256_fmadd_ps(a, _mm256_set1_ps(0.3275911F), _mm256_set1_ps(1)));
    __m256 y = _mm256_set1_ps(1.061405429F);

    y = _mm256_fmadd_ps(y, t, _mm256_set1_ps(-1.453152027F));
    y = _mm256_fmadd_ps(y, t, _mm256_set1_ps(1.421413741F));
    y = _mm256_fmadd_ps(y, t, _mm256_set1_ps(-0.284496736F));
    y = _mm256_fmadd_ps(y, t, _mm256_set1_ps(0.254829592F));
    y = _mm256_mul_ps(_mm256_mul_ps(y, t),
                      exp_wide(_mm256_xor_ps(_mm256_mul_ps(a, a), sign)));
    y = _mm256_sub_ps(_mm256_set1_ps(1), y);
    return _mm256_or_ps(y, _mm256_and_ps(sign, x));
}

/* The last, incomplete eight go through a copy, so that a number has the same curve
 * wherever it stands. */
ASSAY_FMA static void gelu_wide(float *x, size_t n)
{
    const __m256 half = _mm256_set1_ps(0.5F);

    for (size_t i = 0; i < n; i += 8) {
        size_t have = n - i < 8 ? n - i : 8;
        float copy[8] = {0};
        float *at = have == 8 ? x + i : copy;
        __m256 v;

        for (size_t j = 0; have < 8 && j < have; j++)
            copy[j] = x[i + j];
        v = _mm256_loadu_ps(at);
        v = _mm256_mul_ps(
            _mm256_mul_ps(half, v),
            _mm256_add_ps(_mm256_set1_ps(1),
                          erf_wide(_mm256_mul_ps(v, _mm256_set1_ps(0.70710678F)))));
        _mm256_storeu_ps(at, v);
        for (size_t j = 0; have < 8 && j < have; j++)
            x[i + j] = copy[j];
    }
}

ASSAY_FMA static inline float add_eight(__m256 v)
{
    float s[8];

    _mm256_storeu_ps(s, v);
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

ASSAY_FMA static void softmax_wide(float *x, size_t n, float scale)
{
    __m256 most = _mm256_set1_ps(largest(x, n));
    __m256 by = _mm256_set1_ps(scale);
    __m256 sum = _mm256_setzero_ps();
    float rest = 0;
    float total;
    size_t i = 0;

    for (; i + 8 <= n; i += 8) {
        __m256 v = _mm256_mul_ps(_mm256_sub_ps(_mm256_loadu_ps(x + i), most), by);

        v = exp_wide(v);
        sum = _mm256_add_ps(sum, v);
        _mm256_storeu_ps(x + i, v);
    }
    if (i < n) {
        float copy[8] = {0};

        for (size_t j = i; j < n; j++)
            copy[j - i] = x[j];
        _mm256_storeu_ps(copy, exp_wide(_mm256_mul_ps(
                                   _mm256_sub_ps(_mm256_loadu_ps(copy), most), by)));
        for (size_t j = i; j < n; j++) {
            x[j] = copy[j - i];
            rest += x[j];
        }
    }
    total = 1 / (add_eight(sum) + rest);
    for (i = 0; i < n; i++)
        x[i] *= total;
}

ASSAY_FMA static void layer_norm_wide(float *x, const float *add, size_t n,
                                      const float *weight, const float *bias,
                                      float epsilon)
{
    __m256 sum = _mm256_setzero_ps();
    __m256 squares = _mm256_setzero_ps();
    __m256 mean, by;
    float middle;

    for (size_t i = 0; i < n; i += 8) {
        __m256 v = _mm256_loadu_ps(x + i);

        if (add)
            v = _mm256_add_ps(v, _mm256_loadu_ps(add + i));
        _mm256_storeu_ps(x + i, v);
        sum = _mm256_add_ps(sum, v);
    }
    middle = add_eight(sum) / (float)n;
    mean = _mm256_set1_ps(middle);
    for (size_t i = 0; i < n; i += 8) {
        __m256 v = _mm256_sub_ps(_mm256_loadu_ps(x + i), mean);

        squares = _mm256_fmadd_ps(v, v, squares);
    }
    by = _mm256_set1_ps(
        (float)(1 / sqrt((double)add_eight(squares) / (double)n + (double)epsilon)));
    for (size_t i = 0; i < n; i += 8) {
        __m256 v = _mm256_mul_ps(_mm256_sub_ps(_mm256_loadu_ps(x + i), mean), by);

        _mm256_storeu_ps(x + i, _mm256_fmadd_ps(v, _mm256_loadu_ps(weight + i),
                                                _mm256_loadu_ps(bias + i)));
    }
}
#endif

void assay_curve_gelu(float *x, size_t n)
{
#if defined(ASSAY_HAS_FMA)
    if (assay_has_fma()) {
        gelu_wide(x, n);
        return;
    }
#endif
    for (size_t i = 0; i < n; i++)
        x[i] = gelu_one(x[i]);
}

void assay_curve_gelu_tanh(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = 0.5F * x[i] *
               (1 + tanhf(0.79788456F * (x[i] + 0.044715F * x[i] * x[i] * x[i])));
}

void assay_curve_relu(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = x[i] > 0 ? x[i] : 0;
}

void assay_curve_softmax(float *x, size_t n, float scale)
{
#if defined(ASSAY_HAS_FMA)
    if (assay_has_fma()) {
        softmax_wide(x, n, scale);
        return;
    }
#endif
    softmax_plain(x, n, scale);
}

void assay_curve_layer_norm(float *x, const float *add, size_t n, const float *weight,
                            const float *bias, float epsilon)
{
#if defined(ASSAY_HAS_FMA)
    if (n % 8 == 0 && assay_has_fma()) {
        layer_norm_wide(x, add, n, weight, bias, epsilon);
        return;
    }
#endif
    layer_norm_plain(x, add, n, weight, bias, epsilon);
}
