/* SPDX-License-Identifier: Apache-2.0 */
#include "report/aggregate_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "base/node.h"
#include "base/slice.h"
#include "report/eval_json.h"

#define SCHEMA "assay.aggregate/1"

/* ---- writing ---- */

static void put_metric(assay_json_writer *w, const assay_column *c, const assay_total *t)
{
    assay_json_key(w, c->full);
    assay_json_object(w);
    assay_json_key(w, "name");
    assay_json_text(w, c->name);
    assay_json_key(w, "value");
    assay_json_double(w, t->value);
    assay_json_key(w, "n");
    assay_json_int(w, t->n);
    assay_json_key(w, "absent");
    assay_json_int(w, t->absent);
    assay_json_key(w, "level");
    if (c->has_level)
        assay_json_text(w, assay_level_word(c->level));
    else
        assay_json_null(w);
    if (c->is_lower_better || c->has_no_direction) {
        assay_json_key(w, "better");
        if (c->has_no_direction)
            assay_json_null(w);
        else
            assay_json_text(w, "lower");
    }
    if (c->is_too_deep) {
        assay_json_key(w, "deeper_than_run");
        assay_json_bool(w, true);
    }
    assay_json_object_end(w);
}

/* Two spellings that were asked for may be one measure at the level that was chosen. */
static bool is_repeated(const assay_scores *s, uint32_t column)
{
    for (uint32_t c = 0; c < column; c++)
        if (strcmp(s->column[c].full, s->column[column].full) == 0)
            return true;
    return false;
}

/* Queries without a score in the first measure that asks for judgments. */
static uint32_t ineligible(const assay_scores *s)
{
    for (uint32_t c = 0; c < s->n_columns; c++)
        if (s->column[c].has_level)
            return s->total[c].absent;
    return 0;
}

static void put_counts(assay_json_writer *w, const assay_scores *s,
                       const assay_aggregate_about *about)
{
    const assay_counts *n = &s->counts;
    const struct {
        const char *key;
        uint64_t value;
    } count[] = {
        {"total", n->total},           {"labelled", n->labelled},
        {"unlabelled", n->unlabelled}, {"should_refuse", n->should_refuse},
        {"negative", n->negative},     {"stale", n->stale},
        {"drafts", n->drafts},         {"skipped", about->skipped},
        {"ineligible", ineligible(s)}, {"missing", n->missing},
        {"failed", n->failed},         {"empty", n->empty},
        {"extra", n->extra},           {"hits", n->hits},
        {"duplicates", n->duplicates}, {"ties", n->ties},
        {"self_hits", n->self_hits},   {"depth", n->depth},
        {"judged_k", n->judged_k},     {"judged", n->judged},
        {"judged_of", n->judged_of},
    };

    assay_json_key(w, "counts");
    assay_json_object(w);
    for (size_t i = 0; i < ASSAY_COUNT(count); i++) {
        assay_json_key(w, count[i].key);
        assay_json_int(w, (int64_t)count[i].value);
    }
    assay_json_object_end(w);
}

static void put_hash(assay_json_writer *w, assay_slice hash)
{
    assay_json_key(w, "golden_hash");
    if (hash.len)
        assay_json_string(w, hash);
    else
        assay_json_null(w);
    assay_json_key(w, "assay_version");
    assay_json_text(w, assay_version());
}

void assay_aggregate_json(const assay_scores *scores, const assay_aggregate_about *about,
                          assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 0);

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, SCHEMA);
    if (assay_slice_is(assay_slice_of(about->conventions->name), "kebab"))
        assay_json_kebab(&w, scores);
    assay_json_key(&w, "conventions");
    assay_json_text(&w, about->conventions->name);
    assay_json_key(&w, "level");
    assay_json_text(&w, assay_level_word(scores->level));
    put_hash(&w, about->golden_hash);
    assay_json_key(&w, "metrics");
    assay_json_object(&w);
    for (uint32_t c = 0; c < scores->n_columns; c++)
        if (!is_repeated(scores, c))
            put_metric(&w, &scores->column[c], &scores->total[c]);
    assay_json_object_end(&w);
    put_counts(&w, scores, about);
    assay_json_object_end(&w);
}

/* ---- recorded values ---- */

/* What bob records, by name. */
static double recorded_at(const assay_recorded *r, uint32_t i)
{
    return i == 0 ? r->recall : i == 1 ? r->precision : r->mrr;
}

static void recorded_name(uint32_t i, uint32_t k, char *out, size_t size)
{
    static const char *const name[] = {"recall", "precision", "mrr"};

    if (i < 2 && k)
        snprintf(out, size, "%s@%u", name[i], k);
    else
        snprintf(out, size, "%s", name[i]);
}

