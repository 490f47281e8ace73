/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/runner.h"

#include <pthread.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"

typedef struct asker {
    void *worker; /* the system's; opened when first needed */
    assay_arena arena;
} asker;

/* Everything below the mutex belongs to who holds it. */
typedef struct job {
    const assay_runner *r;
    asker asker[ASSAY_POOL_MOST];
    pthread_mutex_t mutex;
    atomic_bool is_over; /* something failed: begin nothing more */
    assay_status status;
    assay_error error;
    uint32_t n_begun;
    assay_runner_end end;
} job;

static bool should_stop(const job *j)
{
    return atomic_load(&j->is_over) || (j->r->stop && atomic_load(j->r->stop));
}

static void tell(job *j, assay_slice query_id, bool is_done)
{
    const assay_runner_news news = {.query_id = query_id,
                                    .is_done = is_done,
                                    .n_done = j->end.n_done,
                                    .n_failed = j->end.n_failed,
                                    .n_waiting = j->n_begun - j->end.n_done};

    if (j->r->tell)
        j->r->tell(j->r->ctx, &news);
}

/* The first failure is the one that is told. */
static void fail(job *j, assay_status st, const assay_error *why)
{
    pthread_mutex_lock(&j->mutex);
    if (!j->status) {
        j->status = st;
        j->error = *why;
    }
    atomic_store(&j->is_over, true);
    pthread_mutex_unlock(&j->mutex);
}

/* ---- one query ---- */

/* Ranks close up behind what is dropped. */
static void keep_hits(assay_result *result, uint32_t n)
{
    result->n_hits = n;
    for (uint32_t i = 0; i < n; i++)
        if (result->hit[i].rank)
            result->hit[i].rank = i + 1;
}

/* BEIR: a query that is itself a document does not find itself. */
static void drop_self(const assay_query *q, uint32_t depth, assay_result *result)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < result->n_hits && kept < depth; i++) {
        const assay_hit *h = &result->hit[i];
        assay_slice id = h->chunk.len ? h->chunk : h->doc;

        if (!assay_slice_eq(id, q->id))
            result->hit[kept++] = *h;
    }
    keep_hits(result, kept);
}

static assay_status ask(job *j, asker *w, const assay_query *q, assay_result *out,
                        assay_error *err)
{
    const assay_runner *r = j->r;
    const assay_question question = {.id = q->id,
                                     .query = q->text,
                                     .k = r->depth + r->golden->drop_self_hits,
                                     .wants_answer = r->wants_answers};
    assay_status st = w->worker ? ASSAY_OK : r->system->worker(r->state, &w->worker, err);

    if (st)
        return st;
    assay_arena_reset(&w->arena);
    *out = (assay_result){.elapsed_ms = -1};
    st = r->system->ask(w->worker, &question, &w->arena, out, err);
    if (st)
        return st;
    out->query_id = q->id;
    out->query = q->text;
    if (r->golden->drop_self_hits)
        drop_self(q, r->depth, out);
    return ASSAY_OK;
}

static assay_status keep(job *j, const assay_result *result, assay_error *err)
{
    assay_status st;

    pthread_mutex_lock(&j->mutex);
    st = assay_store_put(j->r->store, j->r->run_id, result, err);
    if (!st) {
        j->end.n_done++;
        j->end.n_failed += result->error.len > 0;
        tell(j, result->query_id, true);
    }
    pthread_mutex_unlock(&j->mutex);
    return st;
}

static void begin(job *j, const assay_query *q)
{
    pthread_mutex_lock(&j->mutex);
    j->n_begun++;
    tell(j, q->id, false);
    pthread_mutex_unlock(&j->mutex);
}

static void work(void *ctx, uint32_t worker, size_t item)
{
    job *j = ctx;
    const assay_query *q = &j->r->golden->query[j->r->query[item]];
    assay_error err = {.status = ASSAY_OK};
    assay_result result;
    assay_status st;

    if (should_stop(j))
        return;
    begin(j, q);
    st = ask(j, &j->asker[worker], q, &result, &err);
    /* A query that was cut short by Ctrl-C has no result: it is asked again. */
    if (!st && j->r->stop && atomic_load(j->r->stop) && result.error.len)
        return;
    if (!st)
        st = keep(j, &result, &err);
    if (st)
        fail(j, st, &err);
}

/* ---- all ---- */

static void clear(job *j)
{
    for (uint32_t i = 0; i < ASSAY_POOL_MOST; i++) {
        if (j->asker[i].worker)
            j->r->system->worker_close(j->asker[i].worker);
        assay_arena_clear(&j->asker[i].arena);
    }
    pthread_mutex_destroy(&j->mutex);
    assay_mem_free(j);
}

assay_status assay_runner_run(const assay_runner *runner, assay_runner_end *end,
                              assay_error *err)
{
    job *j = ASSAY_NEW(job);
    assay_status st;

    if (!j)
        return assay_fail_memory(err, "starting a run");
    j->r = runner;
    atomic_init(&j->is_over, false);
    pthread_mutex_init(&j->mutex, NULL);
    assay_pool_run(runner->n_jobs, runner->n, work, j);
    st = j->status;
    /* Ctrl-C makes systems fail in all sorts of ways; none of them is the news. */
    if (runner->stop && atomic_load(runner->stop) && st == ASSAY_ESYSTEM)
        st = ASSAY_OK;
    if (st && err)
        *err = j->error;
    *end = j->end;
    end->was_stopped = j->end.n_done < runner->n;
    clear(j);
    return st;
}
