/* SPDX-License-Identifier: Apache-2.0 */
/* How long it takes to find quotes again: a corpus and quotes from a seed, in memory.
 *
 *   anchors [--mb 500] [--quotes 100000] [--docs 10000] [--threads 2] [--limit 60]
 *           [--exact 55] [--folded 20] [--edited 20] (per cent; the rest is lost)
 *
 * Words follow Zipf's law.  Quotes are parts of the text, 40 to 300 bytes: as they are,
 * with other case, white space and soft hyphens, or with edits in up to a tenth of their
 * letters.  Two ways: many documents, each with its own quotes, and one document with all.
 * Prints seconds, the share of the limit, and how many quotes were found where they were
 * taken from.  As a peer memmem looks for some of the exact quotes one by one. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/pool.h"
#include "base/slice.h"
#include "corpus/locate.h"

enum { WORDS = 60000, LONGEST = 300, SHORTEST = 40 };

typedef enum kind { EXACT, FOLDED, EDITED, LOST, KINDS } kind;

typedef struct settings {
    size_t mb;
    size_t quotes;
    size_t docs;
    uint32_t threads;
    double limit;
    unsigned share[KINDS]; /* per cent */
} settings;

typedef struct corpus {
    char *text;
    size_t len;
    size_t *start; /* of document i; start[n_docs] = len */
    size_t n_docs;
} corpus;

typedef struct quotes {
    assay_sought *sought; /* ordered by place */
    size_t *at;           /* where it was taken from */
    size_t *len;
    kind *kind;
    size_t n;
} quotes;

static uint64_t state = 42;

static uint32_t draw(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 32) * below >> 32);
}

