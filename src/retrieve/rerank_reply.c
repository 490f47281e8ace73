/* SPDX-License-Identifier: Apache-2.0 */
#include "retrieve/rerank_reply.h"

#include <math.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/node.h"
#include "base/slice.h"

static assay_status unfit(const char *where, const char *what, assay_error *err)
{
    return assay_fail(err, ASSAY_ESYSTEM, "%s: %s; is this a reranker?", where, what);
}

/* {"error": "words"} or {"error": {"message": "words"}}, with status 200. */
static assay_status refused(const char *where, const assay_node *error, assay_error *err)
{
    const assay_node *words =
        error->kind == ASSAY_NODE_MAP ? assay_node_get(error, "message") : error;

    if (!words || words->kind != ASSAY_NODE_STRING)
        return assay_fail(err, ASSAY_ESYSTEM, "%s: the reranker says that it failed",
                          where);
    return assay_fail(err, ASSAY_ESYSTEM, "%s: the reranker says '%.*s'", where,
                      ASSAY_QUOTE(words->text));
}

static const assay_node *first_of(const assay_node *map, const char *const *name)
{
    const assay_node *found = NULL;

    for (; *name && !found; name++)
        found = assay_node_get(map, *name);
    return found;
}

/* The list of results, wherever it stands. */
static assay_status find_list(const char *where, const assay_node *root,
                              const assay_node **out, assay_error *err)
{
    static const char *const names[] = {"results", "data", NULL};
    const assay_node *error;

    *out = root;
    if (root->kind == ASSAY_NODE_LIST)
        return ASSAY_OK;
    if (root->kind != ASSAY_NODE_MAP)
        return unfit(where, "the reply is neither a JSON object nor a list", err);
    error = assay_node_get(root, "error");
    if (error && error->kind != ASSAY_NODE_NULL)
        return refused(where, error, err);
    *out = first_of(root, names);
    return *out && (*out)->kind == ASSAY_NODE_LIST
               ? ASSAY_OK
               : unfit(where, "the reply has no list 'results'", err);
}

static assay_status read_item(const char *where, const assay_node *item, uint32_t n,
                              double *score, assay_error *err)
{
    static const char *const names[] = {"relevance_score", "score", NULL};
    const assay_node *index, *value;

    if (item->kind != ASSAY_NODE_MAP)
        return unfit(where, "a result is no object", err);
    index = assay_node_get(item, "index");
    if (!index || index->kind != ASSAY_NODE_INT)
        return unfit(where, "a result has no whole number 'index'", err);
    if (index->integer < 0 || index->integer >= (int64_t)n)
        return assay_fail(err, ASSAY_ESYSTEM,
                          "%s: a result for document %lld, and %u were sent (from 0 on)",
                          where, (long long)index->integer, n);
    value = first_of(item, names);
    if (!value || (value->kind != ASSAY_NODE_INT && value->kind != ASSAY_NODE_NUMBER) ||
        !isfinite(value->number))
        return assay_fail(err, ASSAY_ESYSTEM,
                          "%s: the result for document %lld has no number "
                          "'relevance_score' or 'score'",
                          where, (long long)index->integer);
    if (!isnan(score[index->integer]))
        return assay_fail(err, ASSAY_ESYSTEM, "%s: two results for document %lld", where,
                          (long long)index->integer);
    score[index->integer] = value->number;
    return ASSAY_OK;
}

static assay_status read_list(const char *where, const assay_node *list, uint32_t n,
                              double *score, assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < n; i++)
        score[i] = (double)NAN;
    for (const assay_node *c = list->child; c && !st; c = c->next)
        st = read_item(where, c, n, score, err);
    for (uint32_t i = 0; i < n && !st; i++)
        if (isnan(score[i]))
            st = assay_fail(err, ASSAY_ESYSTEM,
                            "%s: no result for document %u of %u (from 0 on); each one "
                            "needs a score",
                            where, i, n);
    return st;
}

assay_status assay_rerank_reply_read(const char *where, assay_slice text, uint32_t n,
                                     double *score, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    const assay_node *list;
    assay_node *root;
    assay_status st = assay_node_json(where, text, &arena, &root, err);

    /* What is wrong with a reply is the reranker's fault, not a file's. */
    if (st == ASSAY_EINPUT) {
        st = ASSAY_ESYSTEM;
        if (err)
            err->status = st;
    }
    if (!st)
        st = find_list(where, root, &list, err);
    if (!st)
        st = read_list(where, list, n, score, err);
    assay_arena_clear(&arena);
    return st;
}
