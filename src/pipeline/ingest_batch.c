/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/ingest_batch.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"

static assay_ingest_batch *current(assay_ingest_state *state)
{
    return &state->batch[state->now];
}

assay_ingest_item *assay_ingest_next_item(assay_ingest_state *state,
                                          assay_ingest_file *file)
{
    assay_ingest_batch *batch = current(state);
    assay_ingest_item *item;

    if (!batch->item)
        batch->item = ASSAY_NEW_ARRAY(assay_ingest_item, ASSAY_INGEST_ITEMS);
    if (!batch->item)
        return NULL;
    item = &batch->item[batch->n++];
    /* Memory of the item's last use is used again. */
    assay_arena_reset(&item->arena);
    assay_notes_clear(&item->notes);
    *item = (assay_ingest_item){.file = file,
                                .arena = item->arena,
                                .packed = item->packed,
                                .cap_packed = item->cap_packed};
    return item;
}

void assay_ingest_batches_clear(assay_ingest_state *state)
{
    for (size_t b = 0; b < 2; b++) {
        assay_ingest_item *item = state->batch[b].item;

        for (size_t i = 0; item && i < ASSAY_INGEST_ITEMS; i++) {
            assay_mem_free(item[i].packed);
            assay_notes_clear(&item[i].notes);
            assay_arena_clear(&item[i].arena);
        }
        assay_mem_free(item);
    }
}

bool assay_ingest_is_full(const assay_ingest_state *state, uint64_t bytes)
{
    const assay_ingest_batch *batch = &state->batch[state->now];

    return batch->n == ASSAY_INGEST_ITEMS ||
           (batch->n && batch->bytes + bytes > ASSAY_INGEST_BYTES);
}

/* ---- turns ---- */

typedef struct turn {
    assay_ingest_state *state;
    assay_pool_work *work;
    void *ctx;
} turn;

/* Item 0 is the writer: taken first, so that it does not come last. */
static void take_turn(void *ctx, uint32_t worker, size_t item)
{
    turn *t = ctx;

    if (item == 0)
        assay_ingest_write(t->state, &t->state->batch[!t->state->now]);
    else
        t->work(t->ctx, worker, item - 1);
}

assay_status assay_ingest_turn(assay_ingest_state *state, size_t n, assay_pool_work *work,
                               void *ctx, assay_error *err)
{
    turn t = {state, work, ctx};

    assay_pool_run(state->options->n_threads, n + 1, take_turn, &t);
    state->now = !state->now;
    current(state)->n = 0;
    current(state)->bytes = 0;
    if (state->st && err)
        *err = state->err;
    return state->st;
}

static void read_item(void *ctx, uint32_t worker, size_t number)
{
    assay_ingest_state *state = ctx;
    assay_ingest_item *item = &current(state)->item[number];
    assay_error err = {ASSAY_OK, ""};
    assay_status st;

    if (assay_ingest_is_cancelled(state))
        return;
    if (!item->is_doc) {
        /* The end of a long file was read already. */
        if (item->outcome == ASSAY_INGEST_UNDONE)
            assay_ingest_read(state, &state->packer[worker], item);
        return;
    }
    st = assay_corpus_pack(&state->packer[worker], &item->doc, NULL, state->chunking,
                           &item->arena, item->packed, &err);
    item->n_packed = 1;
    item->outcome = ASSAY_INGEST_DONE;
    if (st)
        assay_ingest_fail(item, st, &err);
}

assay_status assay_ingest_flush(assay_ingest_state *state, assay_error *err)
{
    return assay_ingest_turn(state, current(state)->n, read_item, state, err);
}

/* Twice: the second turn stores what the first read. */
assay_status assay_ingest_flush_all(assay_ingest_state *state, assay_error *err)
{
    assay_status st = assay_ingest_flush(state, err);

    if (!st)
        st = assay_ingest_flush(state, err);
    /* Cancelled inside a long file. */
    if (state->is_open)
        assay_corpus_cancel_file(state->corpus);
    state->is_open = false;
    return st;
}

/* ---- files ---- */

/* Packed ones may be of any length. */
static bool is_long(const assay_ingest_file *file)
{
    assay_slice name = assay_slice_of(file->path);

    return file->size > ASSAY_INGEST_LONG || assay_slice_ends(name, ".gz") ||
           assay_slice_ends(name, ".zst");
}

assay_status assay_ingest_add(assay_ingest_state *state, assay_ingest_file *file,
                              assay_error *err)
{
    assay_ingest_item *item;
    assay_status st = ASSAY_OK;

    if (assay_ingest_is_cancelled(state))
        return ASSAY_OK;
    if (is_long(file))
        return assay_ingest_add_long(state, file, err);
    if (assay_ingest_is_full(state, file->size))
        st = assay_ingest_flush(state, err);
    if (st)
        return st;
    item = assay_ingest_next_item(state, file);
    if (!item)
        return assay_fail_memory(err, "ingesting");
    item->begins = item->ends = true;
    current(state)->bytes += file->size;
    return ASSAY_OK;
}
