/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/gate_rules.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/slice.h"
#include "compare/gate_rules_own.h"
#include "metric/metric.h"

/* Kinds with their names on the command line and in assay.yaml. */
static const struct {
    const char *word;
    const char *option;
    const char *key;
    const char *example;
} kinds[ASSAY_N_GATE_KINDS] = {
    [ASSAY_GATE_THRESHOLD] = {"threshold", "--threshold", "thresholds", "recall@5>=0.6"},
    [ASSAY_GATE_MAX_DROP] = {"max_drop", "--max-drop", "max_drop", "mrr=0.01 or mrr=5%"},
    [ASSAY_GATE_PROTECT] = {"protect", "--protect", "protect", "q1,q2 or all"},
    [ASSAY_GATE_MARGIN_RULE] = {"margin", "--margin", "margin", "ndcg@10=0.01"},
};

const char *assay_gate_kind_word(assay_gate_kind kind)
{
    return kinds[kind].word;
}

const char *assay_gate_rule_key(assay_gate_kind kind)
{
    return kinds[kind].key;
}

const char *assay_gate_rule_example(assay_gate_kind kind)
{
    return kinds[kind].example;
}

/* ---- failing ---- */

assay_status assay_gate_rule_fail(assay_gate_place place, assay_gate_kind kind,
                                  assay_error *err, const char *format, ...)
{
    char text[400];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (place.path)
        return assay_fail_at(err, place.path, place.line, "%s: %s", kinds[kind].key,
                             text);
    return assay_fail(err, ASSAY_EUSAGE, "%s: %s", kinds[kind].option, text);
}

/* ---- reading ---- */

/* Whether less is better, and the short spelling. */
typedef struct measured {
    const char *name;
    bool is_lower_better;
} measured;

static assay_status read_metric(assay_gate_rules *rules, assay_gate_kind kind,
                                assay_slice text, assay_gate_place place, measured *out,
                                assay_error *err)
{
    const assay_slice spelling = assay_slice_trim(text);
    assay_measures list = {0};
    assay_error why;
    assay_status st = assay_measure_parse(spelling, &list, rules->arena, &why);

    if (st == ASSAY_ENOMEM)
        st = assay_fail_memory(err, "reading the rules of a gate");
    else if (st)
        st = assay_gate_rule_fail(place, kind, err, "%s", why.text);
    else if (list.n != 1)
        st = assay_gate_rule_fail(place, kind, err,
                                  "'%.*s' is more than one metric; want a rule for each",
                                  ASSAY_QUOTE(spelling));
    else
        *out = (measured){list.item[0].name, list.item[0].metric->is_lower_better};
    assay_measures_clear(&list);
    return st;
}

static bool read_number(assay_slice text, double *out)
{
    const assay_slice s = assay_slice_trim(text);

    return s.len &&
           assay_number_scan(s.ptr, s.ptr + s.len, false, out) == s.ptr + s.len &&
           isfinite(*out);
}

/* The signs, the longer ones first. */
static const struct {
    const char *text;
    assay_limit_sign sign;
} signs[] = {
    {">=", ASSAY_LIMIT_AT_LEAST},
    {"<=", ASSAY_LIMIT_AT_MOST},
    {">", ASSAY_LIMIT_MORE},
    {"<", ASSAY_LIMIT_LESS},
};

/* Take a sign from the front of *text; false when there is none. */
static bool take_sign(assay_slice *text, assay_limit_sign *out)
{
    const assay_slice s = assay_slice_trim(*text);

    for (size_t i = 0; i < ASSAY_COUNT(signs); i++) {
        if (!assay_slice_starts(s, signs[i].text))
            continue;
        *out = signs[i].sign;
        *text =
            (assay_slice){s.ptr + strlen(signs[i].text), s.len - strlen(signs[i].text)};
        return true;
    }
    return false;
}

/* ---- keeping ---- */

static const char *text_of(assay_gate_rules *rules, const assay_gate_rule *rule)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    const char *text;

    switch (rule->kind) {
    case ASSAY_GATE_THRESHOLD:
        assay_buffer_printf(&b, "%s %s ", rule->metric,
                            assay_limit_sign_text(rule->sign));
        assay_buffer_double(&b, rule->limit);
        break;
    case ASSAY_GATE_MAX_DROP:
        assay_buffer_printf(&b, "%s drop <= ", rule->metric);
        /* 100 times a share is not always what was written: 7 % comes back as 7.000...1. */
        if (rule->allowance.is_share)
            assay_buffer_printf(&b, "%.12g%%", rule->allowance.value * 100);
        else
            assay_buffer_double(&b, rule->allowance.value);
        break;
    case ASSAY_GATE_PROTECT:
        assay_buffer_text(&b, "protect ");
        if (rule->is_all)
            assay_buffer_text(&b, "all");
        else
            assay_buffer_printf(&b, "%u %s", rule->n_ids,
                                rule->n_ids == 1 ? "query" : "queries");
        break;
    case ASSAY_GATE_MARGIN_RULE:
        assay_buffer_printf(&b, "%s margin ", rule->metric);
        assay_buffer_double(&b, rule->limit);
        break;
    }
    text = b.has_failed ? NULL : assay_arena_string(rules->arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    return text;
}

