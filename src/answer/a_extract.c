/* SPDX-License-Identifier: Apache-2.0 */
/* extract: the sentences of the best chunks that share most with the query.
 *
 * The query's terms (question words left out) weigh by how rare they are among the
 * sentences of the chunks:
 *
 *     idf(t)  = ln(1 + (N - n + 1/2) / (n + 1/2))     n >= 1 of N sentences have t
 *     own     = sum of idf over the terms it has / sum over all terms of the query
 *     context = the same over terms that only its heading, title or the sentence before has
 *     cover   = own + context / 4
 *     score   = (own + context / 2) x rank x place x news
 *
 * rank and place fall with the chunk's rank and the sentence's place in it; news is below
 * 1 where a sentence says little but what was asked.  The sentence with the best score
 * must reach the threshold in cover, or it refuses: a share of what was asked, comparable
 * between queries, which the scores of a retriever are not.  Further sentences must come
 * near the best score.  There is no model here: a sentence that shares the words and does
 * not answer passes the gate (docs/ANSWERS.md has the numbers, and says on which data the
 * constants were chosen). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer.h"
#include "answer/prompt.h"
#include "answer/question_words.h"
#include "answer/refuse.h"
#include "answer/units.h"
#include "base/compiler.h"
#include "base/dict.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/scan.h"
#include "base/slice.h"
#include "text/fold.h"
#include "text/tokenizer.h"

enum { SENTENCES, THRESHOLD, CHUNKS, N_PARAMS };
enum { MOST_TERMS = 64, MOST_SENTENCES = 10 };

static const double GATE_CONTEXT = 0.25;
static const double CONTEXT_WEIGHT = 0.5;
static const double RANK_FALL = 0.4; /* 1 / (1 + fall x (rank - 1)) */
static const double PLACE_FALL = 0.01;
static const double NEWS_TERMS = 4;  /* so many other terms are news enough */
static const double NEAR_BEST = 0.7; /* of the best score, for further ones */

static const assay_param params[] = {
    [SENTENCES] = {"sentences", ASSAY_PARAM_COUNT, 1, MOST_SENTENCES, NULL, "2",
                   "most sentences in an answer"},
    [THRESHOLD] = {"threshold", ASSAY_PARAM_REAL, 0, 1, NULL, "0.4",
                   "refuse when the best sentence covers less of the query; 0 = never"},
    [CHUNKS] = {"chunks", ASSAY_PARAM_COUNT, 1, 1000, NULL, "5",
                "how many of the first chunks are read"},
    [N_PARAMS] = {NULL, ASSAY_PARAM_TEXT, 0, 0, NULL, NULL, NULL},
};

typedef struct extract {
    assay_param_value value[N_PARAMS];
    assay_tokenizing tokenizing;
} extract;

/* A sentence of some chunk. */
typedef struct sentence {
    assay_unit at;
    uint32_t chunk;
    uint32_t place;   /* among the sentences of its chunk */
    uint64_t terms;   /* of the query: bit i = term i */
    uint64_t context; /* of its heading, the title, the sentence before */
    uint32_t n_other; /* terms that are not the query's */
    double cover;
    double score;
} sentence;

typedef struct desk {
    const extract *own;
    assay_token_worker *tokens;
    assay_arena room; /* of one answer */
    assay_dict term;  /* of the query */
    double idf[MOST_TERMS];
    sentence *item;
    size_t n;
    size_t cap;
} desk;

/* ---- the query ---- */

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '\'' ||
           (unsigned char)c >= 0x80;
}

static void blank(char *p, size_t len)
{
    memset(p, ' ', len);
}

/* Blank out what only makes it a question. */
static void drop_question_words(char *text, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t end = i;

        while (end < len && is_word_char(text[end]))
            end++;
        for (size_t w = 0; end > i && w < ASSAY_COUNT(question_words); w++)
            if (assay_slice_is((assay_slice){text + i, end - i}, question_words[w]))
                blank(text + i, end - i);
        i = end > i ? end : i + 1;
    }
    for (size_t w = 0; w < ASSAY_COUNT(question_pieces); w++) {
        size_t n = strlen(question_pieces[w]);

        for (size_t i = 0; i + n <= len; i++)
            if (memcmp(text + i, question_pieces[w], n) == 0)
                blank(text + i, n);
    }
}

