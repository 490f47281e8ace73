/* SPDX-License-Identifier: Apache-2.0 */
/* bob's comparison of two results files: three means, an absolute tolerance, and a verdict.
 * What bob itself leaves unchecked is checked and noted: the cutoff, the golden set, the
 * questions, and which of them passed before and fail now. */
#include <math.h>

#include "base/error.h"
#include "base/slice.h"
#include "compare/recorded.h"

/* Limits are decimal: a drop counts only beyond limit + 1e-9. */
static const double grain = 1e-9;

static assay_status put_line(const assay_recorded_run *run, const char *name, double mean,
                             double *out, assay_error *err)
{
    if (isnan(mean))
        return assay_fail(err, ASSAY_EINPUT, "%s: no number '%s_mean'", run->path, name);
    *out = mean;
    return ASSAY_OK;
}

static assay_status put_lines(const assay_recorded_run *baseline,
                              const assay_recorded_run *current,
                              assay_bob_comparison *out, assay_error *err)
{
    static const char *const name[ASSAY_BOB_LINES] = {"recall", "precision", "mrr"};
    const double old[] = {baseline->bob.recall, baseline->bob.precision,
                          baseline->bob.mrr};
    const double new[] = {current->bob.recall, current->bob.precision, current->bob.mrr};
    assay_status st = ASSAY_OK;

    out->has_passed = true;
    for (size_t i = 0; i < ASSAY_BOB_LINES; i++) {
        assay_bob_line *line = &out->line[i];

        line->name = name[i];
        st = put_line(baseline, name[i], old[i], &line->baseline, err);
        if (!st)
            st = put_line(current, name[i], new[i], &line->current, err);
        if (st)
            return st;
        /* The difference of two decimals, without what binary adds to it. */
        line->delta = round((line->current - line->baseline) * 1e12) / 1e12;
        line->has_passed = line->delta >= -out->tolerance - grain;
        out->has_passed = out->has_passed && line->has_passed;
    }
    return ASSAY_OK;
}

static bool list_fallen(const assay_recorded_run *baseline,
                        const assay_recorded_run *current, assay_arena *arena,
                        assay_bob_comparison *out)
{
    out->fallen = ASSAY_ARENA_ARRAY(arena, assay_slice, current->queries.n + 1);
    if (!out->fallen)
        return false;
    for (uint32_t i = 0; i < current->queries.n; i++) {
        uint32_t was = assay_dict_find(&baseline->queries, current->queries.word[i]);

        if (was != ASSAY_NONE && baseline->passed[was] && !current->passed[i])
            out->fallen[out->n_fallen++] = current->queries.word[i];
    }
    return true;
}

static uint32_t count_missing(const assay_dict *a, const assay_dict *b)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < a->n; i++)
        n += assay_dict_find(b, a->word[i]) == ASSAY_NONE;
    return n;
}

static bool note(const assay_recorded_run *baseline, const assay_recorded_run *current,
                 assay_arena *arena, assay_bob_comparison *out)
{
    const assay_bob_means *a = &baseline->bob;
    const assay_bob_means *b = &current->bob;
    uint32_t gone = count_missing(&baseline->queries, &current->queries);
    uint32_t added = count_missing(&current->queries, &baseline->queries);
    bool ok = true;

    if (a->k != b->k)
        ok = assay_notes_add(&out->notes, arena,
                             "k differs: %u in the baseline, %u now; the means are of "
                             "different things",
                             a->k, b->k);
    if (ok && a->golden.len && b->golden.len && !assay_slice_eq(a->golden, b->golden))
        ok = assay_notes_add(&out->notes, arena,
                             "the golden set differs: '%.*s' in the baseline, '%.*s' now",
                             ASSAY_QUOTE(a->golden), ASSAY_QUOTE(b->golden));
    if (ok && (gone || added))
        ok = assay_notes_add(&out->notes, arena,
                             "the questions differ: %u of the baseline are gone, %u are "
                             "new",
                             gone, added);
    return ok;
}

assay_status assay_bob_compare(const assay_recorded_run *baseline,
                               const assay_recorded_run *current, double tolerance,
                               assay_arena *arena, assay_bob_comparison *out,
                               assay_error *err)
{
    assay_bob_comparison c = {.tolerance = tolerance, .k = current->bob.k};
    assay_status st = put_lines(baseline, current, &c, err);

    if (st)
        return st;
    if (!list_fallen(baseline, current, arena, &c) ||
        !note(baseline, current, arena, &c)) {
        assay_notes_clear(&c.notes);
        return assay_fail_memory(err, "comparing bob's results");
    }
    *out = c;
    return ASSAY_OK;
}
