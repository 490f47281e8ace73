/* SPDX-License-Identifier: Apache-2.0 */
/* What answers are held against: strings that must be there, and questions to refuse. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "diagnose/doctor.h"
#include "text/fold.h"

/* ---- must_contain ---- */

static bool holds(assay_slice text, assay_slice part)
{
    for (size_t i = 0; part.len && i + part.len <= text.len; i++)
        if (memcmp(text.ptr + i, part.ptr, part.len) == 0)
            return true;
    return false;
}

/* All relevant documents of a query, folded, one after the other. */
static assay_status relevant_text(assay_doctor *d, const assay_query *q,
                                  assay_buffer *out, assay_error *err)
{
    for (uint32_t i = 0; i < q->n_judgments; i++) {
        const assay_judgment *j = &q->judgment[i];
        assay_slice text;
        assay_slice folded;
        bool is_there;
        assay_status st;

        if (!assay_doctor_counts(j) || j->doc == ASSAY_NONE)
            continue;
        st = assay_doctor_text(d, d->golden->docs.word[j->doc], &text, &is_there, err);
        if (st)
            return st;
        if (!assay_fold(text, &d->scratch, &folded))
            return assay_fail_memory(err, "looking for strings");
        assay_buffer_slice(out, folded);
        assay_buffer_char(out, '\n');
    }
    return out->has_failed ? assay_fail_memory(err, "looking for strings") : ASSAY_OK;
}

static assay_status check_strings(assay_doctor *d, const assay_query *q, uint32_t *n,
                                  assay_error *err)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_status st = relevant_text(d, q, &text, err);

    for (uint32_t i = 0; i < q->must_contain.n && !st && text.len; i++) {
        assay_slice folded;

        if (!assay_fold(q->must_contain.item[i], &d->scratch, &folded))
            st = assay_fail_memory(err, "looking for strings");
        else if (!holds(assay_buffer_view(&text), folded)) {
            (*n)++;
            st = assay_doctor_say(d, ASSAY_ILL_ERROR, q, 0, NULL, err,
                                  "must_contain '%.*s' stands in none of its relevant "
                                  "documents",
                                  ASSAY_QUOTE(q->must_contain.item[i]));
        }
    }
    assay_buffer_clear(&text);
    return st;
}

static assay_status look_strings(assay_doctor *d, assay_error *err)
{
    uint32_t n = 0;
    uint32_t all = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < d->golden->n_queries && !st && d->n_docs; i++) {
        const assay_query *q = &d->golden->query[i];

        if (q->is_draft || !q->must_contain.n || q->label != ASSAY_LABEL_LABELLED)
            continue;
        all += q->must_contain.n;
        assay_arena_reset(&d->scratch);
        st = check_strings(d, q, &n, err);
    }
    assay_doctor_share(d, n, all);
    return st;
}

const assay_ailment assay_ailment_missing_string = {
    .name = "missing-string",
    .why = "an answer that keeps to the evidence can never be grounded",
    .fix = "take the words of the evidence, or list the spellings in any_of",
    .part = ASSAY_HEALTH_ANSWERS,
    .look = look_strings,
};

/* ---- should refuse ---- */

/* Share of the question's longer words that a text has. */
static bool covered(assay_doctor *d, assay_slice question, assay_slice text,
                    double *share, uint32_t *n_words)
{
    enum { SHORT = 3 };
    assay_slice *asked;
    assay_slice *word;
    size_t n;
    size_t m;
    uint32_t all = 0;
    uint32_t found = 0;

    if (!assay_fold_words(question, &d->scratch, &asked, &n) ||
        !assay_fold_words(text, &d->scratch, &word, &m))
        return false;
    for (size_t i = 0; i < n; i++) {
        bool is_there = false;

        if (asked[i].len <= SHORT)
            continue;
        for (size_t k = 0; k < m && !is_there; k++)
            is_there = assay_slice_eq(asked[i], word[k]);
        all++;
        found += is_there;
    }
    *share = all ? (double)found / all : 0;
    *n_words = all;
    return true;
}

static assay_status look_refusals(assay_doctor *d, assay_error *err)
{
    uint32_t n = 0;
    uint32_t all = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < d->golden->n_queries && !st && d->worker; i++) {
        const assay_query *q = &d->golden->query[i];
        assay_retrieved hit;
        uint32_t n_hits = 0;
        uint32_t n_words = 0;
        double share = 0;

        if (q->is_draft || q->label != ASSAY_LABEL_SHOULD_REFUSE)
            continue;
        all++;
        assay_arena_reset(&d->scratch);
        st = d->bm25->search(d->worker, q->text, 1, &hit, &n_hits, err);
        if (st || !n_hits)
            continue;
        if (!covered(d, q->text, d->passages->item[hit.passage].text, &share, &n_words))
            return assay_fail_memory(err, "looking for answers");
        if (share < 0.8 || n_words < 3)
            continue;
        n++;
        st = assay_doctor_say(
            d, ASSAY_ILL_WARNING, q, 0, NULL, err,
            "should be refused, but '%.*s' has %.0f %% of its words in one "
            "passage",
            ASSAY_QUOTE(d->passages->item[hit.passage].doc), 100 * share);
    }
    assay_doctor_share(d, n, all);
    return st;
}

const assay_ailment assay_ailment_answerable_refusal = {
    .name = "answerable-refusal",
    .why = "a system that answers it rightly is counted wrong",
    .fix = "read the passage: judge it relevant if it answers the question",
    .part = ASSAY_HEALTH_ANSWERS,
    .look = look_refusals,
};
