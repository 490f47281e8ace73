/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of the doctor: likeness of texts, leaks, health. */
#include "diagnose/doctor.h"

#include <math.h>

#include "base/slice.h"
#include "diagnose/alike.h"
#include "diagnose/doctor_docs.h"
#include "testing.h"

static assay_error err;
static assay_arena arena;

static assay_hashed_words words_of(const char *text)
{
    assay_hashed_words out;

    CHECK(assay_hashed_words_of(assay_slice_of(text), &arena, &out));
    return out;
}

static double jaccard(const char *a, const char *b)
{
    assay_hashed_words x = words_of(a);
    assay_hashed_words y = words_of(b);

    assay_hashed_words_sort(&x);
    assay_hashed_words_sort(&y);
    return assay_words_jaccard(&x, &y);
}

TEST(jaccard_is_shared_words_over_all_words)
{
    CHECK_NEAR(jaccard("who approves refunds", "Who approves REFUNDS?"), 3 / 3.0, 0);
    CHECK_NEAR(jaccard("who approves refunds", "who pays refunds"), 2 / 4.0, 0);
    CHECK_NEAR(jaccard("a a a b", "a b b"), 2 / 2.0, 0);
    CHECK_NEAR(jaccard("one", "two"), 0 / 2.0, 0);
    CHECK_NEAR(jaccard("", ""), 0, 0);
    assay_arena_clear(&arena);
}

static size_t longest(const char *a, const char *b)
{
    assay_hashed_words x = words_of(a);
    assay_hashed_words y = words_of(b);
    size_t out;

    CHECK(assay_words_longest_run(&x, &y, &arena, &out));
    return out;
}

TEST(the_longest_run_is_words_in_a_row)
{
    CHECK(longest("the finance lead approves it", "It is the finance lead, says he") ==
          3);
    CHECK(longest("a b c d", "d c b a") == 1);
    CHECK(longest("a b a b c", "x a b c y") == 3);
    CHECK(longest("a b", "") == 0);
    CHECK(longest("", "a b") == 0);
    assay_arena_clear(&arena);
}

/* Words w0 to w<n - 1>, with `other` at one place. */
static assay_sketch numbered(uint32_t n, uint32_t place, const char *other)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_hashed_words words;
    assay_sketch out;

    for (uint32_t i = 0; i < n; i++) {
        if (i == place)
            assay_buffer_printf(&text, "%s ", other);
        else
            assay_buffer_printf(&text, "w%u ", i);
    }
    CHECK(assay_hashed_words_of(assay_buffer_view(&text), &arena, &words));
    assay_sketch_of(&words, &out);
    assay_buffer_clear(&text);
    return out;
}

/* One word of n is another: 4 of n - 3 runs differ on each side, so the index is
 * (n - 7) / (n + 1), and the estimate of 32 samples is within four standard deviations. */
TEST(sketches_estimate_the_jaccard_index_of_runs_of_words)
{
    static const uint32_t sizes[] = {20, 40, 100, 400};

    for (size_t i = 0; i < ASSAY_COUNT(sizes); i++) {
        uint32_t n = sizes[i];
        assay_sketch a = numbered(n, n, "");
        assay_sketch b = numbered(n, n / 2, "changed");
        double p = (n - 7.0) / (n + 1.0);

        CHECK_NEAR(assay_sketch_alike(&a, &b), p, 4 * sqrt(p * (1 - p) / ASSAY_SKETCH));
        CHECK(assay_sketch_alike(&a, &b) < 1);
        CHECK_NEAR(assay_sketch_alike(&a, &a), 1, 0);
    }
    assay_arena_clear(&arena);
}

TEST(short_texts_are_twins_only_of_the_same_words)
{
    assay_sketch a = numbered(7, 7, "");
    assay_sketch b = numbered(7, 6, "changed");

    CHECK_NEAR(assay_sketch_alike(&a, &a), 1, 0);
    CHECK_NEAR(assay_sketch_alike(&a, &b), 0, 0);
    assay_arena_clear(&arena);
}

/* Four of 32 numbers differ: at most four of eight bands are broken. */
TEST(sketches_that_share_28_of_32_share_a_key)
{
    assay_sketch a = numbered(100, 100, "");
    assay_sketch b = a;
    uint64_t x[ASSAY_SKETCH_KEYS];
    uint64_t y[ASSAY_SKETCH_KEYS];
    size_t same = 0;
    size_t n;

    b.hash++;
    for (size_t i = 0; i < 4; i++)
        b.least[i * ASSAY_SKETCH / ASSAY_SKETCH_BANDS]++;
    CHECK_NEAR(assay_sketch_alike(&a, &b), 28 / 32.0, 0);
    n = assay_sketch_keys(&a, x);
    CHECK(n == ASSAY_SKETCH_KEYS && assay_sketch_keys(&b, y) == n);
    for (size_t i = 0; i < n; i++)
        same += x[i] == y[i];
    CHECK(same == 4);
    assay_arena_clear(&arena);
}

/* ---- health ---- */

