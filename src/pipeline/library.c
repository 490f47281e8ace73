/* SPDX-License-Identifier: Apache-2.0 */
/* The public interface, as far as it is not the internal functions themselves: building
 * golden sets and runs by calls, options as words, reading scores. */
#include <math.h>
#include <string.h>

#include "assay.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/slice.h"
#include "pipeline/eval_words.h"
#include "pipeline/evaluate.h"

/* Copy a C string; null gives an empty slice. */
static bool copy(assay_arena *arena, const char *text, assay_slice *out)
{
    *out = (assay_slice){"", 0};
    if (!text || !text[0])
        return true;
    *out = assay_arena_copy(arena, assay_slice_of(text));
    return out->ptr != NULL;
}

/* ---- golden sets ---- */

assay_status assay_golden_put_query(assay_golden *golden, const char *id,
                                    const char *text, assay_error *err)
{
    assay_query *q;
    assay_slice own;
    assay_slice words;
    assay_status st;

    if (!id || !id[0])
        return assay_fail(err, ASSAY_EUSAGE, "a query needs an id");
    if (!copy(&golden->arena, id, &own) || !copy(&golden->arena, text, &words))
        return assay_fail_memory(err, "adding a query");
    if (!golden->path)
        golden->path = "golden set"; /* what messages call it */
    st = assay_golden_add(golden, own, 0, &q, err);
    if (!st)
        q->text = words;
    return st;
}

static bool number(assay_dict *dict, assay_arena *arena, const char *id, uint32_t *out)
{
    *out = ASSAY_NONE;
    return !id || !id[0] || assay_dict_put(dict, arena, assay_slice_of(id), out, NULL);
}

assay_status assay_golden_put_judgment(assay_golden *golden, const char *query_id,
                                       const assay_judged_item *item, assay_error *err)
{
    uint32_t i = assay_dict_find(&golden->ids, assay_slice_of(query_id));
    assay_judgment j = assay_judgment_none();

    if (i == ASSAY_NONE)
        return assay_fail(err, ASSAY_EUSAGE, "no query '%.80s' to judge", query_id);
    if (!(item->doc && item->doc[0]) && !(item->chunk && item->chunk[0]))
        return assay_fail(err, ASSAY_EUSAGE, "a judgment needs a document or a chunk");
    if (item->end < item->start || (item->end && !item->doc))
        return assay_fail(err, ASSAY_EUSAGE,
                          "evidence needs a document, and start < end");
    if (!number(&golden->docs, &golden->arena, item->doc, &j.doc) ||
        !number(&golden->chunks, &golden->arena, item->chunk, &j.chunk))
        return assay_fail_memory(err, "adding a judgment");
    j.grade = item->grade;
    if (item->end) {
        j.place = ASSAY_PLACE_SPAN;
        j.where = (assay_span){item->start, item->end};
        if (!assay_judgment_span(golden, &j, j.where))
            return assay_fail_memory(err, "adding a judgment");
    }
    golden->query[i].has_relevant_key = true;
    return assay_golden_judge(golden, &golden->query[i], &j, err);
}

uint32_t assay_golden_n(const assay_golden *golden)
{
    return golden->n_queries;
}

assay_slice assay_golden_id(const assay_golden *golden, uint32_t i)
{
    return golden->query[i].id;
}

assay_slice assay_golden_text(const assay_golden *golden, uint32_t i)
{
    return golden->query[i].text;
}

const char *assay_golden_format_name(size_t i)
{
    const assay_golden_format *f = assay_golden_format_at(i);

    return f ? f->name : NULL;
}

/* ---- runs ---- */

assay_status assay_run_put_result(assay_run *run, const char *query_id, double elapsed_ms,
                                  const char *error, assay_error *err)
{
    assay_result *r = NULL;
    assay_slice id;
    assay_slice words;
    assay_status st;

    if (!query_id || !query_id[0])
        return assay_fail(err, ASSAY_EUSAGE, "a result needs the id of its query");
    if (!copy(&run->arena, query_id, &id) || !copy(&run->arena, error, &words))
        return assay_fail_memory(err, "adding a result");
    if (!run->path)
        run->path = "run"; /* what messages call it */
    st = assay_run_add(run, id, 0, &r, err);
    if (st)
        return st;
    r->elapsed_ms = elapsed_ms;
    r->error = words;
    return ASSAY_OK;
}

static assay_status last_result(assay_run *run, assay_result **out, assay_error *err)
{
    if (!run->n_results)
        return assay_fail(err, ASSAY_EUSAGE,
                          "put a result before its hits and its answer");
    *out = &run->result[run->n_results - 1];
    return ASSAY_OK;
}

/* Room for one more in an array of the arena that doubles when its length is a power of
 * two, so that no capacity has to be kept.  Null: no memory. */
static void *one_more(assay_arena *arena, void *old, uint32_t n, size_t size)
{
    char *grown;

    if (n & (n - 1))
        return old;
    grown = assay_arena_zero(arena, n ? 2 * (size_t)n : 1, size);
    if (grown && n)
        memcpy(grown, old, n * size);
    return grown;
}

