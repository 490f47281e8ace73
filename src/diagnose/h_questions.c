/* SPDX-License-Identifier: Apache-2.0 */
/* Questions that repeat each other, give themselves away, or contradict their group. */
#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/slice.h"
#include "diagnose/doctor.h"
#include "text/fold.h"

/* ---- duplicates ---- */

/* The words of a question as sorted hashes, each once. */
typedef struct bag {
    uint64_t *word;
    size_t n;
    uint64_t order; /* of the words in their order: equal questions have one */
} bag;

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static bool fill_bag(assay_arena *arena, assay_slice text, bag *out)
{
    assay_slice *word;
    size_t n;
    size_t kept = 0;

    if (!assay_fold_words(text, arena, &word, &n))
        return false;
    out->word = ASSAY_ARENA_ARRAY(arena, uint64_t, n + 1);
    out->order = 1;
    for (size_t i = 0; out->word && i < n; i++) {
        out->word[i] = assay_hash(word[i].ptr, word[i].len);
        out->order = assay_hash_mix(out->order, out->word[i]);
    }
    if (!out->word)
        return false;
    qsort(out->word, n, sizeof *out->word, by_value);
    for (size_t i = 0; i < n; i++)
        if (!i || out->word[i] != out->word[i - 1])
            out->word[kept++] = out->word[i];
    out->n = kept;
    return true;
}

/* Words that both have, over words that either has. */
static double jaccard(const bag *a, const bag *b)
{
    size_t i = 0;
    size_t k = 0;
    size_t both = 0;

    while (i < a->n && k < b->n) {
        if (a->word[i] == b->word[k]) {
            both++;
            i++;
            k++;
        } else if (a->word[i] < b->word[k]) {
            i++;
        } else {
            k++;
        }
    }
    return a->n + b->n == both ? 0 : (double)both / (double)(a->n + b->n - both);
}

/* Paraphrases that say so (one group) are meant to be alike. */
static bool is_meant(const assay_query *a, const assay_query *b)
{
    return a->group.len && assay_slice_eq(a->group, b->group);
}

static assay_status compare_with_earlier(assay_doctor *d, const bag *all, uint32_t i,
                                         bool *is_found, assay_error *err)
{
    static const double near = 0.8;
    const assay_query *q = &d->golden->query[i];

    for (uint32_t k = 0; k < i; k++) {
        const assay_query *other = &d->golden->query[k];
        bool is_same = all[i].order == all[k].order && all[i].n;

        if (other->is_draft || is_meant(q, other) || !all[k].n ||
            (!is_same && (all[i].n < 4 || jaccard(&all[i], &all[k]) < near)))
            continue;
        *is_found = true;
        return assay_doctor_say(d, is_same ? ASSAY_ILL_ERROR : ASSAY_ILL_WARNING, q, 0,
                                NULL, err, "%s question '%.*s' (line %u)",
                                is_same ? "the same as" : "nearly the same as",
                                ASSAY_QUOTE(other->id), other->line);
    }
    return ASSAY_OK;
}

