/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/place_hits.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "corpus/trace_quotes.h"
#include "pipeline/place_citations.h"
#include "run/trec_lines.h"

/* What a hit is looked up by, one pass each; what one finds the next ones leave alone. */
typedef enum pass_kind {
    BY_ID,
    BY_LINES,
    BY_TEXT_IN_DOC,
    BY_TEXT_ALONE,
    N_PASSES
} pass_kind;

typedef struct placer {
    assay_run *run;
    const char *corpus;
    uint32_t n_threads;
    bool is_trec;
    assay_dict keys;  /* what is looked up, each once */
    assay_arena room; /* of the keys */
    assay_clue *clue; /* by number of the key */
    size_t cap;
    assay_traced *traced;
    assay_placing counts;
    bool is_mixed; /* chunks of several chunkings */
} placer;

/* ---- a TREC run as results ---- */

static assay_status unfold(assay_run *run, assay_error *err)
{
    uint32_t n = assay_run_n(run);
    assay_result *result = ASSAY_NEW_ARRAY(assay_result, (size_t)n + 1);
    assay_status st = ASSAY_OK;

    if (!result)
        return assay_fail_memory(err, "placing hits");
    for (uint32_t i = 0; !st && i < n; i++)
        st = assay_run_result(run, i, &run->arena, &result[i], err);
    if (st) {
        assay_mem_free(result);
        return st;
    }
    assay_trec_lines_close(run->trec);
    run->trec = NULL;
    run->result = result;
    run->n_results = n;
    run->cap_results = (size_t)n + 1;
    return ASSAY_OK;
}

/* ---- what is looked up ---- */

/* Document and lines or text in one, since they may stand in several documents; a null
 * pointer where memory is missing. */
static assay_slice join(placer *p, const assay_hit *hit)
{
    assay_buffer b = ASSAY_BUFFER_EMPTY;
    assay_slice key;

    assay_buffer_slice(&b, hit->doc);
    assay_buffer_char(&b, '\0');
    if (hit->has_lines)
        assay_buffer_printf(&b, "%" PRIu64 "-%" PRIu64, hit->span->start, hit->span->end);
    else
        assay_buffer_slice(&b, hit->text);
    key = assay_arena_copy(&p->room, assay_buffer_view(&b));
    if (b.has_failed)
        key.ptr = NULL;
    assay_buffer_clear(&b);
    return key;
}

/* Lines are of a document; without one the text has to do. */
static bool is_by_lines(const assay_hit *hit)
{
    return hit->has_lines && hit->doc.len;
}

/* "" = this pass is not for the hit; a null pointer: no memory. */
static assay_slice key_of(placer *p, pass_kind kind, const assay_hit *hit)
{
    bool has_text = assay_slice_trim(hit->text).len > 0;

    if (hit->n_spans)
        return ASSAY_LIT("");
    if (kind == BY_ID)
        return p->is_trec && !hit->chunk.len ? hit->doc : hit->chunk;
    if (is_by_lines(hit) != (kind == BY_LINES) || (kind != BY_LINES && !has_text) ||
        (hit->doc.len > 0) != (kind != BY_TEXT_ALONE))
        return ASSAY_LIT("");
    return kind == BY_TEXT_ALONE ? hit->text : join(p, hit);
}

static assay_clue clue_of(const assay_hit *hit, assay_slice key, pass_kind kind)
{
    bool is_id = kind == BY_ID;
    assay_clue clue = {.kind = is_id ? ASSAY_CLUE_CHUNK : ASSAY_CLUE_TEXT};

    clue.doc = is_id ? ASSAY_LIT("") : hit->doc;
    clue.chunk = is_id ? key : ASSAY_LIT("");
    clue.sought =
        (assay_sought){.quote = is_id || kind == BY_LINES ? ASSAY_LIT("") : hit->text,
                       .heading = ASSAY_LIT("")};
    if (kind == BY_LINES) {
        clue.sought.place = ASSAY_PLACE_LINES;
        clue.sought.where = *hit->span;
    }
    return clue;
}

