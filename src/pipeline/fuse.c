/* SPDX-License-Identifier: Apache-2.0 */
/* Run files into one run.
 *
 * For one query: all ids of all legs, sorted, give the numbers that fusion works on, so
 * that a higher number is a higher id and ties fall as everywhere else. */
#include "pipeline/fuse.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"

/* A hit on its way: of which leg, under which id. */
typedef struct candidate {
    assay_slice id;
    const assay_hit *hit;
    uint32_t leg;
    uint32_t listed; /* place in the leg's list */
    uint32_t number; /* of the id among all ids of the query */
    double key;      /* higher is better */
} candidate;

typedef struct job {
    const assay_run *const *run;
    uint32_t n_runs;
    const assay_fuse_settings *settings;
    assay_slice *query;         /* ids */
    assay_result *result;       /* by query */
    struct fuse_worker *worker; /* by thread */
    assay_error *error;         /* by query */
    assay_status *status;
} job;

typedef struct fuse_worker {
    assay_arena scratch;
    assay_arena kept; /* what results point to; becomes the run's */
    assay_fuser fuser;
} fuse_worker;

/* ---- order ---- */

static int by_id(const void *a, const void *b)
{
    const candidate *x = a;
    const candidate *y = b;
    int order = assay_slice_cmp(x->id, y->id);

    if (order)
        return order;
    if (x->leg != y->leg)
        return x->leg < y->leg ? -1 : 1;
    return x->listed < y->listed ? -1 : 1;
}

/* Legs ascending, in each the best first, ties by id descending. */
static int by_leg(const void *a, const void *b)
{
    const candidate *x = a;
    const candidate *y = b;

    if (x->leg != y->leg)
        return x->leg < y->leg ? -1 : 1;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    if (x->number != y->number)
        return x->number > y->number ? -1 : 1;
    return x->listed < y->listed ? -1 : 1;
}

/* Ranks that order: every hit has one, and none stands twice. */
static bool has_ranks(const assay_result *result, assay_arena *arena)
{
    uint8_t *seen = ASSAY_ARENA_ARRAY(arena, uint8_t, result->n_hits + 1u);

    for (uint32_t i = 0; seen && i < result->n_hits; i++) {
        uint32_t rank = result->hit[i].rank;

        if (!rank || rank > result->n_hits || seen[rank])
            return false;
        seen[rank] = 1;
    }
    return seen != NULL;
}

static bool has_scores(const assay_result *result)
{
    for (uint32_t i = 0; i < result->n_hits; i++)
        if (!result->hit[i].has_score)
            return false;
    return true;
}

static void set_keys(candidate *c, const assay_result *result, bool ranks_first,
                     assay_arena *arena)
{
    bool ranks = has_ranks(result, arena);
    bool scores = has_scores(result);
    bool by_score = scores && !(ranks && ranks_first);

    for (uint32_t i = 0; i < result->n_hits; i++)
        c[i].key = by_score ? c[i].hit->score
                   : ranks  ? -(double)c[i].hit->rank
                            : -(double)c[i].listed;
}

/* ---- one query ---- */

static assay_status read_leg(const job *j, fuse_worker *w, uint32_t leg,
                             assay_slice query, assay_result *out, assay_error *err)
{
    uint32_t i = assay_dict_find(&j->run[leg]->ids, query);

    *out = (assay_result){.elapsed_ms = -1};
    if (i == ASSAY_NONE)
        return ASSAY_OK;
    return assay_run_result(j->run[leg], i, &w->scratch, out, err);
}

static assay_status collect(fuse_worker *w, uint32_t leg, const assay_result *result,
                            bool ranks_first, candidate *out, assay_error *err)
{
    for (uint32_t i = 0; i < result->n_hits; i++) {
        out[i] = (candidate){.hit = &result->hit[i], .leg = leg, .listed = i};
        if (!assay_run_hit_id(out[i].hit, &w->scratch, &out[i].id))
            return assay_fail_memory(err, "fusing runs");
    }
    set_keys(out, result, ranks_first, &w->scratch);
    return ASSAY_OK;
}

