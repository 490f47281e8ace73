/* SPDX-License-Identifier: Apache-2.0 */
/* JSON written value by value: the writer knows where commas and line breaks go. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/slice.h"
#include "base/utf8.h"

assay_json_writer assay_json_writer_of(assay_buffer *out, int indent)
{
    return (assay_json_writer){.out = out, .indent = indent};
}

static bool is_broken(const assay_json_writer *w)
{
    return w->indent > 0 && !w->is_flat[w->depth];
}

static void break_line(assay_json_writer *w)
{
    assay_buffer_char(w->out, '\n');
    for (uint64_t n = (uint64_t)w->indent * w->depth; n > 0; n--)
        assay_buffer_char(w->out, ' ');
}

/* What stands between the last thing and the next key or list item. */
static void separate(assay_json_writer *w)
{
    if (w->depth == 0)
        return;
    if (w->has_items[w->depth])
        assay_buffer_char(w->out, ',');
    if (is_broken(w))
        break_line(w);
    else if (w->indent > 0 && w->has_items[w->depth])
        assay_buffer_char(w->out, ' ');
    w->has_items[w->depth] = true;
}

static void before_value(assay_json_writer *w)
{
    if (!w->after_key)
        separate(w);
    w->after_key = false;
}

static void open_level(assay_json_writer *w, char bracket, bool is_flat)
{
    bool is_inside_flat = w->is_flat[w->depth];

    assert(w->depth < ASSAY_JSON_DEPTH);
    before_value(w);
    assay_buffer_char(w->out, bracket);
    w->depth++;
    w->has_items[w->depth] = false;
    w->is_flat[w->depth] = is_flat || is_inside_flat;
}

static void close_level(assay_json_writer *w, char bracket)
{
    bool has_lines = is_broken(w) && w->has_items[w->depth];

    assert(w->depth > 0 && !w->after_key);
    w->depth--;
    if (has_lines)
        break_line(w);
    assay_buffer_char(w->out, bracket);
}

void assay_json_object(assay_json_writer *w)
{
    open_level(w, '{', false);
}

void assay_json_flat_object(assay_json_writer *w)
{
    open_level(w, '{', true);
}

void assay_json_object_end(assay_json_writer *w)
{
    close_level(w, '}');
}

void assay_json_list(assay_json_writer *w)
{
    open_level(w, '[', false);
}

void assay_json_flat_list(assay_json_writer *w)
{
    open_level(w, '[', true);
}

void assay_json_list_end(assay_json_writer *w)
{
    close_level(w, ']');
}

/* ---- strings ---- */

static void write_escape(assay_buffer *out, unsigned char c)
{
    static const char code[] = "\"\\\b\f\n\r\t";
    static const char letter[] = "\"\\bfnrt";
    const char *found = c ? strchr(code, c) : NULL;

    if (found) {
        char text[2] = {'\\', letter[found - code]};

        assay_buffer_add(out, text, 2);
    } else {
        assay_buffer_printf(out, "\\u%04x", c);
    }
}

/* Write well-formed text with its escapes. */
static void write_escaped(assay_buffer *out, assay_slice s)
{
    size_t plain = 0; /* where the run begins that needs no escape */

    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];

        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        assay_buffer_add(out, s.ptr + plain, i - plain);
        write_escape(out, c);
        plain = i + 1;
    }
    assay_buffer_add(out, s.ptr + plain, s.len - plain);
}

static void write_quoted(assay_buffer *out, assay_slice s)
{
    if (!s.ptr)
        s = ASSAY_LIT("");
    assay_buffer_char(out, '"');
    for (;;) {
        size_t valid = assay_utf8_valid(s);
        size_t bad;

        write_escaped(out, (assay_slice){s.ptr, valid});
        s.ptr += valid;
        s.len -= valid;
        if (s.len == 0)
            break;
        assay_buffer_text(out, "\xef\xbf\xbd");
        bad = assay_utf8_bad(s);
        s.ptr += bad;
        s.len -= bad;
    }
    assay_buffer_char(out, '"');
}

void assay_json_key_slice(assay_json_writer *w, assay_slice name)
{
    assert(w->depth > 0 && !w->after_key);
    separate(w);
    write_quoted(w->out, name);
    assay_buffer_text(w->out, w->indent > 0 ? ": " : ":");
    w->after_key = true;
}

void assay_json_key(assay_json_writer *w, const char *name)
{
    assay_json_key_slice(w, assay_slice_of(name));
}

/* ---- values ---- */

void assay_json_string(assay_json_writer *w, assay_slice s)
{
    before_value(w);
    write_quoted(w->out, s);
}

void assay_json_text(assay_json_writer *w, const char *text)
{
    assay_json_string(w, assay_slice_of(text));
}

void assay_json_int(assay_json_writer *w, int64_t value)
{
    char digits[24];
    char *p = digits + sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do {
        *--p = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        *--p = '-';
    before_value(w);
    assay_buffer_add(w->out, p, (size_t)(digits + sizeof digits - p));
}

void assay_json_double(assay_json_writer *w, double value)
{
    if (!isfinite(value)) {
        assay_json_null(w);
        return;
    }
    before_value(w);
    assay_buffer_double(w->out, value);
}

void assay_json_bool(assay_json_writer *w, bool value)
{
    before_value(w);
    assay_buffer_text(w->out, value ? "true" : "false");
}

void assay_json_null(assay_json_writer *w)
{
    before_value(w);
    assay_buffer_text(w->out, "null");
}

void assay_json_raw(assay_json_writer *w, assay_slice json)
{
    before_value(w);
    assay_buffer_slice(w->out, json);
}

/* ---- members ---- */

void assay_json_put_text(assay_json_writer *w, const char *key, const char *text)
{
    assay_json_key(w, key);
    if (text)
        assay_json_text(w, text);
    else
        assay_json_null(w);
}

void assay_json_put_slice(assay_json_writer *w, const char *key, assay_slice text)
{
    assay_json_key(w, key);
    assay_json_string(w, text);
}

void assay_json_put_int(assay_json_writer *w, const char *key, int64_t value)
{
    assay_json_key(w, key);
    assay_json_int(w, value);
}

void assay_json_put_double(assay_json_writer *w, const char *key, double value)
{
    assay_json_key(w, key);
    assay_json_double(w, value);
}

void assay_json_put_bool(assay_json_writer *w, const char *key, bool value)
{
    assay_json_key(w, key);
    assay_json_bool(w, value);
}

void assay_json_put_pair(assay_json_writer *w, const char *key, double a, double b)
{
    assay_json_key(w, key);
    assay_json_flat_list(w);
    assay_json_double(w, a);
    assay_json_double(w, b);
    assay_json_list_end(w);
}
