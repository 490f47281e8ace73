/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/bert_config.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/node.h"
#include "base/slice.h"

const char *assay_bert_path(assay_arena *arena, const char *folder, const char *name)
{
    size_t a = strlen(folder);
    size_t b = strlen(name);
    char *path = assay_arena_alloc(arena, a + b + 2);

    if (!path)
        return NULL;
    memcpy(path, folder, a);
    path[a] = '/';
    memcpy(path + a + 1, name, b + 1);
    return path;
}

/* A JSON file of the folder; *root stays null where the file is not there and need not
 * be. */
static assay_status load(const char *folder, const char *name, bool is_needed,
                         assay_arena *arena, const char **path, assay_node **root,
                         assay_error *err)
{
    assay_file file = {0};
    assay_slice text;
    assay_status st;

    *root = NULL;
    *path = assay_bert_path(arena, folder, name);
    if (!*path)
        return assay_fail_memory(err, "opening a model");
    if (!is_needed && !assay_file_exists(*path))
        return ASSAY_OK;
    st = assay_file_open(&file, *path, err);
    if (st)
        return st;
    /* The tree may point into the text: it has to stay. */
    text = assay_arena_copy(arena, file.text);
    assay_file_close(&file);
    if (!text.ptr)
        return assay_fail_memory(err, "opening a model");
    return assay_node_json(*path, text, arena, root, err);
}

static const assay_node *get(const assay_node *map, const char *key)
{
    return map && map->kind == ASSAY_NODE_MAP ? assay_node_get(map, key) : NULL;
}

static bool is_true(const assay_node *map, const char *key)
{
    const assay_node *node = get(map, key);

    return node && node->kind == ASSAY_NODE_BOOL && node->integer;
}

static int maybe(const assay_node *map, const char *key)
{
    const assay_node *node = get(map, key);

    return node && node->kind == ASSAY_NODE_BOOL ? node->integer != 0 : -1;
}

static assay_status need_count(const char *path, const assay_node *root, const char *key,
                               uint32_t most, uint32_t *out, assay_error *err)
{
    const assay_node *node = get(root, key);

    if (!node || node->kind != ASSAY_NODE_INT || node->integer < 1 ||
        node->integer > most)
        return assay_fail_at(err, path, node ? node->line : 0,
                             "'%s' is no number from 1 to %u", key, most);
    *out = (uint32_t)node->integer;
    return ASSAY_OK;
}

static assay_status read_curve(const char *path, const assay_node *root,
                               assay_bert_config *c, assay_error *err)
{
    static const struct {
        const char *name;
        assay_bert_curve curve;
    } curves[] = {{"gelu", ASSAY_BERT_GELU},
                  {"gelu_new", ASSAY_BERT_GELU_TANH},
                  {"gelu_pytorch_tanh", ASSAY_BERT_GELU_TANH},
                  {"relu", ASSAY_BERT_RELU}};
    const assay_node *node = get(root, "hidden_act");

    if (!node)
        return ASSAY_OK;
    for (size_t i = 0; i < ASSAY_COUNT(curves); i++)
        if (assay_slice_is(node->text, curves[i].name)) {
            c->curve = curves[i].curve;
            return ASSAY_OK;
        }
    return assay_fail_at(err, path, node->line, "hidden_act '%.*s' is not known",
                         ASSAY_QUOTE(node->text));
}

static assay_status check_kind(const char *path, const assay_node *root, assay_error *err)
{
    const assay_node *type = get(root, "model_type");
    const assay_node *position = get(root, "position_embedding_type");

    if (!type || !assay_slice_is(type->text, "bert"))
        return assay_fail_at(err, path, type ? type->line : 0,
                             "model_type is '%.*s'; only 'bert' is known",
                             ASSAY_QUOTE(type ? type->text : ASSAY_LIT("")));
    if (position && !assay_slice_is(position->text, "absolute"))
        return assay_fail_at(err, path, position->line,
                             "position_embedding_type '%.*s' is not known",
                             ASSAY_QUOTE(position->text));
    return ASSAY_OK;
}

static assay_status read_config(const char *path, const assay_node *root,
                                assay_bert_config *c, assay_error *err)
{
    const struct {
        const char *key;
        uint32_t most;
        uint32_t *out;
    } counts[] = {{"hidden_size", 16384, &c->hidden},
                  {"num_hidden_layers", 200, &c->layers},
                  {"num_attention_heads", 1024, &c->heads},
                  {"intermediate_size", 65536, &c->inner},
                  {"max_position_embeddings", 65536, &c->positions},
                  {"type_vocab_size", 65536, &c->types},
                  {"vocab_size", 10000000, &c->vocab}};
    const assay_node *epsilon = get(root, "layer_norm_eps");
    assay_status st = check_kind(path, root, err);

    for (size_t i = 0; i < ASSAY_COUNT(counts) && !st; i++)
        st = need_count(path, root, counts[i].key, counts[i].most, counts[i].out, err);
    if (st)
        return st;
    if (c->hidden % c->heads)
        return assay_fail_at(err, path, 0, "%u heads do not share a hidden size of %u",
                             c->heads, c->hidden);
    c->epsilon = 1e-12F;
    if (epsilon &&
        (epsilon->kind == ASSAY_NODE_NUMBER || epsilon->kind == ASSAY_NODE_INT))
        c->epsilon = (float)epsilon->number;
    return read_curve(path, root, c, err);
}

