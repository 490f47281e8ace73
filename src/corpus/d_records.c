/* SPDX-License-Identifier: Apache-2.0 */
/* Records: a JSON list, a JSON object with a list, or JSON lines, of objects with
 * `doc_id|id|_id`, `title` and `content|text|document`.  BEIR's corpus.jsonl is one.
 *
 * What kind of file it is, is told by its first object, which must have a text and an id
 * or a title: a log of chat messages has texts, too.  JSON of any other shape is code. */
#include <string.h>

#include "base/error.h"
#include "base/slice.h"
#include "corpus/doc_name.h"
#include "corpus/doc_records.h"
#include "corpus/document.h"

typedef enum shape {
    SHAPE_NONE,
    SHAPE_LIST,
    SHAPE_OBJECT, /* with a list under `key` */
    SHAPE_LINES,
    SHAPE_ONE /* the file is one record, over several lines */
} shape;

/* Which fields an object has. */
typedef struct seen {
    bool has[ASSAY_RECORD_CONTENT + 1];
    bool is_whole; /* its end was seen */
} seen;

/* A look at the head of a file.  It may end anywhere, so that errors mean nothing; only
 * a lack of memory is kept. */
typedef struct look {
    assay_json json;
    shape shape;
    assay_slice key;  /* in arena or head */
    seen top;         /* the object that the file begins with */
    const char *last; /* the last token of it that was seen */
    bool is_named;
    bool is_out_of_memory;
} look;

static bool next(look *l, assay_json_token *token)
{
    assay_status st = assay_json_next(&l->json, token, NULL);

    l->is_out_of_memory = l->is_out_of_memory || st == ASSAY_ENOMEM;
    return st == ASSAY_OK;
}

static bool skip(look *l, assay_json_token token)
{
    assay_status st = assay_json_skip(&l->json, token, NULL);

    l->is_out_of_memory = l->is_out_of_memory || st == ASSAY_ENOMEM;
    return st == ASSAY_OK;
}

static bool is_record(const seen *s, bool is_sure)
{
    return s->has[ASSAY_RECORD_CONTENT] &&
           (s->has[ASSAY_RECORD_ID] || s->has[ASSAY_RECORD_TITLE] || is_sure);
}

/* Read a key and the first token of its value, and note which field it is; false at the
 * end of the object or of the head. */
static bool next_field(look *l, seen *s, assay_json_token *key, assay_json_token *value)
{
    bool has_value;
    int rank;

    if (!next(l, key))
        return false;
    l->last = key->at;
    if (key->kind == ASSAY_JSON_OBJECT_END) {
        s->is_whole = true;
        return false;
    }
    has_value = next(l, value);
    /* A value that the head cuts off counts. */
    if (!has_value ||
        (value->kind != ASSAY_JSON_LIST && value->kind != ASSAY_JSON_OBJECT))
        s->has[assay_record_field_of(key->text, &rank)] = true;
    return has_value;
}

/* Behind an opening bracket: whether the first item is a record.  Leaves the list; false
 * in *goes_on when the head ended. */
static bool list_has_records(look *l, bool is_sure, bool *goes_on)
{
    assay_json_token token;
    assay_json_token value;
    seen item = {{false}, false};

    *goes_on = next(l, &token);
    if (!*goes_on || token.kind == ASSAY_JSON_LIST_END)
        return false;
    if (token.kind == ASSAY_JSON_OBJECT) {
        while (next_field(l, &item, &token, &value) && skip(l, value))
            continue;
        *goes_on = item.is_whole;
    } else {
        *goes_on = skip(l, token);
    }
    token.kind = ASSAY_JSON_LIST;
    *goes_on = *goes_on && skip(l, token);
    return is_record(&item, is_sure);
}

/* Behind the first brace of the file. */
static void look_at_top(look *l)
{
    assay_json_token key;
    assay_json_token value;
    bool goes_on = true;

    while (goes_on && next_field(l, &l->top, &key, &value)) {
        if (value.kind != ASSAY_JSON_LIST || l->shape == SHAPE_OBJECT) {
            goes_on = skip(l, value);
        } else if (list_has_records(l,
                                    l->is_named || assay_slice_is(key.text, "documents"),
                                    &goes_on)) {
            l->shape = SHAPE_OBJECT;
            l->key = key.text;
        }
    }
}

/* The file begins with a record at `from`: is a line all of it? */
static shape lines_or_one(const look *l, const char *from)
{
    if (!memchr(from, '\n', (size_t)(l->last - from)))
        return SHAPE_LINES;
    /* One object a file is a record only when it says its id. */
    return l->top.has[ASSAY_RECORD_ID] ? SHAPE_ONE : l->shape;
}

static void look_at(const assay_doc_source *source, assay_arena *arena, look *l)
{
    assay_json_token token = {.kind = ASSAY_JSON_END};
    bool goes_on;

    memset(l, 0, sizeof *l);
    l->is_named = source->is_named;
    assay_json_init(&l->json, "", 1, assay_doc_head(source), arena);
    if (next(l, &token) && token.kind == ASSAY_JSON_LIST) {
        if (list_has_records(l, l->is_named, &goes_on))
            l->shape = SHAPE_LIST;
    } else if (token.kind == ASSAY_JSON_OBJECT) {
        l->last = token.at;
        look_at_top(l);
        if (is_record(&l->top, l->is_named))
            l->shape = lines_or_one(l, token.at);
    }
    assay_json_clear(&l->json);
}

static bool is_beir(const assay_doc_source *source)
{
    return assay_slice_is(assay_doc_name(source), "corpus.jsonl");
}

static int sniff_records(const assay_doc_source *source)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    look l;

    if (is_beir(source))
        return 95;
    if (!assay_doc_ends(source, "json|jsonl|ndjson") && !source->is_named)
        return 0;
    look_at(source, &arena, &l);
    assay_arena_clear(&arena);
    /* Reading will say it when there is no memory; taking it for code would not. */
    return l.shape == SHAPE_NONE && !l.is_out_of_memory ? 0 : 90;
}

static assay_status read_shape(assay_doc_records *r, const look *l, assay_error *err)
{
    assay_slice text = assay_slice_trim(assay_doc_text(r->source));

    if (l->is_out_of_memory)
        return assay_fail_memory(err, "reading documents");
    if (l->shape == SHAPE_LIST || assay_slice_starts(text, "["))
        return assay_doc_records_list(r, err);
    if (l->shape == SHAPE_OBJECT)
        return assay_doc_records_object(r, l->key, err);
    return assay_doc_records_lines(r, l->shape == SHAPE_ONE, err);
}

static assay_status read_records(const assay_doc_source *source, assay_doc_sink *emit,
                                 void *ctx, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_doc_records r;
    assay_status st;
    look l;

    look_at(source, &arena, &l);
    assay_doc_records_init(&r, source, emit, ctx);
    st = assay_doc_records_finish(&r, read_shape(&r, &l, err), err);
    assay_arena_clear(&arena);
    return st;
}

const assay_doc_reader assay_doc_reader_records = {
    .name = "records",
    .summary =
        "JSON or JSON lines of documents with id, title and text; BEIR's corpus.jsonl",
    .endings = "json|jsonl|ndjson",
    .sniff = sniff_records,
    .read = read_records,
};
