/* SPDX-License-Identifier: Apache-2.0 */
#include "retrieve/system_config.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "base/pointer.h"
#include "base/slice.h"
#include "golden/fields.h"

enum { TIMEOUT_S = 60 };

#define MOST_BYTES ((size_t)64 << 20)

/* What is being read, and what for. */
typedef struct reader {
    const char *path;
    assay_arena *arena;
    assay_system_config *out;
} reader;

typedef assay_status read_key(reader *r, const assay_node *node, assay_error *err);

typedef struct key_row {
    const char *name;
    read_key *read;
} key_row;

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "reading the settings of a system");
}

static assay_status fail_kind(const reader *r, const assay_node *node, const char *want,
                              assay_error *err)
{
    return assay_fail_at(err, r->path, node->line,
                         "'system.%.*s' has %s where %s belongs", ASSAY_QUOTE(node->key),
                         assay_node_kind_name(node->kind), want);
}

static assay_status fail_unknown(const reader *r, const assay_node *node,
                                 const char *const *name, size_t n, assay_error *err)
{
    const char *near = assay_nearest(node->key, name, n);
    char list[300] = "";
    size_t used = 0;

    if (near)
        return assay_fail_at(err, r->path, node->key_line,
                             "unknown key '%.*s' of 'system'; did you mean '%s'?",
                             ASSAY_QUOTE(node->key), near);
    for (size_t i = 0; i < n && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 name[i]);
    return assay_fail_at(err, r->path, node->key_line,
                         "unknown key '%.*s' of 'system'; the keys here are %s",
                         ASSAY_QUOTE(node->key), list);
}

static bool is_scalar(const assay_node *node)
{
    return node->kind == ASSAY_NODE_STRING || node->kind == ASSAY_NODE_INT ||
           node->kind == ASSAY_NODE_NUMBER || node->kind == ASSAY_NODE_BOOL;
}

static bool has_control(assay_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < ' ' || s.ptr[i] == 0x7F)
            return true;
    return false;
}

/* ---- values ---- */

static assay_status read_spelling(reader *r, const assay_node *node, assay_error *err)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    if (node->kind != ASSAY_NODE_STRING || !node->text.len)
        return fail_kind(r, node, "a string", err);
    if (memchr(node->text.ptr, '\0', node->text.len))
        return assay_fail_at(err, r->path, node->line, "'system.%.*s' holds a zero byte",
                             ASSAY_QUOTE(node->key));
    if (r->out->spelling)
        return assay_fail_at(err, r->path, node->line,
                             "'system' has more than one of 'spec', 'command' and 'url'");
    if (assay_slice_is(node->key, "command"))
        assay_buffer_text(&b, "cmd:");
    assay_buffer_slice(&b, node->text);
    if (!b.has_failed)
        r->out->spelling = assay_arena_string(r->arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    return r->out->spelling ? ASSAY_OK : no_memory(err);
}

static assay_status want_number(const reader *r, const assay_node *node, double *out,
                                assay_error *err)
{
    if (node->kind != ASSAY_NODE_INT && node->kind != ASSAY_NODE_NUMBER)
        return fail_kind(r, node, "a number", err);
    if (!(node->number > 0) || isinf(node->number))
        return assay_fail_at(err, r->path, node->line,
                             "'system.%.*s' is %.*s; want a number above 0",
                             ASSAY_QUOTE(node->key), ASSAY_QUOTE(node->text));
    *out = node->number;
    return ASSAY_OK;
}

static assay_status read_timeout(reader *r, const assay_node *node, assay_error *err)
{
    return want_number(r, node, &r->out->timeout_s, err);
}

static assay_status read_rate(reader *r, const assay_node *node, assay_error *err)
{
    return want_number(r, node, &r->out->per_second, err);
}

static assay_status want_count(const reader *r, const assay_node *node, int64_t least,
                               int64_t most, int64_t *out, assay_error *err)
{
    if (node->kind != ASSAY_NODE_INT)
        return fail_kind(r, node, "a whole number", err);
    if (node->integer < least || node->integer > most)
        return assay_fail_at(err, r->path, node->line,
                             "'system.%.*s' is %.*s; want %lld to %lld",
                             ASSAY_QUOTE(node->key), ASSAY_QUOTE(node->text),
                             (long long)least, (long long)most);
    *out = node->integer;
    return ASSAY_OK;
}

