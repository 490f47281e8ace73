/* SPDX-License-Identifier: Apache-2.0 */
/* The conventions of kebab, bob, evalvault and trec, by the test plans of those systems. */
#include "metric/conventions.h"

#include "base/slice.h"
#include "pipeline/evaluate.h"
#include "testing.h"

typedef struct outcome {
    assay_golden *golden;
    assay_run *run;
    assay_scores *scores;
} outcome;

static outcome measure(const char *conventions, const char *golden_text,
                       const char *run_text, const char *measures)
{
    assay_eval_settings s = {.conventions =
                                 assay_conventions_find(assay_slice_of(conventions))};
    assay_golden_options options = {.format = strcmp(conventions, "kebab") == 0 ? "kebab"
                                                                                : NULL};
    outcome o = {NULL, NULL, NULL};
    assay_error err = {ASSAY_OK, ""};

    CHECK(s.conventions);
    if (assay_golden_parse("g", assay_slice_of(golden_text), &options, &o.golden, &err) ||
        assay_run_parse("r", assay_slice_of(run_text), NULL, &o.run, &err) ||
        assay_evaluate(o.golden, o.run, measures, &s, &o.scores, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return o;
}

static void done(outcome *o)
{
    assay_scores_free(o->scores);
    assay_run_free(o->run);
    assay_golden_free(o->golden);
}

static assay_total total(const outcome *o, const char *name)
{
    uint32_t c = assay_scores_column(o->scores, name);

    CHECK(c != ASSAY_NONE);
    return o->scores->total[c];
}

#define VALUE(o, name) total(&(o), name).value

TEST(every_row_of_the_table_can_be_measured_and_told)
{
    const assay_conventions *c;

    for (size_t i = 0; (c = assay_conventions_at(i)) != NULL; i++) {
        assay_rule rule;
        size_t n = 0;

        CHECK(assay_conventions_find(assay_slice_of(c->name)) == c);
        CHECK(c->summary && c->measures);
        while (assay_conventions_rule(c, n, &rule)) {
            CHECK(rule.rule && rule.value);
            n++;
        }
        CHECK_INT(n, 15);
    }
    CHECK(!assay_conventions_find(ASSAY_LIT("nobody")));
}

/* ---- kebab ---- */

#define KEBAB_GOLDEN                                                              \
    "- {id: q-001, query: x, expected_doc_ids: [d1], expected_chunk_ids: [c1]}\n" \
    "- {id: q-002, query: x, expected_doc_ids: [d2], expected_chunk_ids: [c2]}\n" \
    "- {id: q-003, query: x, expected_doc_ids: [d3], expected_chunk_ids: [c3]}\n"

/* "q-001: 1 8; q-002: 2" as a run: chunks c1 and c8 of documents d1 and d8 for q-001. */
static const char *run_of(const char *spec)
{
    static char text[4000];
    size_t used = 0;
    unsigned rank = 0;

    for (const char *p = spec; *p;) {
        int n = 0;
        unsigned id;
        char query[20];

        if (sscanf(p, " %19[^: ]:%n", query, &n) == 1 && n) {
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "%s{\"query_id\":\"%s\",\"query\":\"x\",\"hits\":[",
                                     rank ? "]}\n" : "", query);
            rank = 1;
        } else if (sscanf(p, " %u%n", &id, &n) == 1 && n) {
            used += (size_t)snprintf(
                text + used, sizeof text - used,
                "%s{\"rank\":%u,\"chunk_id\":\"c%u\",\"doc_id\":\"d%u\"}",
                rank > 1 ? "," : "", rank, id, id);
            rank++;
        } else {
            n = 1; /* the semicolon */
        }
        p += n;
    }
    snprintf(text + used, sizeof text - used, "]}\n");
    return text;
}

/* Ranks 1, 4, none and 2, 1, 1, as in kebab's own comparison fixture. */
#define KEBAB_A "q-001: 1 8; q-002: 8 7 6 2; q-003: 8"
#define KEBAB_B "q-001: 8 1; q-002: 2; q-003: 3"

/* The values of compare-1.json at four decimals: 1/3, 2/3, (1 + 1/4) / 3 ... */
TEST(kebab_aggregates_of_ranks_1_4_none)
{
    outcome o = measure("kebab", KEBAB_GOLDEN, run_of(KEBAB_A), "");

    CHECK_NEAR(VALUE(o, "hit@1"), 0.3333, 0);
    CHECK_NEAR(VALUE(o, "hit@3"), 0.3333, 0);
    CHECK_NEAR(VALUE(o, "hit@5"), 0.6667, 0);
    CHECK_NEAR(VALUE(o, "hit@10"), 0.6667, 0);
    CHECK_NEAR(VALUE(o, "mrr"), 0.4167, 0);
    CHECK_NEAR(VALUE(o, "recall@1"), 0.3333, 0);
    CHECK_NEAR(VALUE(o, "recall@5"), 0.6667, 0);
    CHECK_NEAR(VALUE(o, "precision@1"), 0.3333, 0);
    CHECK_NEAR(VALUE(o, "precision@3"), 0.1111, 0);  /* 1/9 */
    CHECK_NEAR(VALUE(o, "precision@5"), 0.1333, 0);  /* 2/15 */
    CHECK_NEAR(VALUE(o, "precision@10"), 0.0667, 0); /* 2/30 */
    CHECK_NEAR(VALUE(o, "groundedness"), 0, 0);      /* zero denominator: 0.0 there */
    CHECK(isnan(VALUE(o, "citation_coverage")));
    CHECK(isnan(VALUE(o, "refusal_correctness")));
    CHECK_NEAR(VALUE(o, "empty_result_rate"), 0, 0);
    done(&o);
}

TEST(kebab_aggregates_of_ranks_2_1_1)
{
    outcome o = measure("kebab", KEBAB_GOLDEN, run_of(KEBAB_B), "");

    CHECK_NEAR(VALUE(o, "hit@1"), 0.6667, 0);
    CHECK_NEAR(VALUE(o, "hit@3"), 1, 0);
    CHECK_NEAR(VALUE(o, "mrr"), 0.8333, 0); /* (1/2 + 1 + 1) / 3 */
    CHECK_NEAR(VALUE(o, "precision@3"), 0.3333, 0);
    CHECK_NEAR(VALUE(o, "precision@5"), 0.2, 0);
    CHECK_NEAR(VALUE(o, "precision@10"), 0.1, 0);
    CHECK_NEAR(VALUE(o, "recall@1"), 0.6667, 0);
    done(&o);
}

TEST(kebab_sees_no_hit_beyond_rank_ten_in_mrr)
{
    outcome o = measure("kebab", "- {id: q, query: x, expected_chunk_ids: [c1]}\n",
                        run_of("q: 21 22 23 24 25 26 27 28 29 30 1"), "mrr,mrr@11");

    CHECK_NEAR(VALUE(o, "mrr"), 0, 0);
    CHECK_NEAR(VALUE(o, "mrr@11"), 0.0909, 0);
    done(&o);
}

/* 3 of the first 5 are expected: .6 and .3; 2 hits of 3 returned: .4 and .2. */
TEST(kebab_precision_divides_by_k)
{
    outcome o = measure("kebab",
                        "- {id: a, query: x, expected_chunk_ids: [c1, c2, c3]}\n"
                        "- {id: b, query: x, expected_chunk_ids: []}\n",
                        run_of("a: 1 8 2 9 3; b: 1"), "precision@5,precision@10");

    CHECK_NEAR(VALUE(o, "precision@5"), 0.6, 0);
    CHECK_NEAR(VALUE(o, "precision@10"), 0.3, 0);
    CHECK_INT(total(&o, "precision@5").n, 1);
    done(&o);
    o = measure("kebab", "- {id: a, query: x, expected_chunk_ids: [c1, c2]}\n",
                run_of("a: 1 8 2"), "precision@5,precision@10");
    CHECK_NEAR(VALUE(o, "precision@5"), 0.4, 0);
    CHECK_NEAR(VALUE(o, "precision@10"), 0.2, 0);
    done(&o);
}

/* Two queries of .2 and .4 average to .3. */
TEST(kebab_precision_is_averaged_over_queries)
{
    outcome o = measure("kebab",
                        "- {id: a, query: x, expected_chunk_ids: [c1]}\n"
                        "- {id: b, query: x, expected_chunk_ids: [c1, c2]}\n",
                        run_of("a: 1; b: 1 2"), "precision@5");

    CHECK_NEAR(VALUE(o, "precision@5"), 0.3, 0);
    done(&o);
}

#define ANSWER(id, text, grounded, citations)                       \
    "{\"query_id\":\"" id                                           \
    "\",\"query\":\"x\",\"hits\":[],\"answer\":{\"answer\":\"" text \
    "\",\"citations\":[" citations "],\"grounded\":" grounded "}}\n"

TEST(kebab_answers)
{
    outcome o = measure(
        "kebab",
        "- {id: a, query: x, expected_doc_ids: [d1], must_contain: [Foo], forbidden: [bar]}\n"
        "- {id: b, query: x, expected_doc_ids: [d1], must_contain: [foo]}\n"
        "- {id: c, query: x, expected_doc_ids: [d1], forbidden: [bar]}\n"
        "- {id: r, query: x, expected_doc_ids: []}\n"
        "- {id: s, query: x, expected_doc_ids: []}\n",
        ANSWER("a", "Foo is it", "true", "{\"path\":\"d1.md\"}") /* grounded, cited */
        ANSWER("b", "Foo is it", "true", "")            /* case differs, no citation */
        ANSWER("c", "a bar", "true", "{\"path\":\"\"}") /* forbidden, broken citation */
        ANSWER("r", "I cannot say", "false", "") ANSWER("s", "no", "false", ""),
        "");

    CHECK_NEAR(VALUE(o, "groundedness"), 0.3333, 0);
    CHECK_NEAR(VALUE(o, "citation_coverage"), 0.3333, 0);
    CHECK_NEAR(VALUE(o, "refusal_correctness"), 1, 0);
    CHECK_NEAR(VALUE(o, "empty_result_rate"), 1, 0);
    done(&o);
}

/* ---- bob ---- */

#define BOB_GOLDEN                                                \
    "{\"id\":1,\"question\":\"x\",\"expected_chunks\":[11,12]}\n" \
    "{\"id\":2,\"question\":\"y\",\"expected_chunks\":[21]}\n"    \
    "{\"id\":3,\"question\":\"z\",\"expected_chunks\":[]}\n"

#define BOB_RUN                                                                                \
    "{\"query_id\":\"1\",\"hits\":[{\"chunk_id\":\"12\"},{\"chunk_id\":\"9\"}]}\n"             \
    "{\"query_id\":\"2\",\"hits\":[{\"chunk_id\":\"1\"},{\"chunk_id\":\"2\"},"                 \
    "{\"chunk_id\":\"3\"},{\"chunk_id\":\"4\"},{\"chunk_id\":\"5\"},{\"chunk_id\":\"21\"}]}\n" \
    "{\"query_id\":\"3\",\"hits\":[{\"chunk_id\":\"1\"}]}\n"

/* recall (1/2, 0, 1), precision (1/5, 0, 0), mrr (1, 1/6 beyond k, 0), all in the mean. */
TEST(bob_counts_negatives_and_looks_at_the_whole_list)
{
    outcome o = measure("bob", BOB_GOLDEN, BOB_RUN, "");

    CHECK_NEAR(VALUE(o, "recall@5"), (0.5 + 0 + 1) / 3, 1e-15);
    CHECK_NEAR(VALUE(o, "precision@5"), 0.2 / 3, 1e-15);
    CHECK_NEAR(VALUE(o, "mrr"), (1 + 1 / 6.0 + 0) / 3, 1e-15);
    CHECK_INT(total(&o, "recall@5").n, 3);
    /* deviations 0, -1/2, 1/2 from the mean 1/2, over n - 1 */
    CHECK_NEAR(total(&o, "recall@5").spread, sqrt(0.5 / 2), 1e-15);
    done(&o);
}

TEST(bob_counts_sets_and_keeps_ranks)
{
    outcome o =
        measure("bob", "{\"id\":1,\"question\":\"x\",\"expected_chunks\":[7,8]}\n",
                "{\"query_id\":\"1\",\"hits\":[{\"chunk_id\":\"7\"},"
                "{\"chunk_id\":\"7\"},{\"chunk_id\":\"7\"},{\"chunk_id\":\"7\"},"
                "{\"chunk_id\":\"7\"},{\"chunk_id\":\"8\"}]}\n",
                "");

    CHECK_NEAR(VALUE(o, "recall@5"), 1.0 / 2, 0);
    CHECK_NEAR(VALUE(o, "precision@5"), 1.0 / 5, 0);
    CHECK_NEAR(total(&o, "recall@5").spread, 0, 0);
    done(&o);
}

/* ---- evalvault ---- */

#define VAULT_GOLDEN                                                                        \
    "{\"name\":\"t\",\"documents\":[{\"doc_id\":\"d-1\",\"content\":\"a\"},"                \
    "{\"doc_id\":\"d-2\",\"content\":\"b\"},{\"doc_id\":\"d-3\",\"content\":\"c\"}],"       \
    "\"test_cases\":[{\"test_id\":\"t-1\",\"query\":\"x\",\"relevant_doc_ids\":[\"d-1\"]}," \
    "{\"test_id\":\"t-2\",\"query\":\"y\",\"relevant_doc_ids\":[]}]}"

#define VAULT_RUN                                                                            \
    "{\"query_id\":\"t-1\",\"hits\":[{\"doc_id\":\"d-2\"},{\"doc_id\":\"d-1\"},{\"doc_id\":" \
    "\"d-3\"}]}\n{\"query_id\":\"t-2\",\"hits\":[{\"doc_id\":\"d-1\"}]}\n"

/* Three documents came back: precision is 1/3, not 1/5.  Rank 2: 1/log2(3). */
TEST(evalvault_divides_precision_by_what_came_back)
{
    outcome o = measure("evalvault", VAULT_GOLDEN, VAULT_RUN, "");

    CHECK_NEAR(VALUE(o, "precision@5"), 1.0 / 3, 0);
    CHECK_NEAR(VALUE(o, "recall@5"), 1, 0);
    CHECK_NEAR(VALUE(o, "mrr"), 0.5, 0);
    CHECK_NEAR(VALUE(o, "ndcg@5"), 1 / log2(3), 1e-15);
    CHECK_INT(total(&o, "recall@5").n, 1);
    done(&o);
}

TEST(evalvault_may_count_empty_relevance_as_zero)
{
    assay_eval_settings s = {.conventions =
                                 assay_conventions_find(ASSAY_LIT("evalvault")),
                             .has_empty_rule = true,
                             .empty_rule = ASSAY_EMPTY_ZERO};
    assay_golden *g = NULL;
    assay_run *r = NULL;
    assay_scores *scores = NULL;

    CHECK(!assay_golden_parse("g", ASSAY_LIT(VAULT_GOLDEN), NULL, &g, NULL));
    CHECK(!assay_run_parse("r", ASSAY_LIT(VAULT_RUN), NULL, &r, NULL));
    CHECK(!assay_evaluate(g, r, "recall@5,mrr,ndcg@5", &s, &scores, NULL));
    CHECK_INT(scores->total[0].n, 2);
    CHECK_NEAR(scores->total[0].value, 1.0 / 2, 0);
    CHECK_NEAR(scores->total[1].value, 0.5 / 2, 0);
    CHECK_NEAR(scores->total[2].value, 1 / log2(3) / 2, 1e-15);
    assay_scores_free(scores);
    assay_run_free(r);
    assay_golden_free(g);
}

/* An id that stands twice counts once, in nDCG too: it never exceeds 1. */
TEST(evalvault_counts_an_id_once)
{
    outcome o = measure("evalvault", VAULT_GOLDEN,
                        "{\"query_id\":\"t-1\",\"hits\":[{\"doc_id\":\"d-1\"},"
                        "{\"doc_id\":\"d-1\"}]}\n",
                        "precision@5,ndcg@5");

    CHECK_NEAR(VALUE(o, "precision@5"), 1.0 / 2, 0);
    CHECK_NEAR(VALUE(o, "ndcg@5"), 1, 0);
    done(&o);
}

/* ---- trec ---- */

TEST(trec_leaves_missing_topics_out_and_counts_those_with_nothing_relevant)
{
    outcome o = measure("trec", "q1 0 d1 1\nq2 0 d1 0\nq3 0 d1 1\n",
                        "q1 Q0 d1 1 1.0 t\nq2 Q0 d1 1 1.0 t\n", "recip_rank");

    CHECK_INT(o.scores->total[0].n, 2);
    CHECK_NEAR(o.scores->total[0].value, 1.0 / 2, 0);
    CHECK_INT(o.scores->counts.missing, 1);
    done(&o);
}
