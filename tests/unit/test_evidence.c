/* SPDX-License-Identifier: Apache-2.0 */
/* The level of evidence, case by case, and against a slow model that paints bytes. */
#include "testing.h"

#include "base/compiler.h"
#include "base/mem.h"
#include "base/slice.h"
#include "metric/evidence.h"

enum { MOST = 64 };

/* A scene: hits and anchors are lists of "doc start end"; further spans of one hit follow
 * with add_span. */
static assay_hit hit[MOST];
static assay_span hit_span[MOST][4];
static uint32_t n_hits;
static assay_anchor anchor[MOST];
static assay_span anchor_span[MOST][4];
static uint32_t n_anchors;

static assay_arena arena;
static assay_evidence evidence;
static assay_anchors anchors;
static assay_judged q;

static void start(void)
{
    n_hits = n_anchors = 0;
    assay_arena_reset(&arena);
}

static void add_hit(const char *doc, uint64_t from, uint64_t to)
{
    hit_span[n_hits][0] = (assay_span){from, to};
    hit[n_hits] = (assay_hit){
        .doc = assay_slice_of(doc), .span = hit_span[n_hits], .n_spans = to ? 1 : 0};
    n_hits++;
}

static void add_span(uint64_t from, uint64_t to)
{
    hit_span[n_hits - 1][hit[n_hits - 1].n_spans++] = (assay_span){from, to};
}

static void add_anchor(const char *doc, uint64_t from, uint64_t to, int32_t grade)
{
    anchor_span[n_anchors][0] = (assay_span){from, to};
    anchor[n_anchors] = (assay_anchor){.doc = assay_slice_of(doc),
                                       .span = anchor_span[n_anchors],
                                       .n_spans = 1,
                                       .grade = grade};
    n_anchors++;
}

static void look_as(int32_t threshold, bool judged_only)
{
    const assay_look how = {
        .threshold = threshold, .judged_only = judged_only, .max_grade = 3};

    CHECK(assay_anchors_build(&anchors, &arena, anchor, n_anchors));
    CHECK(assay_evidence_look(&evidence, hit, NULL, n_hits, &anchors, &how, &q));
    CHECK(q.is_evidence);
}

static void look(void)
{
    look_as(1, false);
}

static double value(const char *spelling)
{
    assay_measures measures = {0};
    assay_error err;
    uint32_t k;
    double out;

    CHECK(assay_measure_parse(assay_slice_of(spelling), &measures, &arena, &err) ==
          ASSAY_OK);
    CHECK_INT(measures.n, 1);
    k = measures.item[0].has_at ? (uint32_t)measures.item[0].at : ASSAY_NO_CUTOFF;
    measures.item[0].metric->eval(&q, &(assay_args){&k, NULL, 1, measures.item[0].value},
                                  &out);
    assay_measures_clear(&measures);
    return out;
}

/* ---- what finds what ---- */

TEST(a_hit_with_49_percent_of_the_anchor_does_not_find_it)
{
    start();
    add_anchor("d", 100, 200, 1);
    add_hit("d", 0, 149);
    look();
    CHECK_INT(q.grade[0], ASSAY_UNPOOLED);
    CHECK_INT(q.n_rel_pos, 0);
    CHECK_INT(q.n_pool_pos, 0);
    CHECK_INT(q.n_found, 0);
}

TEST(a_hit_with_half_of_the_anchor_finds_it)
{
    start();
    add_anchor("d", 100, 200, 2);
    add_hit("d", 0, 150);
    look();
    CHECK_INT(q.grade[0], 2);
    CHECK_INT(q.n_rel_pos, 1);
    CHECK_INT(q.n_found, 1);
}

TEST(half_of_an_odd_number_of_bytes_is_rounded_up)
{
    start();
    add_anchor("d", 0, 101, 1);
    add_hit("d", 51, 400); /* 50 of 101 */
    add_hit("d", 50, 400); /* 51 of 101 */
    look();
    CHECK_INT(q.grade[0], ASSAY_UNPOOLED);
    CHECK_INT(q.grade[1], 1);
}

