/* SPDX-License-Identifier: Apache-2.0 */
/* rerank: another retriever's best, in the order of a reranker (retrieve/reranker.h).
 *
 *     rerank(of=hybrid,depth=50,model=NAME,hybrid.k=30)
 *
 * No more than `depth` passages are ever hits: what the reranker has not seen has no score.
 * All of them are sent whatever k is, so that the best 5 are the first 5 of the best 10. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "retrieve/legs.h"
#include "retrieve/reranker.h"

enum { OF, DEPTH, MODEL, FIELD, TIMEOUT, RETRIES, N_PARAMS };

static const assay_param table[] = {
    {"of", ASSAY_PARAM_TEXT, 0, 0, NULL, "hybrid", "the retriever that is asked first"},
    {"depth", ASSAY_PARAM_COUNT, 1, 10000, NULL, "50", "hits that are reranked"},
    {"model", ASSAY_PARAM_TEXT, 0, 0, NULL, "", "named in the request"},
    {"field", ASSAY_PARAM_WORD, 0, 0, "documents|texts", "documents",
     "what the request calls the passages"},
    {"timeout", ASSAY_PARAM_REAL, 0.001, 86400, NULL, "60", "seconds for a request"},
    {"retries", ASSAY_PARAM_COUNT, 0, 100, NULL, "2", "attempts after the first"},
    {NULL, ASSAY_PARAM_TEXT, 0, 0, NULL, NULL, NULL},
};

/* Where a hit was before, and where the reranker put it. */
enum { FIRST, RERANKER, N_LEGS };

typedef struct state {
    assay_buffer params; /* what the values point into */
    assay_param_value value[N_PARAMS];
    const assay_passages *passages;
    assay_legs legs; /* one */
    assay_reranker *reranker;
} state;

/* ---- opening ---- */

static void close_rerank(void *opened)
{
    state *s = opened;

    if (!s)
        return;
    assay_reranker_close(s->reranker);
    assay_legs_close(&s->legs);
    assay_buffer_clear(&s->params);
    assay_mem_free(s);
}

static assay_status open_reranker(state *s, const assay_retrieve_source *source,
                                  assay_error *err)
{
    const assay_reranker_settings settings = {
        .spelling = source->reranker,
        .model = s->value[MODEL].text,
        .field = s->value[FIELD].choice ? "texts" : "documents",
        .timeout_s = s->value[TIMEOUT].number,
        .retries = (uint32_t)s->value[RETRIES].number,
        .api_key = source->reranker_key,
        .cassette = source->embed.cassette,
        .stop = source->embed.stop,
    };

    return assay_reranker_open(&settings, &s->reranker, err);
}

static assay_status check(const state *s, const assay_retrieve_source *source,
                          assay_error *err)
{
    assay_slice of = s->value[OF].text;

    if (memchr(of.ptr, '+', of.len))
        return assay_fail(err, ASSAY_EUSAGE,
                          "retriever 'rerank' reranks one other, not '%.*s'; fuse them: "
                          "of=hybrid,hybrid.legs=%.*s",
                          ASSAY_QUOTE(of), ASSAY_QUOTE(of));
    if (!source->reranker || !source->reranker[0])
        return assay_fail(err, ASSAY_EUSAGE,
                          "retriever 'rerank' needs a reranker; name one with --reranker "
                          "http://HOST/PATH or --reranker 'cmd:PROGRAM ARGUMENTS'");
    return ASSAY_OK;
}

static assay_status open_rerank(const assay_retrieve_source *source, void **out,
                                assay_error *err)
{
    state *s = ASSAY_NEW(state);
    assay_status st;

    if (!s)
        return assay_fail_memory(err, "opening retriever 'rerank'");
    s->passages = source->passages;
    assay_legs_own_params(source->params, &s->params);
    st = s->params.has_failed
             ? assay_fail_memory(err, "opening retriever 'rerank'")
             : assay_params_read("retriever 'rerank'", table,
                                 assay_buffer_view(&s->params), s->value, err);
    if (!st)
        st = check(s, source, err);
    if (!st)
        st = assay_legs_open(&s->legs, s->value[OF].text, source, err);
    if (!st)
        st = open_reranker(s, source, err);
    if (st) {
        close_rerank(s);
        return st;
    }
    *out = s;
    return ASSAY_OK;
}

/* ---- workers ---- */

typedef struct worker {
    const state *of;
    assay_legs_worker legs;
    assay_rerank_worker *reranker;
    assay_arena arena; /* texts with titles */
    assay_slice *text;
    double *score;
    assay_retrieved *hit;
} worker;

static void close_worker(void *opened)
{
    worker *w = opened;

    if (!w)
        return;
    assay_rerank_worker_close(w->reranker);
    assay_legs_worker_close(&w->legs);
    assay_arena_clear(&w->arena);
    assay_mem_free(w->text);
    assay_mem_free(w->score);
    assay_mem_free(w->hit);
    assay_mem_free(w);
}

