/* SPDX-License-Identifier: Apache-2.0 */
/* Writing; bundle_read.c reads.  One table says what of a stored run stands in the head. */
#include "pipeline/run_bundle.h"

#include <stddef.h>

#include "base/error.h"
#include "base/json.h"
#include "base/slice.h"
#include "metric/metric.h"
#include "pipeline/bundle_head.h"
#include "run/snapshot.h"

#define TEXT(member, is_time)                                               \
    {                                                                       \
#member, ASSAY_BUNDLE_TEXT, offsetof(assay_stored, member), is_time \
    }
#define COUNT(member)                                                      \
    {                                                                      \
#member, ASSAY_BUNDLE_COUNT, offsetof(assay_stored, member), false \
    }

const assay_bundle_field assay_bundle_fields[] = {
    TEXT(run_id, true),
    TEXT(suite, false),
    {"commit_hash", ASSAY_BUNDLE_TEXT, offsetof(assay_stored, commit), false},
    TEXT(created_at, true),
    TEXT(finished_at, true),
    TEXT(status, false),
    TEXT(source, false),
    TEXT(method, false),
    TEXT(golden_hash, false),
    TEXT(corpus_hash, false),
    TEXT(chunker, false),
    COUNT(k),
    COUNT(depth),
    COUNT(n_planned),
    {NULL, ASSAY_BUNDLE_TEXT, 0, false},
};

void assay_run_forget_times(assay_run *run)
{
    for (uint32_t i = 0; i < run->n_results; i++) {
        run->result[i].elapsed_ms = -1;
        if (run->result[i].answer)
            run->result[i].answer->latency_ms = -1;
    }
}

/* ---- the head ---- */

static uint32_t count_lines(assay_slice text)
{
    uint32_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == '\n';
    return n;
}

static void put_head(const assay_stored *stored, assay_slice golden, const assay_run *run,
                     bool with_times, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 0);

    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, ASSAY_BUNDLE_SCHEMA);
    for (const assay_bundle_field *f = assay_bundle_fields; f->name; f++) {
        const void *at = (const char *)stored + f->at;

        if (f->is_time && !with_times)
            continue;
        assay_json_key(&w, f->name);
        if (f->kind == ASSAY_BUNDLE_COUNT)
            assay_json_int(&w, *(const uint32_t *)at);
        else
            assay_json_string(&w, *(const assay_slice *)at);
    }
    assay_json_key(&w, "tags");
    assay_json_object(&w);
    for (uint32_t i = 0; i < stored->n_tags; i++) {
        assay_json_key_slice(&w, stored->tag[i].key);
        assay_json_string(&w, stored->tag[i].value);
    }
    assay_json_object_end(&w);
    assay_json_key(&w, "golden_lines");
    assay_json_int(&w, count_lines(golden));
    assay_json_key(&w, "results");
    assay_json_int(&w, assay_run_n(run));
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
}

/* JSON of somebody else's may stand on several lines; breaks in it are mere blanks. */
static void put_line(assay_slice json, assay_buffer *out)
{
    for (size_t i = 0; i < json.len; i++) {
        bool is_break = json.ptr[i] == '\n' || json.ptr[i] == '\r';

        assay_buffer_char(out, is_break ? ' ' : json.ptr[i]);
    }
    assay_buffer_char(out, '\n');
}

/* ---- without times ---- */

/* Which run was the first of the repeats is an id like the run's own. */
static assay_status put_snapshot(const assay_stored *stored, bool with_times,
                                 assay_buffer *out, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_snapshot snapshot;
    assay_status st;

    if (with_times) {
        put_line(stored->snapshot, out);
        return ASSAY_OK;
    }
    st = assay_snapshot_read("snapshot", stored->snapshot, &arena, &snapshot, err);
    if (!st && snapshot.repeat_of.len) {
        snapshot.repeat_of = ASSAY_LIT("");
        assay_snapshot_write(&snapshot, out);
        assay_buffer_char(out, '\n');
    } else if (!st) {
        put_line(stored->snapshot, out);
    }
    assay_arena_clear(&arena);
    return st;
}

