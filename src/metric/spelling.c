/* SPDX-License-Identifier: Apache-2.0 */
/* From a spelling to measures.  The text is taken apart (spelling_read.c), its name looked
 * up (spelling_names.c), its parameters held against the metric's, and the result spelled
 * in the canonical way (spelling_print.c).
 *
 * trec_eval's names are first rewritten: `P.5,10` becomes `precision@5` and
 * `precision@10`.  A message about them quotes both.
 */
#include "metric/spelling.h"

#include <assert.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"

/* Parameters that belong to the view of the ranking and not to one metric. */
typedef struct view_param {
    const char *name;
    unsigned takes;
} view_param;

static const view_param view_params[] = {
    {"level", ASSAY_TAKES_LEVEL},
    {"rel", ASSAY_TAKES_REL},
    {"judged_only", ASSAY_TAKES_JUDGED_ONLY},
};

/* What `@` is called where it is written as a parameter. */
static const char *at_name(const assay_metric *m)
{
    return m->at == ASSAY_AT_REAL ? "recall" : "cutoff";
}

static void list_params(const assay_metric *m, assay_buffer *b)
{
    for (size_t i = 0; i < ASSAY_COUNT(view_params); i++)
        if (m->takes & view_params[i].takes)
            assay_buffer_printf(b, "%s%s", b->len ? ", " : "", view_params[i].name);
    for (const assay_metric_param *p = m->param; p && p->name; p++)
        assay_buffer_printf(b, "%s%s", b->len ? ", " : "", p->name);
}

static assay_status fail_param(const assay_spelling *s, const assay_metric *m,
                               const assay_setting *set)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_slice names;
    assay_status st;

    list_params(m, &b);
    if (!b.len)
        assay_buffer_text(&b, "no parameters");
    names = assay_buffer_view(&b);
    st = assay_spelling_fail(s, set->name_pos, "'%s' takes no '%.*s'; it takes %.*s",
                             m->name, ASSAY_QUOTE(set->name), (int)names.len, names.ptr);
    assay_buffer_clear(&b);
    return st;
}

/* ---- one measure ---- */

static assay_status read_at(const assay_spelling *s, assay_slice text, size_t pos,
                            assay_measure *m)
{
    const assay_metric *metric = m->metric;

    if (metric->at == ASSAY_AT_NEVER)
        return assay_spelling_fail(s, pos, "'%s' takes no cutoff", metric->name);
    if (m->has_at)
        return assay_spelling_fail(s, pos, "the cutoff is given twice");
    m->has_at = true;
    if (metric->at == ASSAY_AT_REAL) {
        if (assay_spelling_is_real(s, text, &m->at) && m->at >= 0)
            return ASSAY_OK;
        return assay_spelling_fail(
            s, pos, "'%s' takes a number %sfrom 0 behind '@', not '%.*s'", metric->name,
            s->is_strict ? "with a point " : "", ASSAY_QUOTE(text));
    }
    if (assay_spelling_is_whole(text, &m->at) && m->at >= 1 && m->at < ASSAY_NO_CUTOFF)
        return ASSAY_OK;
    return assay_spelling_fail(s, pos, "a cutoff is a whole number from 1, not '%.*s'",
                               ASSAY_QUOTE(text));
}

static assay_status read_level(const assay_spelling *s, assay_slice word, size_t pos,
                               assay_measure *m)
{
    if (!(m->metric->takes & ASSAY_TAKES_LEVEL))
        return assay_spelling_fail(s, pos, "'%s' takes no level", m->metric->name);
    if (m->level != ASSAY_LEVEL_AUTO)
        return assay_spelling_fail(s, pos, "the level is given twice");
    return assay_spelling_level(s, word, pos, &m->level);
}

static assay_status read_view_param(const assay_spelling *s, const assay_setting *set,
                                    unsigned which, assay_measure *m)
{
    if (which == ASSAY_TAKES_LEVEL)
        return read_level(s, set->value, set->value_pos, m);
    if (which == ASSAY_TAKES_JUDGED_ONLY)
        return assay_spelling_bool(s, set, &m->judged_only);
    m->has_rel = true;
    return assay_spelling_int(s, set, &m->rel);
}

static assay_status read_setting(const assay_spelling *s, const assay_setting *set,
                                 assay_measure *m)
{
    const assay_metric_param *param = m->metric->param;

    for (int i = 0; param && param[i].name; i++)
        if (assay_slice_is(set->name, param[i].name))
            return assay_spelling_value(s, set, &param[i], &m->value[i]);
    for (size_t i = 0; i < ASSAY_COUNT(view_params); i++)
        if ((m->metric->takes & view_params[i].takes) &&
            assay_slice_is(set->name, view_params[i].name))
            return read_view_param(s, set, view_params[i].takes, m);
    if (m->metric->at != ASSAY_AT_NEVER && assay_slice_is(set->name, at_name(m->metric)))
        return read_at(s, set->value, set->value_pos, m);
    return fail_param(s, m->metric, set);
}

