/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/recorded.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/node.h"
#include "base/slice.h"

typedef struct reading {
    assay_recorded_run *run;
    const assay_node *top;
    const assay_node *rows;
} reading;

static bool has_key(assay_slice text, const char *key)
{
    size_t len = strlen(key);

    for (size_t i = 0; i + len <= text.len; i++)
        if (memcmp(text.ptr + i, key, len) == 0)
            return true;
    return false;
}

/* Good enough to choose a reader; the reader says what is wrong. */
bool assay_recorded_is(assay_slice text)
{
    assay_slice s = assay_slice_trim(text);
    bool is_bob = has_key(s, "\"per_query\"") && has_key(s, "\"recall_mean\"");
    bool is_vault = has_key(s, "\"test_case_id\"") &&
                    ((has_key(s, "\"cases\"") && has_key(s, "\"scores\"")) ||
                     (has_key(s, "\"results\"") && has_key(s, "\"metrics\"")));

    return s.len && s.ptr[0] == '{' && !has_key(s, "\"stage_type\"") &&
           (is_bob || is_vault);
}

void assay_recorded_free(assay_recorded_run *run)
{
    if (!run)
        return;
    assay_dict_clear(&run->metrics);
    assay_dict_clear(&run->queries);
    assay_file_close(&run->file);
    assay_arena_clear(&run->arena);
    assay_mem_free(run);
}

/* ---- nodes ---- */

static const assay_node *get(const assay_node *map, const char *key)
{
    const assay_node *node =
        map->kind == ASSAY_NODE_MAP ? assay_node_get(map, key) : NULL;

    return node && node->kind != ASSAY_NODE_NULL ? node : NULL;
}

static bool is_number(const assay_node *node)
{
    return node->kind == ASSAY_NODE_INT || node->kind == ASSAY_NODE_NUMBER;
}

static assay_status fail_kind(const reading *in, const assay_node *at, const char *what,
                              const char *want, assay_error *err)
{
    return assay_fail_at(err, in->run->path, at->line, "'%s' must be %s, not %s", what,
                         want, assay_node_kind_name(at->kind));
}

/* ---- values ---- */

static assay_status add_query(const reading *in, const assay_node *row, const char *key,
                              uint32_t *number, assay_error *err)
{
    const assay_node *id = get(row, key);
    bool is_new;

    if (row->kind != ASSAY_NODE_MAP)
        return fail_kind(in, row, "row", "an object", err);
    if (!id || (id->kind != ASSAY_NODE_STRING && id->kind != ASSAY_NODE_INT) ||
        !id->text.len)
        return assay_fail_at(err, in->run->path, row->line,
                             "'%s' must be a string or a whole number", key);
    if (!assay_dict_put(&in->run->queries, NULL, id->text, number, &is_new))
        return assay_fail_memory(err, "reading recorded scores");
    if (!is_new)
        return assay_fail_at(err, in->run->path, row->line,
                             "query '%.*s' stands here twice", ASSAY_QUOTE(id->text));
    return ASSAY_OK;
}

/* Called for each value: the first time to learn the names, the second to keep them. */
static assay_status take(const reading *in, uint32_t query, assay_slice metric,
                         const assay_node *value, assay_error *err)
{
    assay_recorded_run *run = in->run;
    uint32_t m;

    if (!value || value->kind == ASSAY_NODE_NULL)
        return ASSAY_OK;
    if (!is_number(value))
        return assay_fail_at(err, run->path, value->line,
                             "'%.*s' must be a number, not %s", ASSAY_QUOTE(metric),
                             assay_node_kind_name(value->kind));
    if (!assay_dict_put(&run->metrics, NULL, metric, &m, NULL))
        return assay_fail_memory(err, "reading recorded scores");
    if (run->value)
        run->value[(size_t)query * run->metrics.n + m] = value->number;
    return ASSAY_OK;
}