static bool is_timed(assay_slice spelling)
{
    assay_slice name = {spelling.ptr, 0};
    const assay_metric *metric;

    while (name.len < spelling.len && spelling.ptr[name.len] != '(' &&
           spelling.ptr[name.len] != '@')
        name.len++;
    metric = assay_metric_find(name);
    return metric && assay_slice_starts(name, "latency_");
}

/* The members of "metrics", but for durations; the reader stands behind its `{`, whose
 * members begin at `from`. */
static assay_status put_metrics(assay_json *json, const char **from, assay_buffer *out,
                                assay_error *err)
{
    assay_json_token key;
    assay_json_token token;
    assay_status st = assay_json_next(json, &key, err);
    bool is_first = true;

    if (!st)
        assay_buffer_add(out, *from, (size_t)(key.at - *from));
    while (!st && key.kind == ASSAY_JSON_KEY) {
        assay_slice member = {key.at, 0};
        bool is_kept = !is_timed(key.text);

        st = assay_json_next(json, &token, err);
        if (!st)
            st = assay_json_skip(json, token, err);
        if (!st)
            st = assay_json_next(json, &key, err);
        if (st || !is_kept)
            continue;
        member.len = (size_t)(key.at - member.ptr);
        member = assay_slice_trim(member);
        if (member.ptr[member.len - 1] == ',')
            member.len--;
        if (!is_first)
            assay_buffer_char(out, ',');
        assay_buffer_slice(out, member);
        is_first = false;
    }
    *from = key.at;
    return st;
}

static assay_status put_untimed(assay_slice text, assay_buffer *out, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    const char *from = text.ptr;
    assay_json json = {0};
    assay_json_token token;
    assay_status st;

    assay_json_init(&json, "aggregate", 1, text, &arena);
    st = assay_json_next(&json, &token, err);
    if (!st && token.kind == ASSAY_JSON_OBJECT)
        st = assay_json_next(&json, &token, err);
    while (!st && token.kind == ASSAY_JSON_KEY) {
        bool is_metrics = assay_slice_is(token.text, "metrics");

        st = assay_json_next(&json, &token, err);
        if (!st && is_metrics && token.kind == ASSAY_JSON_OBJECT)
            st = put_metrics(&json, &from, out, err);
        else if (!st)
            st = assay_json_skip(&json, token, err);
        if (!st)
            st = assay_json_next(&json, &token, err);
    }
    if (!st)
        assay_buffer_add(out, from, (size_t)(text.ptr + text.len - from));
    assay_json_clear(&json);
    assay_arena_clear(&arena);
    return st;
}

static assay_status put_aggregate(assay_slice aggregate, bool with_times,
                                  assay_buffer *out, assay_error *err)
{
    assay_buffer kept = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    if (with_times)
        put_line(aggregate, out);
    else
        st = put_untimed(aggregate, &kept, err);
    if (!st && !with_times)
        put_line(assay_buffer_view(&kept), out);
    out->has_failed = out->has_failed || kept.has_failed;
    assay_buffer_clear(&kept);
    return st;
}

/* ---- the whole ---- */

static assay_status put_results(const assay_run *run, assay_buffer *out, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_notes lost = {0};
    const assay_run_format *jsonl;
    assay_status st = assay_run_format_get("jsonl", &jsonl, err);

    if (!st)
        st = jsonl->write(run, out, &lost, &arena, err);
    assay_notes_clear(&lost);
    assay_arena_clear(&arena);
    return st;
}

assay_status assay_bundle_write(const assay_stored *stored, assay_slice golden,
                                const assay_run *run, bool with_times, assay_buffer *out,
                                assay_error *err)
{
    assay_status st;

    put_head(stored, golden, run, with_times, out);
    st = put_snapshot(stored, with_times, out, err);
    if (!st)
        st = put_aggregate(stored->aggregate, with_times, out, err);
    if (!st) {
        assay_buffer_slice(out, golden);
        st = put_results(run, out, err);
    }
    if (!st && out->has_failed)
        st = assay_fail_memory(err, "writing a bundle");
    return st;
}
