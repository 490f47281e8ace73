/* SPDX-License-Identifier: Apache-2.0 */
#include "retrieve/system_map.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/pointer.h"
#include "base/slice.h"

typedef struct mapper {
    assay_run_reader *in;
    const assay_system_config *config;
    const assay_node *root;
} mapper;

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "reading a reply");
}

/* Where something is, or null; null in the reply is absent. */
static const assay_node *find(const mapper *m, const assay_node *from,
                              assay_reply_part part)
{
    const assay_node *node = assay_pointer_get(from, m->config->pointer[part]);

    return node && node->kind != ASSAY_NODE_NULL ? node : NULL;
}

static assay_status fail_kind(const mapper *m, assay_reply_part part,
                              const assay_node *node, const char *want, assay_error *err)
{
    return assay_fail(err, ASSAY_EINPUT, "'%.*s' of the reply is %s where %s belongs",
                      ASSAY_QUOTE(m->config->pointer[part]),
                      assay_node_kind_name(node->kind), want);
}

/* ---- values ---- */

static assay_status take_id(const mapper *m, const assay_node *from,
                            assay_reply_part part, assay_slice *out, assay_error *err)
{
    const assay_node *node = find(m, from, part);

    if (!node)
        return ASSAY_OK;
    if (node->kind != ASSAY_NODE_STRING && node->kind != ASSAY_NODE_INT)
        return fail_kind(m, part, node, "a string or a whole number", err);
    *out = node->text;
    return ASSAY_OK;
}

static assay_status take_text(const mapper *m, const assay_node *from,
                              assay_reply_part part, assay_slice *out, assay_error *err)
{
    const assay_node *node = find(m, from, part);

    if (!node)
        return ASSAY_OK;
    if (node->kind != ASSAY_NODE_STRING)
        return fail_kind(m, part, node, "a string", err);
    *out = node->text;
    return ASSAY_OK;
}

static assay_status take_number(const mapper *m, const assay_node *from,
                                assay_reply_part part, double *out, bool *is_there,
                                assay_error *err)
{
    const assay_node *node = find(m, from, part);

    *is_there = node != NULL;
    if (!node)
        return ASSAY_OK;
    if (node->kind != ASSAY_NODE_INT && node->kind != ASSAY_NODE_NUMBER)
        return fail_kind(m, part, node, "a number", err);
    if (!isfinite(node->number))
        return assay_fail(
            err, ASSAY_EINPUT,
            "'%.*s' of the reply is %.*s, which is beyond the range of a double",
            ASSAY_QUOTE(m->config->pointer[part]), ASSAY_QUOTE(node->text));
    *out = node->number;
    return ASSAY_OK;
}

/* [start, end]; false: it is none. */
static bool is_span(const assay_node *node, assay_span *out)
{
    const assay_node *a =
        node->kind == ASSAY_NODE_LIST && node->n == 2 ? node->child : NULL;
    const assay_node *b = a ? a->next : NULL;

    if (!b || a->kind != ASSAY_NODE_INT || b->kind != ASSAY_NODE_INT || a->integer < 0 ||
        a->integer >= b->integer)
        return false;
    *out = (assay_span){(uint64_t)a->integer, (uint64_t)b->integer};
    return true;
}

/* [[start, end], ...], or one pair alone. */
static assay_status take_spans(const mapper *m, const assay_node *from, assay_hit *hit,
                               assay_error *err)
{
    const assay_node *node = find(m, from, ASSAY_REPLY_SPANS);
    const assay_node *c;
    assay_span *span;
    assay_span one;

    if (!node)
        return ASSAY_OK;
    if (node->kind != ASSAY_NODE_LIST)
        return fail_kind(m, ASSAY_REPLY_SPANS, node, "a list of [start, end)", err);
    span = ASSAY_ARENA_ARRAY(&m->in->arena, assay_span, node->n + (size_t)1);
    if (!span)
        return no_memory(err);
    if (is_span(node, &one)) {
        span[hit->n_spans++] = one;
        c = NULL;
    } else {
        c = node->child;
    }
    for (; c; c = c->next)
        if (!is_span(c, &span[hit->n_spans++]))
            return assay_fail(err, ASSAY_EINPUT,
                              "'%.*s' of the reply wants [start, end) in bytes with "
                              "start < end",
                              ASSAY_QUOTE(m->config->pointer[ASSAY_REPLY_SPANS]));
    hit->span = hit->n_spans ? span : NULL;
    return ASSAY_OK;
}

