/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/gating.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "golden/frozen.h"

typedef struct job {
    const assay_gating_sides *sides;
    const assay_gate_rules *rules;
    assay_gating_settings settings;
    const char *measures; /* of all rules, each once */
    const char **measure; /* the same as a list */
    uint32_t n_measures;
    assay_gating *out;
} job;

static assay_status fail_memory(assay_error *err)
{
    return assay_fail_memory(err, "judging a run");
}

void assay_gating_clear(assay_gating *gating)
{
    assay_comparison_free(gating->comparison);
    assay_baseline_core_clear(&gating->core);
    assay_scores_free(gating->scores);
    assay_notes_clear(&gating->notes);
    assay_arena_clear(&gating->arena);
}

static bool note(job *j, const char *words, const char *what)
{
    return assay_notes_add(&j->out->notes, &j->out->arena, words, what);
}

/* ---- measures ---- */

/* What the rules are about.  Protection needs none, but a run is measured by something. */
static assay_status list_measures(job *j, assay_error *err)
{
    assay_arena *arena = &j->out->arena;
    assay_buffer all = ASSAY_BUFFER_EMPTY;

    j->measure = ASSAY_ARENA_ARRAY(arena, const char *, j->rules->n + 1u);
    for (uint32_t i = 0; j->measure && i < j->rules->n; i++) {
        const char *metric = j->rules->rule[i].metric;
        bool is_new = metric[0] != '\0';

        for (uint32_t k = 0; k < j->n_measures; k++)
            is_new = is_new && strcmp(j->measure[k], metric) != 0;
        if (is_new)
            j->measure[j->n_measures++] = metric;
    }
    if (j->measure && !j->n_measures)
        j->measure[j->n_measures++] = "mrr";
    for (uint32_t i = 0; j->measure && i < j->n_measures; i++)
        assay_buffer_printf(&all, "%s%s", i ? " " : "", j->measure[i]);
    j->measures =
        all.has_failed ? NULL : assay_arena_string(arena, assay_buffer_view(&all));
    assay_buffer_clear(&all);
    return j->measure && j->measures ? ASSAY_OK : fail_memory(err);
}

/* ---- the run by itself ---- */

/* A run that was to answer a part of the golden set is measured over that part. */
static assay_status only_planned(assay_evaluator *e, const assay_compare_side *side,
                                 assay_error *err)
{
    const assay_snapshot *s = side->snapshot;
    uint32_t *query;
    uint32_t n = 0;
    assay_status st;

    if (!s || !s->is_part)
        return ASSAY_OK;
    query = ASSAY_NEW_ARRAY(uint32_t, s->n_plan);
    if (!query)
        return fail_memory(err);
    for (uint32_t i = 0; i < s->n_plan; i++) {
        const uint32_t at = assay_dict_find(&side->golden->ids, s->plan[i]);

        if (at != ASSAY_NONE && !side->golden->query[at].is_draft)
            query[n++] = at;
    }
    st = assay_evaluator_only(e, query, n, err);
    assay_mem_free(query);
    return st;
}

assay_status assay_gating_measure(const assay_compare_side *side, const char *measures,
                                  bool with_standard, const assay_eval_settings *settings,
                                  assay_scores **out, assay_error *err)
{
    assay_evaluator *e = NULL;
    assay_status st = assay_evaluator_open(side->golden, settings, &e, err);

    if (st)
        return st;
    st = only_planned(e, side, err);
    if (!st)
        st = assay_evaluator_settle(e, &side->run, 1, err);
    if (!st && with_standard)
        st = assay_evaluator_standard(e, &side->run, 1, err);
    if (!st && measures[0])
        st = assay_evaluator_measure(e, assay_slice_of(measures), err);
    if (!st)
        st = assay_evaluator_run(e, side->run, out, err);
    assay_evaluator_close(e);
    return st;
}

/* Who asks a part passes by that part, and the reader is to know. */
static assay_status note_part(job *j, assay_error *err)
{
    const assay_golden *golden = j->sides->run->golden;
    const assay_snapshot *s = j->sides->run->snapshot;
    uint32_t n = 0;

    if (!s || !s->is_part)
        return ASSAY_OK;
    for (uint32_t i = 0; i < golden->n_queries; i++)
        n += !golden->query[i].is_draft;
    if (!assay_notes_add(&j->out->notes, &j->out->arena,
                         "the run was made with %u of %u queries: the rules speak of "
                         "those alone",
                         j->out->scores->n_rows, n))
        return fail_memory(err);
    return ASSAY_OK;
}

