/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/slice.h"
#include "compare/baseline_own.h"

/* ---- the head ---- */

#define TEXT(name)                                        \
    {                                                     \
#name, offsetof(assay_baseline_head, name), false \
    }
#define NUMBER(name)                                     \
    {                                                    \
#name, offsetof(assay_baseline_head, name), true \
    }

static const struct {
    const char *name;
    size_t at;
    bool is_number;
} fields[] = {
    TEXT(name),  TEXT(date), TEXT(note),    TEXT(run),    TEXT(method), TEXT(conventions),
    TEXT(level), NUMBER(k),  NUMBER(depth), TEXT(golden), TEXT(corpus), TEXT(chunker),
};

const size_t assay_baseline_n_fields = ASSAY_COUNT(fields);

const char *assay_baseline_field_name(size_t i)
{
    return fields[i].name;
}

assay_slice *assay_baseline_text(assay_baseline_head *head, size_t i)
{
    return fields[i].is_number ? NULL
                               : (assay_slice *)(void *)((char *)head + fields[i].at);
}

uint32_t *assay_baseline_number(assay_baseline_head *head, size_t i)
{
    return fields[i].is_number ? (uint32_t *)(void *)((char *)head + fields[i].at) : NULL;
}

/* ---- reading ---- */

typedef struct reader {
    assay_baseline *b;
    assay_lines in;
    assay_slice *field; /* room for one line */
    size_t n_fields;    /* that a line of a query has */
    size_t cap_metrics;
    size_t cap_queries;
    assay_error *err;
} reader;

static assay_status fail_memory(assay_error *err)
{
    return assay_fail_memory(err, "reading a baseline");
}

bool assay_baseline_is(assay_slice text)
{
    assay_lines in = assay_lines_of("", text);
    assay_slice line;

    return assay_lines_next(&in, &line) &&
           assay_slice_starts(assay_slice_trim(line), "assay baseline ");
}

/* The next line that says something. */
static bool next_line(reader *r, assay_slice *line)
{
    while (assay_lines_next(&r->in, line)) {
        *line = assay_slice_trim(*line);
        if (line->len && line->ptr[0] != '#')
            return true;
    }
    return false;
}

static bool read_value(assay_slice text, double *out)
{
    if (assay_slice_is(text, "-")) {
        *out = NAN;
        return true;
    }
    return assay_number_scan(text.ptr, text.ptr + text.len, false, out) ==
               text.ptr + text.len &&
           text.len && isfinite(*out);
}

static assay_status read_metric(reader *r, assay_slice value)
{
    assay_baseline *b = r->b;
    assay_baseline_metric *grown;
    assay_baseline_metric m;
    assay_slice part[4];

    if (assay_slice_fields(value, part, 4) != 4)
        return ASSAY_LINES_FAIL(r->err, &r->in,
                                "metric: want its name, value, n and full spelling");
    if (!read_value(part[1], &m.value))
        return ASSAY_LINES_FAIL(r->err, &r->in, "metric: value '%.*s' is not a number",
                                ASSAY_QUOTE(part[1]));
    if (!assay_slice_to_u32(part[2], &m.n))
        return ASSAY_LINES_FAIL(r->err, &r->in, "metric: n '%.*s' is not a whole number",
                                ASSAY_QUOTE(part[2]));
    m.name = part[0];
    m.full = part[3];
    for (uint32_t i = 0; i < b->n_metrics; i++)
        if (assay_slice_eq(b->metric[i].full, m.full))
            return ASSAY_LINES_FAIL(r->err, &r->in, "metric '%.*s' stands here twice",
                                    ASSAY_QUOTE(m.full));
    grown = assay_mem_grow(b->metric, &r->cap_metrics, b->n_metrics + 1u, sizeof m);
    if (!grown)
        return fail_memory(r->err);
    b->metric = grown;
    b->metric[b->n_metrics++] = m;
    return ASSAY_OK;
}

static assay_status read_field(reader *r, assay_slice key, assay_slice value)
{
    for (size_t i = 0; i < ASSAY_COUNT(fields); i++) {
        uint32_t *number;

        if (!assay_slice_is(key, fields[i].name))
            continue;
        number = assay_baseline_number(&r->b->head, i);
        if (!number)
            *assay_baseline_text(&r->b->head, i) = value;
        else if (!assay_slice_to_u32(value, number))
            return ASSAY_LINES_FAIL(r->err, &r->in, "%s '%.*s' is not a whole number",
                                    fields[i].name, ASSAY_QUOTE(value));
        return ASSAY_OK;
    }
    if (assay_slice_starts(key, "x_"))
        return ASSAY_OK;
    return ASSAY_LINES_FAIL(r->err, &r->in, "no key '%.*s' in the head of a baseline",
                            ASSAY_QUOTE(key));
}

