/* SPDX-License-Identifier: Apache-2.0 */
/* Long files.  The reader runs here and hands out one document after the other; short
 * ones are gathered in batches like files, and a long one is packed piece by piece by
 * all threads.  So memory is bounded by the longest document even where a file holds
 * millions of them. */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/slice.h"
#include "pipeline/ingest_batch.h"

typedef struct long_file {
    assay_ingest_state *state;
    assay_ingest_file *file;
    const assay_ingest_item *head; /* hash and time of the file */
    assay_slice bytes;
    bool has_begun;
    assay_status st; /* what went wrong on our side, not the reader's */
} long_file;

/* The next item of the batch, for a part of this file. */
static assay_ingest_item *next_item(long_file *f)
{
    assay_ingest_item *item = assay_ingest_next_item(f->state, f->file);

    if (!item)
        return NULL;
    memcpy(item->hash, f->head->hash, sizeof item->hash);
    item->read_ns = f->head->read_ns;
    item->begins = !f->has_begun;
    f->has_begun = true;
    return item;
}

static bool has_room_for_one(assay_ingest_item *item)
{
    assay_corpus_packed *moved =
        assay_mem_grow(item->packed, &item->cap_packed, 1, sizeof *moved);

    if (moved)
        item->packed = moved;
    return moved != NULL;
}

/* ---- a long document ---- */

typedef struct long_doc {
    assay_ingest_state *state;
    assay_ingest_item *item;
    const assay_document *doc;
    const uint8_t *text_hash;
    assay_status cut; /* one for each step, since they run side by side */
    assay_error err;
    bool *is_packed; /* of each part */
} long_doc;

enum { STEP_CUT, STEP_HASH, N_STEPS };

/* The cut takes longest, so it comes first. */
static void pack_piece(void *ctx, uint32_t worker, size_t step)
{
    long_doc *d = ctx;
    assay_ingest_state *state = d->state;
    assay_arena *arena = &state->arena[worker];
    assay_corpus_packer *packer = &state->packer[worker];
    size_t part = step - N_STEPS;

    if (step == STEP_CUT)
        d->cut = assay_corpus_pack_cut(packer, d->doc, state->chunking, arena,
                                       d->item->packed, &d->err);
    else if (step == STEP_HASH)
        assay_corpus_pack_hash(d->doc, d->text_hash, d->item->packed);
    else if (!assay_ingest_is_cancelled(state))
        d->is_packed[part] = assay_corpus_pack_part(packer, d->doc, (uint32_t)part, arena,
                                                    d->item->packed);
}

/* The outcome, once all pieces are there. */
static void finish(long_doc *d)
{
    assay_ingest_item *item = d->item;

    for (uint32_t w = 0; w < ASSAY_POOL_MOST; w++)
        assay_arena_take(&item->arena, &d->state->arena[w]);
    item->n_packed = 1;
    item->outcome = ASSAY_INGEST_DONE;
    if (d->cut)
        assay_ingest_fail(item, d->cut, &d->err);
    for (uint32_t i = 0; i < item->packed->n_parts; i++)
        if (!d->is_packed[i]) {
            item->outcome = ASSAY_INGEST_FATAL;
            item->why = "out of memory while packing a document";
        }
    if (assay_ingest_is_cancelled(d->state))
        item->outcome = ASSAY_INGEST_UNDONE;
}

static assay_status add_long_doc(long_file *f, const assay_document *doc,
                                 assay_error *err)
{
    assay_ingest_state *state = f->state;
    bool is_file = doc->text.ptr == f->bytes.ptr && doc->text.len == f->bytes.len;
    long_doc d = {.state = state, .doc = doc};
    assay_status st = assay_ingest_flush(state, err);

    if (st)
        return st;
    d.item = next_item(f);
    if (!d.item || !has_room_for_one(d.item) ||
        !assay_corpus_pack_head(doc, &d.item->arena, d.item->packed))
        return assay_fail_memory(err, "ingesting a long document");
    d.is_packed = ASSAY_ARENA_ARRAY(&d.item->arena, bool, d.item->packed->n_parts);
    if (!d.is_packed)
        return assay_fail_memory(err, "ingesting a long document");
    d.text_hash = is_file ? f->head->hash : NULL;
    st = assay_ingest_turn(state, N_STEPS + d.item->packed->n_parts, pack_piece, &d, err);
    if (!st)
        finish(&d);
    return st;
}

