/* SPDX-License-Identifier: Apache-2.0 */
/* kebab's golden YAML: a list of maps.
 *
 *     - id: g1
 *       query: How are refunds approved?
 *       expected_doc_ids: [refunds]
 *       expected_chunk_ids: [c1, c2]
 *       must_contain: [finance]
 *
 * `expected_doc_ids: []` says that the system should refuse; without the key the query
 * is not labelled.  kebab itself takes both for "should refuse": that is a convention of
 * its metrics, not of the file. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/name_list.h"
#include "base/slice.h"
#include "golden/emit.h"
#include "golden/fields.h"
#include "golden/lost.h"
#include "golden/top.h"

static const assay_field query_fields[] = {
    {.name = "id"},
    {.name = "query",
     .kind = ASSAY_FIELD_TEXT,
     .at = offsetof(assay_query, text),
     .is_required = true},
    ASSAY_FIELD("lang", TEXT, assay_query, lang),
    {.name = "expected_doc_ids", .is_judgment = true},
    {.name = "expected_chunk_ids", .is_judgment = true},
    ASSAY_FIELD("must_contain", STRINGS, assay_query, must_contain),
    ASSAY_FIELD("forbidden", STRINGS, assay_query, forbidden),
    ASSAY_FIELD("difficulty", TEXT, assay_query, difficulty),
    ASSAY_FIELD("group", TEXT, assay_query, group),
    {.name = NULL},
};

static int sniff_kebab(const assay_golden_source *source)
{
    if (assay_top_is(source->top, ASSAY_TOP_LIST, "query"))
        return 90;
    return assay_top_is(source->top, ASSAY_TOP_LIST, "id") ? 60 : 0;
}

/* ---- groups ---- */

/* Groups whose members do not name the same documents. */
typedef struct groups {
    assay_dict names;
    uint32_t *first; /* by group: its first member */
    bool *is_split;  /* by group */
    uint32_t n_split;
    assay_name_list list; /* the members that differ from the first */
    uint32_t line;        /* of the first of these */
} groups;

static int compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The relevant documents of a query, ascending, each once; null: no memory. */
static uint32_t *doc_set(const assay_query *q, assay_arena *arena, uint32_t *n)
{
    uint32_t *doc = ASSAY_ARENA_ARRAY(arena, uint32_t, q->n_judgments);
    uint32_t kept = 0;

    *n = 0;
    if (!doc)
        return NULL;
    for (uint32_t i = 0; i < q->n_judgments; i++)
        if (q->judgment[i].doc != ASSAY_NONE && q->judgment[i].grade > 0)
            doc[(*n)++] = q->judgment[i].doc;
    qsort(doc, *n, sizeof *doc, compare_u32);
    for (uint32_t i = 0; i < *n; i++)
        if (!kept || doc[kept - 1] != doc[i])
            doc[kept++] = doc[i];
    *n = kept;
    return doc;
}

static bool compare_docs(const assay_query *a, const assay_query *b, assay_arena *arena,
                         bool *is_same)
{
    uint32_t n_a;
    uint32_t n_b;
    uint32_t *of_a = doc_set(a, arena, &n_a);
    uint32_t *of_b = doc_set(b, arena, &n_b);

    *is_same = of_a && of_b && n_a == n_b && memcmp(of_a, of_b, n_a * sizeof *of_a) == 0;
    return of_a && of_b;
}

static bool add_member(groups *g, const assay_golden *golden, uint32_t i,
                       assay_arena *arena)
{
    const assay_query *q = &golden->query[i];
    const assay_query *first;
    uint32_t group;
    bool is_new;
    bool is_same;

    if (!assay_dict_put(&g->names, NULL, q->group, &group, &is_new))
        return false;
    if (is_new)
        g->first[group] = i;
    first = &golden->query[g->first[group]];
    if (!compare_docs(first, q, arena, &is_same))
        return false;
    if (is_same)
        return true;
    if (!g->list.n)
        g->line = q->line;
    g->n_split += !g->is_split[group];
    g->is_split[group] = true;
    assay_name_list_printf(&g->list, "'%.*s' and '%.*s' of group '%.*s'",
                           (int)(first->id.len < 40 ? first->id.len : 40), first->id.ptr,
                           (int)(q->id.len < 40 ? q->id.len : 40), q->id.ptr,
                           (int)(q->group.len < 40 ? q->group.len : 40), q->group.ptr);
    return true;
}

