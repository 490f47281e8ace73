/* SPDX-License-Identifier: Apache-2.0 */
/* Measures a store: results put one by one, each a transaction of its own, the run loaded
 * again, its done queries listed, the runs listed, the run removed.  One line for each figure:
 * name and seconds.
 *
 *     store_bench PLACE QUERIES HITS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/slice.h"
#include "store/store.h"

enum { MOST_HITS = 1000, ID = 24 };

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void must(assay_status st, const assay_error *err)
{
    if (!st)
        return;
    fprintf(stderr, "store_bench: %s\n", err->text);
    exit((int)st);
}

static void report(const char *name, double since)
{
    printf("%-10s %.3f\n", name, now() - since);
    fflush(stdout);
}

static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Random documents of 100,000, falling scores with all their digits: what bm25 gives. */
static void fill(assay_result *r, char *id, char (*doc)[ID], uint32_t n, uint64_t *seed)
{
    double score = 30 + (double)(next(seed) % 1000) / 997;

    snprintf(id, ID, "q%06lu", (unsigned long)n);
    r->query_id = assay_slice_of(id);
    for (uint32_t i = 0; i < r->n_hits; i++) {
        snprintf(doc[i], ID, "doc%06lu", (unsigned long)(next(seed) % 100000));
        score -= (double)(next(seed) % 1000) / 9973;
        r->hit[i] = (assay_hit){.chunk = {"", 0},
                                .doc = assay_slice_of(doc[i]),
                                .text = {"", 0},
                                .score = score,
                                .has_score = true,
                                .rank = i + 1};
    }
}

static void put_all(assay_store *store, assay_slice run_id, uint32_t n, uint32_t n_hits,
                    assay_error *err)
{
    static assay_hit hit[MOST_HITS];
    static char doc[MOST_HITS][ID];
    char id[ID];
    uint64_t seed = 7;
    assay_result r = {.query = ASSAY_LIT("how wide is the harbour at low tide?"),
                      .mode = {"", 0},
                      .error = {"", 0},
                      .hit = hit,
                      .n_hits = n_hits,
                      .elapsed_ms = 1.25};

    for (uint32_t i = 0; i < n; i++) {
        fill(&r, id, doc, i, &seed);
        must(assay_store_put(store, run_id, &r, err), err);
    }
}

int main(int argc, char **argv)
{
    assay_error err = {ASSAY_OK, ""};
    assay_store *store = NULL;
    assay_run *run = NULL;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_store_done *done;
    assay_stored *rows;
    uint32_t n = argc == 4 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    uint32_t n_hits = argc == 4 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
    const assay_stored meta = {.run_id = ASSAY_LIT("run_00000000000000000000000000000001"),
                               .suite = {"", 0},
                               .snapshot = ASSAY_LIT("{}"),
                               .aggregate = ASSAY_LIT("{}"),
                               .commit = {"", 0},
                               .created_at = ASSAY_LIT("2026-01-02T03:04:05.678Z"),
                               .finished_at = {"", 0},
                               .status = ASSAY_LIT(ASSAY_RUN_OPEN),
                               .source = ASSAY_LIT("assay"),
                               .method = ASSAY_LIT("bm25"),
                               .golden_hash = {"", 0},
                               .corpus_hash = {"", 0},
                               .chunker = {"", 0},
                               .k = 10,
                               .n_planned = n};
    double t = now();

    if (argc != 4 || n_hits > MOST_HITS) {
        fprintf(stderr, "usage: store_bench PLACE QUERIES HITS\n");
        return 2;
    }
    must(assay_store_open(argv[1], ASSAY_STORE_CREATE, &store, &err), &err);
    must(assay_store_add(store, &meta, &err), &err);
    report("open", t);
    t = now();
    put_all(store, meta.run_id, n, n_hits, &err);
    report("put", t);
    t = now();
    must(assay_store_load(store, meta.run_id, &run, &err), &err);
    report("load", t);
    if (run->n_results != n)
        return 1;
    assay_run_free(run);
    t = now();
    must(assay_store_done_list(store, meta.run_id, &arena, &done, &n, &err), &err);
    report("done", t);
    t = now();
    must(assay_store_list(store, &(assay_store_filter){0}, &arena, &rows, &n, &err),
         &err);
    report("list", t);
    t = now();
    must(assay_store_remove(store, meta.run_id, &err), &err);
    report("remove", t);
    assay_arena_clear(&arena);
    assay_store_close(store);
    return 0;
}
