/* SPDX-License-Identifier: Apache-2.0 */
/* The evaluation: prepare, measure every query in parallel, add up in order. */
#include "pipeline/evaluate.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"
#include "pipeline/eval_level.h"
#include "pipeline/eval_query.h"
#include "stat/student.h"

struct assay_evaluator {
    assay_eval_gold gold;
    assay_eval_settings settings;
    const assay_conventions *conventions;
    assay_empty_rule empty;
    assay_arena arena;
    assay_measures measures;
    assay_notes notes;
    assay_level level; /* AUTO = not settled yet */
    assay_eval_watch *watch;
    void *watch_ctx;
};

/* ---- making one ---- */

static assay_status choose_conventions(assay_evaluator *e, assay_error *err)
{
    assay_slice said = e->gold.golden->conventions;

    e->conventions = e->settings.conventions;
    if (!e->conventions)
        e->conventions =
            said.len ? assay_conventions_find(said) : assay_conventions_at(0);
    if (!e->conventions)
        return assay_fail(err, ASSAY_EINPUT, "%s: no conventions called '%.*s'",
                          e->gold.golden->path ? e->gold.golden->path : "golden set",
                          ASSAY_QUOTE(said));
    e->empty =
        e->settings.has_empty_rule ? e->settings.empty_rule : e->conventions->empty;
    return ASSAY_OK;
}

assay_status assay_evaluator_open(const assay_golden *golden,
                                  const assay_eval_settings *settings,
                                  assay_evaluator **out, assay_error *err)
{
    assay_evaluator *e = ASSAY_NEW(assay_evaluator);
    assay_status st;

    if (!e)
        return assay_fail_memory(err, "starting an evaluation");
    if (settings)
        e->settings = *settings;
    st = assay_eval_gold_open(&e->gold, golden, err);
    if (!st)
        st = choose_conventions(e, err);
    if (st) {
        assay_evaluator_close(e);
        return st;
    }
    *out = e;
    return ASSAY_OK;
}

void assay_evaluator_close(assay_evaluator *evaluator)
{
    if (!evaluator)
        return;
    assay_eval_gold_close(&evaluator->gold);
    assay_measures_clear(&evaluator->measures);
    assay_notes_clear(&evaluator->notes);
    assay_arena_clear(&evaluator->arena);
    assay_mem_free(evaluator);
}

assay_status assay_evaluator_measure(assay_evaluator *evaluator, assay_slice spelling,
                                     assay_error *err)
{
    size_t before = evaluator->measures.n;
    size_t kept = before;
    assay_status st =
        assay_measure_parse_list(spelling, &evaluator->measures, &evaluator->arena, err);

    if (st)
        return st;
    /* Asked for twice is measured once. */
    for (size_t i = before; i < evaluator->measures.n; i++) {
        size_t j = 0;

        while (j < kept && !assay_measure_equal(&evaluator->measures.item[j],
                                                &evaluator->measures.item[i]))
            j++;
        if (j == kept)
            evaluator->measures.item[kept++] = evaluator->measures.item[i];
    }
    evaluator->measures.n = kept;
    return ASSAY_OK;
}

size_t assay_evaluator_n(const assay_evaluator *evaluator)
{
    return evaluator->measures.n;
}

assay_level assay_evaluator_level(const assay_evaluator *evaluator)
{
    return evaluator->level;
}

const assay_conventions *assay_evaluator_conventions(const assay_evaluator *evaluator)
{
    return evaluator->conventions;
}

assay_empty_rule assay_evaluator_empty(const assay_evaluator *evaluator)
{
    return evaluator->empty;
}

const assay_notes *assay_evaluator_notes(const assay_evaluator *evaluator)
{
    return &evaluator->notes;
}

void assay_evaluator_ties(assay_evaluator *evaluator, assay_ties ties)
{
    evaluator->settings.ties = ties;
}

assay_status assay_evaluator_only(assay_evaluator *evaluator, const uint32_t *query,
                                  uint32_t n, assay_error *err)
{
    return assay_eval_gold_only(&evaluator->gold, query, n, err);
}

const assay_measure *assay_evaluator_measure_at(const assay_evaluator *evaluator,
                                                size_t i)
{
    return i < evaluator->measures.n ? &evaluator->measures.item[i] : NULL;
}

