/* SPDX-License-Identifier: Apache-2.0 */
/* The rules that stand in assay.yaml:
 *
 *     gate:
 *       thresholds: {recall@5: 0.6, empty_result_rate: 0.05}   # or ["recall@5>=0.6"]
 *       max_drop: {mrr: 0.01, recall@5: 5%}
 *       margin: {ndcg@10: 0.01}                                # or [ndcg@10]
 *       protect: [q-001, q-017]                                # or all
 *       alpha: 0.05
 *       strict: true */
#include "base/error.h"
#include "base/slice.h"
#include "compare/gate_rules_own.h"

static bool is_scalar(const assay_node *node)
{
    return node->kind == ASSAY_NODE_STRING || node->kind == ASSAY_NODE_INT ||
           node->kind == ASSAY_NODE_NUMBER;
}

static assay_status read_map(assay_gate_rules *rules, assay_gate_kind kind,
                             const char *path, const assay_node *map, assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (const assay_node *c = map->child; c && !st; c = c->next) {
        const assay_gate_place place = {path, c->key_line};

        if (!is_scalar(c))
            return assay_gate_rule_fail(place, kind, err, "'%.*s' is %s, want a number",
                                        ASSAY_QUOTE(c->key),
                                        assay_node_kind_name(c->kind));
        if (kind == ASSAY_GATE_THRESHOLD)
            st = assay_gate_add_threshold(rules, c->key, c->text, place, err);
        else if (kind == ASSAY_GATE_MAX_DROP)
            st = assay_gate_add_drop(rules, c->key, c->text, place, err);
        else
            st = assay_gate_add_margin(rules, c->key, c->text, place, err);
    }
    return st;
}

static assay_status read_list(assay_gate_rules *rules, assay_gate_kind kind,
                              const char *path, const assay_node *list, assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (const assay_node *c = list->child; c && !st; c = c->next) {
        const assay_gate_place place = {path, c->line};

        if (!is_scalar(c))
            return assay_gate_rule_fail(
                place, kind, err, "want a text such as '%s', not %s",
                assay_gate_rule_example(kind), assay_node_kind_name(c->kind));
        st = assay_gate_rules_add(rules, kind, c->text, place, err);
    }
    return st;
}

/* Ids of a list are taken whole: one may have a comma in it. */
static assay_status read_ids(assay_gate_rules *rules, const char *path,
                             const assay_node *list, assay_error *err)
{
    const assay_gate_place place = {path, list->line};
    assay_slice *id = ASSAY_ARENA_ARRAY(rules->arena, assay_slice, list->n + 1u);
    uint32_t n = 0;

    if (!id)
        return assay_fail_memory(err, "keeping the rules of a gate");
    for (const assay_node *c = list->child; c; c = c->next) {
        if (!is_scalar(c))
            return assay_gate_rule_fail(
                (assay_gate_place){path, c->line}, ASSAY_GATE_PROTECT, err,
                "want the id of a query, not %s", assay_node_kind_name(c->kind));
        id[n] = assay_arena_copy(rules->arena, c->text);
        if (!id[n++].ptr)
            return assay_fail_memory(err, "keeping the rules of a gate");
    }
    return assay_gate_add_protected(rules, id, n, place, err);
}

static assay_status read_kind(assay_gate_rules *rules, assay_gate_kind kind,
                              const char *path, const assay_node *node, assay_error *err)
{
    const assay_gate_place place = {path, node->line};

    if (is_scalar(node))
        return assay_gate_rules_add(rules, kind, node->text, place, err);
    if (node->kind == ASSAY_NODE_LIST)
        return kind == ASSAY_GATE_PROTECT ? read_ids(rules, path, node, err)
                                          : read_list(rules, kind, path, node, err);
    if (node->kind == ASSAY_NODE_MAP && kind != ASSAY_GATE_PROTECT)
        return read_map(rules, kind, path, node, err);
    return assay_gate_rule_fail(place, kind, err, "want %s, not %s",
                                assay_gate_rule_example(kind),
                                assay_node_kind_name(node->kind));
}

static assay_status read_alpha(assay_gate_rules *rules, const char *path,
                               const assay_node *node, assay_error *err)
{
    const bool is_number =
        node->kind == ASSAY_NODE_NUMBER || node->kind == ASSAY_NODE_INT;

    if (!is_number || !(node->number > 0 && node->number < 0.5))
        return assay_fail_at(err, path, node->line,
                             "gate: alpha is '%.*s', want a number between 0 and 0.5",
                             ASSAY_QUOTE(node->text));
    rules->alpha = node->number;
    return ASSAY_OK;
}

static assay_status read_strict(assay_gate_rules *rules, const char *path,
                                const assay_node *node, assay_error *err)
{
    if (node->kind != ASSAY_NODE_BOOL)
        return assay_fail_at(err, path, node->line,
                             "gate: strict is %s, want true or false",
                             assay_node_kind_name(node->kind));
    rules->is_strict = node->integer != 0;
    rules->has_strict = true;
    return ASSAY_OK;
}

static assay_status read_key(assay_gate_rules *rules, const char *path,
                             const assay_node *node, assay_error *err)
{
    for (size_t i = 0; i < ASSAY_N_GATE_KINDS; i++)
        if (assay_slice_is(node->key, assay_gate_rule_key((assay_gate_kind)i)))
            return read_kind(rules, (assay_gate_kind)i, path, node, err);
    if (assay_slice_is(node->key, "alpha"))
        return read_alpha(rules, path, node, err);
    if (assay_slice_is(node->key, "strict"))
        return read_strict(rules, path, node, err);
    if (assay_slice_starts(node->key, "x_"))
        return ASSAY_OK;
    return assay_fail_at(err, path, node->key_line,
                         "gate: no key '%.*s'; there are thresholds, max_drop, margin, "
                         "protect, alpha and strict",
                         ASSAY_QUOTE(node->key));
}

assay_status assay_gate_rules_read(assay_gate_rules *rules, const char *path,
                                   const assay_node *gate, assay_error *err)
{
    assay_status st = ASSAY_OK;

    if (gate->kind == ASSAY_NODE_NULL)
        return ASSAY_OK;
    if (gate->kind != ASSAY_NODE_MAP)
        return assay_fail_at(err, path, gate->line, "gate: want a map of rules, not %s",
                             assay_node_kind_name(gate->kind));
    for (const assay_node *c = gate->child; c && !st; c = c->next)
        st = read_key(rules, path, c, err);
    return st;
}
