/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of single stages.  A table says which function looks at which type of stage;
 * each adds the values it finds. */
#include "metric/stage_metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/slice.h"
#include "base/utf8.h"

typedef struct measuring {
    const assay_stages *stages;
    const assay_stage_rules *rules;
    assay_arena *arena;
    assay_stage_report *report;
    assay_stage_value *value; /* grows; copied into the arena at the end */
    size_t cap_values;
    assay_dict cases;          /* test cases with a retrieval event */
    uint32_t *last;            /* by number in cases: the event that counts */
    assay_dict mapped;         /* test cases of the relevance map */
    const assay_node **listed; /* by number in mapped: its value */
    uint32_t n_empty;          /* retrieved nothing although something is relevant */
    uint32_t n_relevant;       /* events whose relevant documents are known */
    bool has_failed;           /* out of memory */
} measuring;

/* ---- adding values ---- */

static assay_slice name_of(measuring *m, assay_slice stage, const char *metric)
{
    size_t tail = strlen(metric);
    char *text = assay_arena_alloc(m->arena, stage.len + 1 + tail);

    if (!text)
        return (assay_slice){NULL, 0};
    memcpy(text, stage.ptr, stage.len);
    text[stage.len] = '.';
    memcpy(text + stage.len + 1, metric, tail);
    return (assay_slice){text, stage.len + 1 + tail};
}

static double threshold_of(const assay_stage_rules *rules, assay_slice metric)
{
    /* From the end: what a file says stands behind the standard ones. */
    for (uint32_t i = rules->n_thresholds; i > 0; i--)
        if (assay_slice_eq(rules->threshold[i - 1].metric, metric))
            return rules->threshold[i - 1].value;
    return (double)NAN;
}

static void add(measuring *m, const assay_stage *event, const char *metric, double value,
                bool is_max)
{
    assay_slice name = name_of(m, event->type, metric);
    assay_stage_value *grown = assay_mem_grow(
        m->value, &m->cap_values, (size_t)m->report->n_values + 1, sizeof *grown);
    double threshold;

    if (grown)
        m->value = grown;
    if (!grown || !name.ptr) {
        m->has_failed = true;
        return;
    }
    threshold = threshold_of(m->rules, name);
    m->value[m->report->n_values++] = (assay_stage_value){
        .event = event,
        .metric = name,
        .value = value,
        .threshold = threshold,
        .is_max = is_max,
        .has_passed = is_max ? value <= threshold : value >= threshold,
    };
}

/* ---- attributes ---- */

static bool get_number(const assay_stage *event, const char *key, double *out)
{
    const assay_node *node = assay_stage_get(event->attributes, key);

    if (!node)
        return false;
    if (node->kind == ASSAY_NODE_STRING)
        return assay_number_read(assay_slice_trim(node->text), out);
    if (node->kind != ASSAY_NODE_INT && node->kind != ASSAY_NODE_NUMBER)
        return false;
    *out = node->number;
    return true;
}

static bool is_true(const assay_node *node)
{
    switch (node->kind) {
    case ASSAY_NODE_NULL: return false;
    case ASSAY_NODE_BOOL: return node->integer != 0;
    case ASSAY_NODE_INT:
    case ASSAY_NODE_NUMBER: return node->number != 0;
    case ASSAY_NODE_STRING: return node->text.len > 0;
    default: return node->n > 0;
    }
}

/* ---- what is relevant ---- */

/* Ids of a list, or of one value; false: no memory. */
static bool put_ids(assay_dict *into, const assay_node *node)
{
    const assay_node *first = node->kind == ASSAY_NODE_LIST ? node->child : node;
    bool is_list = node->kind == ASSAY_NODE_LIST;
    uint32_t number;

    for (const assay_node *n = first; n; n = is_list ? n->next : NULL) {
        assay_slice id = assay_stage_id(n);

        if (id.len && !assay_dict_put(into, NULL, id, &number, NULL))
            return false;
    }
    return true;
}

