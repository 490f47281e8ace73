/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/eval_level.h"

#include "base/error.h"
#include "metric/conventions.h"

/* Whether the run's hits say what the level needs.  The ids of a TREC run are whatever
 * the golden set takes them for. */
static bool serves(const assay_run *run, assay_level level)
{
    if (!run->depth)
        return true;
    switch (level) {
    case ASSAY_LEVEL_EVIDENCE: return run->has_spans;
    case ASSAY_LEVEL_CHUNK: return run->has_chunks || run->trec;
    case ASSAY_LEVEL_DOC:
    case ASSAY_LEVEL_AUTO: break;
    }
    return run->has_docs || run->trec;
}

static bool all_serve(const assay_run *const *run, size_t n, assay_level level)
{
    for (size_t i = 0; i < n; i++)
        if (!serves(run[i], level))
            return false;
    return true;
}

static bool has_trec(const assay_run *const *run, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (run[i]->trec)
            return true;
    return false;
}

assay_level assay_eval_level_choose(const assay_eval_gold *gold,
                                    const assay_run *const *run, size_t n,
                                    assay_notes *notes, assay_arena *arena)
{
    static const assay_level finest_first[] = {ASSAY_LEVEL_EVIDENCE, ASSAY_LEVEL_CHUNK,
                                               ASSAY_LEVEL_DOC};
    assay_level best = ASSAY_LEVEL_DOC;
    uint32_t most = 0;
    uint32_t n_labelled;

    for (size_t i = 0; i < 3; i++) {
        assay_level level = finest_first[i];
        uint32_t covered = assay_eval_gold_covered(gold, level, &n_labelled);

        if (!all_serve(run, n, level) || covered <= most)
            continue;
        most = covered;
        best = level;
        /* TREC's docno is a document wherever the golden set knows documents. */
        if (covered == n_labelled && !(level == ASSAY_LEVEL_CHUNK && has_trec(run, n)))
            return level;
    }
    if (has_trec(run, n) && best == ASSAY_LEVEL_CHUNK &&
        assay_eval_gold_covered(gold, ASSAY_LEVEL_DOC, &n_labelled) == most)
        best = ASSAY_LEVEL_DOC;
    if (most < n_labelled &&
        !assay_notes_add(
            notes, arena,
            "no level has judgments for all %u labelled queries that every run "
            "can be held against; level %s has them for %u",
            n_labelled, assay_level_word(best), most))
        return ASSAY_LEVEL_AUTO;
    return best;
}

assay_status assay_eval_level_check(const assay_eval_gold *gold, const assay_run *run,
                                    const assay_eval_view *view, assay_error *err)
{
    static const char *const what[] = {"ids", "spans", "chunk ids", "document ids"};
    uint32_t n_labelled;

    if (serves(run, view->level) ||
        !assay_eval_gold_covered(gold, view->level, &n_labelled))
        return ASSAY_OK;
    return assay_fail(err, ASSAY_EUSAGE,
                      "'%s' has no %s, which level %s needs; choose another with --level",
                      run->path ? run->path : "the run", what[view->level],
                      assay_level_word(view->level));
}