static assay_status look_duplicates(assay_doctor *d, assay_error *err)
{
    enum { MOST = 5000 };
    const assay_golden *g = d->golden;
    bag *all = ASSAY_ARENA_ARRAY(&d->scratch, bag, g->n_queries + 1u);
    uint32_t n = 0;
    assay_status st = ASSAY_OK;

    if (!all)
        return assay_fail_memory(err, "comparing questions");
    if (g->n_queries > MOST)
        return ASSAY_OK;
    for (uint32_t i = 0; i < g->n_queries; i++)
        if (!fill_bag(&d->scratch, g->query[i].text, &all[i]))
            return assay_fail_memory(err, "comparing questions");
    for (uint32_t i = 0; i < g->n_queries && !st; i++) {
        bool is_found = false;

        if (!g->query[i].is_draft && all[i].n)
            st = compare_with_earlier(d, all, i, &is_found, err);
        n += is_found;
    }
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

/* ---- leaks ---- */

/* The longest run of words that both have. */
static size_t longest_run(const assay_slice *a, size_t n, const assay_slice *b, size_t m,
                          size_t *before, size_t *now)
{
    size_t best = 0;

    for (size_t k = 0; k <= m; k++)
        before[k] = 0;
    for (size_t i = 0; i < n; i++) {
        size_t *swap = before;

        now[0] = 0;
        for (size_t k = 0; k < m; k++) {
            now[k + 1] = assay_slice_eq(a[i], b[k]) ? before[k] + 1 : 0;
            best = now[k + 1] > best ? now[k + 1] : best;
        }
        before = now;
        now = swap;
    }
    return best;
}

/* The words of the evidence: a quote, or the bytes it was found at. */
static assay_status evidence_of(assay_doctor *d, const assay_judgment *j,
                                assay_slice *out, assay_error *err)
{
    bool is_there;
    assay_slice text;
    assay_status st;

    *out = j->quote;
    if (j->quote.len || !j->n_spans || j->doc == ASSAY_NONE)
        return ASSAY_OK;
    st = assay_doctor_text(d, d->golden->docs.word[j->doc], &text, &is_there, err);
    if (!st && is_there && j->span[0].end <= text.len)
        *out = (assay_slice){text.ptr + j->span[0].start,
                             (size_t)(j->span[0].end - j->span[0].start)};
    return st;
}

static assay_status measure_leak(assay_doctor *d, const assay_query *q, double *score,
                                 size_t *longest, assay_error *err)
{
    assay_slice *asked;
    size_t n;

    *score = 0;
    *longest = 0;
    if (!assay_fold_words(q->text, &d->scratch, &asked, &n))
        return assay_fail_memory(err, "comparing questions");
    for (uint32_t i = 0; i < q->n_judgments && n; i++) {
        assay_slice text = ASSAY_LIT("");
        assay_slice *word;
        size_t m;
        size_t *room;
        size_t run;
        assay_status st;

        if (!assay_doctor_counts(&q->judgment[i]))
            continue;
        st = evidence_of(d, &q->judgment[i], &text, err);
        if (st)
            return st;
        room = NULL;
        if (assay_fold_words(text, &d->scratch, &word, &m))
            room = ASSAY_ARENA_ARRAY(&d->scratch, size_t, 2 * (m + 1));
        if (!room)
            return assay_fail_memory(err, "comparing questions");
        run = longest_run(asked, n, word, m, room, room + m + 1);
        *longest = run > *longest ? run : *longest;
    }
    *score = n ? (double)*longest / (double)n : 0;
    return ASSAY_OK;
}

static assay_status look_leaks(assay_doctor *d, assay_error *err)
{
    enum { RUN = 5 };
    uint32_t n = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < d->golden->n_queries && !st; i++) {
        const assay_query *q = &d->golden->query[i];
        double score;
        size_t longest;

        if (q->is_draft || q->label != ASSAY_LABEL_LABELLED)
            continue;
        assay_arena_reset(&d->scratch);
        st = measure_leak(d, q, &score, &longest, err);
        if (st || longest < RUN || score < 0.6)
            continue;
        n++;
        st = assay_doctor_say(d, ASSAY_ILL_WARNING, q, 0, NULL, err,
                              "%zu words in a row are its own evidence's (leak %.2f)",
                              longest, score);
    }
    assay_doctor_share(d, n, d->n_queries);
    return st;
}

const assay_ailment assay_ailment_leak = {
    .name = "leak",
    .why = "word search finds it at once, and dense retrieval is not put to the test",
    .fix = "ask it in words of your own, as a user would who has not read the text",
    .part = ASSAY_HEALTH_QUESTIONS,
    .look = look_leaks,
};

/* ---- groups ---- */

static bool has_doc(const assay_query *q, uint32_t doc)
{
    for (uint32_t i = 0; i < q->n_judgments; i++)
        if (q->judgment[i].grade > 0 && q->judgment[i].doc == doc)
            return true;
    return false;
}

static bool is_within(const assay_query *a, const assay_query *b)
{
    for (uint32_t i = 0; i < a->n_judgments; i++)
        if (a->judgment[i].grade > 0 && a->judgment[i].doc != ASSAY_NONE &&
            !has_doc(b, a->judgment[i].doc))
            return false;
    return true;
}

static assay_status look_groups(assay_doctor *d, assay_error *err)
{
    const assay_golden *g = d->golden;
    uint32_t n = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < g->n_queries && !st; i++) {
        const assay_query *q = &g->query[i];

        for (uint32_t k = 0; k < i && !st; k++) {
            const assay_query *first = &g->query[k];

            if (q->is_draft || first->is_draft || !q->group.len ||
                !assay_slice_eq(q->group, first->group))
                continue;
            if (is_within(q, first) && is_within(first, q))
                break;
            n++;
            st = assay_doctor_say(d, ASSAY_ILL_ERROR, q, 0, NULL, err,
                                  "expects other documents than '%.*s' of the same group "
                                  "'%.*s'",
                                  ASSAY_QUOTE(first->id), ASSAY_QUOTE(q->group));
            break;
        }
    }
    assay_doctor_share(d, n, d->n_queries);
    return st;
}

const assay_ailment assay_ailment_group_disagrees = {
    .name = "group-disagrees",
    .why =
        "variants of one question have one answer; their spread would measure the labels",
    .fix = "give all members of the group the same judgments, or split the group",
    .part = ASSAY_HEALTH_QUESTIONS,
    .look = look_groups,
};
