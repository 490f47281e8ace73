/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the hits of a query: an error, or hits that are written back as the same
 * hits.  The check sum is put right first, since else nothing behind it were ever tried. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/mem.h"
#include "base/slice.h"
#include "store/hits_block.h"
#include "store/hits_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PROMISE(cond) \
    do {              \
        if (!(cond))  \
            abort();  \
    } while (0)

static void check_same(const assay_hit *a, const assay_hit *b)
{
    PROMISE(assay_slice_eq(a->chunk, b->chunk) && assay_slice_eq(a->doc, b->doc));
    PROMISE(assay_slice_eq(a->text, b->text) && a->rank == b->rank);
    PROMISE(a->has_score == b->has_score &&
            memcmp(&a->score, &b->score, sizeof a->score) == 0);
    PROMISE(a->n_spans == b->n_spans && a->n_legs == b->n_legs);
    for (uint32_t i = 0; i < a->n_spans; i++)
        PROMISE(a->span[i].start == b->span[i].start && a->span[i].end == b->span[i].end);
    for (uint32_t i = 0; i < a->n_legs; i++)
        PROMISE(assay_slice_eq(a->leg[i].name, b->leg[i].name) &&
                a->leg[i].rank == b->leg[i].rank &&
                a->leg[i].has_score == b->leg[i].has_score);
}

static void check_back(const assay_hit *hit, uint32_t n, uint8_t seen, assay_arena *arena)
{
    assay_hits_packer packer = {.n_words = 0};
    assay_buffer out = ASSAY_BUFFER_EMPTY;
    unsigned want = ASSAY_SEEN_DONE;
    assay_hit *again;
    uint32_t n_again;
    uint8_t seen_again;

    PROMISE(assay_hits_pack(&packer, hit, n, &out));
    PROMISE(assay_hits_unpack(assay_buffer_view(&out), arena, &again, &n_again,
                              &seen_again, NULL) == ASSAY_OK);
    PROMISE(n_again == n);
    for (uint32_t i = 0; i < n; i++) {
        check_same(&hit[i], &again[i]);
        want |= assay_run_seen(&hit[i]);
    }
    PROMISE(seen_again == want);
    PROMISE(seen == want);
    assay_buffer_clear(&out);
    assay_hits_packer_clear(&packer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_arena arena = ASSAY_ARENA_EMPTY;
    assay_error err = {ASSAY_OK, ""};
    char *block = assay_mem_alloc(size);
    assay_hit *hit;
    uint32_t n;
    uint8_t seen;

    if (!block)
        return 0;
    memcpy(block, data, size);
    if (size >= HITS_HEADER) {
        uint32_t sum;

        block[0] = HITS_VERSION;
        sum = assay_hits_sum(block, size);
        for (int i = 0; i < 4; i++)
            block[HITS_AT_SUM + i] = (char)(sum >> 8 * i);
    }
    if (assay_hits_unpack((assay_slice){block, size}, &arena, &hit, &n, &seen, &err))
        PROMISE(err.text[0]);
    else
        check_back(hit, n, seen, &arena);
    assay_mem_free(block);
    assay_arena_clear(&arena);
    return 0;
}
