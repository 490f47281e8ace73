/* SPDX-License-Identifier: Apache-2.0 */
/* Questions that are asked twice, in the same words or nearly.
 *
 * Two questions are nearly the same when the Jaccard index of their words is NEAR or
 * more.  Not every pair is looked at: with all words in one order, the rarest first, two
 * such questions share one of their first n - ceil(NEAR n) + 1 words (Chaudhuri, Ganti and
 * Kaushik 2006), so only those that share one are compared. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/slice.h"
#include "diagnose/alike.h"
#include "diagnose/doctor.h"

#define NEAR 0.8

/* A question of fewer words is only compared as a whole. */
enum { FEWEST_WORDS = 4 };

typedef struct asked {
    assay_hashed_words words; /* as numbers in the order of rarity, each once */
    uint64_t order;           /* equal questions have one */
} asked;

/* Where a word stands. */
typedef struct place {
    uint32_t word;
    uint32_t query;
} place;

typedef struct counted {
    uint32_t word;
    uint32_t n; /* questions that have it */
    uint32_t rank;
} counted;

typedef struct work {
    assay_doctor *d;
    asked *all;
    counted *word; /* by hash */
    size_t n_words;
    place *place; /* of the first words, by word and query */
    size_t n_places;
} work;

static int by_word(const void *a, const void *b)
{
    const counted *x = a;
    const counted *y = b;

    return (x->word > y->word) - (x->word < y->word);
}

static int by_rarity(const void *a, const void *b)
{
    const counted *x = a;
    const counted *y = b;

    return x->n != y->n ? (x->n > y->n) - (x->n < y->n) : by_word(a, b);
}

static int by_place(const void *a, const void *b)
{
    const place *x = a;
    const place *y = b;

    if (x->word != y->word)
        return x->word < y->word ? -1 : 1;
    return (x->query > y->query) - (x->query < y->query);
}

static bool read_questions(work *w, size_t *n_all)
{
    const assay_golden *g = w->d->golden;

    *n_all = 0;
    for (uint32_t i = 0; i < g->n_queries; i++) {
        asked *to = &w->all[i];

        if (g->query[i].is_draft)
            continue;
        if (!assay_hashed_words_of(g->query[i].text, &w->d->scratch, &to->words))
            return false;
        to->order = 1;
        for (size_t k = 0; k < to->words.n; k++)
            to->order = assay_hash_mix(to->order, to->words.word[k] + k);
        assay_hashed_words_sort(&to->words);
        *n_all += to->words.n;
    }
    return true;
}

/* Words become their rank: 0 is the rarest. */
static bool rank_words(work *w, size_t n_all)
{
    uint32_t n_queries = w->d->golden->n_queries;
    size_t n = 0;

    w->word = ASSAY_ARENA_ARRAY(&w->d->scratch, counted, n_all + 1);
    if (!w->word)
        return false;
    for (uint32_t i = 0; i < n_queries; i++)
        for (size_t k = 0; k < w->all[i].words.n; k++)
            w->word[n++] = (counted){w->all[i].words.word[k], 1, 0};
    qsort(w->word, n, sizeof *w->word, by_word);
    for (size_t i = 0; i < n; i++) {
        if (w->n_words && w->word[w->n_words - 1].word == w->word[i].word)
            w->word[w->n_words - 1].n++;
        else
            w->word[w->n_words++] = w->word[i];
    }
    qsort(w->word, w->n_words, sizeof *w->word, by_rarity);
    for (size_t i = 0; i < w->n_words; i++)
        w->word[i].rank = (uint32_t)i;
    qsort(w->word, w->n_words, sizeof *w->word, by_word);
    for (uint32_t i = 0; i < n_queries; i++) {
        assay_hashed_words *words = &w->all[i].words;

        for (size_t k = 0; k < words->n; k++) {
            const counted key = {words->word[k], 0, 0};
            const counted *found =
                bsearch(&key, w->word, w->n_words, sizeof key, by_word);

            words->word[k] = found->rank;
        }
        assay_hashed_words_sort(words);
    }
    return true;
}

