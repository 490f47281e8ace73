/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a case that is about the answer: a query, a result, and what exists.  Chunk
 * ids stand for everything that can be cited; other kinds of citations are tested in
 * tests/unit/test_answered.c. */
#ifndef CASE_ANSWERS_H
#define CASE_ANSWERS_H

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/slice.h"
#include "metric/answered.h"

enum { MOST_STRINGS = 32 };

typedef struct answer_scene {
    bool is_there;   /* some line was about the answer or the time */
    bool is_missing; /* the run lacks the query */
    assay_query query;
    assay_result result;
    assay_answer answer;
    assay_answer_rules rules;
    assay_slice must[MOST_STRINGS];
    assay_slice any[MOST_STRINGS];
    assay_strings group;
    assay_slice forbidden[MOST_STRINGS];
    assay_hit hit[MOST_STRINGS];
    assay_citation citation[MOST_STRINGS];
    assay_slice relevant[MOST_STRINGS];
    int32_t grade[MOST_STRINGS];
    uint32_t n_relevant;
} answer_scene;

static inline void answer_start(answer_scene *s)
{
    memset(s, 0, sizeof *s);
    s->result.elapsed_ms = -1;
    s->answer = (assay_answer){
        .prompt_tokens = -1, .completion_tokens = -1, .latency_ms = -1, .cost = -1};
    s->query.label = ASSAY_LABEL_LABELLED;
    s->query.must_contain.item = s->must;
    s->query.forbidden.item = s->forbidden;
    s->query.any_of = &s->group;
    s->group.item = s->any;
    s->result.hit = s->hit;
    s->answer.citation = s->citation;
}

static void add_string(assay_slice *item, uint32_t *n, assay_slice text)
{
    if (*n < MOST_STRINGS)
        item[(*n)++] = text;
}

static void set_answer(answer_scene *s, assay_slice text)
{
    s->answer.text = text;
    s->result.answer = &s->answer;
}

static void set_must(answer_scene *s, assay_slice text)
{
    add_string(s->must, &s->query.must_contain.n, text);
}

static void set_any(answer_scene *s, assay_slice text)
{
    s->query.n_any_of = 1;
    add_string(s->any, &s->group.n, text);
}

static void set_forbidden(answer_scene *s, assay_slice text)
{
    add_string(s->forbidden, &s->query.forbidden.n, text);
}

static void set_expected(answer_scene *s, assay_slice text)
{
    s->query.expected_answer = text;
    s->query.has_expected_answer = true;
}

static void set_reason(answer_scene *s, assay_slice text)
{
    s->answer.refusal_reason = text;
}

static void set_grounded(answer_scene *s, assay_slice text)
{
    s->answer.grounded = assay_slice_is(text, "yes") ? ASSAY_FLAG_YES : ASSAY_FLAG_NO;
}

static void set_label(answer_scene *s, assay_slice text)
{
    s->query.label = assay_slice_is(text, "refuse")     ? ASSAY_LABEL_SHOULD_REFUSE
                     : assay_slice_is(text, "negative") ? ASSAY_LABEL_NEGATIVE
                                                        : ASSAY_LABEL_UNLABELLED;
}

static void set_chunk(answer_scene *s, assay_slice text)
{
    if (s->result.n_hits < MOST_STRINGS)
        s->hit[s->result.n_hits++] = (assay_hit){.chunk = text};
}

static void set_cites(answer_scene *s, assay_slice text)
{
    if (s->answer.n_citations < MOST_STRINGS)
        s->citation[s->answer.n_citations++] = (assay_citation){.chunk = text};
}

static void set_relevant(answer_scene *s, assay_slice text)
{
    s->grade[s->n_relevant] = 1;
    add_string(s->relevant, &s->n_relevant, text);
}

static void set_error(answer_scene *s, assay_slice text)
{
    s->result.error = text;
}

static void set_missing(answer_scene *s, assay_slice text)
{
    (void)text;
    s->is_missing = true;
}

static void set_kebab(answer_scene *s, assay_slice text)
{
    (void)text;
    s->rules = (assay_answer_rules){.refused_is_ungrounded = true,
                                    .no_docs_should_refuse = true,
                                    .strings_are_bytes = true,
                                    .grounds_should_refuse = true,
                                    .path_resolves = true};
}

static void set_elapsed(answer_scene *s, assay_slice text)
{
    s->result.elapsed_ms = strtod(text.ptr, NULL);
}

static void set_prompt(answer_scene *s, assay_slice text)
{
    s->answer.prompt_tokens = strtol(text.ptr, NULL, 10);
}

static void set_completion(answer_scene *s, assay_slice text)
{
    s->answer.completion_tokens = strtol(text.ptr, NULL, 10);
}

static void set_price(answer_scene *s, assay_slice text)
{
    s->answer.cost = strtod(text.ptr, NULL);
}

/* Takes the line `word rest` if it is about answers; `rest` must outlive the scene. */
static inline bool answer_line(answer_scene *s, assay_slice word, assay_slice rest)
{
    static const struct {
        const char *word;
        void (*set)(answer_scene *s, assay_slice text);
    } words[] = {
        {"answer", set_answer},
        {"must_contain", set_must},
        {"any_of", set_any},
        {"forbidden", set_forbidden},
        {"expected", set_expected},
        {"refusal_reason", set_reason},
        {"grounded", set_grounded},
        {"label", set_label},
        {"chunk", set_chunk},
        {"cites", set_cites},
        {"relevant", set_relevant},
        {"error", set_error},
        {"missing", set_missing},
        {"kebab", set_kebab},
        {"elapsed", set_elapsed},
        {"prompt", set_prompt},
        {"completion", set_completion},
        {"price", set_price},
    };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!assay_slice_is(word, words[i].word))
            continue;
        s->is_there = true;
        words[i].set(s, assay_slice_trim(rest));
        return true;
    }
    return false;
}

/* Look everything up.  False: no memory. */
static inline bool answer_build(const answer_scene *s, int32_t threshold,
                                assay_arena *arena, assay_answered *out)
{
    static assay_answering answering;
    assay_known known = {0};
    assay_grades grades;
    assay_judgment judged = {.doc = 0, .chunk = ASSAY_NONE, .grade = 1};
    assay_query query = s->query;
    assay_answer_view view = {.query = &query,
                              .result = s->is_missing ? NULL : &s->result,
                              .known = &known,
                              .rules = s->rules,
                              .level = ASSAY_LEVEL_CHUNK,
                              .threshold = threshold,
                              .grades = &grades};
    bool is_done;

    /* The answer view reads judgments only to see whether something is relevant. */
    query.judgment = &judged;
    query.n_judgments = s->n_relevant ? 1 : 0;
    is_done =
        assay_grades_build(&grades, arena, s->relevant, s->grade, s->n_relevant, NULL) &&
        assay_known_add_hits(&known, s->hit, s->result.n_hits);
    assay_known_finish(&known);
    is_done = is_done && assay_answered_build(&answering, &view, out);
    assay_known_clear(&known);
    assay_answering_clear(&answering);
    return is_done;
}

#endif
