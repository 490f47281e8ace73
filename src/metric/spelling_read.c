/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the text of a measure: first apart, then value by value.
 *
 *     measure := NAME [ "(" [ setting { "," setting } [","] ] ")" ] [ "@" NUMBER [ "_" LEVEL ] ]
 *              | NAME "_at_" NUMBER [ "_" LEVEL ]
 *     setting := NAME "=" value
 *     value   := WORD | NUMBER | "'" ... "'" | '"' ... '"' | "{" GRADE ":" NUMBER, ... "}"
 *              | "[" NUMBER, ... "]"
 *
 * White space may stand between any two of these.  It is the notation of ir_measures, with
 * words allowed without quotes, and the field names of kebab and evalvault (`hit_at_5`,
 * `recall@5_doc`).
 */
#include "metric/spelling.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"

assay_status assay_spelling_fail(const assay_spelling *s, size_t pos, const char *format,
                                 ...)
{
    char words[600];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    if (s->origin.len)
        return assay_fail(s->err, ASSAY_EUSAGE, "in '%.*s', read as '%.*s', at %zu: %s",
                          ASSAY_QUOTE(s->origin), ASSAY_QUOTE(s->text), pos + 1, words);
    return assay_fail(s->err, ASSAY_EUSAGE, "in '%.*s' at %zu: %s", ASSAY_QUOTE(s->text),
                      pos + 1, words);
}

/* ---- apart ---- */

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || (unsigned char)c >= 0x80;
}

static bool is_word(char c)
{
    return is_name(c) || c == '.' || c == '+' || c == '-';
}

/* The next byte that is no white space, 0 at the end. */
static char peek(assay_spelling *s)
{
    while (s->pos < s->text.len && strchr(" \t\r\n\f\v", s->text.ptr[s->pos]) &&
           s->text.ptr[s->pos])
        s->pos++;
    return s->pos < s->text.len ? s->text.ptr[s->pos] : '\0';
}

static assay_slice take(assay_spelling *s, bool (*belongs)(char))
{
    size_t start = s->pos;

    while (s->pos < s->text.len && belongs(s->text.ptr[s->pos]))
        s->pos++;
    return (assay_slice){s->text.ptr + start, s->pos - start};
}

static assay_status take_value(assay_spelling *s, assay_slice *out)
{
    static const char opening[] = "'\"{[";
    static const char closing[] = "'\"}]";
    char first = peek(s);
    const char *open = first ? strchr(opening, first) : NULL;
    const char *start = s->text.ptr + s->pos;
    const char *end;

    if (!open) {
        *out = take(s, is_word);
        return out->len ? ASSAY_OK : assay_spelling_fail(s, s->pos, "a value is missing");
    }
    end = memchr(start + 1, closing[open - opening], s->text.len - s->pos - 1);
    if (!end)
        return assay_spelling_fail(s, s->pos, "%c without %c", first,
                                   closing[open - opening]);
    *out = (assay_slice){start, (size_t)(end + 1 - start)};
    s->pos += out->len;
    return ASSAY_OK;
}

static assay_status take_setting(assay_spelling *s, assay_written *out)
{
    assay_setting *set = &out->setting[out->n_settings];

    if (out->n_settings == ASSAY_SETTINGS_MOST)
        return assay_spelling_fail(s, s->pos, "too many parameters");
    set->name_pos = s->pos;
    set->name = take(s, is_name);
    if (!set->name.len || peek(s) != '=')
        return assay_spelling_fail(s, set->name_pos, "a parameter is written name=value");
    for (size_t i = 0; i < out->n_settings; i++)
        if (assay_slice_eq(out->setting[i].name, set->name))
            return assay_spelling_fail(s, set->name_pos, "'%.*s' is given twice",
                                       ASSAY_QUOTE(set->name));
    s->pos++;
    peek(s);
    set->value_pos = s->pos;
    out->n_settings++;
    return take_value(s, &set->value);
}

static assay_status take_settings(assay_spelling *s, assay_written *out)
{
    size_t open = s->pos++;

    while (peek(s) != ')') {
        assay_status st;

        if (!peek(s))
            return assay_spelling_fail(s, open, "( without )");
        st = take_setting(s, out);
        if (st)
            return st;
        if (peek(s) == ',')
            s->pos++;
        else if (peek(s) && peek(s) != ')')
            return assay_spelling_fail(s, s->pos, "want ',' or ')' here");
    }
    s->pos++;
    return ASSAY_OK;
}

