/* SPDX-License-Identifier: Apache-2.0 */
/* A graph from a file:
 *
 *     {"entities":  [{"name", "entity_type", "canonical_name", "source_document_id",
 *                     "confidence", ...}],
 *      "relations": [{"source", "target", "relation_type", "confidence", ...}]}
 *
 * also under "knowledge_graph" or "graph".  An entity has one row for each document that
 * it stands in.  Where documents are cut, it stands in those chunks of the document that
 * name it, or, where none does, in all of them. */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/name_list.h"
#include "base/node.h"
#include "base/slice.h"
#include "index/graph.h"
#include "text/fold.h"

/* The passages of each document. */
typedef struct by_doc {
    assay_dict docs;
    uint32_t *first; /* by document, and one more */
    uint32_t *passage;
} by_doc;

typedef struct loader {
    const char *path;
    const assay_passages *passages;
    assay_graph_builder builder;
    assay_arena scratch;
    by_doc docs;
    assay_slice *key;          /* folded text by passage, made when first needed */
    assay_name_list strangers; /* source_document_ids that are no documents */
    uint32_t n_strangers;
    assay_name_list loose; /* ends of relations that are no entities */
    uint32_t n_loose;
    uint32_t n_loops;
    uint32_t n_placed;
} loader;

/* ---- documents ---- */

static void clear_docs(by_doc *d)
{
    assay_dict_clear(&d->docs);
    assay_mem_free(d->first);
    assay_mem_free(d->passage);
}

static bool number_docs(by_doc *d, const assay_passages *p, uint32_t *doc)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (!assay_dict_put(&d->docs, NULL, p->item[i].doc, &doc[i], NULL))
            return false;
    return true;
}

static bool index_docs(by_doc *d, const assay_passages *p)
{
    uint32_t *doc = ASSAY_NEW_ARRAY(uint32_t, p->n + 1u);
    bool ok = doc && number_docs(d, p, doc);

    d->first = ok ? ASSAY_NEW_ARRAY(uint32_t, d->docs.n + 2u) : NULL;
    d->passage = ASSAY_NEW_ARRAY(uint32_t, p->n + 1u);
    ok = ok && d->first && d->passage;
    for (uint32_t i = 0; ok && i < p->n; i++)
        d->first[doc[i] + 2]++;
    for (uint32_t i = 1; ok && i <= d->docs.n; i++)
        d->first[i + 1] += d->first[i];
    for (uint32_t i = 0; ok && i < p->n; i++)
        d->passage[d->first[doc[i] + 1]++] = i;
    assay_mem_free(doc);
    return ok;
}

/* ---- fields ---- */

/* Null where it is missing or null. */
static const assay_node *field(const assay_node *map, const char *key)
{
    const assay_node *n = assay_node_get(map, key);

    return n && n->kind != ASSAY_NODE_NULL ? n : NULL;
}

/* A text that must be there and say something. */
static assay_status need_text(const loader *l, const assay_node *map, const char *what,
                              const char *key, assay_slice *out, assay_error *err)
{
    const assay_node *n = field(map, key);

    if (!n)
        return assay_fail_at(err, l->path, map->line, "%s has no '%s'", what, key);
    if (n->kind != ASSAY_NODE_STRING || !assay_slice_trim(n->text).len)
        return assay_fail_at(err, l->path, n->line,
                             "'%s' of %s must be a text that is not empty", key, what);
    *out = assay_slice_trim(n->text);
    return ASSAY_OK;
}

static assay_status read_confidence(const loader *l, const assay_node *map,
                                    const char *what, double *out, assay_error *err)
{
    const assay_node *n = field(map, "confidence");

    *out = 1;
    if (!n)
        return ASSAY_OK;
    if ((n->kind != ASSAY_NODE_INT && n->kind != ASSAY_NODE_NUMBER) ||
        !(n->number >= 0 && n->number <= 1))
        return assay_fail_at(err, l->path, n->line,
                             "'confidence' of %s is '%.*s'; want a number from 0 to 1",
                             what, ASSAY_QUOTE(n->text));
    *out = n->number;
    return ASSAY_OK;
}

/* ---- places ---- */

static const assay_slice *folded(loader *l, uint32_t passage)
{
    if (!l->key)
        l->key = ASSAY_ARENA_ARRAY(&l->scratch, assay_slice, l->passages->n + 1u);
    if (!l->key)
        return NULL;
    if (!l->key[passage].ptr &&
        !assay_fold_key(l->passages->item[passage].text, &l->scratch, &l->key[passage]))
        return NULL;
    return &l->key[passage];
}

