/* SPDX-License-Identifier: Apache-2.0 */
/* evalvault's stage events as a run.
 *
 * A retrieval event is the result of the query that metadata.test_case_id names: its
 * doc_ids are the hits.  Where a query was tried again, the later attempt counts.  The
 * input event of the query gives its text, the output event the answer. */
#include "base/error.h"
#include "base/slice.h"
#include "run/run_json.h"
#include "run/stages.h"

typedef struct making {
    assay_run *run;
    const assay_stages *stages;
    uint32_t *attempt; /* by result: of the event it came from */
    uint32_t n_replaced;
    uint32_t n_nameless;
    uint32_t n_odd_scores;
} making;

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "reading stage events");
}

/* ---- retrieval events ---- */

static double elapsed_of(const assay_stage *event)
{
    const assay_node *node;

    if (event->duration_ms >= 0)
        return event->duration_ms;
    node = assay_stage_get(event->attributes, "retrieval_time_ms");
    if (node && (node->kind == ASSAY_NODE_INT || node->kind == ASSAY_NODE_NUMBER) &&
        node->number >= 0)
        return node->number;
    return -1;
}

static assay_status set_error(making *m, const assay_stage *event, assay_result *result,
                              assay_error *err)
{
    assay_buffer text = ASSAY_BUFFER_EMPTY;

    result->error = (assay_slice){"", 0};
    if (!assay_stage_has_failed(event))
        return ASSAY_OK;
    assay_buffer_printf(&text, "retrieval has status '%.*s'", ASSAY_QUOTE(event->status));
    result->error = assay_arena_copy(&m->run->arena, assay_buffer_view(&text));
    assay_buffer_clear(&text);
    return result->error.ptr ? ASSAY_OK : no_memory(err);
}

static assay_status set_hits(making *m, const assay_stage *event, assay_result *result,
                             assay_error *err)
{
    bool has_scores = event->n_scores == event->n_docs;

    m->n_odd_scores += event->n_scores && !has_scores;
    result->hit = ASSAY_ARENA_ARRAY(&m->run->arena, assay_hit, event->n_docs);
    if (!result->hit)
        return no_memory(err);
    for (uint32_t i = 0; i < event->n_docs; i++)
        result->hit[i] = (assay_hit){.chunk = {"", 0},
                                     .doc = event->doc[i],
                                     .text = {"", 0},
                                     .rank = i + 1,
                                     .has_score = has_scores,
                                     .score = has_scores ? event->score[i] : 0};
    result->n_hits = event->n_docs;
    result->line = event->line;
    result->elapsed_ms = elapsed_of(event);
    return set_error(m, event, result, err);
}

static assay_status add_retrieval(making *m, const assay_stage *event, assay_error *err)
{
    uint32_t known = assay_dict_find(&m->run->ids, event->test_case);
    assay_result *result;
    assay_status st;

    if (!event->test_case.len) {
        m->n_nameless++;
        return ASSAY_OK;
    }
    if (known != ASSAY_NONE) {
        m->n_replaced++;
        if (event->attempt < m->attempt[known])
            return ASSAY_OK;
        m->attempt[known] = event->attempt;
        return set_hits(m, event, &m->run->result[known], err);
    }
    st = assay_run_add(m->run, event->test_case, event->line, &result, err);
    if (st)
        return st;
    m->attempt[m->run->n_results - 1] = event->attempt;
    result->query = (assay_slice){"", 0};
    result->mode = (assay_slice){"", 0};
    return set_hits(m, event, result, err);
}

/* ---- input and output events ---- */

static int64_t count_of(const assay_stage *event, const char *key)
{
    const assay_node *node = assay_stage_get(event->attributes, key);

    return node && node->kind == ASSAY_NODE_INT && node->integer >= 0 ? node->integer
                                                                      : -1;
}

static assay_status set_citations(making *m, const assay_node *list, assay_answer *answer,
                                  assay_error *err)
{
    if (!list || list->kind != ASSAY_NODE_LIST)
        return ASSAY_OK;
    answer->citation = ASSAY_ARENA_ARRAY(&m->run->arena, assay_citation, list->n);
    if (!answer->citation)
        return no_memory(err);
    for (const assay_node *n = list->child; n; n = n->next)
        answer->citation[answer->n_citations++] =
            (assay_citation){.marker = {"", 0},
                             .chunk = {"", 0},
                             .doc = assay_stage_id(n),
                             .path = {"", 0}};
    return ASSAY_OK;
}

