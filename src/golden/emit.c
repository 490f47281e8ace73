/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/emit.h"

#include <assert.h>
#include <string.h>

#include "base/compiler.h"
#include "base/slice.h"

assay_emit assay_emit_of(assay_buffer *out, bool is_json)
{
    return (assay_emit){
        .out = out, .is_json = is_json, .json = assay_json_writer_of(out, 2)};
}

/* ---- YAML scalars ---- */

static bool is_letter(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/';
}

/* What YAML 1.1 takes for a truth value or nothing. */
static bool is_word(assay_slice s)
{
    static const char *const word[] = {"y",   "n",    "yes",   "no",  "on",
                                       "off", "true", "false", "null"};

    for (size_t i = 0; i < ASSAY_COUNT(word); i++)
        if (assay_slice_is_nocase(s, word[i]))
            return true;
    return false;
}

/* The code point at s.ptr, well-formed, and its length. */
static uint32_t decode(assay_slice s, size_t *len)
{
    unsigned char c = (unsigned char)s.ptr[0];
    uint32_t code;

    *len = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    if (*len > s.len)
        *len = s.len;
    code = *len == 1 ? c : c & (0x7fU >> *len);
    for (size_t i = 1; i < *len; i++)
        code = code << 6 | ((unsigned char)s.ptr[i] & 0x3f);
    return code;
}

/* Code points that YAML does not allow as they are, or takes for a line break. */
static bool needs_escape(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 ||
           code == 0x2029 || code == 0xfeff || code == 0xfffe || code == 0xffff;
}

/* Whether `s` may stand without quotes.  Cautious: what begins with a letter and has
 * only letters, digits and marks that mean nothing. */
static bool is_plain(assay_slice s, bool is_flat)
{
    const char *marks = is_flat ? " -._/+@()" : " -._/+@(),?!;'=<>&";
    size_t len;

    if (!s.len || is_word(s) || s.ptr[s.len - 1] == ' ')
        return false;
    if (!is_letter((unsigned char)s.ptr[0]) && (unsigned char)s.ptr[0] < 0x80)
        return false;
    for (size_t i = 0; i < s.len; i += len) {
        uint32_t code = decode((assay_slice){s.ptr + i, s.len - i}, &len);
        bool is_digit = code >= '0' && code <= '9';

        if (code < 0x80 && !is_digit && !is_letter((unsigned char)code) &&
            !strchr(marks, (int)code))
            return false;
        if (needs_escape(code))
            return false;
    }
    return true;
}

static void put_quoted(assay_buffer *out, assay_slice s)
{
    size_t len;

    assay_buffer_char(out, '"');
    for (size_t i = 0; i < s.len; i += len) {
        uint32_t code = decode((assay_slice){s.ptr + i, s.len - i}, &len);

        if (code == '"' || code == '\\')
            assay_buffer_printf(out, "\\%c", (int)code);
        else if (code == '\n')
            assay_buffer_text(out, "\\n");
        else if (code == '\t')
            assay_buffer_text(out, "\\t");
        else if (needs_escape(code))
            assay_buffer_printf(out, "\\u%04x", code);
        else
            assay_buffer_add(out, s.ptr + i, len);
    }
    assay_buffer_char(out, '"');
}

static void put_scalar(assay_buffer *out, assay_slice s, bool is_flat)
{
    if (is_plain(s, is_flat))
        assay_buffer_slice(out, s);
    else
        put_quoted(out, s);
}

/* A literal block keeps its lines as they are, so it can hold only what needs no escape,
 * and must neither begin with a blank, which would count as indentation, nor end with
 * one. */
bool assay_emit_is_literal(assay_slice s)
{
    size_t len;
    size_t n_lines = 0;

    if (!s.len || s.ptr[0] == ' ' || s.ptr[0] == '\t' || s.ptr[0] == '\n' ||
        s.ptr[s.len - 1] == ' ' || s.ptr[s.len - 1] == '\n' || s.ptr[s.len - 1] == '\t')
        return false;
    for (size_t i = 0; i < s.len; i += len) {
        uint32_t code = decode((assay_slice){s.ptr + i, s.len - i}, &len);

        n_lines += code == '\n';
        if (code != '\n' && code != '\t' && needs_escape(code))
            return false;
    }
    return n_lines > 0;
}

static void put_literal(assay_buffer *out, assay_slice s, int indent)
{
    assay_slice rest = s;
    assay_slice line;

    assay_buffer_text(out, "|-");
    while (assay_slice_part(&rest, '\n', &line)) {
        assay_buffer_char(out, '\n');
        for (int i = 0; line.len && i < indent; i++)
            assay_buffer_char(out, ' ');
        assay_buffer_slice(out, line);
    }
}

/* ---- YAML structure ---- */

static bool in_flat(const assay_emit *e)
{
    return e->depth && e->level[e->depth - 1].is_flat;
}

static void new_line(assay_emit *e, int indent)
{
    if (e->out->len)
        assay_buffer_char(e->out, '\n');
    for (int i = 0; i < indent; i++)
        assay_buffer_char(e->out, ' ');
}

