/* SPDX-License-Identifier: Apache-2.0 */
/* Keys come out in the order in which docs/FORMATS.md explains them. */
#include <inttypes.h>
#include <stdio.h>

#include "base/slice.h"
#include "golden/lost.h"
#include "golden/native.h"

static void write_strings(assay_emit *e, assay_strings s)
{
    assay_emit_list(e, true);
    for (uint32_t i = 0; i < s.n; i++)
        assay_emit_text(e, s.item[i]);
    assay_emit_end(e);
}

static void write_strings_of(assay_emit *e, const char *key, assay_strings s)
{
    if (!s.n)
        return;
    assay_emit_key(e, key);
    write_strings(e, s);
}

static void write_place(assay_emit *e, const assay_judgment *j)
{
    static const char *const name[] = {[ASSAY_PLACE_SPAN] = "span",
                                       [ASSAY_PLACE_CHARS] = "chars",
                                       [ASSAY_PLACE_LINES] = "lines"};
    char text[64];

    if (j->place == ASSAY_PLACE_NONE)
        return;
    snprintf(text, sizeof text, "%" PRIu64 "-%" PRIu64, j->where.start, j->where.end);
    assay_emit_key(e, name[j->place]);
    assay_emit_text(e, assay_slice_of(text));
}

void assay_native_put_judgment(assay_emit *e, const assay_golden *golden,
                               const assay_judgment *j)
{
    /* A quote of several lines is easier to read as lines. */
    assay_emit_map(e, e->is_json || !assay_emit_is_literal(j->quote));
    if (j->doc != ASSAY_NONE)
        assay_emit_text_of(e, "doc", golden->docs.word[j->doc]);
    if (j->chunk != ASSAY_NONE)
        assay_emit_text_of(e, "chunk", golden->chunks.word[j->chunk]);
    if (j->quote.len) {
        assay_emit_key(e, "quote");
        assay_emit_words(e, j->quote);
    }
    write_place(e, j);
    if (j->heading != ASSAY_NONE)
        assay_emit_text_of(e, "heading", golden->headings.word[j->heading]);
    if (j->grade != 1) {
        assay_emit_key(e, "grade");
        assay_emit_int(e, j->grade);
    }
    if (j->subtopic != ASSAY_NONE)
        assay_emit_text_of(e, "subtopic", golden->subtopics.word[j->subtopic]);
    assay_emit_end(e);
}

static void write_relevant(assay_emit *e, const assay_golden *golden,
                           const assay_query *q)
{
    if (!q->has_relevant_key && !q->n_judgments)
        return;
    assay_emit_key(e, "relevant");
    assay_emit_list(e, q->n_judgments == 0);
    for (uint32_t i = 0; i < q->n_judgments; i++)
        assay_native_put_judgment(e, golden, &q->judgment[i]);
    assay_emit_end(e);
}

static void write_slices(assay_emit *e, const assay_query *q)
{
    assay_emit_text_of(e, "lang", q->lang);
    assay_emit_text_of(e, "difficulty", q->difficulty);
    assay_emit_text_of(e, "category", q->category);
    write_strings_of(e, "tags", q->tags);
    if (q->n_meta) {
        assay_emit_key(e, "meta");
        assay_emit_map(e, true);
        for (uint32_t i = 0; i < q->n_meta; i++) {
            assay_emit_key_slice(e, q->meta[i].key);
            assay_emit_text(e, q->meta[i].value);
        }
        assay_emit_end(e);
    }
    assay_emit_text_of(e, "group", q->group);
    if (q->is_draft)
        assay_emit_text_of(e, "state", ASSAY_LIT("draft"));
}

static void write_answer(assay_emit *e, const assay_query *q)
{
    write_strings_of(e, "must_contain", q->must_contain);
    if (q->n_any_of) {
        assay_emit_key(e, "any_of");
        assay_emit_list(e, true);
        for (uint32_t i = 0; i < q->n_any_of; i++)
            write_strings(e, q->any_of[i]);
        assay_emit_end(e);
    }
    write_strings_of(e, "forbidden", q->forbidden);
    if (q->has_expected_answer) {
        assay_emit_key(e, "expected_answer");
        assay_emit_text(e, q->expected_answer);
    }
    if (q->label == ASSAY_LABEL_SHOULD_REFUSE) {
        assay_emit_key(e, "should_refuse");
        assay_emit_bool(e, true);
    }
}

void assay_native_put_query(assay_emit *e, const assay_golden *golden,
                            const assay_query *q)
{
    assay_emit_map(e, false);
    assay_emit_key(e, "id");
    assay_emit_text(e, q->id);
    assay_emit_key(e, "query");
    assay_emit_text(e, q->text);
    write_slices(e, q);
    write_relevant(e, golden, q);
    write_answer(e, q);
    assay_emit_text_of(e, "notes", q->notes);
    assay_emit_end(e);
}

static void write_head(assay_emit *e, const assay_golden *golden)
{
    assay_emit_key(e, "version");
    assay_emit_int(e, 1);
    assay_emit_text_of(e, "name", golden->name);
    assay_emit_text_of(e, "revision", golden->version);
    assay_emit_text_of(e, "description", golden->description);
    assay_emit_text_of(e, "conventions", golden->conventions);
    if (golden->n_thresholds) {
        assay_emit_key(e, "thresholds");
        assay_emit_map(e, true);
        for (uint32_t i = 0; i < golden->n_thresholds; i++) {
            assay_emit_key_slice(e, golden->threshold[i].metric);
            assay_emit_double(e, golden->threshold[i].value);
        }
        assay_emit_end(e);
    }
    if (golden->drop_self_hits) {
        assay_emit_key(e, "drop_self_hits");
        assay_emit_bool(e, true);
    }
}

static void write_documents(assay_emit *e, const assay_golden *golden)
{
    if (!golden->n_docs)
        return;
    assay_emit_key(e, "documents");
    assay_emit_list(e, false);
    for (uint32_t i = 0; i < golden->n_docs; i++) {
        assay_emit_map(e, false);
        assay_emit_key(e, "doc");
        assay_emit_text(e, golden->doc[i].id);
        assay_emit_text_of(e, "title", golden->doc[i].title);
        assay_emit_text_of(e, "text", golden->doc[i].text);
        assay_emit_end(e);
    }
    assay_emit_end(e);
}

assay_status assay_native_write(const assay_golden *golden,
                                const assay_golden_target *target, assay_error *err)
{
    assay_emit e = assay_emit_of(target->out, target->is_json);

    assay_emit_map(&e, false);
    write_head(&e, golden);
    write_documents(&e, golden);
    assay_emit_key(&e, "queries");
    assay_emit_list(&e, false);
    for (uint32_t i = 0; i < golden->n_queries; i++)
        assay_native_put_query(&e, golden, &golden->query[i]);
    assay_emit_end(&e);
    assay_emit_end(&e);
    assay_emit_done(&e);
    return assay_golden_written(target, true, err);
}
