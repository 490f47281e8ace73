/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/waterfall.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/slice.h"

static const struct {
    const char *key;
    const char *words;
} names[ASSAY_N_FALLS] = {
    {"unasked", "no result in the run"},
    {"failed", "failed"},
    {"not_in_corpus", "not in the corpus"},
    {"anchor_lost", "anchor lost"},
    {"evidence_split", "evidence split over chunks"},
    {"not_among_candidates", "not among the candidates"},
    {"lost_in_fusion", "lost in fusion"},
    {"ranked_below_k", "ranked below k"},
    {"cut_from_context", "cut from the context"},
    {"not_cited", "not cited"},
    {"answered_wrongly", "answered wrongly despite evidence"},
    {"wrongly_refused", "wrongly refused"},
    {"wrongly_answered", "wrongly answered"},
    {"came_through", "came through"},
    {"not_judged", "not judged"},
};

const char *assay_fall_words(assay_fall fall)
{
    return names[fall].words;
}

const char *assay_fall_key(assay_fall fall)
{
    return names[fall].key;
}

typedef struct falling {
    const assay_comparison *c;
    uint32_t side;
    const assay_fall_rules *rules;
    const assay_waterfall *out;
    assay_arena room; /* of one query */
    /* Columns of the scores, or ASSAY_NONE. */
    uint32_t citation_recall;
    uint32_t groundedness;
    uint32_t answer_f1;
    uint32_t refusal;
    uint32_t over_refusal;
    bool has_citations; /* some answer of the run cites something */
} falling;

/* One query on its way. */
typedef struct query_view {
    uint32_t at; /* in the core */
    const assay_golden *golden;
    const assay_query *query;
    const assay_found *found;
    assay_result result; /* zeroed where there is none */
} query_view;

/* ---- documents and anchors ---- */

static bool is_relevant(const assay_judgment *j)
{
    return j->grade > 0;
}

/* Without a corpus a judgment of a bare document is lost only with the document. */
static bool doc_is_gone(const falling *f, const query_view *v, const assay_judgment *j)
{
    bool is_bare = !j->quote.len && !j->place && j->heading == ASSAY_NONE;

    if (j->doc == ASSAY_NONE)
        return false;
    if (f->rules->has_doc)
        return !f->rules->has_doc(f->rules->ctx, v->golden->docs.word[j->doc]);
    return j->stale == ASSAY_STALE_LOST && is_bare;
}

/* Where nothing of what was judged is left; ASSAY_FALL_NONE: something is. */
static assay_fall fall_of_judgments(const falling *f, const query_view *v)
{
    uint32_t n = 0;
    uint32_t n_gone = 0;
    uint32_t n_lost = 0;

    for (uint32_t i = 0; i < v->query->n_judgments; i++) {
        const assay_judgment *j = &v->query->judgment[i];

        if (!is_relevant(j))
            continue;
        n++;
        if (doc_is_gone(f, v, j))
            n_gone++;
        else if (j->stale == ASSAY_STALE_LOST)
            n_lost++;
    }
    if (!n || n_gone + n_lost < n)
        return ASSAY_FALL_NONE;
    return n_lost ? ASSAY_FALL_NO_ANCHOR : ASSAY_FALL_NO_DOC;
}

/* ---- evidence ---- */

static const assay_hit *hit_at(const query_view *v, uint32_t pos)
{
    return v->result.hit && pos < v->found->n_hits ? &v->result.hit[v->found->order[pos]]
                                                   : NULL;
}