static bool put_judged(assay_dict *into, const assay_golden *golden, assay_slice id)
{
    uint32_t found = assay_dict_find(&golden->ids, id);
    uint32_t number;

    if (found == ASSAY_NONE)
        return true;
    for (uint32_t i = 0; i < golden->query[found].n_judgments; i++) {
        const assay_judgment *j = &golden->query[found].judgment[i];

        if (j->grade > 0 && j->doc != ASSAY_NONE &&
            !assay_dict_put(into, NULL, golden->docs.word[j->doc], &number, NULL))
            return false;
    }
    return true;
}

/* The event itself, else the map, else the golden set. */
static bool find_relevant(const measuring *m, const assay_stage *event, assay_dict *into)
{
    const assay_node *own = assay_stage_get(event->attributes, "relevant_doc_ids");
    uint32_t number;

    if (!own || !is_true(own))
        own = assay_stage_get(event->metadata, "relevant_doc_ids");
    if (own && is_true(own))
        return put_ids(into, own);
    if (!event->test_case.len)
        return true;
    number = assay_dict_find(&m->mapped, event->test_case);
    if (number != ASSAY_NONE)
        return put_ids(into, m->listed[number]);
    return !m->rules->golden || put_judged(into, m->rules->golden, event->test_case);
}

/* ---- retrieval ---- */

/* How many documents the stage was asked for; 0 = not said. */
static uint32_t asked_for(const assay_stage *event)
{
    double top_k;

    if (!get_number(event, "top_k", &top_k) || !(top_k >= 1))
        return 0;
    return top_k < UINT32_MAX ? (uint32_t)top_k : UINT32_MAX;
}

/* Different relevant documents among the first k.  A document that comes twice takes one
 * place by our rules and two by evalvault's. */
static bool count_found(const measuring *m, const assay_stage *event, uint32_t k,
                        const assay_dict *relevant, uint32_t *found)
{
    assay_dict seen = {0};
    uint32_t place = 0;
    bool ok = true;

    *found = 0;
    for (uint32_t i = 0; i < event->n_docs && place < k && ok; i++) {
        uint32_t number;
        bool is_new = false;

        ok = assay_dict_put(&seen, NULL, event->doc[i], &number, &is_new);
        place += is_new || m->rules->is_evalvault;
        *found += is_new && assay_dict_find(relevant, event->doc[i]) != ASSAY_NONE;
    }
    assay_dict_clear(&seen);
    return ok;
}

static bool measure_relevance(measuring *m, const assay_stage *event,
                              const assay_dict *relevant)
{
    bool is_evalvault = m->rules->is_evalvault;
    uint32_t asked = asked_for(event);
    uint32_t k = asked ? asked : event->n_docs;
    uint32_t found;

    if (is_evalvault && k > event->n_docs)
        k = event->n_docs;
    if (!count_found(m, event, k, relevant, &found))
        return false;
    if (!is_evalvault && assay_stage_has_failed(event))
        found = 0;
    m->n_empty += event->n_docs == 0;
    /* Nothing came back and nobody said how much was wanted: there is no k. */
    if (k)
        add(m, event, "precision_at_k", (double)found / k, false);
    add(m, event, "recall_at_k", (double)found / relevant->n, false);
    return true;
}

/* Whether it is the attempt that stands for its test case. */
static bool is_last(const measuring *m, const assay_stage *event)
{
    uint32_t number = assay_dict_find(&m->cases, event->test_case);

    return number == ASSAY_NONE || &m->stages->event[m->last[number]] == event;
}

static void look_relevance(measuring *m, const assay_stage *event)
{
    bool is_evalvault = m->rules->is_evalvault;
    assay_dict relevant = {0};
    bool ok;

    if (is_evalvault ? event->n_docs == 0 : !is_last(m, event))
        return;
    ok = find_relevant(m, event, &relevant);
    if (ok && relevant.n) {
        m->n_relevant++;
        ok = measure_relevance(m, event, &relevant);
    }
    m->has_failed |= !ok;
    assay_dict_clear(&relevant);
}

