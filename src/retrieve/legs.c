/* SPDX-License-Identifier: Apache-2.0 */
#include "retrieve/legs.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"

/* ---- parameters ---- */

/* Whether `param` is "name.something=..."; *rest is then "something=...". */
static bool is_of(assay_slice param, assay_slice name, assay_slice *rest)
{
    if (param.len <= name.len + 1 || memcmp(param.ptr, name.ptr, name.len) != 0 ||
        param.ptr[name.len] != '.')
        return false;
    *rest = (assay_slice){param.ptr + name.len + 1, param.len - name.len - 1};
    return true;
}

static bool has_dot(assay_slice param)
{
    const char *equals = param.len ? memchr(param.ptr, '=', param.len) : NULL;
    size_t len = equals ? (size_t)(equals - param.ptr) : param.len;

    return len && memchr(param.ptr, '.', len) != NULL;
}

static void append(assay_buffer *out, assay_slice param)
{
    if (out->len)
        assay_buffer_char(out, ',');
    assay_buffer_slice(out, param);
}

void assay_legs_own_params(assay_slice params, assay_buffer *out)
{
    assay_slice part;

    while (assay_slice_part(&params, ',', &part))
        if (!has_dot(assay_slice_trim(part)))
            append(out, assay_slice_trim(part));
}

static void leg_params(assay_slice params, assay_slice name, assay_buffer *out)
{
    assay_slice part;
    assay_slice rest;

    while (assay_slice_part(&params, ',', &part))
        if (is_of(assay_slice_trim(part), name, &rest))
            append(out, rest);
}

/* A parameter for a leg that is not there would be lost without a word. */
static assay_status check_dots(assay_slice params, assay_slice names, assay_error *err)
{
    assay_slice part;

    while (assay_slice_part(&params, ',', &part)) {
        assay_slice left = names;
        assay_slice name;
        assay_slice rest;
        bool is_known = !has_dot(assay_slice_trim(part));

        while (!is_known && assay_slice_part(&left, '+', &name))
            is_known = is_of(assay_slice_trim(part), name, &rest);
        if (!is_known)
            return assay_fail(err, ASSAY_EUSAGE,
                              "'%.*s' is for a leg that is not among '%.*s'",
                              ASSAY_QUOTE(part), ASSAY_QUOTE(names));
    }
    return ASSAY_OK;
}

/* ---- opening ---- */

static assay_status open_leg(assay_legs *legs, assay_slice name,
                             const assay_retrieve_source *source, assay_error *err)
{
    assay_shared *shared = source->shared ? source->shared : &legs->own;
    assay_buffer params = ASSAY_BUFFER_EMPTY;
    assay_status st;

    if (legs->n == ASSAY_LEGS_MOST)
        return assay_fail(err, ASSAY_EUSAGE, "at most %d legs", ASSAY_LEGS_MOST);
    leg_params(source->params, name, &params);
    st = params.has_failed
             ? assay_fail_memory(err, "opening the legs")
             : assay_shared_open(shared, name, assay_buffer_view(&params), source,
                                 &legs->retriever[legs->n], &legs->state[legs->n], err);
    assay_buffer_clear(&params);
    legs->n += !st;
    return st;
}

assay_status assay_legs_open(assay_legs *legs, assay_slice names,
                             const assay_retrieve_source *source, assay_error *err)
{
    assay_slice rest = names;
    assay_slice name;
    assay_status st = check_dots(source->params, names, err);

    legs->n_passages = source->passages->n;
    while (!st && assay_slice_part(&rest, '+', &name))
        st = open_leg(legs, assay_slice_trim(name), source, err);
    if (!st && !legs->n)
        st = assay_fail(err, ASSAY_EUSAGE, "no legs");
    if (st)
        assay_legs_close(legs);
    return st;
}

void assay_legs_close(assay_legs *legs)
{
    assay_shared_clear(&legs->own);
    legs->n = 0;
}

