/* SPDX-License-Identifier: Apache-2.0 */
/* Stage events: reading and checking them.
 *
 * The rules are evalvault's, and so are the names of the faults that messages carry in
 * brackets.  Where it would take a string for a list of one, or a number in quotes for a
 * number, this reader refuses: both are mistakes more often than not. */
#include "run/stages.h"

#include <string.h>

#include "base/error.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/slice.h"

typedef struct reading {
    const assay_run_source *source;
    assay_run *run;
    assay_stages *stages;
    assay_dict run_ids;
    assay_stage *event; /* grows; copied into the arena at the end */
} reading;

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "reading stage events");
}

const assay_node *assay_stage_get(const assay_node *map, const char *key)
{
    const assay_node *node = assay_node_get(map, key);

    return node && node->kind != ASSAY_NODE_NULL ? node : NULL;
}

assay_slice assay_stage_id(const assay_node *node)
{
    if (node && (node->kind == ASSAY_NODE_STRING || node->kind == ASSAY_NODE_INT))
        return node->text;
    return (assay_slice){"", 0};
}

bool assay_stages_counts(const assay_stages *stages, const assay_stage *event)
{
    return assay_slice_eq(stages->chosen, event->run_id);
}

bool assay_stage_has_failed(const assay_stage *event)
{
    static const char *const words[] = {"failed",  "failure", "fail",      "error",
                                        "timeout", "aborted", "cancelled", "canceled"};

    for (size_t i = 0; i < ASSAY_COUNT(words); i++)
        if (assay_slice_is_nocase(event->status, words[i]))
            return true;
    return false;
}

/* ---- one event ---- */

typedef struct fault {
    const char *key;
    const char *class; /* evalvault's name for it */
} fault;

static assay_status fail_kind(const reading *in, const assay_node *at, fault what,
                              const char *wanted, assay_error *err)
{
    return assay_fail_at(err, in->source->path, at->line, "'%s' must be %s, not %s (%s)",
                         what.key, wanted, assay_node_kind_name(at->kind), what.class);
}

/* A string or whole number that must be there. */
static assay_status read_required(const reading *in, const assay_node *map, fault what,
                                  assay_slice *out, assay_error *err)
{
    const assay_node *node = assay_stage_get(map, what.key);

    if (!node)
        return assay_fail_at(err, in->source->path, map->line,
                             "an event without '%s' (%s)", what.key, what.class);
    if (node->kind != ASSAY_NODE_STRING && node->kind != ASSAY_NODE_INT)
        return fail_kind(in, node, what, "a string", err);
    *out = assay_slice_trim(node->text);
    if (!out->len)
        return assay_fail_at(err, in->source->path, node->line, "'%s' is empty (%s)",
                             what.key, what.class);
    return ASSAY_OK;
}

static assay_status read_text(const reading *in, const assay_node *map, const char *key,
                              assay_slice *out, assay_error *err)
{
    const assay_node *node = assay_stage_get(map, key);

    if (!node)
        return ASSAY_OK;
    if (node->kind != ASSAY_NODE_STRING && node->kind != ASSAY_NODE_INT)
        return fail_kind(in, node, (fault){key, "other"}, "a string", err);
    *out = node->text;
    return ASSAY_OK;
}

static assay_status read_map(const reading *in, const assay_node *map, fault what,
                             const assay_node **out, assay_error *err)
{
    *out = assay_stage_get(map, what.key);
    if (*out && (*out)->kind != ASSAY_NODE_MAP)
        return fail_kind(in, *out, what, "an object", err);
    return ASSAY_OK;
}

static assay_status read_attempt(const reading *in, const assay_node *map,
                                 assay_stage *event, assay_error *err)
{
    const assay_node *node = assay_stage_get(map, "attempt");

    event->attempt = 1;
    if (!node)
        return ASSAY_OK;
    if (node->kind != ASSAY_NODE_INT || node->integer < 1 || node->integer > UINT32_MAX)
        return assay_fail_at(err, in->source->path, node->line,
                             "'attempt' must be a whole number from 1 (invalid_attempt)");
    event->attempt = (uint32_t)node->integer;
    return ASSAY_OK;
}

