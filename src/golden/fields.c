/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/fields.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/slice.h"

enum { MOST_FIELDS = 32 };

/* Every spelling of a list of judgments in any of the formats: one of these in a format
 * that does not have it is a mistake, never a key to pass over. */
static const char *const judgment_keys[] = {
    "relevant",        "relevant_docs",      "relevant_doc_ids", "relevant_ids",
    "relevant_chunks", "relevant_chunk_ids", "expected_docs",    "expected_doc_ids",
    "expected_chunks", "expected_chunk_ids", "expected_ids",
};

const char *assay_nearest(assay_slice word, const char *const *name, size_t n)
{
    uint32_t least = word.len < 6 ? 2 : (uint32_t)(word.len < 48 ? word.len : 48) / 3;
    const char *best = NULL;

    for (size_t i = 0; i < n; i++) {
        uint32_t d = assay_slice_distance(word, assay_slice_of(name[i]));

        if (d <= least && (!best || d < least)) {
            least = d;
            best = name[i];
        }
    }
    return best;
}

/* Flow style YAML has no quotes around its keys; JSON always has. */
static bool is_json(assay_slice text)
{
    assay_slice rest = assay_slice_trim(text);
    char open = rest.len ? rest.ptr[0] : ' ';

    if (open != '{' && open != '[')
        return false;
    rest = assay_slice_trim((assay_slice){rest.ptr + 1, rest.len - 1});
    return !rest.len || rest.ptr[0] == '"' || (open == '[' && rest.ptr[0] == '{') ||
           rest.ptr[0] == '}' || rest.ptr[0] == ']';
}

assay_status assay_field_tree(const assay_field_reader *in, assay_slice text,
                              assay_node **out, assay_error *err)
{
    assay_arena *arena = &in->golden->arena;

    return is_json(text) ? assay_node_json(in->path, text, arena, out, err)
                         : assay_node_yaml(in->path, text, arena, out, err);
}

/* ---- unknown keys ---- */

static size_t list_names(const assay_field *table, const char **name)
{
    size_t n = 0;

    while (n < MOST_FIELDS && table[n].name) {
        name[n] = table[n].name;
        n++;
    }
    return n;
}

/* The key that was meant: one spelt alike, or this format's word for judgments. */
static const char *advise(assay_slice key, const assay_field *table,
                          const char *const *name, size_t n)
{
    const char *near = assay_nearest(key, name, n);
    bool is_foreign = false;

    for (size_t i = 0; i < ASSAY_COUNT(judgment_keys); i++)
        is_foreign = is_foreign || assay_slice_is(key, judgment_keys[i]);
    for (size_t i = 0; !near && is_foreign && i < n; i++)
        if (table[i].is_judgment)
            near = name[i];
    return near;
}

static assay_status fail_unknown(const assay_field_reader *in, const assay_node *value,
                                 const assay_field *table, assay_error *err)
{
    const char *name[MOST_FIELDS];
    size_t n = list_names(table, name);
    const char *near = advise(value->key, table, name, n);
    char list[400] = "";
    size_t used = 0;

    if (near)
        return assay_fail_at(err, in->path, value->key_line,
                             "unknown key '%.*s'; did you mean '%s'?",
                             ASSAY_QUOTE(value->key), near);
    for (size_t i = 0; i < n && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 name[i]);
    return assay_fail_at(err, in->path, value->key_line,
                         "unknown key '%.*s'; the keys here are %s",
                         ASSAY_QUOTE(value->key), list);
}

static bool looks_like_judgments(assay_slice key, const assay_field *table)
{
    bool has_judgments = false;

    for (; table->name; table++) {
        if (!table->is_judgment)
            continue;
        has_judgments = true;
        if (assay_slice_distance(key, assay_slice_of(table->name)) <= 3)
            return true;
    }
    for (size_t i = 0; has_judgments && i < ASSAY_COUNT(judgment_keys); i++)
        if (assay_slice_is(key, judgment_keys[i]))
            return true;
    return false;
}

/* In a lenient format the only advice worth giving is a key of judgments. */
static assay_status fail_misspelt(const assay_field_reader *in, const assay_node *value,
                                  const assay_field *table, assay_error *err)
{
    while (!table->is_judgment)
        table++;
    return assay_fail_at(err, in->path, value->key_line,
                         "unknown key '%.*s' looks like judgments; did you mean '%s'?",
                         ASSAY_QUOTE(value->key), table->name);
}

static assay_status take_unknown(const assay_field_reader *in, const assay_node *value,
                                 const assay_field *table, assay_error *err)
{
    if (assay_slice_starts(value->key, "x_"))
        return ASSAY_OK;
    if (in->is_strict)
        return fail_unknown(in, value, table, err);
    if (looks_like_judgments(value->key, table))
        return fail_misspelt(in, value, table, err);
    in->golden->n_unknown_keys++;
    return ASSAY_OK;
}

/* ---- values ---- */

static bool is_scalar(const assay_node *node)
{
    return node->kind != ASSAY_NODE_LIST && node->kind != ASSAY_NODE_MAP;
}

static assay_status fail_kind(const assay_field_reader *in, const assay_node *node,
                              const char *name, const char *want, assay_error *err)
{
    if (is_scalar(node) && node->kind != ASSAY_NODE_NULL)
        return assay_fail_at(
            err, in->path, node->line, "'%s' has %s ('%.*s') where %s belongs", name,
            assay_node_kind_name(node->kind), ASSAY_QUOTE(node->text), want);
    return assay_fail_at(err, in->path, node->line, "'%s' has %s where %s belongs", name,
                         assay_node_kind_name(node->kind), want);
}