/* [first, last], from 1; only where there are no bytes. */
static assay_status take_lines(const mapper *m, const assay_node *from, assay_hit *hit,
                               assay_error *err)
{
    const assay_node *node = find(m, from, ASSAY_REPLY_LINES);
    const assay_node *a =
        node && node->kind == ASSAY_NODE_LIST && node->n == 2 ? node->child : NULL;
    const assay_node *b = a ? a->next : NULL;
    assay_span *lines;

    if (!node || hit->n_spans)
        return ASSAY_OK;
    if (!b || a->kind != ASSAY_NODE_INT || b->kind != ASSAY_NODE_INT || a->integer < 1 ||
        a->integer > b->integer)
        return assay_fail(err, ASSAY_EINPUT,
                          "'%.*s' of the reply wants [first, last], lines from 1",
                          ASSAY_QUOTE(m->config->pointer[ASSAY_REPLY_LINES]));
    lines = ASSAY_ARENA_ARRAY(&m->in->arena, assay_span, 1);
    if (!lines)
        return no_memory(err);
    *lines = (assay_span){(uint64_t)a->integer, (uint64_t)b->integer};
    hit->span = lines;
    hit->has_lines = true;
    return ASSAY_OK;
}

/* ---- hits ---- */

static assay_status take_hit(const mapper *m, const assay_node *node, assay_error *err)
{
    assay_hit *hit = assay_run_new_hit(m->in);
    assay_status st;

    if (!hit)
        return no_memory(err);
    /* A bare id. */
    if (node->kind == ASSAY_NODE_STRING || node->kind == ASSAY_NODE_INT) {
        hit->doc = node->text;
        return ASSAY_OK;
    }
    st = take_id(m, node, ASSAY_REPLY_DOC_ID, &hit->doc, err);
    if (!st)
        st = take_id(m, node, ASSAY_REPLY_CHUNK_ID, &hit->chunk, err);
    if (!st)
        st = take_text(m, node, ASSAY_REPLY_TEXT, &hit->text, err);
    if (!st)
        st = take_number(m, node, ASSAY_REPLY_SCORE, &hit->score, &hit->has_score, err);
    if (!st)
        st = take_spans(m, node, hit, err);
    if (!st)
        st = take_lines(m, node, hit, err);
    if (!st && !hit->doc.len && !hit->chunk.len && !hit->text.len)
        return assay_fail(err, ASSAY_EINPUT,
                          "hit %zu of the reply has nothing at '%.*s', '%.*s' or '%.*s'",
                          m->in->n_hits,
                          ASSAY_QUOTE(m->config->pointer[ASSAY_REPLY_DOC_ID]),
                          ASSAY_QUOTE(m->config->pointer[ASSAY_REPLY_CHUNK_ID]),
                          ASSAY_QUOTE(m->config->pointer[ASSAY_REPLY_TEXT]));
    return st;
}

static assay_status take_hits(const mapper *m, assay_result *out, bool *is_there,
                              assay_error *err)
{
    const assay_node *node = find(m, m->root, ASSAY_REPLY_HITS);
    assay_status st = ASSAY_OK;

    *is_there = node != NULL;
    if (!node)
        return ASSAY_OK;
    if (node->kind != ASSAY_NODE_LIST)
        return fail_kind(m, ASSAY_REPLY_HITS, node, "a list", err);
    for (const assay_node *c = node->child; c && !st; c = c->next)
        st = take_hit(m, c, err);
    return st ? st : assay_run_take_hits(m->in, out, err);
}

/* ---- answers ---- */

static assay_status take_citation(const mapper *m, const assay_node *node,
                                  assay_citation *c, assay_error *err)
{
    bool is_chunk = m->config->is_given[ASSAY_REPLY_CHUNK_ID] &&
                    !m->config->is_given[ASSAY_REPLY_DOC_ID];
    assay_status st;

    *c = (assay_citation){
        .marker = {"", 0}, .chunk = {"", 0}, .doc = {"", 0}, .path = {"", 0}};
    if (node->kind == ASSAY_NODE_STRING || node->kind == ASSAY_NODE_INT) {
        *(is_chunk ? &c->chunk : &c->doc) = node->text;
        return ASSAY_OK;
    }
    st = take_id(m, node, ASSAY_REPLY_DOC_ID, &c->doc, err);
    return st ? st : take_id(m, node, ASSAY_REPLY_CHUNK_ID, &c->chunk, err);
}

