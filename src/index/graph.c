/* SPDX-License-Identifier: Apache-2.0 */
/* From lists of links to rows of edges. */
#include "index/graph.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"

/* Between two entities, or an entity and a passage. */
typedef struct assay_graph_link {
    uint32_t x;
    uint32_t y;
    float weight;
} link;

/* A relation seen often counts more, but not without end. */
enum { RELATION_MOST = 3 };

/* ---- adding ---- */

bool assay_graph_entity(assay_graph_builder *b, assay_slice key, assay_slice name,
                        double confidence, uint32_t *number)
{
    bool is_new;
    void *grown;

    *number = ASSAY_NONE;
    if (!key.len)
        return true;
    if (!assay_dict_put(&b->keys, &b->arena, key, number, &is_new))
        return false;
    if (!is_new) {
        b->confidence[*number] = fmaxf(b->confidence[*number], (float)confidence);
        return true;
    }
    grown = assay_mem_grow(b->name, &b->cap_names, *number + 1u, sizeof *b->name);
    if (!grown)
        return false;
    b->name = grown;
    grown =
        assay_mem_grow(b->confidence, &b->cap_confidence, *number + 1u, sizeof(float));
    if (!grown)
        return false;
    b->confidence = grown;
    b->name[*number] = assay_arena_copy(&b->arena, name);
    b->confidence[*number] = (float)confidence;
    return b->name[*number].ptr != NULL;
}

bool assay_graph_alias(assay_graph_builder *b, assay_slice key, uint32_t entity)
{
    uint32_t number;
    bool is_new;
    uint32_t *grown;

    if (!key.len)
        return true;
    if (!assay_dict_put(&b->alias_keys, &b->arena, key, &number, &is_new))
        return false;
    if (!is_new)
        return true;
    grown = assay_mem_grow(b->alias_of, &b->cap_aliases, number + 1u, sizeof *grown);
    if (!grown)
        return false;
    b->alias_of = grown;
    grown[number] = entity;
    return true;
}

static bool add_link(link **list, size_t *n, size_t *cap, link added)
{
    link *grown = assay_mem_grow(*list, cap, *n + 1, sizeof *grown);

    if (!grown)
        return false;
    *list = grown;
    grown[(*n)++] = added;
    return true;
}

bool assay_graph_relate(assay_graph_builder *b, uint32_t x, uint32_t y, double weight)
{
    link l = {x < y ? x : y, x < y ? y : x, (float)weight};

    return x == y || weight <= 0 || add_link(&b->link, &b->n_links, &b->cap_links, l);
}

bool assay_graph_put(assay_graph_builder *b, uint32_t entity, uint32_t passage,
                     double weight)
{
    return weight <= 0 || add_link(&b->place, &b->n_places, &b->cap_places,
                                   (link){entity, passage, (float)weight});
}

/* ---- rows ---- */

static int by_ends(const void *a, const void *b)
{
    const link *l = a;
    const link *m = b;

    if (l->x != m->x)
        return l->x < m->x ? -1 : 1;
    if (l->y != m->y)
        return l->y < m->y ? -1 : 1;
    return (l->weight < m->weight) - (l->weight > m->weight);
}

/* Sort and merge in place: of relations the weights add up, of places the highest
 * stays, which is the first. */
static size_t merge(link *l, size_t n, bool adds_up)
{
    size_t kept = 0;

    if (n)
        qsort(l, n, sizeof *l, by_ends);
    for (size_t i = 0; i < n; i++) {
        bool is_same = kept && l[kept - 1].x == l[i].x && l[kept - 1].y == l[i].y;

        if (!is_same)
            l[kept++] = l[i];
        else if (adds_up)
            l[kept - 1].weight =
                fminf(l[kept - 1].weight + l[i].weight, (float)RELATION_MOST);
    }
    return kept;
}

static void count_edges(assay_graph *g, const link *l, size_t n, uint32_t shift)
{
    for (size_t i = 0; i < n; i++) {
        g->first[l[i].x + 1]++;
        g->first[l[i].y + shift + 1]++;
    }
}

static void put_edges(assay_graph *g, uint32_t *next, const link *l, size_t n,
                      uint32_t shift)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t x = l[i].x;
        uint32_t y = l[i].y + shift;

        g->edge[next[x]++] = (assay_graph_edge){y, l[i].weight};
        g->edge[next[y]++] = (assay_graph_edge){x, l[i].weight};
    }
}

