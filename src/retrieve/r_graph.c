/* SPDX-License-Identifier: Apache-2.0 */
/* graphrag: what a knowledge graph says, fused with what the words say.
 *
 *     query -> entities that it names -> walk over the graph -> passages
 *     query -> bm25, dense                                   -> passages
 *     all three rankings -> reciprocal rank fusion
 *
 * The walk is a personalised PageRank (Haveliwala 2002; for passages HippoRAG 2024) that
 * starts at the entities, rare ones first, and with the share `text` at the best passages
 * of the first text leg; or a spread over `hops` steps with decay.  A query that names no
 * entity is answered by the text legs alone, and how many were is said at the end. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "index/graph.h"
#include "retrieve/legs.h"
#include "text/fold.h"

enum { LEGS, WALK, DAMPING, HOPS, DECAY, TEXT, RRF_K, WEIGHTS, DEPTH, N_PARAMS };
enum { WALK_PAGERANK, WALK_HOPS };

static const assay_param table[] = {
    {"legs", ASSAY_PARAM_TEXT, 0, 0, NULL, "bm25+dense", "text retrievers, joined by +"},
    {"walk", ASSAY_PARAM_WORD, 0, 0, "ppr|hops", "ppr", "how the graph is walked"},
    {"damping", ASSAY_PARAM_REAL, 0, 0.99, NULL, "0.5", "ppr: chance to walk on"},
    {"hops", ASSAY_PARAM_COUNT, 1, 10, NULL, "2", "hops: how far"},
    {"decay", ASSAY_PARAM_REAL, 0, 1, NULL, "0.5", "hops: what is left after each"},
    {"text", ASSAY_PARAM_REAL, 0, 1, NULL, "0.2", "ppr: share that starts at passages"},
    {"k", ASSAY_PARAM_REAL, 0, 1e9, NULL, "60", "constant of the fusion"},
    {"weights", ASSAY_PARAM_TEXT, 0, 0, NULL, "", "graph and legs, as 0.9:0.05:0.05"},
    {"depth", ASSAY_PARAM_COUNT, 1, 1e9, NULL, "100", "hits asked of each leg"},
    {NULL, ASSAY_PARAM_TEXT, 0, 0, NULL, NULL, NULL},
};

/* Where nothing is said the graph has this, and the legs share the rest. */
static const double GRAPH_WEIGHT = 0.9;

/* Passages of the text leg at which a walk starts. */
enum { TEXT_STARTS = 20 };

typedef struct state {
    assay_buffer params;
    assay_param_value value[N_PARAMS];
    assay_fusion fusion;    /* graph first, then the legs */
    assay_fusion only_text; /* the legs alone */
    assay_buffer spelling;
    assay_legs legs;
    assay_graph *graph;
    bool is_made;
    atomic_uint n_queries;
    atomic_uint n_named; /* of them with an entity */
} state;

/* ---- opening ---- */

static void close_graph(void *opened)
{
    state *s = opened;

    if (!s)
        return;
    assay_graph_free(s->graph);
    assay_legs_close(&s->legs);
    assay_buffer_clear(&s->params);
    assay_buffer_clear(&s->spelling);
    assay_mem_free(s);
}

static assay_status read_fusion(state *s, assay_error *err)
{
    assay_status st;

    assay_buffer_text(&s->spelling, "rrf(k=");
    assay_buffer_double(&s->spelling, s->value[RRF_K].number);
    assay_buffer_text(&s->spelling, ",weights=");
    assay_buffer_slice(&s->spelling, s->value[WEIGHTS].text);
    assay_buffer_char(&s->spelling, ')');
    if (s->spelling.has_failed)
        return assay_fail_memory(err, "opening retriever 'graphrag'");
    st = assay_fusion_read(assay_buffer_view(&s->spelling), &s->fusion, err);
    if (st)
        return st;
    if (s->fusion.n_weights)
        return assay_fusion_check(&s->fusion, s->legs.n + 1, err);
    s->fusion.n_weights = s->legs.n + 1;
    s->fusion.weight[0] = GRAPH_WEIGHT;
    for (uint32_t i = 0; i < s->legs.n; i++)
        s->fusion.weight[i + 1] = (1 - GRAPH_WEIGHT) / s->legs.n;
    return ASSAY_OK;
}

