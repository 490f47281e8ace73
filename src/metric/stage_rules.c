/* SPDX-License-Identifier: Apache-2.0 */
/* The files that go with stage metrics: thresholds and relevance maps. */
#include <math.h>

#include "base/error.h"
#include "base/slice.h"
#include "metric/stage_metrics.h"

#define STANDARD(name, value)              \
    {                                      \
        {name, sizeof(name) - 1}, (value), \
    }

/* evalvault's own. */
static const assay_stage_threshold standard[] = {
    STANDARD("retrieval.precision_at_k", 0.2), STANDARD("retrieval.recall_at_k", 0.6),
    STANDARD("retrieval.result_count", 1),     STANDARD("retrieval.avg_score", 0.2),
    STANDARD("retrieval.score_gap", 0.1),      STANDARD("retrieval.latency_ms", 500),
    STANDARD("rerank.keep_rate", 0.25),        STANDARD("rerank.avg_score", 0.2),
    STANDARD("rerank.score_gap", 0.1),         STANDARD("rerank.latency_ms", 800),
    STANDARD("output.latency_ms", 3000),       STANDARD("output.citation_count", 1),
};

const assay_stage_threshold *assay_stage_thresholds_standard(uint32_t *n)
{
    *n = ASSAY_COUNT(standard);
    return standard;
}

/* Append the thresholds of a map. */
static assay_status add_map(const char *path, const assay_node *map,
                            assay_stage_threshold *to, uint32_t *n, assay_error *err)
{
    if (!map)
        return ASSAY_OK;
    if (map->kind != ASSAY_NODE_MAP)
        return assay_fail_at(err, path, map->line, "want a map of thresholds, not %s",
                             assay_node_kind_name(map->kind));
    for (const assay_node *node = map->child; node; node = node->next) {
        if (node->kind != ASSAY_NODE_INT && node->kind != ASSAY_NODE_NUMBER)
            return assay_fail_at(
                err, path, node->line, "the threshold of '%.*s' must be a number, not %s",
                ASSAY_QUOTE(node->key), assay_node_kind_name(node->kind));
        to[(*n)++] = (assay_stage_threshold){node->key, node->number};
    }
    return ASSAY_OK;
}

static assay_status find_profile(const char *path, const assay_node *root,
                                 const char *profile, const assay_node **out,
                                 assay_error *err)
{
    const assay_node *profiles = assay_stage_get(root, "profiles");
    assay_buffer names = ASSAY_BUFFER_EMPTY;
    assay_slice all;

    *out = NULL;
    if (!profile)
        return ASSAY_OK;
    *out = assay_node_get(profiles, profile);
    if (*out)
        return ASSAY_OK;
    if (!profiles || profiles->kind != ASSAY_NODE_MAP || !profiles->n)
        return assay_fail(err, ASSAY_EUSAGE, "'%s' has no profiles", path);
    for (const assay_node *n = profiles->child; n; n = n->next)
        assay_buffer_printf(&names, "%s%.*s", n == profiles->child ? "" : ", ",
                            ASSAY_QUOTE(n->key));
    all = assay_buffer_view(&names);
    assay_fail(err, ASSAY_EUSAGE, "no profile '%.80s' in '%s'; there are: %.*s", profile,
               path, (int)all.len, all.ptr);
    assay_buffer_clear(&names);
    return ASSAY_EUSAGE;
}

assay_status assay_stage_thresholds_read(const char *path, assay_slice text,
                                         const char *profile, assay_arena *arena,
                                         assay_stage_rules *rules, assay_error *err)
{
    const assay_node *base, *chosen;
    assay_stage_threshold *all;
    assay_node *root = NULL;
    bool is_layered;
    uint32_t n = ASSAY_COUNT(standard);
    assay_status st = assay_node_json(path, text, arena, &root, err);

    if (st)
        return st;
    is_layered = assay_node_get(root, "default") || assay_node_get(root, "profiles");
    base = is_layered ? assay_stage_get(root, "default") : root;
    st = find_profile(path, root, profile, &chosen, err);
    if (st)
        return st;
    all = ASSAY_ARENA_ARRAY(arena, assay_stage_threshold,
                            n + (base ? base->n : 0) + (chosen ? chosen->n : 0));
    if (!all)
        return assay_fail_memory(err, "reading thresholds");
    for (uint32_t i = 0; i < n; i++)
        all[i] = standard[i];
    st = add_map(path, base, all, &n, err);
    if (!st)
        st = add_map(path, chosen, all, &n, err);
    if (st)
        return st;
    rules->threshold = all;
    /* Nothing said at all: then nothing is held against anything. */
    rules->n_thresholds = n > ASSAY_COUNT(standard) ? n : 0;
    return ASSAY_OK;
}

assay_status assay_stage_relevance_read(const char *path, assay_slice text,
                                        assay_arena *arena, assay_stage_rules *rules,
                                        assay_error *err)
{
    assay_node *root = NULL;
    assay_status st = assay_node_json(path, text, arena, &root, err);

    if (st)
        return st;
    if (root->kind != ASSAY_NODE_MAP)
        return assay_fail_at(
            err, path, root->line,
            "a relevance map is an object {\"test case\": [\"doc\"]}, not %s",
            assay_node_kind_name(root->kind));
    for (const assay_node *c = root->child; c; c = c->next) {
        bool is_list = c->kind == ASSAY_NODE_LIST;

        for (const assay_node *id = is_list ? c->child : c; id;
             id = is_list ? id->next : NULL)
            if (!assay_stage_id(id).len)
                return assay_fail_at(err, path, id->line,
                                     "'%.*s' has %s where a document id belongs",
                                     ASSAY_QUOTE(c->key), assay_node_kind_name(id->kind));
    }
    rules->relevance = root;
    return ASSAY_OK;
}
