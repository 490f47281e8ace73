/* SPDX-License-Identifier: Apache-2.0 */
/* The comparison, in the order of its stages. */
#include "pipeline/comparing.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"
#include "pipeline/comparing_own.h"
#include "pipeline/eval_plan.h"
#include "pipeline/slicing.h"

static const uint32_t standard_depth = 10; /* of judged@k, where nothing has a depth */

static assay_status fail_memory(assay_error *err)
{
    return assay_fail_memory(err, "comparing runs");
}

/* ---- preparing ---- */

static assay_status copy_sides(assay_comparing *j, const assay_compare_side *side,
                               uint32_t n, assay_error *err)
{
    assay_comparison *c = j->c;

    c->n_sides = n;
    c->n_pairs = n - 1;
    c->side = ASSAY_ARENA_ARRAY(&c->arena, assay_compare_side, n);
    c->scores = ASSAY_ARENA_ARRAY(&c->arena, assay_scores *, n);
    c->found = ASSAY_ARENA_ARRAY(&c->arena, assay_found *, n);
    c->pair = ASSAY_ARENA_ARRAY(&c->arena, assay_run_pair, n);
    j->evaluator = ASSAY_ARENA_ARRAY(&c->arena, assay_evaluator *, n);
    if (!c->side || !c->scores || !c->found || !c->pair || !j->evaluator)
        return fail_memory(err);
    memcpy(c->side, side, n * sizeof *side);
    for (uint32_t i = 0; i < n; i++) {
        if (side[i].run->is_scores_only)
            return assay_fail(err, ASSAY_EINPUT,
                              "'%s' holds recorded scores and no hits, so that it cannot "
                              "be compared by its hits",
                              side[i].name);
        if (i)
            c->pair[i - 1].side = i;
    }
    return ASSAY_OK;
}

/* What the user says of the level stands, as far as the runs share it. */
static assay_status apply_level(assay_comparing *j, assay_error *err)
{
    assay_matching *m = &j->c->matching;
    assay_level asked = j->settings->eval.level;

    if (!asked)
        return ASSAY_OK;
    if (m->match != ASSAY_MATCH_EXACT && asked == ASSAY_LEVEL_CHUNK)
        return assay_fail(err, ASSAY_EUSAGE,
                          "%s, so that they cannot be compared at the level of chunks",
                          m->why);
    if (m->match != ASSAY_MATCH_EXACT)
        m->match = asked == ASSAY_LEVEL_EVIDENCE ? ASSAY_MATCH_SPANS : ASSAY_MATCH_DOCS;
    m->level = asked;
    return ASSAY_OK;
}

static assay_status match(assay_comparing *j, assay_error *err)
{
    assay_comparison *c = j->c;
    assay_status st = assay_match_choose(c->side, c->n_sides, &c->core,
                                         j->settings->is_strict, &c->matching, err);

    if (!st)
        st = apply_level(j, err);
    if (!st && c->matching.why[0] &&
        !assay_notes_add(
            &c->notes, &c->arena, "%s: hits are recognised by %s (%s)", c->matching.why,
            c->matching.match == ASSAY_MATCH_SPANS ? "document and overlapping bytes"
                                                   : "document",
            assay_match_word(c->matching.match)))
        st = fail_memory(err);
    return st;
}

/* ---- evaluators ---- */

static assay_evaluator *shared_evaluator(const assay_comparing *j, uint32_t side)
{
    for (uint32_t i = 0; i < side; i++)
        if (j->c->side[i].golden == j->c->side[side].golden)
            return j->evaluator[i];
    return NULL;
}

static bool is_shared(const assay_comparing *j, uint32_t side)
{
    for (uint32_t i = 0; i < side; i++)
        if (j->evaluator[i] == j->evaluator[side])
            return true;
    return false;
}

/* Conventions that name a level mean it, as long as all runs speak of the same chunks. */
static assay_level forced_level(const assay_comparing *j)
{
    const assay_comparison *c = j->c;
    bool is_theirs = c->matching.match == ASSAY_MATCH_EXACT && c->conventions &&
                     c->conventions->level && !j->settings->eval.level;

    return is_theirs ? ASSAY_LEVEL_AUTO : c->matching.level;
}