static assay_status open_worker(void *opened, void **out, assay_error *err)
{
    const state *s = opened;
    worker *w = ASSAY_NEW(worker);
    size_t n = (size_t)s->value[DEPTH].number + 1;
    assay_status st;

    if (!w)
        return assay_fail_memory(err, "opening retriever 'rerank'");
    w->of = s;
    w->text = ASSAY_NEW_ARRAY(assay_slice, n);
    w->score = ASSAY_NEW_ARRAY(double, n);
    w->hit = ASSAY_NEW_ARRAY(assay_retrieved, n);
    st = w->text && w->score && w->hit
             ? assay_legs_worker_open(&w->legs, &s->legs, err)
             : assay_fail_memory(err, "opening retriever 'rerank'");
    if (!st)
        st = assay_rerank_worker_open(s->reranker, &w->reranker, err);
    if (st) {
        close_worker(w);
        return st;
    }
    *out = w;
    return ASSAY_OK;
}

/* ---- searching ---- */

/* "title text", or the text alone where there is no title or it begins with it: what
 * `dense` embeds. */
static bool text_of(worker *w, uint32_t passage, assay_slice *out)
{
    const assay_passage *p = &w->of->passages->item[passage];
    char *both;

    *out = p->text;
    if (!p->title.len || (p->text.len >= p->title.len &&
                          memcmp(p->text.ptr, p->title.ptr, p->title.len) == 0))
        return true;
    both = assay_arena_alloc(&w->arena, p->title.len + 1 + p->text.len);
    if (!both)
        return false;
    memcpy(both, p->title.ptr, p->title.len);
    both[p->title.len] = ' ';
    if (p->text.len)
        memcpy(both + p->title.len + 1, p->text.ptr, p->text.len);
    *out = (assay_slice){both, p->title.len + 1 + p->text.len};
    return true;
}

/* Best first, equal scores by passage, higher first. */
static int by_score(const void *a, const void *b)
{
    const assay_retrieved *x = a;
    const assay_retrieved *y = b;

    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->passage > y->passage ? -1 : 1;
}

/* The hits of the first retriever, with the reranker's scores. */
static void put_hits(worker *w, const assay_leg *first)
{
    for (uint32_t i = 0; i < first->n; i++) {
        assay_retrieved *h = &w->hit[i];

        *h = (assay_retrieved){.passage = first->item[i], .score = w->score[i]};
        h->leg_rank[FIRST] = i + 1;
        h->leg_score[FIRST] = first->score[i];
        h->leg_score[RERANKER] = w->score[i];
    }
    qsort(w->hit, first->n, sizeof *w->hit, by_score);
    for (uint32_t i = 0; i < first->n; i++)
        w->hit[i].leg_rank[RERANKER] = i + 1;
}

static assay_status search_rerank(void *opened, assay_slice query, uint32_t k,
                                  assay_retrieved *hit, uint32_t *n, assay_error *err)
{
    worker *w = opened;
    assay_leg first[ASSAY_LEGS_MOST];
    assay_status st;

    *n = 0;
    if (!k)
        return ASSAY_OK;
    st = assay_legs_search(&w->legs, query, (uint32_t)w->of->value[DEPTH].number, first,
                           err);
    if (st)
        return st;
    assay_arena_reset(&w->arena);
    for (uint32_t i = 0; i < first[0].n; i++)
        if (!text_of(w, first[0].item[i], &w->text[i]))
            return assay_fail_memory(err, "searching");
    st = assay_rerank(w->reranker, query, w->text, first[0].n, w->score, err);
    if (st)
        return st;
    put_hits(w, &first[0]);
    *n = first[0].n < k ? first[0].n : k;
    if (*n)
        memcpy(hit, w->hit, *n * sizeof *hit);
    return ASSAY_OK;
}

/* ---- what it is ---- */

static assay_status explain_rerank(void *opened, assay_slice query, uint32_t passage,
                                   assay_buffer *out, assay_error *err)
{
    worker *w = opened;

    assay_buffer_text(out, "a reranker's score; before it ");
    return assay_legs_explain(&w->legs, query, passage, out, err);
}

static void identify(const void *opened, assay_buffer *out)
{
    const state *s = opened;

    assay_buffer_printf(out, "rerank(depth=%.0f", s->value[DEPTH].number);
    if (s->value[MODEL].text.len) {
        assay_buffer_text(out, ",model=");
        assay_buffer_slice(out, s->value[MODEL].text);
    }
    assay_buffer_text(out, ") by ");
    assay_buffer_slice(out, assay_reranker_public(s->reranker));
    assay_buffer_text(out, " of ");
    assay_legs_identity(&s->legs, out);
}

static const char *leg_name(const void *opened, uint32_t leg)
{
    static const char *const names[N_LEGS] = {[FIRST] = "first", [RERANKER] = "reranker"};

    (void)opened;
    return leg < N_LEGS ? names[leg] : NULL;
}

static const assay_embedding *embedding_of(const void *opened)
{
    return assay_legs_embedding(&((const state *)opened)->legs);
}

static bool remark(void *opened, assay_notes *notes, assay_arena *arena)
{
    const assay_legs *legs = &((const state *)opened)->legs;
    const assay_retriever *first = legs->retriever[0];

    return !first->remark || first->remark(legs->state[0], notes, arena);
}

const assay_retriever assay_retriever_rerank = {
    .name = "rerank",
    .summary = "another retriever's best, put in order by a reranker (--reranker)",
    .param = table,
    .open = open_rerank,
    .worker = open_worker,
    .search = search_rerank,
    .explain = explain_rerank,
    .identity = identify,
    .leg_name = leg_name,
    .embedding = embedding_of,
    .remark = remark,
    .worker_close = close_worker,
    .close = close_rerank,
};