static assay_status read_retries(reader *r, const assay_node *node, assay_error *err)
{
    int64_t n = 0;
    assay_status st = want_count(r, node, 0, 100, &n, err);

    r->out->retries = n ? (uint32_t)n : UINT32_MAX;
    return st;
}

static assay_status read_most(reader *r, const assay_node *node, assay_error *err)
{
    int64_t n = 0;
    assay_status st = want_count(r, node, 1, (int64_t)1 << 32, &n, err);

    r->out->most_bytes = (size_t)n;
    return st;
}

static assay_status read_headers(reader *r, const assay_node *node, assay_error *err)
{
    if (node->kind != ASSAY_NODE_MAP)
        return fail_kind(r, node, "a map", err);
    r->out->header = ASSAY_ARENA_ARRAY(r->arena, const char *, node->n);
    if (!r->out->header)
        return no_memory(err);
    for (const assay_node *c = node->child; c; c = c->next) {
        assay_buffer line = ASSAY_BUFFER_EMPTY;
        const char *copy = NULL;

        if (!is_scalar(c) || has_control(c->text) || has_control(c->key) || !c->key.len ||
            memchr(c->key.ptr, ':', c->key.len))
            return assay_fail_at(err, r->path, c->key_line,
                                 "header '%.*s' must be a name and a line of text",
                                 ASSAY_QUOTE(c->key));
        assay_buffer_slice(&line, c->key);
        assay_buffer_text(&line, ": ");
        assay_buffer_slice(&line, c->text);
        if (!line.has_failed)
            copy = assay_arena_string(r->arena, assay_buffer_view(&line));
        assay_buffer_clear(&line);
        if (!copy)
            return no_memory(err);
        r->out->header[r->out->n_headers++] = copy;
    }
    return ASSAY_OK;
}

static assay_status read_request(reader *r, const assay_node *node, assay_error *err)
{
    if (node->kind != ASSAY_NODE_MAP)
        return fail_kind(r, node, "a map", err);
    r->out->request = node;
    return ASSAY_OK;
}

/* ---- pointers ---- */

/* By name; `own` is where the protocol has it. */
static const struct {
    const char *name;
    assay_reply_part part;
    const char *own;
} parts[] = {
    {"hits", ASSAY_REPLY_HITS, "/hits"},
    {"answer", ASSAY_REPLY_ANSWER, "/answer"},
    {"citations", ASSAY_REPLY_CITATIONS, "/answer/citations"},
    {"error", ASSAY_REPLY_ERROR, "/error"},
    {"prompt_tokens", ASSAY_REPLY_PROMPT_TOKENS, "/usage/prompt_tokens"},
    {"completion_tokens", ASSAY_REPLY_COMPLETION_TOKENS, "/usage/completion_tokens"},
    {"cost", ASSAY_REPLY_COST, "/usage/cost"},
    {"doc_id", ASSAY_REPLY_DOC_ID, "/doc_id"},
    {"chunk_id", ASSAY_REPLY_CHUNK_ID, "/chunk_id"},
    {"score", ASSAY_REPLY_SCORE, "/score"},
    {"text", ASSAY_REPLY_TEXT, "/text"},
    {"spans", ASSAY_REPLY_SPANS, "/spans"},
    {"lines", ASSAY_REPLY_LINES, "/lines"},
    {"id", ASSAY_REPLY_DOC_ID, "/doc_id"}, /* another word for doc_id */
};

static assay_status read_pointer(reader *r, const assay_node *node, assay_error *err)
{
    const char *name[ASSAY_COUNT(parts)];
    size_t i = 0;

    for (; i < ASSAY_COUNT(parts) && !assay_slice_is(node->key, parts[i].name); i++)
        name[i] = parts[i].name;
    if (i == ASSAY_COUNT(parts))
        return fail_unknown(r, node, name, i, err);
    if (node->kind != ASSAY_NODE_STRING || !assay_pointer_is(node->text))
        return assay_fail_at(err, r->path, node->line,
                             "the pointer of '%.*s' is '%.*s'; want one as '/data/0/id'",
                             ASSAY_QUOTE(node->key), ASSAY_QUOTE(node->text));
    if (r->out->is_given[parts[i].part])
        return assay_fail_at(err, r->path, node->line,
                             "'id' is another word for 'doc_id'; give one of them");
    r->out->pointer[parts[i].part] = node->text;
    r->out->is_given[parts[i].part] = r->out->is_mapped = true;
    return ASSAY_OK;
}

