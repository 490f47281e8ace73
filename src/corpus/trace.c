/* SPDX-License-Identifier: Apache-2.0 */
/* Tracing: chunk ids are looked up together, clues are dealt out by document, and every
 * worker reads with a handle of its own. */
#include "corpus/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/dict.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"
#include "corpus/corpus.h"
#include "corpus/near_id.h"

/* One worker's own. */
typedef struct worker {
    assay_corpus *corpus; /* opened when first needed */
    assay_arena result;   /* what outlives the work */
    assay_arena scratch;  /* of one document */
    assay_buffer text;
    assay_buffer old; /* text of an archived version */
    uint32_t failed_doc;
    assay_error err; /* status 0 = none */
} worker;

typedef struct tracer {
    const char *path;
    const assay_trace_options *options;
    const assay_clue *clue;
    size_t n;
    assay_traced *traced;
    assay_arena scratch;            /* of the whole work */
    assay_dict ids;                 /* chunk ids asked for */
    const assay_chunk_place *place; /* by number in ids */
    assay_dict docs;                /* documents that clues lead to */
    uint32_t *doc;                  /* by clue: number in docs, or ASSAY_NONE */
    uint32_t *chunk;                /* by clue: number in ids, or ASSAY_NONE */
    uint32_t *first;                /* by document: where its clues begin in `order` */
    uint32_t *order;                /* clues, by document */
    bool *is_gone;                  /* by document: not in the corpus */
    worker *crew;
} tracer;

static const assay_chunk_place *place_of(const tracer *t, size_t i)
{
    return t->chunk[i] == ASSAY_NONE ? NULL : &t->place[t->chunk[i]];
}

static const char *say(assay_arena *arena, const char *format, ...) ASSAY_PRINTF(2, 3);

/* One line in `arena`; null: no memory. */
static const char *say(assay_arena *arena, const char *format, ...)
{
    char text[600];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return assay_arena_string(arena, assay_slice_of(text));
}

/* ---- one document ---- */

/* What a worker looks for in one document. */
typedef struct hunt {
    tracer *t;
    worker *w;
    assay_corpus_doc doc;
    const uint32_t *clue; /* numbers of its clues */
    uint32_t n;
    assay_sought *sought;
    assay_located *located;
    uint32_t
        *first; /* by clue: its first in `sought`; those of one clue are neighbours */
    size_t n_sought;
} hunt;

static bool is_todays(const hunt *h, const assay_chunk_place *place)
{
    return place->version == h->doc.version;
}

/* How many things are looked for in the text on behalf of clue `i`. */
static uint32_t n_parts(const hunt *h, size_t i)
{
    const assay_clue *clue = &h->t->clue[i];
    const assay_chunk_place *place = place_of(h->t, i);

    if (clue->kind == ASSAY_CLUE_TEXT)
        return 1;
    if (clue->kind != ASSAY_CLUE_CHUNK)
        return 0;
    if (is_todays(h, place))
        return h->t->options->with_lines;
    return place->n_spans;
}

/* The parts of an old chunk as quotes, each with its old place as the hint. */
static assay_status seek_old(hunt *h, const assay_chunk_place *place, assay_sought *out,
                             assay_error *err)
{
    assay_status st = assay_corpus_text(h->w->corpus, place->version, &h->w->old, err);

    for (uint32_t i = 0; !st && i < place->n_spans; i++) {
        assay_span span = place->span[i];
        assay_slice quote;

        if (span.end > h->w->old.len || span.start >= span.end)
            return assay_fail(err, ASSAY_EINPUT,
                              "%s: a chunk of '%.*s' lies outside its text", h->t->path,
                              ASSAY_QUOTE(place->doc));
        quote = assay_arena_copy(
            &h->w->scratch,
            (assay_slice){h->w->old.ptr + span.start, (size_t)(span.end - span.start)});
        if (!quote.ptr)
            return assay_fail_memory(err, "tracing evidence");
        out[i] = (assay_sought){.quote = quote,
                                .place = ASSAY_PLACE_SPAN,
                                .where = span,
                                .heading = ASSAY_LIT("")};
    }
    return st;
}

