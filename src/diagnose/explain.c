/* SPDX-License-Identifier: Apache-2.0 */
/* One query in two runs.  A clue is a fact that can be seen in the runs, their golden sets
 * or the corpus; whether it is the cause is for the reader to say. */
#include "diagnose/explain.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/slice.h"

/* ---- the runs as a whole ---- */

static bool list_docs(const assay_run *run, assay_dict *out)
{
    uint32_t number;

    for (uint32_t i = 0; run->result && i < run->n_results; i++)
        for (uint32_t h = 0; h < run->result[i].n_hits; h++)
            if (run->result[i].hit[h].doc.len &&
                !assay_dict_put(out, NULL, run->result[i].hit[h].doc, &number, NULL))
                return false;
    return true;
}

assay_status assay_explainer_open(assay_explainer *explainer, const assay_comparison *c,
                                  const assay_run_pair *pair, uint32_t k,
                                  assay_error *err)
{
    *explainer = (assay_explainer){.c = c,
                                   .pair = pair,
                                   .k = k          ? k
                                        : c->depth ? c->depth
                                                   : 10,
                                   .shown = 10};
    if (list_docs(c->side[0].run, &explainer->docs_a) &&
        list_docs(c->side[pair->side].run, &explainer->docs_b))
        return ASSAY_OK;
    assay_explainer_close(explainer);
    return assay_fail_memory(err, "explaining a comparison");
}

void assay_explainer_close(assay_explainer *explainer)
{
    assay_dict_clear(&explainer->docs_a);
    assay_dict_clear(&explainer->docs_b);
}

/* ---- one query ---- */

/* A run's ranking of it. */
typedef struct ranking {
    const assay_golden *golden;
    const assay_query *query;
    assay_found found; /* a's is in the order of b's judgments */
    assay_result result;
} ranking;

typedef struct explaining {
    const assay_explainer *e;
    ranking a;
    ranking b;
    assay_arena *arena;
    assay_explanation *out;
} explaining;

static assay_status load(const explaining *x, uint32_t side, uint32_t at, ranking *out,
                         assay_error *err)
{
    const assay_comparison *c = x->e->c;
    const assay_compare_side *s = &c->side[side];
    uint32_t result;

    *out = (ranking){.golden = s->golden,
                     .query = &s->golden->query[c->core.query[side][at]],
                     .found = c->found[side][at]};
    result = assay_dict_find(&s->run->ids, out->query->id);
    return result == ASSAY_NONE
               ? ASSAY_OK
               : assay_run_result(s->run, result, x->arena, &out->result, err);
}

static uint32_t n_hits(const ranking *r)
{
    return r->result.hit && r->found.order ? r->found.n_hits : 0;
}

static const assay_hit *hit_at(const ranking *r, uint32_t rank)
{
    return rank && rank <= n_hits(r) ? &r->result.hit[r->found.order[rank - 1]] : NULL;
}

/* ---- rank by rank ---- */

static assay_slice id_of(const assay_hit *h)
{
    return h->chunk.len ? h->chunk : h->doc;
}

static uint64_t shared_bytes(const assay_hit *a, const assay_hit *b)
{
    if (!a->n_spans || !b->n_spans || !assay_slice_eq(a->doc, b->doc))
        return 0;
    return assay_span_shared(a->span, a->n_spans, b->span, b->n_spans);
}

/* Where the other run has this hit: by id; across chunkers the hit that shares most bytes
 * with it, or, where nobody knows bytes, the first of its document. */
static uint32_t rank_of(const explaining *x, const ranking *other, const assay_hit *h)
{
    bool by_bytes = x->e->c->matching.match != ASSAY_MATCH_EXACT;
    uint64_t most = 0;
    uint32_t best = 0;

    for (uint32_t rank = 1; rank <= n_hits(other); rank++) {
        const assay_hit *o = hit_at(other, rank);
        uint64_t shared = by_bytes ? shared_bytes(h, o) : 0;

        if (!by_bytes && assay_slice_eq(id_of(h), id_of(o)))
            return rank;
        if (by_bytes && !h->n_spans && assay_slice_eq(h->doc, o->doc))
            return rank;
        if (shared > most) {
            most = shared;
            best = rank;
        }
    }
    return best;
}

static bool is_first_find(const ranking *r, uint32_t rank)
{
    for (uint32_t i = 0; rank && r->found.rank && i < r->query->n_judgments; i++)
        if (r->found.rank[i] == rank)
            return true;
    return false;
}

