/* SPDX-License-Identifier: Apache-2.0 */
/* Where an edit goes is read off the tree, whose nodes know their bytes.  The YAML parser
 * reads JSON too, so that both go one way. */
#include "golden/native_edit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/node.h"
#include "base/slice.h"
#include "golden/native.h"

/* ---- opening ---- */

static assay_status list_queries(assay_native_edit *edit, const assay_node *root,
                                 assay_error *err)
{
    uint32_t n = 0;

    edit->queries = assay_node_get(root, "queries");
    if (!edit->queries || edit->queries->kind != ASSAY_NODE_LIST)
        return assay_fail_at(err, edit->path, root->line, "no 'queries' to edit");
    edit->n_queries = edit->queries->n;
    edit->query = ASSAY_ARENA_ARRAY(&edit->arena, const assay_node *, edit->n_queries);
    if (!edit->query)
        return assay_fail_memory(err, "editing a golden set");
    for (const assay_node *c = edit->queries->child; c && n < edit->n_queries;
         c = c->next)
        edit->query[n++] = c;
    return ASSAY_OK;
}

assay_status assay_native_edit_open(assay_native_edit *edit, const char *path,
                                    assay_slice text, assay_error *err)
{
    const char *first_break;
    assay_slice begin;
    assay_node *root;
    assay_status st;

    *edit = (assay_native_edit){.path = path, .text = text};
    edit->has_bom = assay_slice_starts(text, "\xef\xbb\xbf");
    if (edit->has_bom)
        edit->text = (assay_slice){text.ptr + 3, text.len - 3};
    if (edit->text.len >= UINT32_MAX)
        return assay_fail(err, ASSAY_EUSAGE, "'%s' is too long to be edited", path);
    begin = assay_slice_trim(edit->text);
    edit->is_json = begin.len && begin.ptr[0] == '{';
    first_break = edit->text.len ? memchr(edit->text.ptr, '\n', edit->text.len) : NULL;
    edit->has_crlf =
        first_break && first_break > edit->text.ptr && first_break[-1] == '\r';
    st = assay_node_yaml(path, edit->text, &edit->arena, &root, err);
    if (!st)
        st = list_queries(edit, root, err);
    if (st)
        assay_native_edit_close(edit);
    return st;
}

void assay_native_edit_close(assay_native_edit *edit)
{
    assay_edits_clear(&edit->edits);
    assay_arena_clear(&edit->arena);
    *edit = (assay_native_edit){0};
}

/* ---- places ---- */

static int column_of(const assay_native_edit *edit, size_t at)
{
    size_t start = at;

    while (start > 0 && edit->text.ptr[start - 1] != '\n')
        start--;
    return (int)(at - start);
}

/* The end of the line, before its line break: behind a comment. */
static size_t line_end(const assay_native_edit *edit, size_t at)
{
    while (at < edit->text.len && edit->text.ptr[at] != '\n')
        at++;
    return at > 0 && at < edit->text.len && edit->text.ptr[at - 1] == '\r' ? at - 1 : at;
}

static bool rest_is_blank(const assay_native_edit *edit, size_t at)
{
    size_t end = line_end(edit, at);

    return !assay_slice_trim((assay_slice){edit->text.ptr + at, end - at}).len;
}

/* Children of an alias stand somewhere else. */
static bool is_own(const assay_node *node)
{
    for (const assay_node *c = node->child; c; c = c->next)
        if (c->at < node->at || c->end > node->end)
            return false;
    return true;
}

static assay_status fail_alias(const assay_native_edit *edit, const assay_node *node,
                               assay_error *err)
{
    return assay_fail_at(err, edit->path, node->line,
                         "an alias stands here; write out what it stands for first");
}

/* Take over what `out` holds, with the file's own line breaks, and empty it. */
static assay_status add(assay_native_edit *edit, size_t at, size_t end, assay_buffer *out,
                        assay_error *err)
{
    assay_buffer own = ASSAY_BUFFER_EMPTY;
    bool ok = !out->has_failed;

    for (size_t i = 0; ok && i < out->len; i++) {
        if (edit->has_crlf && out->ptr[i] == '\n')
            assay_buffer_char(&own, '\r');
        assay_buffer_char(&own, out->ptr[i]);
    }
    ok = ok && !own.has_failed &&
         assay_edits_add(&edit->edits, &edit->arena, at, end, assay_buffer_view(&own));
    assay_buffer_clear(&own);
    assay_buffer_clear(out);
    return ok ? ASSAY_OK : assay_fail_memory(err, "editing a golden set");
}

