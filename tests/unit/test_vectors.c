/* SPDX-License-Identifier: Apache-2.0 */
/* Products of matrices, inner products, and the nearest vectors. */
#include "index/vectors.h"

#include "base/dot.h"
#include "base/gemm.h"
#include "base/mem.h"
#include "index/pile.h"
#include "testing.h"

static uint64_t state;

/* In [-1, 1), and a multiple of 2^-steps: with few steps all sums are exact. */
static float number(int steps)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (float)ldexp(floor(ldexp((double)(state >> 40) * 0x1p-23 - 1, steps)), -steps);
}

static float *numbers(size_t n, int steps)
{
    float *x = assay_mem_alloc(n * sizeof *x);

    CHECK(x != NULL);
    for (size_t i = 0; i < n; i++)
        x[i] = number(steps);
    return x;
}

/* Numbers of 4 bits: every sum is exact, so order and fusing cannot be seen. */
TEST(a_product_of_matrices_is_the_sum_of_products_for_all_sizes)
{
    static const size_t size[][3] = {{1, 1, 1},    {6, 16, 8},  {7, 17, 5},
                                     {5, 15, 400}, {13, 33, 1}, {100, 3, 385},
                                     {97, 48, 12}, {3, 1, 800}};

    for (size_t t = 0; t < sizeof size / sizeof size[0]; t++) {
        size_t m = size[t][0], n = size[t][1], k = size[t][2];
        float *a = numbers(m * (k + 3), 4);
        float *b = numbers(n * k, 4);
        float *bias = numbers(n, 4);
        float *packed = numbers(assay_gemm_packed(n, k), 4);
        float *c = numbers(m * (n + 2), 4);

        assay_gemm_pack(b, n, k, k, 1, packed);
        assay_gemm(a, k + 3, m, packed, n, k, t % 2 ? bias : NULL, c, n + 2);
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++) {
                double want = t % 2 ? (double)bias[j] : 0;

                for (size_t l = 0; l < k; l++)
                    want += (double)a[i * (k + 3) + l] * (double)b[j * k + l];
                CHECK_NEAR((double)c[i * (n + 2) + j], want, 0);
            }
        assay_mem_free(a);
        assay_mem_free(b);
        assay_mem_free(bias);
        assay_mem_free(packed);
        assay_mem_free(c);
    }
}

TEST(a_transposed_matrix_packs_to_the_same_panels)
{
    enum { N = 19, K = 7 };
    float *b = numbers(N * K, 20);
    float turned[N * K];
    float *one = numbers(assay_gemm_packed(N, K), 4);
    float *two = numbers(assay_gemm_packed(N, K), 4);

    for (int j = 0; j < N; j++)
        for (int l = 0; l < K; l++)
            turned[l * N + j] = b[j * K + l];
    assay_gemm_pack(b, N, K, K, 1, one);
    assay_gemm_pack(turned, N, K, 1, N, two);
    CHECK(memcmp(one, two, assay_gemm_packed(N, K) * sizeof *one) == 0);
    assay_mem_free(b);
    assay_mem_free(one);
    assay_mem_free(two);
}

TEST(a_row_of_a_product_has_the_same_bits_alone_and_among_others)
{
    enum { M = 203, N = 37, K = 777 };
    float *a = numbers((size_t)M * K, 22);
    float *b = numbers((size_t)N * K, 22);
    float *packed = numbers(assay_gemm_packed(N, K), 4);
    float *all = numbers((size_t)M * N, 4);
    float one[N];

    assay_gemm_pack(b, N, K, K, 1, packed);
    assay_gemm(a, K, M, packed, N, K, NULL, all, N);
    for (size_t i = 0; i < M; i++) {
        assay_gemm(a + i * K, K, 1, packed, N, K, NULL, one, N);
        CHECK(memcmp(one, all + i * N, sizeof one) == 0);
    }
    assay_mem_free(a);
    assay_mem_free(b);
    assay_mem_free(packed);
    assay_mem_free(all);
}

TEST(inner_products_of_all_lengths_are_what_they_say)
{
    for (size_t n = 0; n < 130; n++) {
        float *a = numbers(n + 1, 4);
        float *b = numbers(n + 1, 4);
        int16_t q[130];
        int8_t code[130];
        int32_t whole = 0, sum;
        double want = 0;
        float out;

        for (size_t i = 0; i < n; i++) {
            want += (double)a[i] * (double)b[i];
            q[i] = (int16_t)(a[i] * 16000);
            code[i] = (int8_t)(b[i] * 127);
            whole += q[i] * code[i];
        }
        assay_dot_rows(a, b, n, 1, n, &out);
        assay_dot_codes(q, code, n, 1, n, &sum);
        CHECK_NEAR(assay_dot_exact(a, b, n), want, 0);
        CHECK_NEAR((double)out, want, 0);
        CHECK_INT(sum, whole);
        assay_mem_free(a);
        assay_mem_free(b);
    }
}

