/* SPDX-License-Identifier: Apache-2.0 */
/* Terms counted, singular values found, texts turned into vectors. */
#include "base/dot.h"
#include "base/mem.h"
#include "base/slice.h"
#include "embed/embed.h"
#include "embed/svd.h"
#include "embed/term_matrix.h"
#include "testing.h"

static const char *const words[] = {"ship",  "boat",  "ocean", "wood", "tree",
                                    "river", "stone", "cloud", "rain", "wind"};

/* Texts of words of one half of the list or the other, with a fixed generator. */
static assay_slice *make_texts(size_t n, assay_arena *arena)
{
    assay_slice *text = ASSAY_ARENA_ARRAY(arena, assay_slice, n);
    uint64_t state = 7;

    for (size_t i = 0; i < n; i++) {
        char line[400] = "";
        size_t len = 0;

        for (int j = 0; j < 12; j++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            len += (size_t)snprintf(line + len, sizeof line - len, "%s%zu ",
                                    words[(state >> 33) % 5 + (i % 2 ? 5 : 0)],
                                    (size_t)(state >> 50) % 40);
        }
        text[i] = assay_arena_copy(arena, (assay_slice){line, len});
    }
    return text;
}

TEST(terms_are_numbered_by_first_appearance_and_counted)
{
    assay_slice text[] = {ASSAY_LIT("b a b"), ASSAY_LIT(""), ASSAY_LIT("c a")};
    assay_tokenizing how;
    assay_term_matrix m;
    assay_error err;

    CHECK(assay_tokenizing_read("whitespace", &how, &err) == ASSAY_OK);
    CHECK(assay_term_matrix_count(&how, assay_embed_slice_at, text, 3, 1, 100, 2, &m,
                                  &err) == ASSAY_OK);
    CHECK_INT(m.n_terms, 3);
    CHECK(assay_slice_is(m.terms.word[0], "b") && assay_slice_is(m.terms.word[2], "c"));
    CHECK_INT(m.df[1], 2);
    CHECK_INT(m.first[1], 2);
    CHECK_INT(m.first[2], 2);
    CHECK(m.entry[0].term == 0 && m.entry[0].weight == 2);
    CHECK(m.entry[2].term == 1 && m.entry[3].term == 2);
    assay_term_matrix_clear(&m);
    /* Only `a` stands in two texts; and it is the one that is left of at most one. */
    CHECK(assay_term_matrix_count(&how, assay_embed_slice_at, text, 3, 2, 100, 1, &m,
                                  &err) == ASSAY_OK);
    CHECK_INT(m.n_terms, 1);
    CHECK(assay_slice_is(m.terms.word[0], "a"));
    assay_term_matrix_clear(&m);
    CHECK(assay_term_matrix_count(&how, assay_embed_slice_at, text, 3, 1, 1, 1, &m,
                                  &err) == ASSAY_OK);
    CHECK(m.n_terms == 1 && m.first[3] == 2);
    assay_term_matrix_clear(&m);
}

/* The matrix 3 0 / 0 2 / 0 0 with a column more, twice the first: singular values are
 * 3 sqrt(5) and 2. */
TEST(singular_values_and_directions_of_a_small_matrix)
{
    size_t first[] = {0, 2, 3, 3};
    assay_term_entry entry[] = {{0, 3}, {2, 6}, {1, 2}};
    assay_term_matrix m = {.first = first, .entry = entry, .n_rows = 3, .n_terms = 3};
    assay_svd svd;
    assay_error err;

    CHECK(assay_svd_of(&m, 3, 3, 0, 1, &svd, &err) == ASSAY_OK);
    CHECK_INT(svd.dims, 2);
    CHECK_NEAR(svd.value[0], 3 * sqrt(5), 1e-5);
    CHECK_NEAR(svd.value[1], 2, 1e-5);
    CHECK_NEAR(fabs((double)svd.direction[0]), 1 / sqrt(5), 1e-5);
    CHECK_NEAR(fabs((double)svd.direction[2 * 2]), 2 / sqrt(5), 1e-5);
    CHECK_NEAR(fabs((double)svd.direction[1 * 2 + 1]), 1, 1e-5);
    assay_svd_clear(&svd);
}

/* |A v| of the directions that were found is their singular value, and what is left of A
 * beside them is no longer than the next one. */
TEST(directions_of_a_larger_matrix_carry_their_singular_values)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_slice *text = make_texts(400, &arena);
    assay_tokenizing how;
    assay_term_matrix m;
    assay_svd svd;
    assay_error err;

    CHECK(assay_tokenizing_read("whitespace", &how, &err) == ASSAY_OK);
    CHECK(assay_term_matrix_count(&how, assay_embed_slice_at, text, 400, 1, 100000, 2, &m,
                                  &err) == ASSAY_OK);
    CHECK(assay_svd_of(&m, 20, 8, 5, 2, &svd, &err) == ASSAY_OK);
    CHECK_INT(svd.dims, 20);
    for (uint32_t d = 0; d < svd.dims; d++) {
        double sum = 0;
        double length = 0;

        for (uint32_t t = 0; t < m.n_terms; t++)
            length += pow((double)svd.direction[(size_t)t * svd.dims + d], 2);
        CHECK_NEAR(length, 1, 1e-4);
        for (size_t r = 0; r < m.n_rows; r++) {
            double x = 0;

            for (size_t e = m.first[r]; e < m.first[r + 1]; e++)
                x += (double)m.entry[e].weight *
                     (double)svd.direction[(size_t)m.entry[e].term * svd.dims + d];
            sum += x * x;
        }
        CHECK_NEAR(sqrt(sum), svd.value[d], 1e-3 * svd.value[0]);
    }
    assay_svd_clear(&svd);
    assay_term_matrix_clear(&m);
    assay_arena_clear(&arena);
}

