/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/sweep.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "golden/frozen.h"
#include "golden/planned.h"
#include "pipeline/corpus_passages.h"
#include "pipeline/own_system.h"
#include "pipeline/sweep_race.h"
#include "retrieve/shared.h"

/* What settings with the same chunking, embedder and tokenizer have in common. */
typedef struct ground {
    assay_slice chunker;
    assay_slice embedder;
    assay_slice tokenizer;
    bool is_open;
    assay_arena arena;
    assay_passages passages;
    assay_shared shared;
    assay_slice chunking; /* full spelling */
} ground;

typedef struct work {
    const assay_sweep *s;
    assay_sweep_result *r;
    double *value; /* settings x queries of the golden set */
    ground ground;
    assay_snapshot base; /* what the snapshots of all runs say alike, for now */
    assay_golden *part;  /* the golden set of a race; null = all of it */
    const uint32_t *query;
    uint32_t n_query;
} work;

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "running a sweep");
}

/* ---- the ground ---- */

static void close_ground(ground *g)
{
    assay_shared_clear(&g->shared);
    assay_arena_clear(&g->arena);
    *g = (ground){.is_open = false};
}

static assay_status cut(const assay_sweep *s, ground *g, assay_error *err)
{
    assay_buffer full = ASSAY_BUFFER_EMPTY;
    assay_chunking chunking;
    assay_status st;

    if (!g->chunker.len) {
        g->passages = *s->passages;
        g->chunking = s->experiment.base.chunker;
        return ASSAY_OK;
    }
    if (!s->corpus)
        return assay_fail(err, ASSAY_EUSAGE,
                          "the chunker can be varied over a corpus only: name one with "
                          "--corpus");
    st = assay_chunking_read(g->chunker, &chunking, err);
    if (!st)
        st = assay_passages_cut(s->corpus, &chunking, &g->arena, &g->passages, err);
    if (st)
        return st;
    assay_chunking_print(&chunking, &full);
    g->chunking = assay_arena_copy(&g->arena, assay_buffer_view(&full));
    bool has_failed = full.has_failed || !g->chunking.ptr;
    assay_buffer_clear(&full);
    return has_failed ? no_memory(err) : ASSAY_OK;
}

static assay_status open_ground(work *w, uint32_t setting, assay_error *err)
{
    const assay_levers *l = w->s->levers;
    ground *g = &w->ground;
    assay_slice chunker = assay_setting_of(l, setting, "chunker");
    assay_slice embedder = assay_setting_of(l, setting, "embedder");
    assay_slice tokenizer = assay_setting_of(l, setting, "tokenizer");

    if (g->is_open && assay_slice_eq(g->chunker, chunker) &&
        assay_slice_eq(g->embedder, embedder) && assay_slice_eq(g->tokenizer, tokenizer))
        return ASSAY_OK;
    close_ground(g);
    *g = (ground){.chunker = chunker,
                  .embedder = embedder,
                  .tokenizer = tokenizer,
                  .is_open = true};
    return cut(w->s, g, err);
}

static assay_status open_method(work *w, assay_slice method, assay_own_system *own,
                                assay_error *err)
{
    ground *g = &w->ground;
    assay_retrieve_source source = w->s->source;
    assay_slice name;
    assay_slice argument;
    assay_slice params;
    assay_status st = assay_params_split(method, &name, &argument, &params, err);

    if (st)
        return st;
    source.passages = &g->passages;
    source.notes = &w->r->notes;
    source.arena = &w->r->arena;
    if (g->embedder.len)
        source.embedder = assay_arena_string(&g->arena, g->embedder);
    if (g->tokenizer.len)
        source.tokenizer = assay_arena_string(&g->arena, g->tokenizer);
    own->passages = &g->passages;
    own->stop = w->s->experiment.stop;
    return assay_shared_open(&g->shared, name, params, &source, &own->retriever,
                             &own->state, err);
}

/* ---- one setting ---- */

