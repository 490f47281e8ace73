/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/node.h"
#include "base/slice.h"
#include "golden/frozen.h"
#include "pipeline/bundle_head.h"
#include "pipeline/run_bundle.h"

bool assay_bundle_is(assay_slice text)
{
    return assay_slice_starts(assay_slice_trim(text), "{\"schema\":\"assay.bundle/");
}

void assay_bundle_free(assay_bundle *bundle)
{
    if (!bundle)
        return;
    assay_run_free(bundle->run);
    assay_arena_clear(&bundle->arena);
    assay_mem_free(bundle);
}

/* ---- the head ---- */

typedef struct head {
    const char *name;
    const assay_node *root;
    uint32_t golden_lines;
    uint32_t n_results;
} head;

static assay_status fail_field(const head *h, const assay_node *node, const char *key,
                               const char *want, assay_error *err)
{
    if (!node)
        return assay_fail_at(err, h->name, 1, "a bundle's head must have '%s'", key);
    if (node->kind == ASSAY_NODE_INT)
        return assay_fail_at(err, h->name, node->line, "'%s' must be %s, not '%.*s'", key,
                             want, ASSAY_QUOTE(node->text));
    return assay_fail_at(err, h->name, node->line, "'%s' must be %s, not %s", key, want,
                         assay_node_kind_name(node->kind));
}

static assay_status read_count(const head *h, const char *key, uint32_t *out,
                               assay_error *err)
{
    const assay_node *node = assay_node_get(h->root, key);

    if (!node || node->kind != ASSAY_NODE_INT || node->integer < 0 ||
        node->integer > UINT32_MAX)
        return fail_field(h, node, key, "a whole number from 0 on", err);
    *out = (uint32_t)node->integer;
    return ASSAY_OK;
}

static assay_status read_text(const head *h, const assay_bundle_field *f,
                              assay_slice *out, assay_error *err)
{
    const assay_node *node = assay_node_get(h->root, f->name);

    *out = ASSAY_LIT("");
    if (!node && f->is_time)
        return ASSAY_OK;
    if (!node || node->kind != ASSAY_NODE_STRING)
        return fail_field(h, node, f->name, "a string", err);
    *out = node->text;
    return ASSAY_OK;
}

static int by_key(const void *a, const void *b)
{
    return assay_slice_cmp(((const assay_tag *)a)->key, ((const assay_tag *)b)->key);
}

static assay_status read_tags(const head *h, assay_bundle *b, assay_error *err)
{
    const assay_node *tags = assay_node_get(h->root, "tags");

    if (!tags || tags->kind != ASSAY_NODE_MAP)
        return fail_field(h, tags, "tags", "a map", err);
    b->stored.tag = ASSAY_ARENA_ARRAY(&b->arena, assay_tag, tags->n + 1);
    if (!b->stored.tag)
        return assay_fail_memory(err, "reading a bundle");
    for (const assay_node *t = tags->child; t; t = t->next) {
        if (t->kind != ASSAY_NODE_STRING || !t->key.len || !t->text.len)
            return assay_fail_at(err, h->name, t->line,
                                 "tag '%.*s' must have a key and a string as its value",
                                 ASSAY_QUOTE(t->key));
        b->stored.tag[b->stored.n_tags++] = (assay_tag){t->key, t->text};
    }
    qsort(b->stored.tag, b->stored.n_tags, sizeof *b->stored.tag, by_key);
    return ASSAY_OK;
}

static assay_status read_fields(const head *h, assay_bundle *b, assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (const assay_bundle_field *f = assay_bundle_fields; f->name && !st; f++) {
        char *at = (char *)&b->stored + f->at;

        if (f->kind == ASSAY_BUNDLE_COUNT)
            st = read_count(h, f->name, (uint32_t *)(void *)at, err);
        else
            st = read_text(h, f, (assay_slice *)(void *)at, err);
    }
    return st ? st : read_tags(h, b, err);
}

static assay_status read_head(head *h, assay_slice line, assay_bundle *b,
                              assay_error *err)
{
    assay_node *root;
    const assay_node *schema;
    assay_status st = assay_node_json(h->name, line, &b->arena, &root, err);

    if (st)
        return st;
    h->root = root;
    schema = root->kind == ASSAY_NODE_MAP ? assay_node_get(root, "schema") : NULL;
    if (!schema || schema->kind != ASSAY_NODE_STRING)
        return assay_fail_at(err, h->name, 1, "this is no bundle of 'assay runs export'");
    if (!assay_slice_is(schema->text, ASSAY_BUNDLE_SCHEMA))
        return assay_fail_at(err, h->name, 1,
                             "schema '%.*s' is not known here; want '%s'",
                             ASSAY_QUOTE(schema->text), ASSAY_BUNDLE_SCHEMA);
    st = read_count(h, "golden_lines", &h->golden_lines, err);
    if (!st)
        st = read_count(h, "results", &h->n_results, err);
    return st ? st : read_fields(h, b, err);
}

/* ---- what follows it ---- */

/* A line that must be a JSON object; it is kept as it stands. */
static assay_status read_object(assay_lines *in, const char *what, assay_bundle *b,
                                assay_slice *out, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_slice line;
    assay_node *node;
    assay_status st;

    if (!assay_lines_next(in, &line))
        return assay_fail_at(err, in->path, in->line, "the bundle ends before its %s",
                             what);
    st = assay_node_json_line(in->path, (uint32_t)in->line, line, &arena, &node, err);
    if (!st && node->kind != ASSAY_NODE_MAP)
        st = ASSAY_LINES_FAIL(err, in, "the %s must be a map, not %s", what,
                              assay_node_kind_name(node->kind));
    if (!st) {
        *out = assay_arena_copy(&b->arena, line);
        st = out->ptr ? ASSAY_OK : assay_fail_memory(err, "reading a bundle");
    }
    assay_arena_clear(&arena);
    return st;
}

