/* SPDX-License-Identifier: Apache-2.0 */
/* The samples cut anew before the second run, which is what one does to try a chunker.  An
 * oracle that returns the chunks which find the evidence knows as much as before: all its
 * queries are draws, and nothing is a regression. */
#include "cut_corpus.h"
#include "pipeline/comparing.h"
#include "pipeline/place_hits.h"

static const char *const chunkings[] = {"md-heading",
                                        "paragraph",
                                        "sentence(target=20)",
                                        "chars(size=200,overlap=50)",
                                        "words(size=500,overlap=100)",
                                        "whole"};

enum { N_CHUNKINGS = sizeof chunkings / sizeof chunkings[0] };

static bool finds_any(const chunk *c, const assay_golden *golden, const assay_query *q)
{
    for (uint32_t j = 0; j < q->n_judgments; j++)
        if (assay_judgment_is_evidence(&q->judgment[j]) && q->judgment[j].grade > 0 &&
            assay_slice_eq(golden->docs.word[q->judgment[j].doc], c->doc) &&
            finds(c, &q->judgment[j]))
            return true;
    return false;
}

static assay_run *oracle(const assay_golden *golden, const char *corpus)
{
    assay_run *run = assay_run_new();
    assay_placing placing;
    cut c;

    load_cut(&c, corpus);
    for (uint32_t q = 0; q < golden->n_queries; q++) {
        const assay_query *query = &golden->query[q];
        char id[100];

        snprintf(id, sizeof id, "%.*s", (int)query->id.len, query->id.ptr);
        OK(assay_run_put_result(run, id, -1, NULL, &err));
        for (size_t i = 0; i < c.n; i++) {
            char name[ASSAY_CHUNK_ID_CHARS + 1];
            const assay_hit_item hit = {.chunk = name}; /* the corpus knows the rest */

            snprintf(name, sizeof name, "%.*s", (int)c.item[i].id.len, c.item[i].id.ptr);
            if (finds_any(&c.item[i], golden, query))
                OK(assay_run_put_hit(run, &hit, &err));
        }
    }
    OK(assay_run_finish(run, &err));
    OK(assay_place_hits(run, corpus, 2, &placing, &err));
    CHECK_INT(placing.n_without, 0);
    drop_cut(&c);
    return run;
}

TEST(an_oracle_draws_every_query_whatever_the_chunker)
{
    const assay_trace_options plain = {.n_threads = 2};
    const assay_comparing_settings settings = {.eval = {.n_threads = 2}, .depth = 10};
    char folder[1100];
    char path[1100];
    assay_golden *golden = NULL;
    assay_run *run[N_CHUNKINGS];
    assay_snapshot snapshot[N_CHUNKINGS] = {{.k = 10}};
    assay_resolution r;

    snprintf(folder, sizeof folder, "%s/samples/handbook", TEST_SRC);
    snprintf(path, sizeof path, "%s/samples/handbook.golden.yaml", TEST_SRC);
    OK(assay_golden_load(path, NULL, &golden, &err));
    for (size_t i = 0; i < N_CHUNKINGS; i++) {
        char corpus[40];

        snprintf(corpus, sizeof corpus, "cut%zu.db", i);
        cut_by(corpus, folder, chunkings[i]);
        if (!i)
            OK(assay_resolve(golden, corpus, &plain, &r, &err));
        run[i] = oracle(golden, corpus);
        snapshot[i] = (assay_snapshot){.chunker = assay_slice_of(chunkings[i]), .k = 10};
    }
    for (size_t i = 1; i < N_CHUNKINGS; i++) {
        const assay_compare_side side[] = {
            {.name = "old", .run = run[0], .golden = golden, .snapshot = &snapshot[0]},
            {.name = "new", .run = run[i], .golden = golden, .snapshot = &snapshot[i]}};
        assay_comparison *c = NULL;

        OK(assay_compare_runs(side, 2, &settings, &c, &err));
        CHECK_STR(assay_match_word(c->matching.match), "fallback_doc_span");
        CHECK_INT(c->pair[0].n_kind[ASSAY_KIND_REGRESSION], 0);
        CHECK_INT(c->pair[0].n_kind[ASSAY_KIND_LOSS], 0);
        CHECK_INT(c->pair[0].n_kind[ASSAY_KIND_WIN], 0);
        CHECK_INT(c->pair[0].n_kind[ASSAY_KIND_DRAW], c->core.n);
        /* By chunk ids not one expected chunk would be left: the aggregates go by the same
         * criterion as the kinds. */
        for (uint32_t m = 0; m < c->n_measures; m++)
            if (strcmp(c->pair[0].delta[m].column->name, "hit@1") == 0) {
                CHECK_NEAR(c->pair[0].delta[m].a, 1.0, 0);
                CHECK_NEAR(c->pair[0].delta[m].b, 1.0, 0);
                CHECK_INT(c->pair[0].delta[m].n, 28);
            }
        assay_comparison_free(c);
    }
    for (size_t i = 0; i < N_CHUNKINGS; i++)
        assay_run_free(run[i]);
    assay_golden_free(golden);
}
