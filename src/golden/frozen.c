/* SPDX-License-Identifier: Apache-2.0 */
/* Writing and hashing; frozen_read.c reads.  Lines and paths stay out: a comment in the
 * file, or another folder, makes no other golden set. */
#include "golden/frozen.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "base/slice.h"
#include "golden/frozen_keys.h"

/* ---- small words ---- */

static void put_text(assay_json_writer *w, const char *key, assay_slice text)
{
    if (!text.len)
        return;
    assay_json_key(w, key);
    assay_json_string(w, text);
}

static void put_true(assay_json_writer *w, const char *key, bool value)
{
    if (!value)
        return;
    assay_json_key(w, key);
    assay_json_bool(w, true);
}

static void put_list(assay_json_writer *w, assay_strings list)
{
    assay_json_list(w);
    for (uint32_t i = 0; i < list.n; i++)
        assay_json_string(w, list.item[i]);
    assay_json_list_end(w);
}

static void put_strings(assay_json_writer *w, const char *key, assay_strings list)
{
    if (!list.n)
        return;
    assay_json_key(w, key);
    put_list(w, list);
}

static void put_span(assay_json_writer *w, assay_span span)
{
    assay_json_list(w);
    assay_json_int(w, (int64_t)span.start);
    assay_json_int(w, (int64_t)span.end);
    assay_json_list_end(w);
}

static assay_slice word_of(const assay_dict *dict, uint32_t number)
{
    return number == ASSAY_NONE ? ASSAY_LIT("") : dict->word[number];
}

/* ---- judgments ---- */

/* What the golden set says, but for what a look into a corpus adds. */
static void put_statement(assay_json_writer *w, const assay_golden *g,
                          const assay_judgment *j)
{
    put_text(w, "chunk", word_of(&g->chunks, j->chunk));
    put_text(w, "quote", j->quote);
    put_text(w, "heading", word_of(&g->headings, j->heading));
    put_text(w, "subtopic", word_of(&g->subtopics, j->subtopic));
    if (j->place != ASSAY_PLACE_NONE) {
        assay_json_key(w, assay_frozen_places[j->place]);
        put_span(w, j->where);
    }
    assay_json_key(w, "grade");
    assay_json_int(w, j->grade);
    if (j->stale != ASSAY_STALE_NOT) {
        assay_json_key(w, "stale");
        assay_json_text(w, assay_frozen_stales[j->stale]);
    }
}

static void put_judgment(assay_json_writer *w, const assay_golden *g,
                         const assay_judgment *j)
{
    assay_json_object(w);
    put_text(w, "doc", word_of(&g->docs, j->doc));
    put_statement(w, g, j);
    if (j->n_spans) {
        assay_json_key(w, "spans");
        assay_json_list(w);
        for (uint32_t i = 0; i < j->n_spans; i++)
            put_span(w, j->span[i]);
        assay_json_list_end(w);
    }
    assay_json_object_end(w);
}

/* ---- queries ---- */

static void put_facets(assay_json_writer *w, const assay_query *q)
{
    put_text(w, "lang", q->lang);
    put_text(w, "difficulty", q->difficulty);
    put_text(w, "category", q->category);
    put_text(w, "group", q->group);
    put_text(w, "notes", q->notes);
    put_strings(w, "tags", q->tags);
    if (!q->n_meta)
        return;
    assay_json_key(w, "meta");
    assay_json_object(w);
    for (uint32_t i = 0; i < q->n_meta; i++) {
        assay_json_key_slice(w, q->meta[i].key);
        assay_json_string(w, q->meta[i].value);
    }
    assay_json_object_end(w);
}

/* What an answer is held against. */
static void put_expectations(assay_json_writer *w, const assay_query *q)
{
    put_strings(w, "must_contain", q->must_contain);
    if (q->n_any_of) {
        assay_json_key(w, "any_of");
        assay_json_list(w);
        for (uint32_t i = 0; i < q->n_any_of; i++)
            put_list(w, q->any_of[i]);
        assay_json_list_end(w);
    }
    put_strings(w, "forbidden", q->forbidden);
    if (q->has_expected_answer) {
        assay_json_key(w, "expected_answer");
        assay_json_string(w, q->expected_answer);
    }
}

static void put_query(assay_json_writer *w, const assay_golden *g, const assay_query *q)
{
    assay_json_object(w);
    assay_json_key(w, "id");
    assay_json_string(w, q->id);
    assay_json_key(w, "query");
    assay_json_string(w, q->text);
    assay_json_key(w, "label");
    assay_json_text(w, assay_label_name((assay_label)q->label));
    put_true(w, "draft", q->is_draft);
    put_true(w, "has_list", q->has_relevant_key);
    put_facets(w, q);
    put_expectations(w, q);
    assay_json_key(w, "judgments");
    assay_json_list(w);
    for (uint32_t i = 0; i < q->n_judgments; i++)
        put_judgment(w, g, &q->judgment[i]);
    assay_json_list_end(w);
    assay_json_object_end(w);
}