typedef struct trained {
    assay_embedding embedding;
    float *row;
    uint32_t dims;
} trained;

static trained train(const char *spelling, assay_slice *text, size_t n, uint32_t threads)
{
    assay_embed_settings settings = {.n_threads = threads};
    trained t;
    assay_error err = {ASSAY_OK, ""};

    if (assay_embedding_open(spelling, &settings, &t.embedding, &err) ||
        t.embedding.embedder->train(t.embedding.state, assay_embed_slice_at, text, n,
                                    &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    t.dims = t.embedding.embedder->dims(t.embedding.state);
    t.row = malloc((n * t.dims + 1) * sizeof *t.row);
    CHECK(t.embedding.embedder->embed(t.embedding.state, ASSAY_EMBED_PASSAGE,
                                      assay_embed_slice_at, text, n, t.row,
                                      &err) == ASSAY_OK);
    return t;
}

static void free_trained(trained *t)
{
    assay_embedding_close(&t->embedding);
    free(t->row);
}

TEST(lsa_gives_the_same_bits_for_any_number_of_threads)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_slice *text = make_texts(1500, &arena);
    trained one = train("lsa(dims=64)", text, 1500, 1);

    CHECK_INT(one.dims, 64);
    for (uint32_t threads = 2; threads < 5; threads++) {
        trained many = train("lsa(dims=64)", text, 1500, threads);

        CHECK_INT(many.dims, one.dims);
        CHECK(memcmp(one.row, many.row, 1500 * 64 * sizeof *one.row) == 0);
        free_trained(&many);
    }
    free_trained(&one);
    assay_arena_clear(&arena);
}

TEST(lsa_finds_texts_of_one_kind_by_words_that_they_do_not_share)
{
    assay_slice text[] = {ASSAY_LIT("ship ocean"),  ASSAY_LIT("boat ocean"),
                          ASSAY_LIT("ship boat"),   ASSAY_LIT("ship wave"),
                          ASSAY_LIT("boat wave"),   ASSAY_LIT("wood tree"),
                          ASSAY_LIT("wood forest"), ASSAY_LIT("tree forest")};
    assay_slice query = ASSAY_LIT("wave");
    trained t = train("lsa(dims=2)", text, 8, 1);
    float q[2];
    assay_error err;

    CHECK_INT(t.dims, 2);
    CHECK(t.embedding.embedder->embed(t.embedding.state, ASSAY_EMBED_QUERY,
                                      assay_embed_slice_at, &query, 1, q,
                                      &err) == ASSAY_OK);
    /* "ship ocean" has no "wave", and is still as near as can be; "wood tree" is not. */
    CHECK(assay_dot_exact(q, t.row, 2) > 0.95);
    CHECK_NEAR(assay_dot_exact(q, t.row + 2 * 5, 2), 0, 0.05);
    free_trained(&t);
}

TEST(lsa_of_nothing_and_of_texts_that_say_nothing)
{
    assay_slice text[] = {ASSAY_LIT(""), ASSAY_LIT("  "), ASSAY_LIT("...")};
    trained none = train(NULL, text, 0, 1);
    trained empty = train(NULL, text, 3, 2);

    CHECK_INT(none.dims, 0);
    CHECK_INT(empty.dims, 0);
    free_trained(&none);
    free_trained(&empty);
}

TEST(lsa_says_what_is_wrong_with_its_spelling)
{
    static const struct {
        const char *spelling;
        const char *words;
    } bad[] = {
        {"lsa(dim=3)", "embedder 'lsa' has no parameter 'dim'; did you mean 'dims'?"},
        {"lsa(dims=-1)",
         "embedder 'lsa': dims is a whole number from 0 to 4096, not '-1'"},
        {"lsa:x", "embedder 'lsa' takes no argument, not 'x'"},
        {"lsa(dims=1", "'lsa(dims=1' lacks its closing bracket"},
    };
    assay_embed_settings settings = {0};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assay_embedding e;
        assay_error err;

        CHECK(assay_embedding_open(bad[i].spelling, &settings, &e, &err) == ASSAY_EUSAGE);
        CHECK_STR(err.text, bad[i].words);
    }
}

TEST(lsa_embeds_nothing_before_it_was_trained_and_is_trained_once)
{
    assay_slice text[] = {ASSAY_LIT("a b")};
    assay_embed_settings settings = {0};
    assay_embedding e;
    assay_error err;
    float row[4];

    CHECK(assay_embedding_open("lsa", &settings, &e, &err) == ASSAY_OK);
    CHECK(e.embedder->embed(e.state, ASSAY_EMBED_QUERY, assay_embed_slice_at, text, 1,
                            row, &err) == ASSAY_EUSAGE);
    CHECK_STR(err.text, "embedder 'lsa' was not trained");
    CHECK(e.embedder->train(e.state, assay_embed_slice_at, text, 1, &err) == ASSAY_OK);
    CHECK(e.embedder->train(e.state, assay_embed_slice_at, text, 1, &err) ==
          ASSAY_EUSAGE);
    assay_embedding_close(&e);
}
