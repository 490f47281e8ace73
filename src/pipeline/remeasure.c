/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/remeasure.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"
#include "golden/frozen.h"
#include "golden/planned.h"
#include "run/snapshot.h"

/* ---- what changed ---- */

/* kebab rounds to four decimals and keeps floats; other values come back to the bit. */
static bool differs(double a, double b, bool is_rounded)
{
    if (isnan(a) || isnan(b))
        return isnan(a) != isnan(b);
    return fabs(a - b) > (is_rounded ? 0.5e-4 + 1e-9 : 0);
}

static const assay_aggregated_metric *find_metric(const assay_aggregated *in,
                                                  const assay_aggregated_metric *m)
{
    for (uint32_t i = 0; i < in->n_metrics; i++)
        if (assay_slice_eq(in->metric[i].key, m->key))
            return &in->metric[i];
    /* Aggregates of kebab itself know no full spellings. */
    for (uint32_t i = 0; i < in->n_metrics; i++)
        if (assay_slice_eq(in->metric[i].name, m->name) &&
            (assay_slice_eq(in->metric[i].key, in->metric[i].name) ||
             assay_slice_eq(m->key, m->name)))
            return &in->metric[i];
    return NULL;
}

static assay_metric_change change_of(const assay_aggregated_metric *a,
                                     const assay_aggregated_metric *b, bool is_rounded)
{
    const assay_aggregated_metric *m = b ? b : a;
    assay_metric_change c = {
        .name = m->name,
        .key = m->key,
        .before = a ? a->value : (double)NAN,
        .after = b ? b->value : (double)NAN,
        .n_before = a ? a->n : ASSAY_NONE,
        .n_after = b ? b->n : ASSAY_NONE,
        .is_new = !a,
        .is_gone = !b,
        .is_lower_better = m->is_lower_better,
        .has_no_direction = m->has_no_direction,
    };

    if (a && b)
        c.is_changed = differs(a->value, b->value, is_rounded) ||
                       (a->n != ASSAY_NONE && b->n != ASSAY_NONE && a->n != b->n);
    return c;
}

bool assay_aggregate_compare(const assay_aggregated *before,
                             const assay_aggregated *after, assay_arena *arena,
                             assay_metric_change **out, uint32_t *n)
{
    bool is_rounded = assay_slice_is(before->conventions, "kebab") ||
                      assay_slice_is(after->conventions, "kebab");
    assay_metric_change *change = ASSAY_ARENA_ARRAY(
        arena, assay_metric_change, before->n_metrics + after->n_metrics + 1);

    if (!change)
        return false;
    *n = 0;
    for (uint32_t i = 0; i < after->n_metrics; i++)
        change[(*n)++] = change_of(find_metric(before, &after->metric[i]),
                                   &after->metric[i], is_rounded);
    for (uint32_t i = 0; i < before->n_metrics; i++)
        if (!find_metric(after, &before->metric[i]))
            change[(*n)++] = change_of(&before->metric[i], NULL, is_rounded);
    *out = change;
    return true;
}

/* ---- golden sets and evaluators ---- */

/* One way of measuring, and what it is known by. */
typedef struct bench {
    assay_slice key;
    assay_golden *golden;
    char hash[65];
    uint32_t skipped; /* queries outside of the plan */
    assay_evaluator *evaluator;
    struct bench *next;
} bench;

typedef struct worker {
    assay_store *store;
    assay_arena arena; /* benches */
    bench *benches;
    assay_error err; /* of opening the store */
} worker;

typedef struct crew {
    const assay_remeasure *todo;
    assay_remeasured *out;
    worker worker[ASSAY_POOL_MOST];
    atomic_uint n_done;
} crew;

/* What is measured: the metrics asked for, else the usual ones (in front, by
 * assay_evaluator_standard) and those of before. */
static void list_metrics(const assay_remeasure *todo, const assay_aggregated *before,
                         assay_buffer *out)
{
    if (todo->metrics) {
        assay_buffer_text(out, todo->metrics);
        return;
    }
    for (uint32_t i = 0; i < before->n_metrics; i++) {
        if (i)
            assay_buffer_char(out, ' ');
        assay_buffer_slice(out, before->metric[i].name);
    }
}

static const assay_conventions *conventions_of(const assay_remeasure *todo,
                                               const assay_snapshot *snapshot,
                                               const assay_aggregated *before)
{
    const assay_conventions *c = todo->eval.conventions;

    if (!c)
        c = assay_conventions_find(snapshot->conventions);
    if (!c)
        c = assay_conventions_find(before->conventions);
    return c; /* null: the golden set's own */
}

/* The level of before stays, where it was a choice and the judgments are the same. */
static assay_level level_of(const assay_remeasure *todo, const assay_conventions *c,
                            const assay_aggregated *before)
{
    assay_level level = todo->eval.level;
    char word[20];

    if (level || todo->golden.len || !c || c->level || before->level.len >= sizeof word ||
        !assay_slice_is(before->conventions, c->name))
        return level;
    memcpy(word, before->level.ptr, before->level.len);
    word[before->level.len] = '\0';
    if (!assay_level_find(word, &level))
        level = ASSAY_LEVEL_AUTO;
    return level;
}

