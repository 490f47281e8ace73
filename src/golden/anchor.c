/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/anchor.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "corpus/corpus.h"
#include "golden/native.h"
#include "golden/native_edit.h"

/* ---- what changes ---- */

static assay_judgment *judgment_of(const assay_golden *golden, const assay_resolved *item)
{
    return &golden->query[item->query].judgment[item->judgment];
}

static bool is_found(const assay_resolved *item)
{
    return item->traced.finding == ASSAY_FOUND_RESOLVED ||
           item->traced.finding == ASSAY_FOUND_MOVED;
}

/* What is to be done, as far as it can be told without the text. */
static assay_anchoring plan(const assay_golden *golden, const assay_resolved *item)
{
    const assay_judgment *j = judgment_of(golden, item);
    bool is_chunk = strcmp(item->what, "chunk") == 0;

    if (!is_found(item))
        return ASSAY_ANCHOR_STALE;
    if (is_chunk)
        return item->traced.n_spans == 1 ? ASSAY_ANCHOR_MADE : ASSAY_ANCHOR_UNFIT;
    if (j->quote.len && j->place != ASSAY_PLACE_NONE &&
        item->traced.finding == ASSAY_FOUND_MOVED)
        return ASSAY_ANCHOR_MOVED;
    return ASSAY_ANCHOR_KEPT;
}

static void move_place(const assay_traced *t, assay_judgment *j)
{
    bool is_lines = j->place == ASSAY_PLACE_LINES;

    j->place = is_lines ? ASSAY_PLACE_LINES : ASSAY_PLACE_SPAN;
    j->where = is_lines ? (assay_span){t->first_line, t->last_line} : t->span[0];
}

/* ---- texts ---- */

/* Documents are read one after the other, each once for a run of neighbours: judgments of
 * one query mostly are of one document. */
typedef struct texts {
    assay_corpus *corpus;
    assay_arena scratch;
    assay_slice doc; /* whose text is in `text`; "" = none */
    assay_buffer text;
} texts;

static assay_status text_of(texts *t, assay_slice doc, assay_error *err)
{
    assay_corpus_doc found;
    bool is_there;
    assay_status st;

    if (t->doc.len && assay_slice_eq(t->doc, doc))
        return ASSAY_OK;
    assay_arena_reset(&t->scratch);
    t->doc = ASSAY_LIT("");
    st = assay_corpus_find(t->corpus, doc, &t->scratch, &found, &is_there, err);
    if (!st && !is_there)
        st = assay_fail(err, ASSAY_EINPUT, "document '%.*s' went away meanwhile",
                        ASSAY_QUOTE(doc));
    if (!st)
        st = assay_corpus_text(t->corpus, found.version, &t->text, err);
    if (!st)
        t->doc = doc;
    return st;
}

static assay_status make_anchor(texts *t, assay_golden *golden,
                                const assay_resolved *item, uint8_t *is, assay_error *err)
{
    assay_judgment *j = judgment_of(golden, item);
    assay_span span = item->traced.span[0];
    assay_slice quote;
    assay_status st = text_of(t, item->traced.doc, err);

    if (st)
        return st;
    if (span.end > t->text.len)
        return assay_fail(err, ASSAY_EINPUT, "document '%.*s' was changed meanwhile",
                          ASSAY_QUOTE(item->traced.doc));
    quote = (assay_slice){t->text.ptr + span.start, (size_t)(span.end - span.start)};
    if (assay_utf8_valid(quote) < quote.len || !assay_slice_trim(quote).len) {
        *is = ASSAY_ANCHOR_UNFIT;
        return ASSAY_OK;
    }
    j->quote = assay_arena_copy(&golden->arena, quote);
    if (!j->quote.ptr)
        return assay_fail_memory(err, "anchoring a golden set");
    j->place = ASSAY_PLACE_SPAN;
    j->where = span;
    j->chunk = ASSAY_NONE;
    return ASSAY_OK;
}

