/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison for machines: schema assay.compare/1.  With kebab's conventions kebab's own
 * keys stand in aggregates and deltas as well. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/slice.h"
#include "report/compare_report.h"
#include "report/eval_json.h"

/* ---- small words ---- */

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

static void put_number(assay_json_writer *w, const char *key, double value)
{
    assay_json_key(w, key);
    assay_json_double(w, value);
}

static void put_count(assay_json_writer *w, const char *key, uint32_t value)
{
    assay_json_key(w, key);
    assay_json_int(w, value);
}

/* Ranks: 0 is none. */
static void put_rank(assay_json_writer *w, const char *key, uint32_t rank)
{
    assay_json_key(w, key);
    if (rank)
        assay_json_int(w, rank);
    else
        assay_json_null(w);
}

static void put_interval(assay_json_writer *w, const char *key, double low, double high)
{
    assay_json_key(w, key);
    if (isnan(low)) {
        assay_json_null(w);
        return;
    }
    assay_json_flat_list(w);
    assay_json_double(w, low);
    assay_json_double(w, high);
    assay_json_list_end(w);
}

static void put_names(assay_json_writer *w, const char *key, const assay_slice *name,
                      uint32_t n)
{
    assay_json_key(w, key);
    assay_json_flat_list(w);
    for (uint32_t i = 0; i < n; i++)
        assay_json_string(w, name[i]);
    assay_json_list_end(w);
}

static bool is_kebab(const assay_comparison *c)
{
    return strcmp(c->conventions->name, "kebab") == 0;
}

/* ---- aggregates and deltas ---- */

static void put_aggregate(assay_json_writer *w, const char *key,
                          const assay_comparison *c, const assay_scores *s)
{
    assay_json_key(w, key);
    assay_json_object(w);
    if (is_kebab(c)) {
        assay_json_kebab(w, s);
    } else {
        for (uint32_t i = 0; i < c->n_measures; i++)
            put_number(w, s->column[i].name, s->total[i].value);
        put_count(w, "total_queries", s->counts.total);
        put_count(w, "failed_queries", s->counts.failed);
        put_count(w, "missing_queries", s->counts.missing);
    }
    assay_json_object_end(w);
}

static const assay_delta *delta_of(const assay_comparison *c, const assay_run_pair *pair,
                                   const char *name)
{
    for (uint32_t i = 0; i < c->n_measures; i++)
        if (strcmp(pair->delta[i].column->name, name) == 0)
            return &pair->delta[i];
    return NULL;
}

/* kebab's flat keys: a number, or a map of the four cutoffs. */
static void put_flat(assay_json_writer *w, const assay_comparison *c,
                     const assay_run_pair *pair, const char *key, const char *metric,
                     bool has_cutoffs)
{
    static const uint32_t cutoff[] = {1, 3, 5, 10};
    const assay_delta *d = has_cutoffs ? NULL : delta_of(c, pair, metric);

    assay_json_key(w, key);
    if (!has_cutoffs) {
        assay_json_double(w, d ? d->delta : (double)NAN);
        return;
    }
    assay_json_flat_object(w);
    for (size_t i = 0; i < sizeof cutoff / sizeof cutoff[0]; i++) {
        char name[40];
        char k[12];

        snprintf(name, sizeof name, "%s@%u", metric, cutoff[i]);
        snprintf(k, sizeof k, "%u", cutoff[i]);
        d = delta_of(c, pair, name);
        if (d)
            put_number(w, k, d->delta);
    }
    assay_json_object_end(w);
}

static void put_kebab_deltas(assay_json_writer *w, const assay_comparison *c,
                             const assay_run_pair *pair)
{
    put_flat(w, c, pair, "hit_at_k", "hit", true);
    put_flat(w, c, pair, "mrr", "mrr", false);
    put_flat(w, c, pair, "recall_at_k_doc", "recall", true);
    put_flat(w, c, pair, "precision_at_k_chunk", "precision", true);
    put_flat(w, c, pair, "citation_coverage", "citation_coverage", false);
    put_flat(w, c, pair, "groundedness", "groundedness", false);
    put_flat(w, c, pair, "empty_result_rate", "empty_result_rate", false);
    put_flat(w, c, pair, "refusal_correctness", "refusal_correctness", false);
}