static void look_scores(measuring *m, const assay_stage *event)
{
    double sum = 0;
    double least = INFINITY;
    double most = -INFINITY;

    if (!event->n_scores)
        return;
    for (uint32_t i = 0; i < event->n_scores; i++) {
        sum += event->score[i];
        least = fmin(least, event->score[i]);
        most = fmax(most, event->score[i]);
    }
    add(m, event, "avg_score", sum / event->n_scores, false);
    if (event->n_scores > 1)
        add(m, event, "score_gap", most - least, false);
}

static void look_retrieval(measuring *m, const assay_stage *event)
{
    add(m, event, "result_count", event->n_docs, false);
    look_scores(m, event);
    look_relevance(m, event);
}

/* ---- the other stages ---- */

/* `of` / `in`, where both are there and `in` is positive. */
static void look_ratio(measuring *m, const assay_stage *event, const char *metric,
                       const char *of, const char *in)
{
    double top, bottom;

    if (get_number(event, of, &top) && get_number(event, in, &bottom) && bottom > 0)
        add(m, event, metric, top / bottom, false);
}

static void look_rerank(measuring *m, const assay_stage *event)
{
    look_ratio(m, event, "keep_rate", "output_count", "input_count");
    look_scores(m, event);
}

/* A list counts its items; a map the list it wraps, else what it says, else its keys. */
static double count_citations(const assay_node *node)
{
    static const char *const wraps[] = {"doc_ids", "ids", "sources", "citations"};
    const assay_node *inner;

    if (!node)
        return 0;
    if (node->kind == ASSAY_NODE_LIST)
        return node->n;
    if (node->kind != ASSAY_NODE_MAP)
        return 1;
    for (size_t i = 0; i < ASSAY_COUNT(wraps); i++) {
        inner = assay_node_get(node, wraps[i]);
        if (inner && inner->kind == ASSAY_NODE_LIST)
            return inner->n;
    }
    inner = assay_node_get(node, "count");
    if (inner)
        return inner->kind == ASSAY_NODE_INT ? inner->number : 0;
    return node->n;
}

static void look_output(measuring *m, const assay_stage *event)
{
    look_ratio(m, event, "token_ratio", "tokens_out", "tokens_in");
    add(m, event, "citation_count",
        count_citations(assay_stage_get(event->attributes, "citations")), false);
}

static void look_input(measuring *m, const assay_stage *event)
{
    const assay_node *query = assay_stage_get(event->attributes, "query");

    if (query && query->kind == ASSAY_NODE_STRING)
        add(m, event, "query_length", (double)assay_utf8_count(query->text), false);
}

static void look_classes(measuring *m, const assay_stage *event)
{
    const assay_node *predicted = assay_stage_get(event->attributes, "predicted_label");
    const assay_node *label = assay_stage_get(event->attributes, "label");
    double confidence;

    if (predicted && label && predicted->kind == ASSAY_NODE_STRING &&
        label->kind == ASSAY_NODE_STRING)
        add(m, event, "accuracy", assay_slice_eq(predicted->text, label->text), false);
    if (get_number(event, "confidence", &confidence))
        add(m, event, "confidence", confidence, false);
}

static void look_safety(measuring *m, const assay_stage *event)
{
    const assay_node *violations = assay_stage_get(event->attributes, "violations");
    const assay_node *blocked = assay_stage_get(event->attributes, "blocked");
    double n = 0;

    if (violations && violations->kind == ASSAY_NODE_LIST)
        add(m, event, "violation_rate", violations->n > 0, true);
    else if (get_number(event, "violation_count", &n))
        add(m, event, "violation_rate", n >= 1, true);
    if (blocked)
        add(m, event, "block_rate", is_true(blocked), true);
}

static void look_validation(measuring *m, const assay_stage *event)
{
    const assay_node *passed = assay_stage_get(event->attributes, "passed");

    if (passed)
        add(m, event, "pass_rate", is_true(passed), false);
}