static assay_status take_citations(const mapper *m, assay_answer *answer,
                                   assay_error *err)
{
    const assay_node *node = find(m, m->root, ASSAY_REPLY_CITATIONS);
    assay_status st = ASSAY_OK;

    if (!node)
        return ASSAY_OK;
    if (node->kind != ASSAY_NODE_LIST)
        return fail_kind(m, ASSAY_REPLY_CITATIONS, node, "a list", err);
    answer->citation = ASSAY_ARENA_ARRAY(&m->in->arena, assay_citation, node->n);
    if (!answer->citation)
        return no_memory(err);
    for (const assay_node *c = node->child; c && !st; c = c->next)
        st = take_citation(m, c, &answer->citation[answer->n_citations++], err);
    return st;
}

static assay_status take_tokens(const mapper *m, assay_reply_part part, int64_t *out,
                                assay_error *err)
{
    const assay_node *node = find(m, m->root, part);

    if (!node)
        return ASSAY_OK;
    if (node->kind != ASSAY_NODE_INT || node->integer < 0)
        return fail_kind(m, part, node, "a whole number from 0", err);
    *out = node->integer;
    return ASSAY_OK;
}

static assay_status take_usage(const mapper *m, assay_answer *answer, assay_error *err)
{
    double cost = -1;
    bool is_there;
    assay_status st =
        take_tokens(m, ASSAY_REPLY_PROMPT_TOKENS, &answer->prompt_tokens, err);

    if (!st)
        st = take_tokens(m, ASSAY_REPLY_COMPLETION_TOKENS, &answer->completion_tokens,
                         err);
    if (!st)
        st = take_number(m, m->root, ASSAY_REPLY_COST, &cost, &is_there, err);
    if (!st && cost >= 0)
        answer->cost = cost;
    return st;
}

static assay_status take_answer(const mapper *m, assay_result *out, assay_error *err)
{
    const assay_node *node = find(m, m->root, ASSAY_REPLY_ANSWER);
    assay_status st;

    if (!node)
        return ASSAY_OK;
    /* The protocol's own shape, where only the hits are elsewhere. */
    if (node->kind == ASSAY_NODE_MAP)
        node = assay_node_get(node, "answer");
    if (!node || node->kind == ASSAY_NODE_NULL)
        return ASSAY_OK;
    if (node->kind != ASSAY_NODE_STRING)
        return fail_kind(m, ASSAY_REPLY_ANSWER, node, "a string", err);
    out->answer = assay_run_new_answer(&m->in->arena);
    if (!out->answer)
        return no_memory(err);
    out->answer->text = node->text;
    st = take_citations(m, out->answer, err);
    return st ? st : take_usage(m, out->answer, err);
}

/* ---- the reply ---- */

/* Words, or the words in an object as many servers send it. */
static void take_error(const mapper *m, assay_result *out)
{
    const assay_node *node = find(m, m->root, ASSAY_REPLY_ERROR);
    const assay_node *words;

    if (!node || (node->kind == ASSAY_NODE_BOOL && !node->integer))
        return;
    words = node->kind == ASSAY_NODE_MAP ? assay_node_get(node, "message") : node;
    out->error = words && words->kind != ASSAY_NODE_LIST &&
                         words->kind != ASSAY_NODE_MAP && words->text.len
                     ? words->text
                     : ASSAY_LIT("an error without words");
}

assay_status assay_map_read(assay_run_reader *in, const assay_system_config *config,
                            assay_slice text, assay_result *out, assay_error *err)
{
    mapper m = {.in = in, .config = config};
    assay_node *root = NULL;
    bool has_hits = false;
    assay_status st = assay_node_json("reply", text, &in->arena, &root, err);

    if (st)
        return st;
    m.root = root;
    take_error(&m, out);
    if (out->error.len)
        return ASSAY_OK;
    st = take_hits(&m, out, &has_hits, err);
    if (!st)
        st = take_answer(&m, out, err);
    if (!st && !has_hits && !out->answer)
        return assay_fail(err, ASSAY_EINPUT,
                          "the reply has nothing at '%.*s' (hits) or '%.*s' (answer)",
                          ASSAY_QUOTE(config->pointer[ASSAY_REPLY_HITS]),
                          ASSAY_QUOTE(config->pointer[ASSAY_REPLY_ANSWER]));
    return st;
}
