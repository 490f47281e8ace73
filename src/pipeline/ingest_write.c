/* SPDX-License-Identifier: Apache-2.0 */
/* The one who stores: items in their order, one transaction a file. */
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "pipeline/ingest_state.h"

/* ---- the summary ---- */

void assay_ingest_tell(const assay_ingest_state *state, assay_ingest_event event,
                       assay_slice path, const char *why)
{
    if (state->options->tell)
        state->options->tell(state->options->ctx, event, path, why);
}

void assay_ingest_report(assay_ingest_state *state, assay_slice path, uint64_t bytes)
{
    state->progress.n++;
    state->progress.bytes += bytes;
    state->progress.path = path;
    if (state->options->progress)
        state->options->progress(state->options->ctx, &state->progress);
}

bool assay_ingest_add_skip(assay_ingest_state *state, assay_slice path,
                           const char *reason)
{
    assay_ingest_summary *s = state->summary;
    assay_ingest_skip *moved;
    size_t i = 0;

    assay_ingest_tell(state, ASSAY_INGEST_SKIPPED, path, reason);
    while (i < s->n_skips && strcmp(s->skip[i].reason, reason) != 0)
        i++;
    if (i < s->n_skips) {
        s->skip[i].n++;
        return true;
    }
    moved = assay_mem_grow(s->skip, &s->cap_skips, s->n_skips + 1, sizeof *moved);
    if (!moved)
        return false;
    s->skip = moved;
    reason = assay_arena_string(&s->arena, (assay_slice){reason, strlen(reason)});
    moved[s->n_skips] = (assay_ingest_skip){reason, 1};
    s->n_skips += reason != NULL;
    return reason != NULL;
}

bool assay_ingest_add_fault(assay_ingest_state *state, assay_slice path, const char *why)
{
    assay_ingest_summary *s = state->summary;
    assay_ingest_fault *moved =
        assay_mem_grow(s->fault, &s->cap_faults, s->n_faults + 1, sizeof *moved);
    assay_ingest_fault fault;

    if (!moved)
        return false;
    s->fault = moved;
    fault.path = assay_arena_copy(&s->arena, path);
    fault.why = assay_arena_string(&s->arena, (assay_slice){why, strlen(why)});
    if (!fault.path.ptr || !fault.why)
        return false;
    moved[s->n_faults++] = fault;
    assay_ingest_tell(state, ASSAY_INGEST_FAILED, path, fault.why);
    return true;
}

static bool add_notes(assay_ingest_state *state, const assay_notes *notes)
{
    assay_ingest_summary *s = state->summary;

    for (size_t i = 0; i < notes->n; i++)
        if (!assay_notes_add(&s->notes, &s->arena, "%s", notes->text[i]))
            return false;
    return true;
}

/* ---- one file ---- */

static assay_corpus_file row_of(const assay_ingest_item *item)
{
    assay_corpus_file row = {.path = item->file->key,
                             .root = item->file->root,
                             .size = item->file->size,
                             .mtime_ns = item->file->mtime_ns,
                             .read_ns = item->read_ns};

    memcpy(row.hash, item->hash, sizeof row.hash);
    row.reader = (assay_slice){assay_version(), strlen(assay_version())};
    return row;
}

/* A file that is known to be broken needs no transaction. */
static assay_status begin(assay_ingest_state *state, const assay_ingest_item *item,
                          assay_error *err)
{
    assay_corpus_file row = row_of(item);
    assay_status st = ASSAY_OK;

    state->is_broken = state->is_twice = false;
    if (state->options->is_dry || item->outcome == ASSAY_INGEST_BAD)
        return ASSAY_OK;
    st = assay_corpus_begin_file(state->corpus, &row, err);
    state->is_open = !st;
    return st;
}

/* The documents of an item; a document that is there twice breaks the file. */
static assay_status put_docs(assay_ingest_state *state, const assay_ingest_item *item,
                             assay_error *err)
{
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < item->n_packed && !st && !state->options->is_dry; i++)
        st = assay_corpus_put_doc(state->corpus, &item->packed[i], err);
    if (st != ASSAY_NO)
        return st;
    state->is_broken = state->is_twice = true;
    state->why_broken = assay_arena_string(&state->summary->arena,
                                           (assay_slice){err->text, strlen(err->text)});
    return state->why_broken ? ASSAY_OK : assay_fail_memory(err, "ingesting");
}