static assay_status seek(hunt *h, size_t i, assay_sought *out, assay_error *err)
{
    const assay_clue *clue = &h->t->clue[i];
    const assay_chunk_place *place = place_of(h->t, i);

    if (clue->kind == ASSAY_CLUE_TEXT) {
        *out = clue->sought;
        return ASSAY_OK;
    }
    if (!is_todays(h, place))
        return seek_old(h, place, out, err);
    /* Only for its lines. */
    *out = (assay_sought){
        .quote = ASSAY_LIT(""),
        .place = ASSAY_PLACE_SPAN,
        .where = {place->span[0].start, place->span[place->n_spans - 1].end},
        .heading = ASSAY_LIT("")};
    return ASSAY_OK;
}

static assay_status look_in_text(hunt *h, assay_error *err)
{
    assay_document doc;
    assay_status st = ASSAY_OK;

    h->sought = ASSAY_ARENA_ARRAY(&h->w->scratch, assay_sought, h->n_sought);
    h->located = ASSAY_ARENA_ARRAY(&h->w->scratch, assay_located, h->n_sought);
    if (!h->sought || !h->located)
        return assay_fail_memory(err, "tracing evidence");
    for (uint32_t i = 0; !st && i < h->n; i++)
        if (n_parts(h, h->clue[i]))
            st = seek(h, h->clue[i], &h->sought[h->first[i]], err);
    if (!st)
        st = assay_corpus_text(h->w->corpus, h->doc.version, &h->w->text, err);
    if (st)
        return st;
    doc = assay_corpus_document(&h->doc, assay_buffer_view(&h->w->text));
    return assay_locate(&doc, h->sought, h->n_sought, h->located, &h->w->result, err);
}

/* ---- what was found ---- */

static bool copy_spans(worker *w, const assay_span *span, uint32_t n, assay_traced *out)
{
    assay_span *own = ASSAY_ARENA_ARRAY(&w->result, assay_span, n);

    if (!own)
        return false;
    memcpy(own, span, n * sizeof *own);
    out->span = own;
    out->n_spans = (uint32_t)assay_span_union(own, n);
    return true;
}

static bool take_text(worker *w, const assay_located *l, assay_traced *out)
{
    out->finding = l->finding;
    out->rung = l->rung;
    out->n_places = l->n_places;
    out->distance = l->distance;
    out->first_line = l->first_line;
    out->last_line = l->last_line;
    out->reason = l->reason;
    return l->finding == ASSAY_FOUND_LOST || copy_spans(w, &l->span, 1, out);
}

/* The parts of an old chunk, put together again. */
typedef struct parts {
    uint64_t bytes; /* that the chunk had */
    uint64_t found; /* of them in parts that were found */
    uint32_t n_found;
    uint32_t n_ambiguous;
    uint32_t n_moved;
    assay_rung rung; /* the lowest that was needed */
} parts;

static parts add_up(const assay_located *l, const assay_chunk_place *place,
                    assay_span *span, assay_traced *out)
{
    parts p = {.rung = ASSAY_RUNG_NONE};

    for (uint32_t i = 0; i < place->n_spans; i++) {
        uint64_t bytes = place->span[i].end - place->span[i].start;

        p.bytes += bytes;
        p.n_ambiguous += l[i].finding == ASSAY_FOUND_AMBIGUOUS;
        p.n_moved += l[i].finding == ASSAY_FOUND_MOVED;
        if (l[i].finding == ASSAY_FOUND_LOST)
            continue;
        p.found += bytes;
        p.rung = l[i].rung > p.rung ? l[i].rung : p.rung;
        if (!p.n_found || l[i].first_line < out->first_line)
            out->first_line = l[i].first_line;
        if (l[i].last_line > out->last_line)
            out->last_line = l[i].last_line;
        out->distance += l[i].distance;
        span[p.n_found++] = l[i].span;
    }
    return p;
}

