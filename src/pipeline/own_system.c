/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/own_system.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "pipeline/asking.h"

uint32_t assay_retriever_legs(const assay_retriever *retriever, const void *state)
{
    uint32_t n = 0;

    while (retriever->leg_name && n < ASSAY_LEGS_MOST && retriever->leg_name(state, n))
        n++;
    return n;
}

static bool put_legs(const assay_own_system *own, uint32_t n_legs,
                     const assay_retrieved *from, assay_arena *arena, assay_hit *to)
{
    assay_leg_place *leg;

    if (!n_legs)
        return true;
    leg = ASSAY_ARENA_ARRAY(arena, assay_leg_place, n_legs);
    if (!leg)
        return false;
    for (uint32_t i = 0; i < n_legs; i++)
        leg[i] = (assay_leg_place){
            assay_slice_of(own->retriever->leg_name(own->state, i)), from->leg_rank[i],
            from->leg_rank[i] > 0, from->leg_score[i]};
    to->leg = leg;
    to->n_legs = (uint8_t)n_legs;
    return true;
}

bool assay_retrieved_hits(const assay_own_system *own, const assay_retrieved *found,
                          uint32_t n, assay_arena *arena, assay_result *out)
{
    uint32_t n_legs = assay_retriever_legs(own->retriever, own->state);
    assay_hit *hit = ASSAY_ARENA_ARRAY(arena, assay_hit, n + 1u);

    for (uint32_t i = 0; hit && i < n; i++) {
        const assay_passage *p = &own->passages->item[found[i].passage];
        bool is_chunk = !assay_slice_eq(p->id, p->doc);

        hit[i] = (assay_hit){.chunk = is_chunk ? p->id : ASSAY_LIT(""),
                             .doc = p->doc,
                             .score = found[i].score,
                             .has_score = true,
                             .span = p->span,
                             .n_spans = p->n_spans,
                             .rank = i + 1,
                             .text = ASSAY_LIT("")};
        if (!put_legs(own, n_legs, &found[i], arena, &hit[i]))
            return false;
    }
    out->hit = hit;
    out->n_hits = hit ? n : 0;
    return hit != NULL;
}

/* ---- the socket ---- */

typedef struct worker {
    const assay_own_system *own;
    void *inner; /* the retriever's */
    assay_retrieved *found;
    size_t cap;
} worker;

static void close_worker(void *state)
{
    worker *w = state;

    if (w->inner)
        w->own->retriever->worker_close(w->inner);
    assay_mem_free(w->found);
    assay_mem_free(w);
}

static assay_status open_worker(void *state, void **out, assay_error *err)
{
    worker *w = ASSAY_NEW(worker);
    assay_status st;

    if (!w)
        return assay_fail_memory(err, "searching");
    w->own = state;
    st = w->own->retriever->worker(w->own->state, &w->inner, err);
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
    assay_retrieved *room =
        assay_mem_grow(w->found, &w->cap, question->k + 1u, sizeof *room);
    assay_error why = {.status = ASSAY_OK};
    double start = assay_now_ms();
    uint32_t n = 0;
    assay_status st;

    if (!room)
        return assay_fail_memory(err, "searching");
    w->found = room;
    st =
        w->own->retriever->search(w->inner, question->query, question->k, room, &n, &why);
    out->elapsed_ms = assay_now_ms() - start;
    if (st == ASSAY_ENOMEM)
        return assay_fail_memory(err, "searching");
    if (!st)
        return assay_retrieved_hits(w->own, room, n, arena, out)
                   ? ASSAY_OK
                   : assay_fail_memory(err, "searching");
    if (w->own->stop && atomic_load(w->own->stop)) {
        if (err)
            *err = why;
        return st;
    }
    out->error = assay_arena_copy(arena, assay_slice_of(why.text));
    return out->error.ptr ? ASSAY_OK : assay_fail_memory(err, "searching");
}

static void identity(const void *state, assay_buffer *out)
{
    const assay_own_system *own = state;

    own->retriever->identity(own->state, out);
}

const assay_system assay_own_system_socket = {
    .name = "assay",
    .summary = "one of assay's own retrievers",
    .worker = open_worker,
    .ask = ask,
    .identity = identity,
    .worker_close = close_worker,
};