/* One rule of a kind for a metric (and, of thresholds, a side): the last one said. */
static bool is_same(const assay_gate_rule *a, const assay_gate_rule *b)
{
    if (a->kind != b->kind || strcmp(a->metric, b->metric) != 0)
        return false;
    return a->kind != ASSAY_GATE_THRESHOLD || a->sign == b->sign;
}

static assay_status keep(assay_gate_rules *rules, assay_gate_rule rule,
                         assay_gate_place place, assay_error *err)
{
    assay_gate_rule *grown;

    rule.path = place.path;
    rule.line = place.line;
    rule.text = text_of(rules, &rule);
    if (!rule.text)
        return assay_fail_memory(err, "keeping the rules of a gate");
    for (uint32_t i = 0; i < rules->n; i++) {
        if (is_same(&rules->rule[i], &rule)) {
            rules->rule[i] = rule;
            return ASSAY_OK;
        }
    }
    grown = assay_mem_grow(rules->rule, &rules->cap, rules->n + 1u, sizeof *grown);
    if (!grown)
        return assay_fail_memory(err, "keeping the rules of a gate");
    rules->rule = grown;
    rules->rule[rules->n++] = rule;
    return ASSAY_OK;
}

/* ---- one rule ---- */

/* `limit` may begin with a sign; without one, better is on the safe side. */
assay_status assay_gate_add_threshold(assay_gate_rules *rules, assay_slice metric,
                                      assay_slice limit, assay_gate_place place,
                                      assay_error *err)
{
    assay_gate_rule rule = {.kind = ASSAY_GATE_THRESHOLD};
    const assay_slice written = assay_slice_trim(limit);
    measured m;
    bool has_sign = take_sign(&limit, &rule.sign);
    assay_status st;

    st = read_metric(rules, rule.kind, metric, place, &m, err);
    if (st)
        return st;
    if (!read_number(limit, &rule.limit))
        return assay_gate_rule_fail(place, rule.kind, err,
                                    "'%.*s' is no limit; want a number, as in '%s'",
                                    ASSAY_QUOTE(written), kinds[rule.kind].example);
    if (!has_sign)
        rule.sign = m.is_lower_better ? ASSAY_LIMIT_AT_MOST : ASSAY_LIMIT_AT_LEAST;
    rule.metric = m.name;
    return keep(rules, rule, place, err);
}

assay_status assay_gate_add_drop(assay_gate_rules *rules, assay_slice metric,
                                 assay_slice allowance, assay_gate_place place,
                                 assay_error *err)
{
    assay_gate_rule rule = {.kind = ASSAY_GATE_MAX_DROP};
    measured m;
    assay_status st = read_metric(rules, rule.kind, metric, place, &m, err);

    if (st)
        return st;
    if (!assay_allowance_parse(allowance, &rule.allowance))
        return assay_gate_rule_fail(
            place, rule.kind, err,
            "'%.*s' is no drop; want 0 or more, or a share, as in '%s'",
            ASSAY_QUOTE(allowance), kinds[rule.kind].example);
    rule.metric = m.name;
    return keep(rules, rule, place, err);
}

assay_status assay_gate_add_margin(assay_gate_rules *rules, assay_slice metric,
                                   assay_slice margin, assay_gate_place place,
                                   assay_error *err)
{
    assay_gate_rule rule = {.kind = ASSAY_GATE_MARGIN_RULE, .limit = ASSAY_GATE_MARGIN};
    measured m;
    assay_status st = read_metric(rules, rule.kind, metric, place, &m, err);

    if (st)
        return st;
    if (margin.len && (!read_number(margin, &rule.limit) || rule.limit < 0))
        return assay_gate_rule_fail(place, rule.kind, err,
                                    "'%.*s' is no margin; want 0 or more, as in '%s'",
                                    ASSAY_QUOTE(margin), kinds[rule.kind].example);
    rule.metric = m.name;
    return keep(rules, rule, place, err);
}

static int by_bytes(const void *a, const void *b)
{
    return assay_slice_cmp(*(const assay_slice *)a, *(const assay_slice *)b);
}

/* Ids in byte order, each once. */
assay_status assay_gate_add_protected(assay_gate_rules *rules, assay_slice *id,
                                      uint32_t n, assay_gate_place place,
                                      assay_error *err)
{
    assay_gate_rule rule = {.kind = ASSAY_GATE_PROTECT, .metric = "", .id = id};

    if (!n)
        return assay_gate_rule_fail(place, rule.kind, err,
                                    "no queries; want ids or 'all'");
    rule.is_all = n == 1 && assay_slice_is(id[0], "all");
    qsort(id, n, sizeof *id, by_bytes);
    for (uint32_t i = 0; i < n && !rule.is_all; i++)
        if (!rule.n_ids || !assay_slice_eq(id[rule.n_ids - 1], id[i]))
            id[rule.n_ids++] = id[i];
    return keep(rules, rule, place, err);
}

