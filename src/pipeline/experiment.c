/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/experiment.h"

#include "base/dict.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "pipeline/place_citations.h"
#include "pipeline/place_hits.h"
#include "report/aggregate_json.h"
#include "store/run_id.h"

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "running an experiment");
}

/* ---- the snapshot ---- */

static assay_status keep_text(assay_trial *t, assay_buffer *b, assay_slice *out,
                              assay_error *err)
{
    *out = assay_arena_copy(&t->arena, assay_buffer_view(b));
    bool has_failed = b->has_failed || !out->ptr;
    assay_buffer_clear(b);
    return has_failed ? no_memory(err) : ASSAY_OK;
}

static assay_status describe_embedder(assay_trial *t, assay_snapshot *s, assay_error *err)
{
    const assay_embedding *e = t->embedding;
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_slice rest;

    if (!e)
        return ASSAY_OK;
    e->embedder->identity(e->state, &b);
    assay_status st = keep_text(t, &b, &s->embedder, err);
    rest = s->embedder;
    /* The line begins with what it is called. */
    if (!st && !assay_slice_part(&rest, ' ', &s->embedder_model))
        s->embedder_model = s->embedder;
    s->embedder_dims = e->embedder->dims(e->state);
    return st;
}

static assay_status describe(const assay_experiment *x, assay_trial *t, assay_snapshot *s,
                             assay_error *err)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_status st;

    *s = x->base;
    s->method = t->method;
    s->repeat = t->repeat;
    s->repeat_of = t->repeat_of;
    t->system->identity(t->state, &b);
    st = keep_text(t, &b, &s->identity, err);
    if (!st)
        st = describe_embedder(t, s, err);
    if (st)
        return st;
    assay_snapshot_write(s, &b);
    return keep_text(t, &b, &t->snapshot, err);
}

/* ---- beginning ---- */

static assay_status begin(const assay_experiment *x, assay_trial *t, assay_error *err)
{
    char id[ASSAY_RUN_ID_SIZE];
    char now[ASSAY_STORE_TIME_SIZE];
    assay_snapshot s;
    assay_stored row;
    assay_status st = assay_run_id_make(x->ids, id, err);

    if (!st)
        st = describe(x, t, &s, err);
    if (st)
        return st;
    t->run_id = assay_arena_copy(&t->arena, assay_slice_of(id));
    if (!t->run_id.ptr)
        return no_memory(err);
    assay_store_time(0, now);
    row = (assay_stored){.run_id = t->run_id,
                         .suite = x->suite,
                         .snapshot = t->snapshot,
                         .aggregate = ASSAY_LIT("{}"),
                         .commit = s.commit,
                         .created_at = assay_slice_of(now),
                         .status = ASSAY_LIT(ASSAY_RUN_OPEN),
                         .source = ASSAY_LIT("assay"),
                         .method = s.method,
                         .golden_hash = s.golden_hash,
                         .corpus_hash = s.corpus_hash,
                         .chunker = s.chunker,
                         .k = s.k,
                         .depth = s.depth,
                         .n_planned = x->n_queries,
                         .tag = (assay_tag *)(uintptr_t)x->tag,
                         .n_tags = x->n_tags};
    return assay_store_add(x->store, &row, err);
}

/* What must be the same for two halves to be one run. */
static assay_status check_same(const assay_trial *t, const assay_snapshot *then,
                               const assay_snapshot *now, assay_error *err)
{
    const struct {
        const char *what;
        assay_slice then;
        assay_slice now;
    } parts[] = {
        {"the golden set", then->golden_hash, now->golden_hash},
        {"the corpus", then->corpus_hash, now->corpus_hash},
        {"the chunker", then->chunker, now->chunker},
        {"the method", then->identity, now->identity},
        {"the answerer", then->answerer, now->answerer},
    };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!assay_slice_eq(parts[i].then, parts[i].now))
            return assay_fail(err, ASSAY_EUSAGE,
                              "cannot go on with '%.*s': %s is not the same any more "
                              "(then '%.*s', now '%.*s'); begin a new run",
                              ASSAY_QUOTE(t->run_id), parts[i].what,
                              ASSAY_QUOTE(parts[i].then), ASSAY_QUOTE(parts[i].now));
    if (then->depth != now->depth)
        return assay_fail(err, ASSAY_EUSAGE,
                          "cannot go on with '%.*s': its depth is %u, not %u",
                          ASSAY_QUOTE(t->run_id), then->depth, now->depth);
    return ASSAY_OK;
}

static assay_status check_resumed(const assay_experiment *x, assay_trial *t,
                                  assay_error *err)
{
    assay_stored row;
    assay_snapshot then;
    assay_snapshot now;
    assay_status st = assay_store_get(x->store, t->run_id, &t->arena, &row, err);

    if (!st)
        st = assay_snapshot_read("snapshot", row.snapshot, &t->arena, &then, err);
    if (!st)
        st = describe(x, t, &now, err);
    t->snapshot = row.snapshot;
    return st ? st : check_same(t, &then, &now, err);
}

