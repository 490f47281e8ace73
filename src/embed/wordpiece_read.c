/* SPDX-License-Identifier: Apache-2.0 */
/* Vocabularies of word pieces: vocab.txt and tokenizer.json. */
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/node.h"
#include "base/slice.h"
#include "embed/wordpiece.h"

static const char *const special_names[] = {"[CLS]", "[SEP]", "[UNK]", "[PAD]", "[MASK]"};
enum { NEEDED = 3, MOST_IDS = 10000000 };

void assay_wordpiece_clear(assay_wordpiece *w)
{
    assay_dict_clear(&w->vocab);
    assay_mem_free(w->id);
    assay_arena_clear(&w->arena);
    *w = (assay_wordpiece){0};
}

static bool add_piece(assay_wordpiece *w, assay_slice piece, uint32_t id)
{
    uint32_t *grown =
        assay_mem_grow(w->id, &w->id_cap, (size_t)w->vocab.n + 1, sizeof *grown);
    uint32_t number;

    if (!grown)
        return false;
    w->id = grown;
    if (!assay_dict_put(&w->vocab, &w->arena, piece, &number, NULL))
        return false;
    w->id[number] = id;
    w->n_ids = id + 1 > w->n_ids ? id + 1 : w->n_ids;
    w->longest = piece.len > w->longest ? piece.len : w->longest;
    return true;
}

static assay_status find_special(const char *path, assay_wordpiece *w, assay_error *err)
{
    for (size_t i = 0; i < ASSAY_COUNT(special_names); i++) {
        uint32_t number = assay_dict_find(&w->vocab, assay_slice_of(special_names[i]));

        w->special[i] = number == ASSAY_NONE ? ASSAY_NONE : w->id[number];
        if (number == ASSAY_NONE && i < NEEDED)
            return assay_fail_at(err, path, 0, "the vocabulary has no %s",
                                 special_names[i]);
    }
    return ASSAY_OK;
}

static assay_wordpiece standard(void)
{
    return (assay_wordpiece){.most_chars = 100,
                             .is_clean = true,
                             .splits_cjk = true,
                             .is_lower = true,
                             .is_stripped = true};
}

assay_status assay_wordpiece_read_lines(const char *path, assay_slice text,
                                        assay_wordpiece *out, assay_error *err)
{
    assay_lines in = assay_lines_of(path, text);
    assay_wordpiece w = standard();
    assay_slice line;
    assay_status st = ASSAY_OK;

    while (!st && assay_lines_next(&in, &line)) {
        if (in.line > MOST_IDS)
            st = ASSAY_LINES_FAIL(err, &in, "too many pieces");
        else if (!add_piece(&w, line, (uint32_t)in.line - 1))
            st = assay_fail_memory(err, "reading a vocabulary");
    }
    if (!st)
        st = find_special(path, &w, err);
    if (st)
        assay_wordpiece_clear(&w);
    else
        *out = w;
    return st;
}

static bool truth(const assay_node *map, const char *key, bool standard_value)
{
    const assay_node *node = assay_node_get(map, key);

    return node && node->kind == ASSAY_NODE_BOOL ? node->integer != 0 : standard_value;
}

static assay_status read_normalizer(const char *path, const assay_node *node,
                                    assay_wordpiece *w, assay_error *err)
{
    const assay_node *type;

    if (!node || node->kind != ASSAY_NODE_MAP)
        return ASSAY_OK;
    type = assay_node_get(node, "type");
    if (!type || !assay_slice_is(type->text, "BertNormalizer"))
        return assay_fail_at(err, path, node->line,
                             "only BertNormalizer is known, not '%.*s'",
                             ASSAY_QUOTE(type ? type->text : ASSAY_LIT("")));
    w->is_clean = truth(node, "clean_text", true);
    w->splits_cjk = truth(node, "handle_chinese_chars", true);
    w->is_lower = truth(node, "lowercase", true);
    /* Null means: as lowercase. */
    w->is_stripped = truth(node, "strip_accents", w->is_lower);
    return ASSAY_OK;
}

static assay_status read_model(const char *path, const assay_node *model,
                               assay_wordpiece *w, assay_error *err)
{
    const assay_node *vocab =
        model && model->kind == ASSAY_NODE_MAP ? assay_node_get(model, "vocab") : NULL;
    const assay_node *most;

    if (!vocab || vocab->kind != ASSAY_NODE_MAP)
        return assay_fail_at(err, path, model ? model->line : 0,
                             "there is no WordPiece vocabulary in it");
    most = assay_node_get(model, "max_input_chars_per_word");
    if (most && most->kind == ASSAY_NODE_INT && most->integer > 0 &&
        most->integer < MOST_IDS)
        w->most_chars = (uint32_t)most->integer;
    for (const assay_node *n = vocab->child; n; n = n->next) {
        if (n->kind != ASSAY_NODE_INT || n->integer < 0 || n->integer >= MOST_IDS)
            return assay_fail_at(err, path, n->line, "'%.*s' has no number",
                                 ASSAY_QUOTE(n->key));
        if (!add_piece(w, n->key, (uint32_t)n->integer))
            return assay_fail_memory(err, "reading a vocabulary");
    }
    return ASSAY_OK;
}

assay_status assay_wordpiece_read_json(const char *path, assay_slice text,
                                       assay_wordpiece *out, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_wordpiece w = standard();
    assay_node *root = NULL;
    assay_status st = assay_node_json(path, text, &arena, &root, err);

    if (!st && root->kind != ASSAY_NODE_MAP)
        st = assay_fail_at(err, path, 1, "want an object");
    if (!st)
        st = read_normalizer(path, assay_node_get(root, "normalizer"), &w, err);
    if (!st)
        st = read_model(path, assay_node_get(root, "model"), &w, err);
    if (!st)
        st = find_special(path, &w, err);
    assay_arena_clear(&arena);
    if (st)
        assay_wordpiece_clear(&w);
    else
        *out = w;
    return st;
}
