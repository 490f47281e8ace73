/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/gate_arg.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/slice.h"

/* ---- rules ---- */

/* Options with the kind of their rules. */
static const struct {
    const char *option;
    assay_gate_kind kind;
} rule_options[] = {
    {"threshold", ASSAY_GATE_THRESHOLD},
    {"max-drop", ASSAY_GATE_MAX_DROP},
    {"margin", ASSAY_GATE_MARGIN_RULE},
};

/* `gate` in a file of its own, or the rules without that word. */
static assay_status read_config(const char *path, assay_gate_rules *rules,
                                assay_error *err)
{
    assay_file file = {0};
    assay_node *root = NULL;
    const assay_node *gate = NULL;
    assay_slice text;
    assay_status st = assay_file_open(&file, path, err);

    if (st)
        return st;
    /* Rules and nodes outlive the file. */
    text = assay_arena_copy(rules->arena, file.text);
    assay_file_close(&file);
    if (!text.ptr)
        return assay_fail_memory(err, "reading the rules of a gate");
    st = assay_node_yaml(path, text, rules->arena, &root, err);
    if (st || !root)
        return st;
    if (root->kind == ASSAY_NODE_MAP)
        gate = assay_node_get(root, "gate");
    return assay_gate_rules_read(rules, path, gate ? gate : root, err);
}

static assay_status read_files(const assay_workspace *ws, assay_gate_rules *rules,
                               assay_error *err)
{
    const char *config = assay_cli_text(ws->cli, "config");
    const assay_node *gate;

    if (config)
        return read_config(config, rules, err);
    gate = ws->project ? assay_project_get(ws->project, "gate") : NULL;
    return gate ? assay_gate_rules_read(rules, ws->project->path, gate, err) : ASSAY_OK;
}

/* All ids of all --protect are one rule. */
static assay_status read_protected(const assay_cli *cli, assay_gate_rules *rules,
                                   assay_error *err)
{
    assay_buffer all = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;
    const char *item;

    for (uint32_t i = 0; (item = assay_cli_item(cli, "protect", i)) != NULL; i++)
        assay_buffer_printf(&all, "%s%s", i ? "," : "", item);
    if (all.has_failed)
        st = assay_fail_memory(err, "reading the rules of a gate");
    else if (all.len)
        st = assay_gate_rules_add(rules, ASSAY_GATE_PROTECT, assay_buffer_view(&all),
                                  (assay_gate_place){0}, err);
    assay_buffer_clear(&all);
    return st;
}

/* bob's gate: none of its three means may fall further. */
static assay_status read_tolerance(const assay_cli *cli, assay_gate_rules *rules,
                                   assay_error *err)
{
    static const char *const mean[] = {"recall@5", "precision@5", "mrr"};
    const char *text = assay_cli_text(cli, "tolerance");
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    for (size_t i = 0; text && !st && i < ASSAY_COUNT(mean); i++) {
        b.len = 0;
        assay_buffer_printf(&b, "%s=%s", mean[i], text);
        st = b.has_failed
                 ? assay_fail_memory(err, "reading the rules of a gate")
                 : assay_gate_rules_add(rules, ASSAY_GATE_MAX_DROP, assay_buffer_view(&b),
                                        (assay_gate_place){0}, err);
    }
    assay_buffer_clear(&b);
    return st;
}

static assay_status read_flags(const assay_cli *cli, assay_gate_rules *rules,
                               assay_error *err)
{
    assay_status st = ASSAY_OK;
    const char *item;

    for (size_t k = 0; k < ASSAY_COUNT(rule_options) && !st; k++)
        for (uint32_t i = 0;
             !st && (item = assay_cli_item(cli, rule_options[k].option, i)) != NULL; i++)
            st = assay_gate_rules_add(rules, rule_options[k].kind, assay_slice_of(item),
                                      (assay_gate_place){0}, err);
    if (!st)
        st = read_tolerance(cli, rules, err);
    return st ? st : read_protected(cli, rules, err);
}

assay_status assay_gate_arg_rules(const assay_workspace *ws, const assay_golden *golden,
                                  assay_gate_rules *rules, assay_error *err)
{
    const double alpha = assay_cli_real(ws->cli, "alpha", 0);
    assay_status st = golden ? assay_gate_rules_golden(rules, golden, err) : ASSAY_OK;

    if (!st)
        st = read_files(ws, rules, err);
    if (!st)
        st = read_flags(ws->cli, rules, err);
    if (st)
        return st;
    if (assay_cli_given(ws->cli, "alpha")) {
        if (!(alpha > 0 && alpha < 0.5))
            return assay_fail(err, ASSAY_EUSAGE, "--alpha must be above 0 and below 0.5");
        rules->alpha = alpha;
    }
    if (assay_cli_given(ws->cli, "strict")) {
        rules->is_strict = assay_cli_flag(ws->cli, "strict");
        rules->has_strict = true;
    }
    return ASSAY_OK;
}