static void put_recorded_mean(assay_json_writer *w, const assay_run *run, uint32_t i)
{
    double sum = 0;
    uint32_t n = 0;
    char name[40];

    for (uint32_t r = 0; r < run->n_results; r++) {
        double value = recorded_at(&run->recorded[r], i);

        if (isnan(value))
            continue;
        sum += value;
        n++;
    }
    recorded_name(i, run->recorded_k, name, sizeof name);
    assay_json_key(w, name);
    assay_json_object(w);
    assay_json_key(w, "name");
    assay_json_text(w, name);
    assay_json_key(w, "value");
    assay_json_double(w, n ? sum / n : (double)NAN);
    assay_json_key(w, "n");
    assay_json_int(w, n);
    assay_json_key(w, "absent");
    assay_json_int(w, run->n_results - n);
    assay_json_key(w, "level");
    assay_json_null(w);
    assay_json_object_end(w);
}

static void put_recorded_query(assay_json_writer *w, const assay_run *run, uint32_t r)
{
    const assay_recorded *recorded = &run->recorded[r];
    char name[40];

    assay_json_key_slice(w, run->result[r].query_id);
    assay_json_object(w);
    for (uint32_t i = 0; i < 3; i++) {
        recorded_name(i, run->recorded_k, name, sizeof name);
        assay_json_key(w, name);
        assay_json_double(w, recorded_at(recorded, i));
    }
    assay_json_key(w, "passed");
    if (recorded->passed == ASSAY_FLAG_UNKNOWN)
        assay_json_null(w);
    else
        assay_json_bool(w, recorded->passed == ASSAY_FLAG_YES);
    assay_json_object_end(w);
}

void assay_aggregate_recorded(const assay_run *run, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 0);

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, SCHEMA);
    assay_json_key(&w, "conventions");
    assay_json_text(&w, "bob");
    assay_json_key(&w, "level");
    assay_json_text(&w, assay_level_word(ASSAY_LEVEL_CHUNK));
    put_hash(&w, ASSAY_LIT(""));
    assay_json_key(&w, "metrics");
    assay_json_object(&w);
    for (uint32_t i = 0; run->recorded && i < 3; i++)
        put_recorded_mean(&w, run, i);
    assay_json_object_end(&w);
    assay_json_key(&w, "counts");
    assay_json_object(&w);
    assay_json_key(&w, "total");
    assay_json_int(&w, run->n_results);
    assay_json_object_end(&w);
    assay_json_key(&w, "recorded");
    assay_json_object(&w);
    for (uint32_t r = 0; run->recorded && r < run->n_results; r++)
        put_recorded_query(&w, run, r);
    assay_json_object_end(&w);
    assay_json_object_end(&w);
}

/* ---- reading ---- */

static assay_slice get_text(const assay_node *map, const char *key)
{
    const assay_node *node = assay_node_get(map, key);

    return node && node->kind == ASSAY_NODE_STRING ? node->text : ASSAY_LIT("");
}

static double get_number(const assay_node *node)
{
    bool is_number =
        node && (node->kind == ASSAY_NODE_INT || node->kind == ASSAY_NODE_NUMBER);

    return is_number ? node->number : (double)NAN;
}

static int64_t get_count(const assay_node *map, const char *key)
{
    const assay_node *node = map ? assay_node_get(map, key) : NULL;

    return node && node->kind == ASSAY_NODE_INT && node->integer >= 0 ? node->integer
                                                                      : -1;
}

static bool is_map(const assay_node *node)
{
    return node && node->kind == ASSAY_NODE_MAP;
}

static void read_metric(const assay_node *node, assay_aggregated_metric *out)
{
    const assay_node *better = assay_node_get(node, "better");
    int64_t n = get_count(node, "n");

    *out = (assay_aggregated_metric){
        .key = node->key,
        .name = get_text(node, "name"),
        .level = get_text(node, "level"),
        .value = get_number(assay_node_get(node, "value")),
        .n = n >= 0 && n < ASSAY_NONE ? (uint32_t)n : ASSAY_NONE,
        .is_lower_better = better && assay_slice_is(better->text, "lower"),
        .has_no_direction = better && better->kind == ASSAY_NODE_NULL,
    };
    if (!out->name.len)
        out->name = node->key;
}

static assay_status read_own(const assay_node *root, assay_arena *arena,
                             assay_aggregated *out, assay_error *err)
{
    const assay_node *metrics = assay_node_get(root, "metrics");

    out->conventions = get_text(root, "conventions");
    out->level = get_text(root, "level");
    out->golden_hash = get_text(root, "golden_hash");
    out->version = get_text(root, "assay_version");
    out->is_recorded = is_map(assay_node_get(root, "recorded"));
    if (!is_map(metrics) || !metrics->n)
        return ASSAY_OK;
    out->metric = ASSAY_ARENA_ARRAY(arena, assay_aggregated_metric, metrics->n);
    if (!out->metric)
        return assay_fail_memory(err, "reading an aggregate");
    for (const assay_node *m = metrics->child; m; m = m->next)
        if (is_map(m))
            read_metric(m, &out->metric[out->n_metrics++]);
    return ASSAY_OK;
}