static assay_status take_bob(const reading *in, uint32_t query, const assay_node *row,
                             assay_error *err)
{
    static const char *const name[] = {"recall", "precision", "mrr"};
    assay_status st = ASSAY_OK;

    for (size_t i = 0; !st && i < sizeof name / sizeof name[0]; i++)
        st = take(in, query, assay_slice_of(name[i]), get(row, name[i]), err);
    return st;
}

static assay_status take_scores(const reading *in, uint32_t query, const assay_node *row,
                                assay_error *err)
{
    const assay_node *scores = get(row, "scores");
    assay_status st = ASSAY_OK;

    if (!scores || scores->kind != ASSAY_NODE_MAP)
        return assay_fail_at(err, in->run->path, row->line,
                             "a case without an object 'scores'");
    for (const assay_node *v = scores->child; !st && v; v = v->next)
        st = take(in, query, v->key, v, err);
    return st;
}

static assay_status take_exported(const reading *in, uint32_t query,
                                  const assay_node *row, assay_error *err)
{
    const assay_node *list = get(row, "metrics");
    assay_status st = ASSAY_OK;

    if (!list || list->kind != ASSAY_NODE_LIST)
        return assay_fail_at(err, in->run->path, row->line,
                             "a result without a list 'metrics'");
    for (const assay_node *v = list->child; !st && v; v = v->next) {
        const assay_node *name = get(v, "name");

        if (!name || name->kind != ASSAY_NODE_STRING || !name->text.len)
            return assay_fail_at(err, in->run->path, v->line, "a metric without 'name'");
        st = take(in, query, name->text, get(v, "score"), err);
    }
    return st;
}

/* ---- files ---- */

static const struct shape {
    const char *rows;
    const char *id;
    assay_status (*take)(const reading *in, uint32_t query, const assay_node *row,
                         assay_error *err);
    bool is_bob;
} shapes[] = {
    {"per_query", "id", take_bob, true},
    {"cases", "test_case_id", take_scores, false},
    {"results", "test_case_id", take_exported, false},
};

static assay_status walk(const reading *in, const struct shape *shape, assay_error *err)
{
    uint32_t query = 0;
    assay_status st = ASSAY_OK;

    for (const assay_node *row = in->rows->child; !st && row; row = row->next, query++)
        st = shape->take(in, query, row, err);
    return st;
}

static assay_status read_rows(const reading *in, const struct shape *shape,
                              assay_error *err)
{
    assay_recorded_run *run = in->run;
    assay_status st = ASSAY_OK;
    uint32_t query;
    size_t n;

    for (const assay_node *row = in->rows->child; !st && row; row = row->next)
        st = add_query(in, row, shape->id, &query, err);
    if (!st)
        st = walk(in, shape, err);
    if (st)
        return st;
    n = (size_t)run->queries.n * run->metrics.n;
    run->passed = ASSAY_ARENA_ARRAY(&run->arena, bool, run->queries.n + 1);
    run->value = assay_arena_alloc(&run->arena, (n + 1) * sizeof *run->value);
    if (!run->value || !run->passed)
        return assay_fail_memory(err, "reading recorded scores");
    for (size_t i = 0; i < n; i++)
        run->value[i] = (double)NAN;
    return walk(in, shape, err);
}

static double number_of(const assay_node *map, const char *key)
{
    const assay_node *node = get(map, key);

    return node && is_number(node) ? node->number : (double)NAN;
}

static void read_bob(reading *in)
{
    const assay_node *golden = get(in->top, "golden_path");
    double k = number_of(in->top, "k");

    const assay_node *row = in->rows->child;

    in->run->is_bob = true;
    for (uint32_t i = 0; row; row = row->next, i++) {
        const assay_node *passed = get(row, "passed");

        in->run->passed[i] = passed && passed->kind == ASSAY_NODE_BOOL && passed->integer;
    }
    in->run->bob = (assay_bob_means){.recall = number_of(in->top, "recall_mean"),
                                     .precision = number_of(in->top, "precision_mean"),
                                     .mrr = number_of(in->top, "mrr_mean"),
                                     .k = k > 0 && k < UINT32_MAX ? (uint32_t)k : 0,
                                     .golden = golden && golden->kind == ASSAY_NODE_STRING
                                                   ? golden->text
                                                   : ASSAY_LIT(""),
                                     .n_queries = in->run->queries.n};
}

