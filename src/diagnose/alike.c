/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/alike.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "text/fold.h"

bool assay_hashed_words_of(assay_slice text, assay_arena *arena, assay_hashed_words *out)
{
    assay_slice *word;
    size_t n;

    if (!assay_fold_words(text, arena, &word, &n))
        return false;
    out->word = ASSAY_ARENA_ARRAY(arena, uint32_t, n + 1);
    out->n = out->word ? n : 0;
    for (size_t i = 0; i < out->n; i++)
        out->word[i] = (uint32_t)(assay_hash(word[i].ptr, word[i].len) >> 32);
    return out->word != NULL;
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

void assay_hashed_words_sort(assay_hashed_words *words)
{
    size_t kept = 0;

    if (words->n)
        qsort(words->word, words->n, sizeof *words->word, by_value);
    for (size_t i = 0; i < words->n; i++)
        if (!i || words->word[i] != words->word[i - 1])
            words->word[kept++] = words->word[i];
    words->n = kept;
}

double assay_words_jaccard(const assay_hashed_words *a, const assay_hashed_words *b)
{
    size_t i = 0;
    size_t k = 0;
    size_t both = 0;

    while (i < a->n && k < b->n) {
        uint32_t x = a->word[i];
        uint32_t y = b->word[k];

        both += x == y;
        i += x <= y;
        k += y <= x;
    }
    return a->n + b->n ? (double)both / (double)(a->n + b->n - both) : 0;
}

bool assay_words_longest_run(const assay_hashed_words *a, const assay_hashed_words *b,
                             assay_arena *scratch, size_t *out)
{
    size_t *before = ASSAY_ARENA_ARRAY(scratch, size_t, b->n + 1);
    size_t *now = ASSAY_ARENA_ARRAY(scratch, size_t, b->n + 1);
    size_t best = 0;

    if (!before || !now)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        size_t *swap = before;

        for (size_t k = 0; k < b->n; k++) {
            now[k + 1] = a->word[i] == b->word[k] ? before[k] + 1 : 0;
            best = now[k + 1] > best ? now[k + 1] : best;
        }
        before = now;
        now = swap;
    }
    *out = best;
    return true;
}

/* ---- sketches ---- */

/* Hash number `i` of a value: one hash function for each place of the sketch. */
static uint32_t mixed(uint64_t value, uint32_t i)
{
    return (uint32_t)(assay_hash_mix(value, (i + 1) * UINT64_C(0x9e3779b97f4a7c15)) >>
                      32);
}

void assay_sketch_of(const assay_hashed_words *words, assay_sketch *out)
{
    memset(out->least, 0xff, sizeof out->least);
    out->n_words = (uint32_t)words->n;
    out->hash = 1;
    for (size_t i = 0; i < words->n; i++)
        out->hash = assay_hash_mix(out->hash, words->word[i] + i);
    for (size_t i = 0; i + ASSAY_SHINGLE <= words->n; i++) {
        uint64_t run = 0;

        for (size_t k = 0; k < ASSAY_SHINGLE; k++)
            run = assay_hash_mix(run, words->word[i + k] + k);
        for (uint32_t s = 0; s < ASSAY_SKETCH; s++) {
            uint32_t h = mixed(run, s);

            out->least[s] = h < out->least[s] ? h : out->least[s];
        }
    }
}

static bool has_runs(const assay_sketch *s)
{
    return s->n_words >= 2 * ASSAY_SHINGLE;
}

double assay_sketch_alike(const assay_sketch *a, const assay_sketch *b)
{
    uint32_t same = 0;

    if (a->n_words == b->n_words && a->hash == b->hash)
        return 1;
    if (!has_runs(a) || !has_runs(b))
        return 0;
    for (int i = 0; i < ASSAY_SKETCH; i++)
        same += a->least[i] == b->least[i];
    /* Not the same words: never said to be. */
    return same == ASSAY_SKETCH ? 1 - 0.5 / ASSAY_SKETCH : (double)same / ASSAY_SKETCH;
}

size_t assay_sketch_keys(const assay_sketch *sketch, uint64_t key[ASSAY_SKETCH_KEYS])
{
    enum { ROWS = ASSAY_SKETCH / ASSAY_SKETCH_BANDS };
    size_t n = 0;

    if (!sketch->n_words)
        return 0;
    key[n++] = assay_hash_mix(sketch->hash, sketch->n_words);
    for (uint32_t band = 0; band < ASSAY_SKETCH_BANDS && has_runs(sketch); band++) {
        uint64_t h = band + 1;

        for (uint32_t row = 0; row < ROWS; row++)
            h = assay_hash_mix(h, sketch->least[band * ROWS + row]);
        key[n++] = h;
    }
    return n;
}
