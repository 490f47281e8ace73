/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds over what nobody judged, and which hit to ask about next. */
#include "pipeline/unjudged.h"

#include <stdio.h>

#include "base/slice.h"
#include "testing.h"

static assay_error err;

/* Documents r... are relevant, n... are not, others nobody judged; query "no" is refused. */
static int known(void *ctx, assay_slice query, const assay_hit *hit)
{
    (void)ctx;
    if (assay_slice_is(query, "no"))
        return -2;
    if (!hit->doc.len)
        return -1;
    return hit->doc.ptr[0] == 'r' ? 1 : hit->doc.ptr[0] == 'n' ? 0 : -1;
}

static assay_run *run_of(const char *text)
{
    assay_run *run = NULL;

    if (assay_run_parse("run", assay_slice_of(text), NULL, &run, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return run;
}

static assay_unjudged *open_two(const assay_run *a, const assay_run *b,
                                const char *metric)
{
    const assay_run *run[] = {a, b};
    assay_unjudged *u = NULL;

    if (assay_unjudged_open(run, b ? 2 : 1, metric, known, NULL, &u, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return u;
}

static void check_bounds(const assay_unjudged *u, double low, double high)
{
    double a;
    double b;

    assay_unjudged_bounds(u, &a, &b);
    CHECK_NEAR(a, low, 1e-12);
    CHECK_NEAR(b, high, 1e-12);
}

static const char one[] = "1 Q0 r1 1 9 t\n1 Q0 u1 2 8 t\n1 Q0 n1 3 7 t\n1 Q0 u2 4 6 t\n"
                          "2 Q0 u3 1 9 t\n2 Q0 r2 2 8 t\n"
                          "no Q0 u4 1 9 t\n";

TEST(one_run_has_the_bounds_of_nothing_and_of_all)
{
    assay_run *run = run_of(one);
    assay_unjudged *u = open_two(run, NULL, "precision@5");

    /* Known: 1 of query 1, 1 of query 2; open: u1, u2 and u3. */
    CHECK(u->n == 3);
    check_bounds(u, (1 / 5.0 + 1 / 5.0) / 2, (3 / 5.0 + 2 / 5.0) / 2);
    CHECK(!assay_unjudged_is_decided(u, 0.05));
    CHECK(assay_unjudged_is_decided(u, 0.5));
    /* All are worth the same: the top rank comes first. */
    CHECK_NEAR(assay_unjudged_value(u, 0), 1 / 5.0 / 2, 1e-12);
    CHECK(assay_slice_is(u->hit[assay_unjudged_next(u)].doc, "u3"));
    assay_unjudged_judge(u, assay_unjudged_next(u), true);
    check_bounds(u, (1 / 5.0 + 2 / 5.0) / 2, (3 / 5.0 + 2 / 5.0) / 2);
    assay_unjudged_judge(u, assay_unjudged_next(u), false);
    check_bounds(u, (1 / 5.0 + 2 / 5.0) / 2, (2 / 5.0 + 2 / 5.0) / 2);
    assay_unjudged_close(u);
    assay_run_free(run);
}

TEST(what_stands_behind_the_first_relevant_hit_is_worth_nothing_to_mrr)
{
    assay_run *run = run_of(one);
    assay_unjudged *u = open_two(run, NULL, "mrr@10");

    /* Query 1 is 1 whatever u1 and u2 are; query 2 is 1/2, or 1 with u3. */
    check_bounds(u, (1 + 1 / 2.0) / 2, (1 + 1) / 2.0);
    CHECK(assay_unjudged_left(u) == 1);
    CHECK(assay_slice_is(u->hit[assay_unjudged_next(u)].doc, "u3"));
    assay_unjudged_judge(u, assay_unjudged_next(u), false);
    CHECK(assay_unjudged_next(u) == ASSAY_NONE);
    CHECK(assay_unjudged_is_decided(u, 0));
    assay_unjudged_close(u);
    assay_run_free(run);
}

TEST(what_both_runs_have_cannot_change_their_difference)
{
    assay_run *a = run_of("1 Q0 u1 1 9 t\n1 Q0 r1 2 8 t\n1 Q0 u2 3 7 t\n");
    assay_run *b = run_of("1 Q0 u1 1 9 t\n1 Q0 n1 2 8 t\n1 Q0 u3 3 7 t\n");
    assay_unjudged *u = open_two(a, b, "precision@3");

    /* A has r1; u2 would help A, u3 would help B, u1 both. */
    check_bounds(u, 1 / 3.0 - 1 / 3.0, 1 / 3.0 + 1 / 3.0);
    CHECK(assay_unjudged_left(u) == 2);
    CHECK(!assay_unjudged_is_decided(u, 0));
    /* Not relevant: B cannot come up any more, and A stays ahead. */
    for (uint32_t i = 0; i < u->n; i++)
        if (assay_slice_is(u->hit[i].doc, "u3"))
            assay_unjudged_judge(u, i, false);
    check_bounds(u, 1 / 3.0, 2 / 3.0);
    CHECK(assay_unjudged_is_decided(u, 0));
    assay_unjudged_close(u);
    assay_run_free(a);
    assay_run_free(b);
}

/* The bounds of a difference are the extremes over all ways to judge what is open. */
static void check_all_ways(const assay_run *a, const assay_run *b, const char *metric)
{
    assay_unjudged *u = open_two(a, b, metric);
    double low;
    double high;
    double least = 9;
    double most = -9;

    assay_unjudged_bounds(u, &low, &high);
    for (uint32_t way = 0; way < 1u << u->n; way++) {
        assay_unjudged *v = open_two(a, b, metric);
        double x;
        double y;

        for (uint32_t i = 0; i < v->n; i++)
            assay_unjudged_judge(v, i, way >> i & 1);
        assay_unjudged_bounds(v, &x, &y);
        CHECK_NEAR(x, y, 1e-12);
        least = x < least ? x : least;
        most = x > most ? x : most;
        assay_unjudged_close(v);
    }
    CHECK_NEAR(low, least, 1e-12);
    CHECK_NEAR(high, most, 1e-12);
    assay_unjudged_close(u);
}

TEST(bounds_are_the_extremes_over_all_ways_to_judge)
{
    static const char *const metric[] = {"precision@4", "rbp@4", "hit@2", "mrr@4"};
    assay_run *a = run_of("1 Q0 u1 1 9 t\n1 Q0 u2 2 8 t\n1 Q0 r1 3 7 t\n1 Q0 u3 4 6 t\n"
                          "2 Q0 n1 1 9 t\n2 Q0 u4 2 8 t\n2 Q0 u5 3 7 t\n");
    assay_run *b = run_of("1 Q0 u3 1 9 t\n1 Q0 r1 2 8 t\n1 Q0 u1 3 7 t\n1 Q0 u6 4 6 t\n"
                          "2 Q0 u5 1 9 t\n2 Q0 r9 2 8 t\n2 Q0 u7 3 7 t\n");

    for (size_t i = 0; i < ASSAY_COUNT(metric); i++)
        check_all_ways(a, b, metric[i]);
    assay_run_free(a);
    assay_run_free(b);
}

TEST(metrics_without_exact_bounds_are_refused)
{
    assay_run *run = run_of(one);
    const assay_run *const runs[] = {run};
    assay_unjudged *u = NULL;

    CHECK(assay_unjudged_open(runs, 1, "ndcg@10", known, NULL, &u, &err) == ASSAY_EUSAGE);
    CHECK(assay_unjudged_open(runs, 1, "hit@0", known, NULL, &u, &err) == ASSAY_EUSAGE);
    CHECK(u == NULL);
    assay_run_free(run);
}
