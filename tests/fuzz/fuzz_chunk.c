/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a document, cut by every chunker: its guarantees.  The first eight bytes
 * choose the form and the policy; they stay part of the text. */
#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "corpus/chunker.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PROMISE(cond) \
    do {              \
        if (!(cond))  \
            abort();  \
    } while (0)

static void check_chunk(const assay_chunk *chunk, assay_slice text, uint8_t *covered)
{
    bool is_white = true;
    uint64_t last = 0;

    PROMISE(chunk->n_spans >= 1 && chunk->first_line >= 1);
    PROMISE(chunk->first_line <= chunk->last_line);
    for (uint32_t k = 0; k < chunk->n_spans; k++) {
        assay_span s = chunk->span[k];

        PROMISE(s.start >= last && s.start < s.end && s.end <= text.len);
        PROMISE(assay_utf8_floor(text, s.start) == s.start);
        PROMISE(assay_utf8_floor(text, s.end) == s.end);
        last = s.end;
        for (uint64_t b = s.start; b < s.end; b++) {
            is_white = is_white && assay_scan_is_space(text.ptr[b]);
            covered[b] = covered[b] ? 2 : 1;
        }
    }
    PROMISE(!is_white);
}

static void check_cut(const assay_chunking *c, const assay_document *doc,
                      bool has_overlap)
{
    assay_slice text = doc->text;
    assay_arena arena = ASSAY_ARENA_EMPTY;
    uint8_t *covered = calloc(text.len + 1, 1);
    assay_chunks got;

    PROMISE(covered && assay_chunking_cut(c, doc, &arena, &got, NULL) == ASSAY_OK);
    for (uint32_t i = 0; i < got.n; i++) {
        PROMISE(i == 0 || got.chunk[i - 1].span[0].start <= got.chunk[i].span[0].start);
        PROMISE(got.chunk[i].heading == ASSAY_NONE ||
                got.chunk[i].heading < got.n_headings);
        check_chunk(&got.chunk[i], text, covered);
    }
    for (size_t b = assay_slice_starts(text, "\xEF\xBB\xBF") ? 3 : 0; b < text.len; b++) {
        PROMISE(covered[b] || assay_scan_is_space(text.ptr[b]));
        PROMISE(covered[b] < 2 || has_overlap);
    }
    free(covered);
    assay_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_document doc = {.id = ASSAY_LIT("d"),
                          .text = {size ? (const char *)data : "", size}};
    const assay_chunker *chunker;

    doc.form = (assay_form)(size ? data[size - 1] % 3 : 0);
    for (size_t i = 0; (chunker = assay_chunker_at(i)) != NULL; i++) {
        assay_chunking c = {.chunker = chunker};
        bool has_overlap = false;

        for (size_t k = 0; k < ASSAY_CHUNKER_PARAMS && chunker->param[k].name; k++) {
            const assay_chunker_param *p = &chunker->param[k];

            c.value[k] = p->least + (size > k ? data[k] % 64 : 7);
            if (strcmp(p->name, "overlap") == 0) {
                c.value[k] = c.value[k] > c.value[0] / 2 ? c.value[0] / 2 : c.value[k];
                has_overlap = c.value[k] > 0;
            }
            if (strcmp(p->name, "max") == 0 && c.value[k] < c.value[0])
                c.value[k] = c.value[0];
        }
        PROMISE(!chunker->check || chunker->check(&c, NULL) == ASSAY_OK);
        check_cut(&c, &doc, has_overlap);
    }
    return 0;
}
