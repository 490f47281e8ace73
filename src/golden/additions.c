/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/additions.h"

#include <stdio.h>

#include "base/error.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/slice.h"
#include "golden/golden_text.h"
#include "golden/native.h"
#include "golden/native_edit.h"
#include "golden/resolve.h"

/* Names and whose they are: a query of base, or n_base + a query of set. */
typedef struct names {
    assay_dict dict;
    uint32_t *owner; /* by number in dict */
    size_t cap;
} names;

/* While lines are read. */
typedef struct reader {
    assay_additions *into;
    assay_field_reader in;
    names ids;
    names texts; /* of queries of one text the first has it */
    names added; /* ids of the queries of set, be they in base or not: query of set */
    uint32_t n_base;
} reader;

/* ---- whose line it is ---- */

static bool put_name(names *n, assay_slice name, uint32_t query)
{
    uint32_t number;
    uint32_t *grown;
    bool is_new;

    if (!name.len)
        return true;
    if (!assay_dict_put(&n->dict, NULL, name, &number, &is_new))
        return false;
    grown = assay_mem_grow(n->owner, &n->cap, (size_t)number + 1, sizeof *grown);
    if (!grown)
        return false;
    n->owner = grown;
    if (is_new)
        n->owner[number] = query;
    return true;
}

static bool put_query(reader *r, const assay_query *q, uint32_t query)
{
    return put_name(&r->ids, q->id, query) && put_name(&r->texts, q->text, query);
}

/* The owner of a name, or ASSAY_NONE. */
static uint32_t find(const names *n, assay_slice name)
{
    uint32_t number = assay_dict_find(&n->dict, name);

    return number == ASSAY_NONE ? ASSAY_NONE : n->owner[number];
}

static void clear(names *n)
{
    assay_dict_clear(&n->dict);
    assay_mem_free(n->owner);
}

static const assay_query *query_at(const reader *r, uint32_t number)
{
    return number < r->n_base ? &r->into->base->query[number]
                              : &r->into->set->query[number - r->n_base];
}

/* q-1, q-2 ...: the first that nobody has. */
static bool make_id(reader *r, assay_slice *out)
{
    uint32_t n = r->n_base + r->into->n_new;
    char text[32];

    do {
        snprintf(text, sizeof text, "q-%u", ++n);
    } while (find(&r->ids, assay_slice_of(text)) != ASSAY_NONE);
    *out = assay_arena_copy(&r->into->set->arena, assay_slice_of(text));
    return out->ptr != NULL;
}

/* ---- the map of a line ---- */

static bool put_node(assay_arena *arena, assay_node *map, const char *key,
                     assay_slice text)
{
    assay_node *node = ASSAY_ARENA_ARRAY(arena, assay_node, 1);

    if (!node)
        return false;
    *node = (assay_node){.kind = ASSAY_NODE_STRING,
                         .line = map->line,
                         .key = assay_slice_of(key),
                         .key_line = map->line,
                         .text = text,
                         .next = map->child};
    map->child = node;
    map->n++;
    return true;
}

/* Fill in the id or the text that follows from the other. */
static bool complete(reader *r, assay_node *map)
{
    const assay_node *id = assay_node_get(map, "id");
    const assay_node *text = assay_node_get(map, "query");
    assay_arena *arena = &r->into->set->arena;
    assay_slice made;
    uint32_t number;

    if (id && !text) {
        number = find(&r->ids, id->text);
        return number == ASSAY_NONE ||
               put_node(arena, map, "query", query_at(r, number)->text);
    }
    if (id || !text)
        return true;
    number = find(&r->texts, text->text);
    if (number != ASSAY_NONE)
        return put_node(arena, map, "id", query_at(r, number)->id);
    return make_id(r, &made) && put_node(arena, map, "id", made);
}

/* Move the keys of a judgment that stand beside those of the query into a map of their
 * own, at the end of `relevant`. */
static assay_status fold(reader *r, assay_node *map, assay_error *err)
{
    assay_arena *arena = &r->into->set->arena;
    assay_node *own = ASSAY_ARENA_ARRAY(arena, assay_node, 1);
    assay_node *list = ASSAY_ARENA_ARRAY(arena, assay_node, 1);
    assay_node **from = &map->child;
    assay_node **to;

    if (!own || !list)
        return assay_fail_memory(err, "reading additions");
    *own = (assay_node){.kind = ASSAY_NODE_MAP, .line = map->line, .key = ASSAY_LIT("")};
    to = &own->child;
    while (*from) {
        assay_node *node = *from;

        if (!assay_native_is_judgment_key(node->key)) {
            from = &node->next;
            continue;
        }
        *from = node->next;
        map->n--;
        node->next = NULL;
        *to = node;
        to = &node->next;
        own->n++;
    }
    if (!own->n)
        return ASSAY_OK;
    if (assay_node_get(map, "relevant"))
        return assay_fail_at(err, r->in.path, map->line,
                             "a judgment beside 'relevant'; put it into the list");
    *list = (assay_node){.kind = ASSAY_NODE_LIST,
                         .line = map->line,
                         .n = 1,
                         .key = ASSAY_LIT("relevant"),
                         .key_line = map->line,
                         .child = own,
                         .next = map->child};
    map->child = list;
    map->n++;
    return ASSAY_OK;
}