/* The queries of the plan that still have to be asked. */
static assay_status list_open(const assay_experiment *x, assay_trial *t, uint32_t **query,
                              uint32_t *n, assay_error *err)
{
    assay_store_done *done;
    uint32_t n_done;
    bool *has_result = ASSAY_ARENA_ARRAY(&t->arena, bool, x->golden->n_queries + 1u);
    assay_status st;

    *query = ASSAY_ARENA_ARRAY(&t->arena, uint32_t, x->n_queries + 1u);
    if (!has_result || !*query)
        return no_memory(err);
    st = assay_store_done_list(x->store, t->run_id, &t->arena, &done, &n_done, err);
    if (st)
        return st;
    for (uint32_t i = 0; i < n_done; i++) {
        uint32_t number = assay_dict_find(&x->golden->ids, done[i].query_id);

        if (number != ASSAY_NONE)
            has_result[number] = !done[i].has_failed || t->mode != ASSAY_TRIAL_RETRY;
        t->n_before += number == ASSAY_NONE || has_result[number];
    }
    *n = 0;
    for (uint32_t i = 0; i < x->n_queries; i++)
        if (!has_result[x->query[i]])
            (*query)[(*n)++] = x->query[i];
    return ASSAY_OK;
}

/* ---- finishing ---- */

/* Hits that came with a text and no place get one, and are stored with it. */
static assay_status place(const assay_experiment *x, assay_trial *t, assay_error *err)
{
    assay_placing placing;
    bool is_needed = false;
    assay_status st;

    for (uint32_t i = 0; x->corpus && i < t->run->n_results && !is_needed; i++)
        for (uint32_t h = 0; h < t->run->result[i].n_hits && !is_needed; h++)
            is_needed = !t->run->result[i].hit[h].n_spans;
    if (!is_needed)
        return x->corpus && t->run->has_answers
                   ? assay_place_citations(t->run, x->corpus, err)
                   : ASSAY_OK;
    st = assay_place_hits(t->run, x->corpus, x->eval.n_threads, &placing, err);
    if (st)
        return st;
    if (!assay_placing_note(&placing, "run", &t->notes, &t->arena))
        return no_memory(err);
    return assay_store_put_all(x->store, t->run_id, t->run, err);
}

static assay_status measure(const assay_experiment *x, assay_trial *t, assay_buffer *out,
                            assay_error *err)
{
    assay_scores *scores = NULL;
    assay_status st =
        assay_evaluate(x->golden, t->run, x->metrics, &x->eval, &scores, err);

    if (st)
        return st;
    const assay_aggregate_about about = {.conventions = x->conventions,
                                         .golden_hash = x->base.golden_hash,
                                         .skipped = x->n_skipped};
    assay_aggregate_json(scores, &about, out);
    assay_scores_free(scores);
    return out->has_failed ? no_memory(err) : ASSAY_OK;
}

static assay_status finish(const assay_experiment *x, assay_trial *t, assay_error *err)
{
    assay_buffer aggregate = ASSAY_BUFFER_EMPTY;
    char now[ASSAY_STORE_TIME_SIZE];
    assay_status st = assay_store_load(x->store, t->run_id, &t->run, err);

    if (!st)
        st = place(x, t, err);
    if (!st)
        st = measure(x, t, &aggregate, err);
    assay_store_time(0, now);
    if (!st) {
        const assay_stored_change change = {
            .aggregate = assay_buffer_view(&aggregate),
            .status = ASSAY_LIT(ASSAY_RUN_DONE),
            .finished_at = assay_slice_of(now),
        };

        st = assay_store_change(x->store, t->run_id, &change, err);
    }
    assay_buffer_clear(&aggregate);
    return st;
}

/* ---- all of it ---- */

assay_status assay_trial_run(const assay_experiment *experiment, assay_trial *trial,
                             assay_error *err)
{
    const assay_experiment *x = experiment;
    uint32_t *query = NULL;
    assay_runner runner = {
        .golden = x->golden,
        .system = trial->system,
        .state = trial->state,
        .depth = x->base.depth,
        .wants_answers = x->base.has_answers,
        .n_jobs = x->n_jobs,
        .store = x->store,
        .stop = x->stop,
        .tell = x->tell,
        .ctx = x->ctx,
    };
    assay_status st = trial->mode == ASSAY_TRIAL_NEW ? begin(x, trial, err)
                                                     : check_resumed(x, trial, err);

    if (!st)
        st = list_open(x, trial, &query, &runner.n, err);
    trial->has_begun = !st;
    runner.query = query;
    runner.run_id = trial->run_id;
    if (!st)
        st = assay_runner_run(&runner, &trial->end, err);
    return st || trial->end.was_stopped ? st : finish(x, trial, err);
}

void assay_trial_clear(assay_trial *trial)
{
    assay_run_free(trial->run);
    assay_notes_clear(&trial->notes);
    assay_arena_clear(&trial->arena);
}
