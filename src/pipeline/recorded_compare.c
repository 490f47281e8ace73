/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs of which only recorded values are left: the deltas and their statistics, over
 * the queries and the metrics that both have. */
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "pipeline/comparing.h"

static int by_bytes(const void *a, const void *b)
{
    return assay_slice_cmp(*(const assay_slice *)a, *(const assay_slice *)b);
}

/* Words of both, in byte order. */
static bool common(const assay_dict *a, const assay_dict *b, assay_arena *arena,
                   assay_slice **out, uint32_t *n)
{
    *n = 0;
    *out = ASSAY_ARENA_ARRAY(arena, assay_slice, a->n + 1);
    if (!*out)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (assay_dict_find(b, a->word[i]) != ASSAY_NONE)
            (*out)[(*n)++] = a->word[i];
    if (*n > 1)
        qsort(*out, *n, sizeof **out, by_bytes);
    return true;
}

static bool list_excluded(const assay_dict *a, const assay_dict *b, const char *why,
                          assay_core *core)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (assay_dict_find(b, a->word[i]) == ASSAY_NONE)
            core->excluded[core->n_excluded++] = (assay_excluded){a->word[i], why};
    return true;
}

static int excluded_order(const void *a, const void *b)
{
    const assay_excluded *x = a;
    const assay_excluded *y = b;

    return assay_slice_cmp(x->id, y->id);
}

static assay_status make_core(assay_comparison *c, const assay_recorded_run *const *run,
                              assay_error *err)
{
    assay_core *core = &c->core;
    const assay_dict *a = &run[0]->queries;
    const assay_dict *b = &run[1]->queries;

    core->excluded = ASSAY_ARENA_ARRAY(&c->arena, assay_excluded, a->n + b->n + 1);
    if (!core->excluded || !common(a, b, &c->arena, &core->id, &core->n))
        return assay_fail_memory(err, "comparing recorded scores");
    list_excluded(a, b, "not in run b", core);
    list_excluded(b, a, "not in run a", core);
    if (core->n_excluded > 1)
        qsort(core->excluded, core->n_excluded, sizeof *core->excluded, excluded_order);
    return core->n ? ASSAY_OK
                   : assay_fail(err, ASSAY_EINPUT,
                                "incomparable: '%s' and '%s' have no query in common",
                                run[0]->path, run[1]->path);
}

static bool is_wanted(assay_slice name, const assay_comparing_settings *s)
{
    for (uint32_t i = 0; i < s->n_measures; i++) {
        assay_slice rest = assay_slice_of(s->measure[i]);
        assay_slice part;

        while (assay_slice_part(&rest, ',', &part))
            if (assay_slice_eq(assay_slice_trim(part), name))
                return true;
    }
    return !s->n_measures;
}

static assay_status make_scores(assay_comparison *c, const assay_recorded_run *const *run,
                                const assay_comparing_settings *s, assay_error *err)
{
    assay_slice *metric;
    uint32_t n;
    uint32_t kept = 0;

    if (!common(&run[0]->metrics, &run[1]->metrics, &c->arena, &metric, &n))
        return assay_fail_memory(err, "comparing recorded scores");
    if (!n)
        return assay_fail(err, ASSAY_EINPUT,
                          "incomparable: '%s' and '%s' have no metric in common",
                          run[0]->path, run[1]->path);
    for (uint32_t i = 0; i < n; i++)
        if (is_wanted(metric[i], s))
            metric[kept++] = metric[i];
    if (!kept)
        return assay_fail(err, ASSAY_EUSAGE,
                          "none of the metrics asked for was recorded in both runs");
    c->n_measures = kept;
    for (uint32_t i = 0; i < 2; i++) {
        c->scores[i] = assay_recorded_scores(run[i], c->core.id, c->core.n, metric, kept);
        if (!c->scores[i])
            return assay_fail_memory(err, "comparing recorded scores");
    }
    return ASSAY_OK;
}

assay_status assay_comparing_values(assay_comparison *c,
                                    const assay_comparing_settings *s, assay_error *err)
{
    const assay_delta_rules rules = {.test = s->test,
                                     .correction = s->correction,
                                     .confidence = c->confidence,
                                     .seed = c->seed,
                                     .n_threads = s->eval.n_threads};
    assay_run_pair *pair = &c->pair[0];

    pair->side = 1;
    pair->delta = ASSAY_ARENA_ARRAY(&c->arena, assay_delta, c->n_measures);
    if (!pair->delta || !assay_deltas_make(c->scores[0], c->scores[1], c->n_measures,
                                           &rules, pair->delta))
        return assay_fail_memory(err, "comparing recorded scores");
    c->n_family = assay_deltas_correct(&pair->delta, 1, c->n_measures, s->correction);
    if (c->n_family == ASSAY_NONE || !assay_verdict_make(c, pair))
        return assay_fail_memory(err, "comparing recorded scores");
    return ASSAY_OK;
}

static assay_status make(assay_comparison *c, const assay_recorded_run *const *run,
                         const char *const *name, const assay_comparing_settings *s,
                         assay_error *err)
{
    assay_status st;

    c->n_sides = 2;
    c->n_pairs = 1;
    c->is_recorded = true;
    c->side = ASSAY_ARENA_ARRAY(&c->arena, assay_compare_side, 2);
    c->scores = ASSAY_ARENA_ARRAY(&c->arena, assay_scores *, 2);
    c->pair = ASSAY_ARENA_ARRAY(&c->arena, assay_run_pair, 1);
    if (!c->side || !c->scores || !c->pair)
        return assay_fail_memory(err, "comparing recorded scores");
    for (uint32_t i = 0; i < 2; i++)
        c->side[i].name = name[i];
    c->conventions = s->eval.conventions ? s->eval.conventions : assay_conventions_at(0);
    assay_comparing_head(c, s);
    st = make_core(c, run, err);
    if (!st)
        st = make_scores(c, run, s, err);
    return st ? st : assay_comparing_values(c, s, err);
}

assay_status assay_compare_recorded(const assay_recorded_run *const *run,
                                    const char *const *name,
                                    const assay_comparing_settings *settings,
                                    assay_comparison **out, assay_error *err)
{
    assay_comparison *c = ASSAY_NEW(assay_comparison);
    assay_status st = c ? make(c, run, name, settings, err)
                        : assay_fail_memory(err, "comparing recorded scores");

    if (st) {
        assay_comparison_free(c);
        return st;
    }
    *out = c;
    return ASSAY_OK;
}
