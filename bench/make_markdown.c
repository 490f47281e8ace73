/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a folder of Markdown files, the same bytes on every machine.
 *
 *     make_markdown FOLDER [FILES [BYTES [SEED]]]
 *
 * FILES files (5,000) of about BYTES bytes (100,000), a hundred in a folder: dNNN/fNNNNN.md.
 * Each has sections of three levels with paragraphs, lists, code, tables and quotes; every
 * fifth file is Korean.  Words follow Zipf's law roughly, and each paragraph has a name
 * that stands nowhere else ("ref-12-345"), so that there is something to look for. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { N_WORDS = 8192, WORD = 32 };

static uint64_t state;
static char words[2][N_WORDS][WORD]; /* English-like, Korean */
static char *text;
static size_t len, cap;

static uint64_t next(void)
{
    uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static uint32_t pick(uint32_t n)
{
    return (uint32_t)((next() >> 32) * n >> 32);
}

static void die(const char *what)
{
    fprintf(stderr, "make_markdown: %s: %s\n", what, strerror(errno));
    exit(4);
}

static void put(const char *format, ...)
{
    va_list args;
    int n;

    if (cap - len < 4096) {
        cap = cap * 2 + 65536;
        text = realloc(text, cap);
        if (!text)
            die("memory");
    }
    va_start(args, format);
    n = vsnprintf(text + len, cap - len, format, args);
    va_end(args);
    if (n > 0)
        len += (size_t)n;
}

/* ---- words ---- */

static void make_words(void)
{
    static const char *const syllable[] = {"ra", "ne",  "ti",  "con", "der", "ma",
                                           "lo", "ver", "sta", "in",  "pre", "al",
                                           "ku", "gen", "or",  "est"};

    for (uint32_t i = 0; i < N_WORDS; i++) {
        char *w = words[0][i];
        char *k = words[1][i];
        uint32_t n = 1 + pick(3) + (i > 64);
        size_t at = 0;

        for (uint32_t s = 0; s < n; s++)
            at += (size_t)snprintf(w + at, WORD - at, "%s", syllable[pick(16)]);
        /* Two to four syllables of Hangul, U+AC00 and on. */
        at = 0;
        for (uint32_t s = 0; s < 1 + n % 4; s++) {
            uint32_t c = 0xAC00 + pick(11172);

            k[at++] = (char)(0xE0 | c >> 12);
            k[at++] = (char)(0x80 | (c >> 6 & 0x3F));
            k[at++] = (char)(0x80 | (c & 0x3F));
        }
    }
}

/* Rank r about 1/r as often as the first. */
static const char *word(int lang)
{
    uint32_t bits = pick(14);

    return words[lang][pick(1U << bits) & (N_WORDS - 1)];
}

static void sentence(int lang)
{
    uint32_t n = 6 + pick(14);

    for (uint32_t i = 0; i < n; i++) {
        const char *w = word(lang);

        if (i == 0 && lang == 0)
            put("%c%s", w[0] - 'a' + 'A', w + 1);
        else
            put("%s%s%s", i ? " " : "", w, i + 1 < n && pick(12) == 0 ? "," : "");
    }
    put(lang ? "다." : ".");
}

/* ---- blocks ---- */

static void paragraph(int lang, uint32_t file, uint32_t *n_refs)
{
    uint32_t n = 2 + pick(5);

    for (uint32_t i = 0; i < n; i++) {
        sentence(lang);
        put(pick(3) ? " " : "\n");
    }
    put("ref-%u-%u.\n\n", file, (*n_refs)++);
}

static void list(int lang)
{
    uint32_t n = 3 + pick(5);
    int is_ordered = pick(3) == 0;

    for (uint32_t i = 0; i < n; i++) {
        if (is_ordered)
            put("%u. ", i + 1);
        else
            put("- ");
        sentence(lang);
        put("\n");
        if (pick(4) == 0)
            put("  %s **%s** %s\n", is_ordered ? "  -" : "-", word(lang), word(lang));
    }
    put("\n");
}

static void code(void)
{
    uint32_t n = 3 + pick(12);

    put("```c\n");
    for (uint32_t i = 0; i < n; i++)
        put("%*s%s = %s(%s, %u);%s\n", (int)(4 * pick(3)), "", word(0), word(0), word(0),
            pick(1000), pick(6) ? "" : "\n");
    put("```\n\n");
}

static void table(int lang)
{
    uint32_t n = 2 + pick(8);

    put("| %s | %s | n |\n| --- | :-- | --: |\n", word(lang), word(lang));
    for (uint32_t i = 0; i < n; i++)
        put("| %s | %s %s | %u |\n", word(lang), word(lang), word(lang), pick(100000));
    put("\n");
}

static void quote(int lang)
{
    put("> ");
    sentence(lang);
    put("\n> ");
    sentence(lang);
    put("\n\n");
}

static void document(uint32_t number, size_t bytes)
{
    int lang = number % 5 == 4;
    uint32_t n_refs = 0;

    len = 0;
    put("# %s %s %u\n\n", word(lang), word(lang), number);
    while (len < bytes) {
        uint32_t level = 2 + pick(2);
        uint32_t n = 2 + pick(6);

        put("%.*s %s %s\n\n", (int)level, "######", word(lang), word(lang));
        for (uint32_t i = 0; i < n && len < bytes; i++)
            switch (pick(10)) {
            case 0: code(); break;
            case 1: table(lang); break;
            case 2: quote(lang); break;
            case 3:
            case 4: list(lang); break;
            default: paragraph(lang, number, &n_refs); break;
            }
    }
}

/* ---- files ---- */

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        die(path);
}

static void save(const char *path)
{
    FILE *f = fopen(path, "wb");

    if (!f || fwrite(text, 1, len, f) != len || fclose(f) != 0)
        die(path);
}

static unsigned long number_of(const char *arg)
{
    char *end;
    unsigned long n = strtoul(arg, &end, 10);

    if (*end || n == 0) {
        fprintf(stderr, "make_markdown: '%s' is not a number above 0\n", arg);
        exit(2);
    }
    return n;
}

int main(int argc, char **argv)
{
    unsigned long n_files = argc > 2 ? number_of(argv[2]) : 5000;
    size_t bytes = argc > 3 ? number_of(argv[3]) : 100000;
    uint64_t seed = argc > 4 ? number_of(argv[4]) : 1;
    char path[4096];

    if (argc < 2 || argc > 5) {
        fprintf(stderr, "usage: make_markdown FOLDER [FILES [BYTES [SEED]]]\n");
        return 2;
    }
    state = seed;
    make_words();
    make_folder(argv[1]);
    for (unsigned long i = 0; i < n_files; i++) {
        /* Each file has its own seed: FILES changes none of those before. */
        state = seed * UINT64_C(1000003) + i;
        if (i % 100 == 0) {
            snprintf(path, sizeof path, "%s/d%03lu", argv[1], i / 100);
            make_folder(path);
        }
        document((uint32_t)i, bytes);
        snprintf(path, sizeof path, "%s/d%03lu/f%05lu.md", argv[1], i / 100, i);
        save(path);
    }
    free(text);
    return 0;
}
