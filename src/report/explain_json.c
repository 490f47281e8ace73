/* SPDX-License-Identifier: Apache-2.0 */
/* Explanations for machines: schema assay.explain/1. */
#include <math.h>

#include "base/json.h"
#include "base/slice.h"
#include "report/explain_report.h"

static void put_text(assay_json_writer *w, const char *key, const char *text)
{
    assay_json_key(w, key);
    if (text && text[0])
        assay_json_text(w, text);
    else
        assay_json_null(w);
}

static void put_slice(assay_json_writer *w, const char *key, assay_slice text)
{
    assay_json_key(w, key);
    if (text.len)
        assay_json_string(w, text);
    else
        assay_json_null(w);
}

static void put_count(assay_json_writer *w, const char *key, uint32_t n)
{
    assay_json_key(w, key);
    assay_json_int(w, n);
}

static void put_rank(assay_json_writer *w, const char *key, uint32_t rank)
{
    assay_json_key(w, key);
    if (rank)
        assay_json_int(w, rank);
    else
        assay_json_null(w);
}

static void put_number(assay_json_writer *w, const char *key, double value)
{
    assay_json_key(w, key);
    assay_json_double(w, value);
}

static void put_waterfall(assay_json_writer *w, const assay_why *why, uint32_t side)
{
    const assay_waterfall *f = &why->fall[side];

    assay_json_object(w);
    put_text(w, "run", why->comparison->side[side].name);
    put_count(w, "judged", f->n);
    put_count(w, "k", f->k);
    put_count(w, "context", f->context);
    assay_json_key(w, "steps");
    assay_json_object(w);
    for (assay_fall i = 0; i < ASSAY_FALL_UNJUDGED; i++) {
        assay_json_key(w, assay_fall_key(i));
        assay_json_flat_object(w);
        put_count(w, "n", f->n_fall[i]);
        put_number(w, "share", f->n ? (double)f->n_fall[i] / f->n : (double)NAN);
        assay_json_object_end(w);
    }
    assay_json_object_end(w);
    put_count(w, "not_judged", f->n_fall[ASSAY_FALL_UNJUDGED]);
    assay_json_object_end(w);
}

static void put_queries(assay_json_writer *w, const assay_why *why)
{
    const assay_comparison *c = why->comparison;

    assay_json_key(w, "queries");
    assay_json_list(w);
    for (uint32_t i = 0; i < c->core.n; i++) {
        assay_json_flat_object(w);
        put_slice(w, "query_id", c->core.id[i]);
        put_text(w, "a", assay_fall_key(why->fall[0].fall[i]));
        if (c->n_sides > 1)
            put_text(w, "b", assay_fall_key(why->fall[1].fall[i]));
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
}

static void put_legs(assay_json_writer *w, const char *key, const assay_hit *h)
{
    if (!h || !h->n_legs)
        return;
    assay_json_key(w, key);
    assay_json_flat_object(w);
    for (uint32_t i = 0; i < h->n_legs; i++) {
        assay_json_key_slice(w, h->leg[i].name);
        if (h->leg[i].rank)
            assay_json_int(w, h->leg[i].rank);
        else
            assay_json_null(w);
    }
    assay_json_object_end(w);
}

static void put_hit(assay_json_writer *w, const assay_moved_hit *h)
{
    assay_json_flat_object(w);
    put_slice(w, "id", h->id);
    put_slice(w, "doc_id", h->doc);
    put_rank(w, "rank_a", h->rank_a);
    put_rank(w, "rank_b", h->rank_b);
    put_number(w, "score_a", h->a && h->a->has_score ? h->a->score : (double)NAN);
    put_number(w, "score_b", h->b && h->b->has_score ? h->b->score : (double)NAN);
    assay_json_key(w, "relevant");
    assay_json_bool(w, h->is_relevant);
    put_legs(w, "legs_a", h->a);
    put_legs(w, "legs_b", h->b);
    assay_json_object_end(w);
}

static void put_edge(assay_json_writer *w, const char *key, const assay_score_edge *e)
{
    assay_json_key(w, key);
    if (!e->is_known) {
        assay_json_null(w);
        return;
    }
    assay_json_flat_object(w);
    put_number(w, "last", e->last);
    put_number(w, "next", e->next);
    put_number(w, "gap", e->last - e->next);
    assay_json_key(w, "tied");
    assay_json_bool(w, e->is_tied);
    assay_json_object_end(w);
}

static void put_explanation(assay_json_writer *w, const assay_explanation *e)
{
    const assay_query_change *q = e->change;

    assay_json_object(w);
    put_slice(w, "query_id", q->id);
    put_slice(w, "query", q->text);
    put_text(w, "kind", assay_kind_word(q->kind));
    put_rank(w, "a_hit_rank", q->rank_a);
    put_rank(w, "b_hit_rank", q->rank_b);
    put_text(w, "note", q->note);
    assay_json_key(w, "clues");
    assay_json_list(w);
    for (size_t i = 0; i < e->clues.n; i++)
        assay_json_text(w, e->clues.text[i]);
    assay_json_list_end(w);
    put_edge(w, "cutoff_a", &e->edge_a);
    put_edge(w, "cutoff_b", &e->edge_b);
    assay_json_key(w, "hits");
    assay_json_list(w);
    for (uint32_t i = 0; i < e->n_hits; i++)
        put_hit(w, &e->hit[i]);
    assay_json_list_end(w);
    assay_json_object_end(w);
}

void assay_why_json(const assay_why *why, assay_buffer *out)
{
    const assay_comparison *c = why->comparison;
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    put_text(&w, "schema", "assay.explain/1");
    put_text(&w, "level", assay_level_word(c->level));
    put_text(&w, "chunker_version_match",
             c->n_sides > 1 ? assay_match_word(c->matching.match) : NULL);
    assay_json_key(&w, "waterfall");
    assay_json_list(&w);
    for (uint32_t i = 0; i < c->n_sides; i++)
        put_waterfall(&w, why, i);
    assay_json_list_end(&w);
    put_queries(&w, why);
    if (c->n_sides > 1) {
        assay_json_key(&w, "explanations");
        assay_json_list(&w);
        for (uint32_t i = 0; i < why->n_explanations; i++)
            put_explanation(&w, &why->explanation[i]);
        assay_json_list_end(&w);
        put_text(&w, "terms", why->terms);
    }
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}