/* A higher id has a higher number; returns how many there are. */
static uint32_t number_ids(candidate *c, uint32_t n)
{
    uint32_t numbers = 0;

    qsort(c, n, sizeof *c, by_id);
    for (uint32_t i = 0; i < n; i++) {
        numbers += i == 0 || !assay_slice_eq(c[i].id, c[i - 1].id);
        c[i].number = numbers - 1;
    }
    return numbers;
}

/* The legs of one query as fusion wants them. */
typedef struct legs {
    assay_leg leg[ASSAY_LEGS_MOST];
    bool has_score[ASSAY_LEGS_MOST];
    uint32_t *item; /* all legs, one behind the other; likewise score */
    double *score;
    const assay_hit **hit; /* by number: of the first leg that has it */
    uint32_t *seen_in;     /* by number: 1 + the last leg in which it stood */
} legs;

static bool legs_room(legs *l, assay_arena *arena, uint32_t n)
{
    l->item = ASSAY_ARENA_ARRAY(arena, uint32_t, n + 1);
    l->score = ASSAY_ARENA_ARRAY(arena, double, n + 1);
    l->hit = ASSAY_ARENA_ARRAY(arena, const assay_hit *, n + 1);
    l->seen_in = ASSAY_ARENA_ARRAY(arena, uint32_t, n + 1);
    return l->item && l->score && l->hit && l->seen_in;
}

/* Cut the candidates into legs; an id twice in one leg counts once. */
static void make_legs(candidate *c, uint32_t n, uint32_t n_legs, legs *out)
{
    uint32_t at = 0;
    uint32_t i = 0;

    qsort(c, n, sizeof *c, by_leg);
    for (uint32_t leg = 0; leg < n_legs; leg++) {
        uint32_t first = at;

        out->has_score[leg] = true;
        for (; i < n && c[i].leg == leg; i++) {
            if (out->seen_in[c[i].number] == leg + 1)
                continue;
            out->seen_in[c[i].number] = leg + 1;
            if (!out->hit[c[i].number])
                out->hit[c[i].number] = c[i].hit;
            out->has_score[leg] = out->has_score[leg] && c[i].hit->has_score;
            out->item[at] = c[i].number;
            out->score[at++] = c[i].hit->has_score ? c[i].hit->score : c[i].key;
        }
        out->leg[leg] = (assay_leg){out->item + first, out->score + first, at - first};
    }
}

/* ---- results ---- */

/* What a hit points to moves into the arena that is kept. */
static bool keep_hit(assay_arena *kept, const assay_hit *from, assay_hit *to)
{
    assay_span *span = ASSAY_ARENA_ARRAY(kept, assay_span, from->n_spans + 1u);

    *to = (assay_hit){.chunk = assay_arena_copy(kept, from->chunk),
                      .doc = assay_arena_copy(kept, from->doc),
                      .text = assay_arena_copy(kept, from->text),
                      .span = span,
                      .n_spans = from->n_spans};
    if (!span || !to->chunk.ptr || !to->doc.ptr || !to->text.ptr)
        return false;
    for (uint32_t i = 0; i < from->n_spans; i++)
        span[i] = from->span[i];
    return true;
}

static bool keep_legs(const job *j, const legs *l, assay_arena *kept,
                      const assay_retrieved *from, assay_hit *to)
{
    assay_leg_place *leg = ASSAY_ARENA_ARRAY(kept, assay_leg_place, j->n_runs);

    if (!leg)
        return false;
    for (uint32_t i = 0; i < j->n_runs; i++)
        leg[i] =
            (assay_leg_place){j->run[i]->name, from->leg_rank[i],
                              from->leg_rank[i] && l->has_score[i], from->leg_score[i]};
    to->leg = leg;
    to->n_legs = (uint8_t)j->n_runs;
    return true;
}