static bool take_old(worker *w, const assay_located *l, const assay_chunk_place *place,
                     assay_traced *out)
{
    assay_span *span = ASSAY_ARENA_ARRAY(&w->scratch, assay_span, place->n_spans);
    parts p;

    if (!span)
        return false;
    p = add_up(l, place, span, out);
    out->is_old = true;
    /* Half of it gone is no longer the same evidence. */
    if (!p.n_found || p.found < p.bytes - p.found) {
        out->first_line = out->last_line = 0;
        out->distance = 0;
        out->finding = ASSAY_FOUND_LOST;
        out->reason = say(&w->result, "the chunk's text is no longer in '%.*s'",
                          ASSAY_QUOTE(place->doc));
        return out->reason != NULL;
    }
    out->rung = p.rung;
    out->finding = p.n_ambiguous                             ? ASSAY_FOUND_AMBIGUOUS
                   : p.n_moved || p.n_found < place->n_spans ? ASSAY_FOUND_MOVED
                                                             : ASSAY_FOUND_RESOLVED;
    out->n_places = 1;
    if (p.n_found < place->n_spans)
        out->reason = say(&w->result, "%u of %u parts of an older text's chunk are left",
                          p.n_found, place->n_spans);
    else if (out->finding != ASSAY_FOUND_RESOLVED)
        out->reason = say(&w->result, "a chunk of an older text, found again");
    if (out->finding != ASSAY_FOUND_RESOLVED && !out->reason)
        return false;
    return copy_spans(w, span, p.n_found, out);
}

static bool take_chunk(hunt *h, size_t i, const assay_located *l, assay_traced *out)
{
    const assay_clue *clue = &h->t->clue[i];
    const assay_chunk_place *place = place_of(h->t, i);
    bool is_elsewhere = clue->doc.len && !assay_slice_eq(clue->doc, place->doc);

    out->chunking = assay_arena_copy(&h->w->result, place->chunking);
    if (!out->chunking.ptr)
        return false;
    if (!is_todays(h, place))
        return take_old(h->w, l, place, out);
    if (l) {
        out->first_line = l->first_line;
        out->last_line = l->last_line;
    }
    out->finding = ASSAY_FOUND_RESOLVED;
    out->n_places = 1;
    if (is_elsewhere) {
        out->finding = ASSAY_FOUND_MOVED;
        out->reason = say(&h->w->result, "the chunk is in '%.*s', not in '%.*s'",
                          ASSAY_QUOTE(place->doc), ASSAY_QUOTE(clue->doc));
    }
    return (!is_elsewhere || out->reason) &&
           copy_spans(h->w, place->span, place->n_spans, out);
}

static bool take_all(hunt *h)
{
    bool ok = true;

    for (uint32_t i = 0; ok && i < h->n; i++) {
        uint32_t number = h->clue[i];
        const assay_located *l = n_parts(h, number) ? &h->located[h->first[i]] : NULL;
        assay_traced *out = &h->t->traced[number];

        out->doc = assay_arena_copy(&h->w->result, h->doc.id);
        ok = out->doc.ptr != NULL;
        out->finding = ASSAY_FOUND_RESOLVED;
        if (ok && h->t->clue[number].kind == ASSAY_CLUE_TEXT)
            ok = take_text(h->w, l, out);
        else if (ok && h->t->clue[number].kind == ASSAY_CLUE_CHUNK)
            ok = take_chunk(h, number, l, out);
    }
    return ok;
}

static assay_status trace_doc(tracer *t, worker *w, uint32_t doc, assay_error *err)
{
    hunt h = {.t = t,
              .w = w,
              .clue = t->order + t->first[doc],
              .n = t->first[doc + 1] - t->first[doc]};
    bool is_there;
    assay_status st = ASSAY_OK;

    assay_arena_reset(&w->scratch);
    if (!w->corpus)
        st = assay_corpus_open(t->path, ASSAY_CORPUS_READ, &w->corpus, err);
    if (!st)
        st = assay_corpus_find(w->corpus, t->docs.word[doc], &w->scratch, &h.doc,
                               &is_there, err);
    if (st)
        return st;
    t->is_gone[doc] = !is_there;
    if (!is_there)
        return ASSAY_OK;
    h.first = ASSAY_ARENA_ARRAY(&w->scratch, uint32_t, h.n);
    if (!h.first)
        return assay_fail_memory(err, "tracing evidence");
    for (uint32_t i = 0; i < h.n; i++) {
        h.first[i] = (uint32_t)h.n_sought;
        h.n_sought += n_parts(&h, h.clue[i]);
    }
    if (h.n_sought)
        st = look_in_text(&h, err);
    if (!st && !take_all(&h))
        st = assay_fail_memory(err, "tracing evidence");
    return st;
}

