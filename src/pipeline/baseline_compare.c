/* SPDX-License-Identifier: Apache-2.0 */
/* A run held against a baseline that is a text file.  The file has values and ranks and no
 * hits, so it is a comparison of recorded values with the kinds of the queries. */
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "pipeline/comparing.h"
#include "pipeline/gating.h"

typedef struct job {
    const assay_baseline *file;
    const assay_compare_side *run;
    assay_comparing_settings settings;
    assay_scores *scores; /* of the run, over its golden set */
    assay_comparison *c;
} job;

static assay_status fail_memory(assay_error *err)
{
    return assay_fail_memory(err, "comparing with a baseline");
}

/* ---- scores ---- */

/* What was asked for, else what the file has. */
static assay_status list_measures(const job *j, assay_buffer *out, assay_error *err)
{
    for (uint32_t i = 0; i < j->settings.n_measures; i++)
        assay_buffer_printf(out, "%s ", j->settings.measure[i]);
    for (uint32_t i = 0; !j->settings.n_measures && i < j->file->n_metrics; i++) {
        assay_buffer_slice(out, j->file->metric[i].name);
        assay_buffer_char(out, ' ');
    }
    assay_buffer_char(out, '\0');
    return out->has_failed ? fail_memory(err) : ASSAY_OK;
}

static assay_status take_level(job *j, assay_error *err)
{
    const assay_slice level = j->file->head.level;
    char *word = assay_arena_string(&j->c->arena, level);

    if (!word)
        return fail_memory(err);
    if (j->settings.eval.level == ASSAY_LEVEL_AUTO && level.len &&
        !assay_level_find(word, &j->settings.eval.level))
        return assay_fail(err, ASSAY_EINPUT, "%s: no level called '%s'", j->file->path,
                          word);
    return ASSAY_OK;
}

static assay_status measure(job *j, assay_error *err)
{
    assay_buffer measures = ASSAY_BUFFER_EMPTY;
    assay_status st = take_level(j, err);

    if (!st)
        st = list_measures(j, &measures, err);
    if (!st)
        st = assay_gating_measure(j->run, measures.ptr, false, &j->settings.eval,
                                  &j->scores, err);
    assay_buffer_clear(&measures);
    for (uint32_t i = 0; !st && i < j->scores->n_columns; i++)
        if (assay_baseline_metric_find(j->file, j->scores->column[i].full) == ASSAY_NONE)
            st = assay_fail(err, ASSAY_EUSAGE,
                            "%s: no values of '%s'; export the baseline with -m '%s'",
                            j->file->path, j->scores->column[i].full,
                            j->scores->column[i].name);
    return st;
}

/* ---- queries ---- */

static uint32_t depth_of(const job *j)
{
    const assay_baseline_head *head = &j->file->head;
    const uint32_t a = head->k ? head->k : head->depth;
    const uint32_t b = j->run->snapshot && j->run->snapshot->k ? j->run->snapshot->k
                                                               : j->run->run->depth;

    if (j->settings.depth)
        return j->settings.depth;
    return !a || (b && b < a) ? b : a;
}

static bool classify(const job *j, const assay_baseline_core *core)
{
    assay_comparison *c = j->c;
    assay_run_pair *pair = &c->pair[0];
    const assay_golden *golden = j->run->golden;
    const assay_classify_rules rules = {
        .depth = c->depth, .level = j->scores->level, .a = "a", .b = "b"};

    pair->query = ASSAY_ARENA_ARRAY(&c->arena, assay_query_change, core->n + 1u);
    for (uint32_t i = 0; pair->query && i < core->n; i++) {
        const assay_row *row = &core->after->row[i];
        const bool is_judged = row->label == ASSAY_LABEL_LABELLED;
        const assay_found a = {.first = core->query[i].before, .is_judged = is_judged};
        const assay_found b = {.first = core->query[i].after,
                               .is_judged = is_judged,
                               .n_hits = row->n_hits,
                               .is_missing = row->is_missing,
                               .is_failed = row->is_failed};

        if (!assay_classify(golden, &golden->query[row->query], &a, &b, &rules, &c->arena,
                            &pair->query[i]))
            return false;
        pair->n_kind[pair->query[i].kind]++;
    }
    return pair->query != NULL;
}

