/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel keeps a tile of 6 x 16 sums in twelve registers and adds one outer product
 * a step: two loads of the panel, six broadcasts of A, twelve multiply-adds.  A panel of
 * DEPTH steps stays in the first-level cache while the rows of A pass by; longer rows
 * are taken in pieces, with the sums put down in C and taken up again, which changes
 * nothing in their order. */
#include "base/gemm.h"

#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"

#if defined(ASSAY_HAS_FMA)
#include <immintrin.h>
#endif

enum {
    DEPTH = 256, /* steps of a panel at once: 16 kB */
    BLOCK = 96   /* rows of A that stay in the second-level cache */
};

size_t assay_gemm_packed(size_t n, size_t k)
{
    return (n + ASSAY_GEMM_COLS - 1) / ASSAY_GEMM_COLS * ASSAY_GEMM_COLS * k;
}

void assay_gemm_pack(const float *b, size_t n, size_t k, size_t row_step, size_t step,
                     float *packed)
{
    for (size_t first = 0; first < n; first += ASSAY_GEMM_COLS) {
        size_t have = n - first < ASSAY_GEMM_COLS ? n - first : ASSAY_GEMM_COLS;

        for (size_t l = 0; l < k; l++)
            for (size_t j = 0; j < ASSAY_GEMM_COLS; j++)
                packed[l * ASSAY_GEMM_COLS + j] =
                    j < have ? b[(first + j) * row_step + l * step] : 0.0F;
        packed += k * ASSAY_GEMM_COLS;
    }
}

static void kernel_plain(const float *a, size_t a_step, size_t rows, const float *panel,
                         size_t k, float *tile)
{
    for (size_t i = 0; i < rows; i++) {
        float *sum = tile + i * ASSAY_GEMM_COLS;

        for (size_t l = 0; l < k; l++) {
            float x = a[i * a_step + l];

            for (size_t j = 0; j < ASSAY_GEMM_COLS; j++)
                sum[j] += x * panel[l * ASSAY_GEMM_COLS + j];
        }
    }
}

#if defined(ASSAY_HAS_FMA)
/* Spelt out row by row: in an array the sums would be put into memory at each step. */
#define ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5)
#define TAKE_UP(i)                                               \
    __m256 low##i = _mm256_loadu_ps(tile + (i)*ASSAY_GEMM_COLS); \
    __m256 high##i = _mm256_loadu_ps(tile + (i)*ASSAY_GEMM_COLS + 8);
#define STEP(i)                                  \
    x = _mm256_broadcast_ss(a + (i)*a_step + l); \
    low##i = _mm256_fmadd_ps(x, low, low##i);    \
    high##i = _mm256_fmadd_ps(x, high, high##i);