static void add_hit(explaining *x, uint32_t rank_a, uint32_t rank_b)
{
    const assay_hit *a = hit_at(&x->a, rank_a);
    const assay_hit *b = hit_at(&x->b, rank_b);

    x->out->hit[x->out->n_hits++] = (assay_moved_hit){
        .id = id_of(b ? b : a),
        .doc = b ? b->doc : a->doc,
        .rank_a = rank_a,
        .rank_b = rank_b,
        .a = a,
        .b = b,
        .is_relevant = is_first_find(&x->a, rank_a) || is_first_find(&x->b, rank_b)};
}

static bool is_listed(const explaining *x, uint32_t rank_a)
{
    for (uint32_t i = 0; i < x->out->n_hits; i++)
        if (x->out->hit[i].rank_a == rank_a)
            return true;
    return false;
}

static int by_rank(const void *p, const void *q)
{
    const assay_moved_hit *x = p;
    const assay_moved_hit *y = q;
    uint32_t b_x = x->rank_b ? x->rank_b : UINT32_MAX;
    uint32_t b_y = y->rank_b ? y->rank_b : UINT32_MAX;

    if (b_x != b_y)
        return b_x < b_y ? -1 : 1;
    return (x->rank_a > y->rank_a) - (x->rank_a < y->rank_a);
}

static bool is_shown(const explaining *x, const ranking *r, uint32_t rank)
{
    return rank <= x->e->shown || is_first_find(r, rank);
}

static bool list_hits(explaining *x)
{
    size_t most = (size_t)n_hits(&x->a) + n_hits(&x->b) + 1;

    x->out->hit = ASSAY_ARENA_ARRAY(x->arena, assay_moved_hit, most);
    if (!x->out->hit)
        return false;
    for (uint32_t rank = 1; rank <= n_hits(&x->b); rank++)
        if (is_shown(x, &x->b, rank))
            add_hit(x, rank_of(x, &x->a, hit_at(&x->b, rank)), rank);
    for (uint32_t rank = 1; rank <= n_hits(&x->a); rank++)
        if (is_shown(x, &x->a, rank) && !is_listed(x, rank))
            add_hit(x, rank, rank_of(x, &x->b, hit_at(&x->a, rank)));
    if (x->out->n_hits > 1)
        qsort(x->out->hit, x->out->n_hits, sizeof *x->out->hit, by_rank);
    return true;
}

/* ---- scores ---- */

static assay_score_edge edge_of(const ranking *r, uint32_t k)
{
    const assay_hit *last = hit_at(r, k);
    const assay_hit *next = hit_at(r, k + 1);
    assay_score_edge e = {0};

    if (!last || !next || !last->has_score || !next->has_score)
        return e;
    e = (assay_score_edge){.is_known = true,
                           .last = last->score,
                           .next = next->score,
                           .is_tied = last->score == next->score,
                           .tied_from = k,
                           .tied_to = k};
    while (e.tied_from > 1 && hit_at(r, e.tied_from - 1)->score == last->score)
        e.tied_from--;
    while (hit_at(r, e.tied_to + 1) && hit_at(r, e.tied_to + 1)->score == last->score)
        e.tied_to++;
    return e;
}

/* ---- clues ---- */

/* Queries with hundreds of judgments are told by their first ones. */
enum { CLUES_MOST = 8 };

static bool clue_text(explaining *x, const char *text)
{
    return assay_notes_add(&x->out->clues, x->arena, "%s", text);
}

static unsigned long long first_byte(const assay_span *span)
{
    return (unsigned long long)span[0].start;
}

static unsigned long long last_byte(const assay_span *span, uint32_t n)
{
    return (unsigned long long)span[n - 1].end;
}

