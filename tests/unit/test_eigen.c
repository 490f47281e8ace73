/* SPDX-License-Identifier: Apache-2.0 */
#include "base/eigen.h"

#include "testing.h"

enum { MOST = 70 };

static uint64_t state = 1;

static double number(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-52 - 1;
}

/* a v = value v, and the vectors are orthogonal and of length 1. */
static void check_pairs(const double *was, const double *a, const double *value, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        CHECK(k == 0 || value[k] <= value[k - 1]);
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            double dot = 0;

            for (size_t j = 0; j < n; j++) {
                sum += was[i * n + j] * a[k * n + j];
                dot += a[i * n + j] * a[k * n + j];
            }
            CHECK_NEAR(sum, value[k] * a[k * n + i], 1e-13 * (double)n);
            CHECK_NEAR(dot, i == k, 1e-13 * (double)n);
        }
    }
}

TEST(symmetric_matrices_of_all_sizes_have_their_pairs)
{
    for (size_t n = 1; n <= MOST; n += n < 10 ? 1 : 15) {
        static double a[MOST * MOST], was[MOST * MOST], value[MOST], room[MOST];

        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++)
                a[i * n + j] = a[j * n + i] = number();
        memcpy(was, a, sizeof a);
        CHECK(assay_eigen(a, n, value, room));
        check_pairs(was, a, value, n);
    }
}

/* Rank 2 in 6 dimensions, a zero matrix, and one that is diagonal already. */
TEST(matrices_without_full_rank_are_no_trouble)
{
    double a[36], was[36], value[6], room[6];

    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            a[i * 6 + j] = (i + 1) * (j + 1) + (i % 2) * (j % 2);
    memcpy(was, a, sizeof a);
    CHECK(assay_eigen(a, 6, value, room));
    for (int k = 2; k < 6; k++)
        CHECK_NEAR(value[k], 0, 1e-12);
    memset(a, 0, sizeof a);
    CHECK(assay_eigen(a, 6, value, room));
    for (int i = 0; i < 6; i++)
        a[i * 6 + i] = i;
    memset(was, 0, sizeof was);
    for (int i = 0; i < 36; i++)
        a[i] = i % 7 == 0 ? i / 7 : 0;
    memcpy(was, a, sizeof a);
    CHECK(assay_eigen(a, 6, value, room));
    check_pairs(was, a, value, 6);
    CHECK_NEAR(value[0], 5, 0);
}

TEST(a_matrix_with_a_nan_has_no_pairs)
{
    double a[4] = {1, NAN, NAN, 1}, value[2], room[2];

    CHECK(!assay_eigen(a, 2, value, room));
}

/* 4 2 / 2 5 = (2 0 / 1 2) times itself turned; its inverse is 1/2 0 / -1/4 1/2. */
TEST(a_cholesky_factor_and_its_inverse)
{
    double a[4] = {4, 2, 2, 5};
    double not_positive[4] = {1, 2, 2, 1};

    CHECK(assay_cholesky(a, 2));
    CHECK(a[0] == 2 && a[2] == 1 && a[3] == 2);
    assay_cholesky_invert(a, 2);
    CHECK(a[0] == 0.5 && a[1] == 0 && a[2] == -0.25 && a[3] == 0.5);
    CHECK(!assay_cholesky(not_positive, 2));
}
