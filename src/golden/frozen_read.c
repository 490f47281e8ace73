/* SPDX-License-Identifier: Apache-2.0 */
/* Golden sets out of a store.  Only assay writes them, so what does not fit is damage, and
 * is said to be. */
#include "base/compiler.h"
#include "base/error.h"
#include "base/node.h"
#include "base/slice.h"
#include "golden/frozen.h"
#include "golden/frozen_keys.h"

typedef struct thawing {
    const char *path;
    assay_golden *golden;
} thawing;

static assay_status damaged(const thawing *t, const assay_node *node, const char *what,
                            assay_error *err)
{
    return assay_fail_at(err, t->path, node->line, "damaged golden set: %s", what);
}

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "reading a golden set");
}

/* ---- small words: what is absent stays as it is ---- */

static assay_slice text_of(const assay_node *map, const char *key)
{
    const assay_node *node = assay_node_get(map, key);

    return node && node->kind == ASSAY_NODE_STRING ? node->text : ASSAY_LIT("");
}

static bool is_true(const assay_node *map, const char *key)
{
    const assay_node *node = assay_node_get(map, key);

    return node && node->kind == ASSAY_NODE_BOOL && node->integer;
}

static bool read_span(const assay_node *node, assay_span *out)
{
    if (node->kind != ASSAY_NODE_LIST || node->n != 2 ||
        node->child->kind != ASSAY_NODE_INT || node->child->next->kind != ASSAY_NODE_INT)
        return false;
    *out = (assay_span){(uint64_t)node->child->integer,
                        (uint64_t)node->child->next->integer};
    return node->child->integer >= 0 && out->end >= out->start;
}

static assay_status read_list(const thawing *t, const assay_node *node,
                              assay_strings *out, assay_error *err)
{
    uint32_t n = 0;

    if (node->kind != ASSAY_NODE_LIST)
        return damaged(t, node, "a list is missing", err);
    out->item = ASSAY_ARENA_ARRAY(&t->golden->arena, assay_slice, node->n + 1);
    if (!out->item)
        return no_memory(err);
    for (const assay_node *c = node->child; c; c = c->next) {
        if (c->kind != ASSAY_NODE_STRING)
            return damaged(t, c, "a string is missing", err);
        out->item[n++] = c->text;
    }
    out->n = n;
    return ASSAY_OK;
}

static assay_status read_strings(const thawing *t, const assay_node *map, const char *key,
                                 assay_strings *out, assay_error *err)
{
    const assay_node *node = assay_node_get(map, key);

    return node ? read_list(t, node, out, err) : ASSAY_OK;
}

/* The number of a name in its dictionary; absent: none. */
static bool number_of(const assay_node *map, const char *key, assay_dict *dict,
                      uint32_t *out)
{
    assay_slice name = text_of(map, key);

    *out = ASSAY_NONE;
    return !name.len || assay_dict_put(dict, NULL, name, out, NULL);
}

/* ---- judgments ---- */

static assay_status read_place(const thawing *t, const assay_node *map, assay_judgment *j,
                               assay_error *err)
{
    for (uint8_t p = ASSAY_PLACE_SPAN; p <= ASSAY_PLACE_LINES; p++) {
        const assay_node *node = assay_node_get(map, assay_frozen_places[p]);

        if (!node)
            continue;
        if (!read_span(node, &j->where))
            return damaged(t, node, "a place is no pair", err);
        j->place = p;
    }
    return ASSAY_OK;
}

static assay_status read_spans(const thawing *t, const assay_node *map, assay_judgment *j,
                               assay_error *err)
{
    const assay_node *node = assay_node_get(map, "spans");
    assay_span *span;

    if (!node)
        return ASSAY_OK;
    if (node->kind != ASSAY_NODE_LIST)
        return damaged(t, node, "spans are no list", err);
    span = ASSAY_ARENA_ARRAY(&t->golden->arena, assay_span, node->n + 1);
    if (!span)
        return no_memory(err);
    for (const assay_node *c = node->child; c; c = c->next)
        if (!read_span(c, &span[j->n_spans++]))
            return damaged(t, c, "a span is no pair", err);
    j->span = span;
    return ASSAY_OK;
}