static assay_status measure_run(job *j, assay_error *err)
{
    assay_eval_settings eval = j->settings.compare.eval;
    const assay_baseline *file = j->sides->file;
    assay_status st;

    /* What the file says is what its numbers mean. */
    if (file && eval.level == ASSAY_LEVEL_AUTO && file->head.level.len) {
        const char *word = assay_arena_string(&j->out->arena, file->head.level);

        if (!word)
            return fail_memory(err);
        if (!assay_level_find(word, &eval.level))
            return assay_fail(err, ASSAY_EINPUT, "%s: no level called '%s'", file->path,
                              word);
    }
    st = assay_gating_measure(j->sides->run, j->measures, false, &eval, &j->out->scores,
                              err);
    if (!st)
        j->out->level = j->out->scores->level;
    return st ? st : note_part(j, err);
}

/* ---- against a run ---- */

static assay_status take_queries(job *j, assay_error *err)
{
    const assay_comparison *c = j->out->comparison;
    const assay_query_change *change = c->pair[0].query;
    assay_gate_query *query =
        ASSAY_ARENA_ARRAY(&j->out->arena, assay_gate_query, c->core.n + 1u);

    if (!query)
        return fail_memory(err);
    for (uint32_t i = 0; change && i < c->core.n; i++)
        query[i] = (assay_gate_query){change[i].id, change[i].rank_a, change[i].rank_b};
    j->out->input.query = query;
    j->out->input.n_queries = change ? c->core.n : 0;
    return ASSAY_OK;
}

/* The verdict says "incomparable" already. */
static const char *without_word(const char *why)
{
    static const char word[] = "incomparable: ";

    return strncmp(why, word, sizeof word - 1) == 0 ? why + sizeof word - 1 : why;
}

static assay_status against_run(job *j, assay_error *err)
{
    const assay_compare_side side[] = {*j->sides->before, *j->sides->run};
    assay_compare_side *kept = ASSAY_ARENA_ARRAY(&j->out->arena, assay_compare_side, 2);
    assay_comparing_settings settings = j->settings.compare;
    assay_gating *out = j->out;
    assay_error why;
    assay_status st;

    if (!kept)
        return fail_memory(err);
    memcpy(kept, side, sizeof side);
    kept[0].called = "the baseline";
    kept[1].called = "the run";
    settings.measure = j->measure;
    settings.n_measures = j->n_measures;
    st = assay_compare_runs(kept, 2, &settings, &out->comparison, &why);
    if (st == ASSAY_EINPUT) {
        out->input.incomparable =
            assay_arena_string(&out->arena, assay_slice_of(without_word(why.text)));
        return out->input.incomparable ? ASSAY_OK : fail_memory(err);
    }
    if (st)
        return assay_fail(err, st, "%s", why.text);
    out->input.before = out->comparison->scores[0];
    out->input.after = out->comparison->scores[1];
    out->level = out->comparison->level;
    out->depth = out->comparison->depth;
    out->match = assay_match_word(out->comparison->matching.match);
    out->excluded = out->comparison->core.excluded;
    out->n_excluded = out->comparison->core.n_excluded;
    for (size_t i = 0; i < out->comparison->notes.n; i++)
        if (!note(j, "%s", out->comparison->notes.text[i]))
            return fail_memory(err);
    if (out->scores->level != out->level &&
        !note(j, "thresholds look at the run alone, at level %s",
              assay_level_word(out->scores->level)))
        return fail_memory(err);
    return take_queries(j, err);
}

/* ---- against a file ---- */

