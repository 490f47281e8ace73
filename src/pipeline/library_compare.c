/* SPDX-License-Identifier: Apache-2.0 */
/* The public interface to comparisons. */
#include "assay.h"
#include "base/error.h"
#include "base/slice.h"
#include "pipeline/comparing.h"
#include "pipeline/eval_words.h"
#include "report/compare_report.h"

static assay_slice text_or_none(const char *text)
{
    return text ? assay_slice_of(text) : ASSAY_LIT("");
}

static assay_status read_words(const assay_compare_options *o,
                               assay_comparing_settings *out, assay_error *err)
{
    assay_status st = assay_eval_words(&o->eval, &out->eval, err);

    if (st)
        return st;
    out->test = o->test ? assay_stat_test_find(o->test) : NULL;
    out->correction = o->correct ? assay_correction_find(o->correct) : NULL;
    if (o->test && !out->test)
        return assay_fail(err, ASSAY_EUSAGE, "no test called '%.80s'", o->test);
    if (o->correct && !out->correction)
        return assay_fail(err, ASSAY_EUSAGE, "no correction called '%.80s'", o->correct);
    out->depth = o->depth;
    out->is_strict = o->strict_chunker_version != 0;
    out->alpha = o->alpha;
    out->seed = o->seed;
    return ASSAY_OK;
}

assay_status assay_compare(const assay_golden *golden, const assay_run *a,
                           const assay_run *b, const char *measures,
                           const assay_compare_options *options, assay_comparison **out,
                           assay_error *err)
{
    static const assay_compare_options standard;
    const assay_compare_options *o = options ? options : &standard;
    assay_comparing_settings settings = {.measure = &measures,
                                         .n_measures = measures && measures[0]};
    const assay_snapshot snapshot[] = {{.chunker = text_or_none(o->chunker_a)},
                                       {.chunker = text_or_none(o->chunker_b)}};
    const assay_compare_side side[] = {
        {.name = "a", .run = a, .golden = golden, .snapshot = &snapshot[0]},
        {.name = "b",
         .run = b,
         .golden = o->golden_b ? o->golden_b : golden,
         .snapshot = &snapshot[1]}};
    assay_status st = read_words(o, &settings, err);

    if (!st)
        st = assay_compare_runs(side, 2, &settings, out, err);
    /* The snapshots were ours. */
    for (uint32_t i = 0; !st && i < 2; i++)
        (*out)->side[i].snapshot = NULL;
    return st;
}

const char *assay_comparison_verdict(const assay_comparison *comparison)
{
    return assay_verdict_word(comparison->pair[0].verdict);
}

const char *assay_comparison_sentence(const assay_comparison *comparison)
{
    return comparison->pair[0].sentence;
}

const char *assay_comparison_match(const assay_comparison *comparison)
{
    return assay_match_word(comparison->matching.match);
}

uint32_t assay_comparison_n_measures(const assay_comparison *comparison)
{
    return comparison->n_measures;
}

void assay_comparison_measure(const assay_comparison *comparison, uint32_t i,
                              assay_compared_measure *out)
{
    const assay_delta *d = &comparison->pair[0].delta[i];

    *out = (assay_compared_measure){.name = d->column->name,
                                    .a = d->a,
                                    .b = d->b,
                                    .delta = d->delta,
                                    .direction = d->direction,
                                    .n = d->n,
                                    .low = d->low,
                                    .high = d->high,
                                    .p = d->p,
                                    .p_corrected = d->p_corrected,
                                    .judged_a = d->judged_a,
                                    .judged_b = d->judged_b};
}

uint32_t assay_comparison_n_queries(const assay_comparison *comparison)
{
    return comparison->core.n;
}

void assay_comparison_query(const assay_comparison *comparison, uint32_t i,
                            assay_compared_query *out)
{
    const assay_query_change *q = &comparison->pair[0].query[i];

    *out = (assay_compared_query){.id = q->id,
                                  .kind = assay_kind_word(q->kind),
                                  .rank_a = q->rank_a,
                                  .rank_b = q->rank_b,
                                  .note = q->note};
}

uint32_t assay_comparison_n_excluded(const assay_comparison *comparison)
{
    return comparison->core.n_excluded;
}

assay_slice assay_comparison_excluded(const assay_comparison *comparison, uint32_t i,
                                      const char **why)
{
    if (why)
        *why = comparison->core.excluded[i].why;
    return comparison->core.excluded[i].id;
}

assay_status assay_comparison_report(assay_comparison *comparison, const char *format,
                                     assay_slice *out, assay_error *err)
{
    const assay_compare_view view = {.comparison = comparison};
    const assay_compare_writer *writer = assay_compare_writer_find(format);
    assay_buffer text = ASSAY_BUFFER_EMPTY;
    assay_slice copy;

    if (!writer)
        return assay_fail(err, ASSAY_EUSAGE,
                          "no report format '%.80s'; want table, md, json or csv",
                          format);
    writer->write(&view, &text);
    copy = assay_arena_copy(&comparison->arena, assay_buffer_view(&text));
    if (text.has_failed)
        copy.ptr = NULL;
    assay_buffer_clear(&text);
    if (!copy.ptr)
        return assay_fail_memory(err, "writing the report");
    *out = copy;
    return ASSAY_OK;
}
