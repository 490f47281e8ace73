/* SPDX-License-Identifier: Apache-2.0 */
/* A store full of runs, for 'assay metrics --all'.
 *
 *     fill_store PLACE RUNS QUERIES HITS
 *
 * One golden set: each query has three judged chunks.  A hit has a chunk id of 32 hex
 * digits, a document, a score and a span; one in twenty or so is judged.  The runs are not
 * measured yet.  The same arguments give the same runs but for ids and dates. */
#include <stdio.h>
#include <stdlib.h>

#include "base/slice.h"
#include "golden/frozen.h"
#include "run/snapshot.h"
#include "store/run_id.h"
#include "store/store.h"

enum { CHUNKS = 100000, DOCS = 5000, JUDGED = 3, ID_SIZE = 40 };

static void check(assay_status st, const assay_error *err)
{
    if (!st)
        return;
    fprintf(stderr, "fill_store: %s\n", err->text);
    exit(1);
}

/* xorshift: the same numbers on every machine. */
static uint32_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 32);
}

static void chunk_id(uint32_t chunk, char out[ID_SIZE])
{
    uint64_t a = (chunk + 1) * UINT64_C(0x9E3779B97F4A7C15);
    uint64_t b = (a ^ a >> 31) * UINT64_C(0xBF58476D1CE4E5B9);

    snprintf(out, ID_SIZE, "%016llx%016llx", (unsigned long long)(a ^ a >> 29),
             (unsigned long long)(b ^ b >> 30));
}

static uint32_t judged_chunk(uint32_t query, uint32_t i)
{
    return (query * 7919 + i * 104729) % CHUNKS;
}

static void make_golden(uint32_t n_queries, assay_buffer *text, char hash[65])
{
    assay_golden *golden = assay_golden_new();
    assay_error err = {ASSAY_OK, ""};
    char id[ID_SIZE];
    char chunk[ID_SIZE];

    for (uint32_t q = 0; q < n_queries; q++) {
        snprintf(id, sizeof id, "q-%05u", q);
        check(assay_golden_put_query(golden, id, "what is it?", &err), &err);
        for (uint32_t i = 0; i < JUDGED; i++) {
            assay_judged_item item = {.chunk = chunk, .grade = 1 + (int32_t)(i % 2)};

            chunk_id(judged_chunk(q, i), chunk);
            check(assay_golden_put_judgment(golden, id, &item, &err), &err);
        }
    }
    check(assay_golden_finish(golden, &err), &err);
    check(assay_golden_freeze(golden, text, &err), &err);
    assay_frozen_hash(assay_buffer_view(text), hash);
    assay_golden_free(golden);
}

static void make_hit(uint32_t query, uint32_t rank, uint64_t *state, assay_hit_item *hit,
                     char chunk[ID_SIZE], char doc[ID_SIZE])
{
    uint32_t number = next(state) % CHUNKS;

    if (next(state) % 20 == 0)
        number = judged_chunk(query, next(state) % JUDGED);
    chunk_id(number, chunk);
    snprintf(doc, ID_SIZE, "guide/part-%02u/page-%04u.md", number % 40, number % DOCS);
    *hit = (assay_hit_item){.doc = doc,
                            .chunk = chunk,
                            .score = 30.0 - 0.1 * rank - next(state) % 1000 * 1e-5,
                            .has_score = 1,
                            .rank = rank,
                            .start = number % 5000 + 1,
                            .end = number % 5000 + 500};
}

static assay_run *make_run(uint32_t number, uint32_t n_queries, uint32_t n_hits)
{
    uint64_t state = (number + 1) * UINT64_C(0x2545F4914F6CDD1D);
    assay_run *run = assay_run_new();
    assay_error err = {ASSAY_OK, ""};
    char id[ID_SIZE];
    char chunk[ID_SIZE];
    char doc[ID_SIZE];

    for (uint32_t q = 0; q < n_queries; q++) {
        snprintf(id, sizeof id, "q-%05u", q);
        check(assay_run_put_result(run, id, 1.5, NULL, &err), &err);
        for (uint32_t h = 0; h < n_hits; h++) {
            assay_hit_item hit;

            make_hit(q, h + 1, &state, &hit, chunk, doc);
            check(assay_run_put_hit(run, &hit, &err), &err);
        }
    }
    check(assay_run_finish(run, &err), &err);
    return run;
}

static void store_run(assay_store *store, assay_run_ids *ids, const assay_run *run,
                      const char *hash, uint32_t n_hits)
{
    assay_snapshot snapshot = {.method = ASSAY_LIT("bm25"),
                               .k = 10,
                               .depth = n_hits,
                               .conventions = ASSAY_LIT("assay"),
                               .golden_hash = assay_slice_of(hash)};
    const assay_stored_change whole = {.status = ASSAY_LIT(ASSAY_RUN_DONE)};
    assay_buffer json = ASSAY_BUFFER_EMPTY;
    assay_error err = {ASSAY_OK, ""};
    char id[ASSAY_RUN_ID_SIZE];
    char now[ASSAY_STORE_TIME_SIZE];
    assay_stored row;

    check(assay_run_id_make(ids, id, &err), &err);
    assay_store_time(0, now);
    assay_snapshot_write(&snapshot, &json);
    row = (assay_stored){.run_id = assay_slice_of(id),
                         .suite = ASSAY_LIT("bench"),
                         .snapshot = assay_buffer_view(&json),
                         .aggregate = ASSAY_LIT("{}"),
                         .commit = ASSAY_LIT(""),
                         .created_at = assay_slice_of(now),
                         .finished_at = assay_slice_of(now),
                         .status = ASSAY_LIT(ASSAY_RUN_OPEN),
                         .source = ASSAY_LIT("assay"),
                         .method = snapshot.method,
                         .golden_hash = snapshot.golden_hash,
                         .corpus_hash = ASSAY_LIT(""),
                         .chunker = ASSAY_LIT(""),
                         .k = 10,
                         .depth = n_hits,
                         .n_planned = assay_run_n(run)};
    check(assay_store_add(store, &row, &err), &err);
    check(assay_store_put_all(store, row.run_id, run, &err), &err);
    check(assay_store_change(store, row.run_id, &whole, &err), &err);
    assay_buffer_clear(&json);
}

int main(int argc, char **argv)
{
    assay_buffer golden = ASSAY_BUFFER_EMPTY;
    assay_error err = {ASSAY_OK, ""};
    assay_run_ids ids = {0};
    assay_store *store;
    uint32_t n_runs;
    uint32_t n_queries;
    uint32_t n_hits;
    char hash[65];

    if (argc != 5) {
        fprintf(stderr, "usage: fill_store PLACE RUNS QUERIES HITS\n");
        return 2;
    }
    n_runs = (uint32_t)strtoul(argv[2], NULL, 10);
    n_queries = (uint32_t)strtoul(argv[3], NULL, 10);
    n_hits = (uint32_t)strtoul(argv[4], NULL, 10);
    check(assay_store_open(argv[1], ASSAY_STORE_CREATE, &store, &err), &err);
    make_golden(n_queries, &golden, hash);
    check(assay_store_put_golden(store, assay_slice_of(hash), ASSAY_LIT("bench"),
                                 assay_buffer_view(&golden), &err),
          &err);
    for (uint32_t i = 0; i < n_runs; i++) {
        assay_run *run = make_run(i, n_queries, n_hits);

        store_run(store, &ids, run, hash, n_hits);
        assay_run_free(run);
    }
    assay_buffer_clear(&golden);
    assay_store_close(store);
    return 0;
}