static bool add_terms(desk *d, assay_slice text)
{
    assay_tokens got;
    uint32_t number;

    if (!assay_tokenize(d->tokens, text, &got))
        return false;
    for (size_t i = 0; i < got.n && d->term.n < MOST_TERMS; i++)
        if (!assay_dict_put(&d->term, &d->room, got.item[i], &number, NULL))
            return false;
    return true;
}

static bool read_query(desk *d, assay_slice query)
{
    assay_slice folded;
    char *text;

    assay_dict_clear(&d->term);
    if (!assay_fold(query, &d->room, &folded))
        return false;
    text = assay_arena_string(&d->room, folded);
    if (!text)
        return false;
    drop_question_words(text, folded.len);
    return add_terms(d, (assay_slice){text, folded.len});
}

/* Which of the query's terms stand in `text`, and how many others. */
static bool look(desk *d, assay_slice text, uint64_t *terms, uint32_t *n_other)
{
    assay_tokens got;

    *terms = 0;
    *n_other = 0;
    if (!assay_tokenize(d->tokens, text, &got))
        return false;
    for (size_t i = 0; i < got.n; i++) {
        uint32_t number = assay_dict_find(&d->term, got.item[i]);

        if (number != ASSAY_NONE)
            *terms |= UINT64_C(1) << number;
        else
            ++*n_other;
    }
    return true;
}

/* ---- sentences and their scores ---- */

static bool read_chunk(desk *d, const assay_source_chunk *chunk, uint32_t number)
{
    uint64_t title, heading = 0, before = 0;
    uint32_t place = 0;
    uint32_t n_other;
    size_t at = 0;
    sentence s = {.chunk = number};

    if (!look(d, chunk->title, &title, &n_other))
        return false;
    while (assay_unit_next(chunk, &at, &s.at)) {
        assay_slice text = {chunk->text.ptr + s.at.start, s.at.end - s.at.start};
        sentence *grown;

        if (!look(d, text, &s.terms, &s.n_other))
            return false;
        if (s.at.is_heading) {
            heading = s.terms;
            before = 0;
            continue;
        }
        s.context = (title | heading | before) & ~s.terms;
        s.place = place++;
        before = s.terms;
        grown = assay_mem_grow(d->item, &d->cap, d->n + 1, sizeof *grown);
        if (!grown)
            return false;
        d->item = grown;
        d->item[d->n++] = s;
    }
    return true;
}

static double weight(const desk *d, uint64_t terms)
{
    double sum = 0;

    for (uint32_t t = 0; t < d->term.n; t++)
        if (terms >> t & 1)
            sum += d->idf[t];
    return sum;
}

static void score_all(desk *d)
{
    double total;

    for (uint32_t t = 0; t < d->term.n; t++) {
        double n = 0;

        for (size_t i = 0; i < d->n; i++)
            n += (d->item[i].terms >> t & 1) ? 1 : 0;
        /* How rare a term is that none of them has, they cannot tell. */
        n = n > 0 ? n : 1;
        d->idf[t] = log(1 + ((double)d->n - n + 0.5) / (n + 0.5));
    }
    total = weight(d, UINT64_MAX);
    for (size_t i = 0; i < d->n; i++) {
        sentence *s = &d->item[i];
        double news = s->n_other < NEWS_TERMS ? (s->n_other + 1) / (NEWS_TERMS + 1) : 1;
        double own, context;

        if (!s->terms || total <= 0)
            continue;
        own = weight(d, s->terms) / total;
        context = weight(d, s->context) / total;
        s->cover = own + GATE_CONTEXT * context;
        s->score = (own + CONTEXT_WEIGHT * context) * news / (1 + RANK_FALL * s->chunk) /
                   (1 + PLACE_FALL * s->place);
    }
}

