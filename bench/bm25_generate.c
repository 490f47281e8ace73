/* SPDX-License-Identifier: Apache-2.0 */
/* Passages and queries for the benchmark of bm25: one a line, the same bytes on every
 * machine.
 *
 *     bm25_generate FOLDER N_PASSAGES N_QUERIES
 *
 * writes FOLDER/passages.txt (60 words each) and FOLDER/queries.txt (2 to 8 words each).
 * Word r of VOCABULARY comes with a probability in proportion to 1/r (Zipf), in both. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VOCABULARY = 500000, WORDS = 60, LONGEST = 16, PATH = 1000 };

static double up_to[VOCABULARY]; /* sum of 1/r so far */
static char word[VOCABULARY][LONGEST];

static uint64_t next_random(uint64_t *seed)
{
    uint64_t z = (*seed += UINT64_C(0x9E3779B97F4A7C15));

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* Syllables that spell the number, so that words differ; frequent ones are short. */
static void spell(uint32_t number, char *to)
{
    static const char first[] = "bcdfghklmnprstvz";
    static const char second[] = "aeiou";

    number += 80; /* two syllables at least */
    for (; number; number /= 80) {
        *to++ = first[number % 80 / 5];
        *to++ = second[number % 5];
    }
    *to = '\0';
}

static uint32_t draw(uint64_t *seed)
{
    double u = (double)(next_random(seed) >> 11) * 0x1p-53 * up_to[VOCABULARY - 1];
    uint32_t low = 0;
    uint32_t high = VOCABULARY - 1;

    while (low < high) {
        uint32_t mid = (low + high) / 2;

        if (up_to[mid] < u)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static int write_lines(const char *folder, const char *name, uint32_t n, uint32_t least,
                       uint32_t most, uint64_t seed)
{
    char path[PATH];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "wb");
    if (!f) {
        perror(path);
        return 1;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t n_words = least + (uint32_t)(next_random(&seed) % (most - least + 1));

        for (uint32_t w = 0; w < n_words; w++) {
            fputs(word[draw(&seed)], f);
            fputc(w + 1 < n_words ? ' ' : '\n', f);
        }
    }
    return fclose(f) != 0;
}

int main(int argc, char **argv)
{
    double sum = 0;

    if (argc != 4) {
        fputs("usage: bm25_generate FOLDER N_PASSAGES N_QUERIES\n", stderr);
        return 2;
    }
    for (uint32_t r = 0; r < VOCABULARY; r++) {
        sum += 1.0 / (r + 1);
        up_to[r] = sum;
        spell(r, word[r]);
    }
    return write_lines(argv[1], "passages.txt", (uint32_t)strtoul(argv[2], NULL, 10),
                       WORDS, WORDS, 1) ||
           write_lines(argv[1], "queries.txt", (uint32_t)strtoul(argv[3], NULL, 10), 2, 8,
                       2);
}