assay_status assay_anchor_all(assay_golden *golden, const assay_resolution *resolution,
                              const char *corpus, assay_anchored *out, assay_error *err)
{
    texts t = {.doc = ASSAY_LIT("")};
    assay_anchored a = {.is = ASSAY_ARENA_ARRAY(&golden->arena, uint8_t, resolution->n)};
    assay_status st;

    if (!a.is)
        return assay_fail_memory(err, "anchoring a golden set");
    st = assay_corpus_open(corpus, ASSAY_CORPUS_READ, &t.corpus, err);
    for (uint32_t i = 0; !st && i < resolution->n; i++) {
        const assay_resolved *item = &resolution->item[i];

        a.is[i] = (uint8_t)plan(golden, item);
        if (a.is[i] == ASSAY_ANCHOR_MADE)
            st = make_anchor(&t, golden, item, &a.is[i], err);
        else if (a.is[i] == ASSAY_ANCHOR_MOVED)
            move_place(&item->traced, judgment_of(golden, item));
        a.count[a.is[i]]++;
    }
    assay_corpus_close(t.corpus);
    assay_arena_clear(&t.scratch);
    assay_buffer_clear(&t.text);
    if (!st)
        *out = a;
    return st;
}

/* ---- writing ---- */

static assay_status edit_file(const assay_golden *golden,
                              const assay_resolution *resolution,
                              const assay_anchored *anchored, assay_slice text,
                              assay_buffer *out, assay_error *err)
{
    assay_native_edit edit;
    assay_status st = assay_native_edit_open(&edit, golden->path, text, err);

    if (st)
        return st;
    for (uint32_t i = 0; !st && i < resolution->n; i++) {
        const assay_resolved *item = &resolution->item[i];

        if (anchored->is[i] == ASSAY_ANCHOR_MADE || anchored->is[i] == ASSAY_ANCHOR_MOVED)
            st = assay_native_edit_anchor(&edit, item->query, item->judgment, golden,
                                          judgment_of(golden, item), err);
    }
    if (!st)
        st = assay_native_edit_finish(&edit, out, err);
    assay_native_edit_close(&edit);
    return st;
}

static assay_slice word(const assay_dict *dict, uint32_t number)
{
    return number == ASSAY_NONE ? ASSAY_LIT("") : dict->word[number];
}

static bool is_same(const assay_golden *a, const assay_judgment *x, const assay_golden *b,
                    const assay_judgment *y)
{
    return x->grade == y->grade && x->place == y->place &&
           x->where.start == y->where.start && x->where.end == y->where.end &&
           assay_slice_eq(x->quote, y->quote) &&
           assay_slice_eq(word(&a->chunks, x->chunk), word(&b->chunks, y->chunk)) &&
           assay_slice_eq(word(&a->subtopics, x->subtopic),
                          word(&b->subtopics, y->subtopic)) &&
           assay_slice_eq(word(&a->headings, x->heading),
                          word(&b->headings, y->heading)) &&
           /* A chunk that stays one has its document from the corpus, not from the file. */
           (x->chunk != ASSAY_NONE ||
            assay_slice_eq(word(&a->docs, x->doc), word(&b->docs, y->doc)));
}

static bool all_same(const assay_golden *a, const assay_golden *b)
{
    if (a->n_queries != b->n_queries)
        return false;
    for (uint32_t i = 0; i < a->n_queries; i++) {
        const assay_query *x = &a->query[i];
        const assay_query *y = &b->query[i];

        if (!assay_slice_eq(x->id, y->id) || x->n_judgments != y->n_judgments)
            return false;
        for (uint32_t j = 0; j < x->n_judgments; j++)
            if (!is_same(a, &x->judgment[j], b, &y->judgment[j]))
                return false;
    }
    return true;
}

/* The new text must say just what was meant. */
static assay_status read_back(const assay_golden *golden, const assay_buffer *out,
                              assay_error *err)
{
    const assay_golden_options options = {.format = "assay"};
    assay_golden *again = NULL;
    assay_status st =
        assay_golden_parse(golden->path, assay_buffer_view(out), &options, &again, err);

    if (st)
        return st;
    if (!all_same(golden, again))
        st = assay_fail_at(err, golden->path, 0,
                           "is written in a way that cannot be edited; 'assay golden "
                           "convert --to assay' writes it anew");
    assay_golden_free(again);
    return st;
}

assay_status assay_anchor_write(const assay_golden *golden,
                                const assay_resolution *resolution,
                                const assay_anchored *anchored, assay_slice text,
                                bool is_json, assay_buffer *out, assay_error *err)
{
    const assay_golden_target target = {.out = out, .is_json = is_json};
    assay_status st;

    if (text.ptr)
        st = edit_file(golden, resolution, anchored, text, out, err);
    else
        st = assay_native_write(golden, &target, err);
    return st ? st : read_back(golden, out, err);
}
