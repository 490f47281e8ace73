/* SPDX-License-Identifier: Apache-2.0 */
/* How fast runs go into a store and come out of it.
 *
 *     bench_store [--place FILE|postgresql://...] [--queries 7000] [--hits 100]
 *                 [--runs 20] [--run-queries 1000] [--rounds 2] [--docs]
 *
 * First a run whose results are put one by one, each a transaction of its own; then `runs`
 * runs of `run-queries` queries, put at once, and loaded `rounds` times, of which the last
 * one counts.
 * --docs: hits name documents only, as in a TREC run; else chunks of 32 hex digits, their
 * documents and one span each.  Times are of the wall and, in brackets, of the processor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/slice.h"
#include "store/run_id.h"
#include "store/store.h"

enum { ID_SIZE = 40, DOCS = 5000 };

typedef struct settings {
    const char *place;
    uint32_t n_queries;
    uint32_t n_hits;
    uint32_t n_runs;
    uint32_t run_queries;
    uint32_t n_rounds;
    bool is_docs;
} settings;

typedef struct made_hits {
    assay_hit *hit;
    assay_span *span;
    char (*chunk)[ID_SIZE];
    char (*doc)[ID_SIZE];
} made_hits;

static double clock_of(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef struct watch {
    double wall;
    double cpu;
} watch;

static watch start(void)
{
    return (watch){clock_of(CLOCK_MONOTONIC), clock_of(CLOCK_PROCESS_CPUTIME_ID)};
}

static watch stop(watch from)
{
    watch now = start();

    return (watch){now.wall - from.wall, now.cpu - from.cpu};
}

static void die(const char *words)
{
    fprintf(stderr, "bench_store: %s\n", words);
    exit(1);
}

static void check(assay_status st, const assay_error *err)
{
    if (st)
        die(err->text);
}

/* xorshift: the same numbers on every machine. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static made_hits new_hits(uint32_t n)
{
    made_hits m = {assay_mem_zero(n, sizeof *m.hit), assay_mem_zero(n, sizeof *m.span),
                   assay_mem_zero(n, sizeof *m.chunk), assay_mem_zero(n, sizeof *m.doc)};

    if (!m.hit || !m.span || !m.chunk || !m.doc)
        die("no memory");
    return m;
}

static void fill_hits(made_hits *m, const settings *s, uint64_t *state)
{
    for (uint32_t i = 0; i < s->n_hits; i++) {
        uint64_t a = next_random(state);
        uint64_t b = next_random(state);
        int doc = snprintf(m->doc[i], ID_SIZE, "docs/part-%02u/file-%04u.md",
                           (unsigned)(a % 20), (unsigned)(a % DOCS));

        snprintf(m->chunk[i], ID_SIZE, "%016llx%016llx", (unsigned long long)a,
                 (unsigned long long)b);
        m->span[i] = (assay_span){b % 100000, b % 100000 + 400 + a % 200};
        m->hit[i] = (assay_hit){
            .chunk = {m->chunk[i], s->is_docs ? 0 : 32},
            .doc = {m->doc[i], (size_t)doc},
            .text = {"", 0},
            .span = s->is_docs ? NULL : &m->span[i],
            .n_spans = !s->is_docs,
            .rank = i + 1,
            .score = 20.0 - 0.1 * i + (double)(b >> 11) * 1e-17,
            .has_score = true,
        };
    }
}

static assay_slice add_run(assay_store *store, assay_run_ids *ids, char *id,
                           const settings *s, uint32_t n)
{
    char now[ASSAY_STORE_TIME_SIZE];
    assay_stored run = {.snapshot = ASSAY_LIT("{\"method\":\"bm25\"}"),
                        .method = ASSAY_LIT("bm25"),
                        .suite = ASSAY_LIT("bench"),
                        .k = 10,
                        .depth = s->n_hits,
                        .n_planned = n};
    assay_error err;

    assay_store_time(0, now);
    check(assay_run_id_make(ids, id, &err), &err);
    run.run_id = assay_slice_of(id);
    run.created_at = assay_slice_of(now);
    check(assay_store_add(store, &run, &err), &err);
    return run.run_id;
}

static assay_result result_of(const made_hits *m, const settings *s, char *id, uint32_t q)
{
    int len = snprintf(id, ID_SIZE, "query-%05u", q);

    return (assay_result){
        .query_id = {id, (size_t)len},
        .query = ASSAY_LIT("how long does the insurance pay after an accident"),
        .mode = ASSAY_LIT("lexical"),
        .error = ASSAY_LIT(""),
        .hit = m->hit,
        .n_hits = s->n_hits,
        .elapsed_ms = 0.123,
    };
}

static void put_one_by_one(assay_store *store, assay_run_ids *ids, const settings *s)
{
    char id[ASSAY_RUN_ID_SIZE];
    char query[ID_SIZE];
    made_hits m = new_hits(s->n_hits);
    uint64_t state = 88172645463325252U;
    assay_slice run_id = add_run(store, ids, id, s, s->n_queries);
    watch spent = {0, 0};
    assay_error err;

    for (uint32_t q = 0; q < s->n_queries; q++) {
        assay_result r = result_of(&m, s, query, q);
        watch w;

        fill_hits(&m, s, &state);
        w = start();
        check(assay_store_put(store, run_id, &r, &err), &err);
        w = stop(w);
        spent.wall += w.wall;
        spent.cpu += w.cpu;
    }
    printf("put %u results of %u hits, each committed: %.2f s (%.2f), %.0f a second\n",
           s->n_queries, s->n_hits, spent.wall, spent.cpu, s->n_queries / spent.wall);
    assay_mem_free(m.hit);
    assay_mem_free(m.span);
    assay_mem_free(m.chunk);
    assay_mem_free(m.doc);
}

/* A run in memory whose results all point at hits of their own. */
static assay_run *make_run(const settings *s, uint64_t *state)
{
    assay_run *run = assay_run_new();
    assay_error err;

    if (!run)
        die("no memory");
    for (uint32_t q = 0; q < s->run_queries; q++) {
        char *id = assay_arena_alloc(&run->arena, ID_SIZE);
        made_hits m = new_hits(s->n_hits);
        assay_result *r;
        assay_result made = result_of(&m, s, id, q);

        fill_hits(&m, s, state);
        check(assay_run_add(run, made.query_id, q + 1, &r, &err), &err);
        *r = made;
    }
    return run;
}

