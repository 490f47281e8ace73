/* SPDX-License-Identifier: Apache-2.0 */
/* Products of float matrices, C = A B^T, on one thread: callers spread blocks over
 * base/pool.h.
 *
 * B is packed once into panels of ASSAY_GEMM_COLS rows; A is read as it lies.  Each
 * element is one chain of additions in the order of k, whatever the blocks are: a row of
 * C has the same bits alone and among others.  With AVX2 and FMA each step is fused; the
 * portable kernel rounds twice, so its last bits may differ. */
#ifndef ASSAY_BASE_GEMM_H
#define ASSAY_BASE_GEMM_H

#include <stddef.h>

enum {
    ASSAY_GEMM_ROWS = 6,  /* of A that a kernel takes at once */
    ASSAY_GEMM_COLS = 16, /* of B^T in a panel */
    ASSAY_GEMM_TILE = ASSAY_GEMM_ROWS * ASSAY_GEMM_COLS
};

/* Floats that n packed rows of length k take. */
size_t assay_gemm_packed(size_t n, size_t k);

/* Pack B: element l of row j is b[j * row_step + l * step].  What is missing in the last
 * panel is filled with zeros. */
void assay_gemm_pack(const float *b, size_t n, size_t k, size_t row_step, size_t step,
                     float *packed);

/* c[i * c_step + j] = start + sum over l of a[i * a_step + l] * B[j][l], for i < m and
 * j < n; the start is bias[j], or 0 where bias is null. */
void assay_gemm(const float *a, size_t a_step, size_t m, const float *packed, size_t n,
                size_t k, const float *bias, float *c, size_t c_step);

/* One tile: rows (1 to 6) of A against one panel, added to `tile`, which is row by row
 * and ASSAY_GEMM_COLS wide. */
typedef void assay_gemm_kernel(const float *a, size_t a_step, size_t rows,
                               const float *panel, size_t k, float *tile);

/* The best one for this machine. */
assay_gemm_kernel *assay_gemm_choose(void);

#endif