static const struct {
    const char *type;
    void (*look)(measuring *m, const assay_stage *event);
} looks[] = {
    {"retrieval", look_retrieval},
    {"rerank", look_rerank},
    {"output", look_output},
    {"input", look_input},
    {"language_detection", look_classes},
    {"intent", look_classes},
    {"safety_check", look_safety},
    {"answer_validation", look_validation},
};

static void look(measuring *m, const assay_stage *event)
{
    if (event->duration_ms >= 0)
        add(m, event, "latency_ms", event->duration_ms, true);
    for (size_t i = 0; i < ASSAY_COUNT(looks); i++)
        if (assay_slice_is(event->type, looks[i].type))
            looks[i].look(m, event);
}

/* ---- over all events ---- */

static bool index_relevance(measuring *m)
{
    const assay_node *map = m->rules->relevance;

    if (!map)
        return true;
    m->listed = ASSAY_ARENA_ARRAY(m->arena, const assay_node *, map->n);
    if (!m->listed)
        return false;
    for (const assay_node *n = map->child; n; n = n->next) {
        uint32_t number;

        if (!assay_dict_put(&m->mapped, NULL, n->key, &number, NULL))
            return false;
        m->listed[number] = n;
    }
    return true;
}

/* Which retrieval event stands for each test case: the highest attempt, then the last. */
static bool find_last(measuring *m)
{
    const assay_stages *stages = m->stages;

    m->last = ASSAY_ARENA_ARRAY(m->arena, uint32_t, stages->n);
    if (!m->last)
        return false;
    for (uint32_t i = 0; i < stages->n; i++) {
        const assay_stage *event = &stages->event[i];
        uint32_t number;
        bool is_new;

        if (!assay_stages_counts(stages, event) || !event->test_case.len ||
            !assay_slice_is(event->type, "retrieval"))
            continue;
        if (!assay_dict_put(&m->cases, NULL, event->test_case, &number, &is_new))
            return false;
        if (is_new || event->attempt >= stages->event[m->last[number]].attempt)
            m->last[number] = i;
    }
    return true;
}

static void add_to(assay_stage_summary *s, const assay_stage_value *v)
{
    if (s->n == 0)
        *s = (assay_stage_summary){.metric = v->metric,
                                   .min = v->value,
                                   .max = v->value,
                                   .threshold = v->threshold,
                                   .is_max = v->is_max};
    s->n++;
    s->mean += v->value; /* the sum, until all are there */
    s->min = fmin(s->min, v->value);
    s->max = fmax(s->max, v->value);
    s->n_passed += v->has_passed && !isnan(v->threshold);
}

static int by_metric(const void *a, const void *b)
{
    return assay_slice_cmp(((const assay_stage_summary *)a)->metric,
                           ((const assay_stage_summary *)b)->metric);
}

static bool summarise(measuring *m)
{
    assay_stage_report *report = m->report;
    assay_dict names = {0};
    bool ok = true;

    report->summary = ASSAY_ARENA_ARRAY(m->arena, assay_stage_summary, report->n_values);
    if (!report->summary)
        return false;
    for (uint32_t i = 0; i < report->n_values && ok; i++) {
        uint32_t number = 0;

        ok = assay_dict_put(&names, NULL, report->value[i].metric, &number, NULL);
        if (ok)
            add_to(&report->summary[number], &report->value[i]);
    }
    report->n_summaries = names.n;
    for (uint32_t i = 0; i < names.n; i++)
        report->summary[i].mean /= report->summary[i].n;
    qsort(report->summary, names.n, sizeof *report->summary, by_metric);
    assay_dict_clear(&names);
    return ok;
}

static int by_type(const void *a, const void *b)
{
    return assay_slice_cmp(((const assay_stage_count *)a)->type,
                           ((const assay_stage_count *)b)->type);
}

