/* SPDX-License-Identifier: Apache-2.0 */
/* assay's own golden format, in YAML or JSON; it holds all that the others can.
 *
 *     version: 1
 *     queries:
 *       - id: q-1
 *         query: How are refunds approved?
 *         relevant:
 *           - {doc: refunds.md, quote: "approved by the finance lead", grade: 2}
 *
 * docs/FORMATS.md has all keys.  Unknown ones are errors, except x_*. */
#include "base/error.h"
#include "base/name_list.h"
#include "base/slice.h"
#include "golden/fields.h"
#include "golden/native.h"
#include "golden/top.h"

enum { VERSION = 1 };

static int sniff_native(const assay_golden_source *source)
{
    if (assay_top_is(source->top, ASSAY_TOP_MAP, "queries"))
        return 90;
    return assay_top_is(source->top, ASSAY_TOP_MAP, "version") &&
                   !assay_top_is(source->top, ASSAY_TOP_MAP, "documents")
               ? 40
               : 0;
}

/* One of `n` words, or an error that names them. */
static assay_status read_word(const assay_field_reader *in, const assay_node *value,
                              const char *name, const char *const *word, size_t n,
                              assay_slice *out, assay_error *err)
{
    assay_status st = assay_field_text(in, value, name, out, err);
    assay_name_list list = {{0}, 0, 0, 0};
    const char *near;

    if (st)
        return st;
    for (size_t i = 0; i < n; i++) {
        if (assay_slice_is(*out, word[i]))
            return ASSAY_OK;
        assay_name_list_add(&list, assay_slice_of(word[i]));
    }
    near = assay_nearest(*out, word, n);
    if (near)
        return assay_fail_at(err, in->path, value->line, "%s '%.*s'; did you mean '%s'?",
                             name, ASSAY_QUOTE(*out), near);
    return assay_fail_at(err, in->path, value->line, "%s '%.*s' is none of %s", name,
                         ASSAY_QUOTE(*out), assay_name_list_text(&list));
}

/* ---- one query ---- */

static assay_status read_relevant(const assay_field_reader *in, const assay_node *value,
                                  void *into, assay_error *err)
{
    assay_query *q = into;
    assay_status st = assay_field_want(in, value, "relevant", ASSAY_NODE_LIST, err);

    q->has_relevant_key = true;
    for (const assay_node *c = st ? NULL : value->child; c && !st; c = c->next)
        st = assay_native_judgment(in, c, q, err);
    return st;
}

static assay_status read_any_of(const assay_field_reader *in, const assay_node *value,
                                void *into, assay_error *err)
{
    assay_query *q = into;
    assay_status st = assay_field_want(in, value, "any_of", ASSAY_NODE_LIST, err);

    if (st)
        return st;
    q->any_of = ASSAY_ARENA_ARRAY(&in->golden->arena, assay_strings, value->n);
    if (!q->any_of)
        return assay_fail_memory(err, "reading a golden set");
    for (const assay_node *c = value->child; c && !st; c = c->next) {
        st = assay_field_strings(in, c, "any_of", &q->any_of[q->n_any_of++], err);
        if (!st && !c->n)
            st = assay_fail_at(err, in->path, c->line, "a group of 'any_of' is empty");
    }
    return st;
}

static assay_status read_meta(const assay_field_reader *in, const assay_node *value,
                              void *into, assay_error *err)
{
    assay_query *q = into;
    assay_status st = assay_field_want(in, value, "meta", ASSAY_NODE_MAP, err);

    if (st)
        return st;
    q->meta = ASSAY_ARENA_ARRAY(&in->golden->arena, assay_facet, value->n);
    if (!q->meta)
        return assay_fail_memory(err, "reading a golden set");
    for (const assay_node *c = value->child; c && !st; c = c->next) {
        q->meta[q->n_meta].key = c->key;
        st = assay_field_text(in, c, "meta", &q->meta[q->n_meta++].value, err);
    }
    return st;
}

static assay_status read_state(const assay_field_reader *in, const assay_node *value,
                               void *into, assay_error *err)
{
    static const char *const word[] = {"checked", "draft"};
    assay_query *q = into;
    assay_slice state;
    assay_status st = read_word(in, value, "state", word, ASSAY_COUNT(word), &state, err);

    q->is_draft = !st && assay_slice_is(state, "draft");
    return st;
}