static bool is_given(const assay_written *w, const char *name)
{
    for (size_t i = 0; i < w->n_settings; i++)
        if (assay_slice_is(w->setting[i].name, name))
            return true;
    return false;
}

/* What is not given gets its default; what must be given and is not, is an error. */
static assay_status complete(const assay_spelling *s, const assay_written *w,
                             assay_measure *m)
{
    const assay_metric *metric = m->metric;
    const assay_metric_param *param = metric->param;
    const char *fault;

    for (int i = 0; param && param[i].name; i++) {
        assay_status st;

        assert(i < ASSAY_PARAMS_MOST);
        if (is_given(w, param[i].name))
            continue;
        if (param[i].is_required)
            return assay_spelling_fail(s, s->text.len,
                                       "'%s' needs '%s', as in '%s(%s=3)'", metric->name,
                                       param[i].name, metric->name, param[i].name);
        st = assay_spelling_standard(s, &param[i], &m->value[i]);
        if (st)
            return st;
    }
    fault = metric->check ? metric->check(m->value) : NULL;
    if (fault)
        return assay_spelling_fail(s, 0, "%s", fault);
    if (m->has_at || metric->at == ASSAY_AT_NEVER || metric->at == ASSAY_AT_OPTIONAL)
        return ASSAY_OK;
    return assay_spelling_fail(
        s, s->text.len, "'%s' needs %s, as in '%s@%s'", metric->name,
        metric->at == ASSAY_AT_REAL ? "a number behind '@'" : "a cutoff", metric->name,
        metric->at == ASSAY_AT_REAL ? "0.5" : "10");
}

/* A name of ir_measures' that one parameter turns into another metric: `NumRet(rel=2)`,
 * `SetP(relative=True)`.  A mere switch is no parameter of either and is dropped. */
static assay_status switch_metric(const assay_spelling *s,
                                  const assay_metric_alias *alias, assay_written *w,
                                  const assay_metric **metric)
{
    for (size_t i = 0; alias && alias->with && i < w->n_settings; i++) {
        bool is_on = true;
        assay_status st = ASSAY_OK;

        if (!assay_slice_is(w->setting[i].name, alias->with))
            continue;
        if (alias->off) {
            st = assay_spelling_bool(s, &w->setting[i], &is_on);
            w->setting[i] = w->setting[--w->n_settings];
        }
        *metric = assay_metric_find(assay_slice_of(is_on ? alias->on : alias->off));
        assert(*metric);
        return st;
    }
    return ASSAY_OK;
}

/* `ndcg_10` and the like: the metric whose name it is up to the number, or null. */
static const assay_metric *with_number(assay_slice name, size_t *n_digits)
{
    const assay_metric_alias *alias;
    const assay_metric *m;
    size_t n = name.len;

    while (n && name.ptr[n - 1] >= '0' && name.ptr[n - 1] <= '9')
        n--;
    *n_digits = name.len - n;
    if (!*n_digits || n < 2 || name.ptr[n - 1] != '_')
        return NULL;
    m = assay_spelling_find((assay_slice){name.ptr, n - 1}, &alias);
    return m && m->at != ASSAY_AT_NEVER ? m : NULL;
}

static assay_status fail_unknown(const assay_spelling *s, assay_slice name)
{
    assay_slice near = assay_spelling_nearest(name);
    size_t n_digits;
    const assay_metric *m = with_number(name, &n_digits);

    if (m)
        return assay_fail(s->err, ASSAY_EUSAGE,
                          "no metric called '%.*s'; did you mean '%s@%.*s'? "
                          "see 'assay metric list'",
                          ASSAY_QUOTE(name), m->name,
                          (int)(n_digits < 10 ? n_digits : 10),
                          name.ptr + name.len - n_digits);
    return assay_fail(s->err, ASSAY_EUSAGE,
                      "no metric called '%.*s'%s%.*s%s see 'assay metric list'",
                      ASSAY_QUOTE(name), near.len ? "; did you mean '" : ";",
                      ASSAY_QUOTE(near), near.len ? "'?" : "");
}

