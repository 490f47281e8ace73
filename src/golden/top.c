/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/top.h"

#include "base/json.h"
#include "base/lines.h"
#include "base/slice.h"

static void add_key(assay_top *top, assay_slice key, assay_top_value value)
{
    if (top->n == ASSAY_TOP_KEYS)
        return;
    top->key[top->n] = key;
    top->value[top->n++] = value;
}

/* ---- JSON ---- */

static bool is_scalar(assay_json_kind kind)
{
    return kind == ASSAY_JSON_STRING || kind == ASSAY_JSON_NUMBER;
}

/* The value after a key: what it is, and past it. */
static assay_status read_value(assay_json *json, assay_top_value *value)
{
    assay_json_token token;
    assay_status st = assay_json_next(json, &token, NULL);
    uint32_t depth = 1;

    if (st)
        return st;
    *value = is_scalar(token.kind) ? ASSAY_TOP_SCALAR : ASSAY_TOP_NESTED;
    if (token.kind != ASSAY_JSON_LIST)
        return assay_json_skip(json, token, NULL);
    st = assay_json_next(json, &token, NULL);
    if (!st && (is_scalar(token.kind) || token.kind == ASSAY_JSON_LIST_END))
        *value = ASSAY_TOP_IDS;
    while (!st) {
        depth += token.kind == ASSAY_JSON_LIST || token.kind == ASSAY_JSON_OBJECT;
        depth -= token.kind == ASSAY_JSON_LIST_END || token.kind == ASSAY_JSON_OBJECT_END;
        if (depth == 0)
            break;
        st = assay_json_next(json, &token, NULL);
    }
    return st;
}

/* The keys of the object that was just opened, as far as the text goes. */
static assay_status read_keys(assay_top *top, assay_json *json)
{
    for (;;) {
        assay_top_value value = ASSAY_TOP_NESTED;
        assay_json_token token;
        assay_status st = assay_json_next(json, &token, NULL);

        if (st || token.kind != ASSAY_JSON_KEY)
            return st;
        st = read_value(json, &value);
        add_key(top, token.text, value);
        if (st)
            return st;
    }
}

static assay_status read_json(assay_top *top, assay_json *json)
{
    assay_json_token token;
    assay_status st = assay_json_next(json, &token, NULL);

    if (st)
        return st;
    if (token.kind == ASSAY_JSON_LIST) {
        top->shape = ASSAY_TOP_LIST;
        st = assay_json_next(json, &token, NULL);
    } else if (token.kind == ASSAY_JSON_OBJECT) {
        top->shape = ASSAY_TOP_MAP;
    }
    return st || token.kind != ASSAY_JSON_OBJECT ? st : read_keys(top, json);
}

/* ---- YAML in flow style ---- */

/* Past a quoted string that begins at i. */
static size_t skip_quoted(assay_slice text, size_t i)
{
    char quote = text.ptr[i++];

    while (i < text.len && text.ptr[i] != quote)
        i += quote == '"' && text.ptr[i] == '\\' ? 2 : 1;
    return i < text.len ? i + 1 : text.len;
}

/* A key as it is written, without its quotes. */
static assay_slice unquote(assay_slice key)
{
    key = assay_slice_trim(key);
    if (key.len >= 2 && (key.ptr[0] == '"' || key.ptr[0] == '\'') &&
        key.ptr[key.len - 1] == key.ptr[0])
        return (assay_slice){key.ptr + 1, key.len - 2};
    return key;
}

/* The keys of the map `{a: 1, b: [...]}` that the text begins with. */
static void read_flow(assay_top *top, assay_slice text)
{
    size_t key = 1; /* where the next key begins; 0 = inside a value */
    uint32_t depth = 0;

    for (size_t i = 0; i < text.len;) {
        char c = text.ptr[i];

        if (c == '"' || c == '\'') {
            i = skip_quoted(text, i);
            continue;
        }
        depth += c == '{' || c == '[';
        depth -= (c == '}' || c == ']') && depth > 0;
        if (depth == 0)
            return;
        if (depth == 1 && key && c == ':') {
            add_key(top, unquote((assay_slice){text.ptr + key, i - key}),
                    ASSAY_TOP_NESTED);
            key = 0;
        } else if (depth == 1 && c == ',') {
            key = i + 1;
        }
        i++;
    }
}