void assay_evaluator_watch(assay_evaluator *evaluator, assay_eval_watch *watch, void *ctx)
{
    evaluator->watch = watch;
    evaluator->watch_ctx = ctx;
}

void assay_evaluator_project(assay_evaluator *evaluator, const assay_projection *view)
{
    assay_eval_gold_project(&evaluator->gold, view);
}

assay_status assay_evaluator_settle(assay_evaluator *evaluator,
                                    const assay_run *const *run, size_t n,
                                    assay_error *err)
{
    assay_evaluator *e = evaluator;
    assay_level level = e->settings.level ? e->settings.level : e->conventions->level;

    if (!level)
        level = assay_eval_level_choose(&e->gold, run, n, &e->notes, &e->arena);
    if (!level)
        return assay_fail_memory(err, "choosing the level");
    e->level = level;
    return ASSAY_OK;
}

void assay_evaluator_settle_on(assay_evaluator *evaluator, assay_level level)
{
    evaluator->level = level;
}

assay_status assay_evaluator_standard(assay_evaluator *evaluator,
                                      const assay_run *const *run, size_t n,
                                      assay_error *err)
{
    const assay_conventions *c = evaluator->conventions;
    bool has_answers = false;
    bool has_spans = n > 0 && evaluator->level == ASSAY_LEVEL_EVIDENCE;
    assay_status st =
        assay_evaluator_measure(evaluator, assay_slice_of(c->measures), err);

    for (size_t i = 0; i < n; i++) {
        has_answers |= run[i]->has_answers;
        has_spans = has_spans && run[i]->has_spans;
    }
    if (!st && has_spans && c->span_measures)
        st = assay_evaluator_measure(evaluator, assay_slice_of(c->span_measures), err);
    if (!st && has_answers && c->answer_measures)
        st = assay_evaluator_measure(evaluator, assay_slice_of(c->answer_measures), err);
    return st;
}

/* ---- measuring a run ---- */

static assay_status fill_columns(assay_evaluator *e, const assay_run *run,
                                 assay_scores *s, assay_error *err)
{
    for (uint32_t i = 0; i < s->n_columns; i++) {
        const assay_measure *m = &e->measures.item[i];
        const assay_metric *metric = m->metric;
        assay_column *c = &s->column[i];

        c->level = assay_eval_level(m, e->conventions, e->settings.level, e->level);
        c->has_level = (metric->needs & (ASSAY_NEEDS_GRADES | ASSAY_NEEDS_SPANS)) != 0;
        c->name = assay_arena_string(&s->arena, assay_slice_of(m->name));
        c->full = assay_measure_full(m, c->level, &s->arena);
        c->aggregate = metric->aggregate;
        c->is_lower_better = metric->is_lower_better;
        c->has_no_direction = metric->has_no_direction;
        c->k = m->has_at && metric->at != ASSAY_AT_REAL ? (uint32_t)m->at : 0;
        c->is_too_deep = c->k > run->depth && run->depth;
        if (!c->name || !c->full)
            return assay_fail_memory(err, "naming the measures");
    }
    return ASSAY_OK;
}

static void count_labels(const assay_eval_gold *gold, assay_counts *counts)
{
    uint32_t by_label[ASSAY_N_LABELS] = {0};

    for (uint32_t i = 0; i < gold->n_order; i++)
        by_label[gold->golden->query[gold->order[i]].label]++;
    counts->total = gold->n_order;
    counts->drafts = gold->n_drafts;
    counts->labelled = by_label[ASSAY_LABEL_LABELLED];
    counts->unlabelled = by_label[ASSAY_LABEL_UNLABELLED];
    counts->should_refuse = by_label[ASSAY_LABEL_SHOULD_REFUSE];
    counts->negative = by_label[ASSAY_LABEL_NEGATIVE];
    counts->stale = by_label[ASSAY_LABEL_STALE];
}

