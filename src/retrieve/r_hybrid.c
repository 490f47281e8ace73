/* SPDX-License-Identifier: Apache-2.0 */
/* hybrid: any number of retrievers, fused.
 *
 *     hybrid(legs=bm25+dense,fusion=rrf,k=60,weights=0.4:0.6,depth=100,bm25.k1=0.9) */
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "retrieve/legs.h"

enum { LEGS, FUSION, RRF_K, NORM, WEIGHTS, DEPTH, N_PARAMS };

static const assay_param table[] = {
    {"legs", ASSAY_PARAM_TEXT, 0, 0, NULL, "bm25+dense", "retrievers, joined by +"},
    {"fusion", ASSAY_PARAM_WORD, 0, 0, "rrf|wsum|combsum|combmnz", "rrf", "how"},
    {"k", ASSAY_PARAM_REAL, 0, 1e9, NULL, "60", "rrf's constant"},
    {"norm", ASSAY_PARAM_WORD, 0, 0, "minmax|max|zscore|rank|none", "minmax",
     "how the other fusions make scores comparable"},
    {"weights", ASSAY_PARAM_TEXT, 0, 0, NULL, "", "one a leg, as 0.4:0.6"},
    {"depth", ASSAY_PARAM_COUNT, 1, 1e9, NULL, "100", "hits asked of each leg"},
    {NULL, ASSAY_PARAM_TEXT, 0, 0, NULL, NULL, NULL},
};

typedef struct state {
    assay_buffer params; /* what the values point into */
    assay_param_value value[N_PARAMS];
    assay_buffer spelling; /* of the fusion; its values point into it */
    assay_fusion fusion;
    assay_legs legs;
} state;

/* ---- opening ---- */

static void close_hybrid(void *opened)
{
    state *s = opened;

    if (!s)
        return;
    assay_legs_close(&s->legs);
    assay_buffer_clear(&s->params);
    assay_buffer_clear(&s->spelling);
    assay_mem_free(s);
}

/* The fusion that the parameters spell. */
static assay_status read_fusion(state *s, assay_error *err)
{
    assay_slice method = s->value[FUSION].text;
    bool is_rrf = s->value[FUSION].choice == 0;

    assay_buffer_slice(&s->spelling, method);
    assay_buffer_text(&s->spelling, is_rrf ? "(k=" : "(norm=");
    if (is_rrf)
        assay_buffer_double(&s->spelling, s->value[RRF_K].number);
    else
        assay_buffer_slice(&s->spelling, s->value[NORM].text);
    assay_buffer_text(&s->spelling, ",weights=");
    assay_buffer_slice(&s->spelling, s->value[WEIGHTS].text);
    assay_buffer_char(&s->spelling, ')');
    if (s->spelling.has_failed)
        return assay_fail_memory(err, "opening retriever 'hybrid'");
    return assay_fusion_read(assay_buffer_view(&s->spelling), &s->fusion, err);
}

static assay_status open_hybrid(const assay_retrieve_source *source, void **out,
                                assay_error *err)
{
    state *s = ASSAY_NEW(state);
    assay_status st;

    if (!s)
        return assay_fail_memory(err, "opening retriever 'hybrid'");
    assay_legs_own_params(source->params, &s->params);
    st = s->params.has_failed
             ? assay_fail_memory(err, "opening retriever 'hybrid'")
             : assay_params_read("retriever 'hybrid'", table,
                                 assay_buffer_view(&s->params), s->value, err);
    if (!st)
        st = read_fusion(s, err);
    if (!st)
        st = assay_legs_open(&s->legs, s->value[LEGS].text, source, err);
    if (!st)
        st = assay_fusion_check(&s->fusion, s->legs.n, err);
    if (st) {
        close_hybrid(s);
        return st;
    }
    *out = s;
    return ASSAY_OK;
}

/* ---- searching ---- */

typedef struct worker {
    const state *of;
    assay_legs_worker legs;
} worker;

static void close_worker(void *opened)
{
    worker *w = opened;

    if (!w)
        return;
    assay_legs_worker_close(&w->legs);
    assay_mem_free(w);
}

static assay_status open_worker(void *opened, void **out, assay_error *err)
{
    const state *s = opened;
    worker *w = ASSAY_NEW(worker);
    assay_status st;

    if (!w)
        return assay_fail_memory(err, "opening retriever 'hybrid'");
    w->of = s;
    st = assay_legs_worker_open(&w->legs, &s->legs, err);
    if (st) {
        assay_mem_free(w);
        return st;
    }
    *out = w;
    return ASSAY_OK;
}

static uint32_t depth_of(const state *s, uint32_t k)
{
    uint32_t depth = (uint32_t)s->value[DEPTH].number;

    return k > depth ? k : depth;
}

static assay_status search_hybrid(void *opened, assay_slice query, uint32_t k,
                                  assay_retrieved *hit, uint32_t *n, assay_error *err)
{
    worker *w = opened;
    assay_leg leg[ASSAY_LEGS_MOST];
    const assay_retrieved *fused;
    assay_status st;

    st = assay_legs_search(&w->legs, query, depth_of(w->of, k), leg, err);
    if (st)
        return st;
    if (!assay_fuse(&w->legs.fuser, &w->of->fusion, leg, w->of->legs.n, &fused, n))
        return assay_fail_memory(err, "searching");
    *n = *n < k ? *n : k;
    for (uint32_t i = 0; i < *n; i++)
        hit[i] = fused[i];
    return ASSAY_OK;
}

static assay_status explain_hybrid(void *opened, assay_slice query, uint32_t passage,
                                   assay_buffer *out, assay_error *err)
{
    worker *w = opened;

    return assay_legs_explain(&w->legs, query, passage, out, err);
}

static void identify(const void *opened, assay_buffer *out)
{
    const state *s = opened;

    assay_buffer_text(out, "hybrid(");
    assay_fusion_print(&s->fusion, out);
    assay_buffer_printf(out, ",depth=%.0f) of ", s->value[DEPTH].number);
    assay_legs_identity(&s->legs, out);
}

static const char *leg_name(const void *opened, uint32_t leg)
{
    return assay_legs_name(&((const state *)opened)->legs, leg);
}

static const assay_embedding *embedding_of(const void *opened)
{
    return assay_legs_embedding(&((const state *)opened)->legs);
}

const assay_retriever assay_retriever_hybrid = {
    .name = "hybrid",
    .summary = "several retrievers fused, bm25 and dense by reciprocal ranks at first",
    .param = table,
    .open = open_hybrid,
    .worker = open_worker,
    .search = search_hybrid,
    .explain = explain_hybrid,
    .identity = identify,
    .leg_name = leg_name,
    .embedding = embedding_of,
    .worker_close = close_worker,
    .close = close_hybrid,
};
