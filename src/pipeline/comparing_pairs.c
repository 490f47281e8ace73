/* SPDX-License-Identifier: Apache-2.0 */
/* The measured sides of a comparison, pair by pair: what became of each query, the deltas
 * and what statistics says of them. */
#include "pipeline/comparing_own.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "stat/tukey.h"

static assay_status fail_memory(assay_error *err)
{
    return assay_fail_memory(err, "comparing runs");
}

/* ---- queries ---- */

static const assay_result *result_of(const assay_compare_side *side, assay_slice id)
{
    uint32_t at = side->run->result ? assay_dict_find(&side->run->ids, id) : ASSAY_NONE;

    return at == ASSAY_NONE ? NULL : &side->run->result[at];
}

static void count_answer(const assay_answer_change *a, assay_answer_counts *n)
{
    bool both = a->has_a && a->has_b;

    n->n_both += both;
    n->n_text += a->is_text_changed;
    n->n_refused += both && !a->refused_a && a->refused_b;
    n->n_spoke += both && a->refused_a && !a->refused_b;
    n->n_ungrounded += a->grounded_a == ASSAY_FLAG_YES && a->grounded_b == ASSAY_FLAG_NO;
    n->n_grounded += a->grounded_a == ASSAY_FLAG_NO && a->grounded_b == ASSAY_FLAG_YES;
    n->n_lost += a->n_lost;
    n->n_gained += a->n_gained;
}

static bool change_one(const assay_comparing *j, assay_run_pair *pair, uint32_t q)
{
    assay_comparison *c = j->c;
    const assay_compare_side *a = &c->side[0];
    const assay_compare_side *b = &c->side[pair->side];
    const assay_query *query_a = &a->golden->query[c->core.query[0][q]];
    const assay_query *query_b = &b->golden->query[c->core.query[pair->side][q]];
    const assay_classify_rules rules = {.depth = c->depth,
                                        .is_plain = c->conventions->rounds,
                                        .level = c->level,
                                        .a = assay_side_letter(0),
                                        .b = assay_side_letter(pair->side)};
    assay_found found = c->found[0][q];
    assay_query_change *out = &pair->query[q];
    assay_answer_pair answers;

    if (!assay_found_align(a->golden, query_a, b->golden, query_b, &c->arena, &found) ||
        !assay_classify(b->golden, query_b, &found, &c->found[pair->side][q], &rules,
                        &c->arena, out))
        return false;
    pair->n_kind[out->kind]++;
    if (!a->run->has_answers && !b->run->has_answers)
        return true;
    answers = (assay_answer_pair){.query = query_b,
                                  .a = result_of(a, query_a->id),
                                  .b = result_of(b, query_b->id),
                                  .conventions = c->conventions,
                                  .by_docs = c->matching.match != ASSAY_MATCH_EXACT};
    if (!assay_answers_compare(&answers, &c->arena, &out->answer))
        return false;
    if (out->answer) {
        pair->has_answers = true;
        count_answer(out->answer, &pair->answers);
    }
    return true;
}

assay_status assay_comparing_changes(assay_comparing *j, assay_run_pair *pair,
                                     assay_error *err)
{
    assay_comparison *c = j->c;

    pair->query = ASSAY_ARENA_ARRAY(&c->arena, assay_query_change, c->core.n);
    if (!pair->query || !assay_differences(&c->side[0], &c->side[pair->side], &c->arena,
                                           &pair->differs, &pair->n_differs))
        return fail_memory(err);
    for (uint32_t q = 0; q < c->core.n; q++)
        if (!change_one(j, pair, q))
            return fail_memory(err);
    return ASSAY_OK;
}

/* ---- deltas ---- */

/* The column of judged@k at a level, or ASSAY_NONE. */
static uint32_t judged_column(const assay_scores *s, assay_level level, uint32_t k)
{
    for (uint32_t i = 0; i < s->n_columns; i++)
        if (s->column[i].k == k && s->column[i].level == level &&
            strncmp(s->column[i].full, "judged(", strlen("judged(")) == 0)
            return i;
    return ASSAY_NONE;
}

