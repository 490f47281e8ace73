/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/levers.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/params.h"
#include "base/slice.h"
#include "retrieve/retrieve.h"

/* Levers that are no parameters of the method. */
static const char *const whole[] = {"chunker", "embedder", "tokenizer", "method"};

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "reading the levers");
}

/* ---- values ---- */

typedef struct values {
    assay_slice *item;
    size_t n;
    size_t cap;
    assay_arena *arena;
} values;

static bool add_value(values *v, assay_slice text)
{
    assay_slice *grown = assay_mem_grow(v->item, &v->cap, v->n + 1, sizeof *grown);

    if (!grown)
        return false;
    v->item = grown;
    v->item[v->n] = assay_arena_copy(v->arena, text);
    return v->item[v->n++].ptr != NULL;
}

/* The first "a|b" inside brackets: where it begins and ends. */
static bool find_choice(assay_slice text, size_t *begin, size_t *end)
{
    size_t depth = 0;
    size_t start = 0;
    bool has_bar = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        depth += c == '(';
        if (depth && c == '=')
            start = i + 1;
        has_bar |= depth && c == '|';
        if (depth && has_bar && (c == ',' || c == ')')) {
            *begin = start;
            *end = i;
            return true;
        }
        depth -= depth && c == ')';
    }
    return false;
}

/* Write out the choices, the first one slowest. */
static bool expand(values *v, assay_slice text)
{
    size_t begin;
    size_t end;
    assay_slice rest;
    assay_slice part;
    bool is_good = true;

    if (!find_choice(text, &begin, &end))
        return add_value(v, text);
    rest = (assay_slice){text.ptr + begin, end - begin};
    while (is_good && assay_slice_part(&rest, '|', &part)) {
        assay_buffer b = ASSAY_BUFFER_EMPTY;

        assay_buffer_add(&b, text.ptr, begin);
        assay_buffer_slice(&b, assay_slice_trim(part));
        assay_buffer_add(&b, text.ptr + end, text.len - end);
        is_good = !b.has_failed && expand(v, assay_buffer_view(&b));
        assay_buffer_clear(&b);
    }
    return is_good;
}

/* "a..b/n": n numbers from a to b; false where it is no such thing. */
static bool read_range(assay_slice text, double *from, double *to, uint32_t *n)
{
    char copy[100];
    char *dots;
    char *slash;

    if (text.len >= sizeof copy)
        return false;
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    dots = strstr(copy, "..");
    slash = strchr(copy, '/');
    if (!dots || !slash || slash < dots)
        return false;
    *dots = *slash = '\0';
    return assay_number_read(assay_slice_of(copy), from) &&
           assay_number_read(assay_slice_of(dots + 2), to) &&
           assay_slice_to_u32(assay_slice_of(slash + 1), n) && *n >= 2 &&
           *n <= ASSAY_SWEEP_MOST;
}

static bool add_range(values *v, double from, double to, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        char text[40];
        assay_buffer b = ASSAY_BUFFER_EMPTY;
        bool is_good;

        /* Twelve digits: what people mean by 0.1..0.9/5 is 0.3, not 0.30000000000000004. */
        assay_buffer_printf(&b, "%.12g", from + (to - from) * i / (n - 1));
        memcpy(text, b.ptr ? b.ptr : "", b.len);
        is_good = !b.has_failed && add_value(v, (assay_slice){text, b.len});
        assay_buffer_clear(&b);
        if (!is_good)
            return false;
    }
    return true;
}

static bool add_values(values *v, assay_slice list)
{
    size_t depth = 0;
    size_t begin = 0;

    for (size_t i = 0; i <= list.len; i++) {
        char c = i < list.len ? list.ptr[i] : ',';
        assay_slice text;
        double from;
        double to;
        uint32_t n;

        depth += c == '(';
        depth -= depth && c == ')';
        if (c != ',' || (depth && i < list.len))
            continue;
        text = assay_slice_trim((assay_slice){list.ptr + begin, i - begin});
        begin = i + 1;
        if (read_range(text, &from, &to, &n) ? !add_range(v, from, to, n)
                                             : text.len && !expand(v, text))
            return false;
    }
    return true;
}

/* ---- levers ---- */