void assay_legs_identity(const assay_legs *legs, assay_buffer *out)
{
    for (uint32_t i = 0; i < legs->n; i++) {
        if (i)
            assay_buffer_text(out, " + ");
        legs->retriever[i]->identity(legs->state[i], out);
    }
}

const char *assay_legs_name(const assay_legs *legs, uint32_t leg)
{
    return leg < legs->n ? legs->retriever[leg]->name : NULL;
}

/* ---- workers ---- */

assay_status assay_legs_worker_open(assay_legs_worker *worker, const assay_legs *legs,
                                    assay_error *err)
{
    *worker = (assay_legs_worker){.legs = legs};
    for (uint32_t i = 0; i < legs->n; i++) {
        assay_status st =
            legs->retriever[i]->worker(legs->state[i], &worker->worker[i], err);

        if (st) {
            assay_legs_worker_close(worker);
            return st;
        }
    }
    return ASSAY_OK;
}

void assay_legs_worker_close(assay_legs_worker *worker)
{
    for (uint32_t i = 0; worker->legs && i < worker->legs->n; i++)
        if (worker->worker[i])
            worker->legs->retriever[i]->worker_close(worker->worker[i]);
    assay_mem_free(worker->hit);
    assay_mem_free(worker->item);
    assay_mem_free(worker->score);
    assay_fuser_clear(&worker->fuser);
    *worker = (assay_legs_worker){.legs = NULL};
}

static bool reserve(assay_legs_worker *w, uint32_t depth)
{
    size_t n = (size_t)depth * w->legs->n + 1;

    if (depth <= w->room && w->hit)
        return true;
    assay_mem_free(w->hit);
    assay_mem_free(w->item);
    assay_mem_free(w->score);
    w->hit = ASSAY_NEW_ARRAY(assay_retrieved, depth + 1u);
    w->item = ASSAY_NEW_ARRAY(uint32_t, n);
    w->score = ASSAY_NEW_ARRAY(double, n);
    w->room = depth;
    return w->hit && w->item && w->score;
}

assay_status assay_legs_search(assay_legs_worker *worker, assay_slice query,
                               uint32_t depth, assay_leg *leg, assay_error *err)
{
    const assay_legs *legs = worker->legs;

    if (depth > legs->n_passages)
        depth = legs->n_passages;
    if (!reserve(worker, depth)) {
        worker->room = 0;
        return assay_fail_memory(err, "searching");
    }
    for (uint32_t i = 0; i < legs->n; i++) {
        uint32_t *item = worker->item + (size_t)i * worker->room;
        double *score = worker->score + (size_t)i * worker->room;
        uint32_t n;
        assay_status st = legs->retriever[i]->search(worker->worker[i], query, depth,
                                                     worker->hit, &n, err);

        if (st)
            return st;
        for (uint32_t j = 0; j < n; j++) {
            item[j] = worker->hit[j].passage;
            score[j] = worker->hit[j].score;
        }
        leg[i] = (assay_leg){item, score, n};
    }
    return ASSAY_OK;
}

assay_status assay_legs_explain(assay_legs_worker *worker, assay_slice query,
                                uint32_t passage, assay_buffer *out, assay_error *err)
{
    const assay_legs *legs = worker->legs;
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < legs->n && !st; i++) {
        if (!legs->retriever[i]->explain)
            continue;
        assay_buffer_printf(out, "%s:\n", legs->retriever[i]->name);
        st = legs->retriever[i]->explain(worker->worker[i], query, passage, out, err);
    }
    return st;
}

const assay_embedding *assay_legs_embedding(const assay_legs *legs)
{
    for (uint32_t i = 0; i < legs->n; i++) {
        const assay_retriever *r = legs->retriever[i];
        const assay_embedding *e = r->embedding ? r->embedding(legs->state[i]) : NULL;

        if (e)
            return e;
    }
    return NULL;
}