static void work(void *ctx, uint32_t number, size_t item)
{
    tracer *t = ctx;
    worker *w = &t->crew[number];
    assay_error err = {ASSAY_OK, ""};
    assay_status st = trace_doc(t, w, (uint32_t)item, &err);

    /* Whoever runs first, the error of the first document is the one that is told. */
    if (st && (!w->err.status || item < w->failed_doc)) {
        w->err = err;
        w->err.status = st;
        w->failed_doc = (uint32_t)item;
    }
}

/* ---- dealing out ---- */

/* Look up every chunk id that a clue names, all at once. */
static assay_status find_chunks(tracer *t, assay_corpus *corpus, assay_error *err)
{
    assay_chunk_place *place;

    for (size_t i = 0; i < t->n; i++) {
        t->chunk[i] = ASSAY_NONE;
        if (t->clue[i].kind == ASSAY_CLUE_CHUNK &&
            !assay_dict_put(&t->ids, NULL, t->clue[i].chunk, &t->chunk[i], NULL))
            return assay_fail_memory(err, "tracing evidence");
    }
    if (!t->ids.n)
        return ASSAY_OK;
    place = ASSAY_ARENA_ARRAY(&t->scratch, assay_chunk_place, t->ids.n);
    if (!place)
        return assay_fail_memory(err, "tracing evidence");
    t->place = place;
    return assay_corpus_places(corpus, t->ids.word, t->ids.n, &t->scratch, place, err);
}

/* The document that clue `i` leads to; "" = nowhere. */
static assay_slice doc_of(const tracer *t, size_t i)
{
    const assay_chunk_place *place = place_of(t, i);

    switch (t->clue[i].kind) {
    case ASSAY_CLUE_DOC:
    case ASSAY_CLUE_TEXT: return t->clue[i].doc;
    case ASSAY_CLUE_CHUNK:
        if (place->is_there && place->n_spans)
            return place->doc;
        break;
    case ASSAY_CLUE_NONE: break;
    }
    return ASSAY_LIT("");
}

/* Clues by document, in the order in which documents first come up. */
static bool deal_out(tracer *t)
{
    uint32_t *next;

    for (size_t i = 0; i < t->n; i++) {
        assay_slice doc = doc_of(t, i);

        t->doc[i] = ASSAY_NONE;
        if (doc.len && !assay_dict_put(&t->docs, NULL, doc, &t->doc[i], NULL))
            return false;
    }
    t->first = ASSAY_ARENA_ARRAY(&t->scratch, uint32_t, (size_t)t->docs.n + 2);
    t->order = ASSAY_ARENA_ARRAY(&t->scratch, uint32_t, t->n);
    t->is_gone = ASSAY_ARENA_ARRAY(&t->scratch, bool, t->docs.n);
    if (!t->first || !t->order || !t->is_gone)
        return false;
    next = t->first + 1; /* counts, then places: one step ahead of `first` */
    for (size_t i = 0; i < t->n; i++)
        if (t->doc[i] != ASSAY_NONE)
            next[t->doc[i] + 1]++;
    for (uint32_t d = 0; d < t->docs.n; d++)
        next[d + 1] += next[d];
    for (size_t i = 0; i < t->n; i++)
        if (t->doc[i] != ASSAY_NONE)
            t->order[next[t->doc[i]]++] = (uint32_t)i;
    return true;
}

/* ---- what is lost ---- */

static const char *gone_words(const assay_clue *clue, assay_slice doc, assay_slice near,
                              assay_arena *arena)
{
    const char *what =
        clue->kind == ASSAY_CLUE_CHUNK ? "the chunk's document" : "document";

    if (near.len)
        return say(arena, "%s '%.*s' is not in the corpus; is it '%.*s' now?", what,
                   ASSAY_QUOTE(doc), ASSAY_QUOTE(near));
    return say(arena, "%s '%.*s' is not in the corpus", what, ASSAY_QUOTE(doc));
}

