/* SPDX-License-Identifier: Apache-2.0 */
#include "testing.h"

#include "base/slice.h"
#include "golden/golden.h"
#include "pipeline/control_system.h"

enum { N = 50, RELEVANT = 5, K = 10, QUERIES = 400 };

static char name[N][16];
static assay_passage item[N];
static const assay_passages passages = {item, N};

/* Documents d00 to d49; query q has the five from 7q on, graded 1, 2, 1, 3, 1. */
static int relevant(int q, int i)
{
    return (7 * q + i) % N;
}

static assay_golden *make(void)
{
    static const int grade[RELEVANT] = {1, 2, 1, 3, 1};
    FILE *f = fopen("g.yaml", "wb");
    assay_golden *golden = NULL;
    assay_error err;

    for (int i = 0; i < N; i++) {
        snprintf(name[i], sizeof name[i], "d%02d", i);
        item[i] = (assay_passage){.id = assay_slice_of(name[i]),
                                  .doc = assay_slice_of(name[i]),
                                  .title = ASSAY_LIT(""),
                                  .text = ASSAY_LIT("x")};
    }
    fprintf(f, "version: 1\nqueries:\n");
    for (int q = 0; q < QUERIES; q++) {
        fprintf(f, "  - {id: q%d, query: x, relevant: [", q);
        for (int i = 0; i < RELEVANT; i++)
            fprintf(f, "{doc: d%02d, grade: %d}, ", relevant(q, i), grade[i]);
        fprintf(f, "{doc: d%02d, grade: 0}]}\n", relevant(q, RELEVANT));
    }
    fclose(f);
    if (assay_golden_load("g.yaml", NULL, &golden, &err))
        check_failed(__FILE__, __LINE__, "%s", err.text);
    return golden;
}

static assay_run *run_of(assay_control_kind kind, const assay_golden *golden, uint32_t k,
                         uint64_t seed)
{
    assay_control c = {
        .kind = kind, .golden = golden, .passages = &passages, .seed = seed};
    assay_run *run = NULL;
    assay_error err;

    CHECK_INT(assay_control_open(&c, &err), ASSAY_OK);
    CHECK_INT(assay_control_run(&c, k, &run, &err), ASSAY_OK);
    assay_control_close(&c);
    CHECK_INT(run->n_results, QUERIES);
    return run;
}

/* The number of a query, from its name. */
static int query_of(const assay_result *r)
{
    return (int)strtol(r->query_id.ptr + 1, NULL, 10);
}

TEST(random_finds_its_share_and_the_same_for_the_same_seed)
{
    assay_golden *golden = make();
    assay_run *run = run_of(ASSAY_CONTROL_RANDOM, golden, K, 1);
    assay_run *same = run_of(ASSAY_CONTROL_RANDOM, golden, K, 1);
    assay_run *other = run_of(ASSAY_CONTROL_RANDOM, golden, K, 2);
    /* Hits among K of N are hypergeometric. */
    double share = (double)RELEVANT / N;
    double variance = K * share * (1 - share) * (N - K) / (N - 1);
    double error = sqrt(variance / QUERIES) / RELEVANT;
    uint32_t found = 0;
    uint32_t n_different = 0;

    for (uint32_t r = 0; r < QUERIES; r++) {
        bool is_seen[N] = {false};

        CHECK_INT(run->result[r].n_hits, K);
        for (uint32_t h = 0; h < K; h++) {
            const assay_hit *hit = &run->result[r].hit[h];
            int doc = (int)strtol(hit->doc.ptr + 1, NULL, 10);

            CHECK(!is_seen[doc]);
            is_seen[doc] = true;
            found += (doc - relevant(query_of(&run->result[r]), 0) + N) % N < RELEVANT;
            CHECK(assay_slice_eq(hit->doc, same->result[r].hit[h].doc));
            n_different += !assay_slice_eq(hit->doc, other->result[r].hit[h].doc);
        }
    }
    CHECK_NEAR((double)found / (RELEVANT * QUERIES), (double)K / N, 4 * error);
    /* By chance one place in N is the same. */
    CHECK(n_different > QUERIES * K * 9 / 10);
    assay_run_free(run);
    assay_run_free(same);
    assay_run_free(other);
    assay_golden_free(golden);
}

TEST(the_oracle_has_all_that_is_relevant_by_grade_and_nothing_else)
{
    static const int order[RELEVANT] = {3, 1, 0, 2, 4};
    assay_golden *golden = make();

    for (uint32_t k = 1; k <= K; k++) {
        assay_run *run = run_of(ASSAY_CONTROL_ORACLE, golden, k, 0);

        for (uint32_t r = 0; r < QUERIES; r++) {
            CHECK_INT(run->result[r].n_hits, k < RELEVANT ? k : RELEVANT);
            for (uint32_t h = 0; h < run->result[r].n_hits; h++)
                CHECK_INT(strtol(run->result[r].hit[h].doc.ptr + 1, NULL, 10),
                          relevant(query_of(&run->result[r]), order[h]));
        }
        assay_run_free(run);
    }
    assay_golden_free(golden);
}