static void put_better(assay_json_writer *w, const assay_delta *d)
{
    assay_json_key(w, "better");
    if (d->direction)
        assay_json_bool(w, d->direction > 0);
    else
        assay_json_null(w);
}

static void put_delta(assay_json_writer *w, const assay_comparison *c,
                      const assay_delta *d)
{
    assay_json_key(w, d->column->name);
    assay_json_flat_object(w);
    put_number(w, "a", d->a);
    put_number(w, "b", d->b);
    put_number(w, "delta", d->delta);
    put_better(w, d);
    put_count(w, "n", d->n);
    put_interval(w, "ci", d->low, d->high);
    put_number(w, "p", d->p);
    put_number(w, "p_corrected", d->p_corrected);
    put_interval(w, "t_ci", d->t_low, d->t_high);
    put_number(w, "effect", d->effect);
    put_text(w, "effect_level", d->effect_level);
    assay_json_key(w, "exact");
    assay_json_bool(w, d->is_exact);
    put_number(w, "p_paired", d->p_paired);
    put_count(w, "up", d->n_up);
    put_count(w, "down", d->n_down);
    put_count(w, "n_a", d->n_a);
    put_count(w, "n_b", d->n_b);
    if (d->judged_k) {
        put_count(w, "judged_at", d->judged_k);
        put_number(w, "judged_a", d->judged_a);
        put_number(w, "judged_b", d->judged_b);
    }
    put_text(w, "level",
             d->column->has_level ? assay_level_word(d->column->level) : NULL);
    put_text(w, "key", d->column->full);
    assay_json_object_end(w);
    (void)c;
}

static void put_deltas(assay_json_writer *w, const assay_comparison *c,
                       const assay_run_pair *pair)
{
    assay_json_key(w, "deltas");
    assay_json_object(w);
    if (!c->is_recorded)
        put_text(w, "chunker_version_match", assay_match_word(c->matching.match));
    if (is_kebab(c))
        put_kebab_deltas(w, c, pair);
    assay_json_key(w, "metrics");
    assay_json_object(w);
    for (uint32_t i = 0; i < c->n_measures; i++)
        put_delta(w, c, &pair->delta[i]);
    assay_json_object_end(w);
    assay_json_object_end(w);
}

/* ---- the core ---- */