static bool make_rows(assay_graph *g, const assay_graph_builder *b)
{
    size_t n_nodes = (size_t)g->n_entities + g->n_passages;
    size_t n_edges = 2 * (b->n_links + b->n_places);
    uint32_t *next;

    if (n_edges >= UINT32_MAX || n_nodes >= UINT32_MAX)
        return false;
    g->first = ASSAY_ARENA_ARRAY(&g->arena, uint32_t, n_nodes + 1);
    g->edge = ASSAY_ARENA_ARRAY(&g->arena, assay_graph_edge, n_edges + 1);
    g->degree = ASSAY_ARENA_ARRAY(&g->arena, double, n_nodes + 1);
    next = ASSAY_NEW_ARRAY(uint32_t, n_nodes + 1);
    if (!g->first || !g->edge || !g->degree || !next) {
        assay_mem_free(next);
        return false;
    }
    count_edges(g, b->link, b->n_links, 0);
    count_edges(g, b->place, b->n_places, g->n_entities);
    for (size_t i = 0; i < n_nodes; i++) {
        g->first[i + 1] += g->first[i];
        next[i] = g->first[i];
    }
    put_edges(g, next, b->link, b->n_links, 0);
    put_edges(g, next, b->place, b->n_places, g->n_entities);
    for (size_t i = 0; i < n_nodes; i++)
        for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++)
            g->degree[i] += g->edge[e].weight;
    assay_mem_free(next);
    return true;
}

/* An entity in half of the passages says little about any of them. */
static bool weigh_places(assay_graph *g, assay_graph_builder *b)
{
    g->n_places = ASSAY_ARENA_ARRAY(&g->arena, uint32_t, g->n_entities + 1u);
    if (!g->n_places)
        return false;
    for (size_t i = 0; i < b->n_places; i++)
        g->n_places[b->place[i].x]++;
    for (size_t i = 0; i < b->n_places; i++)
        b->place[i].weight /= logf(2.0f + (float)g->n_places[b->place[i].x]);
    return true;
}

static bool take_names(assay_graph *g, const assay_graph_builder *b)
{
    assay_slice *name = ASSAY_ARENA_ARRAY(&g->arena, assay_slice, g->n_entities + 1u);

    g->confidence = ASSAY_ARENA_ARRAY(&g->arena, float, g->n_entities + 1u);
    if (!name || !g->confidence)
        return false;
    for (uint32_t i = 0; i < g->n_entities; i++) {
        name[i] = b->name[i];
        g->confidence[i] = b->confidence[i];
        if (!assay_aho_add(&g->names, b->keys.word[i], i))
            return false;
    }
    g->name = name;
    for (uint32_t i = 0; i < b->alias_keys.n; i++)
        if (!assay_aho_add(&g->names, b->alias_keys.word[i], b->alias_of[i]))
            return false;
    return assay_aho_finish(&g->names);
}

void assay_graph_builder_clear(assay_graph_builder *b)
{
    assay_mem_free(b->name);
    assay_mem_free(b->confidence);
    assay_mem_free(b->link);
    assay_mem_free(b->place);
    assay_mem_free(b->alias_of);
    assay_dict_clear(&b->keys);
    assay_dict_clear(&b->alias_keys);
    assay_arena_clear(&b->arena);
    *b = (assay_graph_builder){.n_passages = 0};
}

assay_status assay_graph_build(assay_graph_builder *b, assay_graph **out,
                               assay_error *err)
{
    assay_graph *g = ASSAY_NEW(assay_graph);
    bool ok = g != NULL;

    if (ok) {
        g->n_entities = b->keys.n;
        g->n_passages = b->n_passages;
        b->n_links = merge(b->link, b->n_links, true);
        b->n_places = merge(b->place, b->n_places, false);
        g->n_relations = (uint32_t)b->n_links;
        ok = weigh_places(g, b) && make_rows(g, b) && take_names(g, b);
        /* Names stay where they are. */
        assay_arena_take(&g->arena, &b->arena);
    }
    assay_graph_builder_clear(b);
    if (!ok) {
        assay_graph_free(g);
        return assay_fail_memory(err, "building the graph");
    }
    *out = g;
    return ASSAY_OK;
}

void assay_graph_free(assay_graph *graph)
{
    if (!graph)
        return;
    assay_aho_clear(&graph->names);
    assay_arena_clear(&graph->arena);
    assay_mem_free(graph);
}
