/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the dense parts of the library.  One line for each figure: name, seconds on the
 * wall, seconds of all threads; parted by blanks.
 *
 *     vectors_bench make FILE ROWS DIMS SEED      random vectors of length 1, as .npy
 *     vectors_bench knn BASE QUERIES K THREADS    nearest rows: one by one, then all
 *     vectors_bench gemm M N K                    a product of matrices on one thread
 *     vectors_bench encode FOLDER TEXTS THREADS   the lines of a file, by a BERT model */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/dot.h"
#include "base/gemm.h"
#include "base/mem.h"
#include "embed/embed.h"
#include "index/vectors.h"

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef struct stopwatch {
    double wall;
    clock_t cpu;
} stopwatch;

static stopwatch start(void)
{
    return (stopwatch){now(), clock()};
}

static void report(const char *name, stopwatch w, double n)
{
    printf("%s %.9f %.9f\n", name, (now() - w.wall) / n,
           (double)(clock() - w.cpu) / CLOCKS_PER_SEC / n);
}

static void die(const char *what)
{
    fprintf(stderr, "vectors_bench: %s\n", what);
    exit(1);
}

static double uniform(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static int make(char **arg)
{
    size_t n = strtoul(arg[1], NULL, 10);
    size_t dims = strtoul(arg[2], NULL, 10);
    uint64_t state = strtoul(arg[3], NULL, 10);
    FILE *f = fopen(arg[0], "wb");
    float *row = malloc(dims * sizeof *row);
    char head[118];

    if (!f || !row)
        die("cannot write");
    snprintf(head, sizeof head,
             "{'descr': '<f4', 'fortran_order': False, 'shape': (%zu, %zu), }", n, dims);
    memset(head + strlen(head), ' ', sizeof head - 1 - strlen(head));
    head[117] = '\n';
    fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, f);
    fwrite(head, 1, 118, f);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < dims; j++)
            row[j] = (float)(sqrt(-2 * log(1 - uniform(&state))) *
                             cos(6.283185307179586 * uniform(&state)));
        assay_dot_normalise(row, dims);
        fwrite(row, sizeof *row, dims, f);
    }
    free(row);
    return fclose(f);
}

static float *load(const char *path, uint32_t *n, uint32_t *dims)
{
    FILE *f = fopen(path, "rb");
    char head[129] = "";
    float *row;

    if (!f || fread(head, 1, 128, f) != 128 || !strstr(head + 10, "'shape': ("))
        die("not a file of 'vectors_bench make'");
    if (sscanf(strstr(head + 10, "'shape': ("), "'shape': (%u, %u)", n, dims) != 2)
        die("no shape");
    row = assay_mem_alloc_spread((size_t)*n * *dims * sizeof *row);
    if (!row || fread(row, sizeof *row * *dims, *n, f) != *n)
        die("short file");
    fclose(f);
    return row;
}

static void search(const assay_vectors *v, const float *q, size_t n, uint32_t k,
                   uint32_t threads, assay_near *hit, uint32_t *n_hits)
{
    assay_error err;

    if (assay_vectors_search(v, q, n, k, threads, hit, n_hits, &err))
        die(err.text);
}

static int knn(char **arg)
{
    uint32_t n, dims, n_queries;
    float *base = load(arg[0], &n, &dims);
    float *q = load(arg[1], &n_queries, &dims);
    uint32_t k = (uint32_t)strtoul(arg[2], NULL, 10);
    uint32_t threads = (uint32_t)strtoul(arg[3], NULL, 10);
    uint32_t n_single = n_queries < 100 ? n_queries : 100;
    assay_vectors_options options = {.n_threads = threads};
    assay_near *hit = malloc((size_t)n_queries * k * sizeof *hit);
    uint32_t *n_hits = malloc(n_queries * sizeof *n_hits);
    assay_vectors *v = NULL;
    assay_error err;
    stopwatch t = start();
    uint64_t sum = 0;

    if (assay_vectors_new(base, n, dims, &options, &v, &err))
        die(err.text);
    report("build", t, 1);
    t = start();
    for (uint32_t i = 0; i < n_single; i++)
        search(v, q + (size_t)i * dims, 1, k, threads, hit, n_hits);
    report("single", t, n_single);
    t = start();
    search(v, q, n_queries, k, threads, hit, n_hits);
    report("batch", t, n_queries);
    for (size_t i = 0; i < (size_t)n_queries * k; i++)
        sum = sum * 31 + hit[i].row;
    printf("rows %llu 0\n", (unsigned long long)sum);
    assay_vectors_free(v);
    return 0;
}

static int gemm(char **arg)
{
    size_t m = strtoul(arg[0], NULL, 10);
    size_t n = strtoul(arg[1], NULL, 10);
    size_t k = strtoul(arg[2], NULL, 10);
    float *a = malloc(m * k * sizeof *a);
    float *b = malloc(n * k * sizeof *b);
    float *c = malloc(m * n * sizeof *c);
    float *packed = malloc(assay_gemm_packed(n, k) * sizeof *packed);
    uint64_t state = 1;
    stopwatch t;

    for (size_t i = 0; i < m * k; i++)
        a[i] = (float)uniform(&state);
    for (size_t i = 0; i < n * k; i++)
        b[i] = (float)uniform(&state);
    assay_gemm_pack(b, n, k, k, 1, packed);
    t = start();
    for (int round = 0; round < 50; round++)
        assay_gemm(a, k, m, packed, n, k, NULL, c, n);
    report("gemm", t, 50);
    return 0;
}

/* Lines of a file as texts. */
static size_t load_lines(const char *path, assay_slice *text, size_t most)
{
    FILE *f = fopen(path, "rb");
    char *line = NULL;
    size_t cap = 0;
    size_t n = 0;
    ssize_t len;

    if (!f)
        die("no texts");
    while (n < most && (len = getline(&line, &cap, f)) > 0) {
        char *copy = malloc((size_t)len);

        len -= line[len - 1] == '\n';
        memcpy(copy, line, (size_t)len);
        text[n++] = (assay_slice){copy, (size_t)len};
    }
    free(line);
    fclose(f);
    return n;
}

static int encode(char **arg)
{
    enum { MOST = 100000 };
    assay_embed_settings settings = {.n_threads = (uint32_t)strtoul(arg[2], NULL, 10)};
    assay_slice *text = malloc(MOST * sizeof *text);
    size_t n = load_lines(arg[1], text, MOST);
    stopwatch t = start();
    assay_embedding e;
    assay_error err;
    char spelling[1100];
    float *row;

    snprintf(spelling, sizeof spelling, "bert:%s", arg[0]);
    if (assay_embedding_open(spelling, &settings, &e, &err))
        die(err.text);
    report("open", t, 1);
    row = malloc(n * e.embedder->dims(e.state) * sizeof *row);
    t = start();
    if (e.embedder->embed(e.state, ASSAY_EMBED_PASSAGE, assay_embed_slice_at, text, n,
                          row, &err))
        die(err.text);
    report("encode", t, (double)n);
    assay_embedding_close(&e);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 6 && strcmp(argv[1], "make") == 0)
        return make(argv + 2);
    if (argc == 6 && strcmp(argv[1], "knn") == 0)
        return knn(argv + 2);
    if (argc == 5 && strcmp(argv[1], "gemm") == 0)
        return gemm(argv + 2);
    if (argc == 5 && strcmp(argv[1], "encode") == 0)
        return encode(argv + 2);
    fprintf(stderr, "usage: vectors_bench make|knn|gemm|encode ...\n");
    return 2;
}
