/* SPDX-License-Identifier: Apache-2.0 */
/* Levers, the split, the race, and whether the best of many is better than chance. */
#include "base/slice.h"
#include "compare/sweep_judge.h"
#include "pipeline/levers.h"
#include "pipeline/sweep_race.h"
#include "stat/random.h"
#include "testing.h"

static assay_error err;

static assay_slice method_of(const assay_levers *l, uint32_t setting, const char *method,
                             assay_arena *arena)
{
    assay_slice out = {"", 0};

    if (assay_setting_method(l, setting, assay_slice_of(method), arena, &out, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return out;
}

TEST(values_are_written_out_one_by_one)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_levers l = {.n = 0};
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    CHECK(!assay_levers_add(&l, ASSAY_LIT("rrf.k=10,60"), &arena, &err));
    CHECK(!assay_levers_add(&l, ASSAY_LIT("chunker=lines(n=5|9,overlap=0|1), whole"),
                            &arena, &err));
    CHECK(!assay_levers_add(&l, ASSAY_LIT("bm25.b=0.1..0.9/5"), &arena, &err));
    CHECK_INT(l.n_settings, 2 * (2 * 2 + 1) * 5);
    CHECK(assay_slice_is(l.lever[1].value[1], "lines(n=5,overlap=1)"));
    CHECK(assay_slice_is(l.lever[1].value[4], "whole"));
    CHECK(assay_slice_is(l.lever[2].value[1], "0.3"));
    assay_setting_print(&l, 1, &text);
    CHECK(assay_slice_is(assay_buffer_view(&text),
                         "rrf.k=10 chunker=lines(n=5,overlap=0) bm25.b=0.3"));
    assay_buffer_clear(&text);
    assay_arena_clear(&arena);
}

TEST(parameters_go_to_the_method_or_to_its_leg)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_levers l = {.n = 0};

    CHECK(!assay_levers_add(&l, ASSAY_LIT("rrf.k=10"), &arena, &err));
    CHECK(!assay_levers_add(&l, ASSAY_LIT("bm25.k1=0.9"), &arena, &err));
    CHECK(!assay_levers_add(&l, ASSAY_LIT("weights=0.3:0.7"), &arena, &err));
    CHECK(assay_slice_is(method_of(&l, 0, "hybrid(k=60,depth=50)", &arena),
                         "hybrid(depth=50,k=10,bm25.k1=0.9,weights=0.3:0.7)"));
    assay_arena_clear(&arena);
}

TEST(levers_that_are_none_are_refused)
{
    static const char *const bad[] = {"k1", "=3", "k1=", "k1=1,1"};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_slice out;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assay_levers l = {.n = 0};

        CHECK_INT(assay_levers_add(&l, assay_slice_of(bad[i]), &arena, &err),
                  ASSAY_EUSAGE);
    }
    {
        assay_levers l = {.n = 0};

        CHECK(!assay_levers_add(&l, ASSAY_LIT("nonsense=1,2"), &arena, &err));
        CHECK_INT(assay_setting_method(&l, 0, ASSAY_LIT("bm25"), &arena, &out, &err),
                  ASSAY_EUSAGE);
        CHECK(strstr(err.text, "k1") != NULL);
    }
    assay_arena_clear(&arena);
}

TEST(the_same_question_is_always_on_the_same_side)
{
    uint32_t held = 0;

    for (uint32_t i = 0; i < 2000; i++) {
        char name[20];
        assay_slice s;

        snprintf(name, sizeof name, "q%u", i);
        s = assay_slice_of(name);
        CHECK(assay_sweep_is_held(s, 1, 0.3) == assay_sweep_is_held(s, 1, 0.3));
        /* Who is held out at 0.3 is so at 0.4. */
        CHECK(!assay_sweep_is_held(s, 1, 0.3) || assay_sweep_is_held(s, 1, 0.4));
        held += assay_sweep_is_held(s, 1, 0.3);
    }
    /* 600 expected, standard deviation sqrt(2000 * 0.3 * 0.7) = 20.5; four of them. */
    CHECK(held > 600 - 82 && held < 600 + 82);
}

/* A table of settings x questions, setting s better by s * effect than the first. */
enum { SETTINGS = 20, QUESTIONS = 120 };

static void make(uint64_t seed, double effect, double *value, bool *is_held)
{
    assay_random r = assay_random_stream(seed, 0);

    for (uint32_t q = 0; q < QUESTIONS; q++) {
        double hard = assay_random_unit(&r);

        is_held[q] = q % 10 < 3;
        for (uint32_t s = 0; s < SETTINGS; s++)
            value[s * QUESTIONS + q] =
                hard + 0.3 * (assay_random_unit(&r) - 0.5) + (s ? effect : 0);
    }
}

