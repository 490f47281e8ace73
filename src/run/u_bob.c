/* SPDX-License-Identifier: Apache-2.0 */
/* bob's results file: means over all questions and a row a question.
 *
 *     {"recall_mean", ..., "k", "golden_path", "timestamp",
 *      "per_query": [{"id", "question", "recall", "precision", "mrr", "passed"}]}
 *
 * bob computes what was expected and what was retrieved, and leaves both out of the file.
 * Files that assay writes have them (`expected`, `retrieved`); without `retrieved` there
 * is nothing to measure, only values that were recorded. */
#include <math.h>

#include "base/error.h"
#include "base/node.h"
#include "base/slice.h"
#include "run/run_json.h"

typedef struct reading {
    assay_run *run;
    uint32_t n_with_hits;
    uint32_t line_without; /* of the first row without `retrieved`, 0 = none */
    uint32_t line_with;
} reading;

static assay_status fail_row(const reading *in, const assay_node *at, assay_error *err,
                             const char *name, const char *wanted)
{
    return assay_fail_at(err, in->run->path, at->line, "'%s' must be %s, not %s", name,
                         wanted, assay_node_kind_name(at->kind));
}

/* The value of `key`, or null where it is absent or null. */
static const assay_node *get(const assay_node *map, const char *key)
{
    const assay_node *node = assay_node_get(map, key);

    return node && node->kind != ASSAY_NODE_NULL ? node : NULL;
}

static assay_status read_value(const reading *in, const assay_node *row, const char *key,
                               double *out, assay_error *err)
{
    const assay_node *node = get(row, key);

    *out = (double)NAN;
    if (!node)
        return ASSAY_OK;
    if (node->kind != ASSAY_NODE_INT && node->kind != ASSAY_NODE_NUMBER)
        return fail_row(in, node, err, key, "a number");
    *out = node->number;
    return ASSAY_OK;
}

static assay_status read_recorded(const reading *in, const assay_node *row,
                                  assay_recorded *out, assay_error *err)
{
    const assay_node *passed = get(row, "passed");
    assay_status st = read_value(in, row, "recall", &out->recall, err);

    if (!st)
        st = read_value(in, row, "precision", &out->precision, err);
    if (!st)
        st = read_value(in, row, "mrr", &out->mrr, err);
    if (st)
        return st;
    out->passed = ASSAY_FLAG_UNKNOWN;
    if (!passed)
        return ASSAY_OK;
    if (passed->kind != ASSAY_NODE_BOOL)
        return fail_row(in, passed, err, "passed", "true or false");
    out->passed = passed->integer ? ASSAY_FLAG_YES : ASSAY_FLAG_NO;
    return ASSAY_OK;
}

static bool is_id(const assay_node *node)
{
    return (node->kind == ASSAY_NODE_STRING && node->text.len) ||
           node->kind == ASSAY_NODE_INT;
}

/* Chunk ids in order; their places in the list are their ranks. */
static assay_status read_hits(reading *in, const assay_node *list, assay_result *result,
                              assay_error *err)
{
    uint32_t n = 0;

    if (list->kind != ASSAY_NODE_LIST)
        return fail_row(in, list, err, "retrieved", "a list");
    result->hit = ASSAY_ARENA_ARRAY(&in->run->arena, assay_hit, list->n);
    if (!result->hit)
        return assay_fail_memory(err, "reading hits");
    for (const assay_node *id = list->child; id; id = id->next) {
        if (!is_id(id))
            return fail_row(in, id, err, "retrieved",
                            "a list of strings or whole numbers");
        result->hit[n] = (assay_hit){
            .chunk = id->text, .doc = {"", 0}, .text = {"", 0}, .rank = n + 1};
        n++;
    }
    result->n_hits = n;
    in->n_with_hits++;
    in->line_with = in->line_with ? in->line_with : result->line;
    return ASSAY_OK;
}