typedef struct moment {
    const assay_node *node; /* null = not given */
    int64_t us;
    bool has_zone;
} moment;

static assay_status read_moment(const reading *in, const assay_node *map, const char *key,
                                moment *out, assay_error *err)
{
    fault what = {key, "invalid_datetime"};

    *out = (moment){.node = assay_stage_get(map, key)};
    if (!out->node)
        return ASSAY_OK;
    if (out->node->kind != ASSAY_NODE_STRING)
        return fail_kind(in, out->node, what, "a time in quotes", err);
    if (!assay_stage_time(out->node->text, &out->us, &out->has_zone))
        return assay_fail_at(
            err, in->source->path, out->node->line,
            "'%s' is '%.*s'; want a time like 2026-01-04T12:00:00.5Z (%s)", key,
            ASSAY_QUOTE(out->node->text), what.class);
    return ASSAY_OK;
}

/* The given duration, else the time between the two moments. */
static assay_status read_duration(const reading *in, const assay_node *map,
                                  assay_stage *event, assay_error *err)
{
    const assay_node *given = assay_stage_get(map, "duration_ms");
    moment from, to;
    assay_status st = read_moment(in, map, "started_at", &from, err);

    if (!st)
        st = read_moment(in, map, "finished_at", &to, err);
    if (st)
        return st;
    event->duration_ms = -1;
    if (from.node && to.node) {
        if (from.has_zone != to.has_zone)
            return assay_fail_at(err, in->source->path, to.node->line,
                                 "only one of 'started_at' and 'finished_at' names its "
                                 "time zone (invalid_datetime)");
        if (to.us < from.us)
            return assay_fail_at(
                err, in->source->path, to.node->line,
                "'finished_at' is before 'started_at' (invalid_datetime)");
        event->duration_ms = (double)(to.us - from.us) / 1000;
    }
    if (!given)
        return ASSAY_OK;
    if (given->kind != ASSAY_NODE_INT && given->kind != ASSAY_NODE_NUMBER)
        return fail_kind(in, given, (fault){"duration_ms", "invalid_duration"},
                         "a number", err);
    if (given->number < 0)
        return assay_fail_at(err, in->source->path, given->line,
                             "'duration_ms' is %.*s; it cannot be negative "
                             "(invalid_duration)",
                             ASSAY_QUOTE(given->text));
    event->duration_ms = given->number;
    return ASSAY_OK;
}

static assay_status check_ref(const reading *in, const assay_node *map, const char *key,
                              assay_error *err)
{
    const fault what = {key, "invalid_payload_ref"};
    const assay_node *ref;
    assay_status st = read_map(in, map, what, &ref, err);

    if (st || !ref)
        return st;
    if (!assay_stage_id(assay_stage_get(ref, "store")).len ||
        !assay_stage_id(assay_stage_get(ref, "id")).len)
        return assay_fail_at(err, in->source->path, ref->line,
                             "'%s' needs 'store' and 'id' (%s)", key, what.class);
    return ASSAY_OK;
}

/* ---- documents and scores ---- */

static bool is_context(assay_slice id)
{
    uint32_t n;
    size_t prefix = sizeof "context_" - 1;

    return assay_slice_starts(id, "context_") &&
           assay_slice_to_u32((assay_slice){id.ptr + prefix, id.len - prefix}, &n);
}