TEST(touching_is_not_finding)
{
    start();
    add_anchor("d", 100, 200, 1);
    add_hit("d", 0, 100);
    add_hit("d", 200, 300);
    look();
    CHECK_INT(q.n_pool_pos, 0);
    CHECK_INT(q.n_found, 0);
}

TEST(another_document_does_not_find)
{
    start();
    add_anchor("d", 100, 200, 1);
    add_hit("e", 100, 200);
    add_hit("", 100, 200);
    look();
    CHECK_INT(q.n_pool_pos, 0);
}

TEST(a_small_hit_inside_finds_but_does_not_cover)
{
    start();
    add_anchor("d", 100, 200, 1);
    add_hit("d", 110, 120);
    look();
    CHECK_INT(q.grade[0], 1);
    CHECK_NEAR(value("hit@1"), 1, 0);
    CHECK_INT(q.n_found, 0); /* 10 of 100 bytes */
    CHECK_NEAR(value("recall@1"), 0, 0);
}

TEST(a_large_hit_around_the_anchor_finds_and_covers)
{
    start();
    add_anchor("d", 100, 200, 1);
    add_hit("d", 0, 100000);
    look();
    CHECK_INT(q.grade[0], 1);
    CHECK_INT(q.n_found, 1);
}

TEST(a_hit_is_the_union_of_its_spans)
{
    start();
    add_anchor("d", 100, 200, 1);
    /* 25 + 25 bytes of the anchor; the overlap of the first two counts once */
    add_hit("d", 175, 220);
    add_span(170, 190);
    add_span(100, 120);
    look();
    CHECK_INT(q.grade[0], 1);
    CHECK_INT(q.bytes_retrieved[0], 50 + 20);
    CHECK_INT(q.evidence_covered[0], 30 + 20);
}

TEST(a_hit_without_spans_keeps_its_rank)
{
    start();
    add_anchor("d", 100, 200, 1);
    add_hit("d", 0, 0);
    add_hit("d", 100, 200);
    look();
    CHECK_INT(q.n_ranked, 2);
    CHECK_INT(q.grade[0], ASSAY_UNPOOLED);
    CHECK_INT(q.rel_pos[0], 1);
    CHECK_INT(q.bytes_retrieved[0], 0);
}

TEST(the_highest_grade_of_the_anchors_found_is_the_grade_of_the_hit)
{
    start();
    add_anchor("d", 0, 100, 1);
    add_anchor("d", 100, 200, 3);
    add_anchor("d", 200, 300, 0);
    add_hit("d", 0, 300);
    add_hit("d", 200, 300);
    look();
    CHECK_INT(q.grade[0], 3);
    CHECK_INT(q.grade[1], 0);
    CHECK_INT(q.n_pool_pos, 2);
    CHECK_INT(q.n_rel_pos, 1);
    CHECK_INT(q.n_relevant, 2);
    CHECK_INT(q.n_nonrel, 1);
}

TEST(anchors_that_nobody_judged_are_pooled)
{
    start();
    add_anchor("d", 0, 100, -3);
    add_anchor("d", 500, 600, 1);
    add_hit("d", 0, 100);
    look();
    CHECK_INT(q.grade[0], ASSAY_POOLED);
    CHECK_INT(q.n_pooled, 1);
    CHECK_INT(q.n_ideal, 1);
}

TEST(equal_evidence_is_one_anchor_with_the_highest_grade)
{
    start();
    add_anchor("d", 0, 100, 1);
    add_anchor("e", 0, 100, 1);
    add_anchor("d", 0, 100, 2);
    look();
    CHECK_INT(anchors.n, 2);
    CHECK_INT(anchors.item[0].grade, 2);
    CHECK_INT(q.n_relevant, 2);
    CHECK_INT(q.ideal[0], 2);
    CHECK_INT(q.ideal[1], 1);
}