static assay_status open_evaluators(assay_comparing *j, assay_error *err)
{
    assay_comparison *c = j->c;
    assay_eval_settings s = j->settings->eval;
    assay_status st = ASSAY_OK;

    s.conventions = c->conventions;
    s.level = forced_level(j);
    for (uint32_t i = 0; !st && i < c->n_sides; i++) {
        j->evaluator[i] = shared_evaluator(j, i);
        if (j->evaluator[i])
            continue;
        st = assay_evaluator_open(c->side[i].golden, &s, &j->evaluator[i], err);
        if (!st)
            st = assay_evaluator_only(j->evaluator[i], c->core.query[i], c->core.n, err);
    }
    return st;
}

/* One level for all sides: where golden sets know less of their bytes, the coarser. */
static assay_status settle(assay_comparing *j, assay_error *err)
{
    assay_comparison *c = j->c;
    const assay_run **run = ASSAY_ARENA_ARRAY(&c->arena, const assay_run *, c->n_sides);
    assay_status st = run ? ASSAY_OK : fail_memory(err);

    for (uint32_t i = 0; !st && i < c->n_sides; i++)
        run[i] = c->side[i].run;
    for (uint32_t i = 0; !st && i < c->n_sides; i++) {
        if (!is_shared(j, i))
            st = assay_evaluator_settle(j->evaluator[i], run, c->n_sides, err);
        if (!st && assay_evaluator_level(j->evaluator[i]) > c->level)
            c->level = assay_evaluator_level(j->evaluator[i]);
    }
    for (uint32_t i = 0; !st && i < c->n_sides; i++)
        assay_evaluator_settle_on(j->evaluator[i], c->level);
    return st;
}

/* ---- measures ---- */

static assay_status add_measures(assay_comparing *j, assay_evaluator *e, assay_error *err)
{
    const assay_comparing_settings *s = j->settings;
    const assay_run **run =
        ASSAY_ARENA_ARRAY(&j->c->arena, const assay_run *, j->c->n_sides);
    assay_status st = run ? ASSAY_OK : fail_memory(err);

    for (uint32_t i = 0; !st && i < s->n_measures; i++)
        st = assay_evaluator_measure(e, assay_slice_of(s->measure[i]), err);
    if (st || s->n_measures)
        return st;
    for (uint32_t i = 0; i < j->c->n_sides; i++)
        run[i] = j->c->side[i].run;
    return assay_evaluator_standard(e, run, j->c->n_sides, err);
}

uint32_t assay_comparing_judged_depth(const assay_comparing *j, const assay_measure *m)
{
    if (m->has_at && m->metric->at != ASSAY_AT_REAL)
        return (uint32_t)m->at;
    return j->c->depth ? j->c->depth : standard_depth;
}

static assay_level level_of(const assay_comparing *j, const assay_measure *m)
{
    return assay_eval_level(m, j->c->conventions, forced_level(j), j->c->level);
}

/* Unjudged hits are no proof of being wrong: their share goes beside each measure. */
static assay_status add_judged(assay_comparing *j, assay_evaluator *e, assay_error *err)
{
    size_t n = assay_evaluator_n(e);
    assay_status st = ASSAY_OK;

    for (size_t i = 0; !st && i < n; i++) {
        const assay_measure *m = assay_evaluator_measure_at(e, i);
        char text[80];

        if (!(m->metric->needs & ASSAY_NEEDS_GRADES))
            continue;
        snprintf(text, sizeof text, "judged(level=%s)@%u",
                 assay_level_word(level_of(j, m)), assay_comparing_judged_depth(j, m));
        st = assay_evaluator_measure(e, assay_slice_of(text), err);
    }
    return st;
}

/* What cannot be the same in both runs may not stand in one table. */
static assay_status check_measures(const assay_comparing *j, const assay_evaluator *e,
                                   assay_error *err)
{
    const assay_measure *m;

    if (j->c->matching.match == ASSAY_MATCH_EXACT)
        return ASSAY_OK;
    for (size_t i = 0; (m = assay_evaluator_measure_at(e, i)) != NULL; i++)
        if ((m->metric->needs & ASSAY_NEEDS_GRADES) &&
            level_of(j, m) == ASSAY_LEVEL_CHUNK)
            return assay_fail(err, ASSAY_EUSAGE,
                              "'%s' is taken at the level of chunks, and %s", m->name,
                              j->c->matching.why);
    return ASSAY_OK;
}

static assay_status plan(assay_comparing *j, assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; !st && i < j->c->n_sides; i++) {
        if (is_shared(j, i))
            continue;
        st = add_measures(j, j->evaluator[i], err);
        if (!st)
            st = check_measures(j, j->evaluator[i], err);
        j->c->n_measures = (uint32_t)assay_evaluator_n(j->evaluator[i]);
        if (!st)
            st = add_judged(j, j->evaluator[i], err);
    }
    return st;
}