/* ---- one line ---- */

static bool says_more(const assay_query *q)
{
    return q->lang.len || q->difficulty.len || q->category.len || q->group.len ||
           q->notes.len || q->has_expected_answer || q->tags.n || q->n_meta ||
           q->must_contain.n || q->forbidden.n || q->n_any_of || q->is_draft ||
           q->label == ASSAY_LABEL_SHOULD_REFUSE;
}

static assay_status check_known(const reader *r, const assay_query *q,
                                const assay_query *known, assay_error *err)
{
    if (!assay_slice_eq(q->text, known->text))
        return assay_fail_at(err, r->in.path, q->line,
                             "query '%.*s' is there already, and asks '%.*s'",
                             ASSAY_QUOTE(q->id), ASSAY_QUOTE(known->text));
    if (says_more(q))
        return assay_fail_at(err, r->in.path, q->line,
                             "query '%.*s' is there already: only judgments can be "
                             "added to it",
                             ASSAY_QUOTE(q->id));
    if (!q->n_judgments)
        return assay_fail_at(err, r->in.path, q->line,
                             "query '%.*s' is there already, and no judgment is given",
                             ASSAY_QUOTE(q->id));
    return ASSAY_OK;
}

/* The query just read, put together with what there is of it. */
static assay_status join(reader *r, assay_error *err)
{
    assay_golden *set = r->into->set;
    uint32_t own = set->n_queries - 1;
    assay_query *q = &set->query[own];
    uint32_t known = find(&r->ids, q->id);
    uint32_t before = find(&r->added, q->id);
    assay_status st = ASSAY_OK;

    if (known != ASSAY_NONE)
        st = check_known(r, q, query_at(r, known), err);
    if (st)
        return st;
    if (before != ASSAY_NONE) {
        set->n_queries--;
        for (uint32_t i = 0; !st && i < q->n_judgments; i++)
            st = assay_golden_judge(set, &set->query[before], &q->judgment[i], err);
        return st;
    }
    r->into->n_new += known == ASSAY_NONE;
    if (!put_query(r, q, r->n_base + own) || !put_name(&r->added, q->id, own))
        return assay_fail_memory(err, "reading additions");
    return ASSAY_OK;
}

static assay_status read_line(reader *r, uint32_t line, assay_slice text,
                              assay_error *err)
{
    assay_golden *set = r->into->set;
    assay_node *map;
    assay_status st =
        assay_node_json_line(r->in.path, line, text, &set->arena, &map, err);

    if (st)
        return st;
    if (map->kind != ASSAY_NODE_MAP)
        return assay_fail_at(err, r->in.path, line, "want a JSON object, this is %s",
                             assay_node_kind_name(map->kind));
    st = fold(r, map, err);
    if (!st && !complete(r, map))
        st = assay_fail_memory(err, "reading additions");
    if (!st)
        st = assay_native_query(&r->in, map, err);
    return st ? st : join(r, err);
}

/* Note what is wrong and go on; memory cannot be gone on without. */
static assay_status note(assay_additions *a, assay_status st, const assay_error *what,
                         assay_error *err)
{
    if (st == ASSAY_ENOMEM || !assay_notes_add(&a->bad, &a->set->arena, "%s", what->text))
        return assay_fail_memory(err, "reading additions");
    return ASSAY_OK;
}

static assay_status read_lines(reader *r, uint32_t first, assay_slice text,
                               assay_error *err)
{
    assay_lines in = assay_lines_of(r->in.path, text);
    assay_golden *set = r->into->set;
    assay_slice line;
    assay_status st = ASSAY_OK;

    while (!st && assay_lines_next(&in, &line)) {
        uint32_t before = set->n_queries;
        assay_error what = {ASSAY_OK, ""};

        if (!assay_slice_trim(line).len)
            continue;
        st = read_line(r, first ? first + (uint32_t)in.line - 1 : 0, line, &what);
        if (!st)
            continue;
        set->n_queries = before;
        st = note(r->into, st, &what, err);
    }
    return st;
}

static void count_judgments(assay_additions *a)
{
    a->n_judgments = 0;
    for (uint32_t i = 0; i < a->set->n_queries; i++)
        a->n_judgments += a->set->query[i].n_judgments;
}