TEST(items_without_a_byte_or_a_document_are_no_anchors)
{
    start();
    add_anchor("d", 5, 5, 1);
    add_anchor("", 0, 100, 1);
    look();
    CHECK_INT(anchors.n, 0);
    CHECK_INT(q.n_relevant, 0);
}

TEST(the_threshold_decides_what_is_evidence)
{
    start();
    add_anchor("d", 0, 100, 1);
    add_anchor("d", 200, 250, 2);
    add_hit("d", 0, 100);
    look_as(2, false);
    CHECK_INT(q.n_rel_pos, 0);
    CHECK_INT(q.n_pool_pos, 1);
    CHECK_INT(q.n_relevant, 1);
    CHECK_INT(q.evidence_bytes, 50);
    CHECK_INT(q.evidence_covered[0], 0);
}

TEST(judged_only_drops_hits_that_find_nothing)
{
    start();
    add_anchor("d", 0, 100, 1);
    add_anchor("d", 900, 990, 0);
    add_hit("d", 300, 400);
    add_hit("d", 900, 990);
    add_hit("d", 0, 100);
    look_as(1, true);
    CHECK_INT(q.n_ranked, 2);
    CHECK_INT(q.grade[0], 0);
    CHECK_INT(q.rel_pos[0], 1);
    CHECK_INT(q.bytes_retrieved[1], 190);
}

TEST(the_order_is_the_one_given)
{
    const assay_ranked order[] = {{"", 0, 1, 0}, {"", 0, 0, 0}};
    const assay_look how = {.threshold = 1, .max_grade = 1};

    start();
    add_anchor("d", 0, 100, 1);
    add_hit("d", 500, 600);
    add_hit("d", 0, 100);
    CHECK(assay_anchors_build(&anchors, &arena, anchor, n_anchors));
    CHECK(assay_evidence_look(&evidence, hit, order, 2, &anchors, &how, &q));
    CHECK_INT(q.rel_pos[0], 0);
}

/* ---- covering ---- */

TEST(several_chunks_cover_together)
{
    start();
    add_anchor("d", 0, 100, 1);
    add_hit("d", 0, 30); /* 30 */
    add_hit("e", 0, 30);
    add_hit("d", 20, 40);  /* 40 together */
    add_hit("d", 90, 100); /* 50 together */
    look();
    CHECK_INT(q.n_found, 1);
    CHECK_INT(q.cover_pos[0], 3);
    CHECK_INT(q.found_pos[0], 3);
    CHECK_NEAR(value("recall@3"), 0, 0);
    CHECK_NEAR(value("recall@4"), 1, 0);
    CHECK_NEAR(value("mrr"), 1, 0);
    CHECK_NEAR(value("precision@4"), 3.0 / 4, 0);
}

TEST(many_small_chunks_of_one_passage_earn_it_once)
{
    start();
    add_anchor("d", 0, 100, 1);
    add_anchor("d", 500, 600, 1);
    for (uint64_t i = 0; i < 10; i++)
        add_hit("d", 10 * i, 10 * i + 10);
    look();
    CHECK_INT(q.n_rel_pos, 10);
    CHECK_INT(q.n_found, 1);
    CHECK_INT(q.cover_pos[0], 4);
    /* one of two anchors, at rank 5; the ideal has ranks 1 and 2 */
    CHECK_NEAR(value("ndcg@10"), 1 / log2(6) / (1 + 1 / log2(3)), 1e-15);
}