static assay_golden *golden_of(const char *text)
{
    assay_golden *g = NULL;

    if (assay_golden_parse("golden.yaml", assay_slice_of(text), NULL, &g, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return g;
}

static uint32_t count(const assay_doctor *d, const char *ailment)
{
    uint32_t n = 0;

    for (size_t i = 0; i < d->n_symptoms; i++)
        n += strcmp(d->symptom[i].ailment->name, ailment) == 0;
    return n;
}

TEST(a_set_with_nothing_labelled_keeps_the_points_of_its_questions_only)
{
    assay_golden *g = golden_of("version: 1\nqueries:\n"
                                "  - {id: a, query: who approves refunds}\n"
                                "  - {id: b, query: where is the office}\n");
    assay_doctor d = {.golden = g};

    CHECK(assay_doctor_run_all(&d, &err) == ASSAY_OK);

    CHECK(count(&d, "nothing-labelled") == 1);
    /* labels 0 of 30, questions 20 of 20, power 0 of 15; evidence and answers unseen */
    CHECK_NEAR(assay_doctor_score(&d), 100 * 20.0 / (30 + 20 + 15), 1e-12);
    CHECK(!d.is_examined[ASSAY_HEALTH_EVIDENCE] && !d.is_examined[ASSAY_HEALTH_ANSWERS]);
    assay_doctor_clear(&d);
    assay_golden_free(g);
}

static const char small_set[] =
    "version: 1\nqueries:\n"
    "  - {id: a, query: who approves refunds, relevant: [{doc: one}]}\n"
    "  - {id: b, query: Who approves refunds?, relevant: [{doc: one}]}\n"
    "  - {id: c, query: where is the office, relevant: [{doc: gone}]}\n"
    "  - {id: d, query: when is lunch}\n";

TEST(health_is_the_product_of_the_shares_that_are_well)
{
    assay_golden *g = golden_of(small_set);
    const assay_passage docs[] = {
        {.id = ASSAY_LIT("one"),
         .doc = ASSAY_LIT("one"),
         .text = ASSAY_LIT("refunds wait")},
        {.id = ASSAY_LIT("two"),
         .doc = ASSAY_LIT("two"),
         .text = ASSAY_LIT("Refunds, wait!")},
    };
    const assay_passages passages = {docs, 2};
    assay_doctor d = {.golden = g, .passages = &passages};

    CHECK(assay_doctor_run_all(&d, &err) == ASSAY_OK);

    /* d is not labelled: 1 of 4 */
    CHECK_NEAR(d.health[ASSAY_HEALTH_LABELS], 1 - 1 / 4.0, 1e-12);
    /* 1 of 3 judgments is lost, 1 of 3 questions unwinnable, 2 of 3 have a twin's miss */
    CHECK_NEAR(d.health[ASSAY_HEALTH_EVIDENCE], (2 / 3.0) * (2 / 3.0) * (1 / 3.0), 1e-12);
    /* b repeats a: 1 of 4 */
    CHECK_NEAR(d.health[ASSAY_HEALTH_QUESTIONS], 1 - 1 / 4.0, 1e-12);
    /* 3 of 25 questions: half of the 22 that are missing */
    CHECK_NEAR(d.health[ASSAY_HEALTH_POWER], 1 - 22 / 50.0, 1e-12);
    CHECK_NEAR(d.covered, 1 / 2.0, 0);
    CHECK(count(&d, "duplicate-question") == 1 && count(&d, "lost-evidence") == 1);
    CHECK(count(&d, "unwinnable") == 1 && count(&d, "twin") == 2);
    assay_doctor_clear(&d);
    assay_golden_free(g);
}

TEST(evidence_is_indexed_when_a_chunk_shares_half_of_the_shorter)
{
    static const assay_span chunk_span[] = {{100, 200}};
    static const assay_span in[] = {{140, 160}};
    static const assay_span half[] = {{190, 210}};
    static const assay_span less[] = {{191, 211}};
    const assay_passage chunk[] = {{.id = ASSAY_LIT("c"),
                                    .doc = ASSAY_LIT("one"),
                                    .text = ASSAY_LIT("text"),
                                    .span = chunk_span,
                                    .n_spans = 1}};
    const assay_passages passages = {chunk, 1};
    assay_golden *g = golden_of(small_set);
    assay_doctor d = {.golden = g, .passages = &passages};
    assay_judgment j = g->query[0].judgment[0];

    CHECK(assay_doctor_read_docs(&d, &err) == ASSAY_OK);

    j.n_spans = 1;
    j.span = in;
    CHECK(assay_doctor_is_indexed(&d, &j));
    j.span = half;
    CHECK(assay_doctor_is_indexed(&d, &j));
    j.span = less;
    CHECK(!assay_doctor_is_indexed(&d, &j));
    j.doc = g->query[2].judgment[0].doc;
    CHECK(!assay_doctor_is_indexed(&d, &j));
    assay_doctor_clear(&d);
    assay_golden_free(g);
}

TEST(parts_of_health_weigh_100_and_every_ailment_says_why_and_how)
{
    const assay_ailment *a;
    uint32_t sum = 0;

    for (int i = 0; i < ASSAY_HEALTH_PARTS; i++)
        sum += assay_health_weight((assay_health_part)i);
    CHECK(sum == 100);
    for (size_t i = 0; (a = assay_ailment_at(i)) != NULL; i++)
        CHECK(a->name && a->why && a->fix && a->look);
}
