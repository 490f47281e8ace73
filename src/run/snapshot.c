/* SPDX-License-Identifier: Apache-2.0 */
/* A table says where each key goes; the nested objects that kebab has are written and read
 * by name. */
#include "run/snapshot.h"

#include <stddef.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "base/node.h"
#include "base/slice.h"

typedef enum kind { TEXT, COUNT, SEED, REAL, FLAG } kind;

/* A key, in `group` (null = at the top). */
typedef struct key {
    const char *group;
    const char *name;
    kind kind;
    size_t at;
} key;

#define KEY(group, name, kind, member)                      \
    {                                                       \
        group, name, kind, offsetof(assay_snapshot, member) \
    }

/* In the order in which they are written; keys of one group stand together. */
static const key keys[] = {
    KEY(NULL, "method", TEXT, method),
    KEY(NULL, "identity", TEXT, identity),
    KEY(NULL, "system", TEXT, system),
    KEY(NULL, "eval_k", COUNT, k),
    KEY(NULL, "depth", COUNT, depth),
    KEY(NULL, "chunker_version", TEXT, chunker),
    KEY(NULL, "policy_hash", TEXT, policy_hash),
    KEY("embedding", "identity", TEXT, embedder),
    KEY("embedding", "model", TEXT, embedder_model),
    KEY("embedding", "dimensions", COUNT, embedder_dims),
    KEY("llm", "identity", TEXT, answerer),
    KEY("llm", "model_id", TEXT, model),
    KEY(NULL, "prompt_template_version", TEXT, prompt),
    KEY(NULL, "answers", FLAG, has_answers),
    KEY(NULL, "seed", SEED, seed),
    KEY(NULL, "conventions", TEXT, conventions),
    KEY("golden", "hash", TEXT, golden_hash),
    KEY("golden", "name", TEXT, golden_name),
    KEY("golden", "path", TEXT, golden_path),
    KEY("golden", "queries", COUNT, golden_n),
    KEY("corpus", "hash", TEXT, corpus_hash),
    KEY("corpus", "name", TEXT, corpus_name),
    KEY(NULL, "timeout_s", REAL, timeout_s),
    KEY("repeat", "number", COUNT, repeat),
    KEY("repeat", "of", COUNT, repeats),
    KEY("repeat", "first_run", TEXT, repeat_of),
    KEY(NULL, "replay", TEXT, replay),
    KEY(NULL, "assay_version", TEXT, version),
    KEY(NULL, "commit_hash", TEXT, commit),
};

/* ---- writing ---- */

static void write_value(assay_json_writer *w, const assay_snapshot *s, const key *k)
{
    const void *at = (const char *)s + k->at;

    assay_json_key(w, k->name);
    switch (k->kind) {
    case TEXT: {
        assay_slice text = *(const assay_slice *)at;

        if (text.len)
            assay_json_string(w, text);
        else
            assay_json_null(w);
        break;
    }
    case COUNT:
        if (*(const uint32_t *)at)
            assay_json_int(w, *(const uint32_t *)at);
        else
            assay_json_null(w);
        break;
    case SEED: assay_json_int(w, (int64_t) * (const uint64_t *)at); break;
    case REAL: assay_json_double(w, *(const double *)at); break;
    case FLAG: assay_json_bool(w, *(const bool *)at); break;
    }
}

/* The queries that were set out to be answered: null = all of the golden set. */
static void write_plan(assay_json_writer *w, const assay_snapshot *s)
{
    assay_json_key(w, "plan");
    if (!s->is_part) {
        assay_json_null(w);
        return;
    }
    assay_json_list(w);
    for (uint32_t i = 0; i < s->n_plan; i++)
        assay_json_string(w, s->plan[i]);
    assay_json_list_end(w);
}

/* Pairs in a list, since an option may be given several times. */
static void write_options(assay_json_writer *w, const assay_snapshot *s)
{
    assay_json_key(w, "options");
    assay_json_list(w);
    for (uint32_t i = 0; i < s->n_options; i++) {
        assay_json_list(w);
        assay_json_string(w, s->option[i].name);
        assay_json_string(w, s->option[i].value);
        assay_json_list_end(w);
    }
    assay_json_list_end(w);
}