static assay_status read_stale(const thawing *t, const assay_node *map, assay_judgment *j,
                               assay_error *err)
{
    assay_slice word = text_of(map, "stale");

    for (uint8_t s = 0; s < ASSAY_COUNT(assay_frozen_stales); s++) {
        if (!assay_slice_is(word, assay_frozen_stales[s]))
            continue;
        j->stale = s;
        return ASSAY_OK;
    }
    return damaged(t, map, "an unknown kind of stale", err);
}

static assay_status read_judgment(const thawing *t, const assay_node *map, assay_query *q,
                                  assay_error *err)
{
    assay_golden *g = t->golden;
    assay_judgment j = assay_judgment_none();
    const assay_node *grade = assay_node_get(map, "grade");
    assay_status st;

    if (map->kind != ASSAY_NODE_MAP || !grade || grade->kind != ASSAY_NODE_INT)
        return damaged(t, map, "a judgment has no grade", err);
    j.grade = (int32_t)grade->integer;
    j.quote = text_of(map, "quote");
    if (!number_of(map, "doc", &g->docs, &j.doc) ||
        !number_of(map, "chunk", &g->chunks, &j.chunk) ||
        !number_of(map, "heading", &g->headings, &j.heading) ||
        !number_of(map, "subtopic", &g->subtopics, &j.subtopic))
        return no_memory(err);
    if (j.doc == ASSAY_NONE && j.chunk == ASSAY_NONE)
        return damaged(t, map, "a judgment of nothing", err);
    st = read_place(t, map, &j, err);
    if (!st)
        st = read_spans(t, map, &j, err);
    if (!st)
        st = read_stale(t, map, &j, err);
    return st ? st : assay_golden_judge(g, q, &j, err);
}

/* ---- queries ---- */

static assay_status read_label(const thawing *t, const assay_node *map, assay_query *q,
                               assay_error *err)
{
    assay_slice word = text_of(map, "label");

    for (uint8_t l = 0; l < ASSAY_N_LABELS; l++) {
        if (!assay_slice_is(word, assay_label_name((assay_label)l)))
            continue;
        q->label = l;
        return ASSAY_OK;
    }
    return damaged(t, map, "a query has no label", err);
}

static assay_status read_any_of(const thawing *t, const assay_node *map, assay_query *q,
                                assay_error *err)
{
    const assay_node *node = assay_node_get(map, "any_of");

    if (!node)
        return ASSAY_OK;
    if (node->kind != ASSAY_NODE_LIST)
        return damaged(t, node, "'any_of' is no list", err);
    q->any_of = ASSAY_ARENA_ARRAY(&t->golden->arena, assay_strings, node->n + 1);
    if (!q->any_of)
        return no_memory(err);
    for (const assay_node *c = node->child; c; c = c->next) {
        assay_status st = read_list(t, c, &q->any_of[q->n_any_of++], err);

        if (st)
            return st;
    }
    return ASSAY_OK;
}

static assay_status read_meta(const thawing *t, const assay_node *map, assay_query *q,
                              assay_error *err)
{
    const assay_node *node = assay_node_get(map, "meta");

    if (!node)
        return ASSAY_OK;
    if (node->kind != ASSAY_NODE_MAP)
        return damaged(t, node, "'meta' is no map", err);
    q->meta = ASSAY_ARENA_ARRAY(&t->golden->arena, assay_facet, node->n + 1);
    if (!q->meta)
        return no_memory(err);
    for (const assay_node *c = node->child; c; c = c->next)
        q->meta[q->n_meta++] = (assay_facet){c->key, c->text};
    return ASSAY_OK;
}

static void read_texts(const assay_node *map, assay_query *q)
{
    const assay_node *answer = assay_node_get(map, "expected_answer");

    q->text = text_of(map, "query");
    q->lang = text_of(map, "lang");
    q->difficulty = text_of(map, "difficulty");
    q->category = text_of(map, "category");
    q->group = text_of(map, "group");
    q->notes = text_of(map, "notes");
    q->is_draft = is_true(map, "draft");
    q->has_relevant_key = is_true(map, "has_list");
    q->has_expected_answer = answer != NULL;
    q->expected_answer = answer ? answer->text : ASSAY_LIT("");
}

