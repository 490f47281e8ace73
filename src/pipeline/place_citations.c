/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/place_citations.h"

#include "base/dict.h"
#include "base/error.h"
#include "base/slice.h"
#include "corpus/corpus.h"
#include "corpus/locate_place.h"

typedef struct finder {
    assay_run *run;
    assay_corpus *corpus;
    assay_dict chunks; /* ids that are cited */
    assay_dict docs;   /* documents and paths that are */
    assay_buffer text;
    assay_placer placer;
    assay_slice placed; /* the document that `placer` is of, "" = none */
} finder;

static assay_status no_memory(assay_error *err)
{
    return assay_fail_memory(err, "looking citations up");
}

/* ---- what is cited ---- */

static bool put(assay_dict *dict, assay_slice word)
{
    uint32_t number;

    return !word.len || assay_dict_put(dict, NULL, word, &number, NULL);
}

static bool collect(finder *f)
{
    for (uint32_t i = 0; i < f->run->n_results; i++) {
        const assay_answer *a = f->run->result[i].answer;

        for (uint32_t c = 0; a && c < a->n_citations; c++)
            if (!put(&f->chunks, a->citation[c].chunk) ||
                !put(&f->docs, a->citation[c].doc) || !put(&f->docs, a->citation[c].path))
                return false;
    }
    return true;
}

/* ---- what there is ---- */

static assay_status find_chunks(finder *f, assay_error *err)
{
    assay_arena *arena = &f->run->arena;
    assay_cited *cited = &f->run->cited;
    assay_chunk_place *place =
        ASSAY_ARENA_ARRAY(arena, assay_chunk_place, f->chunks.n + 1u);
    assay_status st;

    cited->chunk = ASSAY_ARENA_ARRAY(arena, assay_cited_chunk, f->chunks.n + 1u);
    if (!place || !cited->chunk)
        return no_memory(err);
    if (!f->chunks.n)
        return ASSAY_OK;
    st = assay_corpus_places(f->corpus, f->chunks.word, f->chunks.n, arena, place, err);
    for (uint32_t i = 0; !st && i < f->chunks.n; i++)
        if (place[i].is_there)
            cited->chunk[cited->n_chunks++] = (assay_cited_chunk){
                f->chunks.word[i], place[i].doc, place[i].span, place[i].n_spans};
    return st;
}

static assay_status find_docs(finder *f, assay_error *err)
{
    assay_arena *arena = &f->run->arena;
    assay_cited *cited = &f->run->cited;
    assay_status st = ASSAY_OK;

    cited->doc = ASSAY_ARENA_ARRAY(arena, assay_cited_doc, f->docs.n + 1u);
    if (!cited->doc)
        return no_memory(err);
    for (uint32_t i = 0; !st && i < f->docs.n; i++) {
        assay_corpus_doc doc;
        bool is_there = false;

        st = assay_corpus_find(f->corpus, f->docs.word[i], arena, &doc, &is_there, err);
        if (!st && is_there)
            cited->doc[cited->n_docs++] = (assay_cited_doc){f->docs.word[i], doc.bytes};
    }
    return st;
}

/* ---- lines to bytes ---- */

/* Make the placer that of `id`; *is_there: the corpus has it. */
static assay_status open_text(finder *f, assay_slice id, bool *is_there, assay_error *err)
{
    assay_corpus_doc doc;
    assay_status st;

    *is_there = id.len > 0;
    if (!id.len || assay_slice_eq(id, f->placed))
        return ASSAY_OK;
    st = assay_corpus_find(f->corpus, id, &f->run->arena, &doc, is_there, err);
    if (st || !*is_there)
        return st;
    if (f->placed.len)
        assay_placer_clear(&f->placer);
    f->placed = (assay_slice){"", 0};
    st = assay_corpus_text(f->corpus, doc.version, &f->text, err);
    if (!st && !assay_placer_init(&f->placer, assay_buffer_view(&f->text)))
        st = no_memory(err);
    if (!st)
        f->placed = id;
    return st;
}

static assay_status place_lines(finder *f, assay_citation *c, assay_error *err)
{
    bool is_there = false;
    bool is_inside = false;
    assay_span span;
    assay_status st = open_text(f, c->doc, &is_there, err);

    if (!st && !is_there)
        st = open_text(f, c->path, &is_there, err);
    if (st || !is_there)
        return st;
    if (!assay_placer_span(&f->placer, ASSAY_PLACE_LINES, c->lines, &span, &is_inside))
        return no_memory(err);
    if (is_inside)
        c->span = span;
    else
        c->is_beyond = true;
    return ASSAY_OK;
}

static assay_status place_all(finder *f, assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (uint32_t i = 0; i < f->run->n_results; i++) {
        assay_answer *a = f->run->result[i].answer;

        for (uint32_t c = 0; a && !st && c < a->n_citations; c++)
            if (a->citation[c].lines.end && !a->citation[c].span.end)
                st = place_lines(f, &a->citation[c], err);
    }
    return st;
}

assay_status assay_place_citations(assay_run *run, const char *corpus, assay_error *err)
{
    finder f = {.run = run, .placed = {"", 0}};
    assay_status st;

    run->cited = (assay_cited){0};
    if (!collect(&f))
        st = no_memory(err);
    else
        st = f.chunks.n + f.docs.n
                 ? assay_corpus_open(corpus, ASSAY_CORPUS_READ, &f.corpus, err)
                 : ASSAY_OK;
    if (!st && f.corpus)
        st = find_chunks(&f, err);
    if (!st && f.corpus)
        st = find_docs(&f, err);
    if (!st && f.corpus)
        st = place_all(&f, err);
    if (f.placed.len)
        assay_placer_clear(&f.placer);
    assay_buffer_clear(&f.text);
    assay_corpus_close(f.corpus);
    assay_dict_clear(&f.chunks);
    assay_dict_clear(&f.docs);
    return st;
}