assay_status assay_field_want(const assay_field_reader *in, const assay_node *node,
                              const char *name, assay_node_kind kind, assay_error *err)
{
    if (node->kind == kind)
        return ASSAY_OK;
    return fail_kind(in, node, name, assay_node_kind_name(kind), err);
}

assay_status assay_field_text(const assay_field_reader *in, const assay_node *node,
                              const char *name, assay_slice *out, assay_error *err)
{
    if (!is_scalar(node) || node->kind == ASSAY_NODE_NULL)
        return fail_kind(in, node, name, "a string", err);
    *out = node->text;
    return ASSAY_OK;
}

assay_status assay_field_id(const assay_field_reader *in, const assay_node *node,
                            const char *name, assay_slice *out, assay_error *err)
{
    if (!is_scalar(node) || node->kind == ASSAY_NODE_NULL ||
        node->kind == ASSAY_NODE_BOOL)
        return fail_kind(in, node, name, "an id", err);
    if (!node->text.len)
        return assay_fail_at(err, in->path, node->line, "'%s' has an empty id", name);
    *out = node->text;
    return ASSAY_OK;
}

assay_status assay_field_strings(const assay_field_reader *in, const assay_node *node,
                                 const char *name, assay_strings *out, assay_error *err)
{
    assay_status st = assay_field_want(in, node, name, ASSAY_NODE_LIST, err);
    assay_slice *item;
    uint32_t n = 0;

    if (st)
        return st;
    item = ASSAY_ARENA_ARRAY(&in->golden->arena, assay_slice, node->n);
    if (!item)
        return assay_fail_memory(err, "reading a golden set");
    for (const assay_node *c = node->child; c; c = c->next) {
        st = assay_field_text(in, c, name, &item[n++], err);
        if (st)
            return st;
    }
    *out = (assay_strings){item, n};
    return ASSAY_OK;
}

static assay_status read_value(const assay_field_reader *in, const assay_node *value,
                               const assay_field *field, void *into, assay_error *err)
{
    char *place = (char *)into + field->at;
    assay_status st;

    switch (field->kind) {
    case ASSAY_FIELD_TEXT:
        if (value->kind == ASSAY_NODE_NULL && !field->is_required)
            return ASSAY_OK;
        return assay_field_text(in, value, field->name, (assay_slice *)(void *)place,
                                err);
    case ASSAY_FIELD_STRINGS:
        return assay_field_strings(in, value, field->name, (assay_strings *)(void *)place,
                                   err);
    case ASSAY_FIELD_FLAG:
        st = assay_field_want(in, value, field->name, ASSAY_NODE_BOOL, err);
        if (!st)
            *(bool *)(void *)place = value->integer != 0;
        return st;
    default: return field->read ? field->read(in, value, into, err) : ASSAY_OK;
    }
}

static assay_status fail_missing(const assay_field_reader *in, const assay_node *map,
                                 const char *what, assay_slice id, const char *name,
                                 assay_error *err)
{
    if (!id.len)
        return assay_fail_at(err, in->path, map->line, "%s has no '%s'", what, name);
    return assay_fail_at(err, in->path, map->line, "%s '%.*s' has no '%s'", what,
                         ASSAY_QUOTE(id), name);
}

assay_status assay_fields_read(const assay_field_reader *in, const assay_node *map,
                               const char *what, assay_slice id, const assay_field *table,
                               void *into, assay_error *err)
{
    bool is_seen[MOST_FIELDS] = {false};

    for (const assay_node *v = map->child; v; v = v->next) {
        size_t i = 0;
        assay_status st;

        while (table[i].name && !assay_slice_is(v->key, table[i].name))
            i++;
        st = table[i].name ? read_value(in, v, &table[i], into, err)
                           : take_unknown(in, v, table, err);
        if (st)
            return st;
        is_seen[i] = true;
    }
    for (size_t i = 0; table[i].name; i++)
        if (table[i].is_required && !is_seen[i])
            return fail_missing(in, map, what, id, table[i].name, err);
    return ASSAY_OK;
}

/* ---- queries and judgments ---- */

assay_status assay_field_judge_id(const assay_field_reader *in, assay_slice id,
                                  uint32_t line, bool is_chunk, assay_query *query,
                                  assay_error *err)
{
    assay_golden *golden = in->golden;
    assay_judgment j = assay_judgment_none();
    bool has_memory = is_chunk ? assay_dict_put(&golden->chunks, NULL, id, &j.chunk, NULL)
                               : assay_dict_put(&golden->docs, NULL, id, &j.doc, NULL);

    if (!has_memory)
        return assay_fail_memory(err, "reading a golden set");
    j.line = line;
    return assay_golden_judge(golden, query, &j, err);
}

assay_status assay_field_judge(const assay_field_reader *in, const assay_node *node,
                               const char *name, bool is_chunk, assay_query *query,
                               assay_error *err)
{
    assay_status st = assay_field_want(in, node, name, ASSAY_NODE_LIST, err);

    for (const assay_node *c = st ? NULL : node->child; c && !st; c = c->next) {
        assay_slice id;

        st = assay_field_id(in, c, name, &id, err);
        if (!st)
            st = assay_field_judge_id(in, id, c->line, is_chunk, query, err);
    }
    return st;
}

assay_status assay_field_query(const assay_field_reader *in, const assay_node *map,
                               const char *key, assay_query **out, assay_error *err)
{
    const assay_node *node;
    assay_slice id;
    assay_status st;

    if (map->kind != ASSAY_NODE_MAP)
        return assay_fail_at(err, in->path, map->line, "a query is %s, want a map",
                             assay_node_kind_name(map->kind));
    node = assay_node_get(map, key);
    if (!node)
        return assay_fail_at(err, in->path, map->line, "a query has no '%s'", key);
    st = assay_field_id(in, node, key, &id, err);
    return st ? st : assay_golden_add(in->golden, id, map->line, out, err);
}
