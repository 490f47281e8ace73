/* SPDX-License-Identifier: Apache-2.0 */
/* Trees from YAML, over the events of libyaml.
 *
 * An alias becomes a node of its own that shares the children of the anchored one, so
 * it costs one node whatever it stands for.  What it would cost a reader who walks the
 * tree is counted, though: a document that unfolds to more than MOST_NODES nodes is an
 * attack ("billion laughs") and refused, and so is nesting made deeper by aliases.
 */
#include <string.h>
#include <yaml.h>

#include "base/dict.h"
#include "base/error.h"
#include "base/json.h"
#include "base/keys.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/node.h"
#include "base/node_build.h"
#include "base/slice.h"
#include "base/utf8.h"

enum { MOST_NODES = 10000000, DEPTH = ASSAY_JSON_DEPTH };

/* An anchored node. */
typedef struct anchor {
    assay_node *node;
    uint64_t n_nodes; /* of it and everything below, aliases unfolded; 0 = still open */
    uint32_t height;  /* levels of lists and maps in it: 0 for a scalar */
} anchor;

/* A list or map that is not complete yet. */
typedef struct level {
    assay_node *node;
    assay_node *last; /* its newest child */
    size_t first_key; /* see base/keys.h */
    uint64_t n_nodes; /* as in anchor, so far */
    uint32_t height;  /* of the highest child so far */
    uint32_t anchor;  /* number of its anchor, or ASSAY_NONE */
    bool has_key;     /* a map whose next event is the value of `key` */
    assay_slice key;
    uint32_t key_line;
    uint32_t key_at;
} level;

typedef struct builder {
    const char *path;
    assay_slice text;
    assay_arena *arena;
    yaml_parser_t parser;
    level level[DEPTH];
    uint32_t depth;
    uint64_t n_nodes; /* of the whole tree, aliases unfolded */
    assay_node *root;
    assay_dict names; /* of the anchors */
    anchor *anchors;  /* by number in names */
    size_t cap_anchors;
    assay_keys keys; /* of the open maps; their place is the line */
    size_t byte;     /* where character number `index` of the text begins */
    size_t index;
} builder;

static uint32_t line_of(yaml_mark_t mark)
{
    return mark.line < UINT32_MAX ? (uint32_t)mark.line + 1 : UINT32_MAX;
}

/* The byte that a mark means.  libyaml counts characters; marks come nearly in order, so
 * that walking from the last one costs little. */
static uint32_t byte_of(builder *b, yaml_mark_t mark)
{
    const char *text = b->text.ptr;

    while (b->index < mark.index && b->byte < b->text.len) {
        b->byte++;
        while (b->byte < b->text.len && ((unsigned char)text[b->byte] & 0xc0) == 0x80)
            b->byte++;
        b->index++;
    }
    while (b->index > mark.index && b->byte > 0) {
        b->byte--;
        while (b->byte > 0 && ((unsigned char)text[b->byte] & 0xc0) == 0x80)
            b->byte--;
        b->index--;
    }
    return b->byte < UINT32_MAX ? (uint32_t)b->byte : UINT32_MAX;
}

/* A block scalar's mark stands behind the line breaks that follow it. */
static uint32_t end_of(builder *b, const yaml_event_t *event)
{
    uint32_t start = byte_of(b, event->start_mark);
    uint32_t end = byte_of(b, event->end_mark);

    while (end > start && (b->text.ptr[end - 1] == '\n' || b->text.ptr[end - 1] == '\r' ||
                           b->text.ptr[end - 1] == ' '))
        end--;
    return end;
}

/* ---- failing ---- */

static assay_status fail_memory(const builder *b, assay_error *err)
{
    (void)b;
    return assay_fail_memory(err, "reading YAML");
}

/* Whether line `number` (from 1) is indented with a tab: the commonest mistake, which
 * libyaml calls a character that cannot start any token. */
static bool has_tab(assay_slice text, uint32_t number)
{
    assay_lines in = assay_lines_of("", text);
    assay_slice line = {"", 0};

    while (in.line < number)
        if (!assay_lines_next(&in, &line))
            return false;
    for (size_t i = 0; i < line.len && (line.ptr[i] == ' ' || line.ptr[i] == '\t'); i++)
        if (line.ptr[i] == '\t')
            return true;
    return false;
}