static assay_status fill_rows(const assay_evaluator *e, const assay_run *run,
                              assay_scores *s, assay_error *err)
{
    const assay_golden *golden = e->gold.golden;
    uint32_t n_run = assay_run_n(run);

    for (uint32_t i = 0; i < s->n_rows; i++) {
        const assay_query *q = &golden->query[e->gold.order[i]];
        assay_slice id = assay_arena_copy(&s->arena, q->id);

        if (!id.ptr)
            return assay_fail_memory(err, "listing the queries");
        s->row[i] = (assay_row){.id = id,
                                .query = e->gold.order[i],
                                .result = assay_dict_find(&run->ids, q->id),
                                .label = q->label};
    }
    for (uint32_t i = 0; i < n_run; i++)
        s->counts.extra +=
            assay_dict_find(&golden->ids, assay_run_id(run, i)) == ASSAY_NONE;
    count_labels(&e->gold, &s->counts);
    s->counts.depth = run->depth;
    return ASSAY_OK;
}

static assay_status know(const assay_evaluator *e, const assay_run *run,
                         assay_known *known, assay_error *err)
{
    bool ok = assay_known_add_golden(known, e->gold.golden) &&
              assay_known_add_cited(known, &run->cited);

    for (uint32_t i = 0; ok && run->result && i < run->n_results; i++)
        ok = assay_known_add_hits(known, run->result[i].hit, run->result[i].n_hits);
    if (!ok)
        return assay_fail_memory(err, "collecting what can be cited");
    assay_known_finish(known);
    return ASSAY_OK;
}

typedef struct crew {
    const assay_eval_job *job;
    assay_eval_worker *worker;
} crew;

static void work(void *ctx, uint32_t worker, size_t item)
{
    crew *c = ctx;

    assay_eval_query(c->job, &c->worker[worker], (uint32_t)item);
}

static void add_refusals(assay_refusals *into, const assay_refusals *part)
{
    into->refusal_right += part->refusal_right;
    into->refusal_wrong += part->refusal_wrong;
    into->answered_right += part->answered_right;
    into->answered_wrong += part->answered_wrong;
    into->grounded += part->grounded;
    into->ungrounded += part->ungrounded;
    into->no_answer += part->no_answer;
    into->no_answer_answerable += part->no_answer_answerable;
}

static void add_counts(assay_counts *into, const assay_counts *part)
{
    into->missing += part->missing;
    into->failed += part->failed;
    into->empty += part->empty;
    into->hits += part->hits;
    into->duplicates += part->duplicates;
    into->ties += part->ties;
    into->self_hits += part->self_hits;
    into->judged += part->judged;
    into->judged_of += part->judged_of;
    add_refusals(&into->refusals, &part->refusals);
}

static assay_status measure_all(const assay_eval_job *job, uint32_t n_threads,
                                assay_error *err)
{
    assay_eval_worker *worker = ASSAY_NEW_ARRAY(assay_eval_worker, ASSAY_POOL_MOST);
    crew c = {job, worker};
    const assay_eval_worker *failed = NULL;
    assay_status st = ASSAY_OK;

    if (!worker)
        return assay_fail_memory(err, "starting to measure");
    for (uint32_t i = 0; i < ASSAY_POOL_MOST; i++)
        worker[i].number = i;
    assay_pool_run(n_threads, job->scores->n_rows, work, &c);
    for (uint32_t i = 0; i < ASSAY_POOL_MOST; i++) {
        const assay_eval_worker *w = &worker[i];

        add_counts(&job->scores->counts, &w->counts);
        if (w->err.status && (!failed || w->failed_row < failed->failed_row))
            failed = w;
    }
    if (failed)
        st = assay_fail(err, failed->err.status, "%s", failed->err.text);
    for (uint32_t i = 0; i < ASSAY_POOL_MOST; i++)
        assay_eval_worker_clear(&worker[i]);
    assay_mem_free(worker);
    return st;
}

/* ---- adding up ---- */

static bool zero_for(const assay_conventions *c, const char *name)
{
    bool is_nullable = assay_slice_is(assay_slice_of(name), "citation_coverage") ||
                       assay_slice_is(assay_slice_of(name), "refusal_correctness");

    return c->zero == ASSAY_ZERO_ZERO || (c->zero == ASSAY_ZERO_KEBAB && !is_nullable);
}

/* A t interval of the mean; with one query there is none. */
static void add_interval(assay_total *t, double confidence)
{
    double half;

    if (t->n < 2)
        return;
    half = assay_student_quantile(0.5 + confidence / 2, t->n - 1.0) * t->spread /
           sqrt((double)t->n);
    t->low = t->value - half;
    t->high = t->value + half;
}