static assay_status join(job *j, assay_error *err)
{
    assay_comparison *c = j->c;
    assay_baseline_core core = {0};
    assay_status st;

    c->depth = depth_of(j);
    st = assay_baseline_join(j->file, j->scores, j->run->golden, c->depth, &c->arena,
                             &core, err);
    if (st)
        return st;
    c->core.n = core.n;
    c->core.excluded = core.excluded;
    c->core.n_excluded = core.n_excluded;
    c->core.id = ASSAY_ARENA_ARRAY(&c->arena, assay_slice, core.n + 1u);
    if (!core.n)
        st = assay_fail(err, ASSAY_EINPUT,
                        "incomparable: '%s' and the run have no query in common that is "
                        "judged alike",
                        j->file->path);
    else if (!c->core.id || !classify(j, &core))
        st = fail_memory(err);
    for (uint32_t i = 0; !st && i < core.n; i++)
        c->core.id[i] = core.query[i].id;
    if (!st) {
        c->scores[0] = core.before;
        c->scores[1] = core.after;
        core.before = NULL; /* handed over */
        core.after = NULL;
    }
    assay_baseline_core_clear(&core);
    return st;
}

/* ---- all of it ---- */

static assay_status name_sides(job *j, assay_error *err)
{
    assay_comparison *c = j->c;
    const assay_baseline_head *head = &j->file->head;
    const assay_slice name = head->run.len ? head->run : assay_slice_of(j->file->path);
    assay_buffer caption = ASSAY_BUFFER_EMPTY;

    c->side[1] = *j->run;
    c->side[0].name = assay_arena_string(&c->arena, name);
    c->side[0].when = assay_arena_string(&c->arena, head->date);
    assay_buffer_printf(&caption, "baseline '%.*s'", ASSAY_QUOTE(head->name));
    if (head->note.len)
        assay_buffer_printf(&caption, " (%.*s)", ASSAY_QUOTE(head->note));
    c->side[0].caption = caption.has_failed
                             ? NULL
                             : assay_arena_string(&c->arena, assay_buffer_view(&caption));
    assay_buffer_clear(&caption);
    return c->side[0].name && c->side[0].when && c->side[0].caption ? ASSAY_OK
                                                                    : fail_memory(err);
}

static assay_status make(job *j, assay_error *err)
{
    assay_comparison *c = j->c;
    assay_status st;

    c->n_sides = 2;
    c->n_pairs = 1;
    c->is_recorded = true;
    c->side = ASSAY_ARENA_ARRAY(&c->arena, assay_compare_side, 2);
    c->scores = ASSAY_ARENA_ARRAY(&c->arena, assay_scores *, 2);
    c->pair = ASSAY_ARENA_ARRAY(&c->arena, assay_run_pair, 1);
    if (!c->side || !c->scores || !c->pair)
        return fail_memory(err);
    c->conventions = j->settings.eval.conventions ? j->settings.eval.conventions
                                                  : assay_conventions_at(0);
    assay_comparing_head(c, &j->settings);
    st = name_sides(j, err);
    if (!st)
        st = measure(j, err);
    if (!st)
        st = join(j, err);
    if (st)
        return st;
    c->n_measures = j->scores->n_columns;
    c->level = j->scores->level;
    return assay_comparing_values(c, &j->settings, err);
}

assay_status assay_compare_baseline(const assay_baseline *file,
                                    const assay_compare_side *run,
                                    const assay_comparing_settings *settings,
                                    assay_comparison **out, assay_error *err)
{
    job j = {.file = file, .run = run, .settings = *settings};
    assay_status st;

    j.c = ASSAY_NEW(assay_comparison);
    st = j.c ? make(&j, err) : fail_memory(err);
    assay_scores_free(j.scores);
    if (st)
        assay_comparison_free(j.c);
    else
        *out = j.c;
    return st;
}