/* libyaml puts what is missing at the end into the line behind the last one. */
static uint32_t line_in_text(assay_slice text, yaml_mark_t mark)
{
    uint32_t line = line_of(mark);
    uint64_t last;

    while (text.len && (text.ptr[text.len - 1] == '\n' || text.ptr[text.len - 1] == '\r'))
        text.len--;
    last = assay_lines_number(text, text.ptr + text.len);
    return line < last ? line : (uint32_t)last;
}

/* Turn what libyaml found wrong into our words. */
static assay_status fail_parser(const builder *b, assay_error *err)
{
    const yaml_parser_t *p = &b->parser;
    const char *problem = p->problem ? p->problem : "not YAML";
    uint32_t line = line_in_text(b->text, p->problem_mark);

    if (p->error == YAML_MEMORY_ERROR)
        return fail_memory(b, err);
    if (p->error == YAML_READER_ERROR) {
        /* The reader knows only an offset in bytes. */
        size_t at = p->problem_offset < b->text.len ? p->problem_offset : b->text.len;

        return assay_fail_at(err, b->path, assay_lines_number(b->text, b->text.ptr + at),
                             "%s (0x%02x)", problem, (unsigned)p->problem_value);
    }
    if (p->error == YAML_SCANNER_ERROR && has_tab(b->text, line))
        return assay_fail_at(err, b->path, line,
                             "YAML cannot be indented with tabs; use blanks");
    if (p->context && line_of(p->context_mark) != line)
        return assay_fail_at(err, b->path, line, "%s %s that began in line %u", problem,
                             p->context, line_of(p->context_mark));
    if (p->context)
        return assay_fail_at(err, b->path, line, "%s %s", problem, p->context);
    return assay_fail_at(err, b->path, line, "%s", problem);
}

/* ---- scalars ---- */

static bool is_one_of(assay_slice s, const char *const *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (assay_slice_is(s, word[i]))
            return true;
    return false;
}

/* The kind of a plain scalar by the core schema.  Hexadecimal and octal numbers, .inf
 * and .nan stay strings: in our files they are ids, never values. */
static void resolve(assay_node *node)
{
    static const char *const null_words[] = {"", "~", "null", "Null", "NULL"};
    static const char *const true_words[] = {"true", "True", "TRUE"};
    static const char *const false_words[] = {"false", "False", "FALSE"};

    node->kind = ASSAY_NODE_STRING;
    if (is_one_of(node->text, null_words, ASSAY_COUNT(null_words))) {
        node->kind = ASSAY_NODE_NULL;
    } else if (is_one_of(node->text, true_words, ASSAY_COUNT(true_words))) {
        node->kind = ASSAY_NODE_BOOL;
        node->integer = 1;
    } else if (is_one_of(node->text, false_words, ASSAY_COUNT(false_words))) {
        node->kind = ASSAY_NODE_BOOL;
    } else {
        assay_node_set_number(node);
    }
}

/* ---- the tree ---- */

/* Hang `node` into the innermost list or map, or make it the root.  It counts for
 * `n_nodes` nodes and has `height` levels of its own. */
static assay_status hang(builder *b, assay_node *node, uint64_t n_nodes, uint32_t height,
                         assay_error *err)
{
    level *in = b->depth ? &b->level[b->depth - 1] : NULL;

    b->n_nodes += n_nodes;
    if (b->n_nodes > MOST_NODES)
        return assay_fail_at(err, b->path, node->line,
                             "more than %d nodes with all aliases followed", MOST_NODES);
    if (b->depth + height > DEPTH)
        return assay_fail_at(err, b->path, node->line, "nested more than %d levels deep",
                             DEPTH);
    node->key = ASSAY_LIT("");
    node->next = NULL;
    if (!in) {
        b->root = node;
        return ASSAY_OK;
    }
    if (in->node->kind == ASSAY_NODE_MAP) {
        node->key = in->key;
        node->key_line = in->key_line;
        node->key_at = in->key_at;
        in->has_key = false;
    }
    if (in->last)
        in->last->next = node;
    else
        in->node->child = node;
    in->last = node;
    in->node->n++;
    in->n_nodes += n_nodes;
    if (height > in->height)
        in->height = height;
    return ASSAY_OK;
}

/* Remember `name` for aliases; a name may be given anew.  *number is ASSAY_NONE where
 * there is no name. */
