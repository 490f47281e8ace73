/* SPDX-License-Identifier: Apache-2.0 */
/* One file: opened, recognised, its documents made ready to be stored.  Runs on many
 * threads at once; each has its own item and packer. */
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/slice.h"
#include "pipeline/ingest_state.h"

/* Nobody reads this string, so memory for it is not worth a failure of its own. */
static const char no_words[] = "it cannot be read";

/* Faults of a file are told and the others go on; without memory nothing goes on. */
void assay_ingest_fail(assay_ingest_item *item, assay_status st, const assay_error *err)
{
    const char *why;

    item->outcome = st == ASSAY_ENOMEM ? ASSAY_INGEST_FATAL : ASSAY_INGEST_BAD;
    why = assay_arena_string(&item->arena, assay_slice_of(err->text));
    if (!why)
        item->outcome = ASSAY_INGEST_FATAL;
    item->why = why && *why ? why : no_words;
}

static int64_t now_ns(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_REALTIME, &now))
        return 0;
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Whether the corpus has these very bytes, read by this very program. */
static bool is_same(const assay_ingest_state *state, const assay_ingest_item *item)
{
    const assay_corpus_file *known;

    if (item->file->known == ASSAY_NONE)
        return false;
    known = &state->plan.known[item->file->known];
    return memcmp(known->hash, item->hash, sizeof item->hash) == 0 &&
           assay_slice_eq(known->root, item->file->root) &&
           assay_slice_is(known->reader, assay_version());
}

bool assay_ingest_open(assay_ingest_state *state, assay_ingest_item *item,
                       assay_ingest_source *out)
{
    assay_error err = {ASSAY_OK, ""};
    assay_status st;

    *out = (assay_ingest_source){.reader = NULL};
    item->read_ns = now_ns();
    st = assay_file_open(&out->file, item->file->path, &err);
    if (st) {
        assay_ingest_fail(item, st, &err);
        return false;
    }
    out->source = (assay_doc_source){.path = item->file->path,
                                     .id = item->file->id,
                                     .bytes = out->file.text,
                                     .is_named = item->file->is_named,
                                     .pdftotext = state->options->pdftotext,
                                     .notes = &item->notes,
                                     .arena = &item->arena};
    out->reader = assay_doc_reader_for(&out->source, &item->why);
    if (!out->reader) {
        item->outcome = ASSAY_INGEST_NONE;
    } else {
        assay_sha256_of(out->file.text, item->hash);
        if (!is_same(state, item))
            return true;
        item->outcome = ASSAY_INGEST_SAME;
    }
    assay_file_close(&out->file);
    return false;
}

/* ---- documents ---- */

typedef struct sink {
    assay_ingest_state *state;
    assay_corpus_packer *packer;
    assay_ingest_item *item;
    assay_slice bytes; /* of the file, whose hash is known */
} sink;

static assay_status take_document(void *ctx, const assay_document *doc, assay_error *err)
{
    sink *s = ctx;
    assay_ingest_item *item = s->item;
    bool is_file = doc->text.ptr == s->bytes.ptr && doc->text.len == s->bytes.len;
    assay_corpus_packed *moved;
    assay_status st = ASSAY_OK;

    moved = assay_mem_grow(item->packed, &item->cap_packed, item->n_packed + 1,
                           sizeof *moved);
    if (!moved)
        return assay_fail_memory(err, "reading documents");
    item->packed = moved;
    if (!s->state->options->is_dry)
        st = assay_corpus_pack(s->packer, doc, is_file ? item->hash : NULL,
                               s->state->chunking, &item->arena, &moved[item->n_packed],
                               err);
    if (!st)
        item->n_packed++;
    return st;
}

void assay_ingest_read(assay_ingest_state *state, assay_corpus_packer *packer,
                       assay_ingest_item *item)
{
    assay_ingest_source source;
    assay_error err = {ASSAY_OK, ""};
    sink s = {state, packer, item, {NULL, 0}};
    assay_status st;

    if (!assay_ingest_open(state, item, &source))
        return;
    s.bytes = source.file.text;
    st = source.reader->read(&source.source, take_document, &s, &err);
    if (st)
        assay_ingest_fail(item, st, &err);
    else
        item->outcome = ASSAY_INGEST_DONE;
    assay_file_close(&source.file);
}
