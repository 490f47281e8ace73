/* SPDX-License-Identifier: Apache-2.0 */
#include "base/params.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"

assay_status assay_params_split(assay_slice spelling, assay_slice *name,
                                assay_slice *argument, assay_slice *params,
                                assay_error *err)
{
    assay_slice head = assay_slice_trim(spelling);
    assay_slice inner = {"", 0};
    const char *open = head.len ? memchr(head.ptr, '(', head.len) : NULL;
    const char *colon;

    if (open) {
        if (head.ptr[head.len - 1] != ')')
            return assay_fail(err, ASSAY_EUSAGE, "'%.*s' lacks its closing bracket",
                              ASSAY_QUOTE(spelling));
        inner = (assay_slice){open + 1, head.len - (size_t)(open - head.ptr) - 2};
        head.len = (size_t)(open - head.ptr);
    }
    colon = head.len ? memchr(head.ptr, ':', head.len) : NULL;
    *argument = (assay_slice){"", 0};
    if (colon) {
        *argument = (assay_slice){colon + 1, head.len - (size_t)(colon - head.ptr) - 1};
        head.len = (size_t)(colon - head.ptr);
    }
    *name = assay_slice_trim(head);
    *params = inner;
    return ASSAY_OK;
}

static size_t find(const assay_param *table, assay_slice name)
{
    size_t i = 0;

    while (table[i].name && !assay_slice_is(name, table[i].name))
        i++;
    return i;
}

static assay_status unknown(const char *what, const assay_param *table, assay_slice name,
                            assay_error *err)
{
    const char *nearest = NULL;
    uint32_t least = 3;

    for (size_t i = 0; table[i].name; i++) {
        uint32_t d = assay_slice_distance(name, assay_slice_of(table[i].name));

        if (d < least) {
            least = d;
            nearest = table[i].name;
        }
    }
    if (nearest)
        return assay_fail(err, ASSAY_EUSAGE,
                          "%s has no parameter '%.*s'; did you mean '%s'?", what,
                          ASSAY_QUOTE(name), nearest);
    return assay_fail(err, ASSAY_EUSAGE, "%s has no parameter '%.*s'", what,
                      ASSAY_QUOTE(name));
}

static bool read_number(const assay_param *p, assay_slice text, assay_param_value *out)
{
    const char *end = text.ptr + text.len;

    if (!text.len || assay_number_scan(text.ptr, end, false, &out->number) != end)
        return false;
    if (p->kind == ASSAY_PARAM_COUNT && out->number != floor(out->number))
        return false;
    return isfinite(out->number) && out->number >= p->least && out->number <= p->most;
}

static bool read_word(const assay_param *p, assay_slice text, assay_param_value *out)
{
    assay_slice rest = assay_slice_of(p->choices);
    assay_slice choice;

    for (out->choice = 0; assay_slice_part(&rest, '|', &choice); out->choice++) {
        if (assay_slice_eq(choice, text)) {
            out->text = choice;
            return true;
        }
    }
    return false;
}

static assay_status read_value(const char *what, const assay_param *p, assay_slice text,
                               assay_param_value *out, assay_error *err)
{
    out->text = text;
    switch (p->kind) {
    case ASSAY_PARAM_TEXT: return ASSAY_OK;
    case ASSAY_PARAM_WORD:
        if (read_word(p, text, out))
            return ASSAY_OK;
        return assay_fail(err, ASSAY_EUSAGE, "%s: %s is one of %s, not '%.*s'", what,
                          p->name, p->choices, ASSAY_QUOTE(text));
    case ASSAY_PARAM_REAL:
    case ASSAY_PARAM_COUNT: break;
    }
    if (read_number(p, text, out))
        return ASSAY_OK;
    return assay_fail(err, ASSAY_EUSAGE,
                      "%s: %s is a %snumber from %.15g to %.15g, not '%.*s'", what,
                      p->name, p->kind == ASSAY_PARAM_COUNT ? "whole " : "", p->least,
                      p->most, ASSAY_QUOTE(text));
}

static assay_status read_one(const char *what, const assay_param *table, assay_slice part,
                             assay_param_value *value, assay_error *err)
{
    const char *equals = part.len ? memchr(part.ptr, '=', part.len) : NULL;
    assay_slice name;
    assay_slice text;
    size_t i;

    if (!equals)
        return assay_fail(err, ASSAY_EUSAGE, "%s: want NAME=VALUE, not '%.*s'", what,
                          ASSAY_QUOTE(part));
    name = assay_slice_trim((assay_slice){part.ptr, (size_t)(equals - part.ptr)});
    text = assay_slice_trim(
        (assay_slice){equals + 1, part.len - (size_t)(equals - part.ptr) - 1});
    i = find(table, name);
    if (!table[i].name)
        return unknown(what, table, name, err);
    if (value[i].is_given)
        return assay_fail(err, ASSAY_EUSAGE, "%s: %s is given twice", what,
                          table[i].name);
    value[i].is_given = true;
    return read_value(what, &table[i], text, &value[i], err);
}

assay_status assay_params_read(const char *what, const assay_param *table,
                               assay_slice params, assay_param_value *value,
                               assay_error *err)
{
    assay_slice part;
    assay_status st = ASSAY_OK;

    for (size_t i = 0; table[i].name && !st; i++) {
        value[i] = (assay_param_value){.is_given = false};
        st = read_value(what, &table[i], assay_slice_of(table[i].standard), &value[i],
                        err);
    }
    while (!st && assay_slice_part(&params, ',', &part))
        st = read_one(what, table, assay_slice_trim(part), value, err);
    return st;
}

void assay_params_print(const char *name, const assay_param *table,
                        const assay_param_value *value, assay_buffer *out)
{
    bool is_open = false;

    assay_buffer_text(out, name);
    for (size_t i = 0; table[i].name; i++) {
        bool is_number =
            table[i].kind == ASSAY_PARAM_REAL || table[i].kind == ASSAY_PARAM_COUNT;

        if (!is_number && !value[i].text.len)
            continue;
        assay_buffer_char(out, is_open ? ',' : '(');
        is_open = true;
        assay_buffer_text(out, table[i].name);
        assay_buffer_char(out, '=');
        if (is_number)
            assay_buffer_double(out, value[i].number);
        else
            assay_buffer_slice(out, value[i].text);
    }
    if (is_open)
        assay_buffer_char(out, ')');
}