static assay_status read_all(assay_recorded_run *run, assay_error *err)
{
    reading in = {.run = run};
    assay_node *top;
    const assay_node *name;
    assay_status st = assay_node_json(run->path, run->file.text, &run->arena, &top, err);

    if (st)
        return st;
    in.top = top;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        in.rows = get(top, shapes[i].rows);
        if (!in.rows)
            continue;
        if (in.rows->kind != ASSAY_NODE_LIST)
            return fail_kind(&in, in.rows, shapes[i].rows, "a list", err);
        st = read_rows(&in, &shapes[i], err);
        if (!st && shapes[i].is_bob)
            read_bob(&in);
        name = get(top, "run_id");
        if (name && name->kind == ASSAY_NODE_STRING)
            run->name = name->text;
        return st;
    }
    return assay_fail_at(err, run->path, top->line,
                         "no recorded scores: want 'per_query', 'cases' or 'results'");
}

static assay_status finish(assay_recorded_run *run, assay_status st, const char *name,
                           assay_recorded_run **out, assay_error *err)
{
    if (!st) {
        run->path = assay_arena_string(&run->arena, assay_slice_of(name));
        st = run->path ? read_all(run, err)
                       : assay_fail_memory(err, "reading recorded scores");
    }
    if (st) {
        assay_recorded_free(run);
        return st;
    }
    *out = run;
    return ASSAY_OK;
}

assay_status assay_recorded_load(const char *path, assay_recorded_run **out,
                                 assay_error *err)
{
    assay_recorded_run *run = ASSAY_NEW(assay_recorded_run);

    if (!run)
        return assay_fail_memory(err, "reading recorded scores");
    return finish(run, assay_file_open(&run->file, path, err), path, out, err);
}

assay_status assay_recorded_parse(const char *name, assay_slice text,
                                  assay_recorded_run **out, assay_error *err)
{
    assay_recorded_run *run = ASSAY_NEW(assay_recorded_run);

    if (!run)
        return assay_fail_memory(err, "reading recorded scores");
    return finish(run, assay_file_copy(&run->file, text, name, err), name, out, err);
}

/* ---- a table ---- */

static bool name_columns(assay_scores *s, const assay_slice *metric)
{
    for (uint32_t i = 0; i < s->n_columns; i++) {
        const char *name = assay_arena_string(&s->arena, metric[i]);

        if (!name)
            return false;
        s->column[i] = (assay_column){.name = name, .full = name};
    }
    return true;
}

assay_scores *assay_recorded_scores(const assay_recorded_run *run,
                                    const assay_slice *query, uint32_t n_queries,
                                    const assay_slice *metric, uint32_t n_metrics)
{
    assay_scores *s = assay_scores_new(n_queries, n_metrics);

    if (!s)
        return NULL;
    for (uint32_t r = 0; r < n_queries; r++) {
        uint32_t q = assay_dict_find(&run->queries, query[r]);

        s->row[r].id = query[r];
        for (uint32_t c = 0; q != ASSAY_NONE && c < n_metrics; c++) {
            uint32_t m = assay_dict_find(&run->metrics, metric[c]);

            if (m != ASSAY_NONE)
                *assay_scores_cell(s, r, c) = run->value[(size_t)q * run->metrics.n + m];
        }
    }
    s->counts.total = n_queries;
    if (!name_columns(s, metric) || !assay_scores_finish(s)) {
        assay_scores_free(s);
        return NULL;
    }
    return s;
}
