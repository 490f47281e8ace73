/* SPDX-License-Identifier: Apache-2.0 */
#include "corpus/trace_quotes.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/slice.h"
#include "corpus/corpus.h"

/* One worker's own. */
typedef struct reader {
    assay_corpus *corpus; /* opened when first needed */
    assay_buffer text;
    size_t failed_doc;
    assay_error err; /* status 0 = none */
} reader;

typedef struct place {
    int64_t version;
    assay_slice id; /* in the scratch arena */
    assay_form form;
} place;

typedef struct search {
    const char *path;
    uint32_t n_threads;
    assay_quest *quest;
    assay_arena scratch;
    place *doc;
    size_t n_docs;
    size_t cap;
    reader *crew;
} search;

static const char doing[] = "looking for texts in the corpus";

/* ---- documents ---- */

static assay_status add_doc(void *ctx, const assay_corpus_doc *doc, assay_error *err)
{
    search *s = ctx;
    place *grown = assay_mem_grow(s->doc, &s->cap, s->n_docs + 1, sizeof *grown);
    assay_slice id = {NULL, 0};

    if (grown) {
        s->doc = grown;
        id = assay_arena_copy(&s->scratch, doc->id);
    }
    if (!id.ptr)
        return assay_fail_memory(err, doing);
    s->doc[s->n_docs++] = (place){doc->version, id, doc->form};
    return ASSAY_OK;
}

static assay_status list_docs(search *s, assay_error *err)
{
    assay_corpus *corpus = NULL;
    assay_status st = assay_corpus_open(s->path, ASSAY_CORPUS_READ, &corpus, err);

    if (!st)
        st = assay_corpus_each(corpus, add_doc, s, err);
    assay_corpus_close(corpus);
    return st;
}

/* ---- looking ---- */

static assay_status look(search *s, uint32_t worker, size_t item, assay_error *err)
{
    reader *r = &s->crew[worker];
    assay_document doc = {.id = s->doc[item].id,
                          .title = ASSAY_LIT(""),
                          .form = s->doc[item].form,
                          .lang = ASSAY_LIT(""),
                          .extractor = ASSAY_LIT("")};
    assay_status st = ASSAY_OK;

    if (!r->corpus)
        st = assay_corpus_open(s->path, ASSAY_CORPUS_READ, &r->corpus, err);
    if (!st)
        st = assay_corpus_text(r->corpus, s->doc[item].version, &r->text, err);
    if (st)
        return st;
    doc.text = assay_buffer_view(&r->text);
    return assay_quest_look(s->quest, worker, &doc, (uint32_t)item, err);
}

static void work(void *ctx, uint32_t worker, size_t item)
{
    search *s = ctx;
    reader *r = &s->crew[worker];
    assay_error err = {ASSAY_OK, ""};
    assay_status st = look(s, worker, item, &err);

    /* Whoever runs first, the error of the first document is the one that is told. */
    if (st && (!r->err.status || item < r->failed_doc)) {
        r->err = err;
        r->err.status = st;
        r->failed_doc = item;
    }
}

static assay_status show_all(search *s, assay_error *err)
{
    const reader *failed = NULL;

    assay_pool_run(s->n_threads, s->n_docs, work, s);
    for (uint32_t i = 0; i < s->n_threads; i++)
        if (s->crew[i].err.status &&
            (!failed || s->crew[i].failed_doc < failed->failed_doc))
            failed = &s->crew[i];
    return failed ? assay_fail(err, failed->err.status, "%s", failed->err.text)
                  : ASSAY_OK;
}

static assay_status climb(search *s, assay_error *err)
{
    bool is_over = false;
    assay_status st = ASSAY_OK;

    while (!st && !is_over) {
        st = show_all(s, err);
        if (!st)
            st = assay_quest_next(s->quest, &is_over, err);
    }
    return st;
}

/* ---- what was found ---- */

static bool take(const search *s, const assay_sighting *seen, assay_arena *arena,
                 assay_traced *out)
{
    assay_span *span;

    *out = (assay_traced){.finding = seen->finding,
                          .rung = seen->rung,
                          .doc = ASSAY_LIT(""),
                          .n_places = seen->n_places,
                          .distance = seen->distance,
                          .chunking = ASSAY_LIT("")};
    if (seen->finding == ASSAY_FOUND_LOST)
        return true;
    span = ASSAY_ARENA_ARRAY(arena, assay_span, 1);
    out->doc = assay_arena_copy(arena, s->doc[seen->doc].id);
    if (!span || !out->doc.ptr)
        return false;
    *span = seen->span;
    out->span = span;
    out->n_spans = 1;
    return true;
}

static void release(search *s)
{
    for (uint32_t i = 0; s->crew && i < s->n_threads; i++) {
        assay_corpus_close(s->crew[i].corpus);
        assay_buffer_clear(&s->crew[i].text);
    }
    assay_mem_free(s->crew);
    assay_mem_free(s->doc);
    assay_quest_free(s->quest);
    assay_arena_clear(&s->scratch);
}

/* A worker has room of its own for every quote: no more of them than can be of use. */
static uint32_t count_threads(uint32_t n_threads, size_t n_docs)
{
    uint32_t n = n_threads ? n_threads : assay_pool_cores();

    if (n > ASSAY_POOL_MOST)
        n = ASSAY_POOL_MOST;
    if (n > n_docs)
        n = (uint32_t)n_docs;
    return n ? n : 1;
}

assay_status assay_trace_quotes(const char *path, const assay_slice *quote, size_t n,
                                uint32_t n_threads, assay_arena *arena,
                                assay_traced *traced, assay_error *err)
{
    search s = {.path = path};
    assay_status st = list_docs(&s, err);

    s.n_threads = count_threads(n_threads, s.n_docs);
    if (!st) {
        s.crew = ASSAY_NEW_ARRAY(reader, s.n_threads);
        st = s.crew ? assay_quest_new(quote, n, s.n_threads, &s.quest, err)
                    : assay_fail_memory(err, doing);
    }
    if (!st)
        st = climb(&s, err);
    for (size_t i = 0; !st && i < n; i++) {
        assay_sighting seen = assay_quest_get(s.quest, i);

        if (!take(&s, &seen, arena, &traced[i]))
            st = assay_fail_memory(err, doing);
    }
    release(&s);
    return st;
}