static bool count_types(measuring *m)
{
    assay_stage_report *report = m->report;
    assay_dict types = {0};
    bool ok = true;

    report->count = ASSAY_ARENA_ARRAY(m->arena, assay_stage_count, m->stages->n);
    if (!report->count)
        return false;
    for (uint32_t i = 0; i < m->stages->n && ok; i++) {
        const assay_stage *event = &m->stages->event[i];
        uint32_t number = 0;

        if (!assay_stages_counts(m->stages, event))
            continue;
        ok = assay_dict_put(&types, NULL, event->type, &number, NULL);
        if (!ok)
            break;
        report->count[number].type = event->type;
        report->count[number].n++;
        if (event->duration_ms >= 0) {
            report->count[number].n_timed++;
            report->count[number].mean_ms += event->duration_ms;
        }
    }
    report->n_counts = types.n;
    for (uint32_t i = 0; i < types.n; i++)
        if (report->count[i].n_timed)
            report->count[i].mean_ms /= report->count[i].n_timed;
    qsort(report->count, types.n, sizeof *report->count, by_type);
    assay_dict_clear(&types);
    return ok;
}

/* Labelled queries of the golden set that no retrieval event is about. */
static uint32_t count_missing(const measuring *m)
{
    const assay_golden *golden = m->rules->golden;
    uint32_t n = 0;

    for (uint32_t i = 0; golden && i < golden->n_queries; i++)
        n += golden->query[i].label == ASSAY_LABEL_LABELLED &&
             !golden->query[i].is_draft &&
             assay_dict_find(&m->cases, golden->query[i].id) == ASSAY_NONE;
    return n;
}

static bool add_notes(measuring *m)
{
    assay_notes *notes = &m->report->notes;
    uint32_t n_missing = count_missing(m);

    if (m->n_empty &&
        !assay_notes_add(notes, m->arena,
                         "%u retrieval events found nothing although something is "
                         "relevant: they have recall 0 (evalvault leaves them out)",
                         m->n_empty))
        return false;
    if (n_missing && !assay_notes_add(notes, m->arena,
                                      "%u labelled queries of the golden set have no "
                                      "retrieval event; they are in no value here",
                                      n_missing))
        return false;
    if (m->cases.n && !m->n_relevant &&
        !assay_notes_add(
            notes, m->arena,
            "nothing is known to be relevant, so there is no precision and no "
            "recall; --golden or --relevance-map say what is"))
        return false;
    return true;
}

static bool measure_all(measuring *m)
{
    assay_stage_report *report = m->report;

    if (!index_relevance(m) || !find_last(m))
        return false;
    for (uint32_t i = 0; i < m->stages->n; i++)
        if (assay_stages_counts(m->stages, &m->stages->event[i]))
            look(m, &m->stages->event[i]);
    report->value = ASSAY_ARENA_ARRAY(m->arena, assay_stage_value, report->n_values);
    if (m->has_failed || !report->value)
        return false;
    if (report->n_values)
        memcpy(report->value, m->value, report->n_values * sizeof *report->value);
    return summarise(m) && count_types(m) && add_notes(m);
}

assay_status assay_stage_measure(const assay_stages *stages,
                                 const assay_stage_rules *rules, assay_arena *arena,
                                 assay_stage_report *out, assay_error *err)
{
    assay_stage_report report = {0};
    measuring m = {.stages = stages, .rules = rules, .arena = arena, .report = &report};
    bool ok = measure_all(&m);

    assay_mem_free(m.value);
    assay_dict_clear(&m.cases);
    assay_dict_clear(&m.mapped);
    if (!ok) {
        assay_stage_report_clear(&report);
        return assay_fail_memory(err, "measuring stages");
    }
    *out = report;
    return ASSAY_OK;
}

void assay_stage_report_clear(assay_stage_report *report)
{
    assay_notes_clear(&report->notes);
}

const char *assay_stage_required(size_t i)
{
    static const char *const types[] = {"system_prompt", "input", "retrieval", "output"};

    return i < ASSAY_COUNT(types) ? types[i] : NULL;
}