/* Whether `name` stands in `text`, beginning with a word; both are folded. */
static bool names(assay_slice text, assay_slice name)
{
    for (size_t i = 0; i + name.len <= text.len; i++)
        if ((i == 0 || text.ptr[i - 1] == ' ') &&
            memcmp(text.ptr + i, name.ptr, name.len) == 0)
            return true;
    return false;
}

static bool put_in_chunks(loader *l, uint32_t entity, assay_slice key, uint32_t doc,
                          double confidence)
{
    uint32_t from = l->docs.first[doc];
    uint32_t to = l->docs.first[doc + 1];
    bool is_named = false;

    for (int round = 0; round < 2 && !is_named; round++)
        for (uint32_t i = from; i < to; i++) {
            uint32_t passage = l->docs.passage[i];
            const assay_slice *text = to - from > 1 ? folded(l, passage) : NULL;

            if (to - from > 1 && !text)
                return false;
            if (round == 0 && text && !names(*text, key))
                continue;
            is_named = true;
            if (!assay_graph_put(&l->builder, entity, passage, confidence))
                return false;
        }
    return true;
}

static assay_status place(loader *l, const assay_node *map, uint32_t entity,
                          assay_slice key, double confidence, assay_error *err)
{
    const assay_node *n = field(map, "source_document_id");
    uint32_t doc;

    if (!n)
        return ASSAY_OK;
    if (n->kind != ASSAY_NODE_STRING && n->kind != ASSAY_NODE_INT)
        return assay_fail_at(err, l->path, n->line,
                             "'source_document_id' must be a text");
    doc = assay_dict_find(&l->docs.docs, assay_slice_trim(n->text));
    if (doc == ASSAY_NONE) {
        if (l->n_strangers++ < 5)
            assay_name_list_add(&l->strangers, n->text);
        return ASSAY_OK;
    }
    l->n_placed++;
    if (!put_in_chunks(l, entity, key, doc, confidence))
        return assay_fail_memory(err, "reading the graph");
    return ASSAY_OK;
}

/* ---- entities and relations ---- */

static assay_status read_entity(loader *l, const assay_node *map, assay_error *err)
{
    const assay_node *canonical = field(map, "canonical_name");
    assay_slice name;
    assay_slice type;
    assay_slice key;
    assay_slice other = {"", 0};
    double confidence;
    uint32_t entity;
    assay_status st = need_text(l, map, "an entity", "name", &name, err);

    if (!st)
        st = need_text(l, map, "an entity", "entity_type", &type, err);
    if (!st)
        st = read_confidence(l, map, "an entity", &confidence, err);
    if (st)
        return st;
    if (!assay_fold_key(name, &l->scratch, &key) ||
        (canonical && canonical->kind == ASSAY_NODE_STRING &&
         !assay_fold_key(canonical->text, &l->scratch, &other)))
        return assay_fail_memory(err, "reading the graph");
    /* What has a canonical name is known by it, and by its own name too. */
    if (!assay_graph_entity(&l->builder, other.len ? other : key, name, confidence,
                            &entity) ||
        (other.len && !assay_graph_alias(&l->builder, key, entity)))
        return assay_fail_memory(err, "reading the graph");
    if (entity == ASSAY_NONE)
        return ASSAY_OK; /* punctuation only: no query can name it */
    return place(l, map, entity, key, confidence, err);
}

static uint32_t find_end(loader *l, assay_slice name)
{
    assay_slice key;
    uint32_t found;

    if (!assay_fold_key(name, &l->scratch, &key))
        return ASSAY_NONE;
    found = assay_dict_find(&l->builder.keys, key);
    if (found == ASSAY_NONE) {
        found = assay_dict_find(&l->builder.alias_keys, key);
        if (found != ASSAY_NONE)
            found = l->builder.alias_of[found];
    }
    if (found == ASSAY_NONE && l->n_loose++ < 5)
        assay_name_list_add(&l->loose, name);
    return found;
}

