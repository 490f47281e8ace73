/* SPDX-License-Identifier: Apache-2.0 */
/* evalvault's retrieval ground truth: one JSON object with its own documents.
 *
 *     {"name": "...", "version": "1.0.0", "description": "...",
 *      "documents": [{"doc_id": "doc-001", "content": "..."}],
 *      "test_cases": [{"test_id": "ret-001", "query": "...",
 *                      "relevant_doc_ids": ["doc-001"]}]}
 *
 * Ids are strings: "2" is never an index.  Older files say `relevant_docs`. */
#include <stdio.h>

#include "base/error.h"
#include "base/json.h"
#include "base/name_list.h"
#include "base/slice.h"
#include "golden/fields.h"
#include "golden/lost.h"
#include "golden/top.h"

/* What is said at the end, once for all documents or cases that it concerns. */
typedef struct reading {
    assay_golden *golden;
    assay_dict ids; /* of the documents */
    uint32_t *line; /* by number in ids */
    assay_name_list made_docs;
    assay_name_list made_cases;
    assay_name_list empty_docs;
    assay_name_list digits;
    assay_name_list missing;
    uint32_t n_legacy;
} reading;

static int sniff_evalvault(const assay_golden_source *source)
{
    return assay_top_is(source->top, ASSAY_TOP_MAP, "test_cases") ? 95 : 0;
}

/* The first of several spellings that holds something; null and "" count as nothing. */
static const assay_node *first_of(const assay_node *map, const char *const *name)
{
    for (; *name; name++) {
        const assay_node *n = assay_node_get(map, *name);

        if (n && n->kind != ASSAY_NODE_NULL &&
            !(n->kind == ASSAY_NODE_STRING && !n->text.len))
            return n;
    }
    return NULL;
}

/* An id made up by position, as evalvault does. */
static assay_status make_id(reading *r, bool is_doc, uint32_t n, assay_slice *out,
                            assay_error *err)
{
    char text[32];

    snprintf(text, sizeof text, is_doc ? "doc_%u" : "ret-%03u", n);
    *out = assay_arena_copy(&r->golden->arena, assay_slice_of(text));
    if (!out->ptr)
        return assay_fail_memory(err, "reading a golden set");
    assay_name_list_add(is_doc ? &r->made_docs : &r->made_cases, *out);
    return ASSAY_OK;
}

static bool is_digits(assay_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
    return s.len > 0;
}

/* ---- documents ---- */

static const char *const doc_id_names[] = {"doc_id", "id", NULL};
static const char *const content_names[] = {"content", "text", "document", NULL};

static const assay_field doc_fields[] = {
    {.name = "doc_id"},   {.name = "id"},
    {.name = "content"},  {.name = "text"},
    {.name = "document"}, ASSAY_FIELD("title", TEXT, assay_golden_doc, title),
    {.name = NULL},
};

static assay_status read_doc(const assay_field_reader *in, reading *r,
                             const assay_node *map, uint32_t n, assay_golden_doc *doc,
                             assay_error *err)
{
    const assay_node *id = first_of(map, doc_id_names);
    const assay_node *content = first_of(map, content_names);
    assay_status st;

    *doc = (assay_golden_doc){ASSAY_LIT(""), ASSAY_LIT(""), ASSAY_LIT("")};
    if (map->kind != ASSAY_NODE_MAP)
        return assay_fail_at(err, in->path, map->line, "a document is %s, want a map",
                             assay_node_kind_name(map->kind));
    st = id ? assay_field_id(in, id, "doc_id", &doc->id, err)
            : make_id(r, true, n, &doc->id, err);
    if (!st && content)
        st = assay_field_text(in, content, "content", &doc->text, err);
    if (!st)
        st = assay_fields_read(in, map, "document", doc->id, doc_fields, doc, err);
    if (!st && !doc->text.len)
        assay_name_list_add(&r->empty_docs, doc->id);
    if (!st && is_digits(doc->id))
        assay_name_list_add(&r->digits, doc->id);
    return st;
}