static assay_status read_doc(reading *in, const assay_node *node, assay_slice *out,
                             assay_error *err)
{
    const assay_run_options *options = in->source->options;

    if (node->kind == ASSAY_NODE_STRING) {
        *out = node->text;
        if (!out->len)
            return assay_fail_at(err, in->source->path, node->line,
                                 "'doc_ids' has an empty id (invalid_attributes)");
        in->stages->n_contexts += is_context(*out);
        return ASSAY_OK;
    }
    if (node->kind != ASSAY_NODE_INT)
        return fail_kind(in, node, (fault){"doc_ids", "invalid_attributes"},
                         "a list of strings or whole numbers", err);
    in->stages->n_integers++;
    *out = node->text;
    if (!options->n_doc_ids)
        return ASSAY_OK;
    if (node->integer < 0 || node->integer >= options->n_doc_ids)
        return assay_fail_at(err, in->source->path, node->line,
                             "'doc_ids' has the index %.*s, but there are %u documents "
                             "(invalid_attributes)",
                             ASSAY_QUOTE(node->text), options->n_doc_ids);
    /* The caller's ids need not outlive the call. */
    *out = assay_arena_copy(&in->run->arena, options->doc_id[node->integer]);
    return out->ptr ? ASSAY_OK : no_memory(err);
}

static assay_status get_list(const reading *in, const assay_stage *event, const char *key,
                             const assay_node **out, assay_error *err)
{
    *out = assay_stage_get(event->attributes, key);
    if (*out && (*out)->kind != ASSAY_NODE_LIST)
        return fail_kind(in, *out, (fault){key, "invalid_attributes"}, "a list", err);
    return ASSAY_OK;
}

static assay_status read_docs(reading *in, assay_stage *event, assay_error *err)
{
    const assay_node *list;
    assay_slice *doc;
    assay_status st = get_list(in, event, "doc_ids", &list, err);

    if (st || !list)
        return st;
    doc = ASSAY_ARENA_ARRAY(&in->run->arena, assay_slice, list->n);
    if (!doc)
        return no_memory(err);
    for (const assay_node *n = list->child; n && !st; n = n->next)
        st = read_doc(in, n, &doc[event->n_docs++], err);
    event->doc = doc;
    return st;
}

static assay_status read_scores(const reading *in, assay_stage *event, assay_error *err)
{
    const assay_node *list;
    double *score;
    assay_status st = get_list(in, event, "scores", &list, err);

    if (st || !list)
        return st;
    score = ASSAY_ARENA_ARRAY(&in->run->arena, double, list->n);
    if (!score)
        return no_memory(err);
    for (const assay_node *n = list->child; n; n = n->next) {
        if (n->kind != ASSAY_NODE_INT && n->kind != ASSAY_NODE_NUMBER)
            return fail_kind(in, n, (fault){"scores", "invalid_attributes"},
                             "a list of numbers", err);
        score[event->n_scores++] = n->number;
    }
    event->score = score;
    return ASSAY_OK;
}

/* ---- putting an event together ---- */

static assay_status read_names(reading *in, const assay_node *map, assay_stage *event,
                               assay_error *err)
{
    assay_status st =
        read_required(in, map, (fault){"run_id", "missing_run_id"}, &event->run_id, err);

    if (!st)
        st = read_required(in, map, (fault){"stage_type", "invalid_stage_type"},
                           &event->type, err);
    if (!st)
        st = read_text(in, map, "stage_id", &event->stage_id, err);
    if (!st)
        st = read_text(in, map, "parent_stage_id", &event->parent_id, err);
    if (!st)
        st = read_text(in, map, "stage_name", &event->name, err);
    if (!st)
        st = read_text(in, map, "status", &event->status, err);
    return st;
}

static assay_status read_rest(reading *in, const assay_node *map, assay_stage *event,
                              assay_error *err)
{
    assay_status st = read_attempt(in, map, event, err);

    if (!st)
        st = read_duration(in, map, event, err);
    if (!st)
        st = check_ref(in, map, "input_ref", err);
    if (!st)
        st = check_ref(in, map, "output_ref", err);
    if (!st)
        st = read_map(in, map, (fault){"attributes", "invalid_attributes"},
                      &event->attributes, err);
    if (!st)
        st = read_map(in, map, (fault){"metadata", "invalid_metadata"}, &event->metadata,
                      err);
    if (!st)
        st = read_docs(in, event, err);
    if (!st)
        st = read_scores(in, event, err);
    event->test_case = assay_stage_id(assay_stage_get(event->metadata, "test_case_id"));
    return st;
}