/* Bytes of a judgment's evidence that the first k hits hold together. */
static bool held_within(falling *f, const query_view *v, const assay_judgment *j,
                        uint32_t k, uint64_t *out)
{
    assay_slice doc = v->golden->docs.word[j->doc];
    size_t n_spans = 0;
    assay_span *span;
    size_t n = 0;

    for (uint32_t pos = 0; pos < k && pos < v->found->n_hits; pos++)
        if (assay_slice_eq(hit_at(v, pos)->doc, doc))
            n_spans += hit_at(v, pos)->n_spans;
    span = ASSAY_ARENA_ARRAY(&f->room, assay_span, n_spans + 1);
    if (!span)
        return false;
    for (uint32_t pos = 0; pos < k && pos < v->found->n_hits; pos++) {
        const assay_hit *h = hit_at(v, pos);

        if (!assay_slice_eq(h->doc, doc) || !h->n_spans)
            continue;
        memcpy(span + n, h->span, h->n_spans * sizeof *span);
        n += h->n_spans;
    }
    n = assay_span_union(span, n);
    *out = assay_span_shared(span, n, j->span, j->n_spans);
    return true;
}

/* At the level of evidence: whether some anchor is covered within k, or only touched. */
static bool look_at_evidence(falling *f, const query_view *v, bool *is_covered,
                             bool *is_touched)
{
    *is_covered = *is_touched = false;
    for (uint32_t i = 0; i < v->query->n_judgments; i++) {
        const assay_judgment *j = &v->query->judgment[i];
        uint64_t held;

        if (!is_relevant(j) || !assay_judgment_is_evidence(j))
            continue;
        if (!held_within(f, v, j, f->out->k, &held))
            return false;
        *is_touched |= held > 0;
        *is_covered |= held && 2 * held >= assay_span_bytes(j->span, j->n_spans);
    }
    return true;
}

/* ---- candidates ---- */

/* The best rank that the recognised hits had in any leg; 0 = there are no legs. */
static uint32_t best_leg(const query_view *v)
{
    uint32_t best = 0;

    for (uint32_t i = 0; v->found->rank && i < v->query->n_judgments; i++) {
        const assay_hit *h = v->found->rank[i] ? hit_at(v, v->found->rank[i] - 1) : NULL;

        for (uint32_t leg = 0; h && leg < h->n_legs; leg++)
            if (h->leg[leg].rank && (!best || h->leg[leg].rank < best))
                best = h->leg[leg].rank;
    }
    return best;
}

/* Why it is not within k. */
static assay_fall fall_of_ranking(const falling *f, const query_view *v)
{
    uint32_t leg;

    if (!v->found->first)
        return ASSAY_FALL_NOT_FOUND;
    leg = best_leg(v);
    return leg && leg <= f->out->k ? ASSAY_FALL_FUSION : ASSAY_FALL_BELOW_K;
}

static bool fall_of_hits(falling *f, const query_view *v, assay_fall *out)
{
    bool by_bytes = f->c->level == ASSAY_LEVEL_EVIDENCE && v->result.hit;
    bool is_within = v->found->first && v->found->first <= f->out->k;
    bool is_touched = false;

    if (by_bytes && !look_at_evidence(f, v, &is_within, &is_touched))
        return false;
    if (!is_within)
        *out = is_touched ? ASSAY_FALL_SPLIT : fall_of_ranking(f, v);
    else if (f->out->has_answers && v->found->first > f->out->context)
        *out = ASSAY_FALL_CONTEXT;
    else
        *out = ASSAY_FALL_NONE;
    return true;
}

/* ---- answers ---- */

static double score(const falling *f, const query_view *v, uint32_t column)
{
    return column == ASSAY_NONE
               ? (double)NAN
               : *assay_scores_cell(f->c->scores[f->side], v->at, column);
}

/* Of a query whose evidence the answerer had. */
static assay_fall fall_of_answer(const falling *f, const query_view *v)
{
    double grounded = score(f, v, f->groundedness);

    if (score(f, v, f->over_refusal) > 0)
        return ASSAY_FALL_REFUSED;
    if (f->has_citations && score(f, v, f->citation_recall) <= 0)
        return ASSAY_FALL_NOT_CITED;
    if (grounded <= 0 || (isnan(grounded) && score(f, v, f->answer_f1) < 0.5))
        return ASSAY_FALL_WRONG;
    return ASSAY_FALL_NONE;
}

/* ---- one query ---- */