static void set_only_text(state *s)
{
    s->only_text = s->fusion;
    s->only_text.n_weights = s->legs.n;
    for (uint32_t i = 0; i < s->legs.n; i++)
        s->only_text.weight[i] = s->fusion.weight[i + 1];
}

static assay_status open_legs(state *s, const assay_retrieve_source *source,
                              assay_error *err)
{
    assay_status st;

    assay_legs_own_params(source->params, &s->params);
    st = s->params.has_failed
             ? assay_fail_memory(err, "opening retriever 'graphrag'")
             : assay_params_read("retriever 'graphrag'", table,
                                 assay_buffer_view(&s->params), s->value, err);
    if (!st)
        st = assay_legs_open(&s->legs, s->value[LEGS].text, source, err);
    if (!st && s->legs.n == ASSAY_LEGS_MOST)
        st = assay_fail(err, ASSAY_EUSAGE, "graphrag takes at most %d legs",
                        ASSAY_LEGS_MOST - 1);
    return st ? st : read_fusion(s, err);
}

static assay_status open_graph(const assay_retrieve_source *source, void **out,
                               assay_error *err)
{
    state *s = ASSAY_NEW(state);
    assay_notes unheard = {0};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_status st;

    if (!s)
        return assay_fail_memory(err, "opening retriever 'graphrag'");
    s->is_made = !source->graph_path;
    st = open_legs(s, source, err);
    if (!st)
        st = s->is_made
                 ? assay_graph_make(source->passages, source->n_threads, &s->graph, err)
                 : assay_graph_load(source->graph_path, source->passages,
                                    source->notes ? source->notes : &unheard,
                                    source->notes ? source->arena : &arena, &s->graph,
                                    err);
    assay_notes_clear(&unheard);
    assay_arena_clear(&arena);
    if (st) {
        close_graph(s);
        return st;
    }
    set_only_text(s);
    *out = s;
    return ASSAY_OK;
}

/* ---- workers ---- */

typedef struct worker {
    state *of;
    assay_legs_worker legs;
    assay_graph_walker walker;
    assay_arena arena; /* of one query */
} worker;

static void close_worker(void *opened)
{
    worker *w = opened;

    if (!w)
        return;
    assay_legs_worker_close(&w->legs);
    assay_graph_walker_clear(&w->walker);
    assay_arena_clear(&w->arena);
    assay_mem_free(w);
}

static assay_status open_worker(void *opened, void **out, assay_error *err)
{
    state *s = opened;
    worker *w = ASSAY_NEW(worker);
    assay_status st;

    if (!w)
        return assay_fail_memory(err, "opening retriever 'graphrag'");
    w->of = s;
    st = assay_legs_worker_open(&w->legs, &s->legs, err);
    if (st) {
        assay_mem_free(w);
        return st;
    }
    *out = w;
    return ASSAY_OK;
}

/* ---- the walk ---- */

/* Entities by how few passages they stand in. */
static double seed_weight(const assay_graph *g, uint32_t entity)
{
    uint32_t n = g->n_places[entity];

    return g->confidence[entity] * (n ? 1.0 / n : 0.5);
}

static void scale(assay_graph_start *start, uint32_t n, double share)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += start[i].weight;
    for (uint32_t i = 0; sum > 0 && i < n; i++)
        start[i].weight *= share / sum;
}