/* The row above the queries names what stands in them. */
static assay_status read_row(reader *r, assay_slice line)
{
    const assay_baseline *b = r->b;
    const size_t want = b->n_metrics + 3u;
    size_t n;

    r->field = ASSAY_ARENA_ARRAY(&r->b->arena, assay_slice, want);
    if (!r->field)
        return fail_memory(r->err);
    r->n_fields = want;
    n = assay_slice_fields(line, r->field, want);
    if (n != want || !assay_slice_is(r->field[1], "rank") ||
        !assay_slice_is(r->field[want - 1], "judged"))
        return ASSAY_LINES_FAIL(r->err, &r->in,
                                "want 'query rank', the %u metrics of the head and "
                                "'judged'",
                                b->n_metrics);
    for (uint32_t i = 0; i < b->n_metrics; i++)
        if (!assay_slice_eq(r->field[i + 2], b->metric[i].name))
            return ASSAY_LINES_FAIL(
                r->err, &r->in, "'%.*s' stands where the head has '%.*s'",
                ASSAY_QUOTE(r->field[i + 2]), ASSAY_QUOTE(b->metric[i].name));
    return ASSAY_OK;
}

static assay_status read_head(reader *r)
{
    assay_slice line;
    assay_status st = ASSAY_OK;

    if (!next_line(r, &line) || !assay_slice_starts(line, "assay baseline "))
        return ASSAY_LINES_FAIL(r->err, &r->in, "a baseline begins with '%s'",
                                ASSAY_BASELINE_MAGIC);
    if (!assay_slice_is(line, ASSAY_BASELINE_MAGIC))
        return ASSAY_LINES_FAIL(r->err, &r->in,
                                "'%.*s' was written by a newer version; this one reads "
                                "'%s'",
                                ASSAY_QUOTE(line), ASSAY_BASELINE_MAGIC);
    while (!st && next_line(r, &line)) {
        const char *colon = memchr(line.ptr, ':', line.len);
        assay_slice key;
        assay_slice value;

        if (assay_slice_starts(line, "query "))
            return read_row(r, line);
        if (!colon)
            return ASSAY_LINES_FAIL(r->err, &r->in, "'%.*s' is no line 'key: value'",
                                    ASSAY_QUOTE(line));
        key = (assay_slice){line.ptr, (size_t)(colon - line.ptr)};
        value = assay_slice_trim(
            (assay_slice){colon + 1, line.len - (size_t)(colon + 1 - line.ptr)});
        st = assay_slice_is(key, "metric") ? read_metric(r, value)
                                           : read_field(r, key, value);
    }
    return st ? st
              : ASSAY_LINES_FAIL(r->err, &r->in, "the file ends before 'query rank ...'");
}

/* ---- queries ---- */

static int hex(char c)
{
    const char *at = c ? strchr("0123456789ABCDEF", c) : NULL;

    return at ? (int)(at - "0123456789ABCDEF") : -1;
}

/* Undo %XX; a single % is the empty id. */
static assay_status read_id(reader *r, assay_slice text, assay_slice *out)
{
    char *copy;
    size_t n = 0;

    *out = text;
    if (assay_slice_is(text, "%"))
        *out = ASSAY_LIT("");
    if (!memchr(out->ptr, '%', out->len))
        return ASSAY_OK;
    copy = assay_arena_alloc(&r->b->arena, text.len + 1);
    if (!copy)
        return fail_memory(r->err);
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != '%') {
            copy[n++] = text.ptr[i];
            continue;
        }
        if (i + 2 >= text.len || hex(text.ptr[i + 1]) < 0 || hex(text.ptr[i + 2]) < 0)
            return ASSAY_LINES_FAIL(r->err, &r->in,
                                    "'%.*s': a %% in an id wants two hex digits",
                                    ASSAY_QUOTE(text));
        copy[n++] = (char)(hex(text.ptr[i + 1]) * 16 + hex(text.ptr[i + 2]));
        i += 2;
    }
    *out = (assay_slice){copy, n};
    return ASSAY_OK;
}

static bool is_hash(assay_slice text)
{
    if (!text.len || text.len > 64)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (!text.ptr[i] || !strchr("0123456789abcdef", text.ptr[i]))
            return false;
    return true;
}

static assay_status read_cells(reader *r, assay_baseline_query *q)
{
    const uint32_t n = r->b->n_metrics;
    const assay_slice rank = r->field[1];
    const assay_slice judged = r->field[n + 2];

    if (!assay_slice_is(rank, "-") && (!assay_slice_to_u32(rank, &q->rank) || !q->rank))
        return ASSAY_LINES_FAIL(r->err, &r->in, "rank '%.*s' is not 1 or more, or '-'",
                                ASSAY_QUOTE(rank));
    if (assay_slice_is(judged, "-"))
        q->judged = ASSAY_LIT("");
    else if (is_hash(judged))
        q->judged = judged;
    else
        return ASSAY_LINES_FAIL(r->err, &r->in, "judged '%.*s' is no hash",
                                ASSAY_QUOTE(judged));
    q->value = ASSAY_ARENA_ARRAY(&r->b->arena, double, n + 1u);
    if (!q->value)
        return fail_memory(r->err);
    for (uint32_t i = 0; i < n; i++)
        if (!read_value(r->field[i + 2], &q->value[i]))
            return ASSAY_LINES_FAIL(r->err, &r->in, "%.*s '%.*s' is not a number",
                                    ASSAY_QUOTE(r->b->metric[i].name),
                                    ASSAY_QUOTE(r->field[i + 2]));
    return ASSAY_OK;
}