/* A run of this sweep and setting over the same questions that is there already. */
static assay_status find_run(work *w, const assay_tag *tag, assay_trial *trial,
                             bool *is_done, assay_error *err)
{
    assay_store_filter filter = {0};
    assay_stored *run;
    uint32_t n;
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_status st;

    assay_buffer_printf(&b, "sweep=%.*s", (int)w->s->id.len, w->s->id.ptr);
    filter.tag = assay_arena_string(&trial->arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    if (!filter.tag)
        return no_memory(err);
    st = assay_store_list(w->s->experiment.store, &filter, &trial->arena, &run, &n, err);
    *is_done = false;
    for (uint32_t i = 0; !st && i < n; i++) {
        bool is_it = run[i].n_planned == w->n_query;

        for (uint32_t t = 0; is_it && t < run[i].n_tags; t++)
            if (assay_slice_is(run[i].tag[t].key, "setting"))
                is_it = assay_slice_eq(run[i].tag[t].value, tag[0].value);
        if (!is_it)
            continue;
        trial->run_id = run[i].run_id;
        trial->mode = ASSAY_TRIAL_RESUME;
        *is_done = assay_slice_is(run[i].status, ASSAY_RUN_DONE);
        break;
    }
    return st;
}

static double bytes_of(const assay_hit *hit, const assay_passages *passages)
{
    double n = 0;

    for (uint32_t i = 0; i < hit->n_spans; i++)
        n += (double)(hit->span[i].end - hit->span[i].start);
    if (hit->n_spans)
        return n;
    /* Passages are sorted by id. */
    for (uint32_t low = 0, high = passages->n; low < high;) {
        uint32_t mid = low + (high - low) / 2;
        int order = assay_slice_cmp(passages->item[mid].id,
                                    hit->chunk.len ? hit->chunk : hit->doc);

        if (order == 0)
            return (double)passages->item[mid].text.len;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return 0;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Latency and bytes of the top k. */
static assay_status cost(const work *w, const assay_run *run, assay_sweep_setting *out,
                         assay_error *err)
{
    double *ms = ASSAY_NEW_ARRAY(double, run->n_results + 1u);
    uint32_t k = w->s->experiment.base.k;
    double bytes = 0;
    uint32_t n = 0;

    if (!ms)
        return no_memory(err);
    for (uint32_t i = 0; i < run->n_results; i++) {
        const assay_result *r = &run->result[i];

        if (r->elapsed_ms >= 0)
            ms[n++] = r->elapsed_ms;
        for (uint32_t h = 0; h < r->n_hits && h < k; h++)
            bytes += bytes_of(&r->hit[h], &w->ground.passages);
    }
    qsort(ms, n, sizeof *ms, by_value);
    out->latency = n ? ms[n / 2] : (double)NAN;
    out->bytes = run->n_results ? bytes / run->n_results : 0;
    assay_mem_free(ms);
    return ASSAY_OK;
}

static assay_status take_values(work *w, uint32_t setting, const assay_run *run,
                                assay_error *err)
{
    const assay_experiment *x = &w->s->experiment;
    const assay_golden *golden = w->part ? w->part : x->golden;
    assay_scores *scores = NULL;
    double *row = &w->value[(size_t)setting * x->golden->n_queries];
    assay_status st = assay_evaluate(golden, run, w->s->metric, &x->eval, &scores, err);

    if (st)
        return st;
    w->r->metric =
        assay_arena_string(&w->r->arena, assay_slice_of(scores->column[0].name));
    w->r->is_lower_better = scores->column[0].is_lower_better;
    w->r->level = scores->level;
    for (uint32_t i = 0; i < x->golden->n_queries; i++)
        row[i] = (double)NAN;
    for (uint32_t i = 0; i < scores->n_rows; i++)
        row[scores->row[i].query] = *assay_scores_cell(scores, i, 0);
    assay_scores_free(scores);
    return w->r->metric ? ASSAY_OK : no_memory(err);
}

static assay_status run_trial(work *w, uint32_t setting, assay_trial *trial,
                              assay_error *err)
{
    const assay_sweep *s = w->s;
    assay_sweep_setting *to = &w->r->setting[setting];
    assay_experiment x = s->experiment;
    assay_tag tag[2] = {{ASSAY_LIT("setting"), to->text}, {ASSAY_LIT("sweep"), s->id}};
    assay_own_system own = {.stop = NULL};
    bool is_done;
    assay_status st = find_run(w, tag, trial, &is_done, err);

    if (!st)
        st = open_method(w, to->method, &own, err);
    if (st)
        return st;
    x.tag = tag;
    x.n_tags = 2;
    x.base = w->base;
    x.base.chunker = w->ground.chunking;
    x.query = w->query;
    x.n_queries = w->n_query;
    if (w->part)
        x.golden = w->part;
    trial->system = &assay_own_system_socket;
    trial->state = &own;
    trial->method = to->method;
    trial->embedding =
        own.retriever->embedding ? own.retriever->embedding(own.state) : NULL;
    w->r->n_resumed += is_done;
    st = is_done ? assay_store_load(x.store, trial->run_id, &trial->run, err)
                 : assay_trial_run(&x, trial, err);
    w->r->was_stopped = !st && !is_done && trial->end.was_stopped;
    w->r->n_asked += trial->end.n_done;
    return st;
}

static assay_status run_setting(work *w, uint32_t setting, assay_error *err)
{
    assay_sweep_setting *to = &w->r->setting[setting];
    assay_trial trial = {.mode = ASSAY_TRIAL_NEW};
    assay_status st = open_ground(w, setting, err);

    if (!st)
        st = run_trial(w, setting, &trial, err);
    if (!st && !w->r->was_stopped) {
        to->run_id = assay_arena_copy(&w->r->arena, trial.run_id);
        to->n_asked = w->n_query;
        st = to->run_id.ptr ? take_values(w, setting, trial.run, err) : no_memory(err);
        if (!st)
            st = cost(w, trial.run, to, err);
    }
    assay_trial_clear(&trial);
    return st;
}

/* ---- rounds ---- */

/* Ask settings of the list, grounds together. */
static assay_status run_list(work *w, const uint32_t *list, uint32_t n, assay_error *err)
{
    const assay_levers *l = w->s->levers;
    bool *is_run = ASSAY_NEW_ARRAY(bool, n + 1u);
    uint32_t number = 0;
    assay_status st = is_run ? ASSAY_OK : no_memory(err);

    for (uint32_t i = 0; i < n && !st && !w->r->was_stopped; i++) {
        for (uint32_t k = i; k < n && !st && !w->r->was_stopped; k++) {
            bool is_same = true;

            for (uint32_t v = 0; v < l->n && is_same; v++) {
                assay_slice name = l->lever[v].name;

                if (assay_slice_is(name, "chunker") || assay_slice_is(name, "embedder") ||
                    assay_slice_is(name, "tokenizer"))
                    is_same = assay_setting_value(l, list[i], v) ==
                              assay_setting_value(l, list[k], v);
            }
            if (is_run[k] || !is_same)
                continue;
            is_run[k] = true;
            if (w->s->begin)
                w->s->begin(w->s->ctx, list[k], ++number, n);
            st = run_setting(w, list[k], err);
        }
    }
    assay_mem_free(is_run);
    return st;
}

/* The golden set with nothing in it but the questions of this round. */
static assay_status plan_part(work *w, const uint32_t *query, uint32_t n,
                              assay_slice **ids, assay_error *err)
{
    const assay_golden *golden = w->s->experiment.golden;
    assay_slice *id = ASSAY_ARENA_ARRAY(&w->r->arena, assay_slice, n + 1u);
    assay_status st;

    assay_golden_free(w->part);
    w->part = NULL;
    w->query = query;
    w->n_query = n;
    *ids = id;
    if (!id)
        return no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        id[i] = golden->query[query[i]].id;
    qsort(id, n, sizeof *id, assay_sweep_by_bytes);
    st = assay_golden_thaw("golden set", w->s->frozen, &w->part, err);
    if (!st)
        assay_golden_limit(w->part, id, n);
    return st;
}

/* Race on the tuning questions until few enough are left; alive[0..*n) are they. */
static assay_status race(work *w, const assay_sweep_race *plan, uint32_t *alive,
                         uint32_t *n, assay_error *err)
{
    uint32_t m = plan->first;
    assay_status st = ASSAY_OK;

    while (!st && *n > plan->survivors && !w->r->was_stopped) {
        assay_slice *ids = NULL;

        m = m < plan->n_tuning ? m : plan->n_tuning;
        st = plan_part(w, plan->tuning, m, &ids, err);
        w->base.is_part = true;
        w->base.plan = ids;
        w->base.n_plan = m;
        if (!st)
            st = run_list(w, alive, *n, err);
        if (!st && !w->r->was_stopped)
            st = assay_sweep_drop(w->value, w->s->experiment.golden->n_queries,
                                  plan->tuning, m, w->r->is_lower_better, alive, n, err);
        if (m == plan->n_tuning)
            break;
        m *= 2;
    }
    w->base = w->s->experiment.base;
    assay_golden_free(w->part);
    w->part = NULL;
    return st;
}

/* ---- all ---- */

static assay_status name_settings(const assay_sweep *s, assay_sweep_result *r,
                                  assay_error *err)
{
    r->n_settings = s->levers->n_settings;
    r->setting = ASSAY_ARENA_ARRAY(&r->arena, assay_sweep_setting, r->n_settings + 1u);
    if (!r->setting)
        return no_memory(err);
    for (uint32_t i = 0; i < r->n_settings; i++) {
        assay_buffer b = ASSAY_BUFFER_EMPTY;
        assay_status st = assay_setting_method(s->levers, i, s->method, &r->arena,
                                               &r->setting[i].method, err);

        assay_setting_print(s->levers, i, &b);
        r->setting[i].text = assay_arena_copy(&r->arena, assay_buffer_view(&b));
        r->setting[i].latency = (double)NAN;
        bool has_failed = b.has_failed || !r->setting[i].text.ptr;
        assay_buffer_clear(&b);
        if (st || has_failed)
            return st ? st : no_memory(err);
    }
    return ASSAY_OK;
}

static bool *held_out(const work *w)
{
    const assay_golden *g = w->s->experiment.golden;
    bool *is_held = ASSAY_ARENA_ARRAY(&w->r->arena, bool, g->n_queries + 1u);

    for (uint32_t i = 0; is_held && i < g->n_queries; i++)
        is_held[i] = assay_sweep_is_held(g->query[i].group.len ? g->query[i].group
                                                               : g->query[i].id,
                                         w->s->experiment.base.seed, w->s->holdout);
    return is_held;
}

static assay_status judge(work *w, const bool *is_held, assay_error *err)
{
    const assay_experiment *x = &w->s->experiment;
    assay_sweep_result *r = w->r;
    bool *is_finished = ASSAY_ARENA_ARRAY(&r->arena, bool, r->n_settings + 1u);
    assay_sweep_point *point =
        ASSAY_ARENA_ARRAY(&r->arena, assay_sweep_point, r->n_settings + 1u);
    const assay_sweep_table table = {
        .n_settings = r->n_settings,
        .n_questions = x->golden->n_queries,
        .value = w->value,
        .is_held = is_held,
        .is_finished = is_finished,
        .is_lower_better = r->is_lower_better,
        .seed = x->base.seed,
        .n_threads = x->eval.n_threads,
    };
    assay_status st;

    if (!is_finished || !point)
        return no_memory(err);
    for (uint32_t i = 0; i < r->n_settings; i++)
        is_finished[i] = r->setting[i].is_finished =
            r->setting[i].n_asked == x->n_queries;
    for (uint32_t q = 0; q < x->golden->n_queries; q++) {
        bool is_there = !isnan(w->value[q]);

        r->n_questions += is_there;
        r->n_held += is_there && is_held[q];
    }
    st = assay_sweep_judge(&table, &r->arena, &r->verdict, err);
    for (uint32_t i = 0; !st && i < r->n_settings; i++)
        point[i] =
            (assay_sweep_point){is_finished[i] ? r->verdict.row[i].mean : (double)NAN,
                                r->setting[i].latency, r->setting[i].bytes};
    if (!st)
        assay_sweep_pareto(point, r->n_settings, r->is_lower_better, r->verdict.row);
    return st;
}

static assay_status run_all(work *w, const bool *is_held, assay_error *err)
{
    const assay_experiment *x = &w->s->experiment;
    assay_sweep_result *r = w->r;
    uint32_t *alive = ASSAY_ARENA_ARRAY(&r->arena, uint32_t, r->n_settings + 1u);
    uint32_t n = r->n_settings;
    assay_sweep_race plan;
    assay_status st = ASSAY_OK;

    if (!alive)
        return no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        alive[i] = i;
    if (assay_sweep_race_plan(x->query, x->n_queries, is_held, r->n_settings,
                              w->s->budget, &r->arena, &plan)) {
        if (!plan.tuning)
            return no_memory(err);
        st = race(w, &plan, alive, &n, err);
    }
    w->query = x->query;
    w->n_query = x->n_queries;
    if (!st && !r->was_stopped)
        st = run_list(w, alive, n, err);
    return st || r->was_stopped ? st : judge(w, is_held, err);
}

assay_status assay_sweep_run(const assay_sweep *sweep, assay_sweep_result **out,
                             assay_error *err)
{
    work w = {
        .s = sweep, .r = ASSAY_NEW(assay_sweep_result), .base = sweep->experiment.base};
    size_t n_queries = sweep->experiment.golden->n_queries;
    bool *is_held = NULL;
    assay_status st = w.r ? name_settings(sweep, w.r, err) : no_memory(err);

    if (!st) {
        w.value = ASSAY_NEW_ARRAY(double, w.r->n_settings *n_queries + 1);
        is_held = held_out(&w);
        if (!w.value || !is_held)
            st = no_memory(err);
    }
    for (size_t i = 0; !st && i < w.r->n_settings * n_queries; i++)
        w.value[i] = (double)NAN;
    if (!st)
        st = run_all(&w, is_held, err);
    close_ground(&w.ground);
    assay_golden_free(w.part);
    assay_mem_free(w.value);
    if (st)
        assay_sweep_free(w.r);
    else
        *out = w.r;
    return st;
}

void assay_sweep_free(assay_sweep_result *result)
{
    if (!result)
        return;
    assay_notes_clear(&result->notes);
    assay_arena_clear(&result->arena);
    assay_mem_free(result);
}

double assay_sweep_effect(const assay_sweep_result *result, const assay_levers *levers,
                          uint32_t lever, uint32_t value)
{
    double sum = 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < result->n_settings; i++) {
        if (!result->setting[i].is_finished ||
            assay_setting_value(levers, i, lever) != value)
            continue;
        sum += result->verdict.row[i].mean;
        n++;
    }
    return n ? sum / n : (double)NAN;
}