static assay_status read_measure(assay_spelling *s, assay_measure *m)
{
    const assay_metric_alias *alias;
    assay_written w;
    assay_status st = assay_spelling_split(s, &w);

    if (st)
        return st;
    *m = (assay_measure){.rel = 1};
    m->metric = assay_spelling_find(w.name, &alias);
    if (!m->metric)
        return fail_unknown(s, w.name);
    s->is_strict = !assay_slice_is(w.name, m->metric->name);
    st = switch_metric(s, alias, &w, &m->metric);
    for (size_t i = 0; !st && i < w.n_settings; i++)
        st = read_setting(s, &w.setting[i], m);
    if (!st && w.at.len)
        st = read_at(s, w.at, w.at_pos, m);
    if (!st && w.level_pos)
        st = read_level(s, w.level, w.level_pos, m);
    return st ? st : complete(s, &w, m);
}

static assay_status append(assay_measures *measures, const assay_measure *m,
                           assay_error *err)
{
    assay_measure *item =
        assay_mem_grow(measures->item, &measures->cap, measures->n + 1, sizeof *item);

    if (!item)
        return assay_fail_memory(err, "reading the name of a measure");
    measures->item = item;
    item[measures->n++] = *m;
    return ASSAY_OK;
}

/* `text` is written in full; `origin` is where it came from, or empty. */
static assay_status parse_one(assay_slice text, assay_slice origin,
                              assay_measures *measures, assay_arena *arena,
                              assay_error *err)
{
    assay_spelling s = {.text = text, .origin = origin, .arena = arena, .err = err};
    assay_measure m;
    assay_status st = read_measure(&s, &m);

    if (!st)
        st = assay_spelling_print(&m, arena, err);
    return st ? st : append(measures, &m, err);
}

/* ---- trec_eval's names ---- */

static bool starts_with_digit(assay_slice s)
{
    return s.len && s.ptr[0] >= '0' && s.ptr[0] <= '9';
}

/* `p=0.8,1=3.5,2=9` as (p=0.8,gains={1:3.5,2:9}). */
static void rewrite_pairs(const assay_trec_measure *t, assay_slice params,
                          assay_buffer *b)
{
    assay_slice rest = params;
    bool has_gains = false;
    assay_slice part, key;

    assay_buffer_printf(b, "%s(", t->metric->name);
    while (assay_slice_part(&rest, ',', &part))
        if (!starts_with_digit(part))
            assay_buffer_printf(b, "%.*s,", (int)part.len, part.ptr);
    for (rest = params; assay_slice_part(&rest, ',', &part);) {
        if (!starts_with_digit(part))
            continue;
        assay_buffer_text(b, has_gains ? "," : "gains={");
        has_gains = true;
        (void)assay_slice_part(&part, '=', &key);
        assay_buffer_printf(b, "%.*s:%.*s", (int)key.len, key.ptr, (int)part.len,
                            part.len ? part.ptr : "");
    }
    assay_buffer_text(b, has_gains ? "})" : ")");
}

/* All in one measure, where the metric's parameter is a list. */
static void rewrite_list(const assay_trec_measure *t, assay_slice params, assay_buffer *b)
{
    assay_buffer_printf(b, "%s(%s=[%.*s])", t->metric->name, t->metric->param->name,
                        (int)params.len, params.ptr);
}

static void rewrite_one(const assay_trec_measure *t, assay_slice param, assay_buffer *b)
{
    if (t->params == ASSAY_TREC_NUMBERS)
        assay_buffer_printf(b, "%s(%s=%.*s)", t->metric->name, t->metric->param->name,
                            (int)param.len, param.ptr);
    else
        assay_buffer_printf(b, "%s@%.*s", t->metric->name, (int)param.len, param.ptr);
}

static assay_status parse_rewritten(assay_buffer *b, assay_slice origin,
                                    assay_measures *measures, assay_arena *arena,
                                    assay_error *err)
{
    assay_status st;

    if (b->has_failed)
        return assay_fail_memory(err, "reading the name of a measure");
    st = parse_one(assay_buffer_view(b), origin, measures, arena, err);
    b->len = 0;
    return st;
}

/* Write the next measure of `params` into `b`, and go on behind it. */
static void rewrite_next(const assay_trec_measure *t, assay_slice *params,
                         assay_buffer *b)
{
    bool is_list = t->params == ASSAY_TREC_NUMBERS &&
                   t->metric->param->type == ASSAY_METRIC_PARAM_REALS;
    assay_slice part;

    if (t->params == ASSAY_TREC_PAIRS) {
        rewrite_pairs(t, *params, b);
        *params = (assay_slice){NULL, 0};
    } else if (is_list) {
        rewrite_list(t, *params, b);
        *params = (assay_slice){NULL, 0};
    } else if (assay_slice_part(params, ',', &part)) {
        rewrite_one(t, part, b);
    }
}