/* Read all documents; every id that comes twice is named. */
static assay_status read_docs(const assay_field_reader *in, reading *r,
                              const assay_node *list, assay_error *err)
{
    assay_golden *golden = in->golden;
    assay_name_list twice = {{0}, 0, 0, 0};
    uint32_t line = 0;

    golden->doc = ASSAY_ARENA_ARRAY(&golden->arena, assay_golden_doc, list->n);
    r->line = ASSAY_ARENA_ARRAY(&golden->arena, uint32_t, list->n);
    if (!golden->doc || !r->line)
        return assay_fail_memory(err, "reading a golden set");
    for (const assay_node *c = list->child; c; c = c->next) {
        assay_golden_doc *doc = &golden->doc[golden->n_docs++];
        assay_status st = read_doc(in, r, c, golden->n_docs, doc, err);
        uint32_t number;
        bool is_new;

        if (st)
            return st;
        if (!assay_dict_put(&r->ids, NULL, doc->id, &number, &is_new))
            return assay_fail_memory(err, "reading a golden set");
        if (is_new) {
            r->line[number] = c->line;
            continue;
        }
        line = line ? line : c->line;
        assay_name_list_printf(&twice, "'%.*s' (lines %u and %u)", ASSAY_QUOTE(doc->id),
                               r->line[number], c->line);
    }
    if (twice.n)
        return assay_fail_at(err, in->path, line, "document ids that come twice: %s",
                             assay_name_list_text(&twice));
    return ASSAY_OK;
}

/* ---- test cases ---- */

static const char *const case_id_names[] = {"test_id", "id", NULL};
static const char *const query_names[] = {"query", "question", NULL};

static const assay_field case_fields[] = {
    {.name = "test_id"},
    {.name = "id"},
    {.name = "query"},
    {.name = "question"},
    {.name = "relevant_doc_ids", .is_judgment = true},
    {.name = "relevant_docs", .is_judgment = true},
    ASSAY_FIELD("category", TEXT, assay_query, category),
    ASSAY_FIELD("difficulty", TEXT, assay_query, difficulty),
    {.name = NULL},
};

static void check_known(reading *r, const assay_query *q)
{
    for (uint32_t i = 0; i < q->n_judgments; i++) {
        assay_slice id = r->golden->docs.word[q->judgment[i].doc];

        if (assay_dict_find(&r->ids, id) == ASSAY_NONE)
            assay_name_list_printf(&r->missing, "'%.*s' (of '%.*s')",
                                   (int)(id.len < 60 ? id.len : 60), id.ptr,
                                   (int)(q->id.len < 60 ? q->id.len : 60), q->id.ptr);
    }
}

static assay_status read_relevant(const assay_field_reader *in, reading *r,
                                  const assay_node *map, assay_query *q, assay_error *err)
{
    const assay_node *ids = assay_node_get(map, "relevant_doc_ids");
    const assay_node *legacy = assay_node_get(map, "relevant_docs");
    assay_status st;

    r->n_legacy += !ids && legacy;
    if (!ids && !legacy)
        return ASSAY_OK;
    st = assay_field_judge(in, ids ? ids : legacy,
                           ids ? "relevant_doc_ids" : "relevant_docs", false, q, err);
    q->has_relevant_key = true;
    if (!q->n_judgments)
        q->label = ASSAY_LABEL_NEGATIVE;
    if (!st && in->golden->n_docs)
        check_known(r, q);
    return st;
}