static assay_status check(const assay_levers *levers, const assay_lever *lever,
                          assay_error *err)
{
    for (uint32_t i = 0; i < levers->n; i++)
        if (assay_slice_eq(levers->lever[i].name, lever->name))
            return assay_fail(err, ASSAY_EUSAGE, "lever '%.*s' is given twice",
                              ASSAY_QUOTE(lever->name));
    for (uint32_t i = 0; i < lever->n; i++)
        for (uint32_t k = 0; k < i; k++)
            if (assay_slice_eq(lever->value[i], lever->value[k]))
                return assay_fail(err, ASSAY_EUSAGE,
                                  "lever '%.*s' has the value '%.*s' twice",
                                  ASSAY_QUOTE(lever->name), ASSAY_QUOTE(lever->value[i]));
    if (!lever->n)
        return assay_fail(err, ASSAY_EUSAGE, "lever '%.*s' has no values",
                          ASSAY_QUOTE(lever->name));
    if ((uint64_t)levers->n_settings * lever->n > ASSAY_SWEEP_MOST)
        return assay_fail(err, ASSAY_EUSAGE, "more than %d settings", ASSAY_SWEEP_MOST);
    return ASSAY_OK;
}

assay_status assay_levers_add(assay_levers *levers, assay_slice text, assay_arena *arena,
                              assay_error *err)
{
    const char *equals = memchr(text.ptr, '=', text.len);
    assay_slice name = {text.ptr, equals ? (size_t)(equals - text.ptr) : 0};
    assay_lever lever = {.name = assay_slice_trim(name)};
    values v = {.arena = arena};
    bool is_good;
    assay_status st = ASSAY_OK;

    if (!levers->n)
        levers->n_settings = 1;
    if (!lever.name.len)
        return assay_fail(err, ASSAY_EUSAGE, "--vary wants LEVER=VALUE,..., not '%.*s'",
                          ASSAY_QUOTE(text));
    if (levers->n == ASSAY_LEVERS_MOST)
        return assay_fail(err, ASSAY_EUSAGE, "more than %d levers", ASSAY_LEVERS_MOST);
    is_good = add_values(
        &v, (assay_slice){equals + 1, text.len - (size_t)(equals + 1 - text.ptr)});
    lever.value = ASSAY_ARENA_ARRAY(arena, assay_slice, v.n + 1);
    if (!is_good || !lever.value)
        st = no_memory(err);
    for (size_t i = 0; !st && i < v.n; i++)
        lever.value[lever.n++] = v.item[i];
    assay_mem_free(v.item);
    if (!st)
        st = check(levers, &lever, err);
    if (st)
        return st;
    levers->n_settings *= lever.n;
    levers->lever[levers->n++] = lever;
    return ASSAY_OK;
}

/* ---- settings ---- */

uint32_t assay_setting_value(const assay_levers *levers, uint32_t setting, uint32_t lever)
{
    for (uint32_t i = levers->n; i-- > lever + 1;)
        setting /= levers->lever[i].n;
    return setting % levers->lever[lever].n;
}

void assay_setting_print(const assay_levers *levers, uint32_t setting, assay_buffer *out)
{
    for (uint32_t i = 0; i < levers->n; i++) {
        const assay_lever *l = &levers->lever[i];

        assay_buffer_text(out, i ? " " : "");
        assay_buffer_slice(out, l->name);
        assay_buffer_char(out, '=');
        assay_buffer_slice(out, l->value[assay_setting_value(levers, setting, i)]);
    }
}

assay_slice assay_setting_of(const assay_levers *levers, uint32_t setting,
                             const char *name)
{
    for (uint32_t i = 0; i < levers->n; i++)
        if (assay_slice_is(levers->lever[i].name, name))
            return levers->lever[i].value[assay_setting_value(levers, setting, i)];
    return ASSAY_LIT("");
}

/* ---- the method ---- */

static bool is_whole(assay_slice name)
{
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (assay_slice_is(name, whole[i]))
            return true;
    return false;
}

static bool has_param(const assay_retriever *r, assay_slice name)
{
    for (const assay_param *p = r->param; p && p->name; p++)
        if (assay_slice_is(name, p->name))
            return true;
    return false;
}