TEST(one_huge_chunk_does_not_win_all_places)
{
    start();
    add_anchor("d", 0, 100, 1);
    add_anchor("d", 200, 300, 3);
    add_anchor("d", 400, 500, 2);
    add_anchor("d", 600, 700, 0);
    add_hit("e", 0, 100);
    add_hit("d", 0, 100000);
    look();
    CHECK_INT(q.n_found, 3);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_INT(q.cover_pos[i], 1);
        CHECK_INT(q.found_pos[i], 1 + i);
        CHECK_INT(q.found_grade[i], 3 - (int32_t)i);
    }
    CHECK_NEAR(value("recall@2"), 1, 0);
    CHECK_NEAR(value("precision@2"), 1.0 / 2, 0);
    /* ranks 2, 3, 4 gain 3, 2, 1; at 2 only the first */
    CHECK_NEAR(value("ndcg"),
               (3 / log2(3) + 2 / 2.0 + 1 / log2(5)) / (3 + 2 / log2(3) + 1 / 2.0),
               1e-15);
    CHECK_NEAR(value("ndcg@2"), (3 / log2(3)) / (3 + 2 / log2(3)), 1e-15);
}

TEST(a_later_anchor_waits_for_a_free_position)
{
    start();
    add_anchor("d", 0, 100, 1);
    add_anchor("d", 100, 200, 1);
    add_anchor("d", 300, 400, 3);
    add_hit("d", 0, 200);
    add_hit("d", 300, 400);
    look();
    CHECK_INT(q.cover_pos[2], 1);
    CHECK_INT(q.found_pos[0], 0);
    CHECK_INT(q.found_pos[1], 1);
    CHECK_INT(q.found_pos[2], 2); /* rank 2 is taken */
}

/* ---- bytes ---- */

TEST(the_worked_example_of_the_handbook)
{
    start();
    add_anchor("d", 0, 100, 1);
    add_hit("d", 20, 220);
    for (int i = 0; i < 4; i++)
        add_hit("e", (uint64_t)i * 200, (uint64_t)i * 200 + 200);
    look();
    CHECK_NEAR(value("evidence_recall@5"), 80.0 / 100, 0);
    CHECK_NEAR(value("evidence_precision@5"), 80.0 / 1000, 0);
    CHECK_NEAR(value("evidence_iou@5"), 80.0 / (1000 + 20), 0);
    CHECK_NEAR(value("evidence_cost@5"), 1000.0 / 80, 0);
}

TEST(bytes_that_two_hits_share_count_once)
{
    start();
    add_anchor("d", 0, 100, 1);
    add_anchor("d", 50, 150, 2); /* the union is 150 bytes */
    add_hit("d", 0, 60);
    add_hit("d", 40, 100);
    add_hit("d", 0, 100);
    look();
    CHECK_INT(q.evidence_bytes, 150);
    CHECK_INT(q.bytes_retrieved[0], 60);
    CHECK_INT(q.bytes_retrieved[2], 100);
    CHECK_INT(q.evidence_covered[2], 100);
    CHECK_NEAR(value("evidence_precision"), 1, 0);
    CHECK_NEAR(value("evidence_recall"), 100.0 / 150, 1e-15);
}

TEST(evidence_in_a_document_that_was_not_retrieved_is_in_the_whole)
{
    start();
    add_anchor("d", 0, 100, 1);
    add_anchor("x", 0, 300, 1);
    add_hit("d", 0, 100);
    look();
    CHECK_NEAR(value("evidence_recall@1"), 100.0 / 400, 0);
}

TEST(nothing_retrieved_is_zero_and_costs_nothing_that_could_be_averaged)
{
    start();
    add_anchor("d", 0, 100, 1);
    look();
    CHECK_INT(q.n_ranked, 0);
    CHECK_NEAR(value("evidence_recall@5"), 0, 0);
    CHECK_NEAR(value("evidence_precision@5"), 0, 0);
    CHECK_NEAR(value("evidence_iou@5"), 0, 0);
    CHECK(isnan(value("evidence_cost@5")));
    CHECK_NEAR(value("recall@5"), 0, 0);
    CHECK_NEAR(value("ndcg@5"), 0, 0);
}