static assay_status read_pointers(reader *r, const assay_node *node, assay_error *err)
{
    assay_status st = ASSAY_OK;

    if (node->kind != ASSAY_NODE_MAP)
        return fail_kind(r, node, "a map", err);
    for (const assay_node *c = node->child; c && !st; c = c->next)
        st = read_pointer(r, c, err);
    return st;
}

/* ---- the map ---- */

static const key_row keys[] = {
    {"spec", read_spelling},     {"command", read_spelling}, {"url", read_spelling},
    {"timeout", read_timeout},   {"retries", read_retries},  {"rate", read_rate},
    {"max_bytes", read_most},    {"headers", read_headers},  {"request", read_request},
    {"pointers", read_pointers},
};

static assay_status read_member(reader *r, const assay_node *node, assay_error *err)
{
    const char *name[ASSAY_COUNT(keys)];

    for (size_t i = 0; i < ASSAY_COUNT(keys); i++) {
        if (assay_slice_is(node->key, keys[i].name))
            return keys[i].read(r, node, err);
        name[i] = keys[i].name;
    }
    if (assay_slice_starts(node->key, "x_"))
        return ASSAY_OK;
    return fail_unknown(r, node, name, ASSAY_COUNT(keys), err);
}

assay_status assay_system_config_read(const assay_node *node, const char *path,
                                      assay_arena *arena, assay_system_config *out,
                                      assay_error *err)
{
    reader r = {path ? path : "assay.yaml", arena, out};
    assay_status st = ASSAY_OK;

    *out = (assay_system_config){.spelling = NULL};
    for (size_t i = 0; i < ASSAY_COUNT(parts); i++)
        out->pointer[parts[i].part] = assay_slice_of(parts[i].own);
    if (!node || node->kind != ASSAY_NODE_MAP)
        return ASSAY_OK;
    for (const assay_node *c = node->child; c && !st; c = c->next)
        st = read_member(&r, c, err);
    return st;
}

assay_status assay_system_settle(const assay_system_source *source, uint32_t retries,
                                 assay_arena *arena, assay_system_config *out,
                                 assay_error *err)
{
    assay_status st =
        assay_system_config_read(source->config, source->config_path, arena, out, err);

    /* Settings of one system (its headers!) are not for another that was asked for. */
    if (!st && out->spelling && source->spelling &&
        strcmp(out->spelling, source->spelling) != 0)
        st = assay_system_config_read(NULL, source->config_path, arena, out, err);
    if (st)
        return st;
    if (source->timeout_s > 0 || !(out->timeout_s > 0))
        out->timeout_s = source->timeout_s > 0 ? source->timeout_s : TIMEOUT_S;
    if (source->per_second > 0)
        out->per_second = source->per_second;
    if (source->most_bytes || !out->most_bytes)
        out->most_bytes = source->most_bytes ? source->most_bytes : MOST_BYTES;
    if (source->retries || !out->retries)
        out->retries = source->retries ? source->retries : retries;
    if (out->retries == UINT32_MAX)
        out->retries = 0;
    return ASSAY_OK;
}

/* ---- requests ---- */