#define PUT_DOWN(i)                                       \
    _mm256_storeu_ps(tile + (i)*ASSAY_GEMM_COLS, low##i); \
    _mm256_storeu_ps(tile + (i)*ASSAY_GEMM_COLS + 8, high##i);

ASSAY_FMA static void kernel_six(const float *a, size_t a_step, const float *panel,
                                 size_t k, float *tile)
{
    ROWS(TAKE_UP)

    for (size_t l = 0; l < k; l++) {
        __m256 low = _mm256_loadu_ps(panel + l * ASSAY_GEMM_COLS);
        __m256 high = _mm256_loadu_ps(panel + l * ASSAY_GEMM_COLS + 8);
        __m256 x;

        ROWS(STEP)
    }
    ROWS(PUT_DOWN)
}

ASSAY_FMA static void kernel_one(const float *a, const float *panel, size_t k,
                                 float *tile)
{
    __m256 low = _mm256_loadu_ps(tile);
    __m256 high = _mm256_loadu_ps(tile + 8);

    for (size_t l = 0; l < k; l++) {
        const float *b = panel + l * ASSAY_GEMM_COLS;
        __m256 x = _mm256_broadcast_ss(a + l);

        low = _mm256_fmadd_ps(x, _mm256_loadu_ps(b), low);
        high = _mm256_fmadd_ps(x, _mm256_loadu_ps(b + 8), high);
    }
    _mm256_storeu_ps(tile, low);
    _mm256_storeu_ps(tile + 8, high);
}

ASSAY_FMA static void kernel_fused(const float *a, size_t a_step, size_t rows,
                                   const float *panel, size_t k, float *tile)
{
    if (rows == ASSAY_GEMM_ROWS) {
        kernel_six(a, a_step, panel, k, tile);
        return;
    }
    for (size_t i = 0; i < rows; i++)
        kernel_one(a + i * a_step, panel, k, tile + i * ASSAY_GEMM_COLS);
}
#endif

assay_gemm_kernel *assay_gemm_choose(void)
{
#if defined(ASSAY_HAS_FMA)
    if (assay_has_fma())
        return kernel_fused;
#endif
    return kernel_plain;
}

/* What the sums begin with: the bias, or what an earlier piece of k has left in C. */
static void begin_tile(float *tile, size_t rows, size_t cols, const float *bias,
                       const float *c, size_t c_step, bool is_first)
{
    const float *from = is_first ? bias : c;
    size_t step = is_first ? 0 : c_step;

    if (!from || cols < ASSAY_GEMM_COLS)
        memset(tile, 0, ASSAY_GEMM_TILE * sizeof *tile);
    if (!from)
        return;
    for (size_t i = 0; i < rows; i++, tile += ASSAY_GEMM_COLS, from += step) {
        if (cols == ASSAY_GEMM_COLS)
            memcpy(tile, from, ASSAY_GEMM_COLS * sizeof *tile);
        else
            memcpy(tile, from, cols * sizeof *tile);
    }
}

static void end_tile(const float *tile, size_t rows, size_t cols, float *c, size_t c_step)
{
    for (size_t i = 0; i < rows; i++, tile += ASSAY_GEMM_COLS, c += c_step) {
        if (cols == ASSAY_GEMM_COLS)
            memcpy(c, tile, ASSAY_GEMM_COLS * sizeof *c);
        else
            memcpy(c, tile, cols * sizeof *c);
    }
}

/* All rows of a block against one panel and one piece of k. */
typedef struct piece {
    assay_gemm_kernel *kernel;
    const float *a;
    const float *panel;
    const float *bias; /* of this panel, or null */
    float *c;
    size_t a_step;
    size_t c_step;
    size_t rows;
    size_t cols;
    size_t k;
    bool is_first;
} piece;

static void run_piece(const piece *p)
{
    float tile[ASSAY_GEMM_TILE];

    for (size_t i = 0; i < p->rows; i += ASSAY_GEMM_ROWS) {
        size_t rows = p->rows - i < ASSAY_GEMM_ROWS ? p->rows - i : ASSAY_GEMM_ROWS;
        float *c = p->c + i * p->c_step;

        begin_tile(tile, rows, p->cols, p->bias, c, p->c_step, p->is_first);
        p->kernel(p->a + i * p->a_step, p->a_step, rows, p->panel, p->k, tile);
        end_tile(tile, rows, p->cols, c, p->c_step);
    }
}

void assay_gemm(const float *a, size_t a_step, size_t m, const float *packed, size_t n,
                size_t k, const float *bias, float *c, size_t c_step)
{
    assay_gemm_kernel *kernel = assay_gemm_choose();

    for (size_t i = 0; i < m; i += BLOCK) {
        for (size_t l = 0; l == 0 || l < k; l += DEPTH) {
            for (size_t j = 0; j < n; j += ASSAY_GEMM_COLS) {
                piece p = {.kernel = kernel,
                           .a = a + i * a_step + l,
                           .panel = packed + j * k + l * ASSAY_GEMM_COLS,
                           .bias = bias ? bias + j : NULL,
                           .c = c + i * c_step + j,
                           .a_step = a_step,
                           .c_step = c_step,
                           .rows = m - i < BLOCK ? m - i : BLOCK,
                           .cols = n - j < ASSAY_GEMM_COLS ? n - j : ASSAY_GEMM_COLS,
                           .k = k - l < DEPTH ? k - l : DEPTH,
                           .is_first = l == 0};

                run_piece(&p);
            }
        }
    }
}