static assay_status read_row(reading *in, const assay_node *row, assay_recorded *recorded,
                             assay_error *err)
{
    const assay_node *id = get(row, "id");
    const assay_node *question = get(row, "question");
    const assay_node *retrieved = get(row, "retrieved");
    assay_result *result;
    assay_status st;

    if (row->kind != ASSAY_NODE_MAP)
        return fail_row(in, row, err, "per_query", "a list of objects");
    if (!id)
        return assay_fail_at(err, in->run->path, row->line, "a row without 'id'");
    if (!is_id(id))
        return fail_row(in, id, err, "id", "a string or a whole number");
    if (question && question->kind != ASSAY_NODE_STRING)
        return fail_row(in, question, err, "question", "a string");
    st = assay_run_add(in->run, id->text, row->line, &result, err);
    if (st)
        return st;
    result->query = question ? question->text : (assay_slice){"", 0};
    st = read_recorded(in, row, recorded, err);
    if (st)
        return st;
    if (retrieved)
        return read_hits(in, retrieved, result, err);
    in->line_without = in->line_without ? in->line_without : row->line;
    return ASSAY_OK;
}

static assay_status read_rows(reading *in, const assay_node *list, assay_error *err)
{
    assay_run *run = in->run;
    uint32_t n = 0;

    run->recorded = ASSAY_ARENA_ARRAY(&run->arena, assay_recorded, list->n);
    if (!run->recorded)
        return assay_fail_memory(err, "reading a run");
    for (const assay_node *row = list->child; row; row = row->next) {
        assay_status st = read_row(in, row, &run->recorded[n++], err);

        if (st)
            return st;
    }
    if (in->line_with && in->line_without)
        return assay_fail_at(err, run->path, in->line_without,
                             "a row without 'retrieved', but the row in line %u has it",
                             in->line_with);
    if (in->line_with || !n)
        return ASSAY_OK;
    run->is_scores_only = true;
    if (!assay_notes_add(
            &run->notes, &run->arena,
            "'%s' holds recorded scores only: its rows have no 'retrieved', so "
            "nothing can be measured again",
            run->path))
        return assay_fail_memory(err, "reading a run");
    return ASSAY_OK;
}

static assay_status read_k(const reading *in, const assay_node *root, assay_error *err)
{
    const assay_node *k = get(root, "k");

    if (!k)
        return ASSAY_OK;
    if (k->kind != ASSAY_NODE_INT || k->integer < 1 || k->integer > UINT32_MAX)
        return assay_fail_at(err, in->run->path, k->line,
                             "'k' must be a whole number from 1");
    in->run->recorded_k = (uint32_t)k->integer;
    return ASSAY_OK;
}

static assay_status read_bob(const assay_run_source *source, assay_run *into,
                             assay_error *err)
{
    reading in = {.run = into};
    const assay_node *rows;
    assay_node *root = NULL;
    assay_status st =
        assay_node_json(source->path, source->text, &into->arena, &root, err);

    if (st)
        return st;
    rows = get(root, "per_query");
    if (!rows)
        return assay_fail_at(err, source->path, 1, "no 'per_query'");
    if (rows->kind != ASSAY_NODE_LIST)
        return fail_row(&in, rows, err, "per_query", "a list");
    st = read_k(&in, root, err);
    return st ? st : read_rows(&in, rows, err);
}

static int sniff_bob(const assay_run_source *source)
{
    if (!assay_run_has_key(source, "per_query") || source->head->is_list)
        return 0;
    return assay_run_has_key(source, "recall_mean") ? 95 : 50;
}

const assay_run_format assay_run_format_bob = {
    .name = "bob",
    .summary = "bob's results JSON: means, and per_query with what was retrieved",
    .sniff = sniff_bob,
    .read = read_bob,
    .details =
        "  {\"recall_mean\", ..., \"k\", \"timestamp\",\n"
        "   \"per_query\": [{\"id\", \"question\", \"recall\", \"precision\", \"mrr\",\n"
        "                  \"passed\", \"expected\": [], \"retrieved\": []}]}\n"
        "  Without retrieved only the recorded values are there.",
};