/* `text`, found at `pos`, is what stands behind `@`: a number, perhaps with a level. */
static void split_at(assay_slice text, size_t pos, assay_written *out)
{
    const char *bar = text.len ? memchr(text.ptr, '_', text.len) : NULL;
    size_t n = bar ? (size_t)(bar - text.ptr) : text.len;

    out->at = (assay_slice){text.ptr, n};
    out->at_pos = pos;
    if (!bar)
        return;
    out->level = (assay_slice){bar + 1, text.len - n - 1};
    out->level_pos = pos + n + 1;
}

/* `recall_at_5_doc` is `recall@5_doc`. */
static void split_field_name(size_t start, assay_written *out)
{
    static const char at[] = "_at_";
    const size_t len = sizeof at - 1;
    assay_slice name = out->name;

    for (size_t i = 1; i + len < name.len; i++) {
        if (memcmp(name.ptr + i, at, len) != 0 || name.ptr[i + len] < '0' ||
            name.ptr[i + len] > '9')
            continue;
        split_at((assay_slice){name.ptr + i + len, name.len - i - len}, start + i + len,
                 out);
        out->name.len = i;
        return;
    }
}

assay_status assay_spelling_split(assay_spelling *s, assay_written *out)
{
    assay_status st = ASSAY_OK;
    size_t start;

    *out = (assay_written){0};
    peek(s);
    start = s->pos;
    out->name = take(s, is_name);
    if (!out->name.len)
        return assay_spelling_fail(s, start, "the name of a metric is missing");
    if (peek(s) == '(')
        st = take_settings(s, out);
    if (st)
        return st;
    if (peek(s) == '@') {
        s->pos++;
        peek(s);
        start = s->pos;
        split_at(take(s, is_word), start, out);
        if (!out->at.len)
            return assay_spelling_fail(s, start, "a number is missing behind '@'");
    } else if (!out->n_settings && s->pos == s->text.len) {
        split_field_name(start, out);
    }
    if (peek(s))
        return assay_spelling_fail(s, s->pos, "nothing may stand here");
    return ASSAY_OK;
}

/* ---- values ---- */

bool assay_spelling_is_whole(assay_slice text, double *out)
{
    static const size_t most_digits = 15;
    double value = 0;

    if (!text.len || text.len > most_digits || (text.len > 1 && text.ptr[0] == '0'))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
        value = value * 10 + (text.ptr[i] - '0');
    }
    *out = value;
    return true;
}

bool assay_spelling_is_real(const assay_spelling *s, assay_slice text, double *out)
{
    bool has_point = false;

    for (size_t i = 0; i < text.len; i++)
        has_point |= strchr(".eE", text.ptr[i]) != NULL;
    if (s->is_strict && (!has_point || text.ptr[0] == '-' || text.ptr[0] == '+'))
        return false;
    return assay_number_read(text, out);
}

assay_status assay_spelling_int(const assay_spelling *s, const assay_setting *set,
                                int32_t *out)
{
    double value = 0;

    if (!assay_spelling_is_whole(set->value, &value) || value > INT32_MAX)
        return assay_spelling_fail(s, set->value_pos,
                                   "'%.*s' takes a whole number from 0, not '%.*s'",
                                   ASSAY_QUOTE(set->name), ASSAY_QUOTE(set->value));
    *out = (int32_t)value;
    return ASSAY_OK;
}

assay_status assay_spelling_bool(const assay_spelling *s, const assay_setting *set,
                                 bool *out)
{
    *out = assay_slice_is(set->value, "true") || assay_slice_is(set->value, "True");
    if (*out || assay_slice_is(set->value, "false") ||
        assay_slice_is(set->value, "False"))
        return ASSAY_OK;
    return assay_spelling_fail(s, set->value_pos, "'%.*s' is true or false, not '%.*s'",
                               ASSAY_QUOTE(set->name), ASSAY_QUOTE(set->value));
}

