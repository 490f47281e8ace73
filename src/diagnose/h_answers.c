/* SPDX-License-Identifier: Apache-2.0 */
/* What answers are held against: strings that must be there, and questions to refuse. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "diagnose/doctor.h"
#include "text/fold.h"
#include "text/tokenizer.h"

/* ---- must_contain, any_of ---- */

static bool holds(assay_slice text, assay_slice part)
{
    for (size_t i = 0; i + part.len <= text.len; i++) {
        const char *at = part.len ? memchr(text.ptr + i, part.ptr[0], text.len - i) : "";

        if (!part.len)
            return true;
        if (!at)
            return false;
        i = (size_t)(at - text.ptr);
        if (i + part.len <= text.len && memcmp(at, part.ptr, part.len) == 0)
            return true;
    }
    return false;
}

/* What a query's strings are looked for in, folded. */
typedef struct grounds {
    assay_buffer evidence; /* quotes and spans; whole documents where none is given */
    assay_buffer docs;
} grounds;

static bool add_folded(assay_doctor *d, assay_slice text, assay_buffer *out)
{
    assay_slice folded;

    if (!assay_fold(text, &d->scratch, &folded))
        return false;
    assay_buffer_slice(out, folded);
    assay_buffer_char(out, '\n');
    return !out->has_failed;
}

static assay_status add_judgment(assay_doctor *d, const assay_judgment *j, grounds *to,
                                 assay_error *err)
{
    assay_slice text;
    bool is_there;
    bool is_ok;
    assay_status st =
        assay_doctor_text(d, d->golden->docs.word[j->doc], &text, &is_there, err);

    if (st || !is_there)
        return st;
    is_ok = add_folded(d, text, &to->docs);
    if (j->quote.len)
        is_ok = is_ok && add_folded(d, j->quote, &to->evidence);
    for (uint32_t i = 0; i < j->n_spans; i++)
        if (j->span[i].end <= text.len)
            is_ok = is_ok &&
                    add_folded(d,
                               (assay_slice){text.ptr + j->span[i].start,
                                             (size_t)(j->span[i].end - j->span[i].start)},
                               &to->evidence);
    if (!j->quote.len && !j->n_spans)
        is_ok = is_ok && add_folded(d, text, &to->evidence);
    return is_ok ? ASSAY_OK : assay_fail_memory(err, "looking for strings");
}

/* In the evidence 2, in its documents 1, nowhere 0. */
static assay_status look_for(assay_doctor *d, const grounds *in, assay_slice string,
                             int *where, assay_error *err)
{
    assay_slice folded;

    if (!assay_fold(string, &d->scratch, &folded))
        return assay_fail_memory(err, "looking for strings");
    *where = holds(assay_buffer_view(&in->evidence), folded) ? 2
             : holds(assay_buffer_view(&in->docs), folded)   ? 1
                                                             : 0;
    return ASSAY_OK;
}

static assay_status tell_string(assay_doctor *d, const assay_query *q, const char *key,
                                assay_slice string, int where, assay_error *err)
{
    return where ? assay_doctor_say(d, ASSAY_ILL_WARNING, q, 0, NULL, err,
                                    "%s '%.*s' stands in a relevant document, but not in "
                                    "its evidence",
                                    key, ASSAY_QUOTE(string))
                 : assay_doctor_say(d, ASSAY_ILL_ERROR, q, 0, NULL, err,
                                    "%s '%.*s' stands in none of its relevant documents",
                                    key, ASSAY_QUOTE(string));
}

/* Of a group of any_of one string is enough. */
static assay_status check_group(assay_doctor *d, const assay_query *q, const grounds *in,
                                const assay_strings *group, uint32_t *n, assay_error *err)
{
    int best = 0;

    for (uint32_t i = 0; i < group->n && best < 2; i++) {
        int where;
        assay_status st = look_for(d, in, group->item[i], &where, err);

        if (st)
            return st;
        best = where > best ? where : best;
    }
    if (best == 2 || !group->n)
        return ASSAY_OK;
    (*n)++;
    return tell_string(d, q, "any_of", group->item[0], best, err);
}

static assay_status check_strings(assay_doctor *d, const assay_query *q, grounds *in,
                                  uint32_t *n, assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < q->n_judgments && !st; i++)
        if (assay_doctor_counts(&q->judgment[i]) && q->judgment[i].doc != ASSAY_NONE)
            st = add_judgment(d, &q->judgment[i], in, err);
    if (st || !in->docs.len)
        return st;
    for (uint32_t i = 0; i < q->must_contain.n && !st; i++) {
        int where;

        st = look_for(d, in, q->must_contain.item[i], &where, err);
        if (st || where == 2)
            continue;
        (*n)++;
        st = tell_string(d, q, "must_contain", q->must_contain.item[i], where, err);
    }
    for (uint32_t i = 0; i < q->n_any_of && !st; i++)
        st = check_group(d, q, in, &q->any_of[i], n, err);
    return st;
}