static size_t n_first(const asked *q)
{
    return q->words.n ? q->words.n - (size_t)ceil(NEAR * (double)q->words.n - 1e-9) + 1
                      : 0;
}

static bool list_places(work *w)
{
    uint32_t n_queries = w->d->golden->n_queries;
    size_t n = 0;

    for (uint32_t i = 0; i < n_queries; i++)
        n += n_first(&w->all[i]);
    w->place = ASSAY_ARENA_ARRAY(&w->d->scratch, place, n + 1);
    if (!w->place)
        return false;
    for (uint32_t i = 0; i < n_queries; i++)
        for (size_t k = 0; k < n_first(&w->all[i]); k++)
            w->place[w->n_places++] = (place){w->all[i].words.word[k], i};
    qsort(w->place, w->n_places, sizeof *w->place, by_place);
    return true;
}

/* Paraphrases that say so (one group) are meant to be alike. */
static bool is_meant(const assay_query *a, const assay_query *b)
{
    return a->group.len && assay_slice_eq(a->group, b->group);
}

static size_t first_place(const work *w, uint32_t word)
{
    size_t low = 0;
    size_t high = w->n_places;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (w->place[mid].word < word)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The first question before `i` with the same words, and the first that is near. */
static void find_earlier(const work *w, uint32_t i, uint32_t *same, uint32_t *near)
{
    const assay_query *query = w->d->golden->query;
    const asked *q = &w->all[i];

    *same = *near = i;
    for (size_t k = 0; k < n_first(q); k++)
        for (size_t p = first_place(w, q->words.word[k]);
             p < w->n_places && w->place[p].word == q->words.word[k]; p++) {
            uint32_t other = w->place[p].query;

            if (other >= *same)
                break;
            if (is_meant(&query[i], &query[other]))
                continue;
            if (q->order == w->all[other].order)
                *same = other;
            else if (other < *near && q->words.n >= FEWEST_WORDS &&
                     assay_words_jaccard(&q->words, &w->all[other].words) >= NEAR - 1e-9)
                *near = other;
        }
}

static assay_status tell(work *w, uint32_t *n, assay_error *err)
{
    const assay_golden *g = w->d->golden;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < g->n_queries && !st; i++) {
        uint32_t same;
        uint32_t near;

        find_earlier(w, i, &same, &near);
        if (same < i)
            st = assay_doctor_say(w->d, ASSAY_ILL_ERROR, &g->query[i], 0, NULL, err,
                                  "the same as question '%.*s' (line %u)",
                                  ASSAY_QUOTE(g->query[same].id), g->query[same].line);
        else if (near < i)
            st = assay_doctor_say(
                w->d, ASSAY_ILL_WARNING, &g->query[i], 0, NULL, err,
                "nearly the same as question '%.*s' (line %u): %.2f of their words",
                ASSAY_QUOTE(g->query[near].id), g->query[near].line,
                assay_words_jaccard(&w->all[i].words, &w->all[near].words));
        *n += same < i || near < i;
    }
    return st;
}

static assay_status look_duplicates(assay_doctor *d, assay_error *err)
{
    work w = {.d = d};
    uint32_t n = 0;
    size_t n_all;
    assay_status st;

    w.all = ASSAY_ARENA_ARRAY(&d->scratch, asked, d->golden->n_queries + 1u);
    if (!w.all || !read_questions(&w, &n_all) || !rank_words(&w, n_all) ||
        !list_places(&w))
        return assay_fail_memory(err, "comparing questions");
    st = tell(&w, &n, err);
    assay_doctor_share(d, n, d->n_queries);
    return st;
}

const assay_ailment assay_ailment_duplicate_question = {
    .name = "duplicate-question",
    .why = "it counts twice, and makes every interval look narrower than it is",
    .fix = "take one out, or put both into one group if they are meant as variants",
    .part = ASSAY_HEALTH_QUESTIONS,
    .look = look_duplicates,
};