static assay_status end_stored(assay_ingest_state *state, const assay_ingest_item *item,
                               assay_error *err)
{
    bool is_known = item->file->known != ASSAY_NONE;
    assay_status st = ASSAY_OK;

    if (state->is_open)
        st = assay_corpus_end_file(state->corpus, err);
    state->is_open = false;
    if (st)
        return st;
    *(is_known ? &state->summary->n_replaced : &state->summary->n_read) += 1;
    state->summary->bytes_read += item->file->size;
    assay_ingest_tell(state, is_known ? ASSAY_INGEST_REPLACED : ASSAY_INGEST_READ,
                      item->file->key, NULL);
    return ASSAY_OK;
}

/* What the corpus has of a file that fails now stays: it is told, not lost. */
static assay_status end_broken(assay_ingest_state *state, const assay_ingest_item *item,
                               assay_error *err)
{
    if (state->is_open)
        assay_corpus_cancel_file(state->corpus);
    state->is_open = false;
    /* The file that has the document may be replaced by one without it, further on. */
    if (state->is_twice && !state->is_retry) {
        item->file->is_todo = true;
        state->n_again++;
        return ASSAY_OK;
    }
    return assay_ingest_add_fault(state, item->file->key, state->why_broken)
               ? ASSAY_OK
               : assay_fail_memory(err, "ingesting");
}

/* Its bytes are known; only its size and time may be new. */
static assay_status touch(assay_ingest_state *state, const assay_ingest_item *item,
                          assay_error *err)
{
    assay_corpus_file row = row_of(item);

    state->summary->n_unchanged++;
    if (state->options->is_dry)
        return ASSAY_OK;
    return assay_corpus_touch_file(state->corpus, &row, err);
}

/* Nothing to read in it, so nothing of it stays. */
static assay_status skip(assay_ingest_state *state, const assay_ingest_item *item,
                         assay_error *err)
{
    const assay_ingest_file *file = item->file;

    state->summary->n_found--;
    if (!assay_ingest_add_skip(state, file->key, item->why))
        return assay_fail_memory(err, "ingesting");
    if (file->known == ASSAY_NONE)
        return ASSAY_OK;
    state->summary->n_removed++;
    if (state->options->is_dry)
        return ASSAY_OK;
    return assay_corpus_remove_file(state->corpus, state->plan.known[file->known].number,
                                    err);
}

/* ---- items ---- */

static assay_status write_read(assay_ingest_state *state, const assay_ingest_item *item,
                               assay_error *err)
{
    assay_status st = ASSAY_OK;

    if (item->begins)
        st = begin(state, item, err);
    if (!st && item->outcome == ASSAY_INGEST_BAD && !state->is_broken) {
        state->is_broken = true;
        state->why_broken = item->why;
    }
    if (!st && !state->is_broken)
        st = put_docs(state, item, err);
    if (!st && item->ends)
        st = state->is_broken ? end_broken(state, item, err)
                              : end_stored(state, item, err);
    return st;
}

static assay_status write_item(assay_ingest_state *state, assay_ingest_item *item,
                               assay_error *err)
{
    assay_status st = ASSAY_OK;

    if (item->outcome == ASSAY_INGEST_FATAL)
        return assay_fail(err, ASSAY_ENOMEM, "%s", item->why);
    if (item->ends)
        item->file->is_todo = false;
    if (!add_notes(state, &item->notes))
        return assay_fail_memory(err, "ingesting");
    switch (item->outcome) {
    case ASSAY_INGEST_SAME: st = touch(state, item, err); break;
    case ASSAY_INGEST_NONE: st = skip(state, item, err); break;
    default: st = write_read(state, item, err); break;
    }
    if (!st && item->ends)
        assay_ingest_report(state, item->file->key, item->file->size);
    return st;
}

/* What was read before a cancel is stored, too: it is little, and would be lost. */
void assay_ingest_write(assay_ingest_state *state, assay_ingest_batch *batch)
{
    for (size_t i = 0; i < batch->n && !state->st; i++) {
        assay_ingest_item *item = &batch->item[i];

        if (item->outcome == ASSAY_INGEST_UNDONE)
            return;
        state->st = write_item(state, item, &state->err);
    }
}