static assay_status say_lost(tracer *t, assay_corpus *corpus, assay_arena *arena,
                             assay_error *err)
{
    assay_slice *near = ASSAY_ARENA_ARRAY(&t->scratch, assay_slice, t->docs.n);
    assay_status st;

    if (!near)
        return assay_fail_memory(err, "tracing evidence");
    st = assay_near_ids(corpus, t->docs.word, t->is_gone, t->docs.n, &t->scratch, near,
                        err);
    for (size_t i = 0; !st && i < t->n; i++) {
        assay_traced *out = &t->traced[i];
        const assay_clue *clue = &t->clue[i];

        if (t->doc[i] != ASSAY_NONE && !t->is_gone[t->doc[i]])
            continue;
        *out = (assay_traced){.finding = ASSAY_FOUND_LOST, .doc = clue->doc};
        out->chunking = ASSAY_LIT("");
        if (t->doc[i] != ASSAY_NONE)
            out->reason =
                gone_words(clue, t->docs.word[t->doc[i]], near[t->doc[i]], arena);
        else if (clue->kind == ASSAY_CLUE_CHUNK)
            out->reason = say(arena,
                              "chunk '%.*s' is in no cut of the corpus, today's "
                              "or archived",
                              ASSAY_QUOTE(clue->chunk));
        else
            continue;
        if (!out->reason)
            st = assay_fail_memory(err, "tracing evidence");
    }
    return st;
}

/* ---- the whole ---- */

static assay_status run_crew(tracer *t, assay_arena *arena, assay_error *err)
{
    const worker *failed = NULL;

    assay_pool_run(t->options->n_threads, t->docs.n, work, t);
    for (uint32_t i = 0; i < ASSAY_POOL_MOST; i++) {
        worker *w = &t->crew[i];

        if (w->err.status && (!failed || w->failed_doc < failed->failed_doc))
            failed = w;
        assay_arena_take(arena, &w->result);
    }
    return failed ? assay_fail(err, failed->err.status, "%s", failed->err.text)
                  : ASSAY_OK;
}

static void release(tracer *t)
{
    for (uint32_t i = 0; t->crew && i < ASSAY_POOL_MOST; i++) {
        worker *w = &t->crew[i];

        assay_corpus_close(w->corpus);
        assay_buffer_clear(&w->text);
        assay_buffer_clear(&w->old);
        assay_arena_clear(&w->scratch);
        assay_arena_clear(&w->result);
    }
    assay_mem_free(t->crew);
    assay_dict_clear(&t->ids);
    assay_dict_clear(&t->docs);
    assay_arena_clear(&t->scratch);
}

assay_status assay_trace(const char *path, const assay_clue *clue, size_t n,
                         const assay_trace_options *options, assay_arena *arena,
                         assay_traced *traced, assay_error *err)
{
    tracer t = {.path = path, .options = options, .clue = clue, .n = n, .traced = traced};
    assay_corpus *corpus = NULL;
    assay_status st = assay_corpus_open(path, ASSAY_CORPUS_READ, &corpus, err);

    if (st)
        return st;
    t.crew = ASSAY_NEW_ARRAY(worker, ASSAY_POOL_MOST);
    t.doc = ASSAY_ARENA_ARRAY(&t.scratch, uint32_t, n);
    t.chunk = ASSAY_ARENA_ARRAY(&t.scratch, uint32_t, n);
    if (!t.crew || !t.doc || !t.chunk) {
        st = assay_fail_memory(err, "tracing evidence");
        goto done;
    }
    for (size_t i = 0; i < n; i++)
        traced[i] = (assay_traced){.chunking = ASSAY_LIT("")};
    st = find_chunks(&t, corpus, err);
    if (!st && !deal_out(&t))
        st = assay_fail_memory(err, "tracing evidence");
    if (!st)
        st = run_crew(&t, arena, err);
    if (!st)
        st = say_lost(&t, corpus, arena, err);

done:
    release(&t);
    assay_corpus_close(corpus);
    return st;
}