/* Where the walk starts: the entities, then the best passages of the first leg. */
static uint32_t make_starts(const worker *w, const uint32_t *seed, uint32_t n_seeds,
                            const assay_leg *leg, assay_graph_start *start)
{
    const assay_graph *g = w->of->graph;
    double text =
        w->of->value[WALK].choice == WALK_PAGERANK ? w->of->value[TEXT].number : 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < n_seeds; i++)
        start[i] = (assay_graph_start){seed[i], seed_weight(g, seed[i])};
    while (text > 0 && n < leg->n && n < TEXT_STARTS && leg->score[n] > 0) {
        double part = leg->score[n] / leg->score[0];

        start[n_seeds + n] =
            (assay_graph_start){g->n_entities + leg->item[n], part * part};
        n++;
    }
    scale(start, n_seeds, n ? 1 - text : 1);
    scale(start + n_seeds, n, text);
    return n_seeds + n;
}

typedef struct reached {
    uint32_t passage;
    double value;
} reached;

static int by_value(const void *a, const void *b)
{
    const reached *x = a;
    const reached *y = b;

    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return x->passage > y->passage ? -1 : 1;
}

/* The passages that the walk reached, best first. */
static bool rank_passages(worker *w, uint32_t depth, assay_leg *out)
{
    const assay_graph *g = w->of->graph;
    reached *r = ASSAY_ARENA_ARRAY(&w->arena, reached, w->walker.n_touched + 1u);
    uint32_t *item = ASSAY_ARENA_ARRAY(&w->arena, uint32_t, depth + 1u);
    double *score = ASSAY_ARENA_ARRAY(&w->arena, double, depth + 1u);
    uint32_t n = 0;

    if (!r || !item || !score)
        return false;
    for (uint32_t i = 0; i < w->walker.n_touched; i++) {
        uint32_t node = w->walker.touched[i];

        if (node >= g->n_entities && w->walker.value[node] > 0)
            r[n++] = (reached){node - g->n_entities, w->walker.value[node]};
    }
    qsort(r, n, sizeof *r, by_value);
    n = n < depth ? n : depth;
    for (uint32_t i = 0; i < n; i++) {
        item[i] = r[i].passage;
        score[i] = r[i].value;
    }
    *out = (assay_leg){item, score, n};
    return true;
}

static bool walk(worker *w, const assay_graph_start *start, uint32_t n)
{
    const assay_param_value *v = w->of->value;

    if (v[WALK].choice == WALK_PAGERANK)
        return assay_graph_pagerank(w->of->graph, &w->walker, start, n,
                                    v[DAMPING].number);
    return assay_graph_spread(w->of->graph, &w->walker, start, n,
                              (uint32_t)v[HOPS].number, v[DECAY].number);
}

/* The graph's ranking for the query; none where it names no entity. */
static bool ask_graph(worker *w, assay_slice query, const assay_leg *text, uint32_t depth,
                      assay_leg *out)
{
    assay_graph_start *start;
    uint32_t *seed;
    uint32_t n_seeds;
    assay_slice key;

    *out = (assay_leg){NULL, NULL, 0};
    assay_arena_reset(&w->arena);
    if (!assay_fold_key(query, &w->arena, &key) ||
        !assay_graph_named(&w->of->graph->names, key, false, &w->arena, &seed, &n_seeds))
        return false;
    if (!n_seeds)
        return true;
    start = ASSAY_ARENA_ARRAY(&w->arena, assay_graph_start, n_seeds + TEXT_STARTS);
    return start && walk(w, start, make_starts(w, seed, n_seeds, text, start)) &&
           rank_passages(w, depth, out);
}

/* ---- searching ---- */