static assay_status read_query(const thawing *t, const assay_node *map, assay_error *err)
{
    const assay_node *judgments = assay_node_get(map, "judgments");
    assay_slice id = text_of(map, "id");
    assay_query *q;
    assay_status st;

    if (map->kind != ASSAY_NODE_MAP || !id.len || !judgments ||
        judgments->kind != ASSAY_NODE_LIST)
        return damaged(t, map, "a query lacks its id or its judgments", err);
    st = assay_golden_add(t->golden, id, map->line, &q, err);
    if (st)
        return st;
    read_texts(map, q);
    st = read_label(t, map, q, err);
    if (!st)
        st = read_strings(t, map, "tags", &q->tags, err);
    if (!st)
        st = read_strings(t, map, "must_contain", &q->must_contain, err);
    if (!st)
        st = read_strings(t, map, "forbidden", &q->forbidden, err);
    if (!st)
        st = read_any_of(t, map, q, err);
    if (!st)
        st = read_meta(t, map, q, err);
    for (const assay_node *c = judgments->child; c && !st; c = c->next)
        st = read_judgment(t, c, q, err);
    return st;
}

/* ---- the set ---- */

static assay_status read_thresholds(const thawing *t, const assay_node *root,
                                    assay_error *err)
{
    const assay_node *node = assay_node_get(root, "thresholds");
    assay_golden *g = t->golden;

    if (!node)
        return ASSAY_OK;
    if (node->kind != ASSAY_NODE_MAP)
        return damaged(t, node, "'thresholds' is no map", err);
    g->threshold = ASSAY_ARENA_ARRAY(&g->arena, assay_threshold, node->n + 1);
    if (!g->threshold)
        return no_memory(err);
    for (const assay_node *c = node->child; c; c = c->next)
        g->threshold[g->n_thresholds++] = (assay_threshold){c->key, c->number, 0};
    return ASSAY_OK;
}

/* assay_golden_finish derives labels from judgments; here they are known, and `stale` is
 * one that it cannot know. */
static assay_status finish(const thawing *t, const assay_node *queries, assay_error *err)
{
    assay_status st = assay_golden_finish(t->golden, err);
    uint32_t i = 0;

    for (const assay_node *c = queries->child; c && !st; c = c->next)
        st = read_label(t, c, &t->golden->query[i++], err);
    return st;
}

static assay_status read_all(thawing *t, assay_slice text, assay_error *err)
{
    assay_golden *g = t->golden;
    const assay_node *queries;
    assay_node *root;
    assay_status st;

    text = assay_arena_copy(&g->arena, text);
    g->path = assay_arena_string(&g->arena, assay_slice_of(t->path));
    if (!text.ptr || !g->path)
        return no_memory(err);
    g->judged_path = g->path;
    st = assay_node_json(t->path, text, &g->arena, &root, err);
    if (st)
        return st;
    queries = assay_node_get(root, "queries");
    if (!assay_slice_is(text_of(root, "schema"), ASSAY_FROZEN_SCHEMA) || !queries ||
        queries->kind != ASSAY_NODE_LIST)
        return damaged(t, root, "it is no " ASSAY_FROZEN_SCHEMA, err);
    g->name = text_of(root, "name");
    g->version = text_of(root, "version");
    g->description = text_of(root, "description");
    g->conventions = text_of(root, "conventions");
    g->drop_self_hits = is_true(root, "drop_self_hits");
    st = read_thresholds(t, root, err);
    for (const assay_node *c = queries->child; c && !st; c = c->next)
        st = read_query(t, c, err);
    return st ? st : finish(t, queries, err);
}

assay_status assay_golden_thaw(const char *name, assay_slice text, assay_golden **out,
                               assay_error *err)
{
    thawing t = {name, assay_golden_new()};
    assay_status st = t.golden ? read_all(&t, text, err) : no_memory(err);

    if (st) {
        assay_golden_free(t.golden);
        return st;
    }
    *out = t.golden;
    return ASSAY_OK;
}