static void *need(void *p)
{
    if (!p) {
        fprintf(stderr, "anchors: out of memory\n");
        exit(5);
    }
    return p;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* User and system time of all threads. */
static double cpu_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- the text ---- */

static char word[WORDS][20];
static uint32_t cumulative[WORDS]; /* of 2^31 */

static void make_words(void)
{
    static const char *const syllable[] = {
        "re", "tion", "con", "ment", "a",  "in",  "ex", "per", "ing",
        "er", "o",    "pro", "ble",  "ti", "al",  "e",  "de",  "ly",
        "s",  "or",   "na",  "st",   "ve", "com", "u",  "ra",  "th"};
    double sum = 0;
    double total = 0;

    for (int i = 0; i < WORDS; i++)
        total += 1.0 / (i + 2);
    for (int i = 0; i < WORDS; i++) {
        size_t len = 0;
        uint32_t n = 1 + draw(i < 50 ? 1 : 4);

        for (uint32_t k = 0; k <= n && len < 14; k++)
            len += (size_t)snprintf(word[i] + len, sizeof word[i] - len, "%s",
                                    syllable[draw(sizeof syllable / sizeof *syllable)]);
        if (i % 40 == 39)
            memcpy(word[i] + len, "\xC3\xA9", 3); /* some have an accent */
        sum += 1.0 / (i + 2);
        cumulative[i] = (uint32_t)(sum / total * 2147483647.0);
    }
}

static const char *random_word(void)
{
    uint32_t at = draw(2147483647U);
    int low = 0;
    int high = WORDS - 1;

    while (low < high) {
        int middle = (low + high) / 2;

        if (cumulative[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return word[low];
}

static void make_corpus(corpus *c, const settings *s)
{
    size_t size = s->mb << 20;
    size_t column = 0;
    size_t doc = 1;

    c->text = need(malloc(size + 64));
    c->start = need(calloc(s->docs + 1, sizeof *c->start));
    c->n_docs = s->docs;
    while (c->len < size) {
        const char *w = random_word();
        size_t len = strlen(w);

        memcpy(c->text + c->len, w, len);
        c->len += len;
        column += len + 1;
        if (draw(12) == 0)
            c->text[c->len++] = draw(3) ? ',' : '.';
        c->text[c->len++] = column > 76 ? '\n' : ' ';
        if (column > 76)
            column = 0;
        if (doc < s->docs && c->len >= size / s->docs * doc)
            c->start[doc++] = c->len;
    }
    c->start[s->docs] = c->len;
}

/* ---- the quotes ---- */

static bool is_start(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

static size_t fold_quote(const char *from, size_t len, char *to)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++) {
        char c = from[i];

        if (c == ' ' && draw(6) == 0)
            to[n++] = '\n';
        if (c >= 'a' && c <= 'z' && (i == 0 || draw(10) == 0))
            c = (char)(c - 'a' + 'A');
        to[n++] = c;
        if (c >= 'a' && c <= 'z' && draw(40) == 0 && i + 1 < len &&
            is_start(from[i + 1])) {
            to[n++] = '\xC2';
            to[n++] = '\xAD';
        }
    }
    return n;
}

static size_t edit_quote(const char *from, size_t len, char *to)
{
    uint32_t edits = 1 + draw((uint32_t)len / 12);
    size_t n = len;

    memcpy(to, from, len);
    for (uint32_t i = 0; i < edits; i++) {
        size_t at = 1 + draw((uint32_t)n - 2);

        if ((to[at] & 0x80) || (to[at - 1] & 0x80))
            continue;
        if (draw(3) == 0) {
            memmove(to + at, to + at + 1, n - at - 1);
            n--;
        } else {
            to[at] = (char)('a' + draw(26));
        }
    }
    return n;
}

static size_t random_quote(char *to)
{
    size_t want = SHORTEST + draw(LONGEST - SHORTEST);
    size_t n = 0;

    while (n < want)
        n += (size_t)snprintf(to + n, LONGEST * 3 - n, "%s ", random_word());
    return n - 1;
}

static int by_place(const void *a, const void *b)
{
    size_t x = *(const size_t *)a;
    size_t y = *(const size_t *)b;

    return (x > y) - (x < y);
}

static void make_quotes(quotes *q, const corpus *c, const settings *s)
{
    char *made = need(malloc(s->quotes * (LONGEST * 3)));

    *q = (quotes){need(calloc(s->quotes, sizeof *q->sought)),
                  need(calloc(s->quotes, sizeof *q->at)),
                  need(calloc(s->quotes, sizeof *q->len)),
                  need(calloc(s->quotes, sizeof *q->kind)), s->quotes};
    for (size_t i = 0; i < q->n; i++)
        q->at[i] = (size_t)((double)draw(2147483647U) / 2147483647.0 *
                            (double)(c->len - 2 * LONGEST));
    qsort(q->at, q->n, sizeof *q->at, by_place);
    for (size_t i = 0; i < q->n; i++, made += LONGEST * 3) {
        uint32_t lot = draw(100);
        size_t len = SHORTEST + draw(LONGEST - SHORTEST);
        size_t at = q->at[i];
        const char *from;

        while (!is_start(c->text[at]) || c->text[at] == ' ' || c->text[at] == '\n')
            at++;
        while (!is_start(c->text[at + len]) || c->text[at + len - 1] == ' ' ||
               c->text[at + len - 1] == '\n')
            len++;
        from = c->text + at;
        q->at[i] = at;
        q->len[i] = len;
        q->kind[i] = EXACT;
        while (q->kind[i] < LOST && lot >= s->share[q->kind[i]])
            lot -= s->share[q->kind[i]++];
        switch (q->kind[i]) {
        case FOLDED: len = fold_quote(from, len, made); break;
        case EDITED: len = edit_quote(from, len, made); break;
        case LOST: len = random_quote(made); break;
        default: memcpy(made, from, len);
        }
        q->sought[i].quote = (assay_slice){made, len};
    }
}

/* ---- looking for them ---- */

typedef struct work {
    const corpus *c;
    const quotes *q;
    assay_located *out;
    size_t *first; /* quote of document i */
    assay_arena arena[ASSAY_POOL_MOST];
} work;

static void locate_doc(void *ctx, uint32_t worker, size_t doc)
{
    work *w = ctx;
    size_t start = w->c->start[doc];
    size_t from = w->first[doc];
    assay_document d = {
        .id = ASSAY_LIT("d"),
        .text = {w->c->text + start, w->c->start[doc + 1] - start},
    };

    if (assay_locate(&d, w->q->sought + from, w->first[doc + 1] - from, w->out + from,
                     &w->arena[worker], NULL) != ASSAY_OK)
        need(NULL);
    for (size_t i = from; i < w->first[doc + 1]; i++) {
        w->out[i].span.start += start;
        w->out[i].span.end += start;
    }
}

static void tell(const char *name, const work *w, const settings *s, double seconds,
                 double cpu)
{
    static const char *const names[] = {"exact", "folded", "edited", "lost"};
    size_t n[KINDS] = {0};
    size_t right[KINDS] = {0};
    struct rusage usage;

    for (size_t i = 0; i < w->q->n; i++) {
        const assay_located *l = &w->out[i];
        size_t end = w->q->at[i] + w->q->len[i];
        kind k = w->q->kind[i];

        n[k]++;
        right[k] += k == LOST ? l->finding == ASSAY_FOUND_LOST
                              : l->finding != ASSAY_FOUND_LOST && l->span.start < end &&
                                    l->span.end > w->q->at[i];
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("%-18s %8.2f s  (cpu %.2f s)  %7.1f MB/s  %5.1f %% of %g s  peak %ld MB;",
           name, seconds, cpu, (double)s->mb / seconds, 100 * seconds / s->limit,
           s->limit, usage.ru_maxrss / 1024);
    for (int k = 0; k < KINDS; k++)
        if (n[k])
            printf(" %s %zu of %zu", names[k], right[k], n[k]);
    printf("\n");
    fflush(stdout);
}

static void run(const char *name, corpus *c, const quotes *q, const settings *s)
{
    work *w = need(calloc(1, sizeof *w));
    double start;
    double cpu;
    size_t at = 0;

    w->c = c;
    w->q = q;
    w->out = need(calloc(q->n, sizeof *w->out));
    w->first = need(calloc(c->n_docs + 1, sizeof *w->first));
    for (size_t d = 0; d < c->n_docs; d++) {
        w->first[d] = at;
        while (at < q->n && q->at[at] < c->start[d + 1])
            at++;
    }
    w->first[c->n_docs] = q->n;
    start = now();
    cpu = cpu_now();
    assay_pool_run(s->threads, c->n_docs, locate_doc, w);
    tell(name, w, s, now() - start, cpu_now() - cpu);
    free(w->out);
    free(w->first);
    for (size_t i = 0; i < ASSAY_POOL_MOST; i++)
        assay_arena_clear(&w->arena[i]);
    free(w);
}

/* Exact quotes, one by one over the whole corpus. */
static void peer(const corpus *c, const quotes *q)
{
    size_t n = 0;
    double start = now();

    for (size_t i = 0; i < q->n && n < 20; i += 1 + q->n / 40) {
        const char *at = c->text;
        assay_slice quote = q->sought[i].quote;

        if (q->kind[i] != EXACT)
            continue;
        n++;
        while ((at = memmem(at, c->len - (size_t)(at - c->text), quote.ptr, quote.len)))
            at++;
    }
    if (n)
        printf("%-18s %8.2f s for %zu of the exact quotes: %.0f s for %zu\n",
               "memmem, one by one", now() - start, n,
               (now() - start) / (double)n * (double)q->n, q->n);
}

static void read_settings(settings *s, int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        double value = strtod(argv[i + 1], NULL);

        if (!strcmp(argv[i], "--mb"))
            s->mb = (size_t)value;
        else if (!strcmp(argv[i], "--quotes"))
            s->quotes = (size_t)value;
        else if (!strcmp(argv[i], "--docs"))
            s->docs = (size_t)value;
        else if (!strcmp(argv[i], "--threads"))
            s->threads = (uint32_t)value;
        else if (!strcmp(argv[i], "--limit"))
            s->limit = value;
        else if (!strcmp(argv[i], "--exact"))
            s->share[EXACT] = (unsigned)value;
        else if (!strcmp(argv[i], "--folded"))
            s->share[FOLDED] = (unsigned)value;
        else if (!strcmp(argv[i], "--edited"))
            s->share[EDITED] = (unsigned)value;
        else {
            fprintf(stderr, "anchors: unknown option '%s'\n", argv[i]);
            exit(2);
        }
    }
}

int main(int argc, char **argv)
{
    settings s = {500, 100000, 10000, 2, 60, {55, 20, 20, 0}};
    corpus c = {0};
    quotes q;
    size_t whole[2];

    read_settings(&s, argc, argv);
    make_words();
    make_corpus(&c, &s);
    make_quotes(&q, &c, &s);
    printf("%zu MB, %zu documents, %zu quotes, %u threads; exact %u %%, folded %u %%, "
           "edited %u %%, the rest lost\n",
           s.mb, s.docs, s.quotes, s.threads, s.share[EXACT], s.share[FOLDED],
           s.share[EDITED]);
    fflush(stdout);
    run("many documents", &c, &q, &s);
    whole[0] = 0;
    whole[1] = c.len;
    c.start = whole;
    c.n_docs = 1;
    /* Edited and lost quotes in one huge document take many minutes (see RESULTS.md). */
    if (s.share[EXACT] + s.share[FOLDED] < 100 && s.mb > 100)
        printf(
            "one document: only with --exact 70 --folded 30 --edited 0, or --mb 100\n");
    else
        run("one document", &c, &q, &s);
    peer(&c, &q);
    return 0;
}
