/* SPDX-License-Identifier: Apache-2.0 */
/* One judgment of assay's own golden format:
 *
 *     {doc: refunds.md, quote: "approved by the finance lead", lines: 40-52, grade: 2}
 *
 * names a document or a chunk, and in a document a quote, a place or a heading. */
#include "base/error.h"
#include "base/slice.h"
#include "golden/native.h"

/* While the keys of a judgment are read. */
typedef struct evidence {
    assay_judgment j;
    assay_slice doc;
    assay_slice chunk;
    assay_slice subtopic;
    assay_slice heading;
} evidence;

static assay_status read_doc(const assay_field_reader *in, const assay_node *value,
                             void *into, assay_error *err)
{
    return assay_field_id(in, value, "doc", &((evidence *)into)->doc, err);
}

static assay_status read_chunk(const assay_field_reader *in, const assay_node *value,
                               void *into, assay_error *err)
{
    return assay_field_id(in, value, "chunk", &((evidence *)into)->chunk, err);
}

static assay_status read_subtopic(const assay_field_reader *in, const assay_node *value,
                                  void *into, assay_error *err)
{
    return assay_field_id(in, value, "subtopic", &((evidence *)into)->subtopic, err);
}

static assay_status read_quote(const assay_field_reader *in, const assay_node *value,
                               void *into, assay_error *err)
{
    evidence *e = into;
    assay_status st = assay_field_text(in, value, "quote", &e->j.quote, err);

    if (!st && !assay_slice_trim(e->j.quote).len)
        return assay_fail_at(err, in->path, value->line, "'quote' is empty");
    return st;
}

static assay_status read_heading(const assay_field_reader *in, const assay_node *value,
                                 void *into, assay_error *err)
{
    evidence *e = into;
    assay_status st = assay_field_text(in, value, "heading", &e->heading, err);

    if (!st && !assay_slice_trim(e->heading).len)
        return assay_fail_at(err, in->path, value->line, "'heading' is empty");
    return st;
}

static assay_status read_grade(const assay_field_reader *in, const assay_node *value,
                               void *into, assay_error *err)
{
    evidence *e = into;
    assay_status st;

    st = assay_field_want(in, value, "grade", ASSAY_NODE_INT, err);
    if (st)
        return st;
    if (value->integer < INT32_MIN || value->integer > INT32_MAX)
        return assay_fail_at(err, in->path, value->line, "grade '%.*s' is out of range",
                             ASSAY_QUOTE(value->text));
    e->j.grade = (int32_t)value->integer;
    return ASSAY_OK;
}

/* "a-b", or for lines also "a" alone. */
static bool parse_range(assay_slice text, bool is_lines, assay_span *out)
{
    assay_slice rest = text;
    assay_slice part;
    int64_t from;
    int64_t to;

    if (!assay_slice_part(&rest, '-', &part) ||
        !assay_slice_to_i64(assay_slice_trim(part), &from))
        return false;
    to = from;
    if (rest.ptr ? !assay_slice_to_i64(assay_slice_trim(rest), &to) : !is_lines)
        return false;
    *out = (assay_span){(uint64_t)from, (uint64_t)to};
    return is_lines ? from >= 1 && to >= from : from >= 0 && to > from;
}

static assay_status read_place(const assay_field_reader *in, const assay_node *value,
                               const char *name, assay_place place, evidence *e,
                               assay_error *err)
{
    assay_slice text;
    assay_status st = assay_field_text(in, value, name, &text, err);

    if (st)
        return st;
    if (e->j.place != ASSAY_PLACE_NONE)
        return assay_fail_at(err, in->path, value->line,
                             "one of span, chars and lines is enough");
    if (!parse_range(text, place == ASSAY_PLACE_LINES, &e->j.where))
        return assay_fail_at(
            err, in->path, value->line,
            place == ASSAY_PLACE_LINES
                ? "%s '%.*s' is no range; want first-last, from 1"
                : "%s '%.*s' is no range; want start-end with start < end",
            name, ASSAY_QUOTE(text));
    e->j.place = (uint8_t)place;
    return ASSAY_OK;
}

static assay_status read_span(const assay_field_reader *in, const assay_node *value,
                              void *into, assay_error *err)
{
    return read_place(in, value, "span", ASSAY_PLACE_SPAN, into, err);
}

static assay_status read_chars(const assay_field_reader *in, const assay_node *value,
                               void *into, assay_error *err)
{
    return read_place(in, value, "chars", ASSAY_PLACE_CHARS, into, err);
}

static assay_status read_lines(const assay_field_reader *in, const assay_node *value,
                               void *into, assay_error *err)
{
    return read_place(in, value, "lines", ASSAY_PLACE_LINES, into, err);
}

static const assay_field evidence_fields[] = {
    {.name = "doc", .read = read_doc},           {.name = "chunk", .read = read_chunk},
    {.name = "quote", .read = read_quote},       {.name = "span", .read = read_span},
    {.name = "chars", .read = read_chars},       {.name = "lines", .read = read_lines},
    {.name = "heading", .read = read_heading},   {.name = "grade", .read = read_grade},
    {.name = "subtopic", .read = read_subtopic}, {.name = NULL},
};

/* Turn the names into numbers and hang the judgment into its query. */
static assay_status add_judgment(const assay_field_reader *in, evidence *e,
                                 assay_query *q, assay_error *err)
{
    assay_golden *g = in->golden;

    if ((e->doc.len && !assay_dict_put(&g->docs, NULL, e->doc, &e->j.doc, NULL)) ||
        (e->chunk.len &&
         !assay_dict_put(&g->chunks, NULL, e->chunk, &e->j.chunk, NULL)) ||
        (e->heading.len &&
         !assay_dict_put(&g->headings, NULL, e->heading, &e->j.heading, NULL)) ||
        (e->j.place == ASSAY_PLACE_SPAN && !assay_judgment_span(g, &e->j, e->j.where)) ||
        (e->subtopic.len &&
         !assay_dict_put(&g->subtopics, NULL, e->subtopic, &e->j.subtopic, NULL)))
        return assay_fail_memory(err, "reading a golden set");
    return assay_golden_judge(g, q, &e->j, err);
}

assay_status assay_native_judgment(const assay_field_reader *in, const assay_node *map,
                                   assay_query *q, assay_error *err)
{
    evidence e = {.j = assay_judgment_none()};
    assay_status st = assay_field_want(in, map, "relevant", ASSAY_NODE_MAP, err);

    e.j.line = map->line;
    if (!st)
        st = assay_fields_read(in, map, "judgment", ASSAY_LIT(""), evidence_fields, &e,
                               err);
    if (st)
        return st;
    if (!e.doc.len && !e.chunk.len)
        return assay_fail_at(err, in->path, map->line,
                             "a judgment of query '%.*s' has neither 'doc' nor 'chunk'",
                             ASSAY_QUOTE(q->id));
    if (!e.doc.len && (e.j.quote.len || e.heading.len || e.j.place != ASSAY_PLACE_NONE))
        return assay_fail_at(
            err, in->path, map->line,
            "a quote, heading or place of query '%.*s' has no 'doc' to be in",
            ASSAY_QUOTE(q->id));
    return add_judgment(in, &e, q, err);
}

bool assay_native_is_judgment_key(assay_slice key)
{
    for (const assay_field *f = evidence_fields; f->name; f++)
        if (assay_slice_is(key, f->name))
            return true;
    return false;
}
