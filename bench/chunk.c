/* SPDX-License-Identifier: Apache-2.0 */
/* How fast the chunkers are: text in memory to chunks with ids and lines, on one core.
 *
 *     chunk [--rounds N] FILE... [-- SPEC...]
 *
 * All files are read first.  Each SPEC (every chunker with its standard policy when none is
 * given) cuts all of them in each round; the median and the best round are printed, beside
 * what it costs to hash the same bytes by SHA-256 and to count their lines by memchr. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/sha256.h"
#include "base/slice.h"
#include "corpus/chunker.h"

enum { MAX_ROUNDS = 101 };

typedef struct texts {
    assay_document *doc;
    size_t n;
    uint64_t bytes;
} texts;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static assay_form form_of(const char *path)
{
    const char *dot = strrchr(path, '.');

    if (dot && strcmp(dot, ".md") == 0)
        return ASSAY_FORM_MARKDOWN;
    return dot && strcmp(dot, ".txt") == 0 ? ASSAY_FORM_PLAIN : ASSAY_FORM_CODE;
}

static void load(texts *t, const char *path)
{
    FILE *f = fopen(path, "rb");
    char *bytes = NULL;
    long size = 0;

    if (f && fseek(f, 0, SEEK_END) == 0)
        size = ftell(f);
    if (f)
        rewind(f);
    bytes = malloc((size_t)size + 1);
    t->doc = realloc(t->doc, (t->n + 1) * sizeof *t->doc);
    if (!f || !bytes || !t->doc || fread(bytes, 1, (size_t)size, f) != (size_t)size) {
        fprintf(stderr, "chunk: cannot read '%s'\n", path);
        exit(4);
    }
    fclose(f);
    t->doc[t->n++] = (assay_document){
        .id = assay_slice_of(path), .text = {bytes, (size_t)size}, .form = form_of(path)};
    t->bytes += (uint64_t)size;
}

/* ---- what is measured ---- */

static uint64_t cut_all(const texts *t, const assay_chunking *chunking)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    uint64_t n = 0;

    for (size_t i = 0; i < t->n; i++) {
        assay_chunks chunks;

        if (assay_chunking_cut(chunking, &t->doc[i], &arena, &chunks, NULL))
            exit(5);
        n += chunks.n;
        assay_arena_reset(&arena);
    }
    assay_arena_clear(&arena);
    return n;
}

static uint64_t hash_all(const texts *t, const assay_chunking *chunking)
{
    uint8_t digest[ASSAY_SHA256_BYTES];
    uint64_t sum = 0;

    (void)chunking;
    for (size_t i = 0; i < t->n; i++) {
        assay_sha256_of(t->doc[i].text, digest);
        sum += digest[0];
    }
    return sum;
}

static uint64_t count_all(const texts *t, const assay_chunking *chunking)
{
    uint64_t n = 0;

    (void)chunking;
    for (size_t i = 0; i < t->n; i++) {
        const char *p = t->doc[i].text.ptr;
        const char *end = p + t->doc[i].text.len;

        while (p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
            n++;
            p++;
        }
    }
    return n;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static void measure(const char *name, const texts *t, const assay_chunking *chunking,
                    uint64_t (*work)(const texts *, const assay_chunking *), int rounds)
{
    double seconds[MAX_ROUNDS];
    uint64_t n = work(t, chunking); /* warm */
    double mb = (double)t->bytes / 1e6;

    for (int i = 0; i < rounds; i++) {
        double start = now();

        work(t, chunking);
        seconds[i] = now() - start;
    }
    qsort(seconds, (size_t)rounds, sizeof seconds[0], by_value);
    printf("%-44s %8.0f MB/s median %8.0f MB/s best %12llu\n", name,
           mb / seconds[rounds / 2], mb / seconds[0], (unsigned long long)n);
}

static void measure_spec(const char *spec, const texts *t, int rounds)
{
    assay_buffer full = ASSAY_BUFFER_EMPTY;
    assay_chunking chunking;
    assay_error err;

    if (assay_chunking_read(assay_slice_of(spec), &chunking, &err)) {
        fprintf(stderr, "chunk: %s\n", err.text);
        exit(2);
    }
    assay_chunking_print(&chunking, &full);
    assay_buffer_char(&full, '\0');
    measure(full.ptr, t, &chunking, cut_all, rounds);
    assay_buffer_clear(&full);
}

int main(int argc, char **argv)
{
    texts t = {NULL, 0, 0};
    int rounds = 5;
    int i = 1;

    if (argc > 2 && strcmp(argv[1], "--rounds") == 0) {
        rounds = (int)strtol(argv[2], NULL, 10);
        i = 3;
    }
    if (rounds < 1 || rounds > MAX_ROUNDS || i >= argc) {
        fprintf(stderr, "usage: chunk [--rounds N] FILE... [-- SPEC...]\n");
        return 2;
    }
    for (; i < argc && strcmp(argv[i], "--") != 0; i++)
        load(&t, argv[i]);
    printf("%zu files, %.1f MB\n", t.n, (double)t.bytes / 1e6);
    measure("(lines by memchr)", &t, NULL, count_all, rounds);
    measure("(SHA-256)", &t, NULL, hash_all, rounds);
    if (++i < argc)
        for (; i < argc; i++)
            measure_spec(argv[i], &t, rounds);
    else
        for (size_t k = 0; assay_chunker_at(k); k++)
            measure_spec(assay_chunker_at(k)->name, &t, rounds);
    for (size_t k = 0; k < t.n; k++)
        free((void *)(uintptr_t)t.doc[k].text.ptr);
    free(t.doc);
    return 0;
}
