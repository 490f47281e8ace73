/* SPDX-License-Identifier: Apache-2.0 */
/* Large TREC runs: a guess that is right, one that is wrong, and files too odd to guess. */
#include "testing.h"

#include "base/buffer.h"
#include "base/slice.h"
#include "pipeline/trec.h"

enum { QUERIES = 60, DEPTH = 4000 };

/* A run of some 5 MB: query by query, the relevant document of query q at rank q + 1. */
static assay_buffer make_run(void)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    for (uint32_t q = 0; q < QUERIES; q++)
        for (uint32_t i = 0; i < DEPTH; i++)
            assay_buffer_printf(&text, "q%u Q0 d%u %u %u.5 t\n", q, i == q ? 99999 : i, i,
                                DEPTH - i);
    CHECK(!text.has_failed && text.len > 4 << 20); /* several parts */
    return text;
}

static void save(const char *path, assay_slice text)
{
    assay_error err;

    CHECK(!assay_file_save(path, text, &err));
}

static assay_qrels make_qrels(void)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_qrels qrels = {0};

    for (uint32_t q = 0; q < QUERIES; q++)
        assay_buffer_printf(&text, "q%u 0 d99999 1\n", q);
    CHECK(!assay_qrels_parse(&qrels, "j", assay_buffer_view(&text), ASSAY_QRELS_PLAIN,
                             true, NULL));
    assay_buffer_clear(&text);
    return qrels;
}

/* recip_rank of the file; says whether a guess was used in the end. */
static double measure_with(const char *path, size_t least_jump, bool *was_guessed,
                           assay_error *err)
{
    const assay_trec_options options = {
        .level = 1, .max_docs = UINT32_MAX, .n_threads = 2};
    const assay_trec_rules rules = {
        .has_comments = true, .n_threads = 2, .least_jump = least_jump};
    assay_qrels qrels = make_qrels();
    assay_trec_plan plan = {0};
    assay_trec_scores scores = {0};
    assay_trec_run run = {0};
    double value = -1;
    assay_status st = assay_trec_run_open(&run, path, &rules, err);

    CHECK(!assay_trec_plan_add(
        &plan, assay_trec_measure_find(ASSAY_LIT("recip_rank"), false), NULL, NULL));
    if (!st)
        st = assay_trec_measure_run(&plan, &qrels, &run, &options, &scores, err);
    if (!st && !scores.has_stopped)
        value = assay_trec_summary(&plan, &scores, &options, 0);
    *was_guessed = run.guess != NULL;
    assay_trec_scores_clear(&scores);
    assay_trec_plan_clear(&plan);
    assay_trec_run_clear(&run);
    assay_qrels_clear(&qrels);
    return value;
}

static double measure_file(const char *path, bool *was_guessed, assay_error *err)
{
    return measure_with(path, 0, was_guessed, err);
}

/* Mean of 1/1, 1/2 ... 1/60. */
static double expected(void)
{
    double sum = 0;

    for (int q = 0; q < QUERIES; q++)
        sum += 1.0 / (q + 1);
    return sum / QUERIES;
}

TEST(a_grouped_file_is_measured_by_a_guess)
{
    assay_buffer text = make_run();
    assay_error err;
    bool was_guessed;

    save("run", assay_buffer_view(&text));
    CHECK_NEAR(measure_file("run", &was_guessed, &err), expected(), 1e-15);
    CHECK(was_guessed);
    assay_buffer_clear(&text);
}

TEST(comments_and_blank_lines_do_not_spoil_a_guess)
{
    assay_buffer text = make_run();
    assay_buffer odd = ASSAY_BUFFER_EMPTY;
    const char *middle = strstr(text.ptr + text.len / 2, "\n") + 1;
    assay_error err;
    bool was_guessed;

    assay_buffer_add(&odd, text.ptr, (size_t)(middle - text.ptr));
    assay_buffer_text(&odd, "# comment\n\n   \n");
    assay_buffer_add(&odd, middle, (size_t)(text.ptr + text.len - middle));
    assay_buffer_text(&odd, "\n# end");
    save("run", assay_buffer_view(&odd));
    CHECK_NEAR(measure_file("run", &was_guessed, &err), expected(), 1e-15);
    CHECK(was_guessed);
    assay_buffer_clear(&text);
    assay_buffer_clear(&odd);
}