static void put_core(assay_json_writer *w, const assay_comparison *c)
{
    assay_json_key(w, "core");
    assay_json_object(w);
    put_count(w, "n", c->core.n);
    assay_json_key(w, "excluded");
    assay_json_list(w);
    for (uint32_t i = 0; i < c->core.n_excluded; i++) {
        assay_json_flat_object(w);
        put_slice(w, "query_id", c->core.excluded[i].id);
        put_text(w, "why", c->core.excluded[i].why);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
    assay_json_object_end(w);
}

static void put_differs(assay_json_writer *w, const assay_run_pair *pair)
{
    assay_json_key(w, "differs");
    assay_json_list(w);
    for (uint32_t i = 0; i < pair->n_differs; i++) {
        assay_json_flat_object(w);
        put_text(w, "what", pair->differs[i].what);
        put_slice(w, "a", pair->differs[i].a);
        put_slice(w, "b", pair->differs[i].b);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
}

/* ---- queries ---- */

static void put_flag(assay_json_writer *w, const char *key, assay_flag flag)
{
    assay_json_key(w, key);
    if (flag == ASSAY_FLAG_UNKNOWN)
        assay_json_null(w);
    else
        assay_json_bool(w, flag == ASSAY_FLAG_YES);
}

static void put_answer(assay_json_writer *w, const assay_answer_change *a)
{
    assay_json_key(w, "answer");
    assay_json_flat_object(w);
    assay_json_key(w, "text_changed");
    assay_json_bool(w, a->is_text_changed);
    put_flag(w, "refused_a",
             !a->has_a      ? ASSAY_FLAG_UNKNOWN
             : a->refused_a ? ASSAY_FLAG_YES
                            : ASSAY_FLAG_NO);
    put_flag(w, "refused_b",
             !a->has_b      ? ASSAY_FLAG_UNKNOWN
             : a->refused_b ? ASSAY_FLAG_YES
                            : ASSAY_FLAG_NO);
    put_flag(w, "grounded_a", a->grounded_a);
    put_flag(w, "grounded_b", a->grounded_b);
    put_names(w, "citations_lost", a->lost, a->n_lost);
    put_names(w, "citations_gained", a->gained, a->n_gained);
    assay_json_object_end(w);
}

static void put_query(assay_json_writer *w, const assay_query_change *q)
{
    assay_json_flat_object(w);
    put_slice(w, "query_id", q->id);
    put_text(w, "kind", assay_kind_word(q->kind));
    put_rank(w, "a_hit_rank", q->rank_a);
    put_rank(w, "b_hit_rank", q->rank_b);
    put_text(w, "note", q->note);
    if (q->n_lost)
        put_names(w, "lost", q->lost, q->n_lost);
    if (q->n_found)
        put_names(w, "found", q->found, q->n_found);
    if (q->answer)
        put_answer(w, q->answer);
    assay_json_object_end(w);
}

static void put_queries(assay_json_writer *w, const assay_comparison *c,
                        const assay_run_pair *pair)
{
    assay_json_key(w, "per_query");
    assay_json_list(w);
    for (uint32_t i = 0; i < c->core.n; i++)
        put_query(w, &pair->query[i]);
    assay_json_list_end(w);
}

/* ---- the rest of a pair ---- */

static void put_kinds(assay_json_writer *w, const assay_run_pair *pair)
{
    assay_json_key(w, "counts");
    assay_json_flat_object(w);
    put_count(w, "wins", pair->n_kind[ASSAY_KIND_WIN]);
    put_count(w, "losses", pair->n_kind[ASSAY_KIND_LOSS]);
    put_count(w, "regressions", pair->n_kind[ASSAY_KIND_REGRESSION]);
    put_count(w, "draws", pair->n_kind[ASSAY_KIND_DRAW]);
    assay_json_object_end(w);
}

static void put_answers(assay_json_writer *w, const assay_run_pair *pair)
{
    const assay_answer_counts *n = &pair->answers;

    if (!pair->has_answers)
        return;
    assay_json_key(w, "answers");
    assay_json_flat_object(w);
    put_count(w, "both", n->n_both);
    put_count(w, "text_changed", n->n_text);
    put_count(w, "refuses_now", n->n_refused);
    put_count(w, "refuses_no_longer", n->n_spoke);
    put_count(w, "grounded_no_longer", n->n_ungrounded);
    put_count(w, "grounded_now", n->n_grounded);
    put_count(w, "citations_lost", n->n_lost);
    put_count(w, "citations_gained", n->n_gained);
    assay_json_object_end(w);
}

static void put_slice_cell(assay_json_writer *w, const char *name, const assay_total *x,
                           const assay_total *y)
{
    assay_json_key(w, name);
    assay_json_flat_object(w);
    put_number(w, "a", x->value);
    put_number(w, "b", y->value);
    put_number(w, "delta", y->value - x->value);
    put_count(w, "n", x->n);
    assay_json_object_end(w);
}

static void put_slices(assay_json_writer *w, const assay_comparison *c,
                       const assay_run_pair *pair)
{
    const assay_slices *a = &pair->slices_a;
    const assay_slices *b = &pair->slices_b;

    if (!a->key)
        return;
    assay_json_key(w, "slices");
    assay_json_object(w);
    put_text(w, "by", a->key);
    assay_json_key(w, "values");
    assay_json_object(w);
    for (uint32_t v = 0; v < a->n; v++) {
        uint32_t o = 0;

        while (o < b->n && !assay_slice_eq(a->value[v], b->value[o]))
            o++;
        if (o == b->n)
            continue;
        assay_json_key_slice(w, a->value[v]);
        assay_json_object(w);
        for (uint32_t i = 0; i < c->n_measures; i++)
            put_slice_cell(w, c->scores[0]->column[i].name,
                           &a->total[(size_t)v * c->scores[0]->n_columns + i],
                           &b->total[(size_t)o * c->scores[pair->side]->n_columns + i]);
        assay_json_object_end(w);
    }
    assay_json_object_end(w);
    assay_json_object_end(w);
}

static void put_verdict(assay_json_writer *w, const assay_run_pair *pair)
{
    assay_json_key(w, "verdict");
    assay_json_object(w);
    put_text(w, "word", assay_verdict_word(pair->verdict));
    put_text(w, "sentence", pair->sentence);
    assay_json_object_end(w);
}

/* ---- the whole ---- */

static void put_settings(assay_json_writer *w, const assay_comparison *c)
{
    assay_json_key(w, "settings");
    assay_json_object(w);
    put_text(w, "conventions", c->conventions->name);
    put_text(w, "level", c->is_recorded ? NULL : assay_level_word(c->level));
    put_rank(w, "depth", c->depth);
    put_text(w, "test", c->test);
    put_text(w, "correction", c->correction);
    put_count(w, "family", c->n_family);
    put_number(w, "confidence", c->confidence);
    put_number(w, "alpha", c->alpha);
    assay_json_key(w, "seed");
    assay_json_int(w, (int64_t)c->seed);
    assay_json_object_end(w);
    assay_json_key(w, "notes");
    assay_json_list(w);
    for (size_t i = 0; i < c->notes.n; i++)
        assay_json_text(w, c->notes.text[i]);
    assay_json_list_end(w);
}

/* What follows the core. */
static void put_rest(assay_json_writer *w, const assay_comparison *c,
                     const assay_run_pair *pair)
{
    put_verdict(w, pair);
    if (c->is_recorded) {
        /* A baseline file has ranks, others have values alone. */
        if (pair->query) {
            put_kinds(w, pair);
            put_queries(w, c, pair);
        }
        return;
    }
    put_differs(w, pair);
    put_kinds(w, pair);
    put_answers(w, pair);
    put_slices(w, c, pair);
    put_queries(w, c, pair);
}

static void put_tukey(assay_json_writer *w, const assay_comparison *c)
{
    assay_json_key(w, "all_pairs");
    assay_json_object(w);
    put_text(w, "test", "randomised Tukey HSD");
    assay_json_key(w, "metrics");
    assay_json_object(w);
    for (uint32_t m = 0; m < c->n_measures; m++) {
        if (!c->tukey[m])
            continue;
        assay_json_key(w, c->scores[0]->column[m].name);
        assay_json_list(w);
        for (uint32_t i = 0; i < c->n_sides; i++)
            for (uint32_t j = i + 1; j < c->n_sides; j++) {
                assay_json_flat_object(w);
                put_text(w, "a", c->side[i].name);
                put_text(w, "b", c->side[j].name);
                put_number(w, "delta",
                           c->scores[j]->total[m].value - c->scores[i]->total[m].value);
                put_number(w, "p", c->tukey[m][(size_t)i * c->n_sides + j]);
                assay_json_object_end(w);
            }
        assay_json_list_end(w);
    }
    assay_json_object_end(w);
    assay_json_object_end(w);
}

void assay_compare_write_json(const assay_compare_view *view, assay_buffer *out)
{
    const assay_comparison *c = view->comparison;
    assay_json_writer w = assay_json_writer_of(out, 2);

    assay_json_object(&w);
    put_text(&w, "schema", "assay.compare/1");
    put_text(&w, "run_a", c->side[0].name);
    if (c->n_pairs == 1)
        put_text(&w, "run_b", c->side[1].name);
    put_aggregate(&w, "aggregate_a", c, c->scores[0]);
    if (c->n_pairs == 1) {
        put_aggregate(&w, "aggregate_b", c, c->scores[1]);
        put_deltas(&w, c, &c->pair[0]);
    }
    put_settings(&w, c);
    put_core(&w, c);
    if (c->n_pairs == 1) {
        put_rest(&w, c, &c->pair[0]);
    } else {
        assay_json_key(&w, "comparisons");
        assay_json_list(&w);
        for (uint32_t i = 0; i < c->n_pairs; i++) {
            assay_json_object(&w);
            put_text(&w, "run_b", c->side[c->pair[i].side].name);
            put_aggregate(&w, "aggregate_b", c, c->scores[c->pair[i].side]);
            put_deltas(&w, c, &c->pair[i]);
            put_rest(&w, c, &c->pair[i]);
            assay_json_object_end(&w);
        }
        assay_json_list_end(&w);
        put_tukey(&w, c);
    }
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}