/* The same for lines of their own. */
static assay_status add_lines(assay_native_edit *edit, size_t at, size_t end,
                              assay_buffer *out, assay_error *err)
{
    assay_buffer lines = ASSAY_BUFFER_EMPTY;

    assay_buffer_char(&lines, '\n');
    assay_buffer_slice(&lines, assay_buffer_view(out));
    lines.has_failed = lines.has_failed || out->has_failed;
    assay_buffer_clear(out);
    return add(edit, at, end, &lines, err);
}

static void put_blanks(assay_buffer *out, int n)
{
    for (; n > 0; n--)
        assay_buffer_char(out, ' ');
}

/* ---- anchors ---- */

/* Pairs of a map, one after the other, in the style of the map. */
typedef struct pairs {
    assay_buffer *out;
    bool is_json;
    bool is_flow;
    int column; /* of the keys, in block style */
    uint32_t n;
} pairs;

static void put_key(pairs *p, const char *key)
{
    if (p->n++ && p->is_flow)
        assay_buffer_text(p->out, ", ");
    else if (p->n > 1) {
        assay_buffer_char(p->out, '\n');
        put_blanks(p->out, p->column);
    }
    if (p->is_json)
        assay_buffer_printf(p->out, "\"%s\": ", key);
    else
        assay_buffer_printf(p->out, "%s: ", key);
}

static void put_pair(pairs *p, const char *key, assay_slice value)
{
    put_key(p, key);
    assay_emit_scalar(p->out, value, p->is_json);
}

/* In block style a quote of several lines is a literal block. */
static void put_quote(pairs *p, assay_slice quote)
{
    assay_emit e = assay_emit_of(p->out, false);

    if (p->is_flow || !assay_emit_is_literal(quote)) {
        put_pair(p, "quote", quote);
        return;
    }
    put_key(p, "quote");
    p->out->len--; /* the emitter puts the blank itself */
    e.indent = p->column;
    e.depth = 1;
    e.level[0].indent = p->column;
    e.after_key = true;
    assay_emit_words(&e, quote);
}

static void put_place(pairs *p, const assay_judgment *j)
{
    char text[64];

    snprintf(text, sizeof text, "%" PRIu64 "-%" PRIu64, j->where.start, j->where.end);
    put_pair(p, j->place == ASSAY_PLACE_LINES ? "lines" : "span", assay_slice_of(text));
}

/* A map in brackets that has its line for itself can become one in block style, where a
 * long quote is readable. */
static bool can_unfold(const assay_native_edit *edit, const assay_node *list,
                       const assay_node *map, const assay_judgment *j)
{
    if (edit->is_json || !map->is_flow || list->is_flow ||
        !assay_emit_is_literal(j->quote) || !rest_is_blank(edit, map->end))
        return false;
    for (size_t i = map->at; i < map->end; i++)
        if (edit->text.ptr[i] == '#' || edit->text.ptr[i] == '\n')
            return false;
    for (const assay_node *c = map->child; c; c = c->next)
        if (!assay_native_is_judgment_key(c->key))
            return false;
    return true;
}

static assay_status unfold(assay_native_edit *edit, const assay_node *map,
                           const assay_golden *golden, const assay_judgment *j,
                           assay_error *err)
{
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_emit e = assay_emit_of(&text, false);
    size_t column = (size_t)column_of(edit, map->at);

    e.indent = (int)column;
    assay_native_put_judgment(&e, golden, j);
    /* The first key stands where the bracket stood, behind the dash. */
    if (text.len > column)
        assay_buffer_add(&out, text.ptr + column, text.len - column);
    out.has_failed = out.has_failed || text.has_failed;
    assay_buffer_clear(&text);
    return add(edit, map->at, map->end, &out, err);
}

static const assay_node *place_pair(const assay_node *map)
{
    static const char *const name[] = {"span", "chars", "lines"};

    for (size_t i = 0; i < ASSAY_COUNT(name); i++)
        if (assay_node_get(map, name[i]))
            return assay_node_get(map, name[i]);
    return NULL;
}

