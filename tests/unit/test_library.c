/* SPDX-License-Identifier: Apache-2.0 */
/* The public interface, used as a stranger would: nothing but assay.h. */
#include "assay.h"

#include "testing.h"

static assay_golden *one_query(const assay_judged_item *item)
{
    assay_golden *g = assay_golden_new();

    CHECK(g);
    CHECK(!assay_golden_put_query(g, "q", "what?", NULL));
    CHECK(!assay_golden_put_judgment(g, "q", item, NULL));
    CHECK(!assay_golden_finish(g, NULL));
    return g;
}

static assay_run *empty_result(void)
{
    assay_run *r = assay_run_new();

    CHECK(r);
    CHECK(!assay_run_put_result(r, "q", 1.0, NULL, NULL));
    return r;
}

TEST(hits_put_one_by_one_are_all_measured)
{
    const assay_judged_item item = {.doc = "d99", .grade = 1};
    assay_golden *g = one_query(&item);
    assay_run *r = empty_result();
    assay_scores *s = NULL;
    char id[20];

    for (int i = 0; i < 100; i++) {
        const assay_hit_item hit = {.doc = id};

        snprintf(id, sizeof id, "d%d", i);
        CHECK(!assay_run_put_hit(r, &hit, NULL));
    }
    CHECK(!assay_run_finish(r, NULL));
    CHECK(!assay_eval(g, r, "mrr", NULL, &s, NULL));
    CHECK_NEAR(assay_scores_value(s, 0, 0), 1.0 / 100, 0);
    CHECK_STR(assay_scores_measure(s, 0), "mrr");
    CHECK_INT(assay_scores_counts(s).depth, 100);
    CHECK_INT(assay_scores_level(s), ASSAY_LEVEL_DOC);
    assay_scores_free(s);
    assay_run_free(r);
    assay_golden_free(g);
}

TEST(spans_built_by_calls_are_evidence)
{
    const assay_judged_item item = {.doc = "d", .grade = 1, .start = 10, .end = 20};
    const assay_hit_item hit = {.doc = "d", .chunk = "c", .start = 0, .end = 15};
    assay_golden *g = one_query(&item);
    assay_run *r = empty_result();
    assay_scores *s = NULL;

    CHECK(!assay_run_put_hit(r, &hit, NULL));
    CHECK(!assay_run_finish(r, NULL));
    CHECK(!assay_eval(g, r, "hit@1,evidence_recall@1", NULL, &s, NULL));
    CHECK_INT(assay_scores_level(s), ASSAY_LEVEL_EVIDENCE);
    CHECK_NEAR(assay_scores_value(s, 0, 0), 1, 0);
    CHECK_NEAR(assay_scores_value(s, 0, 1), 5.0 / 10, 0);
    assay_scores_free(s);
    assay_run_free(r);
    assay_golden_free(g);
}

TEST(answers_and_citations_built_by_calls_are_measured)
{
    const assay_judged_item item = {.doc = "d", .chunk = "c", .grade = 1};
    const assay_hit_item hit = {.doc = "d", .chunk = "c"};
    const assay_hit_item ghost = {.chunk = "nowhere"};
    assay_golden *g = one_query(&item);
    assay_run *r = empty_result();
    assay_scores *s = NULL;

    CHECK(!assay_run_put_hit(r, &hit, NULL));
    CHECK(!assay_run_put_answer(r, "because", NULL, 1, NULL));
    CHECK(!assay_run_put_citation(r, &hit, NULL));
    CHECK(!assay_run_put_citation(r, &ghost, NULL));
    CHECK(!assay_run_finish(r, NULL));
    CHECK(!assay_eval(g, r, "citation_coverage,citation_precision", NULL, &s, NULL));
    CHECK_NEAR(assay_scores_value(s, 0, 0), 0, 0); /* one of the two points nowhere */
    CHECK_NEAR(assay_scores_value(s, 0, 1), 1.0 / 2, 0);
    assay_scores_free(s);
    assay_run_free(r);
    assay_golden_free(g);
}

TEST(misuse_is_refused_in_words)
{
    assay_golden *g = assay_golden_new();
    assay_run *r = assay_run_new();
    const assay_judged_item nothing = {.grade = 1};
    const assay_hit_item hit = {.doc = "d", .score = NAN, .has_score = 1};
    assay_error err;

    CHECK_INT(assay_golden_put_judgment(g, "q", &nothing, &err), ASSAY_EUSAGE);
    CHECK_STR(err.text, "no query 'q' to judge");
    CHECK(!assay_golden_put_query(g, "q", NULL, &err));
    CHECK_INT(assay_golden_put_judgment(g, "q", &nothing, &err), ASSAY_EUSAGE);
    CHECK_STR(err.text, "a judgment needs a document or a chunk");
    CHECK_INT(assay_run_put_hit(r, &hit, &err), ASSAY_EUSAGE);
    CHECK(!assay_run_put_result(r, "q", -1, NULL, &err));
    CHECK_INT(assay_run_put_hit(r, &hit, &err), ASSAY_EUSAGE);
    CHECK_STR(err.text, "the score of a hit must be a finite number");
    CHECK_INT(assay_run_put_citation(r, &hit, &err), ASSAY_EUSAGE);
    assay_run_free(r);
    assay_golden_free(g);
}

TEST(unknown_words_are_refused)
{
    const assay_judged_item item = {.doc = "d", .grade = 1};
    assay_golden *g = one_query(&item);
    assay_run *r = empty_result();
    assay_scores *s = NULL;
    assay_error err;

    CHECK(!assay_run_finish(r, NULL));
    CHECK_INT(assay_eval(g, r, "mrr", &(assay_eval_options){.level = "page"}, &s, &err),
              ASSAY_EUSAGE);
    CHECK_STR(err.text, "level has no rule 'page'");
    CHECK_INT(
        assay_eval(g, r, "mrr", &(assay_eval_options){.conventions = "x"}, &s, &err),
        ASSAY_EUSAGE);
    CHECK_INT(assay_eval(g, r, "nosuch", NULL, &s, &err), ASSAY_EUSAGE);
    CHECK(!s);
    CHECK_INT(assay_measure_check("ndcg@10, map", &err), ASSAY_OK);
    CHECK_INT(assay_measure_check("ndcg@10, mapp", &err), ASSAY_EUSAGE);
    assay_run_free(r);
    assay_golden_free(g);
}

TEST(formats_and_metrics_can_be_listed)
{
    assay_metric_info info;
    size_t n = 0;

    while (assay_metric_info_at(n, &info)) {
        CHECK(info.name && info.summary && info.formula && info.source);
        n++;
    }
    CHECK(n > 50);
    CHECK_STR(assay_golden_format_name(0), "assay");
    CHECK(assay_run_format_name(0) && !assay_run_format_name(100));
}