TEST(a_stray_line_of_another_query_is_noticed_and_counted_where_it_belongs)
{
    assay_buffer text = make_run();
    int n_wrong = 0;

    for (size_t tenth = 3; tenth < 9; tenth++) {
        assay_buffer odd = ASSAY_BUFFER_EMPTY;
        const char *middle = strstr(text.ptr + text.len / 10 * tenth, "\n") + 1;
        assay_error err;
        bool was_guessed;

        /* The first query's relevant document was first; now one above it comes late. */
        assay_buffer_add(&odd, text.ptr, (size_t)(middle - text.ptr));
        assay_buffer_text(&odd, "q0 Q0 stray 1 999999 t\n");
        assay_buffer_add(&odd, middle, (size_t)(text.ptr + text.len - middle));
        save("run", assay_buffer_view(&odd));
        CHECK_NEAR(measure_file("run", &was_guessed, &err), expected() - 0.5 / QUERIES,
                   1e-15);
        n_wrong += !was_guessed;
        assay_buffer_clear(&odd);
    }
    /* A jump may land on the line by luck, but not each time. */
    CHECK(n_wrong > 0);
    assay_buffer_clear(&text);
}

TEST(a_malformed_line_is_found_wherever_it_stands)
{
    assay_buffer text = make_run();
    assay_error err = {ASSAY_OK, ""};
    bool was_guessed;

    assay_buffer_text(&text, "q7 Q0 d 1 one t\n");
    save("run", assay_buffer_view(&text));
    CHECK_NEAR(measure_file("run", &was_guessed, &err), -1, 0);
    CHECK_STR(err.text, "run:240001: score 'one' is not a finite number");
    assay_buffer_clear(&text);
}

TEST(a_small_file_is_not_guessed)
{
    assay_error err;
    bool was_guessed;

    write_file("run", "q0 Q0 d99999 1 1 t\n");
    (void)measure_file("run", &was_guessed, &err);
    CHECK(!was_guessed);
}

TEST(a_large_file_that_ends_in_the_middle_of_an_id_is_malformed)
{
    assay_buffer text = make_run();
    assay_error err = {ASSAY_OK, ""};
    bool was_guessed;

    assay_buffer_text(&text, "q5");
    save("run", assay_buffer_view(&text));
    CHECK_NEAR(measure_file("run", &was_guessed, &err), -1, 0);
    CHECK_INT(err.status, ASSAY_EINPUT);
    assay_buffer_clear(&text);
}

/* All queries in stretches of random length, with strays, blanks and comments among them. */
static assay_buffer make_odd_run(uint64_t *seed, bool has_strays)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    for (uint32_t q = 0; q < QUERIES; q++) {
        *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        for (uint32_t i = 0; i < (*seed >> 40) % 150 + 1; i++) {
            bool is_stray = has_strays && (*seed >> (i % 32)) % 97 == 0;
            uint32_t of = is_stray ? (q + 7) % QUERIES : q;

            if ((*seed >> (i % 29)) % 101 == 0)
                assay_buffer_text(&text, i % 2 ? "\n" : "  # aside\n");
            assay_buffer_printf(&text, "%sq%u Q0 d%u-%u%s %u %u.5 t\n", i % 17 ? "" : " ",
                                of, q, i, i == q ? " " : "", i, 500 - i);
        }
        assay_buffer_printf(&text, "q%u\tQ0\td99999\t1\t%u.25\tt\n", q,
                            (uint32_t)(*seed >> 50) % 500);
    }
    CHECK(!text.has_failed);
    return text;
}

TEST(jumping_and_looking_at_every_line_give_the_same_value)
{
    uint64_t seed = 3;
    int n_guessed = 0;

    for (int round = 0; round < 60; round++) {
        assay_buffer text = make_odd_run(&seed, round % 2);
        assay_error err = {ASSAY_OK, ""};
        bool by_jumping;
        bool by_lines;
        double jumped;

        save("run", assay_buffer_view(&text));
        jumped = measure_with("run", 1, &by_jumping, &err);
        CHECK(jumped > 0);
        CHECK_NEAR(jumped, measure_with("run", SIZE_MAX, &by_lines, &err), 0);
        CHECK(!by_lines);
        n_guessed += by_jumping;
        assay_buffer_clear(&text);
    }
    /* Both must have happened, or nothing was compared. */
    CHECK(n_guessed > 0 && n_guessed < 60);
}
