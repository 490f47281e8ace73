/* SPDX-License-Identifier: Apache-2.0 */
/* One query of an evaluation: rank its hits, look at them once for each view, call each
 * metric once for each view. */
#include "pipeline/eval_query.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "pipeline/eval_rank.h"

/* One query on its way. */
typedef struct passage {
    const assay_eval_job *job;
    assay_eval_worker *w;
    assay_row *row;
    uint32_t at; /* index of the row */
    const assay_query *query;
    assay_result result;
    assay_level level; /* that the ids in judge.ranked stand for; AUTO = their own */
    bool has_decided;  /* its answer is in the table of refusals */
} passage;

void assay_eval_worker_clear(assay_eval_worker *worker)
{
    assay_judge_clear(&worker->judge);
    assay_evidence_clear(&worker->evidence);
    assay_answering_clear(&worker->answering);
    assay_arena_clear(&worker->arena);
    assay_mem_free(worker->kept);
    assay_mem_free(worker->value);
    *worker = (assay_eval_worker){0};
}

static bool is_bound(const assay_eval_settings *s)
{
    return s->ties == ASSAY_TIES_BEST || s->ties == ASSAY_TIES_WORST;
}

/* Whether views change the ranking, by putting in doc ids or by reordering ties. */
static bool views_change(const assay_eval_job *job)
{
    return assay_eval_is_fine(job->run) || is_bound(job->settings);
}

/* Remember how the ranking was before the first view changes it. */
static bool keep(const assay_eval_job *job, assay_eval_worker *w)
{
    void *kept;

    if (!views_change(job))
        return true;
    kept = assay_mem_grow(w->kept, &w->cap_kept, w->judge.n + 1, sizeof *w->kept);
    if (!kept)
        return false;
    w->kept = kept;
    w->n_kept = w->judge.n;
    if (w->n_kept)
        memcpy(w->kept, w->judge.ranked, w->n_kept * sizeof *w->kept);
    return true;
}

/* Put into judge.ranked the ids of `level`. */
static void switch_level(passage *p, assay_level level)
{
    assay_judge *judge = &p->w->judge;
    bool is_doc = level == ASSAY_LEVEL_DOC && assay_eval_is_fine(p->job->run);

    if (!views_change(p->job) || (p->level == level && !is_bound(p->job->settings)))
        return;
    p->level = level;
    judge->n = p->w->n_kept;
    judge->has_given = false;
    if (judge->n)
        memcpy(judge->ranked, p->w->kept, judge->n * sizeof *judge->ranked);
    for (uint32_t i = 0; is_doc && i < judge->n; i++) {
        assay_slice doc = p->result.hit[judge->ranked[i].index].doc;

        judge->ranked[i].id = doc.ptr ? doc.ptr : "";
        judge->ranked[i].len = (uint32_t)doc.len;
    }
    if (is_doc && p->job->settings->collapse)
        assay_judge_duplicates(judge, true);
    else
        assay_judge_hash(judge);
}

static assay_look look_of(const passage *p, const assay_eval_view *view)
{
    const assay_eval_job *job = p->job;
    bool is_doc = view->level == ASSAY_LEVEL_DOC;
    bool repeats = (is_doc && assay_eval_is_fine(job->run)) ||
                   job->conventions->repeats == ASSAY_REPEAT_ONCE ||
                   (is_doc && job->conventions->repeats == ASSAY_REPEAT_KEEP);

    return (assay_look){.threshold = view->rel,
                        .judged_only = view->judged_only,
                        .mark_repeats = repeats && !job->settings->collapse,
                        .max_grade = job->gold->max_grade};
}

static bool look_once(passage *p, const assay_eval_view *view, assay_judged *q)
{
    const assay_eval_gold *gold = p->job->gold;
    assay_judge *judge = &p->w->judge;
    assay_look look = look_of(p, view);
    uint32_t query = p->row->query;

    if (view->level == ASSAY_LEVEL_EVIDENCE)
        return assay_evidence_look(&p->w->evidence, p->result.hit, judge->ranked,
                                   judge->n, &gold->anchors[query], &look, q);
    return assay_judge_look(
        judge, view->level == ASSAY_LEVEL_CHUNK ? &gold->chunk[query] : &gold->doc[query],
        &look, q);
}

/* ---- bounds: among equal scores the relevant first, or last ---- */

typedef struct graded {
    assay_ranked ranked;
    int32_t grade;
    uint32_t pos;
} graded;

