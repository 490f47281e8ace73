/* SPDX-License-Identifier: Apache-2.0 */
/* Records: a JSON list, a JSON object with a list, or JSON lines, of objects with
 * `doc_id|id|_id`, `title` and `content|text|document`.  BEIR's corpus.jsonl is one.
 *
 * What kind of file it is, is told by its first object, which must have a text and an id
 * or a title: a log of chat messages has texts, too.  JSON of any other shape is code. */
#include <string.h>

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

typedef struct look {
    shape shape;
    assay_slice key;  /* in arena or head */
    seen top;         /* the object that the file begins with */
    const char *last; /* the last token of it that was seen */
} look;

static bool is_record(const seen *s, bool is_named)
{
    return s->has[ASSAY_RECORD_CONTENT] &&
           (s->has[ASSAY_RECORD_ID] || s->has[ASSAY_RECORD_TITLE] || is_named);
}

/* Note a key and its value; the head may end within it. */
static void note_field(seen *s, assay_slice name, bool has_value, assay_json_kind kind)
{
    int rank;
    assay_record_field field = assay_record_field_of(name, &rank);

    if (has_value && (kind == ASSAY_JSON_LIST || kind == ASSAY_JSON_OBJECT))
        return;
    s->has[field] = true;
}

/* Behind an opening brace: pass over the object. */
static void look_at_object(assay_json *json, seen *s)
{
    assay_json_token key;
    assay_json_token value;

    while (!assay_json_next(json, &key, NULL)) {
        bool has_value;

        if (key.kind == ASSAY_JSON_OBJECT_END) {
            s->is_whole = true;
            return;
        }
        has_value = !assay_json_next(json, &value, NULL);
        note_field(s, key.text, has_value, has_value ? value.kind : ASSAY_JSON_END);
        if (!has_value || assay_json_skip(json, value, NULL))
            return;
    }
}

/* Behind an opening bracket: whether the first item is a record.  Leaves the list; false
 * in *goes_on when the head ended. */
static bool list_has_records(assay_json *json, bool is_named, bool *goes_on)
{
    assay_json_token token;
    seen item = {{false}, false};

    *goes_on = false;
    if (assay_json_next(json, &token, NULL))
        return false;
    if (token.kind == ASSAY_JSON_LIST_END) {
        *goes_on = true;
        return false;
    }
    if (token.kind == ASSAY_JSON_OBJECT) {
        look_at_object(json, &item);
        if (is_record(&item, is_named))
            return true;
        if (!item.is_whole)
            return false;
    } else if (assay_json_skip(json, token, NULL)) {
        return false;
    }
    token.kind = ASSAY_JSON_LIST;
    *goes_on = !assay_json_skip(json, token, NULL);
    return false;
}

/* Behind the first brace of the file. */
static void look_at_top(assay_json *json, bool is_named, look *out)
{
    assay_json_token key;
    assay_json_token value;
    bool goes_on = true;

    while (goes_on && !assay_json_next(json, &key, NULL)) {
        bool has_value;

        out->last = key.at;
        if (key.kind == ASSAY_JSON_OBJECT_END) {
            out->top.is_whole = true;
            return;
        }
        has_value = !assay_json_next(json, &value, NULL);
        note_field(&out->top, key.text, has_value,
                   has_value ? value.kind : ASSAY_JSON_END);
        if (!has_value)
            return;
        if (value.kind != ASSAY_JSON_LIST || out->shape == SHAPE_OBJECT) {
            goes_on = !assay_json_skip(json, value, NULL);
            continue;
        }
        if (list_has_records(json, is_named || assay_slice_is(key.text, "documents"),
                             &goes_on)) {
            out->shape = SHAPE_OBJECT;
            out->key = key.text;
            /* What follows could only say that the object is itself a record. */
            value.kind = ASSAY_JSON_LIST;
            goes_on = !assay_json_skip(json, value, NULL);
        }
    }
}

/* The file begins with a record at `from`: is a line all of it? */
static shape lines_or_one(const char *from, const char *last)
{
    return memchr(from, '\n', (size_t)(last - from)) ? SHAPE_ONE : SHAPE_LINES;
}

static look look_at(const assay_doc_source *source, assay_arena *arena)
{
    look out = {.shape = SHAPE_NONE, .key = ASSAY_LIT("")};
    assay_json json;
    assay_json_token token;
    bool goes_on;

    memset(&json, 0, sizeof json);
    assay_json_init(&json, "", 1, assay_doc_head(source), arena);
    if (assay_json_next(&json, &token, NULL)) {
        assay_json_clear(&json);
        return out;
    }
    if (token.kind == ASSAY_JSON_LIST) {
        if (list_has_records(&json, source->is_named, &goes_on))
            out.shape = SHAPE_LIST;
    } else if (token.kind == ASSAY_JSON_OBJECT) {
        out.last = token.at;
        look_at_top(&json, source->is_named, &out);
        if (is_record(&out.top, source->is_named))
            out.shape = lines_or_one(token.at, out.last);
        /* One object a file is a record only when it says its id. */
        if (out.shape == SHAPE_ONE && !out.top.has[ASSAY_RECORD_ID])
            out.shape = SHAPE_NONE;
    }
    assay_json_clear(&json);
    return out;
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
    l = look_at(source, &arena);
    assay_arena_clear(&arena);
    return l.shape == SHAPE_NONE ? 0 : 90;
}

static assay_status read_records(const assay_doc_source *source, assay_doc_sink *emit,
                                 void *ctx, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    look l = look_at(source, &arena);
    assay_slice text = assay_slice_trim(assay_doc_text(source));
    assay_doc_records r;
    assay_status st;

    assay_doc_records_init(&r, source, emit, ctx);
    if (l.shape == SHAPE_LIST || assay_slice_starts(text, "["))
        st = assay_doc_records_list(&r, err);
    else if (l.shape == SHAPE_OBJECT)
        st = assay_doc_records_object(&r, l.key, err);
    else
        st = assay_doc_records_lines(&r, l.shape == SHAPE_ONE, err);
    st = assay_doc_records_finish(&r, st, err);
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
