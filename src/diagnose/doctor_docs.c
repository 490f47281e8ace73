/* SPDX-License-Identifier: Apache-2.0 */
#include "diagnose/doctor_docs.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/slice.h"
#include "text/fold.h"

/* A twin may have other blanks; it may not have other words in more than a few places. */
enum { SHINGLE = 4, SKETCH = sizeof((assay_patient_doc *)0)->sketch / sizeof(uint32_t) };

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

/* Hash number `i` of a value: one hash function for each place of the sketch. */
static uint32_t mixed(uint64_t value, uint32_t i)
{
    return (uint32_t)(assay_hash_mix(value, (i + 1) * UINT64_C(0x9e3779b97f4a7c15)) >>
                      32);
}

static bool sketch(assay_arena *arena, assay_slice text, assay_patient_doc *out)
{
    assay_slice *word;
    size_t n;

    if (!assay_fold_words(text, arena, &word, &n))
        return false;
    memset(out->sketch, 0xff, sizeof out->sketch);
    out->n_words = (uint32_t)n;
    out->hash = 1;
    for (size_t i = 0; i < n; i++)
        out->hash = assay_hash_mix(out->hash, assay_hash(word[i].ptr, word[i].len) + i);
    for (size_t i = 0; i + SHINGLE <= n; i++) {
        uint64_t run = 0;

        for (size_t k = 0; k < SHINGLE; k++)
            run = assay_hash_mix(run, assay_hash(word[i + k].ptr, word[i + k].len));
        for (uint32_t s = 0; s < SKETCH; s++) {
            uint32_t h = mixed(run, s);

            out->sketch[s] = h < out->sketch[s] ? h : out->sketch[s];
        }
    }
    return true;
}

static assay_status add_doc(reader *r, assay_slice id, assay_slice text, assay_error *err)
{
    assay_patient_doc *grown = assay_mem_grow(r->doc, &r->cap, r->n + 1, sizeof *grown);
    assay_patient_doc *to;

    if (!grown)
        return assay_fail_memory(err, "reading the documents");
    r->doc = grown;
    to = &grown[r->n++];
    *to = (assay_patient_doc){.id = assay_arena_copy(&r->d->arena, id)};
    assay_arena_reset(&r->d->scratch);
    return to->id.ptr && sketch(&r->d->scratch, text, to)
               ? ASSAY_OK
               : assay_fail_memory(err, "reading the documents");
}

static assay_status on_doc(void *ctx, const assay_corpus_doc *doc, assay_error *err)
{
    reader *r = ctx;
    assay_status st = assay_corpus_text(r->d->corpus, doc->version, &r->text, err);

    return st ? st : add_doc(r, doc->id, assay_buffer_view(&r->text), err);
}

static int by_id(const void *a, const void *b)
{
    return assay_slice_cmp(((const assay_patient_doc *)a)->id,
                           ((const assay_patient_doc *)b)->id);
}

static void mark_relevant(assay_doctor *d)
{
    const assay_golden *g = d->golden;

    for (uint32_t i = 0; i < g->n_queries; i++)
        for (uint32_t j = 0; j < g->query[i].n_judgments && !g->query[i].is_draft; j++) {
            const assay_judgment *judgment = &g->query[i].judgment[j];
            assay_patient_doc *doc;

            if (!assay_doctor_counts(judgment) || judgment->doc == ASSAY_NONE)
                continue;
            doc = (assay_patient_doc *)(uintptr_t)assay_doctor_doc(
                d, g->docs.word[judgment->doc]);
            if (doc)
                doc->is_relevant = true;
        }
}

assay_status assay_doctor_read_docs(assay_doctor *d, assay_error *err)
{
    reader r = {.d = d};
    assay_status st = ASSAY_OK;

    if (d->corpus)
        st = assay_corpus_each(d->corpus, on_doc, &r, err);
    else
        for (uint32_t i = 0; d->passages && i < d->passages->n && !st; i++)
            st = add_doc(&r, d->passages->item[i].doc, d->passages->item[i].text, err);
    d->doc = ASSAY_ARENA_ARRAY(&d->arena, assay_patient_doc, r.n + 1);
    if (!st && !d->doc)
        st = assay_fail_memory(err, "reading the documents");
    for (size_t i = 0; !st && i < r.n; i++)
        d->doc[i] = r.doc[i];
    if (!st) {
        d->n_docs = (uint32_t)r.n;
        qsort(d->doc, r.n, sizeof *d->doc, by_id);
        mark_relevant(d);
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

double assay_doctor_alike(const assay_patient_doc *a, const assay_patient_doc *b)
{
    uint32_t same = 0;

    if (a->n_words == b->n_words && a->hash == b->hash)
        return 1;
    if (a->n_words < 2 * SHINGLE || b->n_words < 2 * SHINGLE)
        return 0;
    for (int i = 0; i < SKETCH; i++)
        same += a->sketch[i] == b->sketch[i];
    return (double)same / SKETCH;
}