static assay_status read_answer(const assay_field_reader *in, const assay_node *value,
                                void *into, assay_error *err)
{
    assay_query *q = into;

    if (value->kind == ASSAY_NODE_NULL)
        return ASSAY_OK;
    q->has_expected_answer = true;
    return assay_field_text(in, value, "expected_answer", &q->expected_answer, err);
}

static assay_status read_refuse(const assay_field_reader *in, const assay_node *value,
                                void *into, assay_error *err)
{
    assay_query *q = into;
    assay_status st = assay_field_want(in, value, "should_refuse", ASSAY_NODE_BOOL, err);

    if (!st && value->integer)
        q->label = ASSAY_LABEL_SHOULD_REFUSE;
    return st;
}

static const assay_field query_fields[] = {
    {.name = "id"},
    {.name = "query",
     .kind = ASSAY_FIELD_TEXT,
     .at = offsetof(assay_query, text),
     .is_required = true},
    ASSAY_FIELD("lang", TEXT, assay_query, lang),
    ASSAY_FIELD("difficulty", TEXT, assay_query, difficulty),
    ASSAY_FIELD("category", TEXT, assay_query, category),
    ASSAY_FIELD("tags", STRINGS, assay_query, tags),
    {.name = "meta", .read = read_meta},
    ASSAY_FIELD("group", TEXT, assay_query, group),
    {.name = "state", .read = read_state},
    {.name = "relevant", .read = read_relevant, .is_judgment = true},
    ASSAY_FIELD("must_contain", STRINGS, assay_query, must_contain),
    {.name = "any_of", .read = read_any_of},
    ASSAY_FIELD("forbidden", STRINGS, assay_query, forbidden),
    {.name = "expected_answer", .read = read_answer},
    {.name = "should_refuse", .read = read_refuse},
    ASSAY_FIELD("notes", TEXT, assay_query, notes),
    {.name = NULL},
};

/* A query that should be refused has nothing relevant: one of the two is a slip. */
static assay_status check_refusal(const assay_field_reader *in, const assay_query *q,
                                  assay_error *err)
{
    if (q->label != ASSAY_LABEL_SHOULD_REFUSE)
        return ASSAY_OK;
    for (uint32_t i = 0; i < q->n_judgments; i++)
        if (q->judgment[i].grade > 0)
            return assay_fail_at(err, in->path, q->judgment[i].line,
                                 "query '%.*s' should be refused, yet this is relevant",
                                 ASSAY_QUOTE(q->id));
    return ASSAY_OK;
}

assay_status assay_native_query(const assay_field_reader *in, const assay_node *map,
                                assay_error *err)
{
    assay_query *q;
    assay_status st = assay_field_query(in, map, "id", &q, err);

    if (!st)
        st = assay_fields_read(in, map, "query", q->id, query_fields, q, err);
    if (st)
        return st;
    if (q->has_relevant_key && !q->n_judgments && q->label != ASSAY_LABEL_SHOULD_REFUSE)
        q->label = ASSAY_LABEL_NEGATIVE;
    return check_refusal(in, q, err);
}

/* ---- the whole ---- */

static assay_status read_version(const assay_field_reader *in, const assay_node *value,
                                 void *into, assay_error *err)
{
    (void)into;
    if (value->kind == ASSAY_NODE_INT && value->integer == VERSION)
        return ASSAY_OK;
    return assay_fail_at(err, in->path, value->line,
                         "version '%.*s' is not one I read; want version: %d",
                         ASSAY_QUOTE(value->text), VERSION);
}

static assay_status read_conventions(const assay_field_reader *in,
                                     const assay_node *value, void *into,
                                     assay_error *err)
{
    static const char *const word[] = {"assay", "kebab", "bob", "evalvault", "trec"};
    assay_golden *golden = into;

    return read_word(in, value, "conventions", word, ASSAY_COUNT(word),
                     &golden->conventions, err);
}

static assay_status read_thresholds(const assay_field_reader *in, const assay_node *value,
                                    void *into, assay_error *err)
{
    assay_golden *golden = into;
    assay_status st = assay_field_want(in, value, "thresholds", ASSAY_NODE_MAP, err);

    if (st)
        return st;
    golden->threshold = ASSAY_ARENA_ARRAY(&golden->arena, assay_threshold, value->n);
    if (!golden->threshold)
        return assay_fail_memory(err, "reading a golden set");
    for (const assay_node *c = value->child; c; c = c->next) {
        if (c->kind != ASSAY_NODE_INT && c->kind != ASSAY_NODE_NUMBER)
            return assay_fail_at(err, in->path, c->line,
                                 "threshold of '%.*s' is '%.*s', want a number",
                                 ASSAY_QUOTE(c->key), ASSAY_QUOTE(c->text));
        golden->threshold[golden->n_thresholds++] =
            (assay_threshold){c->key, c->number, c->key_line};
    }
    return ASSAY_OK;
}