static assay_slice unquote(assay_slice s)
{
    if (s.len >= 2 && (s.ptr[0] == '\'' || s.ptr[0] == '"'))
        return (assay_slice){s.ptr + 1, s.len - 2};
    return s;
}

assay_status assay_spelling_level(const assay_spelling *s, assay_slice word, size_t pos,
                                  assay_level *out)
{
    const char *known;

    for (size_t i = 0; (known = assay_spelling_level_word(i)) != NULL; i++) {
        if (!assay_slice_is(unquote(word), known))
            continue;
        *out = (assay_level)i;
        return ASSAY_OK;
    }
    return assay_spelling_fail(s, pos,
                               "the level is evidence, chunk, doc or auto, not '%.*s'",
                               ASSAY_QUOTE(word));
}

static assay_status read_choice(const assay_spelling *s, const assay_setting *set,
                                const assay_metric_param *param, assay_value *out)
{
    assay_slice rest = assay_slice_of(param->choices);
    assay_slice choice;

    for (int i = 0; assay_slice_part(&rest, ',', &choice); i++) {
        if (!assay_slice_eq(unquote(set->value), choice))
            continue;
        out->number = i;
        out->is_set = i > 0;
        return ASSAY_OK;
    }
    return assay_spelling_fail(s, set->value_pos, "'%s' is one of %s, not '%.*s'",
                               param->name, param->choices, ASSAY_QUOTE(set->value));
}

static int by_grade(const void *a, const void *b)
{
    int32_t x = ((const assay_gain *)a)->grade;
    int32_t y = ((const assay_gain *)b)->grade;

    return (x > y) - (x < y);
}

/* The inside of {...} or [...], and room for as many `size` things as may be in it. */
static void *open_list(const assay_spelling *s, assay_slice value, char open, size_t size,
                       assay_slice *inside)
{
    size_t n = 1;

    if (value.ptr[0] != open)
        return NULL;
    *inside = (assay_slice){value.ptr + 1, value.len - 2};
    for (size_t i = 0; i < inside->len; i++)
        n += inside->ptr[i] == ',';
    return assay_arena_zero(s->arena, n, size);
}

/* One `grade: gain`; false when it is not one. */
static bool read_gain(assay_slice part, assay_gain *out)
{
    assay_slice grade;
    double value = 0;

    if (!assay_slice_part(&part, ':', &grade) ||
        !assay_spelling_is_whole(assay_slice_trim(grade), &value) || value > INT32_MAX)
        return false;
    out->grade = (int32_t)value;
    return assay_number_read(assay_slice_trim(part), &out->gain);
}

static assay_status read_gains(const assay_spelling *s, const assay_setting *set,
                               assay_value *out)
{
    assay_slice rest = {NULL, 0};
    assay_slice part;
    assay_gain *gain = open_list(s, set->value, '{', sizeof *gain, &rest);
    uint32_t n = 0;

    if (!gain)
        return rest.ptr ? assay_fail_memory(s->err, "reading the name of a measure")
                        : assay_spelling_fail(s, set->value_pos,
                                              "'%.*s' is written {grade: gain, ...}",
                                              ASSAY_QUOTE(set->name));
    while (assay_slice_part(&rest, ',', &part)) {
        if (!assay_slice_trim(part).len && !assay_slice_trim(rest).len)
            break;
        if (!read_gain(part, &gain[n]))
            return assay_spelling_fail(
                s, set->value_pos + (size_t)(part.ptr - set->value.ptr),
                "want a whole grade, ':' and a gain, not '%.*s'", ASSAY_QUOTE(part));
        for (uint32_t i = 0; i < n; i++)
            if (gain[i].grade == gain[n].grade)
                return assay_spelling_fail(s, set->value_pos, "grade %d has two gains",
                                           (int)gain[n].grade);
        n++;
    }
    qsort(gain, n, sizeof *gain, by_grade);

    /* A grade that gains itself is the default, and left out of the measure's name. */
    for (uint32_t i = 0; i < n; i++)
        if (gain[i].gain != gain[i].grade)
            gain[out->n_gains++] = gain[i];
    out->gain = gain;
    out->is_set = out->n_gains > 0;
    return ASSAY_OK;
}