static int lower_last(const void *a, const void *b)
{
    const graded *x = a;
    const graded *y = b;

    if (x->grade != y->grade)
        return x->grade > y->grade ? -1 : 1;
    return x->pos < y->pos ? -1 : 1;
}

static int lower_first(const void *a, const void *b)
{
    const graded *x = a;
    const graded *y = b;

    if (x->grade != y->grade)
        return x->grade < y->grade ? -1 : 1;
    return x->pos < y->pos ? -1 : 1;
}

static bool reorder_ties(passage *p, const assay_judged *q)
{
    assay_judge *judge = &p->w->judge;
    bool is_best = p->job->settings->ties == ASSAY_TIES_BEST;
    graded *item = ASSAY_ARENA_ARRAY(&p->w->arena, graded, judge->n + 1);

    if (!item)
        return false;
    for (uint32_t i = 0; i < judge->n; i++) {
        /* A repeated document is worth nothing, like one that nobody knows. */
        int32_t grade = q->grade[i] == ASSAY_REPEATED ? ASSAY_UNPOOLED : q->grade[i];

        item[i] = (graded){judge->ranked[i], grade, i};
    }
    for (uint32_t i = 0; i < judge->n;) {
        uint32_t end = i + 1;

        while (end < judge->n && judge->ranked[end].score == judge->ranked[i].score)
            end++;
        qsort(item + i, end - i, sizeof *item, is_best ? lower_last : lower_first);
        i = end;
    }
    for (uint32_t i = 0; i < judge->n; i++)
        judge->ranked[i] = item[i].ranked;
    judge->has_given = false;
    assay_judge_hash(judge);
    return true;
}

/* ---- the view ---- */

static bool look(passage *p, const assay_eval_view *view, assay_judged *q)
{
    switch_level(p, view->level);
    if (!look_once(p, view, q))
        return false;
    /* Dropping hits moves positions, so that grades no longer stand beside hits. */
    if (!is_bound(p->job->settings) || view->judged_only)
        return true;
    return reorder_ties(p, q) && look_once(p, view, q);
}

static bool add_answer(passage *p, const assay_eval_view *view, assay_answered *answered,
                       assay_judged *q)
{
    const assay_conventions *c = p->job->conventions;
    const assay_eval_gold *gold = p->job->gold;
    uint32_t query = p->row->query;
    assay_answer_view v = {
        .query = p->query,
        .result = p->row->is_missing ? NULL : &p->result,
        .known = p->job->known,
        .rules = {.refused_is_ungrounded = c->refused_is_ungrounded,
                  .no_docs_should_refuse = c->no_docs_should_refuse,
                  .strings_are_bytes = c->strings_are_bytes,
                  .grounds_should_refuse = c->grounds_should_refuse,
                  .path_resolves = c->path_resolves},
        .level = view->level,
        .threshold = view->rel,
    };

    if (!p->job->known)
        return true;
    if (view->level == ASSAY_LEVEL_EVIDENCE)
        v.anchors = &gold->anchors[query];
    else
        v.grades =
            view->level == ASSAY_LEVEL_CHUNK ? &gold->chunk[query] : &gold->doc[query];
    q->answered = answered;
    return assay_answered_build(&p->w->answering, &v, answered);
}

/* Whether the metric has a say for this query at all. */
static bool is_eligible(const passage *p, const assay_metric *metric,
                        const assay_judged *q)
{
    if (metric->needs & (ASSAY_NEEDS_PREFS | ASSAY_NEEDS_GROUPS))
        return false;
    if ((metric->needs & ASSAY_NEEDS_SUBTOPICS) && !q->subtopics)
        return false;
    if (!(metric->needs & (ASSAY_NEEDS_GRADES | ASSAY_NEEDS_SPANS)) || q->n_relevant)
        return true;
    /* Judged, but at another level, or of a text that is gone: that is not the same as
     * nothing to be found. */
    if (p->query->label == ASSAY_LABEL_STALE ||
        (p->query->label == ASSAY_LABEL_LABELLED && !q->n_ideal && !q->n_pooled))
        return false;
    return p->job->empty != ASSAY_EMPTY_ABSENT;
}

static void scatter(passage *p, const assay_eval_call *call, const double *value)
{
    assay_scores *scores = p->job->scores;

    for (uint32_t i = 0; i < call->n_columns; i++)
        *assay_scores_cell(scores, p->at, call->column[i]) = value[call->slot[i]];
}

