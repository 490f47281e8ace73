/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of a sum: every open hit adds what is good for the bound, so the difference of two
 * runs takes max(0, wA - wB) of each.  Bounds of a first hit: the best set of relevant hits
 * for A - B has one hit in it (or none), since every further one can only help B. */
#include "pipeline/unjudged.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"

/* Sums of doubles that should be equal. */
static const double nearly = 1e-12;

typedef struct assay_unjudged_metric {
    const char *name;
    bool is_sum;
    double (*weight)(const assay_unjudged *u, uint32_t rank); /* never rises with it */
} assay_unjudged_metric;

static double weigh_precision(const assay_unjudged *u, uint32_t rank)
{
    (void)rank;
    return 1.0 / u->k;
}

static double weigh_rbp(const assay_unjudged *u, uint32_t rank)
{
    return (1 - u->p) * pow(u->p, rank - 1);
}

static double weigh_hit(const assay_unjudged *u, uint32_t rank)
{
    (void)u;
    (void)rank;
    return 1;
}

static double weigh_mrr(const assay_unjudged *u, uint32_t rank)
{
    (void)u;
    return 1.0 / rank;
}

static const assay_unjudged_metric metrics[] = {
    {"precision", true, weigh_precision},
    {"rbp", true, weigh_rbp},
    {"hit", false, weigh_hit},
    {"mrr", false, weigh_mrr},
};

static double weight(const assay_unjudged *u, uint32_t rank)
{
    return rank && rank <= u->k ? u->metric->weight(u, rank) : 0;
}

/* ---- what is asked about ---- */

static assay_status read_metric(assay_unjudged *u, const char *spelling, assay_error *err)
{
    assay_slice rest = assay_slice_of(spelling);
    assay_slice name;

    u->k = 10;
    u->p = 0.8;
    if (assay_slice_part(&rest, '@', &name))
        for (size_t i = 0; i < ASSAY_COUNT(metrics); i++)
            if (assay_slice_is(name, metrics[i].name))
                u->metric = &metrics[i];
    if (!u->metric || (rest.len && !assay_slice_to_u32(rest, &u->k)) || !u->k)
        return assay_fail(
            err, ASSAY_EUSAGE,
            "--metric wants precision@k, hit@k, mrr@k or rbp@k, not '%.80s': "
            "the bounds of others are not known exactly",
            spelling);
    return ASSAY_OK;
}

typedef struct place {
    const assay_hit *hit;
    assay_slice id;
    uint32_t index;
} place;

