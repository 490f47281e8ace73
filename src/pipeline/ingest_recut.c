/* SPDX-License-Identifier: Apache-2.0 */
/* Another chunking: all stored texts are cut anew, and no file is read.
 *
 * The new cuts are stored beside the old ones; only when all are there does the chunking
 * become today's.  Whoever is stopped before goes on where he was. */
#include "base/error.h"
#include "base/mem.h"
#include "base/slice.h"
#include "pipeline/ingest_state.h"

/* Texts that are cut side by side. */
typedef struct round {
    assay_corpus_doc doc[ASSAY_INGEST_ITEMS];
    assay_buffer text[ASSAY_INGEST_ITEMS];
    int64_t version[ASSAY_INGEST_ITEMS];
    assay_corpus_packed packed[ASSAY_INGEST_ITEMS];
    assay_status st[ASSAY_INGEST_ITEMS];
    assay_arena out[ASSAY_INGEST_ITEMS]; /* for the cut of each */
    assay_arena names;
    size_t n;
} round;

typedef struct recut {
    assay_ingest_state *state;
    assay_slice spelling;
    assay_corpus_uncut *uncut;
    size_t n_uncut;
    size_t next; /* the first that no round has taken */
    round *round[2];
    round *reading;
    round *writing;
} recut;

static void clear_round(round *r)
{
    for (size_t i = 0; r && i < ASSAY_INGEST_ITEMS; i++) {
        assay_buffer_clear(&r->text[i]);
        assay_arena_clear(&r->out[i]);
    }
    if (r)
        assay_arena_clear(&r->names);
    assay_mem_free(r);
}

/* Take texts until there are enough bytes; at least one. */
static assay_status fill(recut *c, round *r, assay_error *err)
{
    uint64_t bytes = 0;
    assay_status st = ASSAY_OK;

    assay_arena_reset(&r->names);
    for (r->n = 0; r->n < ASSAY_INGEST_ITEMS && c->next < c->n_uncut && !st; r->n++) {
        const assay_corpus_uncut *uncut = &c->uncut[c->next];
        bool is_there = false;

        if (r->n && bytes + uncut->bytes > ASSAY_INGEST_BYTES)
            break;
        bytes += uncut->bytes;
        c->next++;
        r->version[r->n] = uncut->version;
        st = assay_corpus_find_version(c->state->corpus, uncut->version, &r->names,
                                       &r->doc[r->n], &is_there, err);
        if (!st)
            st = assay_corpus_text(c->state->corpus, uncut->version, &r->text[r->n], err);
    }
    return st;
}

static void write_round(recut *c)
{
    assay_ingest_state *state = c->state;
    round *r = c->writing;

    if (!r || !r->n || state->st)
        return;
    state->st = assay_corpus_put_cuts(state->corpus, c->spelling, r->version, r->packed,
                                      r->n, &state->err);
    for (size_t i = 0; i < r->n && !state->st; i++) {
        state->summary->n_recut++;
        assay_ingest_report(state, r->doc[i].id, r->doc[i].bytes);
    }
}

/* Item 0 is the writer of the round before. */
static void work(void *ctx, uint32_t worker, size_t item)
{
    recut *c = ctx;
    round *r = c->reading;
    assay_document doc;

    if (item == 0) {
        write_round(c);
        return;
    }
    item--;
    doc = assay_corpus_document(&r->doc[item], assay_buffer_view(&r->text[item]));
    assay_arena_reset(&r->out[item]);
    r->st[item] =
        assay_corpus_pack_cut(&c->state->packer[worker], &doc, c->state->chunking,
                              &r->out[item], &r->packed[item], NULL);
    /* The text of a long document is not kept until the round after next. */
    if (r->text[item].cap > ASSAY_INGEST_BYTES)
        assay_buffer_clear(&r->text[item]);
}

static assay_status do_round(recut *c, assay_error *err)
{
    round *r = c->reading;
    assay_status st = fill(c, r, err);

    if (st)
        return st;
    assay_pool_run(c->state->options->n_threads, r->n + 1, work, c);
    for (size_t i = 0; i < r->n && !st; i++)
        st = r->st[i];
    if (st)
        return assay_fail(err, st, "out of memory while cutting");
    if (c->state->st) {
        if (err)
            *err = c->state->err;
        return c->state->st;
    }
    c->reading = c->round[r == c->round[0]];
    c->writing = r;
    return ASSAY_OK;
}

static assay_status do_rounds(recut *c, assay_error *err)
{
    assay_status st = ASSAY_OK;

    /* The last round reads nothing and writes what the one before read. */
    for (bool is_last = false; !st && !is_last;) {
        if (assay_ingest_is_cancelled(c->state))
            return ASSAY_OK;
        is_last = c->next == c->n_uncut;
        st = do_round(c, err);
    }
    return st ? st : assay_corpus_use_chunking(c->state->corpus, c->spelling, err);
}

static assay_status cut_all(recut *c, assay_error *err)
{
    assay_ingest_progress *progress = &c->state->progress;
    assay_status st = assay_corpus_list_uncut(c->state->corpus, c->spelling, &c->uncut,
                                              &c->n_uncut, err);

    if (st)
        return st;
    if (c->n_uncut == 0)
        return assay_corpus_use_chunking(c->state->corpus, c->spelling, err);
    *progress = (assay_ingest_progress){.stage = "cutting", .n_total = c->n_uncut};
    for (size_t i = 0; i < c->n_uncut; i++)
        progress->bytes_total += c->uncut[i].bytes;
    c->round[0] = ASSAY_NEW(round);
    c->round[1] = ASSAY_NEW(round);
    c->reading = c->round[0];
    if (!c->round[0] || !c->round[1])
        return assay_fail_memory(err, "cutting");
    return do_rounds(c, err);
}

assay_status assay_ingest_recut(assay_ingest_state *state, assay_error *err)
{
    recut c = {.state = state, .spelling = assay_slice_of(state->summary->chunking)};
    assay_status st;

    if (!state->corpus || state->options->is_dry ||
        assay_slice_eq(assay_corpus_chunking(state->corpus), c.spelling))
        return ASSAY_OK;
    st = cut_all(&c, err);
    clear_round(c.round[0]);
    clear_round(c.round[1]);
    assay_mem_free(c.uncut);
    return st;
}
