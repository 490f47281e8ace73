/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/create_session.h"

#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "base/utf8.h"

/* ---- the question at hand ---- */

static assay_query *query_of(const assay_create_session *s)
{
    return &s->book.golden->query[s->query];
}

static void join(assay_strings list, const char *between, assay_buffer *out)
{
    out->len = 0;
    for (uint32_t i = 0; i < list.n; i++) {
        if (i)
            assay_buffer_text(out, between);
        assay_buffer_slice(out, list.item[i]);
    }
}

assay_status assay_create_card_of(assay_create_session *s, assay_create_card *out,
                                  assay_error *err)
{
    const assay_query *q = query_of(s);

    s->grade = ASSAY_ARENA_ARRAY(&s->pool.own, int32_t, s->pool.n + 1);
    join(q->tags, ", ", &s->tags);
    join(q->must_contain, " | ", &s->must);
    if (!s->grade || s->tags.has_failed || s->must.has_failed)
        return assay_fail_memory(err, "showing a question");
    for (uint32_t i = 0; i < s->pool.n; i++) {
        const assay_passage *p = s->pool.hit[i].passage;

        s->grade[i] =
            assay_notebook_grade(&s->book, s->query, p->doc, p->id, p->span, p->n_spans);
    }
    *out = (assay_create_card){
        .id = q->id,
        .text = q->text,
        .tags = assay_buffer_view(&s->tags),
        .must = assay_buffer_view(&s->must),
        .is_draft = q->is_draft,
        .is_refuse = q->label == ASSAY_LABEL_SHOULD_REFUSE,
        .grade = s->grade,
        .hit = s->pool.hit,
        .n_hits = s->pool.n,
    };
    return ASSAY_OK;
}

void assay_create_count(const assay_create_session *s, uint32_t *n_checked,
                        uint32_t *n_drafts, uint32_t *n_waiting)
{
    const assay_golden *g = s->book.golden;

    *n_drafts = 0;
    for (uint32_t i = 0; i < g->n_queries; i++)
        *n_drafts += g->query[i].is_draft;
    *n_checked = g->n_queries - *n_drafts;
    *n_waiting =
        s->unjudged ? assay_unjudged_left(s->unjudged) : s->n_waiting - s->at_waiting;
}

/* Whether a judgment of the question points into the passage. */
static bool is_evidence(const assay_create_session *s, const assay_passage *p)
{
    const assay_golden *g = s->book.golden;
    const assay_query *q = query_of(s);

    for (uint32_t i = 0; i < q->n_judgments; i++) {
        const assay_judgment *j = &q->judgment[i];

        if (assay_judgment_is_evidence(j) &&
            assay_slice_eq(g->docs.word[j->doc], p->doc) &&
            assay_span_shared(j->span, j->n_spans, p->span, p->n_spans))
            return true;
    }
    return false;
}

/* Bring the passages that the question's own judgments lie in to the top, so that the
 * anchor of a draft is seen whatever the retrievers find. */
static assay_status search(assay_create_session *s, assay_error *err)
{
    assay_arena scratch = ASSAY_ARENA_EMPTY;
    const assay_passages *all = &s->pool.passages;
    uint32_t *passage;
    uint32_t n = 0;
    uint32_t n_own;
    assay_status st = assay_pool_search(&s->pool, query_of(s)->text, s->depth, err);

    if (st || !query_of(s)->n_judgments)
        return st;
    passage = ASSAY_ARENA_ARRAY(&scratch, uint32_t, (size_t)all->n + s->pool.n + 1);
    for (uint32_t i = 0; passage && i < all->n; i++) {
        const assay_passage *p = &all->item[i];

        if (is_evidence(s, p))
            passage[n++] = i;
    }
    n_own = n;
    for (uint32_t i = 0; passage && i < s->pool.n; i++) {
        uint32_t number = (uint32_t)(s->pool.hit[i].passage - all->item);
        bool is_there = false;

        for (uint32_t k = 0; k < n_own; k++)
            is_there |= passage[k] == number;
        if (!is_there)
            passage[n++] = number;
    }
    st = passage ? assay_pool_show(&s->pool, passage, n, err)
                 : assay_fail_memory(err, "searching");
    assay_arena_clear(&scratch);
    return st;
}

static assay_status take(assay_create_session *s, assay_slice text,
                         assay_create_next *next, assay_error *err)
{
    assay_status st = assay_notebook_ask(&s->book, text, &s->query, err);

    if (!st)
        st = search(s, err);
    *next = ASSAY_NEXT_OTHER;
    return st;
}