/* The order that base/dot.h promises, written out with separate roundings. */
TEST(the_exact_inner_product_has_the_bits_of_the_written_order)
{
    enum { N = 387 };
    float *a = numbers(N, 22);
    float *b = numbers(N, 22);
    double s[8] = {0};

    for (int i = 0; i < N; i++) {
        volatile double product = (double)a[i] * (double)b[i];

        s[i % 8] += product;
    }
    CHECK(assay_dot_exact(a, b, N) ==
          ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])));
    assay_mem_free(a);
    assay_mem_free(b);
}

TEST(a_vector_without_length_is_left_alone)
{
    float zero[3] = {0, 0, 0};
    float v[2] = {3, 4};

    CHECK_NEAR(assay_dot_normalise(zero, 3), 0, 0);
    CHECK(zero[0] == 0 && zero[1] == 0 && zero[2] == 0);
    CHECK_NEAR(assay_dot_normalise(v, 2), 5, 0);
    CHECK(v[0] == 3.0F / 5 && v[1] == 4.0F / 5);
}

/* ---- nearest ---- */

static int best_first(const void *a, const void *b)
{
    const assay_near *x = a;
    const assay_near *y = b;

    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->row > y->row ? -1 : x->row < y->row;
}

typedef struct set {
    assay_vectors *v;
    float *row; /* a copy, as the vectors have it */
    uint32_t n;
    uint32_t dims;
} set;

static set make_set(uint32_t n, uint32_t dims, int steps, bool is_dot, bool is_lean)
{
    assay_vectors_options options = {.is_dot = is_dot, .is_lean = is_lean};
    float *row = numbers((size_t)n * dims + 1, steps);
    set s = {.n = n, .dims = dims};
    assay_error err;

    s.row = assay_mem_alloc((size_t)n * dims * sizeof *row);
    memcpy(s.row, row, (size_t)n * dims * sizeof *row);
    for (uint32_t i = 0; i < n && !is_dot; i++)
        assay_dot_normalise(s.row + (size_t)i * dims, dims);
    CHECK(assay_vectors_new(row, n, dims, &options, &s.v, &err) == ASSAY_OK);
    return s;
}

static void free_set(set *s)
{
    assay_vectors_free(s->v);
    assay_mem_free(s->row);
}

static void check_answer(const set *s, const float *q, uint32_t k, const assay_near *hit,
                         uint32_t n_hits)
{
    assay_near *all = malloc(s->n * sizeof *all);

    for (uint32_t i = 0; i < s->n; i++)
        all[i] =
            (assay_near){assay_dot_exact(q, s->row + (size_t)i * s->dims, s->dims), i};
    qsort(all, s->n, sizeof *all, best_first);
    CHECK_INT(n_hits, k < s->n ? k : s->n);
    for (uint32_t i = 0; i < n_hits; i++) {
        CHECK_INT(hit[i].row, all[i].row);
        CHECK(hit[i].score == all[i].score);
    }
    free(all);
}

/* Against sorting everything by the exact score, for one thread and three, for a query
 * alone and in batches of all sizes; `steps` = 2 makes most scores equal. */
static void check_set(const set *s, uint32_t n_queries, uint32_t k, bool is_dot,
                      int steps)
{
    static const uint32_t batch[] = {1, 3, 9, 40};
    float *q = numbers((size_t)n_queries * s->dims, steps);
    assay_near *hit = malloc((size_t)n_queries * k * sizeof *hit);
    uint32_t *n_hits = malloc(n_queries * sizeof *n_hits);
    assay_error err;

    for (uint32_t i = 0; i < n_queries && !is_dot; i++)
        assay_dot_normalise(q + (size_t)i * s->dims, s->dims);
    for (int t = 0; t < 8; t++) {
        uint32_t step = batch[t % 4];

        for (uint32_t i = 0; i < n_queries; i += step)
            CHECK(assay_vectors_search(s->v, q + (size_t)i * s->dims,
                                       n_queries - i < step ? n_queries - i : step, k,
                                       t < 4 ? 1 : 3, hit + (size_t)i * k, n_hits + i,
                                       &err) == ASSAY_OK);
        for (uint32_t i = 0; i < n_queries; i++)
            check_answer(s, q + (size_t)i * s->dims, k, hit + (size_t)i * k, n_hits[i]);
    }
    free(hit);
    free(n_hits);
    assay_mem_free(q);
}

TEST(the_nearest_are_those_of_a_full_sort_alone_in_batches_and_on_any_threads)
{
    static const struct {
        uint32_t n, dims, k;
        int steps;
        bool is_dot, is_lean;
    } t[] = {{5000, 40, 10, 22, false, false}, {5000, 40, 10, 22, false, true},
             {9000, 7, 300, 22, true, false},  {9000, 7, 300, 22, true, true},
             {9000, 3, 50, 2, true, false},    {9000, 3, 50, 2, true, true},
             {1, 5, 10, 22, false, false},     {30, 1, 30, 22, false, false},
             {10, 64, 100, 22, true, false}};

    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        set s = make_set(t[i].n, t[i].dims, t[i].steps, t[i].is_dot, t[i].is_lean);

        check_set(&s, 41, t[i].k, t[i].is_dot, 22);
        free_set(&s);
    }
}