static bool collect(placer *p, pass_kind kind)
{
    for (uint32_t i = 0; i < p->run->n_results; i++)
        for (uint32_t h = 0; h < p->run->result[i].n_hits; h++) {
            const assay_hit *hit = &p->run->result[i].hit[h];
            assay_slice word = key_of(p, kind, hit);
            assay_clue *grown;
            uint32_t number;
            bool is_new;

            if (!word.ptr)
                return false;
            if (!word.len)
                continue;
            grown =
                assay_mem_grow(p->clue, &p->cap, (size_t)p->keys.n + 1, sizeof *grown);
            if (!grown)
                return false;
            p->clue = grown;
            if (!assay_dict_put(&p->keys, NULL, word, &number, &is_new))
                return false;
            if (is_new)
                p->clue[number] = clue_of(hit, word, kind);
        }
    return true;
}

/* ---- what was found ---- */

static void note_chunking(placer *p, const assay_traced *t)
{
    if (t->is_old || !t->chunking.len)
        return;
    if (!p->counts.chunking.len)
        p->counts.chunking = t->chunking;
    else if (!assay_slice_eq(p->counts.chunking, t->chunking))
        p->is_mixed = true;
}

static bool is_found(const assay_traced *t)
{
    return t->n_spans &&
           (t->finding == ASSAY_FOUND_RESOLVED || t->finding == ASSAY_FOUND_MOVED);
}

static void take_chunk(placer *p, const assay_traced *t, assay_hit *hit)
{
    if (p->is_trec && !hit->chunk.len) {
        hit->chunk = hit->doc;
        hit->doc = ASSAY_LIT("");
    }
    p->counts.n_redocumented += hit->doc.len && !assay_slice_eq(hit->doc, t->doc);
    note_chunking(p, t);
    if (t->is_old)
        p->counts.n_by_old++;
    else
        p->counts.n_by_id++;
}

static void take(placer *p, const assay_traced *t, pass_kind kind, assay_hit *hit)
{
    bool is_text = kind == BY_TEXT_IN_DOC || kind == BY_TEXT_ALONE;

    if (!is_found(t)) {
        p->counts.n_ambiguous += is_text && t->finding == ASSAY_FOUND_AMBIGUOUS;
        p->counts.n_lost += is_text && t->finding != ASSAY_FOUND_AMBIGUOUS;
        p->counts.n_beyond += kind == BY_LINES;
        return;
    }
    if (kind == BY_ID)
        take_chunk(p, t, hit);
    p->counts.n_by_lines += kind == BY_LINES;
    p->counts.n_by_text += is_text;
    hit->doc = t->doc;
    hit->span = t->span;
    hit->n_spans = t->n_spans;
    hit->has_lines = false;
}

static bool hand_out(placer *p, pass_kind kind)
{
    for (uint32_t i = 0; i < p->run->n_results; i++)
        for (uint32_t h = 0; h < p->run->result[i].n_hits; h++) {
            assay_hit *hit = &p->run->result[i].hit[h];
            assay_slice word = key_of(p, kind, hit);

            if (!word.ptr)
                return false;
            if (word.len)
                take(p, &p->traced[assay_dict_find(&p->keys, word)], kind, hit);
        }
    return true;
}

static assay_status trace(placer *p, pass_kind kind, assay_error *err)
{
    const assay_trace_options o = {.n_threads = p->n_threads};

    if (kind == BY_TEXT_ALONE)
        return assay_trace_quotes(p->corpus, p->keys.word, p->keys.n, p->n_threads,
                                  &p->run->arena, p->traced, err);
    return assay_trace(p->corpus, p->clue, p->keys.n, &o, &p->run->arena, p->traced, err);
}