static assay_status parse_trec(const assay_trec_measure *t, assay_slice params,
                               assay_slice origin, assay_measures *measures,
                               assay_arena *arena, assay_error *err)
{
    bool is_each = t->params == ASSAY_TREC_CUTOFFS || t->params == ASSAY_TREC_POINTS;
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;

    if (!params.len && is_each)
        params = assay_slice_of(t->standard);
    if (!params.len) {
        assay_buffer_text(&b, t->metric->name);
        st = parse_rewritten(&b, origin, measures, arena, err);
    }
    while (!st && params.len) {
        rewrite_next(t, &params, &b);
        st = parse_rewritten(&b, origin, measures, arena, err);
    }
    assay_buffer_clear(&b);
    return st;
}

static assay_status parse_nickname(unsigned nickname, assay_measures *measures,
                                   assay_arena *arena, assay_error *err)
{
    const assay_slice none = {NULL, 0};
    const assay_trec_measure *t;
    assay_status st = ASSAY_OK;

    /* runid and relstring are no numbers. */
    for (size_t i = 0; !st && (t = assay_trec_measure_at(i)) != NULL; i++)
        if (t->metric && (t->nicknames & nickname))
            st = parse_trec(t, none, assay_slice_of(t->name), measures, arena, err);
    return st;
}

/* ---- entry ---- */

static bool has_any(assay_slice s, const char *chars)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] && strchr(chars, s.ptr[i]))
            return true;
    return false;
}

/* One spelling that is no nickname. */
static assay_status parse_named(assay_slice text, assay_measures *measures,
                                assay_arena *arena, assay_error *err)
{
    const assay_trec_measure *trec = NULL;
    assay_slice params;

    if (!has_any(text, "(@"))
        trec = assay_spelling_trec(text, &params);
    if (trec)
        return parse_trec(trec, params, text, measures, arena, err);
    return parse_one(text, (assay_slice){NULL, 0}, measures, arena, err);
}

assay_status assay_measure_parse(assay_slice spelling, assay_measures *measures,
                                 assay_arena *arena, assay_error *err)
{
    assay_slice text = assay_slice_trim(spelling);
    unsigned nickname = assay_trec_nickname(text);
    size_t n = measures->n;
    assay_status st = nickname ? parse_nickname(nickname, measures, arena, err)
                               : parse_named(text, measures, arena, err);

    if (st)
        measures->n = n;
    return st;
}

/* Whether what follows a comma is a further parameter of trec_eval's, as in `P.5,10`. */
static bool goes_on(assay_slice rest)
{
    size_t i = 0;

    while (i < rest.len && rest.ptr[i] && strchr("0123456789.=+-", rest.ptr[i]))
        i++;
    return i > 0 &&
           (i == rest.len || has_any((assay_slice){rest.ptr + i, 1}, ", \t\r\n\f\v"));
}

/* The length of the first item of `list`, which is not empty. */
static size_t item_length(assay_slice list)
{
    static const char opening[] = "({['\"";
    static const char closing[] = ")}]'\"";
    char until[16]; /* closing brackets that are awaited, the next one last */
    size_t depth = 0;
    size_t i = 0;

    for (; i < list.len; i++) {
        char c = list.ptr[i];
        const char *open = c ? strchr(opening, c) : NULL;

        if (depth && c == until[depth - 1])
            depth--;
        else if (depth && (until[depth - 1] == '\'' || until[depth - 1] == '"'))
            continue;
        else if (open && depth < sizeof until)
            until[depth++] = closing[open - opening];
        else if (!depth && has_any((assay_slice){&c, 1}, " \t\r\n\f\v"))
            break;
        else if (!depth && c == ',' &&
                 !goes_on((assay_slice){list.ptr + i + 1, list.len - i - 1}))
            break;
    }
    return i;
}

assay_status assay_measure_parse_list(assay_slice list, assay_measures *measures,
                                      assay_arena *arena, assay_error *err)
{
    size_t n = measures->n;

    while (list.len) {
        size_t len = item_length(list);
        assay_status st = ASSAY_OK;

        if (len)
            st = assay_measure_parse((assay_slice){list.ptr, len}, measures, arena, err);
        if (st) {
            measures->n = n;
            return st;
        }
        len += len < list.len;
        list.ptr += len;
        list.len -= len;
    }
    if (measures->n == n)
        return assay_fail(err, ASSAY_EUSAGE,
                          "no metric is named; see 'assay metric list'");
    return ASSAY_OK;
}