/* Everything that decides which bench a run needs. */
typedef struct need {
    const assay_remeasure *todo;
    const assay_stored *stored;
    const assay_run *run;
    const assay_snapshot *snapshot;
    const assay_aggregated *before;
    const assay_conventions *conventions;
    assay_level level;
    assay_buffer metrics;
    assay_buffer key;
} need;

static void make_key(need *n)
{
    const assay_run *r = n->run;

    list_metrics(n->todo, n->before, &n->metrics);
    n->conventions = conventions_of(n->todo, n->snapshot, n->before);
    n->level = level_of(n->todo, n->conventions, n->before);
    assay_buffer_printf(&n->key, "%s %d %d%d%d%d%d ",
                        n->conventions ? n->conventions->name : "", (int)n->level,
                        r->has_chunks, r->has_docs, r->has_spans, r->has_answers,
                        r->depth > 0);
    if (!n->todo->golden.len)
        assay_buffer_slice(&n->key, n->stored->golden_hash);
    assay_buffer_char(&n->key, ' ');
    assay_buffer_slice(&n->key, assay_buffer_view(&n->metrics));
    for (uint32_t i = 0; n->snapshot->is_part && i < n->snapshot->n_plan; i++) {
        assay_buffer_char(&n->key, '\n');
        assay_buffer_slice(&n->key, n->snapshot->plan[i]);
    }
    if (n->snapshot->is_part)
        assay_buffer_char(&n->key, '\n');
}

static assay_status load_golden(worker *w, const need *n, bench *b, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_slice text = n->todo->golden;
    assay_status st = ASSAY_OK;

    if (!text.len && !n->stored->golden_hash.len)
        return assay_fail(err, ASSAY_EUSAGE,
                          "it was stored without a golden set; name one with --golden");
    if (!text.len)
        st = assay_store_get_golden(w->store, n->stored->golden_hash, &arena, &text, err);
    if (!st) {
        assay_frozen_hash(text, b->hash);
        st = assay_golden_thaw("golden set", text, &b->golden, err);
    }
    if (!st && n->snapshot->is_part)
        b->skipped =
            assay_golden_limit(b->golden, n->snapshot->plan, n->snapshot->n_plan);
    assay_arena_clear(&arena);
    return st;
}

static assay_status open_evaluator(const need *n, bench *b, assay_error *err)
{
    assay_eval_settings settings = n->todo->eval;
    assay_slice metrics = assay_buffer_view(&n->metrics);
    assay_status st;

    settings.conventions = n->conventions;
    settings.level = n->level;
    settings.n_threads = 1;
    st = assay_evaluator_open(b->golden, &settings, &b->evaluator, err);
    if (!st)
        st = assay_evaluator_settle(b->evaluator, &n->run, 1, err);
    if (!st && !n->todo->metrics)
        st = assay_evaluator_standard(b->evaluator, &n->run, 1, err);
    if (!st && metrics.len)
        st = assay_evaluator_measure(b->evaluator, metrics, err);
    return st;
}

static void close_bench(bench *b)
{
    assay_evaluator_close(b->evaluator);
    assay_golden_free(b->golden);
    b->evaluator = NULL;
    b->golden = NULL;
}

static assay_status find_bench(worker *w, const need *n, bench **out, assay_error *err)
{
    assay_slice key = assay_buffer_view(&n->key);
    bench *b;
    assay_status st;

    if (n->key.has_failed || n->metrics.has_failed)
        return assay_fail_memory(err, "measuring a run again");
    for (b = w->benches; b; b = b->next)
        if (assay_slice_eq(b->key, key)) {
            *out = b;
            return ASSAY_OK;
        }
    b = ASSAY_ARENA_ARRAY(&w->arena, bench, 1);
    if (b)
        b->key = assay_arena_copy(&w->arena, key);
    if (!b || !b->key.ptr)
        return assay_fail_memory(err, "measuring a run again");
    st = load_golden(w, n, b, err);
    if (!st)
        st = open_evaluator(n, b, err);
    if (st) {
        close_bench(b);
        return st;
    }
    b->next = w->benches;
    w->benches = b;
    *out = b;
    return ASSAY_OK;
}

/* ---- one run ---- */

static assay_status write_aggregate(const bench *b, const assay_scores *scores,
                                    assay_remeasured *out, assay_error *err)
{
    const assay_aggregate_about about = {.conventions =
                                             assay_evaluator_conventions(b->evaluator),
                                         .golden_hash = assay_slice_of(b->hash),
                                         .skipped = b->skipped};
    assay_buffer json = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    assay_aggregate_json(scores, &about, &json);
    out->aggregate = assay_arena_copy(&out->arena, assay_buffer_view(&json));
    if (json.has_failed || !out->aggregate.ptr)
        st = assay_fail_memory(err, "measuring a run again");
    assay_buffer_clear(&json);
    return st;
}

