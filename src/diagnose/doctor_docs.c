/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/doctor_docs.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "base/span.h"

typedef struct reader {
    assay_doctor *d;
    assay_patient_doc *doc;
    size_t n;
    size_t cap;
    assay_buffer text;
} reader;

const assay_passage *assay_doctor_passage(const assay_passages *passages, assay_slice id)
{
    uint32_t low = 0;
    uint32_t high = passages->n;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        int order = assay_slice_cmp(passages->item[mid].id, id);

        if (order == 0)
            return &passages->item[mid];
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

/* Whether a judgment that counts names it. */
static bool is_wanted(const assay_doctor *d, assay_slice id)
{
    uint32_t doc = assay_dict_find(&d->golden->docs, id);

    return doc != ASSAY_NONE && d->mention_start[doc] < d->mention_start[doc + 1];
}

static bool describe(reader *r, assay_slice id, assay_slice title, assay_slice text,
                     assay_patient_doc *out)
{
    assay_buffer all = ASSAY_BUFFER_EMPTY;
    assay_arena *arena = &r->d->scratch;
    assay_hashed_words words;
    assay_hashed_words own = {NULL, 0};
    bool is_ok;

    *out = (assay_patient_doc){.id = assay_arena_copy(&r->d->arena, id),
                               .is_relevant = is_wanted(r->d, id)};
    assay_arena_reset(arena);
    if (title.len) {
        assay_buffer_slice(&all, title);
        assay_buffer_char(&all, '\n');
        assay_buffer_slice(&all, text);
    }
    is_ok = out->id.ptr && !all.has_failed &&
            assay_hashed_words_of(title.len ? assay_buffer_view(&all) : text, arena,
                                  &words) &&
            (!title.len || text.len > 1000 || assay_hashed_words_of(text, arena, &own));
    assay_buffer_clear(&all);
    if (!is_ok)
        return false;
    out->is_title_only = title.len && text.len <= 1000 && words.n && !own.n;
    assay_sketch_of(&words, &out->sketch);
    if (!out->is_relevant)
        return true;
    out->words.word = ASSAY_ARENA_ARRAY(&r->d->arena, uint32_t, words.n + 1);
    out->words.n = words.n;
    for (size_t i = 0; out->words.word && i < words.n; i++)
        out->words.word[i] = words.word[i];
    return out->words.word != NULL;
}

static assay_status add_doc(reader *r, assay_slice id, assay_slice title,
                            assay_slice text, assay_error *err)
{
    assay_patient_doc *grown = assay_mem_grow(r->doc, &r->cap, r->n + 1, sizeof *grown);

    if (!grown)
        return assay_fail_memory(err, "reading the documents");
    r->doc = grown;
    return describe(r, id, title, text, &grown[r->n++])
               ? ASSAY_OK
               : assay_fail_memory(err, "reading the documents");
}

static assay_status on_doc(void *ctx, const assay_corpus_doc *doc, assay_error *err)
{
    reader *r = ctx;
    assay_status st = assay_corpus_text(r->d->corpus, doc->version, &r->text, err);

    return st ? st : add_doc(r, doc->id, ASSAY_LIT(""), assay_buffer_view(&r->text), err);
}

static int by_id(const void *a, const void *b)
{
    return assay_slice_cmp(((const assay_patient_doc *)a)->id,
                           ((const assay_patient_doc *)b)->id);
}

/* ---- what names what ---- */

static bool names_a_document(const assay_query *q, const assay_judgment *j)
{
    return !q->is_draft && assay_doctor_counts(j) && j->doc != ASSAY_NONE;
}

/* Counting sort of the judgments by document. */
static bool list_mentions(assay_doctor *d)
{
    const assay_golden *g = d->golden;
    uint32_t n = 0;

    d->mention_start = ASSAY_ARENA_ARRAY(&d->arena, uint32_t, g->docs.n + 2u);
    for (uint32_t i = 0; d->mention_start && i < g->n_queries; i++)
        for (uint32_t j = 0; j < g->query[i].n_judgments; j++)
            if (names_a_document(&g->query[i], &g->query[i].judgment[j])) {
                d->mention_start[g->query[i].judgment[j].doc + 2]++;
                n++;
            }
    d->mention = ASSAY_ARENA_ARRAY(&d->arena, assay_mention, n + 1u);
    if (!d->mention_start || !d->mention)
        return false;
    for (uint32_t i = 2; i < g->docs.n + 2u; i++)
        d->mention_start[i] += d->mention_start[i - 1];
    for (uint32_t i = 0; i < g->n_queries; i++)
        for (uint32_t j = 0; j < g->query[i].n_judgments; j++)
            if (names_a_document(&g->query[i], &g->query[i].judgment[j]))
                d->mention[d->mention_start[g->query[i].judgment[j].doc + 1]++] =
                    (assay_mention){i, j};
    return true;
}

typedef struct sorted_passage {
    assay_slice doc;
    uint32_t number;
} sorted_passage;

static int by_document(const void *a, const void *b)
{
    const sorted_passage *x = a;
    const sorted_passage *y = b;
    int order = assay_slice_cmp(x->doc, y->doc);

    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static bool list_passages(assay_doctor *d)
{
    uint32_t n = d->passages ? d->passages->n : 0;
    sorted_passage *sorted = ASSAY_NEW_ARRAY(sorted_passage, n + 1u);

    d->passage = ASSAY_ARENA_ARRAY(&d->arena, uint32_t, n + 1u);
    for (uint32_t i = 0; sorted && i < n; i++)
        sorted[i] = (sorted_passage){d->passages->item[i].doc, i};
    if (sorted)
        qsort(sorted, n, sizeof *sorted, by_document);
    for (uint32_t i = 0; sorted && d->passage && i < n; i++)
        d->passage[i] = sorted[i].number;
    assay_mem_free(sorted);
    return sorted && d->passage;
}

static uint32_t first_passage(const assay_doctor *d, assay_slice doc)
{
    uint32_t low = 0;
    uint32_t high = d->passages->n;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (assay_slice_cmp(d->passages->item[d->passage[mid]].doc, doc) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

bool assay_doctor_is_indexed(const assay_doctor *d, const assay_judgment *j)
{
    assay_slice doc = d->golden->docs.word[j->doc];
    uint64_t bytes = assay_span_bytes(j->span, j->n_spans);

    for (uint32_t i = first_passage(d, doc); i < d->passages->n; i++) {
        const assay_passage *p = &d->passages->item[d->passage[i]];
        uint64_t shared;
        uint64_t own;

        if (!assay_slice_eq(p->doc, doc))
            break;
        if (!p->n_spans || !j->n_spans)
            return true;
        shared = assay_span_shared(p->span, p->n_spans, j->span, j->n_spans);
        own = assay_span_bytes(p->span, p->n_spans);
        if (shared && 2 * shared >= (own < bytes ? own : bytes))
            return true;
    }
    return false;
}

/* ---- all ---- */

assay_status assay_doctor_read_docs(assay_doctor *d, assay_error *err)
{
    reader r = {.d = d};
    assay_status st = ASSAY_OK;

    if (!list_mentions(d) || !list_passages(d))
        st = assay_fail_memory(err, "reading the documents");
    if (!st && d->corpus)
        st = assay_corpus_each(d->corpus, on_doc, &r, err);
    for (uint32_t i = 0; !d->corpus && d->passages && i < d->passages->n && !st; i++) {
        const assay_passage *p = &d->passages->item[i];

        st = add_doc(&r, p->doc, p->title, p->text, err);
    }
    d->doc = ASSAY_ARENA_ARRAY(&d->arena, assay_patient_doc, r.n + 1);
    if (!st && !d->doc)
        st = assay_fail_memory(err, "reading the documents");
    for (size_t i = 0; !st && i < r.n; i++)
        d->doc[i] = r.doc[i];
    if (!st) {
        d->n_docs = (uint32_t)r.n;
        qsort(d->doc, r.n, sizeof *d->doc, by_id);
    }
    assay_mem_free(r.doc);
    assay_buffer_clear(&r.text);
    return st;
}

const assay_patient_doc *assay_doctor_doc(const assay_doctor *d, assay_slice id)
{
    assay_patient_doc key = {.id = id};

    return d->n_docs ? bsearch(&key, d->doc, d->n_docs, sizeof *d->doc, by_id) : NULL;
}