/* What a lever is called among the method's own parameters: legs keep their prefix. */
static bool param_of(const assay_retriever *r, assay_slice lever, assay_slice *out)
{
    const char *dot = memchr(lever.ptr, '.', lever.len);
    assay_slice head = {lever.ptr, dot ? (size_t)(dot - lever.ptr) : 0};
    assay_slice tail = dot ? (assay_slice){dot + 1, lever.len - head.len - 1} : lever;

    *out = tail;
    if (!head.len || assay_slice_is(head, r->name) || assay_slice_is(head, "rrf"))
        return has_param(r, tail);
    *out = lever;
    if (!has_param(r, ASSAY_LIT("legs")) && !has_param(r, ASSAY_LIT("of")))
        return false;
    /* Legs may have legs: hybrid.bm25.k1 under rerank. */
    while (head.len && (r = assay_retriever_find(head)) != NULL) {
        if (has_param(r, tail))
            return true;
        dot = memchr(tail.ptr, '.', tail.len);
        head = (assay_slice){tail.ptr, dot ? (size_t)(dot - tail.ptr) : 0};
        if (dot)
            tail = (assay_slice){dot + 1, tail.len - head.len - 1};
    }
    return false;
}

static assay_status fail_lever(const assay_retriever *r, assay_slice lever,
                               assay_error *err)
{
    char list[300] = "";
    size_t used = 0;

    for (const assay_param *p = r->param; p && p->name; p++) {
        size_t len = strlen(p->name);

        if (used + len + 3 > sizeof list)
            break;
        memcpy(list + used, used ? ", " : "", used ? 2 : 0);
        used += used ? 2 : 0;
        memcpy(list + used, p->name, len);
        used += len;
    }
    return assay_fail(err, ASSAY_EUSAGE,
                      "no lever '%.*s'; there are chunker, embedder, tokenizer, method, "
                      "of '%s' %s, and of its legs LEG.PARAM",
                      ASSAY_QUOTE(lever), r->name, list);
}

/* What stood in the brackets before, but for the parameter that a lever sets. */
static void keep_params(assay_slice params, assay_slice lever, assay_buffer *out)
{
    assay_slice rest = params;
    assay_slice part;

    while (assay_slice_part(&rest, ',', &part)) {
        assay_slice whole_part = part;
        assay_slice name;

        if (assay_slice_part(&part, '=', &name) &&
            assay_slice_eq(assay_slice_trim(name), lever))
            continue;
        assay_buffer_text(out, out->len ? "," : "");
        assay_buffer_slice(out, whole_part);
    }
}

static assay_status put_levers(const assay_levers *levers, uint32_t setting,
                               const assay_retriever *r, assay_buffer *params,
                               assay_error *err)
{
    for (uint32_t i = 0; i < levers->n; i++) {
        const assay_lever *l = &levers->lever[i];
        assay_buffer kept = ASSAY_BUFFER_EMPTY;
        assay_slice name;

        if (is_whole(l->name))
            continue;
        if (!param_of(r, l->name, &name))
            return fail_lever(r, l->name, err);
        keep_params(assay_buffer_view(params), name, &kept);
        assay_buffer_text(&kept, kept.len ? "," : "");
        assay_buffer_slice(&kept, name);
        assay_buffer_char(&kept, '=');
        assay_buffer_slice(&kept, l->value[assay_setting_value(levers, setting, i)]);
        assay_buffer_clear(params);
        *params = kept;
    }
    return params->has_failed ? no_memory(err) : ASSAY_OK;
}

assay_status assay_setting_method(const assay_levers *levers, uint32_t setting,
                                  assay_slice method, assay_arena *arena,
                                  assay_slice *out, assay_error *err)
{
    assay_slice lever = assay_setting_of(levers, setting, "method");
    assay_buffer params = ASSAY_BUFFER_EMPTY;
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    const assay_retriever *r;
    assay_slice name;
    assay_slice argument;
    assay_slice given;
    assay_status st =
        assay_params_split(lever.len ? lever : method, &name, &argument, &given, err);

    if (st)
        return st;
    r = assay_retriever_find(name);
    if (!r)
        return assay_fail(err, ASSAY_EUSAGE,
                          "no method '%.*s'; see 'assay retriever list'",
                          ASSAY_QUOTE(name));
    assay_buffer_slice(&params, given);
    st = put_levers(levers, setting, r, &params, err);
    assay_buffer_text(&b, r->name);
    if (params.len) {
        assay_buffer_char(&b, '(');
        assay_buffer_slice(&b, assay_buffer_view(&params));
        assay_buffer_char(&b, ')');
    }
    *out = assay_arena_copy(arena, assay_buffer_view(&b));
    if (!st && (b.has_failed || params.has_failed || !out->ptr))
        st = no_memory(err);
    assay_buffer_clear(&params);
    assay_buffer_clear(&b);
    return st;
}