static assay_status edit_map(assay_native_edit *edit, const assay_node *map,
                             const assay_golden *golden, const assay_judgment *j,
                             assay_error *err)
{
    const assay_node *chunk = assay_node_get(map, "chunk");
    const assay_node *place = place_pair(map);
    const assay_node *old = chunk ? chunk : place;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    pairs p = {.out = &out, .is_json = edit->is_json, .is_flow = map->is_flow};

    if (!old)
        return assay_fail_at(err, edit->path, map->line,
                             "no chunk and no place here to be replaced");
    p.column = column_of(edit, old->key_at);
    if (chunk && !assay_node_get(map, "doc"))
        put_pair(&p, "doc", golden->docs.word[j->doc]);
    if (chunk && !assay_node_get(map, "quote"))
        put_quote(&p, j->quote);
    if (!chunk || !place)
        put_place(&p, j);
    return add(edit, old->key_at, old->end, &out, err);
}

assay_status assay_native_edit_anchor(assay_native_edit *edit, uint32_t query,
                                      uint32_t judgment, const assay_golden *golden,
                                      const assay_judgment *j, assay_error *err)
{
    const assay_node *q = edit->query[query];
    const assay_node *list = assay_node_get(q, "relevant");
    const assay_node *map = list ? list->child : NULL;

    for (uint32_t i = 0; map && i < judgment; i++)
        map = map->next;
    if (!map || !is_own(q) || !is_own(list) || !is_own(map))
        return fail_alias(edit, map ? map : q, err);
    if (assay_node_get(map, "chunk") && can_unfold(edit, list, map, j))
        return unfold(edit, map, golden, j, err);
    return edit_map(edit, map, golden, j, err);
}

/* ---- appending ---- */

/* Judgments as items of a list: of a flow list apart by commas, else a line each. */
static void put_items(const assay_native_edit *edit, const assay_golden *golden,
                      const assay_judgment *judgment, uint32_t n, bool is_flow,
                      int column, assay_buffer *out)
{
    assay_emit e = assay_emit_of(out, edit->is_json);

    if (edit->is_json)
        e.json = assay_json_writer_of(out, 0);
    e.indent = is_flow ? 0 : column;
    if (is_flow)
        for (uint32_t i = 0; i < n; i++) {
            assay_emit flow = e;

            if (i)
                assay_buffer_text(out, ", ");
            flow.level[0].is_flat = true;
            flow.depth = edit->is_json ? 0 : 1;
            assay_native_put_judgment(&flow, golden, &judgment[i]);
        }
    else {
        assay_emit_list(&e, false);
        for (uint32_t i = 0; i < n; i++)
            assay_native_put_judgment(&e, golden, &judgment[i]);
        assay_emit_end(&e);
    }
}

/* Blanks between a key and its value go with the value. */
static size_t after_colon(const assay_native_edit *edit, size_t at)
{
    while (at > 0 && edit->text.ptr[at - 1] == ' ')
        at--;
    return at;
}

/* A query without the key: it comes last. */
static assay_status add_relevant(assay_native_edit *edit, const assay_node *q,
                                 const assay_golden *golden,
                                 const assay_judgment *judgment, uint32_t n,
                                 assay_error *err)
{
    const char *key = edit->is_json ? "\"relevant\"" : "relevant";
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    const assay_node *last = q->child;
    int column = column_of(edit, q->child->key_at);

    while (last->next)
        last = last->next;
    if (q->is_flow) {
        assay_buffer_printf(&out, ", %s: [", key);
        put_items(edit, golden, judgment, n, true, 0, &out);
        assay_buffer_char(&out, ']');
        return add(edit, last->end, last->end, &out, err);
    }
    put_blanks(&out, column);
    assay_buffer_printf(&out, "%s:", key);
    put_items(edit, golden, judgment, n, false, column + 2, &out);
    return add_lines(edit, line_end(edit, last->end), line_end(edit, last->end), &out,
                     err);
}