static void put_judged(const assay_comparing *j, assay_run_pair *pair)
{
    const assay_comparison *c = j->c;
    const assay_scores *a = c->scores[0];
    const assay_scores *b = c->scores[pair->side];

    for (uint32_t i = 0; i < c->n_measures; i++) {
        const assay_measure *m = assay_evaluator_measure_at(j->evaluator[0], i);
        uint32_t k = assay_comparing_judged_depth(j, m);
        uint32_t at = m->metric->needs & ASSAY_NEEDS_GRADES
                          ? judged_column(a, a->column[i].level, k)
                          : ASSAY_NONE;

        if (at == ASSAY_NONE)
            continue;
        pair->delta[i].judged_k = k;
        pair->delta[i].judged_a = a->total[at].value;
        pair->delta[i].judged_b = b->total[at].value;
    }
}

assay_status assay_comparing_deltas(assay_comparing *j, assay_error *err)
{
    assay_comparison *c = j->c;
    const assay_delta_rules rules = {.test = j->settings->test,
                                     .correction = j->settings->correction,
                                     .confidence = c->confidence,
                                     .seed = c->seed,
                                     .n_threads = j->settings->eval.n_threads,
                                     .is_rounded = c->conventions->rounds};
    assay_delta **list = ASSAY_ARENA_ARRAY(&c->arena, assay_delta *, c->n_pairs);

    if (!list)
        return fail_memory(err);
    for (uint32_t i = 0; i < c->n_pairs; i++) {
        assay_run_pair *pair = &c->pair[i];

        pair->delta = ASSAY_ARENA_ARRAY(&c->arena, assay_delta, c->n_measures + 1);
        if (!pair->delta || !assay_deltas_make(c->scores[0], c->scores[pair->side],
                                               c->n_measures, &rules, pair->delta))
            return fail_memory(err);
        put_judged(j, pair);
        list[i] = pair->delta;
    }
    c->n_family = assay_deltas_correct(list, c->n_pairs, c->n_measures, rules.correction);
    return c->n_family == ASSAY_NONE ? fail_memory(err) : ASSAY_OK;
}

/* ---- all pairs ---- */

static bool tukey_one(const assay_comparing *j, uint32_t column, double *value,
                      double **out)
{
    assay_comparison *c = j->c;
    size_t n = 0;

    if (c->scores[0]->column[column].aggregate != ASSAY_AGG_MEAN)
        return true;
    for (uint32_t q = 0; q < c->core.n; q++) {
        bool is_whole = true;

        for (uint32_t i = 0; i < c->n_sides; i++) {
            value[n * c->n_sides + i] = *assay_scores_cell(c->scores[i], q, column);
            is_whole = is_whole && !isnan(value[n * c->n_sides + i]);
        }
        n += is_whole;
    }
    *out = ASSAY_ARENA_ARRAY(&c->arena, double, (size_t)c->n_sides * c->n_sides);
    return *out && assay_tukey_test(value, n, c->n_sides, c->seed, 0,
                                    j->settings->eval.n_threads, *out);
}

assay_status assay_comparing_tukey(assay_comparing *j, assay_error *err)
{
    assay_comparison *c = j->c;
    double *value;
    bool is_done;

    if (c->n_sides < 3)
        return ASSAY_OK;
    value = ASSAY_NEW_ARRAY(double, ((size_t)c->core.n + 1) * c->n_sides);
    c->tukey = ASSAY_ARENA_ARRAY(&c->arena, double *, c->n_measures + 1);
    is_done = value && c->tukey;
    for (uint32_t i = 0; is_done && i < c->n_measures; i++)
        is_done = tukey_one(j, i, value, &c->tukey[i]);
    assay_mem_free(value);
    return is_done ? ASSAY_OK : fail_memory(err);
}