/* ---- depth ---- */

static void choose_depth(assay_comparing *j)
{
    assay_comparison *c = j->c;
    uint32_t least = 0;

    for (uint32_t i = 0; i < c->n_sides; i++) {
        const assay_compare_side *s = &c->side[i];
        uint32_t k = s->snapshot && s->snapshot->k ? s->snapshot->k : s->run->depth;

        if (k && (!least || k < least))
            least = k;
    }
    /* kebab takes ranks as they are. */
    if (c->conventions->rounds)
        least = 0;
    c->depth = j->settings->depth ? j->settings->depth : least;
}

/* ---- measuring ---- */

/* What one run's measuring shows. */
typedef struct watching {
    const assay_comparison *c;
    const assay_golden *golden;
    assay_found *found;
    bool keeps_order;
    assay_arena arena[ASSAY_POOL_MOST]; /* one a worker */
    assay_arena room[ASSAY_POOL_MOST];
} watching;

static bool watch(void *ctx, const assay_eval_sight *sight)
{
    watching *w = ctx;
    assay_found *f = &w->found[sight->at];
    assay_arena *arena = &w->arena[sight->worker];
    const assay_ranking ranking = {
        .golden = w->golden,
        .query = &w->golden->query[sight->row->query],
        .result = sight->result,
        .ranked = sight->ranked,
        .n = sight->n,
        .level = w->c->level,
        .docs_without_chunks =
            w->c->conventions->rounds && w->c->matching.match == ASSAY_MATCH_EXACT,
        .keeps_order = w->keeps_order,
    };

    f->is_missing = sight->row->is_missing;
    f->is_failed = sight->row->is_failed;
    if (f->is_failed) {
        f->error = assay_arena_copy(arena, sight->result->error);
        if (!f->error.ptr)
            return false;
    }
    assay_arena_reset(&w->room[sight->worker]);
    return assay_found_make(&ranking, arena, &w->room[sight->worker], f);
}

static assay_status measure_side(assay_comparing *j, uint32_t i, assay_error *err)
{
    assay_comparison *c = j->c;
    watching *w = ASSAY_NEW(watching);
    assay_status st;

    c->found[i] = ASSAY_ARENA_ARRAY(&c->arena, assay_found, c->core.n);
    if (!w || !c->found[i]) {
        assay_mem_free(w);
        return fail_memory(err);
    }
    w->c = c;
    w->golden = c->side[i].golden;
    w->found = c->found[i];
    w->keeps_order = j->settings->keeps_order;
    assay_evaluator_watch(j->evaluator[i], watch, w);
    st = assay_evaluator_run(j->evaluator[i], c->side[i].run, &c->scores[i], err);
    for (uint32_t k = 0; k < ASSAY_POOL_MOST; k++) {
        assay_arena_take(&c->arena, &w->arena[k]);
        assay_arena_clear(&w->room[k]);
    }
    assay_mem_free(w);
    return st;
}

static assay_status measure_all(assay_comparing *j, assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; !st && i < j->c->n_sides; i++)
        st = measure_side(j, i, err);
    return st;
}

/* ---- slices, notes, verdicts ---- */

static assay_status put_slices(assay_comparing *j, assay_run_pair *pair, assay_error *err)
{
    assay_comparison *c = j->c;
    const char *by = j->settings->by;
    uint32_t min_n = j->settings->min_n ? j->settings->min_n : 1;
    assay_status st;

    if (!by)
        return ASSAY_OK;
    st = assay_slices_make(c->side[0].golden, c->scores[0], by, min_n, &c->arena,
                           &pair->slices_a, err);
    if (!st)
        st = assay_slices_make(c->side[pair->side].golden, c->scores[pair->side], by,
                               min_n, &c->arena, &pair->slices_b, err);
    return st;
}

static bool note_evaluators(const assay_comparing *j)
{
    assay_comparison *c = j->c;
    const assay_notes *from = assay_evaluator_notes(j->evaluator[0]);

    for (size_t i = 0; i < from->n; i++)
        if (!assay_notes_add(&c->notes, &c->arena, "%s", from->text[i]))
            return false;
    return true;
}