static assay_status look_strings(assay_doctor *d, assay_error *err)
{
    uint32_t n = 0;
    uint32_t all = 0;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < d->golden->n_queries && !st && d->n_docs; i++) {
        const assay_query *q = &d->golden->query[i];
        grounds in = {ASSAY_BUFFER_EMPTY, ASSAY_BUFFER_EMPTY};

        if (q->is_draft || q->label != ASSAY_LABEL_LABELLED ||
            !(q->must_contain.n + q->n_any_of))
            continue;
        all += q->must_contain.n + q->n_any_of;
        assay_arena_reset(&d->scratch);
        st = check_strings(d, q, &in, &n, err);
        assay_buffer_clear(&in.evidence);
        assay_buffer_clear(&in.docs);
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

/* What is in most questions, whatever they ask. */
static bool is_empty_word(assay_slice term)
{
    static const char *const words[] = {"what", "which", "when",  "where", "who",
                                        "whom", "why",   "how",   "doe",   "do",
                                        "did",  "can",   "could", "should"};
    bool is_ascii = term.len > 0 && (unsigned char)term.ptr[0] < 128;

    for (size_t i = 0; i < ASSAY_COUNT(words); i++)
        if (assay_slice_is(term, words[i]))
            return true;
    return is_ascii && term.len < 3;
}

/* The question's terms, copied because the worker's next call takes them away. */
static bool copy_terms(assay_token_worker *worker, assay_slice text, assay_arena *arena,
                       assay_slice **out, size_t *n)
{
    assay_tokens tokens;

    *n = 0;
    if (!assay_tokenize(worker, text, &tokens))
        return false;
    *out = ASSAY_ARENA_ARRAY(arena, assay_slice, tokens.n + 1);
    for (size_t i = 0; *out && i < tokens.n; i++) {
        if (is_empty_word(tokens.item[i]))
            continue;
        (*out)[*n] = assay_arena_copy(arena, tokens.item[i]);
        if (!(*out)[*n].ptr)
            return false;
        (*n)++;
    }
    return *out != NULL;
}

/* Share of the terms that a text has. */
static bool share_of(assay_token_worker *worker, const assay_slice *term, size_t n,
                     assay_slice text, double *share)
{
    assay_tokens tokens;
    size_t found = 0;

    if (!assay_tokenize(worker, text, &tokens))
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < tokens.n; k++)
            if (assay_slice_eq(term[i], tokens.item[k])) {
                found++;
                break;
            }
    *share = n ? (double)found / (double)n : 0;
    return true;
}

/* Look at the passages that share most with the question; tell of the best. */
static assay_status check_refusal(assay_doctor *d, const assay_query *q,
                                  assay_token_worker *worker, uint32_t *n,
                                  assay_error *err)
{
    enum { TOP = 5, FEWEST = 3 };
    static const double most = 0.8;
    assay_retrieved hit[TOP];
    const assay_passage *best = NULL;
    assay_slice *term;
    size_t n_terms;
    double share = 0;
    uint32_t n_hits = 0;
    assay_status st = d->bm25->search(d->worker, q->text, TOP, hit, &n_hits, err);

    if (st)
        return st;
    if (!copy_terms(worker, q->text, &d->scratch, &term, &n_terms))
        return assay_fail_memory(err, "looking for answers");
    for (uint32_t i = 0; i < n_hits && n_terms >= FEWEST; i++) {
        const assay_passage *p = &d->passages->item[hit[i].passage];
        double own;

        if (!share_of(worker, term, n_terms, p->text, &own))
            return assay_fail_memory(err, "looking for answers");
        best = own > share ? p : best;
        share = own > share ? own : share;
    }
    if (!best || share < most)
        return ASSAY_OK;
    (*n)++;
    return assay_doctor_say(d, ASSAY_ILL_WARNING, q, 0, NULL, err,
                            "%s, but one passage of '%.*s' has %.0f %% of its words",
                            q->label == ASSAY_LABEL_SHOULD_REFUSE
                                ? "should be refused"
                                : "nothing is said to be relevant",
                            ASSAY_QUOTE(best->doc), 100 * share);
}

static assay_status look_refusals(assay_doctor *d, assay_error *err)
{
    assay_tokenizing how;
    assay_token_worker *worker = NULL;
    uint32_t n = 0;
    uint32_t all = 0;
    assay_status st;

    if (!d->worker)
        return ASSAY_OK;
    st = assay_tokenizing_read(NULL, &how, err);
    if (!st)
        st = assay_token_worker_new(&how, &worker, err);
    for (uint32_t i = 0; i < d->golden->n_queries && !st; i++) {
        const assay_query *q = &d->golden->query[i];

        if (q->is_draft ||
            (q->label != ASSAY_LABEL_SHOULD_REFUSE && q->label != ASSAY_LABEL_NEGATIVE))
            continue;
        all++;
        assay_arena_reset(&d->scratch);
        st = check_refusal(d, q, worker, &n, err);
    }
    assay_token_worker_free(worker);
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
