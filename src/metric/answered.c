/* SPDX-License-Identifier: Apache-2.0 */
/* The answer to one query, looked up: refusal, required strings, likeness. */
#include "metric/answered.h"

#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "metric/answered_cited.h"
#include "text/fold.h"
#include "text/refusal.h"

/* ---- who should do what ---- */

static bool names_a_document(const assay_query *query)
{
    for (uint32_t i = 0; i < query->n_judgments; i++)
        if (query->judgment[i].doc != ASSAY_NONE && query->judgment[i].grade > 0)
            return true;
    return false;
}

static bool should_refuse(const assay_answer_view *view)
{
    if (view->rules.no_docs_should_refuse)
        return !names_a_document(view->query);
    return view->query->label == ASSAY_LABEL_SHOULD_REFUSE;
}

/* Something relevant is known, or what a right answer says. */
static bool is_answerable(const assay_query *query)
{
    if (query->label == ASSAY_LABEL_SHOULD_REFUSE || query->label == ASSAY_LABEL_NEGATIVE)
        return false;
    for (uint32_t i = 0; i < query->n_judgments; i++)
        if (query->judgment[i].grade > 0 && query->judgment[i].stale != ASSAY_STALE_LOST)
            return true;
    return query->has_expected_answer || query->must_contain.n || query->n_any_of;
}

static bool has_refused(const assay_answer_view *view, const assay_answer *answer,
                        assay_slice folded)
{
    if (view->rules.refused_is_ungrounded)
        return answer->grounded == ASSAY_FLAG_NO;
    return answer->refusal_reason.len > 0 || assay_refusal_is(folded);
}

/* ---- strings that must or must not be there ---- */

typedef struct text {
    assay_slice raw;
    assay_slice folded;
    assay_arena *room;
    bool is_bytes; /* compare raw, not folded */
} text;

static bool is_in(assay_slice all, assay_slice part)
{
    const char *at = all.ptr;
    size_t left = all.len;

    if (!part.len)
        return true;
    while (left >= part.len) {
        const char *hit = memchr(at, part.ptr[0], left - part.len + 1);

        if (!hit)
            return false;
        if (memcmp(hit, part.ptr, part.len) == 0)
            return true;
        left -= (size_t)(hit - at) + 1;
        at = hit + 1;
    }
    return false;
}

/* How many of the strings are in the text.  False: no memory. */
static bool count_in(const text *t, const assay_strings *strings, uint32_t *n)
{
    *n = 0;
    for (uint32_t i = 0; i < strings->n; i++) {
        assay_slice part = strings->item[i];

        if (!t->is_bytes && !assay_fold(part, t->room, &part))
            return false;
        *n += is_in(t->is_bytes ? t->raw : t->folded, part);
    }
    return true;
}

static bool check_strings(const assay_answer_view *view, const text *t, assay_answered *a)
{
    const assay_query *query = view->query;
    uint32_t n;

    a->has_strings = (query->must_contain.n || query->n_any_of || query->forbidden.n) &&
                     (!a->should_refuse || view->rules.grounds_should_refuse);
    if (!a->has_strings)
        return true;
    if (!count_in(t, &query->must_contain, &n))
        return false;
    a->n_missing = query->must_contain.n - n;
    for (uint32_t i = 0; i < query->n_any_of; i++) {
        if (!count_in(t, &query->any_of[i], &n))
            return false;
        a->n_missing += n == 0;
    }
    return count_in(t, &query->forbidden, &a->n_forbidden);
}

/* ---- likeness with the expected answer ---- */

/* Length of a citation marker ([3], [#3], [1, 2]) at the beginning, or 0. */
static size_t marker_length(assay_slice s)
{
    bool has_digit = false;

    if (!s.len || s.ptr[0] != '[')
        return 0;
    for (size_t i = 1; i < s.len && i < 24; i++) {
        if (s.ptr[i] == ']')
            return has_digit ? i + 1 : 0;
        if (!strchr("0123456789#, ", s.ptr[i]) || !s.ptr[i])
            return 0;
        has_digit |= s.ptr[i] >= '0' && s.ptr[i] <= '9';
    }
    return 0;
}

/* A copy without citation markers and the blanks before them. */
static bool drop_markers(assay_slice s, assay_arena *room, assay_slice *out)
{
    char *to = assay_arena_alloc(room, s.len);
    size_t n = 0;

    if (!to)
        return false;
    for (size_t i = 0; i < s.len;) {
        size_t len = marker_length((assay_slice){s.ptr + i, s.len - i});

        while (len && n && to[n - 1] == ' ')
            n--;
        if (!len)
            to[n++] = s.ptr[i];
        i += len ? len : 1;
    }
    *out = (assay_slice){to, n};
    return true;
}