static assay_status pass(placer *p, pass_kind kind, assay_error *err)
{
    assay_status st = ASSAY_OK;

    if (!collect(p, kind))
        st = assay_fail_memory(err, "placing hits");
    if (!st && p->keys.n) {
        p->traced = ASSAY_NEW_ARRAY(assay_traced, p->keys.n);
        st = p->traced ? trace(p, kind, err) : assay_fail_memory(err, "placing hits");
        if (!st && !hand_out(p, kind))
            st = assay_fail_memory(err, "placing hits");
    }
    assay_mem_free(p->traced);
    p->traced = NULL;
    assay_dict_clear(&p->keys);
    return st;
}

/* Count, and say anew what the run has. */
static void finish(placer *p)
{
    assay_run *run = p->run;
    assay_placing *c = &p->counts;

    for (uint32_t i = 0; i < run->n_results; i++) {
        assay_result *r = &run->result[i];
        unsigned seen = ASSAY_SEEN_DONE;

        for (uint32_t h = 0; h < r->n_hits; h++) {
            seen |= assay_run_seen(&r->hit[h]);
            run->has_chunks |= r->hit[h].chunk.len > 0;
            run->has_docs |= r->hit[h].doc.len > 0;
            run->has_spans |= r->hit[h].n_spans > 0;
            c->n_without += !r->hit[h].n_spans;
        }
        r->seen = (uint8_t)seen;
    }
    c->n_hits = c->n_by_id + c->n_by_old + c->n_by_lines + c->n_by_text + c->n_without;
    if (p->is_mixed)
        c->chunking = ASSAY_LIT("");
}

assay_status assay_place_hits(assay_run *run, const char *corpus, uint32_t n_threads,
                              assay_placing *out, assay_error *err)
{
    placer p = {.run = run, .corpus = corpus, .n_threads = n_threads};
    assay_status st = ASSAY_OK;

    p.counts.chunking = ASSAY_LIT("");
    p.is_trec = run->trec != NULL;
    if (p.is_trec)
        st = unfold(run, err);
    for (unsigned kind = BY_ID; !st && kind < N_PASSES; kind++)
        st = pass(&p, (pass_kind)kind, err);
    if (!st && run->has_answers)
        st = assay_place_citations(run, corpus, err);
    if (!st) {
        finish(&p);
        *out = p.counts;
    }
    assay_mem_free(p.clue);
    assay_arena_clear(&p.room);
    return st;
}

static bool note_without(const assay_placing *c, const char *run, assay_notes *notes,
                         assay_arena *arena)
{
    char why[120] = "";

    if (c->n_beyond)
        snprintf(why, sizeof why,
                 ": the corpus has no such document or lines for %" PRIu64, c->n_beyond);
    else if (c->n_ambiguous || c->n_lost)
        snprintf(why, sizeof why,
                 ": the text of %" PRIu64 " is nowhere, that of %" PRIu64
                 " at several places",
                 c->n_lost, c->n_ambiguous);
    return assay_notes_add(notes, arena,
                           "%s: %" PRIu64 " of %" PRIu64
                           " hits have no place in the corpus and find no evidence%s",
                           run, c->n_without, c->n_hits, why);
}

bool assay_placing_note(const assay_placing *placing, const char *run, assay_notes *notes,
                        assay_arena *arena)
{
    const assay_placing *c = placing;
    bool ok = true;

    if (c->n_by_old || c->n_by_text)
        ok =
            assay_notes_add(notes, arena,
                            "%s: %" PRIu64 " hits placed by chunk id, %" PRIu64
                            " by the text of older chunks, %" PRIu64 " by their own text",
                            run, c->n_by_id, c->n_by_old, c->n_by_text);
    if (ok && c->n_by_lines)
        ok = assay_notes_add(notes, arena, "%s: %" PRIu64 " hits placed by their lines",
                             run, c->n_by_lines);
    if (ok && c->n_without)
        ok = note_without(c, run, notes, arena);
    if (ok && c->n_redocumented)
        ok = assay_notes_add(notes, arena,
                             "%s: %" PRIu64
                             " hits name another document than their chunk is in; the "
                             "corpus's counts",
                             run, c->n_redocumented);
    return ok;
}
