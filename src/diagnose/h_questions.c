/* SPDX-License-Identifier: Apache-2.0 */
/* Questions that give themselves away, or contradict their group. */
#include "base/dict.h"
#include "base/error.h"
#include "base/slice.h"
#include "diagnose/alike.h"
#include "diagnose/doctor.h"

/* ---- leaks ---- */

/* The words of the evidence: a quote, the bytes it was found at, or the whole document. */
static assay_status evidence_of(assay_doctor *d, const assay_judgment *j,
                                assay_hashed_words *out, assay_error *err)
{
    const assay_patient_doc *doc;
    assay_slice text = j->quote;
    bool is_there;

    *out = (assay_hashed_words){NULL, 0};
    if (!text.len && j->doc == ASSAY_NONE)
        return ASSAY_OK;
    if (!text.len && j->n_spans) {
        assay_status st =
            assay_doctor_text(d, d->golden->docs.word[j->doc], &text, &is_there, err);

        if (st || !is_there || j->span[0].end > text.len)
            return st;
        text = (assay_slice){text.ptr + j->span[0].start,
                             (size_t)(j->span[0].end - j->span[0].start)};
    }
    if (!text.len) {
        doc = assay_doctor_doc(d, d->golden->docs.word[j->doc]);
        if (doc)
            *out = doc->words;
        return ASSAY_OK;
    }
    return assay_hashed_words_of(text, &d->scratch, out)
               ? ASSAY_OK
               : assay_fail_memory(err, "comparing questions");
}

static assay_status measure_leak(assay_doctor *d, const assay_query *q, size_t *n,
                                 size_t *longest, assay_error *err)
{
    assay_hashed_words asked;

    *longest = 0;
    if (!assay_hashed_words_of(q->text, &d->scratch, &asked))
        return assay_fail_memory(err, "comparing questions");
    *n = asked.n;
    for (uint32_t i = 0; i < q->n_judgments && asked.n; i++) {
        assay_hashed_words words;
        size_t run;
        assay_status st;

        if (!assay_doctor_counts(&q->judgment[i]))
            continue;
        st = evidence_of(d, &q->judgment[i], &words, err);
        if (st)
            return st;
        if (!assay_words_longest_run(&asked, &words, &d->scratch, &run))
            return assay_fail_memory(err, "comparing questions");
        *longest = run > *longest ? run : *longest;
    }
    return ASSAY_OK;
}

static assay_status look_leaks(assay_doctor *d, assay_error *err)
{
    enum { RUN = 5 };
    static const double most = 0.6;
    uint32_t n_leaks = 0;
    uint32_t all = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < d->golden->n_queries && !st; i++) {
        const assay_query *q = &d->golden->query[i];
        size_t n = 0;
        size_t longest;
        double score;

        if (q->is_draft || q->label != ASSAY_LABEL_LABELLED)
            continue;
        all++;
        assay_arena_reset(&d->scratch);
        st = measure_leak(d, q, &n, &longest, err);
        score = n ? (double)longest / (double)n : 0;
        if (st || longest < RUN || score < most)
            continue;
        n_leaks++;
        st = assay_doctor_say(
            d, ASSAY_ILL_WARNING, q, 0, NULL, err,
            "%zu of its %zu words stand in a row in its own evidence (leak %.2f)",
            longest, n, score);
    }
    assay_doctor_share(d, n_leaks, all);
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

static bool has_same(const assay_query *q, const assay_judgment *j)
{
    for (uint32_t i = 0; i < q->n_judgments; i++) {
        const assay_judgment *own = &q->judgment[i];

        if (own->grade > 0 &&
            (j->doc != ASSAY_NONE ? own->doc == j->doc : own->chunk == j->chunk))
            return true;
    }
    return false;
}

static bool is_within(const assay_query *a, const assay_query *b)
{
    for (uint32_t i = 0; i < a->n_judgments; i++)
        if (a->judgment[i].grade > 0 && !has_same(b, &a->judgment[i]))
            return false;
    return true;
}

/* What is wrong with `q` beside the first of its group, or null. */
static const char *disagreement(const assay_query *q, const assay_query *first)
{
    bool is_refusal = q->label == ASSAY_LABEL_SHOULD_REFUSE;

    if (is_refusal != (first->label == ASSAY_LABEL_SHOULD_REFUSE))
        return is_refusal ? "should be refused, unlike" : "should be answered, unlike";
    return is_within(q, first) && is_within(first, q) ? NULL
                                                      : "expects other documents than";
}

/* Each member is held against the first of its group that is no draft. */
static assay_status compare_members(assay_doctor *d, assay_dict *groups,
                                    const assay_query **first, assay_error *err)
{
    const assay_golden *g = d->golden;
    uint32_t n = 0;
    uint32_t all = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < g->n_queries && !st; i++) {
        const assay_query *q = &g->query[i];
        const char *what;
        uint32_t number;
        bool is_new;

        if (q->is_draft || !q->group.len)
            continue;
        if (!assay_dict_put(groups, NULL, q->group, &number, &is_new))
            return assay_fail_memory(err, "comparing groups");
        all++;
        if (is_new)
            first[number] = q;
        what = is_new ? NULL : disagreement(q, first[number]);
        if (!what)
            continue;
        n++;
        st = assay_doctor_say(d, ASSAY_ILL_ERROR, q, 0, NULL, err,
                              "%s '%.*s' of the same group '%.*s'", what,
                              ASSAY_QUOTE(first[number]->id), ASSAY_QUOTE(q->group));
    }
    assay_doctor_share(d, n, all);
    return st;
}

static assay_status look_groups(assay_doctor *d, assay_error *err)
{
    assay_dict groups = {0};
    const assay_query **first =
        ASSAY_ARENA_ARRAY(&d->scratch, const assay_query *, d->golden->n_queries + 1u);
    assay_status st = first ? compare_members(d, &groups, first, err)
                            : assay_fail_memory(err, "comparing groups");

    assay_dict_clear(&groups);
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