/* Documents that are gone, or whose evidence moved. */
static bool clue_document(explaining *x, uint32_t i)
{
    const assay_judgment *a = &x->a.query->judgment[i < x->a.query->n_judgments ? i : 0];
    const assay_judgment *b = &x->b.query->judgment[i];
    bool is_one_set = x->a.golden == x->b.golden;
    assay_slice doc;

    if (b->doc == ASSAY_NONE)
        return true;
    doc = x->b.golden->docs.word[b->doc];
    if (x->e->has_doc && !x->e->has_doc(x->e->ctx, doc))
        return assay_notes_add(&x->out->clues, x->arena,
                               "document '%.*s' is not in the corpus", ASSAY_QUOTE(doc));
    if (x->e->docs_b.n && assay_dict_find(&x->e->docs_a, doc) != ASSAY_NONE &&
        assay_dict_find(&x->e->docs_b, doc) == ASSAY_NONE)
        return assay_notes_add(&x->out->clues, x->arena,
                               "document '%.*s' is in no hit of run %s for any query: "
                               "removed, or not retrieved any more",
                               ASSAY_QUOTE(doc), assay_side_letter(x->e->pair->side));
    if (is_one_set || !a->n_spans || !b->n_spans ||
        x->a.query->n_judgments != x->b.query->n_judgments ||
        (a->span[0].start == b->span[0].start &&
         a->span[a->n_spans - 1].end == b->span[b->n_spans - 1].end))
        return true;
    return assay_notes_add(&x->out->clues, x->arena,
                           "document '%.*s' has changed: the evidence stood at bytes "
                           "%llu-%llu and stands at %llu-%llu",
                           ASSAY_QUOTE(doc), first_byte(a->span),
                           last_byte(a->span, a->n_spans), first_byte(b->span),
                           last_byte(b->span, b->n_spans));
}

/* The hit of `r` that holds most of a judgment's bytes; 0 = none does. */
static uint32_t nearest(const ranking *r, const assay_judgment *j, uint64_t *shared)
{
    assay_slice doc = r->golden->docs.word[j->doc];
    uint32_t best = 0;

    *shared = 0;
    for (uint32_t rank = 1; rank <= n_hits(r); rank++) {
        const assay_hit *h = hit_at(r, rank);
        uint64_t held = h->n_spans && assay_slice_eq(h->doc, doc)
                            ? assay_span_shared(h->span, h->n_spans, j->span, j->n_spans)
                            : 0;

        if (held > *shared) {
            *shared = held;
            best = rank;
        }
    }
    return best;
}

/* Chunks that hold the evidence were cut elsewhere. */
static bool clue_boundary(explaining *x, uint32_t i)
{
    const assay_judgment *j = &x->b.query->judgment[i];
    uint64_t held_a;
    uint64_t held_b;
    uint32_t rank_a;
    uint32_t rank_b;
    const assay_hit *a;
    const assay_hit *b;

    if (x->e->c->matching.match == ASSAY_MATCH_EXACT || !assay_judgment_is_evidence(j) ||
        x->a.golden != x->b.golden)
        return true;
    rank_a = nearest(&x->a, j, &held_a);
    rank_b = nearest(&x->b, j, &held_b);
    a = hit_at(&x->a, rank_a);
    b = hit_at(&x->b, rank_b);
    if (!a || !b ||
        (a->span[0].start == b->span[0].start &&
         a->span[a->n_spans - 1].end == b->span[b->n_spans - 1].end))
        return true;
    return assay_notes_add(
        &x->out->clues, x->arena,
        "chunk boundary moved: a has %.0f %% of the evidence in bytes %llu-%llu (rank %u), "
        "%s %.0f %% in %llu-%llu (rank %u)",
        100.0 * (double)held_a / (double)assay_span_bytes(j->span, j->n_spans),
        first_byte(a->span), last_byte(a->span, a->n_spans), rank_a,
        assay_side_letter(x->e->pair->side),
        100.0 * (double)held_b / (double)assay_span_bytes(j->span, j->n_spans),
        first_byte(b->span), last_byte(b->span, b->n_spans), rank_b);
}

static const assay_leg_place *leg_of(const assay_hit *h, assay_slice name)
{
    for (uint32_t i = 0; h && i < h->n_legs; i++)
        if (assay_slice_eq(h->leg[i].name, name))
            return &h->leg[i];
    return NULL;
}

static void put_leg_rank(assay_buffer *b, const assay_leg_place *leg)
{
    if (leg && leg->rank)
        assay_buffer_printf(b, "%u", leg->rank);
    else
        assay_buffer_text(b, "—");
}

/* Where the hit stood in the legs of a fusion. */
static bool clue_legs(explaining *x, uint32_t rank_a, uint32_t rank_b)
{
    const assay_hit *a = hit_at(&x->a, rank_a);
    const assay_hit *b = hit_at(&x->b, rank_b);
    const assay_hit *with = b && b->n_legs ? b : a;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    bool is_done;

    if (!with || !with->n_legs)
        return true;
    for (uint32_t i = 0; i < with->n_legs; i++) {
        assay_slice name = with->leg[i].name;

        assay_buffer_printf(&text, "%s%.*s ",
                            i ? ", " : "rank in the legs: ", ASSAY_QUOTE(name));
        put_leg_rank(&text, leg_of(a, name));
        assay_buffer_text(&text, "→");
        put_leg_rank(&text, leg_of(b, name));
    }
    assay_buffer_char(&text, '\0');
    is_done = !text.has_failed && clue_text(x, text.ptr);
    assay_buffer_clear(&text);
    return is_done;
}

