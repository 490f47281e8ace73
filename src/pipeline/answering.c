/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/answering.h"

#include "base/error.h"
#include "base/slice.h"

/* A passage that is a whole document stands in it from its first byte to its last. */
static bool fill(const assay_passage *p, assay_arena *arena, assay_source_chunk *out)
{
    bool is_chunk = !assay_slice_eq(p->id, p->doc);
    assay_span *all;

    *out = (assay_source_chunk){.chunk = is_chunk ? p->id : ASSAY_LIT(""),
                                .doc = p->doc,
                                .title = p->title,
                                .text = p->text,
                                .span = p->span,
                                .n_spans = p->n_spans};
    if (is_chunk || p->n_spans || !p->text.len)
        return true;
    all = ASSAY_ARENA_ARRAY(arena, assay_span, 1);
    if (!all)
        return false;
    *all = (assay_span){0, p->text.len};
    out->span = all;
    out->n_spans = 1;
    return true;
}

assay_status assay_sources_of_retrieved(const assay_passages *passages,
                                        const assay_retrieved *hit, uint32_t n,
                                        assay_arena *arena, assay_source_chunk **out,
                                        assay_error *err)
{
    assay_source_chunk *chunk = ASSAY_ARENA_ARRAY(arena, assay_source_chunk, n + 1u);

    for (uint32_t i = 0; chunk && i < n; i++) {
        if (!fill(&passages->item[hit[i].passage], arena, &chunk[i])) {
            chunk = NULL;
            break;
        }
        chunk[i].score = hit[i].score;
        chunk[i].has_score = true;
    }
    if (!chunk)
        return assay_fail_memory(err, "collecting what an answer rests on");
    *out = chunk;
    return ASSAY_OK;
}

/* ---- hits of a run ---- */

/* The passage with this id, or null; they are sorted. */
static const assay_passage *find(const assay_passages *passages, assay_slice id)
{
    uint32_t low = 0;
    uint32_t high = passages && id.len ? passages->n : 0;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = assay_slice_cmp(passages->item[middle].id, id);

        if (order == 0)
            return &passages->item[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* What the hit says itself goes before what its passage says. */
static bool fill_hit(const assay_passages *passages, const assay_hit *hit,
                     assay_arena *arena, assay_source_chunk *out)
{
    const assay_passage *p = find(passages, hit->chunk.len ? hit->chunk : hit->doc);

    *out = (assay_source_chunk){.chunk = ASSAY_LIT(""),
                                .doc = ASSAY_LIT(""),
                                .title = ASSAY_LIT(""),
                                .text = ASSAY_LIT("")};
    if (p && !fill(p, arena, out))
        return false;
    if (hit->chunk.len)
        out->chunk = hit->chunk;
    if (hit->doc.len)
        out->doc = hit->doc;
    if (hit->text.len)
        out->text = hit->text;
    if (hit->n_spans) {
        out->span = hit->span;
        out->n_spans = hit->n_spans;
    }
    out->score = hit->score;
    out->has_score = hit->has_score;
    return true;
}

assay_status assay_sources_of_hits(const assay_passages *passages, const assay_hit *hit,
                                   uint32_t n, assay_arena *arena,
                                   assay_source_chunk **out, uint32_t *n_out,
                                   assay_error *err)
{
    assay_source_chunk *chunk = ASSAY_ARENA_ARRAY(arena, assay_source_chunk, n + 1u);
    uint32_t kept = 0;

    for (uint32_t i = 0; chunk && i < n; i++) {
        if (!fill_hit(passages, &hit[i], arena, &chunk[kept])) {
            chunk = NULL;
            break;
        }
        kept += chunk[kept].text.len > 0;
    }
    if (!chunk)
        return assay_fail_memory(err, "collecting what an answer rests on");
    *out = chunk;
    *n_out = kept;
    return ASSAY_OK;
}

assay_status assay_answer_hits(const assay_answering_by *by, void *worker,
                               const assay_passages *passages, assay_slice query,
                               const assay_hit *hit, uint32_t n, assay_arena *arena,
                               assay_answer **out, assay_error *err)
{
    assay_answer *answer = ASSAY_ARENA_ARRAY(arena, assay_answer, 1);
    assay_source_chunk *chunk;
    assay_status st = answer ? ASSAY_OK : assay_fail_memory(err, "answering");

    if (!st)
        st = assay_sources_of_hits(passages, hit, n, arena, &chunk, &n, err);
    if (!st)
        st = by->answerer->answer(worker, query, chunk, n, arena, answer, err);
    if (!st)
        *out = answer;
    return st;
}