static assay_status measure(worker *w, need *n, assay_remeasured *out, assay_error *err)
{
    assay_scores *scores = NULL;
    bench *b = NULL;
    assay_status st;

    make_key(n);
    st = find_bench(w, n, &b, err);
    if (!st)
        st = assay_evaluator_run(b->evaluator, n->run, &scores, err);
    if (!st)
        st = write_aggregate(b, scores, out, err);
    assay_scores_free(scores);
    assay_buffer_clear(&n->key);
    assay_buffer_clear(&n->metrics);
    return st;
}

/* What was not asked for now is not gone. */
static void drop_gone(assay_remeasured *out)
{
    while (out->n_changes && out->change[out->n_changes - 1].is_gone)
        out->n_changes--;
}

static assay_status compare(const assay_remeasure *todo, assay_remeasured *out,
                            assay_error *err)
{
    assay_status st =
        assay_aggregate_read("aggregate", out->aggregate, &out->arena, &out->after, err);

    if (st)
        return st;
    if (!assay_aggregate_compare(&out->before, &out->after, &out->arena, &out->change,
                                 &out->n_changes))
        return assay_fail_memory(err, "measuring a run again");
    if (todo->metrics)
        drop_gone(out);
    for (uint32_t i = 0; i < out->n_changes; i++)
        out->n_changed += out->change[i].is_changed;
    out->is_done = true;
    return ASSAY_OK;
}

static assay_status keep(worker *w, const assay_stored *stored, assay_remeasured *out,
                         assay_error *err)
{
    const assay_stored_change change = {.aggregate = out->aggregate};
    assay_status st;

    if (assay_slice_eq(out->aggregate, stored->aggregate))
        return ASSAY_OK;
    st = assay_store_change(w->store, stored->run_id, &change, err);
    out->is_written = !st;
    return st;
}

static assay_status remeasure_one(worker *w, const assay_remeasure *todo,
                                  const assay_stored *stored, assay_remeasured *out,
                                  assay_error *err)
{
    assay_snapshot snapshot;
    assay_run *run = NULL;
    need n = {.todo = todo,
              .stored = stored,
              .snapshot = &snapshot,
              .before = &out->before,
              .metrics = ASSAY_BUFFER_EMPTY,
              .key = ASSAY_BUFFER_EMPTY};
    assay_status st = assay_aggregate_read("aggregate", stored->aggregate, &out->arena,
                                           &out->before, err);

    if (!st && out->before.is_recorded) {
        out->is_recorded = true;
        return ASSAY_OK;
    }
    if (!st)
        st = assay_snapshot_read("snapshot", stored->snapshot, &out->arena, &snapshot,
                                 err);
    if (!st)
        st = assay_store_load(w->store, stored->run_id, &run, err);
    n.run = run;
    if (!st)
        st = measure(w, &n, out, err);
    assay_store_recycle(w->store, run);
    if (!st)
        st = compare(todo, out, err);
    if (!st && todo->writes)
        st = keep(w, stored, out, err);
    return st;
}

/* ---- all of them ---- */

static void tell(crew *c, uint32_t worker_number)
{
    uint32_t n = atomic_fetch_add(&c->n_done, 1) + 1;

    if (worker_number == 0 && c->todo->tell)
        c->todo->tell(c->todo->ctx, n);
}

static void work(void *ctx, uint32_t worker_number, size_t item)
{
    crew *c = ctx;
    worker *w = &c->worker[worker_number];
    assay_remeasured *out = &c->out[item];
    assay_error err = {ASSAY_OK, ""};
    assay_store_mode mode = c->todo->writes ? ASSAY_STORE_WRITE : ASSAY_STORE_READ;

    if (w->err.status || (c->todo->stop && atomic_load(c->todo->stop)))
        return;
    if (!w->store && assay_store_open(c->todo->place, mode, &w->store, &w->err))
        return;
    out->status = remeasure_one(w, c->todo, &c->todo->run[item], out, &err);
    if (out->status)
        out->why = assay_arena_string(&out->arena, assay_slice_of(err.text));
    tell(c, worker_number);
}

static void close_worker(worker *w)
{
    for (bench *b = w->benches; b; b = b->next)
        close_bench(b);
    assay_arena_clear(&w->arena);
    assay_store_close(w->store);
}

assay_status assay_remeasure_all(const assay_remeasure *todo, assay_remeasured *out,
                                 assay_error *err)
{
    crew *c = ASSAY_NEW(crew);
    assay_status st = ASSAY_OK;

    if (!c)
        return assay_fail_memory(err, "measuring runs again");
    c->todo = todo;
    c->out = out;
    assay_pool_run(todo->n_jobs, todo->n, work, c);
    for (uint32_t i = 0; i < ASSAY_POOL_MOST; i++) {
        if (c->worker[i].err.status && !st)
            st = assay_fail(err, c->worker[i].err.status, "%s", c->worker[i].err.text);
        close_worker(&c->worker[i]);
    }
    for (uint32_t i = 0; i < todo->n && !st; i++)
        if (out[i].status == ASSAY_ENOMEM)
            st = assay_fail_memory(err, "measuring runs again");
    assay_mem_free(c);
    return st;
}

void assay_remeasured_clear(assay_remeasured *done)
{
    assay_arena_clear(&done->arena);
    *done = (assay_remeasured){.is_done = false};
}