static assay_status ask(assay_create_session *s, assay_slice line,
                        assay_create_next *next, assay_buffer *message, assay_error *err)
{
    const assay_golden *g = s->book.golden;
    uint32_t from = s->query == ASSAY_NONE ? 0 : s->query + 1;

    line = assay_slice_trim(line);
    if (line.len && !assay_utf8_is(line)) {
        assay_buffer_text(message, "that is no UTF-8");
        return ASSAY_OK;
    }
    if (line.len)
        return take(s, line, next, err);
    for (uint32_t i = 0; i < g->n_queries; i++) {
        uint32_t k = (from + i) % g->n_queries;

        if (g->query[k].is_draft) {
            s->query = k;
            *next = ASSAY_NEXT_OTHER;
            return search(s, err);
        }
    }
    *next = ASSAY_NEXT_ASK;
    assay_buffer_text(message, "no drafts are left; type a question");
    return ASSAY_OK;
}

/* ---- going on ---- */

static assay_status next_waiting(assay_create_session *s, assay_create_next *next,
                                 assay_error *err)
{
    const assay_waiting *w = &s->waiting[s->at_waiting++];
    bool is_new = assay_notebook_find(&s->book, w->text) == ASSAY_NONE;
    assay_status st = assay_notebook_ask(&s->book, w->text, &s->query, err);

    if (!st && is_new && w->from && w->from->n_judgments)
        st = assay_notebook_copy(&s->book, s->query, s->from, w->from, err);
    *next = ASSAY_NEXT_OTHER;
    return st ? st : search(s, err);
}

static bool is_checked(const assay_create_session *s, assay_slice text)
{
    uint32_t query = assay_notebook_find(&s->book, text);

    return query != ASSAY_NONE && !s->book.golden->query[query].is_draft;
}

static void say_bounds(const assay_create_session *s, assay_buffer *message)
{
    double low;
    double high;

    assay_unjudged_bounds(s->unjudged, &low, &high);
    assay_buffer_printf(message, "%s between %.4f and %.4f; %u left to ask",
                        s->unjudged->n_runs > 1 ? "difference" : "mean", low, high,
                        assay_unjudged_left(s->unjudged));
}

/* The most valuable hit that there is text of. */
static assay_status next_unjudged(assay_create_session *s, assay_create_next *next,
                                  assay_buffer *message, assay_error *err)
{
    double width = assay_cli_real(s->cli, "width", 0.05);
    assay_unjudged *u = s->unjudged;

    *next = ASSAY_NEXT_QUIT;
    while (!assay_unjudged_is_decided(u, width)) {
        const assay_unjudged_hit *h;
        uint32_t passage;

        s->item = assay_unjudged_next(u);
        if (s->item == ASSAY_NONE)
            return ASSAY_OK;
        h = &u->hit[s->item];
        passage = assay_pool_find(&s->pool, h->chunk.len ? h->chunk : h->doc, h->doc);
        s->query = assay_dict_find(&s->book.golden->ids, u->query[h->query].id);
        if (passage == ASSAY_NONE || s->query == ASSAY_NONE) {
            assay_unjudged_skip(u, s->item);
            s->n_lost++;
            continue;
        }
        *next = ASSAY_NEXT_OTHER;
        say_bounds(s, message);
        return assay_pool_show(&s->pool, &passage, 1, err);
    }
    s->is_decided = true;
    return ASSAY_OK;
}

assay_status assay_create_advance(assay_create_session *s, assay_create_next *next,
                                  assay_buffer *message, assay_error *err)
{
    if (s->unjudged)
        return next_unjudged(s, next, message, err);
    while (s->at_waiting < s->n_waiting && is_checked(s, s->waiting[s->at_waiting].text))
        s->at_waiting++;
    if (s->at_waiting < s->n_waiting)
        return next_waiting(s, next, err);
    /* A list that was walked to its end is done. */
    *next = s->n_waiting ? ASSAY_NEXT_QUIT : ASSAY_NEXT_ASK;
    return ASSAY_OK;
}

/* ---- judging ---- */

/* Line breaks within a sentence are blanks: it is found all the same. */
static bool put_one_line(assay_slice text, assay_buffer *out)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool is_blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';

        if (!is_blank)
            assay_buffer_char(out, c);
        else if (out->len && out->ptr[out->len - 1] != ' ')
            assay_buffer_char(out, ' ');
    }
    return !out->has_failed;
}

