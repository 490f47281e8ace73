/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/doc_records.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/slice.h"
#include "corpus/doc_name.h"

static const struct {
    const char *name;
    assay_record_field field;
    int rank; /* of several, the lowest that holds something counts */
} fields[] = {
    {"doc_id", ASSAY_RECORD_ID, 0},        {"id", ASSAY_RECORD_ID, 1},
    {"_id", ASSAY_RECORD_ID, 2},           {"title", ASSAY_RECORD_TITLE, 0},
    {"content", ASSAY_RECORD_CONTENT, 0},  {"text", ASSAY_RECORD_CONTENT, 1},
    {"document", ASSAY_RECORD_CONTENT, 2},
};

assay_record_field assay_record_field_of(assay_slice name, int *rank)
{
    for (size_t i = 0; i < ASSAY_COUNT(fields); i++) {
        if (assay_slice_is(name, fields[i].name)) {
            *rank = fields[i].rank;
            return fields[i].field;
        }
    }
    return ASSAY_RECORD_OTHER;
}

static assay_status fail_memory(assay_error *err)
{
    return assay_fail_memory(err, "reading documents");
}

void assay_doc_records_init(assay_doc_records *r, const assay_doc_source *source,
                            assay_doc_sink *emit, void *ctx)
{
    memset(r, 0, sizeof *r);
    r->source = source;
    r->emit = emit;
    r->ctx = ctx;
    r->counted = assay_doc_text(source).ptr;
    r->line = 1;
}

/* The line of a place behind all that were asked for before: counted on from there, since
 * counting from the beginning for each record would be quadratic. */
static uint32_t line_of(assay_doc_records *r, const char *at)
{
    const char *p;

    while (r->counted < at && (p = memchr(r->counted, '\n', (size_t)(at - r->counted)))) {
        r->line++;
        r->counted = p + 1;
    }
    return r->line < UINT32_MAX ? (uint32_t)r->line : UINT32_MAX;
}

/* ---- one record ---- */

static const char *kind_name(assay_json_kind kind)
{
    switch (kind) {
    case ASSAY_JSON_NULL: return "null";
    case ASSAY_JSON_FALSE:
    case ASSAY_JSON_TRUE: return "true or false";
    case ASSAY_JSON_NUMBER: return "a number";
    case ASSAY_JSON_STRING: return "a string";
    case ASSAY_JSON_LIST: return "a list";
    default: return "an object";
    }
}

static bool is_whole(assay_slice number)
{
    size_t i = number.len && number.ptr[0] == '-';

    for (; i < number.len; i++)
        if (number.ptr[i] < '0' || number.ptr[i] > '9')
            return false;
    return true;
}

/* The values of the three fields, and from which of their names they are. */
typedef struct record {
    assay_slice value[ASSAY_RECORD_CONTENT + 1];
    int rank[ASSAY_RECORD_CONTENT + 1];
} record;

static assay_status take_value(assay_doc_records *r, record *rec, assay_slice name,
                               assay_json_token value, assay_error *err)
{
    int rank = 0;
    assay_record_field field = assay_record_field_of(name, &rank);

    if (field == ASSAY_RECORD_OTHER)
        return assay_json_skip(&r->json, value, err);
    if (value.kind == ASSAY_JSON_NULL)
        return ASSAY_OK;
    if (field == ASSAY_RECORD_ID && value.kind == ASSAY_JSON_NUMBER &&
        !is_whole(value.text))
        return assay_json_fail(&r->json, value.at, err,
                               "'%.*s' is %.*s, want a string or a whole number",
                               ASSAY_QUOTE(name), ASSAY_QUOTE(value.text));
    if (value.kind != ASSAY_JSON_STRING &&
        !(field == ASSAY_RECORD_ID && value.kind == ASSAY_JSON_NUMBER))
        return assay_json_fail(&r->json, value.at, err, "'%.*s' is %s, want a string%s",
                               ASSAY_QUOTE(name), kind_name(value.kind),
                               field == ASSAY_RECORD_ID ? " or a whole number" : "");
    if (value.text.len && (!rec->value[field].len || rank < rec->rank[field])) {
        rec->value[field] = value.text;
        rec->rank[field] = rank;
    }
    return ASSAY_OK;
}

static assay_status read_fields(assay_doc_records *r, record *rec, assay_error *err)
{
    for (;;) {
        assay_json_token key;
        assay_json_token value;
        assay_status st = assay_json_next(&r->json, &key, err);

        if (st || key.kind == ASSAY_JSON_OBJECT_END)
            return st;
        st = assay_json_next(&r->json, &value, err);
        if (!st)
            st = take_value(r, rec, key.text, value, err);
        if (st)
            return st;
    }
}

static assay_status put_record(assay_doc_records *r, const record *rec, uint32_t line,
                               assay_error *err)
{
    assay_document doc = {.id = rec->value[ASSAY_RECORD_ID],
                          .title = rec->value[ASSAY_RECORD_TITLE],
                          .text = rec->value[ASSAY_RECORD_CONTENT],
                          .form = ASSAY_FORM_PLAIN,
                          .lang = ASSAY_LIT(""),
                          .extractor = ASSAY_LIT(""),
                          .line = line};
    char made[32];
    bool is_new;

    if (!doc.id.len) {
        snprintf(made, sizeof made, "doc_%u", r->n);
        doc.id = assay_slice_of(made);
        assay_name_list_add(&r->made, doc.id);
    }
    if (!doc.text.len)
        assay_name_list_add(&r->empty, doc.id);
    if (!assay_doc_ids_put(&r->ids, doc.id, line, &is_new))
        return fail_memory(err);
    /* Once an id came twice the file has failed; the rest is read for the other ids. */
    return r->ids.twice.n ? ASSAY_OK : r->emit(r->ctx, &doc, err);
}