static void put_runs(assay_store *store, assay_run_ids *ids, const settings *s,
                     char (*id)[ASSAY_RUN_ID_SIZE])
{
    uint64_t state = 42;
    assay_run *run = make_run(s, &state);
    assay_error err;
    watch w = start();

    for (uint32_t i = 0; i < s->n_runs; i++)
        check(assay_store_put_all(store, add_run(store, ids, id[i], s, s->run_queries),
                                  run, &err),
              &err);
    w = stop(w);
    printf("put %u runs of %u x %u hits, a run at once: %.2f s (%.2f)\n", s->n_runs,
           s->run_queries, s->n_hits, w.wall, w.cpu);
    assay_run_free(run); /* its hits are the system's to take back */
}

static void load_runs(const settings *s, char (*id)[ASSAY_RUN_ID_SIZE])
{
    double hits = (double)s->n_runs * s->run_queries * s->n_hits;
    assay_store *store = NULL;
    assay_error err;
    double sum = 0;

    check(assay_store_open(s->place, ASSAY_STORE_READ, &store, &err), &err);
    for (uint32_t round = 0; round < s->n_rounds; round++) {
        watch w = start();

        for (uint32_t i = 0; i < s->n_runs; i++) {
            assay_run *run = NULL;

            check(assay_store_load(store, assay_slice_of(id[i]), &run, &err), &err);
            sum += run->result[0].hit[0].score;
            assay_store_recycle(store, run);
        }
        w = stop(w);
        if (round + 1 == s->n_rounds)
            printf("load them: %.2f s (%.2f), %.1f ns a hit (%.1f), %.0f million hits a "
                   "second\n",
                   w.wall, w.cpu, w.wall / hits * 1e9, w.cpu / hits * 1e9,
                   hits / w.wall * 1e-6);
    }
    assay_store_close(store);
    if (sum == 0)
        die("no scores");
}

static void print_size(const settings *s)
{
    double hits = ((double)s->n_queries + (double)s->n_runs * s->run_queries) * s->n_hits;
    struct stat st;

    if (stat(s->place, &st) == 0)
        printf("size: %.1f MB, %.1f bytes a hit\n", (double)st.st_size * 1e-6,
               (double)st.st_size / hits);
}

static uint32_t number_of(const char *text)
{
    uint32_t n = 0;

    if (!text || !assay_slice_to_u32(assay_slice_of(text), &n) || !n)
        die("want a number from 1");
    return n;
}

static settings read_arguments(int argc, char **argv)
{
    settings s = {"build/bench/store/assay.db", 7000, 100, 20, 1000, 2, false};

    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (!strcmp(argv[i], "--docs")) {
            s.is_docs = true;
            continue;
        }
        if (!strcmp(argv[i], "--place") && value)
            s.place = value;
        else if (!strcmp(argv[i], "--queries"))
            s.n_queries = number_of(value);
        else if (!strcmp(argv[i], "--hits"))
            s.n_hits = number_of(value);
        else if (!strcmp(argv[i], "--runs"))
            s.n_runs = number_of(value);
        else if (!strcmp(argv[i], "--run-queries"))
            s.run_queries = number_of(value);
        else if (!strcmp(argv[i], "--rounds"))
            s.n_rounds = number_of(value);
        else
            die("see the head of bench/bench_store.c");
        i++;
    }
    return s;
}

int main(int argc, char **argv)
{
    settings s = read_arguments(argc, argv);
    char(*id)[ASSAY_RUN_ID_SIZE] = assay_mem_zero(s.n_runs, sizeof *id);
    assay_run_ids ids = {0, 0};
    assay_store *store = NULL;
    assay_error err;

    if (!id)
        die("no memory");
    if (!strstr(s.place, "://"))
        (void)unlink(s.place);
    check(assay_store_open(s.place, ASSAY_STORE_CREATE, &store, &err), &err);
    put_one_by_one(store, &ids, &s);
    put_runs(store, &ids, &s, id);
    assay_store_close(store);
    print_size(&s);
    load_runs(&s, id);
    assay_mem_free(id);
    return 0;
}
