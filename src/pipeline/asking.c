/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/asking.h"

#include <time.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"
#include "pipeline/own_system.h"

double assay_now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

assay_status assay_passages_of_golden(const assay_golden *golden, assay_arena *arena,
                                      assay_passages *out, assay_error *err)
{
    assay_passage *item = ASSAY_ARENA_ARRAY(arena, assay_passage, golden->n_docs + 1u);
    assay_status st;

    if (!golden->n_docs)
        return assay_fail(err, ASSAY_EUSAGE,
                          "'%s' brings no documents; name a corpus with --corpus",
                          golden->path);
    if (!item)
        return assay_fail_memory(err, "collecting the documents");
    for (uint32_t i = 0; i < golden->n_docs; i++)
        item[i] = (assay_passage){.id = golden->doc[i].id,
                                  .doc = golden->doc[i].id,
                                  .title = golden->doc[i].title,
                                  .text = golden->doc[i].text};
    st = assay_passages_sort(item, golden->n_docs, err);
    if (!st)
        *out = (assay_passages){item, golden->n_docs};
    return st;
}

/* ---- asking ---- */

typedef struct asker {
    void *worker; /* the retriever's; opened when first needed */
    assay_arena arena;
    assay_retrieved *hit;
} asker;

typedef struct job {
    const assay_asking *a;
    uint32_t *query; /* numbers in the golden set */
    uint32_t n;
    assay_result *result;
    assay_status *status;
    assay_error *error;
    asker asker[ASSAY_POOL_MOST];
} job;

static assay_status open_asker(const job *j, asker *w, assay_error *err)
{
    if (w->worker)
        return ASSAY_OK;
    if (!w->hit)
        w->hit = ASSAY_NEW_ARRAY(assay_retrieved, j->a->depth + 2u);
    if (!w->hit)
        return assay_fail_memory(err, "searching");
    return j->a->retriever->worker(j->a->state, &w->worker, err);
}

/* A query's own trouble is its result; only memory stops the run. */
static assay_status fail_query(asker *w, assay_status st, const assay_error *why,
                               assay_result *out, assay_error *err)
{
    if (st == ASSAY_ENOMEM)
        return assay_fail_memory(err, "searching");
    out->error = assay_arena_copy(&w->arena, assay_slice_of(why->text));
    return out->error.ptr ? ASSAY_OK : assay_fail_memory(err, "searching");
}

/* BEIR: a query that is itself a document does not find itself.  Whoever measures drops
 * that hit; here it only must not take another one's place. */
static uint32_t cut(const assay_asking *a, const assay_query *q,
                    const assay_retrieved *hit, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (assay_slice_eq(a->passages->item[hit[i].passage].doc, q->id))
            return n;
    return n < a->depth ? n : a->depth;
}

static assay_status ask(const job *j, asker *w, size_t i, assay_error *err)
{
    const assay_own_system own = {
        .retriever = j->a->retriever, .state = j->a->state, .passages = j->a->passages};
    const assay_query *q = &j->a->golden->query[j->query[i]];
    assay_result *out = &j->result[i];
    assay_error why = {.status = ASSAY_OK};
    double start;
    uint32_t n = 0;
    assay_status st = open_asker(j, w, err);

    if (st)
        return st;
    *out = (assay_result){.query_id = q->id, .query = q->text, .elapsed_ms = -1};
    start = assay_now_ms();
    st = j->a->retriever->search(
        w->worker, q->text, j->a->depth + j->a->golden->drop_self_hits, w->hit, &n, &why);
    out->elapsed_ms = assay_now_ms() - start;
    if (st)
        return fail_query(w, st, &why, out, err);
    n = cut(j->a, q, w->hit, n);
    return assay_retrieved_hits(&own, w->hit, n, &w->arena, out)
               ? ASSAY_OK
               : assay_fail_memory(err, "searching");
}

static void work(void *ctx, uint32_t worker, size_t item)
{
    job *j = ctx;

    j->status[item] = ask(j, &j->asker[worker], item, &j->error[item]);
}

/* ---- the run ---- */

static bool list_queries(job *j)
{
    const assay_golden *g = j->a->golden;

    j->query = ASSAY_NEW_ARRAY(uint32_t, g->n_queries + 1u);
    j->result = ASSAY_NEW_ARRAY(assay_result, g->n_queries + 1u);
    j->status = ASSAY_NEW_ARRAY(assay_status, g->n_queries + 1u);
    j->error = ASSAY_NEW_ARRAY(assay_error, g->n_queries + 1u);
    if (!j->query || !j->result || !j->status || !j->error)
        return false;
    for (uint32_t i = 0; i < g->n_queries; i++)
        if (!g->query[i].is_draft)
            j->query[j->n++] = i;
    return true;
}

static assay_status fill_run(job *j, assay_run *run, assay_error *err)
{
    for (uint32_t i = 0; i < j->n; i++) {
        assay_result *result;
        assay_status st = j->status[i];

        if (st) {
            if (err)
                *err = j->error[i];
            return st;
        }
        st = assay_run_add(run, j->result[i].query_id, 0, &result, err);
        if (st)
            return st;
        *result = j->result[i];
    }
    for (uint32_t i = 0; i < ASSAY_POOL_MOST; i++)
        assay_arena_take(&run->arena, &j->asker[i].arena);
    return assay_run_finish(run, err);
}

static void clear(job *j)
{
    for (uint32_t i = 0; i < ASSAY_POOL_MOST; i++) {
        asker *w = &j->asker[i];

        if (w->worker)
            j->a->retriever->worker_close(w->worker);
        assay_arena_clear(&w->arena);
        assay_mem_free(w->hit);
    }
    assay_mem_free(j->query);
    assay_mem_free(j->result);
    assay_mem_free(j->status);
    assay_mem_free(j->error);
    assay_mem_free(j);
}

assay_status assay_ask_all(const assay_asking *asking, assay_run **out, assay_error *err)
{
    job *j = ASSAY_NEW(job);
    assay_run *run = assay_run_new();
    assay_status st = ASSAY_OK;

    if (j)
        j->a = asking;
    if (!j || !run || !list_queries(j))
        st = assay_fail_memory(err, "searching");
    if (!st) {
        run->name = assay_slice_of(asking->name);
        run->path = asking->name;
        assay_pool_run(asking->n_threads, j->n, work, j);
        st = fill_run(j, run, err);
    }
    if (j)
        clear(j);
    if (st) {
        assay_run_free(run);
        return st;
    }
    *out = run;
    return ASSAY_OK;
}