TEST(spans_at_the_end_of_the_numbers_do_not_overflow)
{
    start();
    add_anchor("d", 0, UINT64_MAX, 1);
    add_hit("d", 0, UINT64_MAX / 2);
    add_hit("d", 0, UINT64_MAX);
    look();
    CHECK_INT(q.grade[0], 1);     /* all of the shorter one */
    CHECK_INT(q.cover_pos[0], 1); /* (2^63 - 1) of 2^64 - 1 is less than half */
}

/* ---- against a model ---- */

static uint64_t seed = 20260701;

static uint32_t roll(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % n;
}

static const char *const doc_name[] = {"a", "b", "c"};

enum { LENGTH = 80 };

typedef struct paint {
    bool on[3][LENGTH];
} paint;

static uint32_t doc_number(assay_slice doc)
{
    return (uint32_t)(doc.ptr[0] - 'a');
}

static void paint_spans(paint *p, assay_slice doc, const assay_span *span, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint64_t b = span[i].start; b < span[i].end; b++)
            p->on[doc_number(doc)][b] = true;
}

static uint32_t count_both(const paint *a, const paint *b)
{
    uint32_t n = 0;

    for (uint32_t d = 0; d < 3; d++)
        for (uint32_t i = 0; i < LENGTH; i++)
            n += a->on[d][i] && b->on[d][i];
    return n;
}

static void random_scene(void)
{
    uint32_t want_hits = roll(12);
    uint32_t want_anchors = 1 + roll(6);

    start();
    while (n_hits < want_hits) {
        uint32_t from = roll(LENGTH - 1);

        add_hit(doc_name[roll(3)], from, from + 1 + roll(LENGTH - from));
        while (roll(3) == 0 && hit[n_hits - 1].n_spans < 4) {
            from = roll(LENGTH - 1);
            add_span(from, from + 1 + roll(LENGTH - from));
        }
    }
    while (n_anchors < want_anchors) {
        uint32_t from = roll(LENGTH - 1);

        add_anchor(doc_name[roll(3)], from, from + 1 + roll(LENGTH - from),
                   (int32_t)roll(5) - 1);
    }
    look();
}

static void check_grades(void)
{
    for (uint32_t i = 0; i < n_hits; i++) {
        int32_t best = ASSAY_UNPOOLED;
        paint h = {0};

        paint_spans(&h, hit[i].doc, hit[i].span, hit[i].n_spans);
        for (uint32_t j = 0; j < n_anchors; j++) {
            paint a = {0};
            uint32_t shared, shorter;

            paint_spans(&a, anchor[j].doc, anchor[j].span, 1);
            shared = count_both(&h, &a);
            shorter = count_both(&h, &h) < count_both(&a, &a) ? count_both(&h, &h)
                                                              : count_both(&a, &a);
            if (2 * shared >= shorter && anchor[j].grade > best)
                best = anchor[j].grade;
        }
        CHECK_INT(q.grade[i], best);
    }
}

static void check_bytes(void)
{
    paint proof = {0};
    paint seen = {0};

    for (uint32_t j = 0; j < n_anchors; j++)
        if (anchor[j].grade >= 1)
            paint_spans(&proof, anchor[j].doc, anchor[j].span, 1);
    CHECK_INT(q.evidence_bytes, count_both(&proof, &proof));
    for (uint32_t i = 0; i < n_hits; i++) {
        paint_spans(&seen, hit[i].doc, hit[i].span, hit[i].n_spans);
        CHECK_INT(q.bytes_retrieved[i], count_both(&seen, &seen));
        CHECK_INT(q.evidence_covered[i], count_both(&seen, &proof));
    }
}

