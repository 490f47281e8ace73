/* SPDX-License-Identifier: Apache-2.0 */
/* The gate tested by itself: does it cry wolf more often than alpha allows?
 *
 * The paired differences get random signs, one sign a query for all metrics, which keeps how
 * the metrics go together.  Whatever the runs were, these copies have no drop. */
#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "compare/gate.h"
#include "stat/random.h"

/* A table with the rows and columns of `like`. */
static assay_scores *table_like(const assay_scores *like)
{
    assay_scores *s = assay_scores_new(like->n_rows, like->n_columns);

    if (!s)
        return NULL;
    for (uint32_t i = 0; i < s->n_columns; i++)
        s->column[i] = like->column[i];
    for (uint32_t i = 0; i < s->n_rows; i++)
        s->row[i] = like->row[i];
    return s;
}

/* Swap the two scores of about half of the queries. */
static void flip(const assay_scores *a, const assay_scores *b, assay_random *random,
                 assay_scores *before, assay_scores *after)
{
    uint64_t bits = 0;

    for (uint32_t r = 0; r < a->n_rows; r++) {
        const double *from_a = assay_scores_cell(a, r, 0);
        const double *from_b = assay_scores_cell(b, r, 0);
        bool is_swapped;

        if (r % 64 == 0)
            bits = assay_random_next(random);
        is_swapped = bits >> (r % 64) & 1;
        for (uint32_t c = 0; c < a->n_columns; c++) {
            *assay_scores_cell(before, r, c) = is_swapped ? from_b[c] : from_a[c];
            *assay_scores_cell(after, r, c) = is_swapped ? from_a[c] : from_b[c];
        }
    }
}

/* The margin rules alone, at margin 0. */
static bool copy_margins(const assay_gate_rules *rules, assay_gate_rules *out)
{
    out->rule = ASSAY_NEW_ARRAY(assay_gate_rule, rules->n);
    if (!out->rule)
        return false;
    for (uint32_t i = 0; i < rules->n; i++) {
        if (rules->rule[i].kind != ASSAY_GATE_MARGIN_RULE)
            continue;
        out->rule[out->n] = rules->rule[i];
        out->rule[out->n++].limit = 0;
    }
    out->alpha = rules->alpha;
    return true;
}

static assay_status try_copies(const assay_gate_rules *rules,
                               const assay_gate_input *input,
                               const assay_gate_settings *settings, assay_scores *before,
                               assay_scores *after, assay_gate_null *out,
                               assay_error *err)
{
    const assay_gate_input copy = {.before = before, .after = after};
    assay_gate_settings plain = *settings;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_status st = ASSAY_OK;

    plain.is_lean = true;
    for (uint32_t i = 0; i < ASSAY_GATE_COPIES && !st; i++) {
        assay_random random = assay_random_stream(settings->seed, i);
        assay_gate gate;

        flip(input->before, input->after, &random, before, after);
        assay_arena_reset(&arena);
        st = assay_gate_judge(rules, &copy, &plain, &arena, &gate, err);
        if (!st) {
            out->n_copies++;
            out->n_regress += gate.verdict == ASSAY_GATE_REGRESS;
            out->most = gate.alpha;
        }
    }
    assay_arena_clear(&arena);
    return st;
}

assay_status assay_gate_try_null(const assay_gate_rules *rules,
                                 const assay_gate_input *input,
                                 const assay_gate_settings *settings,
                                 assay_gate_null *out, assay_error *err)
{
    assay_gate_rules margins = {0};
    assay_gate_null result = {0};
    assay_scores *before = NULL;
    assay_scores *after = NULL;
    assay_status st;

    if (!input->before || !input->after)
        return assay_fail(err, ASSAY_EUSAGE, "gate: --aa needs two runs for this");
    if (!copy_margins(rules, &margins))
        return assay_fail_memory(err, "trying the gate");
    if (!margins.n) {
        st = assay_fail(err, ASSAY_EUSAGE,
                        "gate: no margin rule to try; give one with --margin");
        goto done;
    }
    before = table_like(input->before);
    after = table_like(input->after);
    if (!before || !after) {
        st = assay_fail_memory(err, "trying the gate");
        goto done;
    }
    st = try_copies(&margins, input, settings, before, after, &result, err);
    if (st)
        goto done;
    result.share = result.n_regress / (double)result.n_copies;
    result.most += 3 * sqrt(result.most * (1 - result.most) / result.n_copies);
    result.is_honest = result.share <= result.most;
    *out = result;

done:
    assay_scores_free(after);
    assay_scores_free(before);
    assay_mem_free(margins.rule);
    return st;
}