static assay_span envelope(const assay_passage *p)
{
    if (!p->n_spans)
        return (assay_span){0, p->text.len};
    return (assay_span){p->span[0].start, p->span[p->n_spans - 1].end};
}

/* Sentences first to last, as far as they stand together in the document. */
static assay_slice choose_sentences(const assay_pool_hit *hit, uint32_t first,
                                    uint32_t last, assay_span *where)
{
    const assay_pool_sentence *a = &hit->sentence[first];
    const assay_pool_sentence *b = &hit->sentence[last];

    while (last > first && b->where.end - a->where.start != b->end - a->at)
        b = &hit->sentence[--last];
    *where = (assay_span){a->where.start, b->where.end};
    return (assay_slice){hit->passage->text.ptr + a->at, b->end - a->at};
}

/* Not relevant is said of the passage, but told by its first sentence that is one: the quote
 * only has to find it. */
static uint32_t telling_sentence(const assay_pool_hit *hit)
{
    enum { LEAST = 20 };

    for (uint32_t i = 0; i < hit->n_sentences; i++)
        if (hit->sentence[i].end - hit->sentence[i].at >= LEAST &&
            hit->passage->text.ptr[hit->sentence[i].at] != '#')
            return i;
    return 0;
}

/* The sentences of the passage that are whole: the longest stretch without a gap. */
static assay_slice whole(const assay_pool_hit *hit, assay_span *where)
{
    assay_slice best = {"", 0};

    for (uint32_t i = 0; i < hit->n_sentences;) {
        assay_span span;
        assay_slice text = choose_sentences(hit, i, hit->n_sentences - 1, &span);

        if (text.len > best.len) {
            best = text;
            *where = span;
        }
        while (i < hit->n_sentences && hit->sentence[i].where.end <= span.end &&
               hit->sentence[i].where.start >= span.start)
            i++;
    }
    return best;
}

static assay_status judge(assay_create_session *s, const assay_create_act *act,
                          assay_buffer *message, assay_error *err)
{
    const assay_pool_hit *hit = &s->pool.hit[act->hit];
    bool is_whole = act->first == ASSAY_NONE && act->grade > 0;
    assay_verdict v = {
        .doc = hit->passage->doc, .grade = act->grade, .passage = envelope(hit->passage)};
    uint32_t first = act->first == ASSAY_NONE ? telling_sentence(hit) : act->first;
    uint32_t last = act->first == ASSAY_NONE ? first : act->last;
    assay_buffer quote = ASSAY_BUFFER_EMPTY;
    assay_slice raw;
    assay_status st = ASSAY_OK;

    if (!hit->n_sentences) {
        assay_buffer_text(message, "there is no text to quote");
        return ASSAY_OK;
    }
    if (act->grade > 0 && query_of(s)->label == ASSAY_LABEL_SHOULD_REFUSE) {
        assay_buffer_text(message, "it should be refused: take that back first");
        return ASSAY_OK;
    }
    raw = is_whole ? whole(hit, &v.span) : choose_sentences(hit, first, last, &v.span);
    if (!assay_utf8_is(raw)) {
        assay_buffer_text(message, "that is no UTF-8 and cannot be quoted");
        return ASSAY_OK;
    }
    if (is_whole)
        assay_buffer_slice(&quote, raw);
    else
        put_one_line(raw, &quote);
    v.quote = assay_buffer_view(&quote);
    if (quote.has_failed)
        st = assay_fail_memory(err, "quoting");
    if (!st)
        st = assay_pool_is_ambiguous(&s->pool, v.doc, raw, &v.is_ambiguous, err);
    v.over = act->first == ASSAY_NONE ? v.passage : v.span;
    if (!st)
        st = assay_notebook_judge(&s->book, s->query, &v, err);
    assay_buffer_clear(&quote);
    if (!st)
        assay_buffer_printf(message, "hit %u: %s", act->hit + 1,
                            act->grade > 1   ? "relevant"
                            : act->grade > 0 ? "partly relevant"
                                             : "not relevant");
    return st;
}

static assay_status judge_and_go_on(assay_create_session *s, const assay_create_act *act,
                                    assay_create_next *next, assay_buffer *message,
                                    assay_error *err)
{
    assay_status st = judge(s, act, message, err);

    if (st || !s->unjudged)
        return st;
    message->len = 0;
    assay_unjudged_judge(s->unjudged, s->item, act->grade > 0);
    return assay_create_advance(s, next, message, err);
}

