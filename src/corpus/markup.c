/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/markup.h"

#include <string.h>

#include "base/compiler.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "corpus/doc_name.h"

/* A tag that does not end within this is a sign "less than". */
enum { LONGEST_TAG = 1000, LONGEST_REFERENCE = 12 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool ends_name(char c)
{
    return c == '>' || c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '/';
}

/* Behind "<name" or "</name" and its ">", or null when that does not stand at p. */
static const char *pass_tag(const char *p, const char *end, const char *name, bool is_end)
{
    size_t len = strlen(name);
    const char *close;

    p += 1 + is_end;
    if ((size_t)(end - p) <= len)
        return NULL;
    for (size_t i = 0; i < len; i++)
        if (lower(p[i]) != lower(name[i]))
            return NULL;
    if (!ends_name(p[len]))
        return NULL;
    p += len;
    close =
        memchr(p, '>', (size_t)(end - p) < LONGEST_TAG ? (size_t)(end - p) : LONGEST_TAG);
    return close ? close + 1 : NULL;
}

bool assay_markup_is(assay_slice text, const char *name)
{
    return text.len > 1 && text.ptr[0] == '<' &&
           pass_tag(text.ptr, text.ptr + text.len, name, false);
}

bool assay_markup_find(assay_slice text, const char *name, assay_slice *inside,
                       assay_slice *whole)
{
    const char *end = text.ptr + text.len;
    const char *begin = NULL; /* of the element */
    const char *first = NULL; /* of what it holds */

    for (const char *p = text.ptr; (p = memchr(p, '<', (size_t)(end - p))) && p + 1 < end;
         p++) {
        bool is_end = p[1] == '/';
        const char *behind = pass_tag(p, end, name, is_end);

        if (!behind)
            continue;
        if (!is_end && first)
            return false;
        if (!is_end) {
            begin = p;
            first = behind;
            p = behind - 1; /* what stands inside a tag is no tag */
        } else if (first) {
            *inside = (assay_slice){first, (size_t)(p - first)};
            if (whole)
                *whole = (assay_slice){begin, (size_t)(behind - begin)};
            return true;
        }
    }
    return false;
}

/* ---- without tags ---- */

/* Behind the tag or comment at p ('<'), or null when it is only a sign. */
static const char *pass_any_tag(const char *p, const char *end)
{
    size_t most = (size_t)(end - p) < LONGEST_TAG ? (size_t)(end - p) : LONGEST_TAG;
    const char *close;
    char c;

    if (most < 3)
        return NULL;
    c = lower(p[1]);
    if (!(c >= 'a' && c <= 'z') && c != '/' && c != '!' && c != '?')
        return NULL;
    close = memchr(p + 1, '>', most - 1);
    if (!close || memchr(p + 1, '<', (size_t)(close - p) - 1))
        return NULL;
    return close + 1;
}

static bool is_paragraph(const char *p, const char *end)
{
    static const char *const name[] = {"p", "br", "div", "table", "tr", "li"};

    for (size_t i = 0; i < ASSAY_COUNT(name); i++)
        if (pass_tag(p, end, name[i], p[1] == '/'))
            return true;
    return false;
}

static const struct {
    const char *name;
    const char *text;
} references[] = {
    {"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"apos", "'"}, {"nbsp", " "},
};

/* The number in "#233" or "#xE9"; 0 when it is none that can be written. */
static uint32_t code_of(assay_slice name)
{
    bool is_hex = name.len > 1 && lower(name.ptr[1]) == 'x';
    uint32_t code = 0;

    for (size_t i = is_hex ? 2 : 1; i < name.len; i++) {
        char c = lower(name.ptr[i]);
        uint32_t digit = c >= '0' && c <= '9'             ? (uint32_t)(c - '0')
                         : is_hex && c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                                                          : 99;

        if (digit == 99)
            return 0;
        code = code * (is_hex ? 16 : 10) + digit;
        if (code > 0x10ffff)
            return 0;
    }
    return code >= 0xd800 && code <= 0xdfff ? 0 : code;
}

/* Write what "&amp;" at p stands for and return what is behind it; null when it is just an
 * ampersand. */
static const char *put_reference(const char *p, const char *end, assay_buffer *out)
{
    size_t most =
        (size_t)(end - p) < LONGEST_REFERENCE ? (size_t)(end - p) : LONGEST_REFERENCE;
    const char *close = memchr(p, ';', most);
    assay_slice name;
    char utf8[4];
    uint32_t code;

    if (!close)
        return NULL;
    name = (assay_slice){p + 1, (size_t)(close - p) - 1};
    for (size_t i = 0; i < ASSAY_COUNT(references); i++) {
        if (assay_slice_is(name, references[i].name)) {
            assay_buffer_text(out, references[i].text);
            return close + 1;
        }
    }
    code = assay_slice_starts(name, "#") ? code_of(name) : 0;
    if (!code)
        return NULL;
    assay_buffer_add(out, utf8, assay_utf8_put(code, utf8));
    return close + 1;
}

void assay_markup_text(assay_slice text, assay_buffer *out)
{
    const char *p = text.ptr;
    const char *end = p + text.len;

    while (p < end) {
        const char *plain = p;
        const char *behind;

        while (p < end && *p != '<' && *p != '&')
            p++;
        assay_buffer_add(out, plain, (size_t)(p - plain));
        if (p == end)
            return;
        behind = *p == '<' ? pass_any_tag(p, end) : put_reference(p, end, out);
        if (behind && *p == '<' && is_paragraph(p, end) && out->len &&
            out->ptr[out->len - 1] != '\n')
            assay_buffer_char(out, '\n');
        if (!behind)
            assay_buffer_char(out, *p);
        p = behind ? behind : p + 1;
    }
}

void assay_markup_words(assay_slice text, assay_buffer *out)
{
    size_t begin = out->len;
    size_t kept = begin;
    bool wants_space = false;

    assay_markup_text(text, out);
    if (out->has_failed)
        return;
    for (size_t i = begin; i < out->len; i++) {
        char c = out->ptr[i];

        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            wants_space = kept > begin;
            continue;
        }
        if (wants_space)
            out->ptr[kept++] = ' ';
        wants_space = false;
        out->ptr[kept++] = c;
    }
    out->len = kept;
}