TEST(of_equal_scores_the_higher_row_comes_first)
{
    assay_vectors_options options = {0};
    uint32_t n = 10000;
    float *row = numbers((size_t)n * 2, 22);
    float q[2] = {1, 1};
    assay_near hit[300];
    uint32_t n_hits;
    assay_vectors *v;
    assay_error err;

    for (uint32_t i = 0; i < n; i++) {
        row[2 * i] = i == 17 ? 1 : 0;
        row[2 * i + 1] = 1;
    }
    CHECK(assay_vectors_new(row, n, 2, &options, &v, &err) == ASSAY_OK);
    for (uint32_t threads = 1; threads < 4; threads++) {
        CHECK(assay_vectors_search(v, q, 1, 300, threads, hit, &n_hits, &err) ==
              ASSAY_OK);
        CHECK_INT(hit[0].row, 17);
        for (uint32_t i = 1; i < n_hits; i++)
            CHECK_INT(hit[i].row, n - i);
    }
    assay_vectors_free(v);
}

TEST(an_empty_query_and_k_0_have_no_hits)
{
    set s = make_set(50, 4, 22, false, false);
    float q[8] = {0, 0, 0, 0, 1, 0, 0, 0};
    assay_near hit[10];
    uint32_t n_hits[2] = {7, 7};
    assay_error err;

    CHECK(assay_vectors_search(s.v, q, 2, 5, 1, hit, n_hits, &err) == ASSAY_OK);
    CHECK_INT(n_hits[0], 0);
    CHECK_INT(n_hits[1], 5);
    CHECK(assay_vectors_search(s.v, q, 2, 0, 1, hit, n_hits, &err) == ASSAY_OK);
    CHECK_INT(n_hits[1], 0);
    free_set(&s);
}

TEST(numbers_that_are_not_finite_are_refused_by_place)
{
    static const float bad[] = {NAN, INFINITY, 1e30F};

    for (int i = 0; i < 3; i++) {
        assay_vectors_options options = {0};
        float *row = numbers(3000 * 4, 22);
        assay_vectors *v = NULL;
        assay_error err;

        row[2000 * 4 + 1] = bad[i];
        CHECK(assay_vectors_new(row, 3000, 4, &options, &v, &err) == ASSAY_EINPUT);
        CHECK_STR(err.text,
                  "vector 2001 of 3000 has numbers that are not finite or too large");
        CHECK(v == NULL);
        assay_mem_free(row);
    }
}

TEST(codes_alone_lose_little_and_say_how_much)
{
    set s = make_set(4000, 48, 22, false, false);
    double recall = 0;
    size_t before = assay_vectors_bytes(s.v);
    assay_near one[5], many[5 * 20];
    uint32_t n_one, n_many[20];
    float *q = numbers(20 * 48, 22);
    assay_error err;

    CHECK(assay_vectors_loss(s.v, 100, 10, 2, &recall, &err) == ASSAY_OK);
    CHECK(recall > 0.9 && recall < 1);
    assay_vectors_drop_floats(s.v);
    CHECK(assay_vectors_bytes(s.v) * 4 < before);
    CHECK(assay_vectors_search(s.v, q, 20, 5, 2, many, n_many, &err) == ASSAY_OK);
    for (size_t i = 0; i < 20; i++) {
        double want;
        float *x = q + i * 48;

        CHECK(assay_vectors_search(s.v, x, 1, 5, 1, one, &n_one, &err) == ASSAY_OK);
        assay_dot_normalise(x, 48);
        want = assay_dot_exact(x, s.row + (size_t)one[0].row * 48, 48);
        CHECK_NEAR(one[0].score, want, 0.02);
        for (uint32_t j = 0; j < n_one; j++)
            CHECK(one[j].row == many[i * 5 + j].row &&
                  one[j].score == many[i * 5 + j].score);
    }
    assay_mem_free(q);
    free_set(&s);
}

TEST(a_pile_keeps_what_may_be_among_the_best)
{
    assay_pile_item item[] = {{5, 0}, {1, 1}, {4, 2}, {3.95F, 3}, {2, 4}, {3.7F, 5}};
    assay_pile pile = {item, 6, 12, 2, -INFINITY, 0.1};

    CHECK(assay_pile_sift(&pile));
    /* 4 is the second; what is at least 4 - 2 * 0.1 may be better. */
    CHECK_INT(pile.n, 3);
    CHECK_NEAR((double)pile.floor, 3.8, 1e-6);
}