assay_status assay_doc_records_item(assay_doc_records *r, assay_json_token token,
                                    assay_error *err)
{
    record rec = {{ASSAY_LIT(""), ASSAY_LIT(""), ASSAY_LIT(""), ASSAY_LIT("")}, {0}};
    uint32_t line = line_of(r, token.at);
    assay_status st;

    if (token.kind != ASSAY_JSON_OBJECT)
        return assay_json_fail(&r->json, token.at, err,
                               "a document is %s, want an object", kind_name(token.kind));
    assay_json_use(&r->json, &r->inner);
    st = read_fields(r, &rec, err);
    if (!st && ++r->n == UINT32_MAX)
        return assay_fail_at(err, r->source->path, line, "too many documents");
    if (!st)
        st = put_record(r, &rec, line, err);
    assay_json_use(&r->json, &r->outer);
    assay_arena_reset(&r->inner);
    return st;
}

/* ---- many ---- */

static assay_status read_items(assay_doc_records *r, assay_error *err)
{
    for (;;) {
        assay_json_token token;
        assay_status st = assay_json_next(&r->json, &token, err);

        if (st || token.kind == ASSAY_JSON_LIST_END)
            return st;
        st = assay_doc_records_item(r, token, err);
        if (st)
            return st;
    }
}

/* Begin with the whole text; its first token. */
static assay_status begin(assay_doc_records *r, assay_json_token *token, assay_error *err)
{
    assay_json_init(&r->json, r->source->path, 1, assay_doc_text(r->source), &r->outer);
    return assay_json_next(&r->json, token, err);
}

/* Nothing may follow. */
static assay_status end(assay_doc_records *r, assay_error *err)
{
    assay_json_token token;

    return assay_json_next(&r->json, &token, err);
}

assay_status assay_doc_records_list(assay_doc_records *r, assay_error *err)
{
    assay_json_token token;
    assay_status st = begin(r, &token, err);

    if (!st && token.kind != ASSAY_JSON_LIST)
        return assay_json_fail(&r->json, token.at, err, "want a list of documents");
    if (!st)
        st = read_items(r, err);
    return st ? st : end(r, err);
}

assay_status assay_doc_records_object(assay_doc_records *r, assay_slice key,
                                      assay_error *err)
{
    assay_json_token token;
    assay_json_token value;
    bool is_there = false;
    assay_status st = begin(r, &token, err);

    if (!st && token.kind != ASSAY_JSON_OBJECT)
        return assay_json_fail(&r->json, token.at, err, "want an object with '%.*s'",
                               ASSAY_QUOTE(key));
    while (!st && !(st = assay_json_next(&r->json, &token, err)) &&
           token.kind == ASSAY_JSON_KEY) {
        st = assay_json_next(&r->json, &value, err);
        if (!st && !assay_slice_eq(token.text, key)) {
            st = assay_json_skip(&r->json, value, err);
        } else if (!st && value.kind != ASSAY_JSON_LIST) {
            st = assay_json_fail(&r->json, value.at, err, "'%.*s' is %s, want a list",
                                 ASSAY_QUOTE(key), kind_name(value.kind));
        } else if (!st) {
            is_there = true;
            st = read_items(r, err);
        }
    }
    if (!st)
        st = end(r, err);
    if (!st && !is_there)
        return assay_fail_at(err, r->source->path, 1, "no '%.*s' in it",
                             ASSAY_QUOTE(key));
    return st;
}

static assay_status read_one(assay_doc_records *r, uint64_t line, assay_slice text,
                             assay_error *err)
{
    assay_json_token token;
    assay_status st;

    assay_json_init(&r->json, r->source->path, line, text, &r->outer);
    st = assay_json_next(&r->json, &token, err);
    if (!st)
        st = assay_doc_records_item(r, token, err);
    return st ? st : end(r, err);
}

assay_status assay_doc_records_lines(assay_doc_records *r, bool is_one, assay_error *err)
{
    assay_lines in = assay_lines_of(r->source->path, assay_doc_text(r->source));
    assay_status st = ASSAY_OK;
    assay_slice line;

    if (is_one)
        return read_one(r, 1, in.rest, err);
    while (!st && assay_lines_next(&in, &line))
        if (assay_slice_trim(line).len)
            st = read_one(r, in.line, line, err);
    return st;
}

static bool say(assay_doc_records *r, assay_name_list *list, const char *what)
{
    return !list->n || !r->source->notes ||
           assay_notes_add(r->source->notes, r->source->arena, "%s: %s: %s",
                           r->source->path, what, assay_name_list_text(list));
}

assay_status assay_doc_records_finish(assay_doc_records *r, assay_status st,
                                      assay_error *err)
{
    if (!st)
        st = assay_doc_ids_finish(&r->ids, r->source->path, err);
    if (!st && !(say(r, &r->made, "documents without an id were numbered") &&
                 say(r, &r->empty, "documents without content")))
        st = fail_memory(err);
    assay_doc_ids_clear(&r->ids);
    assay_json_clear(&r->json);
    assay_arena_clear(&r->inner);
    assay_arena_clear(&r->outer);
    return st;
}