static assay_status read_relation(loader *l, const assay_node *map, assay_error *err)
{
    assay_slice source;
    assay_slice target;
    assay_slice type;
    double confidence;
    uint32_t x;
    uint32_t y;
    assay_status st = need_text(l, map, "a relation", "source", &source, err);

    if (!st)
        st = need_text(l, map, "a relation", "target", &target, err);
    if (!st)
        st = need_text(l, map, "a relation", "relation_type", &type, err);
    if (!st)
        st = read_confidence(l, map, "a relation", &confidence, err);
    if (st)
        return st;
    x = find_end(l, source);
    y = find_end(l, target);
    l->n_loops += x == y && x != ASSAY_NONE;
    if (x == ASSAY_NONE || y == ASSAY_NONE)
        return ASSAY_OK;
    if (!assay_graph_relate(&l->builder, x, y, confidence))
        return assay_fail_memory(err, "reading the graph");
    return ASSAY_OK;
}

static assay_status read_list(loader *l, const assay_node *graph, const char *key,
                              assay_status (*one)(loader *l, const assay_node *map,
                                                  assay_error *err),
                              assay_error *err)
{
    const assay_node *list = field(graph, key);
    assay_status st = ASSAY_OK;

    if (!list)
        return ASSAY_OK;
    if (list->kind != ASSAY_NODE_LIST)
        return assay_fail_at(err, l->path, list->line, "'%s' must be a list", key);
    for (const assay_node *n = list->child; n && !st; n = n->next) {
        if (n->kind != ASSAY_NODE_MAP)
            return assay_fail_at(err, l->path, n->line, "'%s' must hold objects", key);
        st = one(l, n, err);
    }
    return st;
}

/* The object with the lists: the file itself, or what it wraps. */
static const assay_node *find_graph(const assay_node *root)
{
    static const char *const wrap[] = {"knowledge_graph", "graph"};

    if (root->kind != ASSAY_NODE_MAP)
        return NULL;
    if (field(root, "entities"))
        return root;
    for (size_t i = 0; i < 2; i++) {
        const assay_node *inner = field(root, wrap[i]);

        if (inner && inner->kind == ASSAY_NODE_MAP && field(inner, "entities"))
            return inner;
    }
    return NULL;
}

static assay_status say(loader *l, assay_notes *notes, assay_arena *arena,
                        assay_error *err)
{
    bool ok = true;

    if (l->n_strangers)
        ok = assay_notes_add(
            notes, arena, "%s: entities from documents that are not here: %u (%s)",
            l->path, l->n_strangers, assay_name_list_text(&l->strangers));
    if (ok && l->n_loose)
        ok = assay_notes_add(notes, arena,
                             "%s: ends of relations that are no entities: %u (%s)",
                             l->path, l->n_loose, assay_name_list_text(&l->loose));
    if (ok && l->n_loops)
        ok = assay_notes_add(notes, arena,
                             "%s: relations of an entity to itself, left out: %u",
                             l->path, l->n_loops);
    if (ok && !l->n_placed)
        ok = assay_notes_add(notes, arena, "%s: no entity stands in any of the documents",
                             l->path);
    return ok ? ASSAY_OK : assay_fail_memory(err, "reading the graph");
}

static assay_status read_graph(loader *l, assay_slice text, assay_error *err)
{
    assay_node *root;
    const assay_node *graph;
    assay_status st = assay_node_json(l->path, text, &l->scratch, &root, err);

    if (st)
        return st;
    graph = find_graph(root);
    if (!graph)
        return assay_fail_at(
            err, l->path, root->line,
            "no graph: want {\"entities\": [...], \"relations\": [...]}");
    st = read_list(l, graph, "entities", read_entity, err);
    return st ? st : read_list(l, graph, "relations", read_relation, err);
}

assay_status assay_graph_load(const char *path, const assay_passages *passages,
                              assay_notes *notes, assay_arena *arena, assay_graph **out,
                              assay_error *err)
{
    loader l = {.path = path, .passages = passages};
    assay_file file = {.mapped = NULL};
    assay_status st = assay_file_open(&file, path, err);

    l.builder.n_passages = passages->n;
    if (!st && !index_docs(&l.docs, passages))
        st = assay_fail_memory(err, "reading the graph");
    if (!st)
        st = read_graph(&l, file.text, err);
    if (!st)
        st = say(&l, notes, arena, err);
    if (!st)
        st = assay_graph_build(&l.builder, out, err);
    assay_graph_builder_clear(&l.builder);
    clear_docs(&l.docs);
    assay_arena_clear(&l.scratch);
    assay_file_close(&file);
    return st;
}