static void make_call(passage *p, const assay_eval_call *call, const assay_judged *q)
{
    double *value = p->w->value;
    bool is_recall = strcmp(call->metric->name, "recall") == 0;

    if (!is_eligible(p, call->metric, q))
        return;
    call->eval(q, &call->args, value);
    /* bob: nothing was expected, so nothing was missed. */
    if (is_recall && !q->n_relevant && p->job->empty == ASSAY_EMPTY_RECALL_ONE)
        for (size_t i = 0; i < call->args.n; i++)
            value[i] = 1;
    scatter(p, call, value);
}

/* What is counted once for each query, on the view of the first measure. */
static void count_view(passage *p, const assay_judged *q)
{
    assay_counts *counts = &p->w->counts;
    uint32_t k = p->job->scores->counts.judged_k;

    p->row->first_rank = q->n_rel_pos ? q->rel_pos[0] + 1 : 0;
    if (p->query->label != ASSAY_LABEL_LABELLED)
        return;
    for (uint32_t i = 0; i < q->n_ranked && i < k; i++) {
        counts->judged += q->grade[i] >= 0;
        counts->judged_of++;
    }
}

static bool measure_view(passage *p, const assay_eval_view *view, bool is_first)
{
    assay_judged q = {0};
    assay_answered answered;
    bool wants_answer = false;

    if (!look(p, view, &q))
        return false;
    q.query = p->query;
    q.result = p->row->is_missing ? NULL : &p->result;
    for (uint32_t i = 0; i < view->n_calls; i++)
        wants_answer |= (view->call[i].metric->needs & ASSAY_NEEDS_ANSWER) != 0;
    if (wants_answer && !add_answer(p, view, &answered, &q))
        return false;
    if (is_first)
        count_view(p, &q);
    if (q.answered && !p->has_decided) {
        assay_answered_count(&answered, &p->w->counts.refusals);
        p->has_decided = true;
    }
    for (uint32_t i = 0; i < view->n_calls; i++)
        make_call(p, &view->call[i], &q);
    return true;
}

static bool show(const passage *p)
{
    const assay_eval_job *job = p->job;
    const assay_eval_sight sight = {.worker = p->w->number,
                                    .at = p->at,
                                    .row = p->row,
                                    .result = p->row->is_missing ? NULL : &p->result,
                                    .ranked = p->w->judge.ranked,
                                    .n = p->w->judge.n};

    return !job->watch || job->watch(job->watch_ctx, &sight);
}

static assay_status measure(passage *p, assay_error *err)
{
    const assay_eval_plan *plan = p->job->plan;
    assay_eval_worker *w = p->w;
    assay_status st = assay_eval_rank(p->job, w, p->row, &p->result, err);
    void *value;

    if (st)
        return st;
    if (!show(p))
        return assay_fail_memory(err, "looking at a query");
    w->counts.missing += p->row->is_missing;
    w->counts.failed += p->row->is_failed;
    w->counts.empty += !p->row->is_missing && !p->row->is_failed && !p->row->n_hits;
    if (p->row->is_missing && p->job->conventions->missing_is_absent)
        return ASSAY_OK;
    value =
        assay_mem_grow(w->value, &w->cap_value, plan->most_values + 1, sizeof *w->value);
    if (value)
        w->value = value;
    if (!value || !assay_judge_reserve(&w->judge, 1) || !keep(p->job, w))
        return assay_fail_memory(err, "measuring a query");
    for (uint32_t v = 0; v < plan->n_views; v++)
        if (!measure_view(p, &plan->view[v], v == 0))
            return assay_fail_memory(err, "measuring a query");
    return ASSAY_OK;
}

void assay_eval_query(const assay_eval_job *job, assay_eval_worker *worker, uint32_t row)
{
    assay_row *r = &job->scores->row[row];
    passage p = {.job = job,
                 .w = worker,
                 .row = r,
                 .at = row,
                 .query = &job->gold->golden->query[r->query]};
    assay_error err = {ASSAY_OK, ""};
    assay_status st = measure(&p, &err);

    assay_arena_reset(&worker->arena);
    /* Whoever runs first, the error of the first row is the one that is told. */
    if (st && (!worker->err.status || row < worker->failed_row)) {
        worker->err = err;
        worker->err.status = st;
        worker->failed_row = row;
    }
}