/* Only pooling and normalising may follow the transformer. */
static assay_status read_modules(const char *folder, assay_arena *arena,
                                 const char **pooling, assay_error *err)
{
    assay_node *root;
    const char *path;
    assay_status st = load(folder, "modules.json", false, arena, &path, &root, err);

    *pooling = "1_Pooling";
    if (st || !root || root->kind != ASSAY_NODE_LIST)
        return st;
    for (const assay_node *m = root->child; m; m = m->next) {
        const assay_node *type = get(m, "type");
        const assay_node *where = get(m, "path");
        assay_slice name = type ? type->text : ASSAY_LIT("");

        if (assay_slice_ends(name, "Pooling") && where && where->text.len) {
            *pooling = assay_arena_string(arena, where->text);
            if (!*pooling)
                return assay_fail_memory(err, "opening a model");
        } else if (!assay_slice_ends(name, "Transformer") &&
                   !assay_slice_ends(name, "Normalize") &&
                   !assay_slice_ends(name, "Pooling")) {
            return assay_fail_at(err, path, m->line, "module '%.*s' is not known",
                                 ASSAY_QUOTE(name));
        }
    }
    return ASSAY_OK;
}

static assay_status read_pooling(const char *folder, assay_arena *arena,
                                 assay_bert_config *c, assay_error *err)
{
    const char *place;
    const char *path;
    const char *name;
    assay_node *root = NULL;
    const assay_node *mode;
    assay_status st = read_modules(folder, arena, &place, err);

    if (st)
        return st;
    name = assay_bert_path(arena, place, "config.json");
    if (!name)
        return assay_fail_memory(err, "opening a model");
    st = load(folder, name, false, arena, &path, &root, err);
    c->pooling = ASSAY_BERT_MEAN;
    if (st || !root)
        return st;
    mode = get(root, "pooling_mode");
    if (is_true(root, "pooling_mode_cls_token") ||
        (mode && assay_slice_is(mode->text, "cls")))
        c->pooling = ASSAY_BERT_CLS;
    else if (!is_true(root, "pooling_mode_mean_tokens") &&
             !(mode && assay_slice_is(mode->text, "mean")))
        return assay_fail_at(err, path, 0, "pooling is neither mean nor cls");
    return ASSAY_OK;
}

static assay_status read_lengths(const char *folder, assay_arena *arena,
                                 assay_bert_config *c, assay_error *err)
{
    const char *path;
    assay_node *root;
    const assay_node *node;
    assay_status st =
        load(folder, "tokenizer_config.json", false, arena, &path, &root, err);

    if (st)
        return st;
    c->most = c->positions;
    c->lower = maybe(root, "do_lower_case");
    c->strip = maybe(root, "strip_accents");
    c->cjk = maybe(root, "tokenize_chinese_chars");
    node = get(root, "model_max_length");
    if (node && node->kind == ASSAY_NODE_INT && node->integer >= 2 &&
        node->integer < c->most)
        c->most = (uint32_t)node->integer;
    st = load(folder, "sentence_bert_config.json", false, arena, &path, &root, err);
    if (st)
        return st;
    node = get(root, "max_seq_length");
    if (node && node->kind == ASSAY_NODE_INT && node->integer >= 2 &&
        node->integer <= c->positions)
        c->most = (uint32_t)node->integer;
    return ASSAY_OK;
}

static const char *prompt(const assay_node *prompts, const char *const *keys, size_t n,
                          assay_arena *arena)
{
    for (size_t i = 0; i < n; i++) {
        const assay_node *node = get(prompts, keys[i]);

        if (node && node->kind == ASSAY_NODE_STRING)
            return assay_arena_string(arena, node->text);
    }
    return "";
}

static assay_status read_prompts(const char *folder, assay_arena *arena,
                                 assay_bert_config *c, assay_error *err)
{
    static const char *const query[] = {"query"};
    static const char *const passage[] = {"passage", "document", "corpus"};
    const char *path;
    assay_node *root;
    assay_status st = load(folder, "config_sentence_transformers.json", false, arena,
                           &path, &root, err);

    if (st)
        return st;
    c->query_prefix = prompt(get(root, "prompts"), query, ASSAY_COUNT(query), arena);
    c->passage_prefix =
        prompt(get(root, "prompts"), passage, ASSAY_COUNT(passage), arena);
    if (!c->query_prefix || !c->passage_prefix)
        return assay_fail_memory(err, "opening a model");
    return ASSAY_OK;
}

assay_status assay_bert_config_load(const char *folder, assay_arena *arena,
                                    assay_bert_config *out, assay_error *err)
{
    assay_bert_config c = {0};
    const char *path;
    assay_node *root;
    assay_status st;

    if (!assay_file_is_folder(folder))
        return assay_fail(err, ASSAY_EUSAGE, "no folder '%s'", folder);
    st = load(folder, "config.json", true, arena, &path, &root, err);
    if (!st)
        st = read_config(path, root, &c, err);
    if (!st)
        st = read_pooling(folder, arena, &c, err);
    if (!st)
        st = read_lengths(folder, arena, &c, err);
    if (!st)
        st = read_prompts(folder, arena, &c, err);
    if (!st)
        *out = c;
    return st;
}