static assay_status read_case(const assay_field_reader *in, reading *r,
                              const assay_node *map, uint32_t n, assay_error *err)
{
    const assay_node *id_node = first_of(map, case_id_names);
    const assay_node *text = first_of(map, query_names);
    assay_slice id;
    assay_query *q;
    assay_status st;

    if (map->kind != ASSAY_NODE_MAP)
        return assay_fail_at(err, in->path, map->line, "a test case is %s, want a map",
                             assay_node_kind_name(map->kind));
    st = id_node ? assay_field_id(in, id_node, "test_id", &id, err)
                 : make_id(r, false, n, &id, err);
    if (!st)
        st = assay_golden_add(in->golden, id, map->line, &q, err);
    if (st)
        return st;
    /* "" says that the set came without texts; no key at all is a mistake. */
    if (!text)
        text = assay_node_get(map, "query");
    if (!text || text->kind == ASSAY_NODE_NULL)
        return assay_fail_at(err, in->path, map->line, "test case '%.*s' has no 'query'",
                             ASSAY_QUOTE(id));
    st = assay_field_text(in, text, "query", &q->text, err);
    if (!st)
        st = assay_fields_read(in, map, "test case", id, case_fields, q, err);
    return st ? st : read_relevant(in, r, map, q, err);
}

/* ---- the whole ---- */

static const assay_field top_fields[] = {
    ASSAY_FIELD("name", TEXT, assay_golden, name),
    ASSAY_FIELD("version", TEXT, assay_golden, version),
    ASSAY_FIELD("description", TEXT, assay_golden, description),
    {.name = "documents"},
    {.name = "test_cases", .is_required = true},
    {.name = NULL},
};

static bool say_names(reading *r, assay_name_list *list, const char *what)
{
    return !list->n || assay_notes_add(&r->golden->notes, &r->golden->arena, "%s: %s",
                                       what, assay_name_list_text(list));
}

static bool say_notes(reading *r)
{
    assay_golden *g = r->golden;

    if (!g->n_docs &&
        !assay_notes_add(&g->notes, &g->arena,
                         "no documents in it, so relevant ids cannot be checked"))
        return false;
    if (r->n_legacy &&
        !assay_notes_add(&g->notes, &g->arena,
                         "%u %s relevant_docs, the old name of relevant_doc_ids; "
                         "'assay golden convert --to evalvault' renames",
                         r->n_legacy,
                         r->n_legacy == 1 ? "test case says" : "test cases say"))
        return false;
    return say_names(r, &r->made_docs, "documents without doc_id were numbered") &&
           say_names(r, &r->made_cases, "test cases without test_id were numbered") &&
           say_names(r, &r->empty_docs, "documents without content") &&
           say_names(r, &r->missing, "relevant ids that are no documents") &&
           say_names(r, &r->digits,
                     "document ids of digits only are easily taken for an index, better "
                     "'doc-1' than '1'");
}

static assay_status read_all(const assay_field_reader *in, reading *r,
                             const assay_node *root, assay_error *err)
{
    const assay_node *docs = assay_node_get(root, "documents");
    const assay_node *cases = assay_node_get(root, "test_cases");
    assay_status st = assay_fields_read(in, root, "golden set", ASSAY_LIT(""), top_fields,
                                        in->golden, err);
    uint32_t n = 0;

    if (!st && docs)
        st = assay_field_want(in, docs, "documents", ASSAY_NODE_LIST, err);
    if (!st && docs)
        st = read_docs(in, r, docs, err);
    if (!st)
        st = assay_field_want(in, cases, "test_cases", ASSAY_NODE_LIST, err);
    for (const assay_node *c = st ? NULL : cases->child; c && !st; c = c->next)
        st = read_case(in, r, c, ++n, err);
    if (!st && !say_notes(r))
        return assay_fail_memory(err, "reading a golden set");
    return st;
}

static assay_status read_evalvault(const assay_golden_source *source, assay_golden *into,
                                   assay_error *err)
{
    const assay_field_reader in = {source->path, into, false};
    reading r = {.golden = into};
    assay_node *root;
    assay_status st =
        assay_node_json(source->path, source->text, &into->arena, &root, err);

    if (st)
        return st;
    if (root->kind != ASSAY_NODE_MAP)
        return assay_fail_at(err, source->path, root->line,
                             "want an object with documents and test_cases, this is %s",
                             assay_node_kind_name(root->kind));
    st = read_all(&in, &r, root, err);
    assay_dict_clear(&r.ids);
    return st;
}

