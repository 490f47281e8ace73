/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a measure: the short spelling leaves out what is as usual, the full one names
 * every parameter.  Both are read back as the same measure.  Real numbers always have a
 * point, so that ir_measures reads them as such. */
#include "metric/spelling.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"

static const char *const level_word[] = {"auto", "evidence", "chunk", "doc"};

const char *assay_spelling_level_word(size_t i)
{
    return i < ASSAY_COUNT(level_word) ? level_word[i] : NULL;
}

static void put_real(assay_buffer *b, double value)
{
    char text[ASSAY_NUMBER_TEXT];

    assay_number_print(value, text);
    assay_buffer_text(b, text);
    if (!strpbrk(text, ".en"))
        assay_buffer_text(b, ".0");
}

static void put_choice(assay_buffer *b, const char *choices, int which)
{
    assay_slice rest = assay_slice_of(choices);
    assay_slice choice;

    while (assay_slice_part(&rest, ',', &choice) && which-- > 0) {
    }
    assay_buffer_slice(b, choice);
}

static void put_gains(assay_buffer *b, const assay_value *value)
{
    assay_buffer_char(b, '{');
    for (uint32_t i = 0; i < value->n_gains; i++) {
        assay_buffer_printf(b, "%s%d:", i ? "," : "", (int)value->gain[i].grade);
        put_real(b, value->gain[i].gain);
    }
    assay_buffer_char(b, '}');
}

static void put_reals(assay_buffer *b, const assay_value *value)
{
    assay_buffer_char(b, '[');
    for (uint32_t i = 0; i < value->n_reals; i++) {
        if (i)
            assay_buffer_char(b, ',');
        put_real(b, value->real[i]);
    }
    assay_buffer_char(b, ']');
}

static void put_value(assay_buffer *b, const assay_metric_param *param,
                      const assay_value *value)
{
    bool is_none = isnan(value->number) && !value->is_set;

    switch (param->type) {
    case ASSAY_METRIC_PARAM_INT:
        if (is_none)
            assay_buffer_text(b, "none");
        else
            assay_buffer_printf(b, "%.0f", value->number);
        break;
    case ASSAY_METRIC_PARAM_REAL:
        if (is_none)
            assay_buffer_text(b, "none");
        else
            put_real(b, value->number);
        break;
    case ASSAY_METRIC_PARAM_BOOL:
        assay_buffer_text(b, value->number != 0 ? "true" : "false");
        break;
    case ASSAY_METRIC_PARAM_CHOICE:
        put_choice(b, param->choices, (int)value->number);
        break;
    case ASSAY_METRIC_PARAM_GAINS: put_gains(b, value); break;
    case ASSAY_METRIC_PARAM_REALS: put_reals(b, value); break;
    }
}

/* What goes before the next parameter: "(" or ",". */
static void put_name(assay_buffer *b, bool *is_open, const char *name)
{
    assay_buffer_printf(b, "%c%s=", *is_open ? ',' : '(', name);
    *is_open = true;
}

static void put_measure(assay_buffer *b, const assay_measure *m, assay_level level,
                        bool is_full)
{
    const assay_metric *metric = m->metric;
    const assay_metric_param *param = metric->param;
    bool is_open = false;

    assay_buffer_text(b, metric->name);
    if ((metric->takes & ASSAY_TAKES_LEVEL) && (is_full || level != ASSAY_LEVEL_AUTO)) {
        put_name(b, &is_open, "level");
        assay_buffer_text(b, level_word[level]);
    }
    if ((metric->takes & ASSAY_TAKES_REL) && (is_full || m->rel != 1)) {
        put_name(b, &is_open, "rel");
        assay_buffer_printf(b, "%d", (int)m->rel);
    }
    if ((metric->takes & ASSAY_TAKES_JUDGED_ONLY) && (is_full || m->judged_only)) {
        put_name(b, &is_open, "judged_only");
        assay_buffer_text(b, m->judged_only ? "true" : "false");
    }
    for (int i = 0; param && param[i].name; i++) {
        if (!is_full && !m->value[i].is_set)
            continue;
        put_name(b, &is_open, param[i].name);
        put_value(b, &param[i], &m->value[i]);
    }
    if (is_open)
        assay_buffer_char(b, ')');
    if (!m->has_at)
        return;
    assay_buffer_char(b, '@');
    if (metric->at == ASSAY_AT_REAL)
        put_real(b, m->at);
    else
        assay_buffer_printf(b, "%.0f", m->at);
}

static const char *spell(const assay_measure *m, assay_level level, bool is_full,
                         assay_arena *arena)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    const char *text = NULL;

    put_measure(&b, m, level, is_full);
    if (!b.has_failed)
        text = assay_arena_string(arena, assay_buffer_view(&b));
    assay_buffer_clear(&b);
    return text;
}

const char *assay_measure_full(const assay_measure *measure, assay_level level,
                               assay_arena *arena)
{
    return spell(measure, level, true, arena);
}

assay_status assay_spelling_print(assay_measure *measure, assay_arena *arena,
                                  assay_error *err)
{
    measure->name = spell(measure, measure->level, false, arena);
    measure->full = spell(measure, measure->level, true, arena);
    if (!measure->name || !measure->full)
        return assay_fail_memory(err, "writing the name of a measure");
    return ASSAY_OK;
}