static assay_fall fall_of_refusal(const falling *f, const query_view *v)
{
    double refused = score(f, v, f->refusal);

    if (isnan(refused))
        return ASSAY_FALL_UNJUDGED;
    return refused > 0 ? ASSAY_FALL_NONE : ASSAY_FALL_SPOKE;
}

static bool fall_one(falling *f, const query_view *v, assay_fall *out)
{
    bool is_stale = v->query->label == ASSAY_LABEL_STALE;

    if (v->query->label == ASSAY_LABEL_SHOULD_REFUSE) {
        *out = fall_of_refusal(f, v);
        return true;
    }
    *out = ASSAY_FALL_UNJUDGED;
    if (!is_stale && v->query->label != ASSAY_LABEL_LABELLED)
        return true;
    *out = fall_of_judgments(f, v);
    if (*out != ASSAY_FALL_NONE)
        return true;
    if (!v->found->is_judged) {
        *out = ASSAY_FALL_UNJUDGED;
        return true;
    }
    if (v->found->is_missing || v->found->is_failed) {
        *out = v->found->is_missing ? ASSAY_FALL_UNASKED : ASSAY_FALL_FAILED;
        return true;
    }
    if (!fall_of_hits(f, v, out))
        return false;
    if (*out == ASSAY_FALL_NONE && f->out->has_answers && v->result.answer)
        *out = fall_of_answer(f, v);
    return true;
}

static assay_status look(falling *f, uint32_t at, assay_fall *out, assay_error *err)
{
    const assay_compare_side *side = &f->c->side[f->side];
    query_view v = {.at = at,
                    .golden = side->golden,
                    .query = &side->golden->query[f->c->core.query[f->side][at]],
                    .found = &f->c->found[f->side][at]};
    uint32_t result = assay_dict_find(&side->run->ids, v.query->id);
    assay_status st = ASSAY_OK;

    assay_arena_reset(&f->room);
    if (result != ASSAY_NONE)
        st = assay_run_result(side->run, result, &f->room, &v.result, err);
    if (!st && !fall_one(f, &v, out))
        st = assay_fail_memory(err, "finding out where queries are lost");
    return st;
}

static bool cites(const assay_run *run)
{
    for (uint32_t i = 0; run->result && i < run->n_results; i++)
        if (run->result[i].answer && run->result[i].answer->n_citations)
            return true;
    return false;
}

assay_status assay_waterfall_make(const assay_comparison *c, uint32_t side,
                                  const assay_fall_rules *rules, assay_arena *arena,
                                  assay_waterfall *out, assay_error *err)
{
    const assay_scores *s = c->scores[side];
    assay_waterfall w = {.k = rules->k ? rules->k : c->depth};
    falling f = {.c = c,
                 .side = side,
                 .rules = rules,
                 .out = &w,
                 .citation_recall = assay_scores_column(s, "citation_recall"),
                 .groundedness = assay_scores_column(s, "groundedness"),
                 .answer_f1 = assay_scores_column(s, "answer_f1"),
                 .refusal = assay_scores_column(s, "refusal_correctness"),
                 .over_refusal = assay_scores_column(s, "over_refusal_rate"),
                 .has_citations = cites(c->side[side].run)};
    assay_status st = ASSAY_OK;

    w.k = w.k ? w.k : c->side[side].run->depth;
    w.context = rules->context ? rules->context : w.k;
    w.has_answers = c->side[side].run->has_answers;
    w.fall = ASSAY_ARENA_ARRAY(arena, assay_fall, c->core.n + 1);
    if (!w.fall)
        return assay_fail_memory(err, "finding out where queries are lost");
    for (uint32_t i = 0; !st && i < c->core.n; i++) {
        st = look(&f, i, &w.fall[i], err);
        w.n_fall[w.fall[i]]++;
        w.n += w.fall[i] != ASSAY_FALL_UNJUDGED;
    }
    assay_arena_clear(&f.room);
    if (!st)
        *out = w;
    return st;
}