assay_status assay_additions_read(assay_additions *out, const char *name, uint32_t line,
                                  assay_slice text, const assay_golden *base,
                                  assay_error *err)
{
    static const assay_golden_options standard = {0};
    assay_additions a = {.base = base, .set = assay_golden_new()};
    reader r = {.into = &a, .n_base = base ? base->n_queries : 0};
    assay_status st;

    if (!a.set)
        return assay_fail_memory(err, "reading additions");
    st = assay_file_copy(&a.set->file, text, name, err);
    a.set->path = a.set->judged_path =
        assay_arena_string(&a.set->arena, assay_slice_of(name));
    if (!st && !a.set->path)
        st = assay_fail_memory(err, "reading additions");
    r.in = (assay_field_reader){a.set->path, a.set, true};
    if (!st)
        st = assay_golden_check_text(name, a.set->file.text, &standard, err);
    for (uint32_t i = 0; !st && i < r.n_base; i++)
        if (!put_query(&r, &base->query[i], i))
            st = assay_fail_memory(err, "reading additions");
    if (!st)
        st = read_lines(&r, line, a.set->file.text, err);
    clear(&r.ids);
    clear(&r.texts);
    clear(&r.added);
    if (st) {
        assay_additions_clear(&a);
        return st;
    }
    count_judgments(&a);
    *out = a;
    return ASSAY_OK;
}

void assay_additions_clear(assay_additions *additions)
{
    assay_notes_clear(&additions->bad);
    assay_golden_free(additions->set);
    *additions = (assay_additions){0};
}

/* ---- checking ---- */

assay_status assay_additions_check(assay_additions *additions, const char *corpus,
                                   const assay_trace_options *options, assay_error *err)
{
    assay_golden *set = additions->set;
    assay_buffer line = ASSAY_BUFFER_EMPTY;
    assay_resolution r;
    assay_status st = assay_resolve(set, corpus, options, &r, err);

    for (uint32_t i = 0; !st && i < r.n; i++) {
        const assay_resolved *item = &r.item[i];
        assay_finding finding = item->traced.finding;

        if (finding != ASSAY_FOUND_LOST && finding != ASSAY_FOUND_AMBIGUOUS)
            continue;
        line.len = 0;
        assay_resolved_line(item, set, &line);
        if (finding == ASSAY_FOUND_AMBIGUOUS)
            assay_buffer_text(&line, "; lines or span say which");
        if (line.has_failed || !assay_notes_add(&additions->bad, &set->arena, "%.*s",
                                                (int)line.len, line.ptr))
            st = assay_fail_memory(err, "checking additions");
    }
    assay_buffer_clear(&line);
    return st;
}

/* ---- merging ---- */

static assay_status write_new(const assay_golden *set, assay_buffer *out,
                              assay_error *err)
{
    const assay_golden_target target = {.out = out};

    return assay_native_write(set, &target, err);
}

static assay_status edit_all(const assay_additions *a, assay_native_edit *edit,
                             assay_error *err)
{
    const assay_query **new =
        ASSAY_ARENA_ARRAY(&edit->arena, const assay_query *, a->set->n_queries);
    uint32_t n = 0;
    assay_status st = new ? ASSAY_OK : assay_fail_memory(err, "adding to a golden set");

    for (uint32_t i = 0; !st && i < a->set->n_queries; i++) {
        const assay_query *q = &a->set->query[i];
        uint32_t number = assay_dict_find(&a->base->ids, q->id);

        if (number == ASSAY_NONE)
            new[n++] = q;
        else
            st = assay_native_edit_judge(edit, number, a->set, q->judgment,
                                         q->n_judgments, err);
    }
    return st ? st : assay_native_edit_append(edit, a->set, new, n, err);
}

/* The new text must read as what was there and what was added. */
static assay_status read_back(const assay_additions *a, const char *path,
                              const assay_buffer *out, assay_error *err)
{
    const assay_golden_options options = {.format = "assay"};
    assay_golden *golden = NULL;
    uint32_t n_base = a->base ? a->base->n_queries : 0;
    uint32_t judged = 0;
    uint32_t before = 0;
    assay_status st =
        assay_golden_parse(path, assay_buffer_view(out), &options, &golden, err);

    if (st)
        return st;
    for (uint32_t i = 0; i < golden->n_queries; i++)
        judged += golden->query[i].n_judgments;
    for (uint32_t i = 0; i < n_base; i++)
        before += a->base->query[i].n_judgments;
    if (golden->n_queries != n_base + a->n_new || judged != before + a->n_judgments)
        st = assay_fail_at(err, path, 0,
                           "is written in a way that cannot be added to; 'assay golden "
                           "convert --to assay' writes it anew");
    assay_golden_free(golden);
    return st;
}

assay_status assay_additions_merge(const assay_additions *additions, const char *path,
                                   assay_slice text, assay_buffer *out, assay_error *err)
{
    assay_native_edit edit;
    assay_status st;

    if (!additions->base) {
        st = write_new(additions->set, out, err);
        return st ? st : read_back(additions, path, out, err);
    }
    st = assay_native_edit_open(&edit, path, text, err);
    if (st)
        return st;
    st = edit_all(additions, &edit, err);
    if (!st)
        st = assay_native_edit_finish(&edit, out, err);
    assay_native_edit_close(&edit);
    return st ? st : read_back(additions, path, out, err);
}