static bool find_groups(groups *g, const assay_golden *golden, assay_arena *arena)
{
    g->first = ASSAY_ARENA_ARRAY(arena, uint32_t, golden->n_queries);
    g->is_split = ASSAY_ARENA_ARRAY(arena, bool, golden->n_queries);
    if (!g->first || !g->is_split)
        return false;
    for (uint32_t i = 0; i < golden->n_queries; i++)
        if (golden->query[i].group.len && !golden->query[i].is_draft &&
            !add_member(g, golden, i, arena))
            return false;
    return true;
}

static assay_status check_groups(const assay_golden *golden, assay_error *err)
{
    assay_arena scratch = ASSAY_ARENA_EMPTY;
    groups g = {.line = 0};
    bool has_memory = find_groups(&g, golden, &scratch);

    assay_dict_clear(&g.names);
    assay_arena_clear(&scratch);
    if (!has_memory)
        return assay_fail_memory(err, "reading a golden set");
    if (g.list.n)
        return assay_fail_at(err, golden->path, g.line,
                             "members of a group must share expected_doc_ids: %s",
                             assay_name_list_text(&g.list));
    return ASSAY_OK;
}

/* ---- reading ---- */

static assay_status read_ids(const assay_field_reader *in, const assay_node *map,
                             assay_query *q, assay_error *err)
{
    const assay_node *docs = assay_node_get(map, "expected_doc_ids");
    const assay_node *chunks = assay_node_get(map, "expected_chunk_ids");
    assay_status st = ASSAY_OK;

    if (docs)
        st = assay_field_judge(in, docs, "expected_doc_ids", false, q, err);
    if (!st && chunks)
        st = assay_field_judge(in, chunks, "expected_chunk_ids", true, q, err);
    q->has_relevant_key = docs || q->n_judgments;
    if (docs && !q->n_judgments)
        q->label = ASSAY_LABEL_SHOULD_REFUSE;
    return st;
}

static assay_status note_chunks(assay_golden *golden, const assay_node *map,
                                const assay_query *q, assay_error *err)
{
    const assay_node *docs = assay_node_get(map, "expected_doc_ids");

    if (!docs || docs->n || !q->n_judgments ||
        assay_notes_add(&golden->notes, &golden->arena,
                        "query '%.*s' expects chunks, yet its expected_doc_ids is [], "
                        "which says should refuse; taken as labelled",
                        ASSAY_QUOTE(q->id)))
        return ASSAY_OK;
    return assay_fail_memory(err, "reading a golden set");
}

static assay_status read_query(const assay_field_reader *in, const assay_node *map,
                               assay_error *err)
{
    assay_query *q;
    assay_status st = assay_field_query(in, map, "id", &q, err);

    if (!st)
        st = assay_fields_read(in, map, "query", q->id, query_fields, q, err);
    if (!st)
        st = read_ids(in, map, q, err);
    return st ? st : note_chunks(in->golden, map, q, err);
}

static assay_status read_kebab(const assay_golden_source *source, assay_golden *into,
                               assay_error *err)
{
    const assay_field_reader in = {source->path, into, true};
    assay_node *root;
    assay_status st = assay_field_tree(&in, source->text, &root, err);

    if (st)
        return st;
    if (root->kind != ASSAY_NODE_LIST)
        return assay_fail_at(err, source->path, root->line,
                             "a kebab golden set is a list of queries, this is %s",
                             assay_node_kind_name(root->kind));
    for (const assay_node *c = root->child; c && !st; c = c->next)
        st = read_query(&in, c, err);
    return st ? st : check_groups(into, err);
}

/* ---- writing ---- */

static const char head[] =
    "# Golden set in kebab's format: a list of queries, each with an id and a query.\n"
    "#\n"
    "# For whoever keeps this file:\n"
    "# - Every id below must be one of the corpus; an id that is gone finds nothing.\n"
    "# - expected_chunk_ids feed hit_at_k, MRR and precision_at_k_chunk. The last is hits of\n"
    "#   the top k that stand in the list, divided by k; k stays k, so that a list that came\n"
    "#   back short loses. A query with an empty list is skipped there.\n"
    "# - expected_doc_ids feed recall_at_k_doc. An explicit [] means: should refuse.\n"
    "# - must_contain and forbidden drive groundedness, by the text of the answer.\n"
    "# - Queries of one group ask the same thing and share their expected_doc_ids.\n";