static bool read_list(assay_slice rest, double *real, uint32_t *n)
{
    assay_slice part;

    while (assay_slice_part(&rest, ',', &part)) {
        if (!assay_slice_trim(part).len && !assay_slice_trim(rest).len)
            break;
        if (!assay_number_read(assay_slice_trim(part), &real[*n]))
            return false;
        ++*n;
    }
    return true;
}

static assay_status read_reals(const assay_spelling *s, const assay_setting *set,
                               const assay_metric_param *param, assay_value *out)
{
    assay_value standard = {0};
    assay_slice inside = {NULL, 0};
    double *real = open_list(s, set->value, '[', sizeof *real, &inside);
    assay_status st;

    if (!real && inside.ptr)
        return assay_fail_memory(s->err, "reading the name of a measure");
    if (!real || !read_list(inside, real, &out->n_reals))
        return assay_spelling_fail(s, set->value_pos,
                                   "'%s' is written [number, ...], not '%.*s'",
                                   param->name, ASSAY_QUOTE(set->value));
    st = assay_spelling_standard(s, param, &standard);
    if (st)
        return st;
    out->real = real;
    out->is_set =
        out->n_reals != standard.n_reals ||
        (out->n_reals && memcmp(real, standard.real, out->n_reals * sizeof *real) != 0);
    return ASSAY_OK;
}

static assay_status read_number(const assay_spelling *s, const assay_setting *set,
                                const assay_metric_param *param, assay_value *out)
{
    bool is_int = param->type == ASSAY_METRIC_PARAM_INT;
    bool can_lack = isnan(param->standard) && !param->is_required;

    if (can_lack &&
        (assay_slice_is(set->value, "none") || assay_slice_is(set->value, "None"))) {
        out->number = param->standard;
        return ASSAY_OK;
    }
    if (is_int ? !assay_spelling_is_whole(set->value, &out->number) ||
                     out->number > INT32_MAX
               : !assay_spelling_is_real(s, set->value, &out->number))
        return assay_spelling_fail(s, set->value_pos, "'%s' takes %s, not '%.*s'",
                                   param->name,
                                   is_int         ? "a whole number from 0"
                                   : s->is_strict ? "a number with a point"
                                                  : "a number",
                                   ASSAY_QUOTE(set->value));
    if (param->most > param->least &&
        (out->number < param->least || out->number > param->most))
        return assay_spelling_fail(s, set->value_pos, "'%s' is from %g to %g, not '%.*s'",
                                   param->name, param->least, param->most,
                                   ASSAY_QUOTE(set->value));
    out->is_set =
        param->is_required || isnan(param->standard) || out->number != param->standard;
    return ASSAY_OK;
}

assay_status assay_spelling_value(const assay_spelling *s, const assay_setting *set,
                                  const assay_metric_param *param, assay_value *out)
{
    assay_status st;
    bool is_true;

    *out = (assay_value){0};
    switch (param->type) {
    case ASSAY_METRIC_PARAM_INT:
    case ASSAY_METRIC_PARAM_REAL: return read_number(s, set, param, out);
    case ASSAY_METRIC_PARAM_CHOICE: return read_choice(s, set, param, out);
    case ASSAY_METRIC_PARAM_GAINS: return read_gains(s, set, out);
    case ASSAY_METRIC_PARAM_REALS: return read_reals(s, set, param, out);
    case ASSAY_METRIC_PARAM_BOOL: break;
    }
    st = assay_spelling_bool(s, set, &is_true);
    out->number = is_true;
    out->is_set = out->number != param->standard;
    return st;
}

assay_status assay_spelling_standard(const assay_spelling *s,
                                     const assay_metric_param *param, assay_value *out)
{
    assay_slice text = assay_slice_of(param->reals);
    double *real;
    size_t n = 1;

    *out = (assay_value){0};
    if (param->type != ASSAY_METRIC_PARAM_CHOICE)
        out->number = param->standard;
    if (param->type != ASSAY_METRIC_PARAM_REALS || !text.len)
        return ASSAY_OK;
    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == ',';
    real = ASSAY_ARENA_ARRAY(s->arena, double, n);
    if (!real)
        return assay_fail_memory(s->err, "reading the name of a measure");
    read_list(text, real, &out->n_reals);
    out->real = real;
    return ASSAY_OK;
}