static void finish_totals(const assay_evaluator *e, assay_scores *s)
{
    for (uint32_t i = 0; i < s->n_columns; i++) {
        assay_total *t = &s->total[i];

        if (!t->n && zero_for(e->conventions, e->measures.item[i].metric->name))
            t->value = 0;
        if (e->settings.confidence > 0 && s->column[i].aggregate == ASSAY_AGG_MEAN)
            add_interval(t, e->settings.confidence);
        if (e->conventions->rounds)
            t->value = assay_round4(t->value);
    }
}

static assay_status prepare(assay_evaluator *e, const assay_run *run, assay_scores *s,
                            assay_eval_plan *plan, assay_error *err)
{
    assay_status st = fill_columns(e, run, s, err);

    if (!st)
        st = fill_rows(e, run, s, err);
    if (st)
        return st;
    if (!assay_eval_plan_make(plan, &s->arena, &e->measures, s->column, e->conventions))
        return assay_fail_memory(err, "planning the evaluation");
    s->counts.judged_k = plan->n_cutoffs ? plan->cutoff[plan->n_cutoffs - 1] : 10;
    for (uint32_t v = 0; !st && v < plan->n_views; v++) {
        st = assay_eval_gold_level(&e->gold, plan->view[v].level, err);
        if (!st)
            st = assay_eval_level_check(&e->gold, run, &plan->view[v], err);
    }
    return st;
}

assay_status assay_evaluator_run(assay_evaluator *evaluator, const assay_run *run,
                                 assay_scores **out, assay_error *err)
{
    assay_evaluator *e = evaluator;
    assay_known known = {0};
    assay_eval_plan plan;
    assay_scores *s;
    assay_eval_job job;
    assay_status st = e->level ? ASSAY_OK : assay_evaluator_settle(e, &run, 1, err);

    if (st)
        return st;
    /* No hits were recorded, which is not the same as none being found. */
    if (run->is_scores_only)
        return assay_fail(
            err, ASSAY_EINPUT,
            "'%s' holds recorded scores and no hits, so it cannot be measured",
            run->path);
    s = assay_scores_new(e->gold.n_order, (uint32_t)e->measures.n);
    if (!s)
        return assay_fail_memory(err, "making room for the scores");
    s->level = e->level;
    s->run = assay_arena_string(
        &s->arena,
        run->name.len ? run->name : assay_slice_of(run->path ? run->path : ""));
    st = s->run ? prepare(e, run, s, &plan, err)
                : assay_fail_memory(err, "naming the run");
    if (!st && (plan.needs & ASSAY_NEEDS_ANSWER))
        st = know(e, run, &known, err);
    if (!st) {
        job = (assay_eval_job){.run = run,
                               .gold = &e->gold,
                               .plan = &plan,
                               .settings = &e->settings,
                               .conventions = e->conventions,
                               .known = plan.needs & ASSAY_NEEDS_ANSWER ? &known : NULL,
                               .empty = e->empty,
                               .drop_self_hits = e->gold.golden->drop_self_hits,
                               .watch = e->watch,
                               .watch_ctx = e->watch_ctx,
                               .scores = s};
        st = measure_all(&job, e->settings.n_threads, err);
    }
    if (!st && !assay_scores_finish(s))
        st = assay_fail_memory(err, "adding up the scores");
    assay_known_clear(&known);
    if (st) {
        assay_scores_free(s);
        return st;
    }
    finish_totals(e, s);
    *out = s;
    return ASSAY_OK;
}

assay_status assay_evaluate(const assay_golden *golden, const assay_run *run,
                            const char *measures, const assay_eval_settings *settings,
                            assay_scores **out, assay_error *err)
{
    assay_evaluator *e = NULL;
    assay_status st = assay_evaluator_open(golden, settings, &e, err);

    if (st)
        return st;
    st = assay_evaluator_settle(e, &run, 1, err);
    if (!st)
        st = measures && measures[0]
                 ? assay_evaluator_measure(e, assay_slice_of(measures), err)
                 : assay_evaluator_standard(e, &run, 1, err);
    if (!st)
        st = assay_evaluator_run(e, run, out, err);
    assay_evaluator_close(e);
    return st;
}