/* kebab's fields, and what we call them; those with cutoffs are maps. */
static const struct {
    const char *field;
    const char *name;
    bool is_lower_better;
} kebab_fields[] = {
    {"hit_at_k", "hit", false},
    {"mrr", "mrr", false},
    {"recall_at_k_doc", "recall", false},
    {"precision_at_k_chunk", "precision", false},
    {"citation_coverage", "citation_coverage", false},
    {"groundedness", "groundedness", false},
    {"empty_result_rate", "empty_result_rate", true},
    {"refusal_correctness", "refusal_correctness", false},
};

enum { KEBAB_MOST = 64 };

static assay_status add_kebab(assay_aggregated *out, assay_arena *arena, size_t field,
                              const assay_node *value, assay_error *err)
{
    bool has_cutoff = !assay_slice_is(value->key, kebab_fields[field].field);
    char text[80];
    assay_slice name;

    if (out->n_metrics == KEBAB_MOST)
        return ASSAY_OK;
    snprintf(text, sizeof text, "%s%s%.*s", kebab_fields[field].name,
             has_cutoff ? "@" : "", has_cutoff ? (int)value->key.len : 0, value->key.ptr);
    name = assay_arena_copy(arena, assay_slice_of(text));
    if (!name.ptr)
        return assay_fail_memory(err, "reading an aggregate");
    out->metric[out->n_metrics++] = (assay_aggregated_metric){
        .key = name,
        .name = name,
        .level = ASSAY_LIT(""),
        .value = get_number(value),
        .n = ASSAY_NONE,
        .is_lower_better = kebab_fields[field].is_lower_better,
    };
    return ASSAY_OK;
}

static assay_status read_kebab(const assay_node *root, assay_arena *arena,
                               assay_aggregated *out, assay_error *err)
{
    assay_status st = ASSAY_OK;

    out->conventions = ASSAY_LIT("kebab");
    out->level = assay_slice_of(assay_level_word(ASSAY_LEVEL_CHUNK));
    out->metric = ASSAY_ARENA_ARRAY(arena, assay_aggregated_metric, KEBAB_MOST);
    if (!out->metric)
        return assay_fail_memory(err, "reading an aggregate");
    for (size_t f = 0; !st && f < ASSAY_COUNT(kebab_fields); f++) {
        const assay_node *node = assay_node_get(root, kebab_fields[f].field);

        if (!is_map(node)) {
            st = node ? add_kebab(out, arena, f, node, err) : ASSAY_OK;
            continue;
        }
        for (const assay_node *c = node->child; c && !st; c = c->next)
            st = add_kebab(out, arena, f, c, err);
    }
    out->total = get_count(root, "total_queries");
    out->failed = get_count(root, "failed_queries");
    return st;
}

assay_status assay_aggregate_read(const char *name, assay_slice json, assay_arena *arena,
                                  assay_aggregated *out, assay_error *err)
{
    assay_aggregated a = {.total = -1,
                          .failed = -1,
                          .missing = -1,
                          .skipped = -1,
                          .ineligible = -1,
                          .conventions = ASSAY_LIT(""),
                          .level = ASSAY_LIT(""),
                          .golden_hash = ASSAY_LIT(""),
                          .version = ASSAY_LIT("")};
    const assay_node *counts;
    assay_node *root;
    assay_status st = assay_node_json(name, json, arena, &root, err);

    if (st)
        return st;
    if (root->kind != ASSAY_NODE_MAP)
        return assay_fail_at(err, name, root->line, "an aggregate must be a map, not %s",
                             assay_node_kind_name(root->kind));
    if (assay_node_get(root, "metrics")) {
        counts = assay_node_get(root, "counts");
        counts = is_map(counts) ? counts : NULL;
        a.total = get_count(counts, "total");
        a.failed = get_count(counts, "failed");
        a.missing = get_count(counts, "missing");
        a.skipped = get_count(counts, "skipped");
        a.ineligible = get_count(counts, "ineligible");
        st = read_own(root, arena, &a, err);
    } else if (assay_node_get(root, "hit_at_k") || assay_node_get(root, "mrr")) {
        st = read_kebab(root, arena, &a, err);
    }
    if (!st)
        *out = a;
    return st;
}

const assay_aggregated_metric *assay_aggregate_find(const assay_aggregated *aggregate,
                                                    assay_slice spelling)
{
    for (uint32_t i = 0; i < aggregate->n_metrics; i++)
        if (assay_slice_eq(aggregate->metric[i].key, spelling) ||
            assay_slice_eq(aggregate->metric[i].name, spelling))
            return &aggregate->metric[i];
    return NULL;
}