static int by_score(const void *a, const void *b)
{
    const place *x = a;
    const place *y = b;
    int order;

    if (x->hit->has_score && y->hit->has_score && x->hit->score != y->hit->score)
        return x->hit->score > y->hit->score ? -1 : 1;
    order = x->hit->has_score && y->hit->has_score ? assay_slice_cmp(y->id, x->id) : 0;
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

typedef struct builder {
    assay_unjudged *u;
    assay_unjudged_known *known;
    void *ctx;
    assay_dict ids; /* hits of the query at hand */
} builder;

static assay_status add_hit(builder *b, uint32_t run, uint32_t rank, const place *at,
                            assay_error *err)
{
    assay_unjudged *u = b->u;
    assay_unjudged_query *q = &u->query[u->n_queries];
    int known = b->known(b->ctx, q->id, at->hit);
    assay_unjudged_hit *grown;
    uint32_t number;
    bool is_new;

    if (known > 0) {
        q->sum[run] += weight(u, rank);
        if (weight(u, rank) > q->top[run])
            q->top[run] = weight(u, rank);
    }
    if (known != -1)
        return ASSAY_OK;
    grown = assay_mem_grow(u->hit, &u->cap, (size_t)u->n + 1, sizeof *grown);
    if (!grown || !assay_dict_put(&b->ids, &u->arena, at->id, &number, &is_new))
        return assay_fail_memory(err, "looking for hits that nobody judged");
    u->hit = grown;
    if (is_new) {
        u->hit[u->n++] = (assay_unjudged_hit){.query = u->n_queries,
                                              .doc = at->hit->doc,
                                              .chunk = at->hit->chunk,
                                              .span = at->hit->span,
                                              .n_spans = at->hit->n_spans};
        q->n++;
    }
    u->hit[q->first + number].rank[run] = rank;
    return ASSAY_OK;
}

static assay_status add_result(builder *b, const assay_run *run, uint32_t side,
                               uint32_t number, assay_error *err)
{
    assay_arena *arena = &b->u->arena;
    assay_result result;
    place *item = NULL;
    assay_status st = assay_run_result(run, number, arena, &result, err);

    if (!st) {
        item = ASSAY_ARENA_ARRAY(arena, place, (size_t)result.n_hits + 1);
        if (!item)
            st = assay_fail_memory(err, "looking for hits that nobody judged");
    }
    for (uint32_t i = 0; !st && i < result.n_hits; i++) {
        item[i] = (place){.hit = &result.hit[i], .index = i};
        if (!assay_run_hit_id(item[i].hit, arena, &item[i].id))
            st = assay_fail_memory(err, "looking for hits that nobody judged");
    }
    if (st)
        return st;
    qsort(item, result.n_hits, sizeof *item, by_score);
    for (uint32_t i = 0; !st && i < result.n_hits && i < b->u->k; i++)
        st = add_hit(b, side, i + 1, &item[i], err);
    return st;
}

static assay_status add_query(builder *b, const assay_run *const *run, uint32_t n_runs,
                              uint32_t number, assay_error *err)
{
    static const assay_hit none = {.doc = {"", 0}, .chunk = {"", 0}};
    assay_unjudged *u = b->u;
    assay_unjudged_query *q = &u->query[u->n_queries];
    uint32_t before = u->n;
    assay_status st = ASSAY_OK;

    *q = (assay_unjudged_query){.id = assay_run_id(run[0], number), .first = before};
    if (b->known(b->ctx, q->id, &none) == -2)
        return ASSAY_OK;
    for (uint32_t r = 1; r < n_runs; r++)
        if (assay_dict_find(&run[r]->ids, q->id) == ASSAY_NONE)
            return ASSAY_OK;
    b->ids = (assay_dict){0};
    for (uint32_t r = 0; !st && r < n_runs; r++)
        st = add_result(b, run[r], r, r ? assay_dict_find(&run[r]->ids, q->id) : number,
                        err);
    assay_dict_clear(&b->ids);
    u->n_queries++;
    return st;
}

assay_status assay_unjudged_open(const assay_run *const *run, uint32_t n_runs,
                                 const char *metric, assay_unjudged_known *known,
                                 void *ctx, assay_unjudged **out, assay_error *err)
{
    assay_unjudged *u = ASSAY_NEW(assay_unjudged);
    builder b = {.u = u, .known = known, .ctx = ctx};
    uint32_t n = assay_run_n(run[0]);
    assay_status st;

    if (!u)
        return assay_fail_memory(err, "looking for hits that nobody judged");
    u->n_runs = n_runs;
    st = read_metric(u, metric, err);
    u->query = ASSAY_ARENA_ARRAY(&u->arena, assay_unjudged_query, (size_t)n + 1);
    if (!st && !u->query)
        st = assay_fail_memory(err, "looking for hits that nobody judged");
    for (uint32_t i = 0; !st && i < n; i++)
        st = add_query(&b, run, n_runs, i, err);
    if (!st && !u->n_queries)
        st = assay_fail(err, ASSAY_EUSAGE, "there is no query that counts in all runs");
    if (st)
        assay_unjudged_close(u);
    else
        *out = u;
    return st;
}

void assay_unjudged_close(assay_unjudged *u)
{
    if (!u)
        return;
    assay_mem_free(u->hit);
    assay_arena_clear(&u->arena);
    assay_mem_free(u);
}

/* ---- bounds ---- */

/* The query's value in a run as far as it is known. */
static double value_of(const assay_unjudged *u, const assay_unjudged_query *q,
                       uint32_t run)
{
    return u->metric->is_sum ? q->sum[run] : q->top[run];
}

/* By how much a run's value of the query grows if the hit is relevant. */
static double gain(const assay_unjudged *u, const assay_unjudged_hit *h, uint32_t run)
{
    const assay_unjudged_query *q = &u->query[h->query];
    double w = weight(u, h->rank[run]);

    if (u->metric->is_sum)
        return w;
    return w > q->top[run] ? w - q->top[run] : 0;
}

static double change(const assay_unjudged *u, const assay_unjudged_hit *h)
{
    return gain(u, h, 0) - (u->n_runs > 1 ? gain(u, h, 1) : 0);
}

static void bound_query(const assay_unjudged *u, const assay_unjudged_query *q,
                        double *low, double *high)
{
    double now = value_of(u, q, 0) - (u->n_runs > 1 ? value_of(u, q, 1) : 0);
    double least = 0;
    double most = 0;

    for (uint32_t i = q->first; i < q->first + q->n; i++) {
        double c = u->hit[i].is_done ? 0 : change(u, &u->hit[i]);

        if (u->metric->is_sum) {
            least += c < 0 ? c : 0;
            most += c > 0 ? c : 0;
        } else {
            least = c < least ? c : least;
            most = c > most ? c : most;
        }
    }
    *low += now + least;
    *high += now + most;
}

void assay_unjudged_bounds(const assay_unjudged *u, double *low, double *high)
{
    *low = *high = 0;
    for (uint32_t i = 0; i < u->n_queries; i++)
        bound_query(u, &u->query[i], low, high);
    *low /= u->n_queries;
    *high /= u->n_queries;
}

bool assay_unjudged_is_decided(const assay_unjudged *u, double width)
{
    double low;
    double high;

    assay_unjudged_bounds(u, &low, &high);
    if (high - low <= nearly)
        return true;
    if (u->n_runs > 1)
        return low > nearly || high < -nearly;
    return high - low <= width + nearly;
}

/* ---- what next ---- */

double assay_unjudged_value(const assay_unjudged *u, uint32_t hit)
{
    const assay_unjudged_hit *h = &u->hit[hit];

    return h->is_done ? 0 : fabs(change(u, h)) / u->n_queries;
}

static uint32_t top_rank(const assay_unjudged_hit *h)
{
    if (!h->rank[0] || !h->rank[1])
        return h->rank[0] + h->rank[1];
    return h->rank[0] < h->rank[1] ? h->rank[0] : h->rank[1];
}

uint32_t assay_unjudged_next(const assay_unjudged *u)
{
    uint32_t best = ASSAY_NONE;
    double most = nearly;

    for (uint32_t i = 0; i < u->n; i++) {
        double value = u->hit[i].is_passed ? 0 : assay_unjudged_value(u, i);

        if (value > most + nearly || (best != ASSAY_NONE && value > most - nearly &&
                                      top_rank(&u->hit[i]) < top_rank(&u->hit[best]))) {
            best = i;
            most = value;
        }
    }
    return best;
}

uint32_t assay_unjudged_left(const assay_unjudged *u)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < u->n; i++)
        n += !u->hit[i].is_passed && assay_unjudged_value(u, i) > nearly;
    return n;
}

void assay_unjudged_judge(assay_unjudged *u, uint32_t hit, bool is_relevant)
{
    assay_unjudged_hit *h = &u->hit[hit];
    assay_unjudged_query *q = &u->query[h->query];

    h->is_done = true;
    for (uint32_t r = 0; is_relevant && r < u->n_runs; r++) {
        double w = weight(u, h->rank[r]);

        q->sum[r] += w;
        q->top[r] = w > q->top[r] ? w : q->top[r];
    }
}