/* How far a hit is from the cutoff. */
static bool clue_score(explaining *x, const ranking *r, uint32_t rank, uint32_t judgment,
                       const char *run)
{
    const assay_judgment *j = &x->b.query->judgment[judgment];
    assay_slice name;

    const assay_hit *h = hit_at(r, rank);
    const assay_hit *edge = hit_at(r, x->e->k);

    if (!h || !edge || rank <= x->e->k || !h->has_score || !edge->has_score)
        return true;
    if (!assay_judgment_name(x->b.golden, j, x->e->c->level, x->arena, &name))
        return false;
    return assay_notes_add(
        &x->out->clues, x->arena, "%s has `%.*s` at rank %u with %g, %g below rank %u",
        run, ASSAY_QUOTE(name), rank, h->score, edge->score - h->score, x->e->k);
}

static bool clue_tie(explaining *x, const assay_score_edge *e, const char *name)
{
    if (!e->is_tied)
        return true;
    return assay_notes_add(&x->out->clues, x->arena,
                           "ranks %u to %u of %s are tied at %g across the cutoff: ids "
                           "decided",
                           e->tied_from, e->tied_to, name, e->last);
}

/* Documents that run a has for no query, above the cutoff of b. */
static bool clue_added(explaining *x)
{
    enum { MOST = 3 };

    uint32_t n = 0;

    for (uint32_t rank = 1; x->e->docs_a.n && rank <= x->e->k && rank <= n_hits(&x->b);
         rank++) {
        assay_slice doc = hit_at(&x->b, rank)->doc;

        if (!doc.len || assay_dict_find(&x->e->docs_a, doc) != ASSAY_NONE || n++ >= MOST)
            continue;
        if (!assay_notes_add(&x->out->clues, x->arena,
                             "document '%.*s' at rank %u of %s is in no hit of run a for "
                             "any query: added, or not retrieved before",
                             ASSAY_QUOTE(doc), rank, assay_side_letter(x->e->pair->side)))
            return false;
    }
    return true;
}

/* One judgment whose rank changed. */
static bool clues_of(explaining *x, uint32_t i)
{
    uint32_t rank_a = x->a.found.rank ? x->a.found.rank[i] : 0;
    uint32_t rank_b = x->b.found.rank ? x->b.found.rank[i] : 0;

    if (rank_a == rank_b)
        return true;
    return clue_document(x, i) && clue_boundary(x, i) && clue_legs(x, rank_a, rank_b) &&
           clue_score(x, &x->a, rank_a, i, "a") &&
           clue_score(x, &x->b, rank_b, i, assay_side_letter(x->e->pair->side));
}

static bool find_clues(explaining *x)
{
    const assay_found *a = &x->a.found;
    const assay_found *b = &x->b.found;

    if (a->is_missing || b->is_missing)
        return clue_text(x, "a run has no result for it");
    if (a->is_failed || b->is_failed)
        return clue_text(x, "it failed in a run");
    for (uint32_t i = 0; i < x->b.query->n_judgments; i++)
        if (x->out->clues.n < CLUES_MOST && !clues_of(x, i))
            return false;
    return clue_tie(x, &x->out->edge_a, "a") &&
           clue_tie(x, &x->out->edge_b, assay_side_letter(x->e->pair->side)) &&
           clue_added(x);
}

assay_status assay_explain(const assay_explainer *explainer, uint32_t at,
                           assay_arena *arena, assay_explanation *out, assay_error *err)
{
    assay_explanation made = {.change = &explainer->pair->query[at]};
    explaining x = {.e = explainer, .arena = arena, .out = &made};
    assay_status st = load(&x, 0, at, &x.a, err);

    if (!st)
        st = load(&x, explainer->pair->side, at, &x.b, err);
    if (st)
        return st;
    made.edge_a = edge_of(&x.a, explainer->k);
    made.edge_b = edge_of(&x.b, explainer->k);
    if (!list_hits(&x) ||
        !assay_found_align(x.a.golden, x.a.query, x.b.golden, x.b.query, arena,
                           &x.a.found) ||
        !find_clues(&x)) {
        assay_notes_clear(&made.clues);
        return assay_fail_memory(err, "explaining a query");
    }
    *out = made;
    return ASSAY_OK;
}