static assay_sweep_verdict judge(uint64_t seed, double effect, assay_arena *arena)
{
    double *value = ASSAY_ARENA_ARRAY(arena, double, SETTINGS *QUESTIONS);
    bool *is_held = ASSAY_ARENA_ARRAY(arena, bool, QUESTIONS);
    const assay_sweep_table t = {.n_settings = SETTINGS,
                                 .n_questions = QUESTIONS,
                                 .value = value,
                                 .is_held = is_held,
                                 .seed = seed,
                                 .n_threads = 1};
    assay_sweep_verdict v;

    make(seed, effect, value, is_held);
    if (assay_sweep_judge(&t, arena, &v, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return v;
}

TEST(the_best_of_many_without_an_effect_is_said_to_be_noise)
{
    enum { SWEEPS = 60 };
    uint32_t claims = 0;
    uint32_t corrected = 0;

    for (uint64_t seed = 1; seed <= SWEEPS; seed++) {
        assay_arena arena = ASSAY_ARENA_EMPTY;
        assay_sweep_verdict v = judge(seed, 0, &arena);
        bool is_any = false;

        claims += v.is_beyond_noise;
        for (uint32_t s = 1; s < SETTINGS; s++)
            is_any |= v.row[s].p_corrected < 0.05;
        corrected += is_any;
        assay_arena_clear(&arena);
    }
    /* Of 60 at most 5 % each, and three standard deviations: 3 + 3 * sqrt(60*.05*.95). */
    CHECK(claims <= 3 + 5);
    CHECK(corrected <= 3 + 5);
}

TEST(a_true_effect_is_found_on_questions_that_nobody_saw)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_sweep_verdict v = judge(7, 0.1, &arena);

    CHECK(v.best != 0);
    CHECK(v.is_beyond_noise);
    CHECK_INT(v.n_held, 36);
    CHECK(v.held_delta > 0.05 && v.held_delta < 0.15);
    CHECK(v.row[v.best].p_corrected < 0.05);
    CHECK(v.row[v.best].p_corrected >= v.row[v.best].p);
    assay_arena_clear(&arena);
}

TEST(a_setting_that_another_beats_in_all_is_not_on_the_front)
{
    const assay_sweep_point p[] = {
        {0.5, 1.0, 100}, /* beaten by the third */
        {0.6, 2.0, 100}, /* best */
        {0.5, 0.9, 100}, /* fastest */
        {0.4, 1.0, 50},  /* smallest */
        {0.6, 2.0, 100}, /* equal to the second: none beats the other */
    };
    assay_sweep_row row[5] = {{0}};

    assay_sweep_pareto(p, 5, false, row);
    CHECK(!row[0].is_pareto && row[1].is_pareto && row[2].is_pareto && row[3].is_pareto &&
          row[4].is_pareto);
}

TEST(a_race_drops_the_worse_half_and_never_the_reference)
{
    enum { N = 8, Q = 10 };
    double value[N * Q];
    uint32_t tuning[Q];
    uint32_t alive[N];
    uint32_t n = N;

    for (uint32_t q = 0; q < Q; q++)
        tuning[q] = q;
    for (uint32_t s = 0; s < N; s++) {
        alive[s] = s;
        for (uint32_t q = 0; q < Q; q++)
            value[s * Q + q] = 0.1 * s + 0.01 * q;
    }
    CHECK(!assay_sweep_drop(value, Q, tuning, Q, false, alive, &n, &err));
    /* The leader is better by a constant, which no chance explains: it and the reference. */
    CHECK_INT(n, 2);
    CHECK_INT(alive[0], 0);
    CHECK_INT(alive[1], 7);
}

TEST(a_budget_that_pays_for_all_needs_no_race)
{
    const uint32_t query[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const bool is_held[10] = {[2] = true, [5] = true};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_sweep_race plan;

    CHECK(!assay_sweep_race_plan(query, 10, is_held, 16, 160, &arena, &plan));
    CHECK(!assay_sweep_race_plan(query, 10, is_held, 16, 0, &arena, &plan));
    CHECK(assay_sweep_race_plan(query, 10, is_held, 16, 100, &arena, &plan));
    CHECK_INT(plan.n_tuning, 8);
    CHECK_INT(plan.first, 8);
    assay_arena_clear(&arena);
}