/* Before a value: what leads to it from where we are.  `is_block`: it begins on a line
 * of its own unless a dash leads to it. */
static void lead(assay_emit *e, bool is_block)
{
    if (e->after_key) {
        e->after_key = false;
        if (!is_block)
            assay_buffer_char(e->out, ' ');
        return;
    }
    if (!e->depth)
        return;
    if (in_flat(e)) {
        if (e->level[e->depth - 1].n++)
            assay_buffer_text(e->out, ", ");
        return;
    }
    e->level[e->depth - 1].n++;
    new_line(e, e->level[e->depth - 1].indent);
    assay_buffer_text(e->out, is_block ? "-" : "- ");
    e->after_dash = is_block;
}

static void begin(assay_emit *e, bool is_map, bool is_flat)
{
    bool flat = is_flat || in_flat(e);
    int indent = e->depth ? e->level[e->depth - 1].indent + 2 : e->indent;

    assert(e->depth < ASSAY_EMIT_DEPTH);
    lead(e, !flat);
    if (flat)
        assay_buffer_char(e->out, is_map ? '{' : '[');
    e->level[e->depth].is_map = is_map;
    e->level[e->depth].is_flat = flat;
    e->level[e->depth].n = 0;
    e->level[e->depth++].indent = indent;
}

static void yaml_key(assay_emit *e, assay_slice key)
{
    if (in_flat(e)) {
        if (e->level[e->depth - 1].n)
            assay_buffer_text(e->out, ", ");
    } else if (e->after_dash) {
        assay_buffer_char(e->out, ' ');
    } else {
        new_line(e, e->level[e->depth - 1].indent);
    }
    e->after_dash = false;
    e->level[e->depth - 1].n++;
    put_scalar(e->out, key, true);
    assay_buffer_char(e->out, ':');
    e->after_key = true;
}

/* ---- both ---- */

void assay_emit_map(assay_emit *e, bool is_flat)
{
    if (!e->is_json) {
        begin(e, true, is_flat);
        return;
    }
    e->level[e->depth++].is_map = true;
    if (is_flat)
        assay_json_flat_object(&e->json);
    else
        assay_json_object(&e->json);
}

void assay_emit_list(assay_emit *e, bool is_flat)
{
    if (!e->is_json) {
        begin(e, false, is_flat);
        return;
    }
    e->level[e->depth++].is_map = false;
    if (is_flat)
        assay_json_flat_list(&e->json);
    else
        assay_json_list(&e->json);
}

void assay_emit_end(assay_emit *e)
{
    bool is_map = e->level[--e->depth].is_map;

    if (e->is_json && is_map)
        assay_json_object_end(&e->json);
    else if (e->is_json)
        assay_json_list_end(&e->json);
    else if (e->level[e->depth].is_flat)
        assay_buffer_char(e->out, is_map ? '}' : ']');
}

void assay_emit_key_slice(assay_emit *e, assay_slice key)
{
    if (e->is_json)
        assay_json_key_slice(&e->json, key);
    else
        yaml_key(e, key);
}

void assay_emit_key(assay_emit *e, const char *key)
{
    assay_emit_key_slice(e, assay_slice_of(key));
}

void assay_emit_text(assay_emit *e, assay_slice text)
{
    if (e->is_json) {
        assay_json_string(&e->json, text);
        return;
    }
    lead(e, false);
    put_scalar(e->out, text, in_flat(e));
}

void assay_emit_words(assay_emit *e, assay_slice text)
{
    if (e->is_json || in_flat(e) || !assay_emit_is_literal(text)) {
        assay_emit_text(e, text);
        return;
    }
    lead(e, false);
    put_literal(e->out, text, e->level[e->depth - 1].indent + 2);
}

void assay_emit_scalar(assay_buffer *out, assay_slice text, bool is_json)
{
    if (is_json)
        put_quoted(out, text);
    else
        put_scalar(out, text, true);
}

void assay_emit_int(assay_emit *e, int64_t value)
{
    if (e->is_json) {
        assay_json_int(&e->json, value);
        return;
    }
    lead(e, false);
    assay_buffer_printf(e->out, "%lld", (long long)value);
}

void assay_emit_double(assay_emit *e, double value)
{
    if (e->is_json) {
        assay_json_double(&e->json, value);
        return;
    }
    lead(e, false);
    assay_buffer_double(e->out, value);
}

void assay_emit_bool(assay_emit *e, bool value)
{
    if (e->is_json) {
        assay_json_bool(&e->json, value);
        return;
    }
    lead(e, false);
    assay_buffer_text(e->out, value ? "true" : "false");
}

void assay_emit_text_of(assay_emit *e, const char *key, assay_slice text)
{
    if (!text.len)
        return;
    assay_emit_key(e, key);
    assay_emit_text(e, text);
}

void assay_emit_done(assay_emit *e)
{
    assay_buffer_char(e->out, '\n');
}