/* ---- the set ---- */

static void put_head(assay_json_writer *w, const assay_golden *g)
{
    assay_json_key(w, "schema");
    assay_json_text(w, ASSAY_FROZEN_SCHEMA);
    put_text(w, "name", g->name);
    put_text(w, "version", g->version);
    put_text(w, "description", g->description);
    put_text(w, "conventions", g->conventions);
    put_true(w, "drop_self_hits", g->drop_self_hits);
    if (!g->n_thresholds)
        return;
    assay_json_key(w, "thresholds");
    assay_json_object(w);
    for (uint32_t i = 0; i < g->n_thresholds; i++) {
        assay_json_key_slice(w, g->threshold[i].metric);
        assay_json_double(w, g->threshold[i].value);
    }
    assay_json_object_end(w);
}

assay_status assay_golden_freeze(const assay_golden *golden, assay_buffer *out,
                                 assay_error *err)
{
    assay_json_writer w = assay_json_writer_of(out, 0);

    assay_json_object(&w);
    put_head(&w, golden);
    assay_json_key(&w, "queries");
    assay_json_list(&w);
    for (uint32_t i = 0; i < golden->n_queries; i++) {
        /* A line a query: for those who read or compare it by hand. */
        assay_buffer_char(out, '\n');
        put_query(&w, golden, &golden->query[i]);
    }
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(out, '\n');
    return out->has_failed ? assay_fail_memory(err, "freezing a golden set") : ASSAY_OK;
}

/* ---- hashes ---- */

static void hex_of(const uint8_t digest[ASSAY_SHA256_BYTES], char out[65])
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < ASSAY_SHA256_BYTES; i++) {
        out[2 * i] = digits[digest[i] >> 4];
        out[2 * i + 1] = digits[digest[i] & 15];
    }
    out[64] = '\0';
}

void assay_frozen_hash(assay_slice text, char out[65])
{
    uint8_t digest[ASSAY_SHA256_BYTES];

    assay_sha256_of(text, digest);
    hex_of(digest, out);
}

static int compare_slices(const void *a, const void *b)
{
    return assay_slice_cmp(*(const assay_slice *)a, *(const assay_slice *)b);
}

/* One judgment as a line of its own.  The document of a chunk is what a corpus added to
 * it, so it is left out there. */
static assay_status judgment_line(const assay_golden *g, const assay_judgment *j,
                                  assay_arena *arena, assay_slice *out)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_json_writer w = assay_json_writer_of(&b, 0);

    assay_json_object(&w);
    if (j->chunk == ASSAY_NONE)
        put_text(&w, "doc", word_of(&g->docs, j->doc));
    put_statement(&w, g, j);
    assay_json_object_end(&w);
    *out = assay_arena_copy(arena, assay_buffer_view(&b));
    bool has_failed = b.has_failed || !out->ptr;
    assay_buffer_clear(&b);
    return has_failed ? ASSAY_ENOMEM : ASSAY_OK;
}

static assay_status hash_query(const assay_golden *g, const assay_query *q,
                               assay_arena *arena, char out[65])
{
    assay_slice *line = ASSAY_ARENA_ARRAY(arena, assay_slice, q->n_judgments + 1);
    bool may_be_stale = q->label == ASSAY_LABEL_STALE;
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_json_writer w = assay_json_writer_of(&b, 0);

    if (!line)
        return ASSAY_ENOMEM;
    for (uint32_t i = 0; i < q->n_judgments; i++)
        if (judgment_line(g, &q->judgment[i], arena, &line[i]))
            return ASSAY_ENOMEM;
    qsort(line, q->n_judgments, sizeof *line, compare_slices);
    assay_json_object(&w);
    assay_json_key(&w, "query");
    assay_json_string(&w, q->text);
    assay_json_key(&w, "label");
    assay_json_text(&w, assay_label_name(may_be_stale ? ASSAY_LABEL_LABELLED
                                                      : (assay_label)q->label));
    put_expectations(&w, q);
    assay_json_object_end(&w);
    for (uint32_t i = 0; i < q->n_judgments; i++)
        assay_buffer_slice(&b, line[i]);
    assay_frozen_hash(assay_buffer_view(&b), out);
    bool has_failed = b.has_failed;
    assay_buffer_clear(&b);
    return has_failed ? ASSAY_ENOMEM : ASSAY_OK;
}

assay_status assay_query_hash(const assay_golden *golden, const assay_query *query,
                              char out[65], assay_error *err)
{
    assay_arena arena = {0};
    assay_status st = hash_query(golden, query, &arena, out);

    assay_arena_clear(&arena);
    return st ? assay_fail_memory(err, "hashing a query") : ASSAY_OK;
}
