/* SPDX-License-Identifier: Apache-2.0 */
/* From a query's hits to its ranking.
 *
 *     by score; without scores by rank; without ranks as listed
 *     equal scores as settings->ties says
 *     an id that stands twice as the conventions and --duplicates say */
#include "pipeline/eval_rank.h"

#include "base/error.h"
#include "base/slice.h"
#include "run/trec_lines.h"

/* ---- order ---- */

typedef enum ranked_by { KEY_SCORE, KEY_RANK, KEY_LIST } ranked_by;

static ranked_by key_of(const assay_result *result, assay_hit_order order)
{
    bool has_scores = order == ASSAY_BY_SCORE;
    bool has_ranks = order != ASSAY_BY_LIST;

    for (uint32_t i = 0; i < result->n_hits; i++) {
        has_scores = has_scores && result->hit[i].has_score;
        has_ranks = has_ranks && result->hit[i].rank;
    }
    return has_scores ? KEY_SCORE : has_ranks ? KEY_RANK : KEY_LIST;
}

static assay_order order_of(assay_ties ties)
{
    switch (ties) {
    case ASSAY_TIES_ID_UP: return ASSAY_ORDER_SCORE_UP;
    case ASSAY_TIES_RANK:
    case ASSAY_TIES_LISTED: return ASSAY_ORDER_STABLE;
    case ASSAY_TIES_ID_DOWN:
    case ASSAY_TIES_BEST:
    case ASSAY_TIES_WORST: break;
    }
    return ASSAY_ORDER_SCORE;
}

static void put_scores(assay_judge *judge, const assay_result *result, ranked_by key)
{
    for (uint32_t i = 0; i < judge->n; i++) {
        const assay_hit *hit = &result->hit[judge->ranked[i].index];

        judge->ranked[i].score = key == KEY_SCORE  ? hit->score
                                 : key == KEY_RANK ? -(double)hit->rank
                                                   : 0.0;
    }
}

static bool order_hits(const assay_eval_job *job, assay_judge *judge,
                       const assay_result *result, ranked_by key)
{
    if (key == KEY_LIST)
        return true;
    if (key == KEY_RANK || job->settings->ties == ASSAY_TIES_RANK) {
        put_scores(judge, result, KEY_RANK);
        if (!assay_judge_order(judge, ASSAY_ORDER_STABLE))
            return false;
    }
    if (key == KEY_RANK)
        return true;
    put_scores(judge, result, KEY_SCORE);
    return assay_judge_order(judge, order_of(job->settings->ties));
}

/* ---- filling ---- */

/* A TREC run whose ranks nobody asks for: straight from the lines. */
static bool is_fast(const assay_eval_job *job)
{
    return job->run->trec && job->settings->ties != ASSAY_TIES_RANK &&
           job->conventions->order != ASSAY_BY_RANK;
}

static assay_status fill_fast(const assay_eval_job *job, assay_eval_worker *w,
                              assay_row *row, assay_result *result, assay_error *err)
{
    uint32_t n = assay_trec_lines_count(job->run->trec, row->result);
    assay_status st;

    if (!assay_judge_reserve(&w->judge, n))
        return assay_fail_memory(err, "reading a ranking");
    st = assay_trec_lines_read(job->run->trec, row->result, w->judge.ranked,
                               w->judge.given, &w->judge.has_given, err);
    if (st)
        return st;
    w->judge.n = n;
    result->query_id = row->id;
    result->n_hits = n;
    result->elapsed_ms = -1;
    if (job->conventions->order == ASSAY_BY_SCORE &&
        !assay_judge_order(&w->judge, order_of(job->settings->ties)))
        return assay_fail_memory(err, "ordering a ranking");
    return ASSAY_OK;
}

static assay_status fill(const assay_eval_job *job, assay_eval_worker *w, assay_row *row,
                         assay_result *result, ranked_by *key, assay_error *err)
{
    assay_status st = assay_run_result(job->run, row->result, &w->arena, result, err);

    if (st)
        return st;
    row->is_failed = result->error.len > 0;
    if (row->is_failed && !job->conventions->failed_keeps_hits)
        return ASSAY_OK;
    if (!assay_judge_reserve(&w->judge, result->n_hits))
        return assay_fail_memory(err, "reading a ranking");
    for (uint32_t i = 0; i < result->n_hits; i++) {
        assay_slice id;

        if (!assay_run_hit_id(&result->hit[i], &w->arena, &id))
            return assay_fail_memory(err, "reading a ranking");
        w->judge.ranked[i] = (assay_ranked){
            .id = id.ptr ? id.ptr : "", .len = (uint32_t)id.len, .index = i};
    }
    w->judge.n = result->n_hits;
    *key = key_of(result, job->conventions->order);
    if (!order_hits(job, &w->judge, result, *key))
        return assay_fail_memory(err, "ordering a ranking");
    return ASSAY_OK;
}