/* Each rule's metric must stand in the file as it is measured now. */
static assay_status check_metrics(const job *j, assay_error *err)
{
    const assay_baseline *file = j->sides->file;
    const assay_scores *s = j->out->scores;

    for (uint32_t i = 0; i < j->rules->n; i++) {
        const assay_gate_rule *rule = &j->rules->rule[i];
        const uint32_t c = assay_scores_column(s, rule->metric);

        if (rule->kind == ASSAY_GATE_THRESHOLD || rule->kind == ASSAY_GATE_PROTECT ||
            c == ASSAY_NONE)
            continue;
        if (assay_baseline_metric_find(file, s->column[c].full) == ASSAY_NONE)
            return assay_fail(err, ASSAY_EUSAGE,
                              "%s: no values of '%s'; export the baseline with -m '%s'",
                              file->path, s->column[c].full, rule->metric);
    }
    return ASSAY_OK;
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    if (!a || !b)
        return a ? a : b;
    return a < b ? a : b;
}

static uint32_t file_depth(const job *j)
{
    const assay_compare_side *run = j->sides->run;
    const assay_baseline_head *head = &j->sides->file->head;
    const uint32_t k =
        run->snapshot && run->snapshot->k ? run->snapshot->k : run->run->depth;

    if (j->settings.compare.depth)
        return j->settings.compare.depth;
    return lesser(k, head->k ? head->k : head->depth);
}

/* What the head says otherwise than the run, as notes. */
static bool note_differences(job *j)
{
    const assay_baseline_head *head = &j->sides->file->head;
    const assay_snapshot *s = j->sides->run->snapshot;
    const struct {
        const char *what;
        assay_slice before;
        assay_slice after;
    } part[] = {
        {"the corpus", head->corpus, s ? s->corpus_hash : (assay_slice){0}},
        {"the chunker", head->chunker, s ? s->chunker : (assay_slice){0}},
        {"the method", head->method, s ? s->method : (assay_slice){0}},
    };

    for (size_t i = 0; i < ASSAY_COUNT(part); i++)
        if (part[i].before.len && part[i].after.len &&
            !assay_slice_eq(part[i].before, part[i].after) &&
            !note(j, "%s is not the baseline's", part[i].what))
            return false;
    return true;
}

/* Chunk ids of one chunker mean nothing to another. */
static const char *file_mismatch(const job *j)
{
    const assay_baseline_head *head = &j->sides->file->head;
    const assay_snapshot *s = j->sides->run->snapshot;

    if (j->out->level != ASSAY_LEVEL_CHUNK || !s || !s->chunker.len ||
        !head->chunker.len || assay_slice_eq(s->chunker, head->chunker))
        return NULL;
    return "the baseline was measured by chunks of another chunker; compare with the "
           "stored run, or export the baseline at the level evidence or doc";
}

static assay_status against_file(job *j, assay_error *err)
{
    assay_gating *out = j->out;
    assay_status st = check_metrics(j, err);

    if (st)
        return st;
    out->input.incomparable = file_mismatch(j);
    if (out->input.incomparable)
        return ASSAY_OK;
    out->depth = file_depth(j);
    st = assay_baseline_join(j->sides->file, out->scores, j->sides->run->golden,
                             out->depth, &out->arena, &out->core, err);
    if (st)
        return st;
    out->excluded = out->core.excluded;
    out->n_excluded = out->core.n_excluded;
    if (!out->core.n) {
        out->input.incomparable = "the baseline and the run have no query in common that "
                                  "is judged alike";
        return ASSAY_OK;
    }
    out->input.before = out->core.before;
    out->input.after = out->core.after;
    out->input.query = out->core.query;
    out->input.n_queries = out->core.n;
    return note_differences(j) ? ASSAY_OK : fail_memory(err);
}

/* ---- all of it ---- */

assay_status assay_gating_run(const assay_gating_sides *sides,
                              const assay_gate_rules *rules,
                              const assay_gating_settings *settings, assay_gating *out,
                              assay_error *err)
{
    assay_gating gating = {.match = ""};
    job j = {.sides = sides, .rules = rules, .settings = *settings, .out = &gating};
    assay_status st = list_measures(&j, err);

    if (!st)
        st = measure_run(&j, err);
    if (!st && sides->before)
        st = against_run(&j, err);
    if (!st && sides->file)
        st = against_file(&j, err);
    if (!st) {
        gating.input.run = gating.scores;
        st = assay_gate_judge(rules, &gating.input, &settings->gate, &gating.arena,
                              &gating.gate, err);
    }
    if (st)
        assay_gating_clear(&gating);
    else
        *out = gating;
    return st;
}
