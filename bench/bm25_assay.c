/* SPDX-License-Identifier: Apache-2.0 */
/* assay's side of the benchmark of bm25.
 *
 *     bm25_assay FOLDER N_THREADS [QUERY_ROUNDS]
 *
 * prints "build SECONDS", "k10 QUERIES_PER_SECOND", "k1000 QUERIES_PER_SECOND", and sums
 * of the first scores to compare with the others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/pool.h"
#include "base/slice.h"
#include "retrieve/retrieve.h"

enum { PATH = 1000, ID = 9, MOST_K = 1000 };

typedef struct queries {
    assay_slice *text;
    size_t n;
    uint32_t k;
    const assay_retriever *r;
    void *worker[ASSAY_POOL_MOST];
    assay_retrieved *hit[ASSAY_POOL_MOST];
    double *first; /* best score of each query */
} queries;

/* Seconds on the wall, and of the processor in all threads: on a busy machine the second
 * says more. */
static double clock_of(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double now(void)
{
    return clock_of(CLOCK_MONOTONIC);
}

static double cpu(void)
{
    return clock_of(CLOCK_PROCESS_CPUTIME_ID);
}

static void die(const char *words)
{
    fprintf(stderr, "bm25_assay: %s\n", words);
    exit(1);
}

static assay_slice *lines_of(const char *folder, const char *name, assay_file *file,
                             size_t *n)
{
    char path[PATH];
    assay_error err;
    assay_slice rest;
    assay_slice *line;
    size_t cap = 0;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (assay_file_open(file, path, &err))
        die(err.text);
    for (size_t i = 0; i < file->text.len; i++)
        cap += file->text.ptr[i] == '\n';
    line = calloc(cap + 1, sizeof *line);
    if (!line)
        die("out of memory");
    rest = file->text;
    for (*n = 0; *n < cap; ++*n)
        if (!assay_slice_part(&rest, '\n', &line[*n]))
            break;
    return line;
}

static void ask_one(void *ctx, uint32_t worker, size_t i)
{
    queries *q = ctx;
    assay_error err;
    uint32_t n;

    if (q->r->search(q->worker[worker], q->text[i], q->k, q->hit[worker], &n, &err))
        die(err.text);
    q->first[i] = n ? q->hit[worker][0].score : 0;
}

static void ask_all(queries *q, uint32_t k, uint32_t n_threads, int rounds)
{
    double best = 1e9;
    double best_cpu = 1e9;
    double sum = 0;

    q->k = k;
    for (int i = 0; i < rounds; i++) {
        double start = now();
        double start_cpu = cpu();
        double took;

        assay_pool_run(n_threads, q->n, ask_one, q);
        took = now() - start;
        best = took < best ? took : best;
        took = cpu() - start_cpu;
        best_cpu = took < best_cpu ? took : best_cpu;
    }
    for (size_t i = 0; i < q->n; i++)
        sum += q->first[i];
    printf("k%u %.1f\nk%u_cpu %.1f\nsum%u %.6f\n", k, (double)q->n / best, k,
           (double)q->n / best_cpu, k, sum);
}

int main(int argc, char **argv)
{
    const assay_retriever *r = assay_retriever_find(ASSAY_LIT("bm25"));
    uint32_t n_threads = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
    int rounds = argc > 3 ? (int)strtoul(argv[3], NULL, 10) : 3;
    assay_retrieve_source source = {
        .params = ASSAY_LIT(""), .tokenizer = "words", .n_threads = n_threads};
    assay_file file[2] = {{.mapped = NULL}, {.mapped = NULL}};
    queries q = {.r = r};
    assay_passages passages;
    assay_passage *item;
    assay_slice *line;
    assay_error err;
    size_t n;
    char *ids;
    void *state;
    double start;
    double start_cpu;

    if (argc < 2)
        die("usage: bm25_assay FOLDER N_THREADS [QUERY_ROUNDS]");
    line = lines_of(argv[1], "passages.txt", &file[0], &n);
    item = calloc(n, sizeof *item);
    ids = calloc(n, ID + 1);
    if (!item || !ids)
        die("out of memory");
    for (size_t i = 0; i < n; i++) {
        char *id = ids + i * (ID + 1);

        snprintf(id, ID + 1, "d%08u", (unsigned)i % 100000000U);
        item[i] = (assay_passage){.id = {id, ID}, .doc = {id, ID}, .text = line[i]};
    }
    passages = (assay_passages){item, (uint32_t)n};
    source.passages = &passages;
    start = now();
    start_cpu = cpu();
    if (r->open(&source, &state, &err))
        die(err.text);
    printf("build %.3f\n", now() - start);
    printf("build_cpu %.3f\n", cpu() - start_cpu);
    q.text = lines_of(argv[1], "queries.txt", &file[1], &q.n);
    q.first = calloc(q.n, sizeof *q.first);
    for (uint32_t i = 0; i < n_threads; i++) {
        q.hit[i] = calloc(MOST_K, sizeof *q.hit[i]);
        if (!q.hit[i] || !q.first || r->worker(state, &q.worker[i], &err))
            die("out of memory");
    }
    ask_all(&q, 10, n_threads, rounds);
    ask_all(&q, MOST_K, n_threads, rounds);
    for (uint32_t i = 0; i < n_threads; i++) {
        r->worker_close(q.worker[i]);
        free(q.hit[i]);
    }
    r->close(state);
    free(q.first);
    free(q.text);
    free(line);
    free(item);
    free(ids);
    assay_file_close(&file[0]);
    assay_file_close(&file[1]);
    return 0;
}
