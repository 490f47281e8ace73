/* SPDX-License-Identifier: Apache-2.0 */
/* The public interface to corpora: golden sets resolved, hits placed. */
#include "assay.h"
#include "base/error.h"
#include "golden/resolve.h"
#include "pipeline/place_hits.h"

assay_status assay_golden_resolve(assay_golden *golden, const char *corpus,
                                  uint32_t n_threads, assay_error *err)
{
    const assay_trace_options options = {.n_threads = n_threads, .with_lines = true};
    assay_resolution *r = ASSAY_ARENA_ARRAY(&golden->arena, assay_resolution, 1);
    assay_status st;

    if (!r)
        return assay_fail_memory(err, "resolving a golden set");
    st = assay_resolve(golden, corpus, &options, r, err);
    if (!st)
        golden->resolution = r;
    return st;
}

uint32_t assay_golden_n_resolved(const assay_golden *golden)
{
    return golden->resolution ? golden->resolution->n : 0;
}

void assay_golden_resolved(const assay_golden *golden, uint32_t i,
                           assay_resolved_item *out)
{
    const assay_resolved *item = &golden->resolution->item[i];
    const assay_traced *t = &item->traced;
    const assay_query *q = &golden->query[item->query];

    *out = (assay_resolved_item){
        .query_id = q->id,
        .line = q->judgment[item->judgment].line,
        .evidence = item->what,
        .state = assay_finding_name(t->finding),
        .reason = t->reason,
        .doc = t->doc,
        .n_spans = t->n_spans,
        .first_line = t->first_line,
        .last_line = t->last_line,
    };
}

void assay_golden_resolved_span(const assay_golden *golden, uint32_t i, uint32_t k,
                                uint64_t *start, uint64_t *end)
{
    const assay_traced *t = &golden->resolution->item[i].traced;

    *start = t->span[k].start;
    *end = t->span[k].end;
}

assay_status assay_run_place(assay_run *run, const char *corpus, uint32_t n_threads,
                             assay_run_placed *out, assay_error *err)
{
    assay_placing p;
    assay_status st = assay_place_hits(run, corpus, n_threads, &p, err);

    if (!st && out)
        *out = (assay_run_placed){.n_hits = p.n_hits,
                                  .n_by_id = p.n_by_id,
                                  .n_by_old = p.n_by_old,
                                  .n_by_text = p.n_by_text,
                                  .n_without = p.n_without,
                                  .n_ambiguous = p.n_ambiguous};
    return st;
}