static bool keep(const job *j, fuse_worker *w, const legs *l,
                 const assay_retrieved *fused, uint32_t n, assay_result *out)
{
    assay_hit *hit = ASSAY_ARENA_ARRAY(&w->kept, assay_hit, n + 1u);

    if (!hit)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!keep_hit(&w->kept, l->hit[fused[i].passage], &hit[i]) ||
            !keep_legs(j, l, &w->kept, &fused[i], &hit[i]))
            return false;
        hit[i].rank = i + 1;
        hit[i].score = fused[i].score;
        hit[i].has_score = true;
    }
    out->hit = hit;
    out->n_hits = n;
    return true;
}

static bool ranks_decide(const assay_fuse_settings *settings)
{
    if (settings->order != ASSAY_FUSE_AUTO)
        return settings->order == ASSAY_FUSE_RANK;
    return settings->fusion.method == assay_fusion_method_at(0);
}

static assay_status fuse_query(const job *j, fuse_worker *w, size_t q, assay_error *err)
{
    assay_result part[ASSAY_LEGS_MOST];
    assay_result *out = &j->result[q];
    const assay_retrieved *fused;
    bool ranks_first = ranks_decide(j->settings);
    uint32_t total = 0;
    uint32_t at = 0;
    candidate *c;
    legs l = {.item = NULL};
    uint32_t n;
    assay_status st = ASSAY_OK;

    assay_arena_reset(&w->scratch);
    *out = (assay_result){.query_id = j->query[q], .elapsed_ms = -1};
    for (uint32_t i = 0; i < j->n_runs && !st; i++) {
        st = read_leg(j, w, i, j->query[q], &part[i], err);
        total += st ? 0 : part[i].n_hits;
        if (!st && part[i].query.len && !out->query.len)
            out->query = part[i].query;
    }
    if (st)
        return st;
    c = ASSAY_ARENA_ARRAY(&w->scratch, candidate, total + 1u);
    if (!c || !legs_room(&l, &w->scratch, total))
        return assay_fail_memory(err, "fusing runs");
    for (uint32_t i = 0; i < j->n_runs && !st; at += part[i++].n_hits)
        st = collect(w, i, &part[i], ranks_first, c + at, err);
    if (st)
        return st;
    number_ids(c, total);
    make_legs(c, total, j->n_runs, &l);
    if (!assay_fuse(&w->fuser, &j->settings->fusion, l.leg, j->n_runs, &fused, &n))
        return assay_fail_memory(err, "fusing runs");
    if (j->settings->depth && n > j->settings->depth)
        n = j->settings->depth;
    out->query = assay_arena_copy(&w->kept, out->query);
    if (!out->query.ptr || !keep(j, w, &l, fused, n, out))
        return assay_fail_memory(err, "fusing runs");
    return ASSAY_OK;
}

static void work(void *ctx, uint32_t worker, size_t item)
{
    const job *j = ctx;

    j->status[item] = fuse_query(j, &j->worker[worker], item, &j->error[item]);
}

/* ---- all queries ---- */

/* The ids of all queries, each once, into the new run's dictionary of names. */
static assay_status gather(const job *j, assay_dict *ids, assay_arena *arena,
                           assay_error *err)
{
    for (uint32_t i = 0; i < j->n_runs; i++)
        for (uint32_t q = 0; q < assay_run_n(j->run[i]); q++) {
            uint32_t number;

            if (!assay_dict_put(ids, arena, assay_run_id(j->run[i], q), &number, NULL))
                return assay_fail_memory(err, "fusing runs");
        }
    return ASSAY_OK;
}

/* The first query's error, whatever the number of threads. */
static assay_status first_error(const job *j, uint32_t n, assay_error *err)
{
    for (uint32_t q = 0; q < n; q++) {
        if (!j->status[q])
            continue;
        if (err)
            *err = j->error[q];
        return j->status[q];
    }
    return ASSAY_OK;
}