static assay_slice drop_stop(assay_slice folded)
{
    if (assay_slice_ends(folded, "."))
        folded.len -= 1;
    else if (assay_slice_ends(folded, "。"))
        folded.len -= strlen("。");
    return folded;
}

static int by_bytes(const void *a, const void *b)
{
    return assay_slice_cmp(*(const assay_slice *)a, *(const assay_slice *)b);
}

/* 2 x words in common / words of both, each word as often as it stands in both. */
static double word_f1(assay_slice *a, size_t n_a, assay_slice *b, size_t n_b)
{
    size_t n_both = 0;
    size_t i = 0;
    size_t j = 0;

    if (n_a == 0 || n_b == 0)
        return n_a == n_b ? 1.0 : 0.0;
    qsort(a, n_a, sizeof *a, by_bytes);
    qsort(b, n_b, sizeof *b, by_bytes);
    while (i < n_a && j < n_b) {
        int order = assay_slice_cmp(a[i], b[j]);

        n_both += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    return 2.0 * (double)n_both / (double)(n_a + n_b);
}

static bool compare_expected(const assay_query *query, const text *t, assay_answered *a)
{
    assay_slice have, want, folded_have, folded_want;
    assay_slice *words_have, *words_want;
    size_t n_have, n_want;

    a->has_expected = query->has_expected_answer;
    if (!a->has_expected)
        return true;
    if (!drop_markers(t->raw, t->room, &have) ||
        !drop_markers(query->expected_answer, t->room, &want) ||
        !assay_fold(have, t->room, &folded_have) ||
        !assay_fold(want, t->room, &folded_want) ||
        !assay_fold_words(have, t->room, &words_have, &n_have) ||
        !assay_fold_words(want, t->room, &words_want, &n_want))
        return false;
    a->is_exact = assay_slice_eq(drop_stop(folded_have), drop_stop(folded_want));
    a->f1 = word_f1(words_have, n_have, words_want, n_want);
    return true;
}

/* ---- the view ---- */

bool assay_answered_build(assay_answering *answering, const assay_answer_view *view,
                          assay_answered *out)
{
    const assay_answer *answer = view->result ? view->result->answer : NULL;
    assay_answered a = {.should_refuse = should_refuse(view),
                        .is_answerable = is_answerable(view->query)};
    text t = {.room = &answering->room, .is_bytes = view->rules.strings_are_bytes};

    assay_arena_reset(&answering->room);
    a.has_answer = answer && !view->result->error.len;
    if (a.has_answer) {
        t.raw = answer->text;
        if (!assay_fold(t.raw, t.room, &t.folded))
            return false;
        a.has_refused = has_refused(view, answer, t.folded);
        a.is_grounded = !a.has_refused && answer->grounded != ASSAY_FLAG_NO;
        if (!check_strings(view, &t, &a) || !compare_expected(view->query, &t, &a) ||
            !assay_answered_cited(view, t.room, &a))
            return false;
    }
    *out = a;
    return true;
}

/* ---- the decision ---- */

assay_decision assay_answered_decision(const assay_answered *a)
{
    if (!a->should_refuse && !a->is_answerable)
        return ASSAY_DECISION_NONE;
    if (!a->has_answer)
        return ASSAY_DECISION_MISSING;
    if (a->should_refuse)
        return a->has_refused ? ASSAY_DECISION_REFUSAL_RIGHT
                              : ASSAY_DECISION_ANSWERED_WRONG;
    return a->has_refused ? ASSAY_DECISION_REFUSAL_WRONG : ASSAY_DECISION_ANSWERED_RIGHT;
}

void assay_answered_count(const assay_answered *a, assay_refusals *table)
{
    bool says_it = a->n_missing == 0 && a->n_forbidden == 0;

    switch (assay_answered_decision(a)) {
    case ASSAY_DECISION_NONE: return;
    case ASSAY_DECISION_REFUSAL_RIGHT: table->refusal_right++; return;
    case ASSAY_DECISION_REFUSAL_WRONG: table->refusal_wrong++; return;
    case ASSAY_DECISION_ANSWERED_WRONG: table->answered_wrong++; return;
    case ASSAY_DECISION_ANSWERED_RIGHT:
        table->answered_right++;
        table->grounded += a->has_strings && says_it;
        table->ungrounded += a->has_strings && !says_it;
        return;
    case ASSAY_DECISION_MISSING:
        table->no_answer += a->should_refuse;
        table->no_answer_answerable += !a->should_refuse;
        return;
    }
}

void assay_answering_clear(assay_answering *answering)
{
    assay_arena_clear(&answering->room);
}