/* ---- baseline ---- */

bool assay_gate_arg_is_file(const char *path)
{
    assay_file file = {0};
    bool is_so;

    if (strcmp(path, "-") == 0 || !assay_file_exists(path) || assay_file_is_folder(path))
        return false;
    is_so = !assay_file_open(&file, path, NULL) && assay_baseline_is(file.text);
    assay_file_close(&file);
    return is_so;
}

static assay_status use_file(assay_sides *sides, const char *path,
                             assay_gate_baseline *out, assay_error *err)
{
    const assay_baseline_head *head;
    assay_status st = assay_baseline_load(path, &out->file, err);
    assay_buffer name = ASSAY_BUFFER_EMPTY;

    if (st)
        return st;
    head = &out->file->head;
    if (head->name.len)
        assay_buffer_printf(&name, "'%.*s', ", ASSAY_QUOTE(head->name));
    assay_buffer_text(&name, path);
    out->name = name.has_failed ? NULL
                                : assay_arena_string(&sides->ws->cli->arena,
                                                     assay_buffer_view(&name));
    out->when = assay_arena_string(&sides->ws->cli->arena, head->date);
    assay_buffer_clear(&name);
    return out->name && out->when ? ASSAY_OK
                                  : assay_fail_memory(err, "reading the baseline");
}

/* The run may be its own baseline: nothing fell, and the gate should say so. */
static bool is_run_itself(const assay_sides *sides, const char *name)
{
    assay_stored stored;

    return sides->n && sides->store && !assay_file_exists(name) &&
           !assay_store_find(sides->store, name, &sides->ws->cli->arena, &stored, NULL) &&
           assay_slice_is(stored.run_id, sides->side[0].name);
}

static assay_status add_run(assay_sides *sides, const char *name, assay_error *err)
{
    if (!is_run_itself(sides, name))
        return assay_sides_add(sides, name, "baseline", err);
    sides->side[sides->n] = sides->side[0];
    sides->side[sides->n++].caption = "baseline";
    return ASSAY_OK;
}

static assay_status use_run(assay_sides *sides, const char *name,
                            assay_gate_baseline *out, assay_error *err)
{
    assay_status st = add_run(sides, name, err);
    const assay_compare_side *side;
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    if (st)
        return st;
    side = &sides->side[sides->n - 1];
    out->side = side;
    out->when = side->when;
    if (strncmp(side->caption, "baseline ", 9) == 0)
        assay_buffer_printf(&text, "%s, ", side->caption + 9);
    assay_buffer_text(&text, side->name);
    out->name = text.has_failed ? NULL
                                : assay_arena_string(&sides->ws->cli->arena,
                                                     assay_buffer_view(&text));
    assay_buffer_clear(&text);
    return out->name ? ASSAY_OK : assay_fail_memory(err, "reading the baseline");
}

/* Whether the store has a baseline that nobody has to name. */
static assay_status has_own(assay_sides *sides, bool *out, assay_error *err)
{
    assay_stored_baseline *list;
    assay_store *store = NULL;
    const char *place;
    uint32_t n = 0;
    assay_status st = assay_store_arg_place(sides->ws, &place, err);

    *out = false;
    if (st || (!strstr(place, "://") && !assay_file_exists(place)))
        return st;
    st = assay_store_arg_open(sides->ws, ASSAY_STORE_READ, &store, err);
    if (!st)
        st = assay_store_baselines(store, &sides->ws->cli->arena, &list, &n, err);
    assay_store_close(store);
    *out = !st && n > 0;
    return st;
}

assay_status assay_gate_arg_baseline(assay_sides *sides, assay_gate_baseline *out,
                                     assay_error *err)
{
    const char *name = assay_cli_text(sides->ws->cli, "baseline");
    bool is_there;
    assay_status st;

    *out = (assay_gate_baseline){0};
    if (name)
        return assay_gate_arg_is_file(name) ? use_file(sides, name, out, err)
                                            : use_run(sides, name, out, err);
    st = has_own(sides, &is_there, err);
    if (st || !is_there)
        return st;
    return use_run(sides, "baseline", out, err);
}