static assay_status search_graph(void *opened, assay_slice query, uint32_t k,
                                 assay_retrieved *hit, uint32_t *n, assay_error *err)
{
    worker *w = opened;
    state *s = w->of;
    uint32_t depth = (uint32_t)s->value[DEPTH].number;
    assay_leg leg[ASSAY_LEGS_MOST];
    const assay_retrieved *fused;
    bool has_graph;
    assay_status st;

    depth = k > depth ? k : depth;
    if (depth > s->legs.n_passages)
        depth = s->legs.n_passages;
    st = assay_legs_search(&w->legs, query, depth, leg + 1, err);
    if (st)
        return st;
    if (!ask_graph(w, query, &leg[1], depth, &leg[0]))
        return assay_fail_memory(err, "searching");
    has_graph = leg[0].n > 0;
    atomic_fetch_add(&s->n_queries, 1);
    atomic_fetch_add(&s->n_named, has_graph);
    if (!assay_fuse(&w->legs.fuser, has_graph ? &s->fusion : &s->only_text,
                    has_graph ? leg : leg + 1, s->legs.n + has_graph, &fused, n))
        return assay_fail_memory(err, "searching");
    *n = *n < k ? *n : k;
    for (uint32_t i = 0; i < *n; i++) {
        hit[i] = fused[i];
        /* Leg 0 is the graph whether it had a say or not. */
        for (uint32_t l = s->legs.n; !has_graph && l > 0; l--) {
            hit[i].leg_rank[l] = hit[i].leg_rank[l - 1];
            hit[i].leg_score[l] = hit[i].leg_score[l - 1];
        }
        if (!has_graph) {
            hit[i].leg_rank[0] = 0;
            hit[i].leg_score[0] = 0;
        }
    }
    return ASSAY_OK;
}

static assay_status explain_graph(void *opened, assay_slice query, uint32_t passage,
                                  assay_buffer *out, assay_error *err)
{
    worker *w = opened;
    const assay_graph *g = w->of->graph;
    uint32_t *seed;
    uint32_t n_seeds;
    assay_slice key;

    assay_arena_reset(&w->arena);
    if (!assay_fold_key(query, &w->arena, &key) ||
        !assay_graph_named(&g->names, key, false, &w->arena, &seed, &n_seeds))
        return assay_fail_memory(err, "explaining a hit");
    assay_buffer_text(out, "graph:\n");
    if (!n_seeds)
        assay_buffer_text(out, "  the query names no entity\n");
    for (uint32_t i = 0; i < n_seeds; i++)
        assay_buffer_printf(out, "  %.*s, in %u passage%s\n",
                            ASSAY_QUOTE(g->name[seed[i]]), g->n_places[seed[i]],
                            g->n_places[seed[i]] == 1 ? "" : "s");
    return assay_legs_explain(&w->legs, query, passage, out, err);
}

static void identify(const void *opened, assay_buffer *out)
{
    const state *s = opened;

    assay_params_print("graphrag", table, s->value, out);
    assay_buffer_printf(out, " of a graph %s: %u entities, %u relations; ",
                        s->is_made ? "made from the passages" : "from a file",
                        s->graph->n_entities, s->graph->n_relations);
    assay_legs_identity(&s->legs, out);
}

static const char *leg_name(const void *opened, uint32_t leg)
{
    const state *s = opened;

    return leg == 0 ? "graph" : assay_legs_name(&s->legs, leg - 1);
}

static const assay_embedding *embedding_of(const void *opened)
{
    return assay_legs_embedding(&((const state *)opened)->legs);
}

static bool remark(void *opened, assay_notes *notes, assay_arena *arena)
{
    state *s = opened;
    unsigned n = atomic_load(&s->n_queries);
    unsigned named = atomic_load(&s->n_named);

    if (!n || named == n)
        return true;
    if (!named)
        return assay_notes_add(notes, arena,
                               "graphrag: no query names an entity of the graph: its "
                               "figures are those of its text legs (%.*s) alone",
                               ASSAY_QUOTE(s->value[LEGS].text));
    return assay_notes_add(notes, arena,
                           "graphrag: %u of %u queries name no entity of the graph and "
                           "were answered by the text legs alone",
                           n - named, n);
}

const assay_retriever assay_retriever_graphrag = {
    .name = "graphrag",
    .summary = "a knowledge graph walked from the query's entities, fused with text legs",
    .param = table,
    .open = open_graph,
    .worker = open_worker,
    .search = search_graph,
    .explain = explain_graph,
    .identity = identify,
    .leg_name = leg_name,
    .embedding = embedding_of,
    .remark = remark,
    .worker_close = close_worker,
    .close = close_graph,
};