static assay_status read_golden(const head *h, assay_lines *in, assay_bundle *b,
                                assay_error *err)
{
    const char *from = in->rest.ptr;
    uint64_t first = in->line + 1;
    assay_slice line;
    char hash[65];

    b->golden = ASSAY_LIT("");
    if (!h->golden_lines) {
        if (b->stored.golden_hash.len)
            return assay_fail_at(err, h->name, 1,
                                 "a golden set is named, but 'golden_lines' is 0");
        return ASSAY_OK;
    }
    for (uint32_t i = 0; i < h->golden_lines; i++)
        if (!assay_lines_next(in, &line))
            return ASSAY_LINES_FAIL(
                err, in, "the bundle ends after %u of %u lines of its golden set", i,
                h->golden_lines);
    b->golden =
        assay_arena_copy(&b->arena, (assay_slice){from, (size_t)(in->rest.ptr - from)});
    if (!b->golden.ptr)
        return assay_fail_memory(err, "reading a bundle");
    assay_frozen_hash(b->golden, hash);
    if (!assay_slice_is(b->stored.golden_hash, hash))
        return assay_fail_at(
            err, h->name, first,
            "the golden set was changed: its hash is %.12s..., not %.12s...", hash,
            b->stored.golden_hash.len >= 12 ? b->stored.golden_hash.ptr
                                            : "no hash at all");
    return ASSAY_OK;
}

/* The lines before are left blank, so that messages name the lines of the file. */
static assay_status read_results(const head *h, assay_lines *in, assay_bundle *b,
                                 assay_error *err)
{
    const assay_run_options options = {.format = "jsonl"};
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    for (uint64_t i = 0; i < in->line; i++)
        assay_buffer_char(&text, '\n');
    assay_buffer_slice(&text, in->rest);
    if (text.has_failed)
        st = assay_fail_memory(err, "reading a bundle");
    if (!st)
        st = assay_run_parse(h->name, assay_buffer_view(&text), &options, &b->run, err);
    assay_buffer_clear(&text);
    if (!st && assay_run_n(b->run) != h->n_results)
        st = assay_fail_at(err, h->name, 1, "the head says %u results, but %u are here",
                           h->n_results, assay_run_n(b->run));
    return st;
}

static double recorded_number(const assay_node *row, const char *name)
{
    for (const assay_node *v = row->child; v; v = v->next)
        if (assay_slice_starts(v->key, name) &&
            (v->kind == ASSAY_NODE_INT || v->kind == ASSAY_NODE_NUMBER))
            return v->number;
    return (double)NAN;
}

/* Values that somebody else measured stand in the aggregate, query by query. */
static assay_status read_recorded(assay_bundle *b, assay_error *err)
{
    assay_run *run = b->run;
    const assay_node *map;
    assay_node *root;
    assay_status st =
        assay_node_json("aggregate", b->stored.aggregate, &b->arena, &root, err);

    map = st ? NULL : assay_node_get(root, "recorded");
    if (st || !map || map->kind != ASSAY_NODE_MAP)
        return st;
    run->recorded = ASSAY_ARENA_ARRAY(&run->arena, assay_recorded, run->n_results + 1);
    if (!run->recorded)
        return assay_fail_memory(err, "reading a bundle");
    for (uint32_t i = 0; i < run->n_results; i++)
        run->recorded[i] =
            (assay_recorded){(double)NAN, (double)NAN, (double)NAN, ASSAY_FLAG_UNKNOWN};
    for (const assay_node *row = map->child; row; row = row->next) {
        uint32_t i = assay_dict_find(&run->ids, row->key);
        const assay_node *passed =
            row->kind == ASSAY_NODE_MAP ? assay_node_get(row, "passed") : NULL;

        if (i == ASSAY_NONE || row->kind != ASSAY_NODE_MAP)
            continue;
        run->recorded[i] = (assay_recorded){
            .recall = recorded_number(row, "recall"),
            .precision = recorded_number(row, "precision"),
            .mrr = recorded_number(row, "mrr"),
            .passed = !passed || passed->kind != ASSAY_NODE_BOOL ? ASSAY_FLAG_UNKNOWN
                      : passed->integer                          ? ASSAY_FLAG_YES
                                                                 : ASSAY_FLAG_NO};
    }
    run->recorded_k = b->stored.k;
    run->is_scores_only = true;
    return ASSAY_OK;
}

assay_status assay_bundle_parse(const char *name, assay_slice text, assay_bundle **out,
                                assay_error *err)
{
    assay_bundle *b = ASSAY_NEW(assay_bundle);
    assay_lines in = assay_lines_of(name, text);
    head h = {.name = name};
    assay_slice line = ASSAY_LIT("");
    assay_status st;

    if (!b)
        return assay_fail_memory(err, "reading a bundle");
    (void)assay_lines_next(&in, &line);
    line = assay_arena_copy(&b->arena, line);
    st = line.ptr ? read_head(&h, line, b, err)
                  : assay_fail_memory(err, "reading a bundle");
    if (!st)
        st = read_object(&in, "snapshot", b, &b->stored.snapshot, err);
    if (!st)
        st = read_object(&in, "aggregate", b, &b->stored.aggregate, err);
    if (!st)
        st = read_golden(&h, &in, b, err);
    if (!st)
        st = read_results(&h, &in, b, err);
    if (!st)
        st = read_recorded(b, err);
    if (st)
        assay_bundle_free(b);
    else
        *out = b;
    return st;
}