assay_status assay_run_put_hit(assay_run *run, const assay_hit_item *hit,
                               assay_error *err)
{
    assay_result *r = NULL;
    assay_hit h = {
        .score = hit->score, .has_score = hit->has_score != 0, .rank = hit->rank};
    assay_span *span;
    void *grown;
    assay_status st = last_result(run, &r, err);

    if (st)
        return st;
    if (h.has_score && !isfinite(h.score))
        return assay_fail(err, ASSAY_EUSAGE,
                          "the score of a hit must be a finite number");
    if (hit->end < hit->start)
        return assay_fail(err, ASSAY_EUSAGE, "a span ends after it starts");
    grown = one_more(&run->arena, r->hit, r->n_hits, sizeof *r->hit);
    span = hit->end ? ASSAY_ARENA_ARRAY(&run->arena, assay_span, 1) : NULL;
    if (!grown || (hit->end && !span) || !copy(&run->arena, hit->doc, &h.doc) ||
        !copy(&run->arena, hit->chunk, &h.chunk))
        return assay_fail_memory(err, "adding a hit");
    if (span) {
        *span = (assay_span){hit->start, hit->end};
        h.span = span;
        h.n_spans = 1;
    }
    r->hit = grown;
    r->hit[r->n_hits++] = h;
    return ASSAY_OK;
}

assay_status assay_run_put_answer(assay_run *run, const char *text, const char *refusal,
                                  int grounded, assay_error *err)
{
    assay_result *r = NULL;
    assay_answer *a;
    assay_status st = last_result(run, &r, err);

    if (st)
        return st;
    a = ASSAY_ARENA_ARRAY(&run->arena, assay_answer, 1);
    if (!a || !copy(&run->arena, text, &a->text) ||
        !copy(&run->arena, refusal, &a->refusal_reason))
        return assay_fail_memory(err, "adding an answer");
    a->grounded = grounded < 0 ? ASSAY_FLAG_UNKNOWN
                  : grounded   ? ASSAY_FLAG_YES
                               : ASSAY_FLAG_NO;
    a->prompt_tokens = a->completion_tokens = -1;
    a->latency_ms = a->cost = -1;
    r->answer = a;
    return ASSAY_OK;
}

assay_status assay_run_put_citation(assay_run *run, const assay_hit_item *cited,
                                    assay_error *err)
{
    assay_citation c = {.span = {cited->start, cited->end}};
    assay_result *r = NULL;
    assay_answer *a;
    void *grown;
    assay_status st = last_result(run, &r, err);

    if (st)
        return st;
    a = r->answer;
    if (!a)
        return assay_fail(err, ASSAY_EUSAGE, "put an answer before its citations");
    grown = one_more(&run->arena, a->citation, a->n_citations, sizeof *a->citation);
    if (!grown || !copy(&run->arena, cited->doc, &c.doc) ||
        !copy(&run->arena, cited->chunk, &c.chunk))
        return assay_fail_memory(err, "adding a citation");
    a->citation = grown;
    a->citation[a->n_citations++] = c;
    return ASSAY_OK;
}

const char *assay_run_format_name(size_t i)
{
    const assay_run_format *f = assay_run_format_at(i);

    return f ? f->name : NULL;
}

/* ---- metrics ---- */

int assay_metric_info_at(size_t i, assay_metric_info *out)
{
    const assay_metric *m = assay_metric_at(i);

    if (!m)
        return 0;
    *out = (assay_metric_info){m->name, m->summary, m->formula, m->source, m->aliases};
    return 1;
}

assay_status assay_measure_check(const char *spelling, assay_error *err)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_measures measures = {0};
    assay_status st =
        assay_measure_parse_list(assay_slice_of(spelling), &measures, &arena, err);

    assay_measures_clear(&measures);
    assay_arena_clear(&arena);
    return st;
}

/* ---- measuring ---- */

assay_status assay_eval(const assay_golden *golden, const assay_run *run,
                        const char *measures, const assay_eval_options *options,
                        assay_scores **out, assay_error *err)
{
    assay_eval_settings settings = {0};
    assay_status st = ASSAY_OK;

    if (options)
        st = assay_eval_words(options, &settings, err);
    return st ? st : assay_evaluate(golden, run, measures, &settings, out, err);
}

uint32_t assay_scores_n_queries(const assay_scores *scores)
{
    return scores->n_rows;
}

uint32_t assay_scores_n_measures(const assay_scores *scores)
{
    return scores->n_columns;
}

assay_slice assay_scores_query(const assay_scores *scores, uint32_t row)
{
    return scores->row[row].id;
}

const char *assay_scores_measure(const assay_scores *scores, uint32_t column)
{
    return scores->column[column].name;
}

const char *assay_scores_full(const assay_scores *scores, uint32_t column)
{
    return scores->column[column].full;
}

double assay_scores_value(const assay_scores *scores, uint32_t row, uint32_t column)
{
    return *assay_scores_cell(scores, row, column);
}

assay_total assay_scores_total(const assay_scores *scores, uint32_t column)
{
    return scores->total[column];
}

assay_counts assay_scores_counts(const assay_scores *scores)
{
    return scores->counts;
}

assay_level assay_scores_level(const assay_scores *scores)
{
    return scores->level;
}