static assay_status read_query(reader *r, assay_slice line)
{
    assay_baseline *b = r->b;
    assay_baseline_query q = {.line = (uint32_t)r->in.line};
    assay_baseline_query *grown;
    const size_t n = assay_slice_fields(line, r->field, r->n_fields);
    assay_status st;

    if (assay_slice_starts(line, "<<<<<<<") || assay_slice_starts(line, ">>>>>>>"))
        return ASSAY_LINES_FAIL(r->err, &r->in,
                                "a merge conflict; make the baseline again with 'assay "
                                "baseline export'");
    if (n != r->n_fields)
        return ASSAY_LINES_FAIL(r->err, &r->in,
                                "%zu fields, want %zu: id, rank, %u "
                                "values, judged",
                                n, r->n_fields, b->n_metrics);
    st = read_id(r, r->field[0], &q.id);
    if (!st)
        st = read_cells(r, &q);
    if (st)
        return st;
    grown = assay_mem_grow(b->query, &r->cap_queries, b->n_queries + 1u, sizeof q);
    if (!grown)
        return fail_memory(r->err);
    b->query = grown;
    b->query[b->n_queries++] = q;
    return ASSAY_OK;
}

static int by_id(const void *a, const void *b)
{
    const assay_baseline_query *x = a;
    const assay_baseline_query *y = b;
    const int order = assay_slice_cmp(x->id, y->id);

    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static assay_status sort_queries(reader *r)
{
    assay_baseline *b = r->b;

    if (b->n_queries)
        qsort(b->query, b->n_queries, sizeof *b->query, by_id);
    for (uint32_t i = 1; i < b->n_queries; i++)
        if (assay_slice_eq(b->query[i - 1].id, b->query[i].id))
            return assay_fail_at(r->err, b->path, b->query[i].line,
                                 "query '%.*s' stands in line %u already",
                                 ASSAY_QUOTE(b->query[i].id), b->query[i - 1].line);
    return ASSAY_OK;
}

/* What grew on the heap moves into the arena, which is all that is freed. */
static assay_status settle(reader *r)
{
    assay_baseline *b = r->b;
    assay_baseline_metric *metric =
        ASSAY_ARENA_ARRAY(&b->arena, assay_baseline_metric, b->n_metrics + 1u);
    assay_baseline_query *query =
        ASSAY_ARENA_ARRAY(&b->arena, assay_baseline_query, b->n_queries + 1u);

    if (!metric || !query)
        return fail_memory(r->err);
    if (b->n_metrics)
        memcpy(metric, b->metric, b->n_metrics * sizeof *metric);
    if (b->n_queries)
        memcpy(query, b->query, b->n_queries * sizeof *query);
    assay_mem_free(b->metric);
    assay_mem_free(b->query);
    b->metric = metric;
    b->query = query;
    return ASSAY_OK;
}

/* Reads b->file. */
static assay_status read_all(assay_baseline *b, assay_error *err)
{
    reader r = {.b = b, .in = assay_lines_of(b->path, b->file.text), .err = err};
    assay_slice line;
    assay_status st = read_head(&r);

    while (!st && next_line(&r, &line))
        st = read_query(&r, line);
    if (!st)
        st = sort_queries(&r);
    if (!st)
        st = settle(&r);
    if (st) {
        assay_mem_free(b->metric);
        assay_mem_free(b->query);
    }
    return st;
}

static assay_status read_file(const char *path, const assay_slice *text,
                              assay_baseline **out, assay_error *err)
{
    assay_baseline *b = ASSAY_NEW(assay_baseline);
    assay_status st;

    if (!b)
        return fail_memory(err);
    b->path = assay_arena_string(&b->arena, assay_slice_of(path));
    if (!b->path)
        st = fail_memory(err);
    else if (text)
        st = assay_file_copy(&b->file, *text, path, err);
    else
        st = assay_file_open(&b->file, path, err);
    if (!st)
        st = read_all(b, err);
    if (st) {
        assay_baseline_free(b);
        return st;
    }
    *out = b;
    return ASSAY_OK;
}

assay_status assay_baseline_load(const char *path, assay_baseline **out, assay_error *err)
{
    return read_file(path, NULL, out, err);
}

assay_status assay_baseline_parse(const char *name, assay_slice text,
                                  assay_baseline **out, assay_error *err)
{
    return read_file(name, &text, out, err);
}