static bool add_anchor(builder *b, const yaml_char_t *name, anchor value,
                       uint32_t *number)
{
    anchor *moved;

    *number = ASSAY_NONE;
    if (!name)
        return true;
    if (!assay_dict_put(&b->names, b->arena, assay_slice_of((const char *)name), number,
                        NULL))
        return false;
    moved =
        assay_mem_grow(b->anchors, &b->cap_anchors, (size_t)*number + 1, sizeof *moved);
    if (!moved)
        return false;
    b->anchors = moved;
    b->anchors[*number] = value;
    return true;
}

/* Take `name` as the key of what comes next. */
static assay_status add_key(builder *b, const assay_node *name, assay_error *err)
{
    level *in = &b->level[b->depth - 1];
    assay_key key = {.name = name->text, .place = name->line};
    uint64_t earlier;

    switch (assay_keys_add(&b->keys, in->first_key, key, &earlier)) {
    case ASSAY_KEYS_NO_MEMORY: return fail_memory(b, err);
    case ASSAY_KEYS_TWICE:
        return assay_fail_at(err, b->path, name->line,
                             "key '%.*s' comes twice; first in line %llu",
                             ASSAY_QUOTE(name->text), (unsigned long long)earlier);
    default:
        in->has_key = true;
        in->key = name->text;
        in->key_line = name->line;
        in->key_at = name->at;
        return ASSAY_OK;
    }
}

/* Whether a scalar here would be a key. */
static bool wants_key(const builder *b)
{
    const level *in = b->depth ? &b->level[b->depth - 1] : NULL;

    return in && in->node->kind == ASSAY_NODE_MAP && !in->has_key;
}

static assay_status fail_key(const builder *b, uint32_t line, assay_error *err)
{
    return assay_fail_at(err, b->path, line,
                         "a key must be a word, not a list, map or alias");
}

static assay_status fail_tag(const builder *b, uint32_t line, const yaml_char_t *tag,
                             assay_error *err)
{
    return assay_fail_at(err, b->path, line, "tag '%.80s' is not read; leave it out",
                         (const char *)tag);
}

static assay_status add_scalar(builder *b, const yaml_event_t *event, assay_error *err)
{
    assay_slice text = {(const char *)event->data.scalar.value,
                        event->data.scalar.length};
    uint32_t line = line_of(event->start_mark);
    assay_node *node;
    uint32_t number;

    if (event->data.scalar.tag)
        return fail_tag(b, line, event->data.scalar.tag, err);
    node = ASSAY_ARENA_ARRAY(b->arena, assay_node, 1);
    if (!node)
        return fail_memory(b, err);
    node->line = line;
    node->at = byte_of(b, event->start_mark);
    node->end = end_of(b, event);
    node->key = ASSAY_LIT("");
    node->text = assay_arena_copy(b->arena, text);
    if (!node->text.ptr)
        return fail_memory(b, err);
    if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
        resolve(node);
    else
        node->kind = ASSAY_NODE_STRING;
    if (!add_anchor(b, event->data.scalar.anchor, (anchor){node, 1, 0}, &number))
        return fail_memory(b, err);
    return wants_key(b) ? add_key(b, node, err) : hang(b, node, 1, 0, err);
}

static assay_status add_alias(builder *b, const yaml_event_t *event, assay_error *err)
{
    assay_slice name = assay_slice_of((const char *)event->data.alias.anchor);
    uint32_t number = assay_dict_find(&b->names, name);
    uint32_t line = line_of(event->start_mark);
    const anchor *to;
    assay_node *node;

    if (wants_key(b))
        return fail_key(b, line, err);
    if (number == ASSAY_NONE)
        return assay_fail_at(err, b->path, line, "no anchor '&%.*s' above",
                             ASSAY_QUOTE(name));
    to = &b->anchors[number];
    if (to->n_nodes == 0)
        return assay_fail_at(err, b->path, line, "alias '*%.*s' stands for what holds it",
                             ASSAY_QUOTE(name));
    node = assay_arena_alloc(b->arena, sizeof *node);
    if (!node)
        return fail_memory(b, err);
    *node = *to->node;
    node->line = line;
    node->at = byte_of(b, event->start_mark);
    node->end = byte_of(b, event->end_mark);
    node->key_line = 0;
    return hang(b, node, to->n_nodes, to->height, err);
}