/* ---- YAML in block style ---- */

/* The key that a line begins with, "" when it has none. */
static assay_slice key_of(assay_slice line)
{
    for (size_t i = 0; i < line.len; i++) {
        char c = line.ptr[i];

        if (c == ':' && (i + 1 == line.len || line.ptr[i + 1] == ' '))
            return (assay_slice){line.ptr, i};
        if (c == ' ' || c == '"' || c == '\'' || c == '{' || c == '[' || c == '#')
            break;
    }
    return ASSAY_LIT("");
}

static size_t indent_of(assay_slice line)
{
    size_t n = 0;

    while (n < line.len && line.ptr[n] == ' ')
        n++;
    return n;
}

/* A line of the first item of a list, whose keys stand `indent` blanks in; false when
 * the item is over. */
static bool read_item_line(assay_top *top, assay_slice line, size_t *indent)
{
    bool is_dash = assay_slice_starts(line, "- ") || assay_slice_is(line, "-");
    size_t at = indent_of(line);

    if (is_dash && *indent)
        return false;
    if (is_dash) {
        at = 1 + indent_of((assay_slice){line.ptr + 1, line.len - 1});
        *indent = at;
    } else if (*indent == 1) {
        *indent = at;
    }
    line = (assay_slice){line.ptr + at, line.len - at};
    if (is_dash && assay_slice_starts(line, "{"))
        read_flow(top, line);
    if (at == *indent && key_of(line).len)
        add_key(top, key_of(line), ASSAY_TOP_NESTED);
    return true;
}

static void read_yaml(assay_top *top, assay_slice text)
{
    assay_lines in = assay_lines_of("", text);
    assay_slice line;
    size_t indent = 0;

    while (assay_lines_next(&in, &line)) {
        assay_slice rest = assay_slice_trim(line);

        if (!rest.len || rest.ptr[0] == '#' || rest.ptr[0] == '%' ||
            assay_slice_is(rest, "---"))
            continue;
        if (top->shape == ASSAY_TOP_OTHER && line.ptr[0] == '-')
            top->shape = ASSAY_TOP_LIST;
        if (top->shape == ASSAY_TOP_LIST) {
            if (!read_item_line(top, line, &indent))
                return;
        } else if (key_of(line).len) {
            top->shape = ASSAY_TOP_MAP;
            add_key(top, key_of(line), ASSAY_TOP_NESTED);
        } else if (top->shape == ASSAY_TOP_OTHER) {
            return;
        }
    }
}

bool assay_top_read(assay_top *top, assay_slice text, assay_arena *arena)
{
    assay_slice trimmed = assay_slice_trim(text);
    assay_json json = {0};
    assay_status st;

    top->n = 0;
    top->shape = ASSAY_TOP_OTHER;
    top->is_json = assay_slice_starts(trimmed, "{") || assay_slice_starts(trimmed, "[");
    if (!top->is_json) {
        read_yaml(top, text);
        return true;
    }
    assay_json_init(&json, "", 1, text, arena);
    st = read_json(top, &json);
    assay_json_clear(&json);
    if (st == ASSAY_EINPUT && !top->n && assay_slice_starts(trimmed, "{")) {
        read_flow(top, trimmed);
        top->is_json = top->n == 0;
    }
    return st != ASSAY_ENOMEM;
}

bool assay_top_has(const assay_top *top, const char *key)
{
    for (size_t i = 0; i < top->n; i++)
        if (assay_slice_is(top->key[i], key))
            return true;
    return false;
}

bool assay_top_is(const assay_top *top, assay_top_shape shape, const char *key)
{
    return top->shape == shape && assay_top_has(top, key);
}