assay_status assay_native_edit_judge(assay_native_edit *edit, uint32_t query,
                                     const assay_golden *golden,
                                     const assay_judgment *judgment, uint32_t n,
                                     assay_error *err)
{
    const assay_node *q = edit->query[query];
    const assay_node *list = assay_node_get(q, "relevant");
    const assay_node *last = list ? list->child : NULL;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    size_t at;

    while (last && last->next)
        last = last->next;
    if (!is_own(q) || (list && !is_own(list)))
        return fail_alias(edit, q, err);
    if (!list)
        return add_relevant(edit, q, golden, judgment, n, err);
    if (list->is_flow && last) {
        assay_buffer_text(&out, ", ");
        put_items(edit, golden, judgment, n, true, 0, &out);
        return add(edit, last->end, last->end, &out, err);
    }
    if (list->is_flow && q->is_flow) {
        assay_buffer_char(&out, '[');
        put_items(edit, golden, judgment, n, true, 0, &out);
        assay_buffer_char(&out, ']');
        return add(edit, list->at, list->end, &out, err);
    }
    put_items(edit, golden, judgment, n, false,
              list->is_flow ? column_of(edit, list->key_at) + 2
                            : column_of(edit, list->at),
              &out);
    if (list->is_flow)
        return add_lines(edit, after_colon(edit, list->at), list->end, &out, err);
    at = line_end(edit, list->end);
    return add_lines(edit, at, at, &out, err);
}

static void put_queries(const assay_golden *golden, const assay_query *const *query,
                        uint32_t n, int column, assay_buffer *out)
{
    assay_emit e = assay_emit_of(out, false);

    e.indent = column;
    assay_emit_list(&e, false);
    for (uint32_t i = 0; i < n; i++)
        assay_native_put_query(&e, golden, query[i]);
    assay_emit_end(&e);
}

/* Into a list in brackets, one query a line, as JSON: which every YAML reader takes. */
static void put_flow_queries(const assay_golden *golden, const assay_query *const *query,
                             uint32_t n, bool has_before, int column, assay_buffer *out)
{
    for (uint32_t i = 0; i < n; i++) {
        assay_emit e = assay_emit_of(out, true);

        if (has_before || i)
            assay_buffer_char(out, ',');
        assay_buffer_char(out, '\n');
        put_blanks(out, column);
        e.json = assay_json_writer_of(out, 0);
        assay_native_put_query(&e, golden, query[i]);
    }
}

assay_status assay_native_edit_replace(assay_native_edit *edit, uint32_t number,
                                       const assay_golden *golden,
                                       const assay_query *query, assay_error *err)
{
    const assay_node *q = edit->query[number];
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_emit e = assay_emit_of(&text, q->is_flow);
    size_t column = q->is_flow ? 0 : (size_t)column_of(edit, q->at);

    if (!is_own(edit->queries) || !is_own(q))
        return fail_alias(edit, q, err);
    if (q->is_flow)
        e.json = assay_json_writer_of(&text, 0);
    e.indent = (int)column;
    assay_native_put_query(&e, golden, query);
    /* In block style the first key stands behind the dash. */
    if (text.len > column)
        assay_buffer_add(&out, text.ptr + column, text.len - column);
    out.has_failed = out.has_failed || text.has_failed;
    assay_buffer_clear(&text);
    return add(edit, q->at, q->end, &out, err);
}

assay_status assay_native_edit_append(assay_native_edit *edit, const assay_golden *golden,
                                      const assay_query *const *query, uint32_t n,
                                      assay_error *err)
{
    const assay_node *list = edit->queries;
    const assay_node *last = edit->n_queries ? edit->query[edit->n_queries - 1] : NULL;
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    size_t at;

    if (!n)
        return ASSAY_OK;
    if (!is_own(list))
        return fail_alias(edit, list, err);
    if (list->is_flow && (last || edit->is_json)) {
        at = last ? last->end : list->at + 1;
        put_flow_queries(golden, query, n, last != NULL,
                         last ? column_of(edit, last->at) : 4, &out);
        return add(edit, at, at, &out, err);
    }
    put_queries(golden, query, n,
                list->is_flow ? column_of(edit, list->key_at) + 2
                              : column_of(edit, list->at),
                &out);
    if (list->is_flow)
        return add_lines(edit, after_colon(edit, list->at), list->end, &out, err);
    at = line_end(edit, list->end);
    return add_lines(edit, at, at, &out, err);
}

assay_status assay_native_edit_finish(assay_native_edit *edit, assay_buffer *out,
                                      assay_error *err)
{
    if (edit->has_bom)
        assay_buffer_text(out, "\xef\xbb\xbf");
    if (!assay_edits_apply(&edit->edits, edit->text, out))
        return assay_fail_at(err, edit->path, 0,
                             "two changes fall on one place; write each judgment on a "
                             "line of its own first");
    return out->has_failed ? assay_fail_memory(err, "editing a golden set") : ASSAY_OK;
}