static bool note_depth(const assay_comparing *j, uint32_t side)
{
    assay_comparison *c = j->c;
    const assay_scores *s = c->scores[side];

    for (uint32_t i = 0; i < c->n_measures; i++)
        if (s->column[i].is_too_deep)
            return assay_notes_add(
                &c->notes, &c->arena, "%s: at most %u hits a query, too few for %s",
                c->side[side].name, s->counts.depth, s->column[i].name);
    return true;
}

/* An aggregate of other queries is no paired one: say so where the two part. */
static bool note_counts(const assay_comparing *j, const assay_run_pair *pair)
{
    assay_comparison *c = j->c;

    for (uint32_t i = 0; i < c->n_measures; i++) {
        const assay_delta *d = &pair->delta[i];

        if ((d->n_a != d->n || d->n_b != d->n) &&
            !assay_notes_add(
                &c->notes, &c->arena,
                "%s counts %u queries in %s and %u in %s; its interval and p "
                "are of the %u that both have",
                d->column->name, d->n_a, assay_side_letter(0), d->n_b,
                assay_side_letter(pair->side), d->n))
            return false;
    }
    return true;
}

static assay_status finish(assay_comparing *j, assay_error *err)
{
    assay_comparison *c = j->c;
    assay_status st = note_evaluators(j) ? ASSAY_OK : fail_memory(err);

    for (uint32_t i = 0; !st && i < c->n_sides; i++)
        if (!note_depth(j, i))
            st = fail_memory(err);
    for (uint32_t i = 0; !st && i < c->n_pairs; i++) {
        st = put_slices(j, &c->pair[i], err);
        if (!st && (!note_counts(j, &c->pair[i]) || !assay_verdict_make(c, &c->pair[i])))
            st = fail_memory(err);
    }
    return st;
}

/* ---- the whole ---- */

void assay_comparing_head(assay_comparison *comparison,
                          const assay_comparing_settings *settings)
{
    const assay_comparing_settings *s = settings;
    assay_comparison *c = comparison;

    const assay_stat_test *test = s->test ? s->test : assay_stat_test_at(0);

    c->test = test->name;
    c->is_unpaired = !test->is_paired;
    c->correction = (s->correction ? s->correction : assay_correction_at(0))->name;
    c->confidence = s->confidence > 0 ? s->confidence : 0.95;
    c->alpha = s->alpha > 0 ? s->alpha : 0.05;
    c->seed = s->seed;
}

static void fill_head(assay_comparing *j)
{
    assay_comparison *c = j->c;
    assay_slice said = c->side[0].golden->conventions;

    assay_comparing_head(c, j->settings);
    /* Null where the golden set names some that nobody knows: the evaluator says so. */
    c->conventions = j->settings->eval.conventions;
    if (!c->conventions)
        c->conventions =
            said.len ? assay_conventions_find(said) : assay_conventions_at(0);
}

static assay_status make(assay_comparing *j, const assay_compare_side *side, uint32_t n,
                         assay_error *err)
{
    assay_comparison *c = j->c;
    assay_status st = copy_sides(j, side, n, err);

    if (!st)
        fill_head(j);
    if (!st)
        st = assay_core_make(c->side, n, &c->arena, &c->core, err);
    if (!st)
        st = match(j, err);
    if (!st)
        st = open_evaluators(j, err);
    if (!st)
        st = settle(j, err);
    if (!st)
        choose_depth(j);
    if (!st)
        st = plan(j, err);
    if (!st)
        st = measure_all(j, err);
    for (uint32_t i = 0; !st && i < c->n_pairs; i++)
        st = assay_comparing_changes(j, &c->pair[i], err);
    if (!st)
        st = assay_comparing_deltas(j, err);
    if (!st)
        st = assay_comparing_tukey(j, err);
    return st ? st : finish(j, err);
}

assay_status assay_compare_runs(const assay_compare_side *side, uint32_t n,
                                const assay_comparing_settings *settings,
                                assay_comparison **out, assay_error *err)
{
    assay_comparing j = {.c = ASSAY_NEW(assay_comparison), .settings = settings};
    assay_status st = j.c ? make(&j, side, n, err) : fail_memory(err);

    for (uint32_t i = j.c ? j.c->n_sides : 0; j.evaluator && i-- > 0;)
        if (j.evaluator[i] && !is_shared(&j, i))
            assay_evaluator_close(j.evaluator[i]);
    if (st) {
        assay_comparison_free(j.c);
        return st;
    }
    *out = j.c;
    return ASSAY_OK;
}
