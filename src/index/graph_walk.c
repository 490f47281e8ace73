/* SPDX-License-Identifier: Apache-2.0 */
/* Asking a graph: the entities of a query, and what lies around them. */
#include <stdlib.h>

#include "base/mem.h"
#include "index/graph.h"

/* ---- seeds ---- */

typedef struct mention {
    size_t start;
    size_t end;
    uint32_t entity;
} mention;

typedef struct finder {
    assay_slice key;
    mention *item;
    size_t n;
    size_t cap;
    bool has_failed;
} finder;

/* Three bytes of UTF-8 from U+AC00 to U+D7A3. */
static bool is_hangul(const char *p, size_t left)
{
    const unsigned char *s = (const unsigned char *)p;

    return left >= 3 && s[0] >= 0xEA && s[0] <= 0xED && (s[0] > 0xEA || s[1] >= 0xB0) &&
           (s[0] < 0xED || s[1] <= 0x9E);
}

/* Whether a name may end here: at the end of a word, or before a Korean particle. */
static bool ends_well(assay_slice key, size_t end)
{
    enum { PARTICLE = 3 };
    int syllables = 0;

    if (end == key.len || key.ptr[end] == ' ')
        return true;
    if (end < 3 || !is_hangul(key.ptr + end - 3, 3))
        return false;
    for (size_t i = end; i < key.len && key.ptr[i] != ' '; i += 3, syllables++)
        if (!is_hangul(key.ptr + i, key.len - i) || syllables == PARTICLE)
            return false;
    return true;
}

static void take(void *ctx, uint32_t number, size_t start, size_t end)
{
    finder *f = ctx;
    mention *grown;

    if ((start && f->key.ptr[start - 1] != ' ') || !ends_well(f->key, end))
        return;
    grown = assay_mem_grow(f->item, &f->cap, f->n + 1, sizeof *grown);
    if (!grown) {
        f->has_failed = true;
        return;
    }
    f->item = grown;
    grown[f->n++] = (mention){start, end, number};
}

/* From the left, the longest first. */
static int by_place(const void *a, const void *b)
{
    const mention *m = a;
    const mention *n = b;

    if (m->start != n->start)
        return m->start < n->start ? -1 : 1;
    return (m->end < n->end) - (m->end > n->end);
}

bool assay_graph_named(const assay_aho *names, assay_slice key, bool nested,
                       assay_arena *arena, uint32_t **out, uint32_t *n)
{
    finder f = {.key = key};
    size_t behind = 0;
    assay_dict seen = {0};
    uint32_t *found;

    assay_aho_scan(names, key, take, &f);
    found = ASSAY_ARENA_ARRAY(arena, uint32_t, f.n + 1);
    *n = 0;
    if (f.n)
        qsort(f.item, f.n, sizeof *f.item, by_place);
    for (size_t i = 0; found && i < f.n; i++) {
        const char *number = (const char *)&f.item[i].entity;
        uint32_t at;
        bool is_new;

        if (!nested && i && f.item[i].start < behind)
            continue;
        behind = f.item[i].end;
        if (!assay_dict_put(&seen, NULL, (assay_slice){number, sizeof(uint32_t)}, &at,
                            &is_new))
            f.has_failed = true;
        else if (is_new)
            found[(*n)++] = f.item[i].entity;
    }
    assay_dict_clear(&seen);
    assay_mem_free(f.item);
    *out = found;
    return found && !f.has_failed;
}

/* ---- walking ---- */

void assay_graph_walker_clear(assay_graph_walker *walker)
{
    assay_mem_free(walker->value);
    assay_mem_free(walker->rest);
    assay_mem_free(walker->touched);
    assay_mem_free(walker->is_touched);
    assay_mem_free(walker->queue);
    assay_mem_free(walker->is_queued);
    *walker = (assay_graph_walker){.n_nodes = 0};
}