static assay_status fill(const job *j, assay_run *run, const assay_dict *ids,
                         assay_error *err)
{
    assay_status st = first_error(j, ids->n, err);

    for (uint32_t w = 0; w < ASSAY_POOL_MOST; w++)
        assay_arena_take(&run->arena, &j->worker[w].kept);
    for (uint32_t q = 0; q < ids->n && !st; q++) {
        assay_result *result;

        st = assay_run_add(run, ids->word[q], 0, &result, err);
        if (!st)
            *result = j->result[q];
    }
    return st ? st : assay_run_finish(run, err);
}

static assay_status fuse_all(job *j, assay_run *run, assay_error *err)
{
    assay_dict ids = {0};
    assay_status st = gather(j, &ids, &run->arena, err);

    j->query = ids.word;
    j->result = ASSAY_NEW_ARRAY(assay_result, ids.n + 1u);
    j->error = ASSAY_NEW_ARRAY(assay_error, ids.n + 1u);
    j->status = ASSAY_NEW_ARRAY(assay_status, ids.n + 1u);
    j->worker = ASSAY_NEW_ARRAY(fuse_worker, ASSAY_POOL_MOST);
    if (!st && (!j->result || !j->error || !j->status || !j->worker))
        st = assay_fail_memory(err, "fusing runs");
    if (!st) {
        assay_pool_run(j->settings->n_threads, ids.n, work, j);
        st = fill(j, run, &ids, err);
    }
    for (uint32_t w = 0; j->worker && w < ASSAY_POOL_MOST; w++) {
        assay_arena_clear(&j->worker[w].scratch);
        assay_arena_clear(&j->worker[w].kept);
        assay_fuser_clear(&j->worker[w].fuser);
    }
    assay_mem_free(j->worker);
    assay_mem_free(j->status);
    assay_mem_free(j->error);
    assay_mem_free(j->result);
    assay_dict_clear(&ids);
    return st;
}

/* Runs of which one names chunks and another only documents share no id. */
static assay_status check_levels(const assay_run *const *run, uint32_t n,
                                 assay_error *err)
{
    for (uint32_t i = 1; i < n; i++) {
        bool is_first = run[0]->has_chunks;

        if (!run[i]->depth || !run[0]->depth || run[i]->has_chunks == is_first)
            continue;
        return assay_fail(err, ASSAY_EUSAGE,
                          "'%s' has chunk ids and '%s' has not: no hit can be in both",
                          run[is_first ? 0 : i]->path, run[is_first ? i : 0]->path);
    }
    return ASSAY_OK;
}

assay_status assay_fuse_runs(const assay_run *const *run, uint32_t n,
                             const assay_fuse_settings *settings, assay_run **out,
                             assay_error *err)
{
    job j = {.run = run, .n_runs = n, .settings = settings};
    assay_buffer name = ASSAY_BUFFER_EMPTY;
    assay_run *fused = NULL;
    assay_status st;

    if (n < 1 || n > ASSAY_LEGS_MOST)
        return assay_fail(err, ASSAY_EUSAGE, "fusion takes 1 to %d runs, not %u",
                          ASSAY_LEGS_MOST, n);
    st = assay_fusion_check(&settings->fusion, n, err);
    if (!st)
        st = check_levels(run, n, err);
    if (st)
        return st;
    fused = assay_run_new();
    assay_fusion_print(&settings->fusion, &name);
    if (!fused || name.has_failed)
        st = assay_fail_memory(err, "fusing runs");
    if (!st) {
        fused->name = assay_arena_copy(&fused->arena, assay_buffer_view(&name));
        st = fused->name.ptr ? fuse_all(&j, fused, err)
                             : assay_fail_memory(err, "fusing runs");
    }
    assay_buffer_clear(&name);
    if (st) {
        assay_run_free(fused);
        return st;
    }
    *out = fused;
    return ASSAY_OK;
}
