/* SPDX-License-Identifier: Apache-2.0 */
/* A golden set and a run built by calls, measured, and read back. */
#include <assay.h>
#include <math.h>
#include <stdio.h>

/* Two questions; documents that answer them, with grades. */
static assay_status build_golden(assay_golden *golden, assay_error *err)
{
    const assay_judged_item refunds = {.doc = "refunds.md", .grade = 2};
    const assay_judged_item faq = {.doc = "faq.md", .grade = 1};
    const assay_judged_item limits = {.doc = "limits.md", .grade = 1};
    assay_status st =
        assay_golden_put_query(golden, "q1", "How are refunds approved?", err);

    if (!st)
        st = assay_golden_put_query(golden, "q2", "What is the limit?", err);
    if (!st)
        st = assay_golden_put_judgment(golden, "q1", &refunds, err);
    if (!st)
        st = assay_golden_put_judgment(golden, "q1", &faq, err);
    if (!st)
        st = assay_golden_put_judgment(golden, "q2", &limits, err);
    return st ? st : assay_golden_finish(golden, err);
}

/* What a system found: something for q1, an error for q2. */
static assay_status build_run(assay_run *run, assay_error *err)
{
    const assay_hit_item hits[] = {
        {.doc = "faq.md", .score = 12.5, .has_score = 1},
        {.doc = "news.md", .score = 11.0, .has_score = 1},
        {.doc = "refunds.md", .score = 9.25, .has_score = 1},
    };
    assay_status st = assay_run_put_result(run, "q1", 18.0, NULL, err);

    for (int i = 0; !st && i < 3; i++)
        st = assay_run_put_hit(run, &hits[i], err);
    if (!st)
        st = assay_run_put_result(run, "q2", -1, "timed out", err);
    return st ? st : assay_run_finish(run, err);
}

static void print(const assay_scores *scores)
{
    assay_counts counts = assay_scores_counts(scores);

    for (uint32_t c = 0; c < assay_scores_n_measures(scores); c++) {
        assay_total total = assay_scores_total(scores, c);

        printf("%s: %.4f over %u queries\n", assay_scores_measure(scores, c), total.value,
               total.n);
        for (uint32_t r = 0; r < assay_scores_n_queries(scores); r++) {
            assay_slice id = assay_scores_query(scores, r);
            double value = assay_scores_value(scores, r, c);

            if (isnan(value))
                printf("  %.*s: none\n", (int)id.len, id.ptr);
            else
                printf("  %.*s: %.4f\n", (int)id.len, id.ptr, value);
        }
    }
    printf("%u of %u queries failed\n", counts.failed, counts.total);
}

int main(void)
{
    assay_golden *golden = assay_golden_new();
    assay_run *run = assay_run_new();
    assay_scores *scores = NULL;
    assay_error err = {ASSAY_OK, "no memory"};
    assay_status st = golden && run ? ASSAY_OK : ASSAY_ENOMEM;

    if (!st)
        st = build_golden(golden, &err);
    if (!st)
        st = build_run(run, &err);
    if (!st)
        st = assay_eval(golden, run, "mrr, recall@3, nDCG@10", NULL, &scores, &err);
    if (st)
        fprintf(stderr, "%s\n", err.text);
    else
        print(scores);
    assay_scores_free(scores);
    assay_run_free(run);
    assay_golden_free(golden);
    return (int)st;
}
