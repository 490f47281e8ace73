/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the cut of a corpus: an error, or chunks that lie inside the text and are
 * written back as the same chunks. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "corpus/corpus_cuts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PROMISE(cond) \
    do {              \
        if (!(cond))  \
            abort();  \
    } while (0)

static void check_chunk(const assay_chunks *chunks, const assay_chunk *chunk, size_t len)
{
    uint64_t end = 0;

    PROMISE(chunk->n_spans > 0 && chunk->first_line <= chunk->last_line);
    PROMISE(chunk->heading == ASSAY_NONE || chunk->heading < chunks->n_headings);
    for (uint32_t s = 0; s < chunk->n_spans; s++) {
        PROMISE(chunk->span[s].start >= end && chunk->span[s].end > chunk->span[s].start);
        end = chunk->span[s].end;
    }
    PROMISE(end <= len);
}

static void check_chunks(const assay_chunks *chunks, assay_slice text)
{
    for (uint32_t i = 0; i < chunks->n; i++)
        check_chunk(chunks, &chunks->chunk[i], text.len);
    for (uint32_t i = 0; i < chunks->n_headings; i++) {
        const assay_heading *h = &chunks->heading[i];

        PROMISE(h->parent == ASSAY_NONE || h->parent < i);
        PROMISE(h->section.start <= h->section.end && h->section.end <= text.len);
        PROMISE(h->text.ptr >= text.ptr &&
                h->text.len <= text.len - (size_t)(h->text.ptr - text.ptr));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char letters[1000];
    assay_slice text = {letters, sizeof letters};
    assay_slice cut = {(const char *)data, size};
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_buffer back = ASSAY_BUFFER_EMPTY;
    assay_error err = {ASSAY_OK, ""};
    assay_chunks chunks;
    assay_chunks again;
    const uint8_t *ids;
    uint32_t n = 0;

    if (assay_cut_decode(cut, text, "cut", &arena, &chunks, &err)) {
        PROMISE(err.text[0]);
    } else {
        PROMISE(assay_cut_ids(cut, &ids, &n) && n == chunks.n);
        check_chunks(&chunks, text);
        assay_cut_encode(&chunks, text, &back);
        PROMISE(assay_cut_decode(assay_buffer_view(&back), text, "cut", &arena, &again,
                                 NULL) == ASSAY_OK);
        PROMISE(again.n == chunks.n && again.n_headings == chunks.n_headings);
        for (uint32_t i = 0; i < chunks.n; i++)
            PROMISE(memcmp(chunks.chunk[i].id, again.chunk[i].id,
                           sizeof chunks.chunk[i].id) == 0);
    }
    assay_buffer_clear(&back);
    assay_arena_clear(&arena);
    return 0;
}