static bool reserve(assay_graph_walker *w, uint32_t n)
{
    assay_graph_walker_clear(w);
    w->value = ASSAY_NEW_ARRAY(double, n + 1u);
    w->rest = ASSAY_NEW_ARRAY(double, n + 1u);
    w->touched = ASSAY_NEW_ARRAY(uint32_t, n + 1u);
    w->is_touched = ASSAY_NEW_ARRAY(uint8_t, n + 1u);
    w->queue = ASSAY_NEW_ARRAY(uint32_t, n + 1u);
    w->is_queued = ASSAY_NEW_ARRAY(uint8_t, n + 1u);
    if (!w->value || !w->rest || !w->touched || !w->is_touched || !w->queue ||
        !w->is_queued) {
        assay_graph_walker_clear(w);
        return false;
    }
    w->n_nodes = n;
    return true;
}

static bool prepare(const assay_graph *graph, assay_graph_walker *w)
{
    uint32_t n = graph->n_entities + graph->n_passages;

    if (w->n_nodes != n && !reserve(w, n))
        return false;
    for (uint32_t i = 0; i < w->n_touched; i++) {
        uint32_t node = w->touched[i];

        w->value[node] = w->rest[node] = 0;
        w->is_touched[node] = w->is_queued[node] = 0;
    }
    w->n_touched = 0;
    return true;
}

static void touch(assay_graph_walker *w, uint32_t node)
{
    if (w->is_touched[node])
        return;
    w->is_touched[node] = 1;
    w->touched[w->n_touched++] = node;
}

/* The queue is a ring: no node stands in it twice, so it never runs over. */
typedef struct ring {
    uint32_t head;
    uint32_t n;
} ring;

static void receive(const assay_graph *g, assay_graph_walker *w, ring *r, uint32_t node,
                    double amount)
{
    const double least = 1e-6;
    uint32_t at;

    touch(w, node);
    w->rest[node] += amount;
    if (w->is_queued[node] || w->rest[node] <= least * g->degree[node])
        return;
    at = r->head + r->n;
    w->queue[at >= w->n_nodes ? at - w->n_nodes : at] = node;
    w->is_queued[node] = 1;
    r->n++;
}

static void push(const assay_graph *g, assay_graph_walker *w, ring *r, uint32_t node,
                 double damping)
{
    double amount = w->rest[node];
    double passed = g->degree[node] > 0 ? damping * amount / g->degree[node] : 0;

    w->rest[node] = 0;
    w->value[node] += (1 - damping) * amount;
    for (uint32_t e = g->first[node]; e < g->first[node + 1]; e++)
        receive(g, w, r, g->edge[e].to, passed * g->edge[e].weight);
}

bool assay_graph_pagerank(const assay_graph *graph, assay_graph_walker *walker,
                          const assay_graph_start *start, uint32_t n, double damping)
{
    ring r = {0, 0};

    if (!prepare(graph, walker))
        return false;
    for (uint32_t i = 0; i < n; i++)
        receive(graph, walker, &r, start[i].node, start[i].weight);
    while (r.n) {
        uint32_t node = walker->queue[r.head];

        r.head = r.head + 1 == walker->n_nodes ? 0 : r.head + 1;
        r.n--;
        walker->is_queued[node] = 0;
        push(graph, walker, &r, node, damping);
    }
    return true;
}

bool assay_graph_spread(const assay_graph *graph, assay_graph_walker *walker,
                        const assay_graph_start *start, uint32_t n, uint32_t hops,
                        double decay)
{
    uint32_t from = 0;

    if (!prepare(graph, walker))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        touch(walker, start[i].node);
        walker->value[start[i].node] += start[i].weight;
    }
    /* A node passes on once, in the hop after the one that reached it first. */
    for (uint32_t hop = 0; hop < hops; hop++) {
        uint32_t end = walker->n_touched;

        for (uint32_t i = from; i < end; i++)
            walker->rest[walker->touched[i]] = walker->value[walker->touched[i]];
        for (uint32_t i = from; i < end; i++) {
            uint32_t node = walker->touched[i];
            double passed = decay * walker->rest[node];

            for (uint32_t e = graph->first[node]; e < graph->first[node + 1]; e++) {
                touch(walker, graph->edge[e].to);
                walker->value[graph->edge[e].to] += passed * graph->edge[e].weight;
            }
        }
        from = end;
    }
    return true;
}