static assay_status read_queries(const assay_field_reader *in, const assay_node *value,
                                 void *into, assay_error *err)
{
    assay_status st = assay_field_want(in, value, "queries", ASSAY_NODE_LIST, err);

    (void)into;
    for (const assay_node *c = st ? NULL : value->child; c && !st; c = c->next)
        st = assay_native_query(in, c, err);
    return st;
}

static const assay_field document_fields[] = {
    {.name = "doc"},
    ASSAY_FIELD("title", TEXT, assay_golden_doc, title),
    ASSAY_FIELD("text", TEXT, assay_golden_doc, text),
    {.name = NULL},
};

static assay_status read_document(const assay_field_reader *in, const assay_node *map,
                                  assay_golden_doc *doc, assay_error *err)
{
    assay_status st = assay_field_want(in, map, "documents", ASSAY_NODE_MAP, err);
    const assay_node *id = st ? NULL : assay_node_get(map, "doc");

    if (st)
        return st;
    if (!id)
        return assay_fail_at(err, in->path, map->line, "a document has no 'doc'");
    *doc = (assay_golden_doc){ASSAY_LIT(""), ASSAY_LIT(""), ASSAY_LIT("")};
    st = assay_field_id(in, id, "doc", &doc->id, err);
    if (!st)
        st = assay_fields_read(in, map, "document", doc->id, document_fields, doc, err);
    return st;
}

static assay_status read_documents(const assay_field_reader *in, const assay_node *value,
                                   void *into, assay_error *err)
{
    assay_golden *golden = into;
    assay_dict ids = {0};
    assay_status st = assay_field_want(in, value, "documents", ASSAY_NODE_LIST, err);

    if (st)
        return st;
    golden->doc = ASSAY_ARENA_ARRAY(&golden->arena, assay_golden_doc, value->n);
    if (!golden->doc)
        return assay_fail_memory(err, "reading a golden set");
    for (const assay_node *c = value->child; c && !st; c = c->next) {
        assay_golden_doc *doc = &golden->doc[golden->n_docs++];
        uint32_t number;
        bool is_new = true;

        st = read_document(in, c, doc, err);
        if (!st && !assay_dict_put(&ids, NULL, doc->id, &number, &is_new))
            st = assay_fail_memory(err, "reading a golden set");
        if (!st && !is_new)
            st = assay_fail_at(err, in->path, c->line, "document '%.*s' comes twice",
                               ASSAY_QUOTE(doc->id));
    }
    assay_dict_clear(&ids);
    return st;
}

static const assay_field top_fields[] = {
    {.name = "version", .read = read_version},
    ASSAY_FIELD("name", TEXT, assay_golden, name),
    ASSAY_FIELD("revision", TEXT, assay_golden, version),
    ASSAY_FIELD("description", TEXT, assay_golden, description),
    {.name = "conventions", .read = read_conventions},
    {.name = "thresholds", .read = read_thresholds},
    ASSAY_FIELD("drop_self_hits", FLAG, assay_golden, drop_self_hits),
    {.name = "documents", .read = read_documents},
    {.name = "queries", .read = read_queries, .is_required = true},
    {.name = NULL},
};

static assay_status read_native(const assay_golden_source *source, assay_golden *into,
                                assay_error *err)
{
    const assay_field_reader in = {source->path, into, true};
    assay_node *root;
    assay_status st = assay_field_tree(&in, source->text, &root, err);

    if (st)
        return st;
    if (root->kind != ASSAY_NODE_MAP)
        return assay_fail_at(
            err, source->path, root->line,
            "a golden set is a map with 'version' and 'queries', this is %s",
            assay_node_kind_name(root->kind));
    return assay_fields_read(&in, root, "golden set", ASSAY_LIT(""), top_fields, into,
                             err);
}

const assay_golden_format assay_golden_format_native = {
    .name = "assay",
    .title = "assay YAML",
    .summary = "assay's own, YAML or JSON: holds all that the others can",
    .holds = ASSAY_HOLDS_ALL,
    .sniff = sniff_native,
    .read = read_native,
    .write = assay_native_write,
};