/* ---- short documents of a long file ---- */

static bool copy_slices(assay_document *doc, assay_arena *arena)
{
    assay_slice *const slices[] = {&doc->id, &doc->title, &doc->text, &doc->lang,
                                   &doc->extractor};

    for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++) {
        *slices[i] = assay_arena_copy(arena, *slices[i]);
        if (!slices[i]->ptr)
            return false;
    }
    return true;
}

static assay_status add_short_doc(long_file *f, const assay_document *doc,
                                  assay_error *err)
{
    assay_ingest_state *state = f->state;
    assay_status st = ASSAY_OK;
    assay_ingest_item *item;

    if (assay_ingest_is_full(state, doc->text.len))
        st = assay_ingest_flush(state, err);
    if (st)
        return st;
    item = next_item(f);
    if (!item || !has_room_for_one(item))
        return assay_fail_memory(err, "ingesting documents");
    item->is_doc = true;
    item->doc = *doc;
    state->batch[state->now].bytes += doc->text.len;
    return copy_slices(&item->doc, &item->arena)
               ? ASSAY_OK
               : assay_fail_memory(err, "ingesting documents");
}

static assay_status take_document(void *ctx, const assay_document *doc, assay_error *err)
{
    long_file *f = ctx;

    if (f->state->options->is_dry)
        return ASSAY_OK;
    /* Makes the reader stop; the flag says the rest. */
    if (assay_ingest_is_cancelled(f->state))
        f->st = ASSAY_NO;
    else if (doc->text.len > ASSAY_INGEST_LONG)
        f->st = add_long_doc(f, doc, err);
    else
        f->st = add_short_doc(f, doc, err);
    return f->st;
}

/* ---- the file ---- */

/* Its last item: how it ended, and what the reader had to say. */
static assay_status end_file(long_file *f, assay_ingest_item *head, assay_status st,
                             const assay_error *why, assay_error *err)
{
    assay_ingest_item *item;

    if (st)
        assay_ingest_fail(head, st, why);
    if (assay_ingest_is_full(f->state, 0)) {
        assay_status flushed = assay_ingest_flush(f->state, err);

        if (flushed)
            return flushed;
    }
    item = next_item(f);
    if (!item)
        return assay_fail_memory(err, "ingesting");
    item->ends = true;
    item->outcome = head->outcome;
    item->why = head->why;
    item->notes = head->notes;
    head->notes = (assay_notes){0};
    assay_arena_take(&item->arena, &head->arena);
    return ASSAY_OK;
}

assay_status assay_ingest_add_long(assay_ingest_state *state, assay_ingest_file *file,
                                   assay_error *err)
{
    assay_ingest_item head = {.file = file};
    long_file f = {.state = state, .file = file, .head = &head};
    assay_error why = {ASSAY_OK, ""};
    assay_ingest_source source;
    assay_status st = ASSAY_OK;

    if (assay_ingest_open(state, &head, &source)) {
        f.bytes = source.file.text;
        head.outcome = ASSAY_INGEST_DONE;
        st = source.reader->read(&source.source, take_document, &f, &why);
        assay_file_close(&source.file);
    }
    if (f.st && f.st != ASSAY_NO) {
        if (err)
            *err = why;
        st = f.st;
    } else if (assay_ingest_is_cancelled(state)) {
        st = ASSAY_OK;
    } else {
        st = end_file(&f, &head, st, &why, err);
    }
    assay_notes_clear(&head.notes);
    assay_arena_clear(&head.arena);
    return st;
}