static int by_score(const void *a, const void *b)
{
    const sentence *x = a;
    const sentence *y = b;

    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    if (x->chunk != y->chunk)
        return x->chunk < y->chunk ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b)
{
    const sentence *x = a;
    const sentence *y = b;

    if (x->chunk != y->chunk)
        return x->chunk < y->chunk ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* ---- the answer ---- */

static assay_slice text_of(const assay_source_chunk *chunk, const sentence *s)
{
    return (assay_slice){chunk[s->chunk].text.ptr + s->at.start, s->at.end - s->at.start};
}

/* The best few, the same words only once: chunks that overlap say things twice. */
static uint32_t choose(const desk *d, const assay_source_chunk *chunk, uint32_t most,
                       sentence *chosen)
{
    uint32_t n = 0;

    for (size_t i = 0; i < d->n && n < most; i++) {
        const sentence *s = &d->item[i];
        bool is_new = true;

        if (s->score <= 0 || s->score < NEAR_BEST * d->item[0].score)
            break;
        for (uint32_t j = 0; j < n; j++)
            is_new =
                is_new && !assay_slice_eq(text_of(chunk, s), text_of(chunk, &chosen[j]));
        if (is_new)
            chosen[n++] = *s;
    }
    return n;
}

/* On one line. */
static void put_sentence(assay_slice text, assay_buffer *out)
{
    for (size_t i = 0; i < text.len; i++) {
        bool is_space = assay_scan_is_space(text.ptr[i]);

        if (!is_space)
            assay_buffer_char(out, text.ptr[i]);
        else if (!assay_scan_is_space(text.ptr[i - 1]))
            assay_buffer_char(out, ' ');
    }
}

static bool write_answer(const assay_source_chunk *chunk, const sentence *s, uint32_t n,
                         assay_arena *arena, assay_answer *out)
{
    assay_citation *c = ASSAY_ARENA_ARRAY(arena, assay_citation, n);
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    bool ok = c != NULL;

    for (uint32_t i = 0; ok && i < n; i++) {
        const assay_source_chunk *from = &chunk[s[i].chunk];
        assay_buffer marker = ASSAY_BUFFER_EMPTY;

        assay_buffer_printf(&marker, "[#%u]", s[i].chunk + 1);
        c[i] = (assay_citation){
            .marker = assay_arena_copy(arena, assay_buffer_view(&marker)),
            .chunk = from->chunk,
            .doc = from->doc,
            .path = from->doc,
            .span = assay_unit_place(from, s[i].at.start, s[i].at.end)};
        if (i)
            assay_buffer_char(&text, ' ');
        put_sentence(text_of(chunk, &s[i]), &text);
        assay_buffer_char(&text, ' ');
        assay_buffer_slice(&text, assay_buffer_view(&marker));
        ok = c[i].marker.ptr && !marker.has_failed;
        assay_buffer_clear(&marker);
    }
    *out = (assay_answer){.text = assay_arena_copy(arena, assay_buffer_view(&text)),
                          .citation = c,
                          .n_citations = n,
                          .grounded = ASSAY_FLAG_YES,
                          .refusal_reason = ASSAY_LIT(""),
                          .model = ASSAY_LIT(""),
                          .prompt_tokens = -1,
                          .completion_tokens = -1,
                          .latency_ms = -1,
                          .cost = -1};
    ok = ok && !text.has_failed && out->text.ptr;
    assay_buffer_clear(&text);
    return ok;
}

static assay_status answer(void *worker, assay_slice query,
                           const assay_source_chunk *chunk, uint32_t n,
                           assay_arena *arena, assay_answer *out, assay_error *err)
{
    desk *d = worker;
    const assay_param_value *value = d->own->value;
    sentence chosen[MOST_SENTENCES];
    bool ok = true;

    n = n < value[CHUNKS].number ? n : (uint32_t)value[CHUNKS].number;
    d->n = 0;
    assay_arena_reset(&d->room);
    if (n)
        ok = read_query(d, query);
    for (uint32_t i = 0; ok && i < n; i++)
        ok = read_chunk(d, &chunk[i], i);
    if (!ok)
        return assay_fail_memory(err, "answering");
    if (!d->n) {
        *out = assay_refuse(query, ASSAY_REFUSED_NO_CHUNKS);
        return ASSAY_OK;
    }
    score_all(d);
    qsort(d->item, d->n, sizeof *d->item, by_score);
    if (d->item[0].score <= 0 || d->item[0].cover < value[THRESHOLD].number) {
        *out = assay_refuse(query, ASSAY_REFUSED_SCORE_GATE);
        return ASSAY_OK;
    }
    n = choose(d, chunk, (uint32_t)value[SENTENCES].number, chosen);
    qsort(chosen, n, sizeof *chosen, by_place);
    return write_answer(chunk, chosen, n, arena, out)
               ? ASSAY_OK
               : assay_fail_memory(err, "answering");
}

static assay_status show(void *worker, assay_slice query, const assay_source_chunk *chunk,
                         uint32_t n, assay_buffer *out, assay_error *err)
{
    const desk *d = worker;

    (void)query;
    for (uint32_t i = 0; i < n && i < d->own->value[CHUNKS].number; i++)
        assay_prompt_chunk(i + 1, &chunk[i], out);
    return out->has_failed ? assay_fail_memory(err, "showing the chunks") : ASSAY_OK;
}

/* ---- opening and closing ---- */

static void close_extract(void *state)
{
    assay_mem_free(state);
}

static assay_status open_extract(const assay_answer_settings *settings, void **state,
                                 assay_error *err)
{
    extract *own = ASSAY_NEW(extract);
    assay_status st = ASSAY_OK;

    if (!own)
        return assay_fail_memory(err, "opening an answerer");
    if (settings->argument.len)
        st = assay_fail(err, ASSAY_EUSAGE, "answerer 'extract' takes no argument '%.*s'",
                        ASSAY_QUOTE(settings->argument));
    if (!st)
        st = assay_params_read("answerer 'extract'", params, settings->params, own->value,
                               err);
    if (!st)
        st = assay_tokenizing_read(NULL, &own->tokenizing, err);
    if (st) {
        assay_mem_free(own);
        return st;
    }
    /* Only numbers: nothing points into the spelling. */
    for (size_t i = 0; i < N_PARAMS; i++)
        own->value[i].text = (assay_slice){"", 0};
    *state = own;
    return ASSAY_OK;
}

static void close_desk(void *worker)
{
    desk *d = worker;

    if (!d)
        return;
    assay_token_worker_free(d->tokens);
    assay_dict_clear(&d->term);
    assay_arena_clear(&d->room);
    assay_mem_free(d->item);
    assay_mem_free(d);
}

static assay_status open_desk(void *state, void **worker, assay_error *err)
{
    const extract *own = state;
    desk *d = ASSAY_NEW(desk);
    assay_status st;

    if (!d)
        return assay_fail_memory(err, "answering");
    d->own = own;
    st = assay_token_worker_new(&own->tokenizing, &d->tokens, err);
    if (st) {
        close_desk(d);
        return st;
    }
    *worker = d;
    return ASSAY_OK;
}

static void identify(const void *state, assay_buffer *out)
{
    const extract *own = state;

    assay_params_print("extract", params, own->value, out);
}

static const char *nothing(const void *state)
{
    (void)state;
    return "";
}

const assay_answerer assay_answerer_extract = {
    .name = "extract",
    .summary = "the sentences of the best chunks that share most with the query",
    .param = params,
    .open = open_extract,
    .worker = open_desk,
    .answer = answer,
    .context = show,
    .identity = identify,
    .model = nothing,
    .prompt = nothing,
    .worker_close = close_desk,
    .close = close_extract,
};