/* Anchors covered at each position, with their grades added up. */
static void check_cover(void)
{
    uint32_t want_n = 0;
    int64_t want_sum = 0;
    int64_t sum = 0;

    for (uint32_t j = 0; j < anchors.n; j++) {
        paint a = {0};
        paint seen = {0};

        if (anchors.item[j].grade < 1)
            continue;
        paint_spans(&a, anchors.item[j].doc, anchors.item[j].span,
                    anchors.item[j].n_spans);
        for (uint32_t i = 0; i < n_hits; i++) {
            paint_spans(&seen, hit[i].doc, hit[i].span, hit[i].n_spans);
            if (2 * count_both(&seen, &a) < count_both(&a, &a))
                continue;
            want_n++;
            want_sum += (int64_t)anchors.item[j].grade * (i + 1);
            break;
        }
    }
    CHECK_INT(q.n_found, want_n);
    for (uint32_t i = 0; i < q.n_found; i++) {
        sum += (int64_t)q.found_grade[i] * (q.cover_pos[i] + 1);
        CHECK(q.found_pos[i] >= q.cover_pos[i]);
        CHECK(!i || (q.found_pos[i] > q.found_pos[i - 1] &&
                     q.cover_pos[i] >= q.cover_pos[i - 1]));
    }
    CHECK_INT(sum, want_sum);
}

TEST(random_scenes_agree_with_painted_bytes)
{
    for (int i = 0; i < 3000; i++) {
        random_scene();
        check_grades();
        check_bytes();
        check_cover();
    }
}

TEST(ndcg_never_exceeds_one)
{
    static const char *const names[] = {"ndcg@1", "ndcg@3", "ndcg@10", "ndcg"};

    for (int i = 0; i < 10000; i++) {
        random_scene();
        for (size_t m = 0; m < ASSAY_COUNT(names); m++)
            CHECK(value(names[m]) >= 0 && value(names[m]) <= 1 + 1e-12);
    }
}

TEST(an_oracle_finds_everything)
{
    static const char *const names[] = {"recall@6",
                                        "evidence_recall@6",
                                        "evidence_precision@6",
                                        "evidence_iou@6",
                                        "evidence_cost@6",
                                        "hit@1",
                                        "mrr"};

    for (int i = 0; i < 1000; i++) {
        random_scene();
        if (!q.n_relevant)
            continue;
        n_hits = 0;
        for (uint32_t j = 0; j < n_anchors; j++)
            if (anchor[j].grade >= 1)
                add_hit(anchor[j].doc.ptr, anchor[j].span->start, anchor[j].span->end);
        look();
        for (size_t m = 0; m < ASSAY_COUNT(names); m++)
            CHECK_NEAR(value(names[m]), 1, 1e-15);
    }
}

/* ---- memory ---- */

TEST(a_second_look_of_the_same_size_allocates_nothing)
{
    const assay_look how = {.threshold = 1, .max_grade = 3};

    start();
    add_anchor("a", 0, 40, 1);
    for (uint32_t i = 0; i < MOST; i++)
        add_hit(doc_name[i % 3], i, i + 10);
    look();
    look();
    assay_mem_fail_after(1);
    CHECK(assay_evidence_look(&evidence, hit, NULL, n_hits, &anchors, &how, &q));
    assay_mem_fail_after(0);
}

TEST(without_memory_nothing_is_lost)
{
    const assay_look how = {.threshold = 1, .max_grade = 3};
    bool is_done = false;

    start();
    add_anchor("a", 0, 40, 1);
    add_hit("a", 0, 10);
    for (uint64_t n = 1; !is_done; n++) {
        assay_evidence fresh = {0};
        assay_arena own = {0};

        assay_mem_fail_after(n);
        is_done = assay_anchors_build(&anchors, &own, anchor, n_anchors) &&
                  assay_evidence_look(&fresh, hit, NULL, n_hits, &anchors, &how, &q);
        assay_mem_fail_after(0);
        assay_evidence_clear(&fresh);
        assay_arena_clear(&own);
        CHECK(n < 100);
    }
    assay_evidence_clear(&evidence);
    assay_arena_clear(&arena);
}