/* ---- writing ---- */

static void write_text(assay_json_writer *w, const char *key, assay_slice text)
{
    if (!text.len)
        return;
    assay_json_key(w, key);
    assay_json_string(w, text);
}

static void write_docs(assay_json_writer *w, const assay_golden *golden)
{
    assay_json_key(w, "documents");
    assay_json_list(w);
    for (uint32_t i = 0; i < golden->n_docs; i++) {
        assay_json_flat_object(w);
        assay_json_key(w, "doc_id");
        assay_json_string(w, golden->doc[i].id);
        write_text(w, "title", golden->doc[i].title);
        assay_json_key(w, "content");
        assay_json_string(w, golden->doc[i].text);
        assay_json_object_end(w);
    }
    assay_json_list_end(w);
}

static bool write_case(assay_json_writer *w, const assay_golden *golden,
                       const assay_query *q, const assay_golden_target *target)
{
    bool is_empty =
        q->label == ASSAY_LABEL_NEGATIVE || q->label == ASSAY_LABEL_SHOULD_REFUSE;
    bool has_list = is_empty;
    uint32_t n;
    const assay_doc_grade *doc = assay_golden_docs_of(q, false, target, &n);

    if (!doc)
        return false;
    assay_json_object(w);
    assay_json_key(w, "test_id");
    assay_json_string(w, q->id);
    assay_json_key(w, "query");
    assay_json_string(w, q->text);
    for (uint32_t i = 0; i < n; i++)
        has_list = has_list || doc[i].grade > 0;
    if (has_list) {
        assay_json_key(w, "relevant_doc_ids");
        assay_json_flat_list(w);
        for (uint32_t i = 0; i < n; i++)
            if (doc[i].grade > 0)
                assay_json_string(w, golden->docs.word[doc[i].doc]);
        assay_json_list_end(w);
    }
    write_text(w, "category", q->category);
    write_text(w, "difficulty", q->difficulty);
    assay_json_object_end(w);
    return true;
}

static assay_status write_evalvault(const assay_golden *golden,
                                    const assay_golden_target *target, assay_error *err)
{
    assay_json_writer w = assay_json_writer_of(target->out, 2);
    bool has_memory = true;

    assay_json_object(&w);
    write_text(&w, "name", golden->name);
    write_text(&w, "version", golden->version);
    write_text(&w, "description", golden->description);
    write_docs(&w, golden);
    assay_json_key(&w, "test_cases");
    assay_json_list(&w);
    for (uint32_t i = 0; has_memory && i < golden->n_queries; i++)
        if (!golden->query[i].is_draft)
            has_memory = write_case(&w, golden, &golden->query[i], target);
    assay_json_list_end(&w);
    assay_json_object_end(&w);
    assay_buffer_char(target->out, '\n');
    return assay_golden_written(target, has_memory, err);
}

const assay_golden_format assay_golden_format_evalvault = {
    .name = "evalvault",
    .title = "evalvault JSON",
    .summary = "evalvault's retrieval ground truth: documents and test cases in one JSON",
    .holds = ASSAY_HOLDS(TEXT) | ASSAY_HOLDS(CATEGORY) | ASSAY_HOLDS(DIFFICULTY) |
             ASSAY_HOLDS(NEGATIVE) | ASSAY_HOLDS(UNLABELLED) | ASSAY_HOLDS(DOC) |
             ASSAY_HOLDS(NAME) | ASSAY_HOLDS(VERSION) | ASSAY_HOLDS(DESCRIPTION) |
             ASSAY_HOLDS(DOCUMENTS),
    .has_sets = true,
    .sniff = sniff_evalvault,
    .read = read_evalvault,
    .write = write_evalvault,
};