static assay_status unjudge(assay_create_session *s, const assay_create_act *act,
                            assay_error *err)
{
    const assay_pool_hit *hit = &s->pool.hit[act->hit];
    assay_span over = envelope(hit->passage);

    if (act->first != ASSAY_NONE)
        (void)choose_sentences(hit, act->first, act->last, &over);
    return assay_notebook_unjudge(&s->book, s->query, hit->passage->doc, over, err);
}

/* ---- the other wishes ---- */

static bool has_relevant(const assay_query *q)
{
    for (uint32_t i = 0; i < q->n_judgments; i++)
        if (q->judgment[i].grade > 0)
            return true;
    return false;
}

static assay_status set_strings(assay_create_session *s, assay_slice line, char sep,
                                assay_strings *list, assay_error *err)
{
    if (!assay_notebook_strings(&s->book, line, sep, list))
        return assay_fail_memory(err, "writing a golden set");
    return assay_notebook_save(&s->book, s->query, err);
}

static assay_status refuse(assay_create_session *s, assay_buffer *message,
                           assay_error *err)
{
    assay_query *q = query_of(s);

    if (q->label != ASSAY_LABEL_SHOULD_REFUSE && has_relevant(q)) {
        assay_buffer_text(message, "something is marked relevant: x takes that away");
        return ASSAY_OK;
    }
    q->label = q->label != ASSAY_LABEL_SHOULD_REFUSE ? ASSAY_LABEL_SHOULD_REFUSE
               : q->n_judgments                      ? ASSAY_LABEL_LABELLED
                                                     : ASSAY_LABEL_UNLABELLED;
    return assay_notebook_save(&s->book, s->query, err);
}

static assay_status finish(assay_create_session *s, assay_create_next *next,
                           assay_buffer *message, assay_error *err)
{
    assay_query *q = query_of(s);
    assay_status st = ASSAY_OK;

    if (!has_relevant(q) && q->label != ASSAY_LABEL_SHOULD_REFUSE && !s->unjudged) {
        assay_buffer_text(
            message,
            "nothing is marked relevant: mark a hit, or say that it should be refused");
        return ASSAY_OK;
    }
    if (q->is_draft) {
        q->is_draft = false;
        st = assay_notebook_save(&s->book, s->query, err);
    }
    return st ? st : assay_create_advance(s, next, message, err);
}

static assay_status undo(assay_create_session *s, assay_create_next *next,
                         assay_buffer *message, assay_error *err)
{
    assay_slice text = {"", 0};
    bool is_done = false;
    assay_status st;

    if (s->unjudged) {
        assay_buffer_text(message,
                          "what was judged here can be changed without --unjudged");
        return ASSAY_OK;
    }
    if (s->query != ASSAY_NONE)
        text = assay_arena_copy(&s->arena, query_of(s)->text);
    if (!text.ptr)
        return assay_fail_memory(err, "taking a change back");
    st = assay_notebook_undo(&s->book, &is_done, err);
    if (st)
        return st;
    assay_buffer_text(message, is_done ? "taken back" : "nothing to take back");
    s->query = assay_notebook_find(&s->book, text);
    if (s->query == ASSAY_NONE)
        *next = ASSAY_NEXT_ASK;
    return ASSAY_OK;
}

assay_status assay_create_do(assay_create_session *s, const assay_create_act *act,
                             assay_slice line, assay_create_next *next,
                             assay_buffer *message, assay_error *err)
{
    *next = ASSAY_NEXT_STAY;
    switch (act->wish) {
    case ASSAY_WISH_ASK: return ask(s, line, next, message, err);
    case ASSAY_WISH_JUDGE: return judge_and_go_on(s, act, next, message, err);
    case ASSAY_WISH_UNJUDGE: return unjudge(s, act, err);
    case ASSAY_WISH_TAGS: return set_strings(s, line, ',', &query_of(s)->tags, err);
    case ASSAY_WISH_MUST:
        return set_strings(s, line, '|', &query_of(s)->must_contain, err);
    case ASSAY_WISH_REFUSE: return refuse(s, message, err);
    case ASSAY_WISH_FINISH: return finish(s, next, message, err);
    case ASSAY_WISH_NEXT:
        if (s->unjudged)
            assay_unjudged_skip(s->unjudged, s->item);
        return assay_create_advance(s, next, message, err);
    case ASSAY_WISH_UNDO: return undo(s, next, message, err);
    case ASSAY_WISH_QUIT: *next = ASSAY_NEXT_QUIT; return ASSAY_OK;
    case ASSAY_WISH_NONE: break;
    }
    return ASSAY_OK;
}
