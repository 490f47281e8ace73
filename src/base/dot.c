/* SPDX-License-Identifier: Apache-2.0 */
#include "base/dot.h"

#include <math.h>

#include "base/compiler.h"

#if defined(ASSAY_HAS_FMA)
#include <immintrin.h>
#endif

enum { LANES = 8 };

static double add_lanes(const double s[LANES])
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* What is behind the last whole eight, into the first lanes. */
static void add_rest(const float *a, const float *b, size_t from, size_t n,
                     double s[LANES])
{
    for (size_t i = from; i < n; i++)
        s[i - from] += (double)a[i] * (double)b[i];
}

static double exact_plain(const float *a, const float *b, size_t n)
{
    double s[LANES] = {0};
    size_t i = 0;

    for (; i + LANES <= n; i += LANES)
        for (size_t j = 0; j < LANES; j++)
            s[j] += (double)a[i + j] * (double)b[i + j];
    add_rest(a, b, i, n, s);
    return add_lanes(s);
}

static void rows_plain(const float *q, const float *row, size_t step, size_t n_rows,
                       size_t n, float *out)
{
    for (size_t r = 0; r < n_rows; r++, row += step) {
        float s[LANES] = {0};
        size_t i = 0;

        for (; i + LANES <= n; i += LANES)
            for (size_t j = 0; j < LANES; j++)
                s[j] += q[i + j] * row[i + j];
        for (; i < n; i++)
            s[i % LANES] += q[i] * row[i];
        out[r] = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
    }
}

static void codes_plain(const int16_t *q, const int8_t *row, size_t step, size_t n_rows,
                        size_t n, int32_t *out)
{
    for (size_t r = 0; r < n_rows; r++, row += step) {
        int32_t sum = 0;

        for (size_t i = 0; i < n; i++)
            sum += (int32_t)q[i] * row[i];
        out[r] = sum;
    }
}

#if defined(ASSAY_HAS_FMA)
ASSAY_FMA static double exact_wide(const float *a, const float *b, size_t n)
{
    __m256d low = _mm256_setzero_pd();
    __m256d high = _mm256_setzero_pd();
    double s[LANES];
    size_t i = 0;

    for (; i + LANES <= n; i += LANES) {
        low = _mm256_fmadd_pd(_mm256_cvtps_pd(_mm_loadu_ps(a + i)),
                              _mm256_cvtps_pd(_mm_loadu_ps(b + i)), low);
        high = _mm256_fmadd_pd(_mm256_cvtps_pd(_mm_loadu_ps(a + i + 4)),
                               _mm256_cvtps_pd(_mm_loadu_ps(b + i + 4)), high);
    }
    _mm256_storeu_pd(s, low);
    _mm256_storeu_pd(s + 4, high);
    add_rest(a, b, i, n, s);
    return add_lanes(s);
}

ASSAY_FMA static void add_wide(float *to, float x, const float *from, size_t n)
{
    __m256 by = _mm256_set1_ps(x);
    size_t i = 0;

    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(to + i,
                         _mm256_add_ps(_mm256_loadu_ps(to + i),
                                       _mm256_mul_ps(by, _mm256_loadu_ps(from + i))));
    for (; i < n; i++)
        to[i] += x * from[i];
}

ASSAY_FMA static inline float sum_of(__m256 v)
{
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));

    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

ASSAY_FMA static float row_wide(const float *q, const float *row, size_t n)
{
    __m256 s[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(),
                   _mm256_setzero_ps()};
    size_t i = 0;
    float rest = 0;

    for (; i + 32 <= n; i += 32)
        for (int j = 0; j < 4; j++)
            s[j] = _mm256_fmadd_ps(_mm256_loadu_ps(q + i + 8 * j),
                                   _mm256_loadu_ps(row + i + 8 * j), s[j]);
    for (; i + 8 <= n; i += 8)
        s[0] = _mm256_fmadd_ps(_mm256_loadu_ps(q + i), _mm256_loadu_ps(row + i), s[0]);
    for (; i < n; i++)
        rest += q[i] * row[i];
    return sum_of(_mm256_add_ps(_mm256_add_ps(s[0], s[1]), _mm256_add_ps(s[2], s[3]))) +
           rest;
}

ASSAY_FMA static void rows_wide(const float *q, const float *row, size_t step,
                                size_t n_rows, size_t n, float *out)
{
    for (size_t r = 0; r < n_rows; r++)
        out[r] = row_wide(q, row + r * step, n);
}

ASSAY_FMA static inline __m256i code_step(const int16_t *q, const int8_t *row,
                                          __m256i sum)
{
    __m256i x = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)row));
    __m256i y = _mm256_loadu_si256((const __m256i *)(const void *)q);

    return _mm256_add_epi32(sum, _mm256_madd_epi16(x, y));
}

ASSAY_FMA static int32_t code_row(const int16_t *q, const int8_t *row, size_t n)
{
    __m256i s0 = _mm256_setzero_si256();
    __m256i s1 = _mm256_setzero_si256();
    __m128i s;
    int32_t rest = 0;
    size_t i = 0;

    for (; i + 32 <= n; i += 32) {
        s0 = code_step(q + i, row + i, s0);
        s1 = code_step(q + i + 16, row + i + 16, s1);
    }
    for (; i + 16 <= n; i += 16)
        s0 = code_step(q + i, row + i, s0);
    for (; i < n; i++)
        rest += (int32_t)q[i] * row[i];
    s0 = _mm256_add_epi32(s0, s1);
    s = _mm_add_epi32(_mm256_castsi256_si128(s0), _mm256_extracti128_si256(s0, 1));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4E));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xB1));
    return _mm_cvtsi128_si32(s) + rest;
}

ASSAY_FMA static void codes_wide(const int16_t *q, const int8_t *row, size_t step,
                                 size_t n_rows, size_t n, int32_t *out)
{
    for (size_t r = 0; r < n_rows; r++)
        out[r] = code_row(q, row + r * step, n);
}
#endif

double assay_dot_exact(const float *a, const float *b, size_t n)
{
#if defined(ASSAY_HAS_FMA)
    if (assay_has_fma())
        return exact_wide(a, b, n);
#endif
    return exact_plain(a, b, n);
}

void assay_dot_rows(const float *q, const float *row, size_t step, size_t n_rows,
                    size_t n, float *out)
{
#if defined(ASSAY_HAS_FMA)
    if (assay_has_fma()) {
        rows_wide(q, row, step, n_rows, n, out);
        return;
    }
#endif
    rows_plain(q, row, step, n_rows, n, out);
}

void assay_dot_codes(const int16_t *q, const int8_t *row, size_t step, size_t n_rows,
                     size_t n, int32_t *out)
{
#if defined(ASSAY_HAS_FMA)
    if (assay_has_fma()) {
        codes_wide(q, row, step, n_rows, n, out);
        return;
    }
#endif
    codes_plain(q, row, step, n_rows, n, out);
}

void assay_dot_add(float *to, float x, const float *from, size_t n)
{
#if defined(ASSAY_HAS_FMA)
    if (assay_has_fma()) {
        add_wide(to, x, from, n);
        return;
    }
#endif
    for (size_t i = 0; i < n; i++)
        to[i] += x * from[i];
}

double assay_dot_normalise(float *v, size_t n)
{
    double length = sqrt(assay_dot_exact(v, v, n));

    if (!(length > 0) || isinf(length))
        return length;
    for (size_t i = 0; i < n; i++)
        v[i] = (float)((double)v[i] / length);
    return length;
}