static assay_status add_output(making *m, const assay_stage *event, assay_result *result,
                               assay_error *err)
{
    const assay_node *text = assay_stage_get(event->attributes, "answer");

    if (!text || text->kind != ASSAY_NODE_STRING)
        return ASSAY_OK;
    result->answer = assay_run_new_answer(&m->run->arena);
    if (!result->answer)
        return no_memory(err);
    result->answer->text = text->text;
    result->answer->model =
        assay_stage_id(assay_stage_get(event->metadata, "model_name"));
    result->answer->prompt_tokens = count_of(event, "tokens_in");
    result->answer->completion_tokens = count_of(event, "tokens_out");
    result->answer->latency_ms = event->duration_ms;
    return set_citations(m, assay_stage_get(event->attributes, "citations"),
                         result->answer, err);
}

static assay_status add_other(making *m, const assay_stage *event, assay_error *err)
{
    uint32_t known = assay_dict_find(&m->run->ids, event->test_case);
    const assay_node *query = assay_stage_get(event->attributes, "query");

    if (known == ASSAY_NONE)
        return ASSAY_OK;
    if (assay_slice_is(event->type, "output"))
        return add_output(m, event, &m->run->result[known], err);
    if (assay_slice_is(event->type, "input") && query && query->kind == ASSAY_NODE_STRING)
        m->run->result[known].query = query->text;
    return ASSAY_OK;
}

/* ---- the whole ---- */

static assay_status add_events(making *m, bool is_retrieval, assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < m->stages->n && !st; i++) {
        const assay_stage *event = &m->stages->event[i];

        if (!assay_stages_counts(m->stages, event) ||
            assay_slice_is(event->type, "retrieval") != is_retrieval)
            continue;
        st = is_retrieval ? add_retrieval(m, event, err) : add_other(m, event, err);
    }
    return st;
}

static assay_status add_notes(const making *m, assay_error *err)
{
    const struct {
        uint32_t n;
        const char *what;
    } kind[] = {
        {m->n_replaced,
         "retrieval events are earlier attempts at a query; the last counts"},
        {m->n_nameless,
         "retrieval events without metadata.test_case_id belong to no query"},
        {m->n_odd_scores,
         "retrieval events have another number of scores than of doc_ids; "
         "their scores are left out"},
    };

    for (size_t i = 0; i < ASSAY_COUNT(kind); i++)
        if (kind[i].n && !assay_notes_add(&m->run->notes, &m->run->arena, "'%s': %u %s",
                                          m->run->path, kind[i].n, kind[i].what))
            return no_memory(err);
    return ASSAY_OK;
}

static assay_status read_stage(const assay_run_source *source, assay_run *into,
                               assay_error *err)
{
    making m = {.run = into};
    assay_status st = assay_stages_read(source, into, &into->stages, err);

    if (st)
        return st;
    m.stages = into->stages;
    into->name = m.stages->chosen;
    m.attempt = ASSAY_ARENA_ARRAY(&into->arena, uint32_t, m.stages->n);
    if (!m.attempt)
        return no_memory(err);
    st = add_events(&m, true, err);
    if (!st)
        st = add_events(&m, false, err);
    return st ? st : add_notes(&m, err);
}

static int sniff_stage(const assay_run_source *source)
{
    if (assay_run_has_key(source, "stage_type") ||
        assay_run_has_key(source, "stage_events"))
        return 90;
    return assay_run_has_key(source, "run_id") &&
                   (assay_run_has_key(source, "stage_id") ||
                    assay_run_has_key(source, "attributes"))
               ? 70
               : 0;
}

const assay_run_format assay_run_format_stage = {
    .name = "stage",
    .summary =
        "evalvault's stage events: JSONL, a list, {\"stage_events\": []}, one object",
    .sniff = sniff_stage,
    .read = read_stage,
    .details = "  {\"run_id\", \"stage_type\", \"stage_id\", \"status\", \"attempt\",\n"
               "   \"started_at\", \"finished_at\", \"duration_ms\",\n"
               "   \"attributes\": {\"doc_ids\", \"scores\", \"top_k\"},\n"
               "   \"metadata\": {\"test_case_id\"}}\n"
               "  Retrieval events become hits; 'assay stages' measures the stages.",
};
