/* SPDX-License-Identifier: Apache-2.0 */
/* What became of an answer: other words, a refusal more or less, citations gained and
 * lost, groundedness flipped. */
#include <stdlib.h>

#include "base/buffer.h"
#include "base/slice.h"
#include "compare/compare.h"
#include "metric/answered.h"

bool assay_answer_has_changed(const assay_answer_change *c)
{
    return c->is_text_changed || c->has_a != c->has_b || c->refused_a != c->refused_b ||
           c->grounded_a != c->grounded_b || c->n_lost || c->n_gained;
}

/* ---- citations ---- */

/* What a citation points at: the chunk, else the document with its place. */
static bool name_of(const assay_citation *c, bool by_docs, assay_arena *arena,
                    assay_slice *out)
{
    assay_slice doc = c->doc.len ? c->doc : c->path;
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    if (by_docs && doc.len) {
        *out = doc;
        return true;
    }
    if (c->chunk.len) {
        *out = c->chunk;
        return true;
    }
    assay_buffer_slice(&b, doc.len ? doc : c->marker);
    if (c->span.end)
        assay_buffer_printf(&b, " [%llu, %llu)", (unsigned long long)c->span.start,
                            (unsigned long long)c->span.end);
    else if (c->lines.end)
        assay_buffer_printf(&b, ":%llu-%llu", (unsigned long long)c->lines.start,
                            (unsigned long long)c->lines.end);
    *out = assay_arena_copy(arena, assay_buffer_view(&b));
    if (b.has_failed)
        out->ptr = NULL;
    assay_buffer_clear(&b);
    return out->ptr != NULL;
}

static int by_bytes(const void *a, const void *b)
{
    return assay_slice_cmp(*(const assay_slice *)a, *(const assay_slice *)b);
}

typedef struct names {
    assay_slice *item; /* in byte order, each once */
    uint32_t n;
} names;

static bool list_citations(const assay_answer *answer, bool by_docs, assay_arena *arena,
                           names *out)
{
    uint32_t kept = 0;

    *out = (names){NULL, 0};
    if (!answer || !answer->n_citations)
        return true;
    out->item = ASSAY_ARENA_ARRAY(arena, assay_slice, answer->n_citations);
    if (!out->item)
        return false;
    for (uint32_t i = 0; i < answer->n_citations; i++)
        if (!name_of(&answer->citation[i], by_docs, arena, &out->item[i]))
            return false;
    qsort(out->item, answer->n_citations, sizeof *out->item, by_bytes);
    for (uint32_t i = 0; i < answer->n_citations; i++)
        if (!kept || !assay_slice_eq(out->item[kept - 1], out->item[i]))
            out->item[kept++] = out->item[i];
    out->n = kept;
    return true;
}

/* Those of `one` that `other` has not. */
static bool subtract(const names *one, const names *other, assay_arena *arena,
                     assay_slice **out, uint32_t *n)
{
    uint32_t j = 0;

    *n = 0;
    *out = ASSAY_ARENA_ARRAY(arena, assay_slice, one->n + 1);
    if (!*out)
        return false;
    for (uint32_t i = 0; i < one->n; i++) {
        while (j < other->n && assay_slice_cmp(other->item[j], one->item[i]) < 0)
            j++;
        if (j == other->n || !assay_slice_eq(other->item[j], one->item[i]))
            (*out)[(*n)++] = one->item[i];
    }
    return true;
}

/* ---- the answer ---- */

static bool look(const assay_query *query, const assay_result *result,
                 const assay_conventions *c, assay_answered *out)
{
    static const assay_known nothing;
    static const assay_grades none;
    assay_answering room = {0};
    const assay_answer_view view = {
        .query = query,
        .result = result,
        .known = &nothing,
        .rules = {.refused_is_ungrounded = c->refused_is_ungrounded,
                  .no_docs_should_refuse = c->no_docs_should_refuse,
                  .strings_are_bytes = c->strings_are_bytes,
                  .grounds_should_refuse = c->grounds_should_refuse,
                  .path_resolves = c->path_resolves},
        .level = ASSAY_LEVEL_DOC,
        .threshold = 1,
        .grades = &none,
    };
    bool is_done = assay_answered_build(&room, &view, out);

    assay_answering_clear(&room);
    return is_done;
}

static assay_flag grounded(const assay_answered *a)
{
    if (!a->has_answer || !a->has_strings)
        return ASSAY_FLAG_UNKNOWN;
    return a->n_missing || a->n_forbidden ? ASSAY_FLAG_NO : ASSAY_FLAG_YES;
}

static const assay_answer *answer_of(const assay_result *r)
{
    return r && !r->error.len ? r->answer : NULL;
}

bool assay_answers_compare(const assay_answer_pair *pair, assay_arena *arena,
                           const assay_answer_change **out)
{
    const assay_answer *x = answer_of(pair->a);
    const assay_answer *y = answer_of(pair->b);
    assay_answer_change *c;
    assay_answered view_a;
    assay_answered view_b;
    names cited_a;
    names cited_b;

    *out = NULL;
    if (!x && !y)
        return true;
    c = ASSAY_ARENA_ARRAY(arena, assay_answer_change, 1);
    if (!c || !look(pair->query, pair->a, pair->conventions, &view_a) ||
        !look(pair->query, pair->b, pair->conventions, &view_b) ||
        !list_citations(x, pair->by_docs, arena, &cited_a) ||
        !list_citations(y, pair->by_docs, arena, &cited_b))
        return false;
    *c = (assay_answer_change){
        .has_a = view_a.has_answer,
        .has_b = view_b.has_answer,
        .is_text_changed = x && y && !assay_slice_eq(x->text, y->text),
        .refused_a = view_a.has_answer && view_a.has_refused,
        .refused_b = view_b.has_answer && view_b.has_refused,
        .should_refuse = view_a.should_refuse,
        .grounded_a = grounded(&view_a),
        .grounded_b = grounded(&view_b),
    };
    *out = c;
    return subtract(&cited_a, &cited_b, arena, &c->lost, &c->n_lost) &&
           subtract(&cited_b, &cited_a, arena, &c->gained, &c->n_gained);
}
