/* SPDX-License-Identifier: Apache-2.0 */
/* evalvault's relevance map: {"ret-001": ["doc-001"], "ret-002": "doc-002"}.
 *
 * An empty list says that nothing is relevant. */
#include "base/error.h"
#include "base/json.h"
#include "base/slice.h"
#include "golden/fields.h"
#include "golden/lost.h"
#include "golden/top.h"

static int sniff_relmap(const assay_golden_source *source)
{
    static const char *const others[] = {
        "queries", "test_cases", "documents", "question", "query_id", "_id", "version"};
    const assay_top *top = source->top;

    if (!top->is_json || top->shape != ASSAY_TOP_MAP || !top->n)
        return 0;
    for (size_t i = 0; i < top->n; i++)
        if (top->value[i] == ASSAY_TOP_NESTED)
            return 0;
    for (size_t i = 0; i < ASSAY_COUNT(others); i++)
        if (assay_top_has(top, others[i]))
            return 0;
    return 30;
}

static assay_status read_entry(const assay_field_reader *in, const assay_node *value,
                               assay_error *err)
{
    const char *name = assay_arena_string(&in->golden->arena, value->key);
    assay_query *q;
    assay_slice id;
    assay_status st;

    if (!name)
        return assay_fail_memory(err, "reading a golden set");
    if (!value->key.len)
        return assay_fail_at(err, in->path, value->key_line, "a query has an empty id");
    st = assay_golden_add(in->golden, value->key, value->key_line, &q, err);
    if (st)
        return st;
    q->has_relevant_key = true;
    if (value->kind == ASSAY_NODE_LIST) {
        if (!value->n)
            q->label = ASSAY_LABEL_NEGATIVE;
        return assay_field_judge(in, value, name, false, q, err);
    }
    st = assay_field_id(in, value, name, &id, err);
    return st ? st : assay_field_judge_id(in, id, value->line, false, q, err);
}

static assay_status read_relmap(const assay_golden_source *source, assay_golden *into,
                                assay_error *err)
{
    const assay_field_reader in = {source->path, into, false};
    assay_node *root;
    assay_status st =
        assay_node_json(source->path, source->text, &into->arena, &root, err);

    if (st)
        return st;
    if (root->kind != ASSAY_NODE_MAP)
        return assay_fail_at(err, source->path, root->line,
                             "a relevance map is an object of query ids, this is %s",
                             assay_node_kind_name(root->kind));
    for (const assay_node *c = root->child; c && !st; c = c->next)
        st = read_entry(&in, c, err);
    return st;
}

static bool write_entry(assay_json_writer *w, const assay_golden *golden,
                        const assay_query *q, const assay_golden_target *target)
{
    uint32_t n;
    const assay_doc_grade *doc = assay_golden_docs_of(q, false, target, &n);

    if (!doc)
        return false;
    assay_json_key_slice(w, q->id);
    assay_json_flat_list(w);
    for (uint32_t i = 0; i < n; i++)
        if (doc[i].grade > 0)
            assay_json_string(w, golden->docs.word[doc[i].doc]);
    assay_json_list_end(w);
    return true;
}

static bool has_doc(const assay_query *q)
{
    for (uint32_t i = 0; i < q->n_judgments; i++)
        if (q->judgment[i].doc != ASSAY_NONE && q->judgment[i].grade > 0)
            return true;
    return false;
}

static assay_status write_relmap(const assay_golden *golden,
                                 const assay_golden_target *target, assay_error *err)
{
    assay_json_writer w = assay_json_writer_of(target->out, 2);
    bool has_memory = true;

    assay_json_object(&w);
    for (uint32_t i = 0; has_memory && i < golden->n_queries; i++) {
        const assay_query *q = &golden->query[i];
        bool is_negative = q->label == ASSAY_LABEL_NEGATIVE;

        if (!q->is_draft && (is_negative || has_doc(q)))
            has_memory = write_entry(&w, golden, q, target);
    }
    assay_json_object_end(&w);
    assay_buffer_char(target->out, '\n');
    return assay_golden_written(target, has_memory, err);
}

const assay_golden_format assay_golden_format_relmap = {
    .name = "relmap",
    .title = "a relevance map",
    .summary = "evalvault's relevance map: query id to relevant documents, as JSON",
    .holds = ASSAY_HOLDS(NEGATIVE) | ASSAY_HOLDS(DOC),
    .has_sets = true,
    .sniff = sniff_relmap,
    .read = read_relmap,
    .write = write_relmap,
};
