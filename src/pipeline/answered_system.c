/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/answered_system.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "pipeline/answering.h"
#include "pipeline/asking.h"

typedef struct worker {
    const assay_answered_system *both;
    void *system;
    void *answerer;
} worker;

static void close_worker(void *state)
{
    worker *w = state;

    if (w->answerer)
        w->both->by->answerer->worker_close(w->answerer);
    if (w->system)
        w->both->system->worker_close(w->system);
    assay_mem_free(w);
}

static assay_status open_worker(void *state, void **out, assay_error *err)
{
    worker *w = ASSAY_NEW(worker);
    assay_status st;

    if (!w)
        return assay_fail_memory(err, "answering");
    w->both = state;
    st = w->both->system->worker(w->both->state, &w->system, err);
    if (!st)
        st = w->both->by->answerer->worker(w->both->by->state, &w->answerer, err);
    if (st) {
        close_worker(w);
        return st;
    }
    *out = w;
    return ASSAY_OK;
}

static assay_status ask(void *state, const assay_question *question, assay_arena *arena,
                        assay_result *out, assay_error *err)
{
    worker *w = state;
    const assay_answered_system *both = w->both;
    assay_question inner = *question;
    assay_error why = {.status = ASSAY_OK};
    double start;
    assay_status st;

    inner.wants_answer = false;
    st = both->system->ask(w->system, &inner, arena, out, err);
    if (st || out->error.len)
        return st;
    start = assay_now_ms();
    st = assay_answer_hits(both->by, w->answerer, both->passages, question->query,
                           out->hit, out->n_hits < both->k ? out->n_hits : both->k, arena,
                           &out->answer, &why);
    if (out->elapsed_ms >= 0)
        out->elapsed_ms += assay_now_ms() - start;
    if (!st)
        return ASSAY_OK;
    if (st == ASSAY_ENOMEM)
        return assay_fail_memory(err, "answering");
    out->answer = NULL;
    out->error = assay_arena_copy(arena, assay_slice_of(why.text));
    return out->error.ptr ? ASSAY_OK : assay_fail_memory(err, "answering");
}

static void identity(const void *state, assay_buffer *out)
{
    const assay_answered_system *both = state;

    both->system->identity(both->state, out);
}

const assay_system assay_answered_system_socket = {
    .name = "answered",
    .summary = "a system with an answerer behind it",
    .worker = open_worker,
    .ask = ask,
    .identity = identity,
    .worker_close = close_worker,
};
