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
    for (const assay_param *p = m->param; p && p->name; p++)
        assay_buffer_printf(b, "%s%s", b->len ? ", " : "", p->name);
}

static assay_status fail_param(const assay_spelling *s, const assay_metric *m,
                               const assay_setting *set)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_slice names;
    assay_status st;

    list_params(m, &b);
    names = assay_buffer_view(&b);
    st = assay_spelling_fail(s, set->name_pos, "'%s' takes no '%.*s'; it takes %.*s",
                             m->name, ASSAY_QUOTE(set->name),
                             (int)(names.len ? names.len : 10),
                             names.len ? names.ptr : "no parameters");
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
    const assay_param *param = m->metric->param;

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
    const assay_param *param = metric->param;
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
 * `SetP(relative=True)`.  Such a switch is itself no parameter of either and is dropped. */
static assay_status switch_metric(const assay_spelling *s,
                                  const assay_metric_alias *alias, assay_written *w,
                                  const assay_metric **metric)
{
    for (size_t i = 0; alias && alias->with && i < w->n_settings; i++) {
        const assay_metric *other = assay_metric_find(assay_slice_of(alias->instead));
        bool is_on = true;
        assay_status st = ASSAY_OK;

        if (!other || !assay_slice_is(w->setting[i].name, alias->with))
            continue;
        if (!assay_slice_is(w->setting[i].name, "rel")) {
            st = assay_spelling_bool(s, &w->setting[i], &is_on);
            w->setting[i] = w->setting[--w->n_settings];
        }
        *metric = is_on ? other : *metric;
        return st;
    }
    return ASSAY_OK;
}

static assay_status fail_unknown(const assay_spelling *s, assay_slice name)
{
    const char *near = assay_spelling_nearest(name);

    return assay_fail(s->err, ASSAY_EUSAGE,
                      "no metric called '%.*s'%s%s%s see 'assay metric list'",
                      ASSAY_QUOTE(name), near ? "; did you mean '" : ";",
                      near ? near : "", near ? "'?" : "");
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

/* All parameters as one, `1=3.5,2=9` as {1:3.5,2:9}. */
static void rewrite_list(const assay_trec_spelling *t, assay_slice params,
                         assay_buffer *b)
{
    bool is_gains = t->how == ASSAY_TREC_GAINS;

    assay_buffer_printf(b, "%s(%s=%c", t->metric, t->param, is_gains ? '{' : '[');
    for (size_t i = 0; i < params.len; i++)
        assay_buffer_char(b, is_gains && params.ptr[i] == '=' ? ':' : params.ptr[i]);
    assay_buffer_text(b, is_gains ? "})" : "])");
}

static void rewrite_one(const assay_trec_spelling *t, assay_slice param, assay_buffer *b)
{
    if (t->how == ASSAY_TREC_AT)
        assay_buffer_printf(b, "%s@%.*s", t->metric, (int)param.len, param.ptr);
    else
        assay_buffer_printf(b, "%s(%s=%.*s)", t->metric, t->param, (int)param.len,
                            param.ptr);
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

static assay_status parse_trec(const assay_trec_spelling *t, assay_slice params,
                               assay_slice origin, assay_measures *measures,
                               assay_arena *arena, assay_error *err)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_status st = ASSAY_OK;
    assay_slice part;

    if (!params.len)
        params = assay_slice_of(t->standard);
    if (t->how == ASSAY_TREC_PLAIN || !params.len) {
        assay_buffer_text(&b, t->metric);
        st = parse_rewritten(&b, origin, measures, arena, err);
    } else if (t->how == ASSAY_TREC_GAINS || t->how == ASSAY_TREC_REALS) {
        rewrite_list(t, params, &b);
        st = parse_rewritten(&b, origin, measures, arena, err);
    } else {
        while (!st && assay_slice_part(&params, ',', &part)) {
            rewrite_one(t, part, &b);
            st = parse_rewritten(&b, origin, measures, arena, err);
        }
    }
    assay_buffer_clear(&b);
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
    const assay_trec_spelling *trec = NULL;
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
    assay_slice rest = assay_slice_of(assay_spelling_nickname(text));
    size_t n = measures->n;
    assay_status st = ASSAY_OK;
    assay_slice name;

    if (!rest.len)
        st = parse_named(text, measures, arena, err);
    while (!st && assay_slice_part(&rest, ' ', &name))
        st = parse_named(name, measures, arena, err);
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

/* ---- equality ---- */

static bool same_value(const assay_value *a, const assay_value *b)
{
    if (a->is_set != b->is_set || a->n_gains != b->n_gains || a->n_reals != b->n_reals)
        return false;
    if (!(a->number == b->number || (isnan(a->number) && isnan(b->number))))
        return false;
    for (uint32_t i = 0; i < a->n_gains; i++)
        if (a->gain[i].grade != b->gain[i].grade || a->gain[i].gain != b->gain[i].gain)
            return false;
    for (uint32_t i = 0; i < a->n_reals; i++)
        if (a->real[i] != b->real[i])
            return false;
    return true;
}

bool assay_measure_equal(const assay_measure *a, const assay_measure *b)
{
    if (a->metric != b->metric || a->level != b->level || a->rel != b->rel ||
        a->judged_only != b->judged_only || a->has_at != b->has_at ||
        (a->has_at && a->at != b->at))
        return false;
    for (int i = 0; i < ASSAY_PARAMS_MOST; i++)
        if (!same_value(&a->value[i], &b->value[i]))
            return false;
    return true;
}
