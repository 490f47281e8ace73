/* SPDX-License-Identifier: Apache-2.0 */
/* The arrow from files to the corpus: look, remove what is gone, read in batches on all
 * threads while one of them stores the batch before. */
#include "pipeline/ingest.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/slice.h"
#include "pipeline/ingest_batch.h"

const char *assay_ingest_word(assay_ingest_event event)
{
    static const char *const words[] = {
        [ASSAY_INGEST_READ] = "read",       [ASSAY_INGEST_REPLACED] = "replaced",
        [ASSAY_INGEST_REMOVED] = "removed", [ASSAY_INGEST_SKIPPED] = "skipped",
        [ASSAY_INGEST_FAILED] = "failed",
    };

    return words[event];
}

void assay_ingest_summary_clear(assay_ingest_summary *summary)
{
    assay_mem_free(summary->skip);
    assay_mem_free(summary->fault);
    assay_notes_clear(&summary->notes);
    assay_arena_clear(&summary->arena);
    *summary = (assay_ingest_summary){0};
}

/* ---- the chunking ---- */

/* The one asked for, else that of the corpus, else the standard. */
static assay_status choose_chunking(assay_ingest_state *state, assay_chunking *own,
                                    assay_error *err)
{
    assay_slice today =
        state->corpus ? assay_corpus_chunking(state->corpus) : (assay_slice){"", 0};
    assay_status st;

    if (state->options->chunking) {
        state->chunking = state->options->chunking;
        return ASSAY_OK;
    }
    if (!today.len)
        today = ASSAY_LIT(ASSAY_CHUNKING_STANDARD);
    st = assay_chunking_read(today, own, err);
    if (st == ASSAY_EUSAGE)
        return assay_fail(err, ASSAY_EUSAGE,
                          "the corpus is cut by '%.*s', which this program does not "
                          "have; choose another with --chunker",
                          ASSAY_QUOTE(today));
    state->chunking = own;
    return st;
}

static assay_status spell_chunking(assay_ingest_state *state, assay_error *err)
{
    assay_buffer spelling = ASSAY_BUFFER_EMPTY;

    assay_chunking_print(state->chunking, &spelling);
    if (!spelling.has_failed)
        state->summary->chunking =
            assay_arena_string(&state->summary->arena, assay_buffer_view(&spelling));
    assay_buffer_clear(&spelling);
    return state->summary->chunking ? ASSAY_OK : assay_fail_memory(err, "ingesting");
}

/* ---- files ---- */

static assay_status remove_gone(assay_ingest_state *state, assay_error *err)
{
    assay_ingest_plan *plan = &state->plan;
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < plan->n_known && !st; i++) {
        if (plan->is_seen[i])
            continue;
        if (assay_ingest_is_cancelled(state))
            break;
        if (!state->options->is_dry)
            st = assay_corpus_remove_file(state->corpus, plan->known[i].number, err);
        if (st)
            break;
        state->summary->n_removed++;
        assay_ingest_tell(state, ASSAY_INGEST_REMOVED, plan->known[i].path, NULL);
    }
    return st;
}

/* Read and store all that is to do.  In the second round it is what failed in the first
 * because another file had one of its documents. */
static assay_status read_files(assay_ingest_state *state, assay_error *err)
{
    assay_ingest_plan *plan = &state->plan;
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < plan->n_files && !st; i++)
        if (plan->file[i].is_todo)
            st = assay_ingest_add(state, &plan->file[i], err);
    return st ? st : assay_ingest_flush_all(state, err);
}

static void count_files(assay_ingest_state *state)
{
    const assay_ingest_plan *plan = &state->plan;

    state->progress = (assay_ingest_progress){.stage = "reading"};
    state->summary->n_found = plan->n_files;
    for (size_t i = 0; i < plan->n_files; i++) {
        if (plan->file[i].is_todo) {
            state->progress.n_total++;
            state->progress.bytes_total += plan->file[i].size;
        } else {
            state->summary->n_unchanged++;
        }
    }
}

static assay_status do_files(assay_ingest_state *state, assay_error *err)
{
    assay_status st;

    count_files(state);
    st = remove_gone(state, err);
    if (!st)
        st = read_files(state, err);
    if (!st && state->n_again) {
        state->is_retry = true;
        st = read_files(state, err);
    }
    for (size_t i = 0; i < state->plan.n_files; i++)
        state->summary->n_left += state->plan.file[i].is_todo;
    return st;
}

/* ---- all of it ---- */

static assay_status do_all(assay_ingest_state *state, assay_error *err)
{
    assay_chunking own;
    assay_status st = choose_chunking(state, &own, err);

    if (!st)
        st = spell_chunking(state, err);
    if (!st)
        st = assay_ingest_look(state, err);
    if (!st)
        st = assay_ingest_recut(state, err);
    /* A walk that was cut short does not know what is gone. */
    if (!st && !assay_ingest_is_cancelled(state))
        st = do_files(state, err);
    state->summary->was_cancelled = assay_ingest_is_cancelled(state);
    return st;
}

static assay_status open_corpus(const char *path, assay_ingest_state *state,
                                assay_error *err)
{
    bool is_dry = state->options->is_dry;
    assay_status st;

    if (is_dry && !assay_file_exists(path))
        return ASSAY_OK;
    st = assay_corpus_open(path, is_dry ? ASSAY_CORPUS_READ : ASSAY_CORPUS_CREATE,
                           &state->corpus, err);
    if (!st && !is_dry)
        st = assay_corpus_lock(state->corpus, err);
    return st;
}

static assay_status measure(assay_ingest_state *state, assay_error *err)
{
    assay_status st;

    if (state->options->is_dry)
        return ASSAY_OK;
    st = assay_corpus_measure(state->corpus, &state->summary->size, err);
    return st ? st : assay_corpus_hash(state->corpus, state->summary->hash, err);
}

static void clear_state(assay_ingest_state *state)
{
    assay_ingest_batches_clear(state);
    for (size_t i = 0; i < ASSAY_POOL_MOST; i++) {
        assay_corpus_packer_clear(&state->packer[i]);
        assay_arena_clear(&state->arena[i]);
    }
    assay_ingest_plan_clear(&state->plan);
    assay_corpus_close(state->corpus);
    assay_mem_free(state);
}

static int by_path(const void *a, const void *b)
{
    const assay_ingest_fault *x = a;
    const assay_ingest_fault *y = b;

    return assay_slice_cmp(x->path, y->path);
}

/* Reading and storing find faults at their own times; a list is read by name. */
static void sort_faults(assay_ingest_summary *summary)
{
    if (summary->n_faults)
        qsort(summary->fault, summary->n_faults, sizeof *summary->fault, by_path);
}

assay_status assay_ingest(const char *corpus_path, const char *const *path,
                          size_t n_paths, const assay_ingest_options *options,
                          assay_ingest_summary *summary, assay_error *err)
{
    assay_ingest_state *state = ASSAY_NEW(assay_ingest_state);
    assay_status st;

    if (!state)
        return assay_fail_memory(err, "ingesting");
    state->options = options;
    state->summary = summary;
    st = assay_ingest_find_roots(state, path, n_paths, err);
    if (!st)
        st = open_corpus(corpus_path, state, err);
    if (!st)
        st = do_all(state, err);
    if (!st)
        st = measure(state, err);
    sort_faults(summary);
    clear_state(state);
    return st;
}