static assay_status open_level(builder *b, assay_node_kind kind,
                               const yaml_event_t *event, const yaml_char_t *name,
                               const yaml_char_t *tag, assay_error *err)
{
    uint32_t line = line_of(event->start_mark);
    assay_node *node;
    assay_status st;
    uint32_t number;

    if (wants_key(b))
        return fail_key(b, line, err);
    if (tag)
        return fail_tag(b, line, tag, err);
    node = ASSAY_ARENA_ARRAY(b->arena, assay_node, 1);
    if (!node || !add_anchor(b, name, (anchor){node, 0, 0}, &number))
        return fail_memory(b, err);
    node->kind = kind;
    node->line = line;
    node->at = byte_of(b, event->start_mark);
    node->end = node->at;
    node->is_flow = kind == ASSAY_NODE_MAP
                        ? event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                        : event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    node->text = ASSAY_LIT("");
    st = hang(b, node, 1, 1, err);
    if (st)
        return st;
    b->level[b->depth++] =
        (level){.node = node, .first_key = b->keys.n, .n_nodes = 1, .anchor = number};
    return ASSAY_OK;
}

static void close_level(builder *b, const yaml_event_t *event)
{
    level done = b->level[--b->depth];
    level *in = b->depth ? &b->level[b->depth - 1] : NULL;

    if (done.node->is_flow)
        done.node->end = byte_of(b, event->end_mark);
    else if (done.last)
        done.node->end = done.last->end;

    assay_keys_drop(&b->keys, done.first_key);
    /* The name may have been given to something inside meanwhile. */
    if (done.anchor != ASSAY_NONE && b->anchors[done.anchor].node == done.node) {
        b->anchors[done.anchor].n_nodes = done.n_nodes;
        b->anchors[done.anchor].height = done.height + 1;
    }
    if (!in)
        return;
    in->n_nodes += done.n_nodes - 1; /* it was counted as one when it began */
    if (done.height + 1 > in->height)
        in->height = done.height + 1;
}

static assay_status take_event(builder *b, const yaml_event_t *event, assay_error *err)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (b->root)
            return assay_fail_at(err, b->path, line_of(event->start_mark),
                                 "a second document begins here; want one a file");
        return ASSAY_OK;
    case YAML_SCALAR_EVENT: return add_scalar(b, event, err);
    case YAML_ALIAS_EVENT: return add_alias(b, event, err);
    case YAML_SEQUENCE_START_EVENT:
        return open_level(b, ASSAY_NODE_LIST, event, event->data.sequence_start.anchor,
                          event->data.sequence_start.tag, err);
    case YAML_MAPPING_START_EVENT:
        return open_level(b, ASSAY_NODE_MAP, event, event->data.mapping_start.anchor,
                          event->data.mapping_start.tag, err);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: close_level(b, event); return ASSAY_OK;
    default: return ASSAY_OK;
    }
}

static assay_status build(builder *b, assay_error *err)
{
    for (;;) {
        yaml_event_t event;
        bool is_end;
        assay_status st;

        if (!yaml_parser_parse(&b->parser, &event))
            return fail_parser(b, err);
        is_end = event.type == YAML_STREAM_END_EVENT;
        st = take_event(b, &event, err);
        yaml_event_delete(&event);
        if (st || is_end)
            return st;
    }
}

/* What an empty document means. */
static assay_status add_null(builder *b, assay_error *err)
{
    assay_node *node = ASSAY_ARENA_ARRAY(b->arena, assay_node, 1);

    if (!node)
        return fail_memory(b, err);
    *node = (assay_node){.line = 1, .key = ASSAY_LIT(""), .text = ASSAY_LIT("")};
    b->root = node;
    return ASSAY_OK;
}

assay_status assay_node_yaml(const char *path, assay_slice text, assay_arena *arena,
                             assay_node **out, assay_error *err)
{
    builder b = {.path = path, .arena = arena};
    size_t valid = assay_utf8_valid(text);
    assay_status st;

    if (valid < text.len)
        return assay_fail_at(err, path, assay_lines_number(text, text.ptr + valid),
                             "byte 0x%02x is not UTF-8", (unsigned char)text.ptr[valid]);
    if (assay_slice_starts(text, "\xef\xbb\xbf"))
        text = (assay_slice){text.ptr + 3, text.len - 3};
    b.text = text.ptr ? text : ASSAY_LIT("");
    if (!yaml_parser_initialize(&b.parser))
        return fail_memory(&b, err);
    yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)b.text.ptr,
                                 b.text.len);
    st = build(&b, err);
    if (!st && !b.root)
        st = add_null(&b, err);
    yaml_parser_delete(&b.parser);
    assay_keys_clear(&b.keys);
    assay_dict_clear(&b.names);
    assay_mem_free(b.anchors);
    if (!st)
        *out = b.root;
    return st;
}