static bool same_group(const char *a, const char *b)
{
    return a == b || (a && b && assay_slice_is(assay_slice_of(a), b));
}

void assay_snapshot_write(const assay_snapshot *snapshot, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 0);
    const char *group = NULL;

    assay_json_object(&w);
    for (size_t i = 0; i < ASSAY_COUNT(keys); i++) {
        if (!same_group(group, keys[i].group)) {
            if (group)
                assay_json_object_end(&w);
            group = keys[i].group;
            if (group) {
                assay_json_key(&w, group);
                assay_json_object(&w);
            }
        }
        write_value(&w, snapshot, &keys[i]);
    }
    if (group)
        assay_json_object_end(&w);
    write_plan(&w, snapshot);
    write_options(&w, snapshot);
    assay_json_object_end(&w);
}

/* ---- reading ---- */

static bool fits(const assay_node *node, kind as)
{
    switch (as) {
    case TEXT: return node->kind == ASSAY_NODE_STRING;
    case COUNT:
        return node->kind == ASSAY_NODE_INT && node->integer >= 0 &&
               node->integer <= UINT32_MAX;
    case SEED: return node->kind == ASSAY_NODE_INT;
    case REAL: return node->kind == ASSAY_NODE_INT || node->kind == ASSAY_NODE_NUMBER;
    case FLAG: return node->kind == ASSAY_NODE_BOOL;
    }
    return false;
}

static void store_value(const assay_node *node, kind as, void *at)
{
    switch (as) {
    case TEXT: *(assay_slice *)at = node->text; break;
    case COUNT: *(uint32_t *)at = (uint32_t)node->integer; break;
    case SEED: *(uint64_t *)at = (uint64_t)node->integer; break;
    case REAL: *(double *)at = node->number; break;
    case FLAG: *(bool *)at = node->integer != 0; break;
    }
}

/* What is absent, null or (in somebody else's snapshot) of another kind is not known. */
static void read_key(const assay_node *root, const key *k, assay_snapshot *out)
{
    const assay_node *from = k->group ? assay_node_get(root, k->group) : root;
    const assay_node *node =
        from && from->kind == ASSAY_NODE_MAP ? assay_node_get(from, k->name) : NULL;

    if (node && fits(node, k->kind))
        store_value(node, k->kind, (char *)out + k->at);
}

static bool read_plan(const assay_node *root, assay_arena *arena, assay_snapshot *out)
{
    const assay_node *node = assay_node_get(root, "plan");

    if (!node || node->kind != ASSAY_NODE_LIST)
        return true;
    out->is_part = true;
    out->plan = ASSAY_ARENA_ARRAY(arena, assay_slice, node->n + 1);
    if (!out->plan)
        return false;
    for (const assay_node *c = node->child; c; c = c->next)
        out->plan[out->n_plan++] = c->text;
    return true;
}

static bool read_options(const assay_node *root, assay_arena *arena, assay_snapshot *out)
{
    const assay_node *node = assay_node_get(root, "options");

    if (!node || node->kind != ASSAY_NODE_LIST)
        return true;
    out->option = ASSAY_ARENA_ARRAY(arena, assay_snapshot_option, node->n + 1);
    if (!out->option)
        return false;
    for (const assay_node *c = node->child; c; c = c->next)
        if (c->kind == ASSAY_NODE_LIST && c->n == 2)
            out->option[out->n_options++] =
                (assay_snapshot_option){c->child->text, c->child->next->text};
    return true;
}

assay_status assay_snapshot_read(const char *name, assay_slice json, assay_arena *arena,
                                 assay_snapshot *out, assay_error *err)
{
    assay_node *root;
    assay_status st;

    json = assay_arena_copy(arena, json);
    if (!json.ptr)
        return assay_fail_memory(err, "reading a snapshot");
    st = assay_node_json(name, json, arena, &root, err);
    if (st)
        return st;
    if (root->kind != ASSAY_NODE_MAP)
        return assay_fail_at(err, name, root->line, "the snapshot of a run is no object");
    *out = (assay_snapshot){0};
    for (size_t i = 0; i < ASSAY_COUNT(keys); i++)
        read_key(root, &keys[i], out);
    if (!read_plan(root, arena, out) || !read_options(root, arena, out))
        return assay_fail_memory(err, "reading a snapshot");
    return ASSAY_OK;
}