/* ---- what is taken out ---- */

static void drop_self(const assay_eval_job *job, assay_eval_worker *w,
                      const assay_row *row, const assay_result *result)
{
    uint32_t kept = 0;

    if (!job->drop_self_hits)
        return;
    for (uint32_t i = 0; i < w->judge.n; i++) {
        const assay_ranked *r = &w->judge.ranked[i];
        assay_slice id =
            result->hit ? result->hit[r->index].doc : (assay_slice){r->id, r->len};

        if (assay_slice_eq(id, row->id))
            w->counts.self_hits++;
        else
            w->judge.ranked[kept++] = *r;
    }
    w->judge.n = kept;
}

static assay_repeat_rule repeat_rule(const assay_eval_job *job)
{
    switch (job->settings->duplicates) {
    case ASSAY_DUPLICATES_ERROR: return ASSAY_REPEAT_REFUSE;
    case ASSAY_DUPLICATES_FIRST: return ASSAY_REPEAT_DROP;
    case ASSAY_DUPLICATES_DEFAULT: break;
    }
    /* A document twice in a TREC file is a broken file. */
    if (job->run->trec && job->conventions->repeats == ASSAY_REPEAT_DROP)
        return ASSAY_REPEAT_REFUSE;
    return job->conventions->repeats;
}

static assay_status fail_duplicate(const assay_eval_job *job, const assay_row *row,
                                   const assay_result *result, const assay_ranked *r,
                                   assay_error *err)
{
    assay_slice id = {r->id, r->len};
    uint64_t number = result->line;

    if (job->run->trec) {
        assay_trec_line line;
        assay_status st =
            assay_trec_lines_get(job->run->trec, row->result, r->index, &line, err);

        if (st)
            return st;
        number = line.number;
    }
    return assay_fail_at(err, job->run->path, number,
                         "'%.*s' is a hit of query '%.*s' twice; '--duplicates first' "
                         "keeps the first",
                         ASSAY_QUOTE(id), ASSAY_QUOTE(row->id));
}

static assay_status drop_duplicates(const assay_eval_job *job, assay_eval_worker *w,
                                    const assay_row *row, const assay_result *result,
                                    assay_error *err)
{
    assay_repeat_rule rule = repeat_rule(job);
    uint32_t at;

    if (rule == ASSAY_REPEAT_DROP) {
        w->counts.duplicates += assay_judge_duplicates(&w->judge, true);
        return ASSAY_OK;
    }
    if (rule != ASSAY_REPEAT_REFUSE) {
        assay_judge_hash(&w->judge);
        return ASSAY_OK;
    }
    at = assay_judge_duplicates(&w->judge, false);
    if (at == ASSAY_NONE)
        return ASSAY_OK;
    return fail_duplicate(job, row, result, &w->judge.ranked[at], err);
}

static void count_ties(const assay_eval_job *job, assay_eval_worker *w)
{
    for (uint32_t i = 0; i < job->plan->n_cutoffs; i++)
        w->counts.ties += assay_judge_tied_at(&w->judge, job->plan->cutoff[i]);
}

assay_status assay_eval_rank(const assay_eval_job *job, assay_eval_worker *worker,
                             assay_row *row, assay_result *result, assay_error *err)
{
    ranked_by key = KEY_SCORE;
    assay_status st;

    worker->judge.n = 0;
    worker->judge.has_given = false;
    *result = (assay_result){.elapsed_ms = -1};
    if (row->result == ASSAY_NONE) {
        row->is_missing = true;
        return ASSAY_OK;
    }
    st = is_fast(job) ? fill_fast(job, worker, row, result, err)
                      : fill(job, worker, row, result, &key, err);
    if (st)
        return st;
    drop_self(job, worker, row, result);
    st = drop_duplicates(job, worker, row, result, err);
    if (st)
        return st;
    worker->counts.hits += worker->judge.n;
    if (key == KEY_SCORE && job->conventions->order == ASSAY_BY_SCORE)
        count_ties(job, worker);
    row->n_hits = worker->judge.n;
    return ASSAY_OK;
}