static assay_status add_protected_list(assay_gate_rules *rules, assay_slice text,
                                       assay_gate_place place, assay_error *err)
{
    assay_slice *id = ASSAY_ARENA_ARRAY(rules->arena, assay_slice, text.len + 1);
    assay_slice part;
    uint32_t n = 0;

    if (!id)
        return assay_fail_memory(err, "keeping the rules of a gate");
    while (assay_slice_part(&text, ',', &part)) {
        part = assay_slice_trim(part);
        if (!part.len)
            continue;
        id[n] = assay_arena_copy(rules->arena, part);
        if (!id[n++].ptr)
            return assay_fail_memory(err, "keeping the rules of a gate");
    }
    return assay_gate_add_protected(rules, id, n, place, err);
}

/* ---- texts ---- */

/* Cut *rest at the next comma that stands outside brackets. */
static bool next_rule(assay_slice *rest, assay_slice *part)
{
    int depth = 0;
    size_t i = 0;

    if (!rest->len)
        return false;
    for (; i < rest->len && (rest->ptr[i] != ',' || depth > 0); i++)
        depth += (rest->ptr[i] == '(') - (rest->ptr[i] == ')');
    *part = assay_slice_trim((assay_slice){rest->ptr, i});
    i += i < rest->len;
    *rest = (assay_slice){rest->ptr + i, rest->len - i};
    return true;
}

/* Where the metric ends: at the first of `ends` outside brackets, or at the end. */
static size_t metric_end(assay_slice text, const char *ends)
{
    int depth = 0;
    size_t i = 0;

    for (; i < text.len; i++) {
        depth += (text.ptr[i] == '(') - (text.ptr[i] == ')');
        if (depth <= 0 && strchr(ends, text.ptr[i]))
            break;
    }
    return i;
}

static assay_status add_one(assay_gate_rules *rules, assay_gate_kind kind,
                            assay_slice text, assay_gate_place place, assay_error *err)
{
    const bool is_threshold = kind == ASSAY_GATE_THRESHOLD;
    const size_t end = metric_end(text, is_threshold ? "<>" : "=");
    const assay_slice metric = {text.ptr, end};
    assay_slice rest = {text.ptr + end, text.len - end};

    if (!rest.len && kind != ASSAY_GATE_MARGIN_RULE)
        return assay_gate_rule_fail(place, kind, err, "'%.*s' has no limit; want %s",
                                    ASSAY_QUOTE(text), kinds[kind].example);
    if (is_threshold)
        return assay_gate_add_threshold(rules, metric, rest, place, err);
    if (rest.len)
        rest = assay_slice_trim((assay_slice){rest.ptr + 1, rest.len - 1});
    if (kind == ASSAY_GATE_MAX_DROP)
        return assay_gate_add_drop(rules, metric, rest, place, err);
    return assay_gate_add_margin(rules, metric, rest, place, err);
}

assay_status assay_gate_rules_add(assay_gate_rules *rules, assay_gate_kind kind,
                                  assay_slice text, assay_gate_place place,
                                  assay_error *err)
{
    assay_status st = ASSAY_OK;
    assay_slice part;
    bool is_empty = true;

    if (kind == ASSAY_GATE_PROTECT)
        return add_protected_list(rules, text, place, err);
    while (!st && next_rule(&text, &part)) {
        if (!part.len)
            continue;
        is_empty = false;
        st = add_one(rules, kind, part, place, err);
    }
    if (!st && is_empty)
        st = assay_gate_rule_fail(place, kind, err, "no rule; want %s",
                                  kinds[kind].example);
    return st;
}

/* ---- golden sets ---- */

assay_status assay_gate_rules_golden(assay_gate_rules *rules, const assay_golden *golden,
                                     assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < golden->n_thresholds && !st; i++) {
        const assay_threshold *t = &golden->threshold[i];
        char number[ASSAY_NUMBER_TEXT];
        const size_t len = assay_number_print(t->value, number);

        st = assay_gate_add_threshold(
            rules, t->metric, (assay_slice){number, len},
            (assay_gate_place){golden->path ? golden->path : "golden set", t->line}, err);
    }
    return st;
}

bool assay_gate_rules_need_baseline(const assay_gate_rules *rules)
{
    for (uint32_t i = 0; i < rules->n; i++)
        if (rules->rule[i].kind != ASSAY_GATE_THRESHOLD)
            return true;
    return false;
}

void assay_gate_rules_clear(assay_gate_rules *rules)
{
    assay_mem_free(rules->rule);
    rules->rule = NULL;
    rules->n = 0;
    rules->cap = 0;
}