/* The stage type in lower case, the stage id made up where there is none. */
static bool fill_names(reading *in, assay_stage *event)
{
    assay_arena *arena = &in->run->arena;
    char *type = assay_arena_string(arena, event->type);
    assay_buffer made = ASSAY_BUFFER_EMPTY;

    if (!type)
        return false;
    for (char *c = type; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    event->type.ptr = type;
    if (!event->stage_id.len) {
        assay_buffer_printf(&made, "event-%u", in->stages->n + 1);
        event->stage_id = assay_arena_copy(arena, assay_buffer_view(&made));
        assay_buffer_clear(&made);
    }
    return event->stage_id.ptr != NULL;
}

static assay_status read_event(reading *in, const assay_node *map, assay_error *err)
{
    static const assay_slice none = {"", 0};
    assay_stages *stages = in->stages;
    assay_stage event = {.line = map->line,
                         .stage_id = none,
                         .parent_id = none,
                         .name = none,
                         .status = ASSAY_LIT("success"),
                         .test_case = none};
    assay_stage *grown;
    uint32_t number;
    assay_status st;

    if (map->kind != ASSAY_NODE_MAP)
        return assay_fail_at(err, in->source->path, map->line,
                             "an event must be an object, not %s (other)",
                             assay_node_kind_name(map->kind));
    st = read_names(in, map, &event, err);
    if (!st)
        st = read_rest(in, map, &event, err);
    if (st)
        return st;
    grown = assay_mem_grow(in->event, &stages->cap, (size_t)stages->n + 1, sizeof event);
    if (!grown)
        return no_memory(err);
    in->event = grown;
    if (!fill_names(in, &event) ||
        !assay_dict_put(&in->run_ids, NULL, event.run_id, &number, NULL))
        return no_memory(err);
    in->event[stages->n++] = event;
    return ASSAY_OK;
}

/* ---- the file ---- */

static assay_status read_lines(reading *in, assay_error *err)
{
    const assay_run_options *options = in->source->options;
    size_t max_line = options->max_line ? options->max_line : ASSAY_MAX_LINE;
    assay_lines lines = assay_lines_of(in->source->path, in->source->text);
    assay_slice line;

    while (assay_lines_next(&lines, &line)) {
        assay_node *node = NULL;
        assay_status st;

        if (!assay_slice_trim(line).len)
            continue;
        if (line.len > max_line)
            return ASSAY_LINES_FAIL(err, &lines,
                                    "a line of %zu bytes; %zu are allowed (--max-line)",
                                    line.len, max_line);
        st = assay_node_json_line(in->source->path, (uint32_t)lines.line, line,
                                  &in->run->arena, &node, err);
        if (!st)
            st = read_event(in, node, err);
        if (st)
            return st;
    }
    return ASSAY_OK;
}

static assay_status read_whole(reading *in, assay_error *err)
{
    const assay_node *list;
    assay_node *root = NULL;
    assay_status st =
        assay_node_json(in->source->path, in->source->text, &in->run->arena, &root, err);

    if (st)
        return st;
    list = root->kind == ASSAY_NODE_LIST ? root : assay_node_get(root, "stage_events");
    if (!list)
        return read_event(in, root, err);
    if (list->kind != ASSAY_NODE_LIST)
        return assay_fail_at(err, in->source->path, list->line,
                             "'stage_events' must be a list, not %s (other)",
                             assay_node_kind_name(list->kind));
    for (const assay_node *n = list->child; n && !st; n = n->next)
        st = read_event(in, n, err);
    return st;
}

/* Whether the first line with anything on it is an event by itself. */
static bool is_lines(const reading *in)
{
    assay_lines lines = assay_lines_of(in->source->path, in->source->text);
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_node *node = NULL;
    assay_slice line = {"", 0};
    bool is_one;

    while (assay_lines_next(&lines, &line) && !assay_slice_trim(line).len)
        continue;
    is_one = assay_node_json(in->source->path, line, &arena, &node, NULL) == ASSAY_OK &&
             node->kind == ASSAY_NODE_MAP && !assay_node_get(node, "stage_events");
    assay_arena_clear(&arena);
    return is_one;
}

static assay_status choose_run(reading *in, assay_error *err)
{
    assay_stages *stages = in->stages;
    const char *wanted = in->source->options->run_id;
    assay_arena *arena = &in->run->arena;

    stages->n_run_ids = in->run_ids.n;
    stages->run_id = ASSAY_ARENA_ARRAY(arena, assay_slice, in->run_ids.n);
    if (!stages->run_id)
        return no_memory(err);
    for (uint32_t i = 0; i < in->run_ids.n; i++)
        stages->run_id[i] = in->run_ids.word[i];
    stages->chosen = in->run_ids.n ? stages->run_id[0] : (assay_slice){"", 0};
    if (wanted) {
        uint32_t found = assay_dict_find(&in->run_ids, assay_slice_of(wanted));

        if (found == ASSAY_NONE)
            return assay_fail(err, ASSAY_EUSAGE,
                              "no run '%.80s' in '%s'; the first is '%.*s'", wanted,
                              in->source->path, ASSAY_QUOTE(stages->chosen));
        stages->chosen = stages->run_id[found];
    } else if (stages->n_run_ids > 1 &&
               !assay_notes_add(&in->run->notes, arena,
                                "'%s' holds %u runs; this is the first, '%.*s'; --run-id "
                                "picks another",
                                in->source->path, stages->n_run_ids,
                                ASSAY_QUOTE(stages->chosen))) {
        return no_memory(err);
    }
    return ASSAY_OK;
}

static assay_status note_ids(const reading *in, assay_error *err)
{
    const assay_stages *stages = in->stages;
    bool has_docs = in->source->options->n_doc_ids > 0;
    bool ok = true;

    if (stages->n_integers)
        ok = assay_notes_add(&in->run->notes, &in->run->arena,
                             has_docs
                                 ? "%u whole numbers in 'doc_ids' of '%s' were taken as "
                                   "places in the list of documents, from 0"
                                 : "%u whole numbers in 'doc_ids' of '%s' stay as they "
                                   "are: without the documents nobody knows their ids",
                             stages->n_integers, in->source->path);
    if (ok && stages->n_contexts)
        ok =
            assay_notes_add(&in->run->notes, &in->run->arena,
                            "%u ids in '%s' are like 'context_1' and can match no ground "
                            "truth: the run had no retriever",
                            stages->n_contexts, in->source->path);
    return ok ? ASSAY_OK : no_memory(err);
}

/* Move the events into the arena. */
static assay_status keep_events(reading *in, assay_error *err)
{
    assay_stages *stages = in->stages;

    stages->event = ASSAY_ARENA_ARRAY(&in->run->arena, assay_stage, stages->n);
    if (!stages->event)
        return no_memory(err);
    if (stages->n)
        memcpy(stages->event, in->event, stages->n * sizeof *stages->event);
    return ASSAY_OK;
}

assay_status assay_stages_read(const assay_run_source *source, assay_run *run,
                               assay_stages **out, assay_error *err)
{
    reading in = {.source = source, .run = run};
    assay_status st;

    in.stages = ASSAY_ARENA_ARRAY(&run->arena, assay_stages, 1);
    if (!in.stages)
        return no_memory(err);
    st = is_lines(&in) ? read_lines(&in, err) : read_whole(&in, err);
    if (!st)
        st = choose_run(&in, err);
    if (!st)
        st = note_ids(&in, err);
    if (!st)
        st = keep_events(&in, err);
    if (!st)
        *out = in.stages;
    assay_mem_free(in.event);
    assay_dict_clear(&in.run_ids);
    return st;
}