/* A text in which {query}, {id}, {k} and {answer} stand for themselves. */
static void put_filled(assay_json_writer *w, assay_slice text, const assay_question *q)
{
    const struct {
        const char *mark;
        assay_slice text;
    } marks[] = {{"{query}", q->query}, {"{id}", q->id}};
    assay_buffer b = ASSAY_BUFFER_EMPTY;

    for (size_t i = 0; i < text.len;) {
        assay_slice rest = {text.ptr + i, text.len - i};
        size_t m = 0;

        while (m < ASSAY_COUNT(marks) && !assay_slice_starts(rest, marks[m].mark))
            m++;
        if (m < ASSAY_COUNT(marks)) {
            assay_buffer_slice(&b, marks[m].text);
            i += strlen(marks[m].mark);
        } else if (assay_slice_starts(rest, "{k}")) {
            assay_buffer_printf(&b, "%u", q->k);
            i += 3;
        } else {
            assay_buffer_char(&b, text.ptr[i++]);
        }
    }
    w->out->has_failed |= b.has_failed;
    assay_json_string(w, assay_buffer_view(&b));
    assay_buffer_clear(&b);
}

static void put_scalar(assay_json_writer *w, const assay_node *node,
                       const assay_question *q)
{
    switch (node->kind) {
    case ASSAY_NODE_BOOL: assay_json_bool(w, node->integer != 0); return;
    case ASSAY_NODE_INT: assay_json_int(w, node->integer); return;
    case ASSAY_NODE_NUMBER: assay_json_double(w, node->number); return;
    case ASSAY_NODE_STRING: break;
    default: assay_json_null(w); return;
    }
    /* Alone, a number stays a number. */
    if (q && assay_slice_is(node->text, "{k}"))
        assay_json_int(w, q->k);
    else if (q && assay_slice_is(node->text, "{answer}"))
        assay_json_bool(w, q->wants_answer);
    else if (q)
        put_filled(w, node->text, q);
    else
        assay_json_string(w, node->text);
}

/* The tree as JSON; deeper than JSON may be is cut off.  A null question leaves the marks
 * as they are. */
static void put_tree(const assay_node *root, const assay_question *q, assay_buffer *out)
{
    const assay_node *above[ASSAY_JSON_DEPTH];
    const assay_node *node = root;
    assay_json_writer w = assay_json_writer_of(out, 0);
    uint32_t depth = 0;

    while (node) {
        bool is_open = (node->kind == ASSAY_NODE_MAP || node->kind == ASSAY_NODE_LIST) &&
                       depth < ASSAY_JSON_DEPTH;

        if (depth && above[depth - 1]->kind == ASSAY_NODE_MAP)
            assay_json_key_slice(&w, node->key);
        if (!is_open)
            put_scalar(&w, node, q);
        else if (node->kind == ASSAY_NODE_MAP)
            assay_json_object(&w);
        else
            assay_json_list(&w);
        if (is_open) {
            above[depth++] = node;
            node = node->child;
        } else {
            node = node == root ? NULL : node->next;
        }
        while (!node && depth) {
            node = above[--depth];
            if (node->kind == ASSAY_NODE_MAP)
                assay_json_object_end(&w);
            else
                assay_json_list_end(&w);
            node = depth ? node->next : NULL;
        }
    }
}

void assay_system_request(const assay_system_config *config,
                          const assay_question *question, assay_buffer *out)
{
    assay_json_writer w = assay_json_writer_of(out, 0);

    if (config->request) {
        put_tree(config->request, question, out);
        return;
    }
    assay_json_object(&w);
    assay_json_key(&w, "schema");
    assay_json_text(&w, "assay.query/1");
    assay_json_key(&w, "id");
    assay_json_string(&w, question->id);
    assay_json_key(&w, "query");
    assay_json_string(&w, question->query);
    assay_json_key(&w, "k");
    assay_json_int(&w, question->k);
    assay_json_key(&w, "answer");
    assay_json_bool(&w, question->wants_answer);
    assay_json_object_end(&w);
}

void assay_system_config_print(const assay_system_config *config, assay_buffer *out)
{
    const char *before = " pointers(";

    if (config->request) {
        assay_buffer_text(out, " request(");
        put_tree(config->request, NULL, out);
        assay_buffer_char(out, ')');
    }
    for (size_t i = 0; config->is_mapped && i < ASSAY_COUNT(parts); i++) {
        if (!config->is_given[parts[i].part] || strcmp(parts[i].name, "id") == 0)
            continue;
        assay_buffer_printf(out, "%s%s=", before, parts[i].name);
        assay_buffer_slice(out, config->pointer[parts[i].part]);
        before = ",";
    }
    if (config->is_mapped)
        assay_buffer_char(out, ')');
}