static void write_strings(assay_emit *e, const char *key, assay_strings s)
{
    if (!s.n)
        return;
    assay_emit_key(e, key);
    assay_emit_list(e, true);
    for (uint32_t i = 0; i < s.n; i++)
        assay_emit_text(e, s.item[i]);
    assay_emit_end(e);
}

/* [] stands for should refuse; "explicitly nothing" has no other form here. */
static bool write_docs(assay_emit *e, const assay_golden *golden, const assay_query *q,
                       const assay_golden_target *target)
{
    bool is_empty =
        q->label == ASSAY_LABEL_SHOULD_REFUSE || q->label == ASSAY_LABEL_NEGATIVE;
    bool has_key = false;
    uint32_t n;
    const assay_doc_grade *doc = assay_golden_docs_of(q, false, target, &n);

    if (!doc)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (doc[i].grade <= 0)
            continue;
        if (!has_key) {
            assay_emit_key(e, "expected_doc_ids");
            assay_emit_list(e, true);
            has_key = true;
        }
        assay_emit_text(e, golden->docs.word[doc[i].doc]);
    }
    if (!has_key && is_empty) {
        assay_emit_key(e, "expected_doc_ids");
        assay_emit_list(e, true);
        has_key = true;
    }
    if (has_key)
        assay_emit_end(e);
    return true;
}

static void write_chunks(assay_emit *e, const assay_golden *golden, const assay_query *q)
{
    bool has_key = false;

    for (uint32_t i = 0; i < q->n_judgments; i++) {
        const assay_judgment *j = &q->judgment[i];

        if (j->chunk == ASSAY_NONE || j->grade <= 0)
            continue;
        if (!has_key) {
            assay_emit_key(e, "expected_chunk_ids");
            assay_emit_list(e, true);
            has_key = true;
        }
        assay_emit_text(e, golden->chunks.word[j->chunk]);
    }
    if (has_key)
        assay_emit_end(e);
}

static bool write_query(assay_emit *e, const assay_golden *golden, const assay_query *q,
                        const groups *g, const assay_golden_target *target)
{
    bool has_group = q->group.len && !g->is_split[assay_dict_find(&g->names, q->group)];

    assay_emit_map(e, false);
    assay_emit_key(e, "id");
    assay_emit_text(e, q->id);
    assay_emit_key(e, "query");
    assay_emit_text(e, q->text);
    assay_emit_text_of(e, "lang", q->lang);
    if (!write_docs(e, golden, q, target))
        return false;
    write_chunks(e, golden, q);
    write_strings(e, "must_contain", q->must_contain);
    write_strings(e, "forbidden", q->forbidden);
    assay_emit_text_of(e, "difficulty", q->difficulty);
    if (has_group)
        assay_emit_text_of(e, "group", q->group);
    assay_emit_end(e);
    return true;
}

static assay_status write_kebab(const assay_golden *golden,
                                const assay_golden_target *target, assay_error *err)
{
    assay_emit e = assay_emit_of(target->out, false);
    groups g = {.line = 0};
    bool has_memory = find_groups(&g, golden, target->arena);

    assay_buffer_text(target->out, head);
    assay_emit_list(&e, false);
    for (uint32_t i = 0; has_memory && i < golden->n_queries; i++)
        if (!golden->query[i].is_draft)
            has_memory = write_query(&e, golden, &golden->query[i], &g, target);
    assay_emit_end(&e);
    assay_emit_done(&e);
    if (has_memory && g.n_split)
        has_memory = assay_notes_add(
            target->lost, target->arena,
            "%u %s with different documents, which kebab YAML "
            "cannot hold: written without the group",
            g.n_split, g.n_split == 1 ? "group has members" : "groups have members");
    assay_dict_clear(&g.names);
    return assay_golden_written(target, has_memory, err);
}

const assay_golden_format assay_golden_format_kebab = {
    .name = "kebab",
    .title = "kebab YAML",
    .summary = "kebab's golden YAML: a list of queries with expected ids",
    .holds = ASSAY_HOLDS(TEXT) | ASSAY_HOLDS(LANG) | ASSAY_HOLDS(DIFFICULTY) |
             ASSAY_HOLDS(GROUP) | ASSAY_HOLDS(MUST_CONTAIN) | ASSAY_HOLDS(FORBIDDEN) |
             ASSAY_HOLDS(REFUSE) | ASSAY_HOLDS(UNLABELLED) | ASSAY_HOLDS(DOC) |
             ASSAY_HOLDS(CHUNK),
    .has_sets = true,
    .sniff = sniff_kebab,
    .read = read_kebab,
    .write = write_kebab,
};
